"""Files of any format: which one a file is in is found by its content, which one to write is said by the ending of its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from nardy_fast.formats.foreign import SUFFIXES, read_foreign, suffix_by_content
from nardy_fast.formats.lines import AnyPath
from nardy_fast.formats.mat import read_mats, write_mat
from nardy_fast.formats.records import read_jsonl, read_text, write_jsonl, write_text
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match

Record = Game | Match

#: What the endings of names are written as, for people.
ENDINGS = ".mat, .jsonl, else text"
#: What is looked at to find out the format of a file, in bytes.
_HEAD = 1 << 16


class Format(NamedTuple):
    """A format that can be read."""

    #: What it is, and by what it is known, for people.
    name: str
    #: Reads a file, `illegal` and `strict` as for `nardy_fast.mat.read_mat`.
    read: Callable[[Path, str, bool], Sequence[Record]]
    #: Whether it says of a game that it is unfinished. In others it may just as well have been cut off.
    tells_end: bool = False


_TEXT = Format("text ('; [Record \"nardy_fast 1\"]')", lambda file, illegal, strict: [read_text(file)], True)
_JSONL = Format("JSON Lines ('{')", lambda file, illegal, strict: list(read_jsonl(file)), True)
_MAT = Format("a .mat file ('5 point match')", lambda file, illegal, strict: read_mats(file, illegal=illegal, strict=strict))
_FOREIGN = Format(", ".join(SUFFIXES), lambda file, illegal, strict: [read_foreign(file, illegal=illegal, strict=strict)])
FORMATS = (_TEXT, _JSONL, _MAT, _FOREIGN)

#: How the text of each format begins; of a .mat file, what one of its lines is.
_BY_CONTENT = (
    (re.compile(rb'\A\s*; \[Record "'), _TEXT),
    (re.compile(rb"\A\s*\{"), _JSONL),
    (re.compile(rb"^[ \t]*\d{1,9}[ -]points? match[ \t\r]*$", re.IGNORECASE | re.MULTILINE), _MAT),
    (re.compile(rb'\A\s*;\s?\[\w[\w ]* "[^"\n]*"\][ \t\r]*$', re.MULTILINE), _MAT),
)
_BY_SUFFIX = {".jsonl": _JSONL, ".mat": _MAT, **dict.fromkeys(SUFFIXES, _FOREIGN)}


def recognise(path: AnyPath) -> Format:
    """The format of a file: by its content, else by the ending of its name; `ValueError` where it is none of them."""
    file = Path(path)
    with file.open("rb") as opened:
        head = opened.read(_HEAD)
    if suffix_by_content(head) is not None:
        return _FOREIGN
    head = head.removeprefix(b"\xef\xbb\xbf")
    found = next((known for pattern, known in _BY_CONTENT if pattern.search(head)), None)
    if found is None:
        found = _BY_SUFFIX.get(file.suffix.lower())
    if found is None:
        raise ValueError(f"{file.name}: none of the formats that can be read: {'; '.join(each.name for each in FORMATS)}")
    return found


def read(path: AnyPath, *, illegal: str = "refuse", strict: bool = True) -> list[Record]:
    """The games and matches in a file of any of the formats; `illegal` and `strict` as for `nardy_fast.mat.read_mat`.

    `ValueError` names the file, and what was looked for where it is none of them; `OSError` where it cannot be opened.
    """
    file = Path(path)
    known = recognise(file)
    try:
        return list(known.read(file, illegal, strict))
    except (ValueError, ImportError) as error:
        if str(error).startswith(f"{file.name}: "):
            raise
        raise ValueError(f"{file.name}: {error}") from error


def write(path: AnyPath, records: Sequence[Record]) -> None:
    """Writes games and matches: as ``.mat`` or JSON Lines where the name ends in ``.mat`` or ``.jsonl``, else as text.

    `ValueError`, and nothing written, for what the format cannot hold; `OSError` where the file cannot be written.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix in SUFFIXES:
        raise ValueError(f"{file.name}: files that end in {suffix} are read, not written")
    if suffix == ".jsonl":
        write_jsonl(file, records)
        return
    if len(records) != 1:
        raise ValueError(f"{file.name}: holds one record, and there are {len(records)}; .jsonl holds any number")
    (record,) = records
    if suffix != ".mat":
        write_text(file, record)
    elif isinstance(record, Match):
        try:
            write_mat(file, record)
        except ValueError as error:
            raise ValueError(f"{file.name}: {error}") from error
    else:
        raise ValueError(f"{file.name}: a .mat file holds a match, not a single game")
