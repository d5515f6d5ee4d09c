"""What the tests of the solved games share: small games, each solved once, and boards of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast import Ruleset, ruleset
from nardy_fast.analysis import Solution
from nardy_fast.rules import LAST, OFF, SLOTS


def small(rules: str | Ruleset, checkers: int = 2, **fields: Any) -> Ruleset:
    """The rules with so few checkers: on the head in long nardy, on the first points in backgammon."""
    found = ruleset(rules)
    setup = ((1, checkers),) if found.road == "parallel" else tuple((slot, 1) for slot in range(1, checkers + 1))
    return replace(found, name=f"{found.name} {checkers}", setup=setup, **fields)


LONG = small("long")
HYPER = small("hypergammon")


@cache
def solution(rules: Ruleset) -> Solution:
    return Solution.build(rules)


def random_boards(rules: Ruleset, n: int, seed: int = 1) -> NDArray[np.int8]:
    """Boards of the game that are not over, each checker anywhere."""
    rng = np.random.default_rng(seed)
    first = 0 if rules.road == "contrary" else 1
    boards = np.zeros((0, 2, SLOTS), np.int8)
    while len(boards) < n:
        more = np.zeros((4 * n, 2, SLOTS), np.int8)
        slots = rng.integers(first, OFF + 1, (4 * n, 2, rules.checkers))
        # Half of them near the end, where random checkers hardly ever are.
        slots[::2] = np.where(slots[::2] > 12, rng.integers(LAST - 5, OFF + 1, slots[::2].shape), slots[::2])
        for checker in range(rules.checkers):
            for side in (0, 1):
                np.add.at(more, (np.arange(4 * n), side, slots[:, side, checker]), 1)
        wrong = {row for row, _ in nf.batch.validate(more, rules)}
        more = more[[row for row in range(4 * n) if row not in wrong]]
        boards = np.concatenate([boards, more[~nf.batch.is_over(more, rules)]])
    return boards[:n]
