"""The bear-off tables against the reference, which works in fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from bearoff_tables import EXACT, GIVEAWAY, LONG, OLD_ENGLISH, SHORT, SMALL, TWO, UNIT, named, one_sided, spreads, two_sided

import nardy_fast as nf
from nardy_fast import Ruleset
from nardy_fast.bearoff import TwoSided
from nardy_fast.bearoff.build import planes
from nardy_fast.core._bearoff import counts_of
from nardy_fast.reference.bearoff import BearOff, Counts, number

HYPERGAMMON = nf.ruleset("hypergammon")


@pytest.mark.parametrize(
    ("rules", "checkers"),
    [(LONG, 2), *(pytest.param(rules, 4, marks=pytest.mark.slow) for rules in (LONG, EXACT, GIVEAWAY, OLD_ENGLISH))],
    ids=named,
)
def test_one_sided_numbers_are_those_of_fractions(rules: Ruleset, checkers: int) -> None:
    """Means to the last digits of a double; the chances within each number of turns are the exact ones, rounded once."""
    table, exact = one_sided(rules), BearOff(rules)
    for spread in range(1, spreads(checkers)):
        counts = table.counts(spread)
        assert number(counts) == spread
        for aim in ("all", "first"):
            assert table.mean(spread, aim) == pytest.approx(float(exact.mean(counts, aim)), rel=1e-14)
        for aim in ("all", "first", "within"):
            stored = np.rint(np.cumsum(table.distribution(spread, aim)) / UNIT)
            for k in range(min(table.turns, 20) + 1):
                chance = exact.within(counts, k) if aim == "within" else exact.finished(counts, k, aim)
                assert stored[k] == round(chance / Fraction(UNIT)), (counts, aim, k)


FULL = replace(LONG, name="full", last_roll="full")
#: Rules that end differently. Where a side has two checkers only, there is a mars when both bear off.
ENDINGS = [
    LONG,
    SHORT,
    EXACT,
    GIVEAWAY,
    HYPERGAMMON,
    FULL,
    replace(LONG, name="draw only", last_roll="draw_only"),
    replace(EXACT, name="exact, full", last_roll="full"),
    replace(TWO, name="two, draw only", last_roll="draw_only"),
    replace(TWO, name="two, full, home mars", last_roll="full", home_mars=4),
    replace(TWO, name="two, exact, full", last_roll="full", bear_off="exact"),
    replace(TWO, name="two, giveaway", goal="keep"),
    replace(TWO, name="two, remaining, full", remaining=True, last_roll="full"),
    replace(TWO, name="two, remaining, draw only", remaining=True, last_roll="draw_only"),
    replace(HYPERGAMMON, name="exact hypergammon", bear_off="exact"),
]


@pytest.mark.parametrize("checkers", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", ENDINGS, ids=named)
def test_two_sided_numbers_are_those_of_fractions(rules: Ruleset, checkers: int) -> None:
    check_pairs(two_sided(rules, 3), rules, checkers)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", [LONG, SHORT, FULL, replace(SMALL, name="small, full", last_roll="full"), HYPERGAMMON], ids=named
)
def test_two_sided_numbers_of_up_to_three_checkers_are_those_of_fractions(rules: Ruleset) -> None:
    check_pairs(two_sided(rules), rules, 3)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [LONG, SHORT], ids=named)
def test_two_sided_numbers_of_four_checkers_on_four_points_are_those_of_fractions(rules: Ruleset) -> None:
    check_pairs(two_sided(rules), rules, 4, points=4)


def check_pairs(table: TwoSided, rules: Ruleset, checkers: int, points: int = 6) -> None:
    """All pairs of spreads of up to so many checkers on points 1 to `points`, the mover's not empty."""
    exact = BearOff(rules)
    sides = [counts_of(n, 6) for n in range(min(spreads(checkers), table.spreads))]
    sides = [counts for counts in sides if not any(counts[points:])]
    for turn in range(2 if rules.last_roll != "none" else 1):
        for mover in sides[1:]:
            for opponent in sides:
                check_pair(table, exact, turn, mover, opponent)


def check_pair(table: TwoSided, exact: BearOff, turn: int, mover: Counts, opponent: Counts) -> None:
    """Every number that the table has of a pair of spreads."""
    pair = np.array([number(mover)], np.int32), np.array([number(opponent)], np.int32)
    turns = np.array([turn], np.int8)
    unit = planes(table.key)[1][0]
    place = (turn, mover, opponent)

    equity, chances = np.empty(1), np.empty((1, 5))
    table.native.equities(*pair, turns, equity)
    table.native.races(*pair, turns, chances)
    outcome = exact.outcome(turn, mover, opponent)
    assert equity[0] == unit * round(outcome.equity / Fraction(unit)), place
    wanted = (outcome.win, outcome.mars, outcome.draw, outcome.loss, outcome.lost_mars)
    assert max(abs(float(chance) - found) for chance, found in zip(wanted, chances[0], strict=True)) <= UNIT, place
    if table.has_cube and not table.key.exact and any(opponent):
        equities = np.empty((1, 7))
        table.native.cubes(*pair, equities)
        undoubled = exact.cube(mover, opponent)
        best = undoubled.best()
        values = (best.centred, best.owned, best.theirs, undoubled.centred, undoubled.owned, 2 * undoubled.theirs)
        assert max(abs(float(value) - found) for value, found in zip(values, equities[0, 1:], strict=True)) <= unit, place
