"""HyperGammon with two checkers beside GNU Backgammon's database of it, which is iterated until it hardly changes."""

from __future__ import annotations

import subprocess
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
import pytest
import referees
from solved_games import HYPER, solution

import nardy_fast as nf
from nardy_fast.rules import OFF, SLOTS

pytestmark = [pytest.mark.referee, pytest.mark.slow]

HEADER = 40
#: Numbers of 24 bits: win, gammon, backgammon, lost gammon, lost backgammon; then equities with a cube.
CHANCES = 5
RECORD = 28
SIDES = 351
#: By how much the last iteration may change a position in their file; each halves what is still missing.
THRESHOLD = 0.001


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Their chances, float64[mover, opponent, 5]."""
    program = referees.program("makehyper")
    path = tmp_path_factory.mktemp("hyper") / "hyper2.bd"
    command = [program, "-c", "2", "-n", "-t", str(THRESHOLD), "-f", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    records = np.frombuffer(path.read_bytes()[HEADER:], np.uint8).reshape(SIDES, SIDES, RECORD)
    parts = records[..., : 3 * CHANCES].reshape(SIDES, SIDES, CHANCES, 3).astype(np.int64)
    return parts @ (1, 1 << 8, 1 << 16) / (2**24 - 1)


def their_number(pips: tuple[int, ...]) -> int:
    """Their number of the side whose checkers have so many pips to go."""
    reach = [sum(each >= point for each in pips) for point in range(OFF + 1)]
    return sum(comb(reach[point] + OFF - point, OFF - point + 1) for point in range(1, OFF + 1))


def test_equities_agree_everywhere(theirs: Any) -> None:
    sides = list(combinations_with_replacement(range(OFF + 1), 2))
    rows = np.zeros((SIDES, SLOTS), np.int8)
    for row, pips in zip(rows, sides, strict=True):
        np.add.at(row, OFF - np.array(pips), 1)
    boards = np.stack(np.broadcast_arrays(rows[:, np.newaxis], rows[np.newaxis]), axis=2).reshape(-1, 2, SLOTS)
    good = np.ones(len(boards), bool)
    good[[row for row, _ in nf.batch.validate(boards, HYPER)]] = False
    good &= ~nf.batch.is_over(boards, HYPER, check=False)
    assert good.sum() == 106_552
    numbers = [their_number(pips) for pips in sides]
    win, gammon, backgammon, lost_gammon, lost_backgammon = np.moveaxis(theirs[numbers][:, numbers].reshape(-1, CHANCES), 1, 0)
    equities = 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon
    ours = solution(HYPER)
    assert np.abs(equities[good] - ours.equities(boards[good])).max() < THRESHOLD
    # Which of two plays of the same equity is taken changes the chances of a few positions a little.
    assert np.abs(win[good] - ours.evaluate_batch(boards[good])[:, 3:].sum(axis=1)).mean() < THRESHOLD
