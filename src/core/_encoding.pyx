# distutils: include_dirs = src/core
# distutils: depends = src/core/_paths.h src/core/_inputs.h src/core/_inputs_path.h
"""Boards as the inputs of networks: what each column means, and its values."""

from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memcpy

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._bits cimport at_least, bit, highest, lowest
from nardy_fast.core._measures cimport in_contact
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._track cimport BAR, HEAD, LAST, NO_LAST_ROLL, OFF, POINTS, SLOTS, reversed_, rotated

cdef extern from "_inputs.h":
    ctypedef struct Side "nardy_side":
        const int8_t *row
        uint32_t one
        uint32_t two
        uint32_t his_one
        uint32_t his_two
        int his_rear
    const int CONTRARY_INPUTS "NARDY_CONTRARY_INPUTS"
    const int PARALLEL_INPUTS "NARDY_PARALLEL_INPUTS"
    ctypedef void (*Dense "nardy_dense")(const Side *sides, int contrary, int contact, float *inputs) noexcept nogil
    const Dense *dense_of "nardy_dense_of"
    const char *const *path_name "nardy_path_name"
    int paths_here "nardy_paths_here"()
    void fill_escapes "nardy_fill_escapes"()


fill_escapes()
globals()["SPARSE"] = SPARSE      # for Python too
cdef int most_paths = paths_here()
cdef int current = most_paths - 1


def paths():
    """The names of the paths that this processor can go, the slowest first."""
    return tuple([(<bytes>path_name[i]).decode() for i in range(most_paths)])


def path(name=None):
    """The path in use; with `name`, the one to use from now on. For tests: not while another thread is at work."""
    global current
    if name is not None:
        current = paths().index(name)
    return paths()[current]


cdef int current_path() noexcept nogil:
    return current


COLUMNS = {
    "contrary": (
        "pips / 167",
        "men not home / 15",
        "bar: chance not to enter",
        "two on the bar: closed points / 6",
        "runs of 3 points / 4",
        "runs of 4 points / 3",
        "runs of 5 points / 2",
        "runs of 6 points / 2",
        "his men behind my longest run of 4 or more, times (length - 3) / 10",
        "rearmost man: rolls that free it / 36",
        "points behind his men: rolls that free them / 144",
        "men behind his men: rolls that do not free them / 144",
        "shots at me / 36",
        "shots at me times his closed points / 216",
        "blots that can be hit / 4",
        "shots at me times the slot of the farthest blot / 864",
        "farthest anchor in his home / 6",
        "men behind his rearmost man / 15",
    ),
    "parallel": (
        "pips / 375",
        "men at home / 15",
        *[f"points from which a {die} can be played, but the head / 8" for die in range(1, 7)],
        "dice that cannot be played / 6",
        "rolls of which both dice can be played / 36",
        "men on the head times dice that can leave it / 90",
        "rearmost man: rolls that free it / 36",
        "points outside the home: rolls that free them / 144",
        "men outside the home: rolls that do not free them / 144",
        "runs of 3 before his rearmost man / 4",
        "runs of 4 before his rearmost man / 3",
        "runs of 5 before his rearmost man / 2",
        "runs of 6 before his rearmost man / 2",
        "his men behind the longest of them, of 4 or more, times (length - 3) / 10",
        "points held / 15",
        "slot of the rearmost man / 24",
        "men behind his farthest man on my track / 15",
    ),
}


UNIT_NAMES = ("1 or more", "2 or more", "3 or more", "half of what is above 3")


def columns(rules):
    """The names of all inputs in their order."""
    cdef CompiledRules compiled_rules = compiled(rules)
    sides = ("moved", "to throw")
    names = [f"{side}: slot {slot}: {unit}" for side in sides for slot in range(SLOTS) for unit in UNIT_NAMES]
    names += [f"{side}: {name}" for side in sides for name in COLUMNS[compiled_rules.ruleset.road]]
    if compiled_rules.rules.last_roll != NO_LAST_ROLL:
        names.append("White has moved")
    return tuple(names)


cdef int dense_inputs(const Rules *rules) noexcept nogil:
    return 2 * (CONTRARY_INPUTS if rules.contrary else PARALLEL_INPUTS) + (rules.last_roll != NO_LAST_ROLL)


cdef int phase_of(const Board *board, const Rules *rules) noexcept nogil:
    return CONTACT if in_contact(board, rules) else RACE


cdef int write_dense(const Board *moved, const Rules *rules, int mover, float *inputs, int wanted) noexcept nogil:
    """RACE or CONTACT, and the dense inputs."""
    cdef Side sides[2]
    cdef int i, phase
    cdef uint32_t others
    if not wanted:
        return phase_of(moved, rules)
    for i in range(2):
        sides[i].row = moved.row[i]
        sides[i].one = at_least(moved.row[i], 1) & ~bit(OFF)
        sides[i].two = at_least(moved.row[i], 2) & ~bit(OFF)
    phase = RACE
    for i in range(2):
        others = sides[1 - i].one
        if rules.contrary:
            sides[i].his_one = reversed_(others & POINTS)
            sides[i].his_two = reversed_(sides[1 - i].two & POINTS)
            sides[i].his_rear = OFF - lowest(others) if others else 0
        else:
            sides[i].his_one = rotated(others & POINTS)
            sides[i].his_two = rotated(sides[1 - i].two & POINTS)
            sides[i].his_rear = highest(sides[i].his_one) if sides[i].his_one else 0
        if sides[i].one and lowest(sides[i].one) < sides[i].his_rear:
            phase = CONTACT
    dense_of[current](sides, rules.contrary, phase, inputs)
    if rules.last_roll != NO_LAST_ROLL:
        inputs[2 * PARALLEL_INPUTS] = mover == 0
    return phase


def write_inputs(boards, turns, rules, out):
    """Write all inputs of each board to `out`, float32[n, inputs]; row 0 has moved. Returns nothing.

    `turns`: who is in row 0 of each, int8[n], or None.
    """
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef const Rules *native = &compiled_rules.rules
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array movers = None if turns is None else array(turns, "turns", "int8", (), given.rows, False)
    cdef int width = SPARSE + dense_inputs(native)
    cdef Array result = array(out, "out", "float32", (width,), given.rows, True)
    cdef const Board *board = <const Board *>given.data
    cdef float *inputs = <float *>result.data
    cdef Py_ssize_t n
    with nogil:
        for n in range(given.rows):
            write_all(&board[n], native, -1 if movers is None else <int8_t>movers.data[n], inputs + n * width)


cdef void write_all(const Board *board, const Rules *rules, int mover, float *inputs) noexcept nogil:
    write_units(board.row[0], 2 * SLOTS, inputs)
    write_dense(board, rules, mover, inputs + SPARSE, 1)


# Features: inputs for anybody's networks.

cdef float units_of[16][UNITS]      # of a slot that holds so many checkers


cdef void fill_units():
    cdef int checkers, count
    for checkers in range(16):
        for count in range(checkers):
            units_of[checkers][unit(0, count)] += weight(count)


fill_units()
FEATURES = ("raw", "thermometer", "slots", "dense-1")


cdef inline void write_units(const int8_t *counts, int slots, float *inputs) noexcept nogil:
    """The units of so many slots."""
    cdef int slot
    for slot in range(slots):
        memcpy(inputs + UNITS * slot, &units_of[counts[slot] & 15][0], UNITS * sizeof(float))


def features_columns(features, rules):
    """The names of the columns of these features."""
    rows = ("row 0", "row 1")
    if features == "raw":
        return tuple([f"{row}: slot {slot}" for row in rows for slot in range(SLOTS)])
    if features == "thermometer":
        points = [f"slot {slot}: {unit}" for slot in range(HEAD, OFF) for unit in UNIT_NAMES]
        return tuple([f"{row}: {name}" for row in rows for name in (*points, "slot 0 / 2", "slot 25 / 15")])
    names = columns(rules)
    return names[:SPARSE] if features == "slots" else names


cdef int features_width(int features, const Rules *rules) noexcept nogil:
    if features == RAW:
        return 2 * SLOTS
    if features == THERMOMETER:
        return 2 * THERMOMETER_SIDE
    return SPARSE if features == SLOT_UNITS else SPARSE + dense_inputs(rules)


cdef void write_features(int features, const Board *board, const Rules *rules, int mover, float *inputs) noexcept nogil:
    cdef const int8_t *counts = board.row[0]
    cdef int i
    if features == RAW:
        for i in range(2 * SLOTS):
            inputs[i] = counts[i]
    elif features == THERMOMETER:
        for i in range(2):
            write_units(board.row[i] + HEAD, LAST, inputs)
            inputs[UNITS * LAST] = board.row[i][BAR] * <float>0.5
            inputs[UNITS * LAST + 1] = board.row[i][OFF] / <float>15.0
            inputs += THERMOMETER_SIDE
    elif features == SLOT_UNITS:
        write_units(counts, 2 * SLOTS, inputs)
    else:
        write_all(board, rules, mover, inputs)
