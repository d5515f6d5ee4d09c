"""The end of a game: whether it has come, and who won (rulebook, sections 1 to 3). What it is worth: `nardy_fast.results`."""

from __future__ import annotations

from nardy_fast.reference.board import Board, cleared
from nardy_fast.rules import BLACK, Ruleset


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
