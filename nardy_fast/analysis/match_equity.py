"""Match equity: the chance to win a match at every score, computed or read from a file (rulebook, sections 1 and 2)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nardy_fast.analysis.cubeful import Cubeful, Split, Stake
from nardy_fast.analysis.met_files import read_tables
from nardy_fast.arguments import as_int, check_flag, short_repr
from nardy_fast.core._position import Position
from nardy_fast.players.chances import Chances, outputs
from nardy_fast.players.network import Network
from nardy_fast.rules import ROLLS, Ruleset, ruleset

#: The longest match that a table is computed for.
MAX_LENGTH = 64
#: How far from a dead cube to a live one a game is at its beginning. With less, tables lie below those that were rolled out; with
#: this one and the shipped network, within 0.3 % of a match on average of Kazaross's, up to 15 points.
EFFICIENCY = 0.9
#: What the leader gains after the Crawford game by passing a double of a trailer so many points away whose opening went well,
#: since a single game less does not hurt him then (N. Zadeh, Management Science 23, 986, 1977).
FREE_DROPS = {2: 0.015, 4: 0.004}


class MatchEquity:
    """The chance to win a match from every score of up to `length` points each.

    Computed from how single games end. `rates`: the chance of each result of a game, signed points of the player who begins it,
    as {-2: .., -1: .., 1: .., 2: ..}; by default what a `network` (else the shipped one) says of the start of `rules`. Or
    `gammons` instead: the share of games won that are gammons (mars), both players winning half of all.

    `cube`: whether the match is played with a cube and Crawford's rule; by default it is in short nardy. With a cube, who begins
    a game matters little and is left out; without one, as in a tas of long nardy, it counts, by ``rules.next_starter``. `draw` as
    for `Match`. `efficiency`: how far from a dead cube to a live one, see `nardy_fast.analysis.cubeful`.

    Raises `TypeError` or `ValueError` for arguments that are not what they should be, and where no network is shipped.
    """

    def __init__(
        self,
        length: int,
        rules: str | Ruleset = "short",
        *,
        rates: Mapping[int, float] | Chances | None = None,
        gammons: float | None = None,
        network: Network | None = None,
        cube: bool | None = None,
        draw: str = "half",
        efficiency: float = EFFICIENCY,
    ) -> None:
        found = ruleset(rules)
        if cube is not None:
            check_flag("cube", cube)
        if not isinstance(efficiency, int | float) or not 0 <= efficiency <= 1:
            raise ValueError(f"efficiency = {short_repr(efficiency)}: expected a number from 0 to 1")
        if draw not in ("half", "one"):
            raise ValueError(f"draw = {short_repr(draw)}: expected one of half, one")
        self.length = as_int("length", length, 1, MAX_LENGTH)
        self.name = f"{found.name}, computed"
        #: The chances of the player who begins a game; None for a table that was read.
        self.rates: Chances | None = _rates(found, rates, gammons, network)
        self.has_cube = found.road == "contrary" if cube is None else cube
        if self.has_cube:
            self._before, self._after = _with_cube(self.length, _evened(self.rates), efficiency)
            self._begins = None
        else:
            self._begins = _without_cube(self.length, self.rates, found.next_starter, draw)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The table in a file of GNU Backgammon's (``.xml``) or eXtreme Gammon's (``.met``); `ValueError` for any other."""
        name, before, after = read_tables(path)
        table = cls.__new__(cls)
        table.length, table.name, table.rates, table.has_cube = len(before), name, None, True
        table._before, table._after, table._begins = before, after, None
        return table

    def chance(self, away: float, other: float, *, post_crawford: bool = False, begins: bool | None = None) -> float:
        """The chance to win the match of a player who needs `away` points, and the other `other`, before the next game.

        `post_crawford`: whether the Crawford game has been played; before it, a player who needs one point is in it now.
        `begins`: without a cube, whether he begins the next game; None for either with equal chances. Whoever needs no more has
        won; where draws have taken both there, it is the one who is ahead. Without a cube there may be halves of points.
        """
        for name, points in (("away", away), ("other", other)):
            if isinstance(points, bool) or not isinstance(points, int | float | np.number) or not -1000 < points <= self.length:
                raise ValueError(f"{name} = {short_repr(points)}: expected points up to {self.length}")
            if points * 2 % 1 or (self.has_cube and points % 1):
                raise ValueError(
                    f"{name} = {short_repr(points)}: expected whole points" + ("" if self.has_cube else " or halves")
                )
        if min(away, other) <= 0 and away != other:
            return float(away < other)
        if self._begins is not None:
            mine, his = max(round(2 * away), 1), max(round(2 * other), 1)
            first, second = float(self._begins[mine, his]), 1 - float(self._begins[his, mine])
            return (first + second) / 2 if begins is None else first if begins else second
        mine, his = max(round(away), 1), max(round(other), 1)
        if post_crawford and min(mine, his) == 1:
            return float(self._after[mine]) if his == 1 else 1 - float(self._after[his])
        return float(self._before[mine - 1, his - 1])

    def table(self, *, post_crawford: bool = False) -> NDArray[np.float64]:
        """The chances as an array of `length` by `length`, the first index what the player needs, less one."""
        points = range(1, self.length + 1)
        return np.array([[self.chance(a, b, post_crawford=post_crawford) for b in points] for a in points])

    def __repr__(self) -> str:
        return f"<MatchEquity to {self.length}: {self.name}>"


# How games end


def _rates(rules: Ruleset, rates: Any, gammons: Any, network: Network | None) -> Chances:
    """The chances of the player who begins a game."""
    if sum(each is not None for each in (rates, gammons, network)) > 1:
        raise ValueError("rates, gammons, network: expected one of them at the most")
    if gammons is not None:
        if isinstance(gammons, bool) or not isinstance(gammons, int | float) or not 0 <= gammons <= 1:
            raise ValueError(f"gammons = {short_repr(gammons)}: expected a share from 0 to 1")
        return Chances.of((-2, -1, 1, 2), (gammons / 2, (1 - gammons) / 2, (1 - gammons) / 2, gammons / 2), "given")
    if isinstance(rates, Chances):
        return rates
    if rates is not None:
        if not isinstance(rates, Mapping):
            raise TypeError(f"rates = {short_repr(rates)}: expected chances by points")
        allowed = outputs(rules)
        for points, chance in rates.items():
            if points not in allowed or not isinstance(chance, int | float) or not 0 <= chance <= 1:
                raise ValueError(f"rates[{short_repr(points)}] = {short_repr(chance)}: expected chances of {allowed}")
        if abs(sum(rates.values()) - 1) > 1e-6:
            raise ValueError(f"rates = {short_repr(dict(rates))}: expected chances that add up to 1")
        return Chances.of(rates.keys(), rates.values(), "given")
    return opening_chances(rules, network or Network.load(rules.name))


def opening_chances(rules: str | Ruleset, network: Network) -> Chances:
    """What a network says of the player who begins a game: the mean over his first throws, each played best."""
    start = Position.start(rules)
    total, weights = np.zeros(len(network.outputs)), 0
    for dice, weight in ROLLS:
        if start.rules.first_dice == "rolloff" and dice[0] == dice[1]:
            continue
        total += weight * np.array(network.rank(start, dice)[0].chances.probabilities)
        weights += weight
    return Chances.of(network.outputs, total / weights, "network")


def _evened(rates: Chances) -> Split:
    """Of games that either begins as often: both win half, with as many gammons."""
    split = Split.of(rates)
    win = {p: c * split.win for p, c in split.won.items()}
    lose = {p: c * (1 - split.win) for p, c in split.lost.items()}
    shares = {points: win.get(points, 0.0) + lose.get(points, 0.0) for points in {*win, *lose}}
    return Split(0.5, shares, shares)


# With a cube


def _with_cube(length: int, split: Split, efficiency: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The chances up to and in the Crawford game, [away - 1, other - 1]; and after it the trailer's, by what he needs."""
    after = np.ones(length + 1)
    after[1] = 0.5
    for away in range(2, length + 1):
        # He doubles at once, and the leader may pass.
        taken = sum(
            share * after[max(away - 2 * points, 0)] if away > 2 * points else share for points, share in split.won.items()
        )
        after[away] = min(taken / 2, after[away - 1]) - FREE_DROPS.get(away, 0.0)
    before = np.full((length, length), 0.5)
    for away in range(2, length + 1):
        won = sum(share * (1.0 if points >= away else after[away - points]) for points, share in split.won.items())
        before[away - 1, 0] = won / 2
        before[0, away - 1] = 1 - before[away - 1, 0]
    for away in range(2, length + 1):
        for other in range(away + 1, length + 1):

            def worth(points: int, mine: int = away, his: int = other) -> float:
                if points >= mine or -points >= his:
                    return float(points > 0)
                return float(before[mine - max(points, 0) - 1, his - max(-points, 0) - 1])

            chance = Cubeful(split, Stake(worth, (away, other)), efficiency).value(1, None)
            before[away - 1, other - 1], before[other - 1, away - 1] = chance, 1 - chance
    return before, after


# Without


def _without_cube(length: int, rates: Chances, next_starter: str, draw: str) -> NDArray[np.float64]:
    """The chance of the player who begins the next game, [away, other] in half points."""
    size = 2 * length + 1
    table = np.full((size, size), np.nan)
    results = [(2 * points, chance) for points, chance in zip(rates.points, rates.probabilities, strict=True) if chance > 0]
    drawn = 1 if draw == "half" else 2

    def of_beginner(away: int, other: int) -> float:
        known = level = 0.0
        for points, chance in results:
            left = (away - drawn, other - drawn) if points == 0 else (away - max(points, 0), other - max(-points, 0))
            if min(left) <= 0 and left[0] != left[1]:
                known += chance * (left[0] < left[1])
                continue
            mine, his = max(left[0], 1), max(left[1], 1)  # drawn at the end with equal scores: whoever wins next has the match
            if (mine, his) == (away, other):
                level = chance
                continue
            begins = {"alternate": 0.0, "winner": float(points > 0) if points else 0.5, "roll": 0.5}[next_starter]
            known += chance * (begins * table[mine, his] + (1 - begins) * (1 - table[his, mine]))
        # With the chance `level` the same score comes again, begun by the other or by either.
        return (known + level) / (1 + level) if next_starter == "alternate" else known + level / 2

    for total in range(2, 2 * size - 1):
        for away in range(max(1, total - size + 1), min(size, total)):
            table[away, total - away] = of_beginner(away, total - away)
    return table
