"""The numberings of long nardy that people read, and capitals as other programs write them."""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import pytest

import nardy_fast as nf
from nardy_fast.commands.main import main
from nardy_fast.text.notation import NUMBERINGS, point_name, slot_of

NAMES = ("federation", "arena", "own")


def test_the_numberings_are_known_by_name() -> None:
    assert NUMBERINGS == NAMES


# slot: the federation's number, the arena's, his own
WHITE = {1: ("24", "1", "24"), 2: ("23", "2", "23"), 13: ("12", "13", "12"), 19: ("6", "19", "6"), 24: ("1", "24", "1")}
BLACK = {1: ("12", "13", "24"), 2: ("11", "14", "23"), 12: ("1", "24", "13"), 13: ("24", "1", "12"), 24: ("13", "12", "1")}


@pytest.mark.parametrize(("turn", "names"), [(0, WHITE), (1, BLACK)])
def test_each_slot_has_its_number(turn: int, names: dict[int, tuple[str, str, str]]) -> None:
    for slot, each in names.items():
        for numbering, name in zip(NAMES, each, strict=True):
            assert point_name(slot, turn, "parallel", numbering) == name
            assert slot_of(name, turn, "parallel", numbering) == slot


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("numbering", NAMES)
def test_every_slot_comes_back(turn: int, numbering: str) -> None:
    names = [point_name(slot, turn, "parallel", numbering) for slot in range(26)]
    assert len(set(names)) == 26
    assert [slot_of(name, turn, "parallel", numbering) for name in names] == list(range(26))


@pytest.mark.parametrize(
    ("numbering", "start", "after", "play", "black"),
    [
        ("federation", "24:15 12:15 w", "24:13,18:2 12:15 b", "24/18(2)", "12/11 12/7"),
        ("arena", "1:15 13:15 w", "7:2,1:13 13:15 b", "1/7(2)", "13/14 13/18"),
        ("own", "24:15 24:15 w", "24:13,18:2 24:15 b", "24/18(2)", "24/23 24/19"),
    ],
)
def test_positions_and_plays_are_written_and_read(
    impl: ModuleType, numbering: str, start: str, after: str, play: str, black: str
) -> None:
    position = impl.Position.start("long")
    assert position.notation(numbering) == start
    assert impl.Position.parse(start, numbering=numbering) == position
    (played,) = position.plays((6, 6))
    assert played.notation(numbering) == play
    assert position.parse_play(play, (6, 6), numbering=numbering) == played
    position = played.afterstate
    assert position.notation(numbering) == after
    assert impl.Position.parse(after, numbering=numbering) == position
    with pytest.raises(ValueError, match=rf"{black.split()[1]}: the head has given all it may"):
        position.parse_play(black, (5, 1), numbering=numbering)


def test_str_and_files_stay_as_they_are(impl: ModuleType) -> None:
    position = impl.Position.parse("1:15 13:15 b", numbering="arena")
    assert str(position) == "24:15 12:15 b"
    assert position.notation() == str(position)
    play = position.plays((2, 1))[0]
    assert str(play) == play.notation("federation") == "12/11 11/9"


def test_pictures_show_the_numbers(impl: ModuleType) -> None:
    position = impl.Position.start("long")
    top, *_, bottom, _ = position.text(numbering="arena").splitlines()[1:]
    assert (top.split(), bottom.split()) == ([str(number) for number in range(12, 0, -1)], [str(n) for n in range(13, 25)])
    black = impl.Position.parse("24:15 12:15 b").text(numbering="own").splitlines()
    assert black[1].split() == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "Black's"]
    assert black[2].split() == [str(number) for number in range(13, 25)] + ["White's"]
    assert position.text(numbering="federation") == position.text()
    assert position.svg(numbering="federation") == position.svg()
    play = position.plays((6, 6))[0]
    assert "<title>1:15 13:15 w 6-6 1/7(2)</title>" in position.svg(play, numbering="arena")


@pytest.mark.parametrize(("rules", "numbering"), [("long", "mine"), ("long", None), ("long", ["own"]), ("short", "arena")])
def test_what_is_no_numbering_is_refused(impl: ModuleType, rules: str, numbering: Any) -> None:
    position = impl.Position.start(rules)
    play = position.plays((6, 5))[0]
    for call in (
        lambda: position.notation(numbering),
        lambda: impl.Position.parse(str(position), rules, numbering=numbering),
        lambda: position.parse_play(str(play), (6, 5), numbering=numbering),
        lambda: play.notation(numbering),
        lambda: position.text(numbering=numbering),
        lambda: position.svg(numbering=numbering),
    ):
        with pytest.raises(ValueError, match=r"^numbering = .*: expected federation or "):
            call()


def test_in_short_nardy_the_players_own_numbers_are_the_usual_ones(impl: ModuleType) -> None:
    position = impl.Position.start("short", 1)
    assert position.notation("own") == str(position)
    assert position.text(numbering="own") == position.text()


def test_show_and_plays_take_a_numbering(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "1:15 13:15 w", "--numbering", "arena"]) == 0
    shown = capsys.readouterr().out
    assert "position  1:15 13:15 w" in shown
    assert "id        LN1:w:AACA/z8AAID/Pw" in shown
    assert main(["plays", "1:15 13:15 w", "6-6", "--numbering", "arena"]) == 0
    assert capsys.readouterr().out == "1/7(2)\n"


# Capitals


@pytest.mark.parametrize(
    ("text", "written"),
    [("Bar/20 6/4", "bar/20 6/4"), ("BAR/20 6/4", "bar/20 6/4"), ("Bar/20* 6/4", None), ("bar/20/18", "bar/20 20/18")],
)
def test_capitals_are_read_in_plays(impl: ModuleType, text: str, written: str | None) -> None:
    position = impl.Position.parse("bar:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 w", "short")
    if written is None:
        with pytest.raises(ValueError, match="no checker is hit on 20"):
            position.parse_play(text, (5, 2))
    else:
        assert str(position.parse_play(text, (5, 2))) == written


@pytest.mark.parametrize("text", ["6/Off 5/Off", "6/OFF 5/off"])
def test_capitals_are_read_where_checkers_are_borne_off(impl: ModuleType, text: str) -> None:
    position = impl.Position.parse("6:1,5:2 6:2 w", "short")
    assert str(position.parse_play(text, (6, 5))) == "6/off 5/off"


@pytest.mark.parametrize("text", ["Pass", "PASS", " pass "])
def test_a_pass_may_be_a_capital(impl: ModuleType, text: str) -> None:
    position = impl.Position.parse("24:15 19:1,18:1,12:13 w")
    assert position.parse_play(text, (6, 5)).steps == ()


@pytest.mark.parametrize("text", ["Bar:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 W", "BAR:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 w"])
def test_capitals_are_read_in_positions(impl: ModuleType, text: str) -> None:
    assert str(impl.Position.parse(text, "short")) == "bar:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 w"


def test_capitals_are_read_in_games_and_records() -> None:
    game = nf.Game("short", dice=[(3, 1), (6, 5)])
    game.play("8/5 6/5")
    game.roll()
    record = nf.records.to_text(game).replace("2) 65:\n", "2) 65: 24/18/13\n")
    game.play("24/18 18/13")
    assert nf.records.from_text(record) == game
    entering = nf.Game.from_position(nf.Position.parse("bar:1,13:14 24:15 w", "short"), dice=[(5, 2)])
    entering.roll()
    assert str(entering.play("Bar/20 13/11")) == "bar/20 13/11"


def test_a_play_of_very_many_moves_is_refused_at_once(impl: ModuleType) -> None:
    position = impl.Position.start("short")
    begun = time.process_time()
    with pytest.raises(ValueError, match=r"^text = '8/5 8/5 .*\.\.\.: more than 24 moves, and no roll has so many dice$"):
        position.parse_play("8/5 " * 50_000, (3, 1))
    with pytest.raises(ValueError, match=r"the play is complete without it|the mover has no checker there"):
        position.parse_play("8/5 6/5 6/5 6/5 6/5", (3, 1))
    assert time.process_time() - begun < 1
