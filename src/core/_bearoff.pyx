"""Look-ups in the bear-off tables: nogil functions over plain structs, and the classes that keep the memory they point into."""

from libc.stdint cimport int8_t, int32_t, uint32_t

from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._bearoff_spreads cimport (
    HOME_SIZE, NOWHERE, Spread, begin_numbering, checkers_of, find_spread, first_turn, number_of, on_point,
)
from nardy_fast.core._track cimport FULL, NO_LAST_ROLL, Rules

cdef enum:
    WHITE = 0
    BLACK = 1

cdef double UNIT = 1.0 / (1 << 30)  # of the chances in the rows


# One side.

cdef double mean(const OneSidedTable *table, int32_t number, int aim) noexcept nogil:
    """The expected number of own turns, of ALL or FIRST."""
    return table.means[aim][number]


cdef void distribution(const OneSidedTable *table, int32_t number, int aim, double *chances) noexcept nogil:
    """Write the chance of each number of own turns, 0 to `table.turns`; added up, those of WITHIN are the greatest chances."""
    cdef const uint32_t *offsets = table.offsets[aim == FIRST]
    cdef const uint32_t *row = table.rows[aim] + offsets[number]
    cdef int turn, begin = first_turn(checkers_of(&table.numbering, number), aim == FIRST)
    cdef int end = begin + <int>(offsets[number + 1] - offsets[number])
    for turn in range(begin):
        chances[turn] = 0
    for turn in range(begin, end):
        chances[turn] = UNIT * row[turn - begin]
    for turn in range(end, table.turns + 1):
        chances[turn] = 0
    if number == 0:
        chances[0] = 1


cdef struct Course:                 # how one side gets on; [k + 1] is for the time after k of its turns, [0] for certainly before
    double done[MAX_TURNS + 3]      # the chance that it clears with that turn
    double left[MAX_TURNS + 3]      # that it has not cleared then
    double whole[MAX_TURNS + 3]     # that it has borne off none then, where that would be a mars


cdef void foresee(const OneSidedTable *table, int32_t number, int aim, int may_be_mars, Course *course) noexcept nogil:
    cdef int k
    course.done[0] = 0
    course.left[0] = 1
    course.whole[0] = may_be_mars
    distribution(table, number, aim, &course.done[1])
    course.done[table.turns + 2] = 0
    distribution(table, number, FIRST, &course.whole[1])
    course.whole[table.turns + 2] = 0
    for k in range(1, table.turns + 3):
        course.left[k] = course.left[k - 1] - course.done[k]
        course.whole[k] = course.whole[k - 1] - course.whole[k] if may_be_mars else 0


cdef void race(
    const OneSidedTable *table, const Rules *rules, int turn, int32_t mover, int32_t opponent, Chances *chances
) noexcept nogil:
    """What comes of two sides that each play for the soonest end of their own, whatever the other does (the latest, with `keep`).

    The player of colour `turn` is to move. A side that may lose with all its checkers on the board is judged, as to that, by the
    play that brings the first one off soonest. A last roll is played for the draw.
    """
    cdef Course own, his
    cdef int last_roll = rules.last_roll != NO_LAST_ROLL, counts = rules.last_roll == FULL
    cdef int own_last = last_roll and turn == BLACK, his_last = last_roll and turn == WHITE
    cdef double mine = 0, mine_mars = 0, theirs = 0, theirs_mars = 0, draw = 0
    cdef int k, mars = not rules.remaining
    foresee(
        table, mover, WITHIN if opponent == 0 else ALL,
        mars and checkers_of(&table.numbering, mover) == rules.checkers, &own,
    )
    foresee(table, opponent, ALL, mars and checkers_of(&table.numbering, opponent) == rules.checkers, &his)
    for k in range(1, table.turns + 2):
        # The mover clears with this turn, the opponent having had one turn fewer; then the opponent with his.
        mine += own.done[k] * his.left[k - 1 + his_last]
        mine_mars += own.done[k] * his.whole[k - 1 + (his_last and counts)]
        theirs += his.done[k] * own.left[k + own_last]
        theirs_mars += his.done[k] * own.whole[k + (own_last and counts)]
        draw += own.done[k] * his.done[k] if his_last else his.done[k] * own.done[k + 1] if own_last else 0
    # Both ends by distributions of their own can cross only where four checkers are all.
    mine_mars = min(mine_mars, mine)
    theirs_mars = min(theirs_mars, theirs)
    chances.draw = draw
    chances.win, chances.mars = (theirs, theirs_mars) if rules.keep else (mine, mine_mars)
    chances.loss, chances.lost_mars = (mine, mine_mars) if rules.keep else (theirs, theirs_mars)


cdef Py_ssize_t wrong_number(const int32_t[::1] numbers, int32_t spreads) noexcept nogil:
    """The first row whose number is none, or -1."""
    cdef Py_ssize_t i
    for i in range(numbers.shape[0]):
        if not 0 <= numbers[i] < spreads:
            return i
    return -1


cdef int check_numbers(str name, const int32_t[::1] numbers, int32_t spreads) except -1:
    """Raise `ValueError` for the first number that the table does not have."""
    cdef Py_ssize_t bad
    with nogil:
        bad = wrong_number(numbers, spreads)
    if bad >= 0:
        raise ValueError(f"{name}[{bad}] = {numbers[bad]}: expected 0 to {spreads - 1}, the number of a spread in the table")
    return 0


cdef class OneSidedNative:
    """A one-sided table in memory.

    `means` are two float64 arrays, `offsets` two and `rows` three uint32 arrays, as the builder writes them.
    """

    def __init__(self, int points, int turns, means, offsets, rows):
        cdef const double[::1] floats
        cdef const uint32_t[::1] integers
        self.sections = (means, offsets, rows)
        begin_numbering(&self.table.numbering, points)
        self.table.turns = turns
        for i, section in enumerate(means):
            floats = section
            self.table.means[i] = &floats[0]
        for i, section in enumerate(offsets):
            integers = section
            self.table.offsets[i] = &integers[0]
        for i, section in enumerate(rows):
            integers = section
            self.table.rows[i] = &integers[0]

    @property
    def spreads(self):
        """How many spreads there are."""
        return self.table.numbering.spreads

    @property
    def turns(self):
        """The last turn with any chance."""
        return self.table.turns

    def means(self, const int32_t[::1] numbers, int aim, double[::1] out):
        """Write the mean of each number to `out`."""
        cdef Py_ssize_t i
        check_numbers("numbers", numbers, self.table.numbering.spreads)
        with nogil:
            for i in range(numbers.shape[0]):
                out[i] = mean(&self.table, numbers[i], aim)

    def distributions(self, const int32_t[::1] numbers, int aim, double[:, ::1] out):
        """Write the distribution of each number to a row of `out`, turns + 1 wide."""
        cdef Py_ssize_t i
        check_numbers("numbers", numbers, self.table.numbering.spreads)
        with nogil:
            for i in range(numbers.shape[0]):
                distribution(&self.table, numbers[i], aim, &out[i, 0])

    def races(self, rules, const int32_t[::1] movers, const int32_t[::1] opponents, const int8_t[::1] turns, double[:, ::1] out):
        """Write win, mars, draw, loss and lost mars of each pair to a row of `out`; `turns` are the colours to move."""
        cdef CompiledRules compiled_rules = compiled(rules)
        cdef Chances chances
        cdef Py_ssize_t i
        check_numbers("movers", movers, self.table.numbering.spreads)
        check_numbers("opponents", opponents, self.table.numbering.spreads)
        with nogil:
            for i in range(movers.shape[0]):
                race(&self.table, &compiled_rules.rules, turns[i], movers[i], opponents[i], &chances)
                write(&chances, &out[i, 0])


cdef inline void write(const Chances *chances, double *out) noexcept nogil:
    out[0] = chances.win
    out[1] = chances.mars
    out[2] = chances.draw
    out[3] = chances.loss
    out[4] = chances.lost_mars


def read_numbers(const int8_t[:, :, ::1] boards, int side, int points, int32_t[::1] out):
    """Write the number of the spread in row `side` of each board; return the first board that has none, or -1."""
    cdef OneSidedTable table
    cdef Py_ssize_t i, bad = -1
    begin_numbering(&table.numbering, points)
    with nogil:
        for i in range(boards.shape[0]):
            out[i] = number_of(&table.numbering, &boards[i, side, 0])
            if out[i] == NOWHERE and bad < 0:
                bad = i
    return bad


def counts_of(int number, int points):
    """The checkers on points 1, 2 ... of the spread with this number."""
    cdef OneSidedTable table
    cdef Spread spread
    begin_numbering(&table.numbering, points)
    if not 0 <= number < table.numbering.spreads:
        raise ValueError(f"number = {number}: expected 0 to {table.numbering.spreads - 1}")
    find_spread(&table.numbering, number, &spread)
    return tuple([on_point(&spread, q) for q in range(1, points + 1)])


# Two sides.

cdef double plane_of(const TwoSidedTable *table, int turn, int32_t mover, int32_t opponent, int plane) noexcept nogil:
    """A plane that the table has, for the player of colour `turn`, who is to move."""
    cdef Py_ssize_t cell = ((turn if table.turns == 2 else 0) * <Py_ssize_t>table.spreads + mover) * table.spreads + opponent
    return table.unit[plane] * table.cells[cell * table.planes + table.plane[plane]]


cdef void look_up(const TwoSidedTable *table, int turn, int32_t mover, int32_t opponent, Chances *chances) noexcept nogil:
    """What comes of best play by both for the most points, for the player of colour `turn`, who is to move."""
    chances.draw = plane_of(table, turn, mover, opponent, DRAW) if table.plane[DRAW] >= 0 else 0
    chances.mars = plane_of(table, turn, mover, opponent, MARS) if table.plane[MARS] >= 0 else 0
    chances.lost_mars = plane_of(table, turn, mover, opponent, LOST_MARS) if table.plane[MARS] >= 0 else 0
    if table.plane[WIN] >= 0:
        chances.win = plane_of(table, turn, mover, opponent, WIN)
    else:
        chances.win = (1 - chances.draw + plane_of(table, turn, mover, opponent, EQUITY)) / 2
    chances.loss = 1 - chances.draw - chances.win


cdef void look_up_cube(const TwoSidedTable *table, int32_t mover, int32_t opponent, Equities *equities) noexcept nogil:
    """The equities of a table that knows the cube, each with best play and best use of the cube by both."""
    cdef double accepted
    equities.cubeless = plane_of(table, WHITE, mover, opponent, EQUITY)
    equities.centred_undoubled = plane_of(table, WHITE, mover, opponent, CENTRED)
    equities.owned_undoubled = plane_of(table, WHITE, mover, opponent, OWNED)
    equities.theirs = plane_of(table, WHITE, mover, opponent, THEIRS)
    equities.doubled = 2 * equities.theirs
    accepted = min(equities.doubled, 1)
    equities.centred = max(equities.centred_undoubled, accepted)
    equities.owned = max(equities.owned_undoubled, accepted)


cdef class TwoSidedNative:
    """A two-sided table in memory: `cells` is int32[turns, spreads, spreads, planes], as the builder writes it.

    `plane` tells where in a cell each kind of plane is, or -1, and `units` what its whole numbers count.
    """

    def __init__(self, const int32_t[:, :, :, ::1] cells, plane, units):
        self.cells = cells
        begin_numbering(&self.table.numbering, HOME_SIZE)
        self.table.turns = cells.shape[0]
        self.table.spreads = cells.shape[1]
        self.table.planes = cells.shape[3]
        self.table.cells = &cells[0, 0, 0, 0]
        for i in range(PLANES):
            self.table.plane[i] = plane[i]
            self.table.unit[i] = units[i]

    @property
    def spreads(self):
        """How many spreads each side can have."""
        return self.table.spreads

    def equities(self, const int32_t[::1] movers, const int32_t[::1] opponents, const int8_t[::1] turns, double[::1] out):
        """Write the equity without a cube of each pair of numbers to `out`; `turns` are the colours to move."""
        cdef Py_ssize_t i
        check_numbers("movers", movers, self.table.spreads)
        check_numbers("opponents", opponents, self.table.spreads)
        with nogil:
            for i in range(movers.shape[0]):
                out[i] = plane_of(&self.table, turns[i], movers[i], opponents[i], EQUITY)

    def cubes(self, const int32_t[::1] movers, const int32_t[::1] opponents, double[:, ::1] out):
        """Write the equities of each pair to a row of `out`, in the order of the struct; the table has a cube."""
        cdef Equities equities
        cdef Py_ssize_t i
        check_numbers("movers", movers, self.table.spreads)
        check_numbers("opponents", opponents, self.table.spreads)
        with nogil:
            for i in range(movers.shape[0]):
                look_up_cube(&self.table, movers[i], opponents[i], &equities)
                out[i, 0] = equities.cubeless
                out[i, 1] = equities.centred
                out[i, 2] = equities.owned
                out[i, 3] = equities.theirs
                out[i, 4] = equities.centred_undoubled
                out[i, 5] = equities.owned_undoubled
                out[i, 6] = equities.doubled

    def races(self, const int32_t[::1] movers, const int32_t[::1] opponents, const int8_t[::1] turns, double[:, ::1] out):
        """Write win, mars, draw, loss and lost mars of each pair to a row of `out`; `turns` are the colours to move."""
        cdef Chances chances
        cdef Py_ssize_t i
        check_numbers("movers", movers, self.table.spreads)
        check_numbers("opponents", opponents, self.table.spreads)
        with nogil:
            for i in range(movers.shape[0]):
                look_up(&self.table, turns[i], movers[i], opponents[i], &chances)
                write(&chances, &out[i, 0])
