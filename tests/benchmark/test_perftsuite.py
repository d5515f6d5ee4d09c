"""Suites of positions with perft counts: the file format, the suite that comes with the package, and the command."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from usual_rulesets import USUAL_RULESETS

import nardy_fast
from nardy_fast.benchmark.perftsuite import SHIPPED, Entry, check, divide, listed_leaves, read_entry, read_suite
from nardy_fast.commands.main import main
from nardy_fast.rules import ROLLS

START = Entry("24:15 12:15 w", "long", ((1, 22), (2, 484)), 1)
SUITE = SHIPPED.read_text("utf-8")


@pytest.fixture(scope="module")
def shipped() -> list[Entry]:
    return read_suite(SUITE.splitlines(), "shipped")


# The format


def test_a_line_is_a_position_its_rules_and_its_counts() -> None:
    assert read_entry("24:15 12:15 w long ;D1 22 ;D2 484", 1) == START
    assert read_entry("  24:15\t12:15  w long;D1 22;  D2   484  # ;D3 1", 1) == START


def test_depths_may_be_left_out() -> None:
    entry = read_entry("24:15 12:15 w long ;D3 35387")
    assert entry is not None
    assert entry.leaves == ((3, 35387),)


def test_an_entry_is_written_as_it_is_read() -> None:
    assert read_entry(str(START), 1) == START


def test_comments_and_empty_lines_count_as_lines_only() -> None:
    entries = read_suite(["# a suite", "", "   ", str(START), " # the end"], "name")
    assert entries == [Entry(START.position, START.rules, START.leaves, line=4)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("24:15 12:15 w ;D1 22", "'24:15 12:15 w': expected WHITE BLACK SIDE RULES, as in '24:15 12:15 w long'"),
        ("24:15 12:15 w 6-5 long ;D1 22", "'24:15 12:15 w 6-5 long': expected WHITE BLACK SIDE RULES"),
        (";D1 22", "'': expected WHITE BLACK SIDE RULES"),
        ("24:15 12:15 w lang ;D1 22", "rules = 'lang': expected one of long, "),
        ("24:15 12:15 x long ;D1 22", "text = '24:15 12:15 x': 'x' is no side: expected w or b"),
        ("24:16 12:15 w long ;D1 22", "text = '24:16 12:15 w': '24:16': White has 16 checkers: expected at most 15"),
        ("24:15 24:15 w long ;D1 22", "board[0, 1]"),
        ("24:15 12:15 w long", "no counts: expected ;D and a depth and its leaves, as in ';D1 22'"),
        ("24:15 12:15 w long ;D1", "'D1': expected D, a depth from 1, a space and the leaves, as in 'D1 22'"),
        ("24:15 12:15 w long ;D1 22;", "'': expected D, a depth"),
        ("24:15 12:15 w long ;D0 1", "'D0 1': expected D, a depth from 1"),
        ("24:15 12:15 w long ;D1 0", "'D1 0': expected D, a depth"),
        ("24:15 12:15 w long ;D1 -22", "'D1 -22': expected D, a depth"),
        ("24:15 12:15 w long ;D1 22 D2 484", "'D1 22 D2 484': expected D, a depth"),
        ("24:15 12:15 w long ;D1 2²", "'D1 2²': expected D, a depth"),
        ("24:15 12:15 w long ;D2 484 ;D1 22", "'D1 22': comes after D2; expected the depths in rising order"),
        ("24:15 12:15 w long ;D1 22 ;D1 22", "'D1 22': comes after D1; expected the depths in rising order"),
    ],
)
def test_what_is_not_in_the_format_is_refused_with_its_line(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"a suite, line 3: {reason}")):
        read_suite(["# one", str(START), line, line], "a suite")


def test_a_suite_without_positions_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^name: there are no positions in it$"):
        read_suite(["# nothing", ""], "name")


# The suite that comes with the package


def test_the_suite_has_four_positions_of_every_preset(shipped: list[Entry]) -> None:
    assert len(shipped) == 68
    assert Counter(entry.rules for entry in shipped) == dict.fromkeys(set(USUAL_RULESETS) - {"backgammon"}, 4)
    assert len({(entry.position, entry.rules) for entry in shipped}) == 68


def test_the_suite_has_every_phase() -> None:
    phases = Counter(re.findall(r"# (.+?); reference to D\d", SUITE))
    assert sum(phases.values()) == 68
    assert phases["start"] + phases["opening"] == phases["middle"] == phases["bearing off"] == 17
    assert phases["block"] + phases["head"] + phases["bar"] + phases["stack limit"] == 17


def test_the_suite_is_in_the_package_s_own_text(shipped: list[Entry]) -> None:
    for entry in shipped:
        assert str(nardy_fast.Position.parse(entry.position, entry.rules)) == entry.position
        assert [depth for depth, _ in entry.leaves] == list(range(1, len(entry.leaves) + 1))


def test_the_suite_goes_beyond_what_the_reference_can_reach() -> None:
    comments = (line.partition("#") for line in SUITE.splitlines() if not line.startswith("#"))
    counted = [(int(comment[-1]), entry.count(";D")) for entry, _, comment in comments if entry]
    assert len(counted) == 68
    assert all(1 <= reached <= depths for reached, depths in counted)
    assert sum(reached < depths for reached, depths in counted) > 30


@pytest.mark.parametrize("depth", [1, 2, pytest.param(None, marks=pytest.mark.slow)])
def test_the_native_core_finds_the_counts_of_the_suite(native: ModuleType, shipped: list[Entry], depth: int | None) -> None:
    assert [mismatch for entry in shipped if (mismatch := check(entry, native, native.perft, depth))] == []


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2])
def test_listing_finds_the_counts_of_the_suite(native: ModuleType, shipped: list[Entry], depth: int) -> None:
    assert [mismatch for entry in shipped if (mismatch := check(entry, native, listed_leaves, depth))] == []


def test_the_reference_finds_the_counts_of_the_suite(reference: ModuleType, shipped: list[Entry]) -> None:
    assert [mismatch for entry in shipped if (mismatch := check(entry, reference, reference.perft, 1))] == []


# Counting by lists


@pytest.mark.parametrize(
    ("text", "rules", "depth"),
    [
        ("24:15 12:15 w", "long", 0),
        ("24:15 12:15 w", "long", 2),
        ("1:1 13:1 w", "long", 2),  # every roll ends the game
        ("- 18:2 b", "long", 3),  # it is over
        ("2:1 13:1 w", "federation", 3),  # with the last roll
        ("bar:1,6:2 bar:1,6:1,5:1 w", "short", 2),
        ("20:1 2:3 b", "hypergammon", 2),
    ],
)
def test_listing_counts_as_perft_does(impl: ModuleType, text: str, rules: str, depth: int) -> None:
    position = impl.Position.parse(text, rules)
    assert listed_leaves(position, depth) == impl.perft(position, depth)


class Twice:
    """A position of the broken kind: it lists every play twice."""

    def __init__(self, position: Any) -> None:
        self.position = position

    is_over = False

    def plays(self, dice: tuple[int, int]) -> list[Any]:
        return 2 * list(self.position.plays(dice))


def test_listing_counts_a_play_that_is_listed_twice_once(native: ModuleType) -> None:
    assert listed_leaves(Twice(native.Position.start()), 1) == 22


# Comparing


def test_right_counts_are_no_mismatch(impl: ModuleType) -> None:
    assert check(START, impl, impl.perft) is None


def test_the_first_wrong_count_is_told_with_its_divide(impl: ModuleType) -> None:
    wrong = Entry("24:15 12:15 w", "long", ((1, 22), (2, 483), (3, 1)), 7)
    mismatch = check(wrong, impl, impl.perft)
    assert mismatch is not None
    assert (mismatch.entry, mismatch.depth, mismatch.expected, mismatch.found) == (wrong, 2, 483, 484)
    assert [dice for dice, _ in mismatch.divide] == [dice for dice, _ in ROLLS]
    assert sum(leaves for _, leaves in mismatch.divide) == 484
    assert dict(mismatch.divide)[3, 3] == 44
    first, second, *rolls = str(mismatch).splitlines()
    assert (first, second) == ("line 7: long, 24:15 12:15 w", "    D2 is 484, and the suite says 483")
    assert len(rolls) == 21
    assert rolls[5].split() == ["3-3", "44"]


def test_a_finished_game_has_nothing_to_divide(impl: ModuleType) -> None:
    assert list(divide(impl.Position.parse("- 18:2 b"), 2, impl.perft)) == []
    mismatch = check(Entry("- 18:2 b", "long", ((1, 2),)), impl, impl.perft)
    assert mismatch is not None
    assert (mismatch.found, mismatch.divide) == (1, ())


def test_what_is_deeper_than_wanted_is_not_counted(impl: ModuleType) -> None:
    assert check(Entry("24:15 12:15 w", "long", ((1, 22), (2, 483))), impl, impl.perft, depth=1) is None


# The command


def test_the_command_counts_a_file_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "suite.txt"
    path.write_text("# two\n24:15 12:15 w long ;D1 22 ;D2 484\n24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 b short ;D1 447\n", "utf-8")
    assert main(["perftsuite", str(path)]) == 0
    shown, complaints = capsys.readouterr()
    first, second, empty, summary = shown.splitlines()
    assert first == "ok     long   D2           484  24:15 12:15 w"
    assert second == "ok     short  D1           447  24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 b"
    assert summary.startswith("2 positions, 0 wrong; 953 leaves in ")
    assert (empty, complaints) == ("", "")


@pytest.mark.parametrize("options", [[], ["--listing"], ["--impl", "reference"], ["--impl", "reference", "--listing"]])
def test_a_mismatch_is_reported_and_the_rest_still_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    path = tmp_path / "suite.txt"
    path.write_text("24:15 12:15 w long ;D1 22 ;D2 485\n24:15 12:15 b long ;D1 22\n", "utf-8")
    assert main(["perftsuite", str(path), *options]) == 1
    shown, complaints = capsys.readouterr()
    lines = shown.splitlines()
    assert lines[:2] == ["WRONG  line 1: long, 24:15 12:15 w", "    D2 is 484, and the suite says 485"]
    assert [line.split() for line in lines[2:23]] == [
        [f"{high}-{low}", "44" if (high, low) == (3, 3) else "22"] for (high, low), _ in ROLLS
    ]
    assert lines[23] == "ok     long  D1            22  24:15 12:15 b"
    assert lines[-1].startswith("2 positions, 1 wrong; ")
    assert complaints == "nardy-fast: 1 of 2 positions have other counts than the suite says\n"


def test_the_command_can_leave_out_what_is_deep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "suite.txt"
    path.write_text("24:15 12:15 w long ;D1 22 ;D2 485\n24:15 12:15 w long ;D2 485\n", "utf-8")
    assert main(["perftsuite", str(path), "--depth", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["ok     long  D1            22  24:15 12:15 w", "ok     long  nothing so shallow  24:15 12:15 w"]


def test_without_a_file_the_shipped_suite_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perftsuite", "--depth", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 70
    assert lines[-1].startswith("68 positions, 0 wrong; ")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"24:15 12:15 w long ;D1 22\n24:15 12:15 w long ;D1 x\n", "line 2: 'D1 x': expected D"),
        (b"# nothing\n", "there are no positions in it"),
        (b"24:15 12:15 w long ;D1 22 # \xff\n", "not UTF-8 text: invalid start byte at byte 28"),
    ],
)
def test_a_malformed_file_gives_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, complaint: str
) -> None:
    path = tmp_path / "suite.txt"
    path.write_bytes(content)
    assert main(["perftsuite", str(path)]) == 2
    shown, complaints = capsys.readouterr()
    assert shown == ""
    assert complaints.startswith(f"nardy-fast: {path}")
    assert complaint in complaints
    assert complaints.count("\n") == 1


def test_a_file_that_is_not_there_gives_one_line_and_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.txt"
    assert main(["perftsuite", str(path)]) == 2
    assert capsys.readouterr() == ("", f"nardy-fast: {path}: No such file or directory\n")


@pytest.mark.parametrize("depth", ["0", "-1", "x", "1.5", "²"])
def test_a_depth_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], depth: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["perftsuite", "--depth", depth])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == f"nardy-fast: argument --depth: {depth!r}: expected a number of turns, from 1\n"
