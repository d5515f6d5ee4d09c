"""A third reading of the rulebook, slow and obvious: every sequence of steps is tried and nothing is clever.

It shares no code with either implementation. Of the package it takes only the fields of a `Ruleset`, and the names of the reasons
and faults. A board is two plain lists of 26 numbers, the mover's and the opponent's, each on its own track (rulebook, section 0).
"""

from __future__ import annotations

from nardy_fast.reasons import Fault, Reason
from nardy_fast.rules import Ruleset

Row = list[int]
Step = tuple[int, int]


def seen_by_other(rules: Ruleset, slot: int) -> int:
    """The other player's number for the point that is `slot` (1..24) on one player's track."""
    if rules.road == "contrary":
        return 25 - slot
    return slot + 12 if slot <= 12 else slot - 12


def all_home(row: Row) -> bool:
    return sum(row[0:19]) == 0


def on_board(row: Row) -> int:
    return sum(row[1:25])


def cleared(row: Row) -> bool:
    return sum(row[0:25]) == 0


def illegal_blocks(own: Row, other: Row, rules: Ruleset) -> list[int]:
    """Where, on the other's track, six points of `own` that may not be held together begin; lowest first."""
    if rules.block_rule == "free" or on_board(other) == 0:
        return []
    if rules.block_rule in ("fevga", "fevga_open"):
        return [13] if all(own[slot] > 0 for slot in range(1, 7)) else []
    held = [seen_by_other(rules, slot) for slot in range(1, 25) if own[slot] > 0]
    sixes = [first for first in range(1, 20) if all(first + i in held for i in range(6))]
    if rules.block_rule == "ahead":
        return [first for first in sixes if sum(other[first + 6 : 26]) == 0]
    if rules.block_rule == "home":
        return sixes if sum(other[19:26]) == 0 else []
    assert rules.block_rule == "never"
    return sixes


def shuts_in(own: Row, other: Row, rules: Ruleset) -> bool:
    """Whether `own` holds the six points right before the only one that `other` stands on, with none borne off."""
    places = [slot for slot in range(26) if other[slot] > 0]
    if rules.block_rule != "fevga_open" or len(places) != 1 or not 1 <= places[0] <= 18:
        return False
    return all(own[seen_by_other(rules, places[0] + i)] > 0 for i in range(1, 7))


def head_limit(own: Row, other: Row, dice: tuple[int, int], rules: Ruleset) -> int:
    """How many steps of the turn may leave the head; 99 where there is no limit."""
    if rules.head_limit is None:
        return 99
    first_turn = own[1] == rules.checkers
    return 2 if first_turn and head_exception(own, other, dice, rules) else 1


def head_exception(own: Row, other: Row, dice: tuple[int, int], rules: Ruleset) -> bool:
    double = dice[0] == dice[1]
    match rules.head_exception:
        case "none":
            return False
        case "any_first":
            return True
        case "any_double":
            return double
        case "values":
            return double and dice[0] in (3, 4, 6)
        case "capability":
            return not one_checker_can_play_all(own, other, dice, rules)
        case "cap_double":
            return double and not one_checker_can_play_all(own, other, dice, rules)
        case "head_block":
            if not double:
                return False
            for landing in (1 + dice[0], 1 + 2 * dice[0], 1 + 3 * dice[0], 1 + 4 * dice[0]):
                if landing > 24:
                    return False
                there = seen_by_other(rules, landing)
                if other[there] > 0:
                    return there == 1
            return False
    raise AssertionError(rules.head_exception)


def one_checker_can_play_all(own: Row, other: Row, dice: tuple[int, int], rules: Ruleset) -> bool:
    """Whether one head checker can make all the steps in some order."""
    orders = [(dice[0],) * 4] if dice[0] == dice[1] else [(dice[0], dice[1]), (dice[1], dice[0])]
    for order in orders:
        turn = Turn(own, other, rules, limit=1)
        source = 1
        for die in order:
            turn = turn.after(source, die) if turn is not None and source < 25 else None
            source += die
        if turn is not None:
            return True
    return False


class Turn:
    """The board within a turn, and what must be remembered from its start."""

    def __init__(
        self, own: Row, other: Row, rules: Ruleset, limit: int, left_head: int = 0, home_at_start: bool | None = None
    ) -> None:
        self.own, self.other, self.rules, self.limit, self.left_head = own, other, rules, limit, left_head
        self.home_at_start = all_home(own) if home_at_start is None else home_at_start

    def refusal(self, source: int, die: int) -> Reason | None:
        """Why the step is impossible in itself (the block apart), or None."""
        own, other, rules = self.own, self.other, self.rules
        if not 0 <= source <= 24 or own[source] == 0:
            return Reason.NO_CHECKER
        if rules.bar_first and own[0] > 0 and source != 0:
            return Reason.BAR_FIRST
        if source == 1 and rules.runner and own[1] < rules.checkers and sum(own[14:26]) == 0:
            return Reason.RUNNER_NOT_PAST
        if source == 1 and self.left_head >= self.limit:
            return Reason.HEAD_USED
        landing = source + die
        if landing <= 24:
            opponents = other[seen_by_other(rules, landing)]
            if opponents > (1 if rules.road == "contrary" else 0):
                return Reason.POINT_HELD
            if rules.stack_limit is not None and own[landing] >= rules.stack_limit:
                return Reason.STACK_FULL
            return None
        if not all_home(own):
            return Reason.NOT_ALL_HOME
        if rules.bear_off_start == "next_turn" and not self.home_at_start:
            return Reason.OFF_NEXT_TURN
        if landing > 25:
            if rules.bear_off == "exact":
                return Reason.EXACT_DIE_ONLY
            if sum(own[19:source]) > 0:
                return Reason.FARTHER_BACK
        return None

    def moved(self, source: int, die: int) -> Turn:
        """The board after a step that is possible in itself."""
        own, other = list(self.own), list(self.other)
        landing = min(source + die, 25)
        own[source] -= 1
        own[landing] += 1
        if self.rules.road == "contrary" and landing <= 24:
            there = seen_by_other(self.rules, landing)
            other[0] += other[there]
            other[there] = 0
        return Turn(own, other, self.rules, self.limit, self.left_head + (source == 1), self.home_at_start)

    def blocks(self) -> bool:
        return bool(illegal_blocks(self.own, self.other, self.rules))

    def after(self, source: int, die: int) -> Turn | None:
        """The board after the step; None if it is no step."""
        if self.refusal(source, die) is not None:
            return None
        turn = self.moved(source, die)
        return None if self.rules.block_check == "step" and turn.blocks() else turn


def start_of_turn(own: Row, other: Row, dice: tuple[int, int], rules: Ruleset) -> Turn:
    return Turn(list(own), list(other), rules, head_limit(own, other, dice, rules))


def every_sequence(turn: Turn, dice: tuple[int, ...], done: tuple[Step, ...] = ()) -> list[tuple[tuple[Step, ...], Turn]]:
    """All that can be played with the dice left, in every order, the empty sequence included."""
    found = [(done, turn)]
    if cleared(turn.own):
        return found
    for die in sorted(set(dice)):
        left = list(dice)
        left.remove(die)
        for source in range(25):
            after = turn.after(source, die)
            if after is not None:
                found += every_sequence(after, tuple(left), (*done, (source, die)))
    return found


def dice_to_play(dice: tuple[int, int]) -> tuple[int, ...]:
    return tuple(dice) if dice[0] != dice[1] else (dice[0],) * 4


def total(sequence: tuple[Step, ...]) -> int:
    return sum(die for _, die in sequence)


def legal_sequences(
    own: Row, other: Row, dice: tuple[int, int], rules: Ruleset, turn: int = 0
) -> list[tuple[tuple[Step, ...], Turn]]:
    """The sequences of greatest total, and then those that end the game sooner in a board that these reach too.

    There are none in a finished game.
    """
    if is_over(own, other, turn, rules):
        return []
    tried = every_sequence(start_of_turn(own, other, dice, rules), dice_to_play(dice))
    if rules.block_check == "turn":
        tried = [(sequence, end) for sequence, end in tried if not sequence or not end.blocks()]
    open_ends = [(sequence, end) for sequence, end in tried if not shuts_in(end.own, end.other, rules)]
    tried = open_ends or tried
    greatest = max(total(sequence) for sequence, _ in tried)
    best = [(sequence, end) for sequence, end in tried if total(sequence) == greatest]
    boards = [(end.own, end.other) for _, end in best]
    sooner = [(sequence, end) for sequence, end in tried if total(sequence) < greatest and cleared(end.own)]
    return best + [(sequence, end) for sequence, end in sooner if (end.own, end.other) in boards]


def plays(
    own: Row, other: Row, dice: tuple[int, int], rules: Ruleset, turn: int = 0
) -> list[tuple[tuple[int, ...], tuple[Step, ...]]]:
    """(afterstate, its smallest sequence of greatest total), sorted; an afterstate is the mover's row and then the opponent's."""
    smallest: dict[tuple[int, ...], tuple[Step, ...]] = {}
    legal = legal_sequences(own, other, dice, rules, turn)
    for sequence, end in legal:
        if total(sequence) < total(legal[0][0]):
            continue
        afterstate = (*end.own, *end.other)
        if afterstate not in smallest or sequence < smallest[afterstate]:
            smallest[afterstate] = sequence
    return sorted(smallest.items())


def continuations(legal: list[tuple[tuple[Step, ...], Turn]], played: tuple[Step, ...]) -> list[Step]:
    """The next steps of the legal sequences that begin with `played`."""
    count = len(played)
    return sorted({sequence[count] for sequence, _ in legal if len(sequence) > count and sequence[:count] == played})


def why_not(
    own: Row,
    other: Row,
    dice: tuple[int, int],
    rules: Ruleset,
    legal: list[tuple[tuple[Step, ...], Turn]],
    step: Step,
    played: tuple[Step, ...] = (),
) -> Reason | None:
    """The first reason, in the order of `Reason`, why `step` cannot follow `played`; None if it can.

    `legal` is what `legal_sequences` gives for the board and the dice.
    """
    if step in continuations(legal, played):
        return None
    source, die = step
    now = start_of_turn(own, other, dice, rules)
    left = list(dice_to_play(dice))
    for earlier_source, earlier_die in played:
        now = now.moved(earlier_source, earlier_die)
        left.remove(earlier_die)
    if not legal or cleared(now.own):
        return Reason.GAME_OVER
    if die not in left:
        return Reason.NO_SUCH_DIE
    refusal = now.refusal(source, die)
    if refusal is not None:
        return refusal
    after = now.moved(source, die)
    if after.blocks() and (rules.block_check == "step" or len(left) == 1 or cleared(after.own)):
        return Reason.BLOCK
    if len(left) == 1 and shuts_in(after.own, after.other, rules) and not any(shuts_in(e.own, e.other, rules) for _, e in legal):
        return Reason.BLOCK
    one_die_only = dice[0] != dice[1] and len(legal[0][0]) == 1
    if one_die_only and not played and die == min(dice):
        return Reason.LARGER_DIE
    return Reason.WASTES_DIE


def fault(board: list[Row], rules: Ruleset) -> tuple[Fault, int, int, int] | None:
    """The first thing wrong with a board of numbers 0..15, as (fault, row, slot, value), or None."""
    contrary = rules.road == "contrary"
    for row in (0, 1):
        if sum(board[row]) != rules.checkers:
            return Fault.TOTAL, row, 0, sum(board[row])
    for row in (0, 1):
        if not contrary and board[row][0] > 0:
            return Fault.WAITING, row, 0, board[row][0]
    for slot in range(1, 25):
        if board[0][slot] > 0 and board[1][seen_by_other(rules, slot)] > 0:
            return Fault.SHARED, 0, slot, board[0][slot]
    for row in (0, 1):
        outside = [slot for slot in range(1, 19) if board[row][slot] > 0]
        if not contrary and board[row][25] > 0 and outside:
            return Fault.OFF_TOO_EARLY, row, outside[0], board[row][25]
    for row in (0, 1):
        for slot in range(1, 25):
            if rules.stack_limit is not None and board[row][slot] > rules.stack_limit:
                return Fault.STACK, row, slot, board[row][slot]
    for row in (0, 1):
        blocks = illegal_blocks(board[row], board[1 - row], rules)
        if not contrary and blocks:
            return Fault.BLOCK, row, blocks[-1], 0
    if cleared(board[0]) and cleared(board[1]) and rules.last_roll == "none":
        return Fault.BOTH_CLEARED, 0, 0, 0
    return None


def is_over(own: Row, other: Row, turn: int, rules: Ruleset) -> bool:
    """Whether the game has ended; a last roll that is due is still to be played."""
    if cleared(other) and not cleared(own):
        return not (rules.last_roll != "none" and turn == 1)
    return cleared(own) or cleared(other)


def winner(own: Row, other: Row, turn: int, rules: Ruleset) -> int | None:
    """0 White, 1 Black, None while nobody has won."""
    if not is_over(own, other, turn, rules) or (cleared(own) and cleared(other)):
        return None
    who_cleared = turn if cleared(own) else 1 - turn
    return who_cleared if rules.goal == "clear" else 1 - who_cleared


def row_of_text(text: str, turn: int, rules: Ruleset) -> Row:
    """One side's part of a position text, read by hand; what is missing is borne off."""
    row = [0] * 26
    if text != "-":
        for part in text.split(","):
            point, count = part.split(":")
            if point == "bar":
                slot = 0
            elif rules.road == "contrary" or turn == 0:
                slot = 25 - int(point)
            else:
                slot = 13 - int(point) if int(point) <= 12 else 37 - int(point)
            row[slot] = int(count)
    row[25] = rules.checkers - sum(row)
    return row


def rows_of_text(text: str, rules: Ruleset) -> tuple[Row, Row, int]:
    """A position text as (the mover's row, the opponent's row, who is to move)."""
    white, black, side = text.split()
    rows = row_of_text(white, 0, rules), row_of_text(black, 1, rules)
    return (*rows, 0) if side == "w" else (rows[1], rows[0], 1)


def text_of_rows(own: Row, other: Row, turn: int, rules: Ruleset) -> str:
    """A position text written by hand, high printed points first."""
    sides = []
    for colour, row in ((0, own if turn == 0 else other), (1, other if turn == 0 else own)):
        points = {}
        for slot in range(1, 25):
            if row[slot]:
                point = 25 - slot
                if rules.road == "parallel" and colour == 1:
                    point = 13 - slot if slot <= 12 else 37 - slot
                points[point] = row[slot]
        parts = [f"bar:{row[0]}"] if row[0] else []
        parts += [f"{point}:{points[point]}" for point in sorted(points, reverse=True)]
        sides.append(",".join(parts) or "-")
    return " ".join((*sides, "wb"[turn]))


def is_contact(own: Row, other: Row, rules: Ruleset) -> bool:
    """Whether some checker of one side may still meet one of the other, every pair tried."""
    for mine in (slot for slot in range(25) if own[slot]):
        for theirs in (slot for slot in range(25) if other[slot]):
            if rules.road == "contrary":
                if mine < 25 - theirs:  # they have not yet passed each other
                    return True
            elif mine < seen_by_other(rules, theirs) or theirs < seen_by_other(rules, mine):  # one may run into the other
                return True
    return False


def points(winners: Row, losers: Row, rules: Ruleset) -> int:
    """What the winner scores; the cube left aside (rulebook, sections 1 to 3)."""
    if rules.goal == "keep":  # the other has cleared and lost
        return 1 if winners[25] > 0 else 2
    if rules.road == "contrary":
        if losers[25] > 0:
            return 1
        return rules.backgammon_points if sum(losers[0:7]) > 0 else 2  # on the bar or in the winner's home
    if rules.remaining:
        return sum(losers[0:25])
    if losers[25] > 0:
        return 1
    koks = {
        None: False,
        "none_home": sum(losers[19:25]) == 0,
        "on_head": losers[1] > 0,
        "start_quarter": sum(losers[1:7]) > 0,
    }
    if koks[rules.koks]:
        return rules.koks_points
    if rules.home_mars is not None and all_home(losers):
        return rules.home_mars
    return 2
