"""Match equity tables of other programs: GNU Backgammon's ``.xml`` and eXtreme Gammon's ``.met``, whichever the content is.

Both have a table for scores up to the Crawford game, by what the player and the other still need, and a row for the trailer after
it. What a table leaves out is not made up: tables that are given by a formula's parameters are refused.
"""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import short_repr

#: A file that is longer is no table.
_MAX_BYTES = 1 << 20

#: The name; the chances before and in the Crawford game, [away - 1, other - 1]; after it the trailer's by what he needs, from 0.
Tables = tuple[str, NDArray[np.float64], NDArray[np.float64]]


def read_tables(path: str | os.PathLike[str]) -> Tables:
    """The tables in a file; `ValueError` names it and what is wrong, `OSError` where it cannot be opened."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path = {short_repr(path)}: expected a path")
    file = Path(path)
    with file.open("rb") as opened:
        content = opened.read(_MAX_BYTES + 1)
    try:
        if len(content) > _MAX_BYTES:
            raise ValueError("too long for a match equity table")
        is_xml = content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        return _checked(file.stem, *(_from_xml(content) if is_xml else _from_ini(content)))
    except ValueError as error:
        raise ValueError(f"{file.name}: {error}") from None


def _checked(stem: str, name: str, rows: list[list[float]], trailer: list[float]) -> Tables:
    length = len(rows)
    if not length or any(len(row) < length for row in rows):
        raise ValueError(f"{length} rows before the Crawford game: expected as many entries as rows in each")
    before = np.array([row[:length] for row in rows])
    if len(trailer) < length - 1:
        raise ValueError(f"{len(trailer)} entries after the Crawford game: expected {length - 1} at least")
    if np.abs(before + before.T - 1).max() > 0.01:
        raise ValueError("the chances of both players do not add up to 1")
    # A row that lacks its last entry is one of a table whose longest score never comes after the Crawford game.
    known = [*trailer[:length], *[0.0] * (length - len(trailer))]
    if np.any(np.diff([1.0, *trailer[:length]]) > 0):
        raise ValueError("after the Crawford game, a trailer who needs more points has the better chances")
    return name or stem, before, np.array([1.0, *known])


def _chance(text: str | None) -> float:
    try:
        found = float(str(text).strip())
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1:
        raise ValueError(f"{short_repr(text)}: expected a chance from 0 to 1")
    return found


def _from_xml(content: bytes) -> tuple[str, list[list[float]], list[float]]:
    if b"<!ENTITY" in content:
        raise ValueError("entities are not read")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise ValueError(f"no XML: {error}") from None
    before, after = root.find("pre-crawford-table"), root.findall("post-crawford-table")
    if root.tag != "met" or before is None or not after:
        raise ValueError("expected a <met> with a pre-crawford-table and a post-crawford-table")
    for table in (before, *after):
        if table.get("type", "explicit") != "explicit":
            raise ValueError(f"a table of type {short_repr(table.get('type'))}: only explicit ones are read")
    trailer = [_chance(me.text) for me in after[0].iterfind("row/me")]
    if len(after) > 1 and [_chance(me.text) for me in after[1].iterfind("row/me")] != trailer:
        raise ValueError("tables that differ from player to player are not read")
    name = root.findtext("info/name") or ""
    return name.strip(), [[_chance(me.text) for me in row.iterfind("me")] for row in before.iterfind("row")], trailer


def _from_ini(content: bytes) -> tuple[str, list[list[float]], list[float]]:
    sections: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    for line in content.decode("utf-8-sig", "replace").splitlines():
        text = line.strip()
        if text.startswith("[") and text.endswith("]"):
            section = sections.setdefault(text[1:-1].lower(), {})
        elif text and not text.startswith(";"):
            key, is_there, value = text.partition("=")
            if not sections or not is_there:
                raise ValueError(f"{short_repr(text)}: neither XML nor a line of a .met file")
            section[key.strip().lower()] = value.strip()
    if not {"precrawford", "postcrawford"} <= sections.keys():
        raise ValueError("expected the sections PreCrawford and PostCrawford")
    before, after = sections["precrawford"], sections["postcrawford"]
    rows: list[list[float]] = []
    while (row := before.get(str(len(rows) + 1))) is not None:
        rows.append([_chance(each) for each in row.split()])
    return sections.get("current", {}).get("name", ""), rows, [_chance(each) for each in after.get("data", "").split()]
