"""One step, a checker moved by one die: whether it is allowed, and if not, why not (rulebook, sections 1 to 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nardy_fast.reasons import Reason
from nardy_fast.reference.blocks import illegal_block
from nardy_fast.reference.board import Board, all_home, cleared
from nardy_fast.reference.sends import send
from nardy_fast.rules import BAR, HEAD, HOME, OFF, Ruleset, opposite

#: A step is (from slot, to slot, die).
Step: TypeAlias = tuple[int, int, int]

#: The dice that are still to be played.
Dice: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Turn:
    """What does not change while a turn, or one stage of it, is played."""

    start: Board  # before the first step
    dice: Dice  # the larger first; four of a double, or what a stage has
    rules: Ruleset
    head_limit: int | None  # how many of these steps may leave the head; None: any number
    sending: frozenset[int] = frozenset()  # the dice that can send a checker from the head straight home


def ordinary(slot: int, die: int) -> Step:
    """The step of a checker in the slot by so many points."""
    return slot, min(slot + die, OFF), die


def refusal(turn: Turn, board: Board, left: Dice, step: Step) -> Reason | None:
    """Why the step is no step on this board with these dice left, or None if it is one.

    Whether the play as a whole uses the greatest total is not asked here, nor is a block that is judged only after the turn.
    """
    slot, landing, die = step
    mover, opponent = board
    rules = turn.rules
    is_send = step == send(die)

    if cleared(mover):
        return Reason.GAME_OVER
    if die not in left or (is_send and die not in turn.sending):
        return Reason.NO_SUCH_DIE
    if not BAR <= slot < OFF or mover[slot] == 0:
        return Reason.NO_CHECKER

    # Short nardy: while checkers are on the bar, only they may step.
    if rules.bar_first and mover[BAR] and slot != BAR:
        return Reason.BAR_FIRST

    if slot == HEAD:
        # Fevga: one checker leaves the head and must pass the opponent's head before any other may.
        if rules.runner and mover[HEAD] < rules.checkers and not has_passed(board, rules):
            return Reason.RUNNER_NOT_PAST
        # At most so many steps of a turn may leave the head. As many have left it as it has lost.
        if turn.head_limit is not None and turn.start[0][HEAD] - mover[HEAD] >= turn.head_limit:
            return Reason.HEAD_USED

    if landing < OFF:
        # A frozen home: from there, checkers are only borne off.
        if slot >= HOME and not rules.home_steps:
            return Reason.HOME_FROZEN
        # Long nardy: a point is held by any checker. Short nardy: by two or more; a lone one is hit.
        holders = opponent[opposite(rules.road, landing)]
        if holders >= (1 if rules.road == "parallel" else 2):
            return Reason.POINT_HELD
        if rules.stack_limit is not None and mover[landing] >= rules.stack_limit:
            return Reason.STACK_FULL
    else:
        # Bearing off is allowed while all checkers of the mover are home or off.
        if not all_home(mover):
            return Reason.NOT_ALL_HOME
        if rules.bear_off_start == "next_turn" and not all_home(turn.start[0]):
            return Reason.OFF_NEXT_TURN
        if rules.off_dice == "one_six" and die not in (1, 6):
            return Reason.OFF_DIE
        if slot + die > OFF:
            # The die is larger than needed: only if no checker has q >= die, and then from the highest q.
            if rules.bear_off == "exact":
                return Reason.EXACT_DIE_ONLY
            if any(mover[:slot]):
                return Reason.FARTHER_BACK

    # The moved checker leaves its point before the check.
    if rules.block_check == "step":
        mover, opponent = after_step(board, step, rules)
        if illegal_block(mover, opponent, rules) is not None:
            return Reason.BLOCK

    # While a die that is left can send, the next step is a send.
    if turn.sending and not rules.send_optional and not is_send and can_send(turn, board, left):
        return Reason.SEND_FIRST

    return None


def can_send(turn: Turn, board: Board, left: Dice) -> bool:
    """Whether some die that is left can send a checker from the head."""
    return any(refusal(turn, board, left, send(die)) is None for die in turn.sending.intersection(left))


def has_passed(board: Board, rules: Ruleset) -> bool:
    """Whether some checker of the mover is past the opponent's head, or borne off."""
    mover, _ = board
    return any(mover[opposite(rules.road, HEAD) + 1 :])


def is_hit(board: Board, step: Step, rules: Ruleset) -> bool:
    """Whether the step hits: on contrary roads, a landing on a point with exactly one opponent."""
    _, landing, _ = step
    return rules.road == "contrary" and landing < OFF and board[1][opposite(rules.road, landing)] == 1


def after_step(board: Board, step: Step, rules: Ruleset) -> Board:
    """The board after a step that is allowed."""
    slot, landing, _ = step
    mover, opponent = list(board[0]), list(board[1])
    mover[slot] -= 1
    mover[landing] += 1
    if is_hit(board, step, rules):
        opponent[opposite(rules.road, landing)] -= 1
        opponent[BAR] += 1
    return tuple(mover), tuple(opponent)


def without(left: Dice, die: int) -> Dice:
    """The dice left once `die` is played."""
    place = left.index(die)
    return left[:place] + left[place + 1 :]


def possible_steps(turn: Turn, board: Board, left: Dice) -> list[Step]:
    """Every step that is allowed in itself on this board with these dice left, in ascending order."""
    dice = sorted(set(left))
    steps = [ordinary(slot, die) for slot in range(OFF) if board[0][slot] for die in dice]
    steps += [send(die) for die in turn.sending.intersection(left)]
    return sorted(step for step in steps if refusal(turn, board, left, step) is None)
