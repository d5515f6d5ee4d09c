"""Boards after steps: one after another, or the boards after all plays of a roll at once."""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from nardy_fast.core._bits cimport bit, lowest
from nardy_fast.core._track cimport BAR, HEAD, HOME, OFF, SLOTS, Board
from nardy_fast.core._wide cimport Wide, held, hit, load, shift, store, swapped


cdef struct Moving:         # a board that is changed by legal steps, both sides
    Wide wide
    uint64_t blots          # where a landing hits: bit 31 - slot, so that beyond the last point there are none


cdef inline Moving moving(const Board *board, int contrary) noexcept nogil:
    """The board before the first step. Steps being legal, wherever an opponent stands there is just one."""
    cdef Moving start
    start.wide = load(board)
    start.blots = (held(&start.wide, 1) >> SLOTS & ~bit(BAR)) << 31 - OFF if contrary else 0
    return start


cdef inline Moving moved(Moving board, int source, int die) noexcept nogil:
    """The board after a step; a single opponent it lands on goes to his slot 0."""
    cdef int place = 31 - source - die
    shift(&board.wide, source, die)
    if board.blots >> place & 1:
        hit(&board.wide, OFF - source - die)
        board.blots ^= <uint64_t>1 << place
    return board


cdef inline void turn_round(Board *board) noexcept nogil:
    """Swap the rows."""
    cdef Wide wide = load(board), turned = swapped(&wide)
    store(&turned, board)


cdef inline Moving sent_home(Moving board, int die) noexcept nogil:
    """The board after a checker of the head went straight to slot 25 - die, by steps whose landings cancel out."""
    shift(&board.wide, HEAD, 6)
    shift(&board.wide, HEAD + 6, 6)
    shift(&board.wide, HEAD + 12, 6)
    if die < 6:
        shift(&board.wide, HOME, 6 - die)
    return board


cdef struct Prefix:           # plays that differ only in the source of the last step
    uint32_t lasts          # that source: any of these slots
    int16_t before          # how many plays the prefixes before this one have
    uint8_t source[3]       # those of the other steps; OFF where there is none


cdef inline void write_prefixes(
    const Board *board, uint32_t blots, const Prefix *prefix, int shared, int die, int last_die, int count, Board *after
) noexcept nogil:
    """Write the board after each of the `count` plays of some prefixes: `shared` sources that give by `die`, one by `last_die`.

    `blots` are the slots where a landing hits. What the plays of a prefix share, hits too, is done once for them all.
    """
    cdef Wide start = load(board), stem, end
    cdef uint32_t lasts, hits, hit_last     # hit_last: sources of the last step
    cdef int number = 0, source, i
    while number < count:
        stem = start
        hits = 0
        for i in range(shared):
            shift(&stem, prefix.source[i], die)
            hits |= bit(prefix.source[i] + die)
        hits &= blots
        hit_last = (blots ^ hits) >> last_die
        while hits:
            hit(&stem, OFF - lowest(hits))
            hits &= hits - 1
        lasts = prefix.lasts
        while lasts:
            source = lowest(lasts)
            lasts &= lasts - 1
            end = stem
            shift(&end, source, last_die)
            if hit_last >> source & 1:
                hit(&end, OFF - source - last_die)
            store(&end, &after[number])
            number += 1
        prefix += 1
