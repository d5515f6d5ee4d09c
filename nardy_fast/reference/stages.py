"""A throw and its stages: what is to be played, what passes on to whom, and who is next (rulebook, section 3)."""

from __future__ import annotations

from typing import NamedTuple

from nardy_fast.positions import Pending, Stage, first_stage
from nardy_fast.reference.steps import Dice, Step
from nardy_fast.rules import HEAD, Ruleset


class Due(NamedTuple):
    """The stage that is played next, and what is known of its throw."""

    player: int
    dice: Dice
    thrower: int
    heads: tuple[int, int]  # the steps that White and Black have made from their heads in this throw
    waiting: tuple[Stage, ...]  # the stages after this one
    is_first: bool  # whether it is the first of the throw, of which nothing has been played

    @property
    def is_carried(self) -> bool:
        """Whether the dice were left over by the opponent."""
        return self.player != self.thrower

    @property
    def is_double(self) -> bool:
        """Whether the dice are two or more and equal."""
        return len(self.dice) > 1 and len(set(self.dice)) == 1


def of_throw(roll: tuple[int, int], player: int, rules: Ruleset) -> Due:
    """The first stage of a throw, whose larger die comes first."""
    high, low = roll
    further = range(high + 1, 7) if rules.throw == "cascade" and high == low else range(0)
    waiting = tuple(Stage(player, (die,) * rules.cascade_steps) for die in further)
    return Due(player, first_stage(roll, player, rules), player, (0, 0), waiting, is_first=True)


def of_queue(pending: Pending) -> Due:
    """The first stage of those that are pending."""
    stage, *waiting = pending.stages
    return Due(stage.player, stage.dice, pending.thrower, pending.heads, tuple(waiting), is_first=False)


def next_player(due: Due, steps: tuple[Step, ...], left: Dice, rules: Ruleset) -> tuple[int, Pending | None]:
    """Who plays after these steps of the stage, with these dice left over, and what is pending then.

    The game goes on; else nothing is pending.
    """
    opponent = 1 - due.player

    # A double thrown of which nothing can be played is void.
    if rules.void_double and due.is_first and due.is_double and not steps:
        return opponent, None

    waiting = due.waiting
    # What a carried stage leaves over never comes back.
    if left and not due.is_carried and rules.unplayed != "lost":
        if rules.unplayed == "rest":
            waiting = tuple(Stage(opponent, stage.dice, carried=True) for stage in waiting)
        waiting = (Stage(opponent, left, carried=True), *waiting)
    if waiting:
        return waiting[0].player, Pending(due.thrower, heads_after(due, steps), waiting)

    # Who has played a double in full throws again.
    if rules.throw_again and due.is_first and due.is_double and not left:
        return due.thrower, None
    return 1 - due.thrower, None


def heads_after(due: Due, steps: tuple[Step, ...]) -> tuple[int, int]:
    """The steps that White and Black have made from their heads once the stage is played."""
    heads = list(due.heads)
    heads[due.player] += sum(source == HEAD for source, _, _ in steps)
    return heads[0], heads[1]
