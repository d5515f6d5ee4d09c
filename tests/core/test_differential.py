"""The native core equals the reference: in random games under every preset, and on made positions that games rarely reach."""

from __future__ import annotations

import random

import comparison
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from usual_rulesets import USUAL_RULESETS

import nardy_fast
from nardy_fast import reference
from nardy_fast.rules import ROLLS

#: Presets with rules of their own; `nardgammon` is `long` and `backgammon` is `short` by another name.
DISTINCT = list({rules: name for name, rules in reversed(USUAL_RULESETS.items())}.values())[::-1]


def told(differences: list[str]) -> str:
    return "\n".join(differences[: comparison.TOLD])


def test_only_two_presets_are_another_by_another_name() -> None:
    assert set(USUAL_RULESETS) - set(DISTINCT) == {"nardgammon", "backgammon"}
    assert USUAL_RULESETS["nardgammon"] == USUAL_RULESETS["long"]
    assert USUAL_RULESETS["backgammon"] == USUAL_RULESETS["short"]


@pytest.mark.parametrize("name", DISTINCT)
def test_plays_are_the_same_in_a_few_random_games(name: str) -> None:
    compared, differences = comparison.compare_games(USUAL_RULESETS[name], 200, seed=1_000_000)
    assert not differences, told(differences)
    assert compared == 200


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTINCT)
def test_plays_are_the_same_in_random_games(name: str) -> None:
    positions = 20_000 if name == "long" else 5_000
    compared, differences = comparison.spread(comparison.compare_games, USUAL_RULESETS[name], positions)
    assert not differences, told(differences)
    assert compared == positions


@pytest.mark.parametrize("name", DISTINCT)
def test_steps_and_reasons_are_the_same_within_turns_of_random_games(name: str) -> None:
    compared, differences = comparison.compare_turns(USUAL_RULESETS[name], 20, seed=5)
    assert not differences, told(differences)
    assert compared == 20


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTINCT)
def test_steps_and_reasons_are_the_same_within_many_turns(name: str) -> None:
    compared, differences = comparison.spread(comparison.compare_turns, USUAL_RULESETS[name], 80, chunk=40)
    assert not differences, told(differences)
    assert compared == 80


@pytest.mark.parametrize("name", DISTINCT)
def test_plays_are_the_same_on_many_made_positions(name: str) -> None:
    compared, differences = comparison.compare_made(USUAL_RULESETS[name], 400, seed=7)
    assert not differences, told(differences)
    assert compared == 400


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTINCT)
def test_plays_are_the_same_on_very_many_made_positions(name: str) -> None:
    compared, differences = comparison.spread(comparison.compare_made, USUAL_RULESETS[name], 2000, chunk=500)
    assert not differences, told(differences)
    assert compared == 2000


@pytest.mark.parametrize("name", DISTINCT)
@settings(max_examples=30)
@given(st.data())
def test_plays_are_the_same_on_made_positions(name: str, data: st.DataObject) -> None:
    own, other = data.draw(strategies.rows(USUAL_RULESETS[name]))
    turn = data.draw(st.integers(0, 1))
    dice = data.draw(strategies.dice)
    position = nardy_fast.Position([own, other], turn, USUAL_RULESETS[name])
    difference = comparison.difference_in_plays(position, dice)
    assert difference is None, difference


@pytest.mark.parametrize("name", DISTINCT)
@settings(max_examples=10)
@given(st.data())
def test_steps_and_reasons_are_the_same_on_made_positions(name: str, data: st.DataObject) -> None:
    own, other = data.draw(strategies.rows(USUAL_RULESETS[name]))
    turn = data.draw(st.integers(0, 1))
    dice = data.draw(strategies.dice)
    position = nardy_fast.Position([own, other], turn, USUAL_RULESETS[name])
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    difference = comparison.difference_within_turn(position, dice, rng)
    assert difference is None, difference


@pytest.mark.parametrize("name", DISTINCT)
@settings(max_examples=40)
@given(st.data())
def test_what_a_position_tells_is_the_same_on_made_positions(name: str, data: st.DataObject) -> None:
    own, other = data.draw(strategies.rows(USUAL_RULESETS[name]))
    turn = data.draw(st.integers(0, 1))
    twins = [one.Position([own, other], turn, USUAL_RULESETS[name]) for one in (nardy_fast, reference)]
    told_by_each = [
        (str(one), repr(one), one.pips, one.is_over, one.winner, one.is_contact, one.turn, one.board.tolist(), one.rules)
        for one in twins
    ]
    assert told_by_each[0] == told_by_each[1]


@pytest.mark.parametrize("name", DISTINCT)
def test_every_roll_gives_the_same_plays_from_the_start(name: str) -> None:
    for turn in (0, 1):
        position = nardy_fast.Position.start(name, turn)
        for dice, _ in ROLLS:
            difference = comparison.difference_in_plays(position, dice)
            assert difference is None, difference


def doors(name: str) -> list[str]:
    """Boards where the last White checker comes home beside five held points, so that bearing off and a block are near."""
    road = USUAL_RULESETS[name].road
    texts = []
    for outside in range(7, 13):
        for gap in range(2 if outside == 7 else 1, 7):  # 7 and 6..2 would be a block already
            home = [point for point in range(1, 7) if point != gap]
            for heavy in home:
                white = ",".join([f"{outside}:1", *(f"{point}:{10 if point == heavy else 1}" for point in reversed(home))])
                behind = 11 if outside == 12 else 12
                black = [f"{behind}:15", f"24:1,{behind}:14"] if road == "parallel" else ["1:15"]
                texts += [f"{white} {side} w" for side in black]
    return texts


@pytest.mark.parametrize("name", ["long", "tournament", "karzar", "short"])
def test_coming_home_beside_five_points_gives_the_same_plays(name: str) -> None:
    texts = doors(name)
    assert len(texts) >= 175
    for number, text in enumerate(texts):
        position = nardy_fast.Position.parse(text, name)
        for dice, _ in ROLLS[number % 4 :: 4]:
            difference = comparison.difference_in_plays(position, dice)
            assert difference is None, difference


@pytest.mark.parametrize("name", ["long", "tournament", "karzar", "khachapuri", "fevga"])
def test_four_steps_from_one_stack_into_a_block_give_the_same_plays(name: str) -> None:
    # Six points in a row but for one, which a double fills from the stack at the rear end: the stack may stay or be used up.
    for first in range(14, 20):
        for die in range(1, 6):
            for stack in (3, 4, 5, 6):
                own = [0] * 26
                for slot in range(first, first + 6):
                    own[slot] = int(slot != first + die)
                own[first] = stack
                own[1] = 15 - sum(own)
                other = [0, 15, *[0] * 24]
                difference = comparison.difference_in_plays(nardy_fast.Position([own, other], 0, name), (die, die))
                assert difference is None, difference


#: Fifteen lone checkers and a low double: the longest lists of plays there are.
SPREADS = {
    "long": "24:1,23:1,22:1,20:1,19:1,18:1,16:1,15:1,14:1,11:1,10:1,8:1,7:1,5:1,4:1 12:15 w",
    "khachapuri": "24:1,23:1,22:1,20:1,19:1,18:1,16:1,15:1,14:1,11:1,10:1,8:1,7:1,5:1,4:1 12:15 w",
    "fevga": "23:1,22:1,20:1,19:1,18:1,16:1,15:1,14:1,11:1,10:1,8:1,7:1,5:1,4:1,2:1 12:15 w",
    "tournament": "24:1,23:1,22:1,20:1,19:1,18:1,16:1,15:1,14:1,11:1,10:1,8:1,7:1,5:1,4:1 12:15 w",
    "short": "24:1,21:1,20:1,19:1,18:1,17:1,16:1,15:1,14:1,12:1,11:1,10:1,8:1,7:1,6:1 2:5,3:10 w",
    "old_english": "21:1,20:1,19:1,18:1,17:1,16:1,15:1,14:1,12:1,11:1,10:1,8:1,7:1,6:1,5:1 1:5,2:5,3:5 w",
    "acey_deucey": "bar:3,24:1,21:1,20:1,18:1,17:1,16:1,15:1,12:1,11:1,10:1,7:1,6:1 2:5,3:10 w",
}


@pytest.mark.parametrize("name", SPREADS)
@pytest.mark.parametrize("die", [1, 2, 3])
def test_spreads_of_lone_checkers_give_the_same_plays(name: str, die: int) -> None:
    position = nardy_fast.Position.parse(SPREADS[name], name)
    assert position.count_plays((die, die)) > 512, "not a long list after all"
    difference = comparison.difference_in_plays(position, (die, die))
    assert difference is None, difference
