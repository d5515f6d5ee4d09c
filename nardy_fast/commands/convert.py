"""The subcommand ``convert``: a record of one format as a record of another."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from nardy_fast.commands.console import complain, report_file_errors
from nardy_fast.formats import files
from nardy_fast.formats.foreign import SUFFIXES
from nardy_fast.formats.transcript import Doubt
from nardy_fast.games.match import Match


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = ", ".join(("text", "JSON Lines", ".mat", *SUFFIXES))
    parser.add_argument("source", type=Path, metavar="IN", help=f"the record to read: {kinds}, as its content shows")
    parser.add_argument("target", type=Path, metavar="OUT", help=f"the record to write: {files.ENDINGS}")
    parser.add_argument(
        "--illegal", choices=("refuse", "keep"), default="refuse", help="what to do with an illegal play in IN (default: refuse)"
    )
    parser.add_argument(
        "--lenient", action="store_true", help="keep the good games of a file with faults, and tell on stderr what was left out"
    )


def run(options: argparse.Namespace) -> int:
    with report_file_errors(), warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always", Doubt)
        records = files.read(options.source, illegal=options.illegal, strict=not options.lenient)
        tells_end = files.recognise(options.source).tells_end
        files.write(options.target, records)
    for doubt in doubts:
        complain(f"{options.source.name}: {doubt.message}")
    for record in records:
        if not tells_end and isinstance(record, Match) and record.game is not None and record.game.result is None:
            complain(f"{options.source.name}: the last game is unfinished")
    return 0
