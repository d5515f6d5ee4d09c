"""The pure-Python twin of the native core: slow, obvious, to be read beside the rulebook.

What is here has the name, arguments, results and errors that it has in `nardy_fast`; only the random games of `simulate` are
others, with the same statistics. `Game`, `Match` and `Turn` are the same code on the positions and plays of this package; `ROLLS`
is the same object. `nardy_fast.reference.bearoff` solves small endgames in fractions, under names of its own. All else exists
once.
"""

from nardy_fast.reference.game import Game, Match, Turn
from nardy_fast.reference.perft import perft
from nardy_fast.reference.position import Play, Position, parse_position
from nardy_fast.reference.simulation import simulate
from nardy_fast.rules import ROLLS

__all__ = ["ROLLS", "Game", "Match", "Play", "Position", "Turn", "parse_position", "perft", "simulate"]
