"""The command ``nardy-fast``: random games, perft counts, lists of plays, records and benchmarks from a terminal.

Each subcommand is a module of this package with two functions: `add_arguments` takes its parser, `run` what has been parsed, and
gives the exit status. Results go to stdout. Wrong input gives one line on stderr and exit status 2, Ctrl-C status 130.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol

from nardy_fast.commands import (
    bearoff,
    bench,
    convert,
    errorrate,
    hint,
    match,
    perft,
    perftsuite,
    plays,
    replay,
    review,
    show,
    simulate,
    train,
)
from nardy_fast.commands.console import (
    BROKEN_PIPE,
    CANNOT_WRITE,
    INTERRUPTED,
    PROGRAM,
    WRONG_INPUT,
    complain,
    forget_output,
    prepare_output,
)
from nardy_fast.version import __version__


class Command(Protocol):
    """What the module of a subcommand has."""

    def add_arguments(self, parser: argparse.ArgumentParser, /) -> None: ...
    def run(self, options: argparse.Namespace, /) -> int: ...


#: The subcommands, and what each is for.
COMMANDS: tuple[tuple[str, Command, str], ...] = (
    ("simulate", simulate, "play random games and tell how they ended"),
    ("perft", perft, "count the leaves of the tree of plays, over all 21 rolls a turn"),
    ("plays", plays, "list the plays of a roll, one for each distinct afterstate"),
    ("bench", bench, "how fast all this is, native core and reference side by side"),
    ("perftsuite", perftsuite, "count again in a file of positions with their perft counts"),
    ("bearoff", bearoff, "exact endgames: build tables, look into them, settle races"),
    ("show", show, "print the board, the pips and the ids of positions and ids"),
    ("match", match, "play a match of random players, networks or scripts and write its record"),
    ("train", train, "make a network of your own by games that it plays against itself"),
    ("errorrate", errorrate, "tell what a player loses a decision, by decisions whose plays have been rolled out"),
    ("convert", convert, "write a record of games or a match in another format"),
    ("hint", hint, "what to do in a position: the plays in order, the cube"),
    ("review", review, "what each decision of a record cost, and how lucky each throw was"),
    ("replay", replay, "print a record, the board before each play"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns the exit status."""
    prepare_output()
    options = _parser().parse_args(arguments)
    command: Command = options.command
    try:
        status = command.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except ValueError as error:
        return complain(str(error), WRONG_INPUT)
    except OverflowError:
        return complain("a number is too large", WRONG_INPUT)
    except MemoryError:
        return complain("there is not enough memory for that", WRONG_INPUT)
    except OSError as error:
        forget_output()
        return BROKEN_PIPE if isinstance(error, BrokenPipeError) else complain(f"cannot write: {error.strerror}", CANNOT_WRITE)
    return status


class _Parser(argparse.ArgumentParser):
    """Complains in one line, without the usage that argparse puts before it."""

    def error(self, message: str) -> NoReturn:
        sys.exit(complain(message, WRONG_INPUT))


def _parser() -> _Parser:
    parser = _Parser(prog=PROGRAM, description="The rules of nardy, long and short, at native speed.")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, command, purpose in COMMANDS:
        subparser = commands.add_parser(name, help=purpose)
        command.add_arguments(subparser)
        subparser.set_defaults(command=command)
    return parser
