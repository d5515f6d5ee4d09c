"""Suites of positions with their perft counts: the files, and counting again, as ``nardy-fast perftsuite`` does.

**The format**, much like that of the suites of chess engines. UTF-8 text, a position a line::

    24:15 12:15 w long ;D1 22 ;D2 484 ;D3 35387    # the start

The position text (``WHITE BLACK SIDE``), the name of a preset, and then, each after a semicolon, ``D``, a depth in turns, a space
and the leaves there: the depths from 1 up, not all of them need be given, but each above the one before it. What perft counts is
told in `nardy_fast.perft`. Words are parted by any blanks; ``#`` starts a comment; empty lines say nothing.

The suite that comes with the package (`SHIPPED`) has four positions of every preset but the stage variants. The comments
there say how deep the reference has counted; all depths beyond that were counted in two ways, by perft and by `listed_leaves`,
which agreed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

from nardy_fast.arguments import short_repr
from nardy_fast.core._position import Position
from nardy_fast.rules import ROLLS

#: The suite that comes with the package.
SHIPPED = resources.files(__package__) / "data" / "perftsuite.txt"

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
        raise ValueError(f"{short_repr(head)}: expected WHITE BLACK SIDE RULES, as in '24:15 12:15 w long'")
    position, rules = " ".join(words[:3]), words[3]
    Position.parse(position, rules)
    if not fields:
        raise ValueError("no counts: expected ;D and a depth and its leaves, as in ';D1 22'")
    leaves: list[tuple[int, int]] = []
    for field in fields:
        match = _COUNT.fullmatch(field)
        if match is None:
            raise ValueError(f"{short_repr(field)}: expected D, a depth from 1, a space and the leaves, as in 'D1 22'")
        depth, count = int(match[1]), int(match[2])
        if leaves and depth <= leaves[-1][0]:
            raise ValueError(f"{short_repr(field)}: comes after D{leaves[-1][0]}; expected the depths in rising order")
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
            return Mismatch(entry, turns, expected, found, tuple(divide(position, turns, perft)))
    return None


def divide(position: Any, depth: int, perft: Perft) -> Iterator[tuple[tuple[int, int], int]]:
    """The leaves below each first roll, `depth` (from 1) turns deep, one after another; nothing for a finished game."""
    if not position.is_over:
        yield from ((dice, sum(perft(play.afterstate, depth - 1) for play in position.plays(dice))) for dice, _ in ROLLS)


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
