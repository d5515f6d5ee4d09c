"""The two-sided table: what two sides that both bear off can expect of each other."""

from __future__ import annotations

import os
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import check_position, short_repr
from nardy_fast.bearoff import store
from nardy_fast.bearoff.build import TwoSidedBuilder, planes
from nardy_fast.bearoff.keys import HOME_POINTS, TwoSidedKey, two_sided_key
from nardy_fast.bearoff.outcome import Race, finished_race
from nardy_fast.bearoff.progress import Progress
from nardy_fast.bearoff.sides import Numbers, as_out, as_turns, number_in, numbers_in
from nardy_fast.core._bearoff import TwoSidedNative
from nardy_fast.core._position import Play, Position
from nardy_fast.rules import HOME, LAST, Ruleset, ruleset

KIND = "two-sided"
#: How many checkers of each side the usual table knows.
CHECKERS = 6
CUBES = ("cubeless", "centred", "owned", "theirs")


class Equities(NamedTuple):
    """Money equities of the side to move, for a stake of 1, before it throws (rulebook, section 2).

    Both sides play and use the cube as well as can be; there are no beavers, no Jacoby rule and no greatest cube.
    """

    cubeless: float
    #: With the cube in the middle: the better of doubling and not.
    centred: float
    #: With one's own cube: the better of redoubling and not.
    owned: float
    #: With the opponent's cube.
    theirs: float
    #: Without doubling this turn.
    centred_undoubled: float
    owned_undoubled: float
    #: With the cube turned now, and taken. The opponent takes while this is at most 1.
    doubled: float


class TwoSided:
    """For each pair of spreads of up to so many checkers, all of them home: exactly what the side to move can expect.

    Get one from `load` or `build`. Both sides play for the greatest equity, which is in the points that the rules give; a draw
    counts 0. The chances of a win, a mars and a draw are those of that play; of equally good plays the one that leads to the
    lowest number is taken. Off by at most 2**-31, times the points that a game can be worth.
    """

    def __init__(self, key: TwoSidedKey, rules: Ruleset, arrays: store.Arrays, path: Path | None) -> None:
        self.key = key
        #: The rules that the table was asked for.
        self.rules = rules
        #: The file that it is from, or None for a table in memory only.
        self.path = path
        places, units = planes(key)
        self._unit = units[0]
        #: The table itself, for the C API.
        self.native = TwoSidedNative(arrays["cells"], places, units)

    @classmethod
    def load(
        cls,
        rules: str | Ruleset = "long",
        checkers: int = CHECKERS,
        *,
        folder: str | os.PathLike[str] | None = None,
        progress: Progress | bool | None = None,
    ) -> Self:
        """The table for these rules and up to so many checkers a side, 1 to 10, from the cache folder.

        All as in `OneSided.load`. For six checkers it has 924 x 924 pairs and takes a second to build, for ten 8008 x 8008, some
        minutes and gigabytes.
        """
        return cls._obtained(rules, checkers, store.cache_folder(folder), progress)

    @classmethod
    def build(cls, rules: str | Ruleset = "long", checkers: int = CHECKERS, *, progress: Progress | bool | None = None) -> Self:
        """The same as `load`, built anew in memory."""
        return cls._obtained(rules, checkers, None, progress)

    @classmethod
    def _obtained(cls, rules: str | Ruleset, checkers: int, folder: Path | None, progress: Progress | bool | None) -> Self:
        key, known = two_sided_key(rules, checkers), ruleset(rules)
        what = f"two-sided bear-off table, {key.checkers} checkers"
        arrays, path = store.obtain(folder, KIND, key._asdict(), partial(TwoSidedBuilder, key, known), what, progress)
        return cls(key, known, arrays, path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets it from the file, or where there is none builds it in memory."""
        return _again, (type(self), self.rules, self.checkers, None if self.path is None else os.fspath(self.path.parent))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.rules.name}, {self.checkers} checkers, {self.path or 'in memory'}>"

    @property
    def checkers(self) -> int:
        """The most checkers of a side that it knows."""
        return self.key.checkers

    @property
    def spreads(self) -> int:
        """How many spreads each side can have: 924 for six checkers."""
        return self.native.spreads

    @property
    def has_cube(self) -> bool:
        """Whether it has the equities with a cube: short nardy."""
        return self.key.cube

    def covers(self, position: Position) -> bool:
        """Whether the position is in the table: not over, every checker that is left home, and not too many of a side.

        Raises `ValueError` for a position by rules that end in another way than the table's.
        """
        self.check_rules(position)
        board = position.board
        if position.is_over:
            return False
        return not board[:, :HOME].any() and int(board[:, HOME : LAST + 1].sum(axis=1).max()) <= self.checkers

    def equity(self, position: Position) -> float:
        """The points that the side to move can expect, without a cube.

        Raises `ValueError` for a position that is not in the table.
        """
        out = np.empty(1)
        self.native.equities(*self._pair(position), np.array([position.turn], np.int8), out)
        return float(out[0])

    def cube(self, position: Position) -> Equities:
        """The equities with a cube; `ValueError` also where the table has none."""
        out = np.empty((1, len(Equities._fields)))
        self._need_cube()
        self.native.cubes(*self._pair(position), out)
        return Equities(*out[0].tolist())

    def race(self, position: Position) -> Race:
        """The chances of the side to move."""
        out = np.empty((1, 5))
        self.native.races(*self._pair(position), np.array([position.turn], np.int8), out)
        return Race.of(out[0], KIND)

    def best_play(self, position: Position, dice: tuple[int, int], cube: str = "cubeless") -> Play:
        """The play that leaves the greatest equity: without a cube, or with the cube ``centred``, ``owned`` or ``theirs``.

        Of equally good plays the one to the lowest number. Raises as `equity` does.
        """
        if cube not in CUBES:
            raise ValueError(f"cube = {short_repr(cube)}: expected one of {', '.join(CUBES)}")
        if cube != CUBES[0]:
            self._need_cube()
        self._pair(position)
        choices = []
        for play in position.plays(dice):
            opponent, mover = (number_in(play.afterstate, side, HOME_POINTS) for side in (0, 1))
            choices.append((self._left(play.afterstate.turn, opponent, mover, cube), mover, play))
        equal = min(left for left, _, _ in choices) + 1.5 * self._unit
        return min((choice for choice in choices if choice[0] <= equal), key=lambda choice: choice[1])[2]

    # Many at a time: arrays in, arrays out, the GIL released

    def numbers(self, boards: Any, side: int = 0, *, out: Numbers | None = None) -> Numbers:
        """The numbers of the movers' (`side` 0) or the opponents' (1) spreads in int8[n, 2, 26], as int32[n].

        Raises `ValueError` with the first board that has a checker elsewhere. What rules the boards are by is not asked.
        """
        return numbers_in(boards, side, HOME_POINTS, out)

    def equities(self, boards: Any, turns: Any = 0, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The `equity` of each board in int8[n, 2, 26], as float64[n].

        `turns`: the colours to move, one for all or int8[n]; they matter where the rules have a last roll. What a board whose
        mover has cleared gets has no meaning. Raises `ValueError` with the first board that is not in the table.
        """
        movers, opponents = self.numbers(boards, 0), self.numbers(boards, 1)
        out = as_out(out, np.float64, movers.shape)
        self.native.equities(movers, opponents, as_turns(turns, len(movers)), out)
        return out

    def cubes(self, boards: Any, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The `Equities` of each board, as float64[n, 7]; as `equities` otherwise."""
        self._need_cube()
        movers, opponents = self.numbers(boards, 0), self.numbers(boards, 1)
        out = as_out(out, np.float64, (len(movers), len(Equities._fields)))
        self.native.cubes(movers, opponents, out)
        return out

    def races(self, boards: Any, turns: Any = 0, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Win, mars, draw, loss and lost mars of each board, as float64[n, 5]; as `equities` otherwise."""
        movers, opponents = self.numbers(boards, 0), self.numbers(boards, 1)
        out = as_out(out, np.float64, (len(movers), 5))
        self.native.races(movers, opponents, as_turns(turns, len(movers)), out)
        return out

    def _pair(self, position: Position) -> tuple[Numbers, Numbers]:
        """The numbers of both sides of a position that is in the table."""
        if not self.covers(position):
            wrong = "the game is over" if position.is_over else f"expected every checker home and at most {self.checkers} a side"
            raise ValueError(f"position: {wrong}")
        mover, opponent = (np.array([number_in(position, side, HOME_POINTS)], np.int32) for side in (0, 1))
        return mover, opponent

    def check_rules(self, position: Position) -> None:
        """Raise `ValueError` for a position by rules that end in another way than the table's, `TypeError` for none."""
        check_position(position)
        if two_sided_key(position.rules, self.key.checkers) != self.key:
            raise ValueError(f"position: rules {position.rules.name} end in another way than the table's, {self.rules.name}")

    def _left(self, turn: int, opponent: int, mover: int, cube: str) -> float:
        """What the opponent can expect after a play; the mover's own cube is then the opponent's ``theirs``."""
        pair = np.array([opponent], np.int32), np.array([mover], np.int32)
        if cube == CUBES[0]:
            out = np.empty(1)
            self.native.equities(*pair, np.array([turn], np.int8), out)
            return float(out[0])
        equities = np.empty((1, len(Equities._fields)))
        self.native.cubes(*pair, equities)
        seen = {"centred": "centred", "owned": "theirs", "theirs": "owned"}[cube]
        return float(getattr(Equities(*equities[0]), seen))

    def _need_cube(self) -> None:
        if not self.has_cube:
            raise ValueError(f"rules {self.rules.name}: there is no cube")


def _again(table: type[TwoSided], rules: Ruleset, checkers: int, folder: str | None) -> TwoSided:
    return table.build(rules, checkers) if folder is None else table.load(rules, checkers, folder=folder)


def settled(position: Position, two_sided: TwoSided | bool, folder: str | None) -> Race | None:
    """The race of a position that is over or in `two_sided`: a table, or True for the usual one, or False for none. Else None."""
    check_position(position)
    if not isinstance(two_sided, TwoSided | bool):
        raise TypeError(f"two_sided = {short_repr(two_sided)}: expected a TwoSided, True or False")
    if position.is_over:
        return finished_race(position)
    if two_sided is True:
        # Those that cannot be in it need not wait for it to be built.
        few = int(position.board[:, HOME : LAST + 1].sum(axis=1).max()) <= CHECKERS and not position.board[:, :HOME].any()
        return _usual_table(position.rules, folder).race(position) if few else None
    return two_sided.race(position) if two_sided and two_sided.covers(position) else None


@lru_cache(maxsize=16)
def _usual_table(rules: Ruleset, folder: str | None) -> TwoSided:
    return TwoSided.load(rules, CHECKERS, folder=folder)
