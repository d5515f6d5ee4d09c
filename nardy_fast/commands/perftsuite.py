"""The subcommand ``perftsuite``: counts again in a file of positions with their perft counts."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from nardy_fast.benchmark.implementations import implementation
from nardy_fast.benchmark.perftsuite import SHIPPED, Entry, check, listed_leaves, read_suite
from nardy_fast.commands.console import MISMATCH, add_implementation, complain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``nardy-fast perftsuite``."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the suite (default: the one that comes with the package)")
    parser.add_argument("--depth", type=_depth, metavar="N", help="leave out what is deeper than N turns")
    add_implementation(parser)
    parser.add_argument("--listing", action="store_true", help="count by listing every play of every turn (slow)")


def _depth(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of turns, from 1")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Counts a suite again, tells what came of it, and returns the exit status: 0, or `MISMATCH`.

    Raises `ValueError` for a file that cannot be read or is not in the format.
    """
    entries = _read_file(options.file)
    impl = implementation(options.impl)
    perft = listed_leaves if options.listing else impl.perft
    width = max(len(entry.rules) for entry in entries)
    begun = time.perf_counter()
    leaves = wrong = 0
    for entry in entries:
        counts = [(depth, count) for depth, count in entry.leaves if options.depth is None or depth <= options.depth]
        mismatch = check(entry, impl, perft, options.depth)
        if mismatch is not None:
            wrong += 1
            print(f"WRONG  {mismatch}", flush=True)
            continue
        leaves += sum(count for _, count in counts)
        reached = "D{} {:>13,}".format(*counts[-1]) if counts else "nothing so shallow"
        print(f"ok     {entry.rules:<{width}}  {reached}  {entry.position}", flush=True)
    seconds = time.perf_counter() - begun
    speed = f"{leaves / seconds:,.0f}" if seconds else "-"
    print(f"\n{len(entries)} positions, {wrong} wrong; {leaves:,} leaves in {seconds:.1f} seconds, {speed} a second")
    if wrong:
        sys.stdout.flush()
        complain(f"{wrong} of {len(entries)} positions have other counts than the suite says")
    return MISMATCH if wrong else 0


def _read_file(path: str | None) -> list[Entry]:
    """The entries of the suite at `path`, or of the one that comes with the package."""
    if path is None:
        return read_suite(SHIPPED.read_text("utf-8").splitlines(), "perftsuite.txt")
    try:
        return read_suite(Path(path).read_text("utf-8").splitlines(), path)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from None
