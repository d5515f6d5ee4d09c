"""The one-sided table: how many turns of its own a side needs, whatever the other does."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import check_position, short_repr
from nardy_fast.bearoff import store
from nardy_fast.bearoff.build import OneSidedBuilder
from nardy_fast.bearoff.keys import HOME_POINTS, OneSidedKey, one_sided_key
from nardy_fast.bearoff.outcome import Race
from nardy_fast.bearoff.progress import Progress
from nardy_fast.bearoff.sides import (
    Checkers,
    Numbers,
    as_numbers,
    as_out,
    as_turns,
    is_position,
    number_in,
    number_of,
    numbers_in,
)
from nardy_fast.bearoff.two_sided import TwoSided, settled
from nardy_fast.core._bearoff import OneSidedNative, counts_of
from nardy_fast.core._position import Play, Position
from nardy_fast.rules import OFF, Ruleset, ruleset

KIND = "one-sided"
#: What a side may be after: all checkers off, the first one off, or all off within a number of turns.
AIMS = ("all", "first", "within")
#: Means that differ by less are equal: rounding, never play, makes a difference so small.
TIE = 1e-11


class OneSided:
    """For each way to have up to 15 checkers on the last points: the exact chances of each number of own turns.

    Get one from `load` or `build`. A *spread* is one such way, and has a number: 0 is the empty board, and each step leads to a
    lower one. Where a method takes `checkers`, that is a `Position`, whose side to move is meant; or the counts on points 1, 2
    and so on, point 1 being the last before the edge; or the number of a spread. The aims:

    - ``all``: until all checkers are off, by the play that makes the expected number of turns least;
    - ``first``: until the first of those on the board is off, by the play that makes that least: it decides mars and gammon;
    - ``within``: the greatest chance to have all off within k turns, for each k by its own best play.

    Of equally good plays the one that leads to the lowest number is taken. With ``goal = "keep"`` everything is the other way
    round: most turns, least chances. Means are exact to the last digits of a double; chances are stored so that their sums, the
    chances within each number of turns, are off by at most 2**-31.
    """

    def __init__(self, key: OneSidedKey, rules: Ruleset, arrays: store.Arrays, path: Path | None) -> None:
        self.key = key
        #: The rules that the table was asked for.
        self.rules = rules
        #: The file that it is from, or None for a table in memory only.
        self.path = path
        means = (arrays["mean_all"], arrays["mean_first"])
        offsets = (arrays["offsets"], arrays["offsets_first"])
        rows = (arrays["all"], arrays["first"], arrays["within"])
        #: The table itself, for the C API.
        self.native = OneSidedNative(key.points, int(arrays["turns"][0]), means, offsets, rows)

    @classmethod
    def load(
        cls,
        rules: str | Ruleset = "long",
        points: int = HOME_POINTS,
        *,
        folder: str | os.PathLike[str] | None = None,
        progress: Progress | bool | None = None,
    ) -> Self:
        """The table for these rules and so many points, 6 to 10, from the cache folder.

        A file of more than 64 MiB is mapped and so shared between processes; whoever writes over such a file or cuts it, other
        than by putting a new one in its place, ends them. The table is built and written there if it is not there yet or its file
        is not as it should be; where nothing can be written, it is built in memory. `folder`: another folder than the environment
        variable NARDY_FAST_CACHE or the system says. `progress`
        is called with the part that is done, 0 to 1; None shows a bar on a terminal, False nothing. Six points take a second, ten
        some minutes.
        Raises `ValueError` for rules that no table serves and for a number of points outside 6..10.
        """
        return cls._obtained(rules, points, store.cache_folder(folder), progress)

    @classmethod
    def build(cls, rules: str | Ruleset = "long", points: int = HOME_POINTS, *, progress: Progress | bool | None = None) -> Self:
        """The same as `load`, built anew in memory."""
        return cls._obtained(rules, points, None, progress)

    @classmethod
    def _obtained(cls, rules: str | Ruleset, points: int, folder: Path | None, progress: Progress | bool | None) -> Self:
        key, known = one_sided_key(rules, points), ruleset(rules)
        what = f"bear-off table, {key.points} points"
        arrays, path = store.obtain(folder, KIND, key._asdict(), partial(OneSidedBuilder, key), what, progress)
        return cls(key, known, arrays, path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets it from the file, or where there is none builds it in memory."""
        return _again, (type(self), self.rules, self.points, None if self.path is None else os.fspath(self.path.parent))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.rules.name}, {self.points} points, {self.path or 'in memory'}>"

    @property
    def points(self) -> int:
        """How many of the last points it knows."""
        return self.key.points

    @property
    def spreads(self) -> int:
        """How many spreads there are: 54,264 on six points."""
        return self.native.spreads

    @property
    def turns(self) -> int:
        """The last turn with any chance, as far as storing tells; a distribution has one entry more."""
        return self.native.turns

    # One side at a time

    def number(self, checkers: Checkers) -> int:
        """The number of a spread.

        Raises `ValueError` where a checker stands beyond the table's points, and for a position with other bear-off rules.
        """
        if is_position(checkers):
            self.check_rules(checkers)
            return number_in(checkers, 0, self.points)
        if isinstance(checkers, int | np.integer):
            if not 0 <= checkers < self.spreads:
                raise ValueError(f"checkers = {checkers}: the numbers of spreads are 0 to {self.spreads - 1}")
            return int(checkers)
        return number_of(checkers, self.points)

    def counts(self, number: int) -> tuple[int, ...]:
        """The checkers on points 1, 2 ... of the spread with this number."""
        return counts_of(self.number(number), self.points)

    def mean(self, checkers: Checkers, aim: str = "all") -> float:
        """The expected number of own turns until ``all`` are off, or the ``first``."""
        numbers = np.array([self.number(checkers)], np.int32)
        return float(self.means(numbers, aim)[0])

    def distribution(self, checkers: Checkers, aim: str = "all") -> NDArray[np.float64]:
        """The chance to be finished with exactly 0, 1, 2 ... `turns` own turns, float64[turns + 1].

        For the aim ``within``, entry k is what the k-th turn adds to the greatest chance.
        """
        numbers = np.array([self.number(checkers)], np.int32)
        return self.distributions(numbers, aim).reshape(-1)

    def within(self, checkers: Checkers, turns: int) -> float:
        """The greatest chance to have all off within so many own turns."""
        if type(turns) is not int or turns < 0:
            raise ValueError(f"turns = {short_repr(turns)}: expected an integer from 0")
        return float(self.distribution(checkers, "within")[: turns + 1].sum())

    def best_play(self, position: Position, dice: tuple[int, int], aim: str | int = "all") -> Play:
        """The play that is best for ``all``, for the ``first``, or to have all off within that many turns, this one included.

        Raises `TypeError` for what is no position; `ValueError` for a finished position, one with contact, one with a checker
        beyond the table's points or with other bear-off rules, and for a bad aim.
        """
        check_position(position)
        if aim < 1 if isinstance(aim, int) else aim not in AIMS[:2]:
            raise ValueError(f"aim = {short_repr(aim)}: expected 'all', 'first', or a number of turns from 1")
        self.number(position)
        if position.is_contact:
            raise ValueError("position: the sides may still meet, and the table knows nothing of the other side")
        plays = position.plays(dice)
        if not plays:
            raise ValueError("position: the game is over")
        sign = -1 if self.key.keep else 1
        mover_row = 1  # after the play the opponent is to move
        choices = []
        for play in plays:
            number = number_in(play.afterstate, mover_row, self.points)
            taken_off = play.afterstate.board[mover_row, OFF] > position.board[0, OFF]
            cost = 0.0 if aim == "first" and taken_off else sign * self.mean(number, "first" if aim == "first" else "all")
            chance = self.within(number, aim - 1) if isinstance(aim, int) else 0.0
            choices.append((-sign * chance, cost, number, play))
        best = min(choice[:2] for choice in choices)
        equal = [choice for choice in choices if choice[0] == best[0] and choice[1] <= best[1] + TIE]
        return min(equal, key=lambda choice: choice[2])[3]

    def race(self, position: Position, two_sided: TwoSided | bool = True) -> Race:
        """What becomes of a position with no contact left: see `nf.bearoff.race`, which gets this table."""
        found = settled(position, two_sided, None)
        if found is not None:
            return found
        mover, opponent = (np.array([number_in(position, side, self.points)], np.int32) for side in (0, 1))
        self.check_rules(position)
        out = np.empty((1, 5))
        self.native.races(position.rules, mover, opponent, np.array([position.turn], np.int8), out)
        return Race.of(out[0], KIND)

    # Many at a time: arrays in, arrays out, the GIL released

    def numbers(self, boards: Any, side: int = 0, *, out: Numbers | None = None) -> Numbers:
        """The numbers of the movers' (`side` 0) or the opponents' (1) spreads in int8[n, 2, 26], as int32[n].

        Raises `ValueError` with the first board that has a checker elsewhere. What rules the boards are by is not asked.
        """
        return numbers_in(boards, side, self.points, out)

    def means(self, numbers: Any, aim: str = "all", *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The `mean` of each of the numbers, as float64[n]."""
        numbers = as_numbers(numbers)
        out = as_out(out, np.float64, numbers.shape)
        self.native.means(numbers, _index(aim, AIMS[:2]), out)
        return out

    def distributions(self, numbers: Any, aim: str = "all", *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The `distribution` of each of the numbers, as float64[n, turns + 1]."""
        numbers = as_numbers(numbers)
        out = as_out(out, np.float64, (len(numbers), self.turns + 1))
        self.native.distributions(numbers, _index(aim, AIMS), out)
        return out

    def races(self, boards: Any, turns: Any = 0, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Win, mars, draw, loss and lost mars of the side to move in each board of int8[n, 2, 26], as float64[n, 5].

        From the two distributions, by `rules`. `turns`: the colours to move, one for all or int8[n]; they matter where the rules
        have a last roll. What a board whose mover has cleared gets has no meaning.
        """
        movers, opponents = (numbers_in(boards, side, self.points) for side in (0, 1))
        colours = as_turns(turns, len(movers))
        out = as_out(out, np.float64, (len(movers), 5))
        self.native.races(self.rules, movers, opponents, colours, out)
        return out

    def check_rules(self, position: Position) -> None:
        """Raise `ValueError` for a position by rules that bear off in another way than the table's, `TypeError` for none."""
        check_position(position)
        if one_sided_key(position.rules, self.points) != self.key:
            raise ValueError(f"position: rules {position.rules.name} bear off in another way than the table's, {self.rules.name}")


def _again(table: type[OneSided], rules: Ruleset, points: int, folder: str | None) -> OneSided:
    return table.build(rules, points) if folder is None else table.load(rules, points, folder=folder)


def _index(aim: str, aims: tuple[str, ...]) -> int:
    if aim not in aims:
        raise ValueError(f"aim = {short_repr(aim)}: expected one of {', '.join(aims)}")
    return aims.index(aim)
