"""Players: what judges positions, chooses plays, plays games and learns from them."""

from pathlib import Path

from nardy_fast.players.arena import Arena, play
from nardy_fast.players.chances import BestPlays, Candidate, Chances, outputs
from nardy_fast.players.network import Network
from nardy_fast.players.players import LEVELS, Greedy, Level, Player, Random, level
from nardy_fast.players.training import Checkpoint, train

__all__ = [
    "LEVELS",
    "Arena",
    "BestPlays",
    "Candidate",
    "Chances",
    "Checkpoint",
    "Greedy",
    "Level",
    "Network",
    "Player",
    "Random",
    "get_include",
    "level",
    "outputs",
    "play",
    "train",
]


def get_include() -> str:
    """The folder of ``nardy_players.h``, which includes ``nardy_fast.h`` of `nardy_fast.get_include`."""
    return str(Path(__file__).parent / "include")
