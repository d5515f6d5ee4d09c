"""The command ``nardy-fast``: random games, perft counts, lists of plays and benchmarks from a terminal.

Results go to stdout. Wrong input gives one line on stderr and exit status 2, Ctrl-C status 130.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from nardy_fast.benchmark import jobs as benchmark
from nardy_fast.benchmark import perftsuite
from nardy_fast.commands import bearoff, convert, replay, show
from nardy_fast.commands import match as match_play
from nardy_fast.rules import ROLLS, RULESETS, ruleset
from nardy_fast.text.notation import parse_dice
from nardy_fast.version import __version__

PROGRAM = "nardy-fast"
IMPLEMENTATIONS = {"native": "nardy_fast", "reference": "nardy_fast.reference"}
#: As many random games as a person likes to wait for.
GAMES = {"native": 100_000, "reference": 100}

WRONG_INPUT = 2
CANNOT_WRITE = 1
INTERRUPTED = 130
BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status = options.run(options, importlib.import_module(IMPLEMENTATIONS[options.impl]))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except ValueError as error:
        return _complain(str(error), WRONG_INPUT)
    except OverflowError:
        return _complain("a number is too large", WRONG_INPUT)
    except MemoryError:
        return _complain("there is not enough memory for that", WRONG_INPUT)
    except OSError as error:
        # What is still buffered can be written nowhere; without this the interpreter would complain about it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE if isinstance(error, BrokenPipeError) else _complain(f"cannot write: {error.strerror}", CANNOT_WRITE)
    return status or 0


def _complain(message: str, status: int) -> int:
    """One line on stderr, whatever the message holds; gives the status back."""
    print(f"{PROGRAM}: {' '.join(message.split())}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """Complains in one line, without the usage that argparse puts before it."""

    def error(self, message: str) -> NoReturn:
        sys.exit(_complain(message, WRONG_INPUT))


def _parser() -> _Parser:
    common = _Parser(add_help=False)
    common.add_argument("--rules", default="long", metavar="NAME", help=f"one of {', '.join(RULESETS)} (default: long)")
    common.add_argument("--impl", default="native", choices=IMPLEMENTATIONS, help="the implementation to use (default: native)")

    parser = _Parser(prog=PROGRAM, description="The rules of nardy, long and short, at native speed.")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    command = commands.add_parser("simulate", parents=[common], help="play random games and tell how they ended")
    default_games = ", ".join(f"{games} {impl}" for impl, games in GAMES.items())
    command.add_argument("--games", type=int, metavar="N", help=f"how many games (default: {default_games})")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed gives the same games (default: 0)")
    command.add_argument("--threads", type=int, metavar="N", help="threads to play in (default: one for each processor)")
    command.add_argument("--json", action="store_true", help="the figures as JSON instead of a table")
    command.set_defaults(run=_simulate)

    command = commands.add_parser(
        "perft", parents=[common], help="count the leaves of the tree of plays, over all 21 rolls a turn"
    )
    command.add_argument("depth", type=int, metavar="DEPTH", help="how many turns deep")
    command.add_argument("--position", metavar="TEXT", help="where to begin, as in '24:13,18:2 12:15 b' (default: the start)")
    command.add_argument("--divide", action="store_true", help="list the count of each first roll")
    command.set_defaults(run=_perft)

    command = commands.add_parser("plays", parents=[common], help="list the plays of a roll, one for each distinct afterstate")
    command.add_argument("position", metavar="POSITION", help="WHITE BLACK SIDE in one argument, as in '24:15 12:15 w'")
    command.add_argument("dice", metavar="DICE", help="the roll, as in 6-5")
    command.set_defaults(run=_plays)

    command = commands.add_parser("bench", help="how fast all this is, native core and reference side by side")
    benchmark.add_arguments(command)
    command.set_defaults(run=lambda options, impl: benchmark.run(options), impl="native")

    command = commands.add_parser("perftsuite", help="count again in a file of positions with their perft counts")
    perftsuite.add_arguments(command)
    command.set_defaults(run=lambda options, impl: perftsuite.run(options))

    command = commands.add_parser("bearoff", help="exact endgames: build tables, look into them, settle races")
    bearoff.add_arguments(command)
    command.set_defaults(run=lambda options, impl: bearoff.run(options), impl="native")

    command = commands.add_parser("show", help="print the board, the pips and the ids of positions and ids")
    show.add_arguments(command)
    command.set_defaults(run=lambda options, impl: show.run(options), impl="native")

    command = commands.add_parser("match", help="play a match of random or scripted players and write its record")
    match_play.add_arguments(command)
    command.set_defaults(run=lambda options, impl: match_play.run(options), impl="native")

    command = commands.add_parser("convert", help="write a record of games or a match in another format")
    convert.add_arguments(command)
    command.set_defaults(run=lambda options, impl: convert.run(options), impl="native")

    command = commands.add_parser("replay", help="print a record, the board before each play")
    replay.add_arguments(command)
    command.set_defaults(run=lambda options, impl: replay.run(options), impl="native")
    return parser


# The commands


def _simulate(options: argparse.Namespace, impl: Any) -> None:
    games = GAMES[options.impl] if options.games is None else options.games
    with _progress_bar(games) as progress:
        simulation = impl.simulate(games, options.rules, seed=options.seed, threads=options.threads, progress=progress)
    summary = simulation.summary()
    if options.json:
        print(json.dumps({"impl": options.impl, **summary}, indent=2))
        return
    print(f"random games: rules {summary['rules']}, seed {summary['seed']}, {options.impl}\n")
    figures = (
        ("games", f"{summary['games']:,}"),
        ("turns", f"{summary['turns']:,}"),
        ("turns a game", f"{summary['turns_per_game']:.2f}"),
        ("seconds", f"{summary['seconds']:.3f}"),
        ("turns a second", f"{summary['turns_per_second']:,.0f}"),
    )
    white, black = summary["results"]["white"], summary["results"]["black"]
    results = [(name, f"{white[name]:.2%}", f"{black[name]:.2%}") for name in white]
    print(_table(figures), _table([("result", "White", "Black"), *results]), sep="\n\n")
    if summary["draws"]:
        print(f"\ndraws {summary['draws']:.2%}")


def _perft(options: argparse.Namespace, impl: Any) -> None:
    rules, depth = ruleset(options.rules), options.depth
    position = impl.Position.start(rules) if options.position is None else impl.Position.parse(options.position, rules)
    begun = time.perf_counter()
    if options.divide and depth > 0 and not position.is_over:
        leaves = 0
        for (high, low), _ in ROLLS:
            below = sum(impl.perft(play.afterstate, depth - 1) for play in position.plays((high, low)))
            print(f"{high}-{low}  {below:>12,}", flush=True)
            leaves += below
        print()
    else:
        leaves = impl.perft(position, depth)
    seconds = time.perf_counter() - begun
    speed = f"{leaves / seconds:,.0f}" if seconds else "-"
    print(_table((("leaves", f"{leaves:,}"), ("seconds", f"{seconds:.3f}"), ("leaves a second", speed))))


def _plays(options: argparse.Namespace, impl: Any) -> None:
    position = impl.Position.parse(options.position, options.rules)
    plays = position.plays(parse_dice(options.dice))
    if not plays:
        _complain("the game is over, so there are no plays", 0)
    for play in plays:
        print(play)


# What they look like


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width) for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(lines)


@contextmanager
def _progress_bar(games: int) -> Iterator[Callable[[int], object] | None]:
    """What to call with the games done so far; None where no bar can be shown."""
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        yield None
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.update(task, completed=done)
