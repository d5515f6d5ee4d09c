"""Players: what judges positions, and what it says of them."""

from nardy_fast.players.chances import BestPlays, Candidate, Chances, outputs

__all__ = ["BestPlays", "Candidate", "Chances", "outputs"]
