"""The subcommand ``convert``: a record of one format as a record of another, by the endings of the names."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nardy_fast.formats.foreign import SUFFIXES, read_foreign
from nardy_fast.formats.mat import read_mat, to_mat
from nardy_fast.formats.records import read_jsonl, read_text, to_text, write_jsonl
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match

Record = Game | Match


def add_arguments(parser: argparse.ArgumentParser) -> None:
    formats = ", ".join((".jsonl", ".mat", *SUFFIXES))
    parser.add_argument("source", type=Path, metavar="IN", help=f"the record to read: {formats}, and text for any other ending")
    parser.add_argument(
        "target", type=Path, metavar="OUT", help="the record to write: .mat, .jsonl, and text for any other ending"
    )
    parser.add_argument(
        "--illegal", choices=("refuse", "keep"), default="refuse", help="what to do with an illegal play in IN (default: refuse)"
    )


def run(options: argparse.Namespace) -> int:
    try:
        records = convert(options.source, options.target, options.illegal)
    except OSError as error:
        raise ValueError(told(error)) from error
    if not tells_its_end(options.source):
        for game in (record.game for record in records if isinstance(record, Match)):
            if game is not None and game.result is None:
                print(f"nardy-fast: {options.source.name}: the last game is unfinished", file=sys.stderr)
    return 0


def told(error: OSError) -> str:
    """What the system says of a file, without Python's number for it."""
    return str(error) if error.filename is None else f"{error.filename}: {error.strerror}"


def tells_its_end(source: Path) -> bool:
    """Whether the format is our own, which says that a game is unfinished; in others it may just as well have been cut off."""
    return source.suffix.lower() not in (".mat", *SUFFIXES)


def convert(source: Path, target: Path, illegal: str = "refuse") -> list[Record]:
    """Reads `source` and writes `target`; `ValueError`, and nothing written, where a format cannot hold what is recorded."""
    records = read_records(source, illegal)
    write_records(target, records)
    return records


def read_records(source: Path, illegal: str = "refuse") -> list[Record]:
    """The records in a file of the format that the ending of its name says; `ValueError` names the file."""
    suffix = source.suffix.lower()
    if suffix in SUFFIXES:
        try:
            return [read_foreign(source, illegal=illegal)]
        except ImportError as error:
            raise ValueError(f"{source.name}: {error}") from error
    try:
        if suffix == ".jsonl":
            return list(read_jsonl(source))
        return [read_mat(source, illegal=illegal) if suffix == ".mat" else read_text(source)]
    except ValueError as error:
        raise ValueError(f"{source.name}: {error}") from error


def write_records(target: Path, records: list[Record]) -> None:
    """Writes records in the format that the ending of the name says."""
    suffix = target.suffix.lower()
    if suffix in SUFFIXES:
        raise ValueError(f"{target.name}: files that end in {suffix} are read, not written")
    if suffix == ".jsonl":
        write_jsonl(target, records)
        return
    if len(records) != 1:
        raise ValueError(f"{target.name}: holds one record, and there are {len(records)}; .jsonl holds any number")
    (record,) = records
    if suffix != ".mat":
        text = to_text(record)
    elif isinstance(record, Match):
        try:
            text = to_mat(record)
        except ValueError as error:
            raise ValueError(f"{target.name}: {error}") from error
    else:
        raise ValueError(f"{target.name}: a .mat file holds a match, not a single game")
    target.write_text(text, encoding="utf-8", newline="\n")
