"""The result of a game: who has won, how many points, and what it is called (rulebook, sections 1 to 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nardy_fast import Play, Position


class Result(NamedTuple):
    """How a game ended.

    `winner`: 0 White, 1 Black, None for a draw or an abandoned game. `points`: what the winner scores, times the cube; 0 where
    nobody won.
    `kind`: ``oin``, ``mars``, ``home mars``, ``koks``, ``remaining``; ``giveaway``, ``giveaway mars``; ``single``, ``gammon``,
    ``backgammon``; ``draw``; ``resigned``; ``dropped``; ``abandoned``.
    """

    winner: int | None
    points: int
    kind: str


def is_last_roll(position: Position) -> bool:
    """Whether White has cleared and Black, who is to move, has his last roll (rulebook, section 1, End)."""
    return position.turn == 1 and not position.is_over and position.pips[1] == 0


def result_of(position: Position, last_play: Play) -> Result:
    """The result of a game that `last_play` has ended in `position`.

    Under ``draw_only``, Black's last roll may make a draw but changes nothing else, so that the board before it counts.
    """
    # Here and not above: the reference builds its own Game on this package.
    from nardy_fast.reference.results import points, result

    winner = position.winner
    if winner is None:
        return Result(None, 0, "draw")
    rules = position.rules
    board, turn = position.board, position.turn
    if rules.last_roll == "draw_only" and is_last_roll(last_play.position):
        board, turn = last_play.position.board, last_play.position.turn
    rows = tuple(board[0].tolist()), tuple(board[1].tolist())
    loser_row = 0 if winner != turn else 1
    return Result(winner, points(rows, loser_row, rules), result(rows, loser_row, rules))
