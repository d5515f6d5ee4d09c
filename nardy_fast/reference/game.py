"""Games and turns in the making on the reference: those of the package, with the reference's positions and plays in them."""

from __future__ import annotations

from nardy_fast import game, turn
from nardy_fast.reference.position import Play, Position


class Turn(turn.Turn):
    __doc__ = turn.Turn.__doc__

    play_type = Play


class Game(game.Game):
    __doc__ = game.Game.__doc__

    position_type = Position
    turn_type = Turn
