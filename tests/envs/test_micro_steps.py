"""Single steps: what they reach, how actions name them, what is observed."""

from __future__ import annotations

import pickle
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import nardy_fast as nf
from nardy_fast.envs import _tables
from nardy_fast.envs.spaces import Games, action_of, greatest_score, position_of, put, step_of

ROOT = Path(__file__).parents[2]


def table(text: str, rules: str, dice: tuple[int, int] | None = None) -> _tables.Tables:
    tables = _tables.Tables(1, rules)
    put(tables, 0, nf.Position.parse(text, rules))
    if dice is not None:
        tables.roll(0, *dice)
    return tables


def seen(tables: _tables.Tables) -> np.ndarray:
    found, mask, flag = np.empty((1, 83), np.int8), np.empty((1, 157), np.int8), np.empty(1, np.bool_)
    tables.tell(found, mask, flag, np.empty(1, np.int8), np.empty(1, np.int8), np.empty(1, np.bool_))
    assert sorted(np.flatnonzero(mask[0])) == (tables.actions(0) or [156])
    return found[0]


@pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="there is no source tree")
@pytest.mark.parametrize("rules", sorted(nf.RULESETS))
def test_steps_reach_exactly_the_plays_that_are_listed(rules: str) -> None:
    check = runpy.run_path(str(ROOT / "tools" / "check_micro_steps.py"))["check"]
    assert check(rules, 150, seed=2) > 150


def test_actions_are_told_by_slot_and_die() -> None:
    assert action_of(1, 7, 6) == 11
    assert action_of(24, 25, 6) == 149
    assert action_of(1, 19, 6) == 155
    assert [step_of(action) for action in (0, 11, 149, 155, 156)] == [(0, 1, 1), (1, 7, 6), (24, 25, 6), (1, 19, 6), None]
    with pytest.raises(ValueError, match=r"expected 0\.\.156"):
        step_of(157)


def test_the_larger_die_must_be_played_where_only_one_can_be() -> None:
    tables = table("24:14,4:1 12:15 b", "long", (6, 5))
    assert tables.actions(0) == [10, 11]
    tables.act(0, 11)
    assert tables.steps(0) == ((1, 7, 6),)
    assert not tables.act(0, 10)  # a second checker may not leave the head


def test_a_pass_is_an_action() -> None:
    tables = table("bar:1,6:14 6:2,5:2,4:2,3:2,2:2,1:5 w", "short", (6, 5))
    assert tables.actions(0) == [156]
    assert tables.act(0, 156)
    assert (tables.turn(0), tables.phase(0)) == (1, _tables.THROW)


def test_a_send_is_an_action_of_its_own() -> None:
    tables = _tables.Tables(1, "one_six")
    tables.roll(0, 6, 5)
    assert tables.actions(0) == [10, 11, 155]
    tables.act(0, 155)
    assert tables.steps(0) == ((1, 19, 6),)


def test_one_two_gives_a_double_and_another_throw() -> None:
    tables = table("6:15 6:15 w", "acey_deucey", (2, 1))
    for _ in range(2):
        tables.act(0, tables.actions(0)[0])
    assert (tables.phase(0), tables.turn(0)) == (_tables.CHOICE, 0)
    assert tables.actions(0) == [150, 151, 152, 153, 154, 155]
    assert seen(tables)[59] == 2
    tables.act(0, 151)
    assert tables.dice(0) == (2, 2)
    assert seen(tables)[52:58].tolist() == [0, 4, 0, 0, 0, 0]
    for _ in range(4):
        tables.act(0, tables.actions(0)[0])
    assert (tables.phase(0), tables.turn(0)) == (_tables.THROW, 0)


def test_dice_left_over_are_the_next_stage() -> None:
    tables = _tables.Tables(1, "mad_nardy")
    tables.roll(0, 6, 6)
    while tables.turn(0) == 0:
        tables.act(0, tables.actions(0)[0])
    assert tables.dice(0) == (6, 6)
    position = position_of(tables, 0, nf.ruleset("mad_nardy"))
    assert str(position) == "24:13,18:2 12:15 b b66*:2/0"
    told = seen(tables)
    assert told[52:58].tolist() == [0, 0, 0, 0, 0, 2]
    assert told[58:63].tolist() == [1, 0, 0, 0, 2]


def test_stages_to_come_are_observed() -> None:
    tables = _tables.Tables(1, "mad_gulbar")
    tables.roll(0, 4, 4)
    assert seen(tables)[60:75].tolist() == [1, 0, 0, 1, 5, 4, 0, 1, 6, 4, 0, 0, 0, 0, 0]


def test_a_copy_goes_its_own_way_and_a_pickle_comes_back() -> None:
    tables = _tables.Tables(1, "long")
    tables.roll(0, 6, 5)
    other = tables.copy()
    other.act(0, 11)
    back = pickle.loads(pickle.dumps(other))
    assert (len(tables.steps(0)), other.steps(0), back.steps(0)) == (0, ((1, 7, 6),), ((1, 7, 6),))
    with pytest.raises(ValueError, match="a pickle of 3 bytes"):
        _tables.restored(1, "long", False, b"abc")


def test_actions_are_sampled_alike() -> None:
    tables = _tables.Tables(3000, "short")
    for i in range(3000):
        tables.roll(i, 3, 1)
    out = np.empty(3000, np.int64)
    tables.sample(np.random.PCG64(1), out)
    actions, counts = np.unique(out, return_counts=True)
    assert actions.tolist() == tables.actions(0)
    assert counts.min() > 0.7 * 3000 / len(actions)


@pytest.mark.parametrize(("rules", "points"), [("long", 2), ("short", 3), ("portes", 2), ("arena", 4), ("khachapuri", 15)])
def test_the_greatest_score_is_known(rules: str, points: int) -> None:
    assert greatest_score(nf.ruleset(rules)) == points


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, "long", "nobody"), "opponent = 'nobody': expected one of random, greedy"),
        ((1, "long", "random", 2), "side = 2: expected 0"),
        ((1, "long", "random", None, "money"), "reward = 'money': expected one of points, win"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Games(*arguments)


def test_importing_the_package_imports_no_environment() -> None:
    import subprocess

    program = (
        "import sys, nardy_fast; print([name for name in sys.modules if name in ('gymnasium', 'pettingzoo', 'pyspiel', 'torch')])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"
