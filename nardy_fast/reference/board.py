"""The board: two rows of slots, where the roads meet, and what is wrong with a board given from outside (rulebook, section 0)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from nardy_fast.reasons import Fault, fault_text
from nardy_fast.reference.blocks import illegal_block
from nardy_fast.rules import BAR, HEAD, HOME, LAST, OFF, Ruleset, opposite

#: The checkers of one side, by the slots 0..25 of its own track.
Row: TypeAlias = tuple[int, ...]

#: Row 0 is the player to move, row 1 his opponent.
Board: TypeAlias = tuple[Row, Row]

#: The slots that are points of the board.
POINTS = range(HEAD, LAST + 1)


def from_array(array: NDArray[np.int8]) -> Board:
    """The two rows of an array of shape (2, 26)."""
    mover, opponent = array.tolist()
    return tuple(mover), tuple(opponent)


def to_array(board: Board) -> NDArray[np.int8]:
    """The board as a fresh read-only int8 array of shape (2, 26)."""
    array = np.array(board, dtype=np.int8)
    array.flags.writeable = False
    return array


def setup(rules: Ruleset) -> Board:
    """The board before the first turn."""
    counts = dict(rules.setup)
    row = tuple(counts.get(slot, 0) for slot in range(OFF + 1))
    return row, row


def other_side(board: Board) -> Board:
    """The same board for the other player to move."""
    mover, opponent = board
    return opponent, mover


def all_home(row: Row) -> bool:
    """Whether every checker of the side is home or borne off."""
    return not any(row[:HOME])


def cleared(row: Row) -> bool:
    """Whether the side has borne off all its checkers."""
    return not any(row[:OFF])


def pips(row: Row) -> int:
    """How many pips the side still has to go: a checker in slot `s` has 25 - `s`."""
    return sum((OFF - slot) * count for slot, count in enumerate(row))


def is_contact(board: Board, rules: Ruleset) -> bool:
    """Whether some checker of one side may still meet one of the other (rulebook, section 4).

    They may when a point that one side holds lies ahead of a checker of the other, on the other's track. On contrary roads a
    checker in slot 0 has the whole board ahead of it, and meets even those that wait in their own slot 0.
    """
    rearmost = [next(slot for slot, count in enumerate(row) if count) for row in board]
    if rules.road == "contrary" and rearmost == [BAR, BAR]:
        return True
    return any(board[side][slot] and rearmost[1 - side] < opposite(rules.road, slot) for side in (0, 1) for slot in POINTS)


def check(board: Board, rules: Ruleset) -> None:
    """Raise `ValueError` for the first `Fault` of the board, in their order and row 0 before row 1."""

    def refuse(fault: Fault, row: int = 0, slot: int = 0, value: int = 0) -> None:
        text = fault_text(fault, row=row, slot=slot, value=value, checkers=rules.checkers, limit=rules.stack_limit)
        raise ValueError(text)

    for side, row in enumerate(board):
        if sum(row) != rules.checkers:
            refuse(Fault.TOTAL, side, value=sum(row))

    for side, row in enumerate(board):
        if rules.road == "parallel" and row[BAR]:
            refuse(Fault.WAITING, side, BAR, row[BAR])

    for slot in POINTS:
        if board[0][slot] and board[1][opposite(rules.road, slot)]:
            refuse(Fault.SHARED, 0, slot, board[0][slot])

    for side, row in enumerate(board):
        if rules.road == "parallel" and row[OFF] and not all_home(row):
            lowest = next(slot for slot in POINTS if row[slot])
            refuse(Fault.OFF_TOO_EARLY, side, lowest, row[OFF])

    for side, row in enumerate(board):
        for slot in POINTS:
            if rules.stack_limit is not None and row[slot] > rules.stack_limit:
                refuse(Fault.STACK, side, slot, row[slot])

    for side, row in enumerate(board):
        block = illegal_block(row, board[1 - side], rules)
        if block is not None:
            refuse(Fault.BLOCK, side, block)

    if rules.last_roll == "none" and cleared(board[0]) and cleared(board[1]):
        refuse(Fault.BOTH_CLEARED)
