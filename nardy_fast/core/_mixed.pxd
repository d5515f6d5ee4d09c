"""Mixed rolls. Where nothing but the two dice matters, the plays are counted and picked by bit sets, without a search."""

from libc.stdint cimport uint32_t

from nardy_fast.core._track cimport Board, Play, Turn


cdef struct Pairs:          # the plays of a mixed roll in which no step touches another's legality
    int high                # the dice
    int low
    int dice_used           # 2, 1 or 0
    int count               # distinct afterstates, at least 1
    int entering            # 1: a checker must enter first, so every pair has slot 0
    uint32_t by_high        # sources of the larger die
    uint32_t by_low         # sources of the smaller
    uint32_t blots          # slots where a landing hits
    uint32_t not_both       # slots that cannot give a checker to each die
    uint32_t run_high       # slots from which one checker plays both dice, the larger first
    uint32_t run_low        # the same, the smaller first
    uint32_t run_twice      # where these two differ in whom they hit

cdef int pairs_suffice(const Turn *turn, int high, int low, Pairs *pairs) noexcept nogil
cdef void pick_pair(const Pairs *pairs, int index, Play *play) noexcept nogil
cdef int list_pairs(const Pairs *pairs, Play *plays) noexcept nogil
cdef void put_pair_in_order(const Pairs *pairs, Play *play) noexcept nogil
cdef int search_mixed(const Turn *turn, int high, int low, Play *plays) noexcept nogil
cdef void write_pairs(const Pairs *pairs, const Board *board, Board *after) noexcept nogil
