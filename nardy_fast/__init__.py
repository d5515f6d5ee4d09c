"""The rules of nardy, long and short, in a fast native core with a pure-Python twin, `nardy_fast.reference`."""

from nardy_fast import batch, records, reference
from nardy_fast._perft import perft
from nardy_fast._position import Play, Position, parse_position
from nardy_fast.building import get_include
from nardy_fast.game import Game
from nardy_fast.ids import from_position_id, from_signed26, position_id, to_signed26
from nardy_fast.match import Match
from nardy_fast.reasons import Reason
from nardy_fast.results import Result
from nardy_fast.rules import ROLLS, RULESETS, Ruleset, ruleset
from nardy_fast.simulation import Simulation, simulate
from nardy_fast.states import State
from nardy_fast.turn import Turn
from nardy_fast.version import __version__

# Game and Turn serve both implementations; here they are the native one's.
Game.position_type = Position
Turn.play_type = Play

__all__ = [
    "ROLLS",
    "RULESETS",
    "Game",
    "Match",
    "Play",
    "Position",
    "Reason",
    "Result",
    "Ruleset",
    "Simulation",
    "State",
    "Turn",
    "__version__",
    "batch",
    "from_position_id",
    "from_signed26",
    "get_include",
    "parse_position",
    "perft",
    "position_id",
    "records",
    "reference",
    "ruleset",
    "simulate",
    "to_signed26",
]
