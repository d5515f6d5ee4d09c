"""The command nardy-fast, run as a person runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nardy_fast.cli import main
from nardy_fast.version import __version__

START = "24:15 12:15 w"
COMMAND = [sys.executable, "-m", "nardy_fast"]
IMPLS = ("native", "reference")

pty = pytest.importorskip("pty", reason="terminals and signals as on POSIX")


@pytest.fixture
def run(tmp_path: Path):
    """Runs the command away from the source tree."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=120)

    return run


def test_the_version_is_told(run) -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"nardy-fast {__version__}\n", "")


def test_help_names_the_commands(run) -> None:
    done = run("--help")
    assert done.returncode == 0
    for command in ("simulate", "perft", "plays"):
        assert command in done.stdout


# plays


@pytest.mark.parametrize("impl", IMPLS)
@pytest.mark.parametrize(
    ("position", "dice", "rules", "lines"),
    [
        (START, "6-6", "long", ["24/18(2)"]),
        (START, "5-5", "long", ["24/19 19/14 14/9 9/4"]),
        (START, "3-3", "long", ["24/21 21/18 24/21 21/18", "24/21(2) 21/18 18/15"]),
        ("24:14,4:1 12:15 b", "3-5", "long", ["12/7"]),
        ("24:15 19:1,18:1,12:13 w", "6-5", "long", ["pass"]),
        ("10:1 24:2 w", "6-3", "short", ["10/4"]),
        ("bar:1,6:14 7:1,24:14 w", "6-4", "short", ["bar/21 6/off"]),
    ],
)
def test_plays_lists_every_play_in_printed_points(
    capsys: pytest.CaptureFixture[str], impl: str, position: str, dice: str, rules: str, lines: list[str]
) -> None:
    assert main(["plays", position, dice, "--rules", rules, "--impl", impl]) == 0
    assert capsys.readouterr().out.splitlines() == lines
