"""The subcommand ``review``: what each decision of a record cost and how lucky each throw was, as text, JSON or a page."""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from pathlib import Path

from nardy_fast.analysis.match_equity import MatchEquity
from nardy_fast.analysis.reviews import Review, review
from nardy_fast.commands.console import complain, report_file_errors
from nardy_fast.formats import files
from nardy_fast.formats.transcript import Doubt
from nardy_fast.players.network import Network


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record, in any format that convert reads")
    parser.add_argument("--html", type=Path, metavar="OUT", help="write a page that needs nothing else, to step through")
    parser.add_argument("--json", action="store_true", help="print everything as JSON, a line a game or match")
    parser.add_argument("--full", action="store_true", help="print every decision, not only those that cost something")
    add_judgement(parser)
    parser.add_argument("--threads", type=int, metavar="N", help="threads to judge in (default: one for each processor)")
    parser.add_argument("--quiet", action="store_true", help="tell no progress on stderr")


def add_judgement(parser: argparse.ArgumentParser) -> None:
    """The options that say who judges, as ``hint`` has them too."""
    parser.add_argument("--plies", type=int, default=0, metavar="N", help="how far to look ahead (default: 0)")
    parser.add_argument("--network", metavar="NETWORK", help="who judges: a preset's name or a file (default: as the rules)")
    parser.add_argument("--table", type=Path, metavar="FILE", help="match equities, .xml or .met (default: computed)")


def run(options: argparse.Namespace) -> int:
    with report_file_errors(), warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always", Doubt)
        records = files.read(options.file)
        network, table = judgement(options)
    for doubt in doubts:
        complain(f"{options.file.name}: {doubt.message}")
    if options.html is not None and len(records) != 1:
        raise ValueError(f"--html: a page shows one record, and {options.file.name} has {len(records)}")
    for record in records:
        progress = None if options.quiet or not _is_terminal() else _progress
        found = review(record, plies=options.plies, network=network, table=table, threads=options.threads, progress=progress)
        if options.html is not None:
            with report_file_errors():
                _write(options.html, found)
        if options.json:
            print(json.dumps(found.record()))
        elif options.html is None or options.full:
            print(found.to_text(full=options.full), end="")
        else:
            print(f"{options.html}: {options.html.stat().st_size:,} bytes")
    return 0


def judgement(options: argparse.Namespace) -> tuple[Network | None, MatchEquity | None]:
    """The network and the table of match equities that the options name."""
    network = None if options.network is None else Network.load(options.network)
    return network, None if options.table is None else MatchEquity.read(options.table)


def _write(path: Path, found: Review) -> None:
    """Writes the page, whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(found.to_html(), encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _progress(done: int, of: int) -> None:
    end = "\n" if done == of else ""
    print(f"\r{done} of {of}", end=end, file=sys.stderr, flush=True)
