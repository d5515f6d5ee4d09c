"""Search: what plays and positions are worth so many plies on, by expectimax over the 21 rolls."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy_fast.analysis._search import Searcher as NativeSearcher
from nardy_fast.analysis.rollout_trials import tables_of
from nardy_fast.arguments import as_int, check_flag, check_position, checked_workers, short_repr
from nardy_fast.core._position import Play, Position
from nardy_fast.players.chances import Chances
from nardy_fast.players.network import Network
from nardy_fast.rules import ROLLS, SLOTS, Ruleset, ruleset
from nardy_fast.workers import run

#: The deepest search.
MAX_PLIES = 4


class MoveFilter(NamedTuple):
    """Which plays are looked at a ply deeper: at most `keep`, none worse than the best by more than `margin` points.

    The first two are for the plays that are ranked, at each ply those that the one before has left; the others for answers inside
    the tree, by what they are worth at 0 plies.
    """

    keep: int = 8
    margin: float = 0.16
    inner_keep: int = 4
    inner_margin: float = 0.08


NORMAL = MoveFilter()


class Ranked(NamedTuple):
    """A play and what a search thinks of it."""

    play: Play
    #: What the player who makes it can expect after it.
    chances: Chances
    #: The points of it, those of `chances`.
    equity: float
    #: By how much the best play is better; 0 for that one.
    loss: float
    #: How many plies it was looked at: those that a filter left out are judged by fewer, and stand last.
    plies: int


class Ranking(list[Ranked]):
    """Plays, best first."""

    #: Whether all was looked at that was asked; if not, the time was up.
    is_complete: bool = True


class _Tree:
    """A search of one position's rules, shared by threads."""

    def __init__(self, network: Network | None, rules: Ruleset, filter: MoveFilter | None, tables: bool, threads: int) -> None:
        check_flag("tables", tables)
        checked_workers(threads, None)
        if network is None:
            network = Network.load(rules.name)
        elif not isinstance(network, Network):
            raise TypeError(f"network = {short_repr(network)}: expected a Network or None")
        network._rules_of(rules)
        self.network, self.rules, self.filter, self.threads = network, rules, checked_filter(filter), threads
        self._tables = tables_of(rules) if tables else None
        self._made: list[NativeSearcher] = []
        self._idle: list[NativeSearcher] = []
        self._is_stopped = False

    def native(self) -> NativeSearcher:
        keep, margin = (0, 0.0) if self.filter is None else self.filter[2:]
        tables = None if self._tables is None else tuple(table.native for table in self._tables)
        searcher = NativeSearcher(self.network.native, self.rules, tables, self.rules.home_mars or 2, keep, margin)
        self._made.append(searcher)
        if self._is_stopped:
            searcher.stop()
        return searcher

    def stop(self) -> None:
        """Let all searchers end at once."""
        self._is_stopped = True
        for searcher in self._made:
            searcher.stop()

    def each(self, task: Callable[..., Any], work: Sequence[tuple[Any, ...]], deadline: float | None) -> list[Any | None]:
        """What `task`, given a native searcher, says of each; None for what was not finished by the deadline."""

        def one(*arguments: Any) -> Any:
            try:
                searcher = self._idle.pop()
            except IndexError:
                searcher = self.native()
            try:
                return task(searcher, *arguments)
            finally:
                self._idle.append(searcher)

        def in_time() -> Iterator[tuple[Any, ...]]:
            for arguments in work:
                if deadline is not None and time.monotonic() > deadline:
                    return
                yield arguments

        found: list[Any | None] = [None] * len(work)
        timer = None if deadline is None else threading.Timer(max(deadline - time.monotonic(), 0), self.stop)
        if timer is not None:
            timer.start()
        try:
            with closing(run(one, in_time(), self.threads)) as finished:
                for number, value in finished:
                    found[number] = value
        finally:
            if timer is not None:
                timer.cancel()
        return found

    def chances(self, probabilities: NDArray[np.float32], equity: float, plies: int) -> Chances:
        source = f"search, {plies} {'ply' if plies == 1 else 'plies'}" if plies else "network"
        return Chances(self.network.outputs, tuple(probabilities.tolist()), equity, source)

    def value(self, searcher: NativeSearcher, position: Position, plies: int) -> Chances | None:
        """What the side to move can expect; None if the search was stopped."""
        found = np.empty((1, len(self.network.outputs)), np.float32)
        pending = None if position.pending is None else position.pending.to_row()[None]
        equity = searcher.evaluate(position.board[None], position.turn, pending, plies, found)
        return None if equity is None else self.chances(found[0], equity, plies)


def checked_filter(filter: MoveFilter | None) -> MoveFilter | None:
    """The filter, its numbers checked."""
    if filter is None:
        return None
    if not isinstance(filter, MoveFilter):
        raise TypeError(f"filter = {short_repr(filter)}: expected a MoveFilter or None")
    for name in ("keep", "inner_keep"):
        as_int(f"filter.{name}", getattr(filter, name), 1)
    for name in ("margin", "inner_margin"):
        value = getattr(filter, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise ValueError(f"filter.{name} = {short_repr(value)}: expected points, 0 or more")
    return filter


def _deadline(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"seconds = {short_repr(seconds)}: expected a number or None")
    if not seconds > 0:
        raise ValueError(f"seconds = {seconds}: expected a number above 0")
    return time.monotonic() + seconds


def rank(
    position: Position,
    dice: Iterable[int] | None = None,
    plies: int = 1,
    network: Network | None = None,
    filter: MoveFilter | None = NORMAL,
    *,
    tables: bool = True,
    threads: int = 1,
    seconds: float | None = None,
) -> Ranking:
    """The plays of these two dice, or, without dice, of the pending stage, best first; none where the game is over.

    A play at n plies is worth what the position after it is, to who made it: at 0 plies what the `network` says (None: the one
    that is shipped for the rules); at n plies the mean over the opponent's 21 rolls of his best answer at n - 1 plies. With
    `tables` the bear-off tables answer where they know the position. Pending stages are played through and count as no ply.

    The `filter` says which plays are looked at deeper; None: all, which takes long. The result does not depend on `threads`.
    After so many `seconds`, if they are given, the search ends: `Ranking.is_complete` is then false, and each play's `plies` tell
    how far it was looked at.

    Raises `ValueError` for rules that no network is shipped for, and as `Position.plays` does.
    """
    check_position(position)
    depth = as_int("plies", plies, 0, MAX_PLIES)
    deadline = _deadline(seconds)
    tree = _Tree(network, position.rules, filter, tables, threads)
    ranking = Ranking()
    plays = position.plays(dice)
    if not plays:
        return ranking

    def judge(searcher: NativeSearcher, play: Play, ply: int) -> Ranked | None:
        after = play.afterstate
        found = tree.value(searcher, after, ply)
        if found is None:
            return None
        if after.turn != position.turn:
            found = Chances(found.points, found.probabilities[::-1], -found.equity, found.source)
        return Ranked(play, found, found.equity, 0.0, ply)

    ranked: list[Ranked] = tree.each(judge, [(play, 0) for play in plays], None)  # type: ignore[assignment]
    for ply in range(1, depth + 1):
        ranked = _best_first(ranked)
        kept = _kept([one for one in ranked if one.plies == ply - 1], tree.filter)
        deeper = tree.each(judge, [(one.play, ply) for one in ranked[:kept]], deadline)
        ranking.is_complete = None not in deeper
        if not ranking.is_complete and ply == 1 and deeper[0] is None:
            break
        ranked[:kept] = [before if after is None else after for before, after in zip(ranked, deeper, strict=False)]
        if not ranking.is_complete:
            break
    ranked = _best_first(ranked)
    ranking.extend(one._replace(loss=ranked[0].equity - one.equity) for one in ranked)
    return ranking


def _best_first(ranked: list[Ranked]) -> list[Ranked]:
    """Those that were looked at deepest first, of these the best; of equal ones the smaller board."""
    return sorted(ranked, key=lambda one: (-one.plies, -one.equity, _moved(one.play)))


def _moved(play: Play) -> bytes:
    """The board after a play, who made it in row 0, for comparison."""
    after = play.afterstate
    board = after.board if after.turn == play.position.turn else after.board[::-1]
    return board.tobytes()


def _kept(ranked: list[Ranked], filter: MoveFilter | None) -> int:
    """How many of these, which are in order, are looked at deeper."""
    if filter is None:
        return len(ranked)
    return sum(one.equity >= ranked[0].equity - filter.margin for one in ranked[: filter.keep])


def evaluate(
    position: Position,
    plies: int = 1,
    network: Network | None = None,
    filter: MoveFilter | None = NORMAL,
    *,
    tables: bool = True,
    threads: int = 1,
    seconds: float | None = None,
) -> Chances:
    """The chances of the side to move before its throw, so many plies on: the mean over the 21 rolls of the best plays.

    The arguments are those of `rank`; where stages are pending the chances are those of their best play. After so many `seconds`
    the deepest search that was done is told; `Chances.source` says how deep it was. A finished position is exact.
    """
    check_position(position)
    depth = as_int("plies", plies, 0, MAX_PLIES)
    deadline = _deadline(seconds)
    tree = _Tree(network, position.rules, filter, tables, threads)
    searcher = tree.native()
    found = tree.value(searcher, position, 0)
    assert found is not None, "nothing stops it yet"
    if position.is_over:
        return found._replace(source="over")
    if position.pending is None and searcher.knows(position.board[None]):
        return found._replace(source="tables")
    for ply in range(1 if deadline else depth, depth + 1):
        deeper = _deeper(tree, position, ply, deadline) if ply else found
        if deeper is None:
            break
        found = deeper
    return found


def _deeper(tree: _Tree, position: Position, ply: int, deadline: float | None) -> Chances | None:
    """The chances at one ply or more; None where the time was up."""
    if position.pending is not None:
        return tree.each(tree.value, [(position, ply)], deadline)[0]

    def roll(searcher: NativeSearcher, high: int, low: int) -> NDArray[np.float32] | None:
        best = np.empty((1, len(tree.network.outputs)), np.float32)
        equity = searcher.roll(position.board[None], position.turn, high, low, ply - 1, best)
        return None if equity is None else best.reshape(-1)

    rolls = tree.each(roll, [dice for dice, _ in ROLLS], deadline)
    if any(best is None for best in rolls):
        return None
    weights = np.array([weight for _, weight in ROLLS], np.float64) / 36
    mean: NDArray[np.float64] = weights @ np.array(rolls, np.float64)
    return tree.chances(mean.astype(np.float32), float(mean @ np.array(tree.network.outputs)), ply)


class Searcher:
    """A player that searches: `rank`'s best play. The network is None for the shipped ones."""

    def __init__(
        self,
        network: Network | None = None,
        plies: int = 1,
        filter: MoveFilter | None = NORMAL,
        *,
        tables: bool = True,
        threads: int = 1,
    ) -> None:
        if network is not None and not isinstance(network, Network):
            raise TypeError(f"network = {short_repr(network)}: expected a Network or None")
        check_flag("tables", tables)
        self.network, self.plies, self.filter = network, as_int("plies", plies, 0, MAX_PLIES), checked_filter(filter)
        self.tables, self.threads = tables, checked_workers(threads, None)

    def __repr__(self) -> str:
        return f"Searcher({self.network!r}, {self.plies})"

    def choose(self, position: Position, dice: Iterable[int] | None = None) -> Play:
        """The best play of these two dice, or of the pending stage. Raises `ValueError` where the game is over."""
        ranking = rank(position, dice, self.plies, self.network, self.filter, tables=self.tables, threads=self.threads)
        if not ranking:
            raise ValueError(f"position = {short_repr(position)}: the game is over")
        return ranking[0].play

    def choose_batch(
        self,
        boards: NDArray[np.int8],
        dice: NDArray[np.int8],
        rules: str | Ruleset,
        turns: NDArray[np.int8] | None = None,
        pending: NDArray[np.int8] | None = None,
    ) -> NDArray[np.int8]:
        """For each row the board after the best play, the player who moved still in row 0."""
        tree = _Tree(self.network, ruleset(rules), self.filter, self.tables, self.threads)
        n = len(boards)
        movers = np.full(n, -1, np.int8) if turns is None else turns
        keep, margin = (0, 0.0) if self.filter is None else self.filter[:2]
        after: NDArray[np.int8] = np.empty((n, 2, SLOTS), np.int8)

        def choose(searcher: NativeSearcher, rows: slice) -> bool:
            queue = None if pending is None else pending[rows]
            searcher.choose(boards[rows], dice[rows], movers[rows], queue, self.plies, keep, margin, after[rows])
            return True

        tree.each(choose, [(slice(begin, begin + 64),) for begin in range(0, n, 64)], None)
        return after
