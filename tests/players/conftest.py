"""Small networks, trained for a moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from nardy_fast.players import Network, train


@cache
def _trained(rules: str) -> Network:
    return train(rules, games=150, threads=1, hidden=64, seed=3)


@pytest.fixture(scope="session")
def trained() -> Callable[[str], Network]:
    """A network for rules, better than chance; nobody may change its weights."""
    return _trained
