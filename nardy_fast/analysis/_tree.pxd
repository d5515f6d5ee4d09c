"""The tree of a search, looked through without the GIL."""

from libc.stdint cimport int8_t

from nardy_fast.core._bearoff cimport OneSidedTable, TwoSidedTable
from nardy_fast.core._core cimport Board, Pending, Play, Rules
from nardy_fast.core._rules cimport CompiledRules
from nardy_fast.players._network cimport Base, Desk, Net, NetworkNative
from nardy_fast.players._staged cimport Levels

cdef struct Found:          # what a play is worth: the chance of each result for who makes it, and their mean
    float equity
    float chances[32]

cdef struct Kept:           # a play that is looked at, who made it in row 0
    Board after
    Play play
    Found found

cdef struct Known:          # a value that is remembered
    Board board             # before a throw
    int8_t turn
    int8_t plies            # 0: nothing is here
    Found found

cdef struct Replies:        # the best reply to each roll against another play of the same choice
    int known
    int8_t row[21][26]      # of who replies, after it

cdef struct Search:         # one thread's
    const Net *net
    Rules rules
    const OneSidedTable *one        # NULL: no tables
    const TwoSidedTable *two
    int mars                # points, of one that a table tells
    int keep                # how many plays inside the tree are looked at deeper; 0: all
    float margin            # those that are at most so much worse than the best
    Desk *desk              # for rules without stages
    Levels *levels          # for those with
    Known *known
    volatile int stopped    # 1: come to an end, whatever has been found; another thread sets it
    int prune               # 0: value every play in full, with the same results
    Base base               # of the board whose replies are looked at
    Kept *room[96]          # for the plays of each choice above one another
    int size[96]
    int depth

cdef Search *new_search(
    NetworkNative network, CompiledRules rules, tables, int mars, int keep, float margin, int prune
) except NULL
cdef void free_search(Search *search) noexcept

# What the bear-off tables say of a board before a throw; 0 where they do not know it.
cdef int looked_up(const Search *search, const Board *board, int turn, Found *found) noexcept nogil

# What the player in row 0, whose colour is `turn`, can expect before his throw, so many plies on. Returns 0, and nothing found,
# where that is more than `ceiling`, which is then all that matters, and where the search has been stopped. `replies` may be NULL.
cdef int expect(
    Search *search, const Board *board, int turn, int plies, double ceiling, Replies *replies, Found *found
) except -1 nogil

# The same for the best play of a roll, so many plies after it, and for that of what is pending, for who plays its first stage.
cdef int best_of_roll(Search *search, const Board *board, int turn, int high, int low, int plies, Found *best) except -1 nogil
cdef int best_of_queue(
    Search *search, const Board *board, const Pending *queue, int is_throw, int plies, Found *best
) except -1 nogil

# The board after the best play of a roll or, where `queue` is given, of its first stage. At each ply those are looked at that the
# last one has left: `most` of them, 0: all, none worse by more than `margin`.
cdef int decide(
    Search *search, const Board *board, int mover, const Pending *queue, int is_throw, int high, int low, int plies,
    int most, float margin, Board *after,
) except -1 nogil
