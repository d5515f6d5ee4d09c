"""The subcommands show, match, convert and replay."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import nardy_fast as nf
from nardy_fast.commands.main import main
from nardy_fast.formats.mat import read_mat
from nardy_fast.formats.records import read_jsonl, read_text
from nardy_fast.games.match import Match

UNKNOWN = (
    "none of the formats that can be read: text ('; [Record \"nardy_fast 1\"]'); JSON Lines ('{'); "
    "a .mat file ('5 point match'); .xg, .bgf, .gvab, .ogxm, .gva, .sgf"
)
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:2:1:0:5:6"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


# show


@pytest.mark.parametrize("what", [XGID, f"see {XGID} there", "4HPwATDgc/ABMA:cImqABAAEAAE"])
def test_show_prints_the_board_the_pips_and_all_ids(capsys: pytest.CaptureFixture[str], what: str) -> None:
    out = told(capsys, "show", *what.split())
    lines = [line.split(maxsplit=1) for line in out.splitlines()]
    assert "│BAR│" in out
    assert ["position", "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 b"] in lines
    assert ["pips", "Black 167"] in lines
    assert ["match", "to 5 points, White 1, Black 2, cube 1 in the middle"] in lines
    assert ["id", "4HPwATDgc/ABMA"] in lines
    assert ["match", "id  cImqABAAEAAE"] in [line.split(maxsplit=1) for line in out.splitlines()]
    assert ["XGID", XGID] in lines


def test_show_takes_positions_of_any_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert "id        LN1:w:AACA/z8AAID/Pw" in told(capsys, "show", "24:15 12:15 w")
    assert "id        LN1:w:AACA/z8AAID/Pw" in told(capsys, "show", "LN1:w:AACA/z8AAID/Pw")
    assert "XGID      XGID=" in told(capsys, "show", "4HPwATDgc/ABMA")
    assert "to move 6-5" in told(capsys, "show", "24:1 24:1 w 6-5", "--rules", "hypergammon")


@pytest.mark.parametrize(
    ("dice", "words"),
    [("D", "White to answer a double"), ("B", "Black to answer a beaver"), ("00", "Black to throw or double")],
)
def test_show_tells_what_is_awaited(capsys: pytest.CaptureFixture[str], dice: str, words: str) -> None:
    out = told(capsys, "show", f"XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:3:0:10")
    assert words in out
    assert "Jacoby, beavers" in out
    assert "match id  none: beavers = True: a Match ID does not hold it" in out


@pytest.mark.parametrize("what", ["nonsense", "24:15 12:15 x", "XGID=--:0", ""])
def test_show_refuses_what_is_none(capsys: pytest.CaptureFixture[str], what: str) -> None:
    assert "text = " in refused(capsys, "show", what)


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("XGID=", "text = 'XGID=': 1 field"),
        (XGID.rpartition(":")[0].rpartition(":")[0], ": 8 fields between colons, and not 10: not an XGID"),
        (XGID.replace(":52:", ":77:"), ": dice '77': not an XGID"),
        (XGID.replace(":52:", ":50:"), ": dice = (5, 0): a die shows 1..6"),
        (f"see {XGID.replace(':52:', ':77:')} there", ": dice '77': not an XGID"),
        (XGID.lower().replace(":52:", ":77:"), ": dice '77': not an XGID"),
    ],
)
def test_show_tells_what_is_wrong_with_an_xgid(capsys: pytest.CaptureFixture[str], what: str, reason: str) -> None:
    assert reason in refused(capsys, "show", *what.split())


def test_show_tells_the_cube_of_an_xgid_without_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert "cube 4 of White" in told(capsys, "show", "XGID=-b----E-C---eE---c-e----B-:2:-1:1:00:0:0:0:7:0")


def test_show_tells_of_ids_that_it_passes_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", XGID, XGID.replace(":52:", ":77:")]) == 0
    out, err = capsys.readouterr()
    assert out.count("│BAR│") == 1
    assert re.fullmatch(r"nardy-fast: text = .*: dice '77': not an XGID, as in .*\n", err)


# match


@pytest.mark.parametrize("rules", ["long", "short", "acey_deucey"])
def test_match_plays_to_the_end_and_writes_its_record(capsys: pytest.CaptureFixture[str], tmp_path: Path, rules: str) -> None:
    file = tmp_path / "match.txt"
    arguments = ("match", "--points", "5", "--cube", "--rules", rules, "--seed", "3")
    out = told(capsys, *arguments)
    assert told(capsys, *arguments, "--out", str(file)) == ""
    assert file.read_text(encoding="utf-8") == out
    match = read_text(file)
    assert isinstance(match, Match)
    assert match.is_over
    assert match.cube is not None


def test_match_plays_for_money(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    told(
        capsys,
        "match",
        "--points",
        "0",
        "--games",
        "2",
        "--cube",
        "--jacoby",
        "--beavers",
        "--rules",
        "short",
        "--out",
        str(file),
    )
    match = read_mat(file)
    assert len(match.games) == 2
    assert match.cube is not None
    assert match.cube.jacoby
    assert match.cube.beavers


def test_players_who_look_ahead_play_what_searchers_choose(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    told(capsys, "match", "--white", "1-ply", "--black", "easy", "--points", "1", "--seed", "1", "--out", str(path))
    (match,) = read_jsonl(path)
    assert isinstance(match, Match)
    assert match.players == ("1-ply 0", "easy 1")
    searcher, compared = nf.analysis.Searcher(nf.players.Network.load("long")), 0
    for play in match.games[0].turns:
        if match.games[0].player(play.position.turn) == 0:
            assert play.afterstate == searcher.choose(play.position, play.dice).afterstate
            compared += 1
    assert compared > 10


def test_match_follows_scripts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "Anna.txt", tmp_path / "Boris.txt"
    first.write_text("drop  # at once\n")
    second.write_text("double\n")
    # The throws of the seed are found by trying; the player who begins has a play to make first.
    errors = {refused_or_played(capsys, first, second, seed) for seed in range(6)}
    assert any("Boris.txt, line 1: double: the dice have been thrown" in error for error in errors)
    assert any("Anna.txt, line 1: drop: the dice have been thrown" in error for error in errors)


def refused_or_played(capsys: pytest.CaptureFixture[str], first: Path, second: Path, seed: int) -> str:
    main(["match", "--rules", "short", "--cube", "--player", str(first), "--player", str(second), "--seed", str(seed)])
    return capsys.readouterr().err


def test_a_script_may_play_double_and_resign(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("resign 3\n" * 20)
    out = told(capsys, "match", "--points", "3", "--player", str(script), "--seed", "1")
    assert "resigns 3" in out
    assert "Match over: 0-3" in out
    script.write_text("24/18\n")
    assert "script.txt, line 1: text = '24/18'" in refused(capsys, "match", "--player", str(script), "--seed", "1")
    script.write_text("# nothing\n")
    assert "the lines end before the match does" in refused(capsys, "match", "--player", str(script), "--seed", "1")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--jacoby",), "--cube: what is agreed about the cube needs one"),
        (("--cube", "--jacoby"), "jacoby = True: is for money only"),
        (("--cube", "--limit", "7"), "limit = 7"),
        (("--points", "-1"), "points = -1"),
        (("--games", "0"), "--games = 0: expected 1 or more"),
        (("--games", "-3"), "--games = -3: expected 1 or more"),
        (("--points", "0", "--games", "0"), "--games = 0: expected 1 or more"),
        (("--rules", "chess"), "chess"),
        (("--player", "a", "--player", "b", "--player", "c"), "--player: expected two at most"),
        (("--player", "no/such/file"), "No such file"),
        (("--out", "match.xg"), "are read, not written"),
        (("--out", "no/such/folder/match.txt"), "No such file"),
        (("--rules", "long", "--out", "match.mat"), "a .mat file holds only Backgammon"),
    ],
)
def test_match_refuses_nonsense(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str) -> None:
    assert reason in refused(capsys, "match", *arguments)


# convert and replay


def test_convert_goes_round_all_formats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first = tmp_path / "first.mat"
    told(capsys, "match", "--points", "3", "--cube", "--rules", "short", "--out", str(first))
    names = ["first.mat", "second.jsonl", "third.txt", "fourth.mat"]
    for source, target in pairwise(names):
        told(capsys, "convert", str(tmp_path / source), str(tmp_path / target))
    assert (tmp_path / "fourth.mat").read_bytes() == first.read_bytes()
    (match,) = read_jsonl(tmp_path / "second.jsonl")
    assert match == read_text(tmp_path / "third.txt") == read_mat(first)


def test_convert_refuses_what_a_format_cannot_hold(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, target = tmp_path / "match.txt", tmp_path / "out.mat"
    told(capsys, "match", "--points", "3", "--out", str(source))
    assert "a .mat file holds only Backgammon" in refused(capsys, "convert", str(source), str(target))
    told(capsys, "convert", str(source), str(tmp_path / "match.jsonl"))
    both = tmp_path / "both.jsonl"
    both.write_text((tmp_path / "match.jsonl").read_text() * 2)
    assert "holds one record, and there are 2" in refused(capsys, "convert", str(both), str(tmp_path / "out.txt"))
    assert "are read, not written" in refused(capsys, "convert", str(source), str(tmp_path / "out.xg"))
    assert "No such file" in refused(capsys, "convert", str(tmp_path / "none.mat"), str(target))
    (tmp_path / "cut.mat").write_text(" 5 point match\n\n Game 1\n")
    assert "line 3: " in refused(capsys, "convert", str(tmp_path / "cut.mat"), str(target))
    assert not target.exists()


def test_convert_keeps_illegal_plays_when_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, target = tmp_path / "match.mat", tmp_path / "match.txt"
    source.write_text(" 5 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 8/6\n")
    assert "line 5: game 1: " in refused(capsys, "convert", str(source), str(target))
    told(capsys, "convert", "--illegal", "keep", str(source), str(target))
    assert '1) 31: illegal 24:2,13:5,8:1,6:6,5:1 24:2,13:5,8:3,6:5 b # "8/5 8/6"\n' in target.read_text()


def test_replay_prints_the_board_before_each_play(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    told(capsys, "match", "--points", "1", "--rules", "hypergammon", "--out", str(file))
    out = told(capsys, "replay", str(file))
    (match,) = (read_mat(file),)
    assert out.count("│BAR│") == sum(len(game.turns) + 1 for game in match.games)
    assert out.splitlines()[-1].startswith("Match over: ")
    assert "No such file" in refused(capsys, "replay", str(tmp_path / "none.txt"))


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("in.mat", b"", "in.mat: line 1: the file ends before its first game"),
        ("in.mat", b"\n\n", "in.mat: line 2: the file ends before its first game"),
        ("in.mat", b"\0\n", "in.mat: line 1: not text in UTF-8 or Latin-1"),
        ("in.mat", b"hello\n", "in.mat: line 1: hello: expected a header, or '5 point match' and the like"),
        ("in.txt", b"", f"in.txt: {UNKNOWN}"),
        ("in", b"\x7fELF\xff\n", f"in: {UNKNOWN}"),
        ("in.txt", b"x" * 20_000, f"in.txt: {UNKNOWN}"),
        ("in.txt", b'; [Record "nardy_fast 1"]\n' + b"x" * 20_000, "in.txt: line 2: longer than 10000 bytes"),
        ("in.jsonl", b"\n\xff\n", "in.jsonl: line 2: not UTF-8 text"),
        ("in.bgf", b"\xff", "in.bgf: not a match that can be read"),
        ("in.gvab", b"", "in.gvab: not a match that can be read: too short"),
        ("in.gva", b"\xff", "in.gva: not a match that can be read"),
        ("in.gva", b"[]", "in.gva: not a match that can be read: expected an object"),
    ],
)
def test_an_unreadable_file_is_told_by_its_name_and_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, error: str
) -> None:
    def too_short(data: bytes) -> None:
        raise ValueError("too short")

    codec = SimpleNamespace(convert_bgf=lambda file: file.read_text("utf-8"), read_gvab=too_short)
    monkeypatch.setitem(sys.modules, "gvformat", codec)  # type: ignore[arg-type]
    file, target = tmp_path / name, tmp_path / "out.mat"
    file.write_bytes(content)
    for arguments in (("convert", str(file), str(target)), ("replay", str(file))):
        assert refused(capsys, *arguments) == f"nardy-fast: {error}\n"
    assert not target.exists()


def test_a_file_that_is_not_there_is_told_by_its_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("none.mat", "none.jsonl", "none.txt", "none.xg"):
        file = tmp_path / name
        for arguments in (("convert", str(file), str(tmp_path / "out.txt")), ("replay", str(file))):
            assert refused(capsys, *arguments) == f"nardy-fast: {file}: No such file or directory\n"


@pytest.mark.parametrize("moves", ["62: 24/18 13/11", "62:", ""])
def test_convert_says_that_the_last_game_is_unfinished(capsys: pytest.CaptureFixture[str], tmp_path: Path, moves: str) -> None:
    source, target = tmp_path / "cut.mat", tmp_path / "out.txt"
    source.write_text(f" 5 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5                {moves}\n")
    assert main(["convert", str(source), str(target)]) == 0
    assert capsys.readouterr() == ("", "nardy-fast: cut.mat: the last game is unfinished\n")
    assert target.read_text().endswith("Unfinished\n\nMatch unfinished: 0-0\n")
    # Our own record says so itself, and a finished game needs no word.
    assert main(["convert", str(target), str(tmp_path / "again.mat")]) == 0
    assert capsys.readouterr() == ("", "")
    source.write_text(" 5 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n      Wins 1 point\n")
    assert main(["convert", str(source), str(target)]) == 0
    assert capsys.readouterr() == ("", "")
