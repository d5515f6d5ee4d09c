"""The lines of a file, with their numbers."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from os import PathLike

from nardy_fast.arguments import check_text

AnyPath = str | PathLike[str]
Lines = Iterable[tuple[int, str]]


class LineError(ValueError):
    """A line of a file that cannot be read; the message begins with its number."""


def text_lines(text: str) -> Lines:
    """The lines of a text; `TypeError` for anything but a string."""
    check_text(text)
    return enumerate(io.StringIO(text.removeprefix("\ufeff"), newline=None), 1)


def file_lines(path: AnyPath, longest: int, largest: int | None = None, or_latin: bool = False) -> Iterator[tuple[int, str]]:
    """The lines of a file in UTF-8, or in Latin-1 where a line is none and `or_latin`.

    `ValueError` for a line of more than `longest` bytes, for a file of more than `largest`, and for what is no text.
    """
    with open(path, "rb") as file:
        number = size = 0
        while raw := file.readline(longest + 1):
            number += 1
            size += len(raw)
            if len(raw) > longest:
                raise LineError(f"line {number}: longer than {longest} bytes")
            if largest is not None and size > largest:
                raise LineError(f"line {number}: the file is longer than {largest} bytes")
            if or_latin and b"\0" in raw:
                raise LineError(f"line {number}: not text in UTF-8 or Latin-1")
            try:
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                if not or_latin:
                    raise LineError(f"line {number}: not UTF-8 text") from error
                yield number, raw.decode("latin-1")
