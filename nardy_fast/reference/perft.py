"""Counting the leaves of the tree of plays, the number that two implementations compare first."""

from __future__ import annotations

from nardy_fast.arguments import checked_depth, checked_workers
from nardy_fast.bulk.perft import count_in_shards
from nardy_fast.reference.position import Position
from nardy_fast.rules import ROLLS
from nardy_fast.workers import AnyExecutor


def perft(position: Position, depth: int, *, threads: int = 1, executor: AnyExecutor | None = None) -> int:
    """How many leaves the tree of plays has after `depth` turns, over the 21 rolls, each once and unweighted, and every play.

    A finished game counts as one leaf and is not continued; depth 0 is 1. Long nardy from the start: 22, 484, 35387.

    Several `threads` share the positions after the first turn or two; an `executor` (anything with `submit`, as in
    `concurrent.futures`) is handed them instead. The count depends on neither.

    Raises `TypeError` for a position that is not a `Position` or a depth that is not an integer, `ValueError` for a negative
    depth, and for one beyond 12 unless the game is over; also for `threads` and an `executor` that are not what they should be.
    """
    turns = checked_depth(position, depth, Position)
    workers = checked_workers(threads, executor)
    if workers == 1 and executor is None:
        return leaves(position, turns)
    return count_in_shards(leaves, position, turns, workers, executor)


def leaves(position: Position, turns: int) -> int:
    """The leaves after so many turns, or stages of turns; only where a throw is due there are 21 rolls."""
    if turns == 0 or position.is_over:
        return 1
    throws = [dice for dice, _ in ROLLS] if position.pending is None else [None]
    return sum(leaves(play.afterstate, turns - 1) for dice in throws for play in position.plays(dice))
