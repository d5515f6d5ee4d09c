"""Networks that judge positions: look-ups in weights, without Python objects and without the GIL.

    from nardy_fast.players._network cimport Net, NetworkNative, Desk, new_desk, free_desk, best_play, judge

A network tells the chance of each result that its rules know, in signed points of one player. It has one hidden layer, and
weights of its own for each phase (_encoding). Its structs point into memory that a NetworkNative keeps: the `native` attribute
of a nardy_fast.players.Network. The rules core knows nothing of networks.
"""

from libc.stdint cimport int8_t, uint32_t

from nardy_fast.core._core cimport Board, PlaySet, Rules
from nardy_fast.core._encoding cimport MAX_DENSE, PHASES

cdef enum:
    MAX_HIDDEN = 1024      # the width is a multiple of BLOCK up to this
    BLOCK = 64
    MAX_RESULTS = 32

cdef struct Net:
    Rules rules
    int results             # how many the rules know, 2..31
    float points[32]        # of each, ascending: those of the player who moved
    int8_t at[31]           # the number of the result of so many points, plus 15; -1 where there is none
    uint32_t all_results    # a bit for each
    int needs_look          # 1: not all of them can happen on every board from which nobody has borne off
    int hidden
    int dense               # inputs beside the SPARSE ones
    int inputs              # columns of the first layer: SPARSE, dense, and one that is always 1
    float *first            # [phase][inputs][hidden]
    float *second           # [phase][results][hidden]
    float *second_bias      # [phase][results]

cdef struct Base:           # the first layer's sums of one board, from which those of boards near it follow
    const Board *board
    int mover
    int known[2]            # [phase]
    float sums[2][1024]
    int phase               # of the board itself
    float dense[48]

cdef struct Desk:           # what one thread needs to pick plays
    PlaySet play_set
    Base base
    Board after[3060]

cdef Desk *new_desk() except NULL nogil
cdef void free_desk(Desk *desk) noexcept nogil

# All boards below are after a play, row 0 having moved; `mover`: 0 White, 1 Black, -1 unknown (nobody then has a last roll).

# Whether the play from `before` (which may be `moved` where no last roll is due) has ended the game; `scored` gets what it is
# worth to the mover.
cdef int ended(const Board *before, const Board *moved, const Rules *rules, int mover, int *scored) noexcept nogil

# The results that can still happen, a bit each; the game is not over.
cdef uint32_t possible(const Net *net, const Board *moved, int mover, int contact) noexcept nogil

# The chance of each result, to chances[0..31], in the points of the mover; their mean.
cdef float judge(const Net *net, const Board *moved, int mover, float *chances) noexcept nogil

# The same for a board before the throw of the player in row 0, `turn`, and in his points. A finished one is exact.
cdef float judge_waiting(const Net *net, const Board *board, int turn, float *chances) noexcept nogil

# The chances from the view of the other player, in place.
cdef void turned_round(const Net *net, float *chances) noexcept nogil

# The same as `judge` by what has changed against the base's board.
cdef void begin_base(Base *base, const Board *board, int mover) noexcept nogil
cdef float judge_near(const Net *net, Base *base, const Board *moved, int mover, float *chances) noexcept nogil

# The number, in the order of `write_boards`, of the play that is best for the player to move; desk.after has the boards. Of equal
# ones the smallest board. `rules` are those of the game, on the road of the network's; `chances`, of the mover, may be NULL.
cdef int best_play(
    const Net *net, const Board *board, const Rules *rules, int mover, int high, int low, Desk *desk,
    float *equity, float *chances,
) noexcept nogil

# One step down the gradient of the cross entropy between the chances and `target`; the chances before it go to `chances`.
cdef void learn(
    const Net *net, const Board *moved, int mover, const float *target, float rate, float *chances
) noexcept nogil


cdef class NetworkNative:
    cdef Net net
    cdef object ruleset
    cdef object arrays              # what the net points into

    cdef int judge_all(self, Base *base, int mover, after, out, equity) except -1
