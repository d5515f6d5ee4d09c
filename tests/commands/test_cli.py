"""The command nardy-fast, run as a person runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nardy_fast.commands.main import main
from nardy_fast.formats.records import write_text
from nardy_fast.games.match import Match
from nardy_fast.version import __version__

START = "24:15 12:15 w"
COMMAND = [sys.executable, "-m", "nardy_fast"]
IMPLS = ("native", "reference")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command away from the source tree."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=120)

    return run


def test_the_version_is_told(run: Run) -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"nardy-fast {__version__}\n", "")


def test_help_names_the_commands(run: Run) -> None:
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
        (START, "3-3", "long", ["24/21(2) 21/18(2)", "24/21(2) 21/18 18/15"]),
        ("24:14,4:1 12:15 b", "3-5", "long", ["12/7"]),
        ("24:15 19:1,18:1,12:13 w", "6-5", "long", ["pass"]),
        ("10:1 24:2 w", "6-3", "short", ["10/4"]),
        ("bar:1,13:1,6:13 7:1,24:14 w", "1-6", "short", ["bar/24 24/18*", "bar/19 13/12", "bar/19 6/5", "bar/24 13/7"]),
    ],
)
def test_plays_lists_every_play_in_printed_points(
    capsys: pytest.CaptureFixture[str], impl: str, position: str, dice: str, rules: str, lines: list[str]
) -> None:
    assert main(["plays", position, dice, "--rules", rules, "--impl", impl]) == 0
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("impl", IMPLS)
def test_a_finished_game_has_no_plays_to_list(capsys: pytest.CaptureFixture[str], impl: str) -> None:
    assert main(["plays", "- 18:15 b", "6-5", "--impl", impl]) == 0
    assert capsys.readouterr() == ("", "nardy-fast: the game is over, so there are no plays\n")


# perft


@pytest.mark.parametrize("impl", IMPLS)
@pytest.mark.parametrize(
    ("arguments", "leaves"),
    [
        (["0"], "1"),
        (["1"], "22"),
        (["2"], "484"),
        (["1", "--rules", "short"], "447"),
        (["1", "--position", "- 18:15 b"], "1"),
        (["1", "--position", "24:15 19:1,18:1,12:13 w"], "21"),
    ],
)
def test_perft_counts_the_leaves(capsys: pytest.CaptureFixture[str], impl: str, arguments: list[str], leaves: str) -> None:
    assert main(["perft", *arguments, "--impl", impl]) == 0
    assert re.search(r"^leaves +(\S+)$", capsys.readouterr().out, re.MULTILINE)[1] == leaves


@pytest.mark.parametrize("impl", IMPLS)
def test_perft_divide_lists_the_count_of_each_roll(capsys: pytest.CaptureFixture[str], impl: str) -> None:
    assert main(["perft", "2", "--divide", "--impl", impl]) == 0
    counts = re.findall(r"^([1-6]-[1-6]) +([\d,]+)$", capsys.readouterr().out, re.MULTILINE)
    rolls = [f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)]
    assert counts == [(roll, "44" if roll == "3-3" else "22") for roll in rolls]


def test_perft_divide_of_a_finished_game_is_one_leaf(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "2", "--divide", "--position", "- 18:15 b"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["leaves", "1"]


# simulate


@pytest.mark.parametrize("impl", IMPLS)
def test_simulate_ends_with_a_table(capsys: pytest.CaptureFixture[str], impl: str) -> None:
    assert main(["simulate", "--games", "3", "--rules", "hypergammon", "--seed", "4", "--impl", impl]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"random games: rules hypergammon, seed 4, {impl}"
    assert [line[:14].strip() for line in lines[2:7]] == ["games", "turns", "turns a game", "seconds", "turns a second"]
    assert [line.split()[0] for line in lines[8:]] == ["result", "single", "gammon", "backgammon", "all"]
    assert lines[8].split() == ["result", "White", "Black"]
    assert len({len(line) for line in lines[8:]}) == 1


def test_simulate_shows_draws_where_there_are_some(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "3000", "--rules", "federation"]) == 0
    assert re.search(r"^draws \d\.\d\d%$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("impl", IMPLS)
def test_simulate_gives_its_figures_as_json(capsys: pytest.CaptureFixture[str], impl: str) -> None:
    assert main(["simulate", "--games", "3", "--rules", "hypergammon", "--seed", "4", "--json", "--impl", impl]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["impl"], figures["rules"], figures["seed"], figures["games"]) == (impl, "hypergammon", 4, 3)
    assert list(figures["results"]["white"]) == ["single", "gammon", "backgammon", "all"]
    assert figures["turns_per_game"] == figures["turns"] / 3


def test_simulate_gives_the_same_games_for_any_number_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for threads in ("1", "3"):
        assert main(["simulate", "--games", "3000", "--seed", "4", "--threads", threads, "--json"]) == 0
        figures = json.loads(capsys.readouterr().out)
        told.append((figures["turns"], figures["results"]))
    assert told[0] == told[1]


def test_both_implementations_end_their_games_alike(capsys: pytest.CaptureFixture[str]) -> None:
    lengths = []
    for impl, games in (("native", "20000"), ("reference", "200")):
        assert main(["simulate", "--games", games, "--rules", "hypergammon", "--json", "--impl", impl]) == 0
        lengths.append(json.loads(capsys.readouterr().out)["turns_per_game"])
    native, reference = lengths
    assert reference == pytest.approx(native, rel=0.15)


# Wrong input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["fly"], "argument COMMAND: invalid choice: 'fly'"),
        (["plays", START], "the following arguments are required: DICE"),
        (["plays", START, "6-5", "more"], "unrecognized arguments: more"),
        (["plays", START, "6-7"], "dice = '6-7': expected two dice 1..6 joined by a hyphen, as in 6-5"),
        (["plays", "24:x 12:15 w", "6-5"], "text = '24:x 12:15 w': '24:x': expected point:count, as in 24:15"),
        (["plays", START, "6-5", "--rules", "chess"], "rules = 'chess': expected one of long, federation"),
        (["plays", START, "6-5", "--impl", "best"], "argument --impl: invalid choice: 'best'"),
        (["plays", "24:15\n12:15\nw", "6-5"], "text = '24:15\\n12:15\\nw': expected WHITE BLACK SIDE on one line"),
        (["perft", "-1"], "depth = -1: expected 0..12"),
        (["perft", "two"], "argument DEPTH: invalid int value: 'two'"),
        (
            ["perft", "1", "--position", "24:16 12:15 w"],
            "text = '24:16 12:15 w': '24:16': White has 16 checkers: expected at most 15",
        ),
        (["perft", "1", "--position", "12:1,24:14 12:15 w"], "the opponent holds this point too"),
        (["perft", "1", "--position", "24:15 12:15 w 6-5"], "24:15 12:15 w 6-5"),
        (["perft", "99999999999999999999"], ""),
        (["simulate", "--games", "0"], "games = 0: expected 1..1099511627776"),
        (["simulate", "--games", "9999999999999"], "games = 9999999999999: expected 1..1099511627776"),
        (["simulate", "--games", "many"], "argument --games: invalid int value: 'many'"),
        (["simulate", "--seed", "-1"], "seed = -1: expected an integer from 0"),
        (["simulate", "--threads", "0"], "threads = 0: expected 1..1024"),
    ],
)
def test_wrong_input_gives_one_line_and_status_2(run: Run, arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"nardy-fast: [^\n]+\n", done.stderr)
    assert message in done.stderr


# Terminals, pipes and signals


def test_ctrl_c_ends_a_simulation_with_130(tmp_path: Path) -> None:
    # Far more games than there is time for.
    with subprocess.Popen(
        [*COMMAND, "simulate", "--games", "20000000"], stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    "arguments", [["perft", "12"], ["perft", "12", "--impl", "reference"], ["simulate", "--impl", "reference"]]
)
def test_ctrl_c_ends_other_work_with_130(tmp_path: Path, arguments: list[str]) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    command = [*COMMAND, "perft", "4", "--divide"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("1-1")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(20) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "plays", START, "6-5"], stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=60
        )
    assert (done.returncode, done.stderr) == (1, "nardy-fast: cannot write: No space left on device\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp866", "cp1251", "latin-1", "utf-8"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", START],
        ["show", "4HPwATDgc/ABMA"],
        ["match", "--points", "1", "--rules", "hypergammon", "--player", "random", "--player", "Борис.txt"],
        ["replay", "Анна.txt"],
        ["plays", START, "6-5"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_output_of_any_encoding_can_be_written(tmp_path: Path, encoding: str, arguments: list[str]) -> None:
    (tmp_path / "Борис.txt").write_text("resign\n" * 9)
    match = Match(1, "hypergammon", players=("Анна", "Jörg"), seed=1)
    match.start_game().resign()
    write_text(tmp_path / "Анна.txt", match)
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, cwd=tmp_path, env=environment, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode(encoding)
    if arguments[0] in ("show", "replay"):
        plain = {"utf-8": "│○", "cp866": "│o"}.get(encoding, "|o")
        assert all(mark in shown for mark in plain)
        assert max(map(len, shown.splitlines())) < 75


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("arguments", ["plays '24:15 12:15 w' 6-5", "show '24:15 12:15 w'", "match --points 1", "perft 1"])
def test_an_output_that_is_closed_is_told_in_one_line(tmp_path: Path, arguments: str) -> None:
    for closed, complaint in ((">&-", "nardy-fast: cannot write: Bad file descriptor\n"), (">&- 2>&-", "")):
        line = f"'{sys.executable}' -m nardy_fast {arguments} {closed}"
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd=tmp_path, timeout=60)
        assert (done.returncode, done.stderr) == (1, complaint)


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_what_prints_nothing_needs_no_output(tmp_path: Path) -> None:
    line = f"'{sys.executable}' -m nardy_fast match --points 1 --out match.txt >&- 2>&-"
    assert subprocess.run(["sh", "-c", line], cwd=tmp_path, timeout=60).returncode == 0
    assert (tmp_path / "match.txt").stat().st_size


def on_a_terminal(command: list[str], folder: Path) -> str:
    """What the command writes to stderr when that is a terminal."""
    pty = pytest.importorskip("pty")
    ours, its = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=its, cwd=folder, env=environment) as process:
        os.close(its)
        written = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # its end is closed
                part = b""
            if not part:
                break
            written += part
        assert process.wait(60) == 0
    os.close(ours)
    return written.decode()


def test_a_progress_bar_is_shown_on_a_terminal(tmp_path: Path) -> None:
    pytest.importorskip("rich")
    assert "games" in on_a_terminal([*COMMAND, "simulate", "--games", "20000"], tmp_path)


def test_no_progress_bar_is_shown_where_rich_is_not_installed(tmp_path: Path) -> None:
    play = "from nardy_fast.commands.main import main; sys.exit(main(['simulate', '--games', '2000']))"
    without = f"import sys; sys.modules['rich'] = None; {play}"
    assert on_a_terminal([sys.executable, "-c", without], tmp_path) == ""


def test_no_progress_bar_is_shown_in_a_pipe(run: Run) -> None:
    assert run("simulate", "--games", "2000").stderr == ""
