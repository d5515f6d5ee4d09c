"""Reads the text of ``.mat`` files, line by line and cell by cell, as events; see `nardy_fast.mat` for what such files are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nardy_fast.formats.lines import Lines
from nardy_fast.formats.transcript import (
    Agreed,
    Answer,
    Begins,
    Double,
    End,
    Event,
    Events,
    Resigns,
    Score,
    Side,
    Turn,
    Unread,
    Way,
    Wins,
)
from nardy_fast.games.cube import CubeRules
from nardy_fast.rules import BAR, OFF

#: How the games are called in the header, and here.
VARIATIONS = {"Backgammon": "short", "NackGammon": "nackgammon", "HyperGammon (3)": "hypergammon", "LongGammon": "longgammon"}

_HEADER = re.compile(r';\s?\[(\w[\w ]*) "(.*)"\]')
_POINTS = re.compile(r"(\d{1,9})[ -]points? match", re.IGNORECASE | re.ASCII)
_GAME = re.compile(r"Game (\d{1,9})", re.ASCII)
_SCORE = re.compile(r"\s*(\d{1,9})\s+(\S.*)", re.ASCII)
_ROW = re.compile(r"\s{0,8}\d{1,6}\)(.*)", re.ASCII)
_ROLL = re.compile(r"\b(?:[1-6][1-6]|00):", re.ASCII)
_PLAY = re.compile(r"([1-6])([1-6]):(.*)", re.ASCII)
_CUBE = re.compile(r"(doubles?|beavers?|raccoons?)(?: => (\d{1,9}))?", re.IGNORECASE | re.ASCII)
_ANSWER = re.compile(r"(takes?|accepts?)|(drops?|pass(?:es)?|rejects?)", re.IGNORECASE)
_WINS = re.compile(r"wins (\d{1,9}) points?(?: and the match)?\.?", re.IGNORECASE | re.ASCII)
#: How programs call it that a player gives the game up, or is made to.
_RESIGNS = re.compile(
    r"(?:resign(?:s|ed)?|concede[sd]?|forfeit(?:s|ed)?|surrender(?:s|ed)?|abandon(?:s|ed)?|quits?|(?:gives?|gave) up"
    r"|(?:loses|lost)|tim(?:es|ed) out|time ?-?out|out of time|(?:over)?time (?:expired|forfeit)|disconnect(?:s|ed)?"
    r"|leaves|left|сдался|сдалась|сдаётся|сдается)\b(.*)",
    re.IGNORECASE,
)
_MARKED = re.compile(r"\(?\billegal\b(?: (?:play|move))?[?!]?\)?", re.IGNORECASE)
_NOT_PLAYED = re.compile(r"\?{3,4}|", re.ASCII)
#: A player gives up before his roll.
_NOT_ROLLED = re.compile(r"00:\s*\?{0,4}", re.ASCII)
_CANNOT = re.compile(r"cannot move", re.IGNORECASE)
_POSITION = re.compile(r"illegal play ?\(([^()]*)\)", re.IGNORECASE)
_MOVE = re.compile(r"(bar|\d{1,2})((?:/(?:off|\d{1,2})\*?)+)(?:\(([1-4])\))?", re.IGNORECASE | re.ASCII)

#: Of a position in Snowie's text: how many fields, and the first of them that say whose checkers count positive, and the board.
_FIELDS, _PLAYER, _BOARD = 38, 4, 12

#: From this column on, what stands in no numbered row is in the right column.
_RIGHT = 20
#: Where the left cell may end, as GNU Backgammon splits a row.
_SPLIT = 15


def parse(lines: Lines) -> Events:
    """The events that numbered lines of a ``.mat`` file tell."""
    parser, at = _Parser(), 1
    for at, line in lines:
        if text := line.strip():
            try:
                for event in parser.line(line.rstrip(), text):
                    yield at, event
            except ValueError as error:
                yield at, Unread(str(error))
    yield at, End()


class _Parser:
    """What has to be remembered from line to line."""

    def __init__(self) -> None:
        self.headers: dict[str, Any] = {}
        self.in_match = self.in_game = self.in_rows = False

    def line(self, line: str, text: str) -> Iterator[Event]:
        if text.startswith((";", "#")):
            self.comment(text)
        elif (found := _POINTS.fullmatch(text)) is not None:
            yield self.agreed(int(found[1]))
            # What follows may be another match, with headers of its own.
            self.headers = {}
            self.in_match, self.in_game, self.in_rows = True, False, False
        elif not self.in_match:
            raise ValueError(f"{text:.60}: expected a header, or '5 point match' and the like")
        elif (found := _GAME.fullmatch(text)) is not None:
            self.in_game, self.in_rows = True, False
            yield Begins(int(found[1]))
        elif not self.in_game:
            raise ValueError(f"{text:.60}: expected 'Game 1'")
        elif not self.in_rows:
            self.in_rows = True
            yield _score(text)
        else:
            yield from _row(line)

    def comment(self, text: str) -> None:
        if text.startswith("; Set Pos="):
            raise ValueError("Set Pos: a position set by hand, which no game can go on from")
        if (found := _HEADER.fullmatch(text)) is not None:
            self.headers[found[1].lower()] = _header(found[1].lower(), found[2])

    def agreed(self, points: int) -> Agreed:
        told = self.headers.get
        players = (told("player 1", ""), told("player 2", ""))
        return Agreed(
            points,
            told("variation", "short"),
            told("crawford"),
            told("jacoby"),
            told("beaver"),
            told("cubelimit"),
            players if all(players) else None,
        )


# Lines and cells


def _header(name: str, value: str) -> Any:
    """What a header says: the name of a preset, a limit, on or off; the text of any other."""
    if name == "variation":
        for variation, rules in {**VARIATIONS, "HyperGammon": "hypergammon"}.items():
            if variation.lower() == value.lower():
                return rules
        raise ValueError(f"Variation {value!r:.40}: expected one of {', '.join(VARIATIONS)}")
    if name == "cubelimit":
        if not re.fullmatch(r"\d{1,6}", value, re.ASCII):
            raise ValueError(f"CubeLimit {value!r:.40}: expected a number")
        return 1 if value == "1" else CubeRules(limit=int(value)).limit
    if name in ("crawford", "jacoby", "beaver"):
        if value.lower() not in ("on", "off"):
            raise ValueError(f"{name.capitalize()} {value!r:.40}: expected On or Off")
        return value.lower() == "on"
    return value


def _score(text: str) -> Score:
    """The line of names and scores, which says who is in which column."""
    parts = text.split(":")
    middle = _SCORE.fullmatch(parts[1]) if len(parts) == 3 else None
    if middle is None or not re.fullmatch(r"\s*\d{1,9}", parts[2], re.ASCII):
        raise ValueError(f"{text:.60}: expected the players and their scores, as in 'Anna : 0   Boris : 1'")
    names = parts[0].strip(), middle[2].strip()
    if not all(names):
        raise ValueError(f"{text:.60}: expected two names")
    return Score(names, (int(middle[1]), int(parts[2])))


def _row(line: str) -> Iterator[Event]:
    """The events of a row, left cell first."""
    numbered = _ROW.fullmatch(line)
    if numbered is None:
        cells = ("", line) if len(line) - len(line.lstrip()) >= _RIGHT else (line, "")
    else:
        at = _split(line, numbered.start(1))
        cells = (line[numbered.start(1) : at], line[at:])
    for column, cell in enumerate(cells):
        if text := cell.strip():
            yield from _cell(column, text)


def _split(line: str, begin: int) -> int:
    """Where the right cell begins."""
    rolls = [found.start() for found in _ROLL.finditer(line, begin)]
    if len(rolls) > 1:
        return rolls[1]
    at = line.find("  ", max(begin, _SPLIT))
    return len(line) if at < 0 else at


def _cell(column: int, text: str) -> Iterator[Event]:
    """What one cell tells: one thing, but that a player may give up after a roll, and what it costs follow."""
    if (found := _PLAY.fullmatch(text)) is not None:
        dice, text = (int(found[1]), int(found[2])), found[3].strip()
        gives_up = _RESIGNS.fullmatch(text)
        yield _turn(column, dice, "" if gives_up else text)
        if gives_up:
            yield from _resigns(column, gives_up[1])
    elif (found := _CUBE.fullmatch(text)) is not None:
        yield Double(column, found[1].lower().removesuffix("s"), None if found[2] is None else int(found[2]))
    elif (found := _ANSWER.fullmatch(text)) is not None:
        yield Answer(column, found[1] is not None)
    elif (found := _WINS.fullmatch(text)) is not None:
        yield Wins(column, int(found[1]))
    elif _NOT_ROLLED.fullmatch(text) is not None:
        yield Resigns(column)
    elif (found := _RESIGNS.fullmatch(text)) is not None:
        yield from _resigns(column, found[1])
    else:
        raise ValueError(f"{text:.60}: expected a roll and a play, what is done with the cube, or 'Wins 1 point'")


def _resigns(column: int, rest: str) -> Iterator[Event]:
    """A player gives up; the rest of the cell may tell a gammon, or what the other wins."""
    words = rest.lower()
    yield Resigns(column, 3 if "backgammon" in words else 2 if "gammon" in words else None)
    if (found := _WINS.search(rest)) is not None:
        yield Wins(1 - column, int(found[1]))


def _turn(column: int, dice: tuple[int, int], text: str) -> Turn:
    if _NOT_PLAYED.fullmatch(text):
        return Turn(column, dice)
    if (found := _POSITION.fullmatch(text)) is not None:
        return Turn(column, dice, None, text, True, _snowie_position(found[1]))
    is_marked = _MARKED.search(text) is not None
    words = _MARKED.sub("", text) if is_marked else text
    ways = () if _CANNOT.fullmatch(words) else tuple(way for word in words.split() for way in _ways(word))
    return Turn(column, dice, ways, text, is_marked)


def _ways(word: str) -> list[Way]:
    """A word, as in ``13/7*/5(2)``, as the ways of so many checkers."""
    found = _MOVE.fullmatch(word)
    if found is None:
        raise ValueError(f"{word:.40}: expected a move, as in 24/18 or 13/7*(2)")
    way = tuple(_point(point) for point in (found[1], *found[2].replace("*", "")[1:].split("/")))
    return [way] * int(found[3] or 1)


def _point(text: str) -> int:
    """A point as a number: 25 is the bar, 0 is off."""
    point = {"bar": OFF, "off": 0}.get(text.lower())
    point = int(text) if point is None else point
    if point > OFF:
        raise ValueError(f"{text}: expected a point 0..{OFF}")
    return point


def _snowie_position(text: str) -> tuple[Side, Side]:
    """Left column and right column of the position after an illegal play, as Snowie writes positions."""
    fields = text.strip("; ").split(";")
    try:
        if len(fields) < _FIELDS:
            raise ValueError
        numbers = [int(field) for field in fields[_BOARD : _BOARD + OFF + 1]]
        column = ("0", "1").index(fields[_PLAYER])
    except ValueError:
        raise ValueError(f"{text:.60}: expected a position as Snowie writes it") from None
    own = (numbers[BAR], *(max(number, 0) for number in numbers[OFF - 1 : BAR : -1]))
    other = (abs(numbers[OFF]), *(max(-number, 0) for number in numbers[BAR + 1 : OFF]))
    return (own, other) if column == 0 else (other, own)
