"""How strong a network is: points a game against other players, and what its plays lose by GNU Backgammon's own judgement.

    python bench/strength.py NETWORK [--rules NAME] [--games N] [--seed N] [--against WHO ...]

NETWORK: the name of a preset, or a file. WHO: random, greedy, another network, or with gnubg-nn (pip install 'nardy_fast[peers]')
gnubg and pubeval, the 0-ply best move of GNU Backgammon's networks and that of PubEval; games are for money, without a cube. With
gnubg also the loss a decision by its own 0-ply equities, by its own classes of positions. nardy_fast plays the dice and refuses
illegal plays of either side.
"""

from __future__ import annotations

import argparse
import importlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast.players import Greedy, Network, Player, Random, play
from nardy_fast.rules import LAST, OFF

#: The checkers of a side as gnubg-nn counts them: on the points 1 to 24 by its own numbers, then on the bar.
Side = list[int]


class Gnubg:
    """The best move at 0-ply of GNU Backgammon's networks."""

    def __init__(self) -> None:
        self._gnubg: Any = importlib.import_module("gnubg_nn")

    def choose(self, position: nf.Position, dice: Iterable[int]) -> nf.Play:
        plays, pair = position.plays(dice), tuple(dice)
        after = self.after(*sides(position.board), *pair)
        return next(each for each in plays if sides(each.afterstate.board)[::-1] == after)

    def choose_batch(
        self, boards: NDArray[np.int8], dice: NDArray[np.int8], rules: Any, turns: NDArray[np.int8] | None = None
    ) -> NDArray[np.int8]:
        chosen = np.zeros_like(boards)
        for board, (one, two), after in zip(boards, dice.tolist(), chosen, strict=True):
            for row, side in zip(after, self.after(*sides(board), one, two), strict=True):
                row[: LAST + 1] = side[::-1]
                row[OFF] = 15 - sum(side)
        return chosen

    def after(self, mover: Side, opponent: Side, one: int, two: int) -> tuple[Side, Side]:
        """Both sides after the move, who moved first; a pass leaves them."""
        _, key = self._gnubg.best_move([opponent, mover], one, two, 0, b=1)
        moved, other = self._gnubg.board_from_position_key(key)
        return list(moved), list(other)

    def equities(self, board: NDArray[np.int8], one: int, two: int) -> dict[tuple[tuple[int, ...], ...], float]:
        """What each play is worth to the mover, by the sides after it."""
        mover, opponent = sides(board)
        listed = self._gnubg.best_move([opponent, mover], one, two, 0, b=1, list=1)[-1]
        return {self._gnubg.board_from_position_key(key): equity for key, _, _, equity in listed}

    def class_of(self, board: NDArray[np.int8]) -> str:
        mover, opponent = sides(board)
        found = self._gnubg.classify([opponent, mover])
        names = {getattr(self._gnubg, name): name[2:] for name in dir(self._gnubg) if name.startswith("c_")}
        return names.get(found, "tables")


class PubEval(Gnubg):
    """Tesauro's public evaluation, as gnubg-nn has it."""

    def after(self, mover: Side, opponent: Side, one: int, two: int) -> tuple[Side, Side]:
        moves = self._gnubg.pub_best_move([opponent, mover], one, two)
        mover, opponent = mover.copy(), opponent.copy()
        for source, target in zip(moves[::2], moves[1::2], strict=True):
            mover[source] -= 1
            if target >= 0:
                mover[target] += 1
                if opponent[LAST - 1 - target]:  # what is hit was alone there
                    opponent[LAST - 1 - target] = 0
                    opponent[LAST] += 1
        return mover, opponent


def sides(board: NDArray[np.int8]) -> tuple[Side, Side]:
    """The rows as gnubg-nn counts: points 1 to 24 as each side numbers them, then the bar."""
    mover, opponent = board[:, LAST::-1].tolist()
    return mover, opponent


def losses(network: Network, gnubg: Gnubg, games: int, seed: int) -> dict[str, tuple[int, float, float]]:
    """By class of position: decisions, loss a decision and its standard error, in games of the network against itself."""
    rng = np.random.default_rng(seed)
    found: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(games):
        position, first = nf.Position.start("short"), True
        while not position.is_over:
            dice = rng.integers(1, 7, 2).tolist()
            while first and dice[0] == dice[1]:
                dice = rng.integers(1, 7, 2).tolist()
            first = False
            chosen = network.choose(position, dice)
            if position.count_plays(dice) > 1:
                equities = gnubg.equities(position.board, *dice)
                moved, other = sides(chosen.afterstate.board)[::-1]
                found[gnubg.class_of(position.board)].append(max(equities.values()) - equities[tuple(moved), tuple(other)])
            position = position.apply(chosen)
    return {
        name: (len(lost), float(np.mean(lost)), float(np.std(lost) / np.sqrt(len(lost)))) for name, lost in sorted(found.items())
    }


PLAYERS: dict[str, Callable[[], Player]] = {"random": Random, "greedy": Greedy, "gnubg": Gnubg, "pubeval": PubEval}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--rules", help="of the games (default: the network's)")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", nargs="+", default=["random", "greedy"], metavar="WHO")
    options = parser.parse_args()
    network = Network.load(options.network)
    rules = nf.ruleset(options.rules) if options.rules else network.rules
    for who in options.against:
        other = PLAYERS[who]() if who in PLAYERS else Network.load(who)
        result = play(network, other, rules, options.games, seed=options.seed, threads=1)
        print(f"{who:12} {result}", flush=True)
        if who == "gnubg":
            for name, (decisions, lost, error) in losses(network, Gnubg(), options.games // 20, options.seed).items():
                print(f"  {name:10} {lost:.4f} +- {error:.4f} lost a decision, {decisions:,} decisions")


if __name__ == "__main__":
    main()
