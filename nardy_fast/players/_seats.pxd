"""Players whose decisions need no Python object: one of them for each side of a game."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t

from nardy_fast.core._core cimport Board, Pending, Rules
from nardy_fast.players._network cimport Desk, Net
from nardy_fast.players._staged cimport Levels
from nardy_fast.core._random cimport Stream

cdef enum:                  # what kind of player
    RANDOM
    GREEDY
    NETWORK
    CALLER                  # a function of the caller's

# The number of the play that a CALLER chooses, 0 .. count - 1, by the boards after the plays, who moves (`mover`) in row 0.
ctypedef int (*Choose)(void *context, const Board *board, const Board *after, int count, int mover) noexcept nogil

cdef struct Seat:
    int kind
    const Net *net          # of a NETWORK
    float noise             # the standard deviation of what is added to its equities
    Choose choose           # of a CALLER, and what it is given
    void *context

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

# Pairs of games with the same dice, `first` as White and then `second`. What `first` scores goes to scores[2 * pairs], how many
# turns they took to turns[2 * pairs]. `begin`: the number of the first pair, by which and by `seed` the dice are known. `desk` is
# for rules without stages, `levels` for those with; the other may be NULL.
cdef void play_pairs_of(
    const Seat *first, const Seat *second, const Rules *rules, uint64_t seed, int64_t begin, int pairs, int16_t *scores,
    int32_t *turns, Desk *desk, Levels *levels
) noexcept nogil
