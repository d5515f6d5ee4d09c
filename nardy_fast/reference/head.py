"""The head rule of long nardy: how many steps of a turn may leave the head (rulebook, section 1)."""

from __future__ import annotations

from dataclasses import replace

from nardy_fast.reference.blocks import illegal_block
from nardy_fast.reference.steps import Dice, Turn, after_step, refusal, without
from nardy_fast.rules import HEAD, LAST, opposite


def with_head_limit(turn: Turn) -> Turn:
    """The turn with its head limit: the ruleset's, or 2 where it makes an exception for this roll on a player's first turn."""
    first_turn = turn.start[0][HEAD] == turn.rules.checkers
    if turn.head_limit is not None and first_turn and is_exception(turn):
        return replace(turn, head_limit=2)
    return turn


def is_exception(turn: Turn) -> bool:
    """Whether the roll of a player's first turn lets two steps leave the head, by `head_exception`."""
    exception = turn.rules.head_exception
    is_double = len(set(turn.dice)) == 1
    if exception == "head_block":
        return is_double and is_stopped_by_head(turn)
    if exception == "values":
        return is_double and turn.dice[0] in (3, 4, 6)
    if exception == "cap_double":
        return is_double and not can_play_alone(turn)
    if exception == "capability":
        return not can_play_alone(turn)
    if exception == "any_double":
        return is_double
    return exception == "any_first"


def is_stopped_by_head(turn: Turn) -> bool:
    """Walk one imagined checker from the head by the double: is the first landing that an opponent holds his head?"""
    road = turn.rules.road
    slot = HEAD
    for die in turn.dice:
        slot += die
        if slot <= LAST and turn.start[1][opposite(road, slot)]:
            return opposite(road, slot) == HEAD
    return False


def can_play_alone(turn: Turn) -> bool:
    """Whether one head checker can make all the steps of the roll, in some order of the dice."""
    return walks(turn, turn.dice) or walks(turn, turn.dice[::-1])


def walks(turn: Turn, dice: Dice) -> bool:
    """Whether one head checker can make these steps in this order, each allowed in itself, and the turn end there."""
    board, left, slot = turn.start, turn.dice, HEAD
    for die in dice:
        if refusal(turn, board, left, (slot, die)) is not None:
            return False
        board, left, slot = after_step(board, (slot, die), turn.rules), without(left, die), slot + die
    return illegal_block(*board, turn.rules) is None
