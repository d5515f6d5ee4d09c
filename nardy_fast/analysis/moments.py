"""A record walked through: every decision and every throw in it, as the player who faces it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nardy_fast.analysis.match_equity import MAX_LENGTH, MatchEquity
from nardy_fast.analysis.setting import Setting
from nardy_fast.core._position import Play, Position
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match
from nardy_fast.games.states import State

#: What is done at a moment.
THROW, PLAY, DOUBLE, ANSWER, BEAVERED = "throw", "play", "double", "answer", "answer to a beaver"


@dataclass(frozen=True)
class Moment:
    """Something that a player did, or threw."""

    #: The number of the game, from 0, and how many plays it had before.
    game: int
    turn: int
    #: The player, 0 or 1, who acts, and the side he has.
    player: int
    side: int
    kind: str
    #: The board then, with the doubler to move where a double is answered.
    position: Position
    #: As the side to move there stands.
    setting: Setting
    dice: tuple[int, ...] | None = None
    play: Play | None = None
    #: What he did, where that is no play: ``double``, ``no double``, ``take``, ``drop``, ``beaver``.
    action: str = ""
    beavers: bool = False
    #: Whether it is the first throw of a game in which it was thrown for the start: the other could have had it as well.
    is_start: bool = False

    @property
    def text(self) -> str:
        """What he did, in words."""
        return str(self.play) if self.play is not None else "pass" if self.action == "drop" else self.action


def of_record(record: Game | Match, table: MatchEquity | None) -> Iterator[Moment]:
    """All moments of a game or match, in their order."""
    if isinstance(record, Game):
        yield from _of_game(0, record, Scoring.of_game(record, table))
        return
    score = list(record.first_score)
    for number, game in enumerate(record.games):
        yield from _of_game(number, game, Scoring.of_match(record, game, (score[0], score[1]), table))
        for player, points in enumerate(record.scored(game)):
            score[player] += points


@dataclass(frozen=True)
class Scoring:
    """What makes the settings of one game."""

    #: What player 0 and player 1 need at its beginning; None for money.
    away: tuple[float, float] | None = None
    table: MatchEquity | None = None
    #: The player who begins the next game, where that is known; and whether its winner does.
    begins_next: int | None = None
    winner_begins: bool = False
    draw: str = "half"

    @classmethod
    def of_game(cls, game: Game, table: MatchEquity | None) -> Scoring:
        """Of a game for itself: in a match only if its stakes say so."""
        away = None if game.stakes is None else game.stakes.away
        return cls(away if table is not None else None, table)

    @classmethod
    def of_match(cls, match: Match, game: Game, score: tuple[float, float], table: MatchEquity | None) -> Scoring:
        """Of a game in a match that stood so when it began."""
        if match.points is None or table is None:
            return cls()
        next_starter = match.rules.next_starter
        begins = 1 - game.starter if next_starter == "alternate" else None
        away = match.points - score[0], match.points - score[1]
        return cls(away, table, begins, next_starter == "winner", match.draw)

    def setting(self, game: Game) -> Setting:
        """As the side to move stands now."""
        side = game.position.turn
        mover = game.player(side)
        cube, stakes = game.cube, game.stakes
        value = 1 if cube is None else cube.value
        owner = None if cube is None or cube.owner is None else cube.owner ^ side
        limit = 1 if stakes is None else stakes.rules.limit
        if self.away is None or self.table is None:
            return Setting.money(cube=value, owner=owner, limit=limit, jacoby=stakes is not None and stakes.rules.jacoby)
        return Setting.match(
            (self.away[mover], self.away[1 - mover]),
            self.table,
            is_crawford=stakes is not None and stakes.is_crawford,
            cube=value,
            owner=owner,
            limit=limit,
            begins_next=None if self.begins_next is None else self.begins_next == mover,
            winner_begins=self.winner_begins,
            draw=self.draw,
        )


def _of_game(number: int, game: Game, scoring: Scoring) -> Iterator[Moment]:
    again = Game.from_record(game.record() | {"events": [], "result": None})
    plays = iter(game.turns)

    def moment(kind: str, *, by_other: bool = False, **told: object) -> Moment:
        position = again.position
        side = position.turn ^ by_other
        beavers = again.stakes is not None and again.stakes.rules.beavers
        setting = scoring.setting(again)
        turn = len(again.turns)
        return Moment(number, turn, again.player(side), side, kind, position, setting, beavers=beavers, **told)  # type: ignore[arg-type]

    if again.dice is not None and again.start_throws:
        yield moment(THROW, dice=again.dice, is_start=True)
        thrown_for = False
    else:
        thrown_for = bool(again.start_throws)
    for event in game.events:
        kind = event[0]
        if kind == "roll":
            if again.may("double"):
                yield moment(DOUBLE, action="no double")
            yield moment(THROW, dice=tuple(event[1]), is_start=thrown_for)
            thrown_for = False
        elif kind == "double":
            yield moment(DOUBLE, action="double")
        elif kind in ("take", "drop", "beaver"):
            waits = again.state is State.BEAVERED
            yield moment(BEAVERED if waits else ANSWER, action=kind, by_other=not waits)
        elif kind in ("play", "let_stand"):
            play = next(plays)
            if isinstance(play, Play):
                yield moment(PLAY, dice=again.dice, play=play)
        again.replay_event(event)


def table_length(record: Game | Match) -> int:
    """How many points a table must reach for this record; 0 where it needs none, or none is made for so many."""
    if isinstance(record, Match):
        needed = record.points or 0
    else:
        away = None if record.stakes is None else record.stakes.away
        needed = 0 if away is None else int(max(away))
    return needed if needed <= MAX_LENGTH else 0
