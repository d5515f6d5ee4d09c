"""Doubles: up to four steps of one die.

With one die each slot leads to one other, so an afterstate tells how many steps left each slot: plays differ exactly when the
sources of their steps do, as bags. Taking the sources from the rear forward names each bag once, and in that order a bag is legal
if it is in any, as long as only the opponent's points, the head, bar and home matter. Where a block, the runner or a stack limit
is at stake, each bag is asked whether some order of it is legal.

Inline only; compiled into each module that uses it.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from nardy_fast.core._bits cimport at_least, bit, lowest, size
from nardy_fast.core._boards cimport Stem, write_stems
from nardy_fast.core._track cimport (
    BAR, HEAD, LAST, MAX_STEPS, NO_LIMIT, OFF, OUTSIDE, POINTS, Board, Play, Side, Turn,
    borne_off, full_of, level_after, rotated, side_of, sixes, sources, stepped, walled,
)


cdef enum:
    MAX_STEMS = 680         # of sources: fifteen checkers share three steps in at most C(15 + 3 - 1, 3) ways

cdef struct Givers:         # the mover's side as the bags see it
    uint32_t one            # slots that hold at least one checker,
    uint32_t two
    uint32_t three
    uint32_t four           # at least four: more steps than that do not ask
    uint32_t into           # slots from which a step ends on a point that is open
    uint32_t first          # slots that must be emptied before others give: the bar, or none
    int may_bear_off
    int exact

cdef struct Link:           # a slot that may give checkers, in the chain of slots a die apart
    uint64_t ways[5]        # ways[n]: with n steps from here, by the steps up to here; see below
    int8_t source           # the slot
    int8_t available        # checkers that stand there: up to 4

cdef struct Bags:           # the plays of a double in which the order of the steps does not matter
    int die
    int steps               # of each play: 1..4
    int count               # distinct afterstates: 0 where nothing can be played
    int stems               # 0: only counted so far
    uint32_t blots          # slots where a landing hits
    int entered             # counted: steps from the bar, before the links
    int links
    Givers givers
    Link link[24]
    Stem stem[681]          # MAX_STEMS and one


cdef inline void most_bags(const Turn *turn, int die, bint to_list, Bags *bags) noexcept nogil:
    """All bags of as many steps as can be made; only counted, if that can be done and they are not to be listed."""
    find_givers(turn, die, bags)
    bags.stems = 0
    if not to_list and (not bags.givers.may_bear_off or stay_outside(bags.givers.one, die)):
        count_bags(bags)
        return
    gather_bags(bags, MAX_STEPS)
    if not bags.count and bags.steps:
        gather_bags(bags, bags.steps)


cdef inline int stay_outside(uint32_t one, int die) noexcept nogil:
    """Whether four steps cannot bring all checkers home and bear one off: one needs four for itself, or four need one each."""
    return one << 3 * die & OUTSIDE or size(one & OUTSIDE) >= MAX_STEPS


cdef inline void find_givers(const Turn *turn, int die, Bags *bags) noexcept nogil:
    """What gathering and counting need to know of the turn."""
    cdef Givers *givers = &bags.givers
    cdef const int8_t *row = turn.board.row[0]
    bags.die = die
    bags.blots = turn.blots
    givers.one = turn.own
    givers.two = turn.own & ~turn.single
    givers.three = at_least(row, 3)
    givers.four = at_least(row, 4)
    if turn.head_limit < MAX_STEPS:
        # The head gives one or two: it is as if it held no more.
        givers.three &= ~bit(HEAD)
        givers.four &= ~bit(HEAD)
        if turn.head_limit == 1:
            givers.two &= ~bit(HEAD)
    givers.into = turn.open >> die
    givers.first = bit(BAR) if turn.rules.bar_first else 0
    # A checker that the head may not give keeps the others from being borne off.
    givers.may_bear_off = turn.may_bear_off and row[HEAD] <= turn.head_limit
    givers.exact = turn.rules.exact


cdef inline Givers given(Givers givers, uint32_t here, uint32_t there) noexcept nogil:
    """One checker less here, one more there."""
    cdef Givers after = givers
    after.one = level_after(there, givers.one, givers.two, here, there)
    after.two = level_after(givers.one, givers.two, givers.three, here, there)
    after.three = level_after(givers.two, givers.three, givers.four, here, there)
    after.four = level_after(givers.three, givers.four, 0, here, there)
    return after


# Counting. Slots a die apart make chains: a slot gives as many checkers as stand there and arrive from the slot before it. The
# ways to do so are found slot after slot, by the number of steps from this slot and by that from all so far: a polynomial whose
# coefficient k is the number of ways with k steps. One word holds five of them, of 12 bits, since 3060 is the most there are; a
# step more is a shift, and what is beyond four steps leaves the word, or lies above the five and is never looked at.

cdef enum:
    DIGIT = 12
    DIGITS = 0xFFF


cdef inline void count_bags(Bags *bags) noexcept nogil:
    """Find the number of bags of the most steps, and `bags.link`, where no checker can be borne off."""
    cdef Givers givers = bags.givers
    cdef uint32_t reach, starts
    cdef uint64_t total = 1
    cdef int slot, left = MAX_STEPS, die = bags.die
    bags.links = 0
    while givers.one & givers.first & givers.into and left:
        givers = given(givers, bit(BAR), bit(die))
        left -= 1
    bags.entered = MAX_STEPS - left
    if not givers.one & givers.first:
        reach = givers.one
        for _ in range(left - 1):
            reach |= (reach & givers.into) << die
        reach &= givers.into
        starts = reach & ~(reach << die)
        while starts:
            slot = lowest(starts)
            starts &= starts - 1
            total = follow_chain(bags, &givers, reach, slot, total)
        while left and not total >> DIGIT * left & DIGITS:
            left -= 1
    else:
        left = 0
    bags.steps = bags.entered + left
    bags.count = total >> DIGIT * left & DIGITS if bags.steps else 0


cdef inline uint64_t follow_chain(
    Bags *bags, const Givers *givers, uint32_t reach, int slot, uint64_t total
) noexcept nogil:
    """Add the slots of `reach` from `slot` on to the links; `total`: the ways so far, by steps."""
    cdef Link *link
    cdef uint64_t arriving[9]       # arriving[4 + n]: ways in which n checkers or more arrive
    cdef int n, available
    for n in range(9):
        arriving[n] = total if n <= 4 else 0
    while slot <= LAST and reach >> slot & 1:
        link = &bags.link[bags.links]
        bags.links += 1
        available = (
            (givers.one >> slot & 1) + (givers.two >> slot & 1) + (givers.three >> slot & 1) + (givers.four >> slot & 1)
        )
        link.source = slot
        link.available = available
        for n in range(MAX_STEPS + 1):
            link.ways[n] = arriving[4 + n - available] << DIGIT * n
        total = 0
        for n in range(MAX_STEPS, -1, -1):
            total += link.ways[n]
            arriving[4 + n] = total
        for n in range(4):
            arriving[n] = total
        slot += bags.die
    return total


cdef inline void pick_by_links(const Bags *bags, int index, Play *play) noexcept nogil:
    """The bag number `index`, walking back through the links."""
    cdef const Link *link = &bags.link[bags.links]
    cdef int left = bags.steps - bags.entered, n = 0, ways, at = bags.steps
    while left:
        link -= 1
        ways = link.ways[n] >> DIGIT * left & DIGITS
        while index >= ways:
            index -= ways
            n += 1
            ways = link.ways[n] >> DIGIT * left & DIGITS
        left -= n
        for _ in range(n):
            at -= 1
            play.source[at] = link.source
        n = max(0, n - link.available)      # these must have arrived


# Listing.

cdef inline void gather_bags(Bags *bags, int steps) noexcept nogil:
    """All bags of so many steps. Where there are none, `bags.steps` becomes the number that can be made."""
    cdef Givers givers[3]       # before each step but the last
    cdef uint32_t found[3]      # its sources still to be tried
    cdef uint8_t chosen[3]
    cdef uint32_t here, there, ahead
    cdef int level = 0, deepest, die = bags.die
    givers[0] = bags.givers
    found[0] = ready(bags, givers[0].one)
    deepest = found[0] != 0
    chosen[0] = chosen[1] = chosen[2] = OFF
    bags.steps = steps
    bags.count = 0
    bags.stems = 0
    if steps == 1:
        add_stem(bags, chosen, found[0])
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
        ahead = ready(bags, givers[level].one & (givers[level].two | ~here) | there) & (0 - here)
        if not ahead:
            continue
        deepest = max(deepest, level + 2)
        chosen[level] = lowest(here)
        if level + 2 == steps:
            add_stem(bags, chosen, ahead)
        else:
            givers[level + 1] = given(givers[level], here, there)
            level += 1
            found[level] = ahead
    if not bags.count:
        bags.steps = deepest


cdef inline void add_stem(Bags *bags, const uint8_t *chosen, uint32_t lasts) noexcept nogil:
    """Add the bags of the sources chosen and one of `lasts`."""
    cdef Stem *stem = &bags.stem[bags.stems]
    if not lasts:
        return
    bags.stems += 1
    stem.lasts = lasts
    stem.before = bags.count
    stem.source[0] = chosen[0]
    stem.source[1] = chosen[1]
    stem.source[2] = chosen[2]
    bags.count += size(lasts)


cdef inline uint32_t ready(const Bags *bags, uint32_t one) noexcept nogil:
    """The slots that may give a checker, where these hold one."""
    cdef uint32_t found = one & bags.givers.into
    if not one & OUTSIDE and bags.givers.may_bear_off:
        found |= borne_off(one, bags.die, bags.givers.exact)
    if one & bags.givers.first:
        found &= bags.givers.first
    return found


cdef inline void unfold(Bags *bags) noexcept nogil:
    """Have the stems, if the bags were only counted."""
    if bags.count and not bags.stems:
        gather_bags(bags, bags.steps)


cdef inline void put_bag(const Bags *bags, const Stem *stem, int last, Play *play) noexcept nogil:
    cdef int i
    play.steps = bags.steps
    for i in range(MAX_STEPS):
        play.die[i] = bags.die
    for i in range(MAX_STEPS - 1):
        play.source[i] = stem.source[i]
    play.source[bags.steps - 1] = last


cdef inline void pick_bag(const Bags *bags, int index, Play *play) noexcept nogil:
    """The play number `index`, 0 to count - 1: in the order of `list_bags` once there are stems, before in another."""
    cdef int number = 0, i
    cdef const Stem *stem
    cdef uint32_t lasts
    if not bags.stems:
        play.steps = bags.steps
        for i in range(MAX_STEPS):
            play.die[i] = bags.die
            play.source[i] = BAR
        pick_by_links(bags, index, play)
        return
    while number + 1 < bags.stems and bags.stem[number + 1].before <= index:
        number += 1
    stem = &bags.stem[number]
    lasts = stem.lasts
    for _ in range(index - stem.before):
        lasts &= lasts - 1
    put_bag(bags, stem, lowest(lasts), play)


cdef inline int list_bags(Bags *bags, Play *plays) noexcept nogil:
    """Write every play, and return their number."""
    cdef int number, n = 0
    cdef uint32_t lasts
    unfold(bags)
    for number in range(bags.stems):
        lasts = bags.stem[number].lasts
        while lasts:
            put_bag(bags, &bags.stem[number], lowest(lasts), &plays[n])
            lasts &= lasts - 1
            n += 1
    return n


cdef inline void write_bags(Bags *bags, const Board *board, Board *after) noexcept nogil:
    """Write the board after each play, in the order of `list_bags`."""
    unfold(bags)
    write_stems(board, bags.blots, bags.stem, MAX_STEPS - 1, bags.die, bags.die, bags.count, after)


# Where the order of the steps matters.

cdef inline int orders_matter(const Turn *turn, int die) noexcept nogil:
    """Whether a block, the runner or a stack limit may be at stake."""
    cdef uint32_t reach = turn.own
    if turn.runner or turn.rules.stack_limit != NO_LIMIT:
        return 1
    if not turn.walls:
        return 0
    for _ in range(MAX_STEPS):
        reach |= reach << die & turn.open
    return (sixes(rotated(reach)) & turn.walls) != 0


cdef inline int search_double(const Turn *turn, int die, Bags *bags, Play *plays) noexcept nogil:
    """Write one play, in a legal order, for each distinct afterstate, and return their number: 0 where nothing can be played.

    The greatest total is that of as many steps as possible, so fewer are tried only where no bag of more has a legal order.
    """
    cdef Side side = side_of(turn)
    cdef int steps, number, n = 0
    cdef uint32_t lasts
    find_givers(turn, die, bags)
    for steps in range(MAX_STEPS, 0, -1):
        gather_bags(bags, steps)
        for number in range(bags.stems):
            lasts = bags.stem[number].lasts
            while lasts:
                put_bag(bags, &bags.stem[number], lowest(lasts), &plays[n])
                lasts &= lasts - 1
                if not ends_walled(turn, die, side, &plays[n]):
                    n += put_in_order(turn, die, side, 0, 0, &plays[n])
        if n:
            return n
    return 0


cdef inline int ends_walled(const Turn *turn, int die, Side side, const Play *play) noexcept nogil:
    """Whether the afterstate has an illegal block, so that no order will do."""
    cdef int i
    if not turn.walls:
        return 0
    for i in range(play.steps):
        side = stepped(side, play.source[i], die)
    return walled(side.one, turn.walls)


cdef inline int put_in_order(const Turn *turn, int die, Side side, int from_head, int done, Play *play) noexcept nogil:
    """Rearrange the sources of the play from `done` on into a legal order, and return 1; 0 where there is none."""
    cdef uint32_t allowed, tried = 0
    cdef int i, source
    if done == play.steps or done == MAX_STEPS:
        return 1
    if done and not turn.rules.block_at_end and walled(side.one, turn.walls):
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
