"""Files of solved games: the same bytes from every build, and never a wrong number from one that was cut short or spoilt."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from solved_games import HYPER, LONG, random_boards, small, solution

from nardy_fast.analysis import Solution, settle, solve
from nardy_fast.analysis.solved import KIND
from nardy_fast.bearoff import store

#: The quicker one to build.
BOARDS = random_boards(LONG, 500)


def written(folder: Path, rules: Any = LONG) -> Path:
    """The file of the solved game, built."""
    path = solve(rules, folder=folder).path
    assert path is not None
    return path


def is_right(game: Solution) -> bool:
    right = solution(LONG)
    return bool(
        (game.equities(BOARDS) == right.equities(BOARDS)).all()
        and (game.evaluate_batch(BOARDS) == right.evaluate_batch(BOARDS)).all()
    )


def test_it_is_built_once_and_then_read(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = path.stat().st_mtime_ns
    again = solve(LONG, folder=tmp_path)
    assert again.path == path
    assert path.stat().st_mtime_ns == before
    assert is_right(again)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("rules", [LONG, HYPER], ids=lambda rules: rules.name)
def test_threads_do_not_change_a_byte(tmp_path: Path, rules: Any) -> None:
    paths = [solve(rules, folder=tmp_path / str(threads), threads=threads).path for threads in (1, 3)]
    first, second = (path.read_bytes() for path in paths if path)
    assert first == second


@pytest.mark.parametrize("length", [0, 7, 40, 100, -2000, -1])
def test_a_truncated_file_is_built_anew(tmp_path: Path, length: int) -> None:
    path = written(tmp_path)
    good = path.read_bytes()
    path.write_bytes(good[:length])
    assert is_right(solve(LONG, folder=tmp_path))
    assert path.read_bytes() == good


def test_a_flipped_bit_anywhere_is_noticed_and_the_file_is_built_anew(tmp_path: Path) -> None:
    path = written(tmp_path)
    good = path.read_bytes()
    for place in (0, 8, 41, 60, len(good) // 3, len(good) // 2, len(good) - 1):
        spoilt = bytearray(good)
        spoilt[place] ^= 1 << place % 8
        path.write_bytes(spoilt)
        assert is_right(solve(LONG, folder=tmp_path)), place
        assert path.read_bytes() == good, place


def test_a_file_of_another_version_or_game_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    good = path.read_bytes()
    with monkeypatch.context() as earlier:
        earlier.setattr(store, "FORMAT", store.FORMAT - 1)
        old = written(tmp_path)
    for other in (old, written(tmp_path, small("giveaway"))):
        path.write_bytes(other.read_bytes())
        assert is_right(solve(LONG, folder=tmp_path))
        assert path.read_bytes() == good


def test_rules_that_make_the_same_game_share_a_file_and_others_do_not(tmp_path: Path) -> None:
    same = [LONG, small("tournament"), small("karzar"), replace(LONG, block_rule="never", stack_limit=5)]
    assert len({written(tmp_path, rules) for rules in same}) == 1
    others = [
        LONG,
        small("arena"),
        small("giveaway"),
        small("fevga"),
        replace(LONG, bear_off="exact"),
        small("long", 2, koks="on_head"),
    ]
    assert len({written(tmp_path, rules) for rules in others}) == 6


def test_a_folder_that_cannot_be_made_leaves_it_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    game = solve(LONG, folder=tmp_path / "file" / "folder")
    assert game.path is None
    assert is_right(game)


def test_the_folder_is_that_of_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARDY_FAST_CACHE", str(tmp_path))
    assert solve(LONG).path == store.path_of(tmp_path, KIND, solution(LONG).key._asdict())


def test_another_process_gets_the_same_file(tmp_path: Path) -> None:
    game = solve(LONG, folder=tmp_path)
    again = pickle.loads(pickle.dumps(game))
    assert again.path == game.path
    assert is_right(again)
    assert is_right(pickle.loads(pickle.dumps(solution(LONG))))


@pytest.mark.parametrize("rules", [LONG, HYPER], ids=lambda rules: rules.name)
def test_a_progress_call_hears_of_it_until_it_is_done(rules: Any) -> None:
    heard: list[float] = []
    Solution.build(rules, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[0] < 0.2
    assert heard[-1] == 1.0


def test_a_build_that_is_ended_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(done: float) -> None:
        raise KeyboardInterrupt

    for threads in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            solve(HYPER, folder=tmp_path, threads=threads, progress=stop)
    assert list(tmp_path.iterdir()) == []


BUILD = """
    import sys
    from solved_games import small
    from nardy_fast.analysis import solve

    heard = []
    solve(small("hypergammon"), folder=sys.argv[1], progress=lambda done: heard or heard.append(print("ready", flush=True)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_ctrl_c_ends_it_soon(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    command = [sys.executable, "-c", textwrap.dedent(BUILD), str(tmp_path)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.splitlines()[-1].startswith("KeyboardInterrupt")
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_settle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "MAX_SWEEPS", 3)
    with pytest.raises(RuntimeError, match=r"the values still change by .* after 3 sweeps"):
        Solution.build(HYPER, progress=False)
