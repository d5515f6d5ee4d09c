"""Doubles: up to four steps of one die.

With one die each slot leads to one other, so an afterstate tells how many steps left each slot: plays differ exactly when the
sources of their steps do, as multisets. Taking the sources from the rear forward names each multiset once, and in that order it
is legal if it is in any, as long as only the opponent's points, the head, bar and home matter. Where a block, the runner or a
stack limit is at stake, each multiset is asked whether some order of it is legal.

Inline only; compiled into each module that uses it.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from nardy_fast.core._bits cimport at_least, bit, lowest, nth, size
from nardy_fast.core._boards cimport Prefix, write_prefixes
from nardy_fast.core._track cimport (
    BAR, FOUR, HEAD, LAST, NO_LIMIT, OFF, OUTSIDE, POINTS, Board, Play, Side, Turn, bear_off_source, bears_off, full_of,
    level_after, makes_block, passing, rotated, side_of, sixes, sources, starts, stepped,
)


cdef enum:
    MAX_PREFIXES = 680         # of sources: fifteen checkers share three steps in at most C(15 + 3 - 1, 3) ways

cdef struct Sources:         # the mover's side as the multisets see it
    uint32_t one            # slots that hold at least one checker,
    uint32_t two
    uint32_t three
    uint32_t four           # at least four: more steps than that do not ask
    uint32_t into           # slots from which a step ends on a point that is open
    uint32_t first          # slots that must be emptied before others give: the bar, or none
    int may_bear_off
    int exact

cdef struct ChainSlot:           # a slot that may give checkers, in the chain of slots a die apart
    uint64_t ways[5]        # ways[n]: with n steps from here, by the steps up to here; see below
    int8_t source           # the slot
    int8_t available        # checkers that stand there: up to 4

cdef struct Multisets:           # the plays of a double in which the order of the steps does not matter
    int die
    int steps               # of each play: 1..4
    int count               # distinct afterstates: 0 where nothing can be played
    int prefixes               # 0: only counted so far
    uint32_t blots          # slots where a landing hits
    int entered             # counted: steps from the bar, before the chain_slots
    int chain_slots
    Sources giving
    ChainSlot chain_slot[24]
    Prefix prefix[681]          # MAX_PREFIXES and one


cdef inline void generate_multisets(const Turn *turn, int die, int dice, bint to_list, Multisets *multisets) noexcept nogil:
    """All multisets of as many steps as so many dice allow, up to four; only counted, if they are not to be listed and can be."""
    find_sources(turn, die, multisets)
    multisets.prefixes = 0
    if not to_list and (not multisets.giving.may_bear_off or stay_outside(multisets.giving.one, die)):
        count_multisets(multisets, dice)
        return
    gather_multisets(multisets, dice)
    if not multisets.count and multisets.steps:
        gather_multisets(multisets, multisets.steps)


cdef inline int stay_outside(uint32_t one, int die) noexcept nogil:
    """Whether four steps cannot bring all checkers home and bear one off: one needs four for itself, or four need one each."""
    return one << 3 * die & OUTSIDE or size(one & OUTSIDE) >= FOUR


cdef inline void find_sources(const Turn *turn, int die, Multisets *multisets) noexcept nogil:
    """What gathering and counting need to know of the turn."""
    cdef Sources *giving = &multisets.giving
    cdef const int8_t *row = turn.board.row[0]
    multisets.die = die
    multisets.blots = turn.blots
    giving.one = turn.own
    giving.two = turn.own & ~turn.single
    giving.three = at_least(row, 3)
    giving.four = at_least(row, 4)
    if turn.head_limit < FOUR:
        # The head gives one or two: it is as if it held no more.
        giving.three &= ~bit(HEAD)
        giving.four &= ~bit(HEAD)
        if turn.head_limit < 2:
            giving.two &= ~bit(HEAD)
        if turn.head_limit < 1:
            giving.one &= ~bit(HEAD)
    giving.into = turn.open >> die & starts(turn)
    giving.first = bit(BAR) if turn.rules.bar_first else 0
    # A checker that the head may not give keeps the others from being borne off.
    giving.may_bear_off = turn.may_bear_off and bears_off(turn, die) and row[HEAD] <= turn.head_limit
    giving.exact = turn.rules.exact


cdef inline Sources given(Sources giving, uint32_t here, uint32_t there) noexcept nogil:
    """One checker less here, one more there."""
    cdef Sources after = giving
    after.one = level_after(there, giving.one, giving.two, here, there)
    after.two = level_after(giving.one, giving.two, giving.three, here, there)
    after.three = level_after(giving.two, giving.three, giving.four, here, there)
    after.four = level_after(giving.three, giving.four, 0, here, there)
    return after


# Counting. Slots a die apart make chains: a slot gives as many checkers as stand there and arrive from the slot before it. The
# ways to do so are found slot after slot, by the number of steps from this slot and by that from all so far: a polynomial whose
# coefficient k is the number of ways with k steps. One word holds five of them, of 12 bits, since 3060 is the most there are; a
# step more is a shift, and what is beyond four steps leaves the word, or lies above the five and is never looked at.

cdef enum:
    DIGIT = 12
    DIGITS = 0xFFF


cdef inline void count_multisets(Multisets *multisets, int dice) noexcept nogil:
    """Find the number of multisets of the most steps, and `multisets.chain_slot`, where no checker can be borne off."""
    cdef Sources giving = multisets.giving
    cdef uint32_t reach, heads
    cdef uint64_t total = 1
    cdef int slot, left = dice, die = multisets.die
    multisets.chain_slots = 0
    while giving.one & giving.first & giving.into and left:
        giving = given(giving, bit(BAR), bit(die))
        left -= 1
    multisets.entered = dice - left
    if not giving.one & giving.first:
        reach = giving.one
        for _ in range(left - 1):
            reach |= (reach & giving.into) << die
        reach &= giving.into
        heads = reach & ~(reach << die)
        while heads:
            slot = lowest(heads)
            heads &= heads - 1
            total = follow_chain(multisets, &giving, reach, slot, total)
        while left and not total >> DIGIT * left & DIGITS:
            left -= 1
    else:
        left = 0
    multisets.steps = multisets.entered + left
    multisets.count = total >> DIGIT * left & DIGITS if multisets.steps else 0


cdef inline uint64_t follow_chain(
    Multisets *multisets, const Sources *giving, uint32_t reach, int slot, uint64_t total
) noexcept nogil:
    """Add the slots of `reach` from `slot` on to the chain_slots; `total`: the ways so far, by steps."""
    cdef ChainSlot *chain_slot
    cdef uint64_t arriving[9]       # arriving[4 + n]: ways in which n checkers or more arrive
    cdef int n, available
    for n in range(9):
        arriving[n] = total if n <= 4 else 0
    while slot <= LAST and reach >> slot & 1:
        chain_slot = &multisets.chain_slot[multisets.chain_slots]
        multisets.chain_slots += 1
        available = (
            (giving.one >> slot & 1) + (giving.two >> slot & 1) + (giving.three >> slot & 1) + (giving.four >> slot & 1)
        )
        chain_slot.source = slot
        chain_slot.available = available
        for n in range(FOUR + 1):
            chain_slot.ways[n] = arriving[4 + n - available] << DIGIT * n
        total = 0
        for n in range(FOUR, -1, -1):
            total += chain_slot.ways[n]
            arriving[4 + n] = total
        for n in range(4):
            arriving[n] = total
        slot += multisets.die
    return total


cdef inline void pick_by_chain(const Multisets *multisets, int index, Play *play) noexcept nogil:
    """The multiset number `index`, walking back through the chain_slots."""
    cdef const ChainSlot *chain_slot = &multisets.chain_slot[multisets.chain_slots]
    cdef int left = multisets.steps - multisets.entered, n = 0, ways, at = multisets.steps
    while left:
        chain_slot -= 1
        ways = chain_slot.ways[n] >> DIGIT * left & DIGITS
        while index >= ways:
            index -= ways
            n += 1
            ways = chain_slot.ways[n] >> DIGIT * left & DIGITS
        left -= n
        for _ in range(n):
            at -= 1
            play.source[at] = chain_slot.source
        n = max(0, n - chain_slot.available)      # these must have arrived


# Listing.

cdef inline void gather_multisets(Multisets *multisets, int steps) noexcept nogil:
    """All multisets of so many steps. Where there are none, `multisets.steps` becomes the number that can be made."""
    cdef Sources giving[3]       # before each step but the last
    cdef uint32_t found[3]      # its sources still to be tried
    cdef uint8_t chosen[3]
    cdef uint32_t here, there, ahead
    cdef int level = 0, deepest, die = multisets.die
    giving[0] = multisets.giving
    found[0] = ready(multisets, giving[0].one)
    deepest = found[0] != 0
    chosen[0] = chosen[1] = chosen[2] = OFF
    multisets.steps = steps
    multisets.count = 0
    multisets.prefixes = 0
    if steps == 1:
        add_prefix(multisets, chosen, found[0])
        return
    while True:
        if not found[level]:
            if not level:
                break
            level -= 1
            continue
        here = found[level] & (0 - found[level])
        found[level] ^= here
        there = here << die & POINTS
        # One checker less here, one more there; where the step is the last but one, no more need be known.
        ahead = ready(multisets, giving[level].one & (giving[level].two | ~here) | there) & (0 - here)
        if not ahead:
            continue
        deepest = max(deepest, level + 2)
        chosen[level] = lowest(here)
        if level + 2 == steps:
            add_prefix(multisets, chosen, ahead)
        else:
            giving[level + 1] = given(giving[level], here, there)
            level += 1
            found[level] = ahead
    if not multisets.count:
        multisets.steps = deepest


cdef inline void add_prefix(Multisets *multisets, const uint8_t *chosen, uint32_t lasts) noexcept nogil:
    """Add the multisets of the sources chosen and one of `lasts`."""
    cdef Prefix *prefix = &multisets.prefix[multisets.prefixes]
    if not lasts:
        return
    multisets.prefixes += 1
    prefix.lasts = lasts
    prefix.before = multisets.count
    prefix.source[0] = chosen[0]
    prefix.source[1] = chosen[1]
    prefix.source[2] = chosen[2]
    multisets.count += size(lasts)


cdef inline uint32_t ready(const Multisets *multisets, uint32_t one) noexcept nogil:
    """The slots that may give a checker, where these hold one."""
    cdef uint32_t found = one & multisets.giving.into
    if not one & OUTSIDE and multisets.giving.may_bear_off:
        found |= bear_off_source(one, multisets.die, multisets.giving.exact)
    if one & multisets.giving.first:
        found &= multisets.giving.first
    return found


cdef inline void unfold(Multisets *multisets) noexcept nogil:
    """Have the prefixes, if the multisets were only counted."""
    if multisets.count and not multisets.prefixes:
        gather_multisets(multisets, multisets.steps)


cdef inline void put_multiset(const Multisets *multisets, const Prefix *prefix, int last, Play *play) noexcept nogil:
    cdef int i
    play.steps = multisets.steps
    play.sends = 0
    for i in range(FOUR):
        play.die[i] = multisets.die
    for i in range(FOUR - 1):
        play.source[i] = prefix.source[i]
    play.source[multisets.steps - 1] = last


cdef inline void pick_multiset(const Multisets *multisets, int index, Play *play) noexcept nogil:
    """The play number `index`, 0 to count - 1: in the order of `list_multisets` once there are prefixes, before in another."""
    cdef int number = 0, i
    cdef const Prefix *prefix
    if not multisets.prefixes:
        play.steps = multisets.steps
        play.sends = 0
        for i in range(FOUR):
            play.die[i] = multisets.die
            play.source[i] = BAR
        pick_by_chain(multisets, index, play)
        return
    while number + 1 < multisets.prefixes and multisets.prefix[number + 1].before <= index:
        number += 1
    prefix = &multisets.prefix[number]
    put_multiset(multisets, prefix, nth(prefix.lasts, index - prefix.before), play)


cdef inline int list_multisets(Multisets *multisets, Play *plays) noexcept nogil:
    """Write every play, and return their number."""
    cdef int number, n = 0
    cdef uint32_t lasts
    unfold(multisets)
    for number in range(multisets.prefixes):
        lasts = multisets.prefix[number].lasts
        while lasts:
            put_multiset(multisets, &multisets.prefix[number], lowest(lasts), &plays[n])
            lasts &= lasts - 1
            n += 1
    return n


cdef inline void write_multisets(Multisets *multisets, const Board *board, Board *after) noexcept nogil:
    """Write the board after each play, in the order of `list_multisets`."""
    unfold(multisets)
    write_prefixes(board, multisets.blots, multisets.prefix, FOUR - 1, multisets.die, multisets.die, multisets.count, after)


# Where the order of the steps matters.

cdef inline int orders_matter(const Turn *turn, int die, int dice) noexcept nogil:
    """Whether a block, the runner or a stack limit may be at stake."""
    cdef uint32_t reach = turn.own
    if turn.runner or turn.rules.stack_limit != NO_LIMIT:
        return 1
    if not turn.forbidden_blocks:
        return 0
    for _ in range(dice):
        reach |= reach << die & turn.open
    return (sixes(rotated(reach)) & turn.forbidden_blocks) != 0


cdef inline int search_double(const Turn *turn, int die, int dice, Multisets *multisets, Play *plays) noexcept nogil:
    """Write one play, in a legal order, for each distinct afterstate, and return their number: 0 where nothing can be played.

    The greatest total is that of as many steps as possible, so fewer are tried only where no multiset of more has a legal order.
    """
    cdef Side side = side_of(turn)
    cdef int steps, number, n = 0
    cdef uint32_t lasts
    find_sources(turn, die, multisets)
    for steps in range(dice, 0, -1):
        gather_multisets(multisets, steps)
        for number in range(multisets.prefixes):
            lasts = multisets.prefix[number].lasts
            while lasts:
                put_multiset(multisets, &multisets.prefix[number], lowest(lasts), &plays[n])
                lasts &= lasts - 1
                if not ends_in_block(turn, die, side, &plays[n]):
                    n += put_in_order(turn, die, side, 0, 0, &plays[n])
        if n:
            return n
    return 0


cdef inline int ends_in_block(const Turn *turn, int die, Side side, const Play *play) noexcept nogil:
    """Whether the afterstate has an illegal block, so that no order will do."""
    cdef int i
    if not turn.forbidden_blocks:
        return 0
    for i in range(play.steps):
        side = stepped(side, play.source[i], die)
    return makes_block(side.one, turn.forbidden_blocks)


cdef inline int put_in_order(const Turn *turn, int die, Side side, int from_head, int done, Play *play) noexcept nogil:
    """Rearrange the sources of the play from `done` on into a legal order, and return 1; 0 where there is none."""
    cdef uint32_t allowed, tried = 0
    cdef int i, source
    if done == play.steps or done == FOUR:
        return 1
    if done and passing(turn) and makes_block(side.one, passing(turn)):
        return 0
    allowed = sources(turn, side.one, full_of(turn, side), from_head, die)
    for i in range(done, play.steps):
        source = play.source[i]
        if tried >> source & 1 or not allowed >> source & 1:
            continue
        tried |= bit(source)
        play.source[i] = play.source[done]
        play.source[done] = source
        if put_in_order(turn, die, stepped(side, source, die), from_head + (source == HEAD), done + 1, play):
            return 1
        play.source[done] = play.source[i]
        play.source[i] = source
    return 0
