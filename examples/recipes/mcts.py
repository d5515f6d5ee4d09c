"""OpenSpiel's Monte-Carlo tree search plays a game of ours, a play at a time, against a player who plays at random.

python mcts.py [RULES] [GAMES] [SIMULATIONS]         # hypergammon 200 30: three minutes
"""

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots import uniform_random

import nardy_fast.envs.openspiel  # noqa: F401  (registers python_nardy)


def play(game, bots, rng):
    """A game to its end; the points of player 0."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state.returns()[0]


def main(rules="hypergammon", games="200", simulations="30"):
    game = pyspiel.load_game("python_nardy", {"rules": rules, "actions": "afterstates"})
    rng = np.random.RandomState(1)
    searcher = mcts.MCTSBot(game, 2.0, int(simulations), mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    points = []
    for number in range(int(games)):
        seat = number % 2
        bots = [uniform_random.UniformRandomBot(player, rng) for player in (0, 1)]
        bots[seat] = searcher
        points.append(play(game, bots, rng) * (-1 if seat else 1))
    mean, error = float(np.mean(points)), float(np.std(points) / len(points) ** 0.5)
    print(f"{mean:+.2f} +- {error:.2f} points a game: {mean / error:.0f} standard errors")
    return mean, error


if __name__ == "__main__":
    main(*sys.argv[1:])
