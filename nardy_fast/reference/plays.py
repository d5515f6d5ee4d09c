"""All the plays of a turn: the sequences of steps of greatest total of dice used (rulebook, section 1, obligation)."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from nardy_fast.reasons import Reason
from nardy_fast.reference.blocks import illegal_block
from nardy_fast.reference.board import Board
from nardy_fast.reference.head import with_head_limit
from nardy_fast.reference.steps import Dice, Step, Turn, after_step, possible_steps, refusal, without
from nardy_fast.rules import Ruleset

#: Steps in the order they are made.
Steps: TypeAlias = tuple[Step, ...]


class Stand(NamedTuple):
    """How a turn stands after some of its steps."""

    board: Board
    left: Dice


def begin(board: Board, roll: tuple[int, int], rules: Ruleset) -> Turn:
    """The turn of the player in row 0 with this roll, the larger die first. A double gives four steps of the same die."""
    dice = roll * 2 if roll[0] == roll[1] else roll
    return with_head_limit(Turn(board, dice, rules, rules.head_limit))


def step_on(turn: Turn, stand: Stand, step: Step) -> Stand:
    """How the turn stands after one more step."""
    return Stand(after_step(stand.board, step, turn.rules), without(stand.left, step[1]))


def may_end(turn: Turn, stand: Stand) -> bool:
    """Whether the afterstate is legal. It always is unless blocks are judged there and not after every step."""
    return turn.rules.block_check == "step" or illegal_block(*stand.board, turn.rules) is None


def all_plays(turn: Turn) -> dict[Board, Steps]:
    """Each distinct afterstate, the mover still in row 0, with the smallest of the legal sequences that reach it.

    The turn is followed one step at a time, through every stand that can be reached. All ways to a stand have the same number
    of steps, so the smallest way to it goes on from the smallest way to the stand before.
    """
    reached: dict[Stand, Steps] = {}
    level: dict[Stand, Steps] = {Stand(turn.start, turn.dice): ()}
    while level:
        reached |= level
        following: dict[Stand, Steps] = {}
        for stand, steps in level.items():
            for step in possible_steps(turn, *stand):
                after, longer = step_on(turn, stand, step), (*steps, step)
                if after not in following or longer < following[after]:
                    following[after] = longer
        level = following

    ends = {stand: steps for stand, steps in reached.items() if may_end(turn, stand)}
    greatest = max(total(steps) for steps in ends.values())
    return {stand.board: steps for stand, steps in ends.items() if total(steps) == greatest}


def total(steps: Steps) -> int:
    """The total of the dice used."""
    return sum(die for _, die in steps)


def greatest_total(turn: Turn) -> int:
    """The total of dice that every legal play of the turn uses."""
    return max(total(steps) for steps in all_plays(turn).values())


def can_use(turn: Turn, stand: Stand, wanted: int) -> bool:
    """Whether some sequence of steps from here uses exactly the wanted total of dice, and the turn may end after it."""
    if wanted == 0:
        return may_end(turn, stand)
    return any(
        can_use(turn, step_on(turn, stand, step), wanted - step[1]) for step in possible_steps(turn, *stand) if step[1] <= wanted
    )


def why_not_step(turn: Turn, stand: Stand, wanted: int, step: Step) -> Reason | None:
    """Why no legal play goes on with this step when a total of `wanted` is still to be used, or None if one does."""
    reason = refusal(turn, stand.board, stand.left, step)
    if reason is not None:
        return reason

    _, die = step
    after = step_on(turn, stand, step)
    if not after.left and not may_end(turn, after):
        return Reason.BLOCK
    if die <= wanted and can_use(turn, after, wanted - die):
        return None

    # The step is possible in itself, but no play of the greatest total has it.
    is_first_of_mixed = len(turn.dice) == 2 and stand.left == turn.dice
    if is_first_of_mixed and turn.dice == (wanted, die):
        return Reason.LARGER_DIE
    return Reason.WASTES_DIE


def follow(turn: Turn, played: Steps) -> tuple[Stand, int]:
    """How the turn stands after the steps played, and the total of dice still to be used.

    Raises `ValueError` with the number and the reason of the first step that no legal play goes on with.
    """
    stand, wanted = Stand(turn.start, turn.dice), greatest_total(turn)
    for number, step in enumerate(played, 1):
        reason = why_not_step(turn, stand, wanted, step)
        if reason is not None:
            raise ValueError(f"step {number}: {reason.sentence}")
        stand, wanted = step_on(turn, stand, step), wanted - step[1]
    return stand, wanted


def offered_steps(turn: Turn, stand: Stand, wanted: int) -> Steps:
    """Every step with which some legal play goes on, in ascending order; none once the play is complete."""
    steps = possible_steps(turn, *stand)
    return tuple(step for step in steps if why_not_step(turn, stand, wanted, step) is None)
