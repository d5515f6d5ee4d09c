"""Boards as pictures: plain text for a terminal, and a vector drawing.

Both show the board as White sits at it, whoever is to move: his home at the lower right, the printed points 12..1 along the
bottom and 13..24 along the top (rulebook, section 0). On parallel roads those numbers are both players'. On contrary roads they
are White's; where Black is to move, his own stand beside them, since his plays are told in those. White's waiting checkers stand
in the upper half of the bar, where they will enter, and Black's in the lower.
"""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree

from nardy_fast.arguments import as_dice, short_repr
from nardy_fast.positions import PositionLike, as_stage_dice
from nardy_fast.rules import BAR, BLACK, OFF, WHITE, opposite
from nardy_fast.text.notation import COLOURS, check_numbering, format_pending, point_name

Point = tuple[float, float]

#: White's printed points, left to right, along the top and along the bottom of the board.
TOP = tuple(range(13, 25))
BOTTOM = tuple(range(12, 0, -1))
#: A stack shows at most so many checkers; of a higher one, the farthest from the edge is drawn with the count.
MAX_DRAWN = 5


def _printed(slot: int, side: int, road: str) -> int:
    """White's printed number of the point that is `slot` (1..24) on the track of `side`."""
    return OFF - (slot if side == WHITE else opposite(road, slot))


def _rows(position: PositionLike) -> tuple[list[int], list[int]]:
    """White's row of the board and Black's."""
    rows: list[list[int]] = position.board.tolist()
    return rows[position.turn], rows[1 - position.turn]


def _stacks(position: PositionLike) -> dict[int, tuple[int, int]]:
    """Who stands on each of White's printed points, and how many: (side, count)."""
    return {
        _printed(slot, side, position.rules.road): (side, row[slot])
        for side, row in enumerate(_rows(position))
        for slot in range(BAR + 1, OFF)
        if row[slot]
    }


def _standing(position: PositionLike, side: int) -> str:
    """What the picture says of `side` after his counts: that he is to move, has won, or neither."""
    if not position.is_over:
        return "to move" if side == position.turn else ""
    if position.winner is None:
        return "draw"
    return "has won" if side == position.winner else ""


# Text

_MEN = "○●"
_CELL = 4
_HALF = 6 * _CELL


def text(position: PositionLike, dice: Any = None, numbering: str = "federation") -> str:
    """`position` as a board in plain Unicode, 17 lines of at most 64 columns (19 where Black's own numbers are added).

    ``○`` is White and ``●`` Black. A stack of more than five is four checkers and the count. Each player's line tells his pips,
    how many checkers he has borne off, and whether he is to move, with the `dice` if they are given. Where stages are pending the
    dice are those of the first, and a line more tells all of them as in the position's text. Raises `TypeError` or `ValueError`
    for bad dice.
    """
    check_numbering(numbering, position.rules.road)
    rolled = _shown_dice(position, dice)
    shown = None if rolled is None else "-".join(map(str, rolled))
    pending = position.pending
    stacks = _stacks(position)
    with_bar = position.rules.road == "contrary"
    upper = _half(position, TOP, WHITE, stacks)
    lower = _half(position, BOTTOM, BLACK, stacks)
    middle = ["│" + " " * _HALF + ("│BAR│" if with_bar else "│") + " " * _HALF + "│"]
    edge = "─" * _HALF
    top, bottom = ("┬───┬", "┴───┴") if with_bar else ("┬", "┴")
    board = [f"┌{edge}{top}{edge}┐", *upper, *middle, *reversed(lower), f"└{edge}{bottom}{edge}┘"]
    lines = [
        _player(position, BLACK, shown),
        *reversed(_number_lines(position, TOP, numbering)),
        *board,
        *_number_lines(position, BOTTOM, numbering),
        _player(position, WHITE, shown),
        *([] if pending is None else [f" pending {format_pending(pending)}"]),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _half(position: PositionLike, points: tuple[int, ...], waiting: int, stacks: dict[int, tuple[int, int]]) -> list[str]:
    """The five lines of one half of the board, from its edge inwards; checkers of `waiting` stand in its half of the bar."""
    columns = [_column(*stacks.get(point, (WHITE, 0))) for point in points]
    bar = _column(waiting, _rows(position)[waiting][BAR])[::-1]  # they wait at the middle of the board
    lines = []
    for level in range(MAX_DRAWN):
        left, right = ("".join(f"{column[level]:>3} " for column in side) for side in (columns[:6], columns[6:]))
        between = f"│{bar[level]:>2} │" if position.rules.road == "contrary" else "│"
        lines.append(f"│{left}{between}{right}│")
    return lines


def _column(side: int, count: int) -> list[str]:
    """What a stack shows at each of its levels, the edge of the board first."""
    if count > MAX_DRAWN:
        return [_MEN[side]] * (MAX_DRAWN - 1) + [str(count)]
    return [_MEN[side]] * count + [""] * (MAX_DRAWN - count)


def _number_lines(position: PositionLike, points: tuple[int, ...], numbering: str) -> list[str]:
    """The numbers along one edge, the board's nearest first."""
    gap = " " * (5 if position.rules.road == "contrary" else 1)
    lines = []
    for side, numbers in _numbers(position, points, numbering):
        left, right = ("".join(f"{number:>3} " for number in half) for half in (numbers[:6], numbers[6:]))
        lines.append(f" {left}{gap}{right}" + (f"  {COLOURS[side]}'s" if _is_own(position, numbering) else ""))
    return lines


def _is_own(position: PositionLike, numbering: str) -> bool:
    """Whether each player has numbers of his own."""
    return position.rules.road == "contrary" or numbering == "own"


def _numbers(position: PositionLike, points: tuple[int, ...], numbering: str) -> list[tuple[int, tuple[str, ...]]]:
    """Whose numbers stand along an edge, and which; `points` are White's in the federation's numbering."""
    road = position.rules.road
    sides = (WHITE, BLACK) if _is_own(position, numbering) and position.turn == BLACK else (WHITE,)
    slots = [OFF - point for point in points]
    return [
        (side, tuple(point_name(slot if side == WHITE else opposite(road, slot), side, road, numbering) for slot in slots))
        for side in sides
    ]


def _shown_dice(position: PositionLike, dice: Any) -> tuple[int, ...] | None:
    """The dice to show: those given, or of a pending stage its own."""
    pending = position.pending
    if pending is not None:
        return as_stage_dice(dice, pending)
    return None if dice is None else as_dice(dice)


def _player(position: PositionLike, side: int, dice: str | None) -> str:
    """The line that tells of one player."""
    own = 0 if side == position.turn else 1
    counts = f"{COLOURS[side]} {_MEN[side]}  pips {position.pips[own]:>3}  off {position.board[own, OFF]:>2}"
    shown = f" {dice}" if dice and not own else ""
    return f" {counts}  {_standing(position, side)}{shown}"


# Vector drawing. Lengths are in pixels, of a board at its natural size.

_SIZE = 40  # a point's width, and a checker's room
_RADIUS = 18.5
_DEPTH = MAX_DRAWN * _SIZE + 8  # of one half of the board
_MIDDLE = 52  # between the halves
_EDGE = 12  # the frame
_TRAY = 46
_LINE = 20  # a line of words or numbers
_SLAB = 12  # a borne-off checker lying in its tray

_FRAME, _FIELD, _POINTS, _TRAYS = "#6f4e37", "#f2e6d0", ("#d8b68c", "#b07d52"), "#5a3e2b"
_CHECKERS = ("#fffdf7", "#2d2a28")
_OUTLINES = ("#6b5b4b", "#0d0c0b")
_INK, _FAINT, _ARROW, _HALO = "#33291f", "#8a7a68", "#d1342f", "#ffffff"


def svg(position: PositionLike, play: Any = None, dice: Any = None, numbering: str = "federation") -> str:
    """`position` as an SVG drawing; with `play`, the position before it and an arrow for each move of it.

    A `play` is one of this position (`Play.steps` are (from, to, die) in the mover's slots); equal moves share one arrow, which
    then tells how many. The dice are the play's unless given. The same arguments give the same text. Raises `TypeError` for what
    is no play, `ValueError` for a play of another position or of other dice, `TypeError` or `ValueError` for bad dice.
    """
    check_numbering(numbering, position.rules.road)
    rolled = _shown_dice(position, dice)
    if play is not None:
        if not all(hasattr(play, name) for name in ("position", "dice", "steps", "afterstate")):
            raise TypeError(f"play = {short_repr(play)}: expected a Play")
        if play.position != position:
            raise ValueError(f"play = {play!s}: a play of another position, {play.position!s}")
        if rolled not in (None, tuple(play.dice)):
            raise ValueError(f"dice = {short_repr(dice)}: the play is of {'-'.join(map(str, play.dice))}")
        rolled = _shown_dice(position, play.dice)
    return _Drawing(position, numbering).drawn(play, rolled)


class _Drawing:
    """Where everything of one picture lies, and the XML that has been made so far."""

    def __init__(self, position: PositionLike, numbering: str) -> None:
        self.position = position
        self.numbering = numbering
        self.contrary = position.rules.road == "contrary"
        self.stacks = _stacks(position)
        self.rows = _rows(position)
        self.bar = _SIZE + 8 if self.contrary else _EDGE
        # Black's home on parallel roads is at the upper left, so his tray is there.
        self.left = _EDGE + (0 if self.contrary else _TRAY + _EDGE)
        self.right = self.left + 12 * _SIZE + self.bar
        self.width = self.right + _EDGE + _TRAY + _EDGE
        self.number_lines = len(_numbers(position, TOP, numbering))
        self.frame_top = _LINE + self.number_lines * _LINE + 4
        self.top = self.frame_top + _EDGE
        self.bottom = self.top + 2 * _DEPTH + _MIDDLE
        self.frame_bottom = self.bottom + _EDGE
        self.height = self.frame_bottom + self.frame_top

    # Places

    def _x(self, column: int) -> float:
        """The middle of a column of points, 0..11 from the left."""
        return self.left + (column + 0.5) * _SIZE + (self.bar if column > 5 else 0)

    def _edge(self, upper: bool, level: float) -> float:
        """The height of the checker at `level` (1 is the first), counted from the upper or the lower edge."""
        depth = (min(level, MAX_DRAWN) - 0.5) * _SIZE
        return self.top + depth if upper else self.bottom - depth

    def _on_point(self, printed: int, level: float) -> Point:
        upper = printed in TOP
        return self._x((TOP if upper else BOTTOM).index(printed)), self._edge(upper, level)

    def _on_bar(self, side: int, level: float) -> Point:
        """Checkers wait from the middle of the board outwards."""
        depth = _DEPTH - (min(level, MAX_DRAWN) - 0.5) * _SIZE
        return self.left + 6 * _SIZE + self.bar / 2, self.top + depth if side == WHITE else self.bottom - depth

    def _tray(self, side: int) -> Point:
        """The upper left corner of a player's tray."""
        x = _EDGE if side == BLACK and not self.contrary else self.right + _EDGE
        return x, self.top if side == BLACK else self.bottom - _DEPTH

    def _in_tray(self, side: int, level: float) -> Point:
        x, y = self._tray(side)
        depth = (level - 0.5) * _SLAB + 4
        return x + _TRAY / 2, y + depth if side == BLACK else y + _DEPTH - depth

    def _place(self, side: int, slot: int, level: float) -> Point:
        """Where the checker at `level` of a stack is, by the slot on its owner's track."""
        if slot == OFF:
            return self._in_tray(side, level)
        if slot == BAR:
            return self._on_bar(side, level)
        return self._on_point(_printed(slot, side, self.position.rules.road), level)

    # Parts

    def drawn(self, play: Any, dice: tuple[int, ...] | None) -> str:
        size = {"width": _n(self.width), "height": _n(self.height), "viewBox": f"0 0 {_n(self.width)} {_n(self.height)}"}
        root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
        root.attrib |= {"font-family": "sans-serif", "font-size": "13", "text-anchor": "middle"}
        # What is pending, the title's position tells.
        rolled = "" if dice is None or self.position.pending is not None else f" {dice[0]}-{dice[1]}"
        title = _add(root, "title")
        title.text = self.position.notation(self.numbering) + rolled
        if play is not None:
            title.text += f" {play.notation(self.numbering)}"
        _add(root, "rect", width="100%", height="100%", fill="#ffffff")
        self._board(root)
        self._labels(root)
        for side in (WHITE, BLACK):
            self._checkers(root, side)
            self._player(root, side)
        if dice is not None:
            self._dice(root, dice)
        if play is not None:
            self._arrows(root, play)
        return ElementTree.tostring(root, encoding="unicode")

    def _board(self, root: ElementTree.Element) -> None:
        frame = _add(root, "g", {"class": "board"})
        height = self.frame_bottom - self.frame_top
        _add(frame, "rect", y=self.frame_top, width=self.width, height=height, rx=6, fill=_FRAME)
        for half in (0, 1):
            x = self._x(6 * half) - _SIZE / 2
            _add(frame, "rect", x=x, y=self.top, width=6 * _SIZE, height=self.bottom - self.top, fill=_FIELD)
        for side in (WHITE, BLACK):
            x, y = self._tray(side)
            _add(frame, "rect", x=x, y=y, width=_TRAY, height=_DEPTH, rx=3, fill=_TRAYS)
        for shade in (0, 1):
            wedges = [
                f"M{_n(self._x(column) - _SIZE / 2)} {_n(y)}h{_SIZE}l{_n(-_SIZE / 2)} {_n(tip)}z"
                for y, tip, first in ((self.top, _DEPTH - 16, 0), (self.bottom, 16 - _DEPTH, 1))
                for column in range(12)
                if (column + first) % 2 == shade
            ]
            _add(frame, "path", d="".join(wedges), fill=_POINTS[shade])

    def _labels(self, root: ElementTree.Element) -> None:
        """The printed numbers, White's next to the board."""
        for upper, points in ((True, TOP), (False, BOTTOM)):
            for line, (side, numbers) in enumerate(_numbers(self.position, points, self.numbering)):
                group = _add(root, "g", {"class": f"points {COLOURS[side].lower()}"}, fill=_FAINT if line else _INK)
                away = line * _LINE
                y = self.frame_top - 5 - away if upper else self.frame_bottom + 15 + away
                for column, number in enumerate(numbers):
                    _add(group, "text", x=self._x(column), y=y).text = number
                if self.number_lines > 1:
                    _add(group, "text", x=self.right + _EDGE + _TRAY / 2, y=y).text = COLOURS[side]

    def _checkers(self, root: ElementTree.Element, side: int) -> None:
        style = {"fill": _CHECKERS[side], "stroke": _OUTLINES[side]}
        group = _add(root, "g", {"class": COLOURS[side].lower(), **style})
        counts: list[tuple[Point, int]] = []
        row = self.rows[side]
        for slot in range(BAR, OFF):
            for level in range(1, min(row[slot], MAX_DRAWN) + 1):
                x, y = self._place(side, slot, level)
                _add(group, "circle", cx=x, cy=y, r=_RADIUS)
            if row[slot] > MAX_DRAWN:
                counts.append((self._place(side, slot, MAX_DRAWN), row[slot]))
        for level in range(1, row[OFF] + 1):
            x, y = self._in_tray(side, level)
            _add(group, "rect", x=x - _TRAY / 2 + 4, y=y - _SLAB / 2 + 1, width=_TRAY - 8, height=_SLAB - 2, rx=2)
        ink = _CHECKERS[1 - side]
        for (x, y), count in counts:
            _add(group, "text", {"font-size": "17", "stroke": "none"}, x=x, y=y + 6, fill=ink).text = str(count)

    def _player(self, root: ElementTree.Element, side: int) -> None:
        """The line that tells of one player: above the board Black's, below it White's."""
        own = 0 if side == self.position.turn else 1
        y = _LINE / 2 + 2 if side == BLACK else self.height - _LINE / 2 - 2
        words = {"class": f"player {COLOURS[side].lower()}", "text-anchor": "start", "font-size": "14"}
        group = _add(root, "g", words, fill=_INK)
        _add(group, "circle", {"stroke": _OUTLINES[side]}, cx=_EDGE + 7, cy=y, r=6, fill=_CHECKERS[side])
        counts = f"{COLOURS[side]}: pips {self.position.pips[own]}, off {self.position.board[own, OFF]}"
        _add(group, "text", x=_EDGE + 20, y=y + 5).text = counts
        standing = _standing(self.position, side)
        if standing:
            extra = {"text-anchor": "end", "font-weight": "bold"}
            _add(group, "text", extra, x=self.width - _EDGE, y=y + 5).text = standing

    def _dice(self, root: ElementTree.Element, dice: tuple[int, ...]) -> None:
        """The dice in the middle of the board: White's in its right half, Black's in its left."""
        side = self.position.turn
        group = _add(root, "g", {"class": "dice", "stroke": _OUTLINES[side]}, fill=_CHECKERS[side])
        spots = _add(root, "g", {"class": "spots"}, fill=_CHECKERS[1 - side])
        middle = self._x(8 if side == WHITE else 2) + _SIZE / 2
        y = (self.top + self.bottom) / 2
        apart = min(44, _SIZE * 6 / len(dice))
        for number, die in enumerate(dice):
            x = middle + apart * (number - (len(dice) - 1) / 2)
            _add(group, "rect", x=x - 16, y=y - 16, width=32, height=32, rx=6)
            for across, down in _SPOTS[die]:
                _add(spots, "circle", cx=x + 9 * across, cy=y + 9 * down, r=3.2)

    def _arrows(self, root: ElementTree.Element, play: Any) -> None:
        side = self.position.turn
        moves: dict[tuple[int, int], int] = {}
        for start, end, _ in play.steps:
            moves[start, end] = moves.get((start, end), 0) + 1
        heights = list(self.rows[side])
        style = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
        group = _add(root, "g", {"class": "arrows", **style})
        for (start, end), count in moves.items():
            # The arrows follow the play: a checker starts from where an earlier arrow has left it.
            tail = self._place(side, start, max(heights[start], 1))
            heights[start] -= count
            tip = self._place(side, end, heights[end] + 1)
            heights[end] += count
            bend = self._bend(tail, tip)
            if self.rows[side][start]:
                tail = _toward(tail, bend, _RADIUS - 2)  # from the rim, so that a count stays readable
            path = _arrow(tail, bend, tip)
            for colour, width in ((_HALO, 7), (_ARROW, 3.5)):
                _add(group, "path", {"stroke": colour, "stroke-width": _n(width)}, d=path)
            if count > 1:
                x, y = (tail[0] + 2 * bend[0] + tip[0]) / 4, (tail[1] + 2 * bend[1] + tip[1]) / 4
                _add(group, "circle", {"stroke": _HALO}, cx=x, cy=y, r=11, fill=_ARROW)
                _add(group, "text", {"font-weight": "bold"}, x=x, y=y + 5, fill=_HALO).text = f"×{count}"

    def _bend(self, tail: Point, tip: Point) -> Point:
        """Where an arrow bends to: toward the middle of the board where it stays in one half, a little aside where it crosses."""
        (x0, y0), (x1, y1) = tail, tip
        middle = (self.top + self.bottom) / 2
        if (y0 < middle) == (y1 < middle):
            inwards = (1 if y0 < middle else -1) * (4 + 0.25 * abs(x1 - x0))
            return (x0 + x1) / 2, (max(y0, y1) if y0 < middle else min(y0, y1)) + inwards
        return (x0 + x1) / 2 - 0.1 * (y1 - y0), (y0 + y1) / 2 + 0.1 * (x1 - x0)


_CORNERS = ((-1, -1), (1, 1), (1, -1), (-1, 1))
#: Where the spots of each die are, as (across, down) from its middle.
_SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: _CORNERS[:2],
    3: (*_CORNERS[:2], (0, 0)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}


def _arrow(tail: Point, bend: Point, tip: Point) -> str:
    """The path of an arrow: its shaft from `tail` to `tip`, and then its head."""
    angle = math.atan2(tip[1] - bend[1], tip[0] - bend[0])
    barbs = [f"{_n(tip[0] - 13 * math.cos(angle + turn))} {_n(tip[1] - 13 * math.sin(angle + turn))}" for turn in (-0.5, 0.5)]
    end = f"{_n(tip[0])} {_n(tip[1])}"
    return f"M{_n(tail[0])} {_n(tail[1])}Q{_n(bend[0])} {_n(bend[1])} {end}M{barbs[0]}L{end}L{barbs[1]}"


def _toward(here: Point, there: Point, length: float) -> Point:
    """The place that is `length` away from `here` in the direction of `there`."""
    angle = math.atan2(there[1] - here[1], there[0] - here[0])
    return here[0] + length * math.cos(angle), here[1] + length * math.sin(angle)


def _n(length: float) -> str:
    """A length as short as it can be written to a tenth of a pixel."""
    return f"{round(length, 1):g}"


def _add(
    parent: ElementTree.Element, tag: str, extra: dict[str, str] | None = None, **attributes: float | str
) -> ElementTree.Element:
    """A new element in `parent`; `extra` is for attributes whose names Python cannot spell."""
    written = {name: value if isinstance(value, str) else _n(value) for name, value in attributes.items()}
    return ElementTree.SubElement(parent, tag, {**(extra or {}), **written})
