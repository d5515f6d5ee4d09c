"""Analysis: search, small games solved outright, rollouts, error rates, match equities, the cube, hints, and reviews.

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
hint(game)                                      # what to do now
review(match).to_html()                         # what each decision cost, and how lucky each throw was
"""

from nardy_fast.analysis.cube_decisions import CubeDecision, cube_decision
from nardy_fast.analysis.decisions import Decisions, ErrorRate
from nardy_fast.analysis.hints import Hint, StepHint, hint
from nardy_fast.analysis.match_equity import MatchEquity
from nardy_fast.analysis.reviewed import Decision, GameReview, PlayerReview, Throw
from nardy_fast.analysis.reviews import Review, review
from nardy_fast.analysis.rollouts import RolledOut, Rollout, rollout
from nardy_fast.analysis.search import MoveFilter, Ranked, Ranking, Searcher, evaluate, rank
from nardy_fast.analysis.solved import Solution, solve

__all__ = [
    "CubeDecision",
    "Decision",
    "Decisions",
    "ErrorRate",
    "GameReview",
    "Hint",
    "MatchEquity",
    "MoveFilter",
    "PlayerReview",
    "Ranked",
    "Ranking",
    "Review",
    "RolledOut",
    "Rollout",
    "Searcher",
    "Solution",
    "StepHint",
    "Throw",
    "cube_decision",
    "evaluate",
    "hint",
    "rank",
    "review",
    "rollout",
    "solve",
]
