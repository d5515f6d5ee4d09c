"""The turn in the making, for boards that people click on (rulebook, section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_dice
from nardy_fast.core._position import Play, Position
from nardy_fast.positions import as_stage_dice, first_stage
from nardy_fast.reasons import Reason
from nardy_fast.rules import LAST, OFF, opposite

SourceDie = tuple[int, int]
#: (from, to, die)
FullStep = tuple[int, int, int]


class Landings(NamedTuple):
    """Where one checker can go, in slots of the mover's track.

    `one`: landing -> the dice that bring it there, each in one step. `several`: landing -> the ways there in two steps or more,
    each a tuple of (from, die) to be played in this order.
    """

    one: dict[int, tuple[int, ...]]
    several: dict[int, tuple[tuple[SourceDie, ...], ...]]


def steps_after(position: Position, dice: tuple[int, ...], played: tuple[FullStep, ...]) -> tuple[FullStep, ...]:
    """The steps (from, to, die) of a turn with these dice that may follow those played."""
    steps: Iterable[tuple[int, ...]] = position.next_steps(dice, played)
    return tuple((step[0], step[1] if len(step) == 3 else min(sum(step), OFF), step[-1]) for step in steps)


class Turn:
    """A turn that is being put together step by step, and may be taken apart again before it is committed.

    `dice` are the two dice of the throw; where a stage is pending in `position`, its dice or None. Where a throw is played in
    several stages, a `Turn` is one of them (rulebook, section 3).

    Only such steps can be played from which some legal full play continues (rulebook, section 1, Obligation), so that what is
    complete is legal. A `Turn` changes neither `position` nor a game: `commit` hands out the `Play`.
    """

    play_type: ClassVar[Any] = Play

    def __init__(self, position: Position, dice: tuple[int, ...] | None) -> None:
        self.position = position
        pending = position.pending
        if pending is None:
            roll = as_dice(dice)
            dice, stage = roll, first_stage(roll, position.turn, position.rules)
        else:
            dice = stage = as_stage_dice(dice, pending)
        #: What was thrown, the larger die first; or the dice of the stage that was pending.
        self.dice: tuple[int, ...] = dice
        #: The dice to play, the larger first: four of a double in most games.
        self.stage = stage
        self._played: tuple[FullStep, ...] = ()
        self._steps: tuple[FullStep, ...] = self._next(())

    @property
    def played(self) -> tuple[FullStep, ...]:
        """The steps so far, as (from, to, die)."""
        return self._played

    @property
    def dice_left(self) -> tuple[int, ...]:
        """The dice not yet played, larger first; four at the start of a double in most games."""
        left = list(self.stage)
        for _, _, die in self._played:
            left.remove(die)
        return tuple(left)

    @property
    def board(self) -> NDArray[np.int8]:
        """The board after the steps so far, int8 (2, 26), the mover in row 0."""
        board = self.position.board.copy()
        for source, landing, _ in self._played:
            board[0, source] -= 1
            board[0, landing] += 1
            if self.position.rules.road == "contrary" and landing <= LAST:
                there = opposite("contrary", landing)
                board[1, 0] += board[1, there]
                board[1, there] = 0
        return board

    def steps(self) -> tuple[tuple[int, ...], ...]:
        """The (from, die) that can be played now, sorted; none when the turn is complete.

        By rules with sends, which (from, die) does not tell from ordinary steps, they are (from, to, die).
        """
        if self.position.rules.send is not None:
            return self._steps
        return tuple((source, die) for source, _, die in self._steps)

    def landings(self) -> dict[int, Landings]:
        """For each slot with a checker that can step now: where that checker can go."""
        return {source: self._landings_from(source) for source in sorted({step[0] for step in self._steps})}

    def _landings_from(self, source: int) -> Landings:
        one: dict[int, tuple[int, ...]] = {}
        several: dict[int, tuple[tuple[SourceDie, ...], ...]] = {}
        ways: list[tuple[FullStep, ...]] = [(step,) for step in self._steps if step[0] == source]
        for way in ways:  # grows while it is read
            landing = way[-1][1]
            if len(way) == 1:
                one[landing] = (*one.get(landing, ()), way[0][2])
            else:
                several[landing] = (*several.get(landing, ()), tuple((slot, die) for slot, _, die in way))
            ways += [(*way, step) for step in self._next((*self._played, *way)) if step[0] == landing]
        return Landings(one, several)

    def why_not(self, source: int, die: int, to: int | None = None) -> Reason | None:
        """Why the checker in slot `source` cannot step by `die` now, or None if it can; `Reason.sentence` puts it in words.

        `to`: where it goes, as for `play_step`.
        """
        step = (source, die) if to is None else (source, to, die)
        return self.position.why_not(self.dice, step, self._played)

    def play_step(self, source: int, die: int, to: int | None = None) -> None:
        """Steps with a checker from slot `source` by `die`; `ValueError` with the reason if that cannot be played now.

        `to`: where the step goes, which must be told where the die may take the checker to two places, as in Один-шесть a 6 from
        the head (rulebook, section 3).
        """
        found = [step for step in self._steps if step[0] == source and step[2] == die and to in (None, step[1])]
        if len(found) > 1:
            landings = " or ".join(str(step[1]) for step in found)
            raise ValueError(f"step ({source}, {die}): it goes to {landings}, expected which of them as to=")
        if not found:
            reason = self.why_not(source, die, to)
            assert reason is not None, "what next_steps leaves out has a reason"
            raise ValueError(f"step ({source}, {die}): {reason.sentence}")
        self._set_played((*self._played, found[0]))

    def take_back(self) -> None:
        """Takes back the last step; `ValueError` if there is none."""
        if not self._played:
            raise ValueError("take_back: no step has been played")
        self._set_played(self._played[:-1])

    def reset(self) -> None:
        """Takes back all steps."""
        self._set_played(())

    def _set_played(self, played: tuple[FullStep, ...]) -> None:
        self._steps = self._next(played)
        self._played = played

    def _next(self, played: tuple[FullStep, ...]) -> tuple[FullStep, ...]:
        return steps_after(self.position, self.dice, played)

    @property
    def is_complete(self) -> bool:
        """Whether nothing more can, and so must, be played."""
        return not self._steps

    @property
    def is_pass(self) -> bool:
        """Whether nothing can be played with these dice, so that the turn is a forced pass."""
        return self.is_complete and not self._played and not self.position.is_over

    @property
    def forced_play(self) -> Play | None:
        """The play, if only one afterstate can be reached from the start of the turn; a forced pass is a play without steps."""
        plays = self.position.plays(self.dice) if self.position.is_forced(self.dice) else []
        return plays[0] if plays else None

    def commit(self) -> Play:
        """The finished play, its `afterstate` the new position; `ValueError` if more must be played or the game is over."""
        play: Play = self.play_type(self.position, self.dice, self._played)
        return play

    def __repr__(self) -> str:
        return f"Turn({self.position!r}, {self.dice}), played {self._played}"
