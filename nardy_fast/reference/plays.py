"""All the plays of a turn: the sequences of steps of greatest total of dice used (rulebook, section 1, Obligation)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from nardy_fast.arguments import GivenStep
from nardy_fast.reasons import Reason
from nardy_fast.reference.blocks import illegal_block, is_open_prime
from nardy_fast.reference.board import Board, cleared
from nardy_fast.reference.head import with_head_limit
from nardy_fast.reference.sends import send, sending_dice
from nardy_fast.reference.stages import Due
from nardy_fast.reference.steps import Dice, Step, Turn, after_step, ordinary, possible_steps, refusal, without
from nardy_fast.rules import HEAD, Ruleset

#: Steps in the order they are made.
Steps: TypeAlias = tuple[Step, ...]


class Stand(NamedTuple):
    """How a turn stands after some of its steps."""

    board: Board
    left: Dice


@dataclass(frozen=True)
class Legal:
    """What may be played in a turn."""

    turn: Turn
    plays: dict[Board, Steps]  # each distinct afterstate, the mover still in row 0, with its smallest sequence of greatest total
    total: int  # the total of dice that these use
    complete: set[Stand]  # where a legal play may end
    on_the_way: set[Stand]  # where some legal play comes by, or ends
    may_end: set[Stand]  # where blocks that are judged after the turn let it end

    @property
    def start(self) -> Stand:
        """The stand before the first step."""
        return Stand(self.turn.start, self.turn.dice)


def begin(board: Board, due: Due, rules: Ruleset) -> Turn:
    """The turn, or the stage of one, of the player in row 0."""
    turn = Turn(board, due.dice, rules, rules.head_limit, sending_dice(due.dice, rules))
    return with_head_limit(turn, due.heads[due.player])


def step_on(turn: Turn, stand: Stand, step: Step) -> Stand:
    """How the turn stands after one more step."""
    return Stand(after_step(stand.board, step, turn.rules), without(stand.left, step[2]))


def legal_plays(turn: Turn) -> Legal:
    """What may be played.

    The turn is followed one step at a time, through every stand that can be reached. All ways to a stand have the same number
    of steps, so the smallest way to it goes on from the smallest way to the stand before.
    """
    reached: dict[Stand, Steps] = {}
    following: dict[Stand, set[Stand]] = {}
    level: dict[Stand, Steps] = {Stand(turn.start, turn.dice): ()}
    while level:
        reached |= level
        next_level: dict[Stand, Steps] = {}
        for stand, steps in level.items():
            following[stand] = set()
            for step in possible_steps(turn, *stand):
                after, longer = step_on(turn, stand, step), (*steps, step)
                following[stand].add(after)
                if after not in next_level or longer < next_level[after]:
                    next_level[after] = longer
        level = next_level

    may_end = stands_to_end_in(turn, set(reached))
    greatest = max(total(reached[stand]) for stand in may_end)
    plays = {stand.board: reached[stand] for stand in may_end if total(reached[stand]) == greatest}
    # The step that bears off the last checker ends the game, whatever dice are left; but not where a longer play ends otherwise.
    ends_game = {stand for stand in reached if cleared(stand.board[0]) and stand.board in plays}
    complete = {stand for stand in may_end if total(reached[stand]) == greatest} | ends_game

    on_the_way = set(complete)
    for stand in reversed(reached):  # those that come later first
        if following[stand] & on_the_way:
            on_the_way.add(stand)
    return Legal(turn, plays, greatest, complete, on_the_way, may_end)


def stands_to_end_in(turn: Turn, reached: set[Stand]) -> set[Stand]:
    """The stands in which the turn may end: all, but for blocks that are judged there and not after every step."""
    rules = turn.rules
    if rules.block_check == "turn":
        reached = {stand for stand in reached if illegal_block(*stand.board, rules) is None}
    if rules.block_rule == "fevga_open":
        # Where none of them leaves the opponent a way out, it does not bind.
        return {stand for stand in reached if not is_open_prime(*stand.board, rules)} or reached
    return reached


def total(steps: Steps) -> int:
    """The total of the dice used."""
    return sum(die for _, _, die in steps)


def why_not_step(legal: Legal, stand: Stand, step: Step) -> Reason | None:
    """Why no legal play goes on with this step, or None if one does."""
    turn = legal.turn
    reason = refusal(turn, stand.board, stand.left, step)
    if reason is not None:
        return reason

    after = step_on(turn, stand, step)
    if after in legal.on_the_way:
        return None
    if not after.left and after not in legal.may_end:
        return Reason.BLOCK

    # The step is possible in itself, but no play of the greatest total has it.
    is_first_of_mixed = stand == legal.start and len(set(turn.dice)) == 2
    if is_first_of_mixed and turn.dice == (legal.total, step[2]):
        return Reason.LARGER_DIE
    return Reason.WASTES_DIE


def meant(legal: Legal, stand: Stand, given: GivenStep) -> Step:
    """The step that is given by its slot and die, and perhaps by where it goes.

    Where both a send and an ordinary step can be meant, it is the one that can be played; `ValueError` if both can.
    """
    slot, landing, die = given
    if landing is not None:
        return slot, landing, die
    steps = [ordinary(slot, die)]
    if slot == HEAD and die in legal.turn.sending:
        steps.append(send(die))
    playable = [step for step in steps if why_not_step(legal, stand, step) is None]
    if len(playable) > 1:
        ways = " or ".join(map(str, playable))
        raise ValueError(f"({slot}, {die}) is ambiguous: {ways}")
    return playable[0] if playable else steps[0]


def follow(legal: Legal, played: tuple[GivenStep, ...]) -> tuple[Stand, Steps]:
    """How the turn stands after the steps played, and those steps in full.

    Raises `ValueError` with the number and the reason of the first step that no legal play goes on with.
    """
    stand = legal.start
    steps: Steps = ()
    for number, given in enumerate(played, 1):
        try:
            step = meant(legal, stand, given)
            reason = why_not_step(legal, stand, step)
            if reason is not None:
                raise ValueError(reason.sentence)
        except ValueError as error:
            raise ValueError(f"step {number}: {error}") from None
        stand, steps = step_on(legal.turn, stand, step), (*steps, step)
    return stand, steps


def offered_steps(legal: Legal, stand: Stand) -> Steps:
    """Every step with which some legal play goes on, in ascending order; none once the play is complete."""
    return tuple(step for step in possible_steps(legal.turn, *stand) if step_on(legal.turn, stand, step) in legal.on_the_way)
