"""The plays that the bear-off tables are built on are the plays of the game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bearoff_tables import (
    EXACT,
    GIVEAWAY,
    LONG,
    NEXT_TURN,
    OLD_ENGLISH,
    SHORT,
    SMALL,
    TWO,
    UNIT,
    best_of,
    board_of,
    named,
    one_sided,
    playable,
    plays_of_all,
    spreads,
)

import nardy_fast as nf
from nardy_fast import Position, Ruleset
from nardy_fast.bearoff.keys import one_sided_key
from nardy_fast.core._bearoff_one import Solver
from nardy_fast.reference.bearoff import number
from nardy_fast.rules import OFF, ROLLS

CASES = [
    (LONG, 6, 4),
    (SHORT, 6, 4),
    (EXACT, 6, 4),
    (NEXT_TURN, 6, 4),
    (GIVEAWAY, 6, 3),
    (nf.ruleset("karzar"), 6, 3),
    (nf.ruleset("tournament"), 6, 3),
    (nf.ruleset("fevga"), 6, 3),
    (OLD_ENGLISH, 6, 4),
    (replace(SHORT, name="exact short", bear_off="exact"), 6, 3),
    (SHORT, 8, 3),
    (SMALL, 8, 3),
    (replace(SMALL, name="small, exact", bear_off="exact"), 8, 3),
    (TWO, 10, 2),
]


def solver_for(rules: Ruleset, points: int) -> Solver:
    key = one_sided_key(rules, points)
    return Solver(points, key.exact, key.stack_limit, np.zeros((spreads(15, points), 18), np.int32))


def endings(solver: Solver, spread: int, dice: tuple[int, ...]) -> set[tuple[int, int]]:
    """What these dice in this order, any of them left out, can lead to, each with the pips used."""
    found = {(spread, 0)}
    if dice:
        found |= endings(solver, spread, dice[1:])
        for target in solver.targets(spread, dice[0]):
            found |= {(after, pips + dice[0]) for after, pips in endings(solver, target, dice[1:])}
    return found


def own_plays(solver: Solver, spread: int, high: int, low: int) -> set[int]:
    """The plays of the greatest total, by the table's single steps."""
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = {ending for order in orders for ending in endings(solver, spread, order)}
    most = max(pips for _, pips in found)
    return {after for after, pips in found if pips == most}


def plays_of_game(rules: Ruleset, counts: tuple[int, ...], dice: tuple[int, int]) -> set[int]:
    after = [play.afterstate.board[1] for play in Position(board_of(rules, counts), rules=rules).plays(dice)]
    return {number(tuple(int(row[OFF - q]) for q in range(1, len(counts) + 1))) for row in after}


@pytest.mark.parametrize(("rules", "points", "checkers"), CASES, ids=named)
def test_single_steps_make_the_plays_of_the_game(rules: Ruleset, points: int, checkers: int) -> None:
    solver = solver_for(rules, points)
    for spread, counts in playable(rules, checkers, points):
        for dice, _ in ROLLS:
            assert own_plays(solver, spread, *dice) == plays_of_game(rules, counts, dice), (counts, dice)


@pytest.mark.parametrize(("rules", "points", "checkers"), CASES, ids=named)
def test_the_best_play_is_the_best_of_the_plays_of_the_game(rules: Ruleset, points: int, checkers: int) -> None:
    """Whatever the spreads are worth: partial plays lose none."""
    solver = solver_for(rules, points)
    known = list(playable(rules, min(checkers, 3), points))
    plays = {(spread, dice): plays_of_game(rules, counts, dice) for spread, counts in known for dice, _ in ROLLS}
    random = np.random.default_rng(7)
    for _ in range(10):
        worth = random.random(spreads(15, points))
        found = np.empty(len(worth))
        solver.within(worth, found, 0, spreads(min(checkers, 3), points))
        for spread, _ in known:
            best = sum(weight * min(worth[after] for after in plays[spread, dice]) for dice, weight in ROLLS)
            assert found[spread] == pytest.approx(best / 36, rel=1e-12)


@pytest.mark.parametrize("rules", [LONG, *(pytest.param(r, marks=pytest.mark.slow) for r in (GIVEAWAY, OLD_ENGLISH))], ids=named)
def test_every_entry_follows_from_the_plays_of_the_game(rules: Ruleset) -> None:
    """All spreads: each number is what the best of the game's plays make of the numbers of lower spreads."""
    table = one_sided(rules)
    n, sign = table.spreads, -1 if rules.goal == "keep" else 1
    everything = np.arange(n, dtype=np.int32)
    means = {aim: table.means(everything, aim) for aim in ("all", "first")}
    by = {aim: np.cumsum(table.distributions(everything, aim), axis=1) for aim in ("all", "first", "within")}
    total = {aim: np.zeros_like(values) for aim, values in by.items()}
    mean_of = {aim: np.full(n, 36.0) for aim in means}
    checkers = np.array([sum(table.counts(spread)) for spread in range(n)])
    known = np.zeros(n, bool)
    for numbers, _, weight, after, begins in plays_of_all(table, rules, 15):
        known[numbers] = True
        before = np.repeat(numbers, np.diff([*begins, len(after)]))
        best = best_of(sign * means["all"][after], after, begins)
        mean_of["all"][numbers] += weight * means["all"][best]
        total["all"][numbers] += weight * by["all"][best]
        took_off = checkers[after] < checkers[before]
        best = best_of(np.where(took_off, 0.0, sign * means["first"][after]), after, begins)
        reached = checkers[best] < checkers[numbers]
        mean_of["first"][numbers] += weight * np.where(reached, 0.0, means["first"][best])
        total["first"][numbers] += weight * np.where(reached[:, np.newaxis], 1.0, by["first"][best])
        better = np.maximum if sign == 1 else np.minimum
        total["within"][numbers] += weight * better.reduceat(by["within"][after], begins)
    for aim in means:
        assert mean_of[aim][known] / 36 == pytest.approx(means[aim][known], rel=1e-13)
    for aim in by:
        assert np.abs(total[aim][known, :-1] / 36 - by[aim][known, 1:]).max() <= 1.5 * UNIT
