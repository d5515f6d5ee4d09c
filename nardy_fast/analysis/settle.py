"""From a belief to one that stands: the limit of sweeps that each bring it nearer, guessed from those before."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.bearoff.progress import Progress

#: Sweeps that the next guess is drawn from, beside the last: with them twenty sweeps do what takes some thirty-five without.
MEMORY = 5
#: No game has needed a tenth of it.
MAX_SWEEPS = 1000


def settle(sweep: Callable[[], object], belief: NDArray[Any], target: float, progress: Progress) -> int:
    """Sweep until no value of `belief`, an array of one dimension that a sweep replaces, changes by more than `target`.

    Returns the number of sweeps. Each is nearly linear once the best plays are known, so that the changes of the last few tell
    which mixture of their results would have changed least: that is where the next begins (Anderson's acceleration). A mixture
    that turns out worse than what it was made of is forgotten; plain sweeps come nearer every time.
    """
    changes: list[NDArray[Any]] = []
    results: list[NDArray[Any]] = []
    first = last = 0.0
    for number in range(1, MAX_SWEEPS + 1):
        before = belief.copy()
        sweep()
        change = belief - before
        greatest = float(np.abs(change).max())
        if greatest <= target:
            progress(1.0)
            return number
        first = max(first, greatest)
        progress(1 - log(greatest / target) / log(2 * first / target))
        if changes and greatest > 2 * last:
            changes, results = [], []
        last = greatest
        changes = [*changes, change][-MEMORY - 1 :]
        results = [*results, belief.copy()][-MEMORY - 1 :]
        belief -= _correction(changes, results)
    raise RuntimeError(f"the values still change by {last} after {MAX_SWEEPS} sweeps")


def _correction(changes: list[NDArray[Any]], results: list[NDArray[Any]]) -> Any:
    """By how much the best mixture of the results differs from the last of them."""
    steps = [changes[-1] - change for change in changes[:-1]]
    products = np.array([[float(step @ other) for other in steps] for step in steps]).reshape(len(steps), len(steps))
    wanted = np.array([float(step @ changes[-1]) for step in steps])
    shares = np.linalg.lstsq(products, wanted, rcond=1e-12)[0]
    return sum(share * (results[-1] - result) for share, result in zip(shares.tolist(), results[:-1], strict=True))
