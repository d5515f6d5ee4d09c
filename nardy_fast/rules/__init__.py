"""Which game is played: `Ruleset`, the presets, and the numbers that every room shares."""

from nardy_fast.rules.fields import (
    BAR,
    BLACK,
    CHOICES,
    HEAD,
    HOME,
    LAST,
    OFF,
    OPPOSITES,
    ROLLS,
    SLOTS,
    WHITE,
    WITHOUT_MEANING,
    Ruleset,
    opposite,
)
from nardy_fast.rules.presets import RULESETS, ruleset

__all__ = [
    "BAR",
    "BLACK",
    "CHOICES",
    "HEAD",
    "HOME",
    "LAST",
    "OFF",
    "OPPOSITES",
    "ROLLS",
    "RULESETS",
    "SLOTS",
    "WHITE",
    "WITHOUT_MEANING",
    "Ruleset",
    "opposite",
    "ruleset",
]
