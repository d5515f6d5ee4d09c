"""Where a match stands: what a Match ID or an XGID tells besides the board."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any, Self

from nardy_fast.arguments import as_dice, short_repr
from nardy_fast.core._position import Position
from nardy_fast.games.cube import MAX_LIMIT, USUAL_LIMIT, Cube, CubeRules
from nardy_fast.games.match import Match
from nardy_fast.games.states import State
from nardy_fast.positions import refuse_pending

#: The longest match and the highest score, which a Match ID holds in 15 bits.
MAX_SCORE = (1 << 15) - 1


class Phase(IntEnum):
    """How far the game has come, by GNU Backgammon's numbers."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


def check_state(state: Any) -> None:
    """`TypeError` for anything but a `MatchState`."""
    if not isinstance(state, MatchState):
        raise TypeError(f"state = {short_repr(state)}: expected a MatchState, as from MatchState.of(match)")


@dataclass(frozen=True)
class MatchState:
    """The state of a match without its board. Players are 0 and 1, GNU Backgammon's O and X; `ValueError` for what cannot be."""

    #: The cube's value, before a double that waits for its answer; and the player who owns it, None in the middle.
    cube: int = 1
    owner: int | None = None
    #: The player whose turn it is, and the player who has to act: the other one where a double or a resignation waits for him.
    on_roll: int = 0
    to_act: int = 0
    phase: Phase = Phase.PLAYING
    #: Whether a double waits for its answer; a beaver, where `to_act` is again the player on roll.
    doubled: bool = False
    #: A resignation that waits for its answer: 1, 2 or 3 times the stake; 0 for none.
    resigned: int = 0
    #: The dice that wait for a play, or None.
    dice: tuple[int, int] | None = None
    #: The points of the match, 0 for money; and what player 0 and player 1 have of them.
    length: int = 0
    score: tuple[int, int] = (0, 0)
    is_crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    #: The highest value of the cube; 1 where the game is played without one.
    limit: int = USUAL_LIMIT

    def __post_init__(self) -> None:
        """Checks every field, and that they fit together."""
        for name, least in (("cube", 1), ("limit", 1)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= MAX_LIMIT or value & (value - 1):
                raise ValueError(f"{name} = {short_repr(value)}: expected a power of two up to {MAX_LIMIT}")
        for name, choices in (("owner", (None, 0, 1)), ("on_roll", (0, 1)), ("to_act", (0, 1)), ("resigned", (0, 1, 2, 3))):
            value = getattr(self, name)
            if type(value) not in (int, type(None)) or value not in choices:
                raise ValueError(f"{name} = {short_repr(value)}: expected one of {', '.join(map(str, choices))}")
        numbers = [("length", self.length), *((f"score[{player}]", points) for player, points in enumerate(self.score))]
        for name, value in numbers:
            if type(value) is not int or not 0 <= value <= MAX_SCORE:
                raise ValueError(f"{name} = {short_repr(value)}: expected an integer from 0 to {MAX_SCORE}")
        if len(self.score) != 2:
            raise ValueError(f"score = {short_repr(self.score)}: expected two numbers")
        if self.dice is not None:
            as_dice(self.dice)
        self._check_together()

    def _check_together(self) -> None:
        money = self.length == 0
        if money and self.is_crawford:
            raise ValueError("is_crawford = True: there is no Crawford game for money")
        if not money and (self.jacoby or self.beavers):
            raise ValueError(f"{'jacoby' if self.jacoby else 'beavers'} = True: is for money only")
        if self.doubled and (self.dice is not None or self.resigned):
            raise ValueError("doubled = True: no dice are thrown and no resignation is offered while a double waits")

    @classmethod
    def of(cls, match: Match) -> Self:
        """The state of `match`, in its last game.

        `TypeError` for what is no `Match`, `ValueError` for half a point, which no id holds.
        """
        if not isinstance(match, Match):
            raise TypeError(f"match = {short_repr(match)}: expected a Match")
        score = tuple(int(points) for points in match.score)
        if score != match.score:
            raise ValueError(f"score = {match.score}: an id holds no half points")
        rules = match.cube
        agreed: dict[str, Any] = {
            "length": match.points or 0,
            "score": score,
            "jacoby": rules is not None and rules.jacoby,
            "beavers": rules is not None and rules.beavers,
            "limit": 1 if rules is None or match.points == 1 else rules.limit,
        }
        game = match.game
        if game is None:
            return cls(phase=Phase.NONE, **agreed)
        refuse_pending(game.position, "the state of a match")
        dice = None if game.dice is None else as_dice(game.dice)
        cube, result, turn = game.cube, game.result, game.position.turn
        phase = Phase.PLAYING
        if result is not None:
            phase = {"resigned": Phase.RESIGNED, "dropped": Phase.DROPPED, "abandoned": Phase.NONE}.get(result.kind, Phase.OVER)
        return cls(
            cube=1 if cube is None else cube.value,
            owner=None if cube is None or cube.owner is None else game.player(cube.owner),
            on_roll=game.player(turn),
            to_act=game.player(turn if game.to_act is None else game.to_act),
            phase=phase,
            doubled=game.state in (State.DOUBLED, State.BEAVERED),
            resigned=0 if game.offer is None else game.offer.times,
            dice=dice,
            is_crawford=game.stakes is not None and game.stakes.is_crawford,
            **agreed,
        )

    def to_match(self, position: Position, *, match_type: type[Match] = Match, draw: str = "half") -> Match:
        """A match whose game stands just so, on the board of `position`, and can be played on to its end.

        `match_type`: `Match`, or `reference.Match` for a position of the reference; `draw` as in `Match`. What no id holds takes
        its usual value: the names of the players and, for the cube, what else may be agreed. Its dice are thrown by chance.

        Raises `TypeError` for what is no position, and `ValueError` where no game is being played, and where state and position
        do not fit together: another player on roll, a cube or a score that cannot be, dice or a double where they may not be.
        """
        if not isinstance(position, match_type.game_type.position_type):
            raise TypeError(f"position = {short_repr(position)}: expected a Position")
        if self.phase is not Phase.PLAYING:
            raise ValueError(f"phase = {self.phase.name}: no game is being played")
        money = self.length == 0
        is_beaver = self.doubled and self.to_act == self.on_roll
        # Where a beaver waits, beavers have been agreed, which a Match ID does not hold.
        cube = None if self.limit == 1 else CubeRules(self.limit, jacoby=self.jacoby, beavers=self.beavers or is_beaver)
        match = match_type(
            None if money else self.length,
            position.rules,
            draw=draw,
            cube=cube,
            score=self.score,
            is_crawford=None if money or cube is None or self.length == 1 else self.is_crawford,
        )
        stakes = match.next_stakes
        lies = Cube(self.cube, None if self.owner is None else position.turn ^ self.on_roll ^ self.owner)
        game = match_type.game_type.from_position(
            position,
            cube=stakes,
            # A beaver waits with the cube turned already, by a double from wherever it lay.
            cube_state=None if stakes is None and lies == Cube() else Cube(lies.value // 2, None) if is_beaver else lies,
            thrown=self.dice,
            white=self.on_roll ^ position.turn,
        )
        match.add_game(game)
        if self.doubled:
            game.double()
        if is_beaver:
            game.beaver()
        if self.resigned:
            game.resign(self.resigned, position.turn ^ self.on_roll ^ (1 - self.to_act))
        stands = type(self).of(match)
        # A match to one point has no cube, whatever its limit.
        told = replace(self, limit=1 if self.length == 1 else self.limit, beavers=self.beavers or is_beaver)
        if stands != told:
            wrong = next(field.name for field in fields(self) if getattr(told, field.name) != getattr(stands, field.name))
            raise ValueError(f"{wrong} = {short_repr(getattr(self, wrong))}: does not fit the position and the rest of the state")
        return match
