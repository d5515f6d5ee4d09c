"""The files of networks: written whole, read back the same, and anything else refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy_fast as nf
from nardy_fast.players import Network, files
from nardy_fast.players.training import new_weights


@pytest.mark.parametrize("rules", ["long", "short", replace(nf.ruleset("long"), name="club", head_exception="values")])
@pytest.mark.parametrize("encoding", files.ENCODINGS)
def test_a_saved_network_comes_back_the_same(rules: str, encoding: str, tmp_path: Path) -> None:
    network = Network(new_weights(rules, hidden=64, encoding=encoding, seed=5))
    network.save(tmp_path / "some.npz")
    again = Network.load(tmp_path / "some.npz")
    assert (again.rules, again.rules.name) == (network.rules, network.rules.name)
    assert (again.encoding, again.hidden, again.outputs) == (encoding, 64, network.outputs)
    for name in files.ARRAYS:
        np.testing.assert_array_equal(getattr(again.weights, name), getattr(network.weights, name))
    position = nf.Position.start(rules)
    assert again.evaluate(position) == network.evaluate(position)


def test_half_weights_are_smaller_and_nearly_the_same(tmp_path: Path) -> None:
    network = Network(new_weights("short", hidden=64))
    for name, half in (("whole.npz", False), ("half.npz", True)):
        network.save(tmp_path / name, half=half)
    assert (tmp_path / "half.npz").stat().st_size < 0.6 * (tmp_path / "whole.npz").stat().st_size
    position = nf.Position.start("short")
    assert Network.load(tmp_path / "half.npz").evaluate(position).equity == pytest.approx(
        network.evaluate(position).equity, abs=0.01
    )


def test_the_same_network_is_written_as_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.npz", "two.npz"):
        Network(new_weights("long", hidden=64)).save(tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(new_weights("long", hidden=64))
    network.save(tmp_path / "some.npz")
    before = (tmp_path / "some.npz").read_bytes()

    def fail(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(files.os, "fsync", fail)
    with pytest.raises(OSError, match="the disk is full"):
        Network(new_weights("long", hidden=64, seed=1)).save(tmp_path / "some.npz")
    assert (tmp_path / "some.npz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["some.npz"]


def members(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    with np.load(path) as content:
        arrays = {name: content[name] for name in content.files}
    return json.loads(arrays.pop("header").tobytes()), arrays


def put_together(path: Path, header: Any, arrays: dict[str, Any]) -> None:
    text = np.frombuffer(json.dumps(header, sort_keys=True).encode(), np.uint8)
    np.savez(path, header=text, **arrays)


def signed(header: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
    """The header with the checksum that belongs to it."""
    unsigned = {name: value for name, value in header.items() if name != "sha256"}
    return unsigned | {"sha256": files._checksum(unsigned, arrays)}


Change = Callable[[dict[str, Any], dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda header, arrays: header.update(format="something else"), "expected format 'nardy_fast network'"),
        (lambda header, arrays: header.update(version=2), "version = 2: expected 1"),
        (lambda header, arrays: header.update(comment="hello"), "header has .*: expected format"),
        (lambda header, arrays: header.update(outputs=[-1, 1]), r"outputs = \[-1, 1\]: expected \[-2, -1, 1, 2\]"),
        (lambda header, arrays: header.update(encoding="pixels"), "encoding = 'pixels': expected one of slots, dense-1"),
        (lambda header, arrays: header.update(inputs=3), "not those of the encoding"),
        (lambda header, arrays: header.update(hidden=65), "hidden = 65: expected a multiple of 64 up to 1024"),
        (lambda header, arrays: header.update(hidden=128), r"first has dtype float32 and shape \(2, 253, 64\)"),
        (lambda header, arrays: header.update(training=None), "training = None"),
        (lambda header, arrays: header["rules"].update(road="uphill"), "road"),
        (lambda header, arrays: arrays.update(first=arrays["first"].astype(np.float64)), "first has dtype float64"),
        (lambda header, arrays: arrays["second"].fill(np.nan), "second: a weight is not finite"),
    ],
)
def test_a_file_that_says_something_else_is_refused(change: Change, message: str, tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    Network(new_weights("long", hidden=64)).save(path)
    header, arrays = members(path)
    change(header, arrays)
    put_together(path, signed(header, arrays), arrays)
    with pytest.raises(ValueError, match=message) as caught:
        Network.load(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("name", ["header", *files.ARRAYS])
def test_a_file_without_one_of_its_members_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    Network(new_weights("long", hidden=64)).save(path)
    with np.load(path) as content:
        arrays = {member: content[member] for member in content.files if member != name}
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"members .*: expected"):
        Network.load(path)


def test_a_weight_that_was_changed_is_found_by_the_checksum(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    Network(new_weights("long", hidden=64)).save(path)
    header, arrays = members(path)
    arrays["first"][0, 0, 0] += 1
    put_together(path, header, arrays)
    with pytest.raises(ValueError, match="the checksum is not that of the content"):
        Network.load(path)


def test_a_header_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    Network(new_weights("long", hidden=64)).save(path)
    _, arrays = members(path)
    np.savez(path, header=np.frombuffer(b"{", np.uint8), **arrays)
    with pytest.raises(ValueError, match="header: expected JSON"):
        Network.load(path)


def test_pickles_are_never_read(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    np.savez(path, **dict.fromkeys(("header", *files.ARRAYS), np.array([print], object)))
    with pytest.raises(ValueError, match=r"some\.npz"):
        Network.load(path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"nothing of the kind"])
def test_what_is_no_archive_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="expected a network, as Network"):
        Network.load(path)


def test_a_file_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    Network(new_weights("long", hidden=64)).save(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), len(whole) // 7):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"some\.npz"):
            Network.load(path)


def test_a_preset_without_a_shipped_network_is_told_which_have_one() -> None:
    with pytest.raises(ValueError, match="name = 'fevga': expected a path, or a preset with a network: "):
        Network.load("fevga")


def test_a_file_that_does_not_exist_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Network.load(tmp_path / "none.npz")


def archive(data: bytes) -> bytes:
    """An archive with one member, `some`."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        opened.writestr("some.npy", data)
    return content.getvalue()


def encrypted(content: bytes) -> bytes:
    """The archive, whose members are said to be encrypted."""
    for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = content.index(mark) + flags
        content = content[:at] + b"\1" + content[at + 1 :]
    return content


def array() -> bytes:
    content = io.BytesIO()
    np.save(content, np.zeros(3))
    return content.getvalue()


def test_the_arrays_of_an_archive_are_read() -> None:
    assert files.members(archive(array()), ["some"], "something", 1000)["some"].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "content",
    [
        archive(b"no array"),
        archive(b""),
        archive(array().replace(b"}", b"(")),
        archive(array().replace(b"(3,)", b"(9,)")),
        archive(array().replace(b"(3,)", b"9**9")),
        encrypted(archive(array())),
        archive(array())[:-30],
        b"",
    ],
)
def test_what_is_no_archive_of_arrays_is_a_value_error(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^expected something$"):
        files.members(content, ["some"], "something", 1000)


@pytest.mark.parametrize(("expected", "most"), [(["other"], 1000), (["some", "other"], 1000), (["some"], 100)])
def test_other_members_and_longer_ones_are_a_value_error(expected: list[str], most: int) -> None:
    with pytest.raises(ValueError, match=rf"^members \['some'\]: expected .*, {most} bytes at most$"):
        files.members(archive(array()), expected, "something", most)
