"""Plays again what the events of a file tell, and so checks it: matches out of events."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import singledispatchmethod
from typing import Any

from nardy_fast.arguments import as_dice, short_repr
from nardy_fast.formats.transcript import (
    MIDDLE,
    Agreed,
    Answer,
    Begins,
    Double,
    Doubt,
    End,
    Events,
    Resigns,
    Score,
    SetUp,
    Side,
    Turn,
    Unread,
    Way,
    Wins,
)
from nardy_fast.games.cube import MAX_LIMIT, Cube, CubeRules
from nardy_fast.games.game import Game, begin_game
from nardy_fast.games.match import Match
from nardy_fast.games.states import State
from nardy_fast.rules import BAR, OFF, ruleset


class _Miscounted(ValueError):
    """The points of a game are not those that the turns make."""


def build(
    events: Callable[[], Events], match_type: type[Match], illegal: str, strict: bool = True, several: bool = False
) -> list[Match]:
    """The matches that events tell of, one unless `several`; `events` gives them from the first, again if need be.

    A play that is marked as illegal stands; so does one that is not, where `illegal` is ``keep``. What is not `strict` keeps all
    games as far as they can be followed, and gives a `Doubt` as a warning for all that it has doubted or left out.
    """
    if illegal not in ("refuse", "keep"):
        raise ValueError(f"illegal = {short_repr(illegal)}: expected refuse or keep")
    if not isinstance(strict, bool):
        raise TypeError(f"strict = {short_repr(strict)}: expected True or False")
    builder = _Builder(match_type, illegal, strict, several)
    try:
        builder.build(events())
        miscounted = None
    except _Miscounted as error:
        miscounted = error
    if builder.jacoby_unknown and (miscounted or builder.miscounted):
        # Games for money of which it is not told are, more often than not, played with Jacoby's rule.
        other = _Builder(match_type, illegal, strict, several, jacoby=True)
        try:
            other.build(events())
        except ValueError:
            pass
        else:
            if miscounted or len(other.doubts) < len(builder.doubts):
                builder, miscounted = other, None
    if miscounted is not None:
        raise miscounted
    for doubt in builder.doubts:
        warnings.warn(doubt, Doubt, stacklevel=3)
    return builder.matches


class _Builder:
    """What has been played so far."""

    def __init__(self, match_type: type[Match], illegal: str, strict: bool, several: bool, jacoby: bool | None = None) -> None:
        self.match_type = match_type
        self.keep = illegal == "keep"
        self.strict = strict
        self.several = several
        self.jacoby = jacoby
        self.jacoby_unknown = False
        self.doubts: list[str] = []
        self.miscounted = False  # whether a doubt was about points
        self.matches: list[Match] = []
        self.is_done = False
        self.at = 0  # the line
        self.agreed: Agreed | None = None
        self.match: Match | None = None
        self.left = 0  # the player in the left column
        self.number = 0  # of the game
        self.pending: Game | None = None  # the game before, where its end was not told
        self.begin_game()

    def begin_game(self) -> None:
        self.game: Game | None = None  # None until its first roll
        self.resigned: Resigns | None = None
        self.setup: SetUp | None = None  # what was set by hand before it
        self.ties = 0  # how many have doubled the stake
        self.is_lost = False  # whether the rest of the game cannot be followed

    def build(self, events: Events) -> None:
        was_unread = False
        for self.at, event in events:
            # Of rubbish between games, and of what follows in a game that is lost, nothing is told but that it begins.
            if self.is_lost and isinstance(event, Turn | Double | Answer | Unread):
                continue
            if self.is_lost and self.game is None and isinstance(event, Resigns | Wins):
                continue
            if not self.strict and was_unread and isinstance(event, Unread):
                continue
            if self.is_done:
                break
            was_unread = isinstance(event, Unread)
            try:
                self.take(event)
            except ValueError as error:
                if self.strict or isinstance(event, End):
                    raise (_Miscounted if isinstance(error, _Miscounted) else ValueError)(self.where + str(error)) from error
                self.doubt(error)
                self.is_lost = self.number > 0 and (self.match is None or isinstance(event, Turn | Double | Answer | Unread))

    @property
    def where(self) -> str:
        return (f"line {self.at}: " if self.at else "") + (f"game {self.number}: " if self.number else "")

    def doubt(self, why: ValueError | str) -> None:
        """Notes what a lenient reading does not take as it stands; an error of a strict one."""
        if self.strict:
            raise why if isinstance(why, ValueError) else ValueError(why)
        self.doubts.append(self.where + str(why))
        self.miscounted |= isinstance(why, _Miscounted)

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
        self.end_match()
        if self.matches and not self.several:
            self.is_done = True
            self.doubt("another match begins: from_mats and read_mats read all")
        self.agreed, self.match, self.number, self.left = event, None, 0, 0

    @take.register
    def _(self, event: End) -> None:
        if self.match is None:
            why = ValueError("the file ends before its first game")
            if self.strict or not self.matches:
                raise why
            self.doubt(why)
        self.end_match()

    def end_match(self) -> None:
        """Its last game may be unfinished, or no more than set up."""
        if self.match is not None and self.game is None and self.setup is not None and self.setup.column is not None:
            self.start_as_set(self.setup.column)
        self.end_by_resignation()
        if self.game is not None:
            self.add(self.game)
        elif self.is_lost:
            self.doubt("the game is left out")
        self.begin_game()

    @take.register
    def _(self, event: Begins) -> None:
        self.end_by_resignation()
        if self.game is not None and self.game.result is not None:
            self.add(self.game)
        elif self.number:
            if self.strict:
                raise ValueError("the game before is not over: its 'Wins 1 point' or the like is missing")
            self.pending = self.game
            if self.game is None:
                self.doubt("the game is left out")
        self.begin_game()
        self.ties = event.doubled
        if event.number != self.number + 1:
            self.doubt(f"Game {event.number}: expected Game {self.number + 1}")
        self.number = event.number

    @take.register
    def _(self, event: Score) -> None:
        if self.match is None:
            self.begin_match(event)
        else:
            self.check_names(event)
        assert self.match is not None
        stated = event.points if self.left == 0 else event.points[::-1]
        if self.pending is not None:
            self.end_by_score(self.pending, stated)
            self.pending = None
        score = self.match.score
        if stated != score:
            raise _Miscounted(f"{stated[0]}-{stated[1]}: by the games before, the score is {score[0]}-{score[1]}")

    def add(self, game: Game) -> None:
        """Adds a game to the match."""
        assert self.match is not None
        try:
            self.match.add_game(game)
        except ValueError as error:
            self.doubt(error)

    def begin_match(self, event: Score) -> None:
        agreed, names, score = self.agreed, event.names, event.points
        assert agreed is not None
        self.left = 1 if agreed.players == names[::-1] else 0
        players = names[::-1] if self.left else names
        score = score[::-1] if self.left else score
        is_crawford = agreed.is_crawford if any(score) else None
        cube, rules = self.cube(agreed), ruleset(agreed.rules)
        points = agreed.points or None
        self.match = self.match_type(points, rules, cube=cube, players=players, score=score, is_crawford=is_crawford, dice=())
        self.matches.append(self.match)

    def check_names(self, event: Score) -> None:
        """Finds out who is in the left column. Where a name is new, the other one decides, else the columns."""
        assert self.match is not None
        players = self.match.players
        if event.names in (players, players[::-1]):
            if players[0] != players[1]:
                self.left = 0 if event.names == players else 1
            return
        self.doubt(f"{' and '.join(event.names):.60}: the players are {players[0]} and {players[1]}")
        if (event.names[0] in players) != (event.names[1] in players):
            column = 0 if event.names[0] in players else 1
            self.left = players.index(event.names[column]) ^ column

    def cube(self, agreed: Agreed) -> CubeRules | None:
        limit = MAX_LIMIT if agreed.limit is None else agreed.limit
        if limit == 1:
            return None
        if agreed.points:
            return CubeRules(limit=limit, crawford=agreed.crawford is not False)
        self.jacoby_unknown |= agreed.jacoby is None and self.jacoby is None
        jacoby = bool(self.jacoby) if agreed.jacoby is None else agreed.jacoby
        return CubeRules(limit=limit, jacoby=jacoby, beavers=agreed.beavers is not False, automatic=agreed.automatic)

    def end_by_score(self, game: Game, score: tuple[int, int]) -> None:
        """Ends a game whose end is not told as the next score says, if it can."""
        assert self.match is not None
        gains = [int(stated - had) for stated, had in zip(score, self.match.score, strict=True)]
        if min(gains) == 0 and max(gains) > 0:
            winner = 0 if gains[0] else 1
            try:
                self.end_with(game, game.player(winner), gains[winner])
            except ValueError:
                pass
            else:
                self.doubt(f"the game before is taken as won by {gains[winner]}, as the score says")
                self.add(game)
                return
        self.doubt("the game before is left out")

    def end_by_resignation(self) -> None:
        """Ends a game that was given up, its points not told."""
        game, resigned = self.game, self.resigned
        if game is None or resigned is None or game.result is not None:
            return
        loser = self.side(resigned.column)
        try:
            self.answer_beaver(game)
            if game.state is State.DOUBLED and game.to_act == loser:
                game.drop()
            else:
                game.resign(resigned.times or 1, loser)
                game.accept()
        except ValueError as error:
            self.doubt(error)

    # Turns

    @take.register
    def _(self, event: SetUp) -> None:
        if self.game is not None and self.game.turns:
            raise ValueError("something is set by hand in the midst of the game")
        before = self.setup or SetUp()
        self.game, self.setup = (
            None,
            SetUp(
                before.column if event.column is None else event.column,
                event.board or before.board,
                event.cube or before.cube,
                before.owner if event.owner is None else event.owner,
            ),
        )

    def start_as_set(self, column: int) -> None:
        """The game from what was set by hand, `column` to move."""
        assert self.setup is not None
        match, (_, board, cube, owner) = self.begun, self.setup
        player, rules, game_type = self.player(column), match.rules, self.match_type.game_type
        position = game_type.position_type.start(rules, player)
        if board is not None:
            rows = [[*side, rules.checkers - sum(side)] for side in board]
            position = game_type.position_type(rows if column == 0 else rows[::-1], player, rules)
        stakes = match.next_stakes
        lies = None
        if stakes is not None and (cube, owner) != (None, None):
            lies = Cube(cube or 1, None if owner in (None, MIDDLE) else self.player(owner))
        self.game = game_type.from_position(position, dice=(), cube=stakes, cube_state=lies)

    @property
    def begun(self) -> Match:
        """The match that is under way."""
        if self.match is None:
            raise ValueError("expected a match to have begun, with its points and the score")
        return self.match

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
        if self.game is None and self.setup is not None:
            self.start_as_set(column)
        elif self.game is None:
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
        elif game.dice != as_dice(dice):
            raise ValueError(f"{dice[0]}{dice[1]}: another roll waits to be played")
        if event.after is not None:
            game.let_stand(self.board(game, event.after), event.text)
        elif event.ways is not None:
            self.play(game, event, event.ways)
        elif not game.position.plays(dice)[0].steps:
            game.play("pass")

    def start(self, player: int, dice: tuple[int, int]) -> None:
        """The game with its throw for the start, which are the first dice."""
        if dice[0] == dice[1]:
            raise ValueError(f"{dice[0]}{dice[1]}: the first roll is the throw for the start, and no double")
        throw = (max(dice), min(dice)) if player == 0 else (min(dice), max(dice))
        match = self.begun
        if match.is_over:
            raise ValueError("the match is over")
        self.game = begin_game(self.match_type.game_type, match.rules, [*[(1, 1)] * self.ties, throw], player, match.next_stakes)

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
        if self.game is None and self.setup is not None:
            self.start_as_set(event.column)
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
        """Remembers it: what it costs is told with the end, if at all."""
        game = self.playing("resigns")
        if game.result is None:
            self.resigned = event

    @take.register
    def _(self, event: Wins) -> None:
        points = event.points
        game = self.playing(f"Wins {points}")
        side = self.side(event.column)
        if self.resigned is not None and self.resigned.column == event.column:
            self.doubt("Wins: it is the player who has resigned")
        result = game.result
        if result is None:
            self.end_with(game, side, points)
        elif result.winner != side:
            raise ValueError("Wins: it is the other player who has won")
        # Some programs leave Jacoby's rule out of account in this line, though not in the score.
        elif points != result.points and not (self.jacoby and points in (2 * result.points, 3 * result.points)):
            self.doubt(_Miscounted(f"Wins {points}: by the turns it is {result.points}"))

    def end_with(self, game: Game, winner: int, points: int) -> None:
        """Ends a game that was broken off: a side has won so many points."""
        if game.state is State.DOUBLED and game.to_act != winner and game.cube is not None and points == game.cube.value:
            game.drop()
            return
        self.answer_beaver(game)
        value = 1 if game.cube is None else game.cube.value
        times = points // value if points % value == 0 else 0
        if times not in (1, 2, 3):
            times = self.times_otherwise(game.player(winner), points, value)
        game.resign(times, 1 - winner)
        game.accept()

    def times_otherwise(self, player: int, points: int, value: int) -> int:
        """How many times the stake a figure means that is none of it: what was needed to win the match, or the points in all."""
        assert self.match is not None
        why = f"Wins {points}: expected 1, 2 or 3 times the stake, which is {value}"
        if self.strict:
            raise _Miscounted(why)
        had, target = self.match.score[player], self.match.points
        for meant, gain in (("what was needed", points), ("the points in all", points - had)):
            if target is not None and gain == target - had:
                times = -(-int(gain) // value)
            else:
                times = int(gain) // value if gain % value == 0 and gain != points else 0
            if times in (1, 2, 3):
                self.doubt(_Miscounted(f"{why}; taken as {meant}"))
                return times
        raise _Miscounted(why)

    @staticmethod
    def answer_beaver(game: Game) -> None:
        """Accepts a beaver of which nothing more is told."""
        if game.state is State.BEAVERED:
            game.take()


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
