"""Memory stays where it is, but for the results, however many games are played and however many boards pass through."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the memory's peak as Linux tells it")

#: Bytes by which memory may grow all the same: pages of the interpreter and of the allocator.
SLACK = 4 * 2**20

BEGIN = """
import gc
import numpy as np
import nardy_fast as nf
from nardy_fast import batch

def peak():
    # Not from getrusage, which begins with the peak of the process that started this one.
    gc.collect()
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))

def boards_of(n, rules="long"):
    boards, rng = np.repeat(nf.Position.start(rules).board[None], n, axis=0), np.random.default_rng(1)
    for _ in range(40):
        batch.random_step(boards, rng, rules, out=boards, restart=True)
    return boards
"""


def growth(before: str, then: str) -> int:
    """By how many bytes the peak of the memory of a fresh interpreter grew while it did `then`, having done `before`."""
    script = f"{BEGIN}\n{before}\nbegun = peak()\n{then}\nprint(peak() - begun)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_what_is_kept_is_noticed() -> None:
    assert growth("kept = []", "kept.append(b'x' * 20_000_000)") > 18_000_000


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["long", "short"])
@pytest.mark.parametrize("threads", [1, 2])
def test_random_games_take_no_memory_but_their_results(rules: str, threads: int) -> None:
    games = 200_000
    run = f"nf.simulate(%d, {rules!r}, seed=1, threads={threads})"
    results = games * (1 + 2 + 4)
    assert growth(run % 20_000, f"games = {run % games}") < results + SLACK


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_afterstates_in_parts_take_the_memory_of_a_part(threads: int) -> None:
    before = f"""
boards = boards_of(400_000)
dice = np.random.default_rng(2).integers(1, 7, (len(boards), 2), np.int8)

def total(boards, dice):
    return sum(len(part.boards) for _, part in batch.iter_afterstates(boards, dice, rows=10_000, threads={threads}))

total(boards[:40_000], dice[:40_000])
"""
    then = "assert total(boards, dice) * 52 > 150_000_000"
    # A part of the boards is some five megabytes; the check of all rows at once, and a part that chanced to be larger, take some.
    assert growth(before, then) < 20_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "batch.count_plays(boards, (6, 5))",
        "batch.afterstates(boards, (3, 3), plays=True)",
        "batch.random_step(boards, rng, restart=True)",
        "batch.validate(boards)",
        "refused(lambda: batch.count_plays(boards, (6, 5), out=boards))",
        "refused(lambda: batch.flip(boards[:, ::-1]))",
        "refused(lambda: batch.flip(boards.astype(np.int16)))",
        "refused(lambda: batch.afterstates(boards, (6, 5), out=boards[:0].copy()))",
        "refused(lambda: batch.count_plays(wrong, (6, 5)))",
        "nf.perft(position, 1)",
        "nf.perft(position, 2, threads=2)",
    ],
)
def test_calls_keep_nothing(call: str) -> None:
    before = f"""
boards, rng, position = boards_of(3), np.random.default_rng(1), nf.Position.start()
wrong = boards.copy()
wrong[2, 0, 5] += 1

def refused(call):
    try:
        call()
    except (TypeError, ValueError):
        return
    raise AssertionError

def run(times):
    for _ in range(times):
        {call}
"""
    times = 1000 if "threads" in call else 100_000
    # 100,000 calls that each kept the smallest object, 16 bytes, or the 128 of an array would show.
    assert growth(f"{before}\nrun({times // 10})", f"run({times})") < 1_000_000
