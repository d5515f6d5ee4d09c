"""How fast this tree is beside another commit: `make bench-compare REV=`, or `python bench/compare.py REV [ROUNDS]`.

The other commit is checked out and built in a temporary folder; a folder that holds another tree, built, is taken as it is. Then
both do the same work in processes of their own, by turns of a fraction of a second, counted in processor time: what else a shared
machine does falls on both. The median of the rounds' ratios is told, with the quarters beside it. Above 1 this tree is faster.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Processor seconds of a turn.
SECONDS = 0.1


def work() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is measured, by names that every commit has."""
    import numpy as np

    import nardy_fast as nf

    for rules in ("long", "short"):
        rng = np.random.default_rng(1)
        boards = np.repeat(nf.Position.start(rules).board[None], 4096, axis=0)
        for _ in range(40):
            boards = nf.batch.random_step(boards, rng, rules, restart=True).boards
        dice = rng.integers(1, 7, (len(boards), 2), dtype=np.int8)
        positions = [
            (nf.Position(board, 0, rules), tuple(map(int, roll))) for board, roll in zip(boards[:50], dice[:50], strict=True)
        ]
        out = np.empty((400_000, 2, 26), np.int8)
        yield f"{rules}: random games", lambda rules=rules: nf.simulate(500, rules, seed=1, threads=1)
        yield f"{rules}: counts", lambda rules=rules, b=boards, d=dice: nf.batch.count_plays(b, d, rules)
        yield f"{rules}: boards", lambda rules=rules, b=boards, d=dice, o=out: nf.batch.afterstates(b, d, rules, out=o)
        yield f"{rules}: Position.plays", lambda some=positions: [position.plays(roll) for position, roll in some]
        yield f"{rules}: Position.count_plays", lambda some=positions: [position.count_plays(roll) for position, roll in some]
    yield "perft 3 of long", lambda: nf.perft(nf.Position.start("long"), 3)


def serve() -> None:
    """Tell the names of all work; then, for each name that is asked, how often a processor second it is done."""
    jobs = dict(work())
    print(json.dumps(list(jobs)), flush=True)
    for name in map(str.strip, sys.stdin):
        job, done, begun = jobs[name], 0, time.process_time()
        while (spent := time.process_time() - begun) < SECONDS:
            job()
            done += 1
        print(done / spent, flush=True)


@contextmanager
def at_work(tree: Path) -> Iterator[tuple[list[str], Callable[[str], float]]]:
    """A process that works with a tree: what it can do, and what has it do some."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    told, asked = process.stdout, process.stdin

    def rate(name: str) -> float:
        print(name, file=asked, flush=True)
        return float(told.readline())

    with process:
        yield json.loads(told.readline()), rate
        asked.close()


@contextmanager
def built(revision: str) -> Iterator[Path]:
    """The tree of a commit, compiled; or a folder that is one."""
    if Path(revision, "nardy_fast").is_dir():
        yield Path(revision).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", str(tree), revision], check=True, capture_output=True)
        try:
            build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
            subprocess.run(build, cwd=tree, check=True, capture_output=True)
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=False)


def main(revision: str, rounds: str = "25") -> None:
    with built(revision) as tree, at_work(tree) as (before, rate_before), at_work(ROOT) as (now, rate):
        print(f"{'this tree beside ' + revision:32} {'median':>8} {'quarter':>8} {'3/4':>8}")
        for name in (name for name in now if name in before):
            rate_before(name), rate(name)
            ratios = [1 / (rate_before(name) / rate(name)) for _ in range(int(rounds))]
            low, median, high = statistics.quantiles(ratios, n=4)
            print(f"{name:32} {median:8.3f} {low:8.3f} {high:8.3f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        main(*sys.argv[1:])
