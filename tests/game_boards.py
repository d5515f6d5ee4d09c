"""Boards as they come up in games."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import nardy_fast as nf


def boards_of(rules: str, n: int = 300, last: int = 70) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Boards of random games up to that turn, and whose turn it is; finished games have begun again."""
    rng = np.random.default_rng(8)
    boards = np.repeat(nf.Position.start(rules).board[None], n, axis=0)
    turns = np.zeros(n, np.int8)
    for turn in range(last):
        part = slice(n * turn // last, n)
        step = nf.batch.random_step(boards[part].copy(), rng, rules, turns=turns[part].copy(), restart=True)
        boards[part], turns[part] = step.boards, step.turns
    return boards, turns
