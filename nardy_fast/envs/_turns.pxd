"""What happens at a table: steps, turns, games, and what is told of it. Inline only."""

from libc.stdint cimport int8_t, int64_t, uint32_t
from libc.string cimport memcpy, memmove, memset

from nardy_fast.core._bits cimport lowest, nth, size
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport (
    BAR, HEAD, OFF, SLOTS, Board, Pending, PlaySet, Rules, Turn, derive_turn, generate_for, generate_stage, move, pick, settle,
    start_board,
)
from nardy_fast.core._dice cimport Dice, below, starter, throw, throw_start_again
from nardy_fast.core._queue cimport dice_of_stage, follow_stage, stages_of
from nardy_fast.core._track cimport landing
from nardy_fast.envs._legal cimport find_first_steps, find_next_steps
from nardy_fast.envs._table cimport CHOICE, CHOOSING, CHOSEN, NOTHING, ONE_TWO, OVER, STEP, THROW, Table

cdef enum:
    MASKED = 157            # actions
    SENDING = 149           # and a die: a send, or the double that is chosen
    PASSING = 156
    SEEN = 83               # numbers that are observed


# A turn.

cdef inline void begin_turn(Table *table, const Rules *rules) noexcept nogil:
    """Begin to play the dice of the throw, or of the first stage of the queue."""
    table.phase = STEP
    table.now = table.start
    table.play.steps = table.play.sends = 0
    table.from_head = 0
    table.used = table.total = 0
    if rules.staged:
        table.dice_left = dice_of_stage(&table.queue.stage[0], table.left)
    else:
        table.left[0] = table.high
        table.left[1] = table.low
        table.dice_left = 2
        if table.high == table.low:
            table.left[2] = table.left[3] = table.high
            table.dice_left = 4
    find_first_steps(table, rules)


cdef inline void begin_throw(Table *table, const Rules *rules, int high, int low) noexcept nogil:
    """Begin to play a throw."""
    table.high = high
    table.low = low
    table.opening = 0
    table.is_throw = 1
    if rules.staged:
        stages_of(rules, table.turn, high, low, &table.queue)
    if table.special != CHOSEN:
        table.special = ONE_TWO if not rules.bar_first and high == 2 and low == 1 else NOTHING
    begin_turn(table, rules)


cdef inline bint can_step(const Table *table) noexcept nogil:
    cdef int die
    cdef uint32_t any_step = table.sends
    for die in range(1, 7):
        any_step |= table.legal[die]
    return any_step != 0


cdef inline void make_step(Table *table, const Rules *rules, int source, int die, bint is_send) noexcept nogil:
    """Make a legal step; end the turn where it was the last."""
    cdef int target = OFF - die if is_send else landing(source, die), there, i, kept = 0
    cdef bint spent = False
    for i in range(table.dice_left):
        if table.left[i] == die and not spent:
            spent = True
        else:
            table.left[kept] = table.left[i]
            kept += 1
    table.dice_left = kept
    table.play.source[table.play.steps] = source
    table.play.die[table.play.steps] = die
    if is_send:
        table.play.sends |= 1 << table.play.steps
    table.play.steps += 1
    table.now.row[0][source] -= 1
    table.now.row[0][target] += 1
    if rules.contrary and target < OFF:
        there = OFF - target
        if table.now.row[1][there]:
            table.now.row[1][BAR] += table.now.row[1][there]
            table.now.row[1][there] = 0
    table.from_head += source == HEAD
    table.used += die
    find_next_steps(table, rules)
    if not can_step(table):
        end_turn(table, rules)


cdef inline void end_turn(Table *table, const Rules *rules) noexcept nogil:
    """What comes after the turn that has been played; the board after it stands in `now`."""
    cdef Board after = table.now
    cdef int scored = 0, mover = table.turn, steps = table.play.steps, following
    turn_round(&after)
    if settle(&table.start, &after, rules, mover, &scored):
        table.phase = OVER
        table.scored = -scored if mover else scored
        table.turn = 1 - mover
        table.start = table.now = after
        memset(&table.queue, 0, sizeof(Pending))
        table.special = NOTHING
        return
    following = 1 - mover
    if rules.staged:
        following = follow_stage(rules, &table.queue, &table.play, table.is_throw)
        table.is_throw = 0
    elif table.special == CHOSEN:
        if steps == 4:
            following = mover
        table.special = NOTHING
    elif table.special == ONE_TWO:
        table.special = NOTHING
        if steps == 2:
            following = mover
            table.special = CHOOSING
    table.start = after if following != mover else table.now
    table.now = table.start
    table.turn = following
    table.play.steps = 0
    table.dice_left = 0
    if table.special == CHOOSING:
        table.phase = CHOICE
    elif rules.staged and table.queue.count:
        begin_turn(table, rules)
    else:
        table.phase = THROW


cdef inline void choose_double(Table *table, const Rules *rules, int die) noexcept nogil:
    table.special = CHOSEN
    begin_throw(table, rules, die, die)


cdef inline bint may(const Table *table, int64_t action) noexcept nogil:
    """Whether the action, any number, may be played."""
    if action < 0 or action >= MASKED:
        return False
    if table.phase == CHOICE:
        return SENDING < action < PASSING
    if table.phase != STEP:
        return False
    if action == PASSING:
        return not can_step(table)
    if action > SENDING:
        return table.sends >> (action - SENDING) & 1
    return table.legal[action % 6 + 1] >> (action // 6) & 1


cdef inline void act(Table *table, const Rules *rules, int action) noexcept nogil:
    """Play an action that may be played."""
    table.actor = table.turn
    if table.phase == CHOICE:
        choose_double(table, rules, action - SENDING)
    elif action == PASSING:
        end_turn(table, rules)
    elif action > SENDING:
        make_step(table, rules, HEAD, action - SENDING, True)
    else:
        make_step(table, rules, action // 6, action % 6 + 1, False)


# A game.

cdef inline void begin_game(Table *table, const Rules *rules, int turn) noexcept nogil:
    """Set the table up, the first throw still to come."""
    cdef Dice dice = table.dice
    cdef int seat = table.seat, by_lot = table.by_lot
    memset(table, 0, sizeof(Table))
    table.dice = dice
    table.seat = seat
    table.by_lot = by_lot
    start_board(rules, &table.start)
    table.now = table.start
    table.turn = turn
    table.phase = THROW
    table.opening = 1


cdef inline void throw_dice(Table *table, const Rules *rules) noexcept nogil:
    """Throw as was given, or else by the table's own dice."""
    cdef int high = 0, low = 0
    if table.throws_given:
        high = max(table.given[0], table.given[1])
        low = min(table.given[0], table.given[1])
        table.throws_given -= 1
        memmove(table.given, table.given + 2, 2 * table.throws_given)
        begin_throw(table, rules, high, low)
        return
    throw(&table.dice, &high, &low)
    if table.opening:
        throw_start_again(rules, &table.dice, &high, &low)
    begin_throw(table, rules, high, low)


cdef inline void play_at_random(Table *table, const Rules *rules) noexcept nogil:
    """Play the whole turn, each distinct afterstate as likely, or choose a double."""
    cdef PlaySet play_set
    cdef Turn turn
    if table.phase == CHOICE:
        choose_double(table, rules, 1 + below(&table.dice, 6))
        return
    if rules.staged:
        generate_stage(&table.start, rules, &table.queue, &play_set)
    else:
        derive_turn(&turn, &table.start, rules)
        generate_for(&turn, table.high, table.low, &play_set)
    pick(&play_set, below(&table.dice, play_set.count), &table.play)
    table.now = table.start
    move(&table.now, rules, &table.play)
    end_turn(table, rules)


cdef inline void go_on(Table *table, const Rules *rules, bint against_random) noexcept nogil:
    """Throw where a throw is due, and let the opponent play where he is known here, until somebody has to be asked."""
    while table.phase != OVER:
        if table.phase == THROW:
            throw_dice(table, rules)
        elif against_random and table.turn != table.seat:
            play_at_random(table, rules)
        else:
            return


cdef inline void restart(Table *table, const Rules *rules) noexcept nogil:
    """A new game, who begins and, if so agreed, the agent's seat by lot."""
    if table.by_lot:
        table.seat = below(&table.dice, 2)
    begin_game(table, rules, starter(rules, &table.dice))


# What is told of it.

cdef inline void observe(const Table *table, int8_t *seen, int8_t *mask) noexcept nogil:
    cdef const Table *t = table
    cdef Board board
    cdef int me = t.turn, i, die
    cdef int8_t *place
    cdef uint32_t found, slots
    board = t.now
    if t.phase == OVER and t.seat >= 0 and t.turn != t.seat:
        turn_round(&board)
        me = t.seat
    memcpy(seen, &board, sizeof(Board))
    memset(seen + 2 * SLOTS, 0, SEEN - 2 * SLOTS)
    seen[58] = me
    seen[59] = t.special
    if t.phase != OVER:
        for i in range(t.dice_left):
            seen[51 + t.left[i]] += 1
        if t.queue.count:
            seen[60] = t.queue.thrower == me
            seen[61] = t.queue.heads[me]
            seen[62] = t.queue.heads[1 - me]
            for i in range(1, t.queue.count):
                place = seen + 63 + 4 * (i - 1)
                place[0] = 1 if t.queue.stage[i].player == me else 2
                place[1] = t.queue.stage[i].die
                place[2] = t.queue.stage[i].number
                place[3] = t.queue.stage[i].second
    memset(mask, 0, MASKED)
    if t.phase == STEP:
        found = t.sends
        for die in range(1, 7):
            slots = t.legal[die]
            found |= slots
            while slots:
                mask[6 * lowest(slots) + die - 1] = 1
                slots &= slots - 1
            mask[SENDING + die] = t.sends >> die & 1
        mask[PASSING] = not found
    elif t.phase == CHOICE:
        memset(mask + SENDING + 1, 1, 6)
    else:
        mask[PASSING] = 1


cdef inline int sample(const Table *table, Dice *dice) noexcept nogil:
    """An action that may be played, each as likely."""
    cdef int count = size(table.sends), die, n
    if table.phase == CHOICE:
        return SENDING + 1 + below(dice, 6)
    if table.phase != STEP:
        return PASSING
    for die in range(1, 7):
        count += size(table.legal[die])
    if not count:
        return PASSING
    n = below(dice, count)
    for die in range(1, 7):
        count = size(table.legal[die])
        if n < count:
            return 6 * nth(table.legal[die], n) + die - 1
        n -= count
    return SENDING + nth(table.sends, n)
