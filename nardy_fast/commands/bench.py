"""The subcommand ``bench``: how fast the package is, native core and reference side by side, and beside other programs."""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from nardy_fast.benchmark import peers
from nardy_fast.benchmark.implementations import IMPLEMENTATIONS
from nardy_fast.benchmark.jobs import TASKS, jobs
from nardy_fast.benchmark.timing import SECONDS, Row, measure
from nardy_fast.commands.console import MISMATCH, complain
from nardy_fast.core import INSTRUCTIONS
from nardy_fast.version import __version__


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``nardy-fast bench``."""
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS, metavar="TASK", help=f"some of {', '.join(TASKS)}")
    parser.add_argument(
        "--seconds", type=_seconds, default=SECONDS, metavar="S", help=f"time each entry at least so long (default: {SECONDS})"
    )
    parser.add_argument("--peers", action="store_true", help="also other programs that list the plays of backgammon")
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of a table")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, more than 0")
    return seconds


def run(options: argparse.Namespace) -> int:
    """Measures, prints the figures, and returns the exit status: 0, or `MISMATCH` where something else came of it than must."""
    begun = time.perf_counter()
    if not options.json:
        print(_line(("task", "rules", "positions", "unit", "native /s", "reference /s", "ratio")))
    rows = []
    for job in jobs(options.tasks):
        row = measure(job, options.seconds)
        rows.append(row)
        for fault in row.faults:
            complain(fault)
        if not options.json:
            print(_row_line(row), flush=True)
    compared = peers.compare(options.seconds) if options.peers else None
    if compared is not None:
        for name in compared.absent:
            complain(f"{name} is not installed; the extra 'peers' has it")
        if not options.json:
            print(peers.table(compared))
    seconds = time.perf_counter() - begun
    if options.json:
        print(json.dumps(_as_json(rows, compared.as_json() if compared else None, seconds), indent=2))
    else:
        print(f"\n{seconds:.0f} seconds; {', '.join(f'{name} {value}' for name, value in _machine().items())}")
    return MISMATCH if any(row.faults for row in rows) else 0


def _as_json(rows: list[Row], compared: Any, seconds: float) -> dict[str, Any]:
    return {
        "version": __version__,
        "machine": _machine(),
        "seconds": seconds,
        "rows": [row.as_json() for row in rows],
        "peers": compared,
    }


def _machine() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.system(),
        "machine": platform.machine(),
        "instructions": INSTRUCTIONS,
    }


_WIDTHS = (11, 6, 21, 7, 14, 13, 8)
_LEFT = 4


def _line(cells: Sequence[str]) -> str:
    """The first columns to the left, the others to the right. Fixed widths, for the rows come one by one."""
    return " ".join(
        cell.ljust(width) if at < _LEFT else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    )


def _row_line(row: Row) -> str:
    speeds = (
        f"{row.per_second[impl]:,.0f}" if impl in row.per_second else "WRONG" if impl in row.job.expected else "-"
        for impl in IMPLEMENTATIONS
    )
    ratio = "-" if row.ratio is None else f"{row.ratio:,.0f}"
    return _line((row.job.task, row.job.rules, row.job.subject, row.job.unit, *speeds, ratio))
