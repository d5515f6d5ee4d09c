"""Doubles: up to four steps of one die."""

from libc.stdint cimport int16_t, uint8_t, uint32_t

from nardy_fast._track cimport Board, Play, Turn


cdef enum:
    MAX_STEMS = 680         # fifteen checkers share three steps in at most C(15 + 3 - 1, 3) ways

cdef struct Stem:           # bags of sources that differ only in the last, the foremost
    uint32_t lasts          # that last source: any of these slots
    int16_t before          # how many bags the stems before this one have
    uint8_t source[3]       # the others, from the rear forward

cdef struct Bags:           # the plays of a double in which the order of the steps does not matter
    int die
    int steps               # of each play: 1..4
    int count               # distinct afterstates: 0 where nothing can be played
    int stems
    Stem stem[680]          # MAX_STEMS

cdef void gather_bags(const Turn *turn, int die, int steps, Bags *bags) noexcept nogil
cdef void most_bags(const Turn *turn, int die, Bags *bags) noexcept nogil
cdef void pick_bag(const Bags *bags, int index, Play *play) noexcept nogil
cdef int list_bags(const Bags *bags, Play *plays) noexcept nogil
cdef int orders_matter(const Turn *turn, int die) noexcept nogil
cdef int search_double(const Turn *turn, int die, Bags *bags, Play *plays) noexcept nogil
cdef void write_bags(const Bags *bags, const Board *board, int contrary, Board *after) noexcept nogil
