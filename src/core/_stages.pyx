"""The plays of any stage: any number of equal dice, sends, homes that are frozen.

What an ordinary roll can be is left to the generators of _mixed and _doubles. The others are found step by step.
"""

from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memset

from nardy_fast.core._bits cimport bit, lowest
from nardy_fast.core._boards cimport Moving, moved, moving, sent_home
from nardy_fast.core._doubles cimport generate_multisets, orders_matter, search_double
from nardy_fast.core._mixed cimport Seen, is_new, list_pairs, pairs_suffice, search_mixed
from nardy_fast.core._play_set cimport MULTISETS, PAIRS, PLAYS, WALKED
from nardy_fast.core._track cimport (
    BAR, FOUR, HEAD, MAX_PLAYS, NO_LIMIT, OFF, OUTSIDE, bear_off_source, bears_off, begin, derive_turn, full_points, landing,
    makes_block, move_one, passing, rotated, sixes, sources, starts,
)
from nardy_fast.core._wide cimport store


cdef int stage_plays(Turn *turn, const Stage *stage, int sending, bint to_list, PlaySet *found) noexcept nogil:
    """Find out what the stage allows."""
    found.count = 0
    if stage.number:
        find_plays(turn, stage, sending, to_list, found)
        if not found.count and turn.shut and makes_block(turn.own, turn.shut):
            # A prime that shuts the opponent in stands, and no play opens it: it is allowed then.
            turn.forbidden_blocks = passing(turn) if not turn.rules.block_at_end else bit(13)
            turn.shut = 0
            find_plays(turn, stage, sending, to_list, found)
    if not found.count:
        found.kind = PLAYS
        found.count = 1
        found.plays[0].steps = 0
        found.plays[0].sends = 0
    return found.count


cdef void find_plays(Turn *turn, const Stage *stage, int sending, bint to_list, PlaySet *found) noexcept nogil:
    """The same; no plays where nothing can be played."""
    cdef int die = stage.die, number = stage.number
    if not turn.own & bit(HEAD):
        sending = 0
    if turn.rules.staged and not turn.open >> (OFF - die) & 1:
        sending &= ~(1 << die)
    if stage.second and not turn.open >> (OFF - stage.second) & 1:
        sending &= ~(1 << stage.second)
    found.kind = PLAYS
    if stage.second:
        if sending:
            found.count = list_sends(turn, die, stage.second, sending, found)
            if not found.count:
                found.count = search_sends(turn, die, stage.second, sending, found.plays)
        elif turn.head_limit and not turn.rules.frozen_home and pairs_suffice(turn, die, stage.second, &found.pairs):
            found.kind = PAIRS
            found.count = found.pairs.count if found.pairs.dice_used else 0
        else:
            found.count = search_mixed(turn, die, stage.second, found.plays)
    elif sending or number > FOUR:
        walk_all(turn, stage, sending, found)
    elif orders_matter(turn, die, number):
        found.count = search_double(turn, die, number, &found.multisets, found.plays)
    else:
        found.kind = MULTISETS
        generate_multisets(turn, die, number, to_list, &found.multisets)
        found.count = found.multisets.count


# Sends.

cdef int can_send(const Turn *turn, const MoverState *state, int die, int is_last) noexcept nogil:
    """Whether a checker of the head can be sent home by the die."""
    cdef int target = OFF - die
    cdef uint32_t own
    if not state.row[HEAD] or not turn.open >> target & 1 or state.row[target] >= turn.rules.stack_limit:
        return 0
    own = state.own | bit(target)
    if state.row[HEAD] == 1:
        own &= ~bit(HEAD)
    return not makes_block(own, turn.forbidden_blocks if is_last else passing(turn))


cdef int must_send(const Turn *turn, const MoverState *state, int die, int other, int sending) noexcept nogil:
    """Whether one of these dice, the last ones of the stage (`other` may be 0), can be sent, and so has to be."""
    if turn.rules.send_optional:
        return 0
    return (
        sending >> die & 1 and can_send(turn, state, die, not other)
        or other and sending >> other & 1 and can_send(turn, state, other, 0)
    )


cdef struct Option:         # a step that may be next
    int source
    int target
    int is_send


cdef int options(
    const Turn *turn, const MoverState *state, int die, int other, int sending, Option *option
) noexcept nogil:
    """Write the steps by the die that are possible in themselves, `other` being the die left after it or 0; return how many."""
    cdef uint32_t found
    cdef int n = 0
    if sending >> die & 1 and can_send(turn, state, die, not other):
        option[n].source = HEAD
        option[n].target = OFF - die
        option[n].is_send = 1
        n += 1
    if must_send(turn, state, die, other, sending):
        return n
    found = sources(turn, state.own, full_points(state.row, turn.rules), state.from_head, die)
    while found:
        option[n].source = lowest(found)
        option[n].target = landing(option[n].source, die)
        option[n].is_send = 0
        n += 1
        found &= found - 1
    return n


cdef int list_sends(const Turn *turn, int high, int low, int sending, PlaySet *found) noexcept nogil:
    """Write the plays of two different dice, of which some can be sent; 0 where that needs a search.

    That is where a block, a stack limit or bearing off may be at stake, and where no play uses both dice. A play tells by its
    sends and by the source of the other step where it leads to, and a send may always come first.
    """
    cdef uint32_t reach = turn.own, targets = 0
    cdef int n = 0, may_high = sending >> high & 1, may_low = sending >> low & 1
    cdef int both = may_high and may_low and not turn.single & bit(HEAD)
    if turn.rules.frozen_home or not pairs_suffice(turn, high, low, &found.pairs):
        return 0
    if turn.forbidden_blocks:
        targets = (bit(OFF - high) if may_high else 0) | (bit(OFF - low) if may_low else 0)
        reach |= targets
        reach |= (reach << high | reach << low) & turn.open
        reach |= (reach << high | reach << low) & turn.open
        if sixes(rotated(reach)) & turn.forbidden_blocks:
            return 0
    if turn.rules.send_optional and found.pairs.dice_used == 2:
        n = list_pairs(&found.pairs, found.plays)
    if both:
        send_and_step(high, HEAD, low, True, &found.plays[n])
        n += 1
        if not turn.rules.send_optional:
            return n
    if may_high:
        n = list_send(turn, high, low, found.plays, n)
    if may_low:
        n = list_send(turn, low, high, found.plays, n)
    return n


cdef inline int list_send(const Turn *turn, int sent, int other, Play *plays, int n) noexcept nogil:
    """Add to the n plays those that send by one die and step by the other."""
    cdef uint32_t own = turn.own | bit(OFF - sent), found
    if turn.single & bit(HEAD):
        own &= ~bit(HEAD)
    found = own & turn.open >> other & starts(turn)
    while found:
        send_and_step(sent, lowest(found), other, False, &plays[n])
        found &= found - 1
        n += 1
    return n


cdef inline void send_and_step(int sent, int source, int die, bint both, Play *play) noexcept nogil:
    """A send, and a step by the other die, which may be a send too."""
    play.steps = 2
    play.source[0] = HEAD
    play.die[0] = sent
    play.source[1] = source
    play.die[1] = die
    play.sends = 3 if both else 1


cdef int search_sends(const Turn *turn, int high, int low, int sending, Play *plays) noexcept nogil:
    """Write one play for each distinct afterstate of two different dice of which some may be sends, and return their number."""
    cdef Seen seen
    cdef uint32_t sent[2]           # sources of the other step where the larger die is sent, where the smaller is
    cdef MoverState start
    cdef int n
    memset(&seen, 0, sizeof(Seen))
    sent[0] = sent[1] = 0
    begin(&start, turn)
    n = search_order(turn, &start, high, low, sending, high, &seen, sent, plays, 0)
    n = search_order(turn, &start, low, high, sending, high, &seen, sent, plays, n)
    if n == 0:
        n = search_one(turn, &start, high, low, sending, plays)
    if n == 0:
        n = search_one(turn, &start, low, high, sending, plays)
    return n


cdef int search_one(const Turn *turn, const MoverState *start, int die, int other, int sending, Play *plays) noexcept nogil:
    """Write the plays of one die, the other not being played, and return their number."""
    cdef Option option[26]
    cdef int n = 0, i, count = options(turn, start, die, other, sending, option)
    for i in range(count):
        if not ends_in_forbidden(turn, start, &option[i]):
            plays[n].steps = 1
            set_step(&plays[n], 0, &option[i], die)
            n += 1
    return n


cdef inline void set_step(Play *play, int number, const Option *option, int die) noexcept nogil:
    if number == 0:
        play.sends = 0
    play.source[number] = option.source
    play.die[number] = die
    play.sends |= option.is_send << number


cdef inline int ends_in_forbidden(const Turn *turn, const MoverState *state, const Option *option) noexcept nogil:
    """Whether the step leaves a forbidden block."""
    cdef MoverState after
    if not turn.forbidden_blocks:
        return 0
    after = state[0]
    move_one(&after, option.source, option.target)
    return makes_block(after.own, turn.forbidden_blocks)


cdef int search_order(
    const Turn *turn, const MoverState *start, int first, int second, int sending, int high, Seen *seen, uint32_t *sent,
    Play *plays, int n
) noexcept nogil:
    """Add to the n plays those that use both dice in this order and reach something new."""
    cdef Option one[26]
    cdef Option two[26]
    cdef MoverState halfway
    cdef uint32_t *place
    cdef int i, j, count, count2
    count = options(turn, start, first, second, sending, one)
    for i in range(count):
        halfway = start[0]
        move_one(&halfway, one[i].source, one[i].target)
        if passing(turn) and makes_block(halfway.own, passing(turn)):
            continue
        count2 = options(turn, &halfway, second, 0, sending, two)
        for j in range(count2):
            if ends_in_forbidden(turn, &halfway, &two[j]):
                continue
            if one[i].is_send != two[j].is_send:
                # The die that is sent and the source of the other step tell the afterstate.
                place = &sent[(first if one[i].is_send else second) != high]
                if place[0] & bit(two[j].source if one[i].is_send else one[i].source):
                    continue
                place[0] |= bit(two[j].source if one[i].is_send else one[i].source)
            elif one[i].is_send:
                if sent[0] & bit(BAR):
                    continue
                sent[0] |= bit(BAR)         # both are sent
            elif not is_new(turn, one[i].source, first, two[j].source, second, seen):
                continue
            plays[n].steps = 2
            set_step(&plays[n], 0, &one[i], first)
            set_step(&plays[n], 1, &two[j], second)
            n += 1
    return n


# Equal dice of any number. All multisets of sources, from the rear forward and after the sends, each asked whether some order of
# it is legal where that is not sure.

cdef struct Walk:
    const Turn *turn
    int die
    int dice                # of the stage
    int sending             # whether they may be sends
    int compulsory          # and then must be
    int check               # whether each play is asked for a legal order
    int steps               # of the plays that are looked for,
    int sends               # so many of them sends
    int count               # plays so far
    int wanted              # the number of the one that is wanted, or -1: it is in `play` when found
    Play *plays             # where to write them, or NULL
    Board *boards           # where to write the boards after them, or NULL
    int room
    Play play               # the one that is put together


cdef void walk_all(const Turn *turn, const Stage *stage, int sending, PlaySet *found) noexcept nogil:
    """The plays of a stage of equal dice."""
    cdef Walk walk
    begin_walk(&walk, turn, stage, sending)
    walk.plays = found.plays
    walk.room = MAX_PLAYS
    found.count = run(&walk)
    if found.count > MAX_PLAYS:
        found.kind = WALKED
        found.board = turn.board[0]
        found.rules = turn.rules
        found.stage = stage[0]
        found.head_limit = turn.head_limit
        found.sending = sending
        found.forbidden_blocks = turn.forbidden_blocks


cdef void begin_walk(Walk *walk, const Turn *turn, const Stage *stage, int sending) noexcept nogil:
    walk.turn = turn
    walk.die = stage.die
    walk.dice = stage.number
    walk.sending = sending >> stage.die & 1
    walk.compulsory = walk.sending and not turn.rules.send_optional
    walk.check = at_stake(turn, stage, walk.sending)
    walk.wanted = -1
    walk.plays = NULL
    walk.boards = NULL
    walk.room = 0


cdef int at_stake(const Turn *turn, const Stage *stage, int sending) noexcept nogil:
    """Whether a block, the runner or a stack limit may be at stake."""
    cdef uint32_t reach = turn.own
    if turn.runner or turn.rules.stack_limit != NO_LIMIT:
        return 1
    if not turn.forbidden_blocks:
        return 0
    if sending:
        reach |= bit(OFF - stage.die)
    for _ in range(stage.number):
        reach |= reach << stage.die & turn.open
    return (sixes(rotated(reach)) & turn.forbidden_blocks) != 0


cdef int run(Walk *walk) noexcept nogil:
    """Find all plays of the most steps; return how many. Ends early at the one that is wanted."""
    cdef MoverState state
    cdef int steps, least, most, sends, i
    for steps in range(walk.dice, 0, -1):
        walk.steps = steps
        walk.count = 0
        most = min(steps, walk.turn.board.row[0][HEAD]) if walk.sending else 0
        least = most if walk.compulsory and not walk.check else 0
        if walk.compulsory and not walk.check and steps < min(walk.dice, walk.turn.board.row[0][HEAD]):
            return 0
        for sends in range(least, most + 1):
            walk.sends = sends
            begin(&state, walk.turn)
            for i in range(walk.sends):
                move_one(&state, HEAD, OFF - walk.die)
                walk.play.source[i] = HEAD
            put_steps(walk, &state, walk.sends, 0)
            if walk.wanted >= 0 and walk.count > walk.wanted:
                return walk.count
        if walk.count:
            return walk.count
    return 0


cdef void put_steps(Walk *walk, const MoverState *state, int done, int rear) noexcept nogil:
    """All ways to go on with ordinary steps, none from before slot `rear`."""
    cdef MoverState after
    cdef uint32_t found
    cdef int source
    if done == walk.steps:
        visit(walk, state)
        return
    found = walkers(walk.turn, state, walk.die) & ~(bit(rear) - 1)
    while found:
        source = lowest(found)
        found &= found - 1
        after = state[0]
        move_one(&after, source, landing(source, walk.die))
        walk.play.source[done] = source
        put_steps(walk, &after, done + 1, source)
        if walk.wanted >= 0 and walk.count > walk.wanted:
            return


cdef inline uint32_t walkers(const Turn *turn, const MoverState *state, int die) noexcept nogil:
    """The slots that may give a checker, but for blocks, the runner and stacks."""
    cdef uint32_t found = state.own & turn.open >> die & starts(turn)
    if not state.own & OUTSIDE and turn.may_bear_off and bears_off(turn, die):
        found |= bear_off_source(state.own, die, turn.rules.exact)
    if state.own & bit(BAR) and turn.rules.bar_first:
        found &= bit(BAR)
    if state.from_head >= turn.head_limit:
        found &= ~bit(HEAD)
    return found


cdef void visit(Walk *walk, const MoverState *end) noexcept nogil:
    """Count the play that has been put together, if it is legal, and write it."""
    cdef MoverState state
    cdef Play play = walk.play
    cdef Moving after
    cdef int i
    play.steps = walk.steps
    play.sends = (1 << walk.sends) - 1
    for i in range(walk.steps):
        play.die[i] = walk.die
    if walk.check:
        if makes_block(end.own, walk.turn.forbidden_blocks):
            return
        begin(&state, walk.turn)
        if not put_in_order(walk, &state, 0, &play):
            return
    if walk.count == walk.wanted:
        walk.play = play
    if walk.plays != NULL and walk.count < walk.room:
        walk.plays[walk.count] = play
    if walk.boards != NULL:
        after = moving(walk.turn.board, 0)
        for i in range(play.steps):
            if play.sends >> i & 1:
                after = sent_home(after, play.die[i])
            else:
                after = moved(after, play.source[i], play.die[i])
        store(&after.wide, &walk.boards[walk.count])
    walk.count += 1


cdef int put_in_order(const Walk *walk, const MoverState *state, int done, Play *play) noexcept nogil:
    """Rearrange the steps of the play from `done` on into a legal order, and return 1; 0 where there is none."""
    cdef const Turn *turn = walk.turn
    cdef MoverState after
    cdef uint32_t allowed, tried = 0
    cdef int i, source, is_send, may_send = 0, tried_send = 0
    if done == play.steps:
        return 1
    if done and passing(turn) and makes_block(state.own, passing(turn)):
        return 0
    allowed = sources(turn, state.own, full_points(state.row, turn.rules), state.from_head, walk.die)
    if walk.sending:
        may_send = can_send(turn, state, walk.die, done == walk.dice - 1)
        if may_send and walk.compulsory:
            allowed = 0
    for i in range(done, play.steps):
        source = play.source[i]
        is_send = play.sends >> i & 1
        if is_send:
            if tried_send or not may_send:
                continue
            tried_send = 1
        elif tried >> source & 1 or not allowed >> source & 1:
            continue
        else:
            tried |= bit(source)
        swap_steps(play, done, i)
        after = state[0]
        move_one(&after, source, OFF - walk.die if is_send else landing(source, walk.die))
        if put_in_order(walk, &after, done + 1, play):
            return 1
        swap_steps(play, done, i)
    return 0


cdef inline void swap_steps(Play *play, int i, int j) noexcept nogil:
    cdef int8_t source = play.source[i], differ = (play.sends >> i ^ play.sends >> j) & 1
    play.source[i] = play.source[j]
    play.source[j] = source
    if i != j:
        play.sends ^= differ << i | differ << j


# Plays that were too many to keep.

cdef void walk_again(const PlaySet *found, int wanted, Play *plays, Board *boards, Play *play) noexcept nogil:
    cdef Turn turn
    cdef Walk walk
    derive_turn(&turn, &found.board, found.rules)
    turn.head_limit = found.head_limit
    turn.forbidden_blocks = found.forbidden_blocks
    begin_walk(&walk, &turn, &found.stage, found.sending)
    walk.wanted = wanted
    walk.plays = plays
    walk.boards = boards
    walk.room = found.count
    run(&walk)
    if play != NULL:
        play[0] = walk.play


cdef void pick_walked(const PlaySet *found, int index, Play *play) noexcept nogil:
    """The play number `index`."""
    if index < MAX_PLAYS:
        play[0] = found.plays[index]
    else:
        walk_again(found, index, NULL, NULL, play)


cdef void list_walked(const PlaySet *found, Play *plays) noexcept nogil:
    """All plays."""
    walk_again(found, -1, plays, NULL, NULL)


cdef void write_walked(const PlaySet *found, Board *after) noexcept nogil:
    """The board after each play."""
    walk_again(found, -1, NULL, after, NULL)
