# distutils: include_dirs = src/core src/players
"""Search: expectimax over the 21 rolls, down to what a network and the bear-off tables say.

A board before a throw at n plies is worth the mean, over the rolls, of its best play at n - 1 plies; at 0 plies what the network
says. So a play at n plies is worth what the board after it is, at n plies, from the other side.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._bearoff cimport Chances, OneSidedNative, OneSidedTable, TwoSidedNative, TwoSidedTable, look_up, race
from nardy_fast.core._bearoff_spreads cimport NOWHERE, number_of
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport (
    SLOTS, Board, Pending, Play, Rules, begin_stages, generate_to_list, is_over, next_stage, write_boards,
)
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.players._network cimport (
    Desk, Net, NetworkNative, begin_base, best_play, ended, free_desk, judge_near, judge_waiting, new_desk, turned_round,
)
from nardy_fast.players._staged cimport THOROUGH, Levels, best_stage_play, free_levels, new_levels

cdef enum:
    MAX_POINTS = 15
    TABLE = 1 << 12         # values that are remembered, of boards at one ply or more

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


cdef Search *new_search(NetworkNative network, CompiledRules rules, tables, int mars, int keep, float margin) except NULL:
    cdef Search *search = <Search *>calloc(1, sizeof(Search))
    cdef OneSidedNative one
    cdef TwoSidedNative two
    if search == NULL:
        raise MemoryError
    try:
        search.net = &network.net
        search.rules = rules.rules
        search.mars = mars
        search.keep = keep
        search.margin = margin
        if tables is not None:
            one, two = tables
            search.one = &one.table
            search.two = &two.table
        search.desk = new_desk()
        if rules.rules.staged:
            search.levels = new_levels()
        search.known = <Known *>calloc(TABLE, sizeof(Known))
        if search.known == NULL:
            raise MemoryError
    except BaseException:
        free_search(search)
        raise
    return search


cdef void free_search(Search *search) noexcept:
    if search.desk != NULL:
        free_desk(search.desk)
    if search.levels != NULL:
        free_levels(search.levels)
    free(search.known)
    free(search)


# Leaves.

cdef void add(const Net *net, int points, double chance, Found *found) noexcept nogil:
    if chance > 0 and net.at[MAX_POINTS + points] >= 0:
        found.chances[net.at[MAX_POINTS + points]] += chance


cdef int looked_up(const Search *search, const Board *board, int turn, Found *found) noexcept nogil:
    """What the bear-off tables say of a board before a throw; 0 where they do not know it."""
    cdef Chances chances
    cdef int i, mover, opponent
    if search.one == NULL:
        return 0
    mover = number_of(&search.one.numbering, board.row[0])
    if mover == NOWHERE:
        return 0
    opponent = number_of(&search.one.numbering, board.row[1])
    if opponent == NOWHERE:
        return 0
    # Both tables have the same points, and so the same numbers.
    if search.two != NULL and mover < search.two.spreads and opponent < search.two.spreads:
        look_up(search.two, turn, mover, opponent, &chances)
    else:
        race(search.one, &search.rules, turn, mover, opponent, &chances)
    memset(found, 0, sizeof(Found))
    add(search.net, 1, chances.win - chances.mars, found)
    add(search.net, search.mars, chances.mars, found)
    add(search.net, -1, chances.loss - chances.lost_mars, found)
    add(search.net, -search.mars, chances.lost_mars, found)
    add(search.net, 0, chances.draw, found)
    for i in range(search.net.results):
        found.equity += search.net.points[i] * found.chances[i]
    return 1


cdef void leaf(const Search *search, const Board *board, int turn, Found *found) noexcept nogil:
    """A board before a throw, at 0 plies."""
    if is_over(board, &search.rules, turn) or not looked_up(search, board, turn, found):
        found.equity = judge_waiting(search.net, board, turn, found.chances)


cdef inline void turn_found(const Search *search, Found *found) noexcept nogil:
    """From the other side."""
    found.equity = -found.equity
    turned_round(search.net, found.chances)


# The tree.

cdef inline uint64_t hashed(const Board *board, int turn) noexcept nogil:
    """FNV-1a, eight bytes at a time."""
    cdef const uint64_t *words = <const uint64_t *>board
    cdef uint64_t mixed = <uint64_t>14695981039346656037 ^ turn
    cdef uint32_t last
    cdef int i
    for i in range(6):
        mixed = (mixed ^ words[i]) * <uint64_t>1099511628211
        mixed ^= mixed >> 29
    memcpy(&last, <const char *>board + 48, 4)
    mixed = (mixed ^ last) * <uint64_t>1099511628211
    return mixed ^ mixed >> 32


cdef int expect(Search *search, const Board *board, int turn, int plies, Found *found) except -1 nogil:
    """A board before the throw of the player in row 0, whose colour is `turn`."""
    cdef Known *known
    cdef Found best
    cdef int high, low, weight, i
    if plies == 0 or is_over(board, &search.rules, turn):
        leaf(search, board, turn, found)
        return 0
    # What the tables know needs no search, and is exact.
    if looked_up(search, board, turn, found):
        return 0
    known = &search.known[hashed(board, turn) % TABLE]
    if known.plies == plies and known.turn == turn and memcmp(&known.board, board, sizeof(Board)) == 0:
        found[0] = known.found
        return 0
    memset(found, 0, sizeof(Found))
    for high in range(1, 7):
        for low in range(1, high + 1):
            weight = 1 if high == low else 2
            best_of_roll(search, board, turn, high, low, plies - 1, &best)
            found.equity += weight * best.equity
            for i in range(search.net.results):
                found.chances[i] += weight * best.chances[i]
    found.equity /= 36
    for i in range(search.net.results):
        found.chances[i] /= 36
    # Deeper searches of the table's other boards may have taken the place meanwhile.
    known.board = board[0]
    known.turn = turn
    known.plies = plies
    known.found = found[0]
    return 0


cdef int best_of_roll(Search *search, const Board *board, int turn, int high, int low, int plies, Found *best) except -1 nogil:
    """The best play of a roll, leaves being so many plies away from its end."""
    cdef Pending queue
    if search.rules.staged:
        begin_stages(&search.rules, turn, high, low, &queue)
        return best_of_queue(search, board, &queue, 1, plies, best)
    if plies == 0 and (search.one == NULL or number_of(&search.one.numbering, board.row[1]) == NOWHERE):
        best_play(search.net, board, &search.rules, turn, high, low, search.desk, &best.equity, best.chances)
        return 0
    return best_kept(search, board, turn, NULL, 0, generate_to_list(
        board, &search.rules, high, low, &search.desk.play_set
    ), plies, best)


cdef int best_of_queue(
    Search *search, const Board *board, const Pending *queue, int is_throw, int plies, Found *best
) except -1 nogil:
    """The best play of the queue's first stage, for who plays it."""
    cdef int hasty = not is_throw and queue.count > THOROUGH
    cdef int chosen = best_stage_play(search.net, board, &search.rules, queue, is_throw, hasty, search.levels)
    if plies == 0 and search.one == NULL:
        best.equity = search.levels.at[0].values[chosen]
        memcpy(best.chances, search.levels.at[0].chances, sizeof(best.chances))
        return 0
    return best_kept(search, board, queue.stage[0].player, queue, is_throw, search.levels.at[0].play_set.count, plies, best)


cdef int best_kept(
    Search *search, const Board *board, int mover, const Pending *queue, int is_throw, int n, int plies, Found *best
) except -1 nogil:
    """The best of the n plays that the desk or the levels have, after a filter by what they are worth at 0 plies."""
    cdef Kept *kept = <Kept *>malloc(n * sizeof(Kept))
    cdef int i, chosen = 0
    if kept == NULL:
        with gil:
            raise MemoryError
    try:
        list_kept(search, board, mover, queue, n, plies and search.keep, kept)
        if plies and search.keep:
            n = keep_best(kept, n, search.keep, search.margin)
        for i in range(n):
            follow(search, board, mover, queue, is_throw, &kept[i], plies)
            if is_better(&kept[i], &kept[chosen]):
                chosen = i
        best[0] = kept[chosen].found
    finally:
        free(kept)
    return 0


cdef inline int is_better(const Kept *one, const Kept *other) noexcept nogil:
    """Of equal plays the one with the smaller board."""
    return one.found.equity > other.found.equity or (
        one.found.equity == other.found.equity and memcmp(&one.after, &other.after, sizeof(Board)) < 0
    )


cdef void list_kept(
    Search *search, const Board *board, int mover, const Pending *queue, int n, bint judged, Kept *kept
) noexcept nogil:
    """Write the n plays that the desk or the levels have to `kept`, with what they are worth at 0 plies if it is asked."""
    cdef int i
    if queue != NULL:
        for i in range(n):
            kept[i].after = search.levels.at[0].after[i]
            kept[i].play = search.levels.at[0].plays[i]
            kept[i].found.equity = search.levels.at[0].values[i]
        return
    write_boards(&search.desk.play_set, board, &search.rules, search.desk.after)
    begin_base(&search.desk.base, board, mover)
    for i in range(n):
        kept[i].after = search.desk.after[i]
        if judged:
            kept[i].found.equity = judge_near(search.net, &search.desk.base, &kept[i].after, mover, kept[i].found.chances)


cdef int keep_best(Kept *kept, int n, int most, float margin) noexcept nogil:
    """Bring the best to the front, and return how many they are: so many at the most, none worse than the first by more."""
    cdef Kept other
    cdef int i, k, best
    for k in range(min(most, n)):
        best = k
        for i in range(k + 1, n):
            if is_better(&kept[i], &kept[best]):
                best = i
        if kept[best].found.equity < kept[0].found.equity - margin:
            return k
        other = kept[k]
        kept[k] = kept[best]
        kept[best] = other
    return min(most, n)


cdef int follow(
    Search *search, const Board *board, int mover, const Pending *queue, int is_throw, Kept *kept, int plies
) except -1 nogil:
    """What a play is worth, the stages that follow it searched through, and `plies` after them."""
    cdef Pending following
    cdef Board next_board = kept.after
    cdef int scored = 0, next_player = 1 - mover
    if ended(board, &kept.after, &search.rules, mover, &scored):
        memset(&kept.found, 0, sizeof(Found))
        add(search.net, scored, 1, &kept.found)
        kept.found.equity = scored
        return 0
    following.count = 0
    if queue != NULL:
        following = queue[0]
        next_player = next_stage(&search.rules, &following, &kept.play, is_throw)
    if next_player != mover:
        turn_round(&next_board)
    if following.count:
        best_of_queue(search, &next_board, &following, 0, plies, &kept.found)
    else:
        expect(search, &next_board, next_player, plies, &kept.found)
    if next_player != mover:
        turn_found(search, &kept.found)
    return 0


cdef int decide(
    Search *search, const Board *board, int mover, const Pending *queue, int is_throw, int high, int low, int plies,
    int most, float margin, Board *after, float *equity,
) except -1 nogil:
    """The board after the best play of a roll or stage: at each ply those are looked at that the last one has left."""
    cdef Kept *kept
    cdef int i, n, ply
    if queue != NULL:
        best_stage_play(search.net, board, &search.rules, queue, is_throw, 0, search.levels)
        n = search.levels.at[0].play_set.count
    else:
        n = generate_to_list(board, &search.rules, high, low, &search.desk.play_set)
    kept = <Kept *>malloc(n * sizeof(Kept))
    if kept == NULL:
        with gil:
            raise MemoryError
    try:
        list_kept(search, board, mover, queue, n, False, kept)
        for ply in range(plies + 1):
            for i in range(n):
                follow(search, board, mover, queue, is_throw, &kept[i], ply)
            n = keep_best(kept, n, most if most and ply < plies else n, margin if most else INFINITY)
        after[0] = kept[0].after
        equity[0] = kept[0].found.equity
    finally:
        free(kept)
    return 0


# For Python. nardy_fast.analysis.search owns the docstrings and the checks of what is given.

cdef class Searcher:
    """What one thread searches with: Searcher(network, rules, tables, mars, keep, margin)."""

    cdef Search *search
    cdef object held

    def __init__(self, NetworkNative network, rules, tables, int mars, int keep, float margin):
        cdef CompiledRules compiled_rules = compiled(rules)
        if self.search != NULL:
            free_search(self.search)
            self.search = NULL
        self.held = network, compiled_rules, tables
        self.search = new_search(network, compiled_rules, tables, mars, keep, margin)

    def __dealloc__(self):
        if self.search != NULL:
            free_search(self.search)

    def knows(self, board):
        """Whether the bear-off tables know the board, int8[1, 2, 26], so that it needs no search."""
        cdef Array given = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Found found
        return looked_up(self.search, <const Board *>given.data, 0, &found) != 0

    def evaluate(self, board, int turn, pending, int plies, chances):
        """The chances of the side to move to `chances`, float32[1, results]; returns their mean.

        `pending` is None or int8[1, 28].
        """
        cdef Array given = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Array queue = None if pending is None else array(pending, "pending", "int8", (sizeof(Pending),), 1, False)
        cdef Array result = array(chances, "chances", "float32", (self.search.net.results,), 1, True)
        cdef const Board *start = <const Board *>given.data
        cdef Found found
        with nogil:
            if queue is not None:
                best_of_queue(self.search, start, <const Pending *>queue.data, 0, plies, &found)
            else:
                expect(self.search, start, turn, plies, &found)
        memcpy(result.data, found.chances, self.search.net.results * sizeof(float))
        return found.equity

    def roll(self, board, int turn, int high, int low, int plies, chances):
        """The same for the best play of a throw, so many plies after it."""
        cdef Array given = array(board, "board", "int8", (2, SLOTS), 1, False)
        cdef Array result = array(chances, "chances", "float32", (self.search.net.results,), 1, True)
        cdef Found found
        with nogil:
            best_of_roll(self.search, <const Board *>given.data, turn, high, low, plies, &found)
        memcpy(result.data, found.chances, self.search.net.results * sizeof(float))
        return found.equity

    def choose(self, boards, dice, turns, pending, int plies, int most, float margin, after, equity):
        """Write the board after the best play of each row to `after`, who moved in row 0, and what it is worth to `equity`.

        `most` plays are looked at deeper, 0: all, none worse by more than `margin`. A row where the game is over keeps its board.
        """
        cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
        cdef Array thrown = array(dice, "dice", "int8", (2,), given.rows, False)
        cdef Array movers = array(turns, "turns", "int8", (), given.rows, False)
        cdef Array queues = None if pending is None else array(pending, "pending", "int8", (sizeof(Pending),), given.rows, False)
        cdef Array result = array(after, "after", "int8", (2, SLOTS), given.rows, True)
        cdef Array values = array(equity, "equity", "float32", (), given.rows, True)
        cdef const Board *board = <const Board *>given.data
        cdef const int8_t *pair = <const int8_t *>thrown.data
        cdef Pending queue
        cdef Found found
        cdef Py_ssize_t n
        cdef int mover, high, low, is_throw
        with nogil:
            for n in range(given.rows):
                mover = <int8_t>movers.data[n]
                high, low = max(pair[2 * n], pair[2 * n + 1]), min(pair[2 * n], pair[2 * n + 1])
                if is_over(&board[n], &self.search.rules, mover):
                    leaf(self.search, &board[n], mover, &found)
                    (<Board *>result.data)[n] = board[n]
                    (<float *>values.data)[n] = found.equity
                    continue
                is_throw = queues is None or not (<const Pending *>queues.data)[n].count
                if not is_throw:
                    queue = (<const Pending *>queues.data)[n]
                elif self.search.rules.staged:
                    begin_stages(&self.search.rules, mover, high, low, &queue)
                decide(
                    self.search, &board[n], mover, &queue if self.search.rules.staged else NULL, is_throw, high, low, plies,
                    most, margin, &(<Board *>result.data)[n], &(<float *>values.data)[n],
                )
