"""Files of other programs by way of gammonview: what it writes and reads, we read as the same match."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
import referees
from cube_players import play_match

import nardy_fast as nf
from nardy_fast.formats.foreign import read_foreign
from nardy_fast.formats.mat import write_mat
from nardy_fast.games.cube import CubeRules
from nardy_fast.games.illegal import IllegalPlay


def a_match(seed: int, points: int | None, cube: CubeRules) -> Any:
    match = nf.Match(points, "short", cube=cube, players=("Anna", "Борис"), seed=seed)
    return play_match(match, random.Random(seed), 3)


def converted(match: Any, folder: Path) -> dict[str, Any]:
    """The match as gammonview sees it."""
    write_mat(folder / "match.mat", match)
    document: dict[str, Any] = referees.module("gvformat").convert_mat(folder / "match.mat")
    return document


@pytest.mark.referee
@pytest.mark.parametrize("suffix", [".gvab", ".ogxm", ".gva"])
@pytest.mark.parametrize(("points", "cube"), [(5, CubeRules()), (7, CubeRules(crawford=False)), (None, CubeRules(jacoby=True))])
def test_ogxm_is_read_as_the_match_that_was_written(tmp_path: Path, suffix: str, points: int | None, cube: CubeRules) -> None:
    codec = referees.module("gvformat")
    for seed in range(3):
        match = a_match(seed, points, cube)
        document = converted(match, tmp_path)
        file = tmp_path / f"match{suffix}"
        if suffix == ".gva":
            file.write_text(json.dumps(document), encoding="utf-8")
        else:
            file.write_bytes(codec.write_gvab(document))
        again = read_foreign(file)
        assert (again.points, again.players, again.cube, again.score) == (match.points, match.players, match.cube, match.score)
        ours, theirs = ([[str(play.afterstate) for play in game.turns] for game in each.games] for each in (match, again))
        assert ours == theirs


@pytest.mark.referee
def test_an_illegal_play_stands(tmp_path: Path) -> None:
    document = converted(a_match(1, 5, CubeRules()), tmp_path)
    game = document["games"][0]
    first = game["plies"][0]
    board = [0, *[0] * 24, 0]
    for slot, count in ((1, 2), (12, 5), (17, 1), (19, 6), (20, 1)):
        board[slot] = count
    for slot, count in ((24, 2), (13, 5), (8, 3), (6, 5)):
        board[slot] = -count
    game["plies"] = [{"color": 1, "action_id": 31, "d1": 3, "d2": 1, "set_position": board}]
    game["winner"], game["points_won"] = 1, 1
    document["games"] = [game]
    file = tmp_path / "match.gva"
    file.write_text(json.dumps(document), encoding="utf-8")
    (play,) = read_foreign(file).game.turns
    assert isinstance(play, IllegalPlay)
    assert str(play.afterstate) == "24:2,13:5,8:1,6:6,5:1 24:2,13:5,8:3,6:5 b"
    for ply in ({**first, "action_id": 33}, {**first, "action_id": 36}, {"color": 1}):
        game["plies"] = [first, ply]
        file.write_text(json.dumps(document), encoding="utf-8")
        with pytest.raises(ValueError, match=r"match.gva: "):
            read_foreign(file)


@pytest.mark.referee
@pytest.mark.parametrize("suffix", [".xg", ".bgf", ".gvab", ".ogxm", ".gva"])
@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"RGMH" + bytes(9000), bytes(range(256)) * 40, b"\xff" * 5000])
def test_broken_files_are_refused(tmp_path: Path, suffix: str, data: bytes) -> None:
    referees.module("gvformat")
    file = tmp_path / f"broken{suffix}"
    file.write_bytes(data)
    with pytest.raises(ValueError, match=rf"^broken{suffix}: "):
        read_foreign(file)


@pytest.mark.referee
def test_a_binary_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    codec = referees.module("gvformat")
    whole = codec.write_gvab(converted(a_match(2, 5, CubeRules()), tmp_path))
    file = tmp_path / "cut.gvab"
    for end in random.Random(1).sample(range(len(whole)), 30):
        file.write_bytes(whole[:end])
        with pytest.raises(ValueError, match=r"^cut.gvab: "):
            read_foreign(file)


def test_other_names_and_great_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "match.gvab"
    with file.open("wb") as handle:
        handle.truncate((64 << 20) + 1)
    with pytest.raises(ValueError, match="longer than 67108864 bytes"):
        read_foreign(file)


def test_without_the_package_it_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    file = tmp_path / "match.xg"
    file.write_bytes(b"")
    with pytest.raises(ImportError, match=r"nardy_fast\[files\]"):
        read_foreign(file)
