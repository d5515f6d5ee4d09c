"""The pure-Python twin of the native core: slow, obvious, to be read beside the rulebook. Same names, results and errors."""

from nardy_fast.reference.game import Game, Match, Turn
from nardy_fast.reference.perft import perft
from nardy_fast.reference.position import Play, Position, parse_position
from nardy_fast.reference.simulation import simulate
from nardy_fast.rules import ROLLS

__all__ = ["ROLLS", "Game", "Match", "Play", "Position", "Turn", "parse_position", "perft", "simulate"]
