"""Boards as the inputs of networks.

The board is one after a play: row 0 has just moved and row 1 is to throw. Inputs are, in this order,

    SPARSE      for each row, each slot, UNITS thermometer units: 1 where it holds at least one, two, three checkers, and half of
                the number above three
    dense       what is worked out from the board: for row 0 and then for row 1 those that `columns` names for the road; last,
                for rules under which colours differ, whether the player in row 0 is White

A checker more or less in a slot changes one unit only: `unit` and `weight` tell which, and by how much.
"""

from libc.stdint cimport int8_t

from nardy_fast.core._track cimport Board, Rules

cdef enum:
    UNITS = 4
    SPARSE = 208            # 2 rows of 26 slots of UNITS
    MAX_DENSE = 48         # of any rules

cdef enum:                  # phases, each of which has weights of its own
    RACE                    # no checker can meet another any more
    CONTACT
    PHASES

# The number of dense inputs under these rules.
cdef int dense_inputs(const Rules *rules) noexcept nogil

# RACE or CONTACT: whether a checker of one side stands before one of the other.
cdef int phase_of(const Board *board, const Rules *rules) noexcept nogil

# The same, and the dense inputs to `inputs` where `wanted`. `mover`: who is in row 0, 0 White, 1 Black, -1 unknown.
cdef int write_dense(const Board *moved, const Rules *rules, int mover, float *inputs, int wanted) noexcept nogil


cdef inline int unit(int place, int count) noexcept nogil:
    """The thermometer unit that changes when the slot `place` of the board's 52 goes from `count` to one more checker."""
    return place * UNITS + (count if count < UNITS - 1 else UNITS - 1)


cdef inline float weight(int count) noexcept nogil:
    """How much it changes by."""
    return 1.0 if count < UNITS - 1 else 0.5


# Which of the paths of src/_paths.h is in use, by its number.
cdef int current_path() noexcept nogil


# Features: a row of floats for a board, its kind by the number in FEATURES.

cdef enum:
    RAW                     # the checkers on each slot
    THERMOMETER             # UNITS for each point, then slots 0 and 25, as in TD-Gammon
    SLOT_UNITS              # the sparse inputs of a network
    ALL_INPUTS              # all of them
    THERMOMETER_SIDE = 98   # columns of one row

# How many columns they have.
cdef int features_width(int features, const Rules *rules) noexcept nogil

# Write them. `mover`: who is in row 0, as in `write_dense`; counts are 0..15.
cdef void write_features(int features, const Board *board, const Rules *rules, int mover, float *inputs) noexcept nogil
