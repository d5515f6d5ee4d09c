"""The native core: from a board, its rules and a roll to the plays, one play to the next board, and what is wrong with either."""

from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._bits cimport at_least, bit, highest, lowest
from nardy_fast.core._boards cimport Moving, moved, moving, sent_home
from nardy_fast.core._doubles cimport (
    generate_multisets, list_multisets, orders_matter, pick_multiset, search_double, write_multisets,
)
from nardy_fast.core._homing cimport homing_suffices, list_homing, pick_homing
from nardy_fast.core._mixed cimport list_pairs, pairs_suffice, pick_pair, search_mixed, write_pairs
from nardy_fast.core._queue cimport dice_of_stage, follow_stage, sending_dice, stage_allowance, stages_of
from nardy_fast.core._stages cimport can_send, list_walked, pick_walked, stage_plays, write_walked
from nardy_fast.core._track cimport (
    DRAW_ONLY, FOUR, HOME_POINTS, KOKS_NONE_HOME, KOKS_ON_HEAD, KOKS_START_QUARTER, NO_LAST_ROLL, OUTSIDE, POINTS,
    bear_off_source, bears_off, begin, block_starts, full_points, landing, makes_block, move_one, passing, reversed_, rotated,
    runner_free, sixes, sources, starts,
)
from nardy_fast.core._wide cimport Wide, store, swapped

cdef extern from *:
    """
    #ifdef NDEBUG
      #define NARDY_FAST_DEBUG 0
    #else
      #define NARDY_FAST_DEBUG 1
    #endif
    """
    const bint DEBUG "NARDY_FAST_DEBUG"     # known to the C compiler, which leaves out what asks for it in vain


cdef enum:
    WHITE = 0

globals()["ABI"] = ABI                      # the number for Python too: nardy_fast.core._core.ABI


cdef int abi() noexcept nogil:
    return ABI


# What a debug build asserts of its callers.

cdef inline void trust(const char *function, const Board *board, const Rules *rules, int high, int low) noexcept nogil:
    """The board is good and the dice are dice, larger first."""
    cdef Fault found
    if DEBUG and not 1 <= low <= high <= 6:
        fprintf(stderr, "nardy_fast: %s: dice %d-%d: expected 1..6, the larger first\n", function, high, low)
        abort()
    if DEBUG and fault(board, rules, &found):
        fprintf(
            stderr, "nardy_fast: %s: a bad board: Fault %d, row %d, slot %d, value %d\n",
            function, found.kind, found.row, found.slot, found.value,
        )
        abort()


cdef inline void trust_play(const char *function, const Board *board, const Rules *rules, const Play *play) noexcept nogil:
    """The board is good, and each step of the play moves a checker to where it may stand."""
    cdef MoverState state
    cdef Turn turn
    cdef int i, source, target
    if not DEBUG:
        return
    trust(function, board, rules, 1, 1)
    derive_turn(&turn, board, rules)
    begin(&state, &turn)
    for i in range(play.steps):
        source = play.source[i]
        target = OFF - play.die[i] if play.sends >> i & 1 else landing(source, play.die[i])
        if (
            i >= MAX_STEPS or not 1 <= play.die[i] <= 6 or not BAR <= source <= LAST or not state.row[source]
            or target != OFF and not turn.open >> target & 1
        ):
            fprintf(stderr, "nardy_fast: %s: step %d of the play is no step here\n", function, i)
            abort()
        move_one(&state, source, target)


# The start.

cdef void start_board(const Rules *rules, Board *board) noexcept nogil:
    """The board before the first turn."""
    memcpy(board.row[0], rules.start, SLOTS)
    memcpy(board.row[1], rules.start, SLOTS)


# Plays.

cdef void generate_for(Turn *turn, int high, int low, PlaySet *play_set) noexcept nogil:
    """Find out what the roll allows."""
    fill(turn, high, low, play_set, False)


cdef inline void fill(Turn *turn, int high, int low, PlaySet *play_set, bint to_list) noexcept nogil:
    """`generate_for`; with `to_list` doubles are gathered at once, since counting them first would be for nothing."""
    cdef Pending queue
    trust("generate", turn.board, turn.rules, high, low)
    if turn.rules.staged:
        stages_of(turn.rules, WHITE, high, low, &queue)
        fill_stage(turn, &queue, to_list, play_set)
        return
    turn.head_limit = head_allowance(turn, high, low)
    if high != low:
        if pairs_suffice(turn, high, low, &play_set.pairs):
            play_set.kind = PAIRS
            play_set.count = play_set.pairs.count
        elif homing_suffices(turn, high, low, &play_set.homing):
            play_set.kind = HOMING
            play_set.count = play_set.homing.count
        else:
            play_set.kind = PLAYS
            play_set.count = search_mixed(turn, high, low, play_set.plays)
    elif orders_matter(turn, high, FOUR):
        play_set.kind = PLAYS
        play_set.count = search_double(turn, high, FOUR, &play_set.multisets, play_set.plays)
    else:
        play_set.kind = MULTISETS
        generate_multisets(turn, high, FOUR, to_list, &play_set.multisets)
        play_set.count = play_set.multisets.count
    if play_set.count == 0:
        play_set.kind = PLAYS
        play_set.count = 1
        play_set.plays[0].steps = 0
        play_set.plays[0].sends = 0


cdef void fill_stage(Turn *turn, const Pending *queue, bint to_list, PlaySet *play_set) noexcept nogil:
    """`generate_for` the first stage of the queue."""
    cdef const Stage *stage = &queue.stage[0]
    turn.head_limit = stage_allowance(turn, stage, queue.heads[stage.player])
    stage_plays(turn, stage, sending_dice(turn.rules, stage), to_list, play_set)


cdef void begin_stages(const Rules *rules, int thrower, int high, int low, Pending *queue) noexcept nogil:
    """The stages of a throw."""
    stages_of(rules, thrower, high, low, queue)


cdef int next_stage(const Rules *rules, Pending *queue, const Play *play, int is_throw) noexcept nogil:
    """What follows the play of the first stage; who plays or throws next."""
    return follow_stage(rules, queue, play, is_throw)


cdef int generate_stage(const Board *board, const Rules *rules, const Pending *queue, PlaySet *play_set) noexcept nogil:
    """Find out what the first stage of the queue allows."""
    cdef Turn turn
    derive_turn(&turn, board, rules)
    fill_stage(&turn, queue, False, play_set)
    return play_set.count


cdef void pick(const PlaySet *play_set, int index, Play *play) noexcept nogil:
    """The play number `index`, 0 to count - 1, in an order of our own."""
    if DEBUG and not 0 <= index < play_set.count:
        fprintf(stderr, "nardy_fast: pick: play %d of %d\n", index, play_set.count)
        abort()
    if play_set.kind == PAIRS:
        pick_pair(&play_set.pairs, index, play)
    elif play_set.kind == HOMING:
        pick_homing(&play_set.homing, index, play)
    elif play_set.kind == MULTISETS:
        pick_multiset(&play_set.multisets, index, play)
    elif play_set.kind == WALKED:
        pick_walked(play_set, index, play)
    else:
        play[0] = play_set.plays[index]


cdef const Play *expand(PlaySet *play_set) noexcept nogil:
    """All plays of the play set, play_set.count of them, or NULL."""
    if play_set.kind == WALKED:
        return NULL
    if play_set.kind == PAIRS:
        list_pairs(&play_set.pairs, play_set.plays)
    elif play_set.kind == HOMING:
        list_homing(&play_set.homing, play_set.plays)
    elif play_set.kind == MULTISETS:
        list_multisets(&play_set.multisets, play_set.plays)
    play_set.kind = PLAYS
    return play_set.plays


cdef void list_into(PlaySet *play_set, Play *plays) noexcept nogil:
    """All plays of the play set, to a room for so many."""
    if play_set.kind == WALKED:
        list_walked(play_set, plays)
    else:
        memcpy(plays, expand(play_set), play_set.count * sizeof(Play))


cdef void write_boards(PlaySet *play_set, const Board *board, const Rules *rules, Board *after) noexcept nogil:
    """Write the board after each play to `after`, in the order of `expand`; the player who moved stays in row 0."""
    cdef int i
    if play_set.kind == PAIRS:
        write_pairs(&play_set.pairs, board, after)
    elif play_set.kind == MULTISETS:
        write_multisets(&play_set.multisets, board, after)
    elif play_set.kind == WALKED:
        write_walked(play_set, after)
    else:
        expand(play_set)
        for i in range(play_set.count):
            after[i] = board[0]
            move(&after[i], rules, &play_set.plays[i])


cdef int generate(const Board *board, const Rules *rules, int high, int low, PlaySet *play_set) noexcept nogil:
    """Find out what the roll allows on the board; return the number of distinct afterstates, at least 1."""
    cdef Turn turn
    derive_turn(&turn, board, rules)
    generate_for(&turn, high, low, play_set)
    return play_set.count


cdef int generate_to_list(const Board *board, const Rules *rules, int high, int low, PlaySet *play_set) noexcept nogil:
    """`generate` for those who go on to list everything."""
    cdef Turn turn
    derive_turn(&turn, board, rules)
    fill(&turn, high, low, play_set, True)
    return play_set.count


cdef int generate_plays(const Board *board, const Rules *rules, int high, int low, PlaySet *play_set) noexcept nogil:
    """Fill `play_set.plays` with one play for each distinct afterstate; return their number, at least 1."""
    generate_to_list(board, rules, high, low, play_set)
    expand(play_set)
    return play_set.count


cdef int count(const Board *board, const Rules *rules, int high, int low) noexcept nogil:
    """The number of distinct afterstates, at least 1."""
    cdef PlaySet play_set
    return generate(board, rules, high, low, &play_set)


cdef void move(Board *board, const Rules *rules, const Play *play) noexcept nogil:
    """Make the steps of a legal play; the player who moved stays in row 0."""
    cdef Moving after
    trust_play("move", board, rules, play)
    after = played(board, rules, play)
    store(&after.wide, board)


cdef void apply(const Board *board, const Rules *rules, const Play *play, Board *after) noexcept nogil:
    """The board after a legal play, the opponent to move in row 0. `after` may be `board`."""
    cdef Moving end
    cdef Wide turned
    trust_play("apply", board, rules, play)
    end = played(board, rules, play)
    turned = swapped(&end.wide)
    store(&turned, after)


cdef inline Moving played(const Board *board, const Rules *rules, const Play *play) noexcept nogil:
    """The board after the steps of a legal play."""
    cdef Moving after = moving(board, rules.contrary)
    cdef int i
    if not play.sends:
        for i in range(play.steps):
            after = moved(after, play.source[i], play.die[i])
        return after
    for i in range(play.steps):
        if play.sends >> i & 1:
            after = sent_home(after, play.die[i])
        else:
            after = moved(after, play.source[i], play.die[i])
    return after


# The end of a game.

cdef int cleared(const Board *board, const Rules *rules, int row) noexcept nogil:
    """Whether that side has borne off all its checkers."""
    return board.row[row][OFF] == rules.checkers


cdef int is_over(const Board *board, const Rules *rules, int turn) noexcept nogil:
    """Whether the player to move (0 White, 1 Black) has no turn any more; Black's last roll is one."""
    if cleared(board, rules, 0) or rules.dead_draw and is_dead(board, rules):
        return 1
    return cleared(board, rules, 1) and not (turn == 1 and rules.last_roll != NO_LAST_ROLL)


cdef int is_dead(const Board *board, const Rules *rules) noexcept nogil:
    """Whether each side holds its slot 6, all of its frozen home and nothing else (rulebook, section 3)."""
    return (
        rules.dead_draw and rules.frozen_home
        and at_least(board.row[0], 1) == bit(6) | HOME_POINTS and at_least(board.row[1], 1) == bit(6) | HOME_POINTS
    )


cdef int settle(const Board *before, const Board *after, const Rules *rules, int turn, int *scored) noexcept nogil:
    """Whether the play that led from one board to the other ended the game, and what its player scored (below 0: the other)."""
    cdef int has_cleared = cleared(after, rules, 1)
    cdef const int8_t *loser
    scored[0] = 0
    if cleared(before, rules, 1):
        # It was Black's last roll. Under `full` what he bore off by it counts.
        if not has_cleared:
            loser = <const int8_t *>before.row[0] if rules.last_roll == DRAW_ONLY else <const int8_t *>after.row[1]
            scored[0] = -points(loser, rules)
        return 1
    if not has_cleared or (turn == WHITE and rules.last_roll != NO_LAST_ROLL):
        return is_dead(after, rules)
    scored[0] = -points(after.row[0], rules) if rules.keep else points(after.row[0], rules)
    return 1


cdef int points(const int8_t *loser, const Rules *rules) noexcept nogil:
    """What a finished game is worth by the loser's row (with `keep`, by the winner's, who has not cleared)."""
    cdef uint32_t held = at_least(loser, 1)
    if rules.remaining:
        return rules.checkers - loser[OFF]
    if loser[OFF]:
        return 1
    if rules.contrary:
        # In the winner's home, which is the loser's first six slots, or on the bar.
        return rules.backgammon_points if held & 0x7F else 2
    if (
        rules.koks == KOKS_NONE_HOME and not held & HOME_POINTS
        or rules.koks == KOKS_ON_HEAD and loser[HEAD]
        or rules.koks == KOKS_START_QUARTER and held & 0x7E
    ):
        return rules.koks_points
    if rules.home_mars and not held & OUTSIDE:
        return rules.home_mars
    return 2


# What is wrong with a board (rulebook, sections 0 to 2), in the order of reasons.Fault.

cdef int fault(const Board *board, const Rules *rules, Fault *found) noexcept nogil:
    """Tell whether the board is bad: 0, or the kind of fault that `found` then describes."""
    cdef int row, slot, total
    cdef int8_t any_bits = 0
    cdef uint32_t held[2]
    cdef uint32_t wrong
    for row in range(2):
        for slot in range(SLOTS):
            any_bits |= board.row[row][slot]
    if any_bits & ~15:
        for row in range(2):
            for slot in range(SLOTS):
                if board.row[row][slot] & ~15:
                    return tell(found, BAD_COUNT, board, row, slot)
    for row in range(2):
        total = 0
        for slot in range(SLOTS):
            total += board.row[row][slot]
        if total != rules.checkers:
            found.value = total
            found.row = row
            found.slot = 0
            found.kind = BAD_TOTAL
            return BAD_TOTAL
        held[row] = at_least(board.row[row], 1)
    if not rules.contrary and (held[0] | held[1]) & bit(BAR):
        return tell(found, WAITING, board, 0 if held[0] & bit(BAR) else 1, BAR)
    wrong = held[0] & (reversed_(held[1]) if rules.contrary else rotated(held[1] & POINTS)) & POINTS
    if wrong:
        return tell(found, SHARED, board, 0, lowest(wrong))
    for row in range(2):
        if not rules.contrary and held[row] & bit(OFF) and held[row] & OUTSIDE:
            tell(found, OFF_TOO_EARLY, board, row, OFF)
            found.slot = lowest(held[row] & OUTSIDE)
            return OFF_TOO_EARLY
    for row in range(2):
        wrong = at_least(board.row[row], rules.stack_limit + 1) & POINTS
        if wrong:
            return tell(found, STACK, board, row, lowest(wrong))
    for row in range(2):
        if rules.contrary:
            break
        wrong = sixes(rotated(held[row] & POINTS)) & block_starts(held[1 - row], rules)
        if wrong:
            return tell(found, STANDING_BLOCK, board, row, highest(wrong))
    if rules.last_roll == NO_LAST_ROLL and cleared(board, rules, 0) and cleared(board, rules, 1):
        return tell(found, BOTH_CLEARED, board, 0, OFF)
    return 0


cdef inline int tell(Fault *found, int kind, const Board *board, int row, int slot) noexcept nogil:
    found.kind = kind
    found.row = row
    found.slot = slot
    found.value = board.row[row][slot]
    return kind


# A turn in the making: one step at a time, any order, and why a step is refused. Not for speed.

cdef void start_turn(const Board *board, const Rules *rules, int high, int low, PartialTurn *partial) noexcept nogil:
    """The turn before its first step."""
    cdef Pending queue
    trust("start_turn", board, rules, high, low)
    stages_of(rules, WHITE, high, low, &queue)
    start_stage(board, rules, &queue, partial)


cdef void start_stage(const Board *board, const Rules *rules, const Pending *queue, PartialTurn *partial) noexcept nogil:
    """The first stage of the queue before its first step."""
    cdef const Stage *stage = &queue.stage[0]
    cdef Turn *turn = &partial.turn
    derive_turn(turn, board, rules)
    turn.head_limit = stage_allowance(turn, stage, queue.heads[stage.player])
    begin(&partial.state, turn)
    partial.stage = stage[0]
    partial.sending = sending_dice(rules, stage)
    partial.dice_left = dice_of_stage(stage, partial.dice)
    partial.total = 0
    partial.hits = 0
    if turn.shut and makes_block(turn.own, turn.shut) and greatest_total(partial) <= 0:
        # A prime that shuts the opponent in stands, and no play opens it: it is allowed then.
        turn.forbidden_blocks = bit(13)
        turn.shut = 0


cdef int play_step(PartialTurn *partial, int source, int die, int is_send) noexcept nogil:
    """Make a step that is possible in itself."""
    cdef int i, left = 0, target = OFF - die if is_send else landing(source, die)
    cdef bint spent = False
    for i in range(partial.dice_left):
        if partial.dice[i] == die and not spent:
            spent = True
        else:
            partial.dice[left] = partial.dice[i]
            left += 1
    partial.dice_left = left
    partial.total += die
    partial.hits |= partial.turn.blots & bit(target)
    move_one(&partial.state, source, target)
    return left


cdef uint32_t step_sources(const PartialTurn *partial, int die) noexcept nogil:
    """The slots from which a checker may step by the die now, but for the six-block rule."""
    cdef const MoverState *state = &partial.state
    return sources(&partial.turn, state.own, full_points(state.row, partial.turn.rules), state.from_head, die)


cdef int finished(const PartialTurn *partial) noexcept nogil:
    """Whether no step can follow: the dice are used up, or the mover has borne off all."""
    return partial.dice_left == 0 or partial.state.row[OFF] == partial.turn.rules.checkers


cdef int sendable(const PartialTurn *partial, int die) noexcept nogil:
    """Whether a checker of the head can be sent by this die, which is at hand."""
    return partial.sending >> die & 1 and can_send(&partial.turn, &partial.state, die, partial.dice_left == 1)


cdef int must_send(const PartialTurn *partial) noexcept nogil:
    """Whether some die at hand can be sent, and so has to be."""
    cdef int i
    if not partial.sending or partial.turn.rules.send_optional:
        return 0
    for i in range(partial.dice_left):
        if sendable(partial, partial.dice[i]):
            return 1
    return 0


cdef enum:
    EXPLORED = 1024         # states that are remembered; those that are forgotten are explored again

cdef struct Search:         # for the greatest total
    int best
    int whole               # no more is possible
    uint64_t low[EXPLORED]  # states that were explored: counts in slots 0..15,
    uint64_t high[EXPLORED]     # in slots 16..25, and the dice used


cdef int greatest_total(const PartialTurn *partial) noexcept nogil:
    """The greatest total of dice of a legal play that begins as this one does, or -1 where there is none."""
    cdef Search search
    cdef int i
    search.best = -1
    search.whole = partial.total
    for i in range(partial.dice_left):
        search.whole += partial.dice[i]
    memset(search.low, 0, sizeof(search.low))
    memset(search.high, 0, sizeof(search.high))
    explore(partial, &search)
    return search.best


cdef void explore(const PartialTurn *partial, Search *search) noexcept nogil:
    """Try all ways to go on."""
    cdef PartialTurn after
    cdef uint64_t low = 0, high = partial.total << 8 | partial.dice_left << 4 | 1
    cdef uint32_t found, place
    cdef int i, die, slot, compulsory
    if partial.total > search.best and (
        partial.total == 0 or not makes_block(partial.state.own, partial.turn.forbidden_blocks)
    ):
        search.best = partial.total
    if finished(partial) or search.best == search.whole:
        return
    for slot in range(16):
        low = low << 4 | partial.state.row[slot]
    for slot in range(16, OFF):
        high ^= <uint64_t>partial.state.row[slot] << 4 * (slot - 10)
    place = <uint32_t>((low ^ low >> 29 ^ high * <uint64_t>0x9E3779B97F4A7C15) * <uint64_t>0xBF58476D1CE4E5B9 >> 40) % EXPLORED
    if search.low[place] == low and search.high[place] == high:
        return
    search.low[place] = low
    search.high[place] = high
    compulsory = must_send(partial)
    for i in range(partial.dice_left):
        die = partial.dice[i]
        if i and die == partial.dice[i - 1]:
            continue
        if sendable(partial, die):
            after = partial[0]
            play_step(&after, HEAD, die, 1)
            explore(&after, search)
        found = 0 if compulsory else step_sources(partial, die)
        while found and search.best < search.whole:
            after = partial[0]
            play_step(&after, lowest(found), die, 0)
            if not passing(&after.turn) or not makes_block(after.state.own, passing(&after.turn)):
                explore(&after, search)
            found &= found - 1


cdef int refusal(const PartialTurn *partial, int source, int die, int is_send) noexcept nogil:
    """Why the step is not possible, as reasons.Reason; 0 where only the obligation or nothing stands against it.

    The game must not be over.
    """
    cdef const Turn *turn = &partial.turn
    cdef const MoverState *state = &partial.state
    cdef PartialTurn after
    cdef int i, target = OFF - die if is_send else source + die
    cdef bint at_hand = False
    if state.row[OFF] == turn.rules.checkers:
        return GAME_OVER
    for i in range(partial.dice_left):
        at_hand |= partial.dice[i] == die
    if not at_hand or is_send and not partial.sending >> die & 1:
        return NO_SUCH_DIE
    if not BAR <= source <= LAST or not state.row[source]:
        return NO_CHECKER
    if source != BAR and state.row[BAR] and turn.rules.bar_first:
        return BAR_FIRST
    if source == HEAD and turn.runner and not runner_free(state.own):
        return RUNNER_NOT_PAST
    if source == HEAD and state.from_head >= turn.head_limit:
        return HEAD_USED
    if target <= LAST:
        if not starts(turn) >> source & 1:
            return HOME_FROZEN
        if not turn.open >> target & 1:
            return POINT_HELD
        if state.row[target] >= turn.rules.stack_limit:
            return STACK_FULL
    else:
        if state.own & OUTSIDE:
            return NOT_ALL_HOME
        if not turn.may_bear_off:
            return OFF_NEXT_TURN
        if not bears_off(turn, die):
            return OFF_DIE
        if target > OFF and turn.rules.exact:
            return EXACT_DIE_ONLY
        if target > OFF and bear_off_source(state.own, die, 0) != bit(source):
            return FARTHER_BACK
    after = partial[0]
    play_step(&after, source, die, is_send)
    if makes_block(after.state.own, turn.forbidden_blocks if finished(&after) else passing(turn)):
        return BLOCK
    if not is_send and must_send(partial):
        return SEND_FIRST
    return 0


cdef int ends_as_listed(const PartialTurn *partial) noexcept nogil:
    """Whether the mover has borne off all, and some play of the greatest total leads to the same board."""
    cdef Turn turn = partial.turn
    cdef PlaySet play_set
    cdef Play play
    cdef Board expected, after
    cdef uint32_t hits = partial.hits
    cdef int i
    if partial.state.row[OFF] != turn.rules.checkers:
        return 0
    expected = turn.board[0]
    memcpy(expected.row[0], partial.state.row, SLOTS)
    while hits:
        expected.row[1][OFF - lowest(hits)] -= 1
        expected.row[1][BAR] += 1
        hits &= hits - 1
    stage_plays(&turn, &partial.stage, partial.sending, True, &play_set)
    for i in range(play_set.count):
        pick(&play_set, i, &play)
        after = turn.board[0]
        move(&after, turn.rules, &play)
        if memcmp(&after, &expected, sizeof(Board)) == 0:
            return 1
    return 0


cdef int why_not(const PartialTurn *partial, int source, int die, int is_send, int total) noexcept nogil:
    """Why the step is not legal, as reasons.Reason; 0 where it is. `total` is the greatest of the whole turn."""
    cdef int reason = refusal(partial, source, die, is_send)
    cdef PartialTurn after
    if reason:
        return reason
    after = partial[0]
    play_step(&after, source, die, is_send)
    if greatest_total(&after) == total or ends_as_listed(&after):
        return 0
    # The greatest total is one die of two, and the step would play the other one.
    if partial.stage.second and partial.total == 0 and die == partial.stage.second and total == partial.stage.die:
        return LARGER_DIE
    return WASTES_DIE


cdef int check_play(const Board *board, const Rules *rules, int high, int low, const Play *play, int *at) noexcept nogil:
    """Why the play is not legal, as reasons.Reason, and at which step; 0 where it is."""
    cdef Pending queue
    trust("check_play", board, rules, high, low)
    stages_of(rules, WHITE, high, low, &queue)
    return check_stage(board, rules, &queue, play, at)


cdef int check_stage(const Board *board, const Rules *rules, const Pending *queue, const Play *play, int *at) noexcept nogil:
    """The same for the first stage of the queue."""
    cdef PartialTurn partial
    cdef int i, reason, total
    start_stage(board, rules, queue, &partial)
    total = greatest_total(&partial)
    at[0] = 0
    if not 0 <= play.steps <= MAX_STEPS:
        return NO_SUCH_DIE
    for i in range(play.steps):
        at[0] = i
        reason = why_not(&partial, play.source[i], play.die[i], play.sends >> i & 1, total)
        if reason:
            return reason
        play_step(&partial, play.source[i], play.die[i], play.sends >> i & 1)
    at[0] = play.steps
    return 0 if partial.total == total or partial.state.row[OFF] == rules.checkers else WASTES_DIE
