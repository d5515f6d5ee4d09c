"""`Position`: what it tells, what it refuses and in which words, and that it never changes."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import oracle
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from usual_rulesets import USUAL_RULESETS

import nardy_fast
from nardy_fast import reference
from nardy_fast.reasons import Reason, fault_text
from nardy_fast.rules import ROLLS, RULESETS, Ruleset, ruleset

#: Presets that differ in what a board may be.
VARIED = [
    "long",
    "federation",
    "tournament",
    "karzar",
    "khachapuri",
    "fevga",
    "short",
    "hypergammon",
    "old_english",
    "acey_deucey",
]

LONG_START = [[0, 15, *[0] * 24]] * 2
IMPLEMENTATIONS = (nardy_fast, reference)


def row(**counts: int) -> list[int]:
    """A row with so many checkers in the slots named: ``row(s1=14, s25=1)``."""
    slots = [0] * 26
    for name, count in counts.items():
        slots[int(name[1:])] = count
    return slots


def refusal(call: Any, kind: type[Exception] = ValueError) -> str:
    """The text with which the call is refused."""
    with pytest.raises(kind) as error:
        call()
    return str(error.value)


# What it tells


def test_the_start_of_long_nardy_has_all_on_the_head(impl: ModuleType) -> None:
    position = impl.Position.start()
    assert position.board.tolist() == LONG_START
    assert (position.turn, position.rules, position.pips) == (0, ruleset("long"), (360, 360))
    assert str(position) == "24:15 12:15 w"


def test_the_start_of_short_nardy(impl: ModuleType) -> None:
    position = impl.Position.start("short", turn=1)
    assert str(position) == "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 b"
    assert (position.turn, position.pips) == (1, (167, 167))


@pytest.mark.parametrize("name", list(USUAL_RULESETS))
def test_every_preset_starts_from_its_setup(impl: ModuleType, name: str) -> None:
    expected = [dict(USUAL_RULESETS[name].setup).get(slot, 0) for slot in range(26)]
    for turn in (0, 1):
        position = impl.Position.start(name, turn)
        assert position.board.tolist() == [expected, expected]
        assert position.turn == turn
        assert position.rules is USUAL_RULESETS[name]
        assert not position.is_over
        assert position.winner is None


def test_a_checker_in_slot_0_counts_25_pips(impl: ModuleType) -> None:
    assert impl.Position.parse("bar:2,6:1 24:3 w", "short").pips == (56, 72)


def test_the_board_is_int8_of_two_rows_and_26_slots(impl: ModuleType) -> None:
    board = impl.Position.start().board
    assert isinstance(board, np.ndarray)
    assert (board.dtype, board.shape) == (np.dtype(np.int8), (2, 26))
    assert board.flags.c_contiguous


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64, np.uint64])
def test_a_board_may_be_any_array_of_integers(impl: ModuleType, dtype: Any) -> None:
    array = np.array(LONG_START, dtype=dtype)
    assert impl.Position(array) == impl.Position(LONG_START) == impl.Position(tuple(map(tuple, LONG_START)))
    assert impl.Position(array[:, ::-1][:, ::-1]) == impl.Position(LONG_START)  # not contiguous either


def test_rules_may_be_a_name_or_a_ruleset(impl: ModuleType) -> None:
    assert impl.Position(LONG_START, 0, "long") == impl.Position(LONG_START, rules=ruleset("long")) == impl.Position(LONG_START)


def test_the_two_rolls_of_the_twins_are_one_list(impl: ModuleType) -> None:
    assert impl.ROLLS is ROLLS
    assert len(ROLLS) == 21
    assert sum(weight for _, weight in ROLLS) == 36


@pytest.mark.parametrize("dice", [(6, 5), (5, 6), [5, 6], np.array([6, 5], dtype=np.int8), range(5, 7)], ids=repr)
def test_dice_may_come_in_any_order_and_kind(impl: ModuleType, dice: Any) -> None:
    (play,) = impl.Position.start().plays(dice)
    assert play.dice == (6, 5)
    assert play.afterstate.board.tolist() == [row(s1=15), row(s1=14, s12=1)]


# Who has won


@pytest.mark.parametrize(
    ("text", "rules", "over", "winner"),
    [
        ("24:15 12:15 w", "long", False, None),
        ("- 18:2 b", "long", True, 0),
        ("- 18:2 w", "long", True, 0),
        ("6:2 - w", "long", True, 1),
        ("6:2 - b", "long", True, 1),
        ("- 18:2 b", "giveaway", True, 1),
        ("6:2 - w", "giveaway", True, 0),
        ("- 18:2 b", "federation", False, None),  # the last roll is due
        ("- 12:15 b", "federation", False, None),
        ("- 18:2 w", "federation", True, 0),  # the last roll has been played
        ("6:2 - w", "federation", True, 1),  # no last roll for White
        ("- - w", "federation", True, None),  # a draw
        ("- 6:2 b", "short", True, 0),
        ("6:2 - w", "short", True, 1),
    ],
)
def test_the_end_of_the_game(impl: ModuleType, text: str, rules: str, over: bool, winner: int | None) -> None:
    position = impl.Position.parse(text, rules)
    assert (position.is_over, position.winner) == (over, winner)


@pytest.mark.parametrize(("text", "rules"), [("- 18:2 b", "long"), ("6:2 - w", "short"), ("- - w", "federation")])
def test_a_finished_position_has_no_plays(impl: ModuleType, text: str, rules: str) -> None:
    position = impl.Position.parse(text, rules)
    for dice, _ in ROLLS:
        assert position.plays(dice) == []
        assert position.count_plays(dice) == 0
        assert position.next_steps(dice) == ()
        assert position.is_forced(dice)


def test_the_last_roll_is_played_as_usual(impl: ModuleType) -> None:
    position = impl.Position.parse("- 18:2 b", "federation")
    (play,) = position.plays((6, 4))
    assert str(play.afterstate) == "- 14:1 w"
    assert play.afterstate.winner == 0
    (draw,) = position.plays((6, 6))
    assert (str(draw.afterstate), draw.afterstate.is_over, draw.afterstate.winner) == ("- - w", True, None)


# Contact and forced plays


@pytest.mark.parametrize(
    ("text", "rules", "contact"),
    [
        ("24:15 12:15 w", "long", True),
        ("6:15 18:15 w", "long", False),  # both are home: neither has the other's point ahead
        ("7:15 1:15 w", "long", True),  # Black's 1 lies ahead of White
        ("1:15 7:15 w", "long", True),  # White has passed 7, but White's 1 lies ahead of Black
        ("1:15 24:15 w", "long", False),  # each has passed the other
        ("1:15 24:15 b", "long", False),
        ("6:15 12:15 w", "long", True),
        ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "short", True),
        ("12:15 12:15 w", "short", False),
        ("13:15 13:15 w", "short", True),
        ("bar:1,1:2 1:3 w", "hypergammon", True),
        ("bar:1,1:2 1:3 b", "hypergammon", True),
        ("1:2 1:3 w", "hypergammon", False),
        ("bar:3 bar:3 w", "hypergammon", True),
    ],
)
def test_contact(impl: ModuleType, text: str, rules: str, contact: bool) -> None:
    assert impl.Position.parse(text, rules).is_contact is contact


@pytest.mark.parametrize("name", ["long", "short", "hypergammon", "acey_deucey"])
@settings(max_examples=50)
@given(st.data())
def test_contact_is_told_as_by_trying_every_pair(name: str, data: st.DataObject) -> None:
    own, other = data.draw(strategies.rows(USUAL_RULESETS[name]))
    for impl in IMPLEMENTATIONS:
        assert impl.Position([own, other], 0, name).is_contact is oracle.is_contact(own, other, USUAL_RULESETS[name])


@pytest.mark.parametrize(
    ("text", "dice", "forced"),
    [
        ("24:15 12:15 w", (6, 5), True),
        ("24:15 12:15 w", (3, 3), False),
        ("24:14,15:1 23:1,22:1,21:1,20:1,19:1,18:1,12:7,11:1,9:1 w", (6, 4), True),  # a forced pass
        ("24:14,18:1 12:15 w", (2, 1), False),
    ],
)
def test_forced_plays_are_told(impl: ModuleType, text: str, dice: tuple[int, int], forced: bool) -> None:
    assert impl.Position.parse(text).is_forced(dice) is forced


# Text


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("24:15 12:15 w", "long"),
        ("24:13,18:2 12:15 b", "long"),
        ("6:1,4:3 13:10 w", "long"),
        ("- 18:2 b", "long"),
        ("24:14,16:1 23:1,13:1,12:13 b", "long"),
        ("bar:2,13:1,6:12 3:2 w", "short"),
        ("1:1 bar:3,13:1 b", "short"),
        ("bar:15 bar:15 w", "acey_deucey"),
    ],
)
def test_text_is_read_and_written_back(impl: ModuleType, text: str, rules: str) -> None:
    position = impl.Position.parse(text, rules)
    own, other, turn = oracle.rows_of_text(text, ruleset(rules))
    assert (position.board.tolist(), position.turn) == ([own, other], turn)
    assert str(position) == oracle.text_of_rows(own, other, turn, ruleset(rules))
    assert impl.Position.parse(str(position), rules) == position


def test_text_may_name_points_in_any_order_and_with_any_spaces(impl: ModuleType) -> None:
    position = impl.Position.parse("  18:2,24:13\t12:15   b ")
    assert str(position) == "24:13,18:2 12:15 b"


@pytest.mark.parametrize("name", VARIED)
@settings(max_examples=30)
@given(st.data())
def test_any_position_is_written_and_read_back(name: str, data: st.DataObject) -> None:
    own, other = data.draw(strategies.rows(USUAL_RULESETS[name]))
    turn = data.draw(st.integers(0, 1))
    for impl in IMPLEMENTATIONS:
        position = impl.Position([own, other], turn, name)
        assert str(position) == oracle.text_of_rows(own, other, turn, USUAL_RULESETS[name])
        assert impl.Position.parse(str(position), name) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("24:15 12:15", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("24:15 12:15 w 6-5 4", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("24:15 12:15 white", "'white' is no side: expected w or b"),
        ("24:15 12-15 w", "'12-15': expected point:count, as in 24:15"),
        ("24:15, 12:15 w", "'': expected point:count, as in 24:15"),
        ("24:+15 12:15 w", "'24:+15': expected point:count, as in 24:15"),
        ("24:1.5 12:15 w", "'24:1.5': expected point:count, as in 24:15"),
        ("24:-1 12:15 w", "'24:-1': expected point:count, as in 24:15"),
        ("25:15 12:15 w", "'25' is no point: expected 1..24, bar or off"),
        ("0:15 12:15 w", "'0' is no point: expected 1..24, bar or off"),
        ("24:14,off:1 12:15 w", "'off:1': checkers borne off are left out, not written"),
        ("24:0 12:15 w", "'24:0': expected at least one checker"),
        ("24:7,24:8 12:15 w", "'24:8': the point is named twice"),
        ("24:16 12:15 w", "'24:16': White has 16 checkers: expected at most 15"),
        ("24:15 12:15,11:1 b", "'12:15,11:1': Black has 16 checkers: expected at most 15"),
        ("24:15 12:15 w 6-5", "dice are not part of a position"),
        ("24:15 12:15 w 7-5", "dice = '7-5': expected two dice 1..6 joined by a hyphen, as in 6-5"),
    ],
)
def test_text_that_is_no_position_is_refused_with_the_bad_part(impl: ModuleType, text: str, message: str) -> None:
    assert refusal(lambda: impl.Position.parse(text)) == f"text = {text!r}: {message}"


def test_text_of_another_kind_is_refused(impl: ModuleType) -> None:
    assert refusal(lambda: impl.Position.parse(None), TypeError) == "text = None: expected a string"


def test_a_line_of_a_suite_has_dice_and_a_comment(impl: ModuleType) -> None:
    start = impl.Position.start()
    assert impl.parse_position("24:15 12:15 w") == (start, None)
    assert impl.parse_position("24:15 12:15 w 5-6  # one checker") == (start, (6, 5))
    assert impl.parse_position("bar:3 bar:3 b # hit", "hypergammon") == (
        impl.Position.parse("bar:3 bar:3 b", "hypergammon"),
        None,
    )


# Bad boards

BLOCKED = "24:9,19:1,18:1,17:1,16:1,15:1,14:1 12:14,1:1 w"

BAD_BOARDS: list[tuple[str, list[list[int]], str]] = [
    # a count outside 0..15
    ("long", [row(s1=16), row(s1=15)], "board[0, 1] = 16: a slot holds 0..15 checkers"),
    ("long", [row(s1=16, s7=-1), row(s1=15)], "board[0, 1] = 16: a slot holds 0..15 checkers"),
    ("long", [row(s1=15), row(s1=15, s7=-1, s8=1)], "board[1, 7] = -1: a slot holds 0..15 checkers"),
    ("long", [row(s1=15), row(s1=15, s25=300)], "board[1, 25] = 300: a slot holds 0..15 checkers"),
    ("hypergammon", [row(s1=16), row(s1=3)], "board[0, 1] = 16: a slot holds 0..15 checkers"),
    # wrong totals
    ("long", [row(), row(s1=15)], "board[0] has 0 checkers: expected 15"),
    ("long", [row(s1=14), row(s1=15)], "board[0] has 14 checkers: expected 15"),
    ("long", [row(s1=15), row(s1=15, s2=1)], "board[1] has 16 checkers: expected 15"),
    ("hypergammon", [row(s1=3), row(s1=4)], "board[1] has 4 checkers: expected 3"),
    ("short", [row(s0=1, s1=15), row(s1=15)], "board[0] has 16 checkers: expected 15"),
    # waiting on parallel roads
    ("long", [row(s0=1, s1=14), row(s1=15)], "board[0, 0] = 1: on parallel roads no checker waits in slot 0"),
    ("fevga", [row(s1=15), row(s0=15)], "board[1, 0] = 15: on parallel roads no checker waits in slot 0"),
    # both sides on one point
    ("long", [row(s1=15), row(s1=14, s13=1)], "board[0, 1] = 15: the opponent holds this point too"),
    ("long", [row(s1=13, s13=1, s14=1), row(s1=13, s2=2)], "board[0, 13] = 1: the opponent holds this point too"),
    ("short", [row(s6=15), row(s1=14, s19=1)], "board[0, 6] = 15: the opponent holds this point too"),
    # off too early
    (
        "long",
        [row(s1=14, s25=1), row(s1=15)],
        "board[0, 25] = 1: borne off while another checker stands outside the home, in slot 1",
    ),
    (
        "long",
        [row(s1=15), row(s18=1, s24=4, s25=10)],
        "board[1, 25] = 10: borne off while another checker stands outside the home, in slot 18",
    ),
    # too many on a point
    (
        "old_english",
        [row(s1=5, s2=5, s3=5), row(s19=6, s1=5, s2=4)],
        "board[1, 19] = 6: a point holds at most 5 checkers of a side",
    ),
    # a standing illegal block
    (
        "long",
        [row(s1=9, s6=1, s7=1, s8=1, s9=1, s10=1, s11=1), row(s1=14, s12=1)],
        "board[0]: an illegal block of six on the opponent's slots 18..23",
    ),
    (
        "long",
        [row(s1=14, s12=1), row(s1=9, s6=1, s7=1, s8=1, s9=1, s10=1, s11=1)],
        "board[1]: an illegal block of six on the opponent's slots 18..23",
    ),
    # seven in a row: the farthest six are told
    (
        "long",
        [row(s14=9, s15=1, s16=1, s17=1, s18=1, s19=1, s20=1), row(s1=15)],
        "board[0]: an illegal block of six on the opponent's slots 3..8",
    ),
    # across the mover's own seam, White's 24 and 1
    (
        "long",
        [row(s22=1, s23=1, s24=1, s1=10, s2=1, s3=1), row(s1=15)],
        "board[0]: an illegal block of six on the opponent's slots 10..15",
    ),
    # ahead, but not home
    (
        "karzar",
        [row(s14=10, s15=1, s16=1, s17=1, s18=1, s19=1), row(s1=14, s13=1)],
        "board[0]: an illegal block of six on the opponent's slots 2..7",
    ),
    # judged by the same measure where a block is allowed in passing
    (
        "tournament",
        [row(s14=10, s15=1, s16=1, s17=1, s18=1, s19=1), row(s1=15)],
        "board[0]: an illegal block of six on the opponent's slots 2..7",
    ),
    # all six of one's own first
    (
        "fevga",
        [row(s1=10, s2=1, s3=1, s4=1, s5=1, s6=1), row(s1=1, s24=14)],
        "board[0]: an illegal block of six on the opponent's slots 13..18",
    ),
    # both cleared
    ("long", [row(s25=15), row(s25=15)], "board: both sides have borne off all their checkers"),
    ("short", [row(s25=15), row(s25=15)], "board: both sides have borne off all their checkers"),
    # several faults: the first is told
    ("long", [row(s0=1, s1=14), row(s1=14)], "board[1] has 14 checkers: expected 15"),
    ("long", [row(s1=14, s25=1), row(s1=14, s13=1)], "board[0, 1] = 14: the opponent holds this point too"),
    ("long", [row(s1=14, s13=1), row(s0=1, s1=14)], "board[1, 0] = 1: on parallel roads no checker waits in slot 0"),
    (
        "long",
        [row(s1=14, s25=1), row(s2=1, s25=14)],
        "board[0, 25] = 1: borne off while another checker stands outside the home, in slot 1",
    ),
]


@pytest.mark.parametrize(("rules", "board", "message"), BAD_BOARDS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_bad_board_is_refused_with_the_reason(impl: ModuleType, rules: str, board: list[list[int]], message: str) -> None:
    assert refusal(lambda: impl.Position(board, 0, rules)) == message
    assert refusal(lambda: impl.Position(np.array(board, dtype=np.int16), 1, rules)) == message


def test_a_standing_block_is_refused_when_it_comes_as_text(impl: ModuleType) -> None:
    assert refusal(lambda: impl.Position.parse(BLOCKED)) == "board[0]: an illegal block of six on the opponent's slots 18..23"
    assert (
        refusal(lambda: impl.parse_position(f"{BLOCKED} 6-5"))
        == "board[0]: an illegal block of six on the opponent's slots 18..23"
    )


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("24:9,19:1,18:1,17:1,16:1,15:1,14:1 13:1,12:14 w", "long"),  # a Black checker stands on 13, beyond the block
        ("24:8,16:2,15:1,14:1,13:1,12:1,11:1 18:15 w", "long"),  # across Black's seam it is five and two
        ("24:9,16:1,15:1,14:1,13:1,12:1,11:1 18:15 w", "long"),  # six, but across Black's seam: four and two
        ("11:10,10:1,9:1,8:1,7:1,6:1 18:1,12:14 w", "karzar"),  # one is home
        ("24:10,23:1,22:1,21:1,20:1,19:1 13:1,12:14 w", "long"),
        ("11:10,10:1,9:1,8:1,7:1,6:1 12:15 w", "fevga"),  # free, save for the first six
        ("6:1,5:1,4:1,3:1,2:1,1:1 - b", "long"),  # Black has nothing on the board to be blocked
        ("- - w", "federation"),
        ("1:14 bar:15 b", "short"),
        ("24:1,1:14 6:3 w", "short"),  # a checker hit while others are off
    ],
)
def test_a_board_that_looks_bad_and_is_not_is_taken(impl: ModuleType, text: str, rules: str) -> None:
    assert str(impl.Position.parse(text, rules)) == text


@pytest.mark.parametrize("name", VARIED)
@settings(max_examples=60)
@given(st.data())
def test_a_board_is_refused_exactly_when_the_rulebook_says_so(name: str, data: st.DataObject) -> None:
    rules = USUAL_RULESETS[name]
    board = [list(part) for part in data.draw(strategies.rows(rules))]
    for side, source, target in data.draw(
        st.lists(st.tuples(st.integers(0, 1), st.integers(0, 25), st.integers(0, 25)), max_size=3)
    ):
        if board[side][source] > 0 and board[side][target] < 15:  # a checker put elsewhere, anywhere
            board[side][source] -= 1
            board[side][target] += 1
    if data.draw(st.integers(0, 4)) == 0:
        side, slot = data.draw(st.tuples(st.integers(0, 1), st.integers(0, 25)))
        board[side][slot] = min(15, board[side][slot] + 1)
    expected = oracle.fault(board, rules)
    for impl in IMPLEMENTATIONS:
        if expected is None:
            assert impl.Position(board, 1, rules).board.tolist() == board
        else:
            fault, side, slot, value = expected
            message = fault_text(fault, row=side, slot=slot, value=value, checkers=rules.checkers, limit=rules.stack_limit)
            assert refusal(lambda impl=impl: impl.Position(board, 1, rules)) == message


@pytest.mark.parametrize(
    ("board", "kind", "message"),
    [
        (np.zeros((26, 2), np.int8), ValueError, "board has shape (26, 2): expected (2, 26)"),
        (np.zeros((2, 25), np.int8), ValueError, "board has shape (2, 25): expected (2, 26)"),
        (np.zeros((1, 2, 26), np.int8), ValueError, "board has shape (1, 2, 26): expected (2, 26)"),
        (5, ValueError, "board has shape (): expected (2, 26)"),
        (np.zeros((2, 26)), TypeError, "board has dtype float64: expected integers"),
        (np.zeros((2, 26), bool), TypeError, "board has dtype bool: expected integers"),
        ([["1"] * 26] * 2, TypeError, "board has dtype <U1: expected integers"),
        (None, TypeError, "board has dtype object: expected integers"),
        ([[2**70] * 26] * 2, TypeError, "board has dtype object: expected integers"),
    ],
    ids=str,
)
def test_a_board_of_the_wrong_kind_is_refused(impl: ModuleType, board: Any, kind: type[Exception], message: str) -> None:
    assert refusal(lambda: impl.Position(board), kind) == message


@pytest.mark.parametrize("turn", [2, -1, True, 1.0, "w", None], ids=repr)
def test_an_unknown_turn_is_refused(impl: ModuleType, turn: Any) -> None:
    message = f"turn = {turn!r}: expected 0 (White) or 1 (Black)"
    assert refusal(lambda: impl.Position(LONG_START, turn)) == message
    assert refusal(lambda: impl.Position.start("long", turn)) == message


def test_unknown_rules_are_refused_with_the_names_there_are(impl: ModuleType) -> None:
    message = f"rules = 'chess': expected one of {', '.join(RULESETS)}"
    assert refusal(lambda: impl.Position(LONG_START, 0, "chess")) == message
    assert refusal(lambda: impl.Position.start("chess")) == message
    assert refusal(lambda: impl.Position.parse("24:15 12:15 w", "chess")) == message
    assert refusal(lambda: impl.Position.start(7), TypeError) == "rules = 7: expected a Ruleset or the name of one"


# Bad dice


@pytest.mark.parametrize(
    ("dice", "kind", "message"),
    [
        ((0, 1), ValueError, "dice = (0, 1): a die shows 1..6"),
        ((6, 7), ValueError, "dice = (6, 7): a die shows 1..6"),
        ((-1, 3), ValueError, "dice = (-1, 3): a die shows 1..6"),
        ((2**80, 3), ValueError, f"dice = ({2**80}, 3): a die shows 1..6"),
        ((6,), ValueError, "dice = (6,): expected two dice"),
        ((), ValueError, "dice = (): expected two dice"),
        ((1, 2, 3), ValueError, "dice = (1, 2, 3): expected two dice"),
        (5, TypeError, "dice = 5: expected two integers 1..6"),
        (None, TypeError, "dice = None: expected two integers 1..6"),
        ("65", TypeError, "dice = '65': expected two integers 1..6"),
        ((6.0, 5), TypeError, "dice = (6.0, 5): expected two integers 1..6"),
    ],
    ids=str,
)
@pytest.mark.parametrize("method", ["plays", "count_plays", "is_forced", "next_steps", "why_not", "Play"])
@pytest.mark.parametrize("text", ["24:15 12:15 w", "- 18:2 b"], ids=["start", "finished"])
def test_bad_dice_are_refused(impl: ModuleType, text: str, method: str, dice: Any, kind: type[Exception], message: str) -> None:
    position = impl.Position.parse(text)
    calls = {"why_not": lambda: position.why_not(dice, (1, 1)), "Play": lambda: impl.Play(position, dice, ())}
    assert refusal(calls.get(method, lambda: getattr(position, method)(dice)), kind) == message


# It never changes


def test_the_board_cannot_be_written(impl: ModuleType) -> None:
    position = impl.Position.start()
    board = position.board
    assert not board.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        board[0, 1] = 0
    assert position.board.tolist() == LONG_START


def test_the_board_cannot_be_changed_by_force(impl: ModuleType) -> None:
    position = impl.Position.start()
    for view in (position.board, position.board[0], np.asarray(position.board)):
        try:
            view.flags.writeable = True
            view[...] = 0
        except ValueError:
            continue
    assert position.board.tolist() == LONG_START
    assert str(position) == "24:15 12:15 w"


def test_a_change_of_the_array_it_was_made_from_changes_nothing(impl: ModuleType) -> None:
    array = np.array(LONG_START, dtype=np.int8)
    position = impl.Position(array)
    array[:] = 0
    assert position.board.tolist() == LONG_START


@pytest.mark.parametrize("name", ["board", "turn", "rules", "pips", "is_over", "winner", "is_contact", "colour"])
def test_attributes_cannot_be_set(impl: ModuleType, name: str) -> None:
    position = impl.Position.start()
    with pytest.raises(AttributeError):
        setattr(position, name, 1)
    with pytest.raises(AttributeError):
        delattr(position, name)
    assert position == impl.Position.start()


def test_asking_changes_nothing(impl: ModuleType) -> None:
    position = impl.Position.parse("24:13,18:2 12:15 b")
    before = position.board.tolist(), position.turn, position.rules, hash(position)
    for dice, _ in ROLLS:
        for play in position.plays(dice):
            position.apply(play)
        position.next_steps(dice)
        position.why_not(dice, (1, dice[0]))
    assert (position.board.tolist(), position.turn, position.rules, hash(position)) == before


# Comparing, hashing, copying


def test_positions_are_equal_when_board_turn_and_rules_are(impl: ModuleType) -> None:
    position = impl.Position.parse("24:13,18:2 12:15 b")
    same = impl.Position(position.board, 1, replace(ruleset("long"), name="club"))
    assert position == same
    assert hash(position) == hash(same)
    assert not operator.ne(position, same)
    others = [
        impl.Position(position.board, 0),
        impl.Position.parse("24:13,17:2 12:15 b"),
        impl.Position.parse("24:13,18:2 12:15 b", "arena"),
        impl.Position.start(),
    ]
    for other in others:
        assert position != other
        assert not operator.eq(position, other)
    assert len({position, same, *others}) == 5


@pytest.mark.parametrize("other", [None, 5, "24:15 12:15 w", (LONG_START, 0, "long")], ids=str)
def test_a_position_equals_nothing_else(impl: ModuleType, other: Any) -> None:
    assert impl.Position.start() != other
    assert not operator.eq(impl.Position.start(), other)


def test_a_position_is_found_in_sets_and_dicts(impl: ModuleType) -> None:
    table = {play.afterstate: str(play) for dice, _ in ROLLS for play in impl.Position.start().plays(dice)}
    assert len(table) == 13  # one checker by 3 to 11; by doubles 18:2 (twice), 21:1,15:1, 16:2 and 4:1
    for dice, _ in ROLLS:
        for play in impl.Position.start().plays(dice):
            assert play.afterstate in table


ODD_RULES = Ruleset(name="odd", head_exception="values", block_check="turn", stack_limit=None, koks="on_head", koks_points=4)


@pytest.mark.parametrize("rules", [*USUAL_RULESETS.values(), ODD_RULES], ids=lambda rules: rules.name)
def test_a_position_is_pickled_and_copied(impl: ModuleType, rules: Ruleset) -> None:
    start = impl.Position.start(rules, 1)
    for position in (start, start.plays((2, 1))[0].afterstate):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            copied = pickle.loads(pickle.dumps(position, protocol))
            assert type(copied) is impl.Position
            assert copied == position
            assert hash(copied) == hash(position)
            assert copied.rules.name == rules.name
            assert not copied.board.flags.writeable
        assert copy.copy(position) == position
        assert copy.deepcopy(position) == position
        assert copy.deepcopy(position).count_plays((6, 5)) == position.count_plays((6, 5))


def test_a_position_shows_how_to_make_it_again(impl: ModuleType) -> None:
    for text, rules in (("24:13,18:2 12:15 b", "long"), ("bar:1,6:2 - w", "hypergammon")):
        position = impl.Position.parse(text, rules)
        assert repr(position) == f"Position.parse({text!r}, {rules!r})"
        assert eval(repr(position), {"Position": impl.Position}) == position


# What was given is cut where it is long


@pytest.mark.parametrize(
    "call",
    [
        lambda impl: impl.Position.start().plays([6] * 50_000),
        lambda impl: impl.Position.start().plays(["6"] * 50_000),
        lambda impl: impl.Position.start().plays([[6, 5]] * 50_000),
        lambda impl: impl.Position.start().plays((6, 10**4000)),
        lambda impl: impl.Position.start(turn="w" * 50_000),
        lambda impl: impl.Position.start(turn=10**4000),
        lambda impl: impl.Position.start().next_steps((6, 5), ["x"] * 50_000),
        lambda impl: impl.Play(impl.Position.start(), (6, 5), "x" * 50_000),
    ],
)
def test_what_was_given_is_cut_in_messages(impl: ModuleType, call: Callable[[ModuleType], object]) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^(dice|turn|steps) = .*\.\.\.: ") as caught:
        call(impl)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("play", ["24/18", 7, [], ((1, 6), (7, 5)), Reason])
def test_what_is_no_play_is_not_drawn(impl: ModuleType, play: object) -> None:
    with pytest.raises(TypeError, match=r"^play = .*: expected a Play$"):
        impl.Position.start().svg(play=play)
