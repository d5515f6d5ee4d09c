"""How fast nardy_fast is, in multiples of another program on the same core in the same minute.

    python bench/yardstick.py PROGRAM.c [ROUNDS]

The program plays GAMES random games of long nardy and counts perft to a DEPTH: it is called as ``PROGRAM GAMES DEPTH``, writes
``turns/game T`` in one line and ``perft D = LEAVES`` for each depth. It is compiled with ``cc -O3``. Rounds alternate, times are
processor time, and each row is the median, least and greatest ratio of the rounds: what else a shared machine does falls out.
"""

from __future__ import annotations

import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import nardy_fast as nf
from nardy_fast import batch

GAMES = 8000
ROWS = 100_000
#: Rows of a call that lists boards into an array that is used again.
CALL = 500
#: Rows of a training loop.
GREEDY = 4096
DEPTH = 5
PERFT = 325_266_741


class Plain:
    """The other program."""

    def __init__(self, source: str, folder: str) -> None:
        self.path = str(Path(folder) / "plain")
        subprocess.run(["cc", "-O3", "-o", self.path, source, "-lm"], check=True)

    def run(self, games: int, depth: int) -> tuple[float, str]:
        """Seconds of processor time, and what it wrote."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        written = subprocess.run([self.path, str(games), str(depth)], check=True, capture_output=True, text=True).stdout
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, written

    def turns_a_second(self) -> float:
        seconds, written = self.run(GAMES, 0)
        return GAMES * float(re.search(r"turns/game ([\d.]+)", written)[1]) / seconds

    def leaves_a_second(self) -> float:
        seconds, written = self.run(1, DEPTH)
        return sum(map(int, re.findall(r"perft \d+ = (\d+)", written))) / seconds


def rate(amount: int, work: Callable[[], object]) -> float:
    """So much of it a second of processor time."""
    begun = time.process_time()
    work()
    return amount / (time.process_time() - begun)


def positions(rules: str) -> tuple[np.ndarray, np.ndarray]:
    """Positions of random games in all phases, with fair rolls, in random order."""
    rng = np.random.default_rng(1)
    boards = np.repeat(nf.Position.start(rules).board[None], ROWS // 100, axis=0)
    found = []
    for _ in range(100):
        boards = batch.random_step(boards, rng, rules, restart=True).boards
        found.append(boards)
    return rng.permutation(np.concatenate(found)), rng.integers(1, 7, (ROWS, 2), dtype=np.int8)


def work(rules: str) -> Iterator[tuple[str, Callable[[], float]]]:
    """(what is done, what does it and tells how much of it was done a second)."""
    boards, dice = positions(rules)
    counts = batch.count_plays(boards, dice, rules)
    total = int(counts.sum())
    room = np.empty((total, 2, 26), np.int8)
    calls = [(boards[i : i + CALL], dice[i : i + CALL]) for i in range(0, ROWS, CALL)]
    turns = int(nf.simulate(GAMES, rules, seed=1, threads=1).turns.sum())
    singles = [(nf.Position(board, rules=rules), (int(a), int(b))) for board, (a, b) in zip(boards[:3000], dice, strict=False)]

    def list_in_calls() -> None:
        for some, their in calls:
            batch.afterstates(some, their, rules, out=room, check=False)

    yield "random games, turns", lambda: rate(turns, lambda: nf.simulate(GAMES, rules, seed=1, threads=1))
    yield (
        f"count_plays of {ROWS} rows",
        lambda: rate(ROWS, lambda: batch.count_plays(boards, dice, rules, out=counts, check=False)),
    )
    yield f"afterstates of {CALL} rows a call, boards", lambda: rate(total, list_in_calls)
    yield f"afterstates of {CALL} rows a call, lists", lambda: rate(ROWS, list_in_calls)
    yield (
        f"afterstates of {ROWS} rows, boards",
        lambda: rate(total, lambda: batch.afterstates(boards, dice, rules, out=room, check=False)),
    )

    yield from training(rules)

    def list_singly() -> None:
        for position, roll in singles:
            position.plays(roll)

    yield "Position.count_plays", lambda: rate(3000, lambda: [position.count_plays(roll) for position, roll in singles])
    yield "Position.plays, lists", lambda: rate(3000, list_singly)


def training(rules: str) -> Iterator[tuple[str, Callable[[], float]]]:
    """What a training loop does: boards encoded, and a greedy player that goes by a weight for each slot."""
    rng = np.random.default_rng(1)
    weights = rng.normal(size=52).astype(np.float32)
    boards = np.empty((60 * GREEDY, 2, 26), np.int8)
    rooms = {features: np.zeros((len(boards), len(batch.columns(features))), np.float32) for features in ("raw", "thermometer")}
    game = batch.start(GREEDY, rng, rules)

    def play() -> batch.Afterstates:
        after = batch.afterstates(game.boards, game.dice, rules, out=boards, check=False)
        scores = batch.encode(after.boards, "raw", out=rooms["raw"]) @ weights
        batch.step(game.boards, game.dice, scores, rules, rng=rng, after=after, restart=True, out=game, check=False)
        return after

    for _ in range(50):
        after = play()
    yield f"greedy, {GREEDY} rows a step, turns", lambda: rate(20 * GREEDY, lambda: [play() for _ in range(20)])
    for features, room in rooms.items():

        def encode(features: str = features, room: np.ndarray = room) -> None:
            for _ in range(10):
                batch.encode(after.boards, features, out=room)

        yield f"encode {features}, boards", lambda encode=encode: rate(10 * len(after.boards), encode)


def row(name: str, ratios: list[float]) -> None:
    print(f"{name:46} {statistics.median(ratios):7.3f} {min(ratios):7.3f} {max(ratios):7.3f}", flush=True)


def microseconds(call: Callable[[], object]) -> float:
    """The least of what a call takes, over many."""
    least = float("inf")
    for _ in range(20):
        begun = time.process_time()
        for _ in range(1000):
            call()
        least = min(least, time.process_time() - begun)
    return least * 1e3


def single_rows() -> Iterator[tuple[str, float]]:
    """What a batch call with one row takes, in microseconds of which some tenths are the work itself."""
    boards = nf.Position.start().board[None].copy()
    dice = np.array([[6, 5]], np.int8)
    out, counts, over, pips = boards.copy(), np.empty(1, np.int32), np.empty(1, np.bool_), np.empty((1, 2), np.int32)
    plays = batch.afterstates(boards, dice, plays=True).plays
    rng = np.random.default_rng(1)
    room = np.empty((9, 2, 26), np.int8)
    yield "count_plays", microseconds(lambda: batch.count_plays(boards, dice, out=counts, check=False))
    yield "afterstates", microseconds(lambda: batch.afterstates(boards, dice, out=room, check=False))
    yield "apply", microseconds(lambda: batch.apply(boards, plays, dice, out=out, check=False))
    yield "random_step", microseconds(lambda: batch.random_step(boards, rng, out=out, check=False))
    yield "is_over", microseconds(lambda: batch.is_over(boards, out=over, check=False))
    yield "flip", microseconds(lambda: batch.flip(boards, out=out))
    yield "pips", microseconds(lambda: batch.pips(boards, out=pips))


def perft_of_two(threads: int) -> float:
    """Leaves a second of wall time by two threads, or by two processes of one thread at once."""
    if threads == 2:
        begun = time.perf_counter()
        assert nf.perft(nf.Position.start(), DEPTH, threads=2) == PERFT
        return PERFT / (time.perf_counter() - begun)
    program = (
        "import time, sys, nardy_fast as nf; sys.stdin.readline(); begun = time.perf_counter(); "
        f"assert nf.perft(nf.Position.start(), {DEPTH}) == {PERFT}; print(time.perf_counter() - begun)"
    )
    pair = [
        subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    time.sleep(1)
    for process in pair:
        process.stdin.write("\n")
        process.stdin.flush()
    return sum(PERFT / float(process.communicate()[0]) for process in pair)


def main(source: str, rounds: str = "7") -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain = Plain(source, folder)
        print(f"{'in units of plain turns (perft: leaves)':46} {'median':>7} {'least':>7} {'most':>7}")
        for rules in ("long", "short"):
            for name, speed in work(rules):
                row(f"{rules}: {name}", [speed() / plain.turns_a_second() for _ in range(int(rounds))])
        start = nf.Position.start()
        ratios = [rate(PERFT, lambda: nf.perft(start, DEPTH)) / plain.leaves_a_second() for _ in range(int(rounds))]
        row(f"long: perft {DEPTH}", ratios)
        row("long: perft by 2 threads, by 2 processes = 1", [perft_of_two(2) / perft_of_two(1) for _ in range(int(rounds))])
    print("\nbatch calls with one row, microseconds")
    for name, least in single_rows():
        print(f"{name:46} {least:7.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
