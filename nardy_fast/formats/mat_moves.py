"""The moves in the cells of ``.mat`` files, and the positions that stand there for illegal plays."""

from __future__ import annotations

import re
from typing import Any

from nardy_fast.games.game import Game
from nardy_fast.rules import BAR, OFF

_MOVE = re.compile(r"(bar|\d{1,2})((?:/(?:off|\d{1,2})\*?)+)(?:\(([1-4])\))?", re.IGNORECASE | re.ASCII)

#: Of a position in Snowie's text: how many fields, and the first of them that say whose checkers count positive, and the board.
_FIELDS, _PLAYER, _BOARD = 38, 4, 12


def board_after(game: Game, words: list[str]) -> list[list[int]]:
    """The rows of mover and opponent after the moves as they are written: where a move lands on a blot, it is hit."""
    mover, opponent = game.position.board.tolist()
    touched = set()
    for word in words:
        found = _MOVE.fullmatch(word)
        if found is None:
            raise ValueError(f"{word:.40}: expected a move, as in 24/18 or 13/7*(2)")
        landings = [OFF - _point(point) for point in (found[1], *found[2].replace("*", "")[1:].split("/"))]
        for _ in range(int(found[3] or 1)):
            mover[landings[0]] -= 1
            mover[landings[-1]] += 1
        touched |= set(landings[1:])
    for slot in touched - {OFF, BAR}:
        if opponent[OFF - slot] == 1:
            opponent[OFF - slot] = 0
            opponent[BAR] += 1
    if min(mover) < 0:
        raise ValueError(f"{' '.join(words):.60}: there is no checker to move so")
    return [mover, opponent]


def _point(text: str) -> int:
    """A point as a number: 25 is the bar, 0 is off."""
    point = {"bar": OFF, "off": 0}.get(text.lower())
    point = int(text) if point is None else point
    if point > OFF:
        raise ValueError(f"{text}: expected a point 0..{OFF}")
    return point


def as_written_here(text: str) -> str:
    """The moves in the notation of the package, the marks of hits left out."""
    text = re.sub(r"\b25/", "bar/", text.lower().replace("*", ""))
    return re.sub(r"/0\b", "/off", text)


def snowie_position(game: Game, text: str, left: int) -> Any:
    """The position after an illegal play, as Snowie writes positions; `left` is the player in the left column."""
    fields = text.strip("; ").split(";")
    try:
        if len(fields) < _FIELDS:
            raise ValueError
        numbers = [int(field) for field in fields[_BOARD : _BOARD + OFF + 1]]
        player = int(fields[_PLAYER]) ^ left
    except ValueError:
        raise ValueError(f"{text:.60}: expected a position as Snowie writes it") from None
    own = [numbers[BAR], *(max(number, 0) for number in numbers[OFF - 1 : BAR : -1])]
    other = [abs(numbers[OFF]), *(max(-number, 0) for number in numbers[BAR + 1 : OFF])]
    rows = [[*row, game.rules.checkers - sum(row)] for row in (own, other)]
    mover = 1 - game.position.turn
    return game.position_type(rows if game.player(mover) == player else rows[::-1], mover, game.rules)
