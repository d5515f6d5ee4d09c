"""Mixed rolls: bit sets for the usual turn, and a search through both orders of the dice for the others.

Two sequences reach one afterstate when they move the same checkers by the same dice; when one checker runs the sum over either
landing (and hits the same), which two checkers stepping a -> b and b -> c also equal; and when both dice bear off and swap.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from nardy_fast._bits cimport bit, lowest, size
from nardy_fast._track cimport (
    BAR, HEAD, NO_LIMIT, OFF, OUTSIDE, Board, Play, State, Turn,
    begin, landing, move_checker, rotated, sixes, sources, step, walled,
)


# The usual turn. A pair is a step by the larger die from one slot and a step by the smaller from another or the same; every two
# sources make one, in either order, unless one slot would have to give two checkers and cannot. Runs are counted apart, and the
# pairs that equal a run are left out.

cdef int pairs_suffice(const Turn *turn, int high, int low, Pairs *pairs) noexcept nogil:
    """Fill `pairs` and return 1; or return 0 where the roll needs a search.

    That is where a checker may be borne off or must enter, or a block, the runner or a stack limit may be at stake.
    """
    cdef uint32_t own = turn.own, outside = own & OUTSIDE, runs = own & turn.open >> (high + low), reach
    if outside & (outside - 1) == 0 and (outside == 0 or outside & turn.single):
        return 0            # a step may bring the last checker home
    if turn.runner or turn.rules.stack_limit != NO_LIMIT or (own & bit(BAR) and turn.rules.bar_first):
        return 0
    pairs.high = high
    pairs.low = low
    pairs.by_high = own & turn.open >> high
    pairs.by_low = own & turn.open >> low
    pairs.run_high = runs & turn.open >> high
    pairs.run_low = runs & turn.open >> low
    runs = pairs.run_high | pairs.run_low
    if turn.walls:
        reach = own | pairs.by_high << high | pairs.by_low << low | runs << (high + low)
        if sixes(rotated(reach)) & turn.walls:
            return 0
    pairs.run_twice = pairs.run_high & pairs.run_low & (turn.blots >> high | turn.blots >> low)
    pairs.not_both = pairs.by_high & pairs.by_low & (turn.single | (bit(HEAD) if turn.head_limit == 1 else 0))
    pairs.count = (
        size(pairs.by_high) * size(pairs.by_low)
        - size(pairs.not_both)
        - size(pairs.by_high & pairs.by_low >> high)
        - size(pairs.by_low & pairs.by_high >> low)
        + size(runs)
        + size(pairs.run_twice)
    )
    pairs.dice_used = 2
    if pairs.count == 0:
        pairs.dice_used = (pairs.by_high | pairs.by_low) != 0
        pairs.count = size(pairs.by_high if pairs.by_high else pairs.by_low) if pairs.dice_used else 1
    return 1


cdef inline uint32_t partners(const Pairs *pairs, int source) noexcept nogil:
    """The sources of the smaller die that make a pair with this one of the larger, those that equal a run left out."""
    cdef uint32_t found = pairs.by_low & ~bit(source + pairs.high)
    if pairs.not_both >> source & 1:
        found &= ~bit(source)
    if source >= pairs.low:
        found &= ~bit(source - pairs.low)
    return found


cdef inline uint32_t other_runs(const Pairs *pairs) noexcept nogil:
    """The runs by the smaller die first that the larger first does not equal."""
    return pairs.run_low & (~pairs.run_high | pairs.run_twice)


cdef inline int pick(uint32_t slots, int index) noexcept nogil:
    """The slot that `index` others of the set lie below."""
    for _ in range(index):
        slots &= slots - 1
    return lowest(slots)


cdef inline void two_steps(Play *play, int source, int die, int source2, int die2) noexcept nogil:
    play.steps = 2
    play.source[0] = source
    play.die[0] = die
    play.source[1] = source2
    play.die[1] = die2


cdef inline void one_step(Play *play, int source, int die) noexcept nogil:
    play.steps = 1
    play.source[0] = source
    play.die[0] = die


cdef inline void run(const Pairs *pairs, int source, int first, Play *play) noexcept nogil:
    two_steps(play, source, first, source + first, pairs.high + pairs.low - first)


cdef void pick_pair(const Pairs *pairs, int index, Play *play) noexcept nogil:
    """The play that `index` (0 to count - 1) others precede, in an order of our own."""
    cdef uint32_t high_sources = pairs.by_high, found
    cdef int source
    if pairs.dice_used == 0:
        play.steps = 0
        return
    if pairs.dice_used == 1:
        found = pairs.by_high if pairs.by_high else pairs.by_low
        one_step(play, pick(found, index), pairs.high if pairs.by_high else pairs.low)
        return
    while high_sources:
        source = lowest(high_sources)
        found = partners(pairs, source)
        if index < size(found):
            two_steps(play, source, pairs.high, pick(found, index), pairs.low)
            return
        index -= size(found)
        high_sources &= high_sources - 1
    if index < size(pairs.run_high):
        run(pairs, pick(pairs.run_high, index), pairs.high, play)
    else:
        run(pairs, pick(other_runs(pairs), index - size(pairs.run_high)), pairs.low, play)


cdef int list_pairs(const Pairs *pairs, Play *plays) noexcept nogil:
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
            two_steps(&plays[n], source, pairs.high, lowest(found), pairs.low)
            found &= found - 1
            n += 1
    n = list_runs(pairs, pairs.run_high, pairs.high, plays, n)
    return list_runs(pairs, other_runs(pairs), pairs.low, plays, n)


cdef void write_pairs(const Pairs *pairs, const Board *board, int contrary, Board *after) noexcept nogil:
    """Write the board after each play, in the order of `list_pairs`; what pairs share is moved once."""
    cdef uint32_t high_sources = pairs.by_high, found
    cdef Board halfway
    cdef Play play
    cdef int source, i, n = 0
    if pairs.dice_used == 2:
        while high_sources:
            source = lowest(high_sources)
            high_sources &= high_sources - 1
            halfway = board[0]
            move_checker(&halfway, contrary, source, pairs.high)
            found = partners(pairs, source)
            while found:
                after[n] = halfway
                move_checker(&after[n], contrary, lowest(found), pairs.low)
                found &= found - 1
                n += 1
    for n in range(n, pairs.count):
        memset(&play, 0, sizeof(Play))
        pick_pair(pairs, n, &play)
        after[n] = board[0]
        for i in range(pairs.dice_used):
            move_checker(&after[n], contrary, play.source[i], play.die[i])


cdef inline int list_runs(const Pairs *pairs, uint32_t runs, int first, Play *plays, int n) noexcept nogil:
    while runs:
        run(pairs, lowest(runs), first, &plays[n])
        runs &= runs - 1
        n += 1
    return n


# The search: each order of the dice, each source of the first, each source of the second after it.

cdef struct Seen:
    uint32_t pairs[26]      # pairs[x] bit y: the larger die from x and the smaller from y
    uint32_t runs[3]        # one checker over both: hitting none on the way, one by the larger die, one by the smaller


cdef int search_mixed(const Turn *turn, int high, int low, Play *plays) noexcept nogil:
    """Write one play for each distinct afterstate, and return their number: 0 where nothing can be played."""
    cdef Seen seen
    cdef State start
    cdef int n
    memset(&seen, 0, sizeof(Seen))
    begin(&start, turn)
    n = search_both(turn, &start, high, low, &seen, plays, 0)
    n = search_both(turn, &start, low, high, &seen, plays, n)
    if n == 0:
        n = search_one(turn, &start, high, plays)
    if n == 0:
        n = search_one(turn, &start, low, plays)
    return n


cdef int search_both(
    const Turn *turn, const State *start, int first, int second, Seen *seen, Play *plays, int n
) noexcept nogil:
    """Add to the n plays those that use both dice in this order and reach something new."""
    cdef State state
    cdef uint32_t firsts = sources(turn, start, first), seconds, own
    cdef int source, source2
    while firsts:
        source = lowest(firsts)
        firsts &= firsts - 1
        state = start[0]
        step(&state, source, first)
        if turn.walls and not turn.rules.block_at_end and walled(state.own, turn.walls):
            continue
        seconds = sources(turn, &state, second)
        while seconds:
            source2 = lowest(seconds)
            seconds &= seconds - 1
            if turn.walls:
                own = state.own & ~bit(source2) if state.row[source2] == 1 else state.own
                if walled(own | bit(landing(source2, second)), turn.walls):
                    continue
            if is_new(turn, source, first, source2, second, seen):
                two_steps(&plays[n], source, first, source2, second)
                n += 1
    return n


cdef int is_new(const Turn *turn, int source, int first, int source2, int second, Seen *seen) noexcept nogil:
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


cdef int search_one(const Turn *turn, const State *start, int die, Play *plays) noexcept nogil:
    """Write the plays of one die, and return their number."""
    cdef State state
    cdef uint32_t found = sources(turn, start, die)
    cdef int n = 0
    while found:
        state = start[0]
        step(&state, lowest(found), die)
        if not (turn.walls and walled(state.own, turn.walls)):
            one_step(&plays[n], lowest(found), die)
            n += 1
        found &= found - 1
    return n
