"""What a review tells, as data: decisions, throws, games, and the totals of each player."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from nardy_fast.analysis.cube_decisions import CubeDecision
from nardy_fast.analysis.phases import PHASES
from nardy_fast.core._position import Play, Position
from nardy_fast.games.game import rules_record
from nardy_fast.players.chances import Chances
from nardy_fast.results import Result
from nardy_fast.rules import Ruleset

#: The least loss, in points, of what is called so; the words are GNU Backgammon's.
MARKS = ((0.16, "very bad"), (0.08, "bad"), (0.04, "doubtful"))


class Option(NamedTuple):
    """Something that could have been done."""

    text: str
    #: The points that the player can expect with it, at the cube's present value.
    equity: float
    #: By how much the best is better.
    loss: float
    #: Without a cube, of who plays; where the cube is decided on, of the doubler before his throw.
    chances: Chances
    play: Play | None = None


@dataclass(frozen=True)
class Decision:
    """A play, or what was done with the cube, and what else could have been."""

    #: The number of the game, from 0, and of plays before.
    game: int
    turn: int
    #: The player, 0 or 1, whose decision it is, and his side, 0 White or 1 Black.
    player: int
    side: int
    #: ``play``, ``double``, ``answer`` or ``answer to a beaver``.
    kind: str
    position: Position
    dice: tuple[int, ...] | None
    #: What he did.
    text: str
    #: All that could be done, best first, and which of it was.
    options: tuple[Option, ...]
    chosen: int
    #: Whether there was no choice.
    forced: bool
    #: Whether it counts as a decision: forced ones and doubles that nobody would think of do not.
    counted: bool
    #: One of `phases.PHASES`.
    phase: str
    #: Of a double, all about it.
    cube: CubeDecision | None = None

    @property
    def loss(self) -> float:
        """What it cost, in points at the cube's value then."""
        return self.options[self.chosen].loss

    @property
    def equity(self) -> float:
        return self.options[self.chosen].equity

    @property
    def best(self) -> Option:
        return self.options[0]

    @property
    def mark(self) -> str:
        """``very bad``, ``bad`` or ``doubtful``; nothing for the rest."""
        return next((word for least, word in MARKS if self.loss >= least), "")

    def record(self, most: int = 5) -> dict[str, Any]:
        """Plain values ready for JSON, with no more than `most` of the options beside the chosen one."""
        told = [option for at, option in enumerate(self.options) if at < most or at == self.chosen]
        return {
            "turn": self.turn,
            "player": self.player,
            "kind": self.kind,
            "position": str(self.position),
            "dice": self.dice,
            "chosen": self.text,
            "best": self.best.text,
            "equity": _rounded(self.equity),
            "loss": _rounded(self.loss),
            "mark": self.mark,
            "forced": self.forced,
            "counted": self.counted,
            "phase": self.phase,
            "options": [
                {
                    "text": option.text,
                    "equity": _rounded(option.equity),
                    "loss": _rounded(option.loss),
                    "chances": dict(zip(option.chances.points, map(_rounded, option.chances.probabilities), strict=True)),
                }
                for option in told
            ],
        }


class Throw(NamedTuple):
    """A throw, and how lucky it was."""

    game: int
    turn: int
    player: int
    side: int
    dice: tuple[int, int]
    #: In points at the cube's value then, of who threw.
    luck: float
    #: What he could expect before it and after it: the chance to win the match, or points for money.
    before: float
    after: float
    is_match: bool

    def of_first(self, value: float) -> float:
        """The value as player 0 sees it."""
        if self.player == 0:
            return value
        return 1 - value if self.is_match else -value

    def record(self) -> dict[str, Any]:
        """Plain values ready for JSON."""
        values = {"before": _rounded(self.before), "after": _rounded(self.after)}
        return {"turn": self.turn, "player": self.player, "dice": self.dice, "luck": _rounded(self.luck), **values}


class Tally(NamedTuple):
    """Some decisions counted together."""

    decisions: int
    #: What they lost together, in points.
    loss: float

    @classmethod
    def of(cls, decisions: Iterable[Decision]) -> Tally:
        counted = [decision.loss for decision in decisions if decision.counted]
        return cls(len(counted), sum(counted))

    @property
    def millipoints(self) -> float:
        """What a decision lost on average, in thousandths of a point; 0 where there was none."""
        return 1000 * self.loss / self.decisions if self.decisions else 0.0

    def record(self) -> dict[str, Any]:
        """Plain values ready for JSON."""
        return {"decisions": self.decisions, "loss": _rounded(self.loss), "millipoints": round(self.millipoints, 2)}


@dataclass(frozen=True)
class PlayerReview:
    """The totals of one player."""

    total: Tally
    plays: Tally
    cube: Tally
    #: The plays by phase.
    phases: dict[str, Tally]
    #: How many decisions there were of each mark.
    marks: dict[str, int]
    #: The luck of his throws together, in points and as the value that it was worth.
    luck: float
    luck_value: float

    @classmethod
    def of(cls, decisions: Iterable[Decision], throws: Iterable[Throw]) -> PlayerReview:
        own, thrown = list(decisions), list(throws)
        plays = [decision for decision in own if decision.kind == "play"]
        return cls(
            Tally.of(own),
            Tally.of(plays),
            Tally.of(decision for decision in own if decision.kind != "play"),
            {phase: Tally.of(decision for decision in plays if decision.phase == phase) for phase in PHASES},
            {word: sum(decision.mark == word for decision in own if decision.counted) for _, word in MARKS},
            sum(throw.luck for throw in thrown),
            sum(throw.after - throw.before for throw in thrown),
        )

    def record(self) -> dict[str, Any]:
        """Plain values ready for JSON."""
        tallies = {"total": self.total, "plays": self.plays, "cube": self.cube}
        return {
            **{name: tally.record() for name, tally in tallies.items()},
            "phases": {name: tally.record() for name, tally in self.phases.items()},
            "marks": self.marks,
            "luck": _rounded(self.luck),
            "luck_value": _rounded(self.luck_value),
        }


@dataclass(frozen=True)
class GameReview:
    """The review of one game."""

    number: int
    #: What player 0 and player 1 had before it, and what they got for it.
    score: tuple[float, float]
    scored: tuple[float, float]
    starter: int
    result: Result | None
    decisions: tuple[Decision, ...]
    throws: tuple[Throw, ...]

    def player(self, player: int) -> PlayerReview:
        """The totals of player 0 or 1 in this game."""
        return PlayerReview.of(_of(player, self.decisions), _of(player, self.throws))

    def record(self) -> dict[str, Any]:
        """Plain values ready for JSON."""
        return {
            "number": self.number + 1,
            "score": self.score,
            "scored": self.scored,
            "starter": self.starter,
            "result": self.result,
            "players": [self.player(player).record() for player in (0, 1)],
            "decisions": [decision.record() for decision in self.decisions],
            "throws": [throw.record() for throw in self.throws],
        }


@dataclass(frozen=True)
class Reviewed:
    """All that the review of a game or a match has found."""

    rules: Ruleset
    players: tuple[str, str]
    #: The points of the match; None for money and for a single game.
    points: int | None
    #: Whether it is of games for money; else, without `points`, of a single game.
    is_money: bool
    #: What both have come to.
    score: tuple[float, float]
    #: Whether values are chances to win the match, not points.
    is_match: bool
    #: How far ahead was looked.
    plies: int
    games: tuple[GameReview, ...]
    #: What player 0 has come to: his chance to win the match now, 1 or 0 where it is over; or the points he has won more.
    result: float

    @property
    def decisions(self) -> Iterator[Decision]:
        """Those of all games."""
        return (decision for game in self.games for decision in game.decisions)

    @property
    def throws(self) -> Iterator[Throw]:
        """Those of all games."""
        return (throw for game in self.games for throw in game.throws)

    def player(self, player: int) -> PlayerReview:
        """The totals of player 0 or 1."""
        return PlayerReview.of(_of(player, self.decisions), _of(player, self.throws))

    @property
    def luck_adjusted(self) -> float:
        """The `result` without the luck of the throws: what the play alone has earned, free of most of its chance."""
        return self.result - (self.player(0).luck_value - self.player(1).luck_value)

    def worst(self, most: int = 10) -> list[Decision]:
        """The decisions that lost most, worst first."""
        found = sorted((each for each in self.decisions if each.counted and each.mark), key=lambda each: -each.loss)
        return found[:most]

    def record(self) -> dict[str, Any]:
        """Everything as plain values ready for JSON."""
        return {
            "rules": rules_record(self.rules),
            "players": self.players,
            "points": self.points,
            "values": "chance to win the match" if self.is_match else "points",
            "plies": self.plies,
            "result": _rounded(self.result),
            "luck_adjusted": _rounded(self.luck_adjusted),
            "totals": [self.player(player).record() for player in (0, 1)],
            "worst": [{"game": each.game + 1, "turn": each.turn, "loss": _rounded(each.loss)} for each in self.worst()],
            "games": [game.record() for game in self.games],
        }

    def to_json(self) -> str:
        """Everything as JSON."""
        return json.dumps(self.record())


def _of(player: int, each: Iterable[Any]) -> list[Any]:
    return [one for one in each if one.player == player]


def _rounded(value: float) -> float:
    return round(value, 5)
