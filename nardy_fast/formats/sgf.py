"""GNU Backgammon's ``.sgf`` files of backgammon matches, read as events: each game is a tree, of which the main line was played.

The syntax is left to the package `sgfmill`, an optional extra. Points are the letters a to x, which are White's 1 to 24; y is the
bar and z off. White is player 0. Analysis, comments and variations are not read.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from nardy_fast.formats.transcript import MIDDLE, Agreed, Answer, Begins, Double, End, Event, Score, SetUp, Side, Turn, Way, Wins
from nardy_fast.rules import BAR, OFF

#: A node: the values of each of its properties.
Node = dict[str, list[bytes]]

_TURN = re.compile(r"([1-6])([1-6])((?:[a-y][a-z]){0,4})", re.ASCII)
_RESULT = re.compile(r"([WB])\+(\d{1,9})R?", re.ASCII)
_COLOURS = ("W", "B")
#: What sets a position by hand.
_SET = ("AE", "AW", "AB")

_RULES = {"nackgammon": "nackgammon", "hypergammon3": "hypergammon"}
_CRAWFORD, _CRAWFORD_GAME, _JACOBY, _NO_CUBE = "crawford", "crawfordgame", "jacoby", "nocube"


def sgf_events(data: bytes) -> Iterator[Event]:
    """The match in a file; `ImportError` where `sgfmill` is not installed, `ValueError` for what is no match."""
    try:
        grammar = importlib.import_module("sgfmill.sgf_grammar")
    except ImportError as error:
        raise ImportError("sgfmill is needed to read this: pip install 'nardy_fast[files]'") from error
    games = [list(grammar.main_sequence_iter(tree)) for tree in grammar.parse_sgf_collection(data)]
    doubled = [_automatic(nodes[0]) for nodes in games]
    for number, nodes in enumerate(games, 1):
        root = nodes[0]
        match = dict(value.split(":", 1) for value in _values(root, "MI") if ":" in value)
        if number == 1:
            yield _agreed(root, match, max(doubled))
        yield Begins(number, doubled[number - 1])
        yield Score(_names(root), (int(match.get("ws", 0)), int(match.get("bs", 0))))
        for node in nodes:
            yield from _node(node)
        if (result := _value(root, "RE")) is not None and (found := _RESULT.fullmatch(result)) is not None:
            yield Wins(_COLOURS.index(found[1]), int(found[2]))
    yield End()


def _agreed(root: Node, match: dict[str, str], automatic: int) -> Agreed:
    if _value(root, "GM") != "6":
        raise ValueError(f"GM[{_value(root, 'GM')}]: expected GM[6], which is backgammon")
    points = int(match.get("length", 0))
    told = {word.lower() for value in _values(root, "RU") for word in value.split(":")}
    rules = [word for word in told if word not in (_CRAWFORD, _CRAWFORD_GAME, _JACOBY, _NO_CUBE, "")]
    if len(rules) > 1 or not set(rules) <= set(_RULES):
        raise ValueError(f"RU[{':'.join(rules):.60}]: expected Nackgammon, Hypergammon3, or nothing for backgammon")
    return Agreed(
        points,
        _RULES[rules[0]] if rules else "short",
        crawford=_CRAWFORD in told if points else None,
        jacoby=_JACOBY in told if not points else None,
        limit=1 if _NO_CUBE in told else None,
        automatic=automatic,
        is_crawford=_CRAWFORD_GAME in told if points else None,
    )


def _names(root: Node) -> tuple[str, str]:
    first, second = (_value(root, key) or key for key in ("PW", "PB"))
    return first, second


def _automatic(root: Node) -> int:
    """How many ties in the throw for the start have doubled the stake of a game."""
    value = int(_value(root, "CV") or 1)
    if value < 1 or value & (value - 1):
        raise ValueError(f"CV[{value}]: expected a power of two")
    return value.bit_length() - 1


def _node(node: Node) -> Iterator[Event]:
    """What one node tells."""
    mover = None if (player := _value(node, "PL")) is None else _COLOURS.index(player) if player in _COLOURS else -1
    if mover == -1:
        raise ValueError(f"PL[{player:.20}]: expected W or B")
    if any(key in node for key in _SET):
        yield SetUp(mover, (_side(node, 0), _side(node, 1)))
    if "GM" not in node and ("CV" in node or "CP" in node):
        yield SetUp(mover, None, None if "CV" not in node else 1 << _automatic(node), _owner(node))
    if (dice := _value(node, "DI")) is not None:
        # A roll that was not played yet; where it was, it is told again.
        if not re.fullmatch("[1-6][1-6]", dice) or mover is None:
            raise ValueError(f"DI[{dice:.20}]: expected a roll and whose it is")
        yield Turn(mover, (int(dice[0]), int(dice[1])))
    for column, colour in enumerate(_COLOURS):
        for text in _values(node, colour):
            yield _action(column, text)


def _side(node: Node, column: int) -> Side:
    """What a player has in his slots 0..24 on a board set by hand: a letter for each checker."""
    side = [0] * OFF
    for letter in _values(node, "AW" if column == 0 else "AB"):
        if not re.fullmatch("[a-y]", letter):
            raise ValueError(f"A{_COLOURS[column]}[{letter:.20}]: expected a point a..x, or y")
        ((point,),) = (_way(column, letter),)
        side[OFF - point] += 1
    return tuple(side)


def _owner(node: Node) -> int | None:
    owner = _value(node, "CP")
    if owner not in (None, "c", "w", "b"):
        raise ValueError(f"CP[{owner:.20}]: expected c, w or b")
    return None if owner is None else {"w": 0, "b": 1, "c": MIDDLE}[owner]


def _action(column: int, text: str) -> Event:
    if (found := _TURN.fullmatch(text)) is not None:
        letters = found[3]
        ways = tuple(_way(column, letters[at : at + 2]) for at in range(0, len(letters), 2))
        # Nothing after the roll is a pass, or not played yet.
        return Turn(column, (int(found[1]), int(found[2])), ways or None, text)
    match text:
        case "double" | "redouble" | "beaver" | "raccoon":
            return Double(column, text.removeprefix("re"))
        case "take" | "drop":
            return Answer(column, text == "take")
    raise ValueError(f"{'WB'[column]}[{text:.40}]: expected a roll and a play, double, take or drop")


def _way(column: int, letters: str) -> Way:
    """The player's own points of two letters."""
    points = []
    for letter in letters:
        number = ord(letter) - ord("a") + 1
        points.append({"y": OFF, "z": BAR}.get(letter, number if column == 0 else OFF - number))
    return tuple(points)


def _value(node: Node, key: str) -> str | None:
    return next(iter(_values(node, key)), None)


def _values(node: Node, key: str) -> list[str]:
    """The values of a property as text: in UTF-8, or in Latin-1 where they are none; a backslash takes what follows as it is."""
    found = []
    for value in node.get(key, ()):
        raw: Any = re.sub(rb"\\(.)", rb"\1", value, flags=re.DOTALL)
        try:
            found.append(raw.decode("utf-8").strip())
        except UnicodeDecodeError:
            found.append(raw.decode("latin-1").strip())
    return found
