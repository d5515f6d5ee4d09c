"""Match IDs and XGIDs: what they say, what they refuse, that GNU Backgammon writes and reads the same, and ids in pasted text."""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import referees
from cube_players import act, play_match
from hypothesis import given
from hypothesis import strategies as st

import nardy_fast as nf
from nardy_fast.games.cube import USUAL_LIMIT, CubeRules
from nardy_fast.ids.find import find_ids, unread_ids
from nardy_fast.ids.match_id import from_match_id, match_id
from nardy_fast.ids.match_state import MAX_SCORE, MatchState, Phase
from nardy_fast.ids.position_id import position_id
from nardy_fast.ids.xgid import from_xgid, xgid
from nardy_fast.rules import ruleset

OPENING = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"

KINDS = [
    (None, CubeRules(jacoby=True, beavers=True, automatic=2)),
    (None, CubeRules(jacoby=True)),
    (None, CubeRules()),
    (3, CubeRules()),
    (7, CubeRules()),
    (21, CubeRules(limit=1024)),
    (5, None),
]


def random_states(count: int, seed: int, resigning: float = 0, over: bool = False) -> Iterator[tuple[Any, MatchState]]:
    """So many (position, state) of matches played at random, a few of each game."""
    rng = random.Random(seed)
    while count:
        points, cube = rng.choice(KINDS)
        match = nf.Match(points, "short", cube=cube, seed=rng.randrange(1 << 30))
        while not match.is_over and len(match.games) < 12 and count:
            game = match.start_game()
            while not game.is_over and count:
                act(game, rng, resigning)
                state = MatchState.of(match)
                often = state.doubled or state.resigned or state.phase is not Phase.PLAYING
                if (over or not game.is_over) and rng.random() < (0.5 if often else 0.03):
                    count -= 1
                    yield game.position, state


def held(state: MatchState) -> MatchState:
    """What a Match ID holds of the state."""
    return replace(state, beavers=False, limit=64)


# Published ids: board, who is on roll, what else

MATCH_IDS = [
    # The first is the example of GNU Backgammon's manual, the others are what it shows.
    ("QYkqASAAIAAA", MatchState(cube=2, owner=0, on_roll=1, to_act=1, dice=(5, 2), length=9, score=(2, 4))),
    ("MAGrAAAAAAAE", MatchState(on_roll=0, to_act=0, dice=(6, 2), length=5)),
    ("cAmrAAAAAAAE", MatchState(on_roll=1, to_act=1, dice=(6, 2), length=5)),
    ("cIkKAAAAAAAA", MatchState(on_roll=1, to_act=1, dice=(5, 2), jacoby=True)),
    ("UQmgACAACAAE", MatchState(cube=2, owner=1, on_roll=1, to_act=1, length=5, score=(2, 1))),
]

XGIDS = [
    # The setup, as eXtreme Gammon writes it.
    ("-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10", OPENING + " b", {"dice": (5, 2), "jacoby": True, "beavers": True}),
    # Published in a mailing list on GNU Backgammon, the lower die first.
    (
        "-b----E-C---eE---b-d-b--B-:0:0:1:46:0:0:3:0:10",
        "24:2,13:5,8:2,6:4,4:2 24:2,13:5,8:3,6:5 b",
        {"dice": (4, 6), "jacoby": True, "beavers": True},
    ),
    # Published in a forum as a match to 7 at 6-4, the Crawford game.
    (
        "--A-bBBBB--BbB-----dbbc-B-:0:0:1:31:6:4:1:7:10",
        "21:2,13:2,6:4,5:2,4:2,3:3 24:2,13:2,11:2,8:2,7:2,6:2,5:2,2:1 b",
        {"dice": (3, 1), "length": 7, "score": (4, 6), "is_crawford": True},
    ),
]


@pytest.mark.parametrize(("text", "state"), MATCH_IDS[1:])
def test_match_ids_of_gnu_backgammon_are_read_and_written(text: str, state: MatchState) -> None:
    assert from_match_id(text) == state
    assert match_id(state) == text


def test_the_match_id_of_the_manual_is_read() -> None:
    text, state = MATCH_IDS[0]
    assert from_match_id(text) == state
    # It was written before there was a bit for Jacoby's rule, which says nothing in a match.
    assert from_match_id(match_id(state)) == state


@pytest.mark.parametrize(("text", "position", "told"), XGIDS)
def test_published_xgids_are_read_and_written(impl: ModuleType, text: str, position: str, told: dict[str, Any]) -> None:
    board, state = from_xgid("XGID=" + text, position_type=impl.Position)
    assert board == impl.Position.parse(position, "short")
    assert state == MatchState(on_roll=1, to_act=1, limit=1024, **told)
    assert xgid(board, state) == "XGID=" + text
    assert from_xgid(text, position_type=impl.Position) == (board, state)


@pytest.mark.parametrize(
    ("text", "owner", "on_roll", "to_act", "score"),
    [
        ("-b----E-C---eE---c-e----B-:1:-1:-1:00:2:1:0:5:10", 0, 0, 0, (1, 2)),
        ("-b----E-C---eE---c-e----B-:1:1:1:D:2:1:0:5:10", 1, 1, 0, (1, 2)),
        ("-b----E-C---eE---c-e----B-:1:-1:1:B:2:1:0:5:10", 0, 1, 1, (1, 2)),
    ],
)
def test_bottom_is_player_1_unless_told_otherwise(
    text: str, owner: int, on_roll: int, to_act: int, score: tuple[int, int]
) -> None:
    position, state = from_xgid(text)
    assert (state.owner, state.on_roll, state.to_act, state.score) == (owner, on_roll, to_act, score)
    assert position.turn == on_roll
    assert xgid(position, state) == "XGID=" + text
    other, turned = from_xgid(text, bottom=0)
    assert (turned.owner, turned.on_roll, turned.to_act, turned.score) == (1 - owner, 1 - on_roll, 1 - to_act, score[::-1])
    assert (other.board == position.board).all()
    assert xgid(other, turned, bottom=0) == "XGID=" + text


def test_500_random_states_come_back_from_both_ids() -> None:
    kinds: Counter[str] = Counter()
    for position, state in random_states(500, seed=1):
        assert from_match_id(match_id(held(state))) == held(state)
        for bottom in (0, 1):
            text = xgid(position, state, bottom=bottom)
            assert from_xgid(text, bottom=bottom) == (position, state)
        (found,) = find_ids(f"see {xgid(position, state)}, please")
        assert (found.position, found.state) == (position, state)
        beavered = state.doubled and state.to_act == state.on_roll
        kinds["beavered" if beavered else "doubled" if state.doubled else "thrown" if state.dice else "to throw"] += 1
        kinds["crawford"] += state.is_crawford
        kinds["bar"] += bool(position.board[:, 0].any())
    assert min(kinds.values()) > 5, kinds


def test_states_with_resignations_and_results_come_back_from_match_ids_and_are_no_xgids() -> None:
    refused = 0
    for position, state in random_states(200, seed=2, resigning=0.05, over=True):
        assert from_match_id(match_id(held(state))) == held(state)
        if state.resigned or state.phase is not Phase.PLAYING:
            refused += 1
            with pytest.raises(ValueError, match="an XGID does not hold it"):
                xgid(position, state)
    assert refused > 50


SCRIPT = """
import gnubg, json
for command in ("set player 0 human", "set player 1 human", "set automatic game off", "set automatic roll off",
                "set confirm new off", "new match 5"):
    gnubg.command(command)
with open({asked!r}) as file:
    asked = json.load(file)
answers = []
for cube, pos in asked:
    cube["score"], pos["dice"] = tuple(cube["score"]), tuple(pos["dice"])
    answers.append(gnubg.matchid(gnubg.cubeinfo() | cube, pos))
with open({answers!r}, "w") as file:
    json.dump(answers, file)
"""


def for_gnubg(state: MatchState) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two dictionaries in which gnubg.matchid is told a state."""
    cube = {
        "cube": state.cube,
        "cubeowner": -1 if state.owner is None else state.owner,
        "move": state.on_roll,
        "matchto": state.length,
        "score": state.score,
        "crawford": int(state.is_crawford),
        "jacoby": int(state.jacoby),
        "beavers": 0,
    }
    pos = {
        "dice": state.dice or (0, 0),
        "turn": state.to_act,
        "resigned": state.resigned,
        "doubled": int(state.doubled),
        "gamestate": int(state.phase),
    }
    return cube, pos


@pytest.mark.referee
def test_match_ids_equal_gnu_backgammons_on_700_random_states(tmp_path: Path) -> None:
    program = referees.program("gnubg")
    states = [held(state) for _, state in random_states(500, seed=1)]
    states += [held(state) for _, state in random_states(200, seed=2, resigning=0.05, over=True)]
    asked, answers, script = tmp_path / "asked.json", tmp_path / "answers.json", tmp_path / "script.py"
    asked.write_text(json.dumps([for_gnubg(state) for state in states]))
    script.write_text(SCRIPT.format(asked=str(asked), answers=str(answers)))
    referees.run([program, "-t", "-q", "-p", str(script)], home=tmp_path)
    theirs = json.loads(answers.read_text())
    assert len(theirs) == 700
    for state, text in zip(states, theirs, strict=True):
        assert match_id(state) == text
        assert from_match_id(text) == state


XGID_SCRIPT = """
import gnubg, json
for command in ("set player 0 human", "set player 1 human", "set automatic game off", "set automatic roll off",
                "set confirm new off", "new match 5"):
    gnubg.command(command)
with open({asked!r}) as file:
    asked = json.load(file)
answers = []
for text in asked:
    gnubg.command("set xgid " + text)
    answers.append([gnubg.positionid(), gnubg.matchid()])
with open({answers!r}, "w") as file:
    json.dump(answers, file)
"""


@pytest.mark.referee
def test_gnu_backgammon_reads_our_xgids_as_the_same_position_and_match(tmp_path: Path) -> None:
    program = referees.program("gnubg")
    # It steps back from a double that waits, and swaps the players where the one at the top is on roll.
    cases = [
        (position, state)
        for position, state in random_states(800, seed=3)
        if not state.doubled and state.on_roll == 1 and state.limit > 1
    ]
    asked, answers, script = tmp_path / "asked.json", tmp_path / "answers.json", tmp_path / "script.py"
    asked.write_text(json.dumps([xgid(position, state) for position, state in cases]))
    script.write_text(XGID_SCRIPT.format(asked=str(asked), answers=str(answers)))
    referees.run([program, "-t", "-q", "-p", str(script)], home=tmp_path)
    theirs = json.loads(answers.read_text())
    assert len(theirs) > 100
    for (position, state), (board, match) in zip(cases, theirs, strict=True):
        assert board == position_id(position)
        assert from_match_id(match) == held(state)


# What they cannot hold, and what is none


def test_what_a_match_id_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="beavers = True: a Match ID does not hold it"):
        match_id(MatchState(beavers=True))
    with pytest.raises(ValueError, match="limit = 1024: a Match ID does not hold it"):
        match_id(MatchState(limit=1024))


def test_half_points_and_long_nardy_are_refused(impl: ModuleType) -> None:
    rules = replace(ruleset("long"), setup=((24, 1),), head_limit=None, head_exception="none", last_roll="full")
    match = impl.Match(3, rules, seed=1)
    game = match.start_game()
    while not game.is_over:
        game.roll()
        game.play(game.position.plays(game.dice)[0])
    with pytest.raises(ValueError, match="an id holds no half points"):
        MatchState.of(match)
    with pytest.raises(ValueError, match="of contrary roads"):
        xgid(impl.Position.start("long"), MatchState())
    with pytest.raises(ValueError, match="of contrary roads"):
        from_xgid(XGIDS[0][0], "long", position_type=impl.Position)
    with pytest.raises(ValueError, match="the position says 1"):
        xgid(impl.Position.start("short", 1), MatchState())


def test_a_long_nardy_match_has_a_match_id(impl: ModuleType) -> None:
    match = impl.Match(5, "long", cube=CubeRules(), seed=1)
    match.start_game()
    state = MatchState.of(match)
    assert (state.length, state.on_roll) == (5, match.game.starter)
    assert from_match_id(match_id(state)) == state


@pytest.mark.parametrize(
    "text", ["", "cAmrAAAAAAA", "cAmrAAAAAAAEA", "////////////", "cAmr AAAAAAE", "кAmrAAAAAAAE", "cAmrAAAAAAA="]
)
def test_what_is_no_match_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=rf"^text = '{re.escape(text)}': not a Match ID"):
        from_match_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XGID=",
        "XGID=-b----E-C---eE---c-e----B-",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3",
        "XGID=-b----E-C---eE---c-e----B-:4:0:1:52:0:0:3:0:3",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10:0",
        "XGID=-b----E-C---eE---c-e----B-:99:0:1:52:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:99",
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:52:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:2:1:52:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:57:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:50:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:99999:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----P-:0:0:1:52:0:0:3:0:10",
        "XGID=Ab----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----Ba:0:0:1:52:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10\n",
    ],
)
def test_what_is_no_xgid_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^text = "):
        from_xgid(text)


def test_what_is_no_string_is_no_id() -> None:
    for read in (from_match_id, from_xgid):
        with pytest.raises(TypeError, match=r"^text = 5: expected a string$"):
            read(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("cube", 3, "cube = 3: expected a power of two up to 32768"),
        ("cube", 0, "cube = 0: expected a power of two up to 32768"),
        ("limit", 1 << 16, "limit = 65536: expected a power of two up to 32768"),
        ("owner", 2, "owner = 2: expected one of None, 0, 1"),
        ("owner", "0", "owner = '0': expected one of None, 0, 1"),
        ("on_roll", None, "on_roll = None: expected one of 0, 1"),
        ("resigned", 4, "resigned = 4: expected one of 0, 1, 2, 3"),
        ("length", -1, "length = -1: expected an integer from 0 to 32767"),
        ("score", (0, MAX_SCORE + 1), "score[1] = 32768: expected an integer from 0 to 32767"),
        ("score", (1,), "score = (1,): expected two numbers"),
        ("dice", (7, 1), "dice = (7, 1): a die shows 1..6"),
        ("is_crawford", True, "is_crawford = True: there is no Crawford game for money"),
    ],
)
def test_a_state_that_cannot_be_is_refused(field: str, value: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        MatchState(**{field: value})


@given(st.data())
def test_an_id_changed_anywhere_is_refused_or_says_another_state(data: st.DataObject) -> None:
    id_text = data.draw(st.sampled_from([text for text, _ in MATCH_IDS]))
    xgid_text = data.draw(st.sampled_from([text for text, _, _ in XGIDS]))
    letters = st.sampled_from("ABCDEFGHIJKLMNOPabcdefghijklmnop-0123456789:=+/ ")

    def changed(text: str) -> str:
        at, new = data.draw(st.integers(0, len(text) - 1)), data.draw(letters)
        return text[:at] + new + text[at + 1 :]

    with contextlib.suppress(ValueError):
        state = from_match_id(changed(id_text))
        assert from_match_id(match_id(state)) == state
    text = changed(xgid_text)
    try:
        position, state = from_xgid(text)
    except ValueError:
        assert text not in [each.text for each in find_ids(f"{text} ")]
    else:
        assert from_xgid(xgid(position, state)) == (position, state)


# What other programs write for a cube without limit


@pytest.mark.parametrize(
    ("fields", "limit"),
    [
        ("2:1:1:00:0:0:0:7:0", 1 << 15),
        ("2:-1:-1:63:0:0:0:0:0", 1 << 15),
        ("0:0:1:D:0:0:0:7:0", 1 << 15),
        ("0:0:1:00:0:0:0:7:0", 1),
        ("0:0:1:00:0:0:0:7", 1 << 15),
        ("2:1:1:00:0:0:0:7", 1 << 15),
        ("2:1:1:00:0:0:0:7:2", 4),
    ],
)
def test_a_highest_cube_of_0_is_no_limit_beside_a_cube_in_play(impl: ModuleType, fields: str, limit: int) -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:" + fields
    position, state = from_xgid(text, position_type=impl.Position)
    assert state.limit == limit
    assert from_xgid(xgid(position, state), position_type=impl.Position) == (position, state)
    (found,) = find_ids(f"({text}) and more")
    assert found.state == state


def test_ids_that_are_passed_over_are_told(impl: ModuleType) -> None:
    good = "XGID=" + XGIDS[0][0]
    bad = good.replace(":52:", ":77:")
    assert len(find_ids(f"{bad} {good} {bad}")) == 1
    assert [wrong.partition(": ")[2][:9] for wrong in unread_ids(f"{bad} {good} XGID=")] == ["dice '77'", "1 field b"]
    assert unread_ids(f"{good}, {good}") == []


# Pasted text

SHOWN = """ GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : MAGrAAAAAAAE
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: gnubg
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SHOWN, [(OPENING + " w", 0)]),
        (SHOWN.replace("\n", "\r\n"), [(OPENING + " w", 0)]),
        ("try 4HPwATDgc/ABMA:cAmrAAAAAAAE!", [(OPENING + " b", 1)]),
        ("Position ID=4HPwATDgc/ABMA alone", [(OPENING + " w", None)]),
        ("(XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:0:0:3:0:10)", [(OPENING + " w", 0)]),
        ("<p>xgid=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10</p>", [(OPENING + " b", 1)]),
        (
            "LN1:w:AACA/z8AAID/Pw and XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10",
            [("24:15 12:15 w", None), (OPENING + " b", 1)],
        ),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10:77", []),
        ("no ids: aaaaaaaaaaaaaa:bbbbbbbbbbbb here", []),
        ("", []),
    ],
)
def test_ids_are_found_in_pasted_text(text: str, found: list[tuple[str, int | None]]) -> None:
    ids = find_ids(text)
    assert [(str(each.position), each.state and each.state.on_roll) for each in ids] == found
    assert all(text[each.at :].startswith(each.text) for each in ids)


def test_ids_are_found_in_bounded_time() -> None:
    for piece in ("-", "A", "XGID=", "Position ID ", " ", "4HPwATDgc/ABMA:", "4HPwATDgc/ABMA\n"):
        assert find_ids(piece * (300_000 // len(piece))) == []


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("", "1 field between colons, and not 10"),
        ("zz", "1 field between colons, and not 10"),
        (f"{XGIDS[0][0]}:0", "11 fields between colons, and not 10"),
        (XGIDS[0][0].rpartition(":")[0].rpartition(":")[0], "8 fields between colons, and not 10"),
        ("-:0:0:1:52:0:0:3:0:10", "board '-'"),
        ("-b----E-C---eE---c-e----B-:x:0:1:52:0:0:3:0:10", "cube 'x'"),
        ("-b----E-C---eE---c-e----B-:0:2:1:52:0:0:3:0:10", "owner of the cube '2'"),
        ("-b----E-C---eE---c-e----B-:0:0:0:52:0:0:3:0:10", "turn '0'"),
        ("-b----E-C---eE---c-e----B-:0:0:1:77:0:0:3:0:10", "dice '77'"),
        ("-b----E-C---eE---c-e----B-:0:0:1:52:-1:0:3:0:10", "score of bottom '-1'"),
        ("-b----E-C---eE---c-e----B-:0:0:1:52:0:0:4:0:10", "Crawford or Jacoby '4'"),
        ("-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:100", "highest cube '100'"),
    ],
)
def test_a_bad_xgid_is_told_by_its_bad_field(fields: str, reason: str) -> None:
    for text in (fields, "XGID=" + fields):
        with pytest.raises(ValueError, match=": not an XGID, as in 'XGID=") as caught:
            from_xgid(text)
        assert f": {reason}: not an XGID" in str(caught.value)


@pytest.mark.parametrize("wrong", ["x", None, 7, [], nf.Match(3, "short"), nf.Game("short"), nf.Position, MatchState])
def test_ids_of_the_wrong_kind_of_thing_are_refused(wrong: Any) -> None:
    position, state = nf.Position.start("short"), MatchState()
    for call in (
        lambda: nf.match_id(wrong),
        lambda: nf.xgid(position, wrong),
    ):
        with pytest.raises(TypeError, match=r"^state = .*: expected a MatchState, as from MatchState\.of\(match\)$"):
            call()
    for call in (lambda: nf.xgid(wrong, state), lambda: nf.position_id(wrong), lambda: nf.to_signed26(wrong)):
        with pytest.raises(TypeError, match=r"^position = .*: expected a Position$"):
            call()
    if not isinstance(wrong, nf.Match):
        with pytest.raises(TypeError, match=r"^match = .*: expected a Match$"):
            MatchState.of(wrong)
    if not isinstance(wrong, str):
        with pytest.raises(TypeError, match=r"^text = .*: expected a string$"):
            find_ids(wrong)


# Going on from what was read


def test_500_random_states_go_on_to_the_end_of_their_match() -> None:
    rng = random.Random(11)
    finished = 0
    for position, state in random_states(500, seed=4, resigning=0.03):
        told = [(position, state)]
        if not state.resigned:
            told.append(from_xgid(xgid(position, state)))
        if 2 * state.cube <= USUAL_LIMIT:
            told.append((position, from_match_id(match_id(held(state)))))
        for where, stands in told:
            match = stands.to_match(where)
            is_beaver = stands.doubled and stands.to_act == stands.on_roll
            assert MatchState.of(match) == (replace(stands, beavers=True) if is_beaver else stands)
            assert match.game is not None
            assert match.game.position == position
        while not match.game.is_over:
            act(match.game, rng, 0.05)
        play_match(match, rng, games=3)
        finished += match.is_over
    assert finished > 20


def test_a_state_goes_on_with_the_reference_too(reference: ModuleType) -> None:
    state = MatchState(cube=2, owner=0, on_roll=0, to_act=1, doubled=True, length=5, score=(1, 2))
    match = state.to_match(reference.Position.parse(f"{OPENING} b", "short"), match_type=reference.Match)
    assert type(match) is reference.Match
    match.game.take(0)  # White, whom player 1 has
    assert (match.game.cube, match.score, match.game.white) == ((4, 0), (1, 2), 1)
    with pytest.raises(TypeError, match=r"^position = .*: expected a Position$"):
        state.to_match(reference.Position.parse(f"{OPENING} b", "short"))


def test_a_match_to_one_point_goes_on_without_a_cube() -> None:
    match = MatchState(length=1).to_match(nf.Position.parse(f"{OPENING} w", "short"))
    assert match.game is not None
    assert match.game.cube is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"phase": Phase.OVER}, "phase = OVER: no game is being played"),
        ({"phase": Phase.NONE}, "phase = NONE: no game is being played"),
        ({"score": (5, 0)}, "score = (5, 0): expected two numbers of points below 5"),
        ({"is_crawford": True}, "is_crawford = True: by the score"),
        ({"score": (4, 0), "is_crawford": True, "cube": 2, "owner": 0}, "cube_state = "),
        ({"doubled": True, "to_act": 1, "owner": 1, "cube": 2}, "double: the cube is the opponent's"),
        ({"to_act": 1}, "to_act = 1: does not fit"),
        ({"limit": 1, "cube": 2}, "cube_state = Cube(value=2, owner=None): the game is played without a cube"),
    ],
)
def test_a_state_that_no_match_can_have_does_not_go_on(change: dict[str, Any], reason: str) -> None:
    state = replace(MatchState(length=5), **change)
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        state.to_match(nf.Position.parse(f"{OPENING} w", "short"))
