"""A stored corpus of match files as other programs and people write them, read strictly and leniently. All names are made up."""

from __future__ import annotations

import contextlib
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from nardy_fast.commands.main import main
from nardy_fast.formats import files
from nardy_fast.formats.mat import from_mat, read_mat, read_mats
from nardy_fast.formats.records import read_jsonl
from nardy_fast.formats.transcript import Doubt

CORPUS = Path(__file__).parents[1] / "files"

#: Of each match: its score, and of each game who has won, how much, and how.
Matches = list[tuple[tuple[int, int], list[tuple[int, int, str] | None]]]

#: The name of a file; what a strict reading gives, or the beginning of its error; what a lenient one gives, and its doubts.
CASES: list[tuple[str, Matches | str, Matches, list[str]]] = [
    (
        "endings.txt",
        endings := [
            (
                (7, 5),
                [
                    (1, 1, "resigned"),
                    (0, 2, "resigned"),
                    (1, 1, "resigned"),
                    (0, 2, "resigned"),
                    (0, 1, "dropped"),
                    (1, 3, "resigned"),
                    (0, 2, "resigned"),
                ],
            )
        ],
        endings,
        [],
    ),
    (
        "capped.mat",
        "line 21: game 3: Wins 1: expected 1, 2 or 3 times the stake, which is 2",
        [((2, 6), [(1, 4, "resigned"), (0, 2, "resigned"), (1, 2, "resigned")])],
        ["line 21: game 3: Wins 1: expected 1, 2 or 3 times the stake, which is 2; taken as what was needed"],
    ),
    (
        "total.mat",
        "line 21: game 3: Wins 5: expected 1, 2 or 3 times the stake, which is 2",
        [((2, 6), [(1, 4, "resigned"), (0, 2, "resigned"), (1, 2, "resigned")])],
        ["line 21: game 3: Wins 5: expected 1, 2 or 3 times the stake, which is 2; taken as the points in all"],
    ),
    (
        "nonsense.mat",
        "line 15: game 2: Wins 1004: expected 1, 2 or 3 times the stake, which is 1",
        [((2, 4), [(1, 4, "resigned"), (0, 2, "resigned"), None])],
        [
            "line 15: game 2: Wins 1004: expected 1, 2 or 3 times the stake, which is 1",
            "line 18: game 3: the game before is taken as won by 2, as the score says",
            "line 21: game 3: Wins 1004: expected 1, 2 or 3 times the stake, which is 2",
        ],
    ),
    (
        "renamed.mat",
        "line 9: game 2: Lea Berg and Nils: the players are Lea B and Nils",
        [((3, 1), [(0, 1, "resigned"), (1, 1, "resigned"), (0, 2, "resigned")])],
        [
            "line 9: game 2: Lea Berg and Nils: the players are Lea B and Nils",
            "line 14: game 3: Nils and Lea Berg: the players are Lea B and Nils",
        ],
    ),
    (
        "two_matches.txt",
        two := [((1, 0), [(0, 1, "resigned")]), ((0, 3), [(1, 3, "resigned")])],
        two,
        [],
    ),
    (
        "broken.mat",
        "line 10: game 2: 23/17 13/11: there is no checker to move so",
        [((3, 1), [(0, 1, "resigned"), (0, 2, "resigned"), (1, 1, "resigned")])],
        [
            "line 10: game 2: 23/17 13/11: there is no checker to move so",
            "line 16: game 3: double: expected the first roll of the game",
            "line 19: game 3: the game is left out",
            "line 20: game 4: 4-0: by the games before, the score is 3-0",
        ],
    ),
    (
        "cut.mat",
        "line 10: game 2: 23/17 13/11: there is no checker to move so",
        [((1, 0), [(0, 1, "resigned"), None])],
        ["line 10: game 2: 23/17 13/11: there is no checker to move so"],
    ),
    (
        "variation.mat",
        "line 2: Variation 'Tapa': expected one of Backgammon, NackGammon, HyperGammon (3), LongGammon",
        [((1, 0), [(0, 1, "resigned")])],
        ["line 2: Variation 'Tapa': expected one of Backgammon, NackGammon, HyperGammon (3), LongGammon"],
    ),
]


def told(matches: list[Any]) -> Matches:
    return [(match.score, [game.result and tuple(game.result) for game in match.games]) for match in matches]


@pytest.mark.parametrize(("name", "strict"), [case[:2] for case in CASES], ids=[case[0] for case in CASES])
def test_a_strict_reading_gives_the_matches_or_says_what_is_wrong(name: str, strict: Matches | str) -> None:
    if isinstance(strict, str):
        with pytest.raises(ValueError, match=r"^\S+: ") as caught:
            files.read(CORPUS / name)
        assert str(caught.value) == f"{name}: {strict}"
    else:
        assert told(files.read(CORPUS / name)) == strict


@pytest.mark.parametrize(("name", "lenient", "doubts"), [(case[0], *case[2:]) for case in CASES], ids=[case[0] for case in CASES])
def test_a_lenient_reading_keeps_the_good_games_and_tells_its_doubts(name: str, lenient: Matches, doubts: list[str]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert told(files.read(CORPUS / name, strict=False)) == lenient
    assert [(each.category, str(each.message)) for each in caught] == [(Doubt, doubt) for doubt in doubts]


def test_every_file_of_the_corpus_is_read() -> None:
    assert {path.name for path in CORPUS.glob("*.[mt]?t")} == {case[0] for case in CASES} | {"no_match.txt"}


def test_what_is_no_match_is_none_leniently_either() -> None:
    for strict in (True, False):
        with pytest.raises(ValueError, match=r"^no_match\.txt: none of the formats that can be read: text "):
            files.read(CORPUS / "no_match.txt", strict=strict)
        with pytest.raises(ValueError, match=r"line 1: Anna and Boris played|line 2: the file ends before its first game"):
            read_mat(CORPUS / "no_match.txt", strict=strict)


def test_a_second_match_is_refused_or_doubted_where_one_is_asked_for() -> None:
    message = r"^line 11: game 1: another match begins: from_mats and read_mats read all$"
    with pytest.raises(ValueError, match=message):
        read_mat(CORPUS / "two_matches.txt")
    with pytest.warns(Doubt, match=message):
        match = read_mat(CORPUS / "two_matches.txt", strict=False)
    assert (match.players, match.score) == (("Ada", "Jörg"), (1, 0))
    second = read_mats(CORPUS / "two_matches.txt")[1]
    assert (second.players, second.rules.name, second.points) == (("Ada", "Pim"), "longgammon", 3)


def test_a_renamed_player_keeps_his_column() -> None:
    with pytest.warns(Doubt, match="the players are"):
        match = read_mat(CORPUS / "renamed.mat", strict=False)
    assert match.players == ("Lea B", "Nils")
    assert [game.starter for game in match.games] == [0, 0, 1]


def test_convert_finds_the_format_by_the_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(CORPUS / "two_matches.txt"), str(tmp_path / "out.jsonl")]) == 0
    assert [match.score for match in read_jsonl(tmp_path / "out.jsonl")] == [(1, 0), (0, 3)]
    assert capsys.readouterr() == ("", "")
    assert main(["convert", str(CORPUS / "no_match.txt"), str(tmp_path / "none.jsonl")]) == 2
    assert "none of the formats that can be read" in capsys.readouterr().err


def test_convert_reads_leniently_when_asked_and_tells_what_it_doubts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["convert", str(CORPUS / "capped.mat"), str(tmp_path / "out.jsonl")]
    assert main(arguments) == 2
    capsys.readouterr()
    assert main([*arguments, "--lenient"]) == 0
    assert capsys.readouterr() == (
        "",
        "nardy-fast: capped.mat: line 21: game 3: Wins 1: expected 1, 2 or 3 times the stake, which is 2; "
        "taken as what was needed\n",
    )
    assert [match.winner for match in read_jsonl(tmp_path / "out.jsonl")] == [1]


# How a game is given up


def given_up(*rows: str) -> Any:
    head = " 5 point match\n\n Game 1\n Una : 0                        Rolf : 0\n"
    return from_mat(head + "  1) 31: 8/5 6/5                 62: 24/18 13/11\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize(
    "cell",
    [
        *("Concedes", "Resigns", "resigned", "61: Concedes", "61: Resigns", "Concedes the game", "Gives up", "Surrenders"),
        *("Forfeits", "Loses on time", "Lost on time", "Times out", "Timed out", "Time out", "Timeout", "Out of time"),
        *("Time forfeit", "Quits", "Abandons", "Disconnected", "Leaves", "сдался", "00: ????", "00:"),
    ],
)
def test_who_gives_up_loses_the_stake(cell: str) -> None:
    assert given_up(f"  2) {cell}").score == (0, 1)
    assert given_up(f"  2) {cell}", " " * 30 + "Wins 2 points").score == (0, 2)
    assert given_up(f"  2) {cell:27} Wins 2 points").score == (0, 2)
    doubled = given_up("  2)  Doubles => 2               Takes", f"  3) {cell}")
    assert doubled.score == (0, 2)


@pytest.mark.parametrize(("cell", "points"), [("Resigns gammon", 2), ("Concedes a backgammon", 3), ("Resigns single game", 1)])
def test_a_gammon_may_be_given_up(cell: str, points: int) -> None:
    assert given_up(f"  2) {cell}").score == (0, points)


def test_who_gives_up_before_a_double_drops() -> None:
    match = given_up("  2)  Doubles => 2              Concedes")
    assert match.game.result == (match.game.player(0), 1, "dropped")


def test_who_has_given_up_does_not_win() -> None:
    with pytest.raises(ValueError, match="line 7: game 1: Wins: it is the player who has resigned"):
        given_up("  2) Concedes", "      Wins 1 point")


# What goes on and on


@pytest.mark.parametrize("suffix", [".mat", ".txt", ".jsonl", ".sgf", ".xg"])
@pytest.mark.parametrize("piece", ["\n", " ", "\t", "1 ", ";", "[", "(", "x\n", '; [A "', "\r\n"])
def test_a_file_of_one_piece_is_refused_or_empty_in_bounded_time(tmp_path: Path, suffix: str, piece: str) -> None:
    file = tmp_path / f"file{suffix}"
    file.write_text(piece * (50_000 // len(piece)), encoding="utf-8", newline="")
    begun = time.process_time()
    with contextlib.suppress(ValueError):
        assert files.read(file, strict=False) == []
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("begin", ["31: illegal play (", "31: ", "Concedes ", "Doubles ", "", "31: 8/5"])
@pytest.mark.parametrize("piece", [" ", "\t", "(", "1/", "8/5 ", "?", "illegal "])
def test_a_long_cell_is_refused_in_bounded_time(begin: str, piece: str) -> None:
    text = f" 5 point match\n\n Game 1\n Una : 0   Rolf : 0\n  1) {begin}{piece * (30_000 // len(piece))}x\n"
    begun = time.process_time()
    with pytest.raises(ValueError, match=r"^line 5: ") as caught:
        from_mat(text)
    assert len(str(caught.value)) < 300
    assert time.process_time() - begun < 2


def test_a_match_that_cannot_begin_costs_no_other(tmp_path: Path) -> None:
    """Its first game stands at a score that its length does not allow."""
    good = (CORPUS / "two_matches.txt").read_text(encoding="latin-1")
    bad = " 1 point match\n\n Game 1\n Ada : 0      Pim : 4\n  1) 31: 8/5 6/5      62: 24/18 13/11\n      Wins 2 points\n"
    (tmp_path / "three.mat").write_text(f"{good}\n{bad}", encoding="latin-1")
    with pytest.raises(ValueError, match=r"line 2\d: game 1: "):
        read_mats(tmp_path / "three.mat")
    with pytest.warns(Doubt, match="ends before its first game"):
        matches = read_mats(tmp_path / "three.mat", strict=False)
    assert len(matches) == 2
