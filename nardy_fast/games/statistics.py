"""Figures of a game: what each player has thrown, and how often he had no choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from nardy_fast.games.illegal import IllegalPlay
from nardy_fast.positions import first_stage
from nardy_fast.rules import Ruleset


class PlayerStatistics(NamedTuple):
    """The figures of one player, of a game or of several."""

    #: The throws for turns; those for the start count where they are played.
    throws: int
    doubles: int
    #: The pips that his throws were worth: the sum of the dice, of a double four times its die.
    pips: int
    #: His plays, each stage of a throw for itself, that were the only one; passes are not among them.
    forced: int
    #: His plays without a step, since none could be made.
    passes: int

    @property
    def average_pips(self) -> float:
        """The pips of a throw; 0 where there was none."""
        return self.pips / self.throws if self.throws else 0.0

    @classmethod
    def total(cls, parts: Iterable[PlayerStatistics]) -> PlayerStatistics:
        """The figures of several games together."""
        return cls(*(sum(figures) for figures in zip((0, 0, 0, 0, 0), *parts, strict=True)))


def statistics_of(
    events: Iterable[tuple[Any, ...]], plays: Sequence[Any], position: Any, white: int, start_is_played: bool
) -> tuple[PlayerStatistics, PlayerStatistics]:
    """The figures of player 0 and of player 1.

    `position` is where the game stands, `white` the player who has White; `start_is_played` says that the first play was of the
    throw for the start.
    """
    figures = [[0] * len(PlayerStatistics._fields) for _ in range(2)]

    def count(side: int, roll: tuple[int, int], rules: Ruleset) -> None:
        of_player = figures[white ^ side]
        of_player[0] += 1
        of_player[1] += roll[0] == roll[1]
        of_player[2] += throw_pips(roll, side, rules)

    movers = [play.position.turn for play in plays] + [position.turn]
    if start_is_played and plays:
        count(movers[0], plays[0].dice, position.rules)
    played = 0
    for event in events:
        if event[0] == "roll":
            count(movers[played], event[1], position.rules)
        elif event[0] in ("play", "let_stand"):
            played += 1
    for play in plays:
        if isinstance(play, IllegalPlay):
            continue
        of_player = figures[white ^ play.position.turn]
        of_player[3] += bool(play.steps) and play.position.is_forced(play.dice)
        of_player[4] += not play.steps
    return PlayerStatistics(*figures[0]), PlayerStatistics(*figures[1])


def throw_pips(roll: tuple[int, int], player: int, rules: Ruleset) -> int:
    """The pips that a throw is worth to its player, all its stages together (rulebook, section 3)."""
    high, low = roll
    further = range(high + 1, 7) if rules.throw == "cascade" and high == low else range(0)
    return sum(first_stage(roll, player, rules)) + sum(die * rules.cascade_steps for die in further)
