"""Building the one-sided bear-off table: for each spread of one side's checkers, the best play of each roll and what comes of it.

Best plays come from partial plays: for each spread and die, the best spread that exactly one, two or three steps of that die
lead to. Every step leads to a lower number, so that in order of number each needs only what is known already; a play of a roll is
one step and then a partial play. The plays of the greatest total count (rulebook, section 1, Obligation): those of both dice, or
else of the larger, or else of the smaller; of a double, as many steps as possible. A play ends when the board is empty: spread 0
goes on to itself. A pass, where the rules know one, leaves the spread as it is.

Costs are what the play makes as small as it can.
"""

from libc.math cimport fabs, lrint
from libc.stdint cimport int32_t, uint16_t, uint32_t

from nardy_fast.core._bearoff_spreads cimport (
    NOWHERE, Numbering, Spread, begin_numbering, find_spread, first_turn, next_spread, targets,
)

cdef enum:
    ROLLS = 21
    MIXED = 6                       # the rolls: six doubles, then the mixed ones
    PARTIALS = 18                   # of a spread: for each die, after one, two and three steps
    UNIT = 1 << 30                  # a chance of 1, as stored

cdef double TIE = 1e-11             # costs that differ by less are equal: rounding, never play, makes a difference so small

cdef struct Choice:
    int32_t number                  # the best spread so far, or NOWHERE
    double cost


cdef inline void consider(Choice *choice, int32_t number, const double *costs, int32_t floor) noexcept nogil:
    """Take the spread if it is better, or as good and lower; those below the floor cost nothing."""
    cdef double cost
    if number == NOWHERE:
        return
    cost = costs[number] if number >= floor else 0
    if choice.number == NOWHERE or cost < choice.cost - TIE or cost <= choice.cost + TIE and number < choice.number:
        choice.number = number
        choice.cost = cost


cdef class Solver:
    """The rules of bearing off on so many points, and the work space for finding best plays.

    `partials` is int32[spreads, 18].
    """

    cdef Numbering numbering
    cdef bint exact
    cdef int stack_limit
    cdef int32_t[:, ::1] partials

    def __init__(self, int points, bint exact, int stack_limit, int32_t[:, ::1] partials):
        begin_numbering(&self.numbering, points)
        self.exact = exact
        self.stack_limit = stack_limit
        if partials.shape[0] != self.numbering.spreads or partials.shape[1] != PARTIALS:
            raise ValueError(f"partials: expected {self.numbering.spreads} rows of {PARTIALS}")
        self.partials = partials

    def targets(self, int number, int die):
        """The spreads that one step by the die leads to."""
        cdef Spread spread
        cdef int32_t found[10]
        cdef int n
        find_spread(&self.numbering, number, &spread)
        n = targets(&self.numbering, &spread, die, self.exact, self.stack_limit, found)
        return [found[i] for i in range(n)]

    cdef void choose(self, const Spread *spread, const double *costs, int32_t floor, int32_t *best) noexcept nogil:
        """Write the best spread after each roll, and the partial plays of this spread."""
        cdef Choice steps[4]
        cdef Choice mixed[15]
        cdef int32_t found[10]
        cdef int32_t *own = &self.partials[spread.number, 0]
        cdef const int32_t *after
        cdef int die, other, n, i, pair
        for pair in range(15):
            mixed[pair].number = NOWHERE
        for die in range(1, 7):
            for i in range(4):
                steps[i].number = NOWHERE
            n = targets(&self.numbering, spread, die, self.exact, self.stack_limit, found)
            for i in range(n):
                after = &self.partials[found[i], 0]
                consider(&steps[0], found[i], costs, floor)
                consider(&steps[1], after[3 * die - 3], costs, floor)
                consider(&steps[2], after[3 * die - 2], costs, floor)
                consider(&steps[3], after[3 * die - 1], costs, floor)
                for other in range(1, 7):
                    if other != die:
                        consider(&mixed[pair_of(die, other)], after[3 * other - 3], costs, floor)
            own[3 * die - 3] = steps[0].number
            own[3 * die - 2] = steps[1].number
            own[3 * die - 1] = steps[2].number
            best[die - 1] = spread.number
            for i in range(4):
                if steps[i].number != NOWHERE:
                    best[die - 1] = steps[i].number
        for die in range(2, 7):
            for other in range(1, die):
                pair = pair_of(die, other)
                best[MIXED + pair] = mixed[pair].number
                if best[MIXED + pair] == NOWHERE:
                    best[MIXED + pair] = own[3 * die - 3]
                if best[MIXED + pair] == NOWHERE:
                    best[MIXED + pair] = own[3 * other - 3]
                if best[MIXED + pair] == NOWHERE:
                    best[MIXED + pair] = spread.number

    def expect(self, double turn, bint first, double[::1] costs, int32_t[:, ::1] best, int begin, int end):
        """Fill in the expected cost of the spreads `begin` to `end` - 1, those before being known, and the best plays.

        A turn costs `turn`: 1 to finish soon, -1 to finish late. `first`: a side is finished once it has borne off one checker,
        not all. `best` is int32[spreads, 21].
        """
        cdef Spread spread
        cdef int32_t number, floor = 0
        cdef int32_t *plays
        cdef double total
        cdef int passes, weight, roll
        with nogil:
            find_spread(&self.numbering, begin, &spread)
            for number in range(begin, end):
                if first:
                    floor = self.numbering.start[spread.reach[1]]
                plays = &best[number, 0]
                if number == 0:
                    costs[0] = 0
                    for roll in range(PARTIALS):
                        self.partials[0, roll] = 0
                    for roll in range(ROLLS):
                        plays[roll] = 0
                else:
                    self.choose(&spread, &costs[0], floor, plays)
                    total = 0
                    passes = 0
                    for roll in range(ROLLS):
                        weight = 1 if roll < MIXED else 2
                        if plays[roll] == number:
                            passes += weight
                        elif plays[roll] >= floor:
                            total += weight * costs[plays[roll]]
                    costs[number] = (36 * turn + total) / (36 - passes)
                if number + 1 < self.numbering.spreads:
                    next_spread(&self.numbering, &spread)

    def within(self, const double[::1] before, double[::1] costs, int begin, int end):
        """Fill in the costs of having one turn more than in `before`, with the plays that make them smallest."""
        cdef Spread spread
        cdef int32_t number
        cdef int32_t plays[ROLLS]
        cdef double doubles, mixed
        cdef int roll
        with nogil:
            find_spread(&self.numbering, begin, &spread)
            for number in range(begin, end):
                if number == 0:
                    costs[0] = before[0]
                else:
                    self.choose(&spread, &before[0], 0, plays)
                    doubles = mixed = 0
                    for roll in range(MIXED):
                        doubles += before[plays[roll]]
                    for roll in range(MIXED, ROLLS):
                        mixed += before[plays[roll]]
                    costs[number] = (doubles + 2 * mixed) / 36
                if number + 1 < self.numbering.spreads:
                    next_spread(&self.numbering, &spread)


cdef inline int pair_of(int die, int other) noexcept nogil:
    """The place of a mixed roll among the mixed ones: 2-1, 3-1, 3-2, 4-1 ..."""
    return (die - 1) * (die - 2) // 2 + other - 1 if die > other else (other - 1) * (other - 2) // 2 + die - 1


def one_turn_more(
    const int32_t[:, ::1] best, bint first, int points, const double[::1] before, double[::1] chances, int begin, int end
):
    """Fill in the chances to be finished within one turn more than in `before`, by these plays."""
    cdef Numbering numbering
    cdef int32_t number, floor = 0, play
    cdef double doubles, mixed
    cdef int roll, checkers = 0
    begin_numbering(&numbering, points)
    with nogil:
        for number in range(begin, end):
            while numbering.start[checkers + 1] <= number:
                checkers += 1
            if first:
                floor = numbering.start[checkers]
            doubles = mixed = 0
            for roll in range(ROLLS):
                play = best[number, roll]
                if roll < MIXED:
                    doubles += before[play] if play >= floor else 1
                else:
                    mixed += before[play] if play >= floor else 1
            chances[number] = (doubles + 2 * mixed) / 36


def mark_certain(const double[::1] chances, int turns, uint16_t[::1] last):
    """Note this turn for the spreads whose chance to be finished within it is 1 as stored; return how many are left."""
    cdef Py_ssize_t number, left = 0
    with nogil:
        for number in range(1, chances.shape[0]):
            if last[number] == 0:
                if lrint(fabs(chances[number]) * UNIT) == UNIT:
                    last[number] = turns
                else:
                    left += 1
    return left


def store_turn(
    const double[::1] chances, int turns, bint first, int points, const uint16_t[::1] last, const uint32_t[::1] offsets,
    uint32_t[::1] stored, uint32_t[::1] rows,
):
    """Write, to the row of each spread, the chance to be finished in exactly so many turns.

    `chances`, of either sign, are those within so many turns; `stored` what the rows add up to so far. Adding up what is written
    gives the chances within each number of turns, correctly rounded. The row of a spread covers the turns from
    `first_turn` to its `last`.
    """
    cdef Numbering numbering
    cdef Py_ssize_t number
    cdef uint32_t total
    cdef int checkers = 1, begin = 1
    begin_numbering(&numbering, points)
    with nogil:
        for number in range(1, chances.shape[0]):
            while numbering.start[checkers + 1] <= number:
                checkers += 1
                begin = first_turn(checkers, first)
            if begin <= turns <= last[number]:
                total = UNIT if turns == last[number] else <uint32_t>lrint(fabs(chances[number]) * UNIT)
                total = max(total, stored[number])
                rows[offsets[number] + turns - begin] = total - stored[number]
                stored[number] = total


def row_begin(int checkers, bint first):
    """The turn with which the rows of spreads of so many checkers begin."""
    return first_turn(checkers, first)
