"""The third reading of the stage variants: a throw, its stages and what passes on, every way to play a stage followed.

Like `oracle`, it shares no code with either implementation and takes only the fields of a `Ruleset`. A board is the mover's row
and the opponent's, tuples of 26 numbers; a stage is (player, dice, carried); pending is (thrower, heads, stages) or None.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import oracle

from nardy_fast.rules import Ruleset

Board = tuple[tuple[int, ...], tuple[int, ...]]
Dice = tuple[int, ...]
Step = tuple[int, int, int]
Queue = tuple[int, tuple[int, int], tuple[tuple[int, Dice, bool], ...]]


class State(NamedTuple):
    """The player to move stands in the board's first row."""

    board: Board
    player: int
    pending: Queue | None = None


class Played(NamedTuple):
    """One way to end a stage: its smallest steps, the dice left over, and the state that follows."""

    steps: tuple[Step, ...]
    left: Dice
    state: State


def start(rules: Ruleset) -> State:
    row = tuple(dict(rules.setup).get(slot, 0) for slot in range(26))
    return State((row, row), 0)


def is_dead(board: Board, rules: Ruleset) -> bool:
    if rules.home_steps or not rules.dead_draw:
        return False
    return all({slot for slot in range(1, 25) if row[slot]} == {6, 19, 20, 21, 22, 23, 24} for row in board)


def is_over(state: State, rules: Ruleset) -> bool:
    own, other = map(list, state.board)
    return is_dead(state.board, rules) or oracle.is_over(own, other, state.player, rules)


def winner(state: State, rules: Ruleset) -> int | None:
    own, other = map(list, state.board)
    return None if is_dead(state.board, rules) else oracle.winner(own, other, state.player, rules)


def stages_of_throw(high: int, low: int, player: int, rules: Ruleset) -> list[Dice]:
    """What a throw gives to play, the larger die first."""
    if rules.throw == "product":
        skipped = rules.parity and (low % 2 == 0) != (player == 0)
        return [() if skipped else (high,) * low]
    if high != low:
        return [(high, low)]
    if rules.throw == "cascade":
        return [(die,) * rules.cascade_steps for die in range(high, 7)]
    return [(high,) * 4]


# One stage


def limit_of_head(board: Board, dice: Dice, used: int, rules: Ruleset) -> int:
    """How many more steps may leave the head; 99 for any number."""
    if rules.head_limit is None or senders(dice, rules):
        return 99
    own, other = board
    limit = 1
    if own[1] == rules.checkers and is_exception(own, other, dice, rules):
        limit = 2
    return max(0, limit - used)


def is_exception(own: tuple[int, ...], other: tuple[int, ...], dice: Dice, rules: Ruleset) -> bool:
    equal = len(dice) >= 2 and min(dice) == max(dice)
    match rules.head_exception:
        case "none":
            return False
        case "any_first":
            return True
        case "any_double":
            return equal
        case "values":
            return equal and dice[0] in (3, 4, 6)
        case "capability":
            return not runs(own, other, dice, rules)
        case "cap_double":
            return equal and not runs(own, other, dice, rules)
    if not equal:
        return False
    for landing in range(1 + dice[0], 1 + dice[0] * len(dice) + 1, dice[0]):
        if landing <= 24 and other[oracle.seen_by_other(rules, landing)] > 0:
            return oracle.seen_by_other(rules, landing) == 1
    return False


def runs(own: tuple[int, ...], other: tuple[int, ...], dice: Dice, rules: Ruleset) -> bool:
    """Whether one head checker can make all the steps, in some order."""
    for order in {dice, dice[::-1]}:
        board, slot, left = (own, other), 1, dice
        for die in order:
            step = (slot, min(slot + die, 25), die)
            if not is_step(board, board, left, step, 1, slot == 1, rules):
                break
            board, left, slot = moved(board, step), less(left, die), slot + die
        else:
            return True
    return False


def senders(dice: Dice, rules: Ruleset) -> set[int]:
    if rules.send == "one_six":
        return set(dice) & {1, 6}
    if rules.send == "doubles" and len(dice) >= 2 and min(dice) == max(dice):
        return set(dice)
    return set()


def less(dice: Dice, die: int) -> Dice:
    left = list(dice)
    left.remove(die)
    return tuple(left)


def moved(board: Board, step: Step) -> Board:
    """No checker is ever hit in the stage variants."""
    source, to, _ = step
    own = list(board[0])
    own[source] -= 1
    own[to] += 1
    return tuple(own), board[1]


def is_step(first: Board, board: Board, left: Dice, step: Step, limit: int, is_free: bool, rules: Ruleset) -> bool:
    """Whether the step is possible in itself; `first` is the board before the stage, `is_free` lets the head be left."""
    own, other = board
    source, to, die = step
    if own[source] == 0:
        return False
    if source == 1:
        if rules.runner and own[1] < rules.checkers and sum(own[14:]) == 0:
            return False
        if not is_free and first[0][1] - own[1] >= limit:
            return False
    if to == 25:
        if sum(own[:19]) > 0 or (rules.bear_off_start == "next_turn" and sum(first[0][:19]) > 0):
            return False
        if rules.off_dice == "one_six" and die not in (1, 6):
            return False
        if source + die > 25 and (rules.bear_off == "exact" or sum(own[:source]) > 0):
            return False
    else:
        if source >= 19 and not rules.home_steps:
            return False
        if other[oracle.seen_by_other(rules, to)] > 0 or own[to] >= (rules.stack_limit or 99):
            return False
    after = moved(board, step)
    return rules.block_check == "turn" or not oracle.illegal_blocks(list(after[0]), list(after[1]), rules)


def steps_of(first: Board, board: Board, left: Dice, limit: int, sending: set[int], rules: Ruleset) -> list[Step]:
    """All steps that may be next."""
    sends = [(1, 25 - die, die) for die in sending & set(left)]
    sends = [step for step in sends if is_step(first, board, left, step, limit, False, rules)]
    if sends and not rules.send_optional:
        return sends
    ways = [(source, min(source + die, 25), die) for source in range(1, 25) for die in set(left)]
    return sends + [step for step in ways if is_step(first, board, left, step, limit, False, rules)]


def ways_to_play(board: Board, dice: Dice, used: int, rules: Ruleset) -> dict[Board, tuple[tuple[Step, ...], Dice]]:
    """Each board that the stage can end in, with its smallest steps and the dice left over."""
    limit, sending = limit_of_head(board, dice, used, rules), senders(dice, rules)
    smallest: dict[tuple[Board, Dice], tuple[Step, ...]] = {(board, dice): ()}
    waiting = [(board, dice)]
    for place, left in waiting:  # grows while it is read; all with more dice left come first
        for step in steps_of(board, place, left, limit, sending, rules) if sum(place[0][:25]) else []:
            after = (moved(place, step), less(left, step[2]))
            longer = (*smallest[place, left], step)
            if after not in smallest:
                waiting.append(after)
                smallest[after] = longer
            smallest[after] = min(smallest[after], longer)
    ends = set(waiting)
    if rules.block_check == "turn":
        ends = {end for end in ends if not oracle.illegal_blocks(list(end[0][0]), list(end[0][1]), rules)}
    ends = {end for end in ends if not oracle.shuts_in(list(end[0][0]), list(end[0][1]), rules)} or ends
    fewest = min(sum(left) for _, left in ends)
    return {place: (smallest[place, left], left) for place, left in ends if sum(left) == fewest}


# What follows


def plays(state: State, roll: tuple[int, int] | None, rules: Ruleset) -> list[Played]:
    """All that can be played next, each distinct board once, sorted by the mover's row; nothing in a finished game."""
    if is_over(state, rules):
        return []
    if state.pending is None:
        assert roll is not None
        thrower, heads = state.player, (0, 0)
        dice, *further = stages_of_throw(max(roll), min(roll), thrower, rules)
        later = [(thrower, more, False) for more in further]
    else:
        thrower, heads, ((player, dice, _), *later) = state.pending
        assert player == state.player
    ways = ways_to_play(state.board, dice, heads[state.player], rules)
    is_double = state.pending is None and len(dice) >= 2 and min(dice) == max(dice)
    found = []
    for board in sorted(ways):
        steps, left = ways[board]
        after = State((board[1], board[0]), 1 - state.player)
        if not is_over(after, rules):
            queue = list(later)
            again = is_double and rules.throw_again and not left
            if rules.void_double and is_double and not steps:
                queue = []
            elif left and state.player == thrower and rules.unplayed != "lost":
                if rules.unplayed == "rest":
                    queue = [(1 - thrower, more, True) for _, more, _ in queue]
                queue.insert(0, (1 - thrower, left, True))
            next_player = queue[0][0] if queue else thrower if again else 1 - thrower
            left_head = sum(source == 1 for source, _, _ in steps)
            counted = (heads[0] + left_head * (state.player == 0), heads[1] + left_head * (state.player == 1))
            pending = (thrower, counted, tuple(queue)) if queue else None
            after = State(board if next_player == state.player else (board[1], board[0]), next_player, pending)
        found.append(Played(steps, left, after))
    return found


def state_of(position: Any) -> State:
    """The state of a position of either implementation."""
    own, other = position.board.tolist()
    pending = position.pending
    queue = None
    if pending is not None:
        queue = (pending.thrower, pending.heads, tuple((one.player, one.dice, one.carried) for one in pending.stages))
    return State((tuple(own), tuple(other)), position.turn, queue)
