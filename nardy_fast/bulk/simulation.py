"""Many random games at once: `simulate` plays them on the native core, and `Simulation` is what came of them.

Each play is a uniform choice among the distinct afterstates, the dice are fair, and the first dice are thrown as the rules say.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.random import SFC64, SeedSequence  # by name: NumPy loads it on first use, and fails where threads do that at once
from numpy.typing import NDArray

from nardy_fast.arguments import MAX_THREADS, as_int, check_array, check_keys, checked_workers, read_json, short_repr
from nardy_fast.core._games import play_games
from nardy_fast.core._position import Position
from nardy_fast.rules import BLACK, WHITE, Ruleset, ruleset
from nardy_fast.workers import AnyExecutor, run

#: Games that share one stream of random numbers. Fixed, so that the games do not depend on who plays them.
SHARD = 1024
#: Shards that are sent to an executor together: a fifth of a second's work, so that the way there and back is little beside it.
SHARDS_SENT = 8
#: More than these are surely a mistake.
MAX_GAMES = 2**40

_DRAW = -1

#: The winner, the points and the turns of some games: what a shard of the work comes to.
Played = tuple[NDArray[np.int8], NDArray[np.int16], NDArray[np.int32]]


@dataclass(frozen=True, eq=False)
class Simulation:
    """What came of some games: an entry a game in each array, and how they were made.

    The arrays are read-only. Two simulations are equal when all but their `seconds` are. Raises `TypeError` or `ValueError` where
    the arrays do not describe the same games.
    """

    #: int8: 0 White, 1 Black, -1 a draw.
    winner: NDArray[np.int8]
    #: int16: what the winner scored.
    points: NDArray[np.int16]
    #: int32: turns in the game, passes counted.
    turns: NDArray[np.int32]
    rules: Ruleset
    seed: int
    #: How long it took.
    seconds: float

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Ruleset):
            raise TypeError(f"rules = {short_repr(self.rules)}: expected a Ruleset")
        for name, dtype, lowest, highest in (
            ("winner", np.int8, _DRAW, BLACK),
            ("points", np.int16, 0, None),
            ("turns", np.int32, 0, None),
        ):
            object.__setattr__(self, name, _as_column(name, getattr(self, name), np.dtype(dtype), lowest, highest))
        if not len(self.winner) == len(self.points) == len(self.turns):
            lengths = f"{len(self.winner)}, {len(self.points)} and {len(self.turns)}"
            raise ValueError(f"winner, points and turns have {lengths} entries: expected one a game in each")

    def __len__(self) -> int:
        """The number of games."""
        return len(self.winner)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Simulation):
            return NotImplemented
        arrays = ((self.winner, other.winner), (self.points, other.points), (self.turns, other.turns))
        return (self.rules, self.seed) == (other.rules, other.seed) and all(np.array_equal(a, b) for a, b in arrays)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Simulation], tuple[Any, ...]]:
        """For pickle and copy: arrays do not keep by themselves that they are read-only."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    def summary(self) -> dict[str, Any]:
        """The figures that people ask for, ready for JSON.

        ``rules`` (a name), ``seed``, ``games``, ``turns``, ``turns_per_game``, ``seconds``, ``turns_per_second``; ``results``:
        for ``white`` and ``black`` the share of all games won with each result (`result_names`), and ``all`` for the side's
        wins together; ``draws``, a share too.
        """
        games, turns = len(self), int(self.turns.sum(dtype=np.int64))
        return {
            "rules": self.rules.name,
            "seed": self.seed,
            "games": games,
            "turns": turns,
            "turns_per_game": turns / games,
            "results": {"white": self._shares(WHITE), "black": self._shares(BLACK)},
            "draws": int(np.count_nonzero(self.winner == _DRAW)) / games,
            "seconds": self.seconds,
            "turns_per_second": turns / self.seconds if self.seconds > 0 else 0.0,
        }

    def _shares(self, side: int) -> dict[str, float]:
        """The share of all games that `side` won, by result."""
        counts = np.bincount(self.points[self.winner == side])
        names = result_names(self.rules)
        shares = {name: float(counts[points]) / len(self) if points < len(counts) else 0.0 for points, name in names.items()}
        return shares | {"all": float(counts.sum()) / len(self)}

    def to_json(self) -> str:
        """Everything, arrays included, as a JSON object."""
        arrays = {name: getattr(self, name).tolist() for name in ("winner", "points", "turns")}
        return json.dumps({"rules": asdict(self.rules), "seed": self.seed, "seconds": self.seconds, **arrays})

    @classmethod
    def from_json(cls, text: str) -> Simulation:
        """The simulation that `to_json` wrote; `ValueError` for anything else."""
        content = read_json(text, "simulation")
        check_keys(content, "simulation", [field.name for field in fields(cls)])
        try:
            rules = Ruleset.from_json(json.dumps(content.pop("rules")))
            return cls(rules=rules, seed=as_int("seed", content.pop("seed"), 0), seconds=float(content.pop("seconds")), **content)
        except TypeError as error:
            raise ValueError(f"simulation: {error}") from None


def _as_column(name: str, values: Any, dtype: np.dtype[Any], lowest: int, highest: int | None) -> NDArray[Any]:
    """`values` as a read-only array of one dimension."""
    check_array(name, values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} = {short_repr(values)}: expected one entry a game") from None
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}: expected integers")
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}: expected one entry a game, and at least one game")
    most = int(np.iinfo(dtype).max) if highest is None else highest
    if array.min() < lowest or array.max() > most:
        at = int(((array < lowest) | (array > most)).argmax())
        raise ValueError(f"{name}[{at}] = {array[at]}: expected {lowest}..{most}")
    column = array.astype(dtype, copy=False).view()
    column.flags.writeable = False
    return column


def result_names(rules: Ruleset) -> dict[int, str]:
    """What a win of so many points is called (rulebook, sections 1 to 3).

    Home mars and koks of the same value are not told apart; where the loser's checkers count, each number of them is a result.
    """
    if rules.road == "contrary":
        names = {1: "single", 2: "gammon", 3: "backgammon"}
        return {points: name for points, name in names.items() if points <= rules.backgammon_points}
    if rules.goal == "keep":
        return {1: "giveaway", 2: "giveaway mars"}
    if rules.remaining:
        return {1: "1 point"} | {points: f"{points} points" for points in range(2, rules.checkers + 1)}
    names = {1: "oin", 2: "mars"}
    if rules.home_mars is not None:
        names[rules.home_mars] = "home mars"
    if rules.koks is not None:
        names[rules.koks_points] = "home mars or koks" if rules.koks_points == rules.home_mars else "koks"
    return dict(sorted(names.items()))


def simulate(
    games: int,
    rules: str | Ruleset = "long",
    *,
    seed: int = 0,
    threads: int | None = None,
    executor: AnyExecutor | None = None,
    start: Position | None = None,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Plays `games` random games and tells how they ended.

    The same `seed` gives the same games whoever plays them: any number of `threads` (None: as many as the machine has
    processors; the native core releases the GIL), or an `executor` (anything with `submit`, as in `concurrent.futures`), which is
    then sent fixed shards of the work. `start`: the position that every game begins from, the side to move as it says, instead of
    the rules' own start. `progress` is called in the calling thread, from time to time, with the number of games played so far.

    Raises `TypeError` or `ValueError` for `games`, `rules`, `seed`, `threads`, `executor`, `start` or `progress` that are not
    what they should be; an exception out of `progress`, like a keyboard interrupt, ends the games soon.
    """
    rules, workers = checked_arguments(games, rules, seed, threads, executor, start, progress, Position)
    size = SHARD if executor is None else SHARD * SHARDS_SENT
    return play_shards(_play_shard, size, int(games), rules, int(seed), start, workers or available(), executor, progress)


def available() -> int:
    """As many threads as the machine has processors."""
    return min(os.cpu_count() or 1, MAX_THREADS)


def checked_arguments(
    games: Any, rules: Any, seed: Any, threads: Any, executor: Any, start: Any, progress: Any, position_type: Any
) -> tuple[Ruleset, int | None]:
    """The ruleset and the threads, once a `simulate`'s arguments are what they should be; else `TypeError` or `ValueError`."""
    as_int("games", games, 1, MAX_GAMES)
    known = ruleset(rules)
    as_int("seed", seed, 0)
    workers = checked_workers(1 if threads is None else threads, executor)
    if start is not None:
        if not isinstance(start, position_type):
            raise TypeError(f"start = {short_repr(start)}: expected a Position or None")
        if start.rules != known:
            raise ValueError(f"start = {short_repr(start)}: its rules are not the rules of the simulation, {known.name!r}")
        if start.is_over:
            raise ValueError(f"start = {short_repr(start)}: the game is over")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress = {short_repr(progress)}: expected a function or None")
    return known, None if threads is None else workers


def play_shards(
    play_shard: Callable[[Ruleset, int, Any, int, int], Played],
    size: int,
    games: int,
    rules: Ruleset,
    seed: int,
    start: Any,
    threads: int,
    executor: AnyExecutor | None,
    progress: Callable[[int], object] | None,
) -> Simulation:
    """Fills the arrays of a `Simulation` by ``play_shard(rules, seed, start, first, games)``, `size` games at a time."""
    winner, points, turns = np.empty(games, np.int8), np.empty(games, np.int16), np.empty(games, np.int32)
    begun = time.perf_counter()
    shards = ((rules, seed, start, first, min(size, games - first)) for first in range(0, games, size))
    done = 0
    with closing(run(play_shard, shards, threads, executor)) as finished:
        for number, played in finished:
            first = number * size
            rows = slice(first, min(first + size, games))
            winner[rows], points[rows], turns[rows] = _checked_shard(played, rows.stop - first)
            done += rows.stop - first
            if progress is not None:
                progress(done)
    return Simulation(winner=winner, points=points, turns=turns, rules=rules, seed=seed, seconds=time.perf_counter() - begun)


def _checked_shard(played: Any, games: int) -> Played:
    """What came back for a shard: an executor is somebody else's, and may hand back anything."""
    dtypes = (np.int8, np.int16, np.int32)
    good = isinstance(played, tuple) and len(played) == len(dtypes)
    if good and all(
        isinstance(part, np.ndarray) and part.dtype == dtype and part.shape == (games,)
        for part, dtype in zip(played, dtypes, strict=True)
    ):
        return played[0], played[1], played[2]
    raise TypeError(f"executor: a shard of {games} games came back as {short_repr(played)}: expected winner, points and turns")


def _play_shard(rules: Ruleset, seed: int, start: Any, first: int, games: int) -> Played:
    """The games from number `first`, which begins a shard; each shard has random numbers of its own."""
    winner, points, turns = np.empty(games, np.int8), np.empty(games, np.int16), np.empty(games, np.int32)
    for done in range(0, games, SHARD):
        bits = SFC64(SeedSequence(seed, spawn_key=((first + done) // SHARD,)))
        rows = slice(done, done + SHARD)
        play_games(bits, rules, start, winner[rows], points[rows], turns[rows])
    return winner, points, turns
