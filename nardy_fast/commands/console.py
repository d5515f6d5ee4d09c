"""What all commands share: complaints, exit statuses, options, tables, and outputs that cannot print everything."""

from __future__ import annotations

import argparse
import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from nardy_fast.benchmark.implementations import IMPLEMENTATIONS
from nardy_fast.rules import RULESETS
from nardy_fast.text.notation import NUMBERINGS

PROGRAM = "nardy-fast"

# Exit statuses.
MISMATCH = 1
CANNOT_WRITE = 1
WRONG_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


def complain(message: str, status: int = 0) -> int:
    """One line on stderr, whatever the message holds; gives the status back."""
    if sys.stderr is not None:
        print(f"{PROGRAM}: {' '.join(message.split())}", file=sys.stderr)
    return status


@contextmanager
def report_file_errors() -> Iterator[None]:
    """What the system says of a file that cannot be read or written becomes `ValueError`, without Python's number for it."""
    try:
        yield
    except OSError as error:
        raise ValueError(str(error) if error.filename is None else f"{error.filename}: {error.strerror}") from error


# Options


def add_rules(
    parser: argparse.ArgumentParser, default: str | None = "long", help: str = "one of {names} (default: long)"
) -> None:
    """The option ``--rules``; `{names}` in its help are the presets."""
    parser.add_argument("--rules", default=default, metavar="NAME", help=help.format(names=", ".join(RULESETS)))


def add_implementation(parser: argparse.ArgumentParser) -> None:
    """The option ``--impl``."""
    parser.add_argument("--impl", default="native", choices=IMPLEMENTATIONS, help="the implementation to use (default: native)")


def add_position(parser: argparse.ArgumentParser, example: str) -> None:
    """The argument POSITION."""
    parser.add_argument("position", metavar="POSITION", help=f"WHITE BLACK SIDE in one argument, as in '{example}'")


def add_numbering(parser: argparse.ArgumentParser) -> None:
    """The option ``--numbering``."""
    names = f"how points are numbered: {', '.join(NUMBERINGS)} (default: {NUMBERINGS[0]})"
    parser.add_argument("--numbering", default=NUMBERINGS[0], choices=NUMBERINGS, help=names)


# Output


def table(rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width) for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(lines)


#: What the pictures of boards are drawn with where the encoding of the output has no better, character by character.
_PLAIN = {"│": "|", "─": "-", "○": "o", "●": "x", **dict.fromkeys("┌┬┐└┴┘├┼┤", "+")}


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    """Of what an encoding has no characters for, pictures become plainer, and all else the escapes of Python."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(_PLAIN.get(each, each.encode("ascii", "backslashreplace").decode("ascii")) for each in missing), error.end


codecs.register_error("nardy_fast.plainly", _plainly)


class _Closed(io.TextIOBase):
    """An output that was closed before the command began."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def prepare_output() -> None:
    """Makes stdout such that anything can be printed, and that what cannot be written at all is an `OSError`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="nardy_fast.plainly")
    if sys.stdout is None:
        sys.stdout = _Closed()


def forget_output() -> None:
    """Drops what is still buffered and can be written nowhere, of which the interpreter would complain at its end."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
