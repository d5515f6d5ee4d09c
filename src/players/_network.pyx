# distutils: include_dirs = src/core src/players
# distutils: depends = src/core/_paths.h src/players/_layers.h src/players/_layers_path.h
"""Networks that judge positions, and the step of their training."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._core cimport (
    HEAD, OFF, SLOTS, cleared, generate_to_list, is_over, points, settle, write_boards,
)
from nardy_fast.core._bits cimport at_least
from nardy_fast.core._encoding cimport CONTACT, SPARSE, UNITS, current_path, dense_inputs, phase_of, unit, weight, write_dense
from nardy_fast.core._wide cimport Wide, changes, load, store, swapped
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._track cimport (
    DRAW_ONLY, HOME_POINTS, KOKS_NONE_HOME, KOKS_ON_HEAD, KOKS_START_QUARTER, NO_KOKS, NO_LAST_ROLL,
)

cdef extern from "_layers.h":
    ctypedef struct Layers "nardy_layers":
        void (*forward)(
            const float *base, const float *const *columns, const float *scales, int changes, int hidden,
            const float *second, const float *second_bias, int outputs, float *sums, float *logits
        ) noexcept nogil
        float (*softmax)(
            const float *logits, uint32_t allowed, const float *points, int outputs, float *chances
        ) noexcept nogil
        void (*learn)(
            const float *sums, float *const *columns, const float *scales, int active, int hidden,
            float *second, float *second_bias, int outputs, const float *errors
        ) noexcept nogil
    const Layers *layers_of "nardy_layers_of"
    int lowest_of "nardy_lowest_of"(uint64_t set) noexcept nogil

cdef enum:
    WHITE = 0
    MAX_ACTIVE = 256       # units of a board that are not 0, at the most: 2 * 26 * UNITS and the dense inputs
    MAX_POINTS = 15
    FIRST_SIX = 0x7F        # slots 0..6
    START_QUARTER = 0x7E    # slots 1..6


cdef Desk *new_desk() except NULL nogil:
    cdef Desk *desk = <Desk *>malloc(sizeof(Desk))
    if desk == NULL:
        with gil:
            raise MemoryError
    return desk


cdef void free_desk(Desk *desk) noexcept nogil:
    free(desk)


# Results.

cdef int ended(const Board *before, const Board *moved, const Rules *rules, int mover, int *scored) noexcept nogil:
    cdef Wide turned
    cdef Board after
    if not cleared(moved, rules, 0) and not cleared(before, rules, 1) and not rules.dead_draw:
        return 0
    turned = load(moved)
    turned = swapped(&turned)
    store(&turned, &after)
    return settle(before, &after, rules, mover, scored)


cdef inline uint32_t result_bit(const Net *net, int score) noexcept nogil:
    return <uint32_t>1 << net.at[MAX_POINTS + score] if net.at[MAX_POINTS + score] >= 0 else 0


cdef uint32_t wins(const Net *net, const int8_t *judged, int sign, int contact) noexcept nogil:
    """The results that a win can still be worth, by the row that is judged when the game ends."""
    cdef const Rules *rules = &net.rules
    cdef uint32_t found = result_bit(net, sign), held
    cdef int score
    if rules.remaining:
        for score in range(2, rules.checkers - judged[OFF] + 1):
            found |= result_bit(net, sign * score)
        return found
    if judged[OFF]:
        return found
    found |= result_bit(net, 2 * sign)
    if rules.keep:
        return found
    held = at_least(judged, 1)
    if rules.contrary:
        return found | result_bit(net, 3 * sign) if contact or held & FIRST_SIX else found
    if rules.home_mars:
        found |= result_bit(net, rules.home_mars * sign)
    if (
        rules.koks == KOKS_NONE_HOME and not held & HOME_POINTS
        or rules.koks == KOKS_ON_HEAD and judged[HEAD]
        or rules.koks == KOKS_START_QUARTER and held & START_QUARTER
    ):
        found |= result_bit(net, rules.koks_points * sign)
    return found


cdef uint32_t possible(const Net *net, const Board *moved, int mover, int contact) noexcept nogil:
    cdef const Rules *rules = &net.rules
    cdef int own = 0 if rules.keep else 1   # the row that a win of the mover's is judged by
    if contact and not moved.row[0][OFF] and not moved.row[1][OFF] and not net.needs_look:
        return net.all_results
    cdef uint32_t found = wins(net, moved.row[own], 1, contact)
    if cleared(moved, rules, 0):
        # The opponent has his last roll.
        if rules.last_roll == DRAW_ONLY:
            found = result_bit(net, points(moved.row[1], rules))
        return found | (result_bit(net, 0) if moved.row[1][OFF] + 4 >= rules.checkers else 0)
    found |= wins(net, moved.row[1 - own], -1, contact)
    # The pattern that is dead has nobody home, and each side before the other.
    if mover >= 0 and rules.last_roll != NO_LAST_ROLL or (
        rules.dead_draw and contact and not moved.row[0][OFF] and not moved.row[1][OFF]
    ):
        found |= result_bit(net, 0)
    return found


cdef inline float certain(const Net *net, int scored, float *chances) noexcept nogil:
    """A finished game."""
    memset(chances, 0, MAX_RESULTS * sizeof(float))
    chances[net.at[MAX_POINTS + scored]] = 1
    return scored


# The first layer.

cdef inline const float *column(const Net *net, int phase, int number) noexcept nogil:
    return net.first + (<int64_t>phase * net.inputs + number) * net.hidden


cdef int active(
    const Net *net, int phase, const Board *board, const float *dense, const float **columns, float *scales
) noexcept nogil:
    """All columns that are not 0, but the constant one, with their values; how many."""
    cdef const int8_t *counts = board.row[0]
    cdef int place, count, i, n = 0
    for place in range(2 * SLOTS):
        count = counts[place]
        for i in range(min(count, UNITS - 1)):
            columns[n] = column(net, phase, unit(place, i))
            scales[n] = 1
            n += 1
        if count >= UNITS:
            columns[n] = column(net, phase, unit(place, UNITS - 1))
            scales[n] = 0.5 * (count - UNITS + 1)
            n += 1
    for i in range(net.dense):
        if dense[i] != 0:
            columns[n] = column(net, phase, SPARSE + i)
            scales[n] = dense[i]
            n += 1
    return n


cdef inline void finish(
    const Net *net, int phase, const float *base, const float **columns, const float *scales, int n, float *sums, float *logits
) noexcept nogil:
    """From sums of the first layer, and columns to add to them, to the logits."""
    layers_of[current_path()].forward(
        base, columns, scales, n, net.hidden,
        net.second + <int64_t>phase * net.results * net.hidden, net.second_bias + phase * net.results, net.results, sums, logits,
    )


cdef inline float chances_of(
    const Net *net, const float *logits, const Board *moved, int mover, int phase, float *chances
) noexcept nogil:
    return layers_of[current_path()].softmax(
        logits, possible(net, moved, mover, phase == CONTACT), net.points, net.results, chances
    )


cdef float judge(const Net *net, const Board *moved, int mover, float *chances) noexcept nogil:
    cdef const float *columns[MAX_ACTIVE]
    cdef float scales[MAX_ACTIVE]
    cdef float dense[MAX_DENSE]
    cdef float logits[MAX_RESULTS]
    cdef int scored = 0, phase, n
    if ended(moved, moved, &net.rules, mover, &scored):
        return certain(net, scored, chances)
    phase = write_dense(moved, &net.rules, mover, dense, net.dense)
    n = active(net, phase, moved, dense, columns, scales)
    finish(net, phase, column(net, phase, net.inputs - 1), columns, scales, n, NULL, logits)
    return chances_of(net, logits, moved, mover, phase, chances)


cdef void begin_base(Base *base, const Board *board, int mover) noexcept nogil:
    base.board = board
    base.mover = mover
    base.known[0] = base.known[1] = 0
    base.phase = -1


cdef void sum_base(const Net *net, Base *base, int phase) noexcept nogil:
    """The sums of the base's board with the weights of a phase."""
    cdef const float *columns[MAX_ACTIVE]
    cdef float scales[MAX_ACTIVE]
    cdef float logits[MAX_RESULTS]
    cdef int n
    if base.phase < 0:
        base.phase = write_dense(base.board, &net.rules, base.mover, base.dense, net.dense)
    n = active(net, phase, base.board, base.dense, columns, scales)
    finish(net, phase, column(net, phase, net.inputs - 1), columns, scales, n, base.sums[phase], logits)
    base.known[phase] = 1


cdef float judge_near(const Net *net, Base *base, const Board *moved, int mover, float *chances) noexcept nogil:
    cdef const float *columns[MAX_ACTIVE]
    cdef float scales[MAX_ACTIVE]
    cdef float dense[MAX_DENSE]
    cdef float logits[MAX_RESULTS]
    cdef const int8_t *before = base.board.row[0]
    cdef const int8_t *now = moved.row[0]
    cdef const float *input_column
    cdef uint64_t changed
    cdef int scored = 0, phase, n = 0, i, place, count
    if moved.row[0][OFF] == net.rules.checkers or before[SLOTS + OFF] == net.rules.checkers or net.rules.dead_draw:
        if ended(base.board, moved, &net.rules, mover, &scored):
            return certain(net, scored, chances)
    phase = write_dense(moved, &net.rules, mover, dense, net.dense)
    if not base.known[phase]:
        sum_base(net, base, phase)
    changed = changes(before, now)
    while changed:
        place = lowest_of(changed)
        changed &= changed - 1
        for count in range(before[place], now[place]):
            columns[n] = column(net, phase, unit(place, count))
            scales[n] = weight(count)
            n += 1
        for count in range(now[place], before[place]):
            columns[n] = column(net, phase, unit(place, count))
            scales[n] = -weight(count)
            n += 1
    # Without a branch: whether an input has changed cannot be guessed.
    input_column = column(net, phase, SPARSE)
    for i in range(net.dense):
        columns[n] = input_column
        scales[n] = dense[i] - base.dense[i]
        n += dense[i] != base.dense[i]
        input_column += net.hidden
    finish(net, phase, base.sums[phase], columns, scales, n, NULL, logits)
    return chances_of(net, logits, moved, mover, phase, chances)


cdef int best_play(
    const Net *net, const Board *board, const Rules *rules, int mover, int high, int low, Desk *desk,
    float *equity, float *chances,
) noexcept nogil:
    cdef float found[MAX_RESULTS]
    cdef float value
    cdef int i, best = 0, n = generate_to_list(board, rules, high, low, &desk.play_set)
    write_boards(&desk.play_set, board, rules, desk.after)
    begin_base(&desk.base, board, mover)
    for i in range(n):
        value = judge_near(net, &desk.base, &desk.after[i], mover, found)
        if i == 0 or value > equity[0] or value == equity[0] and memcmp(&desk.after[i], &desk.after[best], sizeof(Board)) < 0:
            equity[0] = value
            best = i
            if chances != NULL:
                memcpy(chances, found, sizeof(found))
    return best


cdef float judge_waiting(const Net *net, const Board *board, int turn, float *chances) noexcept nogil:
    cdef Wide turned = load(board)
    cdef Board moved
    cdef float equity
    turned = swapped(&turned)
    store(&turned, &moved)
    equity = judge(net, &moved, 1 - turn if turn >= 0 else turn, chances)
    turned_round(net, chances)
    return -equity


cdef void turned_round(const Net *net, float *chances) noexcept nogil:
    # What the one scores the other loses; the results are symmetric.
    cdef int i
    for i in range(net.results // 2):
        chances[i], chances[net.results - 1 - i] = chances[net.results - 1 - i], chances[i]


# Training.

cdef void learn(
    const Net *net, const Board *moved, int mover, const float *target, float rate, float *chances
) noexcept nogil:
    cdef const float *columns[MAX_ACTIVE]
    cdef float scales[MAX_ACTIVE]
    cdef float dense[MAX_DENSE]
    cdef float logits[MAX_RESULTS]
    cdef float errors[MAX_RESULTS]
    cdef float sums[MAX_HIDDEN]
    cdef int phase = write_dense(moved, &net.rules, mover, dense, net.dense), i
    cdef int n = active(net, phase, moved, dense, columns, scales)
    finish(net, phase, column(net, phase, net.inputs - 1), columns, scales, n, sums, logits)
    chances_of(net, logits, moved, mover, phase, chances)
    columns[n] = column(net, phase, net.inputs - 1)
    scales[n] = 1
    for i in range(net.results):
        errors[i] = rate * (target[i] - chances[i])
    layers_of[current_path()].learn(
        sums, <float *const *>columns, scales, n + 1, net.hidden,
        net.second + <int64_t>phase * net.results * net.hidden, net.second_bias + phase * net.results, net.results, errors,
    )


# For Python. nardy_fast.players.Network owns the docstrings and the checks of shapes.

cdef class NetworkNative:
    """Weights, held and looked into."""

    def __init__(self, rules, results, bint dense, first, second, second_bias):
        """`first` float32[phases * inputs, hidden], `second` [phases * results, hidden], `second_bias` [phases * results]."""
        cdef CompiledRules compiled_rules = compiled(rules)
        cdef Net *net = &self.net
        cdef Array columns, rows, biases
        cdef int hidden = first.shape[1], i
        net.rules = compiled_rules.rules
        self.ruleset = compiled_rules.ruleset
        net.results = len(results)
        memset(net.at, -1, sizeof(net.at))
        for i in range(net.results):
            net.points[i] = results[i]
            net.at[MAX_POINTS + <int>results[i]] = i
        net.needs_look = net.rules.last_roll != NO_LAST_ROLL or net.rules.koks != NO_KOKS or net.rules.remaining
        net.all_results = (<uint32_t>1 << net.results) - 1
        net.hidden = hidden
        net.dense = dense_inputs(&net.rules) if dense else 0
        net.inputs = SPARSE + net.dense + 1
        columns = array(first, "first", "float32", (hidden,), PHASES * net.inputs, True)
        rows = array(second, "second", "float32", (hidden,), PHASES * net.results, True)
        biases = array(second_bias, "second_bias", "float32", (), PHASES * net.results, True)
        net.first = <float *>columns.data
        net.second = <float *>rows.data
        net.second_bias = <float *>biases.data
        self.arrays = (columns, rows, biases)

    def evaluate(self, boards, turns, out, equity):
        """The chances of the side to move in each row, before its throw, to `out`, float32[n, results], and their mean."""
        cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
        cdef Array movers = None if turns is None else array(turns, "turns", "int8", (), given.rows, False)
        cdef Array result = array(out, "out", "float32", (self.net.results,), given.rows, True)
        cdef Array mean = array(equity, "equity", "float32", (), given.rows, True)
        cdef const Board *board = <const Board *>given.data
        cdef float chances[MAX_RESULTS]
        cdef float *to = <float *>result.data
        cdef Py_ssize_t n
        cdef int i, results = self.net.results
        with nogil:
            for n in range(given.rows):
                (<float *>mean.data)[n] = judge_waiting(
                    &self.net, &board[n], -1 if movers is None else <int8_t>movers.data[n], chances
                )
                for i in range(results):
                    to[n * results + i] = chances[i]

    def look(self, boards, movers, contact, results):
        """What `judge_waiting` knows of boards after a play before it asks the weights.

        `contact`, bool[n]: the phase. `results`, bool[n, results]: those that can still happen, as the side to throw sees them.
        """
        cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
        cdef Array makers = None if movers is None else array(movers, "movers", "int8", (), given.rows, False)
        cdef Array phases = array(contact, "contact", "bool", (), given.rows, True)
        cdef Array found = array(results, "results", "bool", (self.net.results,), given.rows, True)
        cdef const Board *moved = <const Board *>given.data
        cdef uint32_t can_be
        cdef Py_ssize_t n
        cdef int i, mover, scored = 0, last = self.net.results - 1
        with nogil:
            for n in range(given.rows):
                mover = -1 if makers is None else <int8_t>makers.data[n]
                phases.data[n] = phase_of(&moved[n], &self.net.rules) == CONTACT
                if ended(&moved[n], &moved[n], &self.net.rules, mover, &scored):
                    can_be = result_bit(&self.net, scored)
                else:
                    can_be = possible(&self.net, &moved[n], mover, phases.data[n])
                for i in range(self.net.results):
                    found.data[n * self.net.results + last - i] = can_be >> i & 1

    def judge(self, board, int mover, after, out, equity):
        """The chances of who moves from `board`, int8[1, 2, 26], to each of the boards `after`, where he is in row 0."""
        cdef Array start = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Base base
        begin_base(&base, <const Board *>start.data, mover)
        self.judge_all(&base, mover, after, out, equity)

    def judge_alone(self, boards, int mover, out, equity):
        """The same, each board from nothing."""
        self.judge_all(NULL, mover, boards, out, equity)

    cdef int judge_all(self, Base *base, int mover, after, out, equity) except -1:
        cdef Array given = array(after, "after", "int8", (2, SLOTS), -1, False)
        cdef Array result = array(out, "out", "float32", (self.net.results,), given.rows, True)
        cdef Array mean = array(equity, "equity", "float32", (), given.rows, True)
        cdef const Board *moved = <const Board *>given.data
        cdef float chances[MAX_RESULTS]
        cdef float *to = <float *>result.data
        cdef Py_ssize_t n
        cdef float value
        with nogil:
            for n in range(given.rows):
                if base == NULL:
                    value = judge(&self.net, &moved[n], mover, chances)
                else:
                    value = judge_near(&self.net, base, &moved[n], mover, chances)
                (<float *>mean.data)[n] = value
                memcpy(to + n * self.net.results, chances, self.net.results * sizeof(float))
        return 0

    def best_plays(self, boards, dice, turns, rules, after, index, equity):
        """Write the board after the best play of each row to `after`, its number to `index`, what it is worth to `equity`."""
        cdef CompiledRules compiled_rules = compiled(rules)
        cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
        cdef Array thrown = array(dice, "dice", "int8", (2,), given.rows, False)
        cdef Array movers = None if turns is None else array(turns, "turns", "int8", (), given.rows, False)
        cdef Array result = array(after, "after", "int8", (2, SLOTS), given.rows, True)
        cdef Array numbers = array(index, "index", "int32", (), given.rows, True)
        cdef Array values = array(equity, "equity", "float32", (), given.rows, True)
        cdef const Board *board = <const Board *>given.data
        cdef const int8_t *pair = <const int8_t *>thrown.data
        cdef int32_t *number = <int32_t *>numbers.data
        cdef float *value = <float *>values.data
        cdef float chances[MAX_RESULTS]
        cdef Desk *desk = new_desk()
        cdef Py_ssize_t n
        cdef int mover
        with nogil:
            for n in range(given.rows):
                mover = -1 if movers is None else <int8_t>movers.data[n]
                if is_over(&board[n], &compiled_rules.rules, mover):
                    number[n] = -1
                    value[n] = judge_waiting(&self.net, &board[n], mover, chances)
                    (<Board *>result.data)[n] = board[n]
                    continue
                number[n] = best_play(
                    &self.net, &board[n], &compiled_rules.rules, mover,
                    max(pair[2 * n], pair[2 * n + 1]), min(pair[2 * n], pair[2 * n + 1]), desk, &value[n], NULL,
                )
                (<Board *>result.data)[n] = desk.after[number[n]]
        free_desk(desk)

    def learn(self, board, int mover, target, float rate):
        """One step of training, in place."""
        cdef Array given = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Array wanted = array(target, "target", "float32", (), self.net.results, False)
        cdef float chances[MAX_RESULTS]
        learn(&self.net, <const Board *>given.data, mover, <const float *>wanted.data, rate, chances)
