"""What a race is asked for."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from numpy.typing import NDArray

from nardy_fast.core._position import Position
from nardy_fast.rules import OFF


class Race(NamedTuple):
    """The chances of the side to move; win, draw and loss add up to 1."""

    #: Mars included.
    win: float
    #: To win while the loser has all checkers on the board: mars and all that counts more, or a gammon. (With ``goal = "keep"``:
    #: while the winner has.)
    mars: float
    draw: float
    #: Lost mars included.
    loss: float
    lost_mars: float
    #: Where they are from: ``two-sided``, exact for best play by both; ``one-sided``, exact for two sides that each play for
    #: their own soonest end whatever the other does; ``over`` for a finished position.
    source: str

    @classmethod
    def of(cls, chances: NDArray[Any], source: str) -> Self:
        """From a row of the native look-ups."""
        win, mars, draw, loss, lost_mars = chances.tolist()
        return cls(win, mars, draw, loss, lost_mars, source)


def finished_race(position: Position) -> Race:
    """The chances that have come true."""
    winner = position.winner
    if winner is None:
        return Race(0.0, 0.0, 1.0, 0.0, 0.0, "over")
    won = winner == position.turn
    keeps_on = 1 - int(position.board[1, OFF] == position.rules.checkers)  # the row of the side that has not cleared
    mars = float(position.board[keeps_on, OFF] == 0 and not position.rules.remaining)
    return Race(float(won), mars * won, 0.0, float(not won), mars * (not won), "over")
