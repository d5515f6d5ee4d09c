"""Suites of positions with their perft counts: the files, and ``nardy-fast perftsuite``, which counts again and compares.

**The format**, much like that of the suites of chess engines. UTF-8 text, a position a line::

    24:15 12:15 w long ;D1 22 ;D2 484 ;D3 35387    # the start

The position text (``WHITE BLACK SIDE``), the name of a preset, and then, each after a semicolon, ``D``, a depth in turns, a space
and the leaves there: the depths from 1 up, not all of them need be given, but each above the one before it. What perft counts is
told in `nardy_fast.perft`. Words are parted by any blanks; ``#`` starts a comment; empty lines say nothing.

The suite that comes with the package (`SHIPPED`) has four positions of every preset. The comments there say how deep the
reference has counted; all depths beyond that were counted in two ways, by perft and by `listed_leaves`, which agreed.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from nardy_fast import Position
from nardy_fast.rules import ROLLS

#: The suite that comes with the package.
SHIPPED = resources.files(__package__) / "data" / "perftsuite.txt"

MISMATCH = 1
_IMPLEMENTATIONS = {"native": "nardy_fast", "reference": "nardy_fast.reference"}
_COUNT = re.compile(r"D([1-9]\d*)\s+([1-9]\d*)", re.ASCII)

#: Counts the leaves below a position, so many turns deep.
Perft = Callable[[Any, int], int]


@dataclass(frozen=True)
class Entry:
    """A position of a suite."""

    position: str
    rules: str
    #: (depth, leaves), the depths ascending.
    leaves: tuple[tuple[int, int], ...]
    #: Its line in the file, from 1; 0 if it was not read from one.
    line: int = 0

    def __str__(self) -> str:
        """The line that is read as this entry."""
        return " ".join((self.position, self.rules, *(f";D{depth} {leaves}" for depth, leaves in self.leaves)))


@dataclass(frozen=True)
class Mismatch:
    """Where an entry of a suite and what was counted part."""

    entry: Entry
    depth: int
    expected: int
    found: int
    #: The leaves below each first roll, which add up to `found`.
    divide: tuple[tuple[tuple[int, int], int], ...]

    def __str__(self) -> str:
        headline = f"line {self.entry.line}: {self.entry.rules}, {self.entry.position}"
        counts = f"D{self.depth} is {self.found}, and the suite says {self.expected}"
        rolls = (f"    {high}-{low}  {leaves:>14,}" for (high, low), leaves in self.divide)
        return "\n".join((headline, f"    {counts}", *rolls))


# Files


def read_suite(lines: Iterable[str], name: str) -> list[Entry]:
    """The entries of a suite. Raises `ValueError` for what is not in the format, with `name`, the line and the reason."""
    entries = []
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line, number)
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
        if entry is not None:
            entries.append(entry)
    if not entries:
        raise ValueError(f"{name}: there are no positions in it")
    return entries


def read_entry(line: str, number: int = 0) -> Entry | None:
    """The entry of one line, or None where it is empty. Raises `ValueError` for anything else."""
    content = line.partition("#")[0].strip()
    if not content:
        return None
    head, *fields = (field.strip() for field in content.split(";"))
    words = head.split()
    if len(words) != 4:
        raise ValueError(f"{head!r}: expected WHITE BLACK SIDE RULES, as in '24:15 12:15 w long'")
    position, rules = " ".join(words[:3]), words[3]
    Position.parse(position, rules)
    if not fields:
        raise ValueError("no counts: expected ;D and a depth and its leaves, as in ';D1 22'")
    leaves: list[tuple[int, int]] = []
    for field in fields:
        match = _COUNT.fullmatch(field)
        if match is None:
            raise ValueError(f"{field!r}: expected D, a depth from 1, a space and the leaves, as in 'D1 22'")
        depth, count = int(match[1]), int(match[2])
        if leaves and depth <= leaves[-1][0]:
            raise ValueError(f"{field!r}: comes after D{leaves[-1][0]}; expected the depths in rising order")
        leaves.append((depth, count))
    return Entry(position, rules, tuple(leaves), number)


# Counting


def check(entry: Entry, impl: Any, perft: Perft, depth: int | None = None) -> Mismatch | None:
    """The first count of `entry`, no deeper than `depth`, that `perft` does not find again; None if it finds them all.

    `impl` is the implementation that `perft` counts with: its `Position` is what `perft` is given.
    """
    position = impl.Position.parse(entry.position, entry.rules)
    for turns, expected in entry.leaves:
        if depth is not None and turns > depth:
            break
        found = perft(position, turns)
        if found != expected:
            return Mismatch(entry, turns, expected, found, divide(position, turns, perft))
    return None


def divide(position: Any, depth: int, perft: Perft) -> tuple[tuple[tuple[int, int], int], ...]:
    """The leaves below each first roll, `depth` (from 1) turns deep; nothing for a finished game."""
    if position.is_over:
        return ()
    return tuple((dice, sum(perft(play.afterstate, depth - 1) for play in position.plays(dice))) for dice, _ in ROLLS)


def listed_leaves(position: Any, depth: int) -> int:
    """What perft counts, counted in another way, slower and in more memory: turn by turn, each position once, by lists alone.

    perft goes down one branch after the other and only counts the plays of the last turn. This takes all the positions of a
    turn, with the number of ways to each, lists the plays of every roll in each of them, and counts the positions that those
    lead to, so that a play listed twice is found out too. Works with either implementation.
    """
    finished = 0
    ways: Counter[Any] = Counter({position: 1})
    for turns_left in range(depth, 0, -1):
        onward: Counter[Any] = Counter()
        for reached, count in ways.items():
            if reached.is_over:
                finished += count
                continue
            for dice, _ in ROLLS:
                afterstates = {play.afterstate for play in reached.plays(dice)}
                if turns_left == 1:
                    finished += count * len(afterstates)
                else:
                    for afterstate in afterstates:
                        onward[afterstate] += count
        ways = onward
    return finished + ways.total()


# The command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``nardy-fast perftsuite``."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the suite (default: the one that comes with the package)")
    parser.add_argument("--depth", type=_depth, metavar="N", help="leave out what is deeper than N turns")
    parser.add_argument("--impl", default="native", choices=_IMPLEMENTATIONS, help="the implementation to use (default: native)")
    parser.add_argument("--listing", action="store_true", help="count by listing every play of every turn (slow)")


def _depth(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of turns, from 1")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Counts a suite again, tells what came of it, and returns the exit status: 0, or `MISMATCH`.

    Raises `ValueError` for a file that cannot be read or is not in the format.
    """
    entries = _read_file(options.file)
    impl = importlib.import_module(_IMPLEMENTATIONS[options.impl])
    perft = listed_leaves if options.listing else impl.perft
    width = max(len(entry.rules) for entry in entries)
    begun = time.perf_counter()
    leaves = wrong = 0
    for entry in entries:
        counts = [(depth, count) for depth, count in entry.leaves if options.depth is None or depth <= options.depth]
        mismatch = check(entry, impl, perft, options.depth)
        if mismatch is not None:
            wrong += 1
            print(f"WRONG  {mismatch}", flush=True)
            continue
        leaves += sum(count for _, count in counts)
        reached = "D{} {:>13,}".format(*counts[-1]) if counts else "nothing so shallow"
        print(f"ok     {entry.rules:<{width}}  {reached}  {entry.position}", flush=True)
    seconds = time.perf_counter() - begun
    speed = f"{leaves / seconds:,.0f}" if seconds else "-"
    print(f"\n{len(entries)} positions, {wrong} wrong; {leaves:,} leaves in {seconds:.1f} seconds, {speed} a second")
    if wrong:
        sys.stdout.flush()
        print(f"nardy-fast: {wrong} of {len(entries)} positions have other counts than the suite says", file=sys.stderr)
    return MISMATCH if wrong else 0


def _read_file(path: str | None) -> list[Entry]:
    """The entries of the suite at `path`, or of the one that comes with the package."""
    if path is None:
        return read_suite(SHIPPED.read_text("utf-8").splitlines(), "perftsuite.txt")
    try:
        return read_suite(Path(path).read_text("utf-8").splitlines(), path)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from None
