# cython: nonecheck=True
"""Arrays of boards in, arrays out. nardy_fast.batch shares the work and owns the docstrings.

`Rows` are the arrays of one call, checked. Its methods do the rows from `first` up to `last`, by default all, and write to the
same rows of the arrays they are given; those are checked before anything is written, so that a call for no rows only checks them.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memcmp, memcpy

from nardy_fast.core._arrays cimport Array, array, refuse_overlap
from nardy_fast.core._core cimport (
    BAD_COUNT, MAX_STEPS, OFF, PAIRS, SLOTS, Board, Fault, Play, PlaySet, Rules, apply, check_play, expand, fault, generate,
    generate_to_list, is_over, settle, start_board, write_boards,
)
from nardy_fast.core._dice cimport Dice, dice_of, play_at_random, starter, throw, throw_start_again
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._mixed cimport Pairs

from numpy import asarray, dtype, empty

from nardy_fast.arguments import as_dice, check_flag, checked_workers
from nardy_fast.reasons import Reason, fault_text

cdef enum:
    UNKNOWN = -1            # whose turn it is: nobody then has a last roll
    MAX_COUNT = 15               # checkers that a board's slot may hold, whatever the rules

cdef Py_ssize_t shard = 8192        # rows that one thread does at a time; more rows than that may be shared
SHARD = shard
cdef object INT8 = dtype("int8")
cdef object INT64 = dtype("int64")


class _NoDice:
    def __reduce__(self):
        return "NO_DICE"        # wherever it is sent there is only this one


NO_DICE = _NoDice()             # in place of dice where none are needed


@cython.final
cdef class Rows:
    """Rows(boards, dice, turns, rules, check, known=False)\n--\n\nBoards with what belongs to them, checked.

    `dice` may be one pair for all rows, or NO_DICE; `turns` may be None. `check` says whether the boards are
    checked too; rows that are `known` are a part of others that were checked.
    """

    cdef Array boards
    cdef Array dice                 # or None, where one pair serves all or none is needed
    cdef Array turns                # or None
    cdef int8_t pair[2]
    cdef CompiledRules compiled
    cdef const Rules *rules
    cdef readonly Py_ssize_t n
    cdef tuple given                # as they were given

    def __init__(self, boards, dice, turns, rules, check, bint known=False):
        check_flag("check", check)
        self.given = boards, dice, turns, rules
        self.boards = array(boards, "boards", "int8", (2, SLOTS), -1, False)
        self.n = self.boards.rows
        self.compiled = compiled(rules)
        self.rules = &self.compiled.rules
        if isinstance(dice, (tuple, list)):
            self.pair[0], self.pair[1] = as_dice(dice)
        elif dice is not NO_DICE:
            self.dice = array(dice, "dice", "int8", (2,), self.n, False)
        if turns is not None:
            self.turns = array(turns, "turns", "int8", (), self.n, False)
        if known:
            return
        if self.dice is not None:
            check_range(self.dice, "dice", "a die shows 1..6", 1, 6, 2)
        if self.turns is not None:
            check_range(self.turns, "turns", "expected 0 (White) or 1 (Black)", 0, 1, 1)
        if check:
            self.check_boards()

    def part(self, Py_ssize_t first, Py_ssize_t last):
        """The first four arguments for a part of the rows."""
        boards, dice, turns, rules = self.given
        return (
            asarray(boards)[first:last],
            dice if self.dice is None else asarray(dice)[first:last],
            turns if self.turns is None else asarray(turns)[first:last],
            rules,
        )

    cdef const Board *board(self, Py_ssize_t i) noexcept nogil:
        return <const Board *>self.boards.data + i

    cdef void roll(self, Py_ssize_t i, int *high, int *low) noexcept nogil:
        cdef const int8_t *pair = &self.pair[0]
        if self.dice is not None:
            pair = <const int8_t *>self.dice.data + 2 * i
        high[0] = max(pair[0], pair[1])
        low[0] = min(pair[0], pair[1])

    cdef int turn(self, Py_ssize_t i) noexcept nogil:
        return UNKNOWN if self.turns is None else <int8_t>self.turns.data[i]

    cdef bint over(self, Py_ssize_t i) noexcept nogil:
        return is_over(self.board(i), self.rules, self.turn(i))

    cdef int generated(self, Py_ssize_t i, PlaySet *play_set) noexcept nogil:
        """Fill the play set and return its count; 0, and nothing filled, where the game is over."""
        cdef int high = 0, low = 0
        if self.over(i):
            return 0
        self.roll(i, &high, &low)
        return generate(self.board(i), self.rules, high, low, play_set)

    # Checks.

    cdef Py_ssize_t find_fault(self, Py_ssize_t first, Fault *found) noexcept nogil:
        """The first row from `first` on whose board is wrong, or n."""
        cdef Py_ssize_t i
        for i in range(first, self.n):
            if fault(self.board(i), self.rules, found):
                return i
        return self.n

    cdef str describe(self, const Fault *found):
        return fault_text(
            found.kind, row=found.row, slot=found.slot, value=found.value,
            checkers=MAX_COUNT if found.kind == BAD_COUNT else self.rules.checkers, limit=self.compiled.ruleset.stack_limit,
        )

    cdef void check_boards(self) except *:
        """Raise `ValueError` for the first board that is wrong."""
        cdef Fault found
        cdef Py_ssize_t wrong
        with nogil:
            wrong = self.find_fault(0, &found)
        if wrong < self.n:
            raise ValueError(f"boards[{wrong}]: {self.describe(&found)}")

    def faults(self):
        """(row, reason) for each board that is wrong."""
        cdef Fault found
        cdef Py_ssize_t wrong
        result = []
        with nogil:
            wrong = self.find_fault(0, &found)
        while wrong < self.n:
            result.append((wrong, self.describe(&found)))
            with nogil:
                wrong = self.find_fault(wrong + 1, &found)
        return result

    cdef void refuse_out(self, Array out, bint boards_are_fine) except *:
        """Raise `ValueError` where writing to `out` would change the rows while they are read."""
        refuse_overlap(out, "out", self.boards, "boards", boards_are_fine)
        if self.dice is not None:
            refuse_overlap(out, "out", self.dice, "dice", False)
        if self.turns is not None:
            refuse_overlap(out, "out", self.turns, "turns", False)

    cdef Array written(self, object out, str kind, tuple shape, bint may_be_boards):
        """`out` as an Array with an entry for each row."""
        cdef Array result = array(out, "out", kind, shape, self.n, True)
        self.refuse_out(result, may_be_boards)
        return result

    def check_plays(self, plays):
        """Raise `ValueError` for the first play that is not legal."""
        cdef const int8_t *steps = <const int8_t *>array(plays, "plays", "int8", (MAX_STEPS, 2), self.n, False).data
        cdef const int8_t *pair
        cdef Play play
        cdef Py_ssize_t i
        cdef int high = 0, low = 0, reason, at = 0, k
        for i in range(self.n):
            if self.over(i):
                raise ValueError(f"boards[{i}]: {Reason.GAME_OVER.sentence}")
            read_steps(steps + i * MAX_STEPS * 2, &play)
            for k in range(play.steps, MAX_STEPS):
                pair = steps + (i * MAX_STEPS + k) * 2
                if pair[0] != -1 or pair[1] != 0:
                    raise ValueError(f"plays[{i}, {k}] = ({pair[0]}, {pair[1]}): expected (-1, 0) after the last step")
            self.roll(i, &high, &low)
            reason = check_play(self.board(i), self.rules, high, low, &play, &at)
            if reason and at == play.steps:
                raise ValueError(f"plays[{i}]: the play is not complete")
            if reason:
                raise ValueError(f"plays[{i}]: step {at + 1}: {Reason(reason).sentence}")

    # The work.

    def alone(self, threads, executor):
        """Whether so few rows are done here and now; `threads` and `executor` are checked all the same."""
        if type(threads) is not int or threads != 1 or executor is not None:
            checked_workers(threads, executor)
        return self.n <= shard

    def count_plays(self, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write the number of distinct afterstates of each row to `out`, int32[n]."""
        cdef int32_t *counts = <int32_t *>self.written(out, "int32", (), False).data
        cdef PlaySet play_set
        cdef Py_ssize_t i
        with nogil:
            for i in range(first, end(last, self.n)):
                counts[i] = self.generated(i, &play_set)

    def afterstates(self, out, bint plays):
        """The boards, offsets and plays of `batch.Afterstates`, for no more rows than fit into memory twice."""
        cdef Array steps = None
        cdef Kept *kept = NULL
        cdef int64_t *offset
        if out is not None:
            self.refuse_out(array(out, "out", "int8", (2, SLOTS), -1, True), False)
        offsets = empty(self.n + 1, INT64)
        offset = <int64_t *>array(offsets, "offsets", "int64", (), self.n + 1, True).data
        kept = <Kept *>PyMem_Malloc(self.n * sizeof(Kept))
        if kept == NULL:
            raise MemoryError
        try:
            with nogil:
                keep_play_sets(self, kept, offset)
            out = fitted(out, offset[self.n])
            played = empty((offset[self.n], MAX_STEPS, 2), INT8) if plays else None
            if plays:
                steps = array(played, "plays", "int8", (MAX_STEPS, 2), -1, True)
            write_rows(self, kept, 0, self.n, array(out, "out", "int8", (2, SLOTS), -1, True), 0, steps)
        finally:
            PyMem_Free(kept)
        return out, offsets, played

    def check_room(self, out):
        """Raise `TypeError` or `ValueError` where `out` cannot be what `list_afterstates` writes to, however long it is."""
        self.refuse_out(array(out, "out", "int8", (2, SLOTS), -1, True), False)

    def list_afterstates(self, offsets, outs, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write the afterstates of row i to the first of `outs` from offsets[i] - offsets[0] on, a play for each to the second.

        The second may be None.
        """
        cdef const int64_t *offset = <const int64_t *>array(offsets, "offsets", "int64", (), self.n + 1, False).data
        cdef Array result = array(outs[0], "out", "int8", (2, SLOTS), offset[self.n] - offset[0], True)
        cdef Array steps = None if outs[1] is None else array(outs[1], "plays", "int8", (MAX_STEPS, 2), result.rows, True)
        write_rows(self, NULL, first, end(last, self.n), result, offset[first] - offset[0], steps)

    def apply_plays(self, plays, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write the board after each play to `out`, the opponent in row 0. The plays are legal."""
        cdef Array given = array(plays, "plays", "int8", (MAX_STEPS, 2), self.n, False)
        cdef Array result = self.written(out, "int8", (2, SLOTS), True)
        cdef Board *after = <Board *>result.data
        cdef Board before
        cdef Play play
        cdef Py_ssize_t i
        refuse_overlap(result, "out", given, "plays", False)
        with nogil:
            for i in range(first, end(last, self.n)):
                before = self.board(i)[0]
                read_steps(<const int8_t *>given.data + i * MAX_STEPS * 2, &play)
                apply(&before, self.rules, &play, &after[i])

    def find_over(self, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write to `out`, bool[n], which games have ended."""
        cdef char *ended = self.written(out, "bool", (), False).data
        cdef Py_ssize_t i
        with nogil:
            for i in range(first, end(last, self.n)):
                ended[i] = self.over(i)

    def random_step(self, bint restart, bit_generator, step, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Advance each game by a random turn; `step` are the arrays of a `batch.Step`, its turns None where the rows' are."""
        cdef Board before
        cdef Stepped stepped
        cdef Dice chance = dice_of(bit_generator)
        cdef Array boards, dice, ended, scored, turns
        cdef Py_ssize_t i
        boards = self.written(step[0], "int8", (2, SLOTS), True)
        dice = array(step[1], "dice", "int8", (2,), self.n, True)
        ended = array(step[2], "ended", "bool", (), self.n, True)
        scored = array(step[3], "points", "int8", (), self.n, True)
        turns = None if step[4] is None else array(step[4], "turns", "int8", (), self.n, True)
        with nogil:
            for i in range(first, end(last, self.n)):
                before = self.board(i)[0]
                stepped.turn = self.turn(i)
                step_at_random(&before, self.rules, restart, &chance, <Board *>boards.data + i, &stepped)
                dice.data[2 * i] = stepped.high
                dice.data[2 * i + 1] = stepped.low
                ended.data[i] = stepped.ended
                scored.data[i] = stepped.scored
                if turns is not None:
                    turns.data[i] = stepped.turn

    def flip(self, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write each board to `out` with its rows swapped."""
        cdef Board *flipped = <Board *>self.written(out, "int8", (2, SLOTS), True).data
        cdef Board before
        cdef Py_ssize_t i
        with nogil:
            for i in range(first, end(last, self.n)):
                before = self.board(i)[0]
                memcpy(flipped[i].row[0], before.row[1], SLOTS)
                memcpy(flipped[i].row[1], before.row[0], SLOTS)

    def pips(self, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write the pips that each side has to go to `out`, int32[n, 2]."""
        cdef int32_t *total = <int32_t *>self.written(out, "int32", (2,), False).data
        cdef Py_ssize_t i
        cdef int row, slot
        with nogil:
            for i in range(first, end(last, self.n)):
                for row in range(2):
                    total[2 * i + row] = 0
                    for slot in range(OFF):
                        total[2 * i + row] += self.board(i).row[row][slot] * (OFF - slot)


cdef inline Py_ssize_t end(Py_ssize_t last, Py_ssize_t n) noexcept nogil:
    return n if last < 0 else last


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


# Afterstates.

def fitted(out, Py_ssize_t boards):
    """The front of `out`, with room for so many boards; a new array where it is None."""
    if out is None:
        return empty((boards, 2, SLOTS), INT8)
    if len(out) < boards:
        raise ValueError(f"out has room for {len(out)} boards: expected {boards} or more")
    return out if len(out) == boards else out[:boards]


cdef struct Kept:           # what was found out of a row when it was counted
    int count               # 0 where the game is over
    int are_pairs           # 1: its play set is these; 0: it must be generated again
    Pairs pairs


cdef void keep_play_sets(Rows rows, Kept *kept, int64_t *offset) noexcept nogil:
    """Count the plays of each row; `offset` gets their running sum, from 0."""
    cdef PlaySet play_set
    cdef Py_ssize_t i
    offset[0] = 0
    for i in range(rows.n):
        kept[i].count = rows.generated(i, &play_set)
        kept[i].are_pairs = kept[i].count and play_set.kind == PAIRS
        if kept[i].are_pairs:
            kept[i].pairs = play_set.pairs
        offset[i + 1] = offset[i] + kept[i].count


cdef void write_rows(
    Rows rows, const Kept *kept, Py_ssize_t first, Py_ssize_t last, Array result, Py_ssize_t at, Array steps
) except *:
    """Write the boards of row after row to `result` from place `at` on, and their plays to `steps` unless it is None.

    `kept` may be NULL.
    """
    cdef int8_t *step = NULL if steps is None else <int8_t *>steps.data + 2 * MAX_STEPS * at
    cdef int written
    with nogil:
        written = fill_room(rows, kept, first, last, <Board *>result.data + at, result.rows - at, step)
    if not written:
        raise RuntimeError("boards changed while their afterstates were listed")


cdef int fill_room(
    Rows rows, const Kept *kept, Py_ssize_t first, Py_ssize_t last, Board *after, Py_ssize_t room, int8_t *step
) noexcept nogil:
    """`write_rows`: 0, where the boards have more afterstates now than when they were counted, else 1."""
    cdef PlaySet play_set
    cdef const Play *found
    cdef Py_ssize_t i
    cdef int high = 0, low = 0, k
    for i in range(first, last):
        if kept != NULL and kept[i].are_pairs:
            play_set.kind = PAIRS
            play_set.count = kept[i].count
            play_set.pairs = kept[i].pairs
        elif rows.over(i):
            continue
        else:
            rows.roll(i, &high, &low)
            generate_to_list(rows.board(i), rows.rules, high, low, &play_set)
        room -= play_set.count
        if room < 0:
            return 0
        write_boards(&play_set, rows.board(i), rows.rules, after)
        after += play_set.count
        if step != NULL:
            found = expand(&play_set)
            for k in range(play_set.count):
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


# Random steps.

cdef struct Stepped:        # what a random step did
    int turn                # whose turn it was, then whose it is; or UNKNOWN
    int high                # the throw, or 0
    int low
    int ended               # whether the step ended the game
    int scored              # what the mover scored by that, below 0 the opponent


cdef void step_at_random(
    const Board *before, const Rules *rules, bint restart, Dice *chance, Board *after, Stepped *step
) noexcept nogil:
    """A throw and a play of it; a game that is over stays so or, with `restart`, gives way to a new one."""
    cdef int mover = step.turn
    step.high = step.low = step.ended = step.scored = 0
    if is_over(before, rules, mover):
        after[0] = before[0]
    else:
        throw(chance, &step.high, &step.low)
        if rules.rolloff and is_start(before, rules):
            throw_start_again(rules, chance, &step.high, &step.low)
        play_at_random(before, rules, step.high, step.low, chance, after)
        step.ended = settle(before, after, rules, mover, &step.scored)
        step.turn = 1 - mover
        if not step.ended:
            return
    if restart:
        start_board(rules, after)
        step.turn = starter(rules, chance)


cdef inline bint is_start(const Board *board, const Rules *rules) noexcept nogil:
    """Whether the board is that of the start."""
    return memcmp(board.row[0], rules.start, SLOTS) == 0 and memcmp(board.row[1], rules.start, SLOTS) == 0
