"""GNU Backgammon's Match ID, both ways: twelve characters of base 64 for the state of a match; the board is the Position ID's.

What a Match ID does not hold: whether beavers are agreed, and how far the cube goes. Writing refuses a state with beavers or with
another limit than the usual; what is read has neither.
"""

from __future__ import annotations

import base64
import binascii

from nardy_fast.arguments import check_text, short_repr
from nardy_fast.games.cube import USUAL_LIMIT
from nardy_fast.ids.match_state import MatchState, Phase, check_state

#: The fields in their order, with their width in bits, the lowest bit first.
FIELDS = (
    ("cube", 4),  # the power of two
    ("owner", 2),  # 3: in the middle
    ("on_roll", 1),
    ("crawford", 1),
    ("phase", 3),
    ("to_act", 1),
    ("doubled", 1),
    ("resigned", 2),
    ("die 1", 3),  # 0: not thrown
    ("die 2", 3),
    ("length", 15),
    ("score 0", 15),
    ("score 1", 15),
    ("no jacoby", 1),
)
_CHARACTERS = 12
_BYTES = 9
_IN_THE_MIDDLE = 3


def match_id(state: MatchState) -> str:
    """The Match ID of `state`; `TypeError` for no `MatchState`, `ValueError` for what it cannot hold."""
    check_state(state)
    if state.beavers:
        raise ValueError("beavers = True: a Match ID does not hold it")
    if state.limit != USUAL_LIMIT:
        raise ValueError(f"limit = {state.limit}: a Match ID does not hold it, and is read as {USUAL_LIMIT}")
    first, second = state.dice or (0, 0)
    values = (
        state.cube.bit_length() - 1,
        _IN_THE_MIDDLE if state.owner is None else state.owner,
        state.on_roll,
        state.is_crawford,
        state.phase,
        state.to_act,
        state.doubled,
        state.resigned,
        first,
        second,
        state.length,
        *state.score,
        not state.jacoby,
    )
    key = shift = 0
    for value, (_, width) in zip(values, FIELDS, strict=True):
        key |= int(value) << shift
        shift += width
    return base64.b64encode(key.to_bytes(_BYTES, "little")).decode("ascii")


def from_match_id(text: str) -> MatchState:
    """The state that a Match ID names. `TypeError` where `text` is no string, `ValueError` for what is no Match ID."""
    check_text(text)
    try:
        key = (
            int.from_bytes(base64.b64decode(text, validate=True), "little")
            if len(text) == _CHARACTERS and "=" not in text
            else None
        )
    except (binascii.Error, ValueError):
        key = None
    if key is None:
        raise ValueError(f"text = {short_repr(text)}: not a Match ID, which is {_CHARACTERS} characters")
    fields: dict[str, int] = {}
    for name, width in FIELDS:
        fields[name] = key & ((1 << width) - 1)
        key >>= width
    try:
        return _state(fields, key)
    except ValueError as error:
        raise ValueError(f"text = {short_repr(text)}: {error}") from error


def _state(fields: dict[str, int], rest: int) -> MatchState:
    dice = (fields["die 1"], fields["die 2"])
    if rest or fields["phase"] not in list(Phase) or fields["owner"] == 2 or (0 in dice and any(dice)):
        raise ValueError("not a Match ID")
    return MatchState(
        cube=1 << fields["cube"],
        owner=None if fields["owner"] == _IN_THE_MIDDLE else fields["owner"],
        on_roll=fields["on_roll"],
        to_act=fields["to_act"],
        phase=Phase(fields["phase"]),
        doubled=bool(fields["doubled"]),
        resigned=fields["resigned"],
        dice=dice if any(dice) else None,
        length=fields["length"],
        score=(fields["score 0"], fields["score 1"]),
        is_crawford=bool(fields["crawford"]),
        # In a match the bit says nothing.
        jacoby=fields["length"] == 0 and not fields["no jacoby"],
    )
