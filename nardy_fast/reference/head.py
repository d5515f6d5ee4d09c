"""The head rule of long nardy: how many steps of a turn may leave the head (rulebook, section 1)."""

from __future__ import annotations

from dataclasses import replace

from nardy_fast.reference.blocks import illegal_block
from nardy_fast.reference.steps import Dice, Turn, after_step, ordinary, refusal, without
from nardy_fast.rules import HEAD, LAST, opposite


def with_head_limit(turn: Turn, used: int) -> Turn:
    """The turn with its head limit: the ruleset's, or 2 where it makes an exception for these dice on a player's first turn.

    All stages that a player plays of one throw share the limit, and `used` is how often he has left the head in it already. With
    a die that can send there is no limit.
    """
    if turn.head_limit is None or turn.sending:
        return replace(turn, head_limit=None)
    first_turn = turn.start[0][HEAD] == turn.rules.checkers
    limit = 2 if first_turn and is_exception(turn) else turn.head_limit
    return replace(turn, head_limit=max(limit - used, 0))


def is_exception(turn: Turn) -> bool:
    """Whether the roll of a player's first turn lets two steps leave the head, by `head_exception`."""
    exception = turn.rules.head_exception
    is_double = len(turn.dice) > 1 and len(set(turn.dice)) == 1
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
        step = ordinary(slot, die)
        if refusal(turn, board, left, step) is not None:
            return False
        board, left, slot = after_step(board, step, turn.rules), without(left, die), slot + die
    return illegal_block(*board, turn.rules) is None
