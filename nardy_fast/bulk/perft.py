"""perft, and its shards: the positions after the first turn or two, each to be counted by itself, whoever does it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from nardy_fast.arguments import as_int, checked_depth, checked_workers
from nardy_fast.core._perft import leaves
from nardy_fast.core._position import Position
from nardy_fast.rules import ROLLS
from nardy_fast.workers import AnyExecutor, run

#: Fewer positions than this after one turn are too few to be shared, so that those after two are.
FEW = 256


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
    return count_in_shards(leaves, position, turns, workers, executor, bytearray(1))


def count_in_shards(
    leaves: Callable[..., int],
    position: Any,
    turns: int,
    threads: int,
    executor: AnyExecutor | None,
    halt: bytearray | None = None,
) -> int:
    """The sum of ``leaves(position, turns)`` over shards.

    `halt`: handed to `leaves` as a third argument, and made 1 when it is to end soon because nobody wants the number any more;
    only threads can be told so.
    """
    total = 0
    positions = [position]
    for _ in range(2):
        # The last turn is not made but only counted.
        if turns < 2 or len(positions) >= FEW:
            break
        finished, positions = _after_a_turn(positions)
        total += finished
        turns -= 1
    flag = () if halt is None or executor is not None else (halt,)

    def leaving() -> None:
        for flagged in flag:
            flagged[0] = 1

    shards = ((each, turns, *flag) for each in positions)
    with closing(run(leaves, shards, threads, executor, leaving)) as counts:
        # An executor is somebody else's, and may hand back anything. Each position has one leaf at the least.
        return total + sum(as_int("executor: a count of leaves", count, 1) for _, count in counts)


def _after_a_turn(positions: list[Any]) -> tuple[int, list[Any]]:
    """How many of the positions are finished, and all those after one turn of the others."""
    unfinished = [position for position in positions if not position.is_over]
    after = [play.afterstate for position in unfinished for dice, _ in ROLLS for play in position.plays(dice)]
    return len(positions) - len(unfinished), after
