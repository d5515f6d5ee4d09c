# cython: nonecheck=True
"""Counting the leaves of the tree of plays."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from nardy_fast._core cimport Board, Menu, Play, Rules, Turn, apply, choose, is_over, look, offer
from nardy_fast._position cimport Position
from nardy_fast._track cimport head_allowance

import operator

cdef enum:
    DEEPEST = 12            # beyond it the leaves do not fit in 63 bits
    ANSWERS_SIGNALS = 3     # the least depth whose nodes are few enough, and last long enough, to look for Ctrl-C


def perft(position, depth):
    """How many leaves the tree of plays has after `depth` turns, over the 21 rolls, each once and unweighted, and every play.

    A finished game counts as one leaf and is not continued; depth 0 is 1. Long nardy from the start: 22, 484, 35387.
    Raises `TypeError` for a position that is not a `Position` or a depth that is not an integer, `ValueError` for a negative
    depth.
    """
    cdef Position pos
    cdef int64_t leaves
    cdef int turns
    if not isinstance(position, Position):
        raise TypeError(f"position = {position!r}: expected a Position")
    try:
        wanted = operator.index(depth)
    except TypeError:
        raise TypeError(f"depth = {depth!r}: expected an integer") from None
    if wanted < 0:
        raise ValueError(f"depth = {depth!r}: expected 0 or more")
    if wanted > DEEPEST:
        raise ValueError(f"depth = {depth!r}: no machine counts beyond {DEEPEST}")
    pos = position
    turns = wanted
    with nogil:
        leaves = count_leaves(&pos._board, &pos._compiled.rules, pos._turn, turns)
    return leaves


cdef int64_t count_leaves(const Board *board, const Rules *rules, int mover, int depth) except -1 nogil:
    """The leaves below a board; the plays of the last turn are counted, not made."""
    cdef Turn turn
    cdef Menu menu
    cdef Play play
    cdef Board after
    cdef int64_t leaves = 0
    cdef int high, low, i
    if depth == 0 or is_over(board, rules, mover):
        return 1
    if depth >= ANSWERS_SIGNALS:
        with gil:
            PyErr_CheckSignals()
    look(&turn, board, rules)
    for high in range(1, 7):
        for low in range(1, high + 1):
            turn.head_limit = head_allowance(&turn, high, low)
            offer(&turn, high, low, &menu)
            if depth == 1:
                leaves += menu.count
                continue
            for i in range(menu.count):
                choose(&menu, i, &play)
                apply(board, rules, &play, &after)
                leaves += count_leaves(&after, rules, 1 - mover, depth - 1)
    return leaves
