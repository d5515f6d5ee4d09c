"""Position and Play, for Cython code that handles them as objects. Engines want the structs of `_core` instead."""

from nardy_fast.core._core cimport Board
from nardy_fast.core._core cimport Play as PlayStruct
from nardy_fast.core._queue cimport Pending
from nardy_fast.core._rules cimport CompiledRules


cdef struct Asked:                  # for which dice
    int high                        # of a throw
    int low
    int is_throw                    # 0: for a stage that was pending

cdef class Position:
    cdef Board _board               # row 0 the player to move
    cdef int _turn                  # 0 White, 1 Black
    cdef CompiledRules _compiled
    cdef Pending _pending           # all 0 where a throw is due

    cdef int ask(self, object dice, Asked *asked) except -1
    cdef int count_stage(self, object dice) except -1

cdef class Play:
    cdef Position _position         # before the play
    cdef Asked _asked
    cdef PlayStruct _play           # the steps in some legal order, or in the caller's
    cdef Board _after               # the player who moved still in row 0
    cdef bint _in_order             # whether `_play` is in the order to show
