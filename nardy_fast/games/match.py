"""A match of several games (rulebook, sections 1 and 2): who starts the next, the score, and when it is over."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self

from nardy_fast.arguments import check_flag, check_keys, read_json, short_repr
from nardy_fast.games.cube import CubeRules, Stakes, is_score
from nardy_fast.games.dice import Dice, Throw
from nardy_fast.games.game import Game, given_source, rules_from_record, rules_record
from nardy_fast.games.statistics import PlayerStatistics
from nardy_fast.rules import Ruleset, ruleset

#: What each player scores for a drawn game.
DRAWS = {"half": 0.5, "one": 1}


#: The keys of a record, and those that only some matches have.
_REQUIRED = ("points", "rules", "draw", "players", "games")
_OPTIONAL = ("cube", "score", "is_crawford")


class Match:
    """A match to `points` points, a tas by default, between players 0 and 1, whatever colours they have.

    Call `start_game`, play it, and again until `is_over`. The score is the sum of the finished games; an abandoned game counts
    for nothing and is played anew with the same starter. `draw`: for a drawn game, ``half`` gives each player half a point and
    ``one`` a whole one, whatever the cube shows. Where a draw takes both to the target with equal scores, the match goes on until
    one is ahead. With `points` None the games are for money: the score is kept, and the match never ends by itself.

    `cube`: what is agreed about the cube; None to play without one, as a match to a single point always is. With its Crawford
    rule, the first game after a player comes within a point of the target has no cube; an abandoned Crawford game is played anew.

    `seed` and `dice`: see `Dice`; all games share the one source. `players`: names, for records.

    `score`: what player 0 and player 1 have already, where the match goes on from there. `is_crawford`: whether the game that
    then comes first is the Crawford game; by default it is where just one player is within a point of the target.

    A match, like a game, is for one thread at a time; who shares it locks it.
    """

    game_type: ClassVar[type[Game]] = Game

    def __init__(
        self,
        points: int | None = 3,
        rules: str | Ruleset = "long",
        *,
        draw: str = "half",
        cube: CubeRules | None = None,
        players: tuple[str, str] = ("player 0", "player 1"),
        score: tuple[float, float] = (0, 0),
        is_crawford: bool | None = None,
        seed: int | None = None,
        dice: Iterable[Throw] | Callable[[], Throw] | None = None,
    ) -> None:
        if points is not None and (type(points) is not int or points < 1):
            raise ValueError(f"points = {short_repr(points)}: expected an integer from 1, or None for money")
        if not isinstance(draw, str) or draw not in DRAWS:
            raise ValueError(f"draw = {short_repr(draw)}: expected one of {', '.join(DRAWS)}")
        if not isinstance(players, list | tuple):
            raise TypeError(f"players = {short_repr(players)}: expected two names")
        if len(players) != 2 or not all(isinstance(name, str) for name in players):
            raise ValueError(f"players = {short_repr(players)}: expected two names")
        if cube is not None and not isinstance(cube, CubeRules):
            raise ValueError(f"cube = {short_repr(cube)}: expected CubeRules, or None")
        self.points = points
        self.rules = ruleset(rules)
        if cube is not None:
            cube.check(points, self.rules)
        self.draw = draw
        self.cube = cube
        self.players = (players[0], players[1])
        #: What player 0 and player 1 had when the match began here.
        self.first_score = checked_score(score, points)
        self._crawford_played = self._is_crawford_played(is_crawford)
        self._source = Dice.of(seed, dice)
        self._games: list[Game] = []

    def _is_crawford_played(self, is_crawford: bool | None) -> bool:
        """Whether the Crawford game lies before the first game here."""
        highest, lowest = max(self.first_score), min(self.first_score)
        there = self.cube is not None and self.cube.crawford and self.points is not None and highest >= self.points - 1 > 0
        first = there and self.points is not None and lowest < self.points - 1
        if is_crawford is None:
            return there and not first
        check_flag("is_crawford", is_crawford)
        if is_crawford and not there:
            raise ValueError(f"is_crawford = True: by the score {self.first_score} and the cube's rules this is no Crawford game")
        return there and not is_crawford

    @property
    def games(self) -> tuple[Game, ...]:
        """All games in order; the last may still be played."""
        return tuple(self._games)

    @property
    def game(self) -> Game | None:
        """The game that is being played, or the last one; None before the first."""
        return self._games[-1] if self._games else None

    @property
    def score(self) -> tuple[float, float]:
        """The points of player 0 and of player 1."""
        score = [*self.first_score]
        for game in self._games:
            for player, points in enumerate(self.scored(game)):
                score[player] += points
        return score[0], score[1]

    def scored(self, game: Game) -> tuple[float, float]:
        """What player 0 and player 1 get for a game."""
        result = game.result
        if result is not None and result.kind == "draw":
            return DRAWS[self.draw], DRAWS[self.draw]
        if result is None or result.winner is None:
            return 0, 0
        return (result.points, 0) if game.player(result.winner) == 0 else (0, result.points)

    @property
    def begins_with_crawford(self) -> bool:
        """Whether the first game here is the Crawford game."""
        stakes = self._stakes_at(self.first_score, self._crawford_played)
        return stakes is not None and stakes.is_crawford

    @property
    def winner(self) -> int | None:
        """The player, 0 or 1, who has won the match: he is at the target and ahead. None while it goes on."""
        first, second = self.score
        if self.points is None or max(first, second) < self.points or first == second:
            return None
        return 0 if first > second else 1

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    @property
    def next_stakes(self) -> Stakes | None:
        """What holds for the cube in the next game; None if it has none."""
        played = any(game.stakes is not None and game.stakes.is_crawford for game in self._games if _counts(game))
        return self._stakes_at(self.score, self._crawford_played or played)

    def _stakes_at(self, score: tuple[float, float], played: bool) -> Stakes | None:
        """What holds for the cube at this score, where the Crawford game has been played or not."""
        if self.cube is None or self.points is None:
            return None if self.cube is None else Stakes(self.cube)
        if self.points == 1:
            return None
        first, second = score
        is_crawford = self.cube.crawford and not played and max(first, second) >= self.points - 1
        return Stakes(self.cube, is_crawford, (self.points - first, self.points - second))

    @property
    def next_starter(self) -> int | None:
        """The player, 0 or 1, who starts the next game; None if that is thrown for.

        The first game is thrown for. After it, ``rules.next_starter``: ``alternate``, the other player than before; ``winner``,
        the winner of the last game (after a draw it is thrown for); ``roll``, always thrown for.
        """
        finished = [game for game in self._games if game.result is not None]
        if not finished or self.rules.next_starter == "roll":
            return None
        last = finished[-1]
        assert last.result is not None
        if last.result.kind == "abandoned":
            return last.starter
        if self.rules.next_starter == "alternate":
            return 1 - last.starter
        return None if last.result.winner is None else last.player(last.result.winner)

    def statistics(self) -> tuple[PlayerStatistics, PlayerStatistics]:
        """The `Game.statistics` of all games together, of player 0 and of player 1."""
        games = [game.statistics() for game in self._games]
        return PlayerStatistics.total(game[0] for game in games), PlayerStatistics.total(game[1] for game in games)

    def start_game(self) -> Game:
        """The next game, at its beginning; the turns of the one before stand from now on. `ValueError` if none can begin."""
        self._require_next()
        game = self.game_type(self.rules, dice=self._source, starter=self.next_starter, cube=self.next_stakes)
        self._add(game)
        return game

    def add_game(self, game: Game) -> None:
        """Takes a game played elsewhere as the next; `ValueError` if it is not the one that could be next.

        The first may have begun from a position: the match then goes on from there.
        """
        self._require_next()
        if game.rules != self.rules or not (game.is_from_start or not self._games):
            raise ValueError("game: of other rules than the match, or not from the start")
        expected = self.next_starter
        if not game.is_from_start:
            pass
        elif bool(game.start_throws) != (expected is None) or expected not in (None, game.starter):
            wanted = "a throw for the start" if expected is None else f"player {expected} as its starter, without a throw"
            raise ValueError(f"game: expected {wanted}")
        if game.stakes != self.next_stakes:
            raise ValueError(f"game: by the score its cube is {self.next_stakes}, not {game.stakes}")
        game.use_dice(self._source)
        self._add(game)

    def _add(self, game: Game) -> None:
        if self._games:
            self._games[-1].close()
        self._games.append(game)

    def _require_next(self) -> None:
        if self.is_over:
            raise ValueError("start_game: the match is over")
        if self.game is not None and not self.game.is_over:
            raise ValueError("start_game: a game is being played")

    def record(self) -> dict[str, Any]:
        """What was agreed and all that happened, as plain values ready for JSON."""
        return self._agreed() | {"games": [game.record() for game in self.games]}

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """The match that `record` tells of, played again and so checked; `ValueError` names the game, the turn and the reason."""
        check_keys(record, "match", _REQUIRED, _OPTIONAL)
        return cls._read(record, cls.game_type.from_record)

    def to_json(self, *, public: bool = False) -> str:
        """The match as JSON, with what it takes to resume exactly; `public` as in `Game.to_json`."""
        snapshot = self._agreed() | {"games": [game.snapshot(public=public) for game in self.games]}
        return json.dumps(snapshot if public else snapshot | {"source": self._source.state()})

    @classmethod
    def from_json(cls, text: str, *, seed: int | None = None, dice: Iterable[Throw] | Callable[[], Throw] | None = None) -> Self:
        """The match that `to_json` wrote, as it stood; see `Game.from_json` for `seed` and `dice`."""
        snapshot = read_json(text, "match")
        check_keys(snapshot, "match", _REQUIRED, [*_OPTIONAL, "source"])
        match = cls._read(snapshot, cls.game_type.from_snapshot)
        source = given_source(snapshot, seed, dice)
        match._use(Dice.from_state(snapshot["source"]) if source is None else source)
        return match

    def _agreed(self) -> dict[str, Any]:
        agreed: dict[str, Any] = {
            "points": self.points,
            "rules": rules_record(self.rules),
            "draw": self.draw,
            "players": self.players,
        }
        if self.cube is not None:
            agreed |= {"cube": dataclasses.asdict(self.cube)}
        if self.first_score != (0, 0):
            agreed |= {"score": self.first_score, "is_crawford": self.begins_with_crawford}
        return agreed

    @classmethod
    def _read(cls, record: Any, read_game: Callable[[Any], Game]) -> Self:
        games = record["games"]
        if not isinstance(games, list | tuple):
            raise ValueError(f"games = {short_repr(games)}: expected a list")
        try:
            match = cls(
                record["points"],
                rules_from_record(record["rules"]),
                draw=record["draw"],
                cube=CubeRules.from_record(record["cube"]) if "cube" in record else None,
                players=record["players"],
                score=record.get("score", (0, 0)),
                is_crawford=record.get("is_crawford"),
                dice=(),
            )
        except TypeError as error:
            raise ValueError(f"match: {error}") from error
        for number, game in enumerate(games, 1):
            try:
                match.add_game(read_game(game))
            except ValueError as error:
                raise ValueError(f"game {number}: {error}") from error
        return match

    def _use(self, source: Dice) -> None:
        self._source = source
        for game in self._games:
            game.use_dice(source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        mine, others = (
            (m.points, m.rules, m.draw, m.cube, m.players, m.first_score, m.begins_with_crawford, m.games) for m in (self, other)
        )
        return mine == others

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def __repr__(self) -> str:
        aim = "for money" if self.points is None else f"to {self.points}"
        return f"<{type(self).__name__} {aim} of {self.rules.name}: {self.score[0]}-{self.score[1]}>"


def _counts(game: Game) -> bool:
    """Whether the game stands: an abandoned one does not."""
    return game.result is None or game.result.kind != "abandoned"


def checked_score(score: Any, points: int | None) -> tuple[float, float]:
    """The score as two numbers of points, of which a draw makes halves; with `points`, nobody is at the target."""
    if not isinstance(score, list | tuple) or len(score) != 2:
        raise TypeError(f"score = {short_repr(score)}: expected what player 0 and player 1 have")
    for each in score:
        if not is_score(each) or (points is not None and each >= points):
            below = "" if points is None else f" below {points}"
            raise ValueError(f"score = {short_repr(score)}: expected two numbers of points{below}")
    return score[0], score[1]
