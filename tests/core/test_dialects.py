"""The options that change plays, each by positions where its values differ, and the worked cases of the rulebook.

The plays are written out, worked out by hand from the rulebook: one side's text in long nardy, where only the mover's checkers
move, both sides' in short nardy.
"""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import oracle
import pytest

from nardy_fast.rules import CHOICES, ROLLS, Ruleset, ruleset

LONG = ruleset("long")
SHORT = ruleset("short")
NO_EXCEPTION = replace(LONG, head_exception="none")
NO_LIMIT = replace(LONG, head_limit=None, head_exception="none")
RUNNER = replace(NO_LIMIT, runner=True)

Dice = tuple[int, int]


def written(side: str, turn: int, rules: Ruleset) -> str:
    """One side's text with its points in the usual order."""
    row = oracle.row_of_text(side, turn, rules)
    return oracle.text_of_rows(row, [0] * 26, turn, rules).split()[turn]


def played(impl: ModuleType, text: str, dice: Dice, rules: Ruleset) -> set[str]:
    """Where the plays lead: the mover's side of the text, or both sides in short nardy."""
    position = impl.Position.parse(text, rules)
    found = []
    for play in position.plays(dice):
        opponent, mover = play.afterstate.board.tolist()
        sides = oracle.text_of_rows(mover, opponent, position.turn, rules).split()
        if rules.road == "parallel":
            assert opponent == position.board[1].tolist()
        found.append(" ".join(sides[:2]) if rules.road == "contrary" else sides[position.turn])
    assert len(set(found)) == len(found) == position.count_plays(dice)
    return set(found)


def check(impl: ModuleType, text: str, dice: Dice, rules: Ruleset, expected: set[str]) -> None:
    """That the plays lead exactly to `expected`."""
    own, other, turn = oracle.rows_of_text(text, rules)
    assert impl.Position.parse(text, rules).board.tolist() == [own, other]
    if rules.road == "contrary":
        sides = [play.split() for play in expected]
        assert played(impl, text, dice, rules) == {
            f"{written(white, 0, rules)} {written(black, 1, rules)}" for white, black in sides
        }
    else:
        assert played(impl, text, dice, rules) == {written(play, turn, rules) for play in expected}


def check_each(impl: ModuleType, option: str, base: Ruleset, text: str, dice: Dice, expected: dict[Any, set[str]]) -> None:
    """The plays under every value of the option; some of them must differ."""
    assert set(expected) == set(CHOICES[option]) - {"fevga_open"}
    for value, plays in expected.items():
        check(impl, text, dice, replace(base, **{option: value}), plays)
    assert len({frozenset(plays) for plays in expected.values()}) > 1


# The worked cases (rulebook, section 1)

START = "24:15 12:15 w"

WORKED = [
    # the head on the first turn
    (START, (6, 6), {"24:13,18:2"}),
    (START, (4, 4), {"24:13,16:2"}),
    (START, (3, 3), {"24:13,21:1,15:1", "24:13,18:2"}),
    (START, (5, 5), {"24:14,4:1"}),
    (START, (2, 2), {"24:14,16:1"}),
    (START, (1, 1), {"24:14,20:1"}),
    (START, (6, 5), {"24:14,13:1"}),
    ("24:15 12:15 b", (6, 6), {"12:13,6:2"}),
    ("24:15 12:15 b", (4, 4), {"12:13,4:2"}),
    ("24:15 12:15 b", (3, 3), {"12:13,9:1,3:1", "12:13,6:2"}),
    ("24:15 12:15 b", (5, 5), {"12:14,16:1"}),
    ("24:14,4:1 12:15 b", (4, 4), {"12:14,8:1"}),  # after White's 5-5
    ("24:14,16:1 12:15 b", (5, 5), {"12:14,21:1"}),  # after White's 2-2: three fives, 12-7-2-21
    ("24:13,18:2 12:15 w", (6, 6), {"24:12,18:3"}),  # a later 6-6 takes one
    # 6-4 from 15: either die, both, the larger only, the smaller only, nothing
    ("24:14,15:1 23:1,22:1,21:1,20:1,19:1,18:1,12:8,11:1 w", (6, 4), {"24:14,5:1"}),
    ("24:14,15:1 23:1,22:1,21:1,20:1,19:1,18:1,12:8,5:1 w", (6, 4), {"24:14,9:1"}),
    ("24:14,15:1 23:1,22:1,21:1,20:1,19:1,18:1,12:7,9:1,5:1 w", (6, 4), {"24:14,11:1"}),
    ("24:14,15:1 23:1,22:1,21:1,20:1,19:1,18:1,12:7,11:1,9:1 w", (6, 4), {"24:14,15:1"}),
    # bearing off
    ("6:1,4:3 13:10 w", (6, 3), {"4:2,1:1", "4:2,3:1"}),
    ("4:2,3:1 13:10 w", (6, 5), {"3:1"}),
    ("5:1 13:10 w", (5, 1), {"-"}),
    ("1:1 13:10 w", (6, 5), {"-"}),
    ("7:1,2:14 12:5,13:10 w", (5, 2), {"2:14"}),  # the right begins with the step that brings the last one home
    ("6:1,5:1 14:13,2:1,1:1 w", (4, 4), {"6:1,5:1"}),  # opponents may still be passing through
]


@pytest.mark.parametrize(("text", "dice", "expected"), WORKED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_worked_case_of_long_nardy(impl: ModuleType, text: str, dice: Dice, expected: set[str]) -> None:
    check(impl, text, dice, LONG, expected)


def test_the_exception_by_the_head_and_by_values_differ_in_the_first_two_rolls_only_at_5_5_then_4_4(impl: ModuleType) -> None:
    values = replace(LONG, head_exception="values")
    different = set()
    for first, _ in ROLLS:
        replies = played(impl, START, first, LONG)
        assert replies == played(impl, START, first, values), first
        for white in replies:
            for second, _ in ROLLS:
                text = f"{white} 12:15 b"
                if played(impl, text, second, LONG) != played(impl, text, second, values):
                    different.add((first, second))
    assert different == {((5, 5), (4, 4))}


# A block across a seam (rulebook, section 1)


def test_across_the_movers_own_seam_a_run_is_a_block(impl: ModuleType) -> None:
    # 24/22 makes 3, 2, 1, 24, 23, 22: Black's slots 10..15
    text = "24:10,23:1,6:1,3:1,2:1,1:1 12:15 w"
    closed = "24:9,23:1,22:1,5:1,3:1,2:1,1:1"
    assert closed not in played(impl, text, (2, 1), LONG)
    assert closed in played(impl, text, (2, 1), replace(LONG, block_rule="free"))
    assert closed in played(impl, "24:10,23:1,6:1,3:1,2:1,1:1 12:14,20:1 w", (2, 1), LONG)  # Black's slot 17 is ahead


def test_across_the_opponents_seam_a_run_is_not_a_block(impl: ModuleType) -> None:
    # 13/12 makes 15..10, which are Black's slots 22..24 and 1..3; nobody travels from 24 to 1
    text = "24:9,15:1,14:1,13:2,11:1,10:1 18:15 w"
    six = "24:8,22:1,15:1,14:1,13:1,12:1,11:1,10:1"
    for rule in ("ahead", "home", "never", "free", "fevga"):
        assert six in played(impl, text, (2, 1), replace(LONG, block_rule=rule))


# Each option


HEAD_CASES: list[tuple[str, Dice, set[str], set[str], set[str]]] = [
    # text, dice, plays with one off the head, plays with two, the exceptions that allow two
    (
        START,
        (6, 6),
        {"24:14,18:1"},
        {"24:13,18:2"},
        {"head_block", "values", "cap_double", "capability", "any_double", "any_first"},
    ),
    (START, (5, 5), {"24:14,4:1"}, {"24:14,4:1", "24:13,19:1,9:1", "24:13,14:2"}, {"any_double", "any_first"}),
    (START, (2, 1), {"24:14,21:1"}, {"24:14,21:1", "24:13,23:1,22:1"}, {"any_first"}),
    # 4 holds the second four: it is no head, but one checker cannot play all
    (
        "24:14,4:1 12:15 b",
        (4, 4),
        {"12:14,8:1"},
        {"12:13,8:2"},
        {"values", "cap_double", "capability", "any_double", "any_first"},
    ),
    # the fourth five would land on 16
    (
        "24:14,16:1 12:15 b",
        (5, 5),
        {"12:14,21:1"},
        {"12:13,2:2", "12:13,7:1,21:1"},
        {"cap_double", "capability", "any_double", "any_first"},
    ),
    # the fourth two would land on 4
    (
        "24:14,4:1 12:15 b",
        (2, 2),
        {"12:14,6:1"},
        {"12:13,10:1,6:1", "12:13,8:2"},
        {"cap_double", "capability", "any_double", "any_first"},
    ),
    # 5-3: the sum lands on 4 either way, and it is no double
    ("24:14,4:1 12:15 b", (5, 3), {"12:14,7:1"}, {"12:13,9:1,7:1"}, {"capability", "any_first"}),
]


@pytest.mark.parametrize("exception", CHOICES["head_exception"])
@pytest.mark.parametrize(
    ("text", "dice", "one", "two", "allow_two"), HEAD_CASES, ids=lambda value: str(value) if isinstance(value, tuple) else ""
)
def test_head_exception(
    impl: ModuleType, text: str, dice: Dice, one: set[str], two: set[str], allow_two: set[str], exception: str
) -> None:
    check(impl, text, dice, replace(LONG, head_exception=exception), two if exception in allow_two else one)


def test_every_two_head_exceptions_differ_somewhere() -> None:
    signatures = {
        exception: tuple(exception in allow_two for *_, allow_two in HEAD_CASES) for exception in CHOICES["head_exception"]
    }
    assert len(set(signatures.values())) == len(signatures)


@pytest.mark.parametrize("exception", CHOICES["head_exception"])
def test_no_exception_outlasts_the_first_turn(impl: ModuleType, exception: str) -> None:
    rules = replace(LONG, head_exception=exception)
    check(impl, "24:13,18:2 12:13,6:2 w", (6, 6), rules, {"24:12,18:3"})
    check(impl, "24:14,18:1 12:13,6:2 w", (6, 6), rules, {"24:13,18:2"})


@pytest.mark.parametrize(
    ("text", "dice", "limit_one", "no_limit"),
    [
        ("24:15 17:3 w", (4, 1), {"24:14,19:1"}, {"24:14,19:1", "24:13,23:1,20:1"}),
        ("20:10,4:5 12:15 b", (3, 2), {"12:14,7:1"}, {"12:14,7:1", "12:13,10:1,9:1"}),
        ("24:15 12:15 w", (6, 6), {"24:14,18:1"}, {"24:11,18:4"}),
        # not the first turn: 6/3 with 24/18, or one checker by both
        (
            "24:7,6:8 20:9,17:6 w",
            (6, 3),
            {"24:6,15:1,6:8", "24:6,18:1,6:7,3:1"},
            {"24:6,15:1,6:8", "24:6,18:1,6:7,3:1", "24:5,21:1,18:1,6:8"},
        ),
    ],
)
def test_head_limit(impl: ModuleType, text: str, dice: Dice, limit_one: set[str], no_limit: set[str]) -> None:
    check_each(impl, "head_limit", NO_EXCEPTION, text, dice, {1: limit_one, None: no_limit})


@pytest.mark.parametrize(
    ("text", "dice", "free", "runner"),
    [
        # 13 is held, so one checker cannot play both dice; without the runner two may leave
        ("24:15 14:3,13:2 w", (6, 5), {"24:13,19:1,18:1"}, {"24:14,18:1"}),
        ("6:1,2:2 12:15 b", (4, 1), {"12:14,7:1", "12:13,11:1,8:1"}, {"12:14,7:1"}),
        # those on 19 have not passed Black's head, 12
        (
            "24:8,19:7 18:1,17:1,14:1 w",
            (4, 2),
            {"24:8,19:6,13:1", "24:7,22:1,19:6,15:1", "24:6,22:1,20:1,19:7"},
            {"24:8,19:6,13:1"},
        ),
        # the runner frees the head within the turn: 16/11 passes 12, and then the head may be left
        (
            "24:14,16:1 12:15 w",
            (5, 5),
            {
                "24:10,19:4,16:1",
                "24:11,19:2,16:1,14:1",
                "24:12,16:1,14:2",
                "24:12,19:1,16:1,9:1",
                "24:13,16:1,4:1",
                "24:11,19:3,11:1",
                "24:12,19:1,14:1,11:1",
                "24:13,11:1,9:1",
                "24:12,19:2,6:1",
                "24:13,14:1,6:1",
                "24:13,19:1,1:1",
            },
            {
                "24:11,19:3,11:1",
                "24:12,19:1,14:1,11:1",
                "24:13,11:1,9:1",
                "24:12,19:2,6:1",
                "24:13,14:1,6:1",
                "24:13,19:1,1:1",
            },
        ),
    ],
)
def test_runner(impl: ModuleType, text: str, dice: Dice, free: set[str], runner: set[str]) -> None:
    for value, expected in ((False, free), (True, runner)):
        check(impl, text, dice, replace(NO_LIMIT, runner=value, block_rule="free"), expected)
    assert free != runner


#: White has 5..1 and ten on 11: every five but 11/6, which closes 6..1, Black's slots 7..12, is impossible at first.
FIVES = "11:10,5:1,4:1,3:1,2:1,1:1"
CLOSED = {"11:6,6:4,5:1,4:1,3:1,2:1,1:1", "11:7,6:2,5:1,4:1,3:1,2:1,1:2", "11:8,5:1,4:1,3:1,2:1,1:3"}
NOTHING = {FIVES}


@pytest.mark.parametrize(
    ("text", "dice", "expected"),
    [
        # nobody beyond 6..1, nobody home
        (f"{FIVES} 12:15 w", (5, 5), {"ahead": NOTHING, "home": NOTHING, "never": NOTHING, "free": CLOSED, "fevga": CLOSED}),
        # one on 24, Black's slot 13: beyond the block but not home
        (f"{FIVES} 24:1,12:14 w", (5, 5), {"ahead": CLOSED, "home": NOTHING, "never": NOTHING, "free": CLOSED, "fevga": CLOSED}),
        # one on 18, Black's slot 19: home
        (f"{FIVES} 18:1,12:14 w", (5, 5), {"ahead": CLOSED, "home": CLOSED, "never": NOTHING, "free": CLOSED, "fevga": CLOSED}),
        # 24/19 closes White's own slots 1..6; Black is home, and 24/19/14 is held
        (
            "24:11,23:1,22:1,21:1,20:1 18:1,17:1,16:1,15:1,14:1,12:10 w",
            (5, 5),
            {
                "ahead": {"24:10,23:1,22:1,21:1,20:1,19:1"},
                "home": {"24:10,23:1,22:1,21:1,20:1,19:1"},
                "never": {"24:11,23:1,22:1,21:1,20:1"},
                "free": {"24:10,23:1,22:1,21:1,20:1,19:1"},
                "fevga": {"24:11,23:1,22:1,21:1,20:1"},
            },
        ),
        # all Black's other checkers are off: his last one is home, and nothing else counts
        (f"{FIVES} 13:1 w", (5, 5), {"ahead": CLOSED, "home": CLOSED, "never": NOTHING, "free": CLOSED, "fevga": CLOSED}),
    ],
)
def test_block_rule(impl: ModuleType, text: str, dice: Dice, expected: dict[Any, set[str]]) -> None:
    check_each(impl, "block_rule", LONG, text, dice, expected)


@pytest.mark.parametrize(
    ("text", "dice", "step", "turn"),
    [
        # 11/6 closes 6..1 in passing; 6/5 opens it again
        (
            "11:1,5:3,4:3,3:3,2:3,1:2 12:10,10:5 w",
            (5, 1),
            {"11:1,5:2,4:4,3:3,2:3,1:2", "11:1,5:3,4:2,3:4,2:3,1:2", "11:1,5:3,4:3,3:2,2:4,1:2", "11:1,5:3,4:3,3:3,2:2,1:3"},
            {"5:4,4:3,3:3,2:3,1:2"},
        ),
        # 11/6 brings the last one home; then 6/1 and two off, or three off from 5, which opens the block at 5
        (
            "11:1,5:3,4:3,3:3,2:3,1:2 12:15 w",
            (5, 5),
            {"11:1,5:3,4:3,3:3,2:3,1:2"},
            {"5:1,4:3,3:3,2:3,1:3", "6:1,4:3,3:3,2:3,1:2"},
        ),
        # Black: 23/18 closes 18..13; 18/14 opens it again. 23/19 is held. By steps only 17/13 is left
        (
            "24:10,19:5 23:1,17:3,16:3,15:3,14:3,13:2 b",
            (5, 4),
            {"23:1,17:2,16:3,15:3,14:3,13:3"},
            {"17:3,16:3,15:3,14:4,13:2"},
        ),
    ],
)
def test_block_check(impl: ModuleType, text: str, dice: Dice, step: set[str], turn: set[str]) -> None:
    check_each(impl, "block_check", LONG, text, dice, {"step": step, "turn": turn})


def test_a_block_may_be_opened_before_it_is_closed_elsewhere(impl: ModuleType) -> None:
    # By steps the order decides: 5/4 first leaves 5 empty, and only then 11/6 is no block.
    text = "11:1,5:1,4:4,3:3,2:3,1:3 12:15 w"
    position = impl.Position.parse(text)
    assert "6:1,4:5,3:3,2:3,1:3" in played(impl, text, (5, 1), LONG)
    impl.Play(position, (5, 1), ((20, 1), (14, 5)))
    with pytest.raises(ValueError, match=r"^step 1: the step would make an illegal block of six$"):
        impl.Play(position, (5, 1), ((14, 5), (20, 1)))


@pytest.mark.parametrize(
    ("text", "dice", "standard", "exact"),
    [
        ("1:5 16:8 w", (6, 2), {"1:3"}, {"1:5"}),
        ("3:5 17:5 b", (6, 3), {"17:3,14:1"}, {"17:4,14:1"}),  # the 3 is played inside, the 6 takes off from 17
        ("5:4 13:4 b", (5, 4), {"13:2"}, {"13:4"}),
        ("4:2,3:1 13:10 w", (6, 4), {"3:1"}, {"4:1,3:1"}),
    ],
)
def test_bear_off(impl: ModuleType, text: str, dice: Dice, standard: set[str], exact: set[str]) -> None:
    check_each(impl, "bear_off", LONG, text, dice, {"standard": standard, "exact": exact})


@pytest.mark.parametrize(
    ("text", "dice", "standard", "exact"),
    [
        ("1:5 1:1 w", (6, 2), {"1:3 1:1"}, {"1:5 1:1"}),
        ("2:1 5:5 b", (6, 3), {"2:1 5:3,2:1"}, {"2:1 5:4,2:1"}),
        ("5:1,4:1 1:1 w", (6, 4), {"- 1:1", "1:1 1:1"}, {"5:1 1:1", "4:1,1:1 1:1"}),
    ],
)
def test_bear_off_in_short_nardy(impl: ModuleType, text: str, dice: Dice, standard: set[str], exact: set[str]) -> None:
    check_each(impl, "bear_off", SHORT, text, dice, {"standard": standard, "exact": exact})


@pytest.mark.parametrize(
    ("text", "dice", "same_turn", "next_turn"),
    [
        ("7:1,2:14 12:5,13:10 w", (5, 2), {"2:14"}, {"2:15"}),
        ("8:1,1:14 18:3 w", (5, 3), {"1:14"}, {"3:1,1:14"}),  # 8/3 or 8/5, and off; else the larger die alone
        ("5:8 22:1,13:14 b", (6, 5), {"13:14"}, {"16:1,13:14"}),
    ],
)
def test_bear_off_start(impl: ModuleType, text: str, dice: Dice, same_turn: set[str], next_turn: set[str]) -> None:
    check_each(impl, "bear_off_start", LONG, text, dice, {"same_turn": same_turn, "next_turn": next_turn})


@pytest.mark.parametrize("value", CHOICES["bear_off_start"])
def test_who_is_home_when_the_turn_begins_bears_off(impl: ModuleType, value: str) -> None:
    check(impl, "6:1,2:2 13:10 w", (5, 3), replace(LONG, bear_off_start=value), {"2:2", "2:1,1:1"})


@pytest.mark.parametrize(
    ("text", "dice", "no_limit", "five"),
    [
        # 8/1 would put a sixth checker on 1
        (
            "8:3,1:5 16:1,12:4,6:2 w",
            (4, 3),
            {"8:1,5:1,4:1,1:5 16:1,12:4,6:2", "8:2,1:6 16:1,12:4,6:2"},
            {"8:1,5:1,4:1,1:5 16:1,12:4,6:2"},
        ),
        # the only entry is on 23, where five stand
        ("bar:2,23:5,21:5,18:3 3:2,1:2 w", (2, 1), {"bar:1,23:6,21:5,18:3 3:2,1:2"}, {"bar:2,23:5,21:5,18:3 3:2,1:2"}),
        # bar/20 and then 20/14 would be a sixth on 14
        (
            "bar:1,14:5,10:4 6:4 w",
            (6, 5),
            {"14:6,10:4 6:4", "20:1,14:4,10:4,8:1 6:4", "20:1,14:5,10:3,4:1 6:4"},
            {"20:1,14:4,10:4,8:1 6:4", "20:1,14:5,10:3,4:1 6:4"},
        ),
    ],
)
def test_stack_limit(impl: ModuleType, text: str, dice: Dice, no_limit: set[str], five: set[str]) -> None:
    check_each(impl, "stack_limit", SHORT, text, dice, {None: no_limit, 5: five})


@pytest.mark.parametrize(
    ("text", "dice", "first", "any_time"),
    [
        # one enters on 22; the other may not, and only where the entered one may go on is the 2 played
        ("bar:2,1:7 2:5 w", (3, 2), {"bar:1,22:1,1:7 2:5"}, {"bar:1,20:1,1:7 2:5"}),
        # neither die enters; 4/1 is all else there is
        ("bar:1,4:4 4:2,3:2 w", (4, 3), {"bar:1,4:4 4:2,3:2"}, {"bar:1,4:3,1:1 4:2,3:2"}),
        # Black enters with the 1, and then goes on with the 6, hitting nothing
        ("6:3,2:1 bar:2,2:7 b", (6, 1), {"6:3,2:1 bar:1,24:1,2:7"}, {"6:3,2:1 bar:1,18:1,2:7"}),
        ("bar:2,2:6 1:4 w", (6, 5), {"20:1,19:1,2:6 1:4"}, {"20:1,19:1,2:6 1:4", "bar:1,14:1,2:6 1:4"}),
    ],
)
def test_bar_first(impl: ModuleType, text: str, dice: Dice, first: set[str], any_time: set[str]) -> None:
    check_each(impl, "bar_first", SHORT, text, dice, {True: first, False: any_time})


@pytest.mark.parametrize(
    ("text", "dice", "expected"),
    [
        ("- 13:1 b", (6, 5), {"-"}),
        ("- 18:2 b", (6, 4), {"14:1"}),
        ("- 12:15 b", (6, 5), {"12:14,1:1"}),
        ("- 24:1,13:14 b", (2, 1), {"21:1,13:14"}),
    ],
)
def test_last_roll(impl: ModuleType, text: str, dice: Dice, expected: set[str]) -> None:
    check_each(impl, "last_roll", LONG, text, dice, {"none": set(), "draw_only": expected, "full": expected})
    for value in CHOICES["last_roll"]:
        rules = replace(LONG, last_roll=value)
        assert impl.Position.parse(text.replace(" b", " w"), rules).plays(dice) == []  # White has no more turns


# Traps of the search (an order that is not rear to front may be the legal one)


def test_fevgas_runner_goes_first_though_he_stands_in_front(impl: ModuleType) -> None:
    plays = impl.Position.parse("24:14,16:1 12:15 w", "fevga").plays((5, 5))
    assert len(plays) == 6
    assert {sum(die for *_, die in play.steps) for play in plays} == {20}


def test_under_a_stack_limit_the_front_may_have_to_move_first(impl: ModuleType) -> None:
    text = "11:1,10:5,7:4,6:5 6:5,5:5,4:5 w"
    assert impl.Position.parse(text, "old_english").count_plays((1, 1)) == 35


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "ruleset = '': not JSON"),
        ("long", "ruleset = 'long': not JSON"),
        ("{", "ruleset = '{': not JSON"),
        ("[" * 100_000, "ruleset = '[[["),
        ("null", "ruleset = 'null': expected a JSON object"),
        ('["long"]', "ruleset = '[\"long\"]': expected a JSON object"),
        ('{"name": 1}', "name = 1: a string is expected"),
        ('{"name": null}', "name = None: a string is expected"),
        ('{"colour": 1}', "'colour': a ruleset has no such field"),
        ('{"road": []}', "road = []: expected one of 'parallel', 'contrary'"),
        ('{"setup": null}', "setup = None: expected ((slot, count), ...)"),
        ('{"setup": [[1, Infinity]]}', "setup = [[1, inf]]: expected ((slot, count), ...)"),
        ('{"setup": {"12": 3}}', "setup = {'12': 3}: expected ((slot, count), ...)"),
    ],
)
def test_a_text_that_is_no_ruleset_is_refused_as_a_value(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        Ruleset.from_json(text)
    assert str(caught.value).startswith(error)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("given", [None, b"{}", 5, {"name": "long"}])
def test_what_is_no_text_is_no_ruleset_either(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^ruleset = .*: expected a string$"):
        Ruleset.from_json(given)
