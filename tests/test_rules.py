"""What a `Ruleset` may be: what is refused together, the presets of the newest fields, and texts of before them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nardy_fast.rules import RULESETS, Ruleset, ruleset


@pytest.mark.parametrize(
    ("base", "changes", "said"),
    [
        ("long", {"cascade_steps": 2}, "cascade_steps = 2: throw = 'pair' has no cascade"),
        ("astrogon", {"cascade_steps": 2}, "cascade_steps = 2: throw = 'product' has no cascade"),
        ("long", {"void_double": True}, "void_double = True: throw = 'pair' has no cascade to be void"),
        ("gulbar", {"unplayed": "rest"}, "unplayed = 'rest': throw = 'pair' has no further stages that could pass on"),
        ("long", {"parity": True}, "parity = True: throw = 'pair' does not count steps by a die"),
        ("long", {"send_optional": True}, "send_optional = True: send is None"),
        ("astrogon", {"send": "one_six"}, "send = 'one_six': only the dice of throw = 'pair' send, not of 'product'"),
        ("mad_gulbar", {"send": "doubles"}, "send = 'doubles': only the dice of throw = 'pair' send, not of 'cascade'"),
        (
            "long",
            {"send": "doubles", "head_limit": None, "head_exception": "none"},
            "send = 'doubles': lifts the head_limit, so there must be one",
        ),
        (
            "astrogon",
            {"throw_again": True},
            "throw_again = True: goes by a double of four steps, which throw = 'product' has not",
        ),
        ("long", {"home_steps": False}, "home_steps = False: can lock both sides for ever, so it needs dead_draw = True"),
        (
            "federation",
            {"unplayed": "stage"},
            "last_roll = 'full': not with unplayed other than 'lost', throw = 'cascade' or throw_again = True",
        ),
        (
            "federation",
            {"throw": "cascade"},
            "last_roll = 'full': not with unplayed other than 'lost', throw = 'cascade' or throw_again = True",
        ),
        (
            "federation",
            {"throw_again": True},
            "last_roll = 'full': not with unplayed other than 'lost', throw = 'cascade' or throw_again = True",
        ),
        ("long", {"backgammon_points": 2}, "backgammon_points = 2: has no meaning with road = 'parallel', and must be 3"),
        ("short", {"throw": "product"}, "throw = 'product': has no meaning with road = 'contrary', and must be 'pair'"),
        ("short", {"dead_draw": True}, "dead_draw = True: has no meaning with road = 'contrary', and must be False"),
        ("short", {"off_dice": "one_six"}, "off_dice = 'one_six': has no meaning with road = 'contrary', and must be 'all'"),
        ("long", {"throw": "triple"}, "throw = 'triple': expected one of 'pair', 'product', 'cascade'"),
        ("long", {"parity": 1}, "parity = 1: expected one of False, True"),
    ],
)
def test_what_makes_no_sense_together_is_refused_with_the_reason(base: str, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        replace(ruleset(base), **changes)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    "changes",
    [
        {"throw": "product", "last_roll": "full"},
        {"send": "one_six", "last_roll": "draw_only"},
        {"throw": "cascade"},
        {"throw": "cascade", "cascade_steps": 2, "void_double": True, "unplayed": "rest"},
        {"throw_again": True},
        {"send": "doubles", "unplayed": "stage", "throw_again": True},
        {"throw": "product", "unplayed": "stage"},
        {"dead_draw": True},
    ],
)
def test_a_dialect_of_the_stage_variants_is_taken(changes: dict[str, Any]) -> None:
    assert Ruleset.from_json(replace(ruleset("long"), **changes).to_json()) == replace(ruleset("long"), **changes)


@pytest.mark.parametrize(
    ("name", "base", "changes"),
    [
        ("greek_fevga", "fevga", {"block_rule": "fevga_open"}),
        ("portes", "short", {"backgammon_points": 2, "first_dice": "fresh"}),
        ("kaftar", "long", {"send": "one_six"}),
        ("one_six", "long", {"send": "one_six", "send_optional": True, "off_dice": "one_six"}),
        ("kabutar", "long", {"send": "doubles"}),
        ("astrogon", "long", {"throw": "product"}),
        ("even_odd", "long", {"throw": "product", "parity": True}),
        ("gulbar", "long", {"unplayed": "stage", "throw_again": True}),
        ("mad_gulbar", "long", {"throw": "cascade", "unplayed": "rest"}),
        (
            "mad_nardy",
            "long",
            {
                "throw": "cascade",
                "unplayed": "stage",
                "void_double": True,
                "home_steps": False,
                "bear_off": "exact",
                "dead_draw": True,
            },
        ),
        (
            "mad_fevga",
            "mad_nardy",
            {"head_limit": None, "head_exception": "none", "runner": True, "block_rule": "fevga"},
        ),
    ],
)
def test_a_preset_differs_from_another_by_these_fields(name: str, base: str, changes: dict[str, Any]) -> None:
    assert RULESETS[name] == replace(RULESETS[base], **changes)
    assert RULESETS[name].name == name


def test_stages_wait_only_where_dice_pass_on_or_a_double_goes_up() -> None:
    assert {name for name, rules in RULESETS.items() if rules.has_queue} == {"gulbar", "mad_gulbar", "mad_nardy", "mad_fevga"}


def test_a_text_of_before_the_newest_fields_is_still_read() -> None:
    text = (
        '{"name": "fevga", "road": "parallel", "setup": [[1, 15]], "head_limit": null, "head_exception": "none", "runner": true, '
        '"block_rule": "fevga", "block_check": "step", "bear_off": "standard", "bear_off_start": "same_turn", '
        '"stack_limit": null, "bar_first": true, "goal": "clear", "home_mars": null, "koks": null, "koks_points": 3, '
        '"remaining": false, "last_roll": "none", "first_dice": "fresh", "next_starter": "alternate"}'
    )
    assert Ruleset.from_json(text) == ruleset("fevga")
