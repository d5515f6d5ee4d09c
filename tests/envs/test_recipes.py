"""The recipes learn."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

RECIPES = Path(__file__).parents[2] / "examples" / "recipes"

pytestmark = pytest.mark.skipif(not RECIPES.exists(), reason="the tests are away from the examples")


def recipe(name: str, *needs: str) -> ModuleType:
    """The module of a recipe; skips where what it needs is not installed."""
    for module in needs:
        pytest.importorskip(module)
    spec = importlib.util.spec_from_file_location(name, RECIPES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_td_lambda_learns_to_beat_chance() -> None:
    arena = recipe("td_lambda").main("hypergammon", "2000")
    assert arena.points > 10 * arena.error


def test_a_value_network_in_torch_learns_to_beat_chance() -> None:
    arena = recipe("value_network", "torch").main("hypergammon", "300")
    assert arena.points > 10 * arena.error


def test_ppo_learns_to_beat_chance() -> None:
    points, error = recipe("ppo", "torch", "gymnasium").main("hypergammon", "20")
    assert points > 3 * error  # by as many updates as a test can wait for


def test_tree_search_of_openspiel_beats_chance() -> None:
    points, error = recipe("mcts", "open_spiel.python.algorithms.mcts").main("hypergammon", "12", "10")
    assert points > error  # by so few games
