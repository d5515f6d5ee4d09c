"""Position ids and the board of 26 numbers: what they say, what they refuse, and that GNU Backgammon writes the same."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import referees
from strategies import random_games
from usual_rulesets import USUAL_RULESETS

from nardy_fast.ids.position_id import from_position_id, from_signed26, position_id, to_signed26
from nardy_fast.rules import Ruleset

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]

#: (id, rules, position text): the starts as GNU Backgammon shows them, and its position after White's 3-1, 8/5 6/5.
PUBLISHED = [
    ("4HPwATDgc/ABMA", "short", "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w"),
    ("sGfwATDgc/ABMA", "short", "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 b"),
    ("4Dl4ADbgOXgANg", "nackgammon", "24:2,23:2,13:4,8:3,6:4 24:2,23:2,13:4,8:3,6:4 w"),
    ("AACgAgAAKgAAAA", "hypergammon", "24:1,23:1,22:1 24:1,23:1,22:1 w"),
]


def many_positions(impl: ModuleType, count: int) -> list[Any]:
    """Half from random games, half random boards."""
    rng = random.Random(4)
    played = [position for position, _, _ in random_games(impl.Position, USUAL_RULESETS["short"], count // 2, seed=4)]
    return played + [impl.Position(referees.random_board(rng), rng.randrange(2), "short") for _ in range(count - len(played))]


@pytest.mark.parametrize(("text", "rules", "position"), PUBLISHED)
def test_published_ids_are_read_and_written(impl: ModuleType, text: str, rules: str, position: str) -> None:
    expected = impl.Position.parse(position, rules)
    assert position_id(expected, rules) == text
    assert from_position_id(text, rules, expected.turn, position_type=impl.Position) == expected


def test_the_native_position_is_built_unless_another_is_named(native: ModuleType) -> None:
    for position in (from_position_id("4HPwATDgc/ABMA"), from_signed26(START)):
        assert type(position) is native.Position
        assert position == native.Position.start("short")


def test_checkers_not_on_the_board_are_borne_off(impl: ModuleType) -> None:
    position = impl.Position.parse("6:2,1:1 bar:2,5:3 b", "short")
    assert position.board[:, 25].tolist() == [10, 12]
    assert from_position_id(position_id(position), turn=1, position_type=impl.Position) == position
    assert from_signed26(to_signed26(position), turn=1, position_type=impl.Position) == position


@pytest.mark.parametrize("rules", sorted(USUAL_RULESETS))
def test_ids_of_every_preset_come_back(impl: ModuleType, rules: str) -> None:
    for position, _, _ in random_games(impl.Position, USUAL_RULESETS[rules], 200, seed=26):
        text = position_id(position, rules)
        turn = None if position.rules.road == "parallel" else position.turn
        back = from_position_id(text, rules, turn, position_type=impl.Position)
        assert back == position
        assert position_id(back, rules) == text


@pytest.mark.parametrize("signed_bar", [True, False])
@pytest.mark.parametrize("rules", sorted(name for name in USUAL_RULESETS if USUAL_RULESETS[name].road == "contrary"))
def test_26_numbers_of_every_contrary_preset_come_back(impl: ModuleType, rules: str, signed_bar: bool) -> None:
    for position, _, _ in random_games(impl.Position, USUAL_RULESETS[rules], 200, seed=62):
        numbers = to_signed26(position, rules, signed_bar=signed_bar)
        assert from_signed26(numbers, rules, position.turn, position_type=impl.Position) == position


def test_a_position_id_says_nothing_of_the_turn(impl: ModuleType) -> None:
    white = impl.Position.parse("bar:1,6:3 5:4 w", "short")
    black = impl.Position.parse("5:4 bar:1,6:3 b", "short")
    assert position_id(white) == position_id(black)
    assert to_signed26(white) == to_signed26(black)


# Long nardy


def test_a_long_nardy_id_holds_the_side_to_move(impl: ModuleType) -> None:
    for turn, side in enumerate("wb"):
        start = impl.Position.start("long", turn)
        text = position_id(start)
        assert text == f"LN1:{side}:AACA/z8AAID/Pw"
        assert from_position_id(text, "long", position_type=impl.Position) == start
        assert from_position_id(text, "long", turn, position_type=impl.Position) == start
        with pytest.raises(ValueError, match=rf"turn = {1 - turn}: the id 'LN1:{side}:AACA/z8AAID/Pw' says '{side}'"):
            from_position_id(text, "long", 1 - turn, position_type=impl.Position)


def test_a_long_nardy_id_is_packed_as_gnu_backgammons(impl: ModuleType) -> None:
    position = impl.Position.parse("24:13,18:2 12:14,7:1 b")
    # Of the opponent (White) and then of the mover, slots 24 to 1 and then slot 0: as many ones as checkers, and a zero.
    bits = ["0" * 17, "110", "00000", "1" * 13 + "0", "0", "0" * 18, "10", "0000", "1" * 14 + "0", "0"]
    key = int("".join(bits)[::-1], 2).to_bytes(10, "little")
    assert position_id(position) == "LN1:b:" + base64.b64encode(key).decode()[:14]


def test_an_id_of_the_other_road_is_refused(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"'4HPwATDgc/ABMA': a Position ID is of contrary roads, not of 'long'"):
        from_position_id("4HPwATDgc/ABMA", "long", position_type=impl.Position)
    with pytest.raises(ValueError, match=r"an id with LN1: is of parallel roads, not of 'short'"):
        from_position_id("LN1:w:AACA/z8AAID/Pw", position_type=impl.Position)
    with pytest.raises(ValueError, match=r"rules = 'long': a board of 26 numbers is of contrary roads"):
        to_signed26(impl.Position.start("long"))
    with pytest.raises(ValueError, match=r"rules = 'fevga': a board of 26 numbers is of contrary roads"):
        from_signed26(START, "fevga", position_type=impl.Position)


# The 26 numbers


def test_the_mover_is_positive_and_counts_down_to_his_home(impl: ModuleType) -> None:
    assert to_signed26(impl.Position.start("short")) == START
    assert to_signed26(impl.Position.start("short", 1)) == START
    position = impl.Position.parse("bar:2,24:1,6:3 bar:1,20:2,13:4 w", "short")
    expected = [-1, *[0] * 4, -2, 3, *[0] * 5, -4, *[0] * 11, 1, 2]
    assert to_signed26(position) == expected


def test_the_opponents_bar_has_a_minus_or_is_a_count(impl: ModuleType) -> None:
    position = impl.Position.parse("bar:2,24:1,6:3 bar:1,20:2,13:4 w", "short")
    signed, counted = to_signed26(position), to_signed26(position, signed_bar=False)
    assert (signed[0], counted[0]) == (-1, 1)
    assert signed[1:] == counted[1:]
    for numbers in (signed, counted):
        assert from_signed26(numbers, position_type=impl.Position) == position


# What an id cannot hold


def test_another_number_of_checkers_is_written_only_where_rules_say_so(impl: ModuleType) -> None:
    position = impl.Position.start("hypergammon")
    lost = "position has 3 checkers a side, which an id does not hold: "
    for write in (position_id, to_signed26):
        with pytest.raises(ValueError, match=lost + "without rules it is read as 15"):
            write(position)
        with pytest.raises(ValueError, match=lost + "with rules = 'short' it is read as 15"):
            write(position, "short")
        assert write(position, "hypergammon") == write(position, position.rules)
    with pytest.raises(ValueError, match=r"position has 15 checkers a side, .* with rules = 'hypergammon' it is read as 3"):
        position_id(impl.Position.start("short"), "hypergammon")


def test_more_checkers_than_the_rules_have_are_refused(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"text = .*: the mover has 15 checkers on the board, and 'hypergammon' has 3"):
        from_position_id("4HPwATDgc/ABMA", "hypergammon", position_type=impl.Position)
    few = [0, -4, *[0] * 23, 3]
    with pytest.raises(ValueError, match="numbers: the opponent has 4 checkers on the board, and 'hypergammon' has 3"):
        from_signed26(few, "hypergammon", position_type=impl.Position)
    with pytest.raises(ValueError, match="numbers: the mover has 16 checkers"):
        from_signed26([0, *[0] * 23, 8, 8], position_type=impl.Position)


def test_rules_of_more_checkers_read_the_missing_ones_as_borne_off(impl: ModuleType) -> None:
    text = position_id(impl.Position.start("hypergammon"), "hypergammon")
    assert from_position_id(text, "short", position_type=impl.Position).board[:, 25].tolist() == [12, 12]


def test_a_ruleset_of_ones_own_tells_its_number_of_checkers(impl: ModuleType) -> None:
    ten = Ruleset(**{**USUAL_RULESETS["short"].__dict__, "name": "ten", "setup": ((1, 10),)})
    position = impl.Position.start(ten)
    assert from_position_id(position_id(position, ten), ten, position_type=impl.Position) == position


# Bad input


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",  # a character short
        "4HPwATDgc/ABMAA",  # one too many
        "4HPwATDgc/ABMA==",
        "4HPwATDgc_ABMA",  # another alphabet
        "4HPwATDgc/АBMA",  # a Cyrillic letter
        " HPwATDgc/ABMA",
        "4HPwATDgc/ABMB",  # ones after the last byte
        "4HPwATDgc/ABMI",
        "//////////////",  # no zeros: never comes to the second player
        "AAAAAAAAAACAAA",  # a checker after the last slot
        "4HPwATDgc/ABMA:cAkAAAAAAAAA",
    ],
)
def test_what_is_no_position_id_is_refused(impl: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match="not a Position ID"):
        from_position_id(text, position_type=impl.Position)


@pytest.mark.parametrize("text", ["LN1:", "LN1:w", "LN1:x:AACA/z8AAID/Pw", "LN1:AACA/z8AAID/Pw", "LN1::AACA/z8AAID/Pw"])
def test_what_is_no_long_nardy_id_is_refused(impl: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match="expected LN1:w: or LN1:b:"):
        from_position_id(text, "long", position_type=impl.Position)


def test_the_board_that_is_read_must_stand_under_the_rules(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match="both sides have borne off"):
        from_position_id("AAAAAAAAAAAAAA", position_type=impl.Position)
    # The opponent on his slot 24 and the mover on his slot 1 are one point.
    bits = "10" + "0" * 24 + "0" * 23 + "10" + "0"
    both = base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode()[:14]
    with pytest.raises(ValueError, match="the opponent holds this point too"):
        from_position_id(both, position_type=impl.Position)


def test_other_kinds_of_things_are_refused(impl: ModuleType) -> None:
    with pytest.raises(TypeError, match="text = 4: expected a string"):
        from_position_id(4, position_type=impl.Position)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="expected 26 integers"):
        from_signed26([0.5] * 26, position_type=impl.Position)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="numbers has 25 values: expected 26"):
        from_signed26(START[1:], position_type=impl.Position)
    with pytest.raises(ValueError, match=r"numbers\[25\] = -1: the mover's bar is not below zero"):
        from_signed26([*START[:25], -1], position_type=impl.Position)
    with pytest.raises(ValueError, match="turn = 2: expected 0"):
        from_position_id("4HPwATDgc/ABMA", turn=2, position_type=impl.Position)


# GNU Backgammon

#: Run by GNU Backgammon's own Python. A board is the opponent's and the mover's checkers on points 1..24 and the bar.
SCRIPT = """
import gnubg, json
with open({boards!r}) as file:
    boards = json.load(file)
ids = [gnubg.positionid(tuple(map(tuple, board))) for board in boards]
read = [gnubg.positionfromid(text) for text in ids]
with open({answers!r}, "w") as file:
    json.dump([ids, read], file)
"""


@pytest.mark.referee
def test_ids_equal_gnu_backgammons_on_2000_random_positions(impl: ModuleType, tmp_path: Path) -> None:
    program = referees.program("gnubg")
    positions = many_positions(impl, 2000)
    boards = [[row[24::-1] for row in position.board[::-1].tolist()] for position in positions]
    asked, answers, script = tmp_path / "boards.json", tmp_path / "answers.json", tmp_path / "script.py"
    asked.write_text(json.dumps(boards))
    script.write_text(SCRIPT.format(boards=str(asked), answers=str(answers)))
    referees.run([program, "-t", "-q", "-p", str(script)], home=tmp_path)
    ids, read = json.loads(answers.read_text())
    assert len(ids) == 2000
    assert read == boards
    for position, text in zip(positions, ids, strict=True):
        assert position_id(position) == text
        assert from_position_id(text, "short", position.turn, position_type=impl.Position) == position


@pytest.mark.referee
def test_the_26_numbers_are_bgsages(impl: ModuleType) -> None:
    bgsage = referees.module("bgsage")
    assert to_signed26(impl.Position.start("short"), signed_bar=False) == list(bgsage.STARTING_BOARD)
    for position in many_positions(impl, 200):
        passed = impl.Position(position.board[::-1], 1 - position.turn, "short")
        flipped = bgsage.flip_board(to_signed26(position, signed_bar=False))
        assert list(flipped) == to_signed26(passed, signed_bar=False)
