"""The subcommand ``plays``: lists the plays of a roll."""

from __future__ import annotations

import argparse

from nardy_fast.benchmark.implementations import implementation
from nardy_fast.commands.console import add_implementation, add_numbering, add_position, add_rules, complain
from nardy_fast.text.notation import parse_dice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules(parser)
    add_implementation(parser)
    add_position(parser, "24:15 12:15 w")
    add_numbering(parser)
    parser.add_argument("dice", metavar="DICE", help="the roll, as in 6-5")


def run(options: argparse.Namespace) -> int:
    position = implementation(options.impl).Position.parse(options.position, options.rules, numbering=options.numbering)
    plays = position.plays(parse_dice(options.dice))
    if not plays:
        complain("the game is over, so there are no plays")
    for play in plays:
        print(play.notation(options.numbering))
    return 0
