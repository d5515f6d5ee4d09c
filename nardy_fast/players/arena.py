"""Games between players: in pairs with the same dice, so that luck cancels."""

from __future__ import annotations

import math
import time
from contextlib import closing
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_int, checked_workers, short_repr
from nardy_fast.bulk import batch
from nardy_fast.bulk.simulation import available
from nardy_fast.core._position import Position
from nardy_fast.players import _seats
from nardy_fast.players.chances import outputs
from nardy_fast.players.players import Player, seat_of
from nardy_fast.rules import Ruleset, ruleset
from nardy_fast.workers import run

#: Pairs that a thread plays at a time.
_SHARD = 16
#: The greatest number of games of one call.
MAX_GAMES = 100_000_000


class Arena(NamedTuple):
    """How games between two players went, from the view of the first, ``a``."""

    rules: Ruleset
    #: int16[pairs, 2]: what ``a`` scored in each game; he is White in the first of a pair, Black in the second.
    scores: NDArray[np.int16]
    #: int32[pairs, 2]: the turns of each game, passes counted.
    turns: NDArray[np.int32]
    #: Of the processors, all threads together.
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self.scores.size)

    @property
    def points(self) -> float:
        """The points a game that ``a`` scored."""
        return float(self.scores.mean())

    @property
    def error(self) -> float:
        """The standard error of `points`, by the pairs; with one pair only it is not known and infinite."""
        pairs = self.scores.mean(axis=1)
        return float(pairs.std(ddof=1) / math.sqrt(len(pairs))) if len(pairs) > 1 else math.inf

    @property
    def wins(self) -> float:
        """The share of the games that ``a`` won."""
        return float((self.scores > 0).mean())

    @property
    def shares(self) -> dict[int, float]:
        """The share of the games that ended with each result, in the points of ``a``."""
        return {points: float((self.scores == points).mean()) for points in outputs(self.rules)}

    @property
    def seconds_per_decision(self) -> float:
        """Of both players, the rules included."""
        return self.seconds / int(self.turns.sum())

    def __str__(self) -> str:
        return f"{self.points:+.3f} +- {self.error:.3f} points a game, {self.wins:.1%} won of {self.games:,} games"


def play(
    a: Player, b: Player, rules: str | Ruleset = "long", games: int = 1000, *, seed: int = 0, threads: int | None = None
) -> Arena:
    """Games of ``a`` against ``b``: each pair of them with the same dice, ``a`` first as White and then as Black.

    `games` is rounded up to an even number. Players of this package are played natively, by `threads` at once (None: as many as
    there are processors), and the games are the same whatever their number. Others choose for all games at once, by their
    `choose_batch`, which must give legal plays; `seed` is then that of the dice only.
    """
    found = ruleset(rules)
    pairs = (as_int("games", games, 1, MAX_GAMES) + 1) // 2
    as_int("seed", seed, 0, (1 << 64) - 1)
    workers = available() if threads is None else checked_workers(threads, None)
    for name, player in (("a", a), ("b", b)):
        if not isinstance(player, Player) or isinstance(player, type):
            raise TypeError(f"{name} = {short_repr(player)}: expected a player, with the methods choose and choose_batch")
        check_rules = getattr(player, "_rules_of", None)
        if check_rules is not None:
            check_rules(found)
    scores, turns = np.empty((pairs, 2), np.int16), np.empty((pairs, 2), np.int32)
    seats = seat_of(a), seat_of(b)
    begun = time.process_time()
    if seats[0] is None or seats[1] is None:
        _play_by_batch(a, b, found, seed, scores, turns)
    else:
        parts = [slice(begin, min(begin + _SHARD, pairs)) for begin in range(0, pairs, _SHARD)]
        pieces = ((seats[0], seats[1], found, seed, part.start, scores[part], turns[part]) for part in parts)
        with closing(run(_seats.play_pairs, pieces, workers)) as finished:
            for _ in finished:
                pass
    return Arena(found, scores, turns, time.process_time() - begun)


def _play_by_batch(a: Player, b: Player, rules: Ruleset, seed: int, scores: NDArray[np.int16], turns: NDArray[np.int32]) -> None:
    """All games at once, a throw of each at a time or a stage of one."""
    n = scores.size
    boards = np.tile(Position.start(rules).board, (n, 1, 1))
    rng = np.random.default_rng((seed, 0))
    movers = _by_pair(rng.integers(0, 2, n // 2, np.int8)) if rules.road == "contrary" else np.zeros(n, np.int8)
    pending, dice = np.zeros((n, 28), np.int8), np.zeros((n, 2), np.int8)
    is_a = np.arange(n) % 2  # the colour of `a` in each game
    going = np.ones(n, np.bool_)
    flat_scores, flat_turns = scores.reshape(-1), turns.reshape(-1)
    flat_turns[:] = 0
    thrown: list[NDArray[np.int8]] = []  # the throws of each number, for all games
    while going.any():
        due = going & ~pending.any(axis=1)
        flat_turns[due] += 1
        for number in np.unique(flat_turns[due]):
            if number > len(thrown):
                thrown.append(_by_pair(_throws(rng, n // 2, rules.first_dice == "rolloff" and number == 1)))
            now = due & (flat_turns == number)
            dice[now] = thrown[number - 1][now]
        for player, rows in ((a, np.flatnonzero(going & (movers == is_a))), (b, np.flatnonzero(going & (movers != is_a)))):
            if not rows.size:
                continue
            after, queues, following = _checked_choice(player, boards[rows], dice[rows], rules, movers[rows], pending[rows])
            ended, scored = np.empty(len(rows), np.bool_), np.empty(len(rows), np.int8)
            _seats.find_ended(boards[rows], after, movers[rows], rules, ended, scored)
            flat_scores[rows] = scored if player is a else -scored
            passed = (following != movers[rows])[:, None, None]
            boards[rows] = np.where(passed, after[:, ::-1], after)
            pending[rows], movers[rows] = queues, following
            going[rows[ended]] = False


def _throws(rng: np.random.Generator, n: int, no_double: bool) -> NDArray[np.int8]:
    """As many throws of two dice."""
    thrown = rng.integers(1, 7, (n, 2), np.int8)
    while no_double and (doubles := thrown[:, 0] == thrown[:, 1]).any():
        thrown[doubles] = rng.integers(1, 7, (int(doubles.sum()), 2), np.int8)
    return thrown


def _by_pair(rows: NDArray[np.int8]) -> NDArray[np.int8]:
    """The same for both games of each pair."""
    return np.repeat(rows, 2, axis=0)


def _checked_choice(
    player: Player,
    boards: NDArray[np.int8],
    dice: NDArray[np.int8],
    rules: Ruleset,
    movers: NDArray[np.int8],
    pending: NDArray[np.int8],
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """What a player chooses, what is pending after it and who is next; `ValueError` where he may not choose it."""
    if _seats.has_queue(rules):
        chosen = player.choose_batch(boards, dice, rules, movers, pending=pending)
    else:
        chosen = player.choose_batch(boards, dice, rules, movers)
    after = np.ascontiguousarray(chosen, np.int8)
    if after.shape != boards.shape:
        raise ValueError(f"{player!r}: choose_batch returned shape {after.shape}: expected {boards.shape}")
    legal = batch.afterstates(boards, dice, rules, turns=movers, pending=pending if pending.any() else None)
    rows = np.repeat(np.arange(len(boards)), np.diff(legal.offsets))
    same = (legal.boards == after[rows]).all(axis=(1, 2))
    found = np.logical_or.reduceat(same, legal.offsets[:-1])
    if not found.all():
        row = int(np.argmin(found))
        raise ValueError(f"{player!r}: its play of {tuple(dice[row].tolist())} on {boards[row].tolist()} is not legal")
    if legal.pending is None or legal.turns is None:
        return after, pending, 1 - movers
    return after, legal.pending[same], legal.turns[same]
