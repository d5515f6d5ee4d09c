"""Many positions at once: NumPy arrays in, NumPy arrays out, the GIL released.

A batch of n boards is int8[n, 2, 26], C-contiguous, row 0 of each the player to move (rulebook, section 0); read-only arrays and
memory maps will do. What goes with them: `dice`, int8[n, 2] in either order, or one pair for all; `turns`, int8[n], 0 where White
moves and 1 where Black does, needed only where the rules have a last roll (without it none is due).

All functions check their arrays' dtype, shape, strides and overlap, and unless ``check=False`` every board, before anything is
written: `TypeError` or `ValueError` with the argument, the row and what was expected. ``check=False`` is the caller's word that
the boards are good: of others nothing is promised, not even that the process survives. Nobody may change an array during a call.
`out` is where to write, in the dtype and shape that would be returned; it may be `boards` itself where boards are returned, but
may not overlap an input otherwise.

`threads` share the rows; an `executor` (anything with `submit`, as in `concurrent.futures`) is handed fixed pieces instead and
must be able to send arrays. The result depends on neither. A few thousand rows are too little work to be shared, and are done at
once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.random import BitGenerator, Generator
from numpy.typing import NDArray

from nardy_fast.arguments import checked_workers
from nardy_fast.core import _batch
from nardy_fast.rules import SLOTS, Ruleset
from nardy_fast.workers import AnyExecutor, run

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
SHARD = _batch.SHARD
#: Rows whose afterstates `iter_afterstates` lists at a time, some tens of megabytes of them.
PART = 8 * SHARD

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
    if _batch.alone(boards, threads, executor):
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
    if _batch.alone(boards, threads, executor):
        return Afterstates(*_batch.afterstates(boards, dice, turns, rules, out, bool(plays), check))
    rows = (boards, dice, turns)
    if out is not None:
        _batch.list_afterstates(*rows, rules, out, None, check, False)
        check = False
    n = len(boards)
    counts = np.empty(n, np.int32)
    _share(_batch.count_plays, rows, (rules,), (counts,), check, threads, executor)
    offsets = np.zeros(n + 1, np.int64)
    np.add.accumulate(counts, out=offsets[1:])
    total = int(offsets[n])
    if out is None:
        out = np.empty((total, 2, SLOTS), np.int8)
    elif len(out) < total:
        raise ValueError(f"out has room for {len(out)} boards: expected {total} or more")
    steps = np.empty((total, 4, 2), np.int8) if plays else None
    out = out[:total]
    _share(_batch.list_afterstates, rows, (rules,), (out, steps), False, threads, executor, offsets)
    return Afterstates(out, offsets, steps)


def iter_afterstates(
    boards: Boards,
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    rows: int = PART,
    plays: bool = False,
    turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Iterator[tuple[int, Afterstates]]:
    """`afterstates` of `rows` rows at a time, in bounded memory: (number of the first row, its `Afterstates`) for each part.

    Everything is checked at once, before the first part.
    """
    if isinstance(rows, bool) or not isinstance(rows, int):
        raise TypeError(f"rows = {rows!r}: expected an integer")
    if rows < 1:
        raise ValueError(f"rows = {rows}: expected 1 or more")
    checked_workers(threads, executor)
    n = _rows(boards)
    _batch.count_plays(boards, dice, turns, rules, np.empty(n, np.int32), check, False)
    parts = (slice(first, first + rows) for first in range(0, n, rows))
    given = _sliceable(boards), _sliceable(dice), _sliceable(turns)
    return (
        (
            part.start,
            afterstates(
                given[0][part],
                _part(given[1], part),
                rules,
                plays=plays,
                turns=_part(given[2], part),
                check=False,
                threads=threads,
                executor=executor,
            ),
        )
        for part in parts
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
    if out is None:
        out = np.empty((_rows(boards), 2, SLOTS), np.int8)
    if _batch.alone(boards, threads, executor):
        _batch.apply_plays(boards, plays, dice, turns, rules, out, check, True)
    else:
        _share(_batch.apply_plays, (boards, plays, dice, turns), (rules,), (out,), check, threads, executor)
    return out


def random_step(
    boards: Boards,
    rng: Generator | BitGenerator,
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
    one that ends by this turn, is replaced by the start of a new game. `rng` moves on; of more rows than a few thousand, each few
    thousand have random numbers of their own, which begin with numbers from `rng`.
    """
    bits: Any = rng.bit_generator if isinstance(rng, Generator) else rng
    if not isinstance(bits, BitGenerator):
        raise TypeError(f"rng = {rng!r}: expected a numpy.random.Generator or BitGenerator")
    n = _rows(boards)
    step = Step(
        np.empty((n, 2, SLOTS), np.int8) if out is None else out,
        np.empty((n, 2), np.int8),
        np.empty(n, np.bool_),
        np.empty(n, np.int8),
        None if turns is None else np.empty(n, np.int8),
    )
    if _batch.alone(boards, threads, executor):
        with bits.lock:
            _batch.random_step(boards, turns, bits, rules, bool(restart), *step, check, True)
    else:
        _share(_batch.random_step, (boards, turns), (rules, bool(restart)), step, check, threads, executor, source=bits)
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
    if out is None:
        out = np.empty(_rows(boards), np.bool_)
    if _batch.alone(boards, threads, executor):
        _batch.find_over(boards, turns, rules, out, check, True)
    else:
        _share(_batch.find_over, (boards, turns), (rules,), (out,), check, threads, executor)
    return out


def flip(boards: Boards, *, out: Boards | None = None, threads: int = 1, executor: AnyExecutor | None = None) -> Boards:
    """The boards with their rows swapped, int8[n, 2, 26]: the other player to move. Their contents are not checked."""
    if out is None:
        out = np.empty((_rows(boards), 2, SLOTS), np.int8)
    if _batch.alone(boards, threads, executor):
        _batch.flip(boards, out, False, True)
    else:
        _share(_batch.flip, (boards,), (), (out,), False, threads, executor)
    return out


def pips(
    boards: Boards, *, out: NDArray[np.int32] | None = None, threads: int = 1, executor: AnyExecutor | None = None
) -> NDArray[np.int32]:
    """The pips that the mover and the opponent have to go, int32[n, 2] (rulebook, section 4). The contents are not checked."""
    if out is None:
        out = np.empty((_rows(boards), 2), np.int32)
    if _batch.alone(boards, threads, executor):
        _batch.pips(boards, out, False, True)
    else:
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


def _sliceable(rows: Any) -> Any:
    """An array whose rows can be cut, as a memoryview's cannot; what all rows share (None, one pair of dice) as it is."""
    return rows if rows is None or isinstance(rows, tuple | list) else np.asarray(rows)


def _part(rows: Any, part: slice) -> Any:
    """Some of the rows of what `_sliceable` returned."""
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
    source: BitGenerator | None = None,
) -> None:
    """Call `native` on pieces of the rows, after one call that only checks them all.

    `offsets`: where the output of each row begins, if not at its number. `source`: of random numbers, for those of each piece to
    begin with.
    """
    native(*rows, *(() if source is None else (source,)), *settings, *outs, check, False)
    rows = tuple(_sliceable(array) for array in rows)
    outs = tuple(_sliceable(array) for array in outs)
    n = len(rows[0])
    parts = [slice(first, min(first + SHARD, n)) for first in range(0, n, SHARD)]
    entropy = None if source is None else [int(source.random_raw()) for _ in range(4)]

    def pieces() -> Iterator[tuple[Any, ...]]:
        for number, part in enumerate(parts):
            seed = None if entropy is None else np.random.SeedSequence(entropy, spawn_key=(number,))
            given = tuple(_part(array, part) for array in rows)
            room = [None if array is None else array[_written(part, offsets)] for array in outs]
            yield native, given, seed, settings, room if executor is None else [_like(array) for array in room]

    task = _work_in_place if executor is None else _work_apart
    with closing(run(task, pieces(), operator.index(threads), executor)) as finished:
        for number, written in finished:
            for array, result in zip(outs, written, strict=True):
                if result is not None:
                    array[_written(parts[number], offsets)] = result


def _written(part: slice, offsets: NDArray[np.int64] | None) -> slice:
    """Where the output of these rows goes."""
    return part if offsets is None else slice(int(offsets[part.start]), int(offsets[part.stop]))


def _like(array: Any) -> Any:
    """What a worker elsewhere needs in order to make an array like this one."""
    return None if array is None else (array.shape, array.dtype.str)


def _work_in_place(
    native: Callable[..., None],
    rows: tuple[Any, ...],
    seed: np.random.SeedSequence | None,
    settings: tuple[Any, ...],
    room: list[Any],
) -> list[Any]:
    """One piece of the work. The random numbers begin here, so that a piece that is done again comes out the same."""
    bits = () if seed is None else (np.random.SFC64(seed),)
    native(*rows, *bits, *settings, *room, False, True)
    return [None] * len(room)


def _work_apart(
    native: Callable[..., None],
    rows: tuple[Any, ...],
    seed: np.random.SeedSequence | None,
    settings: tuple[Any, ...],
    shapes: list[Any],
) -> list[Any]:
    """The same where the room for it is not at hand."""
    room = [None if shape is None else np.empty(*shape) for shape in shapes]
    _work_in_place(native, rows, seed, settings, room)
    return room
