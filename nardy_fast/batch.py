"""Many positions at once: NumPy arrays in, NumPy arrays out, the GIL released.

A batch of n boards is int8[n, 2, 26], C-contiguous, row 0 of each the player to move (rulebook, section 0); read-only arrays and
memory maps will do. What goes with them: `dice`, int8[n, 2] in either order, or one pair for all; `turns`, int8[n], 0 where White
moves and 1 where Black does, needed only where the rules have a last roll (without it none is due).

All functions check their arrays' dtype, shape, strides and overlap, and unless ``check=False`` every board, before anything is
written: `TypeError` or `ValueError` with the argument, the row and what was expected. `out` is where to write, in the dtype and
shape that would be returned; where boards are returned it may be `boards` itself, but else may not overlap an input. `threads`
share the rows; an `executor` (anything with `submit`, as in `concurrent.futures`) is handed fixed pieces instead and must
be able to send arrays. The result depends on neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy_fast import _batch
from nardy_fast.rules import SLOTS, Ruleset
from nardy_fast.shards import AnyExecutor, checked_workers, run

__all__ = [
    "Afterstates",
    "Step",
    "afterstates",
    "apply",
    "count_plays",
    "flip",
    "is_over",
    "iter_afterstates",
    "pips",
    "random_step",
    "validate",
]

#: Rows that are handed out together. Fixed, since random rows share a stream of numbers.
SHARD = 8192

Boards = NDArray[np.int8]


class Afterstates(NamedTuple):
    """All afterstates of a batch, row after row."""

    #: int8[m, 2, 26], the player who moved still in row 0.
    boards: Boards
    #: int64[n + 1]: the afterstates of row i are ``boards[offsets[i]:offsets[i + 1]]``.
    offsets: NDArray[np.int64]
    #: int8[m, 4, 2], a play for each: (from, die) in the mover's slots, in a legal order, unused pairs (-1, 0); or None.
    plays: NDArray[np.int8] | None


class Step(NamedTuple):
    """What `random_step` did."""

    #: int8[n, 2, 26], the opponent of the player who moved in row 0.
    boards: Boards
    #: int8[n, 2], the throw, larger die first; (0, 0) where the game had ended before.
    dice: NDArray[np.int8]
    #: bool[n], whether this turn ended the game.
    ended: NDArray[np.bool_]
    #: int8[n], what the player who moved scored by ending it; below 0 where the opponent did, 0 for a draw.
    points: NDArray[np.int8]
    #: int8[n], whose turn it is now; None where `turns` was.
    turns: NDArray[np.int8] | None


def count_plays(
    boards: Boards,
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    out: NDArray[np.int32] | None = None,
    turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> NDArray[np.int32]:
    """How many distinct afterstates each row has, int32[n]: 1 for a pass, 0 where the game is over (rulebook, section 1)."""
    if out is None:
        out = np.empty(_rows(boards), np.int32)
    if threads == 1 and executor is None:
        _batch.count_plays(boards, dice, turns, rules, out, check, True)
    else:
        _share(_batch.count_plays, (boards, dice, turns), (rules,), (out,), check, threads, executor)
    return out


def afterstates(
    boards: Boards,
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    out: Boards | None = None,
    plays: bool = False,
    turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Afterstates:
    """All distinct afterstates of every row, the player who moved still in row 0; none where the game is over.

    Their order within a row is not promised. `out`, int8[any number, 2, 26], is filled from the front, and the part that was
    filled is returned; `ValueError` says how many boards it must hold if they are too few. Ten million rows of middle positions
    have some five gigabytes of afterstates: `iter_afterstates` hands them out in parts.
    """
    counts = count_plays(boards, dice, rules, turns=turns, check=check, threads=threads, executor=executor)
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    total = int(offsets[-1])
    if out is None:
        out = np.empty((total, 2, SLOTS), np.int8)
    elif len(out) < total:
        raise ValueError(f"out has room for {len(out)} boards: expected {total} or more")
    after = out[:total]
    steps = np.empty((total, 4, 2), np.int8) if plays else None
    _share(_batch.list_afterstates, (boards, dice, turns, counts), (rules,), (after, steps), False, threads, executor, offsets)
    return Afterstates(after, offsets, steps)


def iter_afterstates(
    boards: Boards,
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    rows: int = SHARD,
    plays: bool = False,
    turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Iterator[tuple[int, Afterstates]]:
    """`afterstates` of `rows` rows at a time, in bounded memory: yields (number of the first row, its `Afterstates`)."""
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise ValueError(f"rows = {rows!r}: expected an integer from 1")
    _batch.count_plays(boards, dice, turns, rules, np.empty(_rows(boards), np.int32), check, False)
    for first in range(0, len(boards), rows):
        part = slice(first, first + rows)
        yield (
            first,
            afterstates(
                boards[part],
                _part(dice, part),
                rules,
                plays=plays,
                turns=_part(turns, part),
                check=False,
                threads=threads,
                executor=executor,
            ),
        )


def apply(
    boards: Boards,
    plays: NDArray[np.int8],
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    out: Boards | None = None,
    turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Boards:
    """The board after each play, int8[n, 2, 26], the opponent in row 0.

    `plays`, int8[n, 4, 2], are steps (from, die) in the mover's slots in the order they are made, unused pairs (-1, 0) last; a
    pass has none. Each must be a legal play of its row's dice there; with ``check=False`` that is the caller's word.
    """
    out = np.empty((_rows(boards), 2, SLOTS), np.int8) if out is None else out
    _share(_batch.apply_plays, (boards, plays, dice, turns), (rules,), (out,), check, threads, executor)
    return out


def random_step(
    boards: Boards,
    rng: np.random.Generator | np.random.BitGenerator,
    rules: str | Ruleset = "long",
    *,
    restart: bool = False,
    out: Boards | None = None,
    turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Step:
    """Advance every game by one turn: fair dice, and an even choice among the distinct afterstates.

    A board at the start of a game gets the first dice by the rules. A game that has ended stays as it is; with `restart` it, and
    one that ends by this turn, is replaced by the start of a new game. More rows than a few thousand draw from children spawned
    from `rng`, a fixed number of rows each.
    """
    bits: Any = rng.bit_generator if isinstance(rng, np.random.Generator) else rng
    if not isinstance(bits, np.random.BitGenerator):
        raise TypeError(f"rng = {rng!r}: expected a numpy.random.Generator or BitGenerator")
    n = _rows(boards)
    step = Step(
        np.empty((n, 2, SLOTS), np.int8) if out is None else out,
        np.empty((n, 2), np.int8),
        np.empty(n, np.bool_),
        np.empty(n, np.int8),
        None if turns is None else np.empty(n, np.int8),
    )
    sources = [bits] if n <= SHARD else bits.spawn(-(-n // SHARD))
    _share(_batch.random_step, (boards, turns), (rules, bool(restart)), tuple(step), check, threads, executor, each=sources)
    return step


def is_over(
    boards: Boards,
    rules: str | Ruleset = "long",
    *,
    out: NDArray[np.bool_] | None = None,
    turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> NDArray[np.bool_]:
    """Which games have ended, bool[n] (rulebook, section 1, End)."""
    out = np.empty(_rows(boards), np.bool_) if out is None else out
    _share(_batch.find_over, (boards, turns), (rules,), (out,), check, threads, executor)
    return out


def flip(boards: Boards, *, out: Boards | None = None, threads: int = 1, executor: AnyExecutor | None = None) -> Boards:
    """The boards with their rows swapped, int8[n, 2, 26]: the other player to move. Their contents are not checked."""
    out = np.empty((_rows(boards), 2, SLOTS), np.int8) if out is None else out
    _share(_batch.flip, (boards,), (), (out,), False, threads, executor)
    return out


def pips(
    boards: Boards, *, out: NDArray[np.int32] | None = None, threads: int = 1, executor: AnyExecutor | None = None
) -> NDArray[np.int32]:
    """The pips that the mover and the opponent have to go, int32[n, 2] (rulebook, section 4). The contents are not checked."""
    out = np.empty((_rows(boards), 2), np.int32) if out is None else out
    _share(_batch.pips, (boards,), (), (out,), False, threads, executor)
    return out


def validate(boards: Boards, rules: str | Ruleset = "long") -> list[tuple[int, str]]:
    """Which rows are wrong, and why: (row, reason) for each, in order; empty where all are good."""
    return _batch.validate(boards, rules)


# How the work is shared.


def _rows(boards: Any) -> int:
    """The number of rows; what is no array at all is left to the native check to complain of."""
    shape = getattr(boards, "shape", None)
    return shape[0] if shape else 0


def _part(rows: Any, part: slice) -> Any:
    """Some of the rows of an array; what all rows share (None, one pair of dice) as it is."""
    return rows[part] if isinstance(rows, np.ndarray) else rows


def _share(
    native: Callable[..., None],
    rows: tuple[Any, ...],
    settings: tuple[Any, ...],
    outs: tuple[Any, ...],
    check: bool,
    threads: int,
    executor: AnyExecutor | None,
    offsets: NDArray[np.int64] | None = None,
    each: Sequence[Any] = (),
) -> None:
    """Call `native` on pieces of the rows, after one call that only checks them all.

    `offsets`: where the output of each row begins, if not at its number. `each`: a further argument for each piece.
    """
    workers = checked_workers(threads, executor)
    n = _rows(rows[0])
    alone = workers == 1 and executor is None
    if alone and len(each) <= 1:
        native(*rows, *each, *settings, *outs, check, True)
        return
    native(*rows, *each[:1], *settings, *outs, check, False)

    def pieces() -> Iterator[tuple[Any, ...]]:
        for number, first in enumerate(range(0, n, SHARD)):
            part = slice(first, min(first + SHARD, n))
            arguments = (*(_part(array, part) for array in rows), *each[number : number + 1], *settings)
            room = [None if array is None else array[_written(part, offsets)] for array in outs]
            yield (native, arguments, room) if executor is None else (native, arguments, [_like(array) for array in room])

    for number, written in run(_work_in_place if executor is None else _work_apart, pieces(), workers, executor):
        if written is not None:
            part = slice(number * SHARD, min((number + 1) * SHARD, n))
            for array, result in zip(outs, written, strict=True):
                if array is not None:
                    array[_written(part, offsets)] = result


def _written(part: slice, offsets: NDArray[np.int64] | None) -> slice:
    """Where the output of these rows goes."""
    return part if offsets is None else slice(int(offsets[part.start]), int(offsets[part.stop]))


def _like(array: Any) -> Any:
    """What a worker elsewhere needs in order to make an array like this one."""
    return None if array is None else (array.shape, array.dtype.str)


def _work_in_place(native: Callable[..., None], arguments: tuple[Any, ...], room: list[Any]) -> None:
    native(*arguments, *room, False, True)


def _work_apart(native: Callable[..., None], arguments: tuple[Any, ...], shapes: list[Any]) -> list[Any]:
    written = [None if shape is None else np.empty(*shape) for shape in shapes]
    native(*arguments, *written, False, True)
    return written
