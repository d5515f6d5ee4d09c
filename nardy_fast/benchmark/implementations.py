"""The two implementations by the names that people give them on the command line."""

from __future__ import annotations

import importlib
from typing import Any

IMPLEMENTATIONS = {"native": "nardy_fast", "reference": "nardy_fast.reference"}


def implementation(name: str) -> Any:
    """The module of the implementation ``native`` or ``reference``."""
    return importlib.import_module(IMPLEMENTATIONS[name])
