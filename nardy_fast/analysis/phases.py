"""Which part of a game a position belongs to: what error rates are told by."""

from __future__ import annotations

import numpy as np

from nardy_fast.core._position import Position
from nardy_fast.rules import HOME, LAST, opposite

#: In the order of a game.
PHASES = ("opening", "middle", "blocks", "race", "bearing off")
#: The turns of both players that are the opening.
OPENING_TURNS = 10
#: So many points in a row are a block.
_BLOCK = 4


def phase_of(position: Position, turn: int) -> str:
    """One of `PHASES`, for the turn of that number, from 0 on.

    ``bearing off``: all checkers of the side to move are home. ``race``: the sides cannot meet any more. ``opening``: the first
    ten turns. ``blocks``: four points in a row or more are held, and a checker of the other side is still behind them; in
    backgammon a point is held by two. ``middle``: all else.
    """
    board = position.board
    if not board[0, :HOME].any():
        return "bearing off"
    if not position.is_contact:
        return "race"
    if turn < OPENING_TURNS:
        return "opening"
    road = position.rules.road
    held = 2 if road == "contrary" else 1
    for own, other in ((board[0], board[1]), (board[1], board[0])):
        rear = int(np.argmax(other > 0))  # on the other's track
        blocked = {opposite(road, slot) for slot in range(1, LAST + 1) if own[slot] >= held}
        if any(all(first + i in blocked for i in range(_BLOCK)) for first in range(rear + 1, LAST)):
            return "blocks"
    return "middle"
