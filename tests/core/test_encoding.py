"""Boards as inputs of networks: each column is what its name says, whatever path the processor goes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast.core import _encoding

ROADS = ("long", "short")


@pytest.fixture(autouse=True)
def _path() -> Iterator[None]:
    usual = _encoding.path()
    yield
    _encoding.path(usual)


def encoded(boards: NDArray[np.int8], rules: str, turns: NDArray[np.int8] | None = None) -> NDArray[np.float32]:
    inputs = np.empty((len(boards), len(_encoding.columns(rules))), np.float32)
    _encoding.write_inputs(np.ascontiguousarray(boards), turns, rules, inputs)
    return inputs


def value(text: str, rules: str, column: str) -> float:
    """A column for the position after a play: the text's side to move is who is to throw."""
    board = nf.Position.parse(text, rules).board[::-1]
    return float(encoded(board[None], rules)[0, _encoding.columns(rules).index(column)])


def boards_of(rules: str, n: int = 400) -> NDArray[np.int8]:
    """Boards of random games at all stages."""
    rng = np.random.default_rng(5)
    boards = np.repeat(nf.Position.start(rules).board[None], n, axis=0)
    for turn in range(60):
        # A part of them stays behind each time, so that every stage of a game is there.
        part = slice(n * turn // 60, n)
        boards[part] = nf.batch.random_step(boards[part].copy(), rng, rules, restart=True).boards
    return boards


@pytest.mark.parametrize("rules", ROADS)
def test_the_first_columns_are_thermometers_of_each_slot(rules: str) -> None:
    boards = boards_of(rules)
    counts = boards.reshape(len(boards), 52, 1).astype(np.float32)
    units = np.concatenate([counts >= 1, counts >= 2, counts >= 3, np.maximum(counts - 3, 0) / 2], axis=2)
    np.testing.assert_array_equal(encoded(boards, rules)[:, : _encoding.SPARSE], units.reshape(len(boards), -1))


@pytest.mark.parametrize("rules", ROADS)
def test_every_path_gives_the_same_inputs(rules: str) -> None:
    boards, found = boards_of(rules), []
    for path in _encoding.paths():
        _encoding.path(path)
        found.append(encoded(boards, rules))
    for inputs in found[1:]:
        np.testing.assert_allclose(inputs, found[0], atol=1e-6)


@pytest.mark.parametrize("rules", ROADS)
def test_the_sides_are_told_the_same_of_swapped_boards(rules: str) -> None:
    boards = boards_of(rules)
    here, there = encoded(boards, rules), encoded(boards[:, ::-1], rules)
    half, width = _encoding.SPARSE // 2, (here.shape[1] - _encoding.SPARSE) // 2
    np.testing.assert_array_equal(here[:, :half], there[:, half : 2 * half])
    np.testing.assert_array_equal(here[:, 2 * half : 2 * half + width], there[:, 2 * half + width :])


def test_only_rules_that_tell_colours_apart_have_a_column_for_them() -> None:
    assert _encoding.columns("long")[-1] != "White has moved"
    assert _encoding.columns("federation")[-1] == "White has moved"
    board = nf.Position.start("federation").board[None]
    assert encoded(board, "federation", np.array([0], np.int8))[0, -1] == 1
    assert encoded(board, "federation", np.array([1], np.int8))[0, -1] == 0


@pytest.mark.parametrize("rules", ["long", "federation", "fevga", "khachapuri", "short", "acey_deucey"])
def test_a_column_has_a_name_of_its_own(rules: str) -> None:
    columns = _encoding.columns(rules)
    assert len(set(columns)) == len(columns)


# Worked by hand. White has moved; Black is to throw.


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        # Seven away: 6-1 hits by either point on the way; 5-2 and 4-3 find both closed.
        ("8:1,6:2,5:2,4:2,3:2 24:2 b", "moved: shots at me / 36", 2 / 36),
        ("2:1,6:2 24:1 b", "moved: shots at me / 36", 11 / 36),
        # Two away: any 2, and 1-1.
        ("3:1,6:2 24:1 b", "moved: shots at me / 36", 12 / 36),
        # A man on the bar enters with one die first: any 5, 4-1 in one order, 3-2 in both.
        ("5:1,4:2 bar:1 b", "moved: shots at me / 36", 11 / 36 + 2 / 36 + 2 / 36),
        ("6:2,5:2,4:2,3:2,2:2 bar:1 b", "to throw: bar: chance not to enter", 25 / 36),
        ("6:2,5:2,4:2,3:2 24:1 b", "moved: runs of 4 points / 3", 1 / 3),
        ("6:2,5:2,4:2,3:2 24:2 b", "moved: his men behind my longest run of 4 or more, times (length - 3) / 10", 0.2),
        ("8:2,7:2,6:2,5:2,4:2,3:2 24:1 b", "to throw: rearmost man: rolls that free it / 36", 0.0),
        ("20:2,6:2 24:1,1:2 b", "moved: farthest anchor in his home / 6", 5 / 6),
        ("6:2 24:1 b", "moved: pips / 167", 12 / 167),
        ("6:2 24:1 b", "to throw: men behind his rearmost man / 15", 1 / 15),
    ],
)
def test_backgammon_columns_say_what_they_are_called(text: str, column: str, expected: float) -> None:
    assert value(text, "short", column) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("24:14,18:1 12:15 b", "moved: men on the head times dice that can leave it / 90", 14 * 6 / 90),
        # Black holds 23, 22 and 21, which are one, two and three from White's head.
        ("24:15 12:12,23:1,22:1,21:1 b", "moved: men on the head times dice that can leave it / 90", 15 * 3 / 90),
        ("24:15 12:12,23:1,22:1,21:1 b", "moved: dice that cannot be played / 6", 3 / 6),
        ("24:15 12:12,23:1,22:1,21:1 b", "to throw: runs of 3 before his rearmost man / 4", 1 / 4),
        ("24:14,18:1 12:15 b", "moved: points held / 15", 2 / 15),
        ("24:14,18:1 12:15 b", "moved: points from which a 6 can be played, but the head / 8", 0.0),
        ("24:14,18:1 12:15 b", "moved: points from which a 5 can be played, but the head / 8", 1 / 8),
        ("24:14,18:1 12:15 b", "to throw: slot of the rearmost man / 24", 1 / 24),
        ("6:8,5:7 12:15 b", "moved: men at home / 15", 1.0),
    ],
)
def test_long_nardy_columns_say_what_they_are_called(text: str, column: str, expected: float) -> None:
    assert value(text, "long", column) == pytest.approx(expected, abs=1e-6)


def test_in_a_race_only_pips_and_men_home_are_told() -> None:
    names, inputs = _encoding.columns("short"), encoded(nf.Position.parse("6:3,2:1 5:2 b", "short").board[None], "short")[0]
    told = {name for name, found in zip(names, inputs, strict=True) if found and ": slot " not in name}
    assert told == {"moved: pips / 167", "to throw: pips / 167"}
