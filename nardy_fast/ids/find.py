"""Ids found inside pasted text: XGIDs, and GNU Backgammon's Position ID with its Match ID, however they are written there."""

from __future__ import annotations

import re
from typing import NamedTuple

from nardy_fast.arguments import check_text
from nardy_fast.core._position import Position
from nardy_fast.ids.match_id import from_match_id
from nardy_fast.ids.match_state import MatchState
from nardy_fast.ids.position_id import PREFIX, from_position_id
from nardy_fast.ids.xgid import from_xgid
from nardy_fast.rules import Ruleset, ruleset

_CODE = "[A-Za-z0-9+/]"
_FOUND = re.compile(
    rf"""(?P<xgid>(?<![-A-Za-z])(?:XGID=)?[-A-Pa-p]{{26}}(?::-?\w{{1,5}}){{8,9}}(?![\w:]))
    | (?P<long>{PREFIX}[wb]:{_CODE}{{14}}(?!{_CODE}))
    | Position\s{{0,8}}ID\s{{0,8}}[:=]\s{{0,8}}(?P<board>{_CODE}{{14}})(?!{_CODE})
      (?:\s{{1,80}}Match\s{{0,8}}ID\s{{0,8}}[:=]\s{{0,8}}(?P<match>{_CODE}{{12}})(?!{_CODE}))?
    | (?<!{_CODE})(?P<both_board>{_CODE}{{14}}):(?P<both_match>{_CODE}{{12}})(?!{_CODE}|:)""",
    re.ASCII | re.VERBOSE | re.IGNORECASE,
)


#: What can only be meant for an XGID.
_MEANT = re.compile(r"XGID=(\S*)", re.IGNORECASE)


class Found(NamedTuple):
    """An id in a text: the id as it stands there, where it begins, and what it says; no state where only the board is named."""

    text: str
    at: int
    position: Position
    state: MatchState | None


def find_ids(text: str, rules: str | Ruleset | None = None) -> list[Found]:
    """All ids in `text`, in their order.

    What only looks like an id is passed over; `unread_ids` tells of those that were meant for one. `rules` says the game: unless
    told, ``short``, and ``long`` for an ``LN1`` id.
    """
    check_text(text)
    found = []
    for match in _FOUND.finditer(text):
        try:
            position, state = _read(match, rules)
        except ValueError:
            continue
        found.append(Found(match[0], match.start(), position, state))
    return found


def unread_ids(text: str, rules: str | Ruleset | None = None) -> list[str]:
    """What is wrong with each XGID in `text` that `find_ids` passes over though it calls itself one."""
    check_text(text)
    found = {each.at for each in find_ids(text, rules)}
    wrong = []
    for meant in _MEANT.finditer(text):
        if meant.start() not in found:
            try:
                from_xgid("XGID=" + meant[1], "short" if rules is None else rules)
            except ValueError as error:
                wrong.append(str(error))
    return wrong


def _read(match: re.Match[str], rules: str | Ruleset | None) -> tuple[Position, MatchState | None]:
    short = ruleset("short" if rules is None else rules)
    if match["xgid"] is not None:
        return from_xgid(match["xgid"].rpartition("=")[2], short)
    if match["long"] is not None:
        return from_position_id(match["long"], "long" if rules is None else rules), None
    board, state_id = match["board"] or match["both_board"], match["match"] or match["both_match"]
    state = None if state_id is None else from_match_id(state_id)
    return from_position_id(board, short, None if state is None else state.on_roll), state
