"""What both implementations say of refused steps and of bad boards: one place for the words, so that the twins agree on them."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """Why a step cannot be played (rulebook, sections 1 to 3). Where several hold, the first in this order is told.

    The numbers are for programs and stay; the newest came last.
    """

    GAME_OVER = 1
    NO_SUCH_DIE = 2
    NO_CHECKER = 3
    BAR_FIRST = 4
    RUNNER_NOT_PAST = 5
    HEAD_USED = 6
    HOME_FROZEN = 16
    POINT_HELD = 7
    STACK_FULL = 8
    NOT_ALL_HOME = 9
    OFF_NEXT_TURN = 10
    OFF_DIE = 17
    EXACT_DIE_ONLY = 11
    FARTHER_BACK = 12
    BLOCK = 13
    SEND_FIRST = 18
    LARGER_DIE = 14
    WASTES_DIE = 15

    @property
    def sentence(self) -> str:
        """The reason in plain words."""
        return _SENTENCES[self]

    def __str__(self) -> str:
        return self.sentence

    def __format__(self, spec: str) -> str:
        return format(self.sentence, spec)


_SENTENCES = {
    Reason.GAME_OVER: "the game is over",
    Reason.NO_SUCH_DIE: "no such die is left to play",
    Reason.NO_CHECKER: "the mover has no checker there",
    Reason.BAR_FIRST: "checkers on the bar must enter first",
    Reason.RUNNER_NOT_PAST: "the runner has not passed the opponent's head yet",
    Reason.HEAD_USED: "the head has given all it may this turn",
    Reason.HOME_FROZEN: "from the home checkers are only borne off",
    Reason.POINT_HELD: "the opponent holds the point",
    Reason.STACK_FULL: "the point already has as many checkers as it may",
    Reason.NOT_ALL_HOME: "no checker may be borne off before all are home",
    Reason.OFF_NEXT_TURN: "bearing off begins only on the turn after all have come home",
    Reason.OFF_DIE: "only a 1 or a 6 bears a checker off",
    Reason.EXACT_DIE_ONLY: "a checker is borne off only with its exact die",
    Reason.FARTHER_BACK: "a larger die takes off only from the farthest point, and a checker stands farther back",
    Reason.BLOCK: "the step would make an illegal block of six",
    Reason.SEND_FIRST: "a checker can be sent home from the head, and that comes first",
    Reason.LARGER_DIE: "only one die can be played, and it must be the larger",
    Reason.WASTES_DIE: "the step would leave unplayed a die that can be played",
}


class Fault(IntEnum):
    """What can be wrong with a board (rulebook, sections 0 to 2). The first in this order is told, row 0 and low slots first."""

    COUNT = 1
    TOTAL = 2
    WAITING = 3
    SHARED = 4
    OFF_TOO_EARLY = 5
    STACK = 6
    BLOCK = 7
    BOTH_CLEARED = 8


_FAULTS = {
    Fault.COUNT: "board[{row}, {slot}] = {value}: a slot holds 0..{checkers} checkers",
    Fault.TOTAL: "board[{row}] has {value} checkers: expected {checkers}",
    Fault.WAITING: "board[{row}, 0] = {value}: on parallel roads no checker waits in slot 0",
    Fault.SHARED: "board[{row}, {slot}] = {value}: the opponent holds this point too",
    Fault.OFF_TOO_EARLY: "board[{row}, 25] = {value}: borne off while another checker stands outside the home, in slot {slot}",
    Fault.STACK: "board[{row}, {slot}] = {value}: a point holds at most {limit} checkers of a side",
    Fault.BLOCK: "board[{row}]: an illegal block of six on the opponent's slots {slot}..{last}",
    Fault.BOTH_CLEARED: "board: both sides have borne off all their checkers",
}


def fault_text(fault: int, *, row: int, slot: int, value: int, checkers: int, limit: int | None) -> str:
    """The sentence for a `Fault`.

    `slot` and `value` are where it is and what stands there, in the numbers of that row's track; for ``BLOCK``, `slot` is the
    lowest slot, on the opponent's track, of the farthest six; for ``OFF_TOO_EARLY``, `value` is column 25 and `slot` the lowest
    slot that holds a checker outside the home; for ``TOTAL``, `value` is the row's sum.
    """
    return _FAULTS[Fault(fault)].format(row=row, slot=slot, value=value, checkers=checkers, limit=limit, last=slot + 5)
