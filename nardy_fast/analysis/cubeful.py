"""Equity with a cube from chances without one, by Janowski's way, at any stake and any score.

Two bounds are known. With a *dead* cube nobody ever turns it again, and what a position is worth is a straight line over the
chance to win. With a *live* cube it is turned at the very moment when the other is indifferent between taking and passing; what
the position is worth then bends at those cash points. The truth lies between: `efficiency` of the way from dead to live.

Values are the mover's, the player whose chances they are: points for money, the chance to win the match in a match. One recursion
over the values of the cube serves both; it ends where a cube can do no more, at the limit or where a player needs no more points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from nardy_fast.players.chances import Chances

#: How much of a live cube's worth is had in contact, and the least and the most of it in a race, where it grows with the pips
#: that the mover needs. They are those of GNU Backgammon.
CONTACT = 0.68
RACE_LEAST, RACE_MOST = 0.6, 0.7
_RACE_BASE, _RACE_PIP = 0.55, 0.00125

_MOVER, _OTHER = 0, 1


def efficiency(is_race: bool, pips: int) -> float:
    """How far the truth lies from a dead cube to a live one, for a mover with so many pips."""
    return min(max(_RACE_BASE + _RACE_PIP * pips, RACE_LEAST), RACE_MOST) if is_race else CONTACT


class Split(NamedTuple):
    """Chances as the cube needs them: the chance to win, and of the games won and lost the share of each number of points."""

    win: float
    won: Mapping[int, float]
    lost: Mapping[int, float]

    @classmethod
    def of(cls, chances: Chances) -> Split:
        """Draws, which no game with a cube has, count half for each."""
        pairs = list(zip(chances.points, chances.probabilities, strict=True))
        drawn = sum(chance for points, chance in pairs if points == 0)
        won = _shares((points, chance) for points, chance in pairs if points > 0)
        return cls(chances.win + drawn / 2, won, _shares((-points, chance) for points, chance in pairs if points < 0))


def _shares(pairs: Iterable[tuple[int, float]]) -> Mapping[int, float]:
    """The share of each number of points; single games where there is nothing to share."""
    found = {points: max(chance, 0.0) for points, chance in pairs}
    total = sum(found.values())
    return {points: chance / total for points, chance in found.items()} if total > 0 else {1: 1.0}


#: Straight lines between (chance to win, value), the chance rising from 0 to 1.
Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Stake:
    """What the points of a game are worth, and how far its cube goes."""

    #: What so many points scored by the mover are worth to him; fewer than 0, and the other scores them.
    worth: Callable[[int], float]
    #: How many points the mover and the other still need; infinity for money.
    away: tuple[float, float] = (math.inf, math.inf)
    #: The cube's highest value; 1 for no cube.
    limit: int = 1 << 15
    #: While nobody owns the cube, every win counts single.
    jacoby: bool = False

    def can_turn(self, who: int, cube: int) -> bool:
        """Whether a double is allowed for and can gain this player (0 the mover, 1 the other) anything."""
        return cube * 2 <= self.limit and cube < self.away[who]

    def is_automatic(self, who: int, cube: int) -> bool:
        """Whether this player loses the match with the present stake, and so has nothing to lose by doubling it."""
        return self.can_turn(who, cube) and cube >= self.away[1 - who]


class Cubeful:
    """What one position's `Split` is worth with the cube anywhere, at this stake."""

    def __init__(self, split: Split, stake: Stake, efficiency: float) -> None:
        self.split = split
        self.stake = stake
        self.efficiency = efficiency

    def value(self, cube: int, owner: int | None) -> float:
        """What it is worth with the cube at this value; `owner`: None in the middle, 0 the mover, 1 the other."""
        win = self.split.win
        dead = at(self._dead(cube, owner), win)
        for who in (_MOVER, _OTHER):
            if owner in (None, who) and self.stake.is_automatic(who, cube):
                return self._automatic(who, cube, dead)
        return (1 - self.efficiency) * dead + self.efficiency * at(self._live(cube, owner), win)

    def _automatic(self, who: int, cube: int, dead: float) -> float:
        """Doubled at once, and passed where that is better; not doubled only for the gammon."""
        turned = at(self._dead(cube * 2, 1 - who), self.split.win)
        if who == _MOVER:
            return max(dead, min(turned, self.stake.worth(cube)))
        return min(dead, max(turned, self.stake.worth(-cube)))

    def _dead(self, cube: int, owner: int | None) -> Curve:
        """With a cube that nobody turns any more."""
        worth = self.stake.worth
        if self.stake.jacoby and owner is None:
            return (0.0, worth(-cube)), (1.0, worth(cube))
        won = sum(share * worth(points * cube) for points, share in self.split.won.items())
        lost = sum(share * worth(-points * cube) for points, share in self.split.lost.items())
        return (0.0, lost), (1.0, won)

    def _live(self, cube: int, owner: int | None) -> Curve:
        """With a cube that is turned at the best moment."""
        first, last = self._dead(cube, owner)
        bends = []
        if owner != _MOVER and self.stake.can_turn(_OTHER, cube):
            worth = self.stake.worth(-cube)
            bends.append((_crossing(self._taken(_OTHER, cube), worth), worth))
        if owner != _OTHER and self.stake.can_turn(_MOVER, cube):
            worth = self.stake.worth(cube)
            cash = _crossing(self._taken(_MOVER, cube), worth)
            bends.append((max(cash, bends[0][0]) if bends else cash, worth))
        return first, *bends, last

    def _taken(self, doubler: int, cube: int) -> Curve:
        """After a double from this value that was taken: the taker owns a live cube, or redoubles at once."""
        taker = 1 - doubler
        if self.stake.is_automatic(taker, cube * 2):
            return self._dead(cube * 4, doubler)
        return self._live(cube * 2, taker)


def at(curve: Curve, win: float) -> float:
    """The value at this chance to win."""
    for (left, low), (right, high) in pairwise(curve):
        if win <= right and right > left:
            return low + (high - low) * (win - left) / (right - left)
    return curve[-1][1]


def _crossing(curve: Curve, value: float) -> float:
    """The chance to win at which the curve comes to this value: 0 or 1 where it lies outside."""
    if value <= curve[0][1]:
        return 0.0
    for (left, low), (right, high) in pairwise(curve):
        if value <= high and high > low:
            return left + (right - left) * (value - low) / (high - low)
    return 1.0
