"""The native core: from a board, its rules and a roll to the plays, one play to the next board, and what is wrong with either."""

from libc.stdint cimport int8_t, uint32_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort
from libc.string cimport memcpy

from nardy_fast.core._bits cimport at_least, bit, highest, lowest
from nardy_fast.core._boards cimport Moving, moved, moving
from nardy_fast.core._doubles cimport (
    generate_multisets, list_multisets, orders_matter, pick_multiset, search_double, write_multisets,
)
from nardy_fast.core._mixed cimport list_pairs, pairs_suffice, pick_pair, search_mixed, write_pairs
from nardy_fast.core._track cimport (
    DRAW_ONLY, HOME_POINTS, KOKS_NONE_HOME, KOKS_ON_HEAD, KOKS_START_QUARTER, NO_LAST_ROLL, OUTSIDE, POINTS, bear_off_source,
    begin, block_starts, full_points, landing, makes_block, reversed_, rotated, runner_free, sixes, sources, step,
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
        target = landing(source, play.die[i])
        if (
            i >= MAX_STEPS or not 1 <= play.die[i] <= 6 or not BAR <= source <= LAST or not state.row[source]
            or target != OFF and not turn.open >> target & 1
        ):
            fprintf(stderr, "nardy_fast: %s: step %d of the play is no step here\n", function, i)
            abort()
        step(&state, source, play.die[i])


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
    trust("generate", turn.board, turn.rules, high, low)
    turn.head_limit = head_allowance(turn, high, low)
    if high != low:
        play_set.kind = PAIRS if pairs_suffice(turn, high, low, &play_set.pairs) else PLAYS
        play_set.count = play_set.pairs.count if play_set.kind == PAIRS else search_mixed(turn, high, low, play_set.plays)
    elif orders_matter(turn, high):
        play_set.kind = PLAYS
        play_set.count = search_double(turn, high, &play_set.multisets, play_set.plays)
    else:
        play_set.kind = MULTISETS
        generate_multisets(turn, high, to_list, &play_set.multisets)
        play_set.count = play_set.multisets.count
    if play_set.count == 0:
        play_set.kind = PLAYS
        play_set.count = 1
        play_set.plays[0].steps = 0


cdef void pick(const PlaySet *play_set, int index, Play *play) noexcept nogil:
    """The play number `index`, 0 to count - 1, in an order of our own."""
    if DEBUG and not 0 <= index < play_set.count:
        fprintf(stderr, "nardy_fast: pick: play %d of %d\n", index, play_set.count)
        abort()
    if play_set.kind == PAIRS:
        pick_pair(&play_set.pairs, index, play)
    elif play_set.kind == MULTISETS:
        pick_multiset(&play_set.multisets, index, play)
    else:
        play[0] = play_set.plays[index]


cdef const Play *expand(PlaySet *play_set) noexcept nogil:
    """All plays of the play set, play_set.count of them."""
    if play_set.kind == PAIRS:
        list_pairs(&play_set.pairs, play_set.plays)
    elif play_set.kind == MULTISETS:
        list_multisets(&play_set.multisets, play_set.plays)
    play_set.kind = PLAYS
    return play_set.plays


cdef void write_boards(PlaySet *play_set, const Board *board, const Rules *rules, Board *after) noexcept nogil:
    """Write the board after each play to `after`, in the order of `expand`; the player who moved stays in row 0."""
    cdef int i
    if play_set.kind == PAIRS:
        write_pairs(&play_set.pairs, board, after)
    elif play_set.kind == MULTISETS:
        write_multisets(&play_set.multisets, board, after)
    else:
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
    for i in range(play.steps):
        after = moved(after, play.source[i], play.die[i])
    return after


# The end of a game.

cdef int cleared(const Board *board, const Rules *rules, int row) noexcept nogil:
    """Whether that side has borne off all its checkers."""
    return board.row[row][OFF] == rules.checkers


cdef int is_over(const Board *board, const Rules *rules, int turn) noexcept nogil:
    """Whether the player to move (0 White, 1 Black) has no turn any more; Black's last roll is one."""
    if cleared(board, rules, 0):
        return 1
    return cleared(board, rules, 1) and not (turn == 1 and rules.last_roll != NO_LAST_ROLL)


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
        return 0
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
        return 3 if held & 0x7F else 2
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
    """The partial turn before the first step."""
    trust("start_turn", board, rules, high, low)
    derive_turn(&partial.turn, board, rules)
    partial.turn.head_limit = head_allowance(&partial.turn, high, low)
    begin(&partial.state, &partial.turn)
    partial.mixed = high != low
    partial.dice_left = 2 if partial.mixed else MAX_STEPS
    for i in range(partial.dice_left):
        partial.dice[i] = high
    if partial.mixed:
        partial.dice[1] = low
    partial.total = 0


cdef int play_step(PartialTurn *partial, int source, int die) noexcept nogil:
    """Make a step that is possible in itself."""
    cdef int i, left = 0
    cdef bint spent = False
    for i in range(partial.dice_left):
        if partial.dice[i] == die and not spent:
            spent = True
        else:
            partial.dice[left] = partial.dice[i]
            left += 1
    partial.dice_left = left
    partial.total += die
    step(&partial.state, source, die)
    return left


cdef uint32_t step_sources(const PartialTurn *partial, int die) noexcept nogil:
    """The slots from which a checker may step by the die now, but for the six-block rule."""
    cdef const MoverState *state = &partial.state
    return sources(&partial.turn, state.own, full_points(state.row, partial.turn.rules), state.from_head, die)


cdef int finished(const PartialTurn *partial) noexcept nogil:
    """Whether no step can follow: the dice are used up, or the mover has borne off all."""
    return partial.dice_left == 0 or partial.state.row[OFF] == partial.turn.rules.checkers


cdef int has_forbidden_block(const PartialTurn *partial) noexcept nogil:
    return partial.turn.forbidden_blocks and makes_block(partial.state.own, partial.turn.forbidden_blocks)


cdef int possible(const PartialTurn *partial, int source, int die, PartialTurn *after) noexcept nogil:
    """Whether the step, its die being at hand, is possible in itself; `after` is the partial turn after it."""
    if not step_sources(partial, die) >> source & 1:
        return 0
    after[0] = partial[0]
    play_step(after, source, die)
    return after.turn.rules.block_at_end or not has_forbidden_block(after)


cdef int greatest_total(const PartialTurn *partial) noexcept nogil:
    """The greatest total of dice of a legal play that begins as this one does, or -1 where there is none."""
    cdef PartialTurn after
    cdef uint32_t found
    cdef int i, die, whole = partial.total, best = partial.total if partial.total == 0 or not has_forbidden_block(partial) else -1
    if finished(partial):
        return best
    for i in range(partial.dice_left):
        whole += partial.dice[i]
    for i in range(2 if partial.mixed and partial.dice_left == 2 else 1):
        die = partial.dice[i]
        found = step_sources(partial, die)
        while found and best < whole:
            if possible(partial, lowest(found), die, &after):
                best = max(best, greatest_total(&after))
            found &= found - 1
    return best


cdef int refusal(const PartialTurn *partial, int source, int die) noexcept nogil:
    """Why the step is not possible, as reasons.Reason; 0 where only the obligation or nothing stands against it.

    The game must not be over.
    """
    cdef const Turn *turn = &partial.turn
    cdef const MoverState *state = &partial.state
    cdef PartialTurn after
    cdef int i, target = source + die
    cdef bint at_hand = False
    if state.row[OFF] == turn.rules.checkers:
        return GAME_OVER
    for i in range(partial.dice_left):
        at_hand |= partial.dice[i] == die
    if not at_hand:
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
        if not turn.open >> target & 1:
            return POINT_HELD
        if state.row[target] >= turn.rules.stack_limit:
            return STACK_FULL
    else:
        if state.own & OUTSIDE:
            return NOT_ALL_HOME
        if not turn.may_bear_off:
            return OFF_NEXT_TURN
        if target > OFF and turn.rules.exact:
            return EXACT_DIE_ONLY
        if target > OFF and bear_off_source(state.own, die, 0) != bit(source):
            return FARTHER_BACK
    after = partial[0]
    play_step(&after, source, die)
    if has_forbidden_block(&after) and (not turn.rules.block_at_end or finished(&after)):
        return BLOCK
    return 0


cdef int why_not(const PartialTurn *partial, int source, int die, int total) noexcept nogil:
    """Why the step is not legal, as reasons.Reason; 0 where it is. `total` is the greatest of the whole turn."""
    cdef int reason = refusal(partial, source, die)
    cdef PartialTurn after
    if reason:
        return reason
    after = partial[0]
    play_step(&after, source, die)
    if greatest_total(&after) == total:
        return 0
    # The greatest total is one die of two, and the step would play the other one.
    if partial.mixed and partial.total == 0 and die == partial.dice[1] and total == partial.dice[0]:
        return LARGER_DIE
    return WASTES_DIE


cdef int check_play(const Board *board, const Rules *rules, int high, int low, const Play *play, int *at) noexcept nogil:
    """Why the play is not legal, as reasons.Reason, and at which step; 0 where it is."""
    cdef PartialTurn partial
    cdef int i, reason, total
    start_turn(board, rules, high, low, &partial)
    total = greatest_total(&partial)
    at[0] = 0
    if not 0 <= play.steps <= MAX_STEPS:
        return NO_SUCH_DIE
    for i in range(play.steps):
        at[0] = i
        reason = why_not(&partial, play.source[i], play.die[i], total)
        if reason:
            return reason
        play_step(&partial, play.source[i], play.die[i])
    at[0] = play.steps
    return WASTES_DIE if partial.total < total else 0
