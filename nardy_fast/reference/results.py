"""The end of a game: whether it has come, and who won (rulebook, sections 1 to 3). What it is worth: `nardy_fast.results`."""

from __future__ import annotations

from nardy_fast.reference.board import Board, cleared
from nardy_fast.rules import BLACK, HEAD, HOME, OFF, Ruleset

#: The points that each side holds, and no others, when neither can ever move again: its slot 6, and its home, which is frozen.
DEAD = (6, *range(HOME, OFF))


def is_last_roll(board: Board, turn: int, rules: Ruleset) -> bool:
    """Whether White has cleared and Black, who is to move, has his last roll."""
    mover, opponent = board
    return rules.last_roll != "none" and turn == BLACK and cleared(opponent) and not cleared(mover)


def is_dead(board: Board, rules: Ruleset) -> bool:
    """Whether neither side can ever move again, so that the game is drawn (rulebook, section 3)."""
    if not rules.dead_draw or rules.home_steps:
        return False
    return all(tuple(slot for slot in range(HEAD, OFF) if row[slot]) == DEAD for row in board)


def is_over(board: Board, turn: int, rules: Ruleset) -> bool:
    """Whether a side has cleared, and no last roll is due; or the position is dead."""
    if is_dead(board, rules):
        return True
    return (cleared(board[0]) or cleared(board[1])) and not is_last_roll(board, turn, rules)


def winner(board: Board, turn: int, rules: Ruleset) -> int | None:
    """The colour that has won: 0 White, 1 Black; None for a game that is not over or is drawn."""
    if not is_over(board, turn, rules) or cleared(board[0]) == cleared(board[1]):
        return None
    first_to_clear = turn if cleared(board[0]) else 1 - turn
    return first_to_clear if rules.goal == "clear" else 1 - first_to_clear
