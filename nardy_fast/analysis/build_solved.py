"""Solving small games: the native solver, run shard by shard so that a bar can move and Ctrl-C is heard."""

from __future__ import annotations

from functools import partial

import numpy as np

from nardy_fast.analysis._solver import Solver, number_of_sides
from nardy_fast.analysis.settle import settle
from nardy_fast.analysis.small_games import results_won
from nardy_fast.bearoff.progress import Progress
from nardy_fast.bearoff.store import Arrays, Sizes
from nardy_fast.rules import LAST, ROLLS, Ruleset
from nardy_fast.workers import run

#: Points that the opponent may hold, or none.
PLACES = LAST + 1
#: Sides whose pairs one thread works out at a time; nothing depends on it.
SHARD = 200
#: What to work out, in the numbers of the native solver.
EQUITIES, CHANCES, BOTH = 1, 2, 3
#: A value that changes by no more stands. Chances are stored in float32.
EQUITY_CHANGE = 1e-10
CHANCE_CHANGE = 2e-7


class SolvedBuilder:
    """Makes the arrays of a solved game.

    ``equities``, float64[sides, sides], is of [mover][opponent]; ``chances``, float32[sides, sides, planes], has the chance of
    each result but those of fewest points: won in the first half of the planes, lost in the other. Beyond the arrays, which lie
    in a file, building takes next to nothing on parallel roads, and on contrary ones some 400 MB for three checkers.
    """

    def __init__(self, rules: Ruleset, threads: int, progress: Progress) -> None:
        self._rules = rules
        self._threads = threads
        self._progress = progress
        self._sides = number_of_sides(rules)
        self._points = results_won(rules)
        self._shown = 0.0

    def measure(self) -> Sizes:
        """The arrays' sizes."""
        planes = 2 * (len(self._points) - 1)
        return {"equities": ("f8", (self._sides, self._sides)), "chances": ("f4", (self._sides, self._sides, planes))}

    def fill(self, arrays: Arrays) -> None:
        """Write the solution to the arrays."""
        halves = [self._points.index(points) - 1 if points in self._points else -1 for points in range(16)]
        solver = Solver(self._rules, arrays["equities"], arrays["chances"], halves, np.zeros(self._sides, np.int32))
        if self._rules.road == "parallel":
            self._sweep(solver, BOTH, False, partial(self._show, 0.0, 1.0))
        else:
            self._iterate(solver, arrays)
        self._progress(1.0)

    def _iterate(self, solver: Solver, arrays: Arrays) -> None:
        """Sweep until what is believed of the pairs that a hit leads to is what follows from it."""
        begins = np.zeros(self._sides * PLACES * len(ROLLS) + 1, np.int32)
        solver.list_plays(begins, None, None)
        ends, landings = np.zeros(begins[-1], np.uint16), np.zeros(begins[-1], np.uint32)
        solver.list_plays(begins, ends, landings)
        together = np.zeros(len(begins) - 1, np.uint32)
        waiting = [arrays[name][solver.first_waiting :].copy() for name in ("equities", "chances")]
        solver.use_plays(begins, ends, landings, together, *waiting)
        for what, belief, target, shown in (
            (EQUITIES, waiting[0], EQUITY_CHANGE, 0.0),
            (CHANCES, waiting[1], CHANCE_CHANGE, 0.5),
        ):
            # Where the sides have passed each other the first sweep says all.
            self._sweep(solver, what, False, self._hear)
            again = partial(self._sweep, solver, what, True, self._hear)
            settle(again, belief.reshape(-1), target, partial(self._show, shown, 0.5))

    def _sweep(self, solver: Solver, what: int, again: bool, progress: Progress) -> None:
        """Work out every pair once, in the order of pips."""
        for pips in range(1, solver.max_pips + 1):
            begin, end = solver.share(pips)
            shards = [(pips, at, min(at + SHARD, end), what, again) for at in range(begin, end, SHARD)]
            for _ in run(solver.solve, shards, self._threads if len(shards) > 1 else 1):
                progress(pips / solver.max_pips)
            solver.believe(pips, what)

    def _show(self, begin: float, share: float, done: float) -> None:
        """Let the bar move, never back."""
        self._shown = max(self._shown, begin + share * min(done, 0.99))
        self._progress(self._shown)

    def _hear(self, done: float) -> None:
        """Nothing more is done yet, but whoever listens may want to end it."""
        self._progress(self._shown)
