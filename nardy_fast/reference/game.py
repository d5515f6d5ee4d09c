"""Games, matches and turns in the making on the reference's positions and plays."""

from __future__ import annotations

from nardy_fast.games import game, match, turn
from nardy_fast.reference.position import Play, Position


class Turn(turn.Turn):
    __doc__ = turn.Turn.__doc__

    play_type = Play


class Game(game.Game):
    __doc__ = game.Game.__doc__

    position_type = Position
    turn_type = Turn


class Match(match.Match):
    __doc__ = match.Match.__doc__

    game_type = Game
