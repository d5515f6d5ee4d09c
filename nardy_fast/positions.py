"""What a position holds besides its board, and what every room may ask of a position, whoever implements it.

A throw may be played in several stages (rulebook, section 3). Those that are still to be played wait in a queue, `Pending`, which
is part of the position. Both implementations share these types and their checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_int, short_repr
from nardy_fast.reasons import Reason
from nardy_fast.rules import BLACK, HEAD, WHITE, Ruleset

#: So many stages can wait at most: what is left of the ones, and then the twos to the sixes.
MAX_STAGES = 6
#: So many equal dice a stage has at most: six steps of a 6 with 6-6 where the smaller die counts the steps.
MAX_DICE = 6
#: How many numbers say what is pending: the thrower, two counts of head steps, how many stages, and four numbers for each.
ROW = 4 + 4 * MAX_STAGES

_COLOURS = {WHITE: "White", BLACK: "Black"}


@dataclass(frozen=True, slots=True)
class Stage:
    """Dice that one player plays in one go (rulebook, section 3).

    `player`: 0 White, 1 Black. `dice`: one die, two different ones (kept with the larger first), or 2 to 6 equal ones.
    `carried`: whether they were left over by the opponent, who threw them.

    Raises `TypeError` for what is no integer and `ValueError` for another player or other dice.
    """

    player: int
    dice: tuple[int, ...]
    carried: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", as_int("player", self.player, WHITE, BLACK))
        object.__setattr__(self, "dice", _stage_dice(self.dice))
        if not isinstance(self.carried, bool):
            raise TypeError(f"carried = {short_repr(self.carried)}: expected True or False")

    @property
    def is_mixed(self) -> bool:
        """Whether the dice are two different ones."""
        return self.dice[0] != self.dice[-1]


@dataclass(frozen=True, slots=True)
class Pending:
    """The rest of a throw: what is still to be played of it before anybody throws again (rulebook, section 3).

    `thrower`: who threw, 0 White or 1 Black. `heads`: how many steps White and Black have made from their heads in this throw.
    `stages`: those to be played, in their order, 1 to 6 of them; one is carried if its player is not the thrower.

    Raises `TypeError` for what is no integer or no `Stage`, and `ValueError` for any other number and for a stage whose `carried`
    does not agree with its player. Whether some rules can lead to such a queue is for `check_pending`.
    """

    thrower: int
    heads: tuple[int, int]
    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "thrower", as_int("thrower", self.thrower, WHITE, BLACK))
        object.__setattr__(self, "heads", _head_steps(self.heads))
        object.__setattr__(self, "stages", _stages(self.stages))
        for number, stage in enumerate(self.stages, 1):
            if stage.carried != (stage.player != self.thrower):
                carried = "the thrower's own, which is not carried" if stage.carried else "not the thrower's, so it is carried"
                raise ValueError(f"stages: carried = {stage.carried} of stage {number}: it is {carried}")

    @property
    def player(self) -> int:
        """Who plays the first of the stages."""
        return self.stages[0].player

    def to_row(self) -> NDArray[np.int8]:
        """The 28 numbers that say the same to batches, int8.

        The thrower; the head steps of White and of Black; the number of stages; then for each of six stages its player, its die
        (the larger of two), how many of it, and the smaller of two different dice or 0; stages that there are not are 0.
        """
        row = np.zeros(ROW, dtype=np.int8)
        row[:4] = self.thrower, *self.heads, len(self.stages)
        for place, stage in enumerate(self.stages):
            number, second = (1, stage.dice[-1]) if stage.is_mixed else (len(stage.dice), 0)
            row[4 + 4 * place : 8 + 4 * place] = stage.player, stage.dice[0], number, second
        return row

    @classmethod
    def from_row(cls, row: Any) -> Pending | None:
        """What `to_row` wrote; None for 28 zeros, which stand for nothing pending: the player in row 0 of the board throws.

        Raises `TypeError` for what is no row of integers and `ValueError` for numbers that `to_row` does not write.
        """
        numbers = np.asarray(row)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"pending has dtype {numbers.dtype}: expected integers")
        if numbers.shape != (ROW,):
            raise ValueError(f"pending has shape {numbers.shape}: expected ({ROW},)")
        if not numbers.any():
            return None
        thrower, white, black, count, *rest = numbers.tolist()
        if not 1 <= count <= MAX_STAGES or any(rest[4 * count :]):
            raise ValueError(f"pending[3] = {count}: expected 1 to {MAX_STAGES} stages and 0 after them, or 28 zeros")
        stages = []
        for place in range(count):
            player, die, number, second = rest[4 * place : 4 * place + 4]
            if not 1 <= number <= MAX_DICE or (second and (number != 1 or not 1 <= second < die)):
                stage = (player, die, number, second)
                raise ValueError(f"pending: stage {place + 1} is {stage}: expected player, die, how many, smaller die or 0")
            stages.append(Stage(player, (die, second) if second else (die,) * number, player != thrower))
        return cls(thrower, (white, black), tuple(stages))


def check_pending(pending: Any, board: Sequence[Sequence[int]], turn: int, rules: Ruleset) -> None:
    """Raise unless `rules` can leave this pending with `turn` to play on `board`, the player to move in row 0.

    `TypeError` for anything but a `Pending` or None. `ValueError` where the rules let no stage wait, or none of this kind, in
    this number or in this order (rulebook, section 3); where the first stage is not that of the player to move; and where a side
    has made more steps from the head than it has lost checkers there. That the game is not over is for the caller to see.
    """
    if pending is None:
        return
    if not isinstance(pending, Pending):
        raise TypeError(f"pending = {short_repr(pending)}: expected a Pending or None")
    if not rules.has_queue:
        raise ValueError(f"pending: by the rules {rules.name!r} no stage waits")
    for place, stage in enumerate(pending.stages):
        reason = _refusal(pending.stages, place, rules)
        if reason is not None:
            dice = "".join(map(str, stage.dice))
            raise ValueError(f"pending: stage {place + 1}, {_COLOURS[stage.player]}'s {dice}: {reason}")
    if pending.player != turn:
        raise ValueError(f"turn = {turn}: the first pending stage is {_COLOURS[pending.player]}'s")
    for colour, steps in enumerate(pending.heads):
        lost = rules.checkers - int(board[colour ^ turn][HEAD])
        if steps > lost:
            raise ValueError(f"heads[{colour}] = {steps}: {_COLOURS[colour]}'s head has lost only {lost}")


def as_stage_dice(dice: Any, pending: Pending) -> tuple[int, ...]:
    """The dice of the first pending stage, for which None stands, or those dice in any order; `ValueError` for any other."""
    due = pending.stages[0].dice
    if dice is not None and _stage_dice(dice) != due:
        raise ValueError(f"dice = {short_repr(dice)}: a stage is pending, so expected none or its own, {due}")
    return due


def refuse_pending(position: Any, what: str) -> None:
    """`ValueError` where stages are pending, of which `what` knows nothing."""
    if position.pending is not None:
        raise ValueError(f"position = {short_repr(str(position))}: stages are pending, and {what} does not hold them")


def first_stage(roll: tuple[int, int], player: int, rules: Ruleset) -> tuple[int, ...]:
    """The dice of the first stage of a throw, whose larger die comes first; none where the player may not play it."""
    high, low = roll
    if rules.throw == "product":
        # White plays only even numbers of steps, and Black only odd ones.
        return () if rules.parity and low % 2 != player else (high,) * low
    if high != low:
        return roll
    return (high,) * (rules.cascade_steps if rules.throw == "cascade" else 4)


def _refusal(stages: tuple[Stage, ...], place: int, rules: Ruleset) -> str | None:
    """Why this stage cannot wait at its place in the queue, or None.

    First there may be what is left of a stage; after it come the whole stages of a cascade, up to the sixes.
    """
    stage = stages[place]
    die, number = stage.dice[0], len(stage.dice)
    if stage.carried and rules.unplayed == "lost":
        return "dice left over are lost, not carried"
    if rules.throw != "cascade":
        if len(stages) > 1:
            return "a throw has one stage, so that only one can wait"
        if not stage.carried:
            return "a throw has one stage, which does not wait"
    most = {"pair": 4, "product": die, "cascade": rules.cascade_steps}[rules.throw]
    if not stage.is_mixed and number > most:
        return f"at most {most} of this die can be left"
    if stage.is_mixed and rules.throw == "product":
        return "a throw gives equal dice, never a pair of different ones"
    if stage.is_mixed and not stage.carried:
        return "a pair of different dice waits only if it is carried"
    if rules.throw != "cascade":
        return None

    if not stage.carried and die == 1:
        return "the first stage of a throw never waits"

    # What waits of a double goes up to the sixes, so only what is left of a pair stands alone before them.
    last = place == len(stages) - 1
    if last and die < 6 and not (place == 0 and stage.carried and (stage.is_mixed or number == 1)):
        return "a cascade goes up to the sixes"
    if not last and (stage.is_mixed or stages[place + 1].dice[0] != die + 1):
        return "in a cascade the next die follows"
    if number < most and (place > 0 or not stage.carried):
        return f"a stage that has not begun has all its {most} dice"
    if place > 0 and stage.carried != (rules.unplayed == "rest" and stages[0].carried):
        return "only the first stage can be carried" if rules.unplayed == "stage" else "all stages pass to the opponent, or none"
    return None


class PositionLike(Protocol):
    """What the other rooms ask of a position; both implementations have it."""

    @property
    def board(self) -> NDArray[np.int8]: ...
    @property
    def turn(self) -> int: ...
    @property
    def rules(self) -> Ruleset: ...
    @property
    def pending(self) -> Pending | None: ...
    @property
    def pips(self) -> tuple[int, int]: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def winner(self) -> int | None: ...
    def plays(self, dice: Any) -> Sequence[Any]: ...
    def next_steps(self, dice: Any, played: Any = ()) -> tuple[tuple[int, ...], ...]: ...
    def why_not(self, dice: Any, step: Any, played: Any = ()) -> Reason | None: ...
    def notation(self, numbering: str = ...) -> str: ...


def _listed(name: str, given: Any, expected: str) -> list[Any]:
    """What an ordered collection holds."""
    if isinstance(given, (str, bytes, set, frozenset, dict)) or not isinstance(given, Iterable):
        raise TypeError(f"{name} = {short_repr(given)}: expected {expected}")
    return list(given)


def _stage_dice(given: Any) -> tuple[int, ...]:
    dice = sorted((as_int("dice", die, 1, 6) for die in _listed("dice", given, "dice")), reverse=True)
    if not 1 <= len(dice) <= MAX_DICE or (len(set(dice)) > 1 and len(dice) > 2):
        raise ValueError(f"dice = {short_repr(given)}: expected one die, two different ones, or 2 to {MAX_DICE} equal ones")
    return tuple(dice)


def _head_steps(given: Any) -> tuple[int, int]:
    heads = [as_int("heads", steps, 0, 15) for steps in _listed("heads", given, "the steps of White and of Black")]
    if len(heads) != 2:
        raise ValueError(f"heads = {short_repr(given)}: expected two numbers, the steps of White and of Black")
    return heads[0], heads[1]


def _stages(given: Any) -> tuple[Stage, ...]:
    stages = _listed("stages", given, "a list of Stage")
    if any(not isinstance(stage, Stage) for stage in stages):
        raise TypeError(f"stages = {short_repr(given)}: expected a list of Stage")
    if not 1 <= len(stages) <= MAX_STAGES:
        raise ValueError(f"stages = {short_repr(given)}: expected 1 to {MAX_STAGES}; where there is none, pending is None")
    return tuple(stages)
