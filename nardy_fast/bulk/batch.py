"""Many positions at once: NumPy arrays in, NumPy arrays out, the GIL released.

A batch of n boards is int8[n, 2, 26], C-contiguous, row 0 of each the player to move (rulebook, section 0); read-only arrays
and memory maps will do. What goes with them: `dice`, int8[n, 2] in either order, or one pair for all; `turns`, int8[n], 0
where White moves and 1 where Black does, needed where the rules have a last roll (without it none is due), parity, or stages
that follow each other. Where stages may be pending, `pending`, int8[n, 28], is what `nardy_fast.positions.Pending.to_row`
writes, or 28 zeros where a throw is due. `stage`, int8[n, 6], asks for the plays of any dice, unused ones 0, and `heads`,
int8[n], tells how many steps have left the head before.

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

from nardy_fast.arguments import check_flag, checked_workers, short_repr
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
    #: int8[m, 6, 3], a play for each: (from, to, die) in the mover's slots, in a legal order, unused ones (-1, -1, 0); or None.
    plays: NDArray[np.int8] | None
    #: int8[m, 28], what is pending after each (`nardy_fast.positions.Pending.from_row`); None where nothing ever is.
    pending: NDArray[np.int8] | None = None
    #: int8[m], who plays or throws next after each; None where that is always the opponent.
    turns: NDArray[np.int8] | None = None


class Step(NamedTuple):
    """What `random_step` did."""

    #: int8[n, 2, 26], in row 0 who plays or throws next, which is mostly the opponent of the player who moved.
    boards: Boards
    #: int8[n, 2], the throw, larger die first; (0, 0) where a stage was pending, or the game had ended before.
    dice: NDArray[np.int8]
    #: bool[n], whether this turn ended the game.
    ended: NDArray[np.bool_]
    #: int8[n], what the player who moved scored by ending it; below 0 where the opponent did, 0 for a draw.
    points: NDArray[np.int8]
    #: int8[n], whose turn it is now; None where `turns` was.
    turns: NDArray[np.int8] | None
    #: int8[n, 28], what is pending now; None where nothing ever is.
    pending: NDArray[np.int8] | None = None


def count_plays(
    boards: Boards,
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    out: NDArray[np.int32] | None = None,
    turns: NDArray[np.int8] | None = None,
    pending: NDArray[np.int8] | None = None,
    stage: NDArray[np.int8] | None = None,
    heads: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> NDArray[np.int32]:
    """How many distinct afterstates each row has, int32[n]: 1 for a pass, 0 where the game is over (rulebook, section 1)."""
    rows = _batch.Rows(boards, _asked(dice, stage), turns, rules, check, False, pending, stage, heads)
    if out is None:
        out = np.empty(rows.n, np.int32)
    if rows.alone(threads, executor):
        rows.count_plays(out)
    else:
        _share(rows, "count_plays", (), (out,), threads, executor)
    return out


def afterstates(
    boards: Boards,
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    out: Boards | None = None,
    plays: bool = False,
    turns: NDArray[np.int8] | None = None,
    pending: NDArray[np.int8] | None = None,
    stage: NDArray[np.int8] | None = None,
    heads: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Afterstates:
    """All distinct afterstates of every row, the player who moved still in row 0; none where the game is over.

    Their order within a row is not promised. `out`, int8[any number, 2, 26], is filled from the front, and the part that was
    filled is returned; `ValueError` says how many boards it must hold if they are too few. Ten million rows of middle positions
    have some five gigabytes of afterstates: `iter_afterstates` hands them out in parts.
    """
    check_flag("plays", plays)
    rows = _batch.Rows(boards, _asked(dice, stage), turns, rules, check, False, pending, stage, heads)
    return _afterstates(rows, out, plays, threads, executor)


def _asked(dice: Any, stage: Any) -> Any:
    """The dice, which are left out where stages are given."""
    return _batch.NO_DICE if dice is None and stage is not None else dice


def _afterstates(rows: _batch.Rows, out: Boards | None, plays: bool, threads: int, executor: AnyExecutor | None) -> Afterstates:
    """`afterstates` of rows that have been checked."""
    if rows.alone(threads, executor):
        return Afterstates(*rows.afterstates(out, bool(plays)))
    if out is not None:
        rows.check_room(out)
    counts = np.empty(rows.n, np.int32)
    _share(rows, "count_plays", (), (counts,), threads, executor)
    offsets = np.zeros(rows.n + 1, np.int64)
    np.add.accumulate(counts, out=offsets[1:])
    total = int(offsets[-1])
    outs = rows.room(out, total, bool(plays))
    _share(rows, "list_afterstates", (), outs, threads, executor, offsets=offsets)
    return Afterstates(outs[0], offsets, *outs[1:])


def iter_afterstates(
    boards: Boards,
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    rows: int = PART,
    plays: bool = False,
    turns: NDArray[np.int8] | None = None,
    pending: NDArray[np.int8] | None = None,
    stage: NDArray[np.int8] | None = None,
    heads: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Iterator[tuple[int, Afterstates]]:
    """`afterstates` of `rows` rows at a time, in bounded memory: (number of the first row, its `Afterstates`) for each part.

    Everything is checked at once, before the first part.
    """
    if isinstance(rows, bool) or not isinstance(rows, int):
        raise TypeError(f"rows = {short_repr(rows)}: expected an integer")
    if rows < 1:
        raise ValueError(f"rows = {rows}: expected 1 or more")
    check_flag("plays", plays)
    checked_workers(threads, executor)
    given = _batch.Rows(boards, _asked(dice, stage), turns, rules, check, False, pending, stage, heads)
    return (
        (first, _afterstates(_part(given, first, min(first + rows, given.n)), None, plays, threads, executor))
        for first in range(0, given.n, rows)
    )


def apply(
    boards: Boards,
    plays: NDArray[np.int8],
    dice: Any,
    rules: str | Ruleset = "long",
    *,
    out: Boards | None = None,
    turns: NDArray[np.int8] | None = None,
    pending: NDArray[np.int8] | None = None,
    out_pending: NDArray[np.int8] | None = None,
    out_turns: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Boards:
    """The board after each play, int8[n, 2, 26], in row 0 who plays next: the opponent, unless stages follow.

    `plays`, int8[n, 6, 3], are steps (from, to, die) in the mover's slots in the order they are made, unused ones (-1, -1, 0)
    last; a pass has none. Each must be a legal play of its row's dice or pending stage there; with ``check=False`` that is the
    caller's word. What is pending after the play and whose turn it is are written to `out_pending`, int8[n, 28], and `out_turns`,
    int8[n], if they are given.
    """
    rows = _batch.Rows(boards, dice, turns, rules, check, False, pending)
    if check:
        rows.check_plays(plays)
    if out is None:
        out = np.empty((rows.n, 2, SLOTS), np.int8)
    if rows.alone(threads, executor):
        rows.apply_plays(plays, (out, out_pending, out_turns))
    else:
        _share(rows, "apply_plays", (plays,), (out, out_pending, out_turns), threads, executor)
    return out


def random_step(
    boards: Boards,
    rng: Generator | BitGenerator,
    rules: str | Ruleset = "long",
    *,
    restart: bool = False,
    out: Boards | None = None,
    turns: NDArray[np.int8] | None = None,
    pending: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> Step:
    """Advance every game by one turn, or by one stage of it: fair dice, and an even choice among the distinct afterstates.

    A board at the start of a game gets the first dice by the rules. A game that has ended stays as it is; with `restart` it, and
    one that ends by this turn, is replaced by the start of a new game. `rng` moves on; of more rows than a few thousand, each few
    thousand have random numbers of their own, which begin with numbers from `rng`.
    """
    bits: Any = rng.bit_generator if isinstance(rng, Generator) else rng
    if not isinstance(bits, BitGenerator):
        raise TypeError(f"rng = {short_repr(rng)}: expected a numpy.random.Generator or BitGenerator")
    check_flag("restart", restart)
    rows = _batch.Rows(boards, _batch.NO_DICE, turns, rules, check, False, pending)
    rows.check_turns()
    n = rows.n
    step = Step(
        np.empty((n, 2, SLOTS), np.int8) if out is None else out,
        np.empty((n, 2), np.int8),
        np.empty(n, np.bool_),
        np.empty(n, np.int8),
        None if turns is None else np.empty(n, np.int8),
        np.empty((n, 28), np.int8) if rows.has_queue else None,
    )
    if rows.alone(threads, executor):
        with bits.lock:
            rows.random_step(bool(restart), bits, step)
    else:
        _share(rows, "random_step", (bool(restart),), step, threads, executor, source=bits)
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
    rows = _batch.Rows(boards, _batch.NO_DICE, turns, rules, check)
    if out is None:
        out = np.empty(rows.n, np.bool_)
    if rows.alone(threads, executor):
        rows.find_over(out)
    else:
        _share(rows, "find_over", (), (out,), threads, executor)
    return out


def flip(boards: Boards, *, out: Boards | None = None, threads: int = 1, executor: AnyExecutor | None = None) -> Boards:
    """The boards with their rows swapped, int8[n, 2, 26]: the other player to move. Their contents are not checked."""
    rows = _without_rules(boards)
    if out is None:
        out = np.empty((rows.n, 2, SLOTS), np.int8)
    if rows.alone(threads, executor):
        rows.flip(out)
    else:
        _share(rows, "flip", (), (out,), threads, executor)
    return out


def pips(
    boards: Boards, *, out: NDArray[np.int32] | None = None, threads: int = 1, executor: AnyExecutor | None = None
) -> NDArray[np.int32]:
    """The pips that the mover and the opponent have to go, int32[n, 2] (rulebook, section 4). The contents are not checked."""
    rows = _without_rules(boards)
    if out is None:
        out = np.empty((rows.n, 2), np.int32)
    if rows.alone(threads, executor):
        rows.pips(out)
    else:
        _share(rows, "pips", (), (out,), threads, executor)
    return out


def validate(boards: Boards, rules: str | Ruleset = "long") -> list[tuple[int, str]]:
    """Which rows are wrong, and why: (row, reason) for each, in order; empty where all are good."""
    return _batch.Rows(boards, _batch.NO_DICE, None, rules, False).faults()


def _without_rules(boards: Boards) -> _batch.Rows:
    """Boards that nobody asks about their rules."""
    return _batch.Rows(boards, _batch.NO_DICE, None, "long", False)


# How the work is shared.


def _part(rows: _batch.Rows, first: int, last: int) -> _batch.Rows:
    """Some of the rows, which have been checked."""
    return _batch.Rows(*rows.part(first, last))


def _share(
    rows: _batch.Rows,
    work: str,
    given: tuple[Any, ...],
    outs: tuple[Any, ...],
    threads: int,
    executor: AnyExecutor | None,
    offsets: NDArray[np.int64] | None = None,
    source: BitGenerator | None = None,
) -> None:
    """Have pieces of the rows worked on by the method of that name, after one call for no rows, which checks `outs`.

    The method gets what is `given` (arrays of the rows are cut for an executor), `offsets` or random numbers, the outs (one as it
    is, several as a tuple) and which rows. `offsets`: where the output of each row begins, if not at its number. `source`: of
    random numbers, for those of each piece to begin with.
    """
    method = getattr(rows, work)
    placed = given if offsets is None else (*given, offsets)
    method(*placed, *(() if source is None else (source,)), _one(outs), 0, 0)
    entropy = None if source is None else [int(source.random_raw()) for _ in range(4)]
    ends = [(first, min(first + SHARD, rows.n)) for first in range(0, rows.n, SHARD)]

    def pieces() -> Iterator[tuple[Any, ...]]:
        for number, (first, last) in enumerate(ends):
            seed = None if entropy is None else np.random.SeedSequence(entropy, spawn_key=(number,))
            if executor is None:
                yield method, placed, seed, outs, first, last
                continue
            cut = tuple(value if isinstance(value, bool) else np.asarray(value)[first:last] for value in given)
            if offsets is not None:
                cut += (offsets[first : last + 1],)
            likes = [_like(array, _written(first, last, offsets)) for array in outs]
            yield work, rows.part(first, last), cut, seed, likes

    task = _work_in_place if executor is None else _work_apart
    with closing(run(task, pieces(), operator.index(threads), executor)) as finished:
        for number, written in finished:
            places = [None if array is None else np.asarray(array)[_written(*ends[number], offsets)] for array in outs]
            for place, result in zip(places, _checked_shard(written, places, executor), strict=True):
                if place is not None and result is not None:
                    place[...] = result


def _checked_shard(written: Any, places: list[Any], executor: AnyExecutor | None) -> Any:
    """What came back for a shard: an executor is somebody else's, and may hand back anything."""
    if executor is None:
        return written
    good = isinstance(written, tuple | list) and len(written) == len(places)
    if not good or not all(
        result is None
        if place is None
        else isinstance(result, np.ndarray) and (result.dtype, result.shape) == (place.dtype, place.shape)
        for place, result in zip(places, written, strict=True)
    ):
        raise TypeError(f"executor: a shard came back as {short_repr(written)}: expected the arrays that were asked for")
    return written


def _one(outs: tuple[Any, ...]) -> Any:
    """The only one, or all."""
    return outs[0] if len(outs) == 1 else outs


def _written(first: int, last: int, offsets: NDArray[np.int64] | None) -> slice:
    """Where the output of these rows goes."""
    return slice(first, last) if offsets is None else slice(int(offsets[first]), int(offsets[last]))


def _like(array: Any, part: slice) -> Any:
    """What a worker elsewhere needs in order to make an array like this part of one."""
    if array is None:
        return None
    whole = np.asarray(array)
    return (part.stop - part.start, *whole.shape[1:]), whole.dtype.str


def _work_in_place(
    method: Callable[..., None],
    given: tuple[Any, ...],
    seed: np.random.SeedSequence | None,
    outs: tuple[Any, ...],
    first: int,
    last: int,
) -> list[Any]:
    """One piece of the work. The random numbers begin here, so that a piece that is done again comes out the same."""
    bits = () if seed is None else (np.random.SFC64(seed),)
    method(*given, *bits, _one(outs), first, last)
    return [None] * len(outs)


def _work_apart(
    work: str,
    part: tuple[Any, Any, Any, Any, bool, bool, Any, Any, Any],
    given: tuple[Any, ...],
    seed: np.random.SeedSequence | None,
    likes: list[Any],
) -> list[Any]:
    """The same where neither the rows nor the room for what comes of them are at hand."""
    rows = _batch.Rows(*part)
    outs = tuple(None if like is None else np.empty(*like) for like in likes)
    _work_in_place(getattr(rows, work), given, seed, outs, 0, rows.n)
    return list(outs)
