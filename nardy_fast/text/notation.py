"""Positions, dice and plays as text, both ways, for both roads and both implementations (rulebook, section 0).

A position is ``WHITE BLACK SIDE``, as in ``24:13,18:2 12:15 b``; where stages are pending, a fourth word tells them, as in
``w444*,b5555,b6666:0/1``. A play is moves in the mover's printed points, as in ``24/18 13/7(2)``.

Text that cannot be read raises `ValueError`, which quotes the text and names the part that is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_dice, check_text, short_repr
from nardy_fast.positions import Pending, PositionLike, Stage
from nardy_fast.reasons import Reason
from nardy_fast.rules import BAR, BLACK, HEAD, HOME, LAST, OFF, SLOTS, WHITE, Ruleset, opposite, ruleset

#: The letter of the side to move, and its name, by turn.
SIDES = ("w", "b")
COLOURS = ("White", "Black")

_POINT = r"(?:bar|off|\d+)"
_DICE = re.compile(r"([1-6])-([1-6])", re.ASCII)
_HELD = re.compile(rf"({_POINT}):(\d{{1,4}})", re.ASCII | re.IGNORECASE)
_STAGE = re.compile(r"([wb])([1-6]{1,6})(\*?)", re.ASCII)
_PENDING = re.compile(r"([wb*,1-6]+):(\d{1,2})/(\d{1,2})", re.ASCII)
_MOVE = re.compile(rf"({_POINT}(?:/{_POINT}\*?)+)(?:\(([1-4])\))?", re.ASCII | re.IGNORECASE)

#: A step as (from, die), or as (from, to, die) where a step may also be a send.
#: No play has so many moves; what names more is not searched for.
MAX_LEGS = 24

Step = tuple[int, ...]


P = TypeVar("P")


# Points

#: How points may be numbered. Of long nardy: ``federation`` and ``arena``, shared by both players, the one down from White's
#: head, which is 24, the other up from it, which is 1; and ``own``, in which each player's head is his 24. Of short nardy: each
#: player's own, whether by ``federation`` or ``own``.
NUMBERINGS = ("federation", "arena", "own")


def check_numbering(numbering: Any, road: str) -> None:
    """`ValueError` for anything but one of `NUMBERINGS` that there is on this road."""
    choices = NUMBERINGS if road == "parallel" else tuple(name for name in NUMBERINGS if name != "arena")
    if not isinstance(numbering, str) or numbering not in choices:
        raise ValueError(f"numbering = {short_repr(numbering)}: expected {' or '.join(choices)} on {road} roads")


def point_name(slot: int, turn: int, road: str, numbering: str = "federation") -> str:
    """The printed name of `slot` (0..25) on the track of the player `turn`: ``"24"``, ``"bar"``, ``"off"``."""
    if slot == BAR:
        return "bar"
    if slot == OFF:
        return "off"
    if not BAR < slot < OFF:
        raise ValueError(f"slot = {short_repr(slot)}: expected {BAR}..{OFF}")
    return str(_mirrored(slot, turn, road, numbering))


def slot_of(point: str, turn: int, road: str, numbering: str = "federation") -> int:
    """The slot, on the track of the player `turn`, of the point printed as `point`; `ValueError` if there is none such."""
    if point.lower() == "bar":
        return BAR
    if point.lower() == "off":
        return OFF
    if not re.fullmatch(r"[1-9]\d?", point, re.ASCII) or int(point) > LAST:
        raise ValueError(f"{short_repr(point)} is no point: expected 1..{LAST}, bar or off")
    return _mirrored(int(point), turn, road, numbering)


def _mirrored(number: int, turn: int, road: str, numbering: str) -> int:
    """The printed number of a slot 1..24, and just as well the slot of a printed number."""
    if numbering == "arena":
        return number if turn == WHITE else opposite("parallel", number)
    if road == "contrary" or turn == WHITE or numbering == "own":
        return OFF - number
    return (13 - number) % 24 or 24


# Dice


def parse_dice(text: str) -> tuple[int, int]:
    """The dice written as ``6-5``, in either order, as (larger, smaller)."""
    match = _DICE.fullmatch(text)
    if match is None:
        raise ValueError(f"dice = {short_repr(text)}: expected two dice 1..6 joined by a hyphen, as in 6-5")
    return as_dice((int(match[1]), int(match[2])))


# Positions


def format_position(
    board: NDArray[np.int8], turn: int, road: str, pending: Pending | None = None, numbering: str = "federation"
) -> str:
    """The position text of a board with the player `turn` in row 0: White, then Black, each with bar and high points first.

    What is pending comes last.
    """
    check_numbering(numbering, road)
    rows = board.tolist()
    sides = (_format_side(rows[side ^ turn], side, road, numbering) for side in (WHITE, BLACK))
    return " ".join((*sides, SIDES[turn], *([] if pending is None else [format_pending(pending)])))


def _format_side(row: list[int], side: int, road: str, numbering: str) -> str:
    held = [(_mirrored(slot, side, road, numbering), row[slot]) for slot in range(1, OFF) if row[slot]]
    parts = [f"bar:{row[BAR]}"] if row[BAR] else []
    parts += [f"{point}:{count}" for point, count in sorted(held, reverse=True)]
    return ",".join(parts) or "-"


def format_pending(pending: Pending) -> str:
    """The word for pending stages: ``w444*,b5555,b6666:0/1``, each stage as its player, its dice and ``*`` if they are carried.

    After the colon come the steps that White and Black have made from their heads in this throw.
    """
    return f"{','.join(map(format_stage, pending.stages))}:{pending.heads[WHITE]}/{pending.heads[BLACK]}"


def format_stage(stage: Stage) -> str:
    """A stage as its player, its dice and ``*`` if they are carried: ``w444*``."""
    return f"{SIDES[stage.player]}{''.join(map(str, stage.dice))}{'*' * stage.carried}"


def parse_pending(word: str) -> Pending:
    """What `format_pending` writes; `ValueError` for anything else."""
    match = _PENDING.fullmatch(word)
    written = [_STAGE.fullmatch(part) for part in match[1].split(",")] if match else [None]
    if match is None or None in written:
        raise ValueError(f"{short_repr(word)}: expected stages and head steps, as in w444*,b5555,b6666:0/1")
    stages = [Stage(SIDES.index(part[1]), tuple(map(int, part[2])), bool(part[3])) for part in written if part is not None]
    thrower = 1 - stages[0].player if stages[0].carried else stages[0].player
    return Pending(thrower, (int(match[2]), int(match[3])), tuple(stages))


class PositionText(NamedTuple):
    """What a position text says: the board, int8 of shape (2, 26) with the side to move in row 0, and what goes with it."""

    board: NDArray[np.int8]
    turn: int
    pending: Pending | None
    dice: tuple[int, int] | None


def parse_position_text(
    text: str, rules: str | Ruleset = "long", numbering: str = "federation"
) -> tuple[NDArray[np.int8], int, tuple[int, int] | None]:
    """The board, the turn, and the dice or None, of a text in which nothing is pending; see `read_position`."""
    read = read_position(text, rules, numbering)
    if read.pending is not None:
        raise ValueError(f"text = {short_repr(text)}: stages are pending, where a board is expected")
    return read.board, read.turn, read.dice


def read_position(text: str, rules: str | Ruleset = "long", numbering: str = "federation") -> PositionText:
    """What a position text says, its points numbered by `numbering`, one of `NUMBERINGS`.

    Points may come in any order; what is pending or dice (``6-5``) may follow; ``#`` starts a comment. Checkers that are not on
    the board are borne off, which on parallel roads is refused while others stand outside the home. The board, and what is
    pending, may still be such that the rules do not allow it: `Position` judges that.
    """
    rules = ruleset(rules)
    check_text(text)
    check_numbering(numbering, rules.road)
    if text.lstrip().startswith("XGID="):
        raise ValueError(
            f"text = {short_repr(text)}: an XGID, which from_xgid reads; expected WHITE BLACK SIDE, as in '24:15 12:15 w'"
        )
    words = text.partition("#")[0].split()
    has_queue = any(word.startswith(SIDES) for word in words[3:])
    if not 3 <= len(words) <= 4 + has_queue or len(text.splitlines()) > 1:
        raise ValueError(
            f"text = {short_repr(text)}: expected WHITE BLACK SIDE on one line, as in '24:15 12:15 w'; dice may follow"
        )
    try:
        if words[2].lower() not in SIDES:
            raise ValueError(f"{short_repr(words[2])} is no side: expected w or b")
        turn = SIDES.index(words[2].lower())
        rows = [_parse_side(words[side], side, rules, numbering) for side in (turn, 1 - turn)]
        for row, side in zip(rows, (turn, 1 - turn), strict=True):
            _check_all_there(row, side, rules, numbering)
        pending, dice = _parse_rest(words[3:])
    except ValueError as error:
        raise ValueError(f"text = {short_repr(text)}: {error}") from None
    return PositionText(np.array(rows, dtype=np.int8), turn, pending, dice)


def _parse_rest(words: list[str]) -> tuple[Pending | None, tuple[int, int] | None]:
    """What follows the side to move: what is pending, or dice, or nothing."""
    if len(words) > 1:
        raise ValueError(f"{short_repr(words[0])}, {short_repr(words[1])}: what is pending or dice may follow the side, not both")
    if not words:
        return None, None
    return (parse_pending(words[0]), None) if words[0].startswith(SIDES) else (None, parse_dice(words[0]))


def _parse_side(word: str, side: int, rules: Ruleset, numbering: str) -> list[int]:
    """One side's row of the board."""
    row = [0] * SLOTS
    for part in word.split(",") if word != "-" else ():
        match = _HELD.fullmatch(part)
        if match is None:
            raise ValueError(f"{short_repr(part)}: expected point:count, as in 24:15")
        if match[1].lower() == "off":
            raise ValueError(f"{short_repr(part)}: checkers borne off are left out, not written")
        slot, count = slot_of(match[1], side, rules.road, numbering), int(match[2])
        if count == 0:
            raise ValueError(f"{short_repr(part)}: expected at least one checker")
        if row[slot]:
            raise ValueError(f"{short_repr(part)}: the point is named twice")
        row[slot] = count
    if sum(row) > rules.checkers:
        raise ValueError(f"{short_repr(word)}: {COLOURS[side]} has {sum(row)} checkers: expected at most {rules.checkers}")
    row[OFF] = rules.checkers - sum(row)
    return row


def _check_all_there(row: list[int], side: int, rules: Ruleset, numbering: str) -> None:
    """Refuses checkers borne off while others are not home, which in a text are checkers that were forgotten."""
    farthest = next((slot for slot in range(OFF) if row[slot]), OFF)
    if rules.road == "parallel" and row[OFF] and BAR < farthest < HOME:
        raise ValueError(
            f"{COLOURS[side]} has {rules.checkers - row[OFF]} on the board: expected {rules.checkers}, "
            f"since none is borne off while one stands on {point_name(farthest, side, rules.road, numbering)}, outside the home"
        )


def parse_position(
    text: str, rules: str | Ruleset, position_type: Callable[..., P], numbering: str = "federation"
) -> tuple[P, tuple[int, int] | None]:
    """The position that a text names, made with `position_type`, and the dice that follow it, or None.

    For suites of positions, one a line: ``24:15 12:15 w 6-6  # two to 18``.
    """
    rules = ruleset(rules)
    read = read_position(text, rules, numbering)
    return position_type(read.board, read.turn, rules, **_pending_argument(read)), read.dice


def parsed(text: str, rules: Ruleset, position_type: Callable[..., P], numbering: str = "federation") -> P:
    """The position that a text names, made with `position_type`; `ValueError` for dice after it."""
    read = read_position(text, rules, numbering)
    if read.dice is not None:
        raise ValueError(f"text = {short_repr(text)}: dice are not part of a position")
    return position_type(read.board, read.turn, rules, **_pending_argument(read))


def _pending_argument(read: PositionText) -> dict[str, Pending]:
    return {} if read.pending is None else {"pending": read.pending}


# Plays


def hit_slots(board: NDArray[np.int8], steps: Iterable[Sequence[int]], road: str) -> frozenset[int]:
    """On which slots of the mover the steps (each (from, to, die) or (from, to)) of a play from `board` hit a checker.

    On parallel roads nothing is ever hit (rulebook, section 1).
    """
    if road == "parallel":
        return frozenset()
    return frozenset(to for _, to, *_ in steps if BAR < to < OFF and board[1, opposite(road, to)] == 1)


def format_play(
    steps: Iterable[Sequence[int]], turn: int, road: str, hits: Iterable[int] = (), numbering: str = "federation"
) -> str:
    """The play in the mover's printed points: ``24/18 13/7(2)``, ``bar/20``, ``6/off``; no steps are ``pass``.

    `steps` are (from, to, die) or (from, to); equal ones are counted together, where the first of them stands. `hits` are the
    slots where a checker is hit (`hit_slots`): the first landing on each is marked, as in ``13/7*``.
    """
    check_numbering(numbering, road)
    counts = Counter((source, to) for source, to, *_ in steps)
    unmarked = set(hits)
    words = []
    for (source, to), count in counts.items():
        word = f"{point_name(source, turn, road, numbering)}/{point_name(to, turn, road, numbering)}"
        if to in unmarked:
            unmarked.remove(to)
            word += "*"
        words.append(f"{word}({count})" if count > 1 else word)
    return " ".join(words) or "pass"


class _Leg(NamedTuple):
    """One checker's way from slot to slot, as written: by one die, or by several where the text skips the landings between."""

    source: int
    to: int
    #: The landing is marked as a hit.
    hit: bool


def parse_steps(position: PositionLike, text: str, dice: Any) -> tuple[Step, ...]:
    """The steps ((from, die), ...), or ((from, to, die), ...) by rules with sends, of the play that `text` names.

    Moves are written in the mover's printed points, in any order: ``24/18 13/7(2)``, ``13/10/9`` for one checker by two dice with
    its landing between, ``24/14`` where the landing between may be left out, ``6/off``, ``bar/20``, and ``pass``. A hit may be
    marked ``13/7*``. Of the legal orders of the steps the smallest is chosen. Raises `ValueError` with the reason where the
    text is not understood, is no legal play, or names two plays that end differently.
    """
    return _parse_play(position, text, dice)[0]


def parse_play(position: PositionLike, text: str, dice: Any, numbering: str = "federation") -> Any:
    """The play that `text` names, as the `Play` of the position's own implementation; see `parse_steps`."""
    steps, play_type = _parse_play(position, text, dice, numbering)
    return play_type(position, dice, steps)


def _parse_play(
    position: PositionLike, text: str, dice: Any, numbering: str = "federation"
) -> tuple[tuple[Step, ...], type[Any]]:
    """The steps of a play, and the type of plays in this position."""
    plays = position.plays(dice)
    check_text(text)
    check_numbering(numbering, position.rules.road)
    try:
        if not plays:
            raise ValueError(Reason.GAME_OVER.sentence)
        legs = [] if text.lower().split() == ["pass"] else _parse_legs(position, text, numbering)
        return _Reading(position, dice, plays[0].stage, numbering).steps(legs), type(plays[0])
    except ValueError as error:
        raise ValueError(f"text = {short_repr(text)}: {error}") from None


def _parse_legs(position: PositionLike, text: str, numbering: str) -> list[_Leg]:
    """The legs as written, each as often as it is to be played."""
    turn, road = position.turn, position.rules.road
    legs: list[_Leg] = []
    words = text.split()
    for word in words:
        match = _MOVE.fullmatch(word)
        if match is None:
            raise ValueError(f"{short_repr(word)}: expected a move, as in 24/18, 13/7(2) or 6/off")
        landings = match[1].split("/")
        slots = [slot_of(landing.rstrip("*"), turn, road, numbering) for landing in landings]
        if any(source >= to for source, to in pairwise(slots)):
            raise ValueError(f"{short_repr(word)}: checkers only move forward")
        chain = [_Leg(source, to, mark.endswith("*")) for (source, to), mark in zip(pairwise(slots), landings[1:], strict=True)]
        _check_hits(position, word, chain, legs, numbering)
        legs += chain * int(match[2] or 1)
        if len(legs) > MAX_LEGS:
            raise ValueError(f"more than {MAX_LEGS} moves, and no roll has so many dice")
    if not legs:
        raise ValueError("expected moves, as in 24/18 13/7, or pass")
    return legs


def _check_hits(position: PositionLike, word: str, chain: list[_Leg], before: list[_Leg], numbering: str) -> None:
    """Refuses a mark where nothing is hit."""
    marked = {leg.to for leg in before if leg.hit}
    for leg in chain:
        if leg.hit and (leg.to in marked or not hit_slots(position.board, [leg], position.rules.road)):
            point = point_name(leg.to, position.turn, position.rules.road, numbering)
            raise ValueError(f"{short_repr(word)}: no checker is hit on {point}")


class _Reading:
    """The search for the legal step sequences that make exactly the legs of a text, one roll on one position."""

    def __init__(self, position: PositionLike, dice: Any, all_dice: tuple[int, ...], numbering: str) -> None:
        self.position = position
        self.numbering = numbering
        #: What the position is asked about, and the dice that are played.
        self.dice = dice
        self.all_dice = all_dice
        #: By what they hit, which is all that can tell apart the afterstates of the same legs: the smallest sequence.
        self.found: dict[frozenset[int], tuple[Step, ...]] = {}
        self.seen: set[tuple[tuple[Step, ...], tuple[_Leg, ...]]] = set()
        #: The longest beginning that led nowhere, and the legs it left over.
        self.stuck: tuple[tuple[Step, ...], tuple[_Leg, ...]] | None = None

    def steps(self, legs: list[_Leg]) -> tuple[Step, ...]:
        """The smallest legal sequence, or `ValueError` with the reason."""
        self.search((), tuple(legs))
        if not self.found:
            assert self.stuck is not None
            self.refuse(*self.stuck)
        if len(self.found) > 1:
            ways = " or ".join(self.written(steps, hits) for hits, steps in self.found.items())
            raise ValueError(f"ambiguous: it may be {ways}")
        return next(iter(self.found.values()))

    def search(self, played: tuple[Step, ...], legs: tuple[_Leg, ...]) -> None:
        """Tries, smallest first, every step that goes on with one of `legs`."""
        # What may follow depends on which steps were played, not on their order; and the smallest order was tried first.
        state = (tuple(sorted(played)), tuple(sorted(legs)))
        if state in self.seen:
            return
        self.seen.add(state)
        offered = self.position.next_steps(self.dice, played)
        advanced = False
        for step in offered:
            source, landing = _way(step)
            for leg in sorted({leg for leg in legs if leg.source == source}):
                onward = leg._replace(source=landing)
                if landing == leg.to or _can_make(onward, self.dice_left((*played, step))):
                    at = legs.index(leg)
                    rest = legs[:at] + ((onward,) if landing < leg.to else ()) + legs[at + 1 :]
                    advanced = True
                    self.search((*played, step), rest)
        if not offered and not legs:
            hits = hit_slots(self.position.board, map(_way, played), self.position.rules.road)
            self.found.setdefault(hits, played)
        elif not advanced and (self.stuck is None or len(played) > len(self.stuck[0])):
            self.stuck = (played, legs)

    def dice_left(self, played: tuple[Step, ...]) -> list[int]:
        """The dice not yet played, the larger first."""
        left = list(self.all_dice)
        for *_, die in played:
            left.remove(die)
        return left

    def written(self, steps: tuple[Step, ...], hits: frozenset[int] = frozenset()) -> str:
        return format_play(map(_way, steps), self.position.turn, self.position.rules.road, hits, self.numbering)

    def refuse(self, played: tuple[Step, ...], legs: tuple[_Leg, ...]) -> NoReturn:
        """Raises the reason why the text stops being a legal play after `played`."""
        offered = self.position.next_steps(self.dice, played)
        if not legs:
            raise ValueError(f"more must be played: {self.written(offered[:1])}, for one")
        leg = legs[0]
        move = format_play([leg[:2]], self.position.turn, self.position.rules.road, (), self.numbering)
        if not offered:
            sentence = "the play is complete without it" if played else self.reason(played, leg) or "nothing can be played"
        else:
            sentence = self.reason(played, leg) or "the dice left do not make that move"
        raise ValueError(f"{move}: {sentence}")

    def reason(self, played: tuple[Step, ...], leg: _Leg) -> str | None:
        """Why no step begins `leg` after `played`; None if no dice left would make it at all."""
        left = self.dice_left(played)
        steps: list[Step] = [(leg.source, min(leg.source + die, OFF), die) for die in left if _can_make(leg, [die])]
        if self.position.rules.send is not None and leg.source == HEAD:
            steps += [(HEAD, leg.to, die) for die in left if leg.to == OFF - die]
        if not steps and _can_make(leg, left):
            steps = [(leg.source, min(leg.source + die, OFF), die) for die in left]
        for step in steps:
            why = self.position.why_not(self.dice, step, played)
            if why is not None:
                return why.sentence
        return None


def _way(step: Step) -> tuple[int, int]:
    """From where to where a step goes."""
    return step[0], step[1] if len(step) == 3 else min(sum(step), OFF)


def _can_make(leg: _Leg, dice: Sequence[int]) -> bool:
    """Whether some of `dice` add up to the leg, whatever stands in the way."""
    length = leg.to - leg.source
    if leg.to == OFF:
        return sum(dice) >= length
    return length in {sum(some) for count in range(1, len(dice) + 1) for some in combinations(dice, count)}
