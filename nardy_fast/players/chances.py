"""What whoever judges positions says of them: the chance of each result, and the plays in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nardy_fast.core._position import Play
from nardy_fast.rules import Ruleset, ruleset


class Chances(NamedTuple):
    """What the side to move can expect, before it throws."""

    #: The results that the rules can end with, as points that the side to move scores: -2, -1, 1, 2 in long nardy.
    points: tuple[int, ...]
    #: The chance of each; they add up to 1.
    probabilities: tuple[float, ...]
    #: The points that the side to move can expect.
    equity: float
    #: Where they are from: ``network``, ``solved``, the name of a bear-off table; ``over`` for a finished position.
    source: str

    @classmethod
    def of(cls, points: Iterable[int], probabilities: Iterable[float], source: str) -> Self:
        """The chances with the equity that they come to."""
        results, chances = tuple(points), tuple(map(float, probabilities))
        return cls(results, chances, sum(map(float.__mul__, map(float, results), chances)), source)

    @property
    def win(self) -> float:
        """The chance to win, however much."""
        return self.at_least(1)

    def at_least(self, points: int) -> float:
        """The chance to score so many points or more: 2 for a mars or a gammon; -1 for all but those lost."""
        return sum(chance for result, chance in zip(self.points, self.probabilities, strict=True) if result >= points)


class Candidate(NamedTuple):
    """A play and what is thought of it."""

    play: Play
    #: What the player who makes it can expect after it.
    chances: Chances
    #: The points of it, those of `chances`.
    equity: float
    #: By how much the best play is better; 0 for that one.
    loss: float


class BestPlays(NamedTuple):
    """The best play of each row of a batch; where the game is over, the board as it was and an index of -1."""

    #: int8[n, 2, 26], the board after it, the player who moved still in row 0.
    boards: NDArray[np.int8]
    #: int32[n], its number among the row's own in `batch.afterstates`.
    index: NDArray[np.int32]  # type: ignore[assignment]  # a tuple has a method of that name, which nobody needs here
    #: What the player who moved can expect after it, an array of n floats.
    equity: NDArray[Any]


def outputs(rules: str | Ruleset) -> tuple[int, ...]:
    """The results that games by these rules can end with, as points that the side to move scores, least first.

    Long nardy: -2, -1, 1, 2; backgammon: -3 to 3 without 0; with a last roll, or where positions
    can be dead, 0, the draw, is one of them.
    """
    found = ruleset(rules)
    if found.remaining:
        won = set(range(1, found.checkers + 1))
    elif found.road == "contrary":
        won = {1, 2, found.backgammon_points}
    else:
        won = {1, 2} | ({found.home_mars} if found.home_mars else set()) | ({found.koks_points} if found.koks else set())
    drawn = [0] if found.last_roll != "none" or found.dead_draw else []
    return tuple(sorted([*(-points for points in won), *drawn, *won]))
