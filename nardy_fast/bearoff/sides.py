"""From positions and arrays of boards to the spreads of their two sides."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import check_array, short_repr
from nardy_fast.core._bearoff import read_numbers
from nardy_fast.core._position import Position
from nardy_fast.rules import BAR, OFF, SLOTS

ROWS = ("mover", "opponent")

Numbers = NDArray[np.int32]
#: A position, whose side to move is meant; the number of a spread; or the counts on points 1, 2 ...
Checkers: TypeAlias = "Position | int | Sequence[int]"


def is_position(checkers: Checkers) -> TypeGuard[Position]:
    """Whether it is a position, of either implementation."""
    return hasattr(checkers, "is_contact")


def number_in(position: Position, side: int, points: int) -> int:
    """The number of a side's spread, 0 the mover's and 1 the opponent's; `ValueError` where a checker stands elsewhere."""
    numbers = np.empty(1, np.int32)
    if read_numbers(position.board[np.newaxis], side, points, numbers) < 0:
        return int(numbers[0])
    slot = int(np.flatnonzero(position.board[side])[0])
    place = "on the bar" if slot == BAR else f"{OFF - slot} points from the end"
    raise ValueError(f"position: the {ROWS[side]} has a checker {place}, and the table knows the last {points} points only")


def number_of(counts: Any, points: int) -> int:
    """The number of the spread with so many checkers on points 1, 2 ...; `ValueError` for one that the table does not have."""
    board = np.zeros((1, 2, SLOTS), np.int8)
    try:
        on_points = [operator.index(count) for count in counts]
    except TypeError:
        raise TypeError(
            f"checkers = {short_repr(counts)}: expected a Position, a number, or the counts on points 1, 2 ..."
        ) from None
    if len(on_points) > points or any(count < 0 for count in on_points) or sum(on_points) > 15:
        raise ValueError(f"checkers = {short_repr(counts)}: expected counts on at most {points} points, 15 checkers in all")
    board[0, 0, OFF - len(on_points) : OFF] = on_points[::-1]
    numbers = np.empty(1, np.int32)
    read_numbers(board, 0, points, numbers)
    return int(numbers[0])


def numbers_in(boards: Any, side: int, points: int, out: Numbers | None = None) -> Numbers:
    """The numbers of one side of each board."""
    check_array("boards", boards)
    boards = np.asarray(boards)
    if boards.dtype != np.int8 or boards.ndim != 3 or boards.shape[1:] != (2, SLOTS):
        raise ValueError(f"boards: expected int8[n, 2, {SLOTS}], not {boards.dtype}{list(boards.shape)}")
    if isinstance(side, (bool, np.bool_)) or side not in (0, 1):
        raise ValueError(f"side = {short_repr(side)}: expected 0, the mover, or 1, the opponent")
    numbers = np.empty(len(boards), np.int32)
    bad = read_numbers(np.ascontiguousarray(boards), side, points, numbers)
    if bad >= 0:
        raise ValueError(f"boards[{bad}, {side}]: expected at most 15 checkers, all on the last {points} points or borne off")
    if out is None:
        return numbers
    as_out(out, np.int32, numbers.shape)[:] = numbers
    return out


def as_numbers(numbers: Any, name: str = "numbers") -> Numbers:
    """`numbers` as a contiguous int32 array of one dimension."""
    check_array(name, numbers)
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise ValueError(f"{name}: expected int32[n], not {array.dtype}{list(array.shape)}")
    if array.dtype != np.int32 and array.size and not 0 <= array.min() <= array.max() < 2**31:
        raise ValueError(f"{name}: expected numbers of spreads")
    return np.ascontiguousarray(array, np.int32)


def as_turns(turns: Any, n: int) -> NDArray[np.int8]:
    """The colours to move, one for all or one for each board, as int8[n]."""
    check_array("turns", turns)
    array = np.asarray(turns)
    if array.dtype.kind not in "iu" or array.shape not in ((), (n,)) or not np.isin(array, (0, 1)).all():
        raise ValueError(f"turns = {short_repr(turns)}: expected 0 (White) or 1 (Black), or one of them for each of {n} boards")
    return np.ascontiguousarray(np.broadcast_to(array, n), np.int8)


def as_out(out: Any, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """`out`, checked; where there is none, a new array."""
    if out is None:
        return np.empty(shape, dtype)
    good = isinstance(out, np.ndarray) and out.dtype == dtype and out.shape == shape
    if not good or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"out: expected a writeable, C-contiguous {np.dtype(dtype).name}{list(shape)}")
    checked: NDArray[Any] = out
    return checked
