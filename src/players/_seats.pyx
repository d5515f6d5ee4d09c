"""Players that decide natively, and games between them."""

from libc.math cimport cos, log, sqrt
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcmp

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._bits cimport at_least, lowest
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport (
    BAR, HEAD, HOME, LAST, OFF, SLOTS, Pending, begin_stages, generate_to_list, is_over, next_stage, start_board, write_boards,
)
from nardy_fast.core._dice cimport Dice, first_throw, throw
from nardy_fast.players._network cimport (
    MAX_RESULTS, NetworkNative, begin_base, best_play, ended, free_desk, judge_near, new_desk,
)
from nardy_fast.players._staged cimport Levels, best_stage_play, free_levels, list_plays, new_levels
from nardy_fast.core._random cimport begin_stream, uniform
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._track cimport CASCADE, POINTS, opposite
from nardy_fast.core._wide cimport Wide, load, store, swapped

cdef enum:
    WHITE = 0
    MAX_TURNS = 100000     # of a game; a longer one is a draw
    LUCK = 1                # beside a game's dice, numbers for each seat's choices


globals().update(RANDOM=RANDOM, GREEDY=GREEDY, NETWORK=NETWORK)      # the numbers for Python too


def has_queue(rules):
    """Whether stages may be pending by these rules, or the same player may throw again."""
    cdef CompiledRules found = compiled(rules)
    return found.rules.unplayed != 0 or found.rules.thrown == CASCADE or found.rules.throw_again != 0


# The heuristic. Weights are in hundredths, so that equal boards are exactly equal.

cdef int greedy_score(const Board *moved, const Rules *rules) noexcept nogil:
    return greedy_short(moved) if rules.contrary else greedy_long(moved, rules)


cdef int greedy_long(const Board *moved, const Rules *rules) noexcept nogil:
    cdef const int8_t *row = moved.row[0]
    cdef uint32_t his = at_least(moved.row[1], 1) & POINTS
    cdef int rear = lowest(his) if his else OFF, slot, there, in_row = 0
    cdef int score = 400 * row[OFF] - 150 * row[HEAD]
    for slot in range(HEAD, LAST + 1):
        if not row[slot]:
            in_row = 0
            continue
        score += 150
        there = opposite(slot, rules)
        if there > rear:
            score += 80 if there - rear <= 8 else 30
        in_row += 1
        score += 70 * max(in_row - 2, 0)
        score -= 30 * max(row[slot] - 2, 0)
        if 2 <= slot <= 6:
            score -= 20 * row[slot]
    return score


cdef int greedy_short(const Board *moved) noexcept nogil:
    cdef const int8_t *row = moved.row[0]
    cdef const int8_t *his = moved.row[1]
    cdef int slot, distance, shots, score = 1200 * row[OFF] + 500 * his[BAR] - 50 * row[HEAD]
    for slot in range(HEAD, LAST + 1):
        if row[slot] >= 2:
            score += 500 if slot >= HOME else 300 if slot >= 15 else 150
            if row[slot - 1] >= 2:
                score += 150
            score -= 80 * max(row[slot] - 3, 0)
        elif row[slot] == 1:
            shots = 0
            for distance in range(1, min(12, OFF - slot) + 1):
                if his[OFF - slot - distance]:
                    shots += 3 if distance <= 6 else 1
            score -= 2 * (slot + 4) * shots
    return score


# Decisions.

cdef double gaussian(Stream *luck) noexcept nogil:
    """Of mean 0 and standard deviation 1."""
    cdef double radius = sqrt(-2 * log(1 - uniform(luck)))
    return radius * cos(6.283185307179586 * uniform(luck))


cdef int decide(
    const Seat *seat, const Board *board, const Rules *rules, int mover, int high, int low, Desk *desk, Stream *luck
) noexcept nogil:
    cdef float chances[MAX_RESULTS]
    cdef double value, most = 0
    cdef float equity
    cdef int i, n, best = 0
    if seat.kind == NETWORK and not seat.noise:
        return best_play(seat.net, board, rules, mover, high, low, desk, &equity, NULL)
    n = generate_to_list(board, rules, high, low, &desk.play_set)
    write_boards(&desk.play_set, board, rules, desk.after)
    if seat.kind == RANDOM:
        return <int>(uniform(luck) * n)
    if seat.kind == CALLER:
        return seat.choose(seat.context, board, desk.after, n, mover)
    if seat.kind == NETWORK:
        begin_base(&desk.base, board, mover)
    for i in range(n):
        if seat.kind == GREEDY:
            value = greedy_score(&desk.after[i], rules)
        else:
            value = judge_near(seat.net, &desk.base, &desk.after[i], mover, chances) + seat.noise * gaussian(luck)
        if i == 0 or value > most or value == most and memcmp(&desk.after[i], &desk.after[best], sizeof(Board)) < 0:
            most = value
            best = i
    return best


cdef int decide_stage(
    const Seat *seat, const Board *board, const Rules *rules, const Pending *queue, int is_throw, Levels *levels, Stream *luck
) noexcept nogil:
    """The number of the play that is chosen for the queue's first stage; levels.at[0] has the boards and the plays."""
    cdef double value, most = 0
    cdef int i, n, best = 0
    if seat.kind == NETWORK:
        best = best_stage_play(seat.net, board, rules, queue, is_throw, 0, levels)
        if not seat.noise:
            return best
        n = levels.at[0].play_set.count
    else:
        n = list_plays(board, rules, queue, &levels.at[0])
    if seat.kind == RANDOM:
        return <int>(uniform(luck) * n)
    if seat.kind == CALLER:
        return seat.choose(seat.context, board, levels.at[0].after, n, queue.stage[0].player)
    for i in range(n):
        if seat.kind == GREEDY:
            value = greedy_score(&levels.at[0].after[i], rules)
        else:
            value = levels.at[0].values[i] + seat.noise * gaussian(luck)
        if i == 0 or value > most or (
            value == most and memcmp(&levels.at[0].after[i], &levels.at[0].after[best], sizeof(Board)) < 0
        ):
            most = value
            best = i
    return best


# Games.

cdef int play_game(
    const Seat *white, const Seat *black, const Rules *rules, uint64_t seed, uint64_t number, Desk *desk, int32_t *turns
) noexcept nogil:
    """One game; what White scores. The dice depend on `seed` and `number` only."""
    cdef Stream dice_stream, luck
    cdef Dice dice
    cdef Board board, moved
    cdef Wide turned
    cdef int mover, high, low, scored = 0
    begin_stream(&dice_stream, seed, 2 * number)
    begin_stream(&luck, seed, 2 * number + LUCK)
    dice.bits = &dice_stream.bits
    dice.halves = 0
    dice.word = 0
    start_board(rules, &board)
    mover = first_throw(rules, &dice, &high, &low)
    for turns[0] in range(1, MAX_TURNS + 1):
        moved = desk.after[decide(white if mover == WHITE else black, &board, rules, mover, high, low, desk, &luck)]
        if ended(&board, &moved, rules, mover, &scored):
            return scored if mover == WHITE else -scored
        turned = load(&moved)
        turned = swapped(&turned)
        store(&turned, &board)
        mover = 1 - mover
        throw(&dice, &high, &low)
    return 0


cdef int play_staged_game(
    const Seat *white, const Seat *black, const Rules *rules, uint64_t seed, uint64_t number, Levels *levels, int32_t *turns
) noexcept nogil:
    """The same where throws are played in stages; `turns` are throws."""
    cdef Stream dice_stream, luck
    cdef Dice dice
    cdef Board board, moved
    cdef Pending queue
    cdef int thrower, mover, following = 0, high, low, is_throw, best, scored = 0
    begin_stream(&dice_stream, seed, 2 * number)
    begin_stream(&luck, seed, 2 * number + LUCK)
    dice.bits = &dice_stream.bits
    dice.halves = 0
    dice.word = 0
    start_board(rules, &board)
    thrower = first_throw(rules, &dice, &high, &low)
    for turns[0] in range(1, MAX_TURNS + 1):
        begin_stages(rules, thrower, high, low, &queue)
        is_throw = 1
        while queue.count:
            mover = queue.stage[0].player
            best = decide_stage(white if mover == WHITE else black, &board, rules, &queue, is_throw, levels, &luck)
            moved = levels.at[0].after[best]
            if ended(&board, &moved, rules, mover, &scored):
                return scored if mover == WHITE else -scored
            following = next_stage(rules, &queue, &levels.at[0].plays[best], is_throw)
            is_throw = 0
            board = moved
            if following != mover:
                turn_round(&board)
        thrower = following
        throw(&dice, &high, &low)
    return 0


cdef void play_pairs_of(
    const Seat *first, const Seat *second, const Rules *rules, uint64_t seed, int64_t begin, int pairs, int16_t *scores,
    int32_t *turns, Desk *desk, Levels *levels
) noexcept nogil:
    cdef const Seat *white
    cdef const Seat *black
    cdef int game, scored
    for game in range(2 * pairs):
        white = second if game % 2 else first
        black = first if game % 2 else second
        if rules.staged:
            scored = play_staged_game(white, black, rules, seed, begin + game // 2, levels, &turns[game])
        else:
            scored = play_game(white, black, rules, seed, begin + game // 2, desk, &turns[game])
        scores[game] = -scored if game % 2 else scored


cdef Seat seat_of(object player) except *:
    """A seat from (kind, native network or None, noise)."""
    cdef Seat seat
    cdef NetworkNative network
    kind, native, noise = player
    seat.kind = kind
    seat.noise = noise
    seat.net = NULL
    seat.choose = NULL
    seat.context = NULL
    if native is not None:
        network = native
        seat.net = &network.net
    return seat


def play_pairs(first, second, rules, uint64_t seed, int64_t begin, scores, turns):
    """Play pairs of games with the same dice, `first` as White and then `second`; what `first` scores, int16[pairs, 2].

    The players are (kind, native network or None, noise). `begin`: the number of the first pair. `turns`: int32[pairs, 2].
    """
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef Seat one = seat_of(first), two = seat_of(second)
    cdef Array results = array(scores, "scores", "int16", (2,), -1, True)
    cdef Array lengths = array(turns, "turns", "int32", (2,), results.rows, True)
    cdef int16_t *score = <int16_t *>results.data
    cdef int32_t *length = <int32_t *>lengths.data
    cdef Desk *desk = NULL
    cdef Levels *levels = NULL
    try:
        if compiled_rules.rules.staged:
            levels = new_levels()
        else:
            desk = new_desk()
        with nogil:
            play_pairs_of(&one, &two, &compiled_rules.rules, seed, begin, results.rows, score, length, desk, levels)
    finally:
        if desk != NULL:
            free_desk(desk)
        if levels != NULL:
            free_levels(levels)


def choices(player, boards, dice, turns, pending, rules, uint64_t seed, after, index):
    """Write the board after the play that `player` chooses in each row to `after`, and its number to `index`.

    A row where the game is over keeps its board and has the number -1. `turns` and `pending` may be None where the rules have no
    stages. `seed` begins the numbers of random choices.
    """
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef const Rules *by = &compiled_rules.rules
    cdef Seat seat = seat_of(player)
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array thrown = array(dice, "dice", "int8", (2,), given.rows, False)
    cdef Array movers = None if turns is None else array(turns, "turns", "int8", (), given.rows, False)
    cdef Array queues = None if pending is None else array(pending, "pending", "int8", (sizeof(Pending),), given.rows, False)
    cdef Array result = array(after, "after", "int8", (2, SLOTS), given.rows, True)
    cdef Array numbers = array(index, "index", "int32", (), given.rows, True)
    cdef const Board *board = <const Board *>given.data
    cdef const int8_t *pair = <const int8_t *>thrown.data
    cdef int32_t *number = <int32_t *>numbers.data
    cdef Desk *desk = NULL
    cdef Levels *levels = NULL
    cdef Stream luck
    cdef Pending queue
    cdef Py_ssize_t n
    cdef int mover, high, low, is_throw
    begin_stream(&luck, seed, 0)
    try:
        if by.staged:
            levels = new_levels()
        else:
            desk = new_desk()
        with nogil:
            for n in range(given.rows):
                mover = -1 if movers is None else <int8_t>movers.data[n]
                high, low = max(pair[2 * n], pair[2 * n + 1]), min(pair[2 * n], pair[2 * n + 1])
                if is_over(&board[n], by, mover):
                    number[n] = -1
                    (<Board *>result.data)[n] = board[n]
                elif levels == NULL:
                    number[n] = decide(&seat, &board[n], by, mover, high, low, desk, &luck)
                    (<Board *>result.data)[n] = desk.after[number[n]]
                else:
                    is_throw = queues is None or not (<const Pending *>queues.data)[n].count
                    if is_throw:
                        begin_stages(by, mover, high, low, &queue)
                    else:
                        queue = (<const Pending *>queues.data)[n]
                    number[n] = decide_stage(&seat, &board[n], by, &queue, is_throw, levels, &luck)
                    (<Board *>result.data)[n] = levels.at[0].after[number[n]]
    finally:
        if desk != NULL:
            free_desk(desk)
        if levels != NULL:
            free_levels(levels)


def score(boards, rules, out):
    """Write what the heuristic thinks of each board after a play to `out`, int32[n], in hundredths."""
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array result = array(out, "out", "int32", (), given.rows, True)
    cdef Py_ssize_t n
    with nogil:
        for n in range(given.rows):
            (<int32_t *>result.data)[n] = greedy_score(&(<const Board *>given.data)[n], &compiled_rules.rules)


def find_ended(boards, after, movers, rules, over, scored):
    """Whether each play, from `boards` to `after`, has ended its game, to `over`; what it is worth to who moved, to `scored`."""
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef Array given = array(boards, "boards", "int8", (2, SLOTS), -1, False)
    cdef Array moved = array(after, "after", "int8", (2, SLOTS), given.rows, False)
    cdef Array turns = array(movers, "movers", "int8", (), given.rows, False)
    cdef Array ends = array(over, "over", "bool", (), given.rows, True)
    cdef Array worth = array(scored, "scored", "int8", (), given.rows, True)
    cdef Py_ssize_t n
    cdef int points
    for n in range(given.rows):
        points = 0
        ends.data[n] = ended(
            &(<const Board *>given.data)[n], &(<const Board *>moved.data)[n], &compiled_rules.rules,
            <int8_t>turns.data[n], &points,
        )
        worth.data[n] = points
