"""The bear-off tables beside those of GNU Backgammon, which are worked out with numbers of 16 bits."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import referees
from bearoff_tables import SHORT, board_of, one_sided, two_sided

from nardy_fast import Position
from nardy_fast.rules import ROLLS

pytestmark = [pytest.mark.referee, pytest.mark.slow]

SPREADS = 54264
CHECKERS = 15
#: What a chance of 1 is in their files, and how many turns these have room for.
ONE = 65535
TURNS = 32
HEADER = 40
#: Plays whose means differ by less are not told apart by numbers of 16 bits.
NEAR_TIE = 0.0005


def makebearoff(folder: Path, *options: str) -> Any:
    """The file that GNU Backgammon's builder makes, header off, and the processor time that it takes."""
    program = referees.program("makebearoff")
    path = folder / "file.bd"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, *options, "-f", str(path)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return path.read_bytes()[HEADER:], after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.fixture(scope="module")
def their_one_sided(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, float]:
    """Their distributions until all and until the first are off, as whole numbers, and the seconds."""
    data, seconds = makebearoff(tmp_path_factory.mktemp("one"), "-o", "6")
    index = np.frombuffer(data, [("at", "<u4"), ("n", "u1"), ("from", "u1"), ("n_first", "u1"), ("from_first", "u1")], SPREADS)
    numbers = np.frombuffer(data, "<u2", offset=index.nbytes)
    rows = np.zeros((2, SPREADS, TURNS), np.int64)
    for spread, (at, n, begin, n_first, begin_first) in enumerate(index.tolist()):
        rows[0, spread, begin : begin + n] = numbers[at : at + n]
        rows[1, spread, begin_first : begin_first + n_first] = numbers[at + n : at + n + n_first]
    return rows[0], rows[1], seconds


@pytest.fixture(scope="module")
def their_two_sided(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, float]:
    """Their equities without a cube, with one's own, with the one in the middle, with the other's; and the seconds."""
    data, seconds = makebearoff(tmp_path_factory.mktemp("two"), "-t", "6x6")
    numbers = np.frombuffer(data, "<u2").reshape(924, 924, 4)
    return numbers / (ONE / 2) - 1, seconds


def ours(aim: str = "all") -> Any:
    """Our distributions, as many columns as theirs have."""
    rows = one_sided().distributions(np.arange(SPREADS), aim)
    return np.pad(rows, ((0, 0), (0, TURNS - rows.shape[1])))


def plays_of(counts: tuple[int, ...], dice: tuple[int, int]) -> list[int]:
    """The numbers of the spreads that the plays of the game lead to."""
    position = Position(board_of(SHORT, counts), rules=SHORT)
    return one_sided().numbers(np.array([play.afterstate.board for play in position.plays(dice)]), 1).tolist()


def test_means_agree_everywhere(their_one_sided: tuple[Any, Any, float]) -> None:
    theirs, _, _ = their_one_sided
    means = theirs @ np.arange(TURNS) / ONE
    assert np.abs(means - one_sided().means(np.arange(SPREADS))).max() < 0.0005


def test_distributions_agree_but_for_near_ties(their_one_sided: tuple[Any, Any, float]) -> None:
    """Where they do not, GNU Backgammon has taken a play that its own numbers cannot tell from the best, there or farther on."""
    theirs, _, _ = their_one_sided
    differences = np.abs(theirs - ONE * ours()).max(axis=1)
    different = np.flatnonzero(differences > 5)
    assert len(different) < 0.01 * SPREADS
    table = one_sided()
    their_means = theirs @ np.arange(TURNS)
    for spread in different.tolist():
        explained = False
        for dice, _ in ROLLS:
            plays = plays_of(table.counts(spread), dice)
            best = min(plays, key=lambda play: (round(table.mean(play), 11), play))
            taken = min(plays, key=lambda play: their_means[play])
            if taken != best:
                assert table.mean(taken) - table.mean(best) < NEAR_TIE
                explained = True
            explained |= bool(differences[best] > 1)
        assert explained, table.counts(spread)


def test_chances_of_the_first_checker_agree(their_one_sided: tuple[Any, Any, float]) -> None:
    """They keep them for fifteen checkers only, the ones that can still lose a gammon."""
    _, theirs, _ = their_one_sided
    fifteen = np.arange(one_sided().number([CHECKERS]), SPREADS)
    assert np.abs(theirs - ONE * ours("first"))[fifteen].max() <= 5


def test_the_python_package_of_gnu_backgammon_says_the_same() -> None:
    gnubg = referees.module("gnubg_nn")
    table, rows = one_sided(), ours()
    differences, mean_differences = [], []
    for spread in range(1, SPREADS):
        chances = np.zeros(TURNS)
        found = gnubg.bearoff_probabilities(table.counts(spread))
        chances[1 : len(found) + 1] = found
        differences.append(np.abs(chances - rows[spread]).max())
        mean_differences.append(abs(chances @ np.arange(TURNS) - table.mean(spread)))
    assert max(mean_differences) < 0.0005
    assert np.mean(np.array(differences) <= 5 / ONE) > 0.99


def test_equities_of_two_sides_agree_to_their_rounding(their_two_sided: tuple[Any, float]) -> None:
    """They round at every step, so that the differences add up to a few of their units."""
    theirs, _ = their_two_sided
    table = two_sided(SHORT)
    sides = np.arange(1, 924, dtype=np.int32)
    movers, opponents = np.repeat(sides, 923), np.tile(sides, 923)
    equities = np.empty((len(movers), 7))
    table.native.cubes(movers, opponents, equities)
    cubeless, theirs_has_cube, centred, owned = equities[:, 0], equities[:, 3], equities[:, 4], equities[:, 5]
    for plane, mine in enumerate((cubeless, owned, centred, theirs_has_cube)):
        difference = np.abs(mine - theirs[1:, 1:, plane].reshape(-1))
        assert difference.max() < 5 * 2 / ONE
    win = (1 + cubeless) / 2
    assert np.abs(win - (1 + theirs[1:, 1:, 0].reshape(-1)) / 2).max() < 5 / ONE


# Speed, as a ratio of processor times within one run


def build_seconds(kind: str) -> float:
    """The processor time of a process that builds one of our tables, the start of Python included; the least of three."""
    script = f"from nardy_fast.bearoff import OneSided, TwoSided; {kind}.build('short')"
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", script], check=True, env=os.environ)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(seconds)


def test_the_one_sided_table_is_built_faster(their_one_sided: tuple[Any, Any, float]) -> None:
    *_, theirs = their_one_sided
    mine = build_seconds("OneSided")
    print(f"one-sided: makebearoff {theirs:.2f} s, here {mine:.2f} s, ratio {theirs / mine:.1f}")
    assert mine < theirs


def test_the_two_sided_table_is_built_four_times_as_fast(their_two_sided: tuple[Any, float]) -> None:
    _, theirs = their_two_sided
    mine = build_seconds("TwoSided")
    print(f"two-sided: makebearoff {theirs:.2f} s, here {mine:.2f} s, ratio {theirs / mine:.1f}")
    assert 4 * mine < theirs


def test_look_ups_keep_up_with_numpy() -> None:
    """Whole distributions of spreads at random, from boards, beside NumPy copying rows of a table that is at hand in full."""
    table = one_sided()
    n = 500_000
    random = np.random.default_rng(1)
    known = np.array([board_of(SHORT, table.counts(spread)) for spread in range(SPREADS)])
    boards = known[random.integers(0, SPREADS, n)]
    numbers, out = np.empty(n, np.int32), np.empty((n, table.turns + 1))
    full = table.distributions(np.arange(SPREADS))
    mine, theirs = [], []
    for _ in range(5):
        begun = time.process_time()
        table.distributions(table.numbers(boards, out=numbers), out=out)
        between = time.process_time()
        np.take(full, numbers, axis=0, out=out)
        mine.append(between - begun)
        theirs.append(time.process_time() - between)
    print(f"{n / min(mine) / 1e6:.1f} million distributions a second, NumPy {n / min(theirs) / 1e6:.1f}")
    assert min(mine) < 10 * min(theirs)
