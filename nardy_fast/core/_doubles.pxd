"""Doubles: up to four steps of one die."""

from libc.stdint cimport int8_t, uint32_t, uint64_t

from nardy_fast.core._boards cimport Stem
from nardy_fast.core._track cimport Board, Play, Turn


cdef enum:
    MAX_STEMS = 680         # of sources: fifteen checkers share three steps in at most C(15 + 3 - 1, 3) ways

cdef struct Givers:         # the mover's side as the bags see it
    uint32_t one            # slots that hold at least one checker,
    uint32_t two
    uint32_t three
    uint32_t four           # at least four: more steps than that do not ask
    uint32_t into           # slots from which a step ends on a point that is open
    uint32_t first          # slots that must be emptied before others give: the bar, or none
    int may_bear_off
    int exact

cdef struct Link:           # a slot that may give checkers, in the chain of slots a die apart
    uint64_t ways[5]        # ways[n]: with n steps from here, by the steps up to here; see _doubles.pyx
    int8_t source           # the slot
    int8_t available        # checkers that stand there: up to 4

cdef struct Bags:           # the plays of a double in which the order of the steps does not matter
    int die
    int steps               # of each play: 1..4
    int count               # distinct afterstates: 0 where nothing can be played
    int stems               # 0: only counted so far
    uint32_t blots          # slots where a landing hits
    int entered             # counted: steps from the bar, before the links
    int links
    Givers givers
    Link link[24]
    Stem stem[681]          # MAX_STEMS and one

cdef void find_givers(const Turn *turn, int die, Bags *bags) noexcept nogil
cdef void gather_bags(Bags *bags, int steps) noexcept nogil
cdef void most_bags(const Turn *turn, int die, bint to_list, Bags *bags) noexcept nogil
cdef void pick_bag(const Bags *bags, int index, Play *play) noexcept nogil
cdef int list_bags(Bags *bags, Play *plays) noexcept nogil
cdef int orders_matter(const Turn *turn, int die) noexcept nogil
cdef int search_double(const Turn *turn, int die, Bags *bags, Play *plays) noexcept nogil
cdef void write_bags(Bags *bags, const Board *board, Board *after) noexcept nogil
