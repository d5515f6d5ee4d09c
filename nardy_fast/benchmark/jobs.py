"""What is measured: ``nardy-fast bench``, and the work that the suites in ``bench/`` time.

A `Job` is some work with what must come of it. It is done once and its outcome compared before any time is taken: a fast wrong
answer is not timed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.benchmark.cases import KINDS, PHASES, cases, expectations, set_name
from nardy_fast.benchmark.implementations import IMPLEMENTATIONS, implementation
from nardy_fast.bulk import batch

TASKS = ("count", "list", "apply", "batch-count", "batch-list", "perft", "simulate")

#: (the rules, the depth, who counts that deep in reasonable time)
PERFTS = (("long", 3, ("native", "reference")), ("long", 4, ("native",)), ("short", 2, ("native",)), ("short", 3, ("native",)))
#: How many random games, by implementation; all with the same seed.
GAMES = {"native": 2000, "reference": 8}
SEED = 1
#: The turns of a random game: mean and standard deviation.
TURNS = {"long": (95.6, 5.7), "short": (96.7, 39.4)}

#: What came of some work, by name.
Facts = Mapping[str, Any]


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
    given = [case for name in batch_sets(rules, kind) for case in cases(implementation("native"), name)]
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
