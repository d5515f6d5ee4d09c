"""The subcommand ``bearoff``: builds tables, shows what one holds of a position, and tells the chances of a race."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from nardy_fast.bearoff.one_sided import OneSided
from nardy_fast.bearoff.races import race
from nardy_fast.bearoff.store import cache_folder
from nardy_fast.bearoff.two_sided import CHECKERS, TwoSided
from nardy_fast.commands.console import add_position, add_rules, table
from nardy_fast.core._position import Position
from nardy_fast.text.notation import COLOURS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands ``build``, ``show`` and ``race``."""
    common = argparse.ArgumentParser(add_help=False)
    add_rules(common)
    common.add_argument("--folder", metavar="FOLDER", help="where the tables are (default: the user's cache folder)")
    place = argparse.ArgumentParser(add_help=False)
    add_position(place, "6:3,5:2 18:4,13:2 w")
    points = argparse.ArgumentParser(add_help=False)
    points.add_argument("--points", type=int, default=6, metavar="N", help="how many of the last points, 6 to 10 (default: 6)")
    commands = parser.add_subparsers(dest="bearoff_command", metavar="COMMAND", required=True)

    command = commands.add_parser("build", parents=[common, points], help="build the tables that are not there yet")
    most = f"the most checkers of a side in the two-sided table, 1 to 10 (default: {CHECKERS})"
    command.add_argument("--checkers", type=int, default=CHECKERS, metavar="N", help=most)
    commands.add_parser("show", parents=[common, points, place], help="how many turns each side needs")
    commands.add_parser("race", parents=[common, points, place], help="the chances of the side to move")


def run(options: argparse.Namespace) -> int:
    return {"build": _build, "show": _show, "race": _race}[options.bearoff_command](options)


def _build(options: argparse.Namespace) -> int:
    rows = [("table", "entries", "bytes", "seconds", "file")]
    begun = time.perf_counter()
    one = OneSided.load(options.rules, options.points, folder=options.folder)
    rows.append(_row(f"one-sided, {one.points} points", f"{one.spreads:,}", one, begun, options.folder))
    begun = time.perf_counter()
    two = TwoSided.load(options.rules, options.checkers, folder=options.folder)
    rows.append(_row(f"two-sided, {two.checkers} checkers", f"{two.spreads:,}^2", two, begun, options.folder))
    print(table(rows))
    return 0


def _row(name: str, entries: str, built: OneSided | TwoSided, begun: float, folder: str | None) -> tuple[str, str, str, str, str]:
    if built.path is None:
        raise ValueError(f"{name}: cannot be kept in {cache_folder(folder)}: {_obstacle(cache_folder(folder))}")
    return name, entries, f"{built.path.stat().st_size:,}", f"{time.perf_counter() - begun:.2f}", str(built.path)


def _obstacle(folder: Path) -> str:
    """Why no file can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return error.strerror or type(error).__name__
    return "there is no room for it"


def _show(options: argparse.Namespace) -> int:
    position = Position.parse(options.position, options.rules)
    one = OneSided.load(options.rules, options.points, folder=options.folder)
    boards = position.board[None]
    for side in (0, 1):
        numbers = one.numbers(boards, side)
        colour = COLOURS[position.turn ^ side]
        print(f"{colour}, {'to move' if side == 0 else 'waiting'}: spread {numbers[0]:,}")
        means = [one.means(numbers, aim)[0] for aim in ("all", "first")]
        print(f"turns until all are off {means[0]:.4f}, until the first is off {means[1]:.4f}\n")
        chances = [one.distributions(numbers, aim)[0] for aim in ("all", "first", "within")]
        rows = [("turns", "all off", "first off", "within, at best")]
        for turn in range(one.turns + 1):
            cells = (chances[0][turn], chances[1][turn], chances[2][: turn + 1].sum())
            if max(cells[:2]) >= 5e-7:
                rows.append((str(turn), f"{cells[0]:.4%}", f"{cells[1]:.4%}", f"{cells[2]:.4%}"))
        print(table(rows), end="\n\n" if side == 0 else "\n")
    return 0


def _race(options: argparse.Namespace) -> int:
    position = Position.parse(options.position, options.rules)
    one = None if options.points == 6 else OneSided.load(options.rules, options.points, folder=options.folder)
    found = race(position, one_sided=one, folder=options.folder)
    names = ("win", "of these mars", "draw", "loss", "of these mars")
    print(f"{COLOURS[position.turn]} to move, {found.source}\n")
    print(table([(name, f"{chance:.4%}") for name, chance in zip(names, found[:5], strict=True)]))
    if found.source == "two-sided":
        two = TwoSided.load(options.rules, CHECKERS, folder=options.folder)
        print(f"\nequity {two.equity(position):+.4f}")
        if two.has_cube:
            cube = two.cube(position)
            print(f"cube in the middle {cube.centred:+.4f}, own {cube.owned:+.4f}, the opponent's {cube.theirs:+.4f}")
            print(f"cube in the middle, without doubling {cube.centred_undoubled:+.4f}; doubled and taken {cube.doubled:+.4f}")
    return 0
