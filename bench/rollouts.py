"""What taking luck off is worth in rollouts, and what they cost.

    python bench/rollouts.py [NETWORK ...] [--positions N] [--trials N] [--far N]

For each NETWORK, a preset's name or a file: positions from the middle of its games against itself, with contact, one a game; how
many times lower the variance of a trial is with `control=0`, and of `--far` trials with `control=1`, than without; and how long a
trial of each kind takes there and from the start of the game, on one thread.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import nardy_fast as nf
from nardy_fast.analysis import rollout
from nardy_fast.players import Network


def middle(network: Network, rng: np.random.Generator) -> nf.Position:
    """The position half-way through the part of a game in which the sides can meet."""
    position, seen = nf.Position.start(network.rules), []
    while not position.is_over and position.is_contact:
        seen.append(position)
        position = position.apply(network.choose(position, rng.integers(1, 7, 2).tolist()))
    return seen[len(seen) // 2]


def spread(network: Network, position: nf.Position, trials: int, control: int | None) -> tuple[float, float]:
    """The variance of a trial, by the standard error, and the seconds that it takes."""
    begun = time.process_time()
    found = rollout(position, trials, network=network, control=control, threads=1)
    return found.standard_error**2 * found.trials, (time.process_time() - begun) / found.trials


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=["long", "short"], metavar="NETWORK")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--trials", type=int, default=144)
    parser.add_argument("--far", type=int, default=0, help="trials with control=1 (default: none, they are slow)")
    options = parser.parse_args()
    for name in options.networks:
        network, rng = Network.load(name), np.random.default_rng(1)
        positions = [middle(network, rng) for _ in range(options.positions)]
        found = {}
        for control, trials in ((None, 9 * options.trials), (0, options.trials), (1, options.far)):
            if trials:
                found[control] = np.array([spread(network, position, trials, control) for position in positions])
        plain = found[None]
        for control, measured in found.items():
            ratio = plain[:, 0].sum() / measured[:, 0].sum()
            start = spread(network, nf.Position.start(network.rules), 36, control)[1]
            print(
                f"{name:8} control={control!s:4} variance {measured[:, 0].mean():.4f}, {ratio:.1f} times lower;"
                f" {1000 * measured[:, 1].mean():.2f} ms a trial, {1000 * start:.2f} from the start",
                flush=True,
            )


if __name__ == "__main__":
    main()
