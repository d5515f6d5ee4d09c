"""The chances of results: which there are, and what they come to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nardy_fast import ruleset
from nardy_fast.players import Chances, outputs

SOME = Chances.of((-2, -1, 1, 2), (0.125, 0.25, 0.375, 0.25), "network")


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("long", (-2, -1, 1, 2)),
        ("giveaway", (-2, -1, 1, 2)),
        ("federation", (-2, -1, 0, 1, 2)),
        ("arena", (-4, -3, -2, -1, 1, 2, 3, 4)),
        ("short", (-3, -2, -1, 1, 2, 3)),
        ("portes", (-2, -1, 1, 2)),
        ("khachapuri", (*range(-15, 0), *range(1, 16))),
        (replace(ruleset("long"), koks="on_head", koks_points=4), (-4, -2, -1, 1, 2, 4)),
    ],
)
def test_outputs_are_all_results_that_the_rules_can_end_with(rules: str, expected: tuple[int, ...]) -> None:
    assert outputs(rules) == expected


def test_equity_is_what_the_chances_come_to() -> None:
    assert SOME.equity == -0.25 - 0.25 + 0.375 + 0.5


def test_win_counts_every_result_above_none() -> None:
    assert SOME.win == 0.625


@pytest.mark.parametrize(("points", "expected"), [(2, 0.25), (1, 0.625), (-1, 0.875), (-2, 1.0), (3, 0)])
def test_at_least_counts_the_results_from_there_on(points: int, expected: float) -> None:
    assert SOME.at_least(points) == expected
