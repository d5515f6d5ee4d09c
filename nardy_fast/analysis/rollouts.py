"""Rollouts: positions judged by games that are played from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from nardy_fast.analysis import rollout_files
from nardy_fast.analysis.rollout_files import Judge, Kept, Settings
from nardy_fast.analysis.rollout_trials import played, tables_of
from nardy_fast.analysis.search import Ranked
from nardy_fast.analysis.solved import Solution
from nardy_fast.analysis.spread import ROLLS, standard_errors
from nardy_fast.arguments import as_dice, as_int, check_flag, short_repr
from nardy_fast.core._position import Play, Position
from nardy_fast.players._staged import is_staged
from nardy_fast.players.chances import Candidate, outputs
from nardy_fast.players.network import Network
from nardy_fast.rules import Ruleset
from nardy_fast.workers import AnyExecutor

#: More are surely a mistake.
MAX_TRIALS = 36_000_000
MAX_PLIES = 1000


class RolledOut(NamedTuple):
    """What a rollout says of one candidate: in the points of who made the play, or of the side to move in a mere position."""

    #: The play, or None for a position.
    play: Play | None
    #: Where the games began: after the play.
    position: Position
    #: The points that can be expected.
    equity: float
    standard_error: float
    #: The results that the rules can end with, as points, least first.
    points: tuple[int, ...]
    #: The chance of each. Luck having been taken out, they may leave 0..1 by a little; they add up to 1.
    probabilities: tuple[float, ...]
    standard_errors: tuple[float, ...]
    #: By how much the best candidate was better, in the trials that both have had; 0 for that one.
    loss: float
    #: The standard error of `loss`.
    loss_error: float
    trials: int


class Rollout:
    """What came of a rollout: `candidates`, best first, and the trials themselves, so that it can be gone on with.

    Get one from `rollout`. What it says by itself is said of the best candidate: of the only one, if there was one.
    """

    def __init__(self, judge: Judge | None, kept: Kept) -> None:
        self._judge = judge
        self._kept = kept

    @property
    def rules(self) -> Ruleset:
        """The rules of the positions."""
        return self._kept.positions[0].rules

    @property
    def points(self) -> tuple[int, ...]:
        """The results that are told apart, as points, least first."""
        return self._kept.results

    @property
    def trials(self) -> int:
        """How many each candidate has had that was not told apart from the best before."""
        return max(map(len, self._kept.values))

    @property
    def seed(self) -> int:
        """What the dice began with."""
        return self._kept.settings.seed

    @cached_property
    def candidates(self) -> tuple[RolledOut, ...]:
        """All candidates, best first; of equal ones in the order in which they were given."""
        kept = self._kept
        points = np.array(self.points, float)
        signs = kept.signs
        equities = [float((values @ points).mean()) * sign for values, sign in zip(kept.values, signs, strict=True)]
        best = int(np.argmax(equities))
        found = []
        for number, values in enumerate(kept.values):
            mine = values if signs[number] > 0 else values[:, ::-1]
            worth = values @ points * signs[number]
            behind = kept.values[best][: len(values)] @ points * signs[best] - worth[: len(kept.values[best])]
            errors = standard_errors(np.column_stack([mine, worth]), self.seed).tolist()
            candidate = RolledOut(
                kept.plays[number],
                kept.positions[number],
                equities[number],
                errors[-1],
                self.points,
                tuple(mine.mean(axis=0).tolist()),
                tuple(errors[:-1]),
                float(behind.mean()),
                float(standard_errors(behind[:, None], self.seed)[0]),
                len(values),
            )
            found.append(candidate)
        # The best leads, even where one that was given up has the greater mean by its fewer trials.
        order = sorted(range(len(found)), key=lambda number: (number != best, -equities[number]))
        return tuple(found[number] for number in order)

    @property
    def best(self) -> RolledOut:
        """The best candidate."""
        return self.candidates[0]

    @property
    def equity(self) -> float:
        """The points that can be expected with the best candidate."""
        return self.best.equity

    @property
    def standard_error(self) -> float:
        """The standard error of `equity`."""
        return self.best.standard_error

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The chance of each of `points` with the best candidate."""
        return self.best.probabilities

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The standard error of each of `probabilities`."""
        return self.best.standard_errors

    def __repr__(self) -> str:
        best = self.best
        return f"<Rollout of {len(self._kept.positions)}, {self.trials} trials: {best.equity:+.4f} ± {best.standard_error:.4f}>"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self._judge, self._kept)

    def more(
        self,
        trials: int,
        *,
        network: Judge | None = None,
        threads: int | None = None,
        executor: AnyExecutor | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Rollout:
        """The same rollout with so many trials in all: those that are done are kept, and the rest is as if it had never stopped.

        `network` is asked for only where none is known, which is after `load` of a rollout by another than a shipped network; it
        must be the same. The others are as in `rollout`.
        """
        judge = self._judge if network is None else _as_judge(network, self.rules)
        if judge is None:
            judge = _as_judge(None, self.rules)
        if rollout_files.mark(judge) != self._kept.mark:
            raise ValueError(f"network = {judge!r}: expected the one that has judged so far, {self._kept.judge}")
        return Rollout(judge, played(judge, self._kept, _as_trials(trials), threads, executor, progress))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all of it but the network to a file, whole or not at all: nardy_fast/analysis/rollout_files.py says how."""
        rollout_files.write(self._kept, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """What `save` wrote; `ValueError` for any other file, `OSError` for none."""
        return cls(None, rollout_files.read(path))


def rollout(
    candidates: Position | Play | Candidate | Ranked | Sequence[Position | Play | Candidate | Ranked],
    trials: int = 1296,
    *,
    dice: Iterable[int] | None = None,
    network: Judge | None = None,
    control: int | None = 0,
    plies: int | None = None,
    tables: bool = True,
    until: float | None = None,
    apart: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    executor: AnyExecutor | None = None,
    progress: Callable[[int], object] | None = None,
) -> Rollout:
    """What positions are worth by the mean of games that are played from them.

    `candidates`: a position, judged before its throw; or plays, or what `rank` says of them, or several positions of one
    side; with `dice` the position's plays of that roll. Both sides play as `network` judges without looking ahead: None is the
    shipped one, and the `Solution` of a small game will do.

    `trials` is rounded up to a multiple of 36: all 36 rolls begin as many games, and in each 1296 all pairs of the first two. All
    candidates get the same dice. `control`: the luck of each roll, by how much it is better than the mean of all 21, is taken off
    what a game is worth. That mean is exact, so that no error of the judge's makes a bias; it takes some twenty times as long,
    and one trial then tells as much as five to a hundred. 0: by what the judge says, 1: by that a ply on, which is slow, None:
    no luck is taken off. By rules with stages all stages of a roll belong to it, and there is no 1; some may be pending at first.

    Games end where the rules say; with `tables` where the bear-off tables know the position, if there are such for the rules;
    with `plies` after so many at the latest, judged by the network.

    `until`: no more trials once the standard error is at most this: that of the equity, or where there are several candidates
    those of their differences from the best. `apart`: a candidate gets no more trials once it is worse than the best by so many
    standard errors of the difference. Both are looked at after every 108 trials.

    The result depends on `seed`, and not on who plays: `threads` (None: as many as there are processors) or an `executor`, as in
    `nardy_fast.simulate`. `progress` is called with the number of trials done so far, those of all candidates together.

    Raises `TypeError` or `ValueError` for arguments that are not what they should be.
    """
    plays, positions = _as_candidates(candidates, dice)
    rules = positions[0].rules
    judge = _as_judge(network, rules)
    if control is not None:
        as_int("control", control, 0, 0 if is_staged(rules) else 1)
    check_flag("tables", tables)
    settings = Settings(
        seed=as_int("seed", seed, 0, (1 << 64) - 1),
        control=control,
        plies=None if plies is None else as_int("plies", plies, 1, MAX_PLIES),
        tables=bool(tables) and tables_of(rules) is not None,
        until=_as_bound("until", until),
        apart=_as_bound("apart", apart),
    )
    results = tuple(sorted({*outputs(rules), *judge.outputs}))
    values = [np.empty((0, len(results))) for _ in positions]
    kept = Kept(settings, positions, plays, results, values, rollout_files.mark(judge), repr(judge))
    return Rollout(judge, played(judge, kept, _as_trials(trials), threads, executor, progress))


def _as_candidates(given: Any, dice: Any) -> tuple[tuple[Play | None, ...], tuple[Position, ...]]:
    """The plays, or None for each position, and where the games begin."""
    if dice is not None:
        if not isinstance(given, Position):
            raise TypeError(f"candidates = {short_repr(given)}: expected with dice a nardy_fast.Position")
        given = given.plays(as_dice(dice))
        if not given:
            raise ValueError("candidates: the game is over")
    if isinstance(given, Position | Play | Candidate | Ranked):
        given = [given]
    try:
        listed = [each.play if isinstance(each, Candidate | Ranked) else each for each in given]
    except TypeError:
        listed = []
    if not listed or not (all(isinstance(e, Play) for e in listed) or all(isinstance(e, Position) for e in listed)):
        raise TypeError(f"candidates = {short_repr(given)}: expected a Position, or a sequence of plays or of Positions")
    origins = [each.position if isinstance(each, Play) else each for each in listed]
    for each in origins:
        if each.rules != origins[0].rules or each.turn != origins[0].turn:
            raise ValueError(f"candidates: {short_repr(each)} is not by the same rules for the same side as the first")
    plays = tuple(each if isinstance(each, Play) else None for each in listed)
    return plays, tuple(each.afterstate if isinstance(each, Play) else each for each in listed)


def _as_judge(network: Judge | None, rules: Ruleset) -> Judge:
    if network is None:
        return Network.load(rules.name)
    if isinstance(network, Network):
        network._rules_of(rules)
    elif isinstance(network, Solution):
        network.check_rules(Position.start(rules))
    else:
        raise TypeError(f"network = {short_repr(network)}: expected a Network, a Solution or None")
    return network


def _as_trials(trials: Any) -> int:
    """Rounded up to whole rounds of first rolls."""
    return -(-as_int("trials", trials, 1, MAX_TRIALS) // ROLLS) * ROLLS


def _as_bound(name: str, bound: Any) -> float | None:
    if bound is None:
        return None
    if isinstance(bound, bool) or not isinstance(bound, int | float):
        raise TypeError(f"{name} = {short_repr(bound)}: expected a number or None")
    if not 0 < bound < float("inf"):
        raise ValueError(f"{name} = {short_repr(bound)}: expected a number above 0")
    return float(bound)
