"""Solving small games: what the side to move can expect, for each pair of sides that the rules allow.

Each step brings the pips of both sides together down, and each hit brings them up again. So pairs are worked out in the order of
their pips. Without hits all that a pair needs is then known, but for one thing: where a roll cannot be played, the opponent is in
the mover's place, with the same pips. So a pair and its mirror image are worked out together, as two equations in two unknowns.

With hits the same is done again and again. A hit makes the opponent wait, so that only the pairs whose mover waits are needed
before they are worked out: `waiting` holds what is believed of those, everything else follows from them in one sweep.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int32_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from nardy_fast.analysis._solved cimport MAX_CHECKERS, MAX_FEW_PLAYS, MAX_PLANES, fewer, side_number
from nardy_fast.core cimport (
    BAR, HOME, LAST, OFF, Board, CompiledRules, Play, PlaySet, Rules, Turn,
    compiled, derive_turn, expand, generate_for, points, write_boards,
)
from nardy_fast.core._bits cimport bit
from nardy_fast.core._track cimport POINTS, landing, opposite

cdef enum:
    ROLLS = 21
    PLACES = 25             # where the opponent may hold a point that nobody enters: slots 1..24, or 0 for none
    NO_BLOT = 31            # a slot that nobody lands on
    EQUITIES = 1            # what to work out
    CHANCES = 2
    BOTH = 3

cdef double TIE = 1e-9      # equities that differ by less are equal: what is left of the iteration makes a difference so small

cdef struct Side:           # a side, by its number
    int8_t row[26]
    int pips
    int rear                # pips of its rearmost checker
    int arises              # whether it arises in a game
    uint32_t own            # points that it holds, on its own track
    uint32_t seen           # the same on the other's track
    int wall                # one where it has two or more, on the other's track; or 0
    uint32_t blots          # those where it has one
    int8_t blot[3]          # where its checkers, the rearmost first, stand alone on the other's track; or NO_BLOT
    int32_t after_hit[8]    # its number when those checkers are hit whose bits are set

cdef struct Sum:            # of the rolls that can be played
    double equity
    double chances[MAX_PLANES]
    double passes           # the chance of those that cannot

cdef struct Found:          # what the best play of a roll leaves to the opponent
    double equity
    const float *chances
    bint is_pass


cdef inline int weight_of(int roll) noexcept nogil:
    """1 for a double, 2 for a mixed roll; the doubles of rules.ROLLS are 1-1, 2-2 after one more, 3-3 after two more ..."""
    return 1 if roll in (0, 2, 5, 9, 14, 20) else 2


def number_of_sides(rules):
    """How many ways there are for a side to stand."""
    cdef CompiledRules compiled_rules = compiled(rules)
    return fewer((OFF if compiled_rules.rules.contrary else LAST) + 1, compiled_rules.rules.checkers)


cdef class Solver:
    """The sides of a game, the plays of each on contrary roads, and the arrays that are filled in.

    `equities` is float64[sides, sides] and `chances` float32[sides, sides, planes], of [mover][opponent], all zero at first.
    `plane` tells by the points of a result, 0 to 15, where it is in each half of a cell's planes, or -1; those of the first half
    the mover wins, those of the second the opponent.
    """

    cdef CompiledRules compiled_rules
    cdef const Rules *rules
    cdef double[:, ::1] equities
    cdef float[:, :, ::1] chances
    cdef double[:, ::1] waiting             # [mover - first][opponent]: what is believed of pairs whose mover waits
    cdef float[:, :, ::1] waiting_chances
    cdef int32_t first                      # the first side that waits
    cdef int planes
    cdef int plane[16]
    cdef int32_t count                      # of sides
    cdef Side *sides
    cdef int32_t[::1] by_pips               # the sides in the order of their pips
    cdef int32_t starts[80]                 # where those of so many pips begin in it
    cdef const int32_t[::1] begins          # the plays, as `list_plays` writes them
    cdef const uint16_t[::1] ends
    cdef const uint32_t[::1] landings
    cdef uint32_t[::1] together             # where any play of a roll lands

    def __cinit__(self, rules, *_):
        self.compiled_rules = compiled(rules)
        self.rules = &self.compiled_rules.rules
        self.count = number_of_sides(rules)
        self.sides = <Side *>PyMem_Malloc(self.count * sizeof(Side))
        if self.sides == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.sides)

    def __init__(self, rules, double[:, ::1] equities, float[:, :, ::1] chances, plane, int32_t[::1] by_pips):
        cdef int32_t number, at = 0
        cdef int pips
        self.equities = equities
        self.chances = chances
        self.planes = chances.shape[2]
        for pips in range(16):
            self.plane[pips] = plane[pips]
        self.find_sides()
        self.by_pips = by_pips
        for pips in range(80):
            self.starts[pips] = at
            for number in range(self.count):
                if self.sides[number].pips == pips:
                    by_pips[at] = number
                    at += 1
        self.first = fewer(OFF, self.rules.checkers) if self.rules.contrary else self.count
        self.end()

    cdef void find_sides(self) noexcept:
        """Fill in the sides, in the order of their numbers."""
        cdef int most = OFF if self.rules.contrary else LAST, checkers = self.rules.checkers
        cdef int pips[MAX_CHECKERS]
        cdef int32_t number
        cdef int i
        memset(pips, 0, sizeof(pips))
        for number in range(self.count):
            self.find_side(&self.sides[number], pips)
            # The next: the last checker that may be farther back goes one point back, those after it are off.
            for i in range(checkers - 1, -1, -1):
                if pips[i] < (pips[i - 1] if i else most):
                    pips[i] += 1
                    break
                pips[i] = 0

    cdef void find_side(self, Side *side, const int *pips) noexcept:
        """Fill in the side whose checkers, the rearmost first, have so many pips to go."""
        cdef int8_t hit[26]
        cdef int i, slot, hits
        memset(side, 0, sizeof(Side))
        for i in range(self.rules.checkers):
            side.row[OFF - pips[i]] += 1
            side.pips += pips[i]
        side.rear = pips[0]
        side.arises = self.rules.contrary or not side.row[OFF] or side.rear <= OFF - HOME
        for slot in range(1, LAST + 1):
            if side.row[slot]:
                side.own |= bit(slot)
                side.seen |= bit(opposite(slot, self.rules))
            if side.row[slot] == 1:
                side.blots |= bit(opposite(slot, self.rules))
            if side.row[slot] > 1:
                side.wall = opposite(slot, self.rules)
        for i in range(MAX_CHECKERS):
            slot = OFF - pips[i]
            side.blot[i] = NO_BLOT
            if i < self.rules.checkers and BAR < slot < OFF and side.row[slot] == 1:
                side.blot[i] = opposite(slot, self.rules)
        for hits in range(1 << MAX_CHECKERS):
            memcpy(hit, side.row, sizeof(hit))
            for i in range(MAX_CHECKERS):
                if hits >> i & 1 and side.blot[i] != NO_BLOT:
                    hit[OFF - pips[i]] -= 1
                    hit[BAR] += 1
            side.after_hit[hits] = side_number(hit, self.rules.checkers)

    cdef void end(self) noexcept:
        """Fill in the pairs of which one side has borne off all."""
        cdef int32_t number
        cdef int worth, plane, half = self.planes // 2, won
        for number in range(1, self.count):
            worth = points(self.sides[number].row, self.rules)
            plane = self.plane[worth]
            won = self.rules.keep
            self.equities[number, 0] = worth if won else -worth
            self.equities[0, number] = -self.equities[number, 0]
            if plane >= 0:
                self.chances[number, 0, plane + (0 if won else half)] = 1
                self.chances[0, number, plane + (half if won else 0)] = 1

    # Plays. On contrary roads those of a side depend on the opponent only by the point that he may hold, and where they hit.

    def list_plays(self, int32_t[::1] begins, uint16_t[::1] ends, uint32_t[::1] landings):
        """Fill in the plays of each side against each point that the opponent may hold, roll after roll.

        `begins` is int32[sides * 25 * 21 + 1]: where the plays of each begin. `ends` gets the number of the side after the play,
        `landings` the points where it would hit whoever stands alone there. Both may be None: then only `begins` is filled in.
        """
        cdef PlaySet play_set
        cdef Turn turn
        cdef Board board
        cdef const Play *plays
        cdef const Side *side
        cdef int32_t number, at = 0
        cdef int wall, high, low, i, place = 0
        memset(&board, 0, sizeof(Board))
        for number in range(self.count):
            side = &self.sides[number]
            memcpy(board.row[0], side.row, sizeof(side.row))
            for wall in range(PLACES):
                memset(board.row[1], 0, sizeof(board.row[1]))
                board.row[1][OFF] = self.rules.checkers
                if wall:
                    board.row[1][OFF - wall] = 2
                    board.row[1][OFF] -= 2
                for high in range(1, 7):
                    for low in range(1, high + 1):
                        begins[place] = at
                        place += 1
                        if number == 0 or board.row[1][OFF] < 0 or side.own >> wall & 1:
                            continue
                        derive_turn(&turn, &board, self.rules)
                        # As if an opponent stood alone on every point that he does not hold: plays that may differ in whom they
                        # hit are told apart.
                        turn.blots = turn.open & ~turn.own
                        generate_for(&turn, high, low, &play_set)
                        plays = expand(&play_set)
                        if ends is not None:
                            for i in range(play_set.count):
                                ends[at + i] = self.end_of(side, &plays[i], &landings[at + i])
                        at += play_set.count
        begins[place] = at

    cdef int32_t end_of(self, const Side *side, const Play *play, uint32_t *landed) noexcept:
        """The number of the side after a play, and the points where it has landed."""
        cdef int8_t row[26]
        cdef int i, target
        memcpy(row, side.row, sizeof(row))
        landed[0] = 0
        for i in range(play.steps):
            target = landing(play.source[i], play.die[i])
            row[play.source[i]] -= 1
            row[target] += 1
            landed[0] |= bit(target) & POINTS
        return side_number(row, self.rules.checkers)

    def use_plays(
        self, const int32_t[::1] begins, const uint16_t[::1] ends, const uint32_t[::1] landings, uint32_t[::1] together,
        double[:, ::1] waiting, float[:, :, ::1] waiting_chances,
    ):
        """Take the plays that `list_plays` has written, and arrays for what is believed.

        `together` is uint32[sides * 25 * 21]; `waiting` and `waiting_chances` are as long as the last rows of `equities` and
        `chances`, those whose mover waits.
        """
        cdef Py_ssize_t roll, e
        self.begins = begins
        self.ends = ends
        self.landings = landings
        self.together = together
        self.waiting = waiting
        self.waiting_chances = waiting_chances
        for roll in range(together.shape[0]):
            together[roll] = 0
            for e in range(begins[roll], begins[roll + 1]):
                together[roll] |= landings[e]

    @property
    def max_pips(self):
        """The most pips that two sides have together."""
        return 2 * self.sides[self.count - 1].pips

    @property
    def first_waiting(self):
        """The number of the first side that has a checker waiting."""
        return self.first

    # Working out.

    def share(self, int pips):
        """Which sides, by their places in the order of pips, have at least half of so many pips: (begin, end)."""
        return self.starts[(pips + 1) // 2], self.starts[min(pips, self.sides[self.count - 1].pips) + 1]

    def solve(self, int pips, int begin, int end, int what, bint again):
        """Work out the pairs of so many pips together, one of them a side of `share` from `begin` to `end` - 1; the GIL released.

        `what`: 1 the equities, 2 the chances, which need all equities, 3 both, on parallel roads only. `again`: only those that a
        hit may come before.
        """
        cdef int32_t one, other
        cdef int i, j, rest
        with nogil:
            for i in range(begin, end):
                one = self.by_pips[i]
                rest = pips - self.sides[one].pips
                for j in range(self.starts[rest], self.starts[rest + 1]):
                    other = self.by_pips[j]
                    if other == 0 or self.sides[one].pips == rest and other > one or not self.is_pair(one, other):
                        continue
                    if again and self.sides[one].rear + self.sides[other].rear < OFF:
                        continue
                    self.solve_pair(one, other, what)

    cdef inline bint is_pair(self, int32_t one, int32_t other) noexcept nogil:
        """Whether the two sides arise and share no point."""
        return self.sides[one].arises and self.sides[other].arises and not self.sides[one].own & self.sides[other].seen

    cdef void solve_pair(self, int32_t one, int32_t other, int what) noexcept nogil:
        """Work out the pair and its mirror image."""
        cdef Sum first, second
        cdef double both
        cdef int half = self.planes // 2, i, mirrored
        self.add_rolls(one, other, what, &first)
        if one == other:
            second = first
        else:
            self.add_rolls(other, one, what, &second)
        # Each is its sum and, after a pass, what is left to the other; both pass again and again with this chance.
        both = first.passes * second.passes
        if what & EQUITIES:
            self.equities[one, other] = (first.equity - first.passes * second.equity) / (1 - both)
            self.equities[other, one] = (second.equity - second.passes * first.equity) / (1 - both)
        if what & CHANCES:
            for i in range(self.planes):
                mirrored = i + half if i < half else i - half
                self.chances[one, other, i] = (first.chances[i] + first.passes * second.chances[mirrored]) / (1 - both)
                self.chances[other, one, i] = (second.chances[i] + second.passes * first.chances[mirrored]) / (1 - both)

    cdef void add_rolls(self, int32_t mover, int32_t opponent, int what, Sum *total) noexcept nogil:
        """Sum up the best plays of all rolls that can be played."""
        cdef Board board
        cdef Turn turn
        cdef Found found
        cdef int high, low, roll = 0, half = self.planes // 2, i
        cdef double weight
        memset(total, 0, sizeof(Sum))
        if not self.rules.contrary:
            memcpy(board.row[0], self.sides[mover].row, sizeof(board.row[0]))
            memcpy(board.row[1], self.sides[opponent].row, sizeof(board.row[1]))
            derive_turn(&turn, &board, self.rules)
        for high in range(1, 7):
            for low in range(1, high + 1):
                weight = weight_of(roll) / 36.
                if self.rules.contrary:
                    self.best_listed(mover, opponent, roll, what, &found)
                else:
                    self.best_offered(&turn, mover, opponent, high, low, &found)
                roll += 1
                if found.is_pass:
                    total.passes += weight
                    continue
                total.equity -= weight * found.equity
                if what & CHANCES:
                    for i in range(half):
                        total.chances[i] += weight * found.chances[half + i]
                        total.chances[half + i] += weight * found.chances[i]

    cdef void best_offered(
        self, Turn *turn, int32_t mover, int32_t opponent, int high, int low, Found *found
    ) noexcept nogil:
        """The best play of a roll, by the core's own generator."""
        cdef PlaySet play_set
        cdef Board after[MAX_FEW_PLAYS]
        cdef int32_t numbers[MAX_FEW_PLAYS]
        cdef double values[MAX_FEW_PLAYS]
        cdef int i
        generate_for(turn, high, low, &play_set)
        write_boards(&play_set, turn.board, self.rules, after)
        for i in range(play_set.count):
            numbers[i] = side_number(after[i].row[0], self.rules.checkers)
            values[i] = self.equities[opponent, numbers[i]]
        found.is_pass = numbers[0] == mover
        i = least(values, play_set.count, &found.equity)
        found.chances = &self.chances[opponent, numbers[i], 0]

    cdef void best_listed(self, int32_t mover, int32_t opponent, int roll, int what, Found *found) noexcept nogil:
        """The best play of a roll, from the list."""
        cdef const Side *side = &self.sides[opponent]
        cdef const double *row = &self.equities[opponent, 0]
        cdef Py_ssize_t at = (<Py_ssize_t>mover * PLACES + side.wall) * ROLLS + roll
        cdef int32_t begin = self.begins[at], count = self.begins[at + 1] - begin
        cdef const uint16_t *ends = &self.ends[begin]
        cdef const uint32_t *landings = &self.landings[begin]
        cdef double values[MAX_FEW_PLAYS]
        cdef double best
        cdef int i
        found.is_pass = ends[0] == mover
        if not self.together[at] & side.blots:
            if what == EQUITIES:
                best = row[ends[0]]
                for i in range(1, count):
                    best = min(best, row[ends[i]])
                found.equity = best
                return
            for i in range(count):
                values[i] = row[ends[i]]
        else:
            for i in range(count):
                if landings[i] & side.blots:
                    values[i] = self.waiting[after_hit(side, landings[i]) - self.first, ends[i]]
                else:
                    values[i] = row[ends[i]]
        i = least(values, count, &found.equity)
        if what & CHANCES:
            if landings[i] & side.blots:
                found.chances = &self.waiting_chances[after_hit(side, landings[i]) - self.first, ends[i], 0]
            else:
                found.chances = &self.chances[opponent, ends[i], 0]

    def believe(self, int pips, int what):
        """Believe what was worked out of the pairs of so many pips together whose mover waits."""
        cdef int32_t mover, opponent
        cdef int j, k, rest
        with nogil:
            for mover in range(self.first, self.count):
                rest = pips - self.sides[mover].pips
                if rest <= 0 or rest > self.sides[self.count - 1].pips:
                    continue
                for j in range(self.starts[rest], self.starts[rest + 1]):
                    opponent = self.by_pips[j]
                    if what & EQUITIES:
                        self.waiting[mover - self.first, opponent] = self.equities[mover, opponent]
                    if what & CHANCES:
                        for k in range(self.planes):
                            self.waiting_chances[mover - self.first, opponent, k] = self.chances[mover, opponent, k]


cdef inline int32_t after_hit(const Side *side, uint32_t landed) noexcept nogil:
    """The number of a side when whoever stands alone on these points of the other's track is hit."""
    return side.after_hit[
        landed >> side.blot[0] & 1 | (landed >> side.blot[1] & 1) << 1 | (landed >> side.blot[2] & 1) << 2
    ]


cdef inline int least(const double *values, int count, double *found) noexcept nogil:
    """The least of the values, and the place of the first that equals it."""
    cdef int i
    found[0] = INFINITY
    for i in range(count):
        found[0] = min(found[0], values[i])
    i = 0
    while values[i] > found[0] + TIE:
        i += 1
    return i
