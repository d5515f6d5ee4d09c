"""Sends: steps that take a checker from the head straight home (rulebook, section 3)."""

from __future__ import annotations

from nardy_fast.rules import HEAD, OFF, Ruleset


def sending_dice(dice: tuple[int, ...], rules: Ruleset) -> frozenset[int]:
    """The dice of a stage that can send: each 1 and 6, or all of a double."""
    if rules.send == "one_six":
        return frozenset(dice) & {1, 6}
    if rules.send == "doubles" and len(dice) > 1 and len(set(dice)) == 1:
        return frozenset(dice)
    return frozenset()


def send(die: int) -> tuple[int, int, int]:
    """The step that sends: to the point from which the same die bears off, whatever lies between."""
    return HEAD, OFF - die, die
