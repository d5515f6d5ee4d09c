"""Plays again what the events of a file tell, and so checks it: matches out of events."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatchmethod
from typing import Any

from nardy_fast.formats.transcript import (
    Agreed,
    Answer,
    Begins,
    Double,
    End,
    Events,
    Resigns,
    Score,
    Side,
    Turn,
    Unread,
    Way,
    Wins,
)
from nardy_fast.games.cube import MAX_LIMIT, CubeRules
from nardy_fast.games.game import Game, begin_game
from nardy_fast.games.match import Match
from nardy_fast.games.states import State
from nardy_fast.rules import BAR, OFF, ruleset


class _Miscounted(ValueError):
    """The points of a game are not those that the turns make."""


def build(events: Callable[[], Events], match_type: type[Match], illegal: str) -> Match:
    """The match that events tell of; `events` gives them from the first, again if need be.

    A play that is marked as illegal stands; so does one that is not, where `illegal` is ``keep``.
    """
    if illegal not in ("refuse", "keep"):
        raise ValueError(f"illegal = {illegal!r}: expected refuse or keep")
    first = _Builder(match_type, illegal)
    try:
        return first.build(events())
    except _Miscounted as error:
        # Games for money of which it is not told are, more often than not, played with Jacoby's rule.
        if not first.jacoby_unknown:
            raise
        try:
            return _Builder(match_type, illegal, jacoby=True).build(events())
        except ValueError:
            raise error from None


class _Builder:
    """What has been played so far."""

    def __init__(self, match_type: type[Match], illegal: str, jacoby: bool | None = None) -> None:
        self.match_type = match_type
        self.keep = illegal == "keep"
        self.jacoby = jacoby
        self.jacoby_unknown = False
        self.agreed: Agreed | None = None
        self.match: Match | None = None
        self.names: tuple[str, str] | None = None  # of the left and of the right column of this game
        self.game: Game | None = None  # None until its first roll
        self.number = 0  # of the game

    def build(self, events: Events) -> Match:
        for at, event in events:
            try:
                self.take(event)
            except ValueError as error:
                where = (f"line {at}: " if at else "") + (f"game {self.number}: " if self.number else "")
                raise (_Miscounted if isinstance(error, _Miscounted) else ValueError)(where + str(error)) from error
        assert self.match is not None, "the end is refused without one"
        return self.match

    @singledispatchmethod
    def take(self, event: Any) -> None:
        """Does what an event tells."""
        raise TypeError(f"event = {event!r}")

    @take.register
    def _(self, event: Unread) -> None:
        raise ValueError(event.reason)

    # The head of the match and of a game

    @take.register
    def _(self, event: Agreed) -> None:
        self.agreed = event

    @take.register
    def _(self, event: End) -> None:
        if self.match is None:
            raise ValueError("the file ends before its first game")

    @take.register
    def _(self, event: Begins) -> None:
        if self.number and (self.game is None or self.game.result is None):
            raise ValueError("the game before is not over: its 'Wins 1 point' or the like is missing")
        if event.number != self.number + 1:
            raise ValueError(f"Game {event.number}: expected Game {self.number + 1}")
        self.number, self.game, self.names = event.number, None, None

    @take.register
    def _(self, event: Score) -> None:
        if self.match is None:
            self.match = self.begin_match(event.names)
        players = self.match.players
        if event.names not in (players, players[::-1]):
            raise ValueError(f"{' and '.join(event.names):.60}: the players are {players[0]} and {players[1]}")
        self.names = event.names
        score = self.match.score if self.left == 0 else self.match.score[::-1]
        if event.points != score:
            stated = "-".join(map(str, event.points))
            raise _Miscounted(f"{stated}: by the games before, the score is {score[0]}-{score[1]}")

    def begin_match(self, names: tuple[str, str]) -> Match:
        agreed = self.agreed
        assert agreed is not None
        players = names[::-1] if agreed.players == names[::-1] else names
        return self.match_type(agreed.points or None, ruleset(agreed.rules), cube=self.cube(agreed), players=players, dice=())

    def cube(self, agreed: Agreed) -> CubeRules | None:
        limit = MAX_LIMIT if agreed.limit is None else agreed.limit
        if limit == 1:
            return None
        if agreed.points:
            return CubeRules(limit=limit, crawford=agreed.crawford is not False)
        self.jacoby_unknown = agreed.jacoby is None and self.jacoby is None
        jacoby = bool(self.jacoby) if agreed.jacoby is None else agreed.jacoby
        return CubeRules(limit=limit, jacoby=jacoby, beavers=agreed.beavers is not False)

    @property
    def left(self) -> int:
        """The player in the left column."""
        assert self.match is not None
        return 0 if self.names == self.match.players else 1

    # Turns

    def player(self, column: int) -> int:
        return self.left ^ column

    def side(self, column: int) -> int:
        assert self.game is not None
        return self.game.player(self.player(column))  # the same either way

    def playing(self, what: str) -> Game:
        if self.game is None:
            raise ValueError(f"{what:.60}: expected the first roll of the game")
        return self.game

    @take.register
    def _(self, event: Turn) -> None:
        column, dice = event.column, event.dice
        if self.game is None:
            self.start(self.player(column), dice)
        game = self.playing(f"{dice[0]}{dice[1]}")
        side = self.side(column)
        self.finish_forced(side)
        if game.state is State.BEAVERED and game.to_act == side:
            game.take()
        if game.position.turn != side and game.result is None:
            raise ValueError(f"{dice[0]}{dice[1]}: it is the other player's turn")
        if game.state is not State.PLAY:
            game.roll(dice)
        if event.after is not None:
            game.let_stand(self.board(game, event.after), event.text)
        elif event.ways is not None:
            self.play(game, event, event.ways)
        elif not game.position.plays(dice)[0].steps:
            game.play("pass")

    def start(self, player: int, dice: tuple[int, int]) -> None:
        """The game with its throw for the start, which are the first dice."""
        assert self.match is not None
        if dice[0] == dice[1]:
            raise ValueError(f"{dice[0]}{dice[1]}: the first roll is the throw for the start, and no double")
        throw = (max(dice), min(dice)) if player == 0 else (min(dice), max(dice))
        match = self.match
        self.game = begin_game(self.match_type.game_type, match.rules, [throw], player, match.next_stakes)
        match.add_game(self.game)

    def finish_forced(self, side: int) -> None:
        """Plays the only play there was for dice that stand without one, where the other side goes on."""
        game = self.game
        if game is not None and game.state is State.PLAY and game.turns and game.position.turn != side:
            assert game.dice is not None
            if game.position.count_plays(game.dice) > 1:
                raise ValueError(f"{game.dice[0]}{game.dice[1]}: no play was written for this roll")
            game.play(game.position.plays(game.dice)[0])

    def play(self, game: Game, event: Turn, ways: tuple[Way, ...]) -> None:
        """Plays what stands after the roll: what is on the board after it counts, not how it is written."""
        rows = board_after(game, ways)
        assert game.dice is not None
        for play in game.position.plays(game.dice):
            # The mover of the afterstate is the opponent.
            if play.afterstate.board.tolist() == rows[::-1] and not event.is_marked:
                game.play(play)
                return
        if event.is_marked or self.keep:
            after = game.position_type(rows[::-1], 1 - game.position.turn, game.rules)
            game.let_stand(after, event.text)
        else:
            game.play(_written(ways))  # raises with the reason, or finds a hit on the way that the file leaves out

    def board(self, game: Game, after: tuple[Side, Side]) -> Any:
        """The position after an illegal play."""
        mover = 1 - game.position.turn
        left, right = ([*side, game.rules.checkers - sum(side)] for side in after)
        return game.position_type([left, right] if game.player(mover) == self.left else [right, left], mover, game.rules)

    # The cube and the end

    @take.register
    def _(self, event: Double) -> None:
        game = self.playing(event.action)
        side = self.side(event.column)
        self.finish_forced(side)
        if event.action == "raccoon":
            raise ValueError("a raccoon, which the rules do not know")
        # GNU Backgammon writes a beaver as a double.
        is_beaver = event.action == "beaver" or game.state is State.DOUBLED
        if game.cube is not None and event.value is not None and event.value != 2 * game.cube.value * (1 + is_beaver):
            raise ValueError(f"{event.action} => {event.value}: it is to {2 * game.cube.value * (1 + is_beaver)}")
        (game.beaver if is_beaver else game.double)(side)

    @take.register
    def _(self, event: Answer) -> None:
        game = self.playing("take" if event.takes else "drop")
        (game.take if event.takes else game.drop)(self.side(event.column))

    @take.register
    def _(self, event: Resigns) -> None:
        """Nothing yet: the points are told with the end."""

    @take.register
    def _(self, event: Wins) -> None:
        points = event.points
        game = self.playing(f"Wins {points}")
        side = self.side(event.column)
        if game.result is None and game.state in (State.DOUBLED, State.BEAVERED):
            assert game.cube is not None
            if game.to_act != side and points == game.cube.value:
                game.drop()
            elif game.state is State.BEAVERED:
                game.take()
        if game.result is None:
            value = 1 if game.cube is None else game.cube.value
            if points % value or points // value not in (1, 2, 3):
                raise _Miscounted(f"Wins {points}: expected 1, 2 or 3 times the stake, which is {value}")
            game.resign(points // value, 1 - side)
            game.accept()
        result = game.result
        assert result is not None
        if result.winner != side:
            raise ValueError("Wins: it is the other player who has won")
        # Some programs leave Jacoby's rule out of account in this line, though not in the score.
        if points != result.points and not (self.jacoby and points in (2 * result.points, 3 * result.points)):
            raise _Miscounted(f"Wins {points}: by the turns it is {result.points}")


def board_after(game: Game, ways: tuple[Way, ...]) -> list[list[int]]:
    """The rows of mover and opponent after the ways as they are written: where a checker lands on a blot, it is hit."""
    mover, opponent = game.position.board.tolist()
    touched = set()
    for way in ways:
        slots = [OFF - point for point in way]
        mover[slots[0]] -= 1
        mover[slots[-1]] += 1
        touched |= set(slots[1:])
    for slot in touched - {OFF, BAR}:
        if opponent[OFF - slot] == 1:
            opponent[OFF - slot] = 0
            opponent[BAR] += 1
    if min(mover) < 0:
        raise ValueError(f"{_written(ways):.60}: there is no checker to move so")
    return [mover, opponent]


def _written(ways: tuple[Way, ...]) -> str:
    """The ways in the notation of the package, the marks of hits left out."""
    names = {OFF: "bar", BAR: "off"}
    return " ".join("/".join(names.get(point, str(point)) for point in way) for way in ways) or "pass"
