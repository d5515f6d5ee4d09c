"""nardy_fast.batch.encode: each feature is what NumPy reads from the boards, and its columns have names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast import batch

Array = NDArray[Any]


def boards_of(rules: str, n: int = 300) -> Array:
    """Afterstates of games of all ages."""
    rng = np.random.default_rng(3)
    game = batch.start(n, rng, rules)
    for turn in range(80):
        part = slice(n * turn // 80, n)
        game.boards[part] = batch.random_step(game.boards[part].copy(), rng, rules, restart=True).boards
    return batch.afterstates(game.boards, game.dice, rules).boards


def thermometer(boards: Array) -> Array:
    """As TD-Gammon reads a board."""
    points = boards[:, :, 1:25, None].astype(np.float32)
    units = np.concatenate([points >= 1, points >= 2, points >= 3, np.maximum(points - 3, 0) / 2], axis=3)
    rest = np.stack([boards[:, :, 0] / 2, boards[:, :, 25] / 15], axis=2)
    return np.concatenate([units.reshape(len(boards), 2, 96), rest], axis=2).reshape(len(boards), 196).astype(np.float32)


@pytest.mark.parametrize("rules", ["long", "short"])
def test_raw_features_are_the_counts(rules: str) -> None:
    boards = boards_of(rules)
    found = batch.encode(boards, "raw")
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, boards.reshape(-1, 52))


@pytest.mark.parametrize("rules", ["long", "short"])
def test_thermometer_features_are_those_of_td_gammon(rules: str) -> None:
    boards = boards_of(rules)
    np.testing.assert_array_equal(batch.encode(boards, "thermometer"), thermometer(boards))


@pytest.mark.parametrize("rules", ["long", "short", "fevga"])
@pytest.mark.parametrize("features", ["slots", "dense-1"])
def test_the_inputs_of_networks_are_what_their_exported_form_is_given(rules: str, features: str) -> None:
    boards = boards_of(rules)
    counts = boards.reshape(-1, 52, 1).astype(np.float32)
    units = np.concatenate([counts >= 1, counts >= 2, counts >= 3, np.maximum(counts - 3, 0) / 2], axis=2).reshape(-1, 208)
    found = batch.encode(boards, features, rules)
    np.testing.assert_array_equal(found[:, :208], units)
    assert found.shape[1] == len(batch.columns(features, rules))
    if features == "dense-1":
        row = batch.columns(features, rules).index("moved: pips / 167" if rules == "short" else "moved: pips / 375")
        pips = batch.pips(boards)[:, 0] / (167 if rules == "short" else 375)
        np.testing.assert_allclose(found[:, row], pips, rtol=1e-6)


def test_columns_have_names_of_their_own_that_say_where_a_checker_is_seen() -> None:
    start = nf.Position.start("long").board[None]
    for features in batch.FEATURES:
        names = batch.columns(features)
        assert len(set(names)) == len(names) == batch.encode(start, features).shape[1]
    raw = dict(zip(batch.columns("raw"), batch.encode(start, "raw")[0].tolist(), strict=True))
    assert {name: value for name, value in raw.items() if value} == {"row 0: slot 1": 15, "row 1: slot 1": 15}
    units = dict(zip(batch.columns("thermometer"), batch.encode(start, "thermometer")[0].tolist(), strict=True))
    assert units["row 1: slot 1: half of what is above 3"] == 6
    assert units["row 0: slot 1: 3 or more"] == 1
    assert units["row 0: slot 2: 1 or more"] == 0


def test_rules_with_a_last_roll_want_to_know_whose_turn_it_is() -> None:
    start = nf.Position.start("federation").board[None]
    with pytest.raises(ValueError, match="turns = None: by the rules 'federation' it matters whose turn it is"):
        batch.encode(start, "dense-1", "federation")
    assert batch.encode(start, "dense-1", "federation", turns=np.zeros(1, np.int8))[0, -1] == 1
    assert batch.encode(start, "dense-1", "federation", turns=np.ones(1, np.int8))[0, -1] == 0


def test_out_is_filled_from_the_front_and_that_part_is_returned() -> None:
    boards = boards_of("short")
    room = np.full((len(boards) + 5, 52), 7, np.float32)
    found = batch.encode(boards, "raw", out=room)
    assert found.base is room
    np.testing.assert_array_equal(found, boards.reshape(-1, 52))
    assert (room[len(boards) :] == 7).all()


def test_threads_write_the_same() -> None:
    boards = np.ascontiguousarray(np.resize(boards_of("long"), (2 * batch.SHARD + 9, 2, 26)))
    for features in batch.FEATURES:
        np.testing.assert_array_equal(batch.encode(boards, features), batch.encode(boards, features, threads=2))


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"features": "pixels"}, ValueError, "features = 'pixels': expected one of raw, thermometer, slots, dense-1"),
        ({"features": ["raw"]}, ValueError, r"features = \['raw'\]: expected one of raw"),
        ({"boards": np.full((1, 2, 26), 16, np.int8)}, ValueError, r"boards\[0, 0\] = 16: a slot holds 0..15 checkers"),
        ({"boards": np.zeros((1, 2, 26))}, TypeError, "boards has dtype float64: expected int8"),
        ({"out": np.zeros((0, 52), np.float32)}, ValueError, r"out has shape \(0, 52\): expected \(1, 52\)"),
        ({"out": np.zeros((1, 52))}, TypeError, "out has dtype float64: expected float32"),
        ({"threads": 0}, ValueError, "threads = 0"),
    ],
)
def test_what_cannot_be_encoded_is_refused(change: dict[str, Any], error: type[Exception], text: str) -> None:
    given: dict[str, Any] = {"boards": nf.Position.start("long").board[None], "features": "raw", **change}
    with pytest.raises(error, match=text):
        batch.encode(given.pop("boards"), given.pop("features"), **given)
