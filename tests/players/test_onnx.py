"""Networks as ONNX models: what another program makes of them is what we say."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from game_boards import boards_of

import nardy_fast as nf
from nardy_fast.core import _encoding
from nardy_fast.players import Network, outputs
from nardy_fast.players.training import new_weights

Trained = Callable[[str], Network]


def session_of(network: Network, path: Path) -> Any:
    """The model in a program of others'."""
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    network.to_onnx(path / "network.onnx")
    return runtime.InferenceSession(path / "network.onnx", providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("rules", ["long", "federation", "arena", "khachapuri", "giveaway", "short", "hypergammon"])
def test_a_model_says_what_the_network_does(rules: str, trained: Trained, tmp_path: Path) -> None:
    network = trained(rules)
    session = session_of(network, tmp_path)
    boards, turns = boards_of(rules, 1000, 120)
    for known in (turns, None):
        inputs = network.onnx_inputs(boards, turns=known)
        assert 0 < inputs["contact"].mean() < 1
        chances, equity = session.run(["chances", "equity"], inputs)
        expected = network.evaluate_batch(boards, turns=known)
        np.testing.assert_allclose(chances, expected, atol=1e-5)
        np.testing.assert_array_equal(chances == 0, expected == 0)
        np.testing.assert_allclose(equity, expected @ np.array(outputs(rules)), atol=1e-4)


def test_a_model_of_the_slots_alone_says_what_the_network_does(tmp_path: Path) -> None:
    network = Network(new_weights("long", hidden=64, encoding="slots", seed=1))
    boards, _ = boards_of("long")
    inputs = network.onnx_inputs(boards)
    assert inputs["inputs"].shape == (300, 208)
    (chances,) = session_of(network, tmp_path).run(["chances"], inputs)
    np.testing.assert_allclose(chances, network.evaluate_batch(boards), atol=1e-5)


def test_a_finished_game_is_exact(trained: Trained, tmp_path: Path) -> None:
    network = trained("short")
    lost = nf.Position.parse("24:15 - w", "short")  # Black has cleared, and White is in Black's home
    assert lost.is_over
    inputs = network.onnx_inputs(lost.board[None])
    assert inputs["possible"].tolist() == [[True, False, False, False, False, False]]
    chances, equity = session_of(network, tmp_path).run(None, inputs)
    assert (chances.tolist(), equity.tolist()) == ([[1, 0, 0, 0, 0, 0]], [-3])


def test_a_model_tells_what_it_is(trained: Trained, tmp_path: Path) -> None:
    network = trained("federation")
    session = session_of(network, tmp_path)
    told = session.get_modelmeta().custom_metadata_map
    assert nf.Ruleset.from_json(told["rules"]) == network.rules
    assert json.loads(told["outputs"]) == [-2, -1, 0, 1, 2]
    assert told["encoding"] == "dense-1"
    assert json.loads(told["columns"]) == list(_encoding.columns("federation"))
    assert json.loads(told["training"]) == network.training
    shapes = {node.name: node.shape for node in session.get_inputs()}
    assert shapes == {"inputs": ["n", len(_encoding.columns("federation"))], "contact": ["n"], "possible": ["n", 5]}


def test_no_boards_are_no_chances(trained: Trained, tmp_path: Path) -> None:
    network = trained("long")
    (chances,) = session_of(network, tmp_path).run(["chances"], network.onnx_inputs(np.empty((0, 2, 26), np.int8)))
    assert chances.shape == (0, 4)


def test_boards_that_make_no_sense_are_refused(trained: Trained) -> None:
    with pytest.raises(ValueError, match=r"boards\[0\]"):
        trained("long").onnx_inputs(np.zeros((1, 2, 26), np.int8))


def test_without_the_package_the_error_names_the_extra(trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"to_onnx needs the package onnx: pip install 'nardy_fast\[onnx\]'"):
        trained("long").to_onnx(tmp_path / "network.onnx")
    assert not list(tmp_path.iterdir())
