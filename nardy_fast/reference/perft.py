"""Counting the leaves of the tree of plays, the number that two implementations compare first."""

from __future__ import annotations

import operator

from nardy_fast.reference.position import Position
from nardy_fast.rules import ROLLS


def perft(position: Position, depth: int) -> int:
    """How many leaves the tree of plays has after `depth` turns, over the 21 rolls, each once and unweighted, and every play.

    A finished game counts as one leaf and is not continued; depth 0 is 1. Long nardy from the start: 22, 484, 35387.
    Raises `TypeError` for a position that is not a `Position` or a depth that is not an integer, `ValueError` for a negative
    depth.
    """
    if not isinstance(position, Position):
        raise TypeError(f"position = {position!r}: expected a Position")
    try:
        turns = operator.index(depth)
    except TypeError:
        raise TypeError(f"depth = {depth!r}: expected an integer") from None
    if turns < 0:
        raise ValueError(f"depth = {depth!r}: expected 0 or more")
    return leaves(position, turns)


def leaves(position: Position, turns: int) -> int:
    """The leaves after so many turns."""
    if turns == 0 or position.is_over:
        return 1
    return sum(leaves(play.afterstate, turns - 1) for dice, _ in ROLLS for play in position.plays(dice))
