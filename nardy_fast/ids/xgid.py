"""eXtreme Gammon's XGID, both ways: the board and the state of a match in one line of text.

``XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10``: 26 letters for the board, from the top player's bar over the bottom
player's points 1..24 to his bar, capitals for his own checkers; then the cube as a power of two, its owner (1 bottom, -1 top),
whose turn it is, the dice (``00`` not thrown, ``D`` doubled, ``B`` beavered), the score of bottom and top, Crawford in a match or
Jacoby (1) and beavers (2) for money, the points of the match, and the highest cube as a power of two. With ``D`` and ``B`` it is
the doubler's turn, and the cube is the one before the answer.

A highest cube that is missing, or 0 beside a cube in play, as some programs write it, is no limit; 0 is no cube otherwise.

Bottom is player 1, as where GNU Backgammon reads an XGID, unless told otherwise. What an XGID does not hold, a resignation that
waits and a game that is over, is refused. It says nothing of the rules: whoever reads says them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nardy_fast.arguments import check_position, check_text, short_repr
from nardy_fast.core._position import Position
from nardy_fast.games.cube import MAX_LIMIT
from nardy_fast.ids.match_state import MatchState, Phase, check_state
from nardy_fast.ids.position_id import _built, _check_checkers, _check_contrary  # the same refusals as for the other ids
from nardy_fast.positions import PositionLike
from nardy_fast.rules import LAST, OFF, Ruleset, ruleset

_EMPTY = "-"
_FIELDS = (
    ("board", "[-A-Pa-p]{26}"),
    ("cube", r"\d{1,2}"),
    ("owner of the cube", "-1|0|1"),
    ("turn", "-1|1"),
    ("dice", "[0-6]{2}|[DB]"),
    ("score of bottom", r"\d{1,5}"),
    ("score of top", r"\d{1,5}"),
    ("Crawford or Jacoby", "[0-3]"),
    ("points of the match", r"\d{1,5}"),
    ("highest cube", r"\d{1,2}"),
)


def xgid(position: PositionLike, state: MatchState, rules: str | Ruleset | None = None, *, bottom: int = 1) -> str:
    """The XGID of a board, player 0's checkers White's, in this state.

    `rules` as for `position_id`. `ValueError` for what an XGID cannot hold, and where `position` and `state` say different turns.
    """
    check_position(position)
    check_state(state)
    _check_contrary(position.rules)
    _check_checkers(position.rules, rules)
    if position.turn != state.on_roll:
        raise ValueError(f"state.on_roll = {state.on_roll}: the position says {position.turn}")
    if state.resigned:
        raise ValueError(f"resigned = {state.resigned}: an XGID does not hold it")
    if state.phase is not Phase.PLAYING:
        raise ValueError(f"phase = {state.phase.name}: an XGID does not hold it")
    rows = position.board.tolist()
    lower, upper = rows[bottom ^ position.turn], rows[1 - bottom ^ position.turn]
    dice = "00" if state.dice is None else "{}{}".format(*state.dice)
    if state.doubled:
        dice = "D" if state.to_act != state.on_roll else "B"
    fields = (
        "".join(_letter(lower[OFF - point] if point else 0, upper[point] if point < OFF else 0) for point in range(OFF + 1)),
        _power(state.cube),
        0 if state.owner is None else _sign(state.owner, bottom),
        _sign(state.on_roll, bottom),
        dice,
        state.score[bottom],
        state.score[1 - bottom],
        int(state.is_crawford) if state.length else state.jacoby + 2 * state.beavers,
        state.length,
        _power(state.limit),
    )
    return "XGID=" + ":".join(map(str, fields))


def from_xgid(
    text: str,
    rules: str | Ruleset = "short",
    *,
    bottom: int = 1,
    position_type: Callable[[Any, int, Ruleset], Any] | None = None,
) -> tuple[Position, MatchState]:
    """The board and the state that an XGID names, with or without its ``XGID=``.

    `rules` and `position_type` as for `from_position_id`. `TypeError` where `text` is no string; `ValueError` for what is no
    XGID, on parallel roads, for more checkers than the rules have, and for a board that the rules refuse.
    """
    chosen = ruleset(rules)
    _check_contrary(chosen)
    check_text(text)
    fields = text.removeprefix("XGID=").split(":")
    if (wrong := _wrong(fields)) is not None:
        raise ValueError(
            f"text = {short_repr(text)}: {wrong}: not an XGID, as in 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10'"
        )
    board, cube, owner, turn, dice, lower_score, upper_score, extra, length, limit = (*fields, "0")[: len(_FIELDS)]
    in_play = int(cube) > 0 or owner != "0" or dice in ("D", "B")
    try:
        on_roll = _player(turn, bottom)
        state = MatchState(
            cube=1 << int(cube),
            owner=None if owner == "0" else _player(owner, bottom),
            on_roll=on_roll,
            to_act=1 - on_roll if dice == "D" else on_roll,
            doubled=dice in ("D", "B"),
            dice=None if dice in ("D", "B", "00") else (int(dice[0]), int(dice[1])),
            length=int(length),
            score=(int(upper_score), int(lower_score)) if bottom else (int(lower_score), int(upper_score)),
            is_crawford=length != "0" and int(extra) == 1,
            jacoby=length == "0" and bool(int(extra) & 1),
            beavers=length == "0" and bool(int(extra) & 2),
            limit=MAX_LIMIT if len(fields) < len(_FIELDS) or (int(limit) == 0 and in_play) else 1 << int(limit),
        )
        if state.cube > state.limit:
            raise ValueError(f"cube {cube!r}: beyond the highest cube {limit!r}")
        if state.length and int(extra) > 1:
            raise ValueError(f"{short_repr(extra)}: in a match, expected 1 for the Crawford game or 0")
        rows = [[0] * OFF, [0] * OFF]  # bottom's and top's, slots 0..24
        for point, letter in enumerate(board):
            if letter != _EMPTY:
                is_bottom = letter.isupper()
                if point == (0 if is_bottom else OFF):
                    raise ValueError(f"{short_repr(letter)}: stands on the other player's bar")
                rows[not is_bottom][OFF - point if is_bottom else point] = ord(letter.lower()) - ord("a") + 1
    except ValueError as error:
        raise ValueError(f"text = {short_repr(text)}: {error}") from error
    mover, opponent = rows if on_roll == bottom else rows[::-1]
    assert len(mover) == LAST + 1
    return _built((mover, opponent), f"text = {short_repr(text)}", chosen, on_roll, position_type), state


def _wrong(fields: list[str]) -> str | None:
    """What is wrong with the parts of an XGID taken one by one, if anything is."""
    if not len(_FIELDS) - 1 <= len(fields) <= len(_FIELDS):
        return f"{len(fields)} field{'s' if len(fields) > 1 else ''} between colons, and not {len(_FIELDS)}"
    for field, (name, pattern) in zip(fields, _FIELDS, strict=False):
        if not re.fullmatch(pattern, field, re.ASCII):
            return f"{name} {short_repr(field)}"
    return None


def _letter(lower: int, upper: int) -> str:
    if lower or upper:
        return chr(ord("A") + lower - 1) if lower else chr(ord("a") + upper - 1)
    return _EMPTY


def _power(value: int) -> int:
    return value.bit_length() - 1


def _sign(player: int, bottom: int) -> int:
    return 1 if player == bottom else -1


def _player(sign: str, bottom: int) -> int:
    return bottom if sign == "1" else 1 - bottom
