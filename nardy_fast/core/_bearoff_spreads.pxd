"""Spreads: the ways in which the checkers of one side can stand on its last points, numbered, and single steps between them.

Point q, 1..10, is the one from which die q bears off exactly: slot 25 - q. A spread is told by how many checkers stand on point 1
or farther, on point 2 or farther, and so on; its number counts the spreads that come before it when those are put in order. So
fewer checkers come first, every step leads to a lower number, 0 is the empty board, and the spreads of up to m checkers are the
first ones whatever the table's limit. (GNU Backgammon numbers its bear-off positions in the same way.)

Inline only; compiled into each module that uses it.
"""

from libc.stdint cimport int8_t, int32_t


cdef enum:
    MAX_POINTS = 10
    MAX_CHECKERS = 15
    LAST_SLOT = 24
    HOME_SIZE = 6
    NOWHERE = -1

cdef struct Numbering:
    int points                      # 1..10, how many points the spreads may use
    int32_t spreads                 # how many spreads there are
    int32_t start[17]               # [m]: the first spread of m checkers; [16]: the number of spreads
    int32_t choose[26][11]          # binomial coefficients

cdef struct Spread:
    int32_t number
    int32_t reach[12]               # [q]: checkers on point q or farther; 0 beyond the last point
    int32_t drop[12]                # [q]: by how much the number falls when a checker on point q is borne off; drop[0] = 0


cdef inline void begin_numbering(Numbering *numbering, int points) noexcept nogil:
    cdef int n, k
    for n in range(26):
        for k in range(11):
            numbering.choose[n][k] = 1 if k == 0 else 0 if n == 0 else numbering.choose[n - 1][k - 1] + numbering.choose[n - 1][k]
    numbering.points = points
    for n in range(MAX_CHECKERS + 2):
        numbering.start[n] = numbering.choose[n + points - 1][points]
    numbering.spreads = numbering.start[MAX_CHECKERS + 1]


cdef inline int32_t number_of(const Numbering *numbering, const int8_t *row) noexcept nogil:
    """The number of a side's spread, from its row of a board; NOWHERE for a checker elsewhere or counts that make no sense."""
    cdef int slot, q, reach = 0
    cdef int32_t number = 0
    for slot in range(LAST_SLOT + 1 - numbering.points):
        if row[slot]:
            return NOWHERE
    for q in range(numbering.points, 0, -1):
        if row[LAST_SLOT + 1 - q] < 0:
            return NOWHERE
        reach += row[LAST_SLOT + 1 - q]
        if reach > MAX_CHECKERS:
            return NOWHERE
        number += numbering.choose[reach + numbering.points - q][numbering.points - q + 1]
    return number


cdef inline int checkers_of(const Numbering *numbering, int32_t number) noexcept nogil:
    """How many checkers the spread has."""
    cdef int checkers = 0
    while numbering.start[checkers + 1] <= number:
        checkers += 1
    return checkers


cdef inline void find_drops(const Numbering *numbering, Spread *spread, int first) noexcept nogil:
    """The drops from point `first` on, its `reach` having changed."""
    cdef int q
    for q in range(first, numbering.points + 1):
        spread.drop[q] = spread.drop[q - 1]
        if spread.reach[q]:
            spread.drop[q] += numbering.choose[spread.reach[q] - 1 + numbering.points - q][numbering.points - q]


cdef inline void find_spread(const Numbering *numbering, int32_t number, Spread *spread) noexcept nogil:
    """The spread with this number."""
    cdef int q, reach = MAX_CHECKERS
    cdef int32_t rest = number
    spread.number = number
    for q in range(12):
        spread.reach[q] = 0
        spread.drop[q] = 0
    for q in range(1, numbering.points + 1):
        while numbering.choose[reach + numbering.points - q][numbering.points - q + 1] > rest:
            reach -= 1
        rest -= numbering.choose[reach + numbering.points - q][numbering.points - q + 1]
        spread.reach[q] = reach
    find_drops(numbering, spread, 1)


cdef inline void next_spread(const Numbering *numbering, Spread *spread) noexcept nogil:
    """Go on to the spread with the next number."""
    cdef int q = numbering.points
    while q > 1 and spread.reach[q] == spread.reach[q - 1]:
        spread.reach[q] = 0
        q -= 1
    spread.reach[q] += 1
    spread.number += 1
    find_drops(numbering, spread, q)


cdef inline int on_point(const Spread *spread, int q) noexcept nogil:
    """The checkers on the point."""
    return spread.reach[q] - spread.reach[q + 1]


cdef inline int targets(
    const Numbering *numbering, const Spread *spread, int die, int exact, int stack_limit, int32_t *found
) noexcept nogil:
    """Write the numbers of the spreads that one step by the die leads to; return how many, at most 10 (rulebook, section 1)."""
    cdef int q, n = 0
    for q in range(die + 1, numbering.points + 1):
        if on_point(spread, q) and on_point(spread, q - die) < stack_limit:
            found[n] = spread.number - (spread.drop[q] - spread.drop[q - die])
            n += 1
    if spread.reach[HOME_SIZE + 1]:
        return n            # not all home
    if on_point(spread, die):
        found[n] = spread.number - spread.drop[die]
        n += 1
    elif not exact and not spread.reach[die] and spread.reach[1]:
        q = die - 1
        while not spread.reach[q]:
            q -= 1
        found[n] = spread.number - spread.drop[q]
        n += 1
    return n


cdef inline int first_turn(int checkers, int first) noexcept nogil:
    """The turn with which stored rows begin: nobody bears off more than four checkers a turn. `first`: those of FIRST."""
    return 1 if first or checkers == 0 else (checkers + 3) // 4
