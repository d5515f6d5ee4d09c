"""Match files of other programs, read by way of the package `gammonview`: eXtreme Gammon's ``.xg``, BGBlitz's ``.bgf``, and OGXM.

OGXM is the format of ``.gvab``, ``.ogxm`` (binary) and ``.gva`` (JSON). `gammonview` knows the formats; it is an optional extra
(``pip install nardy_fast[files]``). What it finds is played again here, as `nardy_fast.mat` does it.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from nardy_fast.formats.mat import from_mat
from nardy_fast.games.match import Match

#: The largest file that is read, in bytes.
FILE = 64 << 20
SUFFIXES = (".xg", ".bgf", ".gvab", ".ogxm", ".gva")

# What the plies of an OGXM document are, by number.
_LAST_ROLL = 20
_DOUBLE, _TAKE, _DROP, _SET_POSITION, _BEAVER = 21, 22, 23, 31, 32
_ENDS = range(24, 31)
_WINNERS = (0, 1)
#: Where the right column begins.
_RIGHT = 34


def read_foreign(path: str | PathLike[str], match_type: type[Match] = Match, *, illegal: str = "refuse") -> Match:
    """The match in a file of one of `SUFFIXES`; `illegal` as for `read_mat`.

    `ImportError` where `gammonview` is not installed; `ValueError` for a file that it cannot read, and for a match that is not by
    the rules or that starts from a position set by hand.
    """
    file = Path(path)
    if file.stat().st_size > FILE:
        raise ValueError(f"{file.name}: longer than {FILE} bytes")
    try:
        text = "\n".join(_mat_lines(_document(file)))
    except (ImportError, OSError, MemoryError):
        raise
    except Exception as error:  # whatever a broken file makes the other package raise
        # Only what was said on purpose is for people to read.
        why = f": {error}" if type(error) is ValueError else ""
        raise ValueError(f"{file.name}: not a match that can be read{why}") from error
    try:
        return from_mat(text, match_type, illegal=illegal)
    except ValueError as error:
        # The line would be that of a text that nobody sees.
        raise ValueError(f"{file.name}: " + re.sub(r"^line \d+: ", "", str(error))) from error


def _document(file: Path) -> dict[str, Any]:
    try:
        codec = importlib.import_module("gvformat")
    except ImportError as error:
        raise ImportError("gammonview is needed to read this: pip install 'nardy_fast[files]'") from error
    suffix = file.suffix.lower()
    if suffix == ".gva":
        document = json.loads(file.read_text(encoding="utf-8-sig"))
    elif suffix in (".xg", ".bgf"):
        document = getattr(codec, f"convert_{suffix[1:]}")(file)
    elif suffix in SUFFIXES:
        document = codec.read_gvab(file.read_bytes())
    else:
        raise ValueError(f"expected a name that ends in one of {', '.join(SUFFIXES)}")
    if not isinstance(document, dict):
        raise ValueError("expected an object")
    return document


def _mat_lines(document: dict[str, Any]) -> Iterator[str]:
    """The match as the lines of a ``.mat`` file. White, by the names of OGXM, is player 0."""
    points = int(document["match_length"] or 0)
    names = [str(document[key]).replace(":", " ").strip() or key for key in ("player_white", "player_black")]
    headers = {"Beaver": document.get("beaver")} if points == 0 else {"Crawford": document.get("crawford")}
    if points == 0:
        headers["Jacoby"] = document.get("jacoby")
    for header, value in headers.items():
        if value is not None:
            yield f'; [{header} "{"On" if value else "Off"}"]'
    if document.get("cube_limit"):
        yield f'; [CubeLimit "{int(document["cube_limit"])}"]'
    yield f"{points} point match"
    score = [0, 0]
    for number, game in enumerate(document["games"], 1):
        yield f"Game {number}"
        yield f"{names[0]} : {score[0]}  {names[1]} : {score[1]}"
        if game.get("initial_board") is not None:
            raise ValueError(f"game {number}: begins from a position set by hand")
        stake = 1
        for ply in game["plies"]:
            stake *= 2 if ply["action_id"] in (_DOUBLE, _BEAVER) else 1
            cell = _cell(ply, stake)
            # White's plies are of colour 1.
            yield f"  1) {cell}" if ply["color"] == 1 else f"  1) {cell:>{_RIGHT + len(cell)}}" if cell else ""
        if game["winner"] in _WINNERS and game["points_won"]:
            winner, gained = int(game["winner"]), int(game["points_won"])
            yield " " * (_RIGHT * winner) + f"Wins {gained} point"
            score[winner] += gained


def _cell(ply: dict[str, Any], stake: int) -> str:
    """What one ply is in a cell; nothing for one that only says that the game has ended."""
    action, is_white = int(ply["action_id"]), ply["color"] == 1
    if action <= _LAST_ROLL:
        moves = [(int(move["from"]), int(move["pips"])) for move in ply["moves"]]
        points = [(25 - at if is_white else at, pips) for at, pips in moves]
        return " ".join((f"{ply['d1']}{ply['d2']}:", *(f"{at}/{max(at - pips, 0)}" for at, pips in points)))
    if action == _SET_POSITION and ply.get("d1"):
        board = [int(count) for count in ply["set_position"]]
        numbers = [board[0], *board[24:0:-1], abs(board[25])]
        return f"{ply['d1']}{ply['d2']}: Illegal play ({';'.join(['0'] * 12 + [str(number) for number in numbers])};0;0;)"
    if action in (_DOUBLE, _BEAVER):
        return f" Doubles => {stake}"
    if action in (_TAKE, _DROP):
        return " Takes" if action == _TAKE else " Drops"
    if action in _ENDS:
        return ""
    raise ValueError(f"ply of action {action}: a position or a cube set by hand, a roll not written down, or a raccoon")
