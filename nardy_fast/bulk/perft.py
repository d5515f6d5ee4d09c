"""perft in shards: the positions after the first turn or two, each to be counted by itself, whoever does it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import closing
from typing import Any

from nardy_fast.rules import ROLLS
from nardy_fast.workers import AnyExecutor, run

#: The most turns to count. No machine counts so many leaves, but a tree that is walked ever deeper fills the stack.
DEEPEST = 12
#: Fewer positions than this after one turn are too few to be shared, so that those after two are.
FEW = 256


def checked_depth(position: Any, depth: Any, position_type: type[Any]) -> int:
    """`depth` as an int, once it and `position` are what they should be; else `TypeError` or `ValueError`."""
    if not isinstance(position, position_type):
        raise TypeError(f"position = {position!r}: expected a Position")
    try:
        turns = operator.index(depth)
    except TypeError:
        raise TypeError(f"depth = {depth!r}: expected an integer") from None
    if turns < 0:
        raise ValueError(f"depth = {depth!r}: expected 0 or more")
    if turns > DEEPEST and not position.is_over:
        raise ValueError(f"depth = {depth!r}: expected 0..{DEEPEST}")
    return min(turns, DEEPEST)


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

    pieces = ((each, turns, *flag) for each in positions)
    with closing(run(leaves, pieces, threads, executor, leaving)) as counts:
        return total + sum(count for _, count in counts)


def _after_a_turn(positions: list[Any]) -> tuple[int, list[Any]]:
    """How many of the positions are finished, and all those after one turn of the others."""
    unfinished = [position for position in positions if not position.is_over]
    after = [play.afterstate for position in unfinished for dice, _ in ROLLS for play in position.plays(dice)]
    return len(positions) - len(unfinished), after
