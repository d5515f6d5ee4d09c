from nardy_fast import analysis, bearoff, players, reference
from nardy_fast.bulk import batch
from nardy_fast.bulk.perft import perft
from nardy_fast.bulk.simulation import Simulation, simulate
from nardy_fast.core import get_include
from nardy_fast.core._position import Play, Position, parse_position
from nardy_fast.formats import foreign, mat, records
from nardy_fast.games.cube import Cube, CubeRules, Stakes
from nardy_fast.games.game import Game
from nardy_fast.games.illegal import IllegalPlay
from nardy_fast.games.match import Match
from nardy_fast.games.states import State
from nardy_fast.games.turn import Turn
from nardy_fast.ids.find import find_ids
from nardy_fast.ids.match_id import from_match_id, match_id
from nardy_fast.ids.match_state import MatchState
from nardy_fast.ids.position_id import from_position_id, from_signed26, position_id, to_signed26
from nardy_fast.ids.xgid import from_xgid, xgid
from nardy_fast.positions import Pending, Stage
from nardy_fast.reasons import Reason
from nardy_fast.results import Result
from nardy_fast.rules import ROLLS, RULESETS, Ruleset, ruleset
from nardy_fast.version import __version__

__all__ = [
    "ROLLS",
    "RULESETS",
    "Cube",
    "CubeRules",
    "Game",
    "IllegalPlay",
    "Match",
    "MatchState",
    "Pending",
    "Play",
    "Position",
    "Reason",
    "Result",
    "Ruleset",
    "Simulation",
    "Stage",
    "Stakes",
    "State",
    "Turn",
    "__version__",
    "analysis",
    "batch",
    "bearoff",
    "find_ids",
    "foreign",
    "from_match_id",
    "from_position_id",
    "from_signed26",
    "from_xgid",
    "get_include",
    "mat",
    "match_id",
    "parse_position",
    "perft",
    "players",
    "position_id",
    "records",
    "reference",
    "ruleset",
    "simulate",
    "to_signed26",
    "xgid",
]
