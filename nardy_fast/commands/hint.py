"""The subcommand ``hint``: what to do in a position, with the dice thrown or before the throw."""

from __future__ import annotations

import argparse
import json
from typing import Any

from nardy_fast.analysis.hints import Hint, hint
from nardy_fast.commands.console import add_numbering, report_file_errors
from nardy_fast.commands.review import add_judgement, judgement
from nardy_fast.core._position import Position
from nardy_fast.games.cube import CubeRules
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match
from nardy_fast.ids.find import find_ids, unread_ids
from nardy_fast.rules import ruleset
from nardy_fast.text.notation import parse_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="+",
        help="a position as in '24:15 12:15 w', and the dice as in 6-5; or an id as show reads them",
    )
    parser.add_argument("--rules", metavar="NAME", help="the game (default: short for ids of backgammon, else long)")
    parser.add_argument("--cube", action="store_true", help="for money with a cube in the middle, where no id says otherwise")
    parser.add_argument("--plays", type=int, default=5, metavar="N", help="how many plays to list (default: 5)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_judgement(parser)
    add_numbering(parser)


def run(options: argparse.Namespace) -> int:
    if options.plays < 1:
        raise ValueError(f"--plays = {options.plays}: expected 1 or more")
    with report_file_errors():
        network, table = judgement(options)
    found = hint(_game(options), plies=options.plies, network=network, table=table)
    print(json.dumps(_record(found, options)) if options.json else "\n".join(found.lines(options.plays, options.numbering)))
    return 0


def _game(options: argparse.Namespace) -> Game | Match:
    """The game that stands as the arguments say."""
    text = " ".join(options.what)
    found = find_ids(text, options.rules)
    for wrong in unread_ids(text, options.rules):
        raise ValueError(wrong)
    if len(found) > 1:
        raise ValueError(f"what: expected one position, and there are {len(found)} ids")
    if found and found[0].state is not None:
        return found[0].state.to_match(found[0].position)
    if found:
        position, dice = found[0].position, _dice(text[found[0].at + len(found[0].text) :])
    else:
        position, dice = parse_position(text, options.rules or "long", Position, options.numbering)
    if options.cube and position.rules.road != "contrary":
        raise ValueError(f"--cube: {ruleset(position.rules).name} is played without one")
    return Game.from_position(position, dice=(), thrown=dice, cube=CubeRules() if options.cube else None)


def _dice(text: str) -> tuple[int, int] | None:
    """The dice after an id, if there are any."""
    if not text.strip():
        return None
    first, is_there, second = text.strip().partition("-")
    if not is_there or not (first.isdecimal() and second.isdecimal()):
        raise ValueError(f"dice = {text.strip()!r}: expected two as in 6-5")
    return int(first), int(second)


def _record(found: Hint, options: argparse.Namespace) -> dict[str, Any]:
    """Plain values ready for JSON."""
    cube = found.cube
    return {
        "action": found.action,
        "position": found.position.notation(options.numbering),
        "die": found.die,
        "plays": [
            {
                "play": each.play.notation(options.numbering),
                "steps": each.play.steps,
                "equity": each.equity,
                "loss": each.loss,
                "chances": dict(zip(each.chances.points, each.chances.probabilities, strict=True)),
            }
            for each in found.plays[: options.plays]
        ],
        "cube": None
        if cube is None
        else {
            "action": cube.action,
            "answer": cube.answer,
            "no_double": cube.no_double,
            "double_take": cube.double_take,
            "double_pass": cube.double_pass,
            "double_beaver": cube.double_beaver,
            "match_chances": cube.match_chances,
        },
    }
