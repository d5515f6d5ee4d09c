"""A value network in PyTorch learns a game by playing it against itself: what a board is worth is what the next one is.

python value_network.py [RULES] [TURNS]         # hypergammon 1500: a quarter of a minute
"""

import sys

import numpy as np
import torch
from torch import nn

import nardy_fast as nf

GAMES, HIDDEN, RATE, EPSILON = 256, 64, 2e-3, 0.05


torch.set_num_threads(1)  # layers so small are not worth sharing


class Learner:
    """Says what a board is worth to the player who has just moved, in points; and is a player by that."""

    def __init__(self, rules, seed=0):
        torch.manual_seed(seed)
        self.rules, self.rng = nf.ruleset(rules), np.random.default_rng(seed)
        width = len(nf.batch.columns("thermometer", self.rules))
        self.network = nn.Sequential(nn.Linear(width, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1), nn.Flatten(0))
        self.optimizer = torch.optim.Adam(self.network.parameters(), RATE)

    def inputs(self, boards):
        return torch.from_numpy(nf.batch.encode(boards, "thermometer", self.rules))

    @torch.no_grad()
    def judge(self, boards):
        return self.network(self.inputs(boards)).numpy()

    def learn(self, turns):
        """So many turns of each of GAMES games, greedy but for one in twenty, each game followed by another."""
        game = nf.batch.start(GAMES, self.rng, self.rules)
        before, known = None, np.zeros(GAMES, np.bool_)  # the boards of the last turn, and where they belong to this game
        for _ in range(turns):
            after = nf.batch.afterstates(game.boards, game.dice, self.rules, turns=game.turns)
            values = self.judge(after.boards)
            game = nf.batch.step(
                game.boards, game.dice, values, self.rules,
                rng=self.rng, after=after, turns=game.turns, epsilon=EPSILON, restart=True,
            )  # fmt: skip
            rows = after.offsets[:-1] + game.chosen
            worth = np.where(game.ended, game.points, values[rows]).astype(np.float32)
            # The boards before were the opponent's; those that ended the game are worth what it scored.
            boards, targets = [after.boards[rows[game.ended]]], [worth[game.ended]]
            if before is not None:
                boards.append(before[known])
                targets.append(-worth[known])
            self.fit(np.concatenate(boards), np.concatenate(targets))
            before, known = after.boards[rows], ~game.ended
        return self

    def fit(self, boards, targets):
        if len(boards):
            loss = nn.functional.mse_loss(self.network(self.inputs(boards)), torch.from_numpy(targets))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def choose_batch(self, boards, dice, rules, turns=None, pending=None):
        after = nf.batch.afterstates(boards, dice, rules, turns=turns)
        return after.boards[after.offsets[:-1] + after.segment_argmax(self.judge(after.boards))]

    def choose(self, position, dice):
        return position.plays(dice)[int(np.argmax(self.judge(position.afterstates(dice))))]


def main(rules="hypergammon", turns="1500"):
    learner = Learner(rules).learn(int(turns))
    arena = nf.players.play(learner, nf.players.Random(), rules, 2000)
    print(f"{arena}: {arena.points / arena.error:.0f} standard errors")
    return arena


if __name__ == "__main__":
    main(*sys.argv[1:])
