"""The subcommand ``errorrate``: what a player loses in decisions whose every play has been judged beforehand."""

from __future__ import annotations

import argparse

from nardy_fast.analysis.decisions import Decisions
from nardy_fast.analysis.search import MAX_PLIES, Searcher
from nardy_fast.commands.console import report_file_errors, table
from nardy_fast.players import LEVELS, Greedy, Network, Player, Random, level


def add_arguments(parser: argparse.ArgumentParser) -> None:
    levels = ", ".join(("random", "greedy", *LEVELS))
    parser.add_argument("network", metavar="NETWORK", help=f"a preset's name or a file; or one of {levels}")
    parser.add_argument("--plies", type=int, default=0, choices=range(MAX_PLIES + 1), help="how far it looks ahead (default: 0)")
    told = "a preset whose decisions are shipped, or a file (default: long)"
    parser.add_argument("--rules", default="long", metavar="NAME", help=told)


def run(options: argparse.Namespace) -> int:
    with report_file_errors():
        decisions = Decisions.load(options.rules)
        player = _player(options.network, decisions.rules.name)
    if options.plies:
        if not isinstance(player, Network):
            raise ValueError(f"plies = {options.plies}: expected with {options.network} 0, only networks look ahead")
        player = Searcher(player, options.plies)
    rows = [("phase", "decisions", "lost", "±", "best")]
    for phase, rate in decisions.error_rates(player).items():
        rows.append((phase, str(rate.decisions), f"{rate.millipoints:.1f}", f"{rate.error:.1f}", f"{rate.best:.0%}"))
    print(table(rows))
    print("lost: thousandths of a point a decision")
    return 0


def _player(name: str, rules: str) -> Player:
    if name == "greedy":
        return Greedy()
    if name == "random":
        return Random()
    return level(name, rules) if name in LEVELS else Network.load(name)
