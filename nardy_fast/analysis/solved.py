"""A small game, solved: what every position of it is worth, for best play by both."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nardy_fast.analysis._solved import SolvedNative
from nardy_fast.analysis.build_solved import SolvedBuilder
from nardy_fast.analysis.small_games import SolvedKey, results_won, solved_key
from nardy_fast.arguments import as_dice, check_position, checked_workers
from nardy_fast.bearoff import store
from nardy_fast.bearoff.progress import Progress
from nardy_fast.bearoff.sides import as_out, as_turns
from nardy_fast.bulk import batch
from nardy_fast.core._position import Play, Position
from nardy_fast.players.chances import BestPlays, Candidate, Chances
from nardy_fast.rules import Ruleset, ruleset
from nardy_fast.workers import run

KIND = "solved"
#: Rows that one thread does at a time.
SHARD = 8192

Boards = NDArray[np.int8]


class Solution:
    """For each position of a game with two or three checkers a side: exactly what the side to move can expect.

    Get one from `solve`. It plays, and judges positions, with the methods of every player. Both sides play for the greatest
    equity, in the points that the rules give, without a cube. Equities are off by less than 1e-9; the chances of each result are
    those of one best play by both, to some six digits. Who is White does not matter.
    """

    def __init__(self, key: SolvedKey, rules: Ruleset, arrays: store.Arrays, path: Path | None) -> None:
        self.key = key
        #: The rules that the solution was asked for.
        self.rules = rules
        #: The file that is mapped, or None for a solution in memory only.
        self.path = path
        won = results_won(rules)
        self._outputs = (*(-points for points in reversed(won)), *won)
        #: The solution itself, for the C API.
        self.native = SolvedNative(key.checkers, won, arrays["equities"], arrays["chances"])

    @classmethod
    def load(
        cls,
        rules: str | Ruleset,
        *,
        folder: str | os.PathLike[str] | None = None,
        threads: int = 1,
        progress: Progress | bool | None = None,
    ) -> Self:
        """The same as `solve`."""
        return cls._obtained(rules, store.cache_folder(folder), threads, progress)

    @classmethod
    def build(cls, rules: str | Ruleset, *, threads: int = 1, progress: Progress | bool | None = None) -> Self:
        """The same as `solve`, built anew in memory."""
        return cls._obtained(rules, None, threads, progress)

    @classmethod
    def _obtained(cls, rules: str | Ruleset, folder: Path | None, threads: int, progress: Progress | bool | None) -> Self:
        key, known = solved_key(rules), ruleset(rules)
        builder = partial(SolvedBuilder, known, checked_workers(threads, None))
        what = f"solving {known.name}, {key.checkers} checkers"
        arrays, path = store.obtain(folder, KIND, key._asdict(), builder, what, progress)
        return cls(key, known, arrays, path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets it from the file, or where there is none builds it in memory."""
        return _again, (type(self), self.rules, None if self.path is None else os.fspath(self.path.parent))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.rules.name}, {self.checkers} checkers, {self.path or 'in memory'}>"

    @property
    def checkers(self) -> int:
        """How many checkers a side has."""
        return self.key.checkers

    @property
    def sides(self) -> int:
        """How many ways there are for one side to stand: 3276 for three checkers that may be hit."""
        return self.native.sides

    @property
    def outputs(self) -> tuple[int, ...]:
        """The results that the game can end with, as points that the side to move scores, least first."""
        return self._outputs

    # One position at a time

    def evaluate(self, position: Position) -> Chances:
        """What the side to move can expect before it throws; of a finished position, what has come of it.

        Raises `TypeError` for what is no position, `ValueError` for one of another game.
        """
        self.check_rules(position)
        return self._chances(position.board[np.newaxis], "over" if position.is_over else KIND)[0]

    def rank(self, position: Position, dice: tuple[int, int]) -> list[Candidate]:
        """Every play of the roll with what it is worth to the player who makes it, best first.

        Equals stand in the order of `Position.plays`. Raises as `evaluate` does, and `ValueError` for a finished position.
        """
        self.check_rules(position)
        plays = position.plays(dice)
        if not plays:
            raise ValueError("position: the game is over")
        boards = np.array([play.afterstate.board for play in plays])
        sources = ["over" if play.afterstate.is_over else KIND for play in plays]
        left = [self._chances(boards[i : i + 1], source)[0] for i, source in enumerate(sources)]
        # What the opponent scores the player who moved loses; the results are the same on both sides.
        chances = [Chances(c.points, c.probabilities[::-1], -c.equity, c.source) for c in left]
        best = max(chance.equity for chance in chances)
        candidates = [Candidate(p, c, c.equity, best - c.equity) for p, c in zip(plays, chances, strict=True)]
        return sorted(candidates, key=lambda candidate: candidate.loss)

    def choose(self, position: Position, dice: tuple[int, int]) -> Play:
        """The best play of the roll; raises as `rank` does."""
        return self.rank(position, dice)[0].play

    # Many at a time: arrays in, arrays out, the GIL released

    def evaluate_batch(
        self, boards: Any, *, turns: Any = None, out: NDArray[np.float32] | None = None, threads: int = 1
    ) -> NDArray[np.float32]:
        """The chances of each of `outputs` for the side to move in each board of int8[n, 2, 26], as float32[n, len(outputs)].

        `turns`, the colours to move, make no difference here. Raises `ValueError` with the first board that the rules forbid.
        """
        checked = self._checked(boards, turns)
        out = as_out(out, np.float32, (len(checked), len(self.outputs)))
        _share(lambda rows: self.native.outputs(checked[rows], out[rows]), len(checked), threads)
        return out

    def equities(
        self, boards: Any, *, turns: Any = None, out: NDArray[np.float64] | None = None, threads: int = 1
    ) -> NDArray[np.float64]:
        """What the side to move in each board can expect, as float64[n]; all else as in `evaluate_batch`."""
        checked = self._checked(boards, turns)
        out = as_out(out, np.float64, (len(checked),))
        _share(lambda rows: self.native.equities(checked[rows], out[rows]), len(checked), threads)
        return out

    def best_plays(self, boards: Any, dice: Any, *, turns: Any = None, threads: int = 1) -> BestPlays:
        """The best play of each board for its dice: one pair for all, or int8[n, 2]. Raises as `evaluate_batch` does."""
        checked = self._checked(boards, turns)
        n = len(checked)
        rolls = _checked_dice(dice, n)
        after, index, equity = np.empty_like(checked), np.empty(n, np.int32), np.empty(n)

        def play(rows: slice) -> None:
            self.native.best_plays(self.rules, checked[rows], rolls[rows], after[rows], index[rows], equity[rows])

        _share(play, n, threads)
        return BestPlays(after, index, equity)

    def check_rules(self, position: Position) -> None:
        """Raise `ValueError` for a position of another game than the solved one, `TypeError` for none."""
        check_position(position)
        if position.rules != self.rules and solved_key(position.rules) != self.key:
            raise ValueError(f"position: rules {position.rules.name} make another game than the solved one, {self.rules.name}")

    def _chances(self, boards: Boards, source: str) -> list[Chances]:
        """The chances of boards that are known to be good."""
        equities, rows = np.empty(len(boards)), np.empty((len(boards), len(self.outputs)), np.float32)
        self.native.equities(boards, equities)
        self.native.outputs(boards, rows)
        return [
            Chances(self.outputs, tuple(row), equity, source)
            for row, equity in zip(rows.tolist(), equities.tolist(), strict=True)
        ]

    def _checked(self, boards: Any, turns: Any) -> Boards:
        """The boards, if they are of this game."""
        wrong = batch.validate(boards, self.rules)
        if wrong:
            row, reason = wrong[0]
            raise ValueError(f"boards[{row}]: {reason}")
        checked = np.asarray(boards)
        if turns is not None:
            as_turns(turns, len(checked))
        return checked


def solve(
    rules: str | Ruleset,
    *,
    folder: str | os.PathLike[str] | None = None,
    threads: int = 1,
    progress: Progress | bool | None = None,
) -> Solution:
    """The solution of a game with two or three checkers a side, mapped from the cache folder and shared between processes.

    The rules: `nf.ruleset("hypergammon")`, or long nardy or backgammon in any dialect with so few checkers, as in
    ``dataclasses.replace(nf.ruleset("long"), name="three", setup=((1, 3),))``. It is built and written there if it is not there
    yet or its file is not as it should be; where nothing can be written, it is built in memory. `folder` and `progress` as in
    `nf.bearoff.OneSided.load`; `threads` build it, and do not change it. Two checkers take seconds and a few megabytes, three
    minutes and up to 260 MB.

    Raises `ValueError` for rules that are not solved: more checkers, a last roll, and what changes the turns of a game.
    """
    return Solution.load(rules, folder=folder, threads=threads, progress=progress)


def _again(solution: type[Solution], rules: Ruleset, folder: str | None) -> Solution:
    return solution.build(rules) if folder is None else solution.load(rules, folder=folder)


def _checked_dice(dice: Any, n: int) -> NDArray[np.int8]:
    """The dice as int8[n, 2]."""
    if not isinstance(dice, np.ndarray):
        return np.ascontiguousarray(np.broadcast_to(np.array(as_dice(dice), np.int8), (n, 2)))
    if dice.dtype != np.int8 or dice.shape != (n, 2):
        raise ValueError(f"dice: expected int8[{n}, 2], not {dice.dtype}{list(dice.shape)}")
    wrong = np.flatnonzero(((dice < 1) | (dice > 6)).any(axis=1))
    if len(wrong):
        raise ValueError(f"dice[{wrong[0]}] = {dice[wrong[0]].tolist()}: a die shows 1..6")
    return np.ascontiguousarray(dice)


def _share(task: Callable[[slice], None], n: int, threads: int) -> None:
    """Do the rows in shards."""
    workers = checked_workers(threads, None)
    shards = ((slice(begin, min(begin + SHARD, n)),) for begin in range(0, n, SHARD))
    for _ in run(task, shards, workers if n > SHARD else 1):
        pass
