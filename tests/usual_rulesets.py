"""The presets in which a throw is two dice, or four of a double, played by who threw them: without the stage variants."""

from __future__ import annotations

from collections.abc import Mapping

from nardy_fast.rules import RULESETS, Ruleset


def is_usual(rules: Ruleset) -> bool:
    """Whether each throw is played in one stage of its two or four dice, without sends."""
    return rules.throw == "pair" and rules.send is None and not rules.has_queue and not rules.throw_again


USUAL_RULESETS: Mapping[str, Ruleset] = {name: rules for name, rules in RULESETS.items() if is_usual(rules)}
