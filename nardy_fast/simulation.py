"""Many random games at once: `simulate` plays them on the native core, and `Simulation` is what came of them.

Each play is a uniform choice among the distinct afterstates, the dice are fair, and the first dice are thrown as the rules say.
"""

from __future__ import annotations

import json
import operator
import os
import time
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.rules import BLACK, WHITE, Ruleset, ruleset

if TYPE_CHECKING:
    from nardy_fast import Position

#: Games that share one stream of random numbers. Fixed, so that the games do not depend on the number of threads.
CHUNK = 1024
#: More than these are surely a mistake.
MOST_GAMES = 2**40
MOST_THREADS = 1024

_DRAW = -1

PlayChunk = Callable[[np.random.BitGenerator, NDArray[np.int8], NDArray[np.int16], NDArray[np.int32]], object]


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
            raise TypeError(f"rules = {self.rules!r}: expected a Ruleset")
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
            "draws": np.count_nonzero(self.winner == _DRAW) / games,
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
        content: Any = json.loads(text)
        names = {field.name for field in fields(cls)}
        if not isinstance(content, dict) or content.keys() != names:
            raise ValueError(f"simulation: expected a JSON object with {', '.join(sorted(names))}")
        try:
            rules = Ruleset.from_json(json.dumps(content.pop("rules")))
            return cls(
                rules=rules, seed=_as_int("seed", content.pop("seed"), 0), seconds=float(content.pop("seconds")), **content
            )
        except TypeError as error:
            raise ValueError(f"simulation: {error}") from None


def _as_column(name: str, values: Any, dtype: np.dtype[Any], lowest: int, highest: int | None) -> NDArray[Any]:
    """`values` as a read-only array of one dimension."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}: expected integers")
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}: expected one entry a game, and at least one game")
    most = int(np.iinfo(dtype).max) if highest is None else highest
    wrong = (array < lowest) | (array > most)
    if wrong.any():
        at = int(wrong.argmax())
        raise ValueError(f"{name}[{at}] = {array[at]}: expected {lowest}..{most}")
    column = array.astype(dtype, copy=False).view()
    column.flags.writeable = False
    return column


def result_names(rules: Ruleset) -> dict[int, str]:
    """What a win of so many points is called (rulebook, sections 1 to 3).

    Home mars and koks of the same value are not told apart; where the loser's checkers count, each number of them is a result.
    """
    if rules.road == "contrary":
        return {1: "single", 2: "gammon", 3: "backgammon"}
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
    start: Position | None = None,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Plays `games` random games and tells how they ended.

    The same `seed` gives the same games whatever the number of `threads` (None: as many as the machine has processors); the
    GIL is released. `start`: the position that every game begins from, the side to move as it says, instead of the rules' own
    start. `progress` is called in the calling thread, from time to time, with the number of games played so far.

    Raises `TypeError` or `ValueError` for `games`, `seed`, `threads`, `rules` or `start` that are not what they should be; an
    exception out of `progress`, like a keyboard interrupt, ends the games soon.
    """
    # Here and not above: the reference takes `Simulation` from this module and needs no native core.
    from nardy_fast._games import play_games
    from nardy_fast._position import Position

    rules = checked_arguments(games, rules, seed, threads, start, Position)

    def play_chunk(
        bits: np.random.BitGenerator, winner: NDArray[np.int8], points: NDArray[np.int16], turns: NDArray[np.int32]
    ) -> None:
        play_games(bits, rules, start, winner, points, turns)

    return play_chunks(play_chunk, int(games), rules, int(seed), threads or os.cpu_count() or 1, progress)


def checked_arguments(games: Any, rules: Any, seed: Any, threads: Any, start: Any, position_type: Any) -> Ruleset:
    """The ruleset, once the arguments of a `simulate` are what they should be; else `TypeError` or `ValueError`."""
    _as_int("games", games, 1, MOST_GAMES)
    known = ruleset(rules)
    _as_int("seed", seed, 0)
    if threads is not None:
        _as_int("threads", threads, 1, MOST_THREADS)
    if start is None:
        return known
    if not isinstance(start, position_type):
        raise TypeError(f"start = {start!r}: expected a Position or None")
    if start.rules != known:
        raise ValueError(f"start = {start!r}: its rules are not the rules of the simulation, {known.name!r}")
    if start.is_over:
        raise ValueError(f"start = {start!r}: the game is over")
    return known


def _as_int(name: str, value: Any, lowest: int, highest: int | None = None) -> int:
    """`value` as an int from `lowest`, and up to `highest` if there is such; `TypeError` or `ValueError` for anything else."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} = {value!r}: expected an integer") from None
    if number < lowest or (highest is not None and number > highest):
        limits = f"an integer from {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} = {number}: expected {limits}")
    return number


def play_chunks(
    play_chunk: PlayChunk, games: int, rules: Ruleset, seed: int, threads: int, progress: Callable[[int], object] | None
) -> Simulation:
    """Fills the arrays of a `Simulation`, `CHUNK` games at a time, each chunk with random numbers of its own."""
    winner, points, turns = np.empty(games, np.int8), np.empty(games, np.int16), np.empty(games, np.int32)
    begun = time.perf_counter()

    def play(chunk: int) -> int:
        bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(chunk,)))
        part = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
        play_chunk(bits, winner[part], points[part], turns[part])
        return len(winner[part])

    done = 0
    with closing(_run(play, -(-games // CHUNK), threads)) as chunks:
        for played in chunks:
            done += played
            if progress is not None:
                progress(done)
    return Simulation(winner=winner, points=points, turns=turns, rules=rules, seed=seed, seconds=time.perf_counter() - begun)


def _run(work: Callable[[int], int], count: int, threads: int) -> Generator[int]:
    """What `work` returns for each of 0 ... `count` - 1, as it comes.

    Left early, it begins no more work and waits only for what is running.
    """
    with ThreadPoolExecutor(min(threads, count)) as pool:
        pending: set[Future[int]] = set()
        try:
            for number in range(count):
                # Few are handed out ahead, so that a great many games cost no memory but their arrays.
                if len(pending) >= 2 * threads:
                    finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in finished)
                pending.add(pool.submit(work, number))
            yield from (future.result() for future in as_completed(pending))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
