"""TD(lambda) in NumPy: a network of one hidden layer learns a game by playing it against itself, many games at once.

python td_lambda.py [RULES] [TURNS]         # hypergammon 3000: half a minute
"""

import sys

import numpy as np

import nardy_fast as nf

GAMES, HIDDEN, RATE, TRACE, EPSILON = 64, 40, 0.02, 0.7, 0.05


class Learner:
    """Says what a board is worth to the player who has just moved, in points; and is a player by that."""

    def __init__(self, rules, seed=0):
        self.rules, self.rng = nf.ruleset(rules), np.random.default_rng(seed)
        width = len(nf.batch.columns("thermometer", self.rules))
        shapes = (width, HIDDEN), (HIDDEN,), (HIDDEN,), (1,)
        self.weights = [0.1 * self.rng.standard_normal(shape, np.float32) for shape in shapes]

    def judge(self, boards):
        """The inputs, the hidden layer and the values of boards after plays."""
        first, bias, second, offset = self.weights
        inputs = nf.batch.encode(boards, "thermometer", self.rules)
        hidden = np.tanh(inputs @ first + bias)
        return inputs, hidden, hidden @ second + offset[0]

    def learn(self, turns):
        """So many turns of each of GAMES games, greedy but for one in twenty, each game followed by another."""
        traces = [np.zeros((GAMES, *weight.shape), np.float32) for weight in self.weights]
        before = np.zeros(GAMES, np.float32)  # what the last boards were worth, and whether there were any
        known = np.zeros(GAMES, np.bool_)
        game = nf.batch.start(GAMES, self.rng, self.rules)
        for _ in range(turns):
            after = nf.batch.afterstates(game.boards, game.dice, self.rules, turns=game.turns)
            inputs, hidden, values = self.judge(after.boards)
            game = nf.batch.step(
                game.boards, game.dice, values, self.rules,
                rng=self.rng, after=after, turns=game.turns, epsilon=EPSILON, restart=True,
            )  # fmt: skip
            rows = after.offsets[:-1] + game.chosen
            x, h, value = inputs[rows], hidden[rows], np.where(game.ended, game.points, values[rows])
            # The board before was the opponent's: what is good for him now is bad for who made it.
            error = np.where(known, -value - before, 0).astype(np.float32)
            for weight, trace in zip(self.weights, traces, strict=True):
                weight += RATE / GAMES * np.tensordot(error, trace, 1)
            inner = (1 - h * h) * self.weights[2]
            slopes = x[:, :, None] * inner[:, None, :], inner, h, np.ones((GAMES, 1), np.float32)
            for trace, slope in zip(traces, slopes, strict=True):
                trace *= -TRACE
                trace += slope
                trace[game.ended] = 0
            before, known = np.where(game.ended, 0, values[rows]), ~game.ended
        return self

    def choose_batch(self, boards, dice, rules, turns=None, pending=None):
        after = nf.batch.afterstates(boards, dice, rules, turns=turns)
        return after.boards[after.offsets[:-1] + after.segment_argmax(self.judge(after.boards)[2])]

    def choose(self, position, dice):
        plays = position.plays(dice)
        return plays[int(np.argmax(self.judge(np.stack([play.afterstate.board[::-1] for play in plays]))[2]))]


def main(rules="hypergammon", turns="3000"):
    learner = Learner(rules).learn(int(turns))
    arena = nf.players.play(learner, nf.players.Random(), rules, 2000)
    print(f"{arena}: {arena.points / arena.error:.0f} standard errors")
    return arena


if __name__ == "__main__":
    main(*sys.argv[1:])
