"""The subcommand ``simulate``: random games, and a table of how they ended."""

from __future__ import annotations

import argparse
import json

from nardy_fast.bearoff.progress import bar
from nardy_fast.benchmark.implementations import implementation
from nardy_fast.commands.console import add_implementation, add_rules, table

#: As many random games as a person likes to wait for.
GAMES = {"native": 100_000, "reference": 100}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules(parser)
    add_implementation(parser)
    default = ", ".join(f"{games} {impl}" for impl, games in GAMES.items())
    parser.add_argument("--games", type=int, metavar="N", help=f"how many games (default: {default})")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed gives the same games (default: 0)")
    parser.add_argument("--threads", type=int, metavar="N", help="threads to play in (default: one for each processor)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of a table")


def run(options: argparse.Namespace) -> int:
    impl = implementation(options.impl)
    games = GAMES[options.impl] if options.games is None else options.games
    with bar("games", games) as progress:
        simulation = impl.simulate(games, options.rules, seed=options.seed, threads=options.threads, progress=progress)
    summary = simulation.summary()
    if options.json:
        print(json.dumps({"impl": options.impl, **summary}, indent=2))
        return 0
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
    print(table(figures), table([("result", "White", "Black"), *results]), sep="\n\n")
    if summary["draws"]:
        print(f"\ndraws {summary['draws']:.2%}")
    return 0
