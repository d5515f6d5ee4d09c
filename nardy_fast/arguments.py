"""Checks of arguments, for both implementations: what was given as what it must be, or an error that names it.

Each raises `TypeError` for the wrong kind of thing and `ValueError` for a value that cannot be, with the argument's name, what
was given and what was expected.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
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


def _index(number: Any) -> int:
    """`TypeError` for what is no integer, booleans too."""
    if isinstance(number, (bool, np.bool_)):
        raise TypeError
    return operator.index(number)


def _ordered(given: Any) -> Iterable[Any]:
    """`TypeError` for what has no order, or is text."""
    if isinstance(given, (str, bytes, set, frozenset, dict)):
        raise TypeError
    if not isinstance(given, Iterable):
        raise TypeError
    return given


def check_text(text: Any) -> None:
    """`TypeError` for anything but a string."""
    if not isinstance(text, str):
        raise TypeError(f"text = {short_repr(text)}: expected a string")


def as_board(board: Any) -> NDArray[np.int8]:
    """`board` as a fresh int8 array of shape (2, 26).

    Raises `TypeError` where the values are not integers or some are masked, `ValueError` for another shape or a value that int8
    cannot hold.
    """
    if isinstance(board, np.ma.MaskedArray):
        raise TypeError("board is a masked array: expected one in which every slot has its number")
    array = np.asarray(board)
    if array.dtype.kind not in "iu":
        raise TypeError(f"board has dtype {array.dtype}: expected integers")
    if array.shape != (2, SLOTS):
        raise ValueError(f"board has shape {array.shape}: expected (2, {SLOTS})")
    for (row, slot), value in np.ndenumerate(array):
        if not 0 <= value <= 15:
            raise ValueError(fault_text(Fault.COUNT, row=row, slot=slot, value=value, checkers=15, limit=None))
    return array.astype(np.int8)


def check_position(position: Any) -> None:
    """`TypeError` for anything but a position, of either implementation."""
    if isinstance(position, type) or not all(hasattr(position, name) for name in ("board", "turn", "rules", "is_over")):
        raise TypeError(f"position = {short_repr(position)}: expected a Position")


def as_dice(dice: Any) -> tuple[int, int]:
    """`dice`, two dice in either order, as (larger, smaller); `TypeError` or `ValueError` for anything else."""
    try:
        first, second = (_index(die) for die in _ordered(dice))
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
    if isinstance(turn, (bool, float, str)) or turn not in (0, 1):
        raise ValueError(f"turn = {short_repr(turn)}: expected 0 (White) or 1 (Black)")
    return int(turn)


def as_steps(steps: Iterable[Any]) -> tuple[tuple[int, int], ...]:
    """`steps` as ((from, die), ...); each may also be (from, to, die), whose `to` is left to the rules to compute."""
    try:
        return tuple((operator.index(step[0]), operator.index(step[-1])) for step in steps)
    except (TypeError, IndexError):
        raise TypeError(f"steps = {short_repr(steps)}: expected (from, die) pairs of integers") from None


#: A step as it is given: from slot, to slot or None where the die tells it, die.
GivenStep: TypeAlias = tuple[int, int | None, int]


def as_given_steps(steps: Any, rules: Ruleset) -> tuple[GivenStep, ...]:
    """`steps`, each (from, die) or (from, to, die), as ((from, to or None, die), ...).

    Raises `TypeError` for what is no such thing of integers, and `ValueError` for a `to` to which the die does not lead.
    """
    try:
        given = tuple(tuple(_index(number) for number in _ordered(step)) for step in _ordered(steps))
        if any(len(step) not in (2, 3) for step in given):
            raise TypeError
    except TypeError:
        raise TypeError(f"steps = {short_repr(steps)}: expected (from, die) pairs of integers") from None
    return tuple((step[0], _landing(step, rules), step[-1]) for step in given)


def _landing(step: tuple[int, ...], rules: Ruleset) -> int | None:
    """Where the step is said to go; off the board, 25 and whatever the sum is are the same."""
    if len(step) == 2:
        return None
    slot, landing, die = step
    expected = [min(slot + die, OFF)]
    if rules.send is not None and slot == HEAD and 1 <= die <= 6:
        expected.append(OFF - die)
    if landing not in (*expected, slot + die):
        raise ValueError(f"step = {short_repr(step)}: by {die} it goes to {' or '.join(map(str, expected))}")
    return min(landing, OFF)


def as_int(name: str, value: Any, lowest: int, highest: int | None = None) -> int:
    """`value` as an int from `lowest`, and up to `highest` if there is such; `TypeError` or `ValueError` for anything else."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} = {short_repr(value)}: expected an integer") from None
    if number < lowest or (highest is not None and number > highest):
        limits = f"an integer from {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} = {short_repr(number)}: expected {limits}")
    return number


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
