"""What the tests of the bear-off tables share: rules that end differently, tables, each built once, and the game's own plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast import Ruleset, ruleset
from nardy_fast.bearoff import OneSided, TwoSided
from nardy_fast.core._bearoff import counts_of
from nardy_fast.rules import LAST, OFF, ROLLS, SLOTS

LONG = ruleset("long")
SHORT = ruleset("short")
EXACT = replace(LONG, name="exact", bear_off="exact")
NEXT_TURN = replace(LONG, name="next turn", bear_off_start="next_turn")
GIVEAWAY = ruleset("giveaway")
OLD_ENGLISH = ruleset("old_english")
#: So few checkers that there may be a mars when both sides bear off.
SMALL = replace(LONG, name="small", setup=((1, 3),))
TWO = replace(LONG, name="two", setup=((1, 2),))

UNIT = 2.0**-30
TIE = 1e-11


@cache
def one_sided(rules: Ruleset = LONG, points: int = 6) -> OneSided:
    return OneSided.build(rules, points)


@cache
def two_sided(rules: Ruleset = LONG, checkers: int = 6) -> TwoSided:
    return TwoSided.build(rules, checkers)


def named(parameter: Any) -> str:
    """The name of a test's parameter."""
    return parameter.name if isinstance(parameter, Ruleset) else str(parameter)


def spreads(checkers: int, points: int = 6) -> int:
    """How many spreads have up to so many checkers."""
    return comb(checkers + points, points)


def board_of(rules: Ruleset, counts: tuple[int, ...], opponent: tuple[int, ...] | None = None) -> NDArray[np.int8]:
    """A board with these counts on points 1, 2 ... in row 0, the rest borne off; an opponent likewise, or one who is far away."""
    board = np.zeros((2, SLOTS), np.int8)
    for row, side in enumerate((counts, opponent)):
        if side is None:
            for checker in range(rules.checkers):
                board[row, LAST - checker % 3] += 1
        else:
            board[row, OFF - len(side) : OFF] = side[::-1]
            board[row, OFF] = rules.checkers - sum(side)
    return board


def playable(rules: Ruleset, checkers: int, points: int = 6) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The spreads of up to so many checkers that the rules allow, but the empty one: number and counts."""
    for number in range(1, spreads(min(checkers, rules.checkers), points)):
        counts = counts_of(number, points)
        # On parallel roads nobody has borne off one checker while another is outside.
        arises = rules.road == "contrary" or not any(counts[6:]) or sum(counts) == rules.checkers
        if arises and max(counts) <= (rules.stack_limit or 15):
            yield number, counts


def plays_of_all(table: OneSided, rules: Ruleset, checkers: int) -> Iterator[tuple[Any, int, int, Any, Any]]:
    """Roll by roll, thousands of spreads at a time, where the plays of the game lead to.

    Numbers of spreads, the place of the roll among the 21, its weight, the numbers that the plays lead to, and where in those the
    plays of each spread begin.
    """
    known = list(playable(rules, checkers, table.points))
    for begin in range(0, len(known), 4000):
        piece = known[begin : begin + 4000]
        numbers = np.array([number for number, _ in piece], np.int32)
        boards = np.array([board_of(rules, counts) for _, counts in piece])
        for roll, (dice, weight) in enumerate(ROLLS):
            after = nf.batch.afterstates(boards, dice, rules)
            yield numbers, roll, weight, table.numbers(after.boards), after.offsets[:-1]


def best_of(values: Any, numbers: Any, begins: Any) -> Any:
    """For each group, the lowest of the numbers whose value is least, ties as rounding leaves them."""
    least = np.minimum.reduceat(values, begins)
    sizes = np.diff([*begins, len(values)])
    good = values <= np.repeat(least, sizes) + TIE
    return np.minimum.reduceat(np.where(good, numbers, np.iinfo(np.int32).max), begins)
