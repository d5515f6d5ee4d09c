"""The native core: from a board, its rules and a roll to the plays, one play to the next board, and what is wrong with either."""

from libc.stdint cimport int8_t, uint32_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort
from libc.string cimport memcpy

from nardy_fast.core._bits cimport at_least, bit, highest, lowest
from nardy_fast.core._boards cimport Moving, moved, moving
from nardy_fast.core._doubles cimport list_bags, most_bags, orders_matter, pick_bag, search_double, write_bags
from nardy_fast.core._mixed cimport list_pairs, pairs_suffice, pick_pair, search_mixed, write_pairs
from nardy_fast.core._track cimport (
    DRAW_ONLY, HOME_POINTS, KOKS_NONE_HOME, KOKS_ON_HEAD, KOKS_START_QUARTER, NO_LAST_ROLL, OUTSIDE, POINTS,
    begin, borne_off, forbidden_sixes, full_points, landing, reversed_, rotated, runner_free, sixes, sources,
    step, walled,
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
    cdef State state
    cdef Turn turn
    cdef int i, source, target
    if not DEBUG:
        return
    trust(function, board, rules, 1, 1)
    look(&turn, board, rules)
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

cdef void offer(Turn *turn, int high, int low, Menu *menu) noexcept nogil:
    """Find out what the roll allows."""
    fill(turn, high, low, menu, False)


cdef inline void fill(Turn *turn, int high, int low, Menu *menu, bint to_list) noexcept nogil:
    """`offer`; with `to_list` doubles are gathered at once, since counting them first would be for nothing."""
    trust("offer", turn.board, turn.rules, high, low)
    turn.head_limit = head_allowance(turn, high, low)
    if high != low:
        menu.kind = PAIRS if pairs_suffice(turn, high, low, &menu.pairs) else PLAYS
        menu.count = menu.pairs.count if menu.kind == PAIRS else search_mixed(turn, high, low, menu.plays)
    elif orders_matter(turn, high):
        menu.kind = PLAYS
        menu.count = search_double(turn, high, &menu.bags, menu.plays)
    else:
        menu.kind = BAGS
        most_bags(turn, high, to_list, &menu.bags)
        menu.count = menu.bags.count
    if menu.count == 0:
        menu.kind = PLAYS
        menu.count = 1
        menu.plays[0].steps = 0


cdef void choose(const Menu *menu, int index, Play *play) noexcept nogil:
    """The play number `index`, 0 to count - 1, in an order of our own."""
    if DEBUG and not 0 <= index < menu.count:
        fprintf(stderr, "nardy_fast: choose: play %d of %d\n", index, menu.count)
        abort()
    if menu.kind == PAIRS:
        pick_pair(&menu.pairs, index, play)
    elif menu.kind == BAGS:
        pick_bag(&menu.bags, index, play)
    else:
        play[0] = menu.plays[index]


cdef const Play *listed(Menu *menu) noexcept nogil:
    """All plays of the menu, menu.count of them."""
    if menu.kind == PAIRS:
        list_pairs(&menu.pairs, menu.plays)
    elif menu.kind == BAGS:
        list_bags(&menu.bags, menu.plays)
    menu.kind = PLAYS
    return menu.plays


cdef void write_boards(Menu *menu, const Board *board, const Rules *rules, Board *after) noexcept nogil:
    """Write the board after each play to `after`, in the order of `listed`; the player who moved stays in row 0."""
    cdef int i
    if menu.kind == PAIRS:
        write_pairs(&menu.pairs, board, after)
    elif menu.kind == BAGS:
        write_bags(&menu.bags, board, after)
    else:
        for i in range(menu.count):
            after[i] = board[0]
            move(&after[i], rules, &menu.plays[i])


cdef int offer_roll(const Board *board, const Rules *rules, int high, int low, Menu *menu) noexcept nogil:
    """Find out what the roll allows on the board; return the number of distinct afterstates, at least 1."""
    cdef Turn turn
    look(&turn, board, rules)
    offer(&turn, high, low, menu)
    return menu.count


cdef int offer_list(const Board *board, const Rules *rules, int high, int low, Menu *menu) noexcept nogil:
    """`offer_roll` for those who go on to list everything."""
    cdef Turn turn
    look(&turn, board, rules)
    fill(&turn, high, low, menu, True)
    return menu.count


cdef int generate(const Board *board, const Rules *rules, int high, int low, Menu *menu) noexcept nogil:
    """Fill `menu.plays` with one play for each distinct afterstate; return their number, at least 1."""
    offer_list(board, rules, high, low, menu)
    listed(menu)
    return menu.count


cdef int count(const Board *board, const Rules *rules, int high, int low) noexcept nogil:
    """The number of distinct afterstates, at least 1."""
    cdef Menu menu
    return offer_roll(board, rules, high, low, &menu)


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
        wrong = sixes(rotated(held[row] & POINTS)) & forbidden_sixes(held[1 - row], rules)
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

cdef void start_turn(const Board *board, const Rules *rules, int high, int low, Moment *moment) noexcept nogil:
    """The moment before the first step."""
    trust("start_turn", board, rules, high, low)
    look(&moment.turn, board, rules)
    moment.turn.head_limit = head_allowance(&moment.turn, high, low)
    begin(&moment.state, &moment.turn)
    moment.mixed = high != low
    moment.dice_left = 2 if moment.mixed else MAX_STEPS
    for i in range(moment.dice_left):
        moment.dice[i] = high
    if moment.mixed:
        moment.dice[1] = low
    moment.total = 0


cdef int play_step(Moment *moment, int source, int die) noexcept nogil:
    """Make a step that is possible in itself."""
    cdef int i, left = 0
    cdef bint spent = False
    for i in range(moment.dice_left):
        if moment.dice[i] == die and not spent:
            spent = True
        else:
            moment.dice[left] = moment.dice[i]
            left += 1
    moment.dice_left = left
    moment.total += die
    step(&moment.state, source, die)
    return left


cdef uint32_t step_sources(const Moment *moment, int die) noexcept nogil:
    """The slots from which a checker may step by the die now, but for the six-block rule."""
    cdef const State *state = &moment.state
    return sources(&moment.turn, state.own, full_points(state.row, moment.turn.rules), state.from_head, die)


cdef int finished(const Moment *moment) noexcept nogil:
    """Whether no step can follow: the dice are used up, or the mover has borne off all."""
    return moment.dice_left == 0 or moment.state.row[OFF] == moment.turn.rules.checkers


cdef int is_walled(const Moment *moment) noexcept nogil:
    return moment.turn.walls and walled(moment.state.own, moment.turn.walls)


cdef int possible(const Moment *moment, int source, int die, Moment *after) noexcept nogil:
    """Whether the step, its die being at hand, is possible in itself; `after` is the moment after it."""
    if not step_sources(moment, die) >> source & 1:
        return 0
    after[0] = moment[0]
    play_step(after, source, die)
    return after.turn.rules.block_at_end or not is_walled(after)


cdef int greatest_total(const Moment *moment) noexcept nogil:
    """The greatest total of dice of a legal play that begins as this one does, or -1 where there is none."""
    cdef Moment after
    cdef uint32_t found
    cdef int i, die, whole = moment.total, best = moment.total if moment.total == 0 or not is_walled(moment) else -1
    if finished(moment):
        return best
    for i in range(moment.dice_left):
        whole += moment.dice[i]
    for i in range(2 if moment.mixed and moment.dice_left == 2 else 1):
        die = moment.dice[i]
        found = step_sources(moment, die)
        while found and best < whole:
            if possible(moment, lowest(found), die, &after):
                best = max(best, greatest_total(&after))
            found &= found - 1
    return best


cdef int refusal(const Moment *moment, int source, int die) noexcept nogil:
    """Why the step is not possible, as reasons.Reason; 0 where only the obligation or nothing stands against it.

    The game must not be over.
    """
    cdef const Turn *turn = &moment.turn
    cdef const State *state = &moment.state
    cdef Moment after
    cdef int i, target = source + die
    cdef bint at_hand = False
    if state.row[OFF] == turn.rules.checkers:
        return GAME_OVER
    for i in range(moment.dice_left):
        at_hand |= moment.dice[i] == die
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
        if target > OFF and borne_off(state.own, die, 0) != bit(source):
            return FARTHER_BACK
    after = moment[0]
    play_step(&after, source, die)
    if is_walled(&after) and (not turn.rules.block_at_end or finished(&after)):
        return BLOCK
    return 0


cdef int why_not(const Moment *moment, int source, int die, int total) noexcept nogil:
    """Why the step is not legal, as reasons.Reason; 0 where it is. `total` is the greatest of the whole turn."""
    cdef int reason = refusal(moment, source, die)
    cdef Moment after
    if reason:
        return reason
    after = moment[0]
    play_step(&after, source, die)
    if greatest_total(&after) == total:
        return 0
    # The greatest total is one die of two, and the step would play the other one.
    if moment.mixed and moment.total == 0 and die == moment.dice[1] and total == moment.dice[0]:
        return LARGER_DIE
    return WASTES_DIE


cdef int check_play(const Board *board, const Rules *rules, int high, int low, const Play *play, int *at) noexcept nogil:
    """Why the play is not legal, as reasons.Reason, and at which step; 0 where it is."""
    cdef Moment moment
    cdef int i, reason, total
    start_turn(board, rules, high, low, &moment)
    total = greatest_total(&moment)
    at[0] = 0
    if not 0 <= play.steps <= MAX_STEPS:
        return NO_SUCH_DIE
    for i in range(play.steps):
        at[0] = i
        reason = why_not(&moment, play.source[i], play.die[i], total)
        if reason:
            return reason
        play_step(&moment, play.source[i], play.die[i])
    at[0] = play.steps
    return WASTES_DIE if moment.total < total else 0
