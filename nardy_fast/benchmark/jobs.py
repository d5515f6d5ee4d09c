"""How fast the package is: ``nardy-fast bench``, and the work that the suites in ``bench/`` time.

A `Job` is some work with what must come of it. It is done once and its outcome compared before any time is taken: a fast wrong
answer is not timed. The positions come with the package (``data/positions``), drawn from random games by
``tools/make_bench_positions.py``: a file for each game, phase and kind of roll, a position and its roll a line.

Times are processor time, the least of several runs: of a machine that does other things too they still tell something. Only
ratios within one run mean much.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import json
import math
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.bulk import batch
from nardy_fast.version import __version__

IMPLEMENTATIONS = {"native": "nardy_fast", "reference": "nardy_fast.reference"}
DATA = resources.files(__package__) / "data"

#: The phases of each game; in the third, plays are hard to find: a block at stake, checkers on the bar.
PHASES = {"long": ("opening", "middle", "blocks", "bearing-off"), "short": ("opening", "middle", "bar", "bearing-off")}
#: Rolls of two different dice, and doubles: different problems.
KINDS = ("mixed", "doubles")
TASKS = ("count", "list", "apply", "batch-count", "batch-list", "perft", "simulate")

#: (the rules, the depth, who counts that deep in reasonable time)
PERFTS = (("long", 3, ("native", "reference")), ("long", 4, ("native",)), ("short", 2, ("native",)), ("short", 3, ("native",)))
#: How many random games, by implementation; all with the same seed.
GAMES = {"native": 2000, "reference": 8}
SEED = 1
#: The turns of a random game: mean and standard deviation.
TURNS = {"long": (95.6, 5.7), "short": (96.7, 39.4)}

MISMATCH = 1
#: How long each entry of the table is timed, at least.
SECONDS = 0.1

#: What came of some work, by name.
Facts = Mapping[str, Any]
Case = tuple[Any, tuple[int, int]]


@dataclass(frozen=True)
class Job:
    """Some work, what must come of it, and how much work it is."""

    task: str
    rules: str
    #: What it is done on: "opening, mixed", "depth 4".
    subject: str
    #: What there is so much of: "lists", "leaves", "turns".
    unit: str
    #: Makes ready, and gives what is timed.
    prepare: Callable[[Any], Callable[[], Any]]
    #: Boils down what the work returns to what is compared.
    read: Callable[[Any], Facts]
    #: What must come of it, for each implementation that does this job.
    expected: Mapping[str, Facts]
    #: How many units of work that was, from what came of it.
    amount: Callable[[Facts], int]

    def __str__(self) -> str:
        return f"{self.task}, {self.rules}, {self.subject}"

    def fault(self, impl: str, found: Facts) -> str | None:
        """What is wrong with what came of the work; None if it is what it must be."""
        for name, expected in self.expected[impl].items():
            if found[name] != expected:
                return f"{self}: {impl} gives {_difference(name, found[name], expected)}"
        return None


def _difference(name: str, found: Any, expected: Any) -> str:
    if isinstance(expected, list) and len(found) == len(expected):
        at = next(at for at in range(len(expected)) if found[at] != expected[at])
        return f"{name}[{at}] = {found[at]}, expected {expected[at]}"
    return f"{name} = {found}, expected {expected}"


# Positions and what must come of them


def set_name(rules: str, phase: str, kind: str) -> str:
    """The name of a set of positions, and of its file."""
    return f"{rules}-{phase}-{kind}"


def set_names(games: Iterable[str] = PHASES) -> list[str]:
    """The names of all sets of these games."""
    return [set_name(rules, phase, kind) for rules in games for phase in PHASES[rules] for kind in KINDS]


def lines(name: str) -> list[str]:
    """The positions of a set, each with its roll, as text."""
    text = (DATA / "positions" / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line.partition("#")[0].strip()]


@cache
def cases(impl: Any, name: str) -> tuple[Case, ...]:
    """The positions of a set, made by an implementation, each with its roll."""
    rules = name.partition("-")[0]
    return tuple(impl.parse_position(line, rules) for line in lines(name))


@cache
def expectations() -> dict[str, Any]:
    """What must come of all work; written by ``tools/make_bench_positions.py``."""
    content: dict[str, Any] = json.loads((DATA / "benchmark.json").read_text("utf-8"))
    return content


# The work


def read_counts(counts: list[int]) -> Facts:
    return {"counts": counts}


def read_lists(lists: list[list[Any]]) -> Facts:
    """The lengths of some lists of plays, and one number that any other step or afterstate would change."""
    digest = hashlib.sha256()
    for plays in lists:
        for play in plays:
            digest.update(bytes(number for step in play.steps for number in step))
            digest.update(play.afterstate.board.tobytes())
    return {"counts": [len(plays) for plays in lists], "plays": digest.hexdigest()[:16]}


def read_positions(positions: list[Any]) -> Facts:
    """How many positions there are, and one number that another board in any of them would change."""
    digest = hashlib.sha256(b"".join(position.board.tobytes() for position in positions))
    return {"positions": len(positions), "boards": digest.hexdigest()[:16]}


def read_batch(found: Any) -> Facts:
    """The lengths of some lists of afterstates, and one number that any other afterstate would change; not their order."""
    parts = [found.boards[first:last] for first, last in pairwise(found.offsets)]
    return read_afterstates([[board.tobytes() for board in part] for part in parts])


def read_afterstates(boards: list[list[bytes]]) -> Facts:
    """The same of lists of boards as bytes, the player who moved in row 0."""
    digest = hashlib.sha256(b"".join(board for part in boards for board in sorted(part)))
    return {"counts": [len(part) for part in boards], "afterstates": digest.hexdigest()[:16]}


def read_leaves(leaves: int) -> Facts:
    return {"leaves": leaves}


def read_simulation(simulation: Any) -> Facts:
    """What came of some random games: how many there are, how many somebody has won, their turns, and whether those are as many
    as by chance they should be. Which games a seed gives is not fixed: it depends on the order in which plays are generated.
    """
    mean, deviation = TURNS[simulation.rules.name]
    off = abs(float(simulation.turns.mean()) - mean)
    return {
        "games": len(simulation),
        "won": int(((simulation.winner >= 0) & (simulation.points > 0)).sum()),
        "as long as usual": off < 6 * deviation / len(simulation) ** 0.5,
        "turns": int(simulation.turns.sum()),
    }


def _count(name: str) -> Callable[[Any], Callable[[], list[int]]]:
    def prepare(impl: Any) -> Callable[[], list[int]]:
        given = cases(impl, name)
        return lambda: [position.count_plays(dice) for position, dice in given]

    return prepare


def _list(name: str) -> Callable[[Any], Callable[[], list[Any]]]:
    def prepare(impl: Any) -> Callable[[], list[Any]]:
        given = cases(impl, name)
        return lambda: [position.plays(dice) for position, dice in given]

    return prepare


def _apply(name: str) -> Callable[[Any], Callable[[], list[Any]]]:
    def prepare(impl: Any) -> Callable[[], list[Any]]:
        given = [(position, play) for position, dice in cases(impl, name) for play in position.plays(dice)]
        return lambda: [position.apply(play) for position, play in given]

    return prepare


def batch_sets(rules: str, kind: str) -> list[str]:
    """The sets that make up a batch: all phases of a game."""
    return [set_name(rules, phase, kind) for phase in PHASES[rules]]


def _batch(rules: str, kind: str) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The boards and the dice of a batch."""
    given = [case for name in batch_sets(rules, kind) for case in cases(importlib.import_module("nardy_fast"), name)]
    return np.array([position.board for position, _ in given]), np.array([dice for _, dice in given], dtype=np.int8)


def _batch_count(rules: str, kind: str) -> Callable[[Any], Callable[[], Any]]:
    def prepare(impl: Any) -> Callable[[], Any]:
        boards, dice = _batch(rules, kind)
        return lambda: batch.count_plays(boards, dice, rules)

    return prepare


def _batch_list(rules: str, kind: str) -> Callable[[Any], Callable[[], Any]]:
    def prepare(impl: Any) -> Callable[[], Any]:
        boards, dice = _batch(rules, kind)
        return lambda: batch.afterstates(boards, dice, rules)

    return prepare


def _perft(rules: str, depth: int) -> Callable[[Any], Callable[[], int]]:
    def prepare(impl: Any) -> Callable[[], int]:
        start = impl.Position.start(rules)
        return lambda: int(impl.perft(start, depth))

    return prepare


def _simulate(rules: str) -> Callable[[Any], Callable[[], Any]]:
    def prepare(impl: Any) -> Callable[[], Any]:
        games = next(GAMES[name] for name, module in IMPLEMENTATIONS.items() if impl.__name__ == module)
        return lambda: impl.simulate(games, rules, seed=SEED, threads=1)

    return prepare


def jobs(tasks: Sequence[str] = TASKS) -> list[Job]:
    """All the work of the given `TASKS`, in the order of the table."""
    return [job for task in TASKS if task in tasks for job in _JOBS[task]()]


def _set_jobs(
    task: str, unit: str, prepare: Callable[[str], Callable[[Any], Callable[[], Any]]], read: Callable[[Any], Facts]
) -> list[Job]:
    """A job for each set of positions."""
    found = []
    for rules, phases in PHASES.items():
        for phase in phases:
            for kind in KINDS:
                name = set_name(rules, phase, kind)
                facts: Facts = expectations()["sets"][name][task]
                expected = dict.fromkeys(IMPLEMENTATIONS, facts)
                subject = f"{phase}, {kind}".replace("-", " ")
                found.append(Job(task, rules, subject, unit, prepare(name), read, expected, _set_amount))
    return found


def _set_amount(facts: Facts) -> int:
    """The rolls of a set, or the positions after their plays."""
    return int(facts["positions"]) if "positions" in facts else len(facts["counts"])


def _batch_jobs(
    task: str, unit: str, prepare: Callable[[str, str], Callable[[Any], Callable[[], Any]]], read: Callable[[Any], Facts]
) -> list[Job]:
    """A job for each game and kind of roll. The reference has no batches."""
    found = []
    for rules in PHASES:
        for kind in KINDS:
            facts: Facts = expectations()["batches"][f"{rules}-{kind}"]
            expected = {"native": {"counts": facts["counts"]} if task == "batch-count" else facts}
            found.append(Job(task, rules, f"all phases, {kind}", unit, prepare(rules, kind), read, expected, _set_amount))
    return found


def _perft_jobs() -> list[Job]:
    found = []
    for rules, depth, impls in PERFTS:
        facts: Facts = {"leaves": expectations()["perft"][rules][str(depth)]}
        expected = dict.fromkeys(impls, facts)
        found.append(Job("perft", rules, f"depth {depth}", "leaves", _perft(rules, depth), read_leaves, expected, _leaves))
    return found


def _leaves(facts: Facts) -> int:
    return int(facts["leaves"])


def _simulate_jobs() -> list[Job]:
    return [
        Job(
            "simulate",
            rules,
            "random games",
            "turns",
            _simulate(rules),
            read_simulation,
            {impl: {"games": games, "won": games, "as long as usual": True} for impl, games in GAMES.items()},
            _turns,
        )
        for rules in PHASES
    ]


def _turns(facts: Facts) -> int:
    return int(facts["turns"])


_JOBS: Mapping[str, Callable[[], list[Job]]] = {
    "count": lambda: _set_jobs("count", "rolls", _count, read_counts),
    "list": lambda: _set_jobs("list", "lists", _list, read_lists),
    "apply": lambda: _set_jobs("apply", "plays", _apply, read_positions),
    "batch-count": lambda: _batch_jobs("batch-count", "rolls", _batch_count, lambda counts: read_counts(counts.tolist())),
    "batch-list": lambda: _batch_jobs("batch-list", "lists", _batch_list, read_batch),
    "perft": _perft_jobs,
    "simulate": _simulate_jobs,
}


# Timing


def fastest(work: Callable[[], object], seconds: float = SECONDS) -> float:
    """The processor seconds of one call of `work`: the least of several runs, which take at least `seconds` together."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        calls, spent, best = 1, 0.0, math.inf
        while spent < seconds or best == math.inf:
            begun = time.process_time()
            for _ in range(calls):
                work()
            run = time.process_time() - begun
            spent += run
            # A run that is too short is not told from the ticks of the clock.
            if run < seconds / 10:
                calls *= 2
            else:
                best = min(best, run / calls)
        return best
    finally:
        if collecting:
            gc.enable()


@dataclass(frozen=True)
class Row:
    """One entry of the table: a job and how fast each implementation did it, in units a second."""

    job: Job
    amount: Mapping[str, int]
    per_second: Mapping[str, float]
    faults: tuple[str, ...]

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the reference the native core is; None where not both have done it."""
        if "native" in self.per_second and "reference" in self.per_second:
            return self.per_second["native"] / self.per_second["reference"]
        return None

    def as_json(self) -> dict[str, Any]:
        return {
            "task": self.job.task,
            "rules": self.job.rules,
            "subject": self.job.subject,
            "unit": self.job.unit,
            "amount": dict(self.amount),
            "per_second": dict(self.per_second),
            "ratio": self.ratio,
            "faults": list(self.faults),
        }


def measure(job: Job, seconds: float = SECONDS) -> Row:
    """Does a job with each implementation: first to see that what comes of it is right, and only then for the time."""
    amount, per_second, faults = {}, {}, []
    for impl in job.expected:
        work = job.prepare(importlib.import_module(IMPLEMENTATIONS[impl]))
        begun = time.process_time()
        result = work()
        first = time.process_time() - begun
        found = job.read(result)
        fault = job.fault(impl, found)
        if fault is not None:
            faults.append(fault)
            continue
        # Where once is long enough, it is not done again.
        best = first if first >= seconds else fastest(work, seconds)
        amount[impl] = job.amount(found)
        per_second[impl] = amount[impl] / best
    return Row(job, amount, per_second, tuple(faults))


# The command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``nardy-fast bench``."""
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS, metavar="TASK", help=f"some of {', '.join(TASKS)}")
    parser.add_argument(
        "--seconds", type=_seconds, default=SECONDS, metavar="S", help=f"time each entry at least so long (default: {SECONDS})"
    )
    parser.add_argument("--peers", action="store_true", help="also other programs that list the plays of backgammon")
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of a table")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, more than 0")
    return seconds


def run(options: argparse.Namespace) -> int:
    """Measures, prints the figures, and returns the exit status: 0, or `MISMATCH` where something else came of it than must."""
    from nardy_fast.benchmark import peers

    begun = time.perf_counter()
    if not options.json:
        print(_line(("task", "rules", "positions", "unit", "native /s", "reference /s", "ratio")))
    rows = []
    for job in jobs(options.tasks):
        row = measure(job, options.seconds)
        rows.append(row)
        for fault in row.faults:
            print(f"nardy-fast: {fault}", file=sys.stderr)
        if not options.json:
            print(_row_line(row), flush=True)
    compared = peers.compare(options.seconds) if options.peers else None
    if compared is not None:
        for name in compared.absent:
            print(f"nardy-fast: {name} is not installed; the extra 'peers' has it", file=sys.stderr)
        if not options.json:
            print(peers.table(compared))
    seconds = time.perf_counter() - begun
    if options.json:
        print(json.dumps(_as_json(rows, compared.as_json() if compared else None, seconds), indent=2))
    else:
        print(f"\n{seconds:.0f} seconds; {', '.join(f'{name} {value}' for name, value in _machine().items())}")
    return MISMATCH if any(row.faults for row in rows) else 0


def _as_json(rows: list[Row], compared: Any, seconds: float) -> dict[str, Any]:
    return {
        "version": __version__,
        "machine": _machine(),
        "seconds": seconds,
        "rows": [row.as_json() for row in rows],
        "peers": compared,
    }


def _machine() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.system(),
        "machine": platform.machine(),
    }


_WIDTHS = (11, 6, 21, 7, 14, 13, 8)
_LEFT = 4


def _line(cells: Sequence[str]) -> str:
    """The first columns to the left, the others to the right. Fixed widths, for the rows come one by one."""
    return " ".join(
        cell.ljust(width) if at < _LEFT else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    )


def _row_line(row: Row) -> str:
    speeds = (
        f"{row.per_second[impl]:,.0f}" if impl in row.per_second else "WRONG" if impl in row.job.expected else "-"
        for impl in IMPLEMENTATIONS
    )
    ratio = "-" if row.ratio is None else f"{row.ratio:,.0f}"
    return _line((row.job.task, row.job.rules, row.job.subject, row.job.unit, *speeds, ratio))
