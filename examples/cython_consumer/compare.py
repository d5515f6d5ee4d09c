"""How fast this package's loop is beside nardy_fast.simulate, on one core: the ratio of processor times within one run.

Usage: compare.py [RULES [GAMES]]
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import random_games

import nardy_fast as nf

ROUNDS = 7


def nanoseconds_a_turn(play: Callable[[int], int]) -> list[float]:
    """Of processor time, in each of some rounds; `play` takes a seed and returns the number of turns."""
    times = []
    for seed in range(ROUNDS):
        begun = time.process_time()
        turns = play(seed)
        times.append((time.process_time() - begun) / turns * 1e9)
    return times


def main(rules: str = "long", games: str = "4096") -> None:
    count = int(games)

    def here(seed: int) -> int:
        return int(random_games.play(np.random.SFC64(seed), count, rules)["turns"])

    def there(seed: int) -> int:
        return int(nf.simulate(count, rules, seed=seed, threads=1).turns.sum())

    here(0), there(0)
    ours, theirs = [], []
    for _ in range(3):  # in turn, so that what else the machine does meets both
        ours += nanoseconds_a_turn(here)
        theirs += nanoseconds_a_turn(there)
    print(f"{rules}: random_games {min(ours):.1f} ns a turn, nardy_fast.simulate {min(theirs):.1f} ns")
    print(f"ratio {min(theirs) / min(ours):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
