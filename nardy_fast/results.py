"""The result of a game: who has won, how many points, and what it is called (rulebook, sections 1 to 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from nardy_fast.positions import PositionLike
from nardy_fast.rules import BAR, BLACK, HEAD, HOME, OFF, Ruleset

#: The first six points of a track; on contrary roads they are the other side's home.
FIRST_QUARTER = slice(HEAD, HEAD + 6)

#: The checkers in slots 0..25 of each side's own track, in either order of the sides.
Board: TypeAlias = Sequence[Sequence[int]]


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


def kind_of(board: Board, loser_row: int, rules: Ruleset) -> str:
    """The name of the result of a game that is over and not drawn.

    `loser_row` is the row of the side that lost. The names are ``giveaway``, ``giveaway mars`` where ``goal`` is ``keep``;
    ``single``, ``gammon``, ``backgammon`` (where it counts three) on contrary roads; else ``remaining``, ``oin``, ``koks``,
    ``home mars``, ``mars``.
    Where several fit, koks goes before home mars, and home mars before mars.
    """
    loser, other = board[loser_row], board[1 - loser_row]
    if rules.goal == "keep":
        return "giveaway" if other[OFF] else "giveaway mars"
    if rules.road == "contrary":
        if loser[OFF]:
            return "single"
        is_backgammon = rules.backgammon_points == 3 and (loser[BAR] or any(loser[FIRST_QUARTER]))
        return "backgammon" if is_backgammon else "gammon"
    if rules.remaining:
        return "remaining"
    if loser[OFF]:
        return "oin"
    if _is_koks(loser, rules):
        return "koks"
    if rules.home_mars is not None and not any(loser[:HOME]):
        return "home mars"
    return "mars"


def _is_koks(loser: Sequence[int], rules: Ruleset) -> bool:
    """Whether a loser who has borne off none has lost by koks."""
    if rules.koks == "none_home":
        return not any(loser[HOME:OFF])
    if rules.koks == "on_head":
        return loser[HEAD] > 0
    if rules.koks == "start_quarter":
        return any(loser[FIRST_QUARTER])
    return False


def points_of(board: Board, loser_row: int, rules: Ruleset) -> int:
    """The points that the winner scores for a game that is over and not drawn, the cube left aside.

    `loser_row` is the row of the side that lost. With ``last_roll`` of ``draw_only`` the board to ask about is the one that
    stood when White cleared; with ``full`` it is the one after Black's last roll.
    """
    name = kind_of(board, loser_row, rules)
    if name == "remaining":
        return rules.checkers - board[loser_row][OFF]
    if name == "koks":
        return rules.koks_points
    if name == "home mars" and rules.home_mars is not None:
        return rules.home_mars
    return {"giveaway": 1, "giveaway mars": 2, "single": 1, "gammon": 2, "backgammon": 3, "oin": 1, "mars": 2}[name]


def is_last_roll(position: PositionLike) -> bool:
    """Whether White has cleared and Black, who is to move, has his last roll (rulebook, section 1, End)."""
    return position.turn == BLACK and not position.is_over and position.pips[1] == 0


def result_of(position: PositionLike, last_play: Any) -> Result:
    """The result of a game that `last_play` has ended in `position`.

    Under ``draw_only``, Black's last roll may make a draw but changes nothing else, so that the board before it counts.
    """
    winner = position.winner
    if winner is None:
        return Result(None, 0, "draw")
    rules = position.rules
    board, turn = position.board, position.turn
    if rules.last_roll == "draw_only" and is_last_roll(last_play.position):
        board, turn = last_play.position.board, last_play.position.turn
    rows = board.tolist()
    loser_row = 0 if winner != turn else 1
    return Result(winner, points_of(rows, loser_row, rules), kind_of(rows, loser_row, rules))
