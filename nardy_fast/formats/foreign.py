"""Match files of other programs: eXtreme Gammon's ``.xg``, BGBlitz's ``.bgf``, OGXM, and GNU Backgammon's ``.sgf``.

OGXM is the format of ``.gvab``, ``.ogxm`` (binary) and ``.gva`` (JSON). The packages `gammonview` and, for ``.sgf``, `sgfmill`
know the formats; they are an optional extra (``pip install nardy_fast[files]``). What they find is played again here, as
`nardy_fast.mat` does it.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nardy_fast.arguments import as_dice
from nardy_fast.formats.builder import build
from nardy_fast.formats.lines import AnyPath
from nardy_fast.formats.sgf import sgf_events
from nardy_fast.formats.transcript import Agreed, Answer, Begins, Double, End, Event, Score, Turn, Wins
from nardy_fast.games.match import Match
from nardy_fast.rules import BAR, LAST, OFF

#: The largest file that is read, in bytes.
FILE = 64 << 20
SUFFIXES = (".xg", ".bgf", ".gvab", ".ogxm", ".gva", ".sgf")

# What the plies of an OGXM document are, by number.
_LAST_ROLL = 20
_DOUBLE, _TAKE, _DROP, _SET_POSITION, _BEAVER = 21, 22, 23, 31, 32
_ENDS = range(24, 31)
_WINNERS = (0, 1)


def read_foreign(path: AnyPath, match_type: type[Match] = Match, *, illegal: str = "refuse", strict: bool = True) -> Match:
    """The match in a file of one of `SUFFIXES`, by its content or else its name; `illegal` and `strict` as for `read_mat`.

    `ImportError` where the package that is needed is not installed; `ValueError` for a file that it cannot read, and for a match
    that is not by the rules. Positions set by hand are read in ``.sgf`` files, in the first game.
    """
    file = Path(path)
    with file.open("rb") as opened:
        data = opened.read(FILE + 1)
    if len(data) > FILE:
        raise ValueError(f"{file.name}: longer than {FILE} bytes")
    try:
        events = [(0, event) for event in _events(file, data)]
    except (ImportError, OSError, MemoryError):
        raise
    except Exception as error:  # whatever a broken file makes the other package raise
        # Only what was said on purpose is for people to read.
        why = f": {error}" if type(error) is ValueError else ""
        raise ValueError(f"{file.name}: not a match that can be read{why}") from error
    try:
        return build(lambda: events, match_type, illegal, strict)[0]
    except ValueError as error:
        raise ValueError(f"{file.name}: {error}") from error


#: What follows the first line of a ``.bgf``: data in Smile, bare or compressed.
_SMILE = (b":)\n", b"\x1f\x8b", b"\x78\x01", b"\x78\x9c", b"\x78\xda")


_SGF = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;[^()]{0,200}GM\[6\]")


def suffix_by_content(head: bytes) -> str | None:
    """Which of `SUFFIXES` the name of a file that begins so should have; None where it is none of them, or cannot be told."""
    if head.startswith(b"RGMH"):
        return ".xg"
    if head.startswith(b"OGXM"):
        return ".ogxm"
    if _SGF.match(head):
        return ".sgf"
    if head.startswith(b"{"):
        if head.partition(b"\n")[2].startswith(_SMILE):
            return ".bgf"
        if b'"plies"' in head and b'"match_length"' in head:
            return ".gva"
    return None


def _events(file: Path, data: bytes) -> Iterator[Event]:
    suffix = suffix_by_content(data) or file.suffix.lower()
    return sgf_events(data) if suffix == ".sgf" else _ogxm_events(_document(suffix, data))


def _document(suffix: str, data: bytes) -> dict[str, Any]:
    try:
        codec = importlib.import_module("gvformat")
    except ImportError as error:
        raise ImportError("gammonview is needed to read this: pip install 'nardy_fast[files]'") from error
    if suffix == ".gva":
        document = json.loads(data.decode("utf-8-sig"))
    elif suffix in (".xg", ".bgf"):
        document = getattr(codec, f"convert_{suffix[1:]}")(data)
    elif suffix in SUFFIXES:
        document = codec.read_gvab(data)
    else:
        raise ValueError(f"expected a name that ends in one of {', '.join(SUFFIXES)}")
    if not isinstance(document, dict):
        raise ValueError("expected an object")
    return document


def _ogxm_events(document: dict[str, Any]) -> Iterator[Event]:
    """The match of an OGXM document. White, by the names there, is player 0."""
    points = int(document["match_length"] or 0)
    first, second = (str(document[key]).strip() or key for key in ("player_white", "player_black"))
    limit = int(document["cube_limit"]) if document.get("cube_limit") else None
    crawford, jacoby, beavers = (
        None if document.get(key) is None else bool(document[key]) for key in ("crawford", "jacoby", "beaver")
    )
    yield Agreed(points, "short", crawford, jacoby, beavers, limit)
    score = [0, 0]
    for number, game in enumerate(document["games"], 1):
        yield Begins(number)
        yield Score((first, second), (score[0], score[1]))
        if game.get("initial_board") is not None:
            raise ValueError(f"game {number}: begins from a position set by hand")
        for ply in game["plies"]:
            yield from _ply(ply)
        if game["winner"] in _WINNERS and game["points_won"]:
            winner, gained = int(game["winner"]), int(game["points_won"])
            yield Wins(winner, gained)
            score[winner] += gained
    yield End()


def _ply(ply: dict[str, Any]) -> Iterator[Event]:
    """What one ply tells; nothing where it only says that the game has ended."""
    action, is_white = int(ply["action_id"]), ply["color"] == 1
    column = 0 if is_white else 1
    if action <= _LAST_ROLL:
        moves = [(int(move["from"]), int(move["pips"])) for move in ply["moves"]]
        points = [(OFF - at if is_white else at, pips) for at, pips in moves]
        yield Turn(column, _dice(ply), tuple((at, max(at - pips, 0)) for at, pips in points))
    elif action == _SET_POSITION and ply.get("d1"):
        board = [int(count) for count in ply["set_position"]]
        white = (board[BAR], *(max(count, 0) for count in board[1:OFF]))
        black = (abs(board[OFF]), *(max(-count, 0) for count in board[LAST:BAR:-1]))
        yield Turn(column, _dice(ply), text="Illegal play", is_marked=True, after=(white, black))
    elif action in (_DOUBLE, _BEAVER):
        yield Double(column, "double" if action == _DOUBLE else "beaver")
    elif action in (_TAKE, _DROP):
        yield Answer(column, action == _TAKE)
    elif action not in _ENDS:
        raise ValueError(f"ply of action {action}: a position or a cube set by hand, a roll not written down, or a raccoon")


def _dice(ply: dict[str, Any]) -> tuple[int, int]:
    return as_dice((int(ply["d1"]), int(ply["d2"])))
