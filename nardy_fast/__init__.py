"""The rules of nardy, long and short, in a fast native core with a pure-Python twin, `nardy_fast.reference`."""

from nardy_fast import reference
from nardy_fast._perft import perft
from nardy_fast._position import Play, Position, parse_position
from nardy_fast.reasons import Reason
from nardy_fast.rules import ROLLS, RULESETS, Ruleset, ruleset
from nardy_fast.simulation import Simulation, simulate
from nardy_fast.version import __version__

__all__ = [
    "ROLLS",
    "RULESETS",
    "Play",
    "Position",
    "Reason",
    "Ruleset",
    "Simulation",
    "__version__",
    "parse_position",
    "perft",
    "reference",
    "ruleset",
    "simulate",
]
