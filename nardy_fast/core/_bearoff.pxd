"""The C API of the bear-off tables: look-ups without Python objects and without the GIL.

    from nardy_fast.core cimport OneSidedTable, TwoSidedTable, Chances, number_of, race, look_up

The structs point into memory, often a mapped file, that the object they come from keeps: the `native` attribute of a
nardy_fast.bearoff.OneSided or TwoSided, an object of the class OneSidedNative or TwoSidedNative below. Numbers are those of
`number_of`; everything here trusts them.
"""

from libc.stdint cimport int8_t, int32_t, uint32_t

from nardy_fast.core._rules cimport CompiledRules
from nardy_fast.core._bearoff_spreads cimport NOWHERE, Numbering, checkers_of, number_of
from nardy_fast.core._track cimport Rules


cdef enum:
    ALL = 0                 # until all checkers are off, by the play that makes the expected number of turns least
    FIRST = 1               # until the first checker is off, by the play that makes that number least
    WITHIN = 2              # the greatest chance to have all off within so many turns, each number of turns by its own best play
    MAX_TURNS = 1023        # that a row can cover

cdef enum:                  # the planes of a two-sided table, where it has them
    EQUITY = 0              # without a cube
    CENTRED = 1             # with the cube in the middle, where the mover may double but does not this turn
    OWNED = 2               # with the mover's cube, where he does not redouble this turn
    THEIRS = 3              # with the opponent's cube
    DRAW = 4
    WIN = 5
    MARS = 6
    LOST_MARS = 7
    PLANES = 8

cdef struct OneSidedTable:
    Numbering numbering
    int turns                       # the last turn with any chance
    const double *means[2]          # [aim][number]
    const uint32_t *offsets[2]      # [FIRST or not][number]: where the row of chances begins
    const uint32_t *rows[3]         # [aim]: chances in units of 2**-30, turn by turn from `first_turn` on

cdef struct TwoSidedTable:
    Numbering numbering
    int32_t spreads                 # of each side
    int turns                       # 1, or 2 where it matters who is White
    int planes                      # that it has
    int plane[8]                    # where each of them is in a cell, or -1
    double unit[8]                  # of what is stored
    const int32_t *cells            # [turn][mover][opponent][plane]

cdef struct Chances:                # of the side to move
    double win                      # mars included
    double mars
    double draw
    double loss                     # lost mars included
    double lost_mars

cdef struct Equities:               # of the side to move, for a stake of 1, before it throws
    double cubeless
    double centred                  # with the cube in the middle: to double or not, whichever is better
    double owned                    # the same with the mover's cube
    double theirs                   # with the opponent's cube
    double centred_undoubled        # without doubling this turn
    double owned_undoubled
    double doubled                  # with the cube turned, and taken

cdef double mean(const OneSidedTable *table, int32_t number, int aim) noexcept nogil
cdef void distribution(const OneSidedTable *table, int32_t number, int aim, double *chances) noexcept nogil
cdef void race(
    const OneSidedTable *table, const Rules *rules, int turn, int32_t mover, int32_t opponent, Chances *chances
) noexcept nogil
cdef double plane_of(const TwoSidedTable *table, int turn, int32_t mover, int32_t opponent, int plane) noexcept nogil
cdef void look_up(const TwoSidedTable *table, int turn, int32_t mover, int32_t opponent, Chances *chances) noexcept nogil
cdef void look_up_cube(const TwoSidedTable *table, int32_t mover, int32_t opponent, Equities *equities) noexcept nogil


cdef class OneSidedNative:
    cdef OneSidedTable table
    cdef object sections            # what the table points into

cdef class TwoSidedNative:
    cdef TwoSidedTable table
    cdef object cells               # what the table points into
