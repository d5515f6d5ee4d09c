"""The stage variants against the third reading: the worked cases, whole games, and positions of random games."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import oracle_stages
import pytest
import strategies
import test_variants

import nardy_fast
from nardy_fast import reference
from nardy_fast.rules import CHOICES, RULESETS, Ruleset, ruleset

IMPLEMENTATIONS = (nardy_fast, reference)

GULBAR, MAD, CASCADE = ruleset("gulbar"), ruleset("mad_nardy"), ruleset("mad_gulbar")

TRIED: dict[str, Ruleset] = {
    **{name: RULESETS[name] for name in ("kaftar", "one_six", "kabutar", "astrogon", "even_odd")},
    **{name: RULESETS[name] for name in ("gulbar", "mad_gulbar", "mad_nardy", "mad_fevga", "greek_fevga")},
    "dice pass on one by one": replace(CASCADE, unplayed="stage"),
    "cascade of two": replace(CASCADE, cascade_steps=2),
    "left over, lost": replace(MAD, unplayed="lost"),
    "rest, void, frozen": replace(MAD, unplayed="rest", cascade_steps=2),
    "product that passes on": replace(ruleset("astrogon"), unplayed="stage"),
    "sends that pass on": replace(ruleset("kaftar"), unplayed="stage", throw_again=True),
    "doubles that pass on": replace(ruleset("kabutar"), unplayed="stage", send_optional=True),
    "blocks by turns": replace(CASCADE, block_check="turn"),
    "sends, blocks by turns": replace(ruleset("kaftar"), block_check="turn", block_rule="never"),
    "off by one and six, exactly": replace(ruleset("astrogon"), off_dice="one_six", bear_off="exact", bear_off_start="next_turn"),
    "by values": replace(CASCADE, head_exception="values"),
    "by capability": replace(ruleset("even_odd"), head_exception="capability"),
    "by doubles played in full": replace(GULBAR, head_exception="cap_double", block_rule="home"),
}


def check_stage(position: Any, roll: tuple[int, int] | None) -> list[Any]:
    """That the implementations list what the oracle lists; the plays of the last."""
    rules = position.rules
    state = oracle_stages.state_of(position)
    expected = oracle_stages.plays(state, roll, rules)
    for impl in IMPLEMENTATIONS:
        mine = impl.Position(position.board, position.turn, rules, position.pending)
        plays = mine.plays(roll)
        found = [oracle_stages.Played(play.steps, play.left, oracle_stages.state_of(play.afterstate)) for play in plays]
        assert found == expected, (impl.__name__, str(position), roll, rules)
        assert mine.count_plays(roll) == len(expected)
        assert mine.is_over is oracle_stages.is_over(state, rules) is (not expected)
        assert mine.winner == oracle_stages.winner(state, rules)
    return plays


@pytest.mark.parametrize("name", TRIED)
def test_stages_of_random_games_are_those_of_the_oracle(name: str) -> None:
    rng = random.Random(41)
    left = 250
    waited = 0
    while left:
        position = reference.Position.start(TRIED[name])
        for _ in range(500):  # games under odd rules may go on for ever
            if position.is_over or not left:
                break
            roll = None if position.pending else (rng.randint(1, 6), rng.randint(1, 6))
            waited += position.pending is not None
            position = rng.choice(check_stage(position, roll)).afterstate
            left -= 1
        check_stage(position, None if position.pending else (2, 1))
    assert (waited > 0) is TRIED[name].has_queue


@pytest.mark.parametrize("case", test_variants.CASES, ids=lambda case: case["id"])
def test_the_oracle_agrees_on_the_worked_case(case: dict[str, Any]) -> None:
    rules = test_variants.rules_of(case["variant"])
    bare = reference.Position.parse(case["position"], rules)
    pending = test_variants.queue_of(case["queue"], case.get("heads", (0, 0))) if "queue" in case else None
    position = reference.Position(bare.board, bare.turn, rules, pending)
    plays = check_stage(position, None if pending else tuple(map(int, case["roll"].split("-"))))
    assert sorted(test_variants.sides(play.afterstate)[position.turn] for play in plays) == case["mover_after"]


def random_rulesets(count: int) -> list[Ruleset]:
    rng = random.Random(43)
    return [strategies.random_stage_ruleset(rng) for _ in range(count)]


def test_the_random_rulesets_are_varied() -> None:
    drawn = random_rulesets(300)
    for field in strategies.STAGE_FIELDS:
        assert {getattr(rules, field) for rules in drawn} == set(CHOICES[field]), field
    assert {rules.block_rule for rules in drawn} == set(CHOICES["block_rule"])


@pytest.mark.parametrize("part", range(5))
def test_stages_under_random_rulesets_are_those_of_the_oracle(part: int) -> None:
    rng = random.Random(part)
    for rules in random_rulesets(60)[part::5]:
        position = reference.Position.start(rules)
        for _ in range(25):
            if position.is_over:
                break
            roll = None if position.pending else (rng.randint(1, 6), rng.randint(1, 6))
            position = rng.choice(check_stage(position, roll)).afterstate


@pytest.mark.parametrize("name", TRIED)
def test_stages_of_made_positions_are_those_of_the_oracle(name: str) -> None:
    rng = random.Random(44)
    for position, roll in strategies.made_positions(reference.Position, TRIED[name], 40, seed=45):
        if position.is_over or position.count_plays(roll) > 300:
            continue
        after = rng.choice(check_stage(position, roll)).afterstate
        if after.pending:
            check_stage(after, None)


#: Each side has its slot 6 and its home: White's home lies right before Black's last checkers, and Black's before White's.
DEAD = "19:9,6:1,5:1,4:1,3:1,2:1,1:1 18:1,17:1,16:1,15:1,14:1,13:1,7:9"


@pytest.mark.parametrize("name", ["mad_nardy", "mad_fevga"])
def test_in_a_dead_position_no_die_moves_anybody_and_one_checker_elsewhere_moves(name: str) -> None:
    rules = RULESETS[name]

    def can_move(text: str) -> bool:
        board = oracle_stages.state_of(reference.Position.parse(text, rules)).board
        return any(oracle_stages.steps_of(board, board, (die,), 1, set(), rules) for die in range(1, 7))

    assert not can_move(f"{DEAD} w")
    assert not can_move(f"{DEAD} b")
    for text in (DEAD.replace("19:9", "20:1,19:8"), DEAD.replace("7:9", "8:1,7:8"), DEAD.replace("19:9,6:1", "19:10")):
        assert can_move(f"{text} w") or can_move(f"{text} b")
        assert not reference.Position.parse(f"{text} w", rules).is_over
