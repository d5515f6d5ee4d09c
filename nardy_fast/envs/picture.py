"""A board as pixels, for environments that are watched: plain NumPy, no fonts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nardy_fast.rules import BAR, LAST, OFF, WHITE, Ruleset, opposite

Picture = NDArray[np.uint8]
_POINT, _RADIUS, _TALL = 24, 11, 300
_WIDE = 16 * _POINT
_GROUND, _DARK, _LIGHT, _EDGE = (222, 196, 150), (150, 98, 58), (193, 150, 100), (72, 48, 30)
_SIDES = ((246, 243, 235), (44, 42, 48))
_PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


def draw(board: NDArray[np.int8], turn: int, rules: Ruleset, dice: tuple[int, ...] = ()) -> Picture:
    """The board, int8 (2, 26) with who plays in row 0, and dice: uint8 (300, 384, 3).

    White's points run from the lower right, his 1, round to the upper right, his 24. Between the halves lie the bar and
    the dice, at the right edge what is borne off, Black's above. A stack higher than five is shown by smaller distances.
    """
    picture = np.empty((_TALL, _WIDE, 3), np.uint8)
    picture[:] = _GROUND
    picture[:, 6 * _POINT : 7 * _POINT] = picture[:, 13 * _POINT :] = _EDGE
    for point in range(1, LAST + 1):
        _triangle(picture, point)
    rows = (board, board[::-1])[turn]
    for side, row in enumerate(rows):
        for slot in range(1, OFF):
            own = slot if side == WHITE else opposite(rules.road, slot)
            _stack(picture, *_foot(OFF - own), int(row[slot]), side)
        upward = side == WHITE
        _stack(picture, 6 * _POINT, _TALL // 2 + (40 if upward else -40), not upward, int(row[BAR]), side, room=90)
        _stack(picture, 14 * _POINT, _TALL if upward else 0, upward, int(row[OFF]), side)
    for number, die in enumerate(dice):
        _die(picture, 13 * _POINT + 4, 20 + 44 * number, die)
    return picture


def _foot(point: int) -> tuple[int, int, bool]:
    """The left edge of a point of White's numbers, its foot, and whether its checkers stand upward."""
    place = (12 - point if point <= 12 else point - 13) + (point <= 6 or point > 18)
    return place * _POINT, _TALL if point <= 12 else 0, point <= 12


def _triangle(picture: Picture, point: int) -> None:
    left, _, upward = _foot(point)
    height = 5 * _POINT
    rows, columns = np.mgrid[0:height, 0:_POINT]
    inside = np.abs(columns - (_POINT - 1) / 2) * 2 * height <= (height - rows) * _POINT
    part = picture[-height:][::-1] if upward else picture[:height]
    part[:, left : left + _POINT][inside] = _DARK if point % 2 else _LIGHT


def _stack(picture: Picture, left: int, foot: int, upward: bool, count: int, side: int, room: int = 5 * _POINT) -> None:
    """So many checkers from a foot on, closer together where there is no room."""
    distance = min(_POINT, (room - _POINT) // max(count - 1, 1))
    for number in range(count):
        middle = foot + (-1 if upward else 1) * (_POINT // 2 + number * distance)
        _disc(picture, left + _POINT // 2, middle, side)


def _disc(picture: Picture, x: int, y: int, side: int) -> None:
    rows, columns = np.ogrid[-_RADIUS : _RADIUS + 1, -_RADIUS : _RADIUS + 1]
    far = rows**2 + columns**2
    part = picture[y - _RADIUS : y + _RADIUS + 1, x - _RADIUS : x + _RADIUS + 1]
    part[far <= _RADIUS**2] = _EDGE if side == WHITE else _LIGHT
    part[far <= (_RADIUS - 2) ** 2] = _SIDES[side]


def _die(picture: Picture, left: int, top: int, die: int) -> None:
    picture[top : top + 40, left : left + 16] = _SIDES[WHITE]
    for place in _PIPS[die]:
        y, x = top + 5 + 12 * (place // 3), left + 1 + 5 * (place % 3)
        picture[y : y + 5, x : x + 4] = _SIDES[1]
