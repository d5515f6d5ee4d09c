"""Positions, dice and plays as text, both ways and for both roads."""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest

from nardy_fast.positions import Pending, Stage
from nardy_fast.reasons import Reason
from nardy_fast.rules import BLACK, WHITE
from nardy_fast.text import notation

START = "24:15 12:15 w"
SHORT_START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w"
VARIED = ("long", "khachapuri", "fevga", "short", "hypergammon", "old_english", "acey_deucey")


def board(mover: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    rows = np.zeros((2, 26), np.int8)
    for row, held in zip(rows, (mover, opponent), strict=True):
        for slot, count in held.items():
            row[slot] = count
    return rows


# Points


@pytest.mark.parametrize(
    ("slot", "turn", "road", "point"),
    [
        (1, WHITE, "parallel", "24"),
        (24, WHITE, "parallel", "1"),
        (1, BLACK, "parallel", "12"),
        (12, BLACK, "parallel", "1"),
        (13, BLACK, "parallel", "24"),
        (19, BLACK, "parallel", "18"),
        (24, BLACK, "parallel", "13"),
        (1, WHITE, "contrary", "24"),
        (1, BLACK, "contrary", "24"),
        (19, BLACK, "contrary", "6"),
        (0, BLACK, "contrary", "bar"),
        (25, WHITE, "parallel", "off"),
    ],
)
def test_a_slot_and_its_printed_point_name_each_other(slot: int, turn: int, road: str, point: str) -> None:
    assert notation.point_name(slot, turn, road) == point
    assert notation.slot_of(point, turn, road) == slot


@pytest.mark.parametrize("road", ["parallel", "contrary"])
@pytest.mark.parametrize("turn", [WHITE, BLACK])
def test_every_slot_has_a_point_of_its_own(turn: int, road: str) -> None:
    points = [notation.point_name(slot, turn, road) for slot in range(26)]
    assert len(set(points)) == 26
    assert [notation.slot_of(point, turn, road) for point in points] == list(range(26))


@pytest.mark.parametrize("slot", [-1, 26])
def test_a_slot_off_the_track_has_no_point(slot: int) -> None:
    with pytest.raises(ValueError, match=rf"slot = {slot}: expected 0\.\.25"):
        notation.point_name(slot, WHITE, "parallel")


@pytest.mark.parametrize("point", ["0", "25", "-1", "07", "x", "", "٣"])
def test_what_is_no_point_is_refused(point: str) -> None:
    with pytest.raises(ValueError, match=r"is no point: expected 1\.\.24, bar or off"):
        notation.slot_of(point, WHITE, "parallel")


# Dice


def test_dice_are_read_in_either_order_larger_first() -> None:
    assert notation.parse_dice("6-5") == (6, 5)
    assert notation.parse_dice("5-6") == (6, 5)
    assert notation.parse_dice("3-3") == (3, 3)


@pytest.mark.parametrize("text", ["", "6", "65", "7-1", "0-1", "6-5-4", "6,5", " 6-5", "6-5\n", "٣-٣"])
def test_text_that_is_no_roll_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected two dice") as caught:
        notation.parse_dice(text)
    assert str(caught.value) == f"dice = {text!r}: expected two dice 1..6 joined by a hyphen, as in 6-5"


# Positions


@pytest.mark.parametrize(
    ("text", "rules", "mover", "opponent", "turn"),
    [
        (START, "long", {1: 15}, {1: 15}, WHITE),
        ("24:13,18:2 12:15 b", "long", {1: 15}, {1: 13, 7: 2}, BLACK),
        ("24:13,18:2 12:15 w", "long", {1: 13, 7: 2}, {1: 15}, WHITE),
        ("6:1 13:2 w", "long", {19: 1, 25: 14}, {24: 2, 25: 13}, WHITE),
        ("- 18:15 b", "long", {19: 15}, {25: 15}, BLACK),
        (SHORT_START, "short", {1: 2, 12: 5, 17: 3, 19: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, WHITE),
        ("bar:2,6:13 24:1 b", "short", {1: 1, 25: 14}, {0: 2, 19: 13}, BLACK),
        ("24:1 23:1,22:1 w", "hypergammon", {1: 1, 25: 2}, {2: 1, 3: 1, 25: 1}, WHITE),
    ],
)
def test_a_position_text_and_its_board_name_each_other(
    text: str, rules: str, mover: dict[int, int], opponent: dict[int, int], turn: int
) -> None:
    read, read_turn, dice = notation.parse_position_text(text, rules)
    road = "contrary" if rules in ("short", "hypergammon") else "parallel"
    assert read.dtype == np.int8
    assert read.tolist() == board(mover, opponent).tolist()
    assert (read_turn, dice) == (turn, None)
    assert notation.format_position(read, turn, road) == text


def test_text_is_written_with_the_bar_and_high_points_first(impl: ModuleType) -> None:
    position = impl.Position.parse("6:3,bar:1,13:2 1:1,24:2 w", "short")
    assert str(position) == "bar:1,13:2,6:3 24:2,1:1 w"


def test_dice_and_a_comment_may_follow_a_position(impl: ModuleType) -> None:
    position = impl.Position.start()
    assert impl.parse_position("24:15 12:15 w 5-6  # a comment: 24:x") == (position, (6, 5))
    assert impl.parse_position("24:15 12:15 w# a comment\n") == (position, None)


def test_a_position_may_not_carry_dice_where_none_are_asked_for(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match="24:15 12:15 w 6-5"):
        impl.Position.parse("24:15 12:15 w 6-5")


@pytest.mark.parametrize("rules", VARIED)
def test_every_position_of_random_games_reads_back_as_itself(impl: ModuleType, rules: str) -> None:
    rng = random.Random(rules)
    position = impl.Position.start(rules)
    for _ in range(60):
        assert impl.Position.parse(str(position), rules) == position
        if position.is_over:
            break
        position = position.apply(rng.choice(position.plays((rng.randint(1, 6), rng.randint(1, 6)))))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("# only a comment", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("24:15 12:15", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("24:15 12:15 w 6-5 x", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("24:15 12:15 w\n24:15 12:15 w", "expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"),
        ("24:15 12:15 x", "'x' is no side: expected w or b"),
        ("24:15 12:15 w 6-7", "dice = '6-7': expected two dice 1..6 joined by a hyphen, as in 6-5"),
        ("24:x 12:15 w", "'24:x': expected point:count, as in 24:15"),
        ("24 12:15 w", "'24': expected point:count, as in 24:15"),
        ("24:15, 12:15 w", "'': expected point:count, as in 24:15"),
        ("24:-1 12:15 w", "'24:-1': expected point:count, as in 24:15"),
        ("25:15 12:15 w", "'25' is no point: expected 1..24, bar or off"),
        ("0:15 12:15 w", "'0' is no point: expected 1..24, bar or off"),
        ("24:15 off:15 w", "'off:15': checkers borne off are left out, not written"),
        ("24:0 12:15 w", "'24:0': expected at least one checker"),
        ("24:1,24:2 12:15 w", "'24:2': the point is named twice"),
        ("24:15,23:1 12:15 w", "'24:15,23:1': White has 16 checkers: expected at most 15"),
        ("24:15 12:999 w", "'12:999': Black has 999 checkers: expected at most 15"),
    ],
)
def test_text_that_is_no_position_is_refused_with_the_bad_part(impl: ModuleType, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match="text = ") as caught:
        impl.Position.parse(text)
    assert str(caught.value) == f"text = {text!r}: {reason}"


def test_a_side_may_have_no_more_checkers_than_the_rules_give_it(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match="'24:4': White has 4 checkers: expected at most 3"):
        impl.Position.parse("24:4 24:3 w", "hypergammon")


def test_a_position_that_is_not_text_is_the_wrong_kind_of_thing(impl: ModuleType) -> None:
    with pytest.raises(TypeError, match="text = 5: expected a string"):
        impl.Position.parse(5)


# Writing plays


@pytest.mark.parametrize(
    ("steps", "turn", "road", "hits", "text"),
    [
        ((), WHITE, "parallel", (), "pass"),
        (((1, 7, 6), (1, 6, 5)), WHITE, "parallel", (), "24/18 24/19"),
        (((1, 7, 6), (1, 7, 6)), WHITE, "parallel", (), "24/18(2)"),
        (((1, 4, 3), (4, 7, 3), (1, 4, 3), (4, 7, 3)), WHITE, "parallel", (), "24/21(2) 21/18(2)"),
        (((1, 7, 6), (12, 17, 5)), BLACK, "parallel", (), "12/6 1/20"),
        (((19, 25, 6), (19, 25, 6)), BLACK, "parallel", (), "18/off(2)"),
        (((0, 5, 5), (12, 18, 6)), BLACK, "contrary", {18}, "bar/20 13/7*"),
        (((12, 18, 6), (12, 18, 6), (17, 18, 1)), WHITE, "contrary", {18}, "13/7*(2) 8/7"),
    ],
)
def test_a_play_is_written_in_the_movers_points(
    steps: tuple[tuple[int, int, int], ...], turn: int, road: str, hits: set[int], text: str
) -> None:
    assert notation.format_play(steps, turn, road, hits) == text


def test_only_a_lone_opponent_is_hit() -> None:
    # White's slot 7 is Black's 18, and so on.
    rows = board({1: 2, 19: 13}, {18: 1, 14: 2, 1: 12})
    assert notation.hit_slots(rows, ((1, 7, 6), (1, 5, 4)), "contrary") == {7}
    assert notation.hit_slots(rows, ((1, 11, 10), (19, 25, 6)), "contrary") == set()
    assert notation.hit_slots(rows, ((1, 7, 6),), "parallel") == set()


# Reading plays


@pytest.mark.parametrize(
    ("position", "rules", "dice", "text", "steps"),
    [
        (START, "long", (6, 6), "24/18(2)", ((1, 7, 6), (1, 7, 6))),
        (START, "long", (6, 6), "24/18 24/18", ((1, 7, 6), (1, 7, 6))),
        (START, "long", (5, 6), "24/18/13", ((1, 7, 6), (7, 12, 5))),
        (START, "long", (6, 5), "18/13 24/18", ((1, 7, 6), (7, 12, 5))),
        (START, "long", (6, 5), "24/13", ((1, 6, 5), (6, 12, 6))),
        (START, "long", (5, 5), "24/4", ((1, 6, 5), (6, 11, 5), (11, 16, 5), (16, 21, 5))),
        (START, "long", (5, 5), "14/4 24/14", ((1, 6, 5), (6, 11, 5), (11, 16, 5), (16, 21, 5))),
        ("24:15 12:15 b", "long", (2, 1), "12/9", ((1, 2, 1), (2, 4, 2))),
        ("6:2,5:1 18:15 w", "long", (6, 5), "5/off 6/off", ((19, 25, 6), (20, 25, 5))),
        ("6:2,5:1 18:15 w", "long", (6, 6), "6/off(2) 5/off", ((19, 25, 6), (19, 25, 6), (20, 25, 6))),
        ("6:1,1:1 18:15 w", "long", (4, 2), "6/off", ((19, 21, 2), (21, 25, 4))),
        ("24:14,4:1 12:15 b", "long", (5, 3), "12/7", ((1, 6, 5),)),
        (SHORT_START, "short", (3, 1), "8/5 6/5", ((17, 20, 3), (19, 20, 1))),
        ("bar:1,24:2,6:12 7:1,5:1,24:13 w", "short", (6, 4), "bar/21 24/18*", ((0, 4, 4), (1, 7, 6))),
        ("bar:1,24:2,6:12 7:1,5:1,24:13 w", "short", (6, 4), "bar/21 24/18", ((0, 4, 4), (1, 7, 6))),
        ("24:2,6:13 7:1,5:1,24:13 w", "short", (6, 4), "24/18*/14", ((1, 7, 6), (7, 11, 4))),
        ("24:2,6:13 7:1,5:1,24:13 w", "short", (6, 4), "24/20*/14", ((1, 5, 4), (5, 11, 6))),
        ("24:2,6:13 7:1,5:2,24:12 w", "short", (6, 4), "24/14", ((1, 7, 6), (7, 11, 4))),
        ("24:15 19:1,18:1,12:13 w", "long", (6, 5), "pass", ()),
    ],
)
def test_a_play_is_read_from_its_text(
    impl: ModuleType, position: str, rules: str, dice: tuple[int, int], text: str, steps: tuple[tuple[int, int, int], ...]
) -> None:
    play = impl.Position.parse(position, rules).parse_play(text, dice)
    assert isinstance(play, impl.Play)
    assert (play.steps, play.dice) == (steps, tuple(sorted(dice, reverse=True)))


@pytest.mark.parametrize("rules", VARIED)
def test_every_listed_play_reads_back_from_its_own_text(impl: ModuleType, rules: str) -> None:
    rng = random.Random(rules)
    position = impl.Position.start(rules)
    for _ in range(15):
        if position.is_over:
            break
        dice = rng.randint(1, 6), rng.randint(1, 6)
        plays = position.plays(dice)
        for play in rng.sample(plays, min(4, len(plays))):
            assert position.parse_play(str(play), dice) == play
        position = position.apply(rng.choice(plays))


@pytest.mark.parametrize(
    ("position", "rules", "dice", "text", "reason"),
    [
        # Not understood.
        (START, "long", (6, 5), "", "expected moves, as in 24/18 13/7, or pass"),
        (START, "long", (6, 5), "hello", "'hello': expected a move, as in 24/18, 13/7(2) or 6/off"),
        (START, "long", (6, 5), "24/18(5)", "'24/18(5)': expected a move, as in 24/18, 13/7(2) or 6/off"),
        (START, "long", (6, 5), "24/18 pass", "'pass': expected a move, as in 24/18, 13/7(2) or 6/off"),
        (START, "long", (6, 5), "24/30", "'30' is no point: expected 1..24, bar or off"),
        (START, "long", (6, 5), "18/24", "'18/24': checkers only move forward"),
        ("24:15 12:15 b", "long", (6, 5), "1/12", "'1/12': checkers only move forward"),
        # Hits marked where there are none.
        (START, "long", (6, 5), "24/18*/13", "'24/18*/13': no checker is hit on 18"),
        (SHORT_START, "short", (6, 4), "24/14*", "'24/14*': no checker is hit on 14"),
        ("24:2,6:13 7:1,5:2,24:12 w", "short", (6, 6), "24/18* 24/18*", "'24/18*': no checker is hit on 18"),
        ("6:2 12:1 w", "short", (6, 6), "6/off*(2)", "'6/off*(2)': no checker is hit on off"),
        # Not by these dice.
        (START, "long", (6, 5), "24/17", "24/17: the dice left do not make that move"),
        (START, "long", (6, 5), "24/18 18/12", "18/12: the dice left do not make that move"),
        (START, "long", (6, 5), "24/18 18/13 13/7", "13/7: the play is complete without it"),
        (START, "long", (6, 5), "24/18", "more must be played: 18/13, for one"),
        (START, "long", (6, 5), "pass", "more must be played: 24/19, for one"),
        # Not by the rules.
        (START, "long", (6, 5), "23/18", "23/18: the mover has no checker there"),
        (START, "long", (6, 5), "24/18 24/19", "24/18: the head has given all it may this turn"),
        (START, "long", (6, 6), "24/12", "18/12: the opponent holds the point"),
        ("24:15 19:1,18:1,12:13 w", "long", (6, 5), "24/18", "24/18: the opponent holds the point"),
        ("24:15 19:1,18:1,12:13 w", "long", (6, 5), "24/17", "24/17: nothing can be played"),
        ("6:2,5:1 18:15 w", "long", (6, 6), "5/off", f"5/off: {Reason.FARTHER_BACK.sentence}"),
        ("bar:1,24:2,6:12 7:1,5:1,24:13 w", "short", (6, 4), "24/18", "24/18: checkers on the bar must enter first"),
        ("10:1 24:2 w", "short", (6, 3), "10/7", "10/7: only one die can be played, and it must be the larger"),
        ("- 18:15 b", "long", (6, 5), "pass", "the game is over"),
        # Ends differently.
        ("24:2,6:13 7:1,5:1,24:13 w", "short", (6, 4), "24/14", "ambiguous: it may be 24/20* 20/14 or 24/18* 18/14"),
    ],
)
def test_a_text_that_is_no_legal_play_is_refused_with_the_reason(
    impl: ModuleType, position: str, rules: str, dice: tuple[int, int], text: str, reason: str
) -> None:
    with pytest.raises(ValueError, match="text = ") as caught:
        impl.Position.parse(position, rules).parse_play(text, dice)
    assert str(caught.value) == f"text = {text!r}: {reason}"


def test_an_unmarked_way_over_two_blots_is_ambiguous_only_while_they_may_be_missed(impl: ModuleType) -> None:
    position = impl.Position.parse("24:2,6:13 7:1,5:1,24:13 w", "short")
    assert str(position.parse_play("24/18 18/14", (6, 4))) == "24/18* 18/14"


def test_reading_a_play_takes_dice_and_text_of_the_right_kind(impl: ModuleType) -> None:
    position = impl.Position.start()
    with pytest.raises(TypeError, match="text = 7: expected a string"):
        position.parse_play(7, (6, 5))
    with pytest.raises(ValueError, match=r"a die shows 1\.\.6"):
        position.parse_play("24/18", (6, 7))


@pytest.mark.parametrize(
    ("text", "rules", "error"),
    [
        (
            "24:14,4:1 12:14 b",
            "long",
            "Black has 14 on the board: expected 15, since none is borne off while one stands on 12",
        ),
        (
            "24:13,4:1 12:15 w",
            "long",
            "White has 14 on the board: expected 15, since none is borne off while one stands on 24",
        ),
        (
            "6:3,7:1 18:15 b",
            "long",
            "White has 4 on the board: expected 15, since none is borne off while one stands on 7",
        ),
        (
            "6:3 18:3,19:1 w",
            "fevga",
            "Black has 4 on the board: expected 15, since none is borne off while one stands on 19",
        ),
    ],
)
def test_a_forgotten_checker_is_told_in_printed_points(impl: ModuleType, text: str, rules: str, error: str) -> None:
    for parse in (impl.Position.parse, impl.parse_position):
        with pytest.raises(ValueError, match=r"^text = ") as caught:
            parse(text, rules)
        assert str(caught.value) == f"text = {text!r}: {error}, outside the home"


def test_checkers_may_be_borne_off_once_all_are_home(impl: ModuleType) -> None:
    assert impl.Position.parse("6:3,1:1 18:3 w").board[:, 25].tolist() == [11, 12]
    assert impl.Position.parse("24:1 6:1 w", "short").board[:, 25].tolist() == [14, 14]


@pytest.mark.parametrize("text", ["XGID=zz", "XGID=", " XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10"])
def test_an_xgid_is_sent_to_who_reads_it(impl: ModuleType, text: str) -> None:
    for parse in (impl.Position.parse, impl.parse_position):
        with pytest.raises(ValueError, match=r"^text = .*: an XGID, which from_xgid reads; expected WHITE BLACK SIDE"):
            parse(text)


# What is pending


@pytest.mark.parametrize(
    ("word", "pending"),
    [
        (
            "w444*,b5555,b6666:0/1",
            Pending(1, (0, 1), (Stage(0, (4, 4, 4), True), Stage(1, (5, 5, 5, 5)), Stage(1, (6, 6, 6, 6)))),
        ),
        ("b65*:1/0", Pending(0, (1, 0), (Stage(1, (6, 5), True),))),
        ("w6666:15/0", Pending(0, (15, 0), (Stage(0, (6, 6, 6, 6)),))),
    ],
)
def test_a_word_and_what_is_pending_name_each_other(word: str, pending: Pending) -> None:
    assert notation.parse_pending(word) == pending
    assert notation.format_pending(pending) == word


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("w444*", "'w444*': expected stages and head steps, as in w444*,b5555,b6666:0/1"),
        ("w444*:0", "'w444*:0': expected stages and head steps, as in w444*,b5555,b6666:0/1"),
        ("w:0/0", "'w:0/0': expected stages and head steps, as in w444*,b5555,b6666:0/1"),
        ("w4*,:0/0", "'w4*,:0/0': expected stages and head steps, as in w444*,b5555,b6666:0/1"),
        ("w4**:0/0", "'w4**:0/0': expected stages and head steps, as in w444*,b5555,b6666:0/1"),
        ("w7:0/0", "'w7:0/0': expected stages and head steps, as in w444*,b5555,b6666:0/1"),
        ("w654*:0/0", "dice = (6, 5, 4): expected one die, two different ones, or 2 to 6 equal ones"),
        ("w4*:16/0", "heads = 16: expected 0..15"),
        ("w4*,w5555:0/0", "stages: carried = False of stage 2: it is not the thrower's, so it is carried"),
        ("w4*,b5,w6,b6,b6,b6,b6:0/0", "stages = "),
    ],
)
def test_a_word_that_tells_nothing_pending_is_refused(word: str, said: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        notation.read_position(f"24:15 12:15 w {word}", "mad_nardy")
    assert str(caught.value).startswith(f"text = '24:15 12:15 w {word}': {said}")


def test_a_position_text_may_have_a_fourth_word_for_what_is_pending() -> None:
    text = "24:14,4:1 12:14,8:1 w w444*,b5555,b6666:0/1"
    read = notation.read_position(f"{text}  # the federation's 4-4", "mad_nardy")
    assert read.pending == notation.parse_pending("w444*,b5555,b6666:0/1")
    assert read.dice is None
    assert notation.format_position(read.board, read.turn, "parallel", read.pending) == text


@pytest.mark.parametrize("rest", ["w4*:0/0 6-5", "6-5 w4*:0/0", "w4*:0/0 w4*:0/0"])
def test_a_fourth_word_and_dice_are_refused(rest: str) -> None:
    with pytest.raises(ValueError, match=r"what is pending or dice may follow the side, not both$"):
        notation.read_position(f"24:15 12:15 w {rest}", "mad_nardy")
