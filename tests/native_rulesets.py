"""The presets that the native core plays so far; the reference plays all of them."""

from __future__ import annotations

from collections.abc import Mapping

from nardy_fast.rules import RULESETS, Ruleset

_REFERENCE_ONLY = {
    *("greek_fevga", "portes"),
    *("kaftar", "one_six", "kabutar", "astrogon", "even_odd", "gulbar", "mad_gulbar", "mad_nardy", "mad_fevga"),
}

NATIVE_RULESETS: Mapping[str, Ruleset] = {name: rules for name, rules in RULESETS.items() if name not in _REFERENCE_ONLY}
