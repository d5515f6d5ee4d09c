"""The subcommand ``replay``: prints a record piece by piece, the board before each play and then the play."""

from __future__ import annotations

import argparse
from pathlib import Path

from nardy_fast.commands.console import report_file_errors
from nardy_fast.formats import files
from nardy_fast.formats.records import replayed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record, in any format that convert reads")


def run(options: argparse.Namespace) -> int:
    with report_file_errors():
        records = files.read(options.file)
    for record in records:
        for piece in replayed(record):
            print(piece)
    return 0
