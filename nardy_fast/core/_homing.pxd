"""Mixed rolls with at most one checker outside the home, where a step by one die may let the other bear off: by bit sets too.

Each order of the dice has a square of eight by eight bits: byte i, bit j is a step by the first die from the slot of number i
and then one by the second from that of number j. Slots 19 to 24 have the numbers 1 to 6; 0 is the checker outside, wherever it
stands. So bit 0 of byte 0 is a run: that checker by both dice, still outside after the first.

What reaches the same afterstate (see `_mixed`) is kept once, where the search would find it first. Inline only; compiled into
each module that uses it.
"""

from libc.stdint cimport uint32_t, uint64_t

from nardy_fast.core._bits cimport lowest, nth, size, sizes
from nardy_fast.core._mixed cimport two_steps
from nardy_fast.core._track cimport HEAD, NO_LIMIT, OUTSIDE, POINTS, Play, Turn, rotated, sixes, sources


cdef enum:
    BEFORE_HOME = 18        # slot 18 + n has the number n
    NUMBERS = 7
    ROW = 0x7F              # all of them
    HOME_ROW = 0x7E         # without the checker outside

cdef struct Homing:         # the plays of such a roll
    uint64_t high_first     # the square of the larger die and then the smaller
    uint64_t low_first      # that of the smaller and then the larger, without what the other has
    int count               # of both
    int high                # the dice
    int low
    int outsider            # the slot of the checker outside; 0 if there is none


cdef inline int homing_suffices(const Turn *turn, int high, int low, Homing *homing) noexcept nogil:
    """Fill `homing` and return 1; or return 0 where more is outside, nothing uses both dice, or a block or such is at stake."""
    cdef uint32_t own = turn.own, outside = own & OUTSIDE, runs, low_runs, same_runs
    cdef uint64_t high_first, low_first, again, again_low = 0
    cdef int outsider, halfway
    if outside & (outside - 1) or outside & ~turn.single or turn.runner or turn.rules.stack_limit != NO_LIMIT:
        return 0
    if turn.forbidden_blocks:
        if sixes(rotated((own | own << high | own << low | own << (high + low)) & POINTS)) & turn.forbidden_blocks:
            return 0
    outsider = lowest(outside) if outside else 0
    high_first = order_of(turn, high, low, outsider, &runs)
    low_first = order_of(turn, low, high, outsider, &low_runs)
    # A run by the smaller die first equals that by the larger first, unless they hit; so does what fills the slot it passes.
    same_runs = runs & ~(turn.blots >> high | turn.blots >> low)
    again = both_off(low) | diagonal(same_runs >> BEFORE_HOME & HOME_ROW) << 8 * low
    if outside & same_runs:
        halfway = number_of(outsider + low)
        if halfway:
            again |= <uint64_t>1 << 8 * halfway
        else:
            again_low = 1
    homing.high_first = high_first & ~again
    homing.low_first = low_first & ~(transposed(high_first | again) & ~<uint64_t>1 | again_low)
    homing.count = (
        sizes(homing.high_first, homing.high_first >> 32) + sizes(homing.low_first, homing.low_first >> 32)
    )
    homing.high = high
    homing.low = low
    homing.outsider = outsider
    return homing.count != 0


cdef inline uint64_t order_of(const Turn *turn, int first, int second, int outsider, uint32_t *runs) noexcept nogil:
    """The square of this order of the dice; `runs`: the slots from which one checker plays both so."""
    cdef uint32_t firsts = sources(turn, turn.own, 0, 0, first), here, there, seconds
    cdef uint64_t square = 0, row
    cdef int source
    runs[0] = 0
    while firsts:
        here = firsts & (0 - firsts)
        firsts ^= here
        source = lowest(here)
        there = here << first & POINTS
        seconds = sources(turn, turn.own & ~(here & turn.single) | there, 0, source == HEAD, second)
        row = seconds >> BEFORE_HOME & HOME_ROW | seconds >> outsider & 1
        if seconds & there:
            runs[0] |= here
            row |= (there & OUTSIDE) != 0
        square |= row << 8 * number_of(source)
    return square


cdef inline int number_of(int slot) noexcept nogil:
    return slot - BEFORE_HOME if slot > BEFORE_HOME else 0


cdef inline uint64_t diagonal(uint32_t row) noexcept nogil:
    """Bit n of byte n for each number n of the row."""
    return row * <uint64_t>0x0101010101010101U & <uint64_t>0x8040201008040201U


cdef inline uint64_t transposed(uint64_t square) noexcept nogil:
    """Rows for columns: single bits across the diagonal, then squares of two by two, then of four by four."""
    cdef uint64_t swap = (square ^ square >> 7) & <uint64_t>0x00AA00AA00AA00AAU
    square ^= swap ^ swap << 7
    swap = (square ^ square >> 14) & <uint64_t>0x0000CCCC0000CCCCU
    square ^= swap ^ swap << 14
    swap = (square ^ square >> 28) & <uint64_t>0x00000000F0F0F0F0U
    return square ^ swap ^ swap << 28


cdef inline uint64_t both_off(int low) noexcept nogil:
    """Two that are borne off, the farther back by the smaller die. By the larger it can go too, and then goes first."""
    cdef uint64_t columns = ROW << NUMBERS - low & ROW
    return columns * <uint64_t>0x0101010101010101U & <uint64_t>0x003E1E0E06020000U


cdef inline void play_of(const Homing *homing, bint high_first, int here, int there, Play *play) noexcept nogil:
    """The play of a bit of a square."""
    cdef int first = homing.high if high_first else homing.low, second = homing.low if high_first else homing.high
    cdef int source = BEFORE_HOME + here if here else homing.outsider
    cdef int source2 = BEFORE_HOME + there if there else homing.outsider if here else source + first
    two_steps(play, source, first, source2, second)


cdef inline void pick_homing(const Homing *homing, int index, Play *play) noexcept nogil:
    """The play that `index` (0 to count - 1) others precede, in the order of `list_homing`."""
    cdef uint64_t square = homing.high_first
    cdef int before = sizes(square, square >> 32), here = 0
    cdef bint high_first = index < before
    if not high_first:
        square = homing.low_first
        index -= before
    while index >= size(square & ROW):
        index -= size(square & ROW)
        square >>= 8
        here += 1
    play_of(homing, high_first, here, nth(square & ROW, index), play)


cdef inline void list_homing(const Homing *homing, Play *plays) noexcept nogil:
    """Write every play: first those by the larger die first, the rear slots before the others."""
    plays = list_square(homing, True, homing.high_first, plays)
    list_square(homing, False, homing.low_first, plays)


cdef inline Play *list_square(const Homing *homing, bint high_first, uint64_t square, Play *plays) noexcept nogil:
    """Write the plays of a square, and return where the next goes."""
    cdef uint32_t row
    cdef int here = 0
    while square:
        row = square & ROW
        while row:
            play_of(homing, high_first, here, lowest(row), plays)
            row &= row - 1
            plays += 1
        square >>= 8
        here += 1
    return plays
