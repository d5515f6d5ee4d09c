"""Players whose decisions need no Python object: one of them for each side of a game."""

from libc.stdint cimport int8_t

from nardy_fast.core._core cimport Board, Pending, Rules
from nardy_fast.players._network cimport Desk, Net
from nardy_fast.players._staged cimport Levels
from nardy_fast.core._random cimport Stream

cdef enum:                  # what kind of player
    RANDOM
    GREEDY
    NETWORK

cdef struct Seat:
    int kind
    const Net *net          # of a NETWORK
    float noise             # the standard deviation of what is added to its equities

# What the hand-made heuristic of GREEDY thinks of a board after a play, in hundredths.
cdef int greedy_score(const Board *moved, const Rules *rules) noexcept nogil

# The number of the play that is chosen; desk.after has the boards.
cdef int decide(
    const Seat *seat, const Board *board, const Rules *rules, int mover, int high, int low, Desk *desk, Stream *luck
) noexcept nogil

# The same for the first stage of a queue; levels.at[0] has the boards and the plays. `is_throw`: whether it was thrown just now.
cdef int decide_stage(
    const Seat *seat, const Board *board, const Rules *rules, const Pending *queue, int is_throw, Levels *levels, Stream *luck
) noexcept nogil
