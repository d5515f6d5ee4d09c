"""Table files: the same bytes from every build, and never a wrong number from one that was cut short or spoilt."""

from __future__ import annotations

import errno
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from bearoff_tables import EXACT, GIVEAWAY, LONG, OLD_ENGLISH, SHORT, two_sided

from nardy_fast.bearoff import OneSided, TwoSided, cache_folder, store
from nardy_fast.bearoff.two_sided import KIND

#: Few enough checkers to be built in no time; all that is tested here is the same for every table.
CHECKERS = 2


def load(folder: Path) -> TwoSided:
    return TwoSided.load(SHORT, CHECKERS, folder=folder)


def written(folder: Path) -> Path:
    """The file of the table, built."""
    path = load(folder).path
    assert path is not None
    return path


def equities(table: TwoSided) -> Any:
    everything = np.repeat(np.arange(1, table.spreads, dtype=np.int32), table.spreads - 1)
    others = np.tile(np.arange(1, table.spreads, dtype=np.int32), table.spreads - 1)
    out = np.empty((len(everything), 7))
    table.native.cubes(everything, others, out)
    return out


@pytest.fixture(scope="module")
def right() -> Any:
    return equities(two_sided(SHORT, CHECKERS))


def test_it_is_built_once_and_then_read(tmp_path: Path, right: Any) -> None:
    path = written(tmp_path)
    before = path.stat()
    again = load(tmp_path)
    assert again.path == path
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert (equities(again) == right).all()
    assert list(tmp_path.iterdir()) == [path]


def test_two_builds_are_the_same_to_the_byte(tmp_path: Path) -> None:
    tables = [OneSided.load(LONG, folder=tmp_path / name) for name in ("one", "other")]
    first, second = (table.path.read_bytes() for table in tables if table.path)
    assert first == second
    first, second = (written(tmp_path / name).read_bytes() for name in ("one", "other"))
    assert first == second


def test_rules_that_end_alike_share_a_file_and_others_do_not(tmp_path: Path) -> None:
    paths = {rules: TwoSided.load(rules, 1, folder=tmp_path).path for rules in ("long", "arena", "fevga", "short", "nackgammon")}
    assert paths["long"] == paths["arena"] == paths["fevga"]
    assert paths["short"] == paths["nackgammon"] != paths["long"]
    different = {
        TwoSided.load(rules, 1, folder=tmp_path).path for rules in (LONG, SHORT, EXACT, GIVEAWAY, OLD_ENGLISH, "federation")
    }
    assert len(different) == 6


@pytest.mark.parametrize("length", [0, 1, 7, 8, 39, 40, 100, -2000, -1])
def test_a_truncated_file_is_built_anew(tmp_path: Path, right: Any, length: int) -> None:
    path = written(tmp_path)
    good = path.read_bytes()
    path.write_bytes(good[:length])
    assert (equities(load(tmp_path)) == right).all()
    assert path.read_bytes() == good


def test_a_flipped_bit_anywhere_is_noticed_and_the_file_is_built_anew(tmp_path: Path, right: Any) -> None:
    path = written(tmp_path)
    good = path.read_bytes()
    at_random = random.Random(3).sample(range(len(good)), 40)
    for place in [0, 7, 8, 39, 40, 41, 60, len(good) - 1, *at_random]:
        spoilt = bytearray(good)
        spoilt[place] ^= 1 << place % 8
        path.write_bytes(spoilt)
        assert (equities(load(tmp_path)) == right).all(), place
        assert path.read_bytes() == good, place


@pytest.mark.parametrize("content", [b"nardyfst", b"nardyfst" + bytes(32), b"\0" * 5000, b"nardyfst" + bytes(8000)])
def test_something_else_under_its_name_is_replaced(tmp_path: Path, right: Any, content: bytes) -> None:
    path = written(tmp_path)
    path.write_bytes(content)
    assert (equities(load(tmp_path)) == right).all()


@pytest.mark.parametrize(
    ("start", "header"),
    [
        (b"{", b"["),
        (b"{", b"\xff"),
        (b"{", b"[" * 100_000),
        (b'"table"', b'"tible"'),
        (b'"arrays"', b'"erreys"'),
        (b'"i4"', b'"x4"'),
    ],
)
def test_a_header_of_nonsense_under_a_right_checksum_is_replaced(tmp_path: Path, right: Any, start: bytes, header: bytes) -> None:
    path = written(tmp_path)
    body = path.read_bytes()[store.BODY :]
    assert start in body
    body = body.replace(start, header, 1)
    path.write_bytes(store.MAGIC + store._digest(bytes(store.BODY) + body) + body)
    assert (equities(load(tmp_path)) == right).all()


def test_bytes_after_the_end_are_noticed(tmp_path: Path) -> None:
    path = written(tmp_path)
    good = path.read_bytes()
    path.write_bytes(good + b"x")
    load(tmp_path)
    assert path.read_bytes() == good


def test_another_table_under_its_name_is_not_taken_for_it(tmp_path: Path, right: Any) -> None:
    path = written(tmp_path)
    other = TwoSided.load(SHORT, 1, folder=tmp_path).path
    assert other is not None
    path.write_bytes(other.read_bytes())
    assert (equities(load(tmp_path)) == right).all()


def test_a_folder_that_cannot_be_made_leaves_the_table_in_memory(tmp_path: Path, right: Any) -> None:
    (tmp_path / "file").touch()
    table = load(tmp_path / "file" / "folder")
    assert table.path is None
    assert (equities(table) == right).all()


@pytest.mark.parametrize("call", ["_open", "fsync", "replace"])
def test_a_disk_that_cannot_be_written_leaves_the_table_in_memory(
    tmp_path: Path, right: Any, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*arguments: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os if hasattr(os, call) else store.Draft, call, full)
    table = load(tmp_path)
    assert table.path is None
    assert (equities(table) == right).all()
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_at_first_is_tried_once_more(tmp_path: Path, right: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(store, "_reserve", full)
    table = load(tmp_path)
    assert list(tmp_path.iterdir()) == [table.path]
    assert (equities(table) == right).all()


def test_a_file_is_written_where_mapped_ones_cannot_be_renamed(
    tmp_path: Path, right: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = written(tmp_path / "mapped").read_bytes()
    monkeypatch.setattr(store, "CAN_RENAME_MAPPED", False)
    path = written(tmp_path / "written")
    assert path.read_bytes() == good
    assert list(path.parent.iterdir()) == [path]


def test_a_build_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TwoSided.load(SHORT, CHECKERS, folder=tmp_path, progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_is_the_argument_or_the_variable_or_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder(tmp_path) == tmp_path
    monkeypatch.setenv("NARDY_FAST_CACHE", str(tmp_path / "variable"))
    assert cache_folder() == tmp_path / "variable"
    assert TwoSided.load(SHORT, 1).path == store.path_of(tmp_path / "variable", KIND, TwoSided.build(SHORT, 1).key._asdict())
    monkeypatch.delenv("NARDY_FAST_CACHE")
    assert cache_folder().name == "nardy_fast"


def test_a_file_cut_while_its_table_is_used_changes_nothing(tmp_path: Path) -> None:
    # In another process: one that looks into a map that has been cut is killed.
    script = """
import os, sys
from nardy_fast.bearoff import OneSided, TwoSided
tables = [OneSided.load("long", folder=sys.argv[1]), TwoSided.load("short", 2, folder=sys.argv[1])]  # the second time from a file
before = tables[0].mean([0, 0, 0, 0, 0, 15]), tables[1].native.spreads
for table in tables:
    os.truncate(table.path, 0)
assert (tables[0].mean([0, 0, 0, 0, 0, 15]), tables[1].native.spreads) == before
print("alive")
"""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


def test_no_file_is_opened_for_writing_where_it_lies(tmp_path: Path) -> None:
    path = TwoSided.load(SHORT, 1, folder=tmp_path).path
    assert path is not None
    path.write_bytes(b"spoilt")
    with path.open("rb") as spoilt:
        TwoSided.load(SHORT, 1, folder=tmp_path)
        assert os.fstat(spoilt.fileno()).st_ino != path.stat().st_ino  # another file in its place
        assert spoilt.read() == b"spoilt"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "home/.cache/nardy_fast"),
        ("linux", {"XDG_CACHE_HOME": "xdg"}, "xdg/nardy_fast"),
        ("freebsd14", {"XDG_CACHE_HOME": "xdg"}, "xdg/nardy_fast"),
        ("darwin", {"XDG_CACHE_HOME": "xdg"}, "home/Library/Caches/nardy_fast"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/nardy_fast"),
        ("win32", {}, "home/AppData/Local/nardy_fast"),
        ("win32", {"LOCALAPPDATA": "local", "NARDY_FAST_CACHE": "ours"}, "ours"),
    ],
)
def test_the_users_folder_is_where_the_platform_keeps_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "NARDY_FAST_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, folder in variables.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    assert cache_folder() == tmp_path / expected


def test_a_cache_folder_that_is_not_absolute_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("NARDY_FAST_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "some/folder")
    assert cache_folder() == tmp_path / ".cache" / "nardy_fast"


def test_a_progress_call_hears_of_it_until_it_is_done(tmp_path: Path) -> None:
    heard: list[float] = []
    OneSided.load(LONG, folder=tmp_path, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_a_table_cannot_be_written_to(tmp_path: Path) -> None:
    table = OneSided.load(LONG, folder=tmp_path)
    arrays = store.read(table.path or tmp_path, "one-sided", table.key._asdict())
    assert arrays is not None
    assert not any(array.flags.writeable for array in arrays.values())


def mean_in_another_process(table: OneSided) -> tuple[float, str]:
    return table.mean([0, 0, 3]), str(table.path)


def test_another_process_maps_the_same_file(tmp_path: Path) -> None:
    table = OneSided.load(LONG, folder=tmp_path)
    assert pickle.loads(pickle.dumps(table)).path == table.path
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(mean_in_another_process, table).result() == (table.mean([0, 0, 3]), str(table.path))


# Builds that are killed

BUILD = """
    import os, signal, sys
    from nardy_fast.bearoff import OneSided

    def die(*args, **options):
        os.kill(os.getpid(), signal.SIGKILL)

    when = sys.argv[2]
    if hasattr(os, when):
        setattr(os, when, die)
    print("ready", flush=True)
    OneSided.load("long", folder=sys.argv[1], progress=lambda done: die() if when[0] == "0" and done >= float(when) else None)
    print("done", flush=True)
"""


def start_build(folder: Path, when: str) -> subprocess.Popen[str]:
    """A process that builds a table and dies when so much is done, or in that call of the system."""
    command = [sys.executable, "-c", textwrap.dedent(BUILD), str(folder), when]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """The name of the file that the builds are to make, and what is in it."""
    path = OneSided.load(LONG, folder=tmp_path_factory.mktemp("whole")).path
    assert path is not None
    return path.name, path.read_bytes()


def check_what_is_left(folder: Path, whole: tuple[str, bytes]) -> None:
    """No file or a good one under the name; and the next to come makes everything good."""
    name, content = whole
    if (folder / name).exists():
        assert (folder / name).read_bytes() == content
    table = OneSided.load(LONG, folder=folder)
    assert table.mean([0, 0, 0, 0, 0, 15]) == pytest.approx(12.266187171764628)
    assert [path.name for path in folder.iterdir()] == [name]
    assert (folder / name).read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("when", ["0.0", "0.3", "0.7", "0.99", "fsync", "replace"])
def test_a_build_killed_at_a_given_point_does_no_harm(tmp_path: Path, whole: tuple[str, bytes], when: str) -> None:
    process = start_build(tmp_path, when)
    assert process.wait() == -signal.SIGKILL
    check_what_is_left(tmp_path, whole)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_builds_killed_at_random_moments_do_no_harm(tmp_path: Path, whole: tuple[str, bytes]) -> None:
    begun = time.perf_counter()
    assert start_build(tmp_path / "first", "never").wait() == 0
    seconds = time.perf_counter() - begun
    moments = random.Random(11)
    for attempt in range(8):
        process = start_build(tmp_path / str(attempt), "never")
        time.sleep(moments.uniform(0, 1.1 * seconds))
        process.kill()
        process.wait()
        (tmp_path / str(attempt)).mkdir(exist_ok=True)
        check_what_is_left(tmp_path / str(attempt), whole)


def test_builds_at_the_same_time_do_not_disturb_each_other(tmp_path: Path, whole: tuple[str, bytes]) -> None:
    builds = [start_build(tmp_path, "never") for _ in range(3)]
    assert [build.wait() for build in builds] == [0, 0, 0]
    check_what_is_left(tmp_path, whole)
