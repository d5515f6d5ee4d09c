# cython: nonecheck=True
"""Counting the leaves of the tree of plays."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from nardy_fast.core._core cimport Board, Play, PlaySet, Rules, Turn, apply, derive_turn, generate_for, is_over, pick
from nardy_fast.core._position cimport Position

cdef enum:
    LISTENS = 3     # the least depth whose nodes are few enough, and last long enough, to look whether to end


def leaves(Position position not None, int turns, bytearray halt=None):
    """The leaves after so many turns. Once the first byte of `halt` is not 0 it ends soon, and what it returns means nothing."""
    cdef const char *flag = NULL
    cdef int64_t count
    if halt is not None:
        flag = halt
    with nogil:
        count = count_leaves(&position._board, &position._compiled.rules, position._turn, turns, flag)
    return count


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
    if depth >= LISTENS:
        if halt == NULL:
            with gil:
                PyErr_CheckSignals()
        elif halt[0]:
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
