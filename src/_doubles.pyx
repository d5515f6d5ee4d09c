"""Doubles: up to four steps of one die.

With one die each slot leads to one other, so an afterstate tells how many steps left each slot: plays differ exactly when the
sources of their steps do, as bags. Taking the sources from the rear forward names each bag once, and in that order a bag is legal
if it is in any, as long as only the opponent's points, the head, bar and home matter. Where a block, the runner or a stack limit
is at stake, each bag is asked whether some order of it is legal.
"""

from libc.stdint cimport uint32_t

from nardy_fast._bits cimport bit, lowest
from nardy_fast._track cimport (
    HEAD, MAX_STEPS, NO_LIMIT, OFF, Play, State, Turn, begin, free_sources, landing, rotated, sixes, sources, step, walled,
)


cdef struct Search:
    const Turn *turn
    State start             # the mover's side before the first step
    State state             # and after those in `chosen`
    int die
    int wanted              # how many steps the plays are to have
    int deepest             # how many steps any rearward order has reached
    int orders_matter
    int chosen[4]           # the sources so far, from the rear forward
    Play *plays
    int count


cdef int search_double(const Turn *turn, int die, Play *plays) noexcept nogil:
    """Write one play for each distinct afterstate, and return their number: 0 where nothing can be played."""
    cdef Search search
    begin(&search.start, turn)
    search.state = search.start
    search.turn = turn
    search.die = die
    search.wanted = MAX_STEPS
    search.deepest = 0
    search.plays = plays
    search.count = 0
    search.orders_matter = turn.runner or turn.rules.stack_limit != NO_LIMIT or block_at_stake(turn, die)
    choose_rest(&search, 0, 0)
    while not search.count and search.wanted > 1 and search.deepest:
        # The greatest total: as many steps as possible, so one fewer only where there is no other way.
        search.wanted = search.wanted - 1 if search.orders_matter else search.deepest
        choose_rest(&search, 0, 0)
    return search.count


cdef int block_at_stake(const Turn *turn, int die) noexcept nogil:
    """Whether four steps from any sources could complete a block."""
    cdef uint32_t reach = turn.own
    if not turn.walls:
        return 0
    for _ in range(MAX_STEPS):
        reach |= reach << die & turn.open
    return (sixes(rotated(reach)) & turn.walls) != 0


cdef void choose_rest(Search *search, int steps, int rear) noexcept nogil:
    """Complete the bag of `steps` sources, none of the rest lying behind `rear`, in every way."""
    cdef uint32_t found = free_sources(search.turn, search.state.own, search.die) & (0 - bit(rear))
    cdef int source, target
    if search.state.from_head >= search.turn.head_limit:
        found &= ~bit(HEAD)
    if not found:
        return
    if search.deepest <= steps:
        search.deepest = steps + 1
    while found:
        source = lowest(found)
        found &= found - 1
        search.chosen[steps] = source
        if steps + 1 == search.wanted:
            write(search)
            continue
        step(&search.state, source, search.die)
        choose_rest(search, steps + 1, source)
        target = landing(source, search.die)
        search.state.row[target] -= 1
        if target != OFF and not search.state.row[target]:
            search.state.own &= ~bit(target)
        search.state.row[source] += 1
        search.state.own |= bit(source)
        search.state.from_head -= source == HEAD


cdef inline void write(Search *search) noexcept nogil:
    """Add the chosen bag to the plays, in a legal order if it has one."""
    cdef Play *play = &search.plays[search.count]
    cdef int i
    play.steps = search.wanted
    for i in range(search.wanted):
        play.source[i] = search.chosen[i]
        play.die[i] = search.die
    if not search.orders_matter or put_in_order(search, &search.start, 0, play):
        search.count += 1


cdef int put_in_order(const Search *search, const State *before, int done, Play *play) noexcept nogil:
    """Rearrange the sources of the play from `done` on into a legal order, and return 1; 0 where there is none."""
    cdef const Turn *turn = search.turn
    cdef State state
    cdef uint32_t allowed, tried = 0
    cdef int i, source
    if done == play.steps:
        return not walled(before.own, turn.walls)
    if done and not turn.rules.block_at_end and walled(before.own, turn.walls):
        return 0
    allowed = sources(turn, before, search.die)
    for i in range(done, play.steps):
        source = play.source[i]
        if tried >> source & 1 or not allowed >> source & 1:
            continue
        tried |= bit(source)
        state = before[0]
        step(&state, source, search.die)
        play.source[i] = play.source[done]
        play.source[done] = source
        if put_in_order(search, &state, done + 1, play):
            return 1
        play.source[done] = play.source[i]
        play.source[i] = source
    return 0
