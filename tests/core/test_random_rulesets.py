"""The native core equals the reference, and the oracle, under rules that nobody plays."""

from __future__ import annotations

import random
from collections import Counter

import comparison
import oracle
import pytest
import strategies

import nardy_fast
from nardy_fast.rules import CHOICES, Ruleset

HOW_MANY = 200


def rulesets() -> list[Ruleset]:
    rng = random.Random(31)
    return [strategies.random_ruleset(rng) for _ in range(HOW_MANY)]


RULES = rulesets()


def test_the_random_rulesets_are_varied() -> None:
    assert len(set(RULES)) == HOW_MANY
    for option, values in CHOICES.items():
        if option in (*strategies.STAGE_FIELDS, "block_rule", "backgammon_points"):
            continue
        used = Counter(getattr(rules, option) for rules in RULES)
        assert set(used) == set(values), option
        assert min(used.values()) >= 4, (option, used)


@pytest.mark.parametrize("part", range(10))
def test_native_equals_reference_under_random_rulesets(part: int) -> None:
    for number in range(part, HOW_MANY, 10):
        compared, differences = comparison.compare_games(RULES[number], 50, seed=number)
        assert not differences, "\n".join(differences)
        assert compared == 50


@pytest.mark.parametrize("part", range(10))
def test_native_equals_reference_on_made_positions_under_random_rulesets(part: int) -> None:
    for number in range(part, HOW_MANY, 10):
        compared, differences = comparison.compare_made(RULES[number], 50, seed=number)
        assert not differences, "\n".join(differences)
        assert compared == 50


@pytest.mark.parametrize("part", range(10))
def test_steps_and_reasons_are_the_same_under_random_rulesets(part: int) -> None:
    for number in range(part, HOW_MANY, 10):
        compared, differences = comparison.compare_turns(RULES[number], 3, seed=number)
        assert not differences, "\n".join(differences)
        assert compared == 3


@pytest.mark.parametrize("part", range(10))
def test_both_equal_the_oracle_under_random_rulesets(part: int) -> None:
    checked = 0
    for number in range(part, HOW_MANY, 10):
        for position, dice, plays in strategies.random_games(nardy_fast.Position, RULES[number], 12, seed=1000 + number):
            own, other = position.board.tolist()
            expected = oracle.plays(own, other, dice, RULES[number], position.turn)
            found = [
                (tuple(play.afterstate.board[::-1].ravel().tolist()), tuple((source, die) for source, _, die in play.steps))
                for play in plays
            ]
            assert found == expected, f"{position} {dice} under {RULES[number]}"
            checked += 1
    assert checked == HOW_MANY // 10 * 12
