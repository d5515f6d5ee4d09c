"""Mixed rolls with at most one checker outside the home, where one die may let the other bear off, beside the reference."""

from __future__ import annotations

import itertools
import random

import comparison
import numpy as np
import pytest

import nardy_fast as nf
from nardy_fast.rules import Ruleset, ruleset

MIXED = list(itertools.combinations(range(1, 7), 2))
RULES = ["long", "tournament", "arena", "fevga", "khachapuri", "short", "portes", "old_english", "hypergammon", "acey_deucey"]


def coming_home(rules: Ruleset, rng: random.Random) -> nf.Position | None:
    """A made position: checkers at home and perhaps one on its way, against scattered opponents; None if it cannot be."""
    own, other = [0] * 26, [0] * 26
    outside = rng.random() < 0.5
    if outside:
        own[rng.randint(0 if rules.road == "contrary" else 1, 18)] = 1
    at_home = rules.checkers - outside
    if rules.road == "contrary" or not outside:
        at_home = rng.randint(1 - outside, at_home)
    for _ in range(at_home):
        own[rng.choice((19, 20, 21, 22, 23, 24, 24))] += 1
    own[25] = rules.checkers - outside - at_home
    for _ in range(rules.checkers):
        other[rng.choice((1, 2, 3, 12, rng.randint(1, 24), rng.randint(1, 6)))] += 1
    try:
        return nf.Position([own, other], 0, rules)
    except ValueError:
        return None


@pytest.mark.parametrize("name", RULES)
def test_plays_that_bring_the_last_home_and_bear_off_are_those_of_the_reference(name: str) -> None:
    rules, rng, compared = ruleset(name), random.Random(name), 0
    while compared < 300:
        position = coming_home(rules, rng)
        if position is None or position.is_over:
            continue
        dice = rng.choice(MIXED)
        found = comparison.difference_in_plays(position, dice)
        assert found is None, found
        compared += 1


@pytest.mark.parametrize("name", RULES)
def test_they_are_listed_in_an_order_in_which_they_are_legal_and_picked_as_listed(name: str) -> None:
    rules, rng = ruleset(name), random.Random(name)
    made = (coming_home(rules, rng) for _ in range(3000))
    boards = np.array([position.board for position in made if position is not None and not position.is_over])
    assert len(boards) > 100
    dice = np.array(rng.choices(MIXED, k=len(boards)), np.int8)
    turns = np.zeros(len(boards), np.int8)
    listed = nf.batch.afterstates(boards, dice, rules, plays=True, turns=turns)
    row = np.repeat(np.arange(len(boards)), np.diff(listed.offsets))
    assert listed.plays is not None
    after = nf.batch.apply(boards[row], listed.plays, dice[row], rules, turns=turns[row])
    assert np.array_equal(after[:, ::-1], listed.boards)
    assert np.array_equal(np.diff(listed.offsets), nf.batch.count_plays(boards, dice, rules, turns=turns))
