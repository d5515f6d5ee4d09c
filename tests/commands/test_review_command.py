"""The commands `hint` and `review`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nardy_fast.commands.main import main
from nardy_fast.formats import files
from nardy_fast.games.cube import CubeRules
from nardy_fast.games.match import Match

BROKEN = Path(__file__).parents[1] / "files"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A short match of random players."""
    file = tmp_path / "match.mat"
    assert main(["match", "--points", "3", "--cube", "--rules", "short", "--seed", "5", "--out", str(file)]) == 0
    return file


# hint


def test_a_position_and_dice_are_hinted_at(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "hint", "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "3-1", "--rules", "short", "--plays", "2")
    first, *plays = out.splitlines()
    assert (status, first, len(plays)) == (0, "White: play 8/5 6/5", 2)
    assert plays[0].split()[:3] == ["1.", "8/5", "6/5"]


def test_an_xgid_is_hinted_at_with_its_cube_and_score(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "hint", "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:5:6")
    assert status == 0
    assert out.startswith("Black: roll\n  no double")
    assert "chance to win the match" in out


def test_an_id_without_a_state_takes_dice(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "hint", "Position ID: 4HPwATDgc/ABMA", "3-1")
    assert (status, out.splitlines()[0].split()[1]) == (0, "play")


def test_a_hint_is_told_as_json_and_in_other_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "hint", "24:15 24:15 b", "6-5", "--json", "--numbering", "own")
    told = json.loads(out)
    assert told["action"] == "play"
    assert told["plays"][0]["play"].startswith("24/")
    assert told["cube"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["24:15 12:15 w", "7-1"], "7"),
        (["XGID=nothing"], "not an XGID"),
        (["24:15 12:15 w", "6-5", "--plays", "0"], "--plays = 0"),
        (["24:15 12:15 w", "--cube"], "is played without one"),
        (["24:15 12:15 w", "6-5", "--network", "short"], "expected rules on contrary roads"),
        (["24:15 12:15 w", "--table", "/nowhere/table.xml"], "/nowhere/table.xml: No such file"),
    ],
)
def test_wrong_input_of_hint_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    status, out, err = run(capsys, "hint", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


# review


def test_a_record_is_reviewed_as_text(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    status, out, err = run(capsys, "review", str(record))
    assert (status, err) == (0, "")
    assert out.startswith("3 point match of short: ")
    assert "millipoints lost a decision" in out


def test_json_and_a_page_are_written(capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    status, out, _ = run(capsys, "review", str(record), "--json", "--html", str(page))
    assert status == 0
    assert json.loads(out)["points"] == 3
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    status, out, _ = run(capsys, "review", str(record), "--html", str(page), "--threads", "1")
    assert out == f"{page}: {page.stat().st_size:,} bytes\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.mat", "page.html"]


@pytest.mark.parametrize("suffix", [".jsonl", ".txt"])
def test_our_own_records_are_read_too(capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path, suffix: str) -> None:
    ours = tmp_path / f"match{suffix}"
    files.write(ours, files.read(record))
    _, expected, _ = run(capsys, "review", str(record))
    assert run(capsys, "review", str(ours))[1] == expected


def test_money_games_and_long_nardy_are_reviewed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    money = tmp_path / "money.txt"
    assert main(["match", "--points", "0", "--games", "2", "--cube", "--jacoby", "--rules", "short", "--out", str(money)]) == 0
    assert run(capsys, "review", str(money))[1].startswith("Games for money of short: ")
    tas = tmp_path / "tas.txt"
    assert main(["match", "--points", "2", "--rules", "federation", "--out", str(tas)]) == 0
    assert run(capsys, "review", str(tas))[1].startswith("2 point match of federation: ")


@pytest.mark.parametrize("name", ["cut.mat", "broken.mat", "nonsense.mat", "no_match.txt"])
def test_bad_records_are_told_by_line_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    page = tmp_path / "page.html"
    status, out, err = run(capsys, "review", str(BROKEN / name), "--html", str(page))
    assert (status, out) == (2, "")
    assert name in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_every_cut_of_a_record_is_read_or_told_by_line(capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path) -> None:
    text = record.read_text()
    cut = tmp_path / "cut.mat"
    for length in range(0, len(text), len(text) // 15):
        cut.write_text(text[:length])
        status, out, err = run(capsys, "review", str(cut))
        assert status in (0, 2)
        assert (out == "") == (status == 2)
        assert err.count("\n") == (status == 2)


def test_a_page_that_cannot_be_written_leaves_nothing(capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path) -> None:
    status, _, err = run(capsys, "review", str(record), "--html", str(tmp_path / "nowhere" / "page.html"))
    assert status == 2
    assert "No such file or directory" in err


def test_two_records_have_no_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    matches = []
    for seed in (1, 2):
        match = Match(1, "short", cube=CubeRules(), seed=seed)
        match.start_game()
        matches.append(match)
    files.write(both, matches)
    status, _, err = run(capsys, "review", str(both), "--html", str(tmp_path / "page.html"))
    assert (status, "both.jsonl has 2" in err) == (2, True)


def test_ctrl_c_ends_a_review(record: Path) -> None:
    code = (
        "import sys, nardy_fast.analysis.judges as judges\n"
        "def stop(*_): raise KeyboardInterrupt\n"
        "judges.ByNetwork.thrown = stop\n"
        "from nardy_fast.commands.main import main\n"
        f"sys.exit(main(['review', {str(record)!r}, '--threads', '2']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
