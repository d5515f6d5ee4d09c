"""Analysis: small games solved outright.

game = nf.analysis.solve("hypergammon")         # built on first use, then mapped from the cache folder
game.evaluate(position).equity                  # exact, for best play by both
game.rank(position, (6, 5))                     # every play with what it is worth
"""

from nardy_fast.analysis.solved import Solution, solve

__all__ = ["Solution", "solve"]
