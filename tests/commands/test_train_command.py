"""The subcommand ``train``."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from nardy_fast.commands.main import main
from nardy_fast.players import Network

FEW = ["train", "--rules", "hypergammon", "--width", "64", "--threads", "1"]


def test_a_network_is_trained_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "some.npz"
    assert main([*FEW, "--games", "100", "--seed", "4", "--out", str(out), "--plot", str(tmp_path / "some.svg")]) == 0
    assert Network.load(out).training["games"] == 100
    lines = capsys.readouterr().out.splitlines()
    assert "100 games" in lines[0]
    assert "greedy" in lines[0]
    assert lines[-1] == f"{out}: 100 games, {out.stat().st_size:,} bytes"
    assert ElementTree.parse(tmp_path / "some.svg").getroot().tag.endswith("svg")


def test_the_seed_makes_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("one.npz", "two.npz"):
        assert main([*FEW, "--games", "100", "--seed", "4", "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_fractions_of_minutes_will_do(tmp_path: Path) -> None:
    assert main([*FEW, "--minutes", "0.005", "--out", str(tmp_path / "some.npz"), "--resume"]) == 0


def test_a_training_may_begin_with_a_network(tmp_path: Path) -> None:
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    assert main([*FEW, "--games", "50", "--out", str(first)]) == 0
    assert main([*FEW, "--games", "50", "--from", str(first), "--out", str(second)]) == 0
    assert first.read_bytes() != second.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "some.npz"], "minutes, games = None, None: expected one of them"),
        (["--minutes", "0", "--out", "some.npz"], "minutes = 0.0: expected a number above 0"),
        (["--games", "5", "--out", "no/such/folder/some.npz"], "no/such/folder/some.npz"),
        (["--games", "5", "--out", "some.npz", "--from", "no.npz"], "no.npz: No such file or directory"),
        (["--games", "5", "--out", "some.npz", "--width", "65"], "hidden = 65: expected a multiple of 64"),
    ],
)
def test_wrong_options_are_told_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*FEW, *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
