# distutils: include_dirs = src/core src/players
"""What one thread searches with, for Python. nardy_fast.analysis.search owns the docstrings and the checks of what is given."""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t
from libc.string cimport memcpy

from nardy_fast.analysis._tree cimport (
    Found, Search, best_of_queue, best_of_roll, decide, expect, free_search, looked_up, new_search,
)
from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._core cimport SLOTS, Board, Pending, begin_stages, is_over
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.players._network cimport NetworkNative


cdef class Searcher:
    """What one thread searches with: Searcher(network, rules, tables, mars, keep, margin, prune=True)."""

    cdef Search *search
    cdef object held

    def __init__(self, NetworkNative network, rules, tables, int mars, int keep, float margin, bint prune=True):
        cdef CompiledRules compiled_rules = compiled(rules)
        if self.search != NULL:
            free_search(self.search)
            self.search = NULL
        self.held = network, compiled_rules, tables
        self.search = new_search(network, compiled_rules, tables, mars, keep, margin, prune)

    def __dealloc__(self):
        if self.search != NULL:
            free_search(self.search)

    def stop(self):
        """Let what is going on, and all that comes, end at once without a result."""
        self.search.stopped = 1

    def knows(self, board):
        """Whether the bear-off tables know the board, int8[1, 2, 26], so that it needs no search."""
        cdef Array given = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Found found
        return looked_up(self.search, <const Board *>given.data, 0, &found) != 0

    def evaluate(self, board, int turn, pending, int plies, chances):
        """The chances of the side to move to `chances`, float32[1, results]; returns their mean, or None if it was stopped.

        `pending` is None or int8[1, 28].
        """
        cdef Array given = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Array queue = None if pending is None else array(pending, "pending", "int8", (sizeof(Pending),), 1, False)
        cdef Array result = array(chances, "chances", "float32", (self.search.net.results,), 1, True)
        cdef const Board *start = <const Board *>given.data
        cdef Found found
        self.search.depth = 0
        with nogil:
            if queue is not None:
                best_of_queue(self.search, start, <const Pending *>queue.data, 0, plies, &found)
            else:
                expect(self.search, start, turn, plies, INFINITY, NULL, &found)
        if self.search.stopped:
            return None
        memcpy(result.data, found.chances, self.search.net.results * sizeof(float))
        return found.equity

    def roll(self, board, int turn, int high, int low, int plies, chances):
        """The same for the best play of a throw, so many plies after it."""
        cdef Array given = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Array result = array(chances, "chances", "float32", (self.search.net.results,), 1, True)
        cdef Found found
        self.search.depth = 0
        with nogil:
            best_of_roll(self.search, <const Board *>given.data, turn, high, low, plies, &found)
        if self.search.stopped:
            return None
        memcpy(result.data, found.chances, self.search.net.results * sizeof(float))
        return found.equity

    def choose(self, boards, dice, turns, pending, int plies, int most, float margin, after):
        """Write the board after the best play of each row to `after`, who moved in row 0.

        `most` plays are looked at deeper, 0: all, none worse by more than `margin`. A row where the game is over keeps its board.
        """
        cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
        cdef Array thrown = array(dice, "dice", "int8", (2,), given.rows, False)
        cdef Array movers = array(turns, "turns", "int8", (), given.rows, False)
        cdef Array queues = None if pending is None else array(pending, "pending", "int8", (sizeof(Pending),), given.rows, False)
        cdef Array result = array(after, "after", "int8", (2, SLOTS), given.rows, True)
        cdef const Board *board = <const Board *>given.data
        cdef const int8_t *pair = <const int8_t *>thrown.data
        cdef Pending queue
        cdef Py_ssize_t n
        cdef int mover, high, low, is_throw
        with nogil:
            for n in range(given.rows):
                mover = <int8_t>movers.data[n]
                high, low = max(pair[2 * n], pair[2 * n + 1]), min(pair[2 * n], pair[2 * n + 1])
                if is_over(&board[n], &self.search.rules, mover):
                    (<Board *>result.data)[n] = board[n]
                    continue
                is_throw = queues is None or not (<const Pending *>queues.data)[n].count
                if not is_throw:
                    queue = (<const Pending *>queues.data)[n]
                elif self.search.rules.staged:
                    begin_stages(&self.search.rules, mover, high, low, &queue)
                decide(
                    self.search, &board[n], mover, &queue if self.search.rules.staged else NULL, is_throw, high, low, plies,
                    most, margin, &(<Board *>result.data)[n],
                )
