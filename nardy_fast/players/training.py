"""Training by self-play: TD(lambda), from nothing or from a network that was trained before."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nardy_fast.arguments import as_int, checked_workers, short_repr
from nardy_fast.bulk.simulation import available
from nardy_fast.players import _train, files
from nardy_fast.players.arena import Arena, play
from nardy_fast.players.network import Network
from nardy_fast.players.players import Greedy, Random
from nardy_fast.rules import Ruleset, ruleset
from nardy_fast.workers import run

#: Games that a thread plays with the same rates. Each such shard has random numbers of its own, by the seed and its number.
SHARD = 50
#: Games of a checkpoint's measurement against each opponent.
MEASURED = 400
#: Rates and traces (lambda), at the beginning and at the end.
RATES = (0.03, 0.0005)
TRACES = (0.7, 0.1)
#: The standard deviation of the first weights.
_SPREAD = 0.1

Span = tuple[float, float]


class Checkpoint(NamedTuple):
    """How far a training has come."""

    games: int
    #: Since the beginning, what was done before a resumption included.
    seconds: float
    #: Of the whole training, 0 to 1.
    progress: float
    games_per_second: float
    #: The mean of the squared errors of the chances, since the last checkpoint.
    loss: float
    #: Games against fixed opponents.
    random: Arena
    greedy: Arena
    network: Network

    def __str__(self) -> str:
        return (
            f"{self.games:>10,} games {self.seconds:>7.0f} s {self.games_per_second:>6,.0f}/s  loss {self.loss:.4f}"
            f"  random {self.random.points:+.3f}  greedy {self.greedy.points:+.3f} +- {self.greedy.error:.3f}"
            f" ({self.greedy.wins:.1%} won)"
        )


def new_weights(rules: str | Ruleset, *, hidden: int = 128, encoding: str = "dense-1", seed: int = 0) -> files.Weights:
    """The weights of a network that knows nothing yet."""
    found = ruleset(rules)
    if as_int("hidden", hidden, 1, files.MAX_HIDDEN) % files.BLOCK:
        raise ValueError(f"hidden = {hidden}: expected a multiple of {files.BLOCK}")
    if encoding not in files.ENCODINGS:
        raise ValueError(f"encoding = {short_repr(encoding)}: expected one of {', '.join(files.ENCODINGS)}")
    rng = np.random.default_rng(as_int("seed", seed, 0))
    shapes = files.shapes(found, encoding, hidden)
    first, second = (_SPREAD * rng.standard_normal(shapes[name], np.float32) for name in ("first", "second"))
    return files.Weights(found, encoding, first, second, np.zeros(shapes["second_bias"], np.float32), {})


def train(
    rules: str | Ruleset = "long",
    *,
    minutes: float | None = None,
    games: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    hidden: int = 128,
    encoding: str = "dense-1",
    rate: Span = RATES,
    trace: Span = TRACES,
    start: Network | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    every: float = 30.0,
    callback: Callable[[Checkpoint], object] | None = None,
) -> Network:
    """Train a network for these rules by games that it plays against itself, for so many `minutes` or `games`.

    Each position of a game is taught what followed: TD(lambda) by lambda returns, plain gradient descent, `threads` (None: as
    many as there are processors) at once on the same weights. `rate`, the size of the steps, falls geometrically from its first
    number to its last, and `trace`, the lambda, in a straight line; that annealing matters most, so plan the time rather than
    stop early. `hidden`, a multiple of 64, is the width of the hidden layer; `encoding`, ``dense-1`` or ``slots``, is what it is
    told of a board. `start`: a network to go on with instead of nothing, whose width and encoding are taken.

    Every `every` seconds, and at the end, there is a checkpoint: the network is written to `out`, whole or not at all, and
    `callback` gets a `Checkpoint`, measured by games against `Random` and `Greedy`; an exception out of it, like a keyboard
    interrupt, ends the training, the last checkpoint kept. With `resume`, an `out` that exists is gone on with, by the options it
    was begun with.

    With `games` and one thread the network is the same for the same options, on the same machine. Raises `TypeError` or
    `ValueError` for options that are not what they should be, before anything is written.
    """
    found = ruleset(rules)
    if (minutes is None) == (games is None):
        raise ValueError(f"minutes, games = {short_repr(minutes)}, {short_repr(games)}: expected one of them")
    if games is not None:
        total: tuple[str, float] = "games", as_int("games", games, 1)
    else:
        total = "seconds", 60 * _number("minutes", minutes, 0.0, 1e6)
    plan: dict[str, Any] = {
        "total": list(total),
        "seed": as_int("seed", seed, 0, (1 << 63) - 1),
        "rate": _span("rate", rate),
        "trace": _span("trace", trace),
        **{"games": 0, "turns": 0, "seconds": 0},
    }
    workers = available() if threads is None else checked_workers(threads, None)
    every = _number("every", every, 0.0, 1e9)
    if callback is not None and not callable(callback):
        raise TypeError(f"callback = {short_repr(callback)}: expected a function or None")
    if start is not None and (not isinstance(start, Network) or start.rules != found):
        raise ValueError(f"start = {short_repr(start)}: expected a network of the rules {found.name!r}")
    target = None if out is None else Path(out)
    if resume and target is not None and target.exists():
        weights = files.read(target)
        if weights.rules != found or not plan.keys() <= weights.training.keys():
            raise ValueError(f"{target}: expected a training for {found.name!r}, to go on with")
        plan = weights.training
    elif start is not None:
        weights = replace(start.weights, **{name: getattr(start.weights, name).copy() for name in files.ARRAYS})
    else:
        weights = new_weights(found, hidden=hidden, encoding=encoding, seed=seed)
    if target is not None and not target.parent.is_dir():
        raise FileNotFoundError(f"out = {short_repr(os.fspath(target))}: there is no such folder")
    weights.training = plan
    training = _Training(Network(weights), target, every, callback)
    training.run(workers)
    return training.network


class _Training:
    """A training as it goes on; what must survive it is in the plan, which is written with the network."""

    def __init__(self, network: Network, out: Path | None, every: float, callback: Callable[[Checkpoint], object] | None) -> None:
        self.network = network
        self._plan = network.weights.training
        self._out = out
        self._every = every
        self._callback = callback
        self._kind, self._total = self._plan["total"]
        self._before = self._plan["seconds"]
        self._begun = time.monotonic()
        self._losses: list[float] = []

    @property
    def _seconds(self) -> float:
        return float(self._before + time.monotonic() - self._begun)

    def run(self, threads: int) -> None:
        """Train until the plan is done."""
        plan, told, since = self._plan, time.monotonic(), (self._plan["games"], self._seconds)
        with closing(run(_train.play_and_learn, self._shards(), threads)) as finished:
            for _, (games, turns, loss) in finished:
                plan["games"] += games
                plan["turns"] += turns
                self._losses.append(loss / max(turns, 1))
                if time.monotonic() - told >= self._every:
                    since = self._checkpoint(since)
                    told = time.monotonic()
        self._checkpoint(since)

    def _shards(self) -> Iterator[tuple[Any, ...]]:
        """The work, its rates as far along as it is when it is handed out."""
        plan, given = self._plan, self._plan["games"]
        (rate, last_rate), (trace, last_trace) = plan["rate"], plan["trace"]
        while (progress := (given if self._kind == "games" else self._seconds) / self._total) < 1:
            games = min(SHARD, self._total - given) if self._kind == "games" else SHARD
            now = rate * (last_rate / rate) ** progress
            yield self.network.native, plan["seed"], given // SHARD, games, now, trace + (last_trace - trace) * progress
            given += games

    def _checkpoint(self, since: tuple[int, float]) -> tuple[int, float]:
        """Write the network and tell the caller; the games and seconds so far."""
        plan, seconds = self._plan, self._seconds
        # A training by games is the same bytes however long it took.
        plan["seconds"] = round(seconds, 3) if self._kind == "seconds" else 0
        if self._out is not None:
            self.network.save(self._out)
        if self._callback is not None:
            rules, games = self.network.rules, plan["games"]
            progress = (games if self._kind == "games" else seconds) / self._total
            speed = (games - since[0]) / max(seconds - since[1], 1e-9)
            random, greedy = (play(self.network, other, rules, MEASURED, threads=1) for other in (Random(), Greedy()))
            loss = float(np.mean(self._losses)) if self._losses else 0.0
            self._callback(Checkpoint(games, seconds, min(progress, 1.0), speed, loss, random, greedy, self.network))
        self._losses.clear()
        return plan["games"], self._seconds


def _number(name: str, value: Any, lowest: float, highest: float) -> float:
    """`value` as a float above `lowest`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} = {short_repr(value)}: expected a number")
    if not lowest < value <= highest:
        raise ValueError(f"{name} = {value}: expected a number above {lowest:g}, up to {highest:g}")
    return float(value)


def _span(name: str, span: Any) -> list[float]:
    """`span` as two numbers above 0, up to 1."""
    if not isinstance(span, tuple | list) or len(span) != 2:
        raise TypeError(f"{name} = {short_repr(span)}: expected two numbers, at the beginning and at the end")
    return [_number(name, value, 0.0, 1.0) for value in span]
