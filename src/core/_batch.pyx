# cython: nonecheck=True
"""Arrays of boards in, arrays out: one thread's share of the work. nardy_fast.batch cuts the work up and owns the docstrings.

Each function takes the arrays of the rows, what all rows share, the arrays to write, and two flags: `check` says whether the
boards (and plays) are to be checked too, `work` whether to go on after the checks. All checks come before anything is written.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memcmp, memcpy

from nardy_fast.core._arrays cimport Array, array, refuse_overlap
from nardy_fast.core._core cimport (
    BAD_COUNT, MAX_STEPS, OFF, PAIRS, SLOTS, Board, Fault, Menu, Play, Rules,
    apply, check_play, choose, cleared, fault, is_over, listed, offer_list, offer_roll, points, write_boards,
)
from nardy_fast.core._dice cimport Dice, below, bits_of, throw
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._mixed cimport Pairs
from nardy_fast.core._track cimport DRAW_ONLY, NO_LAST_ROLL

from numpy import dtype, empty

from nardy_fast.arguments import as_dice, checked_workers
from nardy_fast.reasons import Reason, fault_text

cdef enum:
    WHITE = 0
    UNKNOWN = -1            # whose turn it is: nobody then has a last roll
    MOST = 15               # checkers that a board's slot may hold, whatever the rules

cdef Py_ssize_t shard = 8192        # rows that one thread does at a time; more rows than that may be shared
SHARD = shard
cdef object NO_DICE = object()      # in place of dice where none are needed
cdef object INT8 = dtype("int8")
cdef object INT64 = dtype("int64")


@cython.final
cdef class Rows:
    """Boards with what belongs to them: dice, whose turn it is, the rules."""

    cdef Array boards
    cdef Array dice                 # or None, where one pair serves all or none is needed
    cdef Array turns                # or None
    cdef int8_t pair[2]
    cdef CompiledRules compiled
    cdef const Rules *rules
    cdef Py_ssize_t n

    cdef const Board *board(self, Py_ssize_t i) noexcept nogil:
        return <const Board *>self.boards.data + i

    cdef void roll(self, Py_ssize_t i, int *high, int *low) noexcept nogil:
        cdef const int8_t *pair = &self.pair[0]
        if self.dice is not None:
            pair = <const int8_t *>self.dice.data + 2 * i
        high[0] = max(pair[0], pair[1])
        low[0] = min(pair[0], pair[1])

    cdef bint over(self, Py_ssize_t i) noexcept nogil:
        return is_over(self.board(i), self.rules, UNKNOWN if self.turns is None else <int8_t>self.turns.data[i])

    cdef int offered(self, Py_ssize_t i, Menu *menu) noexcept nogil:
        """Fill the menu and return its count; 0 where the game is over."""
        cdef int high = 0, low = 0
        if self.over(i):
            return 0
        self.roll(i, &high, &low)
        return offer_roll(self.board(i), self.rules, high, low, menu)


cdef Rows rows_of(object boards, object dice, object rules, object turns, bint check):
    """The arguments of a batch call, checked."""
    cdef Rows rows = Rows.__new__(Rows)
    rows.boards = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    rows.n = rows.boards.rows
    rows.compiled = compiled(rules)
    rows.rules = &rows.compiled.rules
    if isinstance(dice, (tuple, list)):
        rows.pair[0], rows.pair[1] = as_dice(dice)
    elif dice is not NO_DICE:
        rows.dice = array(dice, "dice", "int8", (2,), rows.n, False)
        check_range(rows.dice, "dice", "a die shows 1..6", 1, 6, 2)
    if turns is not None:
        rows.turns = array(turns, "turns", "int8", (), rows.n, False)
        check_range(rows.turns, "turns", "expected 0 (White) or 1 (Black)", 0, 1, 1)
    if check:
        check_boards(rows)
    return rows


cdef void check_range(Array items, str name, str expected, int least, int most, int columns) except *:
    """Raise `ValueError` for the first item that is out of range."""
    cdef const int8_t *cell = <const int8_t *>items.data
    cdef Py_ssize_t i
    cdef bint wrong = False
    for i in range(items.rows * columns):
        wrong |= (cell[i] < least) | (cell[i] > most)
    if not wrong:
        return
    for i in range(items.rows * columns):
        if not least <= cell[i] <= most:
            column = f", {i % columns}" if columns > 1 else ""
            raise ValueError(f"{name}[{i // columns}{column}] = {cell[i]}: {expected}")


cdef void refuse_out_in_rows(Array out, Rows rows, bint boards_are_fine) except *:
    """Raise `ValueError` where writing to `out` would change the rows while they are read."""
    refuse_overlap(out, "out", rows.boards, "boards", boards_are_fine)
    if rows.dice is not None:
        refuse_overlap(out, "out", rows.dice, "dice", False)
    if rows.turns is not None:
        refuse_overlap(out, "out", rows.turns, "turns", False)


cdef str describe(const Fault *found, CompiledRules rules):
    return fault_text(
        found.kind, row=found.row, slot=found.slot, value=found.value,
        checkers=MOST if found.kind == BAD_COUNT else rules.rules.checkers, limit=rules.ruleset.stack_limit,
    )


cdef void check_boards(Rows rows) except *:
    """Raise `ValueError` for the first board that is wrong."""
    cdef Fault found
    cdef Py_ssize_t i, wrong = -1
    with nogil:
        for i in range(rows.n):
            if fault(rows.board(i), rows.rules, &found):
                wrong = i
                break
    if wrong >= 0:
        raise ValueError(f"boards[{wrong}]: {describe(&found, rows.compiled)}")


def alone(boards, threads, executor):
    """Whether so few rows are done here and now; `threads` and `executor` are checked all the same."""
    if type(threads) is not int or threads != 1 or executor is not None:
        checked_workers(threads, executor)
    shape = getattr(boards, "shape", None)
    return not shape or shape[0] <= shard


def validate(boards, rules):
    """(row, reason) for each board that is wrong."""
    cdef Rows rows = rows_of(boards, NO_DICE, rules, None, False)
    cdef Fault found
    cdef Py_ssize_t i = 0
    wrong = []
    while i < rows.n:
        with nogil:
            while i < rows.n and not fault(rows.board(i), rows.rules, &found):
                i += 1
        if i < rows.n:
            wrong.append((i, describe(&found, rows.compiled)))
            i += 1
    return wrong


def count_plays(boards, dice, turns, rules, out, bint check, bint work):
    """Write the number of distinct afterstates of each row to `out`, int32[n]."""
    cdef Rows rows = rows_of(boards, dice, rules, turns, check)
    cdef Array result = array(out, "out", "int32", (), rows.n, True)
    cdef int32_t *counts = <int32_t *>result.data
    cdef Menu menu
    cdef Py_ssize_t i
    refuse_out_in_rows(result, rows, False)
    if not work:
        return
    with nogil:
        for i in range(rows.n):
            counts[i] = rows.offered(i, &menu)


def afterstates(boards, dice, turns, rules, out, bint plays, bint check):
    """The boards, offsets and plays of `batch.Afterstates`, for no more rows than fit into memory twice; `out` may be None."""
    cdef Rows rows = rows_of(boards, dice, rules, turns, check)
    cdef Array result = None if out is None else array(out, "out", "int8", (2, SLOTS), -1, True)
    cdef Array steps = None
    cdef Array ends
    cdef Kept *kept = NULL
    cdef int64_t *offset
    if result is not None:
        refuse_out_in_rows(result, rows, False)
    offsets = empty(rows.n + 1, INT64)
    ends = array(offsets, "offsets", "int64", (), rows.n + 1, True)
    offset = <int64_t *>ends.data
    kept = <Kept *>PyMem_Malloc(rows.n * sizeof(Kept))
    if kept == NULL:
        raise MemoryError
    try:
        with nogil:
            keep_menus(rows, kept, offset)
        if result is None:
            out = empty((offset[rows.n], 2, SLOTS), INT8)
            result = array(out, "out", "int8", (2, SLOTS), -1, True)
        elif result.rows < offset[rows.n]:
            raise ValueError(f"out has room for {result.rows} boards: expected {offset[rows.n]} or more")
        elif result.rows > offset[rows.n]:
            out = out[:offset[rows.n]]
        played = empty((offset[rows.n], MAX_STEPS, 2), INT8) if plays else None
        if plays:
            steps = array(played, "plays", "int8", (MAX_STEPS, 2), -1, True)
        write_rows(rows, kept, result, steps)
    finally:
        PyMem_Free(kept)
    return out, offsets, played


def list_afterstates(boards, dice, turns, rules, out, plays, bint check, bint work):
    """Write the afterstates of row after row to `out`, and a play for each to `plays` unless it is None; both have room."""
    cdef Rows rows = rows_of(boards, dice, rules, turns, check)
    cdef Array result = array(out, "out", "int8", (2, SLOTS), -1, True)
    cdef Array steps = None if plays is None else array(plays, "plays", "int8", (MAX_STEPS, 2), result.rows, True)
    refuse_out_in_rows(result, rows, False)
    if not work:
        return
    write_rows(rows, NULL, result, steps)


cdef struct Kept:           # what was found out of a row when it was counted
    int count               # 0 where the game is over
    int are_pairs           # 1: its menu is these; 0: it must be offered again
    Pairs pairs


cdef void keep_menus(Rows rows, Kept *kept, int64_t *offset) noexcept nogil:
    """Count the plays of each row; `offset` gets their running sum, from 0."""
    cdef Menu menu
    cdef Py_ssize_t i
    offset[0] = 0
    for i in range(rows.n):
        kept[i].count = rows.offered(i, &menu)
        kept[i].are_pairs = menu.kind == PAIRS
        if kept[i].are_pairs:
            kept[i].pairs = menu.pairs
        offset[i + 1] = offset[i] + kept[i].count


cdef void write_rows(Rows rows, const Kept *kept, Array result, Array steps) except *:
    """Write the boards of row after row to `result`, and their plays to `steps` unless it is None; `kept` may be NULL."""
    cdef int written
    with nogil:
        written = fill_room(
            rows, kept, <Board *>result.data, result.rows, NULL if steps is None else <int8_t *>steps.data
        )
    if not written:
        raise RuntimeError("boards changed while their afterstates were listed")


cdef int fill_room(Rows rows, const Kept *kept, Board *after, Py_ssize_t room, int8_t *step) noexcept nogil:
    """`write_rows`: 0, where the boards have more afterstates now than when they were counted, else 1."""
    cdef Menu menu
    cdef const Play *found
    cdef Py_ssize_t i
    cdef int high = 0, low = 0, k
    for i in range(rows.n):
        if kept != NULL and kept[i].count and kept[i].are_pairs:
            menu.kind = PAIRS
            menu.count = kept[i].count
            menu.pairs = kept[i].pairs
        elif rows.over(i):
            continue
        else:
            rows.roll(i, &high, &low)
            offer_list(rows.board(i), rows.rules, high, low, &menu)
        room -= menu.count
        if room < 0:
            return 0
        write_boards(&menu, rows.board(i), rows.rules, after)
        after += menu.count
        if step != NULL:
            found = listed(&menu)
            for k in range(menu.count):
                write_steps(&found[k], step)
                step += 2 * MAX_STEPS
    return 1


cdef void write_steps(const Play *play, int8_t *steps) noexcept nogil:
    """As (from, die) pairs, unused ones (-1, 0)."""
    cdef int i
    for i in range(MAX_STEPS):
        steps[2 * i] = play.source[i] if i < play.steps else -1
        steps[2 * i + 1] = play.die[i] if i < play.steps else 0


cdef void read_steps(const int8_t *steps, Play *play) noexcept nogil:
    """From (from, die) pairs up to the first unused one."""
    cdef int i
    play.steps = 0
    for i in range(MAX_STEPS):
        if steps[2 * i] < 0:
            return
        play.source[i] = steps[2 * i]
        play.die[i] = steps[2 * i + 1]
        play.steps = i + 1


cdef void check_plays(Rows rows, const int8_t *steps) except *:
    """Raise `ValueError` for the first play that is not legal."""
    cdef Play play
    cdef Py_ssize_t i
    cdef const int8_t *pair
    cdef int high = 0, low = 0, reason, at = 0, k
    for i in range(rows.n):
        if rows.over(i):
            raise ValueError(f"boards[{i}]: {Reason.GAME_OVER.sentence}")
        read_steps(steps + i * MAX_STEPS * 2, &play)
        for k in range(play.steps, MAX_STEPS):
            pair = steps + (i * MAX_STEPS + k) * 2
            if pair[0] != -1 or pair[1] != 0:
                raise ValueError(f"plays[{i}, {k}] = ({pair[0]}, {pair[1]}): expected (-1, 0) after the last step")
        rows.roll(i, &high, &low)
        reason = check_play(rows.board(i), rows.rules, high, low, &play, &at)
        if reason and at == play.steps:
            raise ValueError(f"plays[{i}]: the play is not complete")
        if reason:
            raise ValueError(f"plays[{i}]: step {at + 1}: {Reason(reason).sentence}")


def apply_plays(boards, plays, dice, turns, rules, out, bint check, bint work):
    """Write the board after each play to `out`, the opponent in row 0. `dice` are needed only for the check."""
    cdef Rows rows = rows_of(boards, dice, rules, turns, check)
    cdef Array given = array(plays, "plays", "int8", (MAX_STEPS, 2), rows.n, False)
    cdef Array result = array(out, "out", "int8", (2, SLOTS), rows.n, True)
    cdef const int8_t *steps = <const int8_t *>given.data
    cdef Board *after = <Board *>result.data
    cdef Board before
    cdef Play play
    cdef Py_ssize_t i
    refuse_out_in_rows(result, rows, True)
    refuse_overlap(result, "out", given, "plays", False)
    if check:
        check_plays(rows, steps)
    if not work:
        return
    with nogil:
        for i in range(rows.n):
            before = rows.board(i)[0]
            read_steps(steps + i * MAX_STEPS * 2, &play)
            apply(&before, rows.rules, &play, &after[i])


def flip(boards, out, bint check, bint work):
    """Write each board to `out` with its rows swapped."""
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array result = array(out, "out", "int8", (2, SLOTS), given.rows, True)
    cdef const Board *board = <const Board *>given.data
    cdef Board *flipped = <Board *>result.data
    cdef Board before
    cdef Py_ssize_t i
    refuse_overlap(result, "out", given, "boards", True)
    if not work:
        return
    with nogil:
        for i in range(given.rows):
            before = board[i]
            memcpy(flipped[i].row[0], before.row[1], SLOTS)
            memcpy(flipped[i].row[1], before.row[0], SLOTS)


def pips(boards, out, bint check, bint work):
    """Write the pips that each side has to go to `out`, int32[n, 2]."""
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array result = array(out, "out", "int32", (2,), given.rows, True)
    cdef const int8_t *row = <const int8_t *>given.data
    cdef int32_t *total = <int32_t *>result.data
    cdef Py_ssize_t i
    cdef int slot
    refuse_overlap(result, "out", given, "boards", False)
    if not work:
        return
    with nogil:
        for i in range(2 * given.rows):
            total[i] = 0
            for slot in range(OFF):
                total[i] += row[i * SLOTS + slot] * (OFF - slot)


def find_over(boards, turns, rules, out, bint check, bint work):
    """Write to `out`, bool[n], which games have ended."""
    cdef Rows rows = rows_of(boards, NO_DICE, rules, turns, check)
    cdef Array result = array(out, "out", "bool", (), rows.n, True)
    cdef Py_ssize_t i
    refuse_out_in_rows(result, rows, False)
    if not work:
        return
    with nogil:
        for i in range(rows.n):
            result.data[i] = rows.over(i)


def random_step(
    boards, turns, bit_generator, rules, bint restart, out, dice, ended, scored, next_turns, bint check, bint work
):
    """Advance each game by a random turn. `turns` and `next_turns` are both arrays or both None."""
    cdef Rows rows = rows_of(boards, NO_DICE, rules, turns, check)
    cdef Array result = array(out, "out", "int8", (2, SLOTS), rows.n, True)
    cdef Array thrown = array(dice, "dice", "int8", (2,), rows.n, True)
    cdef Array ends = array(ended, "ended", "bool", (), rows.n, True)
    cdef Array worth = array(scored, "points", "int8", (), rows.n, True)
    cdef Array follow = None if next_turns is None else array(next_turns, "next_turns", "int8", (), rows.n, True)
    cdef Board *after = <Board *>result.data
    cdef int8_t *throws = <int8_t *>thrown.data
    cdef Board before
    cdef Dice chance
    cdef Py_ssize_t i
    cdef int high = 0, low = 0, mover
    chance.bits = bits_of(bit_generator)
    chance.halves = 0
    chance.word = 0
    refuse_out_in_rows(result, rows, True)
    if not work:
        return
    with nogil:
        for i in range(rows.n):
            before = rows.board(i)[0]
            mover = UNKNOWN if rows.turns is None else <int8_t>rows.turns.data[i]
            ends.data[i] = 0
            worth.data[i] = 0
            high = low = 0
            if is_over(&before, rows.rules, mover):
                if restart:
                    mover = start_again(&after[i], rows.rules, &chance)
                else:
                    after[i] = before
            else:
                throw_for(&before, rows.rules, &chance, &high, &low)
                ends.data[i] = play_turn(&before, rows.rules, mover, high, low, &chance, &after[i], <int8_t *>&worth.data[i])
                mover = 1 - mover
                if ends.data[i] and restart:
                    mover = start_again(&after[i], rows.rules, &chance)
            throws[2 * i] = high
            throws[2 * i + 1] = low
            if follow is not None:
                follow.data[i] = mover


cdef inline int start_again(Board *board, const Rules *rules, Dice *chance) noexcept nogil:
    """The position before the first turn; who plays it."""
    memcpy(board.row[0], rules.start, SLOTS)
    memcpy(board.row[1], rules.start, SLOTS)
    return below(chance, 2) if rules.contrary else 0


cdef inline void throw_for(const Board *board, const Rules *rules, Dice *chance, int *high, int *low) noexcept nogil:
    """Two dice; no double where the first turn is played with the dice of the throw for the start."""
    throw(chance, high, low)
    if (
        rules.rolloff
        and memcmp(board.row[0], rules.start, SLOTS) == 0
        and memcmp(board.row[1], rules.start, SLOTS) == 0
    ):
        while high[0] == low[0]:
            throw(chance, high, low)


cdef bint play_turn(
    const Board *before, const Rules *rules, int mover, int high, int low, Dice *chance, Board *after, int8_t *scored
) noexcept nogil:
    """One random turn; whether it ended the game, and what the mover scored by that (below 0: the opponent did)."""
    cdef Menu menu
    cdef Play play
    cdef bint is_last_roll = cleared(before, rules, 1), has_cleared
    cdef const int8_t *loser
    offer_roll(before, rules, high, low, &menu)
    choose(&menu, below(chance, menu.count), &play)
    apply(before, rules, &play, after)
    has_cleared = cleared(after, rules, 1)
    if is_last_roll:
        if not has_cleared:
            loser = <const int8_t *>before.row[0] if rules.last_roll == DRAW_ONLY else <const int8_t *>after.row[1]
            scored[0] = -points(loser, rules)
        return True
    if not has_cleared or (mover == WHITE and rules.last_roll != NO_LAST_ROLL):
        return False
    scored[0] = points(after.row[0], rules)
    if rules.keep:
        scored[0] = -scored[0]
    return True
