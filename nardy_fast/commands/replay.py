"""The subcommand ``replay``: prints a record piece by piece, the board before each play and then the play."""

from __future__ import annotations

import argparse
from pathlib import Path

from nardy_fast.commands.convert import read_records, told
from nardy_fast.formats.records import replayed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record: .jsonl, .mat or another match file, else text")


def run(options: argparse.Namespace) -> int:
    try:
        records = read_records(options.file)
    except OSError as error:
        raise ValueError(told(error)) from error
    for record in records:
        for piece in replayed(record):
            print(piece)
    return 0
