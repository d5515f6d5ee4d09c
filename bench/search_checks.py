"""Whether search is what it says: `python bench/search_checks.py [ONE_PLY] [TWO_PLIES]`, 200 and 5 positions by default.

For long and short nardy and a stage variant, full width against an expectimax in plain Python over `nardy_fast.reference`, whose
leaves the network judges: the greatest difference of a chance at 1 and at 2 plies.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast.analysis import evaluate
from nardy_fast.players import Network
from nardy_fast.players.training import new_weights

Position = nf.reference.Position


class Plain:
    """Expectimax by the definition; the boards after the plays of a roll are judged in one call."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def expected(self, position: Position, plies: int) -> NDArray[np.float64]:
        """The chances of the side to move."""
        if position.pending is not None:
            return self.best(position, position.plays(), plies)
        if plies == 0 or position.is_over:
            return np.asarray(self.judged([position])[0])
        means = [weight / 36 * self.best(position, position.plays(dice), plies - 1) for dice, weight in nf.ROLLS]
        return np.sum(means, axis=0)

    def best(self, position: Position, plays: list[Any], plies: int) -> NDArray[np.float64]:
        after = [one.afterstate for one in plays]
        if plies == 0 and all(one.pending is None for one in after):
            found = list(self.judged(after))
        else:
            found = [self.expected(one, plies) for one in after]
        mine = [chances[:: 1 if one.turn == position.turn else -1] for one, chances in zip(after, found, strict=True)]
        return max(mine, key=lambda chances: float(chances @ self.network.outputs))

    def judged(self, positions: list[Any]) -> NDArray[np.float64]:
        boards = np.array([position.board for position in positions], np.int8)
        turns = np.array([position.turn for position in positions], np.int8)
        return self.network.evaluate_batch(boards, turns=turns).astype(np.float64)


def positions(rules: str, seed: int) -> Iterator[Position]:
    """Positions before a throw, of random games."""
    rng = random.Random(seed)
    while True:
        position = Position.start(rules)
        while not position.is_over:
            if rng.random() < 0.1 and position.pending is None:
                yield position
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            position = rng.choice(position.plays(dice if position.pending is None else None)).afterstate


def greatest_difference(rules: str, plies: int, count: int) -> float:
    network = Network(new_weights(rules, hidden=64, seed=5))
    plain, some, most = Plain(network), positions(rules, plies), 0.0
    for position in (next(some) for _ in range(count)):
        native = nf.Position(position.board, position.turn, position.rules)
        found = evaluate(native, plies, network, None, tables=False)
        most = max(most, float(np.abs(plain.expected(position, plies) - found.probabilities).max()))
    return most


def main(one: str = "200", two: str = "5") -> None:
    for rules in ("long", "short", "kaftar"):
        for plies, count in ((1, int(one)), (2, int(two))):
            told = f"{count} positions at {plies} plies differ by {greatest_difference(rules, plies, count):.1e} at most"
            print(f"{rules}: {told}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
