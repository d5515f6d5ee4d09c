"""Solved games, looked up: the equity of a board, the chances of its results, the best play of a roll."""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int32_t
from libc.string cimport memcpy

from nardy_fast.core cimport Board, CompiledRules, PlaySet, Rules, compiled, generate_to_list, is_over, write_boards

cdef enum:
    UNKNOWN = -1            # whose turn it is: solved games have no last roll


cdef inline Py_ssize_t cell_of(const SolvedTable *table, const int8_t *mover, const int8_t *opponent) noexcept nogil:
    return <Py_ssize_t>side_number(mover, table.checkers) * table.sides + side_number(opponent, table.checkers)


cdef double solved_equity(const SolvedTable *table, const Board *board) noexcept nogil:
    """The points that the side to move can expect, before it throws."""
    return table.equities[cell_of(table, board.row[0], board.row[1])]


cdef void solved_outputs(const SolvedTable *table, const Board *board, float *outputs) noexcept nogil:
    """The chance of each result of the side to move, least points first."""
    cdef Py_ssize_t cell = cell_of(table, board.row[0], board.row[1])
    cdef const float *chances = &table.chances[cell * table.planes]
    cdef int half = table.planes // 2, i
    cdef double rest = 1, equity = table.equities[cell]
    for i in range(half):
        outputs[table.results + 1 + i] = chances[i]
        outputs[table.results - 2 - i] = chances[half + i]
        rest -= chances[i] + <double>chances[half + i]
        equity -= table.points[1 + i] * (chances[i] - <double>chances[half + i])
    # The results of fewest points are what the others leave of certainty and of the equity.
    equity /= table.points[0]
    outputs[table.results] = min(max((rest + equity) / 2, 0), 1)
    outputs[table.results - 1] = min(max((rest - equity) / 2, 0), 1)


cdef class SolvedNative:
    """A solved game in memory: `equities` is float64[sides, sides], `chances` float32[sides, sides, planes], as the builder
    writes them; `points` are the results that can be won, least first."""

    def __init__(self, int checkers, points, const double[:, ::1] equities, const float[:, :, ::1] chances):
        cdef int i
        self.arrays = (equities, chances)
        self.table.checkers = checkers
        self.table.sides = equities.shape[0]
        self.table.planes = chances.shape[2]
        self.table.results = len(points)
        for i in range(self.table.results):
            self.table.points[i] = points[i]
        self.table.equities = &equities[0, 0]
        self.table.chances = &chances[0, 0, 0]

    @property
    def sides(self):
        """How many ways there are for one side to stand."""
        return self.table.sides

    def equities(self, const int8_t[:, :, ::1] boards, double[::1] out):
        """Write the equity of each board to `out`."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(boards.shape[0]):
                out[i] = solved_equity(&self.table, <const Board *>&boards[i, 0, 0])

    def outputs(self, const int8_t[:, :, ::1] boards, float[:, ::1] out):
        """Write the chances of each board to a row of `out`, least points first."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(boards.shape[0]):
                solved_outputs(&self.table, <const Board *>&boards[i, 0, 0], &out[i, 0])

    def best_plays(
        self, rules, const int8_t[:, :, ::1] boards, const int8_t[:, ::1] dice, int8_t[:, :, ::1] after, int32_t[::1] index,
        double[::1] equity,
    ):
        """Write the board after the best play of each row, its number in the order of `write_boards`, and what it is worth.

        Where the game is over, the board as it is, -1, and what it is worth.
        """
        cdef CompiledRules compiled_rules = compiled(rules)
        cdef const Board *board
        cdef Board chosen
        cdef int high, low
        cdef Py_ssize_t i
        with nogil:
            for i in range(boards.shape[0]):
                board = <const Board *>&boards[i, 0, 0]
                high = max(dice[i, 0], dice[i, 1])
                low = min(dice[i, 0], dice[i, 1])
                index[i] = best_play(&self.table, board, &compiled_rules.rules, high, low, &chosen, &equity[i])
                memcpy(&after[i, 0, 0], &chosen, sizeof(Board))


cdef int32_t best_play(
    const SolvedTable *table, const Board *board, const Rules *rules, int high, int low, Board *chosen, double *equity
) noexcept nogil:
    """Write the board after the play that is worth most; of equals the first. Return its number, or -1 where the game is over."""
    cdef PlaySet play_set
    cdef Board after[MAX_FEW_PLAYS]
    cdef double worth
    cdef int32_t index = 0
    cdef int i
    if is_over(board, rules, UNKNOWN):
        chosen[0] = board[0]
        equity[0] = solved_equity(table, board)
        return -1
    generate_to_list(board, rules, high, low, &play_set)
    write_boards(&play_set, board, rules, after)
    equity[0] = -INFINITY
    for i in range(play_set.count):
        worth = -table.equities[cell_of(table, after[i].row[1], after[i].row[0])]
        if worth > equity[0]:
            equity[0] = worth
            index = i
    chosen[0] = after[index]
    return index
