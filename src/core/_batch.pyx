# cython: nonecheck=True
"""Arrays of boards in, arrays out. nardy_fast.batch shares the work and owns the docstrings.

`Rows` are the arrays of one call, checked. Its methods do the rows from `first` up to `last`, by default all, and write to the
same rows of the arrays they are given; those are checked before anything is written, so that a call for no rows only checks them.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._arrays cimport Array, array, refuse_overlap
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport (
    BAD_COUNT, HEAD, MAX_STEPS, OFF, PAIRS, SLOTS, WALKED, Board, Fault, Play, PlaySet, Rules,
    apply, check_stage, expand, fault, generate, generate_stage, generate_to_list, is_over, list_into, move, settle, start_board,
    write_boards,
)
from nardy_fast.core._dice cimport (
    Dice, Game, below, dice_of, play_at_random, play_stage_at_random, starter, throw, throw_start_again,
)
from nardy_fast.core._encoding cimport features_width, write_features
from nardy_fast.core._mixed cimport Pairs
from nardy_fast.core._queue cimport Pending, follow_stage, stages_of
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._track cimport CASCADE, landing

from numpy import asarray, dtype, empty, frombuffer

from nardy_fast.arguments import as_dice, check_flag, checked_workers
from nardy_fast.core._encoding import FEATURES
from nardy_fast.positions import Pending as PendingStages
from nardy_fast.positions import check_pending
from nardy_fast.reasons import Reason, fault_text

cdef enum:
    UNKNOWN = -1            # whose turn it is: nobody then has a last roll
    MAX_COUNT = 15               # checkers that a board's slot may hold, whatever the rules

    PENDING_SIZE = 28       # the numbers of a Pending
    STEPS_SIZE = 18         # the numbers of a play

cdef Pending NOTHING        # all 0

cdef Py_ssize_t shard = 8192        # rows that one thread does at a time; more rows than that may be shared
SHARD = shard
cdef object INT8 = dtype("int8")
cdef object INT64 = dtype("int64")
cdef object FLOAT64 = dtype("float64")


class _NoDice:
    def __reduce__(self):
        return "NO_DICE"        # wherever it is sent there is only this one


NO_DICE = _NoDice()             # in place of dice where none are needed


@cython.final
cdef class Rows:
    """Rows(boards, dice, turns, rules, check, known=False, pending=None, stage=None, heads=None)\n--\n
    Boards and what is theirs, checked.

    `dice` may be one pair for all rows, or NO_DICE; `turns` and the last three may be None. `check` says whether the boards are
    checked too; rows that are `known` are a part of others that were checked.
    """

    cdef Array boards
    cdef Array dice                 # or None, where one pair serves all or none is needed
    cdef Array turns                # or None
    cdef Array pending              # or None: a Pending for each row
    cdef Array stage                # or None: the dice of a stage for each row, then 0; it is played without what follows it
    cdef Array heads                # or None: steps from the head before that stage
    cdef int8_t pair[2]
    cdef CompiledRules compiled
    cdef const Rules *rules
    cdef readonly Py_ssize_t n
    cdef tuple given                # as they were given

    def __init__(
        self, boards, dice, turns, rules, check, bint known=False, pending=None, stage=None, heads=None
    ):
        if type(check) is not bool:
            check_flag("check", check)
        self.given = boards, dice, turns, rules, pending, stage, heads
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
        if pending is not None:
            self.pending = array(pending, "pending", "int8", (PENDING_SIZE,), self.n, False)
        if stage is not None:
            self.stage = array(stage, "stage", "int8", (MAX_STEPS,), self.n, False)
        if heads is not None:
            self.heads = array(heads, "heads", "int8", (), self.n, False)
        if known:
            return
        if dice is not NO_DICE:
            self.check_turns()
        if self.stage is not None:
            self.check_stages()
        if self.heads is not None:
            check_range(self.heads, "heads", "expected 0..15 steps", 0, 15, 1)
        if self.dice is not None:
            check_range(self.dice, "dice", "a die shows 1..6", 1, 6, 2)
        if self.turns is not None:
            check_range(self.turns, "turns", "expected 0 (White) or 1 (Black)", 0, 1, 1)
        if check:
            self.check_boards()
            if self.pending is not None:
                self.check_queues()

    def check_turns(self):
        """Raise `ValueError` where it matters whose turn it is, and nobody said."""
        if self.turns is None and self.asks_turns():
            raise ValueError(f"turns = None: by the rules {self.compiled.ruleset.name!r} it matters whose turn it is")

    @property
    def has_queue(self):
        """Whether stages may be pending."""
        return bool(self.rules.unplayed or self.rules.thrown == CASCADE)

    cdef bint asks_turns(self) noexcept:
        """Whether it matters who plays: what follows a stage, or which dice there are, depends on it."""
        return self.rules.parity or self.rules.unplayed or self.rules.thrown == CASCADE or self.rules.throw_again

    def part(self, Py_ssize_t first, Py_ssize_t last):
        """The arguments for a part of the rows, which are known to be right."""
        boards, dice, turns, rules, pending, stage, heads = self.given
        return (
            asarray(boards)[first:last],
            dice if self.dice is None else asarray(dice)[first:last],
            turns if self.turns is None else asarray(turns)[first:last],
            rules,
            False,
            True,
            None if pending is None else asarray(pending)[first:last],
            None if stage is None else asarray(stage)[first:last],
            None if heads is None else asarray(heads)[first:last],
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
        cdef Pending queue
        cdef int high = 0, low = 0
        if self.over(i):
            return 0
        if self.rules.staged or self.stage is not None:
            self.queue(i, &queue)
            return generate_stage(self.board(i), self.rules, &queue, play_set)
        self.roll(i, &high, &low)
        return generate(self.board(i), self.rules, high, low, play_set)

    cdef bint queue(self, Py_ssize_t i, Pending *queue) noexcept nogil:
        """The stages of the row, the first to be played now; whether it is the first of a throw."""
        cdef const int8_t *dice
        cdef int turn = max(0, self.turn(i)), high = 0, low = 0
        if self.stage is not None:
            dice = <const int8_t *>self.stage.data + i * MAX_STEPS
            memset(queue, 0, sizeof(Pending))
            queue.thrower = queue.stage[0].player = turn
            queue.heads[turn] = 0 if self.heads is None else <int8_t>self.heads.data[i]
            queue.count = 1
            queue.stage[0].die = max(dice[0], dice[1])
            if dice[1] and dice[0] != dice[1]:
                queue.stage[0].number = 1
                queue.stage[0].second = min(dice[0], dice[1])
            else:
                while queue.stage[0].number < MAX_STEPS and dice[queue.stage[0].number]:
                    queue.stage[0].number += 1
            return True
        if self.pending is not None:
            queue[0] = (<const Pending *>self.pending.data)[i]
            if queue.count:
                return False
        self.roll(i, &high, &low)
        stages_of(self.rules, turn, high, low, queue)
        return True

    cdef void follow(self, Py_ssize_t i, const Play *play, const Board *after, Pending *next_pending, int *turn) noexcept nogil:
        """What is pending after a play, and who plays next; `after` has the player who moved in row 0."""
        cdef Board turned
        turn[0] = 1 - max(0, self.turn(i))
        turned = after[0]
        turn_round(&turned)
        if not self.rules.staged or self.stage is not None or is_over(&turned, self.rules, turn[0]):
            memset(next_pending, 0, sizeof(Pending))
            return
        turn[0] = follow_stage(self.rules, next_pending, play, self.queue(i, next_pending))

    # Checks.

    cdef void check_stages(self) except *:
        """Raise `ValueError` for the first row whose dice are none that a stage has."""
        cdef const int8_t *dice
        cdef Py_ssize_t i
        cdef int k, n
        for i in range(self.n):
            dice = <const int8_t *>self.stage.data + i * MAX_STEPS
            n = 0
            while n < MAX_STEPS and 1 <= dice[n] <= 6:
                n += 1
            wrong = n > 2 and any([dice[k] != dice[0] for k in range(n)]) or any([dice[k] != 0 for k in range(n, MAX_STEPS)])
            if wrong:
                shown = tuple([dice[k] for k in range(MAX_STEPS)])
                raise ValueError(f"stage[{i}] = {shown}: expected one die, two different ones or 2 to 6 equal ones, then 0")

    cdef void check_queues(self) except *:
        """Raise `ValueError` for the first row of which the rules cannot leave pending what is."""
        cdef const Pending *pending = <const Pending *>self.pending.data
        cdef Py_ssize_t i
        for i in range(self.n):
            if memcmp(&pending[i], &NOTHING, sizeof(Pending)) == 0:
                continue
            try:
                given = PendingStages.from_row(frombuffer(PyBytes_FromStringAndSize(<char *>&pending[i], sizeof(Pending)), INT8))
                if self.over(i):
                    raise ValueError("pending: the game is over, and nothing is played any more")
                cells = PyBytes_FromStringAndSize(<char *>self.board(i), sizeof(Board))
                check_pending(given, frombuffer(cells, INT8).reshape(2, SLOTS), self.turn(i), self.compiled.ruleset)
            except ValueError as error:
                raise ValueError(f"pending[{i}]: {error}") from None

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
        if self.pending is not None:
            refuse_overlap(out, "out", self.pending, "pending", False)

    cdef Array written(self, object out, str kind, tuple shape, bint may_be_boards):
        """`out` as an Array with an entry for each row."""
        cdef Array result = array(out, "out", kind, shape, self.n, True)
        self.refuse_out(result, may_be_boards)
        return result

    def check_plays(self, plays):
        """Raise `ValueError` for the first play that is not legal."""
        cdef const int8_t *steps = <const int8_t *>array(plays, "plays", "int8", (MAX_STEPS, 3), self.n, False).data
        cdef const int8_t *step
        cdef Play play
        cdef Pending queue
        cdef Py_ssize_t i
        cdef int reason, at = 0, k
        for i in range(self.n):
            if self.over(i):
                raise ValueError(f"boards[{i}]: {Reason.GAME_OVER.sentence}")
            read_steps(steps + i * STEPS_SIZE, self.rules, &play)
            for k in range(MAX_STEPS):
                step = steps + i * STEPS_SIZE + 3 * k
                if k >= play.steps and (step[0] != -1 or step[1] != -1 or step[2] != 0):
                    raise ValueError(
                        f"plays[{i}, {k}] = ({step[0]}, {step[1]}, {step[2]}): expected (-1, -1, 0) after the last step"
                    )
                if k < play.steps and step[0] < OFF and 1 <= step[2] <= 6 and step[1] != target_of(&play, k):
                    given = (step[0], step[1], step[2])
                    raise ValueError(f"plays[{i}, {k}] = {given}: by {step[2]} it goes to {target_of(&play, k)}")
            self.queue(i, &queue)
            reason = check_stage(self.board(i), self.rules, &queue, &play, &at)
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
        """The fields of `batch.Afterstates`, for no more rows than fit into memory twice; `out` may be None."""
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
            outs = self.room(out, offset[self.n], plays)
            write_rows(self, kept, 0, self.n, outs, offset[self.n], 0)
        finally:
            PyMem_Free(kept)
        return outs[0], offsets, outs[1], outs[2], outs[3]

    def room(self, out, Py_ssize_t boards, bint plays):
        """Where so many afterstates are written: boards, plays or None, and by rules with a queue what is pending and turns."""
        queue = self.asks_turns() and self.stage is None
        return (
            fitted(out, boards),
            empty((boards, MAX_STEPS, 3), INT8) if plays else None,
            empty((boards, PENDING_SIZE), INT8) if queue else None,
            empty(boards, INT8) if queue else None,
        )

    def check_room(self, out):
        """Raise `TypeError` or `ValueError` where `out` cannot be what `list_afterstates` writes to, however long it is."""
        self.refuse_out(array(out, "out", "int8", (2, SLOTS), -1, True), False)

    def list_afterstates(self, offsets, outs, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write the afterstates of row i to the first of `outs` from offsets[i] - offsets[0] on, and what goes with them.

        Those are a play for each, what is pending after it and whose turn it is; each of them may be None.
        """
        cdef const int64_t *offset = <const int64_t *>array(offsets, "offsets", "int64", (), self.n + 1, False).data
        write_rows(self, NULL, first, end(last, self.n), outs, offset[self.n] - offset[0], offset[first] - offset[0])

    def apply_plays(self, plays, outs, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write the board after each play to the first of `outs`, in row 0 who plays next. The plays are legal.

        What is pending then and whose turn it is go to the other two, which may be None.
        """
        cdef Array given = array(plays, "plays", "int8", (MAX_STEPS, 3), self.n, False)
        cdef Array result = self.written(outs[0], "int8", (2, SLOTS), True)
        cdef Array pending = None, turns = None
        cdef Board *after = <Board *>result.data
        cdef Board before
        cdef Pending queue
        cdef Play play
        cdef Py_ssize_t i
        cdef int turn = 0
        if outs[1] is not None:
            pending = array(outs[1], "pending", "int8", (PENDING_SIZE,), self.n, True)
        if outs[2] is not None:
            turns = array(outs[2], "turns", "int8", (), self.n, True)
        refuse_overlap(result, "out", given, "plays", False)
        with nogil:
            for i in range(first, end(last, self.n)):
                before = self.board(i)[0]
                read_steps(<const int8_t *>given.data + i * STEPS_SIZE, self.rules, &play)
                if not self.rules.staged:
                    apply(&before, self.rules, &play, &after[i])
                    continue
                move(&before, self.rules, &play)
                self.follow(i, &play, &before, &queue, &turn)
                after[i] = before
                if turn != max(0, self.turn(i)):
                    turn_round(&after[i])
                if pending is not None:
                    (<Pending *>pending.data)[i] = queue
                if turns is not None:
                    turns.data[i] = turn

    def find_over(self, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write to `out`, bool[n], which games have ended."""
        cdef char *ended = self.written(out, "bool", (), False).data
        cdef Py_ssize_t i
        with nogil:
            for i in range(first, end(last, self.n)):
                ended[i] = self.over(i)

    def random_step(self, bint restart, bit_generator, step, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Advance each game by a random turn, or stage; `step` are the arrays of a `batch.Step`, of which two may be None."""
        cdef Board before
        cdef Stepped stepped
        cdef Dice chance = dice_of(bit_generator)
        cdef Array boards, dice, ended, scored, turns, pending
        cdef Py_ssize_t i
        boards = self.written(step[0], "int8", (2, SLOTS), True)
        dice = array(step[1], "dice", "int8", (2,), self.n, True)
        ended = array(step[2], "ended", "bool", (), self.n, True)
        scored = array(step[3], "points", "int8", (), self.n, True)
        turns = None if step[4] is None else array(step[4], "turns", "int8", (), self.n, True)
        pending = None if step[5] is None else array(step[5], "pending", "int8", (PENDING_SIZE,), self.n, True)
        with nogil:
            for i in range(first, end(last, self.n)):
                before = self.board(i)[0]
                stepped.turn = self.turn(i)
                if self.rules.staged:
                    stepped.pending = NOTHING if self.pending is None else (<const Pending *>self.pending.data)[i]
                step_at_random(&before, self.rules, restart, &chance, <Board *>boards.data + i, &stepped)
                dice.data[2 * i] = stepped.high
                dice.data[2 * i + 1] = stepped.low
                ended.data[i] = stepped.ended
                scored.data[i] = stepped.scored
                if turns is not None:
                    turns.data[i] = stepped.turn
                if pending is not None:
                    (<Pending *>pending.data)[i] = stepped.pending

    def choose(self, after, choice, double epsilon, bit_generator, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write to `out`, int32[n], the number of the afterstate of each row that is taken, -1 where it has none.

        `after` are the arrays of a `batch.Afterstates`, whose offsets fit. `choice` are the numbers themselves, int64[n], or a
        score for each afterstate, of which the first of the best is taken or, with the chance `epsilon`, any.
        """
        cdef Array offsets = array(after[1], "after.offsets", "int64", (), self.n + 1, False)
        cdef const int64_t *offset = <const int64_t *>offsets.data
        cdef Dice chance = dice_of(bit_generator)
        cdef Array result = array(out, "out.chosen", "int32", (), self.n, True)
        cdef int32_t *chosen = <int32_t *>result.data
        cdef Array given
        cdef Py_ssize_t i
        last = end(last, self.n)
        if choice.dtype == INT64:
            given = array(choice, "choice", "int64", (), self.n, False)
            for i in range(first, last):
                chosen[i] = <int32_t>(<const int64_t *>given.data)[i] if offset[i] < offset[i + 1] else -1
            return
        best_of_segments(offset, choice, first, last, chosen)
        if epsilon > 0:
            with nogil:
                for i in range(first, last):
                    if chosen[i] >= 0 and chance.bits.next_double(chance.bits.state) < epsilon:
                        chosen[i] = below(&chance, <uint32_t>(offset[i + 1] - offset[i]))

    def advance(self, after, chosen, bint restart, bit_generator, outs, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Go on from the chosen afterstates to the next throw; `outs` are the arrays of a `batch.Next`, of which two may be None.
        """
        cdef Array boards = self.written(outs[0], "int8", (2, SLOTS), True)
        cdef Array dice = array(outs[1], "out.dice", "int8", (2,), self.n, True)
        cdef Array ended = array(outs[2], "out.ended", "bool", (), self.n, True)
        cdef Array scored = array(outs[3], "out.points", "int8", (), self.n, True)
        cdef Array taken = array(outs[4], "out.chosen", "int32", (), self.n, True)
        cdef Array turns = None if outs[5] is None else array(outs[5], "out.turns", "int8", (), self.n, True)
        cdef Array pending = None if outs[6] is None else array(outs[6], "out.pending", "int8", (PENDING_SIZE,), self.n, True)
        cdef Array offsets = array(after[1], "after.offsets", "int64", (), self.n + 1, False)
        cdef Array listed = array(after[0], "after.boards", "int8", (2, SLOTS), -1, False)
        cdef Array numbers = array(chosen, "chosen", "int32", (), self.n, False)
        cdef Array listed_pending = None, listed_turns = None
        cdef Dice chance = dice_of(bit_generator)
        cdef Taken step
        cdef Board before
        cdef Py_ssize_t i, k
        refuse_overlap(boards, "out.boards", listed, "after.boards", False)
        if after[4] is not None:
            listed_pending = array(after[3], "after.pending", "int8", (PENDING_SIZE,), listed.rows, False)
            listed_turns = array(after[4], "after.turns", "int8", (), listed.rows, False)
        with nogil:
            for i in range(first, end(last, self.n)):
                before = self.board(i)[0]
                step.turn = self.turn(i)
                step.follower = UNKNOWN
                step.pending = NOTHING
                self.roll(i, &step.high, &step.low)
                k = (<const int32_t *>numbers.data)[i]
                (<int32_t *>taken.data)[i] = <int32_t>k
                if k >= 0:
                    k += (<const int64_t *>offsets.data)[i]
                    if listed_turns is not None:
                        step.follower = <int8_t>listed_turns.data[k]
                        step.pending = (<const Pending *>listed_pending.data)[k]
                take(&before, NULL if k < 0 else <Board *>listed.data + k, self.rules, restart, &chance, &step)
                (<Board *>boards.data)[i] = before
                dice.data[2 * i] = step.high
                dice.data[2 * i + 1] = step.low
                ended.data[i] = step.ended
                scored.data[i] = step.scored
                if turns is not None:
                    turns.data[i] = step.turn
                if pending is not None:
                    (<Pending *>pending.data)[i] = step.pending

    def encode(self, str features, out, Py_ssize_t first=0, Py_ssize_t last=-1):
        """Write the features of each board to `out`, float32[n, columns]; FEATURES are those there are."""
        cdef int kind = FEATURES.index(features)
        cdef Py_ssize_t width = features_width(kind, self.rules)
        cdef float *floats = <float *>self.written(out, "float32", (width,), False).data
        cdef Py_ssize_t i
        with nogil:
            for i in range(first, end(last, self.n)):
                write_features(kind, self.board(i), self.rules, self.turn(i), floats + width * i)

    def check_counts(self):
        """Raise `ValueError` for the first slot that holds what none can."""
        check_range(self.boards, "boards", "a slot holds 0..15 checkers", 0, MAX_COUNT, sizeof(Board))

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


# Choices and what follows them.

ctypedef fused Score:
    float
    double


cdef Py_ssize_t best(
    const int64_t *offset, const Score *score, Py_ssize_t first, Py_ssize_t last, int32_t *chosen
) noexcept nogil:
    """The number of the first of the greatest scores of each segment, -1 for one that is empty; the place of a NaN, or -1."""
    cdef Py_ssize_t i, k, at
    for i in range(first, last):
        at = offset[i]
        for k in range(offset[i], offset[i + 1]):
            if score[k] > score[at]:
                at = k
            elif score[k] != score[k]:
                return k
        chosen[i] = <int32_t>(at - offset[i]) if offset[i] < offset[i + 1] else -1
    return -1


cdef void best_of_segments(const int64_t *offset, scores, Py_ssize_t first, Py_ssize_t last, int32_t *chosen) except *:
    """`best` for float32 or float64 scores, one for each afterstate; `ValueError` for one that is no number."""
    cdef bint is_double = scores.dtype == FLOAT64
    cdef Array given = array(scores, "scores", "float64" if is_double else "float32", (), -1, False)
    cdef Py_ssize_t wrong
    with nogil:
        if is_double:
            wrong = best(offset, <const double *>given.data, first, last, chosen)
        else:
            wrong = best(offset, <const float *>given.data, first, last, chosen)
    if wrong >= 0:
        raise ValueError(f"scores[{wrong}] = nan: expected a number")


def segment_argmax(offsets, scores, out):
    """Write the number of the first of the greatest scores of each segment to `out`, int32[n]; `offsets` and `scores` fit."""
    cdef Array segments = array(offsets, "offsets", "int64", (), -1, False)
    cdef Py_ssize_t n = segments.rows - 1
    cdef Array result = array(out, "out", "int32", (), n, True)
    best_of_segments(<const int64_t *>segments.data, scores, 0, n, <int32_t *>result.data)


def check_offsets(offsets, Py_ssize_t n, Py_ssize_t boards):
    """Raise `ValueError` unless these are where the afterstates of n rows begin and end, of so many boards in all."""
    cdef Array given = array(offsets, "after.offsets", "int64", (), n + 1, False)
    cdef const int64_t *offset = <const int64_t *>given.data
    cdef Py_ssize_t i
    if offset[0] or offset[n] != boards:
        raise ValueError(f"after.offsets go from {offset[0]} to {offset[n]}: expected 0 to {boards}")
    for i in range(n):
        if offset[i] > offset[i + 1]:
            raise ValueError(f"after.offsets[{i + 1}] = {offset[i + 1]}: expected no less than the {offset[i]} before it")


def check_choice(choice, offsets, Py_ssize_t n):
    """Raise `ValueError` for the first number that no afterstate of its row has; where there is none, any will do."""
    cdef Array numbers = array(choice, "choice", "int64", (), n, False)
    cdef const int64_t *offset = <const int64_t *>array(offsets, "after.offsets", "int64", (), n + 1, False).data
    cdef const int64_t *number = <const int64_t *>numbers.data
    cdef Py_ssize_t i
    for i in range(n):
        if offset[i] < offset[i + 1] and not 0 <= number[i] < offset[i + 1] - offset[i]:
            raise ValueError(f"choice[{i}] = {number[i]}: the row has {offset[i + 1] - offset[i]} afterstates, numbered from 0")


cdef struct Taken:          # a step that takes a chosen afterstate
    int turn                # whose turn it was, then whose it is; or UNKNOWN
    int follower            # who is next after the afterstate where the game goes on, UNKNOWN: the opponent
    int high                # the throw that was played, then the one to play
    int low
    int ended               # whether the step ended the game
    int scored              # what the mover scored by that, below 0 the opponent
    Pending pending         # after the afterstate, then at the end


cdef void take(
    Board *board, const Board *after, const Rules *rules, bint restart, Dice *chance, Taken *step
) noexcept nogil:
    """From `board` by an afterstate to the board of who is next and his throw; NULL: the game had ended."""
    cdef Board before = board[0]
    cdef int mover = step.turn
    step.ended = step.scored = 0
    if after != NULL:
        board[0] = after[0]
        turn_round(board)
        step.ended = settle(&before, board, rules, mover, &step.scored)
        step.turn = 1 - mover
        if not step.ended:
            if step.follower == max(0, mover):
                step.turn = mover
                turn_round(board)
            if not step.pending.count:
                throw(chance, &step.high, &step.low)
            return
    step.pending = NOTHING
    if restart:
        begin_game(rules, chance, board, step)


cdef void begin_game(const Rules *rules, Dice *chance, Board *board, Taken *step) noexcept nogil:
    """The start of a game and its first throw."""
    start_board(rules, board)
    step.turn = starter(rules, chance)
    throw(chance, &step.high, &step.low)
    throw_start_again(rules, chance, &step.high, &step.low)


def begin_games(rules, bit_generator, Py_ssize_t n, boards, dice, turns):
    """Write the starts of n games: boards, the first throws, and who makes them."""
    cdef CompiledRules its = compiled(rules)
    cdef Board *board = <Board *>array(boards, "boards", "int8", (2, SLOTS), n, True).data
    cdef char *dies = array(dice, "dice", "int8", (2,), n, True).data
    cdef char *turn = array(turns, "turns", "int8", (), n, True).data
    cdef Dice chance = dice_of(bit_generator)
    cdef Taken step
    cdef Py_ssize_t i
    with nogil:
        for i in range(n):
            begin_game(&its.rules, &chance, &board[i], &step)
            dies[2 * i] = step.high
            dies[2 * i + 1] = step.low
            turn[i] = step.turn


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


cdef struct Room:           # where afterstates go
    Board *board
    int8_t *step            # or NULL
    Pending *pending        # or NULL
    int8_t *turn            # or NULL
    Py_ssize_t left         # so many more of them


cdef void write_rows(
    Rows rows, const Kept *kept, Py_ssize_t first, Py_ssize_t last, object outs, Py_ssize_t boards, Py_ssize_t at
) except *:
    """Write the afterstates of row after row from place `at` on to the arrays of `Rows.room`; `kept` may be NULL."""
    cdef Array board = array(outs[0], "out", "int8", (2, SLOTS), boards, True)
    cdef Array plays = None if outs[1] is None else array(outs[1], "plays", "int8", (MAX_STEPS, 3), boards, True)
    cdef Array pending = None if outs[2] is None else array(outs[2], "pending", "int8", (PENDING_SIZE,), boards, True)
    cdef Array turns = None if outs[3] is None else array(outs[3], "turns", "int8", (), boards, True)
    cdef Room room
    cdef int written
    room.board = <Board *>board.data + at
    room.step = NULL if plays is None else <int8_t *>plays.data + STEPS_SIZE * at
    room.pending = NULL if pending is None else <Pending *>pending.data + at
    room.turn = NULL if turns is None else <int8_t *>turns.data + at
    room.left = boards - at
    with nogil:
        written = fill_room(rows, kept, first, last, &room)
    if written < 0:
        raise MemoryError
    if not written:
        raise RuntimeError("boards changed while their afterstates were listed")


cdef int fill_room(Rows rows, const Kept *kept, Py_ssize_t first, Py_ssize_t last, Room *room) noexcept nogil:
    """`write_rows`: 0, if the boards have more afterstates now than when they were counted, -1 for want of memory, else 1."""
    cdef PlaySet play_set
    cdef Pending queue
    cdef Py_ssize_t i
    cdef int high = 0, low = 0
    for i in range(first, last):
        if kept != NULL and kept[i].are_pairs:
            play_set.kind = PAIRS
            play_set.count = kept[i].count
            play_set.pairs = kept[i].pairs
        elif rows.over(i):
            continue
        elif rows.rules.staged or rows.stage is not None:
            rows.queue(i, &queue)
            generate_stage(rows.board(i), rows.rules, &queue, &play_set)
        else:
            rows.roll(i, &high, &low)
            generate_to_list(rows.board(i), rows.rules, high, low, &play_set)
        room.left -= play_set.count
        if room.left < 0:
            return 0
        write_boards(&play_set, rows.board(i), rows.rules, room.board)
        if (room.step != NULL or room.pending != NULL) and not write_plays(rows, i, &play_set, room):
            return -1
        room.board += play_set.count
    return 1


cdef int write_plays(Rows rows, Py_ssize_t i, PlaySet *play_set, Room *room) noexcept nogil:
    """Write what goes with the boards of a row, which are written already; 0 for want of memory."""
    cdef Play *plays = play_set.plays
    cdef int k, turn = 0
    if play_set.kind == WALKED:
        plays = <Play *>malloc(play_set.count * sizeof(Play))
        if plays == NULL:
            return 0
        list_into(play_set, plays)
    else:
        expand(play_set)
    for k in range(play_set.count):
        if room.step != NULL:
            write_steps(&plays[k], room.step)
            room.step += STEPS_SIZE
        if room.pending != NULL:
            rows.follow(i, &plays[k], &room.board[k], room.pending, &turn)
            room.turn[0] = turn
            room.pending += 1
            room.turn += 1
    if plays != play_set.plays:
        free(plays)
    return 1


cdef inline int target_of(const Play *play, int step) noexcept nogil:
    """Where a step of the play ends."""
    return OFF - play.die[step] if play.sends >> step & 1 else landing(play.source[step], play.die[step])


cdef void write_steps(const Play *play, int8_t *steps) noexcept nogil:
    """As (from, to, die), unused ones (-1, -1, 0)."""
    cdef int i
    for i in range(MAX_STEPS):
        steps[3 * i] = play.source[i] if i < play.steps else -1
        steps[3 * i + 1] = target_of(play, i) if i < play.steps else -1
        steps[3 * i + 2] = play.die[i] if i < play.steps else 0


cdef void read_steps(const int8_t *steps, const Rules *rules, Play *play) noexcept nogil:
    """From (from, to, die) up to the first unused one."""
    cdef int i
    play.steps = 0
    play.sends = 0
    for i in range(MAX_STEPS):
        if steps[3 * i] < 0:
            return
        play.source[i] = steps[3 * i]
        play.die[i] = steps[3 * i + 2]
        if rules.send and steps[3 * i] == HEAD and steps[3 * i + 1] == OFF - play.die[i]:
            play.sends |= 1 << i
        play.steps = i + 1


# Random steps.

cdef struct Stepped:        # what a random step did
    int turn                # whose turn it was, then whose it is; or UNKNOWN
    int high                # the throw, or 0
    int low
    int ended               # whether the step ended the game
    int scored              # what the mover scored by that, below 0 the opponent
    Pending pending         # before it, then after it


cdef void step_at_random(
    const Board *before, const Rules *rules, bint restart, Dice *chance, Board *after, Stepped *step
) noexcept nogil:
    """A throw, unless a stage is pending, and a play; a game that is over stays so or, with `restart`, gives way to a new one."""
    cdef int mover = step.turn
    cdef Game game
    step.high = step.low = step.ended = step.scored = 0
    if is_over(before, rules, mover):
        after[0] = before[0]
    elif rules.staged:
        game.board = before[0]
        game.turn = max(0, mover)
        game.pending = step.pending
        if not game.pending.count:
            throw(chance, &step.high, &step.low)
        play_stage_at_random(&game, rules, chance, step.high, step.low, after)
        step.ended = settle(before, after, rules, mover, &step.scored)
        step.turn = 1 - mover
        step.pending = game.pending
        if not step.ended:
            if game.turn == max(0, mover):
                step.turn = mover
                turn_round(after)
            return
        step.pending = NOTHING
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
        step.pending = NOTHING
        start_board(rules, after)
        step.turn = starter(rules, chance)


cdef inline bint is_start(const Board *board, const Rules *rules) noexcept nogil:
    """Whether the board is that of the start."""
    return memcmp(board.row[0], rules.start, SLOTS) == 0 and memcmp(board.row[1], rules.start, SLOTS) == 0
