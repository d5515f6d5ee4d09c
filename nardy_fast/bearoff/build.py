"""Building tables: the native solvers, run shard by shard so that a bar can move and Ctrl-C is heard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray

from nardy_fast.bearoff.keys import HOME_POINTS, OneSidedKey, TwoSidedKey
from nardy_fast.bearoff.progress import Progress
from nardy_fast.bearoff.store import Arrays, Sizes
from nardy_fast.core import _bearoff_one, _bearoff_two
from nardy_fast.rules import Ruleset

MAX_CHECKERS = 15
MAX_TURNS = 1023
#: Spreads to work on at a time.
SHARD = 20_000

Floats = NDArray[np.float64]
#: From the chances within so many turns (or the costs that stand for them) to those within one turn more.
Advance = Callable[[Floats], Floats]


class OneSidedBuilder:
    """Makes the arrays of a one-sided table.

    ``mean_all`` and ``mean_first`` are float64[spreads]. ``all``, ``first`` and ``within`` hold a row of chances for each spread,
    in units of 2**-30; ``offsets`` tells where those of ``all`` and ``within`` begin and end, ``offsets_first`` those of the
    others; ``turns`` is the last turn in any row. Beyond the arrays themselves, which lie in a file, building takes about 200
    bytes a spread: 11 MB for six points, 650 MB for ten.
    """

    def __init__(self, key: OneSidedKey, progress: Progress) -> None:
        self._points = key.points
        self._spreads = comb(MAX_CHECKERS + key.points, key.points)
        self._late = key.keep
        self._progress = progress
        # Work is counted in searches for the best plays of all spreads; how many turns there are is a guess until they are known.
        self._done = 0.0
        self._work = 3.0 + 1.2 * 22
        self._shown = 0.0
        self._partials = np.zeros((self._spreads, 18), np.int32)
        self._best = np.zeros((self._spreads, 21), np.int32)
        self._solver = _bearoff_one.Solver(key.points, key.exact, key.stack_limit, self._partials)

    def measure(self) -> Sizes:
        """The arrays' sizes: the best plays are found, and how many turns they take."""
        self._means = {}
        self._last = {}
        for aim in ("all", "first"):
            self._means[aim] = self._expect(aim)
            self._last[aim] = self._last_turns(self._more(aim), self._finished())
        if self._late:
            # Whoever plays for the latest end makes his chances smaller than the best plays for the mean do, not greater.
            self._last["all"] = np.maximum(self._last["all"], self._last_turns(self._within, self._finished()))
        self._offsets = {aim: self._row_offsets(aim) for aim in ("all", "first")}
        self._work = self._done + 1.0 + 1.2 * int(self._last["all"].max())
        rows = {aim: int(offsets[-1]) for aim, offsets in self._offsets.items()}
        return {
            "turns": ("i4", (1,)),
            "mean_all": ("f8", (self._spreads,)),
            "mean_first": ("f8", (self._spreads,)),
            "offsets": ("u4", (self._spreads + 1,)),
            "offsets_first": ("u4", (self._spreads + 1,)),
            "all": ("u4", (rows["all"],)),
            "first": ("u4", (rows["first"],)),
            "within": ("u4", (rows["all"],)),
        }

    def fill(self, arrays: Arrays) -> None:
        """Write the table to the arrays."""
        arrays["turns"][0] = max(int(last.max()) for last in self._last.values())
        for aim, offsets in ("all", "offsets"), ("first", "offsets_first"):
            arrays[f"mean_{aim}"][:] = self._means[aim]
            arrays[offsets][:] = self._offsets[aim]
        self._store(self._more("first"), self._finished(), "first", arrays["first"])
        self._expect("all")  # for the best plays, which those of the first checker have replaced
        self._store(self._more("all"), self._finished(), "all", arrays["all"])
        self._store(self._within, self._finished() * (1 if self._late else -1), "all", arrays["within"])
        self._progress(1.0)

    def _expect(self, aim: str) -> Floats:
        """The expected number of turns of each spread; the best plays are kept."""
        costs = np.zeros(self._spreads)
        turn = -1.0 if self._late else 1.0
        for begin, end in self._shards(1.0):
            self._solver.expect(turn, aim == "first", costs, self._best, begin, end)
        return turn * costs

    def _finished(self) -> Floats:
        """The chance to be finished within no turns."""
        chances = np.zeros(self._spreads)
        chances[0] = 1
        return chances

    def _more(self, aim: str) -> Advance:
        """One turn more, by the plays that `_expect` has kept."""

        def more(before: Floats) -> Floats:
            chances = np.empty(self._spreads)
            for begin, end in self._shards(0.1):
                _bearoff_one.one_turn_more(self._best, aim == "first", self._points, before, chances, begin, end)
            return chances

        return more

    def _within(self, before: Floats) -> Floats:
        """One turn more, by the plays that are best for it."""
        costs = np.empty(self._spreads)
        for begin, end in self._shards(1.0):
            self._solver.within(before, costs, begin, end)
        return costs

    def _last_turns(self, more: Advance, chances: Floats) -> NDArray[np.uint16]:
        """For each spread, the turn by which it is certain to be finished, as far as storing tells."""
        last = np.zeros(self._spreads, np.uint16)
        for turn in range(1, MAX_TURNS + 1):
            chances = more(chances)
            if not _bearoff_one.mark_certain(chances, turn, last):
                return last
        raise RuntimeError(f"bearing off takes more than {MAX_TURNS} turns")

    def _row_offsets(self, aim: str) -> NDArray[np.uint32]:
        """Where the rows begin, and where the last of them ends."""
        starts = [comb(checkers + self._points - 1, self._points) for checkers in range(MAX_CHECKERS + 2)]
        begins = [_bearoff_one.row_begin(checkers, aim == "first") for checkers in range(MAX_CHECKERS + 1)]
        lengths = 1 + self._last[aim].astype(np.int64) - np.repeat(begins, np.diff(starts))
        lengths[0] = 0
        return np.concatenate(([0], np.cumsum(lengths))).astype(np.uint32)

    def _store(self, more: Advance, chances: Floats, aim: str, rows: NDArray[np.uint32]) -> None:
        """Write the rows turn by turn."""
        stored = np.zeros(self._spreads, np.uint32)
        for turn in range(1, int(self._last[aim].max()) + 1):
            chances = more(chances)
            _bearoff_one.store_turn(
                chances, turn, aim == "first", self._points, self._last[aim], self._offsets[aim], stored, rows
            )

    def _shards(self, work: float) -> Iterator[tuple[int, int]]:
        """All spreads in shards, while the bar moves."""
        for begin in range(0, self._spreads, SHARD):
            end = min(begin + SHARD, self._spreads)
            yield begin, end
            self._done += work * (end - begin) / self._spreads
            self._shown = max(self._shown, min(self._done / self._work, 1.0))
            self._progress(self._shown)


class TwoSidedBuilder:
    """Makes the array of a two-sided table, ``cells``: int32[turns, spreads, spreads, planes].

    Beyond the array itself it takes twice as much.
    """

    def __init__(self, key: TwoSidedKey, rules: Ruleset, progress: Progress) -> None:
        self._rules = rules
        self._checkers = key.checkers
        self._plane, self._units = planes(key)
        spreads = comb(key.checkers + HOME_POINTS, HOME_POINTS)
        self._shape = (1 if key.last_roll == "none" else 2, spreads, spreads, 1 + max(self._plane))
        self._cube = key.cube
        self._progress = progress

    def measure(self) -> Sizes:
        """The array's size."""
        return {"cells": ("i4", self._shape)}

    def fill(self, arrays: Arrays) -> None:
        """Write the table to the array."""
        spreads = self._shape[1]
        begins = np.zeros(21 * spreads + 1, np.int32)
        _bearoff_two.list_plays(self._rules, self._checkers, begins, None)
        plays = np.zeros(begins[-1], np.int32)
        _bearoff_two.list_plays(self._rules, self._checkers, begins, plays)
        cells = np.zeros(self._shape)
        undoubled = np.zeros((spreads, spreads, 2) if self._cube else (0, 0, 0))
        solver = _bearoff_two.Solver(self._rules, begins, plays, cells, undoubled, self._plane)
        solver.end()
        step = max(1, SHARD // spreads)
        for begin in range(1, spreads, step):
            end = min(begin + step, spreads)
            solver.solve(begin, end)
            self._progress((end / spreads) ** 2)
        units = np.array([unit for place, unit in zip(self._plane, self._units, strict=True) if place >= 0])
        solver.store(units, arrays["cells"], 0, spreads)


def planes(key: TwoSidedKey) -> tuple[list[int], list[float]]:
    """For each kind of plane, in the order of the C API, its place in a cell or -1, and the unit of what is stored there."""
    uneven = any(points != 1 for points in key.payments[1:])
    mars = key.whole > 0
    kinds = [True, key.cube, key.cube, key.cube, key.last_roll != "none", uneven, mars, mars]
    places = [sum(kinds[:kind]) if kinds[kind] else -1 for kind in range(len(kinds))]
    # An equity is at most what a game can be worth.
    most = 2 ** (max(key.payments) - 1).bit_length()
    return places, [most * 2.0**-30] * 4 + [2.0**-30] * 4
