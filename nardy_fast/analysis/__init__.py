"""Analysis: search, small games solved outright, rollouts, error rates, match equities, and what to do with the cube.

rank(position, (6, 5), plies=2)                 # every play with what it is worth so many plies on
evaluate(position, plies=1).equity
game = nf.analysis.solve("hypergammon")         # built on first use, then mapped from the cache folder
game.evaluate(position).equity                  # exact, for best play by both
game.rank(position, (6, 5))                     # every play with what it is worth
found = rollout(position, dice=(6, 5), apart=3) # games from each play, with the same dice
found.best.play, found.equity, found.standard_error
Decisions.load("long").error_rates(player)      # what a player loses a decision, by phase of the game
MatchEquity(7).chance(3, 5)                     # the chance to win a match, three points needed, the other five
cube_decision(position)                         # whether to double, and whether to take
"""

from nardy_fast.analysis.cube_decisions import CubeDecision, cube_decision
from nardy_fast.analysis.decisions import Decisions, ErrorRate
from nardy_fast.analysis.match_equity import MatchEquity
from nardy_fast.analysis.rollouts import RolledOut, Rollout, rollout
from nardy_fast.analysis.search import MoveFilter, Ranked, Ranking, Searcher, evaluate, rank
from nardy_fast.analysis.solved import Solution, solve

__all__ = [
    "CubeDecision",
    "Decisions",
    "ErrorRate",
    "MatchEquity",
    "MoveFilter",
    "Ranked",
    "Ranking",
    "RolledOut",
    "Rollout",
    "Searcher",
    "Solution",
    "cube_decision",
    "evaluate",
    "rank",
    "rollout",
    "solve",
]
