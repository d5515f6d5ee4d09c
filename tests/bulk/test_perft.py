"""Leaves after so many turns, against the counts of the rulebook and of each other."""

from __future__ import annotations

from types import ModuleType

import comparison
import pytest
from usual_rulesets import USUAL_RULESETS

from nardy_fast.rules import ROLLS


@pytest.mark.parametrize(
    ("rules", "depth", "leaves"),
    [
        ("long", 0, 1),
        ("long", 1, 22),
        ("long", 2, 484),
        pytest.param("long", 3, 35387, marks=pytest.mark.slow),
        ("short", 0, 1),
        ("short", 1, 447),
    ],
)
@pytest.mark.parametrize("turn", [0, 1])
def test_perft_from_the_start(impl: ModuleType, rules: str, depth: int, leaves: int, turn: int) -> None:
    assert impl.perft(impl.Position.start(rules, turn), depth) == leaves


def leaves_by_hand(position: object, depth: int) -> int:
    """Perft by its definition, from `plays` alone."""
    if depth == 0 or position.is_over:  # type: ignore[attr-defined]
        return 1
    return sum(leaves_by_hand(play.afterstate, depth - 1) for dice, _ in ROLLS for play in position.plays(dice))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "rules", "depth"),
    [
        ("1:1 13:1 w", "long", 2),  # every roll ends the game
        ("6:1,5:1 18:1,17:1 b", "long", 2),
        ("2:1 13:1 w", "federation", 3),  # with the last roll
        ("- 18:2 b", "federation", 2),
        ("bar:1,6:2 bar:1,6:1,5:1 w", "short", 2),
        ("20:1 2:3 b", "hypergammon", 2),
        ("24:13,18:2 12:15 b", "fevga", 1),
    ],
)
def test_perft_counts_the_plays_of_every_roll_once(impl: ModuleType, text: str, rules: str, depth: int) -> None:
    position = impl.Position.parse(text, rules)
    assert impl.perft(position, depth) == leaves_by_hand(position, depth) > 1


@pytest.mark.parametrize("rules", list(USUAL_RULESETS))
def test_perft_of_one_turn_is_the_same_for_the_twins(native: ModuleType, reference: ModuleType, rules: str) -> None:
    assert native.perft(native.Position.start(rules), 1) == reference.perft(reference.Position.start(rules), 1)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["tournament", "arena", "karzar", "khachapuri", "fevga", "hypergammon"])
def test_perft_of_two_turns_is_the_same_for_the_twins(native: ModuleType, reference: ModuleType, rules: str) -> None:
    assert native.perft(native.Position.start(rules), 2) == reference.perft(reference.Position.start(rules), 2)


@pytest.mark.parametrize(("text", "rules"), [("- 18:2 b", "long"), ("6:2 - w", "short"), ("- 18:2 w", "federation")])
def test_a_finished_game_is_one_leaf_at_any_depth(impl: ModuleType, text: str, rules: str) -> None:
    position = impl.Position.parse(text, rules)
    assert [impl.perft(position, depth) for depth in (0, 1, 2, 12)] == [1, 1, 1, 1]


@pytest.mark.parametrize("depth", [12, 13, 30, 2**70])
def test_the_twins_take_or_refuse_the_same_depths(native: ModuleType, reference: ModuleType, depth: int) -> None:
    answers = [
        comparison.answer(lambda impl=impl: impl.perft(impl.Position.parse("- 18:2 b"), depth)) for impl in (native, reference)
    ]
    assert answers[0] == answers[1]


def test_a_negative_depth_is_refused(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^depth = -1\b"):
        impl.perft(impl.Position.start(), -1)


@pytest.mark.parametrize("depth", [1.0, "1", None])
def test_a_depth_that_is_no_integer_is_refused(impl: ModuleType, depth: object) -> None:
    with pytest.raises(TypeError, match=r"^depth = "):
        impl.perft(impl.Position.start(), depth)


def test_perft_of_something_else_is_refused(impl: ModuleType) -> None:
    with pytest.raises(TypeError):
        impl.perft("24:15 12:15 w", 1)
