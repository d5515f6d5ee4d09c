# distutils: include_dirs = src/core src/players
"""Judgement in the stage variants: the queue of stages is looked through to its end."""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._core cimport (
    SLOTS, begin_stages, generate_stage, is_over, list_into, next_stage, write_boards,
)
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._wide cimport Wide, load, store, swapped
from nardy_fast.players._network cimport (
    MAX_RESULTS, NetworkNative, begin_base, ended, judge_near, judge_waiting, turned_round,
)

cdef enum:
    MAX_POINTS = 15
    MOST_PLAYS = 38760      # of a stage: see levels_or_null
    MOST_OF_FOUR = 3876     # of one of up to four dice


cdef Levels *levels_or_null() noexcept nogil:
    # Plays of k equal dice are told by how many of them each of 15 checkers takes: of six C(20, 6). Only a product has more than
    # four dice, and what is left over of it is all that can follow it. Of four dice, up to four may be sends: C(18, 4) + C(17, 3)
    # + C(16, 2) + 15 + 1 = 3876.
    cdef size_t plays = 2 * MOST_PLAYS + (MAX_DEPTH - 2) * MOST_OF_FOUR
    cdef char *room = <char *>calloc(1, sizeof(Levels) + plays * (sizeof(float) + sizeof(Board) + sizeof(Play)))
    cdef Levels *levels = <Levels *>room
    cdef int i, count
    if room == NULL:
        return NULL
    room += sizeof(Levels)
    for i in range(MAX_DEPTH):
        count = MOST_PLAYS if i < 2 else MOST_OF_FOUR
        levels.at[i].values = <float *>room
        room += count * sizeof(float)
        levels.at[i].after = <Board *>room
        room += count * sizeof(Board)
        levels.at[i].plays = <Play *>room
        room += count * sizeof(Play)
    return levels


cdef Levels *new_levels() except NULL nogil:
    cdef Levels *levels = levels_or_null()
    if levels == NULL:
        with gil:
            raise MemoryError
    return levels


cdef void free_levels(Levels *levels) noexcept nogil:
    free(levels)


cdef int list_plays(const Board *board, const Rules *rules, const Pending *queue, Level *level) noexcept nogil:
    cdef int n = generate_stage(board, rules, queue, &level.play_set)
    list_into(&level.play_set, level.plays)
    write_boards(&level.play_set, board, rules, level.after)
    return n


cdef int best_stage_play(
    const Net *net, const Board *board, const Rules *rules, const Pending *queue, int is_throw, int hasty, Levels *levels
) noexcept nogil:
    return look(net, board, rules, queue, is_throw, hasty, levels, 0)


cdef float judge_pending(
    const Net *net, const Board *board, const Rules *rules, const Pending *queue, Levels *levels, float *chances
) noexcept nogil:
    cdef int best = look(net, board, rules, queue, 0, queue.count > THOROUGH, levels, 0)
    memcpy(chances, levels.at[0].chances, MAX_RESULTS * sizeof(float))
    return levels.at[0].values[best]


cdef int look(
    const Net *net, const Board *board, const Rules *rules, const Pending *queue, int is_throw, int hasty, Levels *levels,
    int depth,
) noexcept nogil:
    """Judge the plays of the queue's first stage in the level of that depth; the number of the best."""
    cdef Level *level = &levels.at[depth]
    cdef float found[MAX_RESULTS]
    cdef float most = -INFINITY, floor = -INFINITY
    cdef int i, best = -1, n = list_plays(board, rules, queue, level), mover = queue.stage[0].player
    begin_base(&level.base, board, mover)
    if hasty and queue.count > 1 and n > WIDTH:
        for i in range(n):
            level.values[i] = judge_near(net, &level.base, &level.after[i], mover, found)
        floor = nth_greatest(level.values, n)
    for i in range(n):
        if floor > -INFINITY and level.values[i] < floor:
            level.values[i] = -INFINITY
            continue
        level.values[i] = value_of(net, board, rules, queue, is_throw, hasty, levels, depth, i, found)
        if best < 0 or level.values[i] > most or (
            level.values[i] == most and memcmp(&level.after[i], &level.after[best], sizeof(Board)) < 0
        ):
            best = i
            most = level.values[i]
            memcpy(level.chances, found, sizeof(found))
    return best


cdef float nth_greatest(const float *values, int n) noexcept nogil:
    """The WIDTH-th of them, which are more."""
    cdef float greatest[WIDTH]
    cdef float value
    cdef int i, k
    for k in range(WIDTH):
        greatest[k] = -INFINITY
    for i in range(n):
        value = values[i]
        for k in range(WIDTH):
            if value > greatest[k]:
                greatest[k], value = value, greatest[k]
    return greatest[WIDTH - 1]


cdef float value_of(
    const Net *net, const Board *board, const Rules *rules, const Pending *queue, int is_throw, int hasty, Levels *levels,
    int depth, int number, float *chances,
) noexcept nogil:
    """What a play is worth to who makes it, the stages that follow played as well as can be."""
    cdef Level *level = &levels.at[depth]
    cdef const Board *moved = &level.after[number]
    cdef Pending following = queue[0]
    cdef Board next_board
    cdef Wide turned
    cdef int mover = queue.stage[0].player, scored = 0, following_player
    cdef float value
    if ended(board, moved, rules, mover, &scored):
        memset(chances, 0, MAX_RESULTS * sizeof(float))
        if net.at[MAX_POINTS + scored] >= 0:
            chances[net.at[MAX_POINTS + scored]] = 1
        return scored
    following_player = next_stage(rules, &following, &level.plays[number], is_throw)
    if not following.count:
        if following_player == mover:
            return judge_waiting(net, moved, mover, chances)
        return judge_near(net, &level.base, moved, mover, chances)
    next_board = moved[0]
    if following_player != mover:
        turned = load(&next_board)
        turned = swapped(&turned)
        store(&turned, &next_board)
    cdef int best = look(net, &next_board, rules, &following, 0, hasty or following.count > THOROUGH, levels, depth + 1)
    value = levels.at[depth + 1].values[best]
    memcpy(chances, levels.at[depth + 1].chances, MAX_RESULTS * sizeof(float))
    if following_player == mover:
        return value
    turned_round(net, chances)
    return -value


# For Python. nardy_fast.players.Network owns the docstrings and the checks of what is given.

def is_staged(rules):
    """Whether turns by these rules are more than a pair of dice or four of a double."""
    return compiled(rules).rules.staged != 0


def evaluate(NetworkNative network, boards, turns, pending, rules, out, equity):
    """The chances of the side to move in each row, whether stages are pending or not, to `out`; their mean to `equity`."""
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef const Net *net = &network.net
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array movers = array(turns, "turns", "int8", (), given.rows, False)
    cdef Array queues = array(pending, "pending", "int8", (sizeof(Pending),), given.rows, False)
    cdef Array result = array(out, "out", "float32", (net.results,), given.rows, True)
    cdef Array mean = array(equity, "equity", "float32", (), given.rows, True)
    cdef const Board *board = <const Board *>given.data
    cdef const Pending *queue = <const Pending *>queues.data
    cdef float *value = <float *>mean.data
    cdef float chances[MAX_RESULTS]
    cdef Levels *levels = new_levels()
    cdef Py_ssize_t n
    try:
        with nogil:
            for n in range(given.rows):
                if queue[n].count:
                    value[n] = judge_pending(net, &board[n], &compiled_rules.rules, &queue[n], levels, chances)
                else:
                    value[n] = judge_waiting(net, &board[n], <int8_t>movers.data[n], chances)
                memcpy(<float *>result.data + n * net.results, chances, net.results * sizeof(float))
    finally:
        free_levels(levels)


def best_plays(NetworkNative network, boards, dice, turns, pending, rules, after, index, equity):
    """Write the board after the best play of each row to `after`, its number to `index`, what it is worth to `equity`.

    Rows where stages are pending play the first of them, the others their dice; `pending` may be None.
    """
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef const Net *net = &network.net
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array thrown = array(dice, "dice", "int8", (2,), given.rows, False)
    cdef Array movers = array(turns, "turns", "int8", (), given.rows, False)
    cdef Array queues = None if pending is None else array(pending, "pending", "int8", (sizeof(Pending),), given.rows, False)
    cdef Array result = array(after, "after", "int8", (2, SLOTS), given.rows, True)
    cdef Array numbers = array(index, "index", "int32", (), given.rows, True)
    cdef Array values = array(equity, "equity", "float32", (), given.rows, True)
    cdef const Board *board = <const Board *>given.data
    cdef const int8_t *pair = <const int8_t *>thrown.data
    cdef int32_t *number = <int32_t *>numbers.data
    cdef float *value = <float *>values.data
    cdef float chances[MAX_RESULTS]
    cdef Levels *levels = new_levels()
    cdef Pending queue
    cdef Py_ssize_t n
    cdef int is_throw, mover, high, low
    try:
        with nogil:
            for n in range(given.rows):
                mover = <int8_t>movers.data[n]
                if is_over(&board[n], &compiled_rules.rules, mover):
                    number[n] = -1
                    value[n] = judge_waiting(net, &board[n], mover, chances)
                    (<Board *>result.data)[n] = board[n]
                    continue
                is_throw = queues is None or not (<const Pending *>queues.data)[n].count
                if is_throw:
                    high, low = max(pair[2 * n], pair[2 * n + 1]), min(pair[2 * n], pair[2 * n + 1])
                    begin_stages(&compiled_rules.rules, mover, high, low, &queue)
                else:
                    queue = (<const Pending *>queues.data)[n]
                number[n] = best_stage_play(net, &board[n], &compiled_rules.rules, &queue, is_throw, 0, levels)
                value[n] = levels.at[0].values[number[n]]
                (<Board *>result.data)[n] = levels.at[0].after[number[n]]
    finally:
        free_levels(levels)
