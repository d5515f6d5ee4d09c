"""What the tests share: the two implementations, side by side, and the marks."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # for oracle.py and strategies.py, whatever the import mode

IMPLEMENTATIONS = {"native": "nardy_fast", "reference": "nardy_fast.reference"}

settings.register_profile(
    "nardy",
    deadline=None,  # machines are noisy and shared
    derandomize=True,  # the same positions on every run
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
settings.load_profile("nardy")


@pytest.fixture(params=list(IMPLEMENTATIONS.values()), ids=list(IMPLEMENTATIONS))
def impl(request: pytest.FixtureRequest) -> ModuleType:
    """Each implementation in turn: the same test body runs on both."""
    return importlib.import_module(request.param)


@pytest.fixture(params=list(IMPLEMENTATIONS.values()), ids=list(IMPLEMENTATIONS))
def newest(request: pytest.FixtureRequest) -> ModuleType:
    """Each implementation that plays the newest rules."""
    return importlib.import_module(request.param)


@pytest.fixture
def native() -> ModuleType:
    return importlib.import_module(IMPLEMENTATIONS["native"])


@pytest.fixture
def reference() -> ModuleType:
    return importlib.import_module(IMPLEMENTATIONS["reference"])
