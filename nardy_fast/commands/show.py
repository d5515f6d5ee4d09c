"""The subcommand ``show``: the board, the pips and the ids of a position or of whatever ids a text holds."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from nardy_fast.commands.console import add_numbering, complain
from nardy_fast.core._position import Position
from nardy_fast.games.cube import USUAL_LIMIT
from nardy_fast.ids.find import find_ids, unread_ids
from nardy_fast.ids.match_id import match_id
from nardy_fast.ids.match_state import MatchState, Phase
from nardy_fast.ids.position_id import from_position_id, position_id
from nardy_fast.ids.xgid import xgid
from nardy_fast.rules import Ruleset
from nardy_fast.text.notation import COLOURS, parse_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="+", help="an XGID, a Position ID, both ids of GNU Backgammon, or a position as in '24:15 12:15 w'"
    )
    parser.add_argument("--rules", metavar="NAME", help="the game (default: short for ids of backgammon, else long)")
    add_numbering(parser)


def run(options: argparse.Namespace) -> int:
    print("\n\n".join("\n".join(lines) for lines in describe(" ".join(options.what), options.rules, options.numbering)))
    return 0


def describe(text: str, rules: str | None = None, numbering: str = "federation") -> Iterator[Iterator[str]]:
    """The lines for each id in `text`, or for the one position that it is; `ValueError` where it is neither."""
    found = find_ids(text, rules)
    for each in found:
        yield _lines(each.position, numbering, each.state)
    if found:
        for wrong in unread_ids(text, rules):
            complain(wrong)
        return
    for wrong in unread_ids(text, rules):
        raise ValueError(wrong)
    if len(text.split()) == 1:
        yield _lines(from_position_id(text, rules or "short"), numbering)
    else:
        position, dice = parse_position(text, rules or "long", Position, numbering)
        yield _lines(position, numbering, None, dice)


def _lines(
    position: Position, numbering: str, state: MatchState | None = None, dice: tuple[int, int] | None = None
) -> Iterator[str]:
    dice = dice if state is None else state.dice
    yield position.text(dice, numbering=numbering)
    yield ""
    yield f"{'position':9} {position.notation(numbering)}"
    yield f"{'rules':9} {position.rules.name}"
    for side, pips in zip((position.turn, 1 - position.turn), position.pips, strict=True):
        yield f"{'pips':9} {COLOURS[side]} {pips}"
    if state is not None:
        yield f"{'match':9} {', '.join(_describe_state(state))}"
    yield from (f"{name:9} {text}" for name, text in _ids(position, state, dice))


def _describe_state(state: MatchState) -> Iterator[str]:
    """What is worth telling of the state, White being player 0."""
    yield f"to {state.length} points" if state.length else "for money"
    yield f"White {state.score[0]}, Black {state.score[1]}"
    if state.limit > 1 or state.cube > 1:
        yield f"cube {state.cube} " + ("in the middle" if state.owner is None else f"of {COLOURS[state.owner]}")
    agreed = (("Crawford game", state.is_crawford), ("Jacoby", state.jacoby), ("beavers", state.beavers))
    yield from (name for name, holds in agreed if holds)
    if state.doubled:
        yield f"{COLOURS[state.to_act]} to answer a {'beaver' if state.to_act == state.on_roll else 'double'}"
    elif state.resigned:
        yield f"{COLOURS[1 - state.to_act]} resigns {state.resigned}"
    elif state.phase is not Phase.PLAYING:
        yield "no game is being played"
    elif state.dice is None:
        yield f"{COLOURS[state.on_roll]} to throw or double"


def _ids(position: Position, state: MatchState | None, dice: tuple[int, int] | None) -> Iterator[tuple[str, str]]:
    """The ids that can hold it; one that cannot is told with the reason."""
    rules: Ruleset = position.rules
    yield "id", position_id(position, rules)
    if rules.road != "contrary":
        return
    known = state or MatchState(on_roll=position.turn, to_act=position.turn, dice=dice, limit=USUAL_LIMIT)
    try:
        yield "match id", match_id(known)
    except ValueError as error:
        yield "match id", f"none: {error}"
    try:
        yield "XGID", xgid(position, known, rules)
    except ValueError as error:
        yield "XGID", f"none: {error}"
