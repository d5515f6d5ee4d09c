"""What a search costs and earns: `python bench/search.py [GAMES] [DECISIONS]`.

Prints, for long and short nardy with the shipped networks: milliseconds and plain 0-ply decisions a decision at 1 and 2 plies in
the middle of games; what the filter loses against full width at 1 ply; points a game of 1 ply against 0, in pairs of games.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import nardy_fast as nf
from nardy_fast.analysis import MoveFilter, Searcher, rank
from nardy_fast.benchmark.cases import cases
from nardy_fast.players import Network, play


def cost(rules: str, player: Searcher | Network, rows: int) -> float:
    """Seconds a decision on stored positions from the middle of games."""
    stored = cases(nf, f"{rules}-middle-mixed")[:rows]
    boards = np.stack([position.board for position, _ in stored])
    dice = np.array([roll for _, roll in stored], np.int8)
    turns = np.array([position.turn for position, _ in stored], np.int8)
    player.choose_batch(boards[:1], dice[:1], rules, turns[:1])
    begun = time.perf_counter()
    player.choose_batch(boards, dice, rules, turns)
    return (time.perf_counter() - begun) / len(boards)


def filter_loss(rules: str, decisions: int) -> float:
    """Points a decision that the filter loses, by full width at 1 ply."""
    rng, lost, seen = np.random.default_rng(1), 0.0, 0
    network = Network.load(rules)
    position = nf.Position.start(rules)
    while seen < decisions:
        dice = tuple(sorted((int(rng.integers(1, 7)), int(rng.integers(1, 7))), reverse=True))
        if position.count_plays(dice) > 1:
            full = {one.play: one.loss for one in rank(position, dice, 1, network, None)}
            lost += full[rank(position, dice, 1, network, MoveFilter())[0].play]
            seen += 1
        position = network.choose(position, dice).afterstate
        if position.is_over:
            position = nf.Position.start(rules)
    return lost / seen


def main(games: str = "2000", decisions: str = "300") -> None:
    for rules in ("long", "short"):
        network = Network.load(rules)
        base = cost(rules, network, 200)
        for plies, rows in ((1, 100), (2, 10)):
            seconds = cost(rules, Searcher(network, plies), rows)
            told = f"{1000 * seconds:.2f} ms a decision, {seconds / base:.0f} decisions of 0 plies"
            print(f"{rules}: {plies} plies: {told}", flush=True)
        print(f"{rules}: the filter loses {filter_loss(rules, int(decisions)):.5f} points a decision", flush=True)
        print(f"{rules}: 1 ply against 0: {play(Searcher(network, 1), network, rules, int(games), seed=1)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
