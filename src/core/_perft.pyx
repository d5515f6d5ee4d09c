# cython: nonecheck=True
"""Counting the leaves of the tree of plays."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport (
    Board, Play, PlaySet, Rules, Turn, apply, derive_turn, generate_for, generate_stage, is_over, pick,
)
from nardy_fast.core._position cimport Position
from nardy_fast.core._queue cimport Pending, follow_stage, stages_of

cdef enum:
    LISTENS = 3     # the least depth whose nodes are few enough, and last long enough, to look whether to end


def leaves(Position position not None, int turns, bytearray halt=None):
    """The leaves after so many turns. Once the first byte of `halt` is not 0 it ends soon, and what it returns means nothing."""
    cdef const char *flag = NULL
    cdef int64_t count
    if halt is not None:
        flag = halt
    with nogil:
        if position._compiled.rules.staged:
            count = count_stages(
                &position._board, &position._compiled.rules, position._turn, &position._pending, turns, flag
            )
        else:
            count = count_leaves(&position._board, &position._compiled.rules, position._turn, turns, flag)
    return count


cdef int listens(int depth, const char *halt) except -1 nogil:
    """Whether somebody wants the counting to end; looked at where that takes no time beside the counting."""
    if depth < LISTENS:
        return 0
    if halt != NULL:
        return halt[0]
    with gil:
        PyErr_CheckSignals()
    return 0


cdef int64_t count_leaves(const Board *board, const Rules *rules, int mover, int depth, const char *halt) except -1 nogil:
    """The leaves below a board; the plays of the last turn are counted, not made."""
    cdef Turn turn
    cdef PlaySet play_set
    cdef Play play
    cdef Board after
    cdef int64_t count = 0
    cdef int high, low, i
    if depth == 0 or is_over(board, rules, mover):
        return 1
    if listens(depth, halt):
        return 0
    derive_turn(&turn, board, rules)
    for high in range(1, 7):
        for low in range(1, high + 1):
            generate_for(&turn, high, low, &play_set)
            if depth == 1:
                count += play_set.count
                continue
            for i in range(play_set.count):
                pick(&play_set, i, &play)
                apply(board, rules, &play, &after)
                count += count_leaves(&after, rules, 1 - mover, depth - 1, halt)
    return count


cdef int64_t count_stages(
    const Board *board, const Rules *rules, int mover, const Pending *pending, int depth, const char *halt
) except -1 nogil:
    """The same where a throw may be played in stages: the depth counts them, and the rolls part where a throw is due."""
    cdef Pending queue
    cdef int64_t count = 0
    cdef int high, low
    if depth == 0 or is_over(board, rules, mover):
        return 1
    if listens(depth, halt):
        return 0
    if pending.count:
        return count_after_stage(board, rules, mover, pending, False, depth, halt)
    for high in range(1, 7):
        for low in range(1, high + 1):
            stages_of(rules, mover, high, low, &queue)
            count += count_after_stage(board, rules, mover, &queue, True, depth, halt)
    return count


cdef int64_t count_after_stage(
    const Board *board, const Rules *rules, int mover, const Pending *queue, bint is_throw, int depth, const char *halt
) except -1 nogil:
    """The leaves below the first stage of the queue."""
    cdef PlaySet play_set
    cdef Play play
    cdef Board after
    cdef Pending rest
    cdef int64_t count = 0
    cdef int i, turn
    generate_stage(board, rules, queue, &play_set)
    if depth == 1:
        return play_set.count
    for i in range(play_set.count):
        pick(&play_set, i, &play)
        apply(board, rules, &play, &after)
        if is_over(&after, rules, 1 - mover):
            count += 1
            continue
        rest = queue[0]
        turn = follow_stage(rules, &rest, &play, is_throw)
        if turn == mover:
            turn_round(&after)
        count += count_stages(&after, rules, turn, &rest, depth - 1, halt)
    return count
