"""The doubling cube (rulebook, section 2): what may be agreed about it, and its table of states and actions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from nardy_fast.arguments import as_turn, check_keys, short_repr
from nardy_fast.core._position import Position
from nardy_fast.games.states import State
from nardy_fast.rules import Ruleset

#: How far the cube goes where nothing else is agreed, and the most that can be agreed.
USUAL_LIMIT = 64
MAX_LIMIT = 1 << 15


class Cube(NamedTuple):
    """The cube: its value, and the side (0 White, 1 Black) that owns it; None while it lies in the middle."""

    value: int = 1
    owner: int | None = None


@dataclass(frozen=True)
class CubeRules:
    """What is agreed about the cube for a match or for games for money. `ValueError` for a value that cannot be."""

    #: No double beyond this value, a power of two.
    limit: int = USUAL_LIMIT
    #: Match: the first game after a player comes within a point of the target has no cube.
    crawford: bool = True
    #: Money: while nobody owns the cube, every win counts single.
    jacoby: bool = False
    #: Money: the doubled player may double at once and keep the cube.
    beavers: bool = False
    #: Money: how many ties in the throw for the start double the stake.
    automatic: int = 0
    #: Match: no double by a player whom a single win at the present stake takes to the target.
    dead_cube: bool = False

    def __post_init__(self) -> None:
        if not _is_count(self.limit) or not 2 <= self.limit <= MAX_LIMIT or self.limit & (self.limit - 1):
            raise ValueError(f"limit = {short_repr(self.limit)}: expected a power of two from 2 to {MAX_LIMIT}")
        if not _is_count(self.automatic) or 1 << min(self.automatic, 99) > self.limit:
            given = short_repr(self.automatic)
            raise ValueError(f"automatic = {given}: expected a number of doubles that the limit leaves room for")
        for name in ("crawford", "jacoby", "beavers", "dead_cube"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} = {short_repr(getattr(self, name))}: expected True or False")

    @classmethod
    def from_record(cls, record: Any) -> CubeRules:
        """The agreement that `record` tells of, an object with all of its fields; `ValueError` for anything else."""
        check_keys(record, "cube", _names(cls))
        return cls(**record)

    def check(self, points: int | None, rules: Ruleset) -> None:
        """`ValueError` where this has no meaning in a match to `points`, or for money (None), under `rules`."""
        money = {"jacoby": self.jacoby, "beavers": self.beavers, "automatic": self.automatic}
        for name, value in (money if points is not None else {"dead_cube": self.dead_cube}).items():
            if value:
                raise ValueError(f"{name} = {short_repr(value)}: is for {'money' if points is not None else 'a match'} only")
        if self.jacoby and rules.remaining:
            raise ValueError("jacoby = True: has no meaning where the winner scores the checkers left")


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def is_score(value: Any) -> bool:
    """Points, of which there may be halves."""
    return type(value) in (int, float) and value >= 0 and value * 2 % 1 == 0


def _names(cls: Any) -> list[str]:
    return [field.name for field in dataclasses.fields(cls)]


@dataclass(frozen=True)
class Stakes:
    """What holds for the cube in one game."""

    rules: CubeRules = CubeRules()
    #: Whether this is the Crawford game, which has no cube.
    is_crawford: bool = False
    #: How many points player 0 and player 1 still need; None for money.
    away: tuple[float, float] | None = None

    def first_cube(self, ties: int) -> Cube:
        """The cube after `ties` ties in the throw for the start: still in the middle."""
        return Cube(1 << min(ties, self.rules.automatic))

    def counted(self, points: int, cube: Cube) -> int:
        """What a win of so many points, cube aside, scores."""
        return cube.value * (1 if self.rules.jacoby and cube.owner is None else points)

    def record(self) -> dict[str, Any]:
        """Plain values ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_record(cls, record: Any) -> Stakes:
        """The stakes that `record` tells of; `ValueError` for anything else."""
        check_keys(record, "cube", _names(cls))
        away, is_crawford = record["away"], record["is_crawford"]
        if not isinstance(is_crawford, bool):
            raise ValueError(f"is_crawford = {short_repr(is_crawford)}: expected True or False")
        if away is not None and not (isinstance(away, list | tuple) and len(away) == 2 and all(map(is_score, away))):
            raise ValueError(f"away = {short_repr(away)}: expected two numbers of points, or null")
        return cls(CubeRules.from_record(record["rules"]), is_crawford, None if away is None else (away[0], away[1]))


class Cubed(Protocol):
    """What the cube asks of a game."""

    @property
    def state(self) -> State: ...
    @property
    def stakes(self) -> Stakes | None: ...
    @property
    def cube(self) -> Cube | None: ...
    @property
    def turns(self) -> Sequence[object]: ...
    @property
    def position(self) -> Position: ...
    @property
    def is_from_start(self) -> bool: ...
    @property
    def begins_turn(self) -> bool: ...
    @property
    def is_last_roll(self) -> bool: ...
    def player(self, side: int) -> int: ...


def checked_cube(cube: Any, stakes: Stakes | None) -> Cube:
    """The cube as it is said to lie; `TypeError` or `ValueError` where it cannot lie so in a game with these stakes."""
    if not isinstance(cube, tuple | list) or len(cube) != 2:
        raise TypeError(f"cube_state = {short_repr(cube)}: expected a Cube: its value, and the side that owns it or None")
    if stakes is None:
        raise ValueError(f"cube_state = {short_repr(cube)}: the game is played without a cube")
    value, owner = cube
    if not _is_count(value) or not 1 <= value <= stakes.rules.limit or value & (value - 1):
        raise ValueError(f"cube_state[0] = {short_repr(value)}: expected a power of two up to the limit, {stakes.rules.limit}")
    if owner is not None:
        owner = as_turn(owner)
    if (value == 1 and owner is not None) or (stakes.is_crawford and value > 1):
        raise ValueError(f"cube_state = {short_repr(cube)}: a cube of 1 lies in the middle, and the Crawford game has no other")
    return Cube(value, owner)


# Why an action is refused


class Refusal(NamedTuple):
    """One reason why an action may be refused: when it holds, and what is said."""

    holds: Callable[[Cubed, CubeAction], bool]
    sentence: str


NO_CUBE = Refusal(lambda game, row: game.stakes is None, "the game is played without a cube")
CRAWFORD = Refusal(lambda game, row: _stakes(game).is_crawford, "the Crawford game has no cube")
FIRST_PLAY = Refusal(lambda game, row: game.is_from_start and not game.turns, "no double before the first play of the game")
TURN_BEGUN = Refusal(lambda game, row: not game.begins_turn, "the turn has begun: a double comes before the first throw of it")
LAST_ROLL = Refusal(lambda game, row: game.is_last_roll, "White has cleared, and only the last roll is due")
NOT_OWNER = Refusal(
    lambda game, row: _cube(game).owner not in (None, game.position.turn), "the cube is the opponent's, who alone may redouble"
)
NO_BEAVERS = Refusal(lambda game, row: not _stakes(game).rules.beavers, "beavers have not been agreed")
BEYOND_LIMIT = Refusal(
    lambda game, row: _cube(game).value * row.asks > _stakes(game).rules.limit, "no double beyond the limit of the cube"
)
DEAD = Refusal(
    lambda game, row: _stakes(game).rules.dead_cube and _is_dead(game), "the cube is dead: the present stake is all that he needs"
)


def _stakes(game: Cubed) -> Stakes:
    assert game.stakes is not None, "NO_CUBE is asked first"
    return game.stakes


def _cube(game: Cubed) -> Cube:
    assert game.cube is not None
    return game.cube


def _is_dead(game: Cubed) -> bool:
    away = _stakes(game).away
    return away is not None and _cube(game).value >= away[game.player(game.position.turn)]


# The table


class CubeAction(NamedTuple):
    """One line of the table: who may do what in which state, and what comes of it.

    The *doubler* is the side to move. A row holds unless one of `refused` does; the first that does is the reason given.
    """

    state: State
    action: str
    #: Whether it is the doubler who acts, or the other.
    by_doubler: bool
    refused: tuple[Refusal, ...]
    #: How many times the cube's value comes to be at stake, if all goes on.
    asks: int
    #: Whether the cube is turned: doubled, and from now on the other side's, whose it may be already.
    turns_cube: bool
    #: The state after it. Over: whoever has dropped loses the cube's value.
    then: State


#: When a double is refused.
DOUBLING = (NO_CUBE, CRAWFORD, FIRST_PLAY, TURN_BEGUN, LAST_ROLL, NOT_OWNER, BEYOND_LIMIT, DEAD)

#: A double waits (DOUBLED) with the cube still at the stake before it; a beaver waits (BEAVERED) with the cube turned once.
TABLE = (
    #   state           action    by the  refused when                 times  turns  then
    #                             doubler                              asked  cube
    CubeAction(State.ROLL,     "double", True,  DOUBLING,                   2, False, State.DOUBLED),
    CubeAction(State.DOUBLED,  "take",   False, (),                         2, True,  State.ROLL),
    CubeAction(State.DOUBLED,  "drop",   False, (),                         1, False, State.OVER),
    CubeAction(State.DOUBLED,  "beaver", False, (NO_BEAVERS, BEYOND_LIMIT), 4, True,  State.BEAVERED),
    CubeAction(State.BEAVERED, "take",   True,  (),                         2, True,  State.ROLL),
    CubeAction(State.BEAVERED, "drop",   True,  (),                         1, False, State.OVER),
)  # fmt: skip

_ROWS = {(row.state, row.action): row for row in TABLE}


def row_for(game: Cubed, action: str) -> CubeAction:
    """The row by which `action` may be done now; `ValueError` with the reason if it may not."""
    if (game.state, action) not in _ROWS:
        raise ValueError(f"{action}: is not done with a cube, or not now")
    row = _ROWS[game.state, action]
    for refusal in row.refused:
        if refusal.holds(game, row):
            raise ValueError(f"{action}: {refusal.sentence}")
    return row


def acting_side(row: CubeAction, doubler: int) -> int:
    """The side, 0 White or 1 Black, that acts by this row."""
    return doubler if row.by_doubler else 1 - doubler
