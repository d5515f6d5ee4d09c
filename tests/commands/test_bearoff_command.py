"""``nardy-fast bearoff``, by its own parser."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from nardy_fast.commands import bearoff as command
from nardy_fast.commands.main import main


def run(folder: Path, *arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args([*arguments, "--folder", str(folder)]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def test_build_makes_the_tables_and_says_where(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "build") == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"table +entries +bytes +seconds +file", lines[0])
    for line, name in zip(lines[1:], ("one-sided, 6 points", "two-sided, 6 checkers"), strict=True):
        assert line.startswith(name)
        assert Path(line.split()[-1]).parent == folder


@pytest.mark.parametrize("name", ["file", "file/folder"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / name
    assert main(["bearoff", "build", "--folder", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(rf"nardy-fast: one-sided, 6 points: cannot be kept in {re.escape(str(folder))}: [A-Z][ \w]+\n", err)


def test_show_tells_of_both_sides(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "show", "6:2 18:15 w") == 0
    shown = capsys.readouterr().out
    assert "White, to move: spread 27" in shown
    assert "turns until all are off 2.1096, until the first is off 1.4784" in shown
    assert re.search(r"^2 +67\.1296% ", shown, re.MULTILINE)
    assert "Black, waiting: spread 54,263" in shown
    assert "turns until all are off 12.2662, until the first is off 1.6161" in shown


def test_race_says_what_it_knows_and_whence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "race", "6:1 1:1 w", "--rules", "short") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("White to move, two-sided\n")
    assert re.search(r"^win +75\.0000%$", shown, re.MULTILINE)
    assert "equity +0.5000" in shown
    assert "cube in the middle +1.0000, own +1.0000, the opponent's +0.5000" in shown
    assert "without doubling +0.5000; doubled and taken +1.0000" in shown
    assert run(folder, "race", "6:8 18:8 b") == 0
    assert capsys.readouterr().out.startswith("Black to move, one-sided\n")


def test_wrong_input_raises(folder: Path) -> None:
    with pytest.raises(ValueError, match="a checker 24 points from the end"):
        run(folder, "race", "24:15 12:15 w")
    with pytest.raises(ValueError, match="points = 5"):
        run(folder, "build", "--points", "5")
    with pytest.raises(SystemExit):
        run(folder)
