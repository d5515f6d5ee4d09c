"""Training: the gradient, and trainings that can be done again, stopped and gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy_fast as nf
from nardy_fast.players import Checkpoint, Network, Random, files, play, train
from nardy_fast.players.training import new_weights


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("24:12,20:2,15:1 12:13,6:2 w", "long"),
        ("6:3,5:8 18:6,13:2 w", "long"),
        ("24:2,13:4,8:3,6:5,5:1 24:2,13:4,8:3,6:5,bar:1 b", "short"),
        ("24:14,18:1 12:15 b", "federation"),
    ],
)
def test_a_step_of_training_goes_down_the_gradient(text: str, rules: str) -> None:
    weights = new_weights(rules, hidden=64, seed=2)
    network = Network(weights)
    position = nf.Position.parse(text, rules)
    moved, mover = np.ascontiguousarray(position.board[::-1])[None], 1 - position.turn
    target = np.random.default_rng(1).dirichlet(np.ones(len(network.outputs))).astype(np.float32)
    before = {name: getattr(weights, name).copy() for name in files.ARRAYS}

    def loss() -> float:
        chances, equity = np.empty((1, len(target)), np.float32), np.empty(1, np.float32)
        network.native.judge_alone(moved, mover, chances, equity)
        possible = chances[0] > 0
        return -float(target[possible].astype(np.float64) @ np.log(chances[0][possible].astype(np.float64)))

    # With all chances possible the targets need not be cut.
    possible = np.array(network.evaluate(position, tables=False).probabilities)[::-1] > 0
    target *= possible
    target /= target.sum()
    rate = 1e-3
    network.native.learn(moved, mover, target, rate)
    steps = {name: (getattr(weights, name) - before[name]) / rate for name in files.ARRAYS}
    for name, step in steps.items():
        array = getattr(weights, name)
        for other in files.ARRAYS:
            getattr(weights, other)[...] = before[other]
        # Along each array's own step the loss falls by the square of the step's length.
        length = float(np.linalg.norm(step))
        direction, width = step / length, 1e-2 / max(1.0, length)
        array += width * direction
        above = loss()
        array -= 2 * width * direction
        below = loss()
        assert (below - above) / (2 * width) == pytest.approx(length, rel=0.02)
        # And of single weights.
        array[...] = before[name]
        for place in np.argsort(-np.abs(step), axis=None)[:5]:
            at = np.unravel_index(place, step.shape)
            array[at] += 1e-2
            above = loss()
            array[at] -= 2e-2
            below = loss()
            array[at] = before[name][at]
            assert (below - above) / 2e-2 == pytest.approx(float(step[at]), rel=0.05, abs=2e-4)


def test_training_teaches() -> None:
    network = train("short", games=400, threads=1, hidden=64, seed=1)
    assert play(network, Random(), "short", 200).points > 1


@pytest.mark.parametrize(
    "rules", ["long", "federation", "arena", "khachapuri", "giveaway", "fevga", "hypergammon", "acey_deucey"]
)
def test_every_game_can_be_trained(rules: str) -> None:
    network = train(rules, threads=1, games=20, hidden=64)
    assert network.training["games"] == 20
    assert all(np.isfinite(getattr(network.weights, name)).all() for name in files.ARRAYS)


def test_a_dialect_of_one_s_own_can_be_trained() -> None:
    rules = nf.Ruleset(name="club", setup=((1, 8),), home_mars=3, last_roll="draw_only")
    assert train(rules, threads=1, games=60, hidden=64).outputs == (-3, -2, -1, 0, 1, 2, 3)


def test_a_training_by_games_is_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("one.npz", "two.npz"):
        train("long", games=120, threads=1, seed=7, hidden=64, out=tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    train("long", games=120, threads=1, seed=8, hidden=64, out=tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() != (tmp_path / "two.npz").read_bytes()


class Stop(Exception):
    pass


def test_a_training_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    def stop(checkpoint: Checkpoint) -> None:
        if checkpoint.games >= 100:
            raise Stop

    with pytest.raises(Stop):
        train("long", games=300, threads=1, seed=7, hidden=64, out=tmp_path / "some.npz", every=1e-9, callback=stop)
    assert Network.load(tmp_path / "some.npz").training["games"] == 100
    train("long", games=300, threads=1, seed=7, hidden=64, out=tmp_path / "some.npz", resume=True)
    train("long", games=300, threads=1, seed=7, hidden=64, out=tmp_path / "whole.npz")
    assert (tmp_path / "some.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_a_finished_training_that_is_resumed_stays_as_it_is(tmp_path: Path) -> None:
    train("long", games=50, threads=1, hidden=64, out=tmp_path / "some.npz")
    before = (tmp_path / "some.npz").read_bytes()
    train("long", games=50, threads=1, hidden=64, out=tmp_path / "some.npz", resume=True)
    assert (tmp_path / "some.npz").read_bytes() == before


def test_a_training_by_minutes_ends_in_time_on_two_threads(tmp_path: Path) -> None:
    seen: list[Checkpoint] = []
    network = train("hypergammon", minutes=1 / 60, threads=2, hidden=64, out=tmp_path / "some.npz", callback=seen.append)
    assert seen[-1].progress == 1
    assert seen[-1].games == network.training["games"] > 0
    assert 0.9 < network.training["seconds"] < 30


def test_a_checkpoint_says_how_far_the_training_is() -> None:
    seen: list[Checkpoint] = []
    train("hypergammon", games=100, threads=1, hidden=64, every=1e-9, callback=seen.append)
    assert [checkpoint.games for checkpoint in seen] == [50, 100, 100]
    assert [checkpoint.progress for checkpoint in seen] == [0.5, 1, 1]
    assert seen[0].random.games == seen[0].greedy.games == 400
    assert 0 < seen[0].loss < 2
    assert "50 games" in str(seen[0])


def test_a_training_may_begin_with_a_network(tmp_path: Path) -> None:
    first = train("hypergammon", games=50, threads=1, hidden=64)
    before = first.weights.first.copy()
    second = train("hypergammon", games=50, threads=1, seed=1, start=first)
    np.testing.assert_array_equal(first.weights.first, before)
    assert (second.weights.first != before).any()
    assert second.hidden == 64


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ValueError, "minutes, games = None, None: expected one of them"),
        ({"games": 10, "minutes": 1}, ValueError, "minutes, games = 1, 10: expected one of them"),
        ({"games": 0}, ValueError, "games = 0"),
        ({"minutes": 0}, ValueError, "minutes = 0: expected a number above 0"),
        ({"minutes": "1"}, TypeError, "minutes = '1': expected a number"),
        ({"games": 10, "hidden": 100}, ValueError, "hidden = 100: expected a multiple of 64"),
        ({"games": 10, "encoding": "pixels"}, ValueError, "encoding = 'pixels': expected one of slots, dense-1"),
        ({"games": 10, "rate": 0.1}, TypeError, "rate = 0.1: expected two numbers"),
        ({"games": 10, "rate": (0.1, 0)}, ValueError, "rate = 0: expected a number above 0"),
        ({"games": 10, "trace": (2, 1)}, ValueError, "trace = 2: expected a number above 0, up to 1"),
        ({"games": 10, "threads": 0}, ValueError, "threads = 0"),
        ({"games": 10, "seed": -1}, ValueError, "seed = -1"),
        ({"games": 10, "callback": 1}, TypeError, "callback = 1"),
        ({"games": 10, "start": 1}, ValueError, "start = 1: expected a network of the rules 'long'"),
        ({"games": 10, "out": "no/such/folder/some.npz"}, FileNotFoundError, "out = 'no/such/folder/some.npz'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        train("long", **options)


def test_a_network_of_other_rules_is_not_gone_on_with(tmp_path: Path) -> None:
    train("hypergammon", games=50, threads=1, hidden=64, out=tmp_path / "some.npz")
    with pytest.raises(ValueError, match="expected a training for 'long', to go on with"):
        train("long", games=50, threads=1, out=tmp_path / "some.npz", resume=True)
