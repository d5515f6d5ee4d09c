"""Exact endgames from first principles: a recursion over plays, in fractions. Slow: for a handful of checkers.

A side that bears off is told by the counts of its checkers on points 1, 2 ... 6, the last before the edge first; all else is
borne off. What the native tables must agree with, to the last digit that they store, is written down here as plainly as can be.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

from nardy_fast.reference.position import Position
from nardy_fast.results import points_of
from nardy_fast.rules import BLACK, LAST, OFF, ROLLS, SLOTS, Ruleset, ruleset

Counts = tuple[int, ...]
Number = Fraction | int


def number(counts: Counts) -> int:
    """How many ways to have checkers on these points come before this one.

    They are put in order by the number of checkers, then by how many are not on point 1, then by how many on neither 1 nor 2, and
    so on; every step makes the number smaller. Ties between plays go to the smallest number.
    """
    n = len(counts)
    return sum(comb(sum(counts[q:]) + n - 1 - q, n - q) for q in range(n))


class Outcome(NamedTuple):
    """What the side to move can expect of two sides that bear off; see `nardy_fast.bearoff.Race`."""

    equity: Number
    win: Number
    mars: Number
    draw: Number
    loss: Number
    lost_mars: Number

    def seen_by_other(self) -> Outcome:
        """The same for the other side."""
        return Outcome(-self.equity, self.loss, self.lost_mars, self.draw, self.win, self.mars)

    def plus(self, other: Outcome, weight: Number) -> Outcome:
        """This and so much of another."""
        return Outcome(*(mine + weight * his if his else mine for mine, his in zip(self, other, strict=True)))

    def over(self, weight: Number) -> Outcome:
        """A share of this."""
        return Outcome(*(Fraction(mine) / weight if mine else mine for mine in self))


NOTHING = Outcome(0, 0, 0, 0, 0, 0)


class Cube(NamedTuple):
    """What the side to move can expect with a cube, for a stake of 1, if it does not double this turn."""

    centred: Fraction
    owned: Fraction
    theirs: Fraction

    def best(self) -> Cube:
        """The same if it may double: the other then has the cube at twice the stake, or gives up one (rulebook, section 2)."""
        doubled = min(2 * self.theirs, Fraction(1))
        return Cube(max(self.centred, doubled), max(self.owned, doubled), self.theirs)


class BearOff:
    """The endgame by some rules, with all that was worked out remembered."""

    def __init__(self, rules: str | Ruleset = "long") -> None:
        self.rules = ruleset(rules)
        #: With `keep` everybody wants to be late.
        self._sign = -1 if self.rules.goal == "keep" else 1
        for name in ("plays", "mean", "best", "finished", "within", "outcome", "cube"):
            setattr(self, name, cache(getattr(self, name)))

    def plays(self, counts: Counts, dice: tuple[int, int]) -> list[Counts]:
        """What the plays of a roll lead to, in the order of `number` (rulebook, section 1)."""
        row = [0] * SLOTS
        for q, checkers in enumerate(counts, start=1):
            row[OFF - q] = checkers
        row[OFF] = self.rules.checkers - sum(counts)
        plays = Position([row, self._far_away()], rules=self.rules).plays(dice)
        afterstates = {tuple(int(play.afterstate.board[1, OFF - q]) for q in range(1, len(counts) + 1)) for play in plays}
        return sorted(afterstates, key=number)

    def _far_away(self) -> list[int]:
        """An opponent who is in nobody's way: all on his last three points, where even a stack limit lets them be."""
        row = [0] * SLOTS
        for checker in range(self.rules.checkers):
            row[LAST - checker % 3] += 1
        return row

    # One side. The aim is to have ``all`` checkers off, or the ``first`` of those on the board.

    def mean(self, counts: Counts, aim: str = "all") -> Fraction:
        """The expected number of own turns, by the play that makes it least (with `keep`, greatest)."""
        if not any(counts):
            return Fraction(0)
        total, passes = Fraction(36), 0
        for dice, weight in ROLLS:
            after = self.best(counts, dice, aim)
            if after == counts:
                passes += weight  # the turn is over, and nothing has changed
            elif not self._reached(counts, after, aim):
                total += weight * self.mean(after, aim)
        return total / (36 - passes)

    def best(self, counts: Counts, dice: tuple[int, int], aim: str = "all") -> Counts:
        """What the best play leads to; of several, the one with the smallest number."""
        plays = self.plays(counts, dice)
        if len(plays) == 1:
            return plays[0]
        return min(plays, key=lambda after: 0 if self._reached(counts, after, aim) else self._sign * self.mean(after, aim))

    def finished(self, counts: Counts, turns: int, aim: str = "all") -> Fraction:
        """The chance that the best plays for the mean reach the aim within so many turns."""
        if not any(counts):
            return Fraction(1)
        if turns == 0:
            return Fraction(0)
        total = Fraction(0)
        for dice, weight in ROLLS:
            after = self.best(counts, dice, aim)
            total += weight * (1 if self._reached(counts, after, aim) else self.finished(after, turns - 1, aim))
        return total / 36

    def within(self, counts: Counts, turns: int) -> Fraction:
        """The greatest chance (with `keep`, the least) to have all off within so many turns."""
        if not any(counts):
            return Fraction(1)
        if turns == 0:
            return Fraction(0)
        better = max if self._sign == 1 else min
        best = (weight * better(self.within(after, turns - 1) for after in self.plays(counts, dice)) for dice, weight in ROLLS)
        return sum(best, Fraction(0)) / 36

    @staticmethod
    def _reached(before: Counts, after: Counts, aim: str) -> bool:
        return not any(after) if aim == "all" else sum(after) < sum(before)

    # Two sides: the mover and the opponent, before the mover throws. `turn` is the mover's colour.

    def outcome(self, turn: int, mover: Counts, opponent: Counts) -> Outcome:
        """What comes of play for the most points by both; of equally good plays, the one with the smallest number."""
        if not any(opponent):
            if self.rules.last_roll != "none" and turn == BLACK:
                return self._last_roll(mover)
            return self._lost(mover)
        certain, passes = self._rolls(turn, mover, opponent)
        if not passes:
            return certain
        # After a pass the opponent is in the mover's place: two equations in what each of them can expect.
        other, other_passes = self._rolls(1 - turn, opponent, mover)
        return certain.plus(other.seen_by_other(), Fraction(passes, 36)).over(1 - Fraction(passes * other_passes, 36**2))

    def _rolls(self, turn: int, mover: Counts, opponent: Counts) -> tuple[Outcome, int]:
        """What the rolls that can be played are worth together, and the weight out of 36 of those that cannot."""
        total, passes = NOTHING, 0
        for dice, weight in ROLLS:
            plays = self.plays(mover, dice)
            if plays == [mover]:
                passes += weight
                continue
            after = min((self.outcome(1 - turn, opponent, play) for play in plays), key=lambda outcome: outcome.equity)
            total = total.plus(after.seen_by_other(), weight)
        return total.over(36), passes

    def _payment(self, counts: Counts) -> tuple[int, bool]:
        """What it is worth to have cleared before this side did, and whether that is a mars or a gammon."""
        row = [0] * SLOTS
        for q, checkers in enumerate(counts, start=1):
            row[OFF - q] = checkers
        row[OFF] = self.rules.checkers - sum(counts)
        cleared = [0] * OFF + [self.rules.checkers]
        loser_row = 0 if self.rules.goal == "clear" else 1
        worth = points_of((tuple(row), tuple(cleared)), loser_row, self.rules)
        return worth, row[OFF] == 0 and not self.rules.remaining

    def _lost(self, mover: Counts) -> Outcome:
        """The opponent has cleared, and the mover has lost, or with `keep` won."""
        worth, mars = self._payment(mover)
        won = Outcome(worth, 1, int(mars), 0, 0, 0)
        return won if self.rules.goal == "keep" else won.seen_by_other()

    def _last_roll(self, mover: Counts) -> Outcome:
        """White has cleared, and Black, who is to move, throws once more (rulebook, section 1, End)."""
        draw = NOTHING._replace(draw=1)
        total = NOTHING
        for dice, weight in ROLLS:
            after = [
                self._lost(play if self.rules.last_roll == "full" else mover) if any(play) else draw
                for play in self.plays(mover, dice)
            ]
            total = total.plus(max(after, key=lambda outcome: outcome.equity), weight)
        return total.over(36)

    def cube(self, mover: Counts, opponent: Counts) -> Cube:
        """The equities with a cube if the mover does not double this turn, for rules under which nobody has to pass."""
        if not any(opponent):
            return Cube(*[-Fraction(self._payment(mover)[0])] * 3)
        total = [Fraction(0)] * 3
        for dice, weight in ROLLS:
            after = [self.cube(opponent, play) for play in self.plays(mover, dice)]
            after = [cube.best() if any(play) else cube for cube, play in zip(after, self.plays(mover, dice), strict=True)]
            # What is the mover's own cube is the other's for the opponent.
            total[0] -= weight * min(cube.centred for cube in after)
            total[1] -= weight * min(cube.theirs for cube in after)
            total[2] -= weight * min(cube.owned for cube in after)
        return Cube(*(value / 36 for value in total))
