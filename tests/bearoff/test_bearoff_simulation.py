"""Bear-offs played out by chance come to what the table says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bearoff_tables import LONG, one_sided

from nardy_fast.bearoff.keys import one_sided_key
from nardy_fast.core._bearoff_one import Solver
from nardy_fast.rules import ROLLS

#: Played in all, on so many positions.
GAMES = 10_000_000
POSITIONS = 20
#: The builder's rolls: the doubles, then the mixed ones.
DOUBLES = 6


def best_plays(first: bool) -> Any:
    """What the best play of each of the builder's 21 rolls leads to, for every spread."""
    table, key = one_sided(), one_sided_key(LONG)
    solver = Solver(6, key.exact, key.stack_limit, np.zeros((table.spreads, 18), np.int32))
    best = np.zeros((table.spreads, 21), np.int32)
    solver.expect(1.0, first, np.zeros(table.spreads), best, 0, table.spreads)
    return best


def play_out(start: int, best: Any, done: Any, games: int, random: np.random.Generator) -> Any:
    """How many of the games took 0, 1, 2 ... turns until `done` of the spread."""
    spreads = np.full(games, start, np.int32)
    counts = [0]
    while len(spreads):
        dice = random.integers(0, 36, len(spreads))
        roll = np.where(dice < DOUBLES, dice, DOUBLES + (dice - DOUBLES) // 2)
        spreads = best[spreads, roll]
        finished = done[spreads]
        counts.append(int(finished.sum()))
        spreads = spreads[~finished]
    return np.array(counts)


@pytest.mark.slow
@pytest.mark.parametrize("aim", ["all", "first"])
def test_simulated_bear_offs_come_to_the_table(aim: str) -> None:
    """The mean within three standard errors on each position, and the chances of all numbers of turns together."""
    assert sum(weight for _, weight in ROLLS) == 36
    table = one_sided()
    checkers = np.searchsorted([table.number([0] * 5 + [n]) for n in range(16)], np.arange(table.spreads))
    best = best_plays(aim == "first")
    random = np.random.default_rng(20240229)
    starts = random.integers(1, table.spreads, POSITIONS)
    for start in starts.tolist():
        done = checkers < checkers[start] if aim == "first" else checkers == 0
        games = GAMES // POSITIONS
        counts = play_out(start, best, done, games, random)
        turns = np.arange(len(counts))
        mean = (counts * turns).sum() / games
        error = np.sqrt((counts * (turns - mean) ** 2).sum() / games / games)
        assert abs(mean - table.mean(start, aim)) <= 3 * error, table.counts(start)
        chances = table.distribution(start, aim)[: len(counts)]
        likely = chances * games >= 10
        square = ((counts - games * chances)[likely] ** 2 / (games * chances)[likely]).sum()
        freedom = int(likely.sum()) - 1
        assert square <= freedom + 5 * np.sqrt(2 * max(freedom, 1)), table.counts(start)
