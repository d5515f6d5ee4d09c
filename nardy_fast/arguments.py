"""Checks of arguments, for both implementations: what was given as what it must be, or an error that names it.

Each raises `TypeError` for the wrong kind of thing and `ValueError` for a value that cannot be, with the argument's name, what
was given and what was expected.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Collection, Iterable, Mapping, Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nardy_fast.reasons import Fault, fault_text
from nardy_fast.rules import HEAD, OFF, SLOTS, Ruleset

#: Where what was given is cut in a message.
MAX_SHOWN = 100

#: More threads than this are surely a mistake.
MAX_THREADS = 1024
#: The most turns to count. No machine counts so many leaves, but a tree that is walked ever deeper fills the stack.
MAX_DEPTH = 12


def short_repr(given: Any) -> str:
    """What was given, for a message: its repr, cut where it is long."""
    try:
        text = repr(given)
    except Exception:  # whatever it is that cannot even be shown, as an integer of five thousand digits
        text = f"<{type(given).__name__}>"
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."


def check_text(text: Any, name: str = "text") -> None:
    """`TypeError` for anything but a string."""
    if not isinstance(text, str):
        raise TypeError(f"{name} = {short_repr(text)}: expected a string")


def read_json(text: Any, name: str) -> Any:
    """What a JSON text holds; `ValueError` for any other text, one that is nested too deep among them."""
    check_text(text, name)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{name} = {short_repr(text)}: not JSON") from None


def check_keys(record: Any, name: str, required: Collection[str], optional: Collection[str] = ()) -> None:
    """`ValueError` for anything but an object with all the required keys, and no others but the optional ones."""
    if not isinstance(record, dict):
        raise ValueError(f"{name} = {short_repr(record)}: expected an object")
    for key in required:
        if key not in record:
            raise ValueError(f"{name}: {key!r} is missing")
    for key in record:
        if key not in required and key not in optional:
            raise ValueError(f"{name}: {short_repr(key)} is no key of it")


def as_int(name: str, value: Any, lowest: int, highest: int | None = None) -> int:
    """`value` as an int from `lowest`, and up to `highest` if there is such; a truth value is none."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} = {short_repr(value)}: expected an integer") from None
    if number < lowest or (highest is not None and number > highest):
        limits = f"an integer from {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} = {short_repr(number)}: expected {limits}")
    return number


def check_flag(name: str, value: Any) -> None:
    """`TypeError` for anything but True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {short_repr(value)}: expected True or False")


def check_array(name: str, array: Any) -> None:
    """`TypeError` for an array with a mask, since what it hides would be read all the same."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array: expected one in which every slot has its number")


def as_board(board: Any) -> NDArray[np.int8]:
    """`board` as a fresh int8 array of shape (2, 26).

    Raises `TypeError` where the values are not integers, `ValueError` for another shape or a value that int8 cannot hold.
    """
    check_array("board", board)
    try:
        array = np.asarray(board)
    except ValueError:
        raise ValueError(f"board = {short_repr(board)}: expected shape (2, {SLOTS})") from None
    if array.dtype.kind not in "iu":
        raise TypeError(f"board has dtype {array.dtype}: expected integers")
    if array.shape != (2, SLOTS):
        raise ValueError(f"board has shape {array.shape}: expected (2, {SLOTS})")
    if isinstance(board, (list, tuple)) and any(isinstance(count, (bool, np.bool_)) for row in board for count in row):
        raise TypeError("board has truth values among its counts: expected integers")
    for (row, slot), value in np.ndenumerate(array):
        if not 0 <= value <= 15:
            raise ValueError(fault_text(Fault.COUNT, row=row, slot=slot, value=value, checkers=15, limit=None))
    return array.astype(np.int8)


def check_position(position: Any) -> None:
    """`TypeError` for anything but a position, of either implementation."""
    if isinstance(position, type) or not all(hasattr(position, name) for name in ("board", "turn", "rules", "is_over")):
        raise TypeError(f"position = {short_repr(position)}: expected a Position")


def as_integers(values: Any) -> list[int]:
    """What an ordered collection holds; `TypeError` where it is none, or holds anything but integers."""
    if isinstance(values, (str, bytes, bytearray, Set, Mapping, np.ma.MaskedArray)):
        raise TypeError("no ordered collection")
    values = list(values)
    if any(isinstance(value, (bool, np.bool_)) for value in values):
        raise TypeError("a truth value")
    return [operator.index(value) for value in values]


def as_dice(dice: Any) -> tuple[int, int]:
    """`dice`, two dice in either order, as (larger, smaller); `TypeError` or `ValueError` for anything else."""
    try:
        first, second = as_integers(dice)
    except TypeError:
        are_pairs = isinstance(dice, list | tuple) and dice and isinstance(dice[0], list | tuple)
        expected = "one pair of dice, or for a batch an int8 array of shape (n, 2)" if are_pairs else "two integers 1..6"
        raise TypeError(f"dice = {short_repr(dice)}: expected {expected}") from None
    except ValueError:
        raise ValueError(f"dice = {short_repr(dice)}: expected two dice") from None
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise ValueError(f"dice = {short_repr(dice)}: a die shows 1..6")
    return (first, second) if first >= second else (second, first)


def as_turn(turn: Any) -> int:
    """`turn` as 0 (White) or 1 (Black); `ValueError` for anything else."""
    try:
        if not isinstance(turn, (bool, np.bool_)) and operator.index(turn) in (0, 1):
            return operator.index(turn)
    except TypeError:
        pass
    raise ValueError(f"turn = {short_repr(turn)}: expected 0 (White) or 1 (Black)")


#: A step as it is given: from slot, to slot or None where the die tells it, die.
GivenStep: TypeAlias = tuple[int, int | None, int]


def as_given_steps(steps: Any, rules: Ruleset) -> tuple[GivenStep, ...]:
    """`steps`, each (from, die) or (from, to, die), as ((from, to or None, die), ...).

    Raises `TypeError` for what is no such thing of integers, and `ValueError` for a `to` to which the die does not lead.
    """
    try:
        if isinstance(steps, (str, bytes, Set, Mapping)) or not isinstance(steps, Iterable):
            raise TypeError
        given = [as_integers(step) for step in steps]
        if any(len(step) not in (2, 3) for step in given):
            raise TypeError
    except TypeError:
        raise TypeError(f"steps = {short_repr(steps)}: expected (from, die) pairs of integers") from None
    return tuple((step[0], _landing(step, rules.send is not None), step[-1]) for step in given)


def _landing(step: list[int], sends: bool) -> int | None:
    """Where the step is said to go; off the board, 25 and whatever the sum is are the same."""
    if len(step) == 2:
        return None
    slot, landing, die = step
    expected = [min(slot + die, OFF)]
    if sends and slot == HEAD and 1 <= die <= 6:
        expected.append(OFF - die)
    if landing not in (*expected, slot + die):
        raise ValueError(f"step = {short_repr(tuple(step))}: by {die} it goes to {' or '.join(map(str, expected))}")
    return min(landing, OFF)


def checked_workers(threads: Any, executor: Any) -> int:
    """`threads` as an int, once it and `executor` are what they should be; else `TypeError` or `ValueError`."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor = {short_repr(executor)}: expected an executor with a submit method")
    return as_int("threads", threads, 1, MAX_THREADS)


def checked_depth(position: Any, depth: Any, position_type: type[Any]) -> int:
    """`depth` as an int, once it and `position` are what they should be; else `TypeError` or `ValueError`."""
    if not isinstance(position, position_type):
        raise TypeError(f"position = {short_repr(position)}: expected a Position")
    # A finished game is not continued, however deep.
    return min(as_int("depth", depth, 0, None if position.is_over else MAX_DEPTH), MAX_DEPTH)
