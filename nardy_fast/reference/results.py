"""The end of a game: whether it has come, who won, and how many points that is (rulebook, sections 1 to 3)."""

from __future__ import annotations

from nardy_fast.reference.board import Board, all_home, cleared
from nardy_fast.rules import BAR, BLACK, HEAD, HOME, OFF, Ruleset

#: The first six points of a track; on contrary roads they are the other side's home.
FIRST_QUARTER = slice(HEAD, HEAD + 6)


def is_last_roll(board: Board, turn: int, rules: Ruleset) -> bool:
    """Whether White has cleared and Black, who is to move, has his last roll."""
    mover, opponent = board
    return rules.last_roll != "none" and turn == BLACK and cleared(opponent) and not cleared(mover)


def is_over(board: Board, turn: int, rules: Ruleset) -> bool:
    """Whether a side has cleared, and no last roll is due."""
    return (cleared(board[0]) or cleared(board[1])) and not is_last_roll(board, turn, rules)


def winner(board: Board, turn: int, rules: Ruleset) -> int | None:
    """The colour that has won: 0 White, 1 Black; None for a game that is not over or is drawn."""
    if not is_over(board, turn, rules) or (cleared(board[0]) and cleared(board[1])):
        return None
    first_to_clear = turn if cleared(board[0]) else 1 - turn
    return first_to_clear if rules.goal == "clear" else 1 - first_to_clear


def result(board: Board, loser_row: int, rules: Ruleset) -> str:
    """The name of the result of a game that is over and not drawn.

    `loser_row` is the row of the side that lost. The names are ``giveaway``, ``giveaway mars`` where ``goal`` is ``keep``;
    ``single``, ``gammon``, ``backgammon`` on contrary roads; else ``remaining``, ``oin``, ``koks``, ``home mars``, ``mars``.
    Where several fit, koks goes before home mars, and home mars before mars.
    """
    loser, other = board[loser_row], board[1 - loser_row]
    if rules.goal == "keep":
        return "giveaway" if other[OFF] else "giveaway mars"
    if rules.road == "contrary":
        if loser[OFF]:
            return "single"
        return "backgammon" if loser[BAR] or any(loser[FIRST_QUARTER]) else "gammon"
    if rules.remaining:
        return "remaining"
    if loser[OFF]:
        return "oin"
    if is_koks(loser, rules):
        return "koks"
    if rules.home_mars is not None and all_home(loser):
        return "home mars"
    return "mars"


def is_koks(loser: tuple[int, ...], rules: Ruleset) -> bool:
    """Whether a loser who has borne off none has lost by koks."""
    if rules.koks == "none_home":
        return not any(loser[HOME:OFF])
    if rules.koks == "on_head":
        return loser[HEAD] > 0
    if rules.koks == "start_quarter":
        return any(loser[FIRST_QUARTER])
    return False


def points(board: Board, loser_row: int, rules: Ruleset) -> int:
    """The points that the winner scores for a game that is over and not drawn, the cube left aside.

    `loser_row` is the row of the side that lost. With ``last_roll`` of ``draw_only`` the board to ask about is the one that
    stood when White cleared; with ``full`` it is the one after Black's last roll.
    """
    name = result(board, loser_row, rules)
    if name == "remaining":
        return rules.checkers - board[loser_row][OFF]
    if name == "koks":
        return rules.koks_points
    if name == "home mars" and rules.home_mars is not None:
        return rules.home_mars
    return {"giveaway": 1, "giveaway mars": 2, "single": 1, "gammon": 2, "backgammon": 3, "oin": 1, "mars": 2}[name]
