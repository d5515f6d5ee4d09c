"""Whether rollouts know how far off they are: z-scores of rollouts played by exact players, against exact values.

    python bench/z_scores.py [--positions N] [--trials N]

Small games that are solved outright are rolled out by their own solution, with no luck taken off (with it nothing would be left
to chance) and no table looked into: what the dice alone do. Told are the mean of (rollout - exact value) / standard error over so
many positions of random games, and its spread; 0 and 1 are right.
"""

from __future__ import annotations

import argparse
import dataclasses

import numpy as np

import nardy_fast as nf


def positions(rules: nf.Ruleset, number: int) -> list[nf.Position]:
    """Different positions of random games, in which something is still to be thrown for."""
    rng, found = np.random.default_rng(1), {}
    position = nf.Position.start(rules)
    while len(found) < number:
        plays = position.plays(rng.integers(1, 7, 2).tolist())
        position = plays[rng.integers(len(plays))].afterstate
        if position.is_over:
            position = nf.Position.start(rules)
        elif rng.random() < 0.3:
            found[position] = None
    return list(found)


def z_scores(rules: nf.Ruleset, number: int, trials: int) -> np.ndarray:
    """That of each position; where the dice change nothing there is none."""
    solution = nf.analysis.solve(rules)
    scores = []
    for seed, position in enumerate(positions(rules, number)):
        rolled = nf.analysis.rollout(position, trials, network=solution, control=None, tables=False, seed=seed, threads=1)
        if rolled.standard_error > 1e-9:
            scores.append((rolled.equity - solution.evaluate(position).equity) / rolled.standard_error)
    return np.array(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--trials", type=int, default=1296)
    options = parser.parse_args()
    for name, checkers in (("long", 2), ("long", 3), ("hypergammon", 2)):
        base = nf.ruleset(name)
        setup = ((1, checkers),) if name == "long" else base.setup[:checkers]
        rules = dataclasses.replace(base, name=f"{name} with {checkers}", setup=setup)
        scores = z_scores(rules, options.positions, options.trials)
        print(f"{rules.name:20} {len(scores)} positions: mean {scores.mean():+.3f}, spread {scores.std():.3f}", flush=True)


if __name__ == "__main__":
    main()
