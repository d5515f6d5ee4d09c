# distutils: include_dirs = src/core src/players
"""Search: expectimax over the 21 rolls, down to what a network and the bear-off tables say.

A board before a throw at n plies is worth the mean, over the rolls, of its best play at n - 1 plies; at 0 plies what the network
says. So a play at n plies is worth what the board after it is, at n plies, from the other side.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._bearoff cimport Chances, OneSidedNative, TwoSidedNative, look_up, race
from nardy_fast.core._bearoff_spreads cimport NOWHERE, number_of
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport (
    SLOTS, Board, Pending, begin_stages, generate_to_list, is_over, next_stage, write_boards,
)
from nardy_fast.core._rules cimport CompiledRules
from nardy_fast.players._network cimport (
    MAX_RESULTS, Net, NetworkNative, begin_base, ended, free_desk, judge_near, judge_waiting, new_desk,
    turned_round,
)
from nardy_fast.players._staged cimport THOROUGH, best_stage_play, free_levels, new_levels

cdef enum:
    MAX_POINTS = 15
    TABLE = 1 << 12         # values that are remembered, of boards at one ply or more
    ALL_ROLLS = 21
    MAX_DEPTH = 96          # choices above one another: four plies and the root, each of up to 16 stages

cdef double SLACK = 1e-5    # a play must be worse by more than rounding to be given up


cdef Search *new_search(
    NetworkNative network, CompiledRules rules, tables, int mars, int keep, float margin, int prune
) except NULL:
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
        search.prune = prune
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
    cdef int i
    if search.desk != NULL:
        free_desk(search.desk)
    if search.levels != NULL:
        free_levels(search.levels)
    free(search.known)
    for i in range(MAX_DEPTH):
        free(search.room[i])
    free(search)


cdef Kept *room_for(Search *search, int n) except NULL nogil:
    """Room for the plays of one more choice; taking one off the depth gives it back."""
    cdef int depth = search.depth
    if n > search.size[depth]:
        free(search.room[depth])
        search.room[depth] = <Kept *>malloc(n * sizeof(Kept))
        search.size[depth] = n
        if search.room[depth] == NULL:
            search.size[depth] = 0
            with gil:
                raise MemoryError
    search.depth += 1
    return search.room[depth]


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


cdef int expect(
    Search *search, const Board *board, int turn, int plies, double ceiling, Replies *replies, Found *found
) except -1 nogil:
    """A board before the throw of the player in row 0, whose colour is `turn`.

    Returns 0, and nothing found, where he can expect more than `ceiling`, which is then all that matters, or the search has been
    stopped.
    """
    cdef Known *known
    cdef Found best
    cdef int high, low
    if plies == 0 or is_over(board, &search.rules, turn):
        leaf(search, board, turn, found)
        return 1
    # What the tables know needs no search, and is exact.
    if looked_up(search, board, turn, found):
        return 1
    known = &search.known[hashed(board, turn) % TABLE]
    if known.plies == plies and known.turn == turn and memcmp(&known.board, board, sizeof(Board)) == 0:
        found[0] = known.found
        return 1
    if search.stopped:
        return 0
    if plies == 1 and not search.rules.staged and not may_be_looked_up(search, board):
        if not expect_replies(search, board, turn, ceiling, replies, found):
            return 0
    else:
        memset(found, 0, sizeof(Found))
        for high in range(1, 7):
            for low in range(1, high + 1):
                best_of_roll(search, board, turn, high, low, plies - 1, &best)
                add_weighted(search, &best, 1 if high == low else 2, found)
        if search.stopped:
            return 0
        mean_of(search, found)
    # Deeper searches of the table's other boards may have taken the place meanwhile.
    known.board = board[0]
    known.turn = turn
    known.plies = plies
    known.found = found[0]
    return 1


cdef inline void add_weighted(const Search *search, const Found *best, int weight, Found *sum) noexcept nogil:
    cdef int i
    sum.equity += weight * best.equity
    for i in range(search.net.results):
        sum.chances[i] += weight * best.chances[i]


cdef inline void mean_of(const Search *search, Found *sum) noexcept nogil:
    cdef int i
    sum.equity /= 36
    for i in range(search.net.results):
        sum.chances[i] /= 36


cdef inline int may_be_looked_up(const Search *search, const Board *board) noexcept nogil:
    """Whether the bear-off tables may know the board after a play."""
    return search.one != NULL and number_of(&search.one.numbering, board.row[1]) != NOWHERE


cdef int expect_replies(
    Search *search, const Board *board, int turn, double ceiling, Replies *replies, Found *found
) noexcept nogil:
    """`expect` at one ply, where the network judges every reply.

    Star2: of each roll first the reply that was best against another play, which is seldom much worse than the best here. Only if
    these do not come to more than the ceiling already, all of them, roll by roll.
    """
    cdef double least[ALL_ROLLS]
    cdef double bound = 0
    cdef int probed = replies != NULL and replies.known and ceiling < INFINITY
    cdef int high, low, weight, best, number = 0
    cdef Found reply
    begin_base(&search.base, board, turn)
    if probed:
        for high in range(1, 7):
            for low in range(1, high + 1):
                weight = 1 if high == low else 2
                least[number] = value_of_reply(search, board, turn, high, low, replies.row[number])
                bound += weight * least[number] / 36
                number += 1
        if bound > ceiling + SLACK:
            return 0
    memset(found, 0, sizeof(Found))
    number = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            weight = 1 if high == low else 2
            best = best_reply(search, board, turn, high, low, &reply)
            add_weighted(search, &reply, weight, found)
            if replies != NULL:
                memcpy(replies.row[number], search.desk.after[best].row[0], SLOTS)
            if probed:
                bound += weight * (reply.equity - least[number]) / 36
                if bound > ceiling + SLACK:
                    return 0
            number += 1
    if replies != NULL:
        replies.known = 1
    mean_of(search, found)
    return 1


cdef int list_replies(Search *search, const Board *board, int high, int low) noexcept nogil:
    cdef int n = generate_to_list(board, &search.rules, high, low, &search.desk.play_set)
    write_boards(&search.desk.play_set, board, &search.rules, search.desk.after)
    return n


cdef int best_reply(Search *search, const Board *board, int turn, int high, int low, Found *best) noexcept nogil:
    """The number of the best play of a roll by the network; of equal ones the smallest board. The base is that of the board."""
    cdef Found found
    cdef const Board *after = search.desk.after
    cdef int i, chosen = 0, n = list_replies(search, board, high, low)
    for i in range(n):
        found.equity = judge_near(search.net, &search.base, &after[i], turn, found.chances)
        if i == 0 or found.equity > best.equity or (
            found.equity == best.equity and memcmp(&after[i], &after[chosen], sizeof(Board)) < 0
        ):
            chosen = i
            best[0] = found
    return chosen


cdef double value_of_reply(
    Search *search, const Board *board, int turn, int high, int low, const int8_t *row
) noexcept nogil:
    """What the play is worth after which the player has this row, or any other where there is no such."""
    cdef float chances[MAX_RESULTS]
    cdef int i, chosen = 0, n = list_replies(search, board, high, low)
    for i in range(n):
        if memcmp(search.desk.after[i].row[0], row, SLOTS) == 0:
            chosen = i
            break
    return judge_near(search.net, &search.base, &search.desk.after[chosen], turn, chances)


cdef int best_of_roll(Search *search, const Board *board, int turn, int high, int low, int plies, Found *best) except -1 nogil:
    """The best play of a roll, leaves being so many plies away from its end."""
    cdef Pending queue
    if search.rules.staged:
        begin_stages(&search.rules, turn, high, low, &queue)
        return best_of_queue(search, board, &queue, 1, plies, best)
    if plies == 0 and not may_be_looked_up(search, board):
        begin_base(&search.base, board, turn)
        best_reply(search, board, turn, high, low, best)
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
    cdef Kept *kept = room_for(search, n)
    list_kept(search, board, mover, queue, n, plies, kept)
    if plies and search.keep:
        n = keep_best(kept, n, search.keep, search.margin)
    elif plies:
        keep_best(kept, n, 1, INFINITY)     # the best comes first, so that others are given up soon
    best[0] = kept[first_best(search, board, mover, queue, is_throw, kept, n, plies)].found
    search.depth -= 1
    return 0


cdef int first_best(
    Search *search, const Board *board, int mover, const Pending *queue, int is_throw, Kept *kept, int n, int plies
) except -1 nogil:
    """The number of the best of these plays; of equal ones the smallest board. What is worse may have no value."""
    cdef Replies replies
    cdef double floor = -INFINITY
    cdef int i, chosen = 0
    replies.known = 0
    for i in range(n):
        if follow(search, board, mover, queue, is_throw, &kept[i], plies, floor, &replies) and (
            i == 0 or is_better(&kept[i], &kept[chosen])
        ):
            chosen = i
            if search.prune:
                floor = kept[i].found.equity
    return chosen


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
    Search *search, const Board *board, int mover, const Pending *queue, int is_throw, Kept *kept, int plies, double floor,
    Replies *replies,
) except -1 nogil:
    """What a play is worth, the stages that follow it searched through, and `plies` after them.

    Returns 0, and nothing found, where that is less than `floor` and was seen early.
    """
    cdef Pending following
    cdef Board next_board = kept.after
    cdef int scored = 0, next_player = 1 - mover
    if ended(board, &kept.after, &search.rules, mover, &scored):
        memset(&kept.found, 0, sizeof(Found))
        add(search.net, scored, 1, &kept.found)
        kept.found.equity = scored
        return 1
    following.count = 0
    if queue != NULL:
        following = queue[0]
        next_player = next_stage(&search.rules, &following, &kept.play, is_throw)
    if next_player != mover:
        turn_round(&next_board)
    if following.count:
        best_of_queue(search, &next_board, &following, 0, plies, &kept.found)
    elif next_player == mover:
        expect(search, &next_board, next_player, plies, INFINITY, NULL, &kept.found)
    elif not expect(search, &next_board, next_player, plies, -floor, replies, &kept.found):
        return 0
    if next_player != mover:
        turn_found(search, &kept.found)
    return 1


cdef int decide(
    Search *search, const Board *board, int mover, const Pending *queue, int is_throw, int high, int low, int plies,
    int most, float margin, Board *after,
) except -1 nogil:
    """The board after the best play of a roll or stage: at each ply those are looked at that the last one has left."""
    cdef Kept *kept
    cdef int i, n, ply
    search.depth = 0
    if queue != NULL:
        best_stage_play(search.net, board, &search.rules, queue, is_throw, 0, search.levels)
        n = search.levels.at[0].play_set.count
    else:
        n = generate_to_list(board, &search.rules, high, low, &search.desk.play_set)
    kept = room_for(search, n)
    list_kept(search, board, mover, queue, n, False, kept)
    for ply in range(plies):
        if n > 1:
            for i in range(n):
                follow(search, board, mover, queue, is_throw, &kept[i], ply, -INFINITY, NULL)
            n = keep_best(kept, n, most if most else n, margin if most else INFINITY)
    after[0] = kept[first_best(search, board, mover, queue, is_throw, kept, n, plies) if n > 1 else 0].after
    return 0
