"""What the native core does so far, and where the reference is ahead of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nardy_fast.rules import RULESETS, Ruleset

_REFERENCE_ONLY = {
    *("greek_fevga", "portes"),
    *("kaftar", "one_six", "kabutar", "astrogon", "even_odd", "gulbar", "mad_gulbar", "mad_nardy", "mad_fevga"),
}

NATIVE_RULESETS: Mapping[str, Ruleset] = {name: rules for name, rules in RULESETS.items() if name not in _REFERENCE_ONLY}


def is_behind(position: Any) -> bool:
    """Whether the native core does not yet offer here to bear off the last checker and leave dice unplayed."""
    return sum(position.board[0, :25].tolist()) == 1
