"""Whoever is asked what a position is worth in hints and reviews: a network, or by rules that none plays, the pips."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from nardy_fast.analysis.search import MAX_PLIES, Ranked, evaluate, rank
from nardy_fast.analysis.setting import Setting
from nardy_fast.arguments import as_int
from nardy_fast.core._position import Play, Position
from nardy_fast.players.chances import Chances
from nardy_fast.players.network import Network
from nardy_fast.results import points_of
from nardy_fast.rules import ROLLS, RULESETS, Ruleset

#: What a road's network is called; it judges any rules on that road with as many checkers.
BY_ROAD = {"parallel": "long", "contrary": "short"}

#: By pips: what having the throw is worth, and the lead that makes the odds e to 1.
_THROW, _SCALE = 4.0, 15.0


class Thrown(NamedTuple):
    """One of the 21 throws, its weight, and the chances of its player once it is played best."""

    dice: tuple[int, int]
    weight: int
    chances: Chances


class Judge(Protocol):
    """What is asked of a judge. It can be sent to other processes."""

    def chances(self, position: Position) -> Chances:
        """The chances of the side to move, before its throw."""

    def ranked(self, position: Position, dice: Iterable[int] | None) -> list[Ranked]:
        """The plays of these dice, or of a pending stage with None, best first by points."""

    def thrown(self, position: Position) -> list[Thrown]:
        """What comes of each throw; quickly."""


@lru_cache(maxsize=32)
def network_for(rules: Ruleset) -> Network | None:
    """The shipped network of these rules, or else of the road, if aim and checkers are the same; None where there is none."""
    if RULESETS.get(rules.name) == rules:
        try:
            return Network.load(rules.name)
        except ValueError:
            pass  # none is shipped for this preset
    network = Network.load(BY_ROAD[rules.road])
    alike = network.rules.goal == rules.goal and network.rules.checkers == rules.checkers
    return network if alike and not rules.remaining else None


def need_network(rules: Ruleset) -> Network:
    """As `network_for`; `ValueError` where there is none."""
    found = network_for(rules)
    if found is None:
        raise ValueError(f"rules = {rules.name!r}: no network is shipped that plays them: expected network=")
    return found


def judge_for(rules: Ruleset, network: Network | None, plies: int = 0) -> Judge:
    """The judge of a game by these rules, with this network or the best that there is, looking so many plies ahead."""
    depth = as_int("plies", plies, 0, MAX_PLIES)
    found = network_for(rules) if network is None else network
    return ByPips() if found is None else ByNetwork(found, depth)


def turned(chances: Chances) -> Chances:
    """The same as the other player sees it."""
    points = tuple(-each for each in reversed(chances.points))
    return Chances(points, tuple(reversed(chances.probabilities)), -chances.equity, chances.source)


def by_setting(ranked: Iterable[Ranked], setting: Setting) -> tuple[Ranked, ...]:
    """The plays in the order of what they are worth at the score and with the cube.

    A play that was not looked at as far as others had been left out as worse: it is worth no more than the worst of those.
    """
    found = [each._replace(equity=setting.equity_of(each.chances, each.play.afterstate)) for each in ranked]
    deepest = max((each.plies for each in found), default=0)
    least = min((each.equity for each in found if each.plies == deepest), default=0.0)
    found = [each if each.plies == deepest else each._replace(equity=min(each.equity, least)) for each in found]
    found.sort(key=lambda each: -each.equity)
    return tuple(each._replace(loss=found[0].equity - each.equity) for each in found)


@dataclass(frozen=True)
class ByNetwork:
    """A network, which looks at each position that a play leads to, or so many plies further."""

    network: Network
    plies: int = 0

    def chances(self, position: Position) -> Chances:
        if self.plies:
            return evaluate(position, self.plies, self.network, tables=False)
        return self.network.evaluate(position)

    def ranked(self, position: Position, dice: Iterable[int] | None) -> list[Ranked]:
        if self.plies:
            return list(rank(position, dice, self.plies, self.network, tables=False))
        return [Ranked(*each, 0) for each in self.network.rank(position, dice)]

    def thrown(self, position: Position) -> list[Thrown]:
        if position.rules.has_queue:  # a throw may be played in several stages, and by both
            return [Thrown(roll, weight, self.network.rank(position, roll)[0].chances) for roll, weight in ROLLS]
        n = len(ROLLS)
        boards = np.repeat(position.board[None], n, axis=0)
        dice = np.array([roll for roll, _ in ROLLS], np.int8)
        turns = np.full(n, position.turn, np.int8)
        best = self.network.best_plays(boards, dice, turns=turns, rules=position.rules)
        chances, equity = np.empty((n, len(self.network.outputs)), np.float32), np.empty(n, np.float32)
        self.network.native.evaluate(np.ascontiguousarray(best.boards[:, ::-1]), 1 - turns, chances, equity)
        return [
            Thrown(roll, weight, Chances(self.network.outputs, tuple(row[::-1]), -worth, "network"))
            for (roll, weight), row, worth in zip(ROLLS, chances.tolist(), equity.tolist(), strict=True)
        ]


@dataclass(frozen=True)
class ByPips:
    """Whoever has fewer pips is ahead: enough to put plays in some order where no network plays by the rules."""

    def chances(self, position: Position) -> Chances:
        rules = position.rules
        if position.is_over:
            if position.winner is None:
                return Chances.of((0,), (1.0,), "over")
            loser = int(position.winner == position.turn)
            points = points_of(position.board.tolist(), loser, rules)
            return Chances.of((points if loser else -points,), (1.0,), "over")
        mine, others = position.pips
        lead = (others - mine) * (-1 if rules.goal == "keep" else 1) + _THROW
        win = 1 / (1 + math.exp(-lead / _SCALE))
        return Chances.of((-1, 1), (1 - win, win), "pips")

    def ranked(self, position: Position, dice: Iterable[int] | None) -> list[Ranked]:
        found = [(play, self._after(play)) for play in position.plays(dice)]
        if not found:
            return []
        best = max(chances.equity for _, chances in found)
        found.sort(key=lambda each: -each[1].equity)
        return [Ranked(play, chances, chances.equity, best - chances.equity, 0) for play, chances in found]

    def thrown(self, position: Position) -> list[Thrown]:
        return [Thrown(dice, weight, self.ranked(position, dice)[0].chances) for dice, weight in ROLLS]

    def _after(self, play: Play) -> Chances:
        chances = self.chances(play.afterstate)
        return chances if play.afterstate.turn == play.position.turn else turned(chances)
