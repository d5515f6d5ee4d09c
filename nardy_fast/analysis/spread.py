"""How far off the mean of trials is whose first two rolls are dealt out evenly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nardy_fast.analysis._rollout import first_rolls

#: The rolls of two dice: so many trials begin with each of them once.
ROLLS = 36
#: From so many trials on, what the first two rolls explain is taken out.
_ENOUGH = 108
#: More than it ever takes to fit.
_TURNS = 500


def standard_errors(values: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """The standard error of the mean of each column of `values`, float64[trials, n], which are the first trials of `seed`.

    The first two rolls are not left to chance, so that how much a trial is worth by them is no error: what counts is what a sum
    of one number for each first and one for each second roll, fitted by least squares, leaves. With fewer than 108 trials, which
    are too few to fit it, the error is that of trials dealt at random, and so too great rather than too small.
    """
    trials, columns = values.shape
    centred = values - values.mean(axis=0)
    squares = (centred**2).sum(axis=0)
    freedom = trials - 1
    if trials >= _ENOUGH:
        rolls = np.empty((trials, 2), np.int8)
        first_rolls(seed, rolls)
        sums = np.zeros((2, ROLLS, columns))
        for place in (0, 1):
            np.add.at(sums[place], rolls[:, place], centred)
        pairs = np.zeros((ROLLS, ROLLS))
        np.add.at(pairs, (rolls[:, 0], rolls[:, 1]), 1.0)
        squares = np.maximum(squares - _explained(sums, pairs, trials // ROLLS), 0.0)
        freedom = trials - (2 * ROLLS - 1)
    error: NDArray[np.float64] = np.sqrt(squares / freedom / trials)
    return error


def _explained(sums: NDArray[np.float64], pairs: NDArray[np.float64], each: int) -> NDArray[np.float64]:
    """The sum of squares that the fit takes out.

    `sums`: of the values, by each first and each second roll; `pairs`: how many trials each pair of them begins, `each`: each
    roll. First and second rolls are fitted in turn, each to what the other leaves: after whole rounds of 1296 trials, where they
    have nothing to do with each other, that settles at once.
    """
    firsts, seconds = sums / each
    first, second = firsts, np.zeros_like(seconds)
    for _ in range(_TURNS):
        before = first
        second = seconds - pairs.T @ first / each
        first = firsts - pairs @ second / each
        if np.abs(first - before).max() <= 1e-9 * np.abs(first).max():
            break
    explained: NDArray[np.float64] = (first * sums[0]).sum(axis=0) + (second * sums[1]).sum(axis=0)
    return explained
