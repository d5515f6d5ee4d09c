"""The subcommand ``perft``: counts the leaves of the tree of plays."""

from __future__ import annotations

import argparse
import time

from nardy_fast.benchmark.implementations import implementation
from nardy_fast.benchmark.perftsuite import divide
from nardy_fast.commands.console import add_implementation, add_rules, table
from nardy_fast.rules import ruleset


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules(parser)
    add_implementation(parser)
    parser.add_argument("depth", type=int, metavar="DEPTH", help="how many turns deep")
    parser.add_argument("--position", metavar="TEXT", help="where to begin, as in '24:13,18:2 12:15 b' (default: the start)")
    parser.add_argument("--divide", action="store_true", help="list the count of each first roll")


def run(options: argparse.Namespace) -> int:
    impl, rules, depth = implementation(options.impl), ruleset(options.rules), options.depth
    position = impl.Position.start(rules) if options.position is None else impl.Position.parse(options.position, rules)
    begun = time.perf_counter()
    if options.divide and depth > 0 and not position.is_over:
        leaves = 0
        for (high, low), below in divide(position, depth, impl.perft):
            print(f"{high}-{low}  {below:>12,}", flush=True)
            leaves += below
        print()
    else:
        leaves = impl.perft(position, depth)
    seconds = time.perf_counter() - begun
    speed = f"{leaves / seconds:,.0f}" if seconds else "-"
    print(table((("leaves", f"{leaves:,}"), ("seconds", f"{seconds:.3f}"), ("leaves a second", speed))))
    return 0
