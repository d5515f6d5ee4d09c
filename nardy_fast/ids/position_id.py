"""Short names of positions that other programs read: GNU Backgammon's Position ID, and a board of 26 numbers.

**Position ID.** Fourteen characters of base 64 for ten bytes, the bits of each byte from the lowest up: for the opponent and then
for the mover, slots 24, 23, ... 1 of his own track and then slot 0, as many ones as checkers stand there and a zero after them.
That is what GNU Backgammon writes and reads, though its manual names the two players the other way about.

**LN1.** Long nardy and its dialects have no such id elsewhere. Ours is the same fourteen characters after ``LN1:`` and the side
to move: ``LN1:w:`` or ``LN1:b:``. No other program knows it.

**26 numbers.** Index 1..24 is the mover's printed point (slot ``25 - index``): his checkers count positive and the opponent's
negative. Index 25 is the mover's bar and index 0 the opponent's. Programs differ on the sign at index 0: wildbg gives the
opponent's bar a minus like all his checkers, bgsage and GammonView write how many there are. For contrary roads only.

What none of the three holds:

* the rules. Whoever reads an id says them;
* how many checkers a side has. All that are not on the board are taken as borne off: an id cannot tell a checker borne off from
  one that is missing. So an id of another number than 15 is written only where `rules` says so, and reading more checkers than
  the rules have is an error; reading with rules of too many checkers cannot be noticed;
* who is White, save in an ``LN1`` id. Whoever reads says the `turn`; White unless told.
"""

from __future__ import annotations

import base64
import binascii
import operator
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

from nardy_fast.arguments import as_turn, check_position, check_text, short_repr
from nardy_fast.core._position import Position
from nardy_fast.positions import PositionLike, refuse_pending
from nardy_fast.rules import BAR, LAST, OFF, SLOTS, WHITE, Ruleset, ruleset
from nardy_fast.text.notation import SIDES

#: What an id of long nardy begins with.
PREFIX = "LN1:"
_BYTES = 10
_CHARACTERS = 14
#: How many checkers a side has where nothing else is said.
_USUAL = 15
#: How many counts an id holds: slots 0..24 of either player.
_COUNTS = 2 * OFF


P = TypeVar("P")


def position_id(position: PositionLike, rules: str | Ruleset | None = None) -> str:
    """The Position ID of `position`, as GNU Backgammon writes it; on parallel roads an ``LN1`` id.

    `rules` is the game that the reader will name, which tells him how many checkers a side has; without it he takes 15. Raises
    `ValueError` where that is not how many the position has, since all the others would be read as borne off.
    """
    check_position(position)
    refuse_pending(position, "an id")
    _check_checkers(position.rules, rules)
    mover, opponent = position.board.tolist()
    bits = "".join("1" * count + "0" for row in (opponent, mover) for count in row[LAST::-1])
    key = int(bits[::-1], 2).to_bytes(_BYTES, "little")
    text = base64.b64encode(key).decode("ascii")[:_CHARACTERS]
    return f"{PREFIX}{SIDES[position.turn]}:{text}" if position.rules.road == "parallel" else text


@overload
def from_position_id(text: str, rules: str | Ruleset = ..., turn: int | None = ...) -> Position: ...
@overload
def from_position_id(
    text: str, rules: str | Ruleset = ..., turn: int | None = ..., *, position_type: Callable[[Any, int, Ruleset], P]
) -> P: ...
def from_position_id(
    text: str,
    rules: str | Ruleset = "short",
    turn: int | None = None,
    *,
    position_type: Callable[[Any, int, Ruleset], Any] | None = None,
) -> Any:
    """The position that a Position ID, or an ``LN1`` id, names.

    `rules` says what game it is and so how many checkers a side has; those not on the board are borne off. `turn` says whether
    White (0) or Black (1) is the mover: White unless told; an ``LN1`` id holds it, and `turn` must then agree. `position_type` is
    the implementation to build with: `nardy_fast.Position` unless told.

    Raises `TypeError` where `text` is no string; `ValueError` for what is no id, for an id of the other road, for more checkers
    than the rules have, and for a board that the rules refuse.
    """
    chosen = ruleset(rules)
    check_text(text)
    code, side = text, None
    if text.startswith(PREFIX):
        side, colon, code = text[len(PREFIX) :].partition(":")
        if side not in SIDES or not colon:
            raise ValueError(f"text = {short_repr(text)}: expected {PREFIX}w: or {PREFIX}b: and {_CHARACTERS} characters")
    counts = _unpacked(code, text)
    if (side is None) == (chosen.road == "parallel"):
        kind = "a Position ID is" if side is None else f"an id with {PREFIX} is"
        road = "contrary" if side is None else "parallel"
        raise ValueError(f"text = {short_repr(text)}: {kind} of {road} roads, not of {chosen.name!r}")
    if side is None:
        turn = WHITE if turn is None else as_turn(turn)
    elif turn is None:
        turn = SIDES.index(side)
    elif as_turn(turn) != SIDES.index(side):
        raise ValueError(f"turn = {short_repr(turn)}: the id {short_repr(text)} says {side!r}")
    opponent, mover = counts[LAST::-1], counts[:LAST:-1]
    return _built((mover, opponent), f"text = {short_repr(text)}", chosen, turn, position_type)


def to_signed26(position: PositionLike, rules: str | Ruleset | None = None, *, signed_bar: bool = True) -> list[int]:
    """The 26 numbers that wildbg, bgsage and GammonView share, from the mover's side.

    Index 0, the opponent's bar, has a minus as wildbg wants it; with ``signed_bar=False`` it is a plain count, as bgsage and
    GammonView want it. `rules` as for `position_id`. Raises `ValueError` for another number of checkers than the reader will
    take, and on parallel roads, where these numbers would say another game.
    """
    check_position(position)
    _check_contrary(position.rules)
    _check_checkers(position.rules, rules)
    mover, opponent = position.board.tolist()
    numbers = [mover[OFF - point] - opponent[point] for point in range(SLOTS)]
    numbers[BAR], numbers[OFF] = -opponent[BAR] if signed_bar else opponent[BAR], mover[BAR]
    return numbers


@overload
def from_signed26(numbers: Iterable[int], rules: str | Ruleset = ..., turn: int = ...) -> Position: ...
@overload
def from_signed26(
    numbers: Iterable[int], rules: str | Ruleset = ..., turn: int = ..., *, position_type: Callable[[Any, int, Ruleset], P]
) -> P: ...
def from_signed26(
    numbers: Iterable[int],
    rules: str | Ruleset = "short",
    turn: int = WHITE,
    *,
    position_type: Callable[[Any, int, Ruleset], Any] | None = None,
) -> Any:
    """The position of 26 numbers as wildbg, bgsage and GammonView write them; index 0 may have either sign.

    `rules`, `turn` and `position_type` as for `from_position_id`. Raises `TypeError` where a number is no integer; `ValueError`
    where there are not 26, for a mover's bar below zero, for more checkers than the rules have, on parallel roads, and for a
    board that the rules refuse.
    """
    chosen = ruleset(rules)
    _check_contrary(chosen)
    turn = as_turn(turn)
    try:
        values = [operator.index(number) for number in numbers]
    except TypeError:
        raise TypeError(f"numbers = {short_repr(numbers)}: expected {SLOTS} integers") from None
    if len(values) != SLOTS:
        raise ValueError(f"numbers has {len(values)} values: expected {SLOTS}")
    if values[OFF] < 0:
        raise ValueError(f"numbers[{OFF}] = {values[OFF]}: the mover's bar is not below zero")
    mover = [max(value, 0) for value in values[OFF:BAR:-1]]
    opponent = [abs(values[BAR]), *(max(-value, 0) for value in values[BAR + 1 : OFF])]
    return _built((mover, opponent), "numbers", chosen, turn, position_type)


def _unpacked(code: str, text: str) -> list[int]:
    """The 50 counts of an id's fourteen characters, the opponent's 25 first."""
    try:
        key = base64.b64decode(code + "==", validate=True) if len(code) == _CHARACTERS else b""
    except (binascii.Error, ValueError):
        key = b""
    bits = "".join(f"{byte:08b}"[::-1] for byte in key)
    runs = bits.split("0")
    # A written id has nothing but zeros after its last slot, and after its last byte.
    whole = len(runs) > _COUNTS and not any(runs[_COUNTS:])
    if len(key) != _BYTES or not whole or base64.b64encode(key).decode("ascii")[:_CHARACTERS] != code:
        raise ValueError(
            f"text = {short_repr(text)}: not a Position ID, which is {_CHARACTERS} characters for two players' checkers"
        )
    return [len(run) for run in runs[:_COUNTS]]


def _built(
    rows: tuple[list[int], list[int]],
    argument: str,
    rules: Ruleset,
    turn: int,
    position_type: Callable[[Any, int, Ruleset], Any] | None,
) -> Any:
    """The position with `rows`, slots 0..24 of the mover and of the opponent; what is missing there is borne off."""
    for who, row in zip(("the mover", "the opponent"), rows, strict=True):
        if sum(row) > rules.checkers:
            raise ValueError(f"{argument}: {who} has {sum(row)} checkers on the board, and {rules.name!r} has {rules.checkers}")
    return (position_type or Position)([[*row, rules.checkers - sum(row)] for row in rows], turn, rules)


def _check_checkers(has: Ruleset, said: str | Ruleset | None) -> None:
    """Refuses to write what the reader would take for another number of checkers."""
    taken = _USUAL if said is None else ruleset(said).checkers
    if has.checkers != taken:
        whose = "without rules it is read as" if said is None else f"with rules = {ruleset(said).name!r} it is read as"
        raise ValueError(f"position has {has.checkers} checkers a side, which an id does not hold: {whose} {taken}")


def _check_contrary(rules: Ruleset) -> None:
    if rules.road != "contrary":
        raise ValueError(f"rules = {rules.name!r}: a board of 26 numbers is of contrary roads")
