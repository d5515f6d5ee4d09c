"""Both implementations against the oracle, which tries every sequence of steps."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import oracle
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from usual_rulesets import USUAL_RULESETS

import nardy_fast
from nardy_fast import reference
from nardy_fast.rules import CHOICES, ROLLS, Ruleset, ruleset

IMPLEMENTATIONS = (nardy_fast, reference)

LONG = ruleset("long")
SHORT = ruleset("short")

#: Rules that are tried, and on how many positions of random games.
TRIED: dict[str, tuple[Ruleset, int]] = {
    "long": (LONG, 600),
    "block home": (replace(LONG, block_rule="home"), 200),
    "block never": (replace(LONG, block_rule="never"), 200),
    "block free": (replace(LONG, block_rule="free"), 200),
    "block fevga": (replace(LONG, block_rule="fevga"), 200),
    "block ahead, by turns": (ruleset("tournament"), 400),
    "block never, by turns": (replace(LONG, block_rule="never", block_check="turn"), 200),
    "block fevga, by turns": (replace(LONG, block_rule="fevga", block_check="turn"), 200),
    "exact bearing off": (replace(LONG, bear_off="exact"), 200),
    "bearing off next turn": (replace(LONG, bear_off_start="next_turn"), 200),
    "no head limit": (replace(LONG, head_limit=None, head_exception="none"), 200),
    "last roll": (ruleset("federation"), 200),
    "fevga": (ruleset("fevga"), 400),
    "khachapuri": (ruleset("khachapuri"), 200),
    "short": (SHORT, 600),
    "short, exact, next turn": (replace(SHORT, bear_off="exact", bear_off_start="next_turn"), 200),
    "nackgammon": (ruleset("nackgammon"), 200),
    "hypergammon": (ruleset("hypergammon"), 300),
    "longgammon": (ruleset("longgammon"), 200),
    "old english": (ruleset("old_english"), 300),
    "acey-deucey": (ruleset("acey_deucey"), 300),
}


def listed(position: Any, dice: tuple[int, int]) -> list[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """The plays as the oracle lists them: the board, the mover's row first, and the sequence of (from, die)."""
    found = []
    for play in position.plays(dice):
        opponent, mover = play.afterstate.board.tolist()
        found.append(((*mover, *opponent), tuple((source, die) for source, _, die in play.steps)))
    return found


def check_plays(position: Any, dice: tuple[int, int]) -> None:
    """That both twins list what the oracle lists."""
    own, other = position.board.tolist()
    expected = oracle.plays(own, other, dice, position.rules, position.turn)
    for impl in IMPLEMENTATIONS:
        mine = impl.Position(position.board, position.turn, position.rules)
        found = listed(mine, dice)
        assert found == expected, (
            f"{impl.__name__}: {position} {dice} under {position.rules}\n"
            f"  missing: {[play for play in expected if play not in found]}\n"
            f"  too many: {[play for play in found if play not in expected]}"
        )
        assert mine.count_plays(dice) == len(expected)
        assert mine.is_over is oracle.is_over(own, other, position.turn, position.rules) is (not expected)
        assert mine.winner == oracle.winner(own, other, position.turn, position.rules)


def check_turn(position: Any, dice: tuple[int, int], rng: random.Random) -> int:
    """That both twins offer and refuse what the oracle does along a random turn; how many refusals were compared."""
    own, other = position.board.tolist()
    rules, turn = position.rules, position.turn
    twins = [impl.Position(position.board, turn, rules) for impl in IMPLEMENTATIONS]
    legal = oracle.legal_sequences(own, other, dice, rules, turn)
    played: tuple[tuple[int, int], ...] = ()
    refusals = 0
    while True:
        offered = oracle.continuations(legal, played)
        asked = [(rng.randint(-1, 25), rng.choice((*dice, rng.randint(0, 7)))) for _ in range(2)]
        asked += [(source, die) for source in rng.sample(range(25), 3) for die in set(dice) if own[source]]
        for twin in twins:
            where = f"{type(twin)} {position} {dice} under {rules}, played {played}"
            assert twin.next_steps(dice, played) == tuple(offered), where
            for step in asked:
                expected = oracle.why_not(own, other, dice, rules, legal, step, played)
                assert twin.why_not(dice, step, played) is expected, (where, step)
                refusals += expected is not None
        if not offered:
            return refusals
        played = (*played, rng.choice(offered))


@pytest.mark.parametrize("name", TRIED)
def test_plays_of_random_games_are_those_of_the_oracle(name: str) -> None:
    rules, count = TRIED[name]
    checked = 0
    for position, dice, _ in strategies.random_games(nardy_fast.Position, rules, count, seed=21):
        check_plays(position, dice)
        checked += 1
    assert checked == count


@pytest.mark.parametrize("name", TRIED)
def test_steps_and_reasons_of_random_games_are_those_of_the_oracle(name: str) -> None:
    rng = random.Random(22)
    refusals = 0
    for position, dice, _ in strategies.random_games(nardy_fast.Position, TRIED[name][0], 30, seed=23):
        refusals += check_turn(position, dice, rng)
    assert refusals > 150


@pytest.mark.parametrize("name", TRIED)
@settings(max_examples=40)
@given(st.data())
def test_plays_of_made_positions_are_those_of_the_oracle(name: str, data: st.DataObject) -> None:
    rules = TRIED[name][0]
    own, other = data.draw(strategies.rows(rules))
    dice = data.draw(strategies.dice)
    if dice[0] == dice[1] and sum(1 for count in own[:25] if count) > 9:  # too many sequences
        dice = (dice[0], dice[0] % 6 + 1)
    check_plays(nardy_fast.Position([own, other], data.draw(st.integers(0, 1)), rules), dice)


@pytest.mark.parametrize("name", TRIED)
@settings(max_examples=12)
@given(st.data())
def test_steps_and_reasons_of_made_positions_are_those_of_the_oracle(name: str, data: st.DataObject) -> None:
    rules = TRIED[name][0]
    own, other = data.draw(strategies.rows(rules))
    dice = data.draw(strategies.dice)
    if dice[0] == dice[1] and sum(1 for count in own[:25] if count) > 5:
        dice = (dice[0], dice[0] % 6 + 1)
    position = nardy_fast.Position([own, other], data.draw(st.integers(0, 1)), rules)
    check_turn(position, dice, random.Random(data.draw(st.integers(0, 2**32))))


@pytest.mark.parametrize("exception", CHOICES["head_exception"])
def test_the_first_turns_are_those_of_the_oracle_under_every_head_exception(exception: str) -> None:
    rules = replace(LONG, head_exception=exception)
    start = nardy_fast.Position.start(rules)
    seconds = set()
    for dice, _ in ROLLS:
        check_plays(start, dice)
        seconds |= {play.afterstate for play in start.plays(dice)}
    assert len(seconds) >= 10
    for position in seconds:
        for dice, _ in ROLLS:
            check_plays(position, dice)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["long", "fevga", "short", "old english"])
def test_long_lists_are_those_of_the_oracle(name: str) -> None:
    rules = TRIED[name][0]
    texts = {
        "long": "24:1,23:1,22:1,20:1,18:1,16:1,15:1,13:1,11:1,10:1,8:1,7:4 12:15 w",
        "fevga": "24:5,23:1,22:1,20:1,18:1,16:1,15:1,13:1,10:1,8:1,7:1 12:15 w",
        "short": "24:1,21:1,20:1,19:1,18:1,16:1,14:1,12:1,11:1,10:1,8:1,7:4 2:5,3:10 w",
        "old english": "21:1,20:1,19:1,18:1,17:1,16:1,14:1,12:1,11:1,10:1,8:1,7:4 1:5,2:5,3:5 w",
    }
    position = nardy_fast.Position.parse(texts[name], rules)
    for die in (1, 2, 3):
        check_plays(position, (die, die))


@pytest.mark.parametrize("name", list(USUAL_RULESETS))
def test_the_start_is_that_of_the_oracle_for_every_roll(name: str) -> None:
    for turn in (0, 1):
        for dice, _ in ROLLS:
            check_plays(nardy_fast.Position.start(name, turn), dice)
