"""Mixed rolls: bit sets for the usual turn, and a search through both orders of the dice for the others.

Two sequences reach one afterstate when they move the same checkers by the same dice; when one checker runs the sum over either
landing (and hits the same), which two checkers stepping a -> b and b -> c also equal; and when both dice bear off and swap.

Inline only; compiled into each module that uses it.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from nardy_fast.core._bits cimport bit, lowest, nth, size, sizes
from nardy_fast.core._boards cimport Prefix, write_prefixes
from nardy_fast.core._track cimport (
    BAR, HEAD, NO_LIMIT, OFF, OUTSIDE, Board, Play, Side, Turn, full_of, landing, makes_block, passing, rotated, side_of, sixes,
    sources, stepped,
)


cdef struct Pairs:          # the plays of a mixed roll in which no step touches another's legality
    int high                # the dice
    int low
    int dice_used           # 2, 1 or 0
    int count               # distinct afterstates, at least 1
    int entering            # 1: a checker must enter first, so every pair has slot 0
    uint32_t by_high        # sources of the larger die
    uint32_t by_low         # sources of the smaller
    uint32_t blots          # slots where a landing hits
    uint32_t not_both       # slots that cannot give a checker to each die
    uint32_t run_high       # slots from which one checker plays both dice, the larger first
    uint32_t run_low        # the same, the smaller first
    uint32_t run_twice      # where these two differ in whom they hit


# The usual turn. A pair is a step by the larger die from one slot and a step by the smaller from another or the same; every two
# sources make one, in either order, unless one slot would have to give two checkers and cannot. Runs are counted apart, and the
# pairs that equal a run are left out.

cdef inline int pairs_suffice(const Turn *turn, int high, int low, Pairs *pairs) noexcept nogil:
    """Fill `pairs` and return 1; or return 0 where the roll needs a search.

    That is where a checker may be borne off, or a block, the runner or a stack limit may be at stake.
    """
    cdef uint32_t own = turn.own, outside = own & OUTSIDE, runs = own & turn.open >> (high + low), reach
    if turn.runner or turn.rules.stack_limit != NO_LIMIT:
        return 0
    pairs.high = high
    pairs.low = low
    pairs.blots = turn.blots
    pairs.entering = own & bit(BAR) and turn.rules.bar_first
    if pairs.entering:
        enter(turn, pairs)
        return 1
    if outside & (outside - 1) == 0 and (outside == 0 or outside & turn.single):
        return 0            # a step may bring the last checker home
    pairs.by_high = own & turn.open >> high
    pairs.by_low = own & turn.open >> low
    pairs.run_high = runs & turn.open >> high
    pairs.run_low = runs & turn.open >> low
    runs = pairs.run_high | pairs.run_low
    if turn.forbidden_blocks:
        reach = own | pairs.by_high << high | pairs.by_low << low | runs << (high + low)
        if sixes(rotated(reach)) & turn.forbidden_blocks:
            return 0
    pairs.run_twice = pairs.run_high & pairs.run_low & (turn.blots >> high | turn.blots >> low)
    pairs.not_both = pairs.by_high & pairs.by_low & (turn.single | (bit(HEAD) if turn.head_limit == 1 else 0))
    pairs.count = (
        size(pairs.by_high) * size(pairs.by_low)
        - size(pairs.not_both)
        - sizes(pairs.by_high & pairs.by_low >> high, pairs.by_low & pairs.by_high >> low)
        + sizes(runs, pairs.run_twice)
    )
    pairs.dice_used = 2
    if pairs.count == 0:
        fewer_dice(pairs)
    return 1


cdef inline void fewer_dice(Pairs *pairs) noexcept nogil:
    """No play uses both dice: the larger if it can be played, else the smaller, else a pass."""
    pairs.dice_used = (pairs.by_high | pairs.by_low) != 0
    pairs.count = size(pairs.by_high if pairs.by_high else pairs.by_low) if pairs.dice_used else 1


cdef inline void enter(const Turn *turn, Pairs *pairs) noexcept nogil:
    """Fill `pairs` where checkers on the bar must enter before others move: in each pair one of the two is the first to do so."""
    cdef uint32_t by_high = turn.open >> pairs.high & bit(BAR), by_low = turn.open >> pairs.low & bit(BAR)
    cdef uint32_t at_end = turn.open >> (pairs.high + pairs.low), others = turn.own & ~bit(BAR)
    pairs.by_high = by_high
    pairs.by_low = by_low
    pairs.not_both = pairs.run_high = pairs.run_low = pairs.run_twice = 0
    pairs.dice_used = 2
    pairs.count = by_high & by_low
    if turn.single & bit(BAR):
        pairs.run_high = by_high & at_end
        pairs.run_low = by_low & at_end
        pairs.run_twice = by_high & by_low & at_end & (turn.blots >> pairs.high | turn.blots >> pairs.low)
        pairs.not_both = bit(BAR)
        if by_low:
            pairs.by_high |= others & turn.open >> pairs.high
        if by_high:
            pairs.by_low |= others & turn.open >> pairs.low
        pairs.count = (
            (size(pairs.by_low & ~bit(BAR) & ~bit(pairs.high)) if by_high else 0)
            + (size(pairs.by_high & ~bit(BAR) & ~bit(pairs.low)) if by_low else 0)
            + ((pairs.run_high | pairs.run_low) & 1)
            + (pairs.run_twice & 1)
        )
    if pairs.count == 0:
        pairs.by_high = by_high
        pairs.by_low = by_low
        fewer_dice(pairs)


cdef inline uint32_t partners(const Pairs *pairs, int source) noexcept nogil:
    """The sources of the smaller die that make a play with this one of the larger.

    A run the larger die first is one of them; the pairs that equal a run are left out.
    """
    cdef uint32_t here = bit(source), found = pairs.by_low & ~(here << pairs.high | here >> pairs.low | here & pairs.not_both)
    if pairs.entering and source != BAR:
        found &= bit(BAR)
    return found | (here & pairs.run_high) << pairs.high


cdef inline uint32_t other_runs(const Pairs *pairs) noexcept nogil:
    """The runs by the smaller die first that the larger first does not equal."""
    return pairs.run_low & (~pairs.run_high | pairs.run_twice)


cdef inline void two_steps(Play *play, int source, int die, int source2, int die2) noexcept nogil:
    play.steps = 2
    play.sends = 0
    play.source[0] = source
    play.die[0] = die
    play.source[1] = source2
    play.die[1] = die2


cdef inline void pair_of(const Pairs *pairs, int by_high, int by_low, Play *play) noexcept nogil:
    if by_low == BAR:
        two_steps(play, by_low, pairs.low, by_high, pairs.high)     # who must enter goes first
    else:
        two_steps(play, by_high, pairs.high, by_low, pairs.low)


cdef inline void one_step(Play *play, int source, int die) noexcept nogil:
    play.steps = 1
    play.sends = 0
    play.source[0] = source
    play.die[0] = die


cdef inline void run_low(const Pairs *pairs, int source, Play *play) noexcept nogil:
    """One checker by both dice, the smaller first."""
    two_steps(play, source, pairs.low, source + pairs.low, pairs.high)


cdef inline void pick_pair(const Pairs *pairs, int index, Play *play) noexcept nogil:
    """The play that `index` (0 to count - 1) others precede, in an order of our own."""
    cdef uint32_t high_sources = pairs.by_high, found
    cdef int source
    if pairs.dice_used == 0:
        play.steps = 0
        play.sends = 0
        return
    if pairs.dice_used == 1:
        found = pairs.by_high if pairs.by_high else pairs.by_low
        one_step(play, nth(found, index), pairs.high if pairs.by_high else pairs.low)
        return
    while high_sources:
        source = lowest(high_sources)
        found = partners(pairs, source)
        if index < size(found):
            pair_of(pairs, source, nth(found, index), play)
            return
        index -= size(found)
        high_sources &= high_sources - 1
    run_low(pairs, nth(other_runs(pairs), index), play)


cdef inline int list_pairs(const Pairs *pairs, Play *plays) noexcept nogil:
    """Write every play, and return their number."""
    cdef uint32_t high_sources = pairs.by_high, found
    cdef int source, n = 0
    if pairs.dice_used < 2:
        for n in range(pairs.count):
            pick_pair(pairs, n, &plays[n])
        return pairs.count
    while high_sources:
        source = lowest(high_sources)
        high_sources &= high_sources - 1
        found = partners(pairs, source)
        while found:
            pair_of(pairs, source, lowest(found), &plays[n])
            found &= found - 1
            n += 1
    found = other_runs(pairs)
    while found:
        run_low(pairs, lowest(found), &plays[n])
        found &= found - 1
        n += 1
    return n


cdef inline void put_pair_in_order(const Pairs *pairs, Play *play) noexcept nogil:
    """Turn a listed play into the smallest sequence of (from, die) that reaches the same."""
    cdef int rear = play.source[0]
    if play.steps < 2:
        return
    if play.source[1] == rear + play.die[0]:
        if pairs.run_low >> rear & 1 and not pairs.run_twice >> rear & 1:
            run_low(pairs, rear, play)
    elif play.source[1] < rear or (play.source[1] == rear and play.die[1] < play.die[0]):
        two_steps(play, play.source[1], play.die[1], rear, play.die[0])


cdef inline void write_pairs(const Pairs *pairs, const Board *board, Board *after) noexcept nogil:
    """Write the board after each play, in the order of `list_pairs`."""
    cdef Prefix prefix[26]
    cdef uint32_t high_sources = pairs.by_high, runs = other_runs(pairs)
    cdef int source, prefixes = 0, count = pairs.count - size(runs)
    if pairs.dice_used == 0:
        after[0] = board[0]
    elif pairs.dice_used == 1:
        prefix[0].source[0] = OFF
        prefix[0].lasts = pairs.by_high if pairs.by_high else pairs.by_low
        write_prefixes(board, pairs.blots, prefix, 1, pairs.high, pairs.high if pairs.by_high else pairs.low, pairs.count, after)
    else:
        while high_sources:
            source = lowest(high_sources)
            high_sources &= high_sources - 1
            prefix[prefixes].source[0] = source
            prefix[prefixes].lasts = partners(pairs, source)
            prefixes += prefix[prefixes].lasts != 0
        write_prefixes(board, pairs.blots, prefix, 1, pairs.high, pairs.low, count, after)
        for n in range(count, pairs.count):
            prefix[0].source[0] = lowest(runs)
            prefix[0].lasts = bit(prefix[0].source[0] + pairs.low)
            write_prefixes(board, pairs.blots, prefix, 1, pairs.low, pairs.high, 1, &after[n])
            runs &= runs - 1


# The search: each order of the dice, each source of the first, each source of the second after it.

cdef struct Seen:
    uint32_t pairs[26]      # pairs[x] bit y: the larger die from x and the smaller from y
    uint32_t runs[3]        # one checker over both: hitting none on the way, one by the larger die, one by the smaller


cdef inline int search_mixed(const Turn *turn, int high, int low, Play *plays) noexcept nogil:
    """Write one play for each distinct afterstate, and return their number: 0 where nothing can be played."""
    cdef Seen seen
    cdef Side side = side_of(turn)
    cdef int n
    memset(&seen, 0, sizeof(Seen))
    n = search_both(turn, side, high, low, &seen, plays, 0)
    n = search_both(turn, side, low, high, &seen, plays, n)
    if n == 0:
        n = search_one(turn, side, high, plays)
    if n == 0:
        n = search_one(turn, side, low, plays)
    return n


cdef inline int search_both(const Turn *turn, Side side, int first, int second, Seen *seen, Play *plays, int n) noexcept nogil:
    """Add to the n plays those that use both dice in this order and reach something new."""
    cdef uint32_t firsts = sources(turn, side.one, full_of(turn, side), 0, first), seconds
    cdef Side halfway
    cdef int source, source2
    while firsts:
        source = lowest(firsts)
        firsts &= firsts - 1
        halfway = stepped(side, source, first)
        if passing(turn) and makes_block(halfway.one, passing(turn)):
            continue
        seconds = sources(turn, halfway.one, full_of(turn, halfway), source == HEAD, second)
        while seconds:
            source2 = lowest(seconds)
            seconds &= seconds - 1
            if turn.forbidden_blocks and makes_block(stepped(halfway, source2, second).one, turn.forbidden_blocks):
                continue
            if is_new(turn, source, first, source2, second, seen):
                two_steps(&plays[n], source, first, source2, second)
                n += 1
    return n


cdef inline int is_new(const Turn *turn, int source, int first, int source2, int second, Seen *seen) noexcept nogil:
    """Whether no play seen before reaches the same; it is seen from now on."""
    cdef int high = max(first, second), low = min(first, second)
    cdef int by_high = source if first == high else source2, by_low = source2 if first == high else source
    cdef uint32_t *place
    cdef uint32_t mark
    if by_low == by_high + high:
        place = &seen.runs[turn.blots >> by_low & 1]
        mark = bit(by_high)
    elif by_high == by_low + low:
        place = &seen.runs[2 * (turn.blots >> by_high & 1)]
        mark = bit(by_low)
    elif by_high > by_low and landing(by_high, high) == OFF and landing(by_low, low) == OFF:
        place = &seen.pairs[by_low]
        mark = bit(by_high)
    else:
        place = &seen.pairs[by_high]
        mark = bit(by_low)
    if place[0] & mark:
        return 0
    place[0] |= mark
    return 1


cdef inline int search_one(const Turn *turn, Side side, int die, Play *plays) noexcept nogil:
    """Write the plays of one die, and return their number."""
    cdef uint32_t found = sources(turn, side.one, full_of(turn, side), 0, die)
    cdef int n = 0
    while found:
        if not (turn.forbidden_blocks and makes_block(stepped(side, lowest(found), die).one, turn.forbidden_blocks)):
            one_step(&plays[n], lowest(found), die)
            n += 1
        found &= found - 1
    return n
