"""The C API of the solved games: look-ups without Python objects and without the GIL.

    from nardy_fast.analysis._solved cimport SolvedNative, SolvedTable, solved_equity

A side of a small game is told by how far its checkers have to go, the rearmost first: nothing for one that is off, 25 for one
that waits. Its number counts the sides that come before it when those are put in order; so every step leads to a lower number, 0
has borne off all, and the sides with a checker waiting come last.
"""

from libc.stdint cimport int8_t, int32_t, uint32_t

from nardy_fast.core cimport OFF, Board
from nardy_fast.core._bits cimport at_least, bit, lowest


cdef enum:
    MAX_CHECKERS = 3       # of a side in a solved game: 3276 sides; four would have 20475, and 419 million pairs
    # Three checkers share four steps in at most C(3 + 4 - 1, 4) ways, and a mixed roll has at most 3 * 3 pairs and 2 * 3 runs.
    MAX_FEW_PLAYS = 15
    MAX_RESULTS = 4        # with one sign: 1 to 4 points
    MAX_PLANES = 6

cdef struct SolvedTable:
    int checkers                    # of a side, 1..3
    int32_t sides                   # that a side can be
    int planes                      # of `chances`
    int results                     # with one sign: half of all
    int8_t points[4]                # of each of these, least first
    const double *equities          # [mover][opponent]: of the side to move, before it throws
    const float *chances            # [mover][opponent][plane]: to win the second result and more, then to lose them

cdef double solved_equity(const SolvedTable *table, const Board *board) noexcept nogil
# The chances of all results, in the order of their points.
cdef void solved_outputs(const SolvedTable *table, const Board *board, float *outputs) noexcept nogil


cdef inline int32_t fewer(int pips, int checkers) noexcept nogil:
    """How many ways there are for so many checkers to have less than so many pips to go, each."""
    if checkers == 1:
        return pips
    if checkers == 2:
        return pips * (pips + 1) // 2
    return pips * (pips + 1) * (pips + 2) // 6


cdef inline int32_t side_number(const int8_t *row, int checkers) noexcept nogil:
    """The number of a side, from its row of a board."""
    cdef uint32_t held = at_least(row, 1) & ~bit(OFF)
    cdef int32_t number = 0
    cdef int slot, _
    while held:
        slot = lowest(held)
        held &= held - 1
        for _ in range(row[slot]):
            number += fewer(OFF - slot, checkers)
            checkers -= 1
    return number


cdef class SolvedNative:
    cdef SolvedTable table
    cdef object arrays              # what the table points into
