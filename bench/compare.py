"""How fast this tree is beside another commit: `make bench-compare REV=`, or `python bench/compare.py REV [ROUNDS]`.

The other commit is checked out and built in a temporary folder. Then both do the same work, by turns, each round in a process of
its own, counted in processor time; the median of the rounds' ratios is told, with the least and the most. Above 1 this tree is
faster.
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
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Processor seconds of each measurement.
SECONDS = 0.5


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


def measure() -> dict[str, float]:
    """Times a processor second that each piece of work is done."""
    rates = {}
    for name, job in work():
        job()
        done, begun = 0, time.process_time()
        while (spent := time.process_time() - begun) < SECONDS:
            job()
            done += 1
        rates[name] = done / spent
    return rates


def measured_in(tree: Path) -> dict[str, float]:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    told = subprocess.run(
        [sys.executable, __file__, "--measure"], cwd=tree, env=environment, capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(told.stdout)
    return found


def main(revision: str, rounds: str = "5") -> None:
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", str(other), revision], check=True, capture_output=True)
        try:
            build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
            subprocess.run(build, cwd=other, check=True, capture_output=True)
            ratios: dict[str, list[float]] = {}
            for _ in range(int(rounds)):
                before, now = measured_in(other), measured_in(ROOT)
                for name in before.keys() & now.keys():
                    ratios.setdefault(name, []).append(now[name] / before[name])
        finally:
            subprocess.run([*git, "remove", "--force", str(other)], check=False)
    print(f"{'this tree beside ' + revision:32} {'median':>8} {'least':>8} {'most':>8}")
    for name in sorted(ratios):
        print(f"{name:32} {statistics.median(ratios[name]):8.3f} {min(ratios[name]):8.3f} {max(ratios[name]):8.3f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--measure"]:
        print(json.dumps(measure()))
    else:
        main(*sys.argv[1:])
