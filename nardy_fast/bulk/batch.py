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
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_int, check_flag, checked_workers, short_repr
from nardy_fast.core import _batch, _encoding
from nardy_fast.rules import SLOTS, Ruleset, ruleset
from nardy_fast.workers import AnyExecutor, run

__all__ = [
    "FEATURES",
    "Afterstates",
    "Next",
    "Step",
    "afterstates",
    "apply",
    "columns",
    "count_plays",
    "encode",
    "flip",
    "is_over",
    "iter_afterstates",
    "pips",
    "random_step",
    "start",
    "step",
    "validate",
]

#: Rows that are handed out together. Fixed, since random rows share a stream of numbers.
SHARD = _batch.SHARD
#: Rows whose afterstates `iter_afterstates` lists at a time, some tens of megabytes of them.
PART = 8 * SHARD

#: What `encode` can write.
FEATURES = _encoding.FEATURES

Boards = NDArray[np.int8]


class Afterstates(NamedTuple):
    """All afterstates of a batch, row after row.

    `boards`: int8[m, 2, 26], the player who moved still in row 0. `offsets`: int64[n + 1]; the afterstates of row i are
    ``boards[offsets[i]:offsets[i + 1]]``. `plays`: int8[m, 6, 3], a play for each, (from, to, die) in the mover's slots in a
    legal order, unused ones (-1, -1, 0); or None. `pending`: int8[m, 28], what is pending after each
    (`nardy_fast.positions.Pending.from_row`), and `turns`: int8[m], who plays or throws next; both None where that is always
    the opponent, with a throw.
    """

    boards: Boards
    offsets: NDArray[np.int64]
    plays: NDArray[np.int8] | None
    pending: NDArray[np.int8] | None = None
    turns: NDArray[np.int8] | None = None

    def segment_argmax(self, scores: NDArray[Any]) -> NDArray[np.int32]:
        """The number of the best afterstate of each row, int32[n]: of the first with the greatest score; -1 where there is none.

        `scores`, float32[m] or float64[m], has one for each afterstate; a NaN raises `ValueError`.
        """
        found = np.empty(len(self.offsets) - 1, np.int32)
        _batch.check_offsets(self.offsets, len(found), len(self.boards))
        _batch.segment_argmax(self.offsets, _scores("scores", scores, len(self.boards)), found)
        return found


class Step(NamedTuple):
    """What `random_step` did.

    `boards`: int8[n, 2, 26], in row 0 who plays or throws next, which is mostly the opponent of the player who moved. `dice`:
    int8[n, 2], the throw, larger die first; (0, 0) where a stage was pending, or the game had ended before. `ended`: bool[n],
    whether this turn ended the game. `points`: int8[n], what the player who moved scored by ending it; below 0 where the
    opponent did, 0 for a draw. `turns`: int8[n], whose turn it is now; None where `turns` was. `pending`: int8[n, 28], what
    is pending now; None where nothing ever is.
    """

    boards: Boards
    dice: NDArray[np.int8]
    ended: NDArray[np.bool_]
    points: NDArray[np.int8]
    turns: NDArray[np.int8] | None
    pending: NDArray[np.int8] | None = None


class Next(NamedTuple):
    """Games that wait for a play: what `start` and `step` give, and `step` takes again.

    `boards`: int8[n, 2, 26], in row 0 who is to play. `dice`: int8[n, 2], his throw, larger die first; where a stage is
    pending, or the game is over, still the throw before. `ended`: bool[n], whether the step ended the game. `points`:
    int8[n], what the player who moved scored by that; below 0 where the opponent did, 0 for a draw. `chosen`: int32[n], the
    number of the afterstate that was taken, -1 where the game had ended before: in `Afterstates.boards` it is number
    ``offsets[:-1] + chosen``. `turns`: int8[n], who is to play; None where `turns` was. `pending`: int8[n, 28], what is
    pending; None where nothing ever is.
    """

    boards: Boards
    dice: NDArray[np.int8]
    ended: NDArray[np.bool_]
    points: NDArray[np.int8]
    chosen: NDArray[np.int32]
    turns: NDArray[np.int8] | None
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
    rng: np.random.Generator | np.random.BitGenerator,
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
    bits = _bits(rng)
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


def start(n: int, rng: np.random.Generator | np.random.BitGenerator, rules: str | Ruleset = "long") -> Next:
    """The start of n games, with the first dice and the first player by the rules (rulebook, section 1); `turns` is there too."""
    bits, n = _bits(rng), as_int("n", n, 0)
    boards, dice, turns = np.empty((n, 2, SLOTS), np.int8), np.empty((n, 2), np.int8), np.empty(n, np.int8)
    with bits.lock:
        _batch.begin_games(rules, bits, n, boards, dice, turns)
    pending = np.zeros((n, 28), np.int8) if ruleset(rules).has_queue else None
    return Next(boards, dice, np.zeros(n, np.bool_), np.zeros(n, np.int8), np.full(n, -1, np.int32), turns, pending)


def step(
    boards: Boards,
    dice: Any,
    choice: NDArray[Any],
    rules: str | Ruleset = "long",
    *,
    rng: np.random.Generator | np.random.BitGenerator,
    after: Afterstates | None = None,
    epsilon: float = 0.0,
    restart: bool = False,
    out: Next | None = None,
    turns: NDArray[np.int8] | None = None,
    pending: NDArray[np.int8] | None = None,
    check: bool = True,
    threads: int = 1,
) -> Next:
    """Take an afterstate in each row, turn the board round, see whether the game has ended, and throw the next dice.

    `choice`: integers[n], the number of the afterstate that row i takes among its own in `afterstates`; or float32[m] or
    float64[m], a score for each afterstate of all rows, of which the first of a row's greatest is taken, or with the chance
    `epsilon` any, each as likely. `after` is what `afterstates` gave for the same boards, dice and rules, which is the caller's
    word; without it they are listed again. A game that is over stays as it is, whatever its choice; with `restart` it, and one
    that ends by this step, is replaced by the start of a new game, with first dice by the rules.

    `out`: a `Next` whose arrays are written and returned, also the one that the arguments came from. `rng` throws the dice and
    moves on; of more rows than a few thousand, each few thousand have random numbers of their own, which begin with numbers from
    `rng`. A greedy step is

        after = batch.afterstates(game.boards, game.dice, rules, turns=game.turns, pending=game.pending)
        scores = batch.encode(after.boards, "raw") @ weights
        game = batch.step(game.boards, game.dice, scores, rules, rng=rng, after=after, turns=game.turns, pending=game.pending)
    """
    bits = _bits(rng)
    check_flag("restart", restart)
    if not isinstance(epsilon, int | float) or not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon = {short_repr(epsilon)}: expected a chance, 0 to 1")
    if out is not None and not isinstance(out, Next):
        raise TypeError(f"out = {short_repr(out)}: expected a Next")
    rows = _batch.Rows(boards, dice, turns, rules, check, False, pending)
    n, alone = rows.n, rows.alone(threads, None)
    if after is None:
        after = _afterstates(rows, None, False, threads, None)
    _batch.check_offsets(after.offsets, n, len(after.boards))
    if rows.has_queue and after.pending is None:
        raise ValueError("after.pending = None: by these rules stages may be pending")
    choice = np.asarray(choice)
    if choice.dtype.kind in "iu":
        choice = choice.astype(np.int64, copy=False)
        _batch.check_choice(choice, after.offsets, n)
    else:
        choice = _scores("choice", choice, len(after.boards))
    new = (
        out
        if out is not None
        else Next(
            np.empty((n, 2, SLOTS), np.int8),
            np.empty((n, 2), np.int8),
            np.empty(n, np.bool_),
            np.empty(n, np.int8),
            np.empty(n, np.int32),
            None if turns is None else np.empty(n, np.int8),
            np.empty((n, 28), np.int8) if rows.has_queue else None,
        )
    )
    chosen = np.empty(n, np.int32)
    if alone:
        with bits.lock:
            rows.choose(after, choice, epsilon, bits, chosen)
            rows.advance(after, chosen, bool(restart), bits, new)
    else:
        _share(rows, "choose", (after, choice, epsilon), (chosen,), threads, None, source=bits)
        _share(rows, "advance", (after, chosen, bool(restart)), new, threads, None, source=bits)
    return new


def encode(
    boards: Boards,
    features: str,
    rules: str | Ruleset = "long",
    *,
    out: NDArray[np.float32] | None = None,
    turns: NDArray[np.int8] | None = None,
    threads: int = 1,
    executor: AnyExecutor | None = None,
) -> NDArray[np.float32]:
    """The boards as inputs of a network, float32[n, k]; `columns` names the k columns.

    `features`: ``raw``, the 52 counts; ``thermometer``, as in TD-Gammon, 98 for row 0 and then 98 for row 1: for each point 1 if
    there is one checker or more, two, three, and half of those above, then half of those that wait and the share of 15 that are
    borne off (whose turn it is the rows tell already); ``slots`` and ``dense-1``, what networks of `nardy_fast.players` are told
    of a board whose row 0 has just moved, as afterstates are. `rules` matter to ``dense-1`` only, and `turns`, who is in row 0,
    by rules with a last roll. `out`, float32[any number, k], is filled from the front, and the part that was filled is returned.
    Of the boards only the counts, 0..15, are checked.
    """
    _check_features(features)
    rows = _batch.Rows(boards, _batch.NO_DICE, turns, rules, False)
    rows.check_counts()
    width = len(columns(features, rules))
    if features == "dense-1" and turns is None and ruleset(rules).last_roll != "none":
        raise ValueError(f"turns = None: by the rules {ruleset(rules).name!r} it matters whose turn it is")
    if out is None:
        out = np.empty((rows.n, width), np.float32)
    elif isinstance(out, np.ndarray) and out.ndim and len(out) > rows.n:
        out = out[: rows.n]
    if rows.alone(threads, executor):
        rows.encode(features, out)
    else:
        _share(rows, "encode", (features,), (out,), threads, executor)
    return out


@cache
def columns(features: str, rules: str | Ruleset = "long") -> tuple[str, ...]:
    """What each column of `encode` means; by `rules` those of ``dense-1`` differ."""
    _check_features(features)
    return _encoding.features_columns(features, rules)


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


def _bits(rng: Any) -> Any:
    """The bit generator of a source of random numbers."""
    bits = rng.bit_generator if isinstance(rng, np.random.Generator) else rng
    if not isinstance(bits, np.random.BitGenerator):
        raise TypeError(f"rng = {short_repr(rng)}: expected a numpy.random.Generator or BitGenerator")
    return bits


def _scores(name: str, scores: Any, boards: int) -> NDArray[Any]:
    """Scores as they are, once they are one float for each of so many afterstates."""
    if not isinstance(scores, np.ndarray) or scores.dtype not in (np.float32, np.float64):
        found = f"dtype {scores.dtype}" if isinstance(scores, np.ndarray) else short_repr(scores)
        expected = "float32 or float64" if name == "scores" else "integers, or float32 or float64 scores"
        raise TypeError(f"{name} has {found}: expected {expected}")
    if scores.shape != (boards,):
        raise ValueError(f"{name} has shape {scores.shape}: expected ({boards},), a score for each afterstate")
    return scores


def _check_features(features: Any) -> None:
    if features not in FEATURES:
        raise ValueError(f"features = {short_repr(features)}: expected one of {', '.join(FEATURES)}")


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
    source: np.random.BitGenerator | None = None,
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
            cut = tuple(value if isinstance(value, bool | str) else np.asarray(value)[first:last] for value in given)
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
