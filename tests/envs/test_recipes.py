"""The recipes learn."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "examples" / "recipes"


@pytest.mark.skipif(not RECIPES.exists(), reason="the tests are away from the examples")
def test_td_lambda_learns_to_beat_chance() -> None:
    spec = importlib.util.spec_from_file_location("td_lambda", RECIPES / "td_lambda.py")
    assert spec is not None
    assert spec.loader is not None
    recipe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    arena = recipe.main("hypergammon", "2000")
    assert arena.points > 10 * arena.error
