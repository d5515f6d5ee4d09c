"""The chances of two sides with no contact left."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from nardy_fast.arguments import check_position, short_repr
from nardy_fast.bearoff.keys import HOME_POINTS
from nardy_fast.bearoff.one_sided import OneSided
from nardy_fast.bearoff.outcome import Race
from nardy_fast.bearoff.sides import number_in
from nardy_fast.bearoff.two_sided import TwoSided
from nardy_fast.rules import HOME, LAST, OFF, Ruleset

if TYPE_CHECKING:
    from nardy_fast import Position

#: Up to so many checkers of each side, `race` asks the two-sided table.
CHECKERS = 6


def race(
    position: Position,
    *,
    one_sided: OneSided | None = None,
    two_sided: TwoSided | bool = True,
    folder: str | os.PathLike[str] | None = None,
) -> Race:
    """The chances of a position in which all checkers stand on their side's last points, so that there is no contact left.

    They are exact, for best play by both, where the two-sided table applies: every checker home and at most six of a side left.
    Otherwise they come from the two distributions, for sides that each play for their own soonest end (with ``goal = "keep"``,
    the latest); `Race.source` says which. `two_sided` and `one_sided`: tables to use, with more checkers or points perhaps; else
    those of the usual size are loaded, as `OneSided.load` and `TwoSided.load` do with `folder`, and kept for the next call.
    `two_sided=False` asks the distributions only.

    Raises `TypeError` for what is no position or no table; `ValueError` for a position with a checker beyond the one-sided
    table's points, for rules that no table serves, and for a table of other rules.
    """
    check_position(position)
    if not isinstance(one_sided, OneSided | None):
        raise TypeError(f"one_sided = {short_repr(one_sided)}: expected a OneSided or None")
    if not isinstance(two_sided, TwoSided | bool):
        raise TypeError(f"two_sided = {short_repr(two_sided)}: expected a TwoSided, True or False")
    folder = None if folder is None else os.fspath(folder)
    if position.is_over:
        return _over(position)
    if two_sided is True:
        # Those that cannot be in it need not wait for it to be built.
        few = int(position.board[:, HOME : LAST + 1].sum(axis=1).max()) <= CHECKERS and not position.board[:, :HOME].any()
        if few:
            return _two_sided(position.rules, folder).race(position)
    elif two_sided and two_sided.covers(position):
        return two_sided.race(position)
    points = HOME_POINTS if one_sided is None else one_sided.points
    movers, opponents = (np.array([number_in(position, side, points)], np.int32) for side in (0, 1))
    table = _one_sided(position.rules, folder) if one_sided is None else one_sided
    table.check_rules(position)
    out = np.empty((1, 5))
    table.native.races(position.rules, movers, opponents, np.array([position.turn], np.int8), out)
    return Race.of(out[0], "one-sided")


@lru_cache(maxsize=16)
def _one_sided(rules: Ruleset, folder: str | None) -> OneSided:
    return OneSided.load(rules, folder=folder)


@lru_cache(maxsize=16)
def _two_sided(rules: Ruleset, folder: str | None) -> TwoSided:
    return TwoSided.load(rules, CHECKERS, folder=folder)


def _over(position: Position) -> Race:
    """The chances that have come true."""
    winner = position.winner
    if winner is None:
        return Race(0.0, 0.0, 1.0, 0.0, 0.0, "over")
    won = winner == position.turn
    keeps_on = 1 - int(position.board[1, OFF] == position.rules.checkers)  # the row of the side that has not cleared
    mars = float(position.board[keeps_on, OFF] == 0 and not position.rules.remaining)
    return Race(float(won), mars * won, 0.0, float(not won), mars * (not won), "over")
