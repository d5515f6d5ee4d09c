"""The chances of two sides with no contact left."""

from __future__ import annotations

import os
from functools import lru_cache

from nardy_fast.arguments import check_position, short_repr
from nardy_fast.bearoff.keys import HOME_POINTS, one_sided_key
from nardy_fast.bearoff.one_sided import OneSided
from nardy_fast.bearoff.outcome import Race
from nardy_fast.bearoff.sides import number_in
from nardy_fast.bearoff.two_sided import TwoSided, settled
from nardy_fast.core._position import Position
from nardy_fast.rules import Ruleset


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
    found = settled(position, two_sided, folder)
    if found is not None:
        return found
    if one_sided is None:
        one_sided_key(position.rules)
        for side in (0, 1):
            number_in(position, side, HOME_POINTS)  # what no table serves need not wait for the table to be built
        one_sided = _usual_table(position.rules, folder)
    return one_sided.race(position, two_sided=False)


@lru_cache(maxsize=16)
def _usual_table(rules: Ruleset, folder: str | None) -> OneSided:
    return OneSided.load(rules, folder=folder)
