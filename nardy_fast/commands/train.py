"""The subcommand ``train``: makes a network of one's own by games that it plays against itself."""

from __future__ import annotations

import argparse
from pathlib import Path

from nardy_fast.commands.console import add_rules, report_file_errors
from nardy_fast.players.curve import curve
from nardy_fast.players.files import ENCODINGS
from nardy_fast.players.network import Network
from nardy_fast.players.training import RATES, TRACES, Checkpoint, train


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules(parser)
    parser.add_argument("--minutes", type=float, metavar="N", help="how long to train; fractions too")
    parser.add_argument("--games", type=int, metavar="N", help="how many games instead; on one thread the same bytes again")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write the network, a .npz file")
    parser.add_argument("--resume", action="store_true", help="go on with FILE, if it is there, by the options it was begun with")
    parser.add_argument("--from", dest="start", metavar="NETWORK", help="begin with a network, a preset's name or a file")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="begins the first weights and the games (default: 0)")
    parser.add_argument("--threads", type=int, metavar="N", help="threads to play in (default: one for each processor)")
    parser.add_argument("--width", type=int, default=128, metavar="N", help="of the hidden layer (default: 128)")
    parser.add_argument("--encoding", choices=ENCODINGS, default=ENCODINGS[-1], help=f"the inputs (default: {ENCODINGS[-1]})")
    for name, (first, last), what in (("rate", RATES, "the size of the steps"), ("trace", TRACES, "lambda")):
        told = f"{what}, at first and at last (default: {first} {last})"
        parser.add_argument(f"--{name}", type=float, nargs=2, default=(first, last), metavar="N", help=told)
    parser.add_argument("--every", type=float, default=30.0, metavar="SECONDS", help="between checkpoints (default: 30)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curve as SVG at each checkpoint")


def run(options: argparse.Namespace) -> int:
    seen: list[Checkpoint] = []

    def tell(checkpoint: Checkpoint) -> None:
        print(checkpoint, flush=True)
        seen.append(checkpoint)
        if options.plot is not None:
            options.plot.write_text(curve(seen), encoding="utf-8")

    with report_file_errors():
        network = train(
            options.rules,
            minutes=options.minutes,
            games=options.games,
            seed=options.seed,
            threads=options.threads,
            hidden=options.width,
            encoding=options.encoding,
            rate=tuple(options.rate),
            trace=tuple(options.trace),
            start=None if options.start is None else Network.load(options.start),
            out=options.out,
            resume=options.resume,
            every=options.every,
            callback=tell,
        )
    print(f"{options.out}: {network.training['games']:,} games, {options.out.stat().st_size:,} bytes")
    return 0
