"""The trials of rollouts: which are still to be played, and by whom."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import lru_cache
from typing import Any

import numpy as np

from nardy_fast.analysis._rollout import RolloutNative
from nardy_fast.analysis.rollout_files import Judge, Kept, Settings, Values
from nardy_fast.analysis.spread import standard_errors
from nardy_fast.arguments import checked_workers, short_repr
from nardy_fast.bearoff.one_sided import OneSided
from nardy_fast.bearoff.two_sided import TwoSided
from nardy_fast.bulk.simulation import available
from nardy_fast.core._position import Play, Position
from nardy_fast.players.network import NOTHING
from nardy_fast.results import points_of, result_of
from nardy_fast.rules import Ruleset
from nardy_fast.workers import AnyExecutor, run

#: Trials between two looks at whether enough is known.
LOOK = 108
#: Trials that are done at a time: fewer where the luck of each roll is looked into.
SHARD, SHARD_WITH_CONTROL = 432, 36


@lru_cache(maxsize=16)
def tables_of(rules: Ruleset) -> tuple[OneSided, TwoSided] | None:
    """The bear-off tables that games by these rules may end in; None where there are none."""
    if rules.remaining:  # the one-sided table does not know how many checkers are left
        return None
    try:
        return OneSided.load(rules), TwoSided.load(rules)
    except ValueError:
        return None


def played(
    judge: Judge, kept: Kept, trials: int, threads: Any, executor: AnyExecutor | None, progress: Callable[[int], object] | None
) -> Kept:
    """What is kept with up to so many trials of each candidate."""
    workers = available() if threads is None else checked_workers(threads, executor)
    checked_workers(1, executor)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress = {short_repr(progress)}: expected a function or None")
    values, settings = list(kept.values), kept.settings
    done = max(map(len, values))
    while (going := still_going(kept._replace(values=values))) and done < trials:
        looks = settings.until is not None or settings.apart is not None
        aim = min(trials, done - done % LOOK + LOOK) if looks else trials
        _play_on(judge, kept, values, going, done, aim, workers, executor, progress)
        done = aim
    return kept._replace(values=values)


def still_going(kept: Kept) -> list[int]:
    """The candidates that more trials are to be played of."""
    settings, values = kept.settings, kept.values
    done = max(map(len, values))
    going = [number for number, each in enumerate(values) if len(each) == done]
    if done % LOOK or not done or (settings.until is None and settings.apart is None):
        return going
    worth = [values[number] @ np.array(kept.results, float) * kept.signs[number] for number in going]
    best = int(np.argmax([each.mean() for each in worth]))
    behind = np.column_stack([worth[best] - each for each in worth])
    means, errors = behind.mean(axis=0), standard_errors(behind, settings.seed)
    if settings.until is not None:
        close = errors if len(values) > 1 else standard_errors(worth[0][:, None], settings.seed)
        if (close <= settings.until).all():
            return []
    if settings.apart is not None:
        going = [n for i, n in enumerate(going) if i == best or means[i] < settings.apart * errors[i] or means[i] == 0]
    return going if len(going) > 1 or len(values) == 1 else []


def _play_on(
    judge: Judge,
    kept: Kept,
    values: list[Values],
    going: list[int],
    done: int,
    aim: int,
    workers: int,
    executor: AnyExecutor | None,
    progress: Callable[[int], object] | None,
) -> None:
    """Lengthen the values of the candidates that are `going` from `done` to `aim` trials."""
    size = SHARD if kept.settings.control is None else SHARD_WITH_CONTROL
    parts = [
        (number, first, min(size, aim - first))
        for first in range(done, aim, size)
        for number in going
        if not kept.positions[number].is_over
    ]
    for number in going:
        values[number] = np.concatenate([values[number], np.empty((aim - done, len(kept.results)))])
        if kept.positions[number].is_over:
            values[number][:] = np.array(kept.results) == _finished(kept.positions[number], kept.plays[number])
    played = sum(map(len, values)) - sum(count for _, _, count in parts)
    shards = ((judge, kept.settings, kept.results, kept.positions[number], first, count) for number, first, count in parts)
    with closing(run(_play_shard, shards, workers, executor)) as finished:
        for part, found in finished:
            number, first, count = parts[part]
            values[number][first : first + count] = _checked_shard(found, (count, len(kept.results)))
            played += count
            if progress is not None:
                progress(played)


def _finished(position: Position, play: Play | None) -> int:
    """What a finished game is worth to the side to move."""
    if position.winner is None:
        return 0
    if play is not None:
        scored = result_of(position, play).points
    else:
        scored = points_of(position.board.tolist(), int(position.winner == position.turn), position.rules)
    return scored if position.winner == position.turn else -scored


def _play_shard(
    judge: Judge,
    settings: Settings,
    results: tuple[int, ...],
    position: Position,
    first: int,
    trials: int,
) -> Values:
    """The trials from number `first` on: the chance of each result, in the points of the side to move."""
    rules = position.rules
    pending = NOTHING if position.pending is None else position.pending.to_row()
    tables = tables_of(rules) if settings.tables else None
    one, two = (None, None) if tables is None else (tables[0].native, tables[1].native)
    control = -1 if settings.control is None else settings.control
    native = RolloutNative(
        rules, results, judge.native, judge.outputs, one, two, rules.home_mars or 2, control, settings.plies or 0, settings.seed
    )
    values = np.empty((trials, len(results)))
    native.play(np.ascontiguousarray(position.board), position.turn, pending, first, values)
    return values


def _checked_shard(found: Any, shape: tuple[int, int]) -> Values:
    """What came back for a shard: an executor is somebody else's, and may hand back anything."""
    if isinstance(found, np.ndarray) and found.dtype == np.float64 and found.shape == shape:
        return found
    raise TypeError(f"executor: a shard of {shape[0]} trials came back as {short_repr(found)}: expected the value of each")
