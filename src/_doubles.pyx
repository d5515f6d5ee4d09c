"""Doubles: up to four steps of one die.

With one die each slot leads to one other, so an afterstate tells how many steps left each slot: plays differ exactly when the
sources of their steps do, as bags. Taking the sources from the rear forward names each bag once, and in that order a bag is legal
if it is in any, as long as only the opponent's points, the head, bar and home matter. Where a block, the runner or a stack limit
is at stake, each bag is asked whether some order of it is legal.
"""

from libc.stdint cimport int8_t, uint32_t

from nardy_fast._bits cimport at_least, bit, lowest, size
from nardy_fast._track cimport (
    BAR, HEAD, MAX_STEPS, NO_LIMIT, OUTSIDE, POINTS, Board, Play, Side, Turn,
    borne_off, full_of, move_checker, rotated, side_of, sixes, sources, stepped, walled,
)


cdef struct Gather:
    Bags *bags
    uint32_t into           # slots from which a step ends on a point that is open
    uint32_t first          # slots that must be emptied before others give: the bar, or none
    int may_bear_off
    int exact
    int chosen[4]           # the sources so far, from the rear forward
    int deepest             # the most steps that any bag has so far


cdef void most_bags(const Turn *turn, int die, Bags *bags) noexcept nogil:
    """All bags of as many steps as can be made."""
    gather_bags(turn, die, MAX_STEPS, bags)
    if not bags.count and bags.steps:
        gather_bags(turn, die, bags.steps, bags)


cdef void gather_bags(const Turn *turn, int die, int steps, Bags *bags) noexcept nogil:
    """All bags of so many steps. Where there are none, `bags.steps` becomes the number that can be made."""
    cdef Gather gather
    cdef const int8_t *row = turn.board.row[0]
    cdef uint32_t three = at_least(row, 3), four = at_least(row, 4), two = turn.own & ~turn.single
    gather.bags = bags
    gather.into = turn.open >> die
    gather.first = bit(BAR) if turn.rules.bar_first else 0
    # A checker that the head may not give keeps the others from being borne off.
    gather.may_bear_off = turn.may_bear_off and row[HEAD] <= turn.head_limit
    gather.exact = turn.rules.exact
    gather.chosen[:] = [0, 0, 0, 0]
    gather.deepest = 0
    if turn.head_limit < MAX_STEPS:
        # The head gives one or two: it is as if it held no more.
        three &= ~bit(HEAD)
        four &= ~bit(HEAD)
        if turn.head_limit == 1:
            two &= ~bit(HEAD)
    bags.die = die
    bags.steps = steps
    bags.count = 0
    bags.stems = 0
    grow(&gather, 0, 0xFFFFFFFF, turn.own, two, three, four)
    if not bags.count:
        bags.steps = gather.deepest


cdef void grow(
    Gather *gather, int steps, uint32_t ahead, uint32_t one, uint32_t two, uint32_t three, uint32_t four
) noexcept nogil:
    """Complete the bag of `steps` sources by slots `ahead` of the last of them.

    The mover's side is told by the slots that hold at least one, two, three and four checkers; more than four steps do not ask.
    """
    cdef Bags *bags = gather.bags
    cdef Stem *stem
    cdef uint32_t found = one & gather.into, here, there, stay
    if not one & OUTSIDE and gather.may_bear_off:
        found |= borne_off(one, bags.die, gather.exact)
    if one & gather.first:
        found &= gather.first
    found &= ahead
    if not found:
        return
    if gather.deepest <= steps:
        gather.deepest = steps + 1
    if steps + 1 == bags.steps:
        stem = &bags.stem[bags.stems]
        bags.stems += 1
        stem.lasts = found
        stem.before = bags.count
        stem.source[0] = gather.chosen[0]
        stem.source[1] = gather.chosen[1]
        stem.source[2] = gather.chosen[2]
        bags.count += size(found)
        return
    while found:
        gather.chosen[steps] = lowest(found)
        here = bit(gather.chosen[steps])
        found &= found - 1
        there = here << bags.die & POINTS
        stay = ~here
        # One checker less here, one more there.
        grow(
            gather, steps + 1, 0 - here,
            one & (two | stay) | there,
            two & (three | stay) | one & there,
            three & (four | stay) | two & there,
            four & stay | three & there,
        )


cdef inline void put_bag(const Bags *bags, const Stem *stem, int last, Play *play) noexcept nogil:
    cdef int i
    play.steps = bags.steps
    for i in range(MAX_STEPS):
        play.die[i] = bags.die
    for i in range(MAX_STEPS - 1):
        play.source[i] = stem.source[i]
    play.source[bags.steps - 1] = last


cdef void pick_bag(const Bags *bags, int index, Play *play) noexcept nogil:
    """The play number `index`, 0 to count - 1."""
    cdef int number = 0
    cdef const Stem *stem
    cdef uint32_t lasts
    while number + 1 < bags.stems and bags.stem[number + 1].before <= index:
        number += 1
    stem = &bags.stem[number]
    lasts = stem.lasts
    for _ in range(index - stem.before):
        lasts &= lasts - 1
    put_bag(bags, stem, lowest(lasts), play)


cdef int list_bags(const Bags *bags, Play *plays) noexcept nogil:
    """Write every play, and return their number."""
    cdef int number, n = 0
    cdef uint32_t lasts
    for number in range(bags.stems):
        lasts = bags.stem[number].lasts
        while lasts:
            put_bag(bags, &bags.stem[number], lowest(lasts), &plays[n])
            lasts &= lasts - 1
            n += 1
    return n


cdef void write_bags(const Bags *bags, const Board *board, int contrary, Board *after) noexcept nogil:
    """Write the board after each play, in the order of `list_bags`; what a stem's bags share is moved once."""
    cdef const Stem *stem
    cdef Board nearly
    cdef int number, i, n = 0
    cdef uint32_t lasts
    for number in range(bags.stems):
        stem = &bags.stem[number]
        nearly = board[0]
        for i in range(bags.steps - 1):
            move_checker(&nearly, contrary, stem.source[i], bags.die)
        lasts = stem.lasts
        while lasts:
            after[n] = nearly
            move_checker(&after[n], contrary, lowest(lasts), bags.die)
            lasts &= lasts - 1
            n += 1


# Where the order of the steps matters.

cdef int orders_matter(const Turn *turn, int die) noexcept nogil:
    """Whether a block, the runner or a stack limit may be at stake."""
    cdef uint32_t reach = turn.own
    if turn.runner or turn.rules.stack_limit != NO_LIMIT:
        return 1
    if not turn.walls:
        return 0
    for _ in range(MAX_STEPS):
        reach |= reach << die & turn.open
    return (sixes(rotated(reach)) & turn.walls) != 0


cdef int search_double(const Turn *turn, int die, Bags *bags, Play *plays) noexcept nogil:
    """Write one play, in a legal order, for each distinct afterstate, and return their number: 0 where nothing can be played.

    The greatest total is that of as many steps as possible, so fewer are tried only where no bag of more has a legal order.
    """
    cdef Side side = side_of(turn)
    cdef int steps, number, n = 0
    cdef uint32_t lasts
    for steps in range(MAX_STEPS, 0, -1):
        gather_bags(turn, die, steps, bags)
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


cdef int put_in_order(const Turn *turn, int die, Side side, int from_head, int done, Play *play) noexcept nogil:
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
