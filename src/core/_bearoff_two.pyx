"""Building the two-sided bear-off table: for each pair of spreads, what the side to move can expect.

A cell is a few doubles, seen by the side to move before it throws: the equity without a cube, on contrary roads the equities with
one, and the chances that the equity does not tell. A play is worth the opposite of what it leaves to the other side, so that a
cell needs only those with lower numbers, or, after a pass, its own mirror image: then both are worked out again until they stand.

The plays are those of the core's own generator, on a board whose other side is far away (rulebook, section 1).
"""

from libc.math cimport INFINITY, lrint
from libc.stdint cimport int32_t
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._bearoff cimport CENTRED, DRAW, EQUITY, LOST_MARS, MARS, OWNED, PLANES, THEIRS, WIN
from nardy_fast.core._core cimport Board, PlaySet, Rules, generate_plays, move, points
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._bearoff_spreads cimport (
    HOME_SIZE, Numbering, Spread, begin_numbering, checkers_of, find_spread, next_spread, number_of, on_point,
)
from nardy_fast.core._track cimport FULL, LAST, NO_LAST_ROLL, NO_LIMIT, OFF

cdef enum:
    ROLLS = 21
    BLACK = 1
    WITH_CUBE = 4                   # EQUITY, CENTRED, OWNED and THEIRS: planes with best plays of their own
    MAX_REPEATS = 10000            # of a pair of cells that need each other; a few hundred are plenty

cdef double TIE = 1e-11             # equities that differ by less are equal: rounding, never play, makes a difference so small


def list_plays(rules, int checkers, int32_t[::1] begins, int32_t[::1] plays):
    """Fill in the plays of each spread of up to so many checkers, as the spreads that they lead to, in rising order.

    `begins` is int32[21 * spreads + 1]: where the plays of each roll of each spread begin, the rolls in the order of rules.ROLLS.
    `plays` may be None: then only `begins` is filled in, whose last entry tells how long `plays` must be.
    """
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef const Rules *native = &compiled_rules.rules
    cdef const Rules *followed
    cdef Rules unlimited = native[0]
    cdef Numbering numbering
    cdef Spread spread
    cdef Board board, after
    cdef PlaySet play_set
    cdef int32_t number, at = 0
    cdef int high, low, n, i, place = 0
    begin_numbering(&numbering, HOME_SIZE)
    find_spread(&numbering, 0, &spread)
    memset(&board, 0, sizeof(Board))
    board.row[1][OFF] = native.checkers         # in nobody's way
    unlimited.stack_limit = NO_LIMIT
    for number in range(numbering.start[checkers + 1]):
        if number:
            next_spread(&numbering, &spread)
        followed = native
        for i in range(1, HOME_SIZE + 1):
            board.row[0][OFF - i] = on_point(&spread, i)
            if on_point(&spread, i) > native.stack_limit:
                followed = &unlimited           # no spread of a game, but a number of the table all the same
        board.row[0][OFF] = native.checkers - spread.reach[1]
        for high in range(1, 7):
            for low in range(1, high + 1):
                begins[place] = at
                place += 1
                if number == 0:
                    continue
                n = generate_plays(&board, followed, high, low, &play_set)
                for i in range(n):
                    if plays is not None:
                        after = board
                        move(&after, followed, &play_set.plays[i])
                        plays[at + i] = number_of(&numbering, after.row[0])
                if plays is not None:
                    sort(&plays[at], n)
                at += n
    begins[place] = at


cdef void sort(int32_t *numbers, int n) noexcept nogil:
    """In rising order; there are few."""
    cdef int i, j
    cdef int32_t number
    for i in range(1, n):
        number = numbers[i]
        j = i
        while j and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number


cdef class Solver:
    """The rules and plays, and the cells that are being worked out.

    `begins` and `plays` are those of `list_plays`; `cells` is float64[turns, spreads, spreads, planes], all zero at first;
    `plane` tells for each kind of plane where in a cell it is, or -1. `undoubled`, float64[spreads, spreads, 2], takes the
    equities CENTRED and OWNED of a mover who does not double this turn, while those in the cells are the better of both; without
    a cube it may be of any size.
    """

    cdef Numbering numbering
    cdef CompiledRules compiled_rules
    cdef const int32_t[::1] begins
    cdef const int32_t[::1] plays
    cdef double[:, :, :, ::1] cells
    cdef double[:, :, ::1] undoubled
    cdef int spreads
    cdef int turns
    cdef int planes
    cdef int plane[PLANES]
    cdef double worth[16]           # what a loser pays who has so many checkers left
    cdef int whole                  # how many checkers a side has that has borne off none, where that makes a mars; or 0

    def __init__(
        self, rules, const int32_t[::1] begins, const int32_t[::1] plays, double[:, :, :, ::1] cells,
        double[:, :, ::1] undoubled, plane,
    ):
        cdef Board board
        cdef int i
        self.compiled_rules = compiled(rules)
        begin_numbering(&self.numbering, HOME_SIZE)
        self.begins = begins
        self.plays = plays
        self.cells = cells
        self.undoubled = undoubled
        self.turns = cells.shape[0]
        self.spreads = cells.shape[1]
        self.planes = cells.shape[3]
        for i in range(PLANES):
            self.plane[i] = plane[i]
        for i in range(16):
            memset(&board, 0, sizeof(Board))
            board.row[0][LAST] = i
            board.row[0][OFF] = self.compiled_rules.rules.checkers - i
            self.worth[i] = points(board.row[0], &self.compiled_rules.rules)
        self.whole = 0 if self.compiled_rules.rules.remaining else self.compiled_rules.rules.checkers

    def end(self):
        """Fill in the cells whose opponent has cleared, Black's last roll among them."""
        cdef int turn, mover
        with nogil:
            for turn in range(self.turns):
                for mover in range(1, self.spreads):
                    if turn == BLACK and self.compiled_rules.rules.last_roll != NO_LAST_ROLL:
                        self.last_roll(mover)
                    else:
                        self.over(turn, mover)

    def solve(self, int begin, int end):
        """Fill in the cells of two sides of which one has a spread from `begin` to `end` - 1 and the other none higher."""
        cdef int one, other, turn, _
        cdef bint again
        with nogil:
            for one in range(max(begin, 1), end):
                for other in range(1, one + 1):
                    for _ in range(MAX_REPEATS):
                        again = False
                        for turn in range(self.turns):
                            again |= self.work_out(turn, one, other)
                        for turn in range(self.turns):
                            again |= self.work_out(turn, other, one)
                        if not again:
                            break

    cdef void over(self, int turn, int mover) noexcept nogil:
        """The opponent has cleared, and the mover has lost, or with `keep` won."""
        cdef double *cell = &self.cells[turn, mover, 0, 0]
        cdef int checkers = checkers_of(&self.numbering, mover), won = self.compiled_rules.rules.keep, i
        for i in range(WITH_CUBE):
            if self.plane[i] >= 0:
                cell[self.plane[i]] = self.worth[checkers] if won else -self.worth[checkers]
        if self.plane[WIN] >= 0:
            cell[self.plane[WIN]] = won
        if self.plane[MARS] >= 0:
            cell[self.plane[MARS] if won else self.plane[LOST_MARS]] = checkers == self.whole

    cdef void last_roll(self, int mover) noexcept nogil:
        """White has cleared, and Black throws once more: a draw if he clears too; `full`: what he bears off counts."""
        cdef double *cell = &self.cells[BLACK, mover, 0, 0]
        cdef double equity, best = 0, total = 0, draws = 0, lost_mars = 0
        cdef int32_t play, chosen = 0
        cdef int roll, weight, left, e
        for roll in range(ROLLS):
            weight = weight_of(roll)
            for e in range(self.begins[ROLLS * mover + roll], self.begins[ROLLS * mover + roll + 1]):
                play = self.plays[e]
                left = checkers_of(&self.numbering, play if self.compiled_rules.rules.last_roll == FULL else mover)
                equity = -self.worth[left] if play else 0
                if e == self.begins[ROLLS * mover + roll] or equity > best + TIE:
                    best = equity
                    chosen = play
            total += weight * best
            if chosen:
                left = checkers_of(&self.numbering, chosen if self.compiled_rules.rules.last_roll == FULL else mover)
                lost_mars += weight * (left == self.whole)
            else:
                draws += weight
        cell[self.plane[EQUITY]] = total / 36
        cell[self.plane[DRAW]] = draws / 36
        if self.plane[MARS] >= 0:
            cell[self.plane[LOST_MARS]] = lost_mars / 36

    cdef bint work_out(self, int turn, int mover, int opponent) noexcept nogil:
        """Fill in the cell; return whether it must be done again because it needs its mirror image, which may have to follow."""
        cdef double *cell = &self.cells[turn, mover, opponent, 0]
        cdef const double *after = &self.cells[self.turns - 1 - turn, opponent, 0, 0]
        cdef double before[PLANES]
        cdef double sums[PLANES]
        cdef bint passes = False
        cdef int roll, i
        memcpy(before, cell, self.planes * sizeof(double))
        memset(sums, 0, sizeof(sums))
        for roll in range(ROLLS):
            i = ROLLS * mover + roll
            passes |= self.plays[self.begins[i]] == mover
            self.add_roll(
                after, &self.plays[self.begins[i]], self.begins[i + 1] - self.begins[i], weight_of(roll), sums
            )
        for i in range(self.planes):
            cell[i] = sums[i] / 36
        if self.plane[CENTRED] >= 0:
            self.offer_cube(cell, &self.undoubled[mover, opponent, 0])
        return passes and memcmp(before, cell, self.planes * sizeof(double)) != 0

    cdef inline void add_roll(
        self, const double *after, const int32_t *plays, int n, int weight, double *sums
    ) noexcept nogil:
        """Add what the best play of a roll is worth, or each plane's own; `after` are the cells that the opponent then sees."""
        cdef const double *seen
        cdef double least[WITH_CUBE]
        cdef double draw
        cdef int e, i
        if self.planes == 1:
            least[0] = INFINITY
            for e in range(n):
                least[0] = min(least[0], after[plays[e]])
            sums[0] -= weight * least[0]
            return
        seen = &after[self.planes * plays[0]]
        if self.plane[CENTRED] < 0:
            least[0] = seen[0]
            for e in range(1, n):
                if after[self.planes * plays[e]] < least[0] - TIE:
                    seen = &after[self.planes * plays[e]]
                    least[0] = seen[0]
            sums[0] -= weight * least[0]
        else:
            for i in range(WITH_CUBE):
                least[i] = INFINITY
            for e in range(n):
                for i in range(WITH_CUBE):
                    least[i] = min(least[i], after[self.planes * plays[e] + i])
                if after[self.planes * plays[e]] < seen[0] - TIE:
                    seen = &after[self.planes * plays[e]]
            sums[EQUITY] -= weight * least[EQUITY]
            sums[CENTRED] -= weight * least[CENTRED]
            sums[OWNED] -= weight * least[THEIRS]
            sums[THEIRS] -= weight * least[OWNED]
        draw = 0
        if self.plane[DRAW] >= 0:
            draw = seen[self.plane[DRAW]]
            sums[self.plane[DRAW]] += weight * draw
        if self.plane[WIN] >= 0:
            sums[self.plane[WIN]] += weight * (1 - draw - seen[self.plane[WIN]])
        if self.plane[MARS] >= 0:
            sums[self.plane[MARS]] += weight * seen[self.plane[LOST_MARS]]
            sums[self.plane[LOST_MARS]] += weight * seen[self.plane[MARS]]

    cdef inline void offer_cube(self, double *cell, double *undoubled) noexcept nogil:
        """The mover may double first; the other then has the cube at twice the stake, or gives up one (rulebook, section 2)."""
        cdef double doubled = min(2 * cell[THEIRS], 1)
        undoubled[0] = cell[CENTRED]
        undoubled[1] = cell[OWNED]
        cell[CENTRED] = max(cell[CENTRED], doubled)
        cell[OWNED] = max(cell[OWNED], doubled)

    def store(self, const double[::1] units, int32_t[:, :, :, ::1] stored, int begin, int end):
        """Write the cells of the movers `begin` to `end` - 1 as whole numbers of each plane's unit.

        CENTRED and OWNED are written as without a double this turn: THEIRS tells the rest.
        """
        cdef int turn, mover, opponent, i
        cdef double value
        with nogil:
            for turn in range(self.turns):
                for mover in range(begin, end):
                    for opponent in range(self.spreads):
                        for i in range(self.planes):
                            value = self.cells[turn, mover, opponent, i]
                            if self.plane[CENTRED] >= 0 and opponent and i in (CENTRED, OWNED):
                                value = self.undoubled[mover, opponent, i - CENTRED]
                            stored[turn, mover, opponent, i] = lrint(value / units[i])


cdef inline int weight_of(int roll) noexcept nogil:
    """1 for a double, 2 for a mixed roll; the doubles of rules.ROLLS are 1-1, 2-2 after one more, 3-3 after two more ..."""
    return 1 if roll in (0, 2, 5, 9, 14, 20) else 2


def payments(rules):
    """What a game is worth by how many checkers the loser (with `keep`, the winner) has left, all of them home."""
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef Board board
    cdef int left
    worth = []
    for left in range(compiled_rules.rules.checkers + 1):
        memset(&board, 0, sizeof(Board))
        board.row[0][LAST] = left
        board.row[0][OFF] = compiled_rules.rules.checkers - left
        worth.append(points(board.row[0], &compiled_rules.rules))
    return tuple(worth)
