"""Which steps go on with a legal play. Inline only."""

from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memset

from nardy_fast.core._bits cimport at_least, bit, lowest
from nardy_fast.core._core cimport PartialTurn, greatest_total, play_step, start_stage, start_turn, why_not
from nardy_fast.core._doubles cimport orders_matter
from nardy_fast.core._mixed cimport Pairs, pairs_suffice
from nardy_fast.core._track cimport (
    FEVGA_OPEN, HEAD, LAST, OFF, POINTS, Rules, Side, Turn, derive_turn, full_of, head_allowance, makes_block, passing, sources,
    side_of, stepped,
)
from nardy_fast.envs._table cimport ASKED, FREE_ORDER, PAIRED, SEARCHED, Table

cdef enum:
    NOT_OFF = 0x1FFFFFF     # slots 0..24


cdef inline void find_first_steps(Table *table, const Rules *rules) noexcept nogil:
    """What can be played before the first step, and how the rest of the turn is to be found."""
    cdef Turn turn
    cdef Pairs pairs
    cdef Side side
    cdef uint32_t fewer
    memset(table.legal, 0, sizeof(table.legal))
    table.sends = 0
    if rules.staged or rules.block_rule == FEVGA_OPEN:
        table.way = ASKED
        ask_all(table, rules)
        return
    derive_turn(&turn, &table.start, rules)
    turn.head_limit = head_allowance(&turn, table.high, table.low)
    if table.high == table.low:
        if not orders_matter(&turn, table.high, 4):
            # Each step that is possible stays so until it is made, whatever else is played: so all ways are equally long.
            table.way = FREE_ORDER
            table.legal[table.high] = sources(&turn, turn.own, 0, 0, table.high)
            return
    elif pairs_suffice(&turn, table.high, table.low, &pairs) and not pairs.entering:
        table.way = PAIRED
        if pairs.dice_used == 2:
            fewer = pairs.not_both & ~pairs.run_high if pairs.by_low & (pairs.by_low - 1) == 0 else 0
            table.legal[table.high] = pairs.by_high & ~(fewer & pairs.by_low) if pairs.by_low else pairs.run_high
            fewer = pairs.not_both & ~pairs.run_low if pairs.by_high & (pairs.by_high - 1) == 0 else 0
            table.legal[table.low] = pairs.by_low & ~(fewer & pairs.by_high) if pairs.by_high else pairs.run_low
        elif pairs.dice_used == 1:
            table.legal[table.high] = pairs.by_high
            table.legal[table.low] = 0 if pairs.by_high else pairs.by_low
        return
    table.way = SEARCHED
    side = side_of(&turn)
    table.total = most(&turn, side, 0, table.left, table.dice_left, True)
    search_steps(table, rules, &turn)


cdef inline void find_next_steps(Table *table, const Rules *rules) noexcept nogil:
    """What can be played after some step."""
    cdef Turn turn
    cdef int die
    memset(table.legal, 0, sizeof(table.legal))
    table.sends = 0
    if not table.dice_left:
        return
    if table.way == ASKED:
        ask_all(table, rules)
        return
    derive_turn(&turn, &table.start, rules)
    turn.head_limit = head_allowance(&turn, table.high, table.low)
    if table.way == SEARCHED:
        search_steps(table, rules, &turn)
        return
    die = table.left[0]
    table.legal[die] = sources(&turn, at_least(table.now.row[0], 1) & NOT_OFF, 0, table.from_head, die)


cdef inline int most(const Turn *turn, Side side, int from_head, const int8_t *left, int n, bint may_pass) noexcept nogil:
    """The greatest total of these dice that can still be played and end without an illegal block; -1 where nothing can."""
    cdef int8_t rest[4]
    cdef Side after
    cdef uint32_t found
    cdef int best = 0 if may_pass or not makes_block(side.one, turn.forbidden_blocks) else -1
    cdef int whole = 0, i, k, kept, die, source, more
    for i in range(n):
        whole += left[i]
    for i in range(n):
        die = left[i]
        if i and die == left[i - 1]:
            continue
        kept = 0
        for k in range(n):
            if k != i:
                rest[kept] = left[k]
                kept += 1
        found = sources(turn, side.one, full_of(turn, side), from_head, die)
        while found:
            source = lowest(found)
            found &= found - 1
            after = stepped(side, source, die)
            if passing(turn) and makes_block(after.one, passing(turn)):
                continue
            more = most(turn, after, from_head + (source == HEAD), rest, n - 1, False)
            if more >= 0 and die + more > best:
                best = die + more
                if best == whole:
                    return best
    return best


cdef inline void search_steps(Table *table, const Rules *rules, Turn *turn) noexcept nogil:
    """Try each step, and whether the greatest total can be played after it."""
    cdef int8_t rest[4]
    cdef Side side, after
    cdef uint32_t found
    cdef int i, k, kept, die, source, more
    turn.own = at_least(table.now.row[0], 1) & NOT_OFF
    side.one = turn.own
    side.two = at_least(table.now.row[0], 2)
    side.three = at_least(table.now.row[0], 3)
    side.four = at_least(table.now.row[0], 4)
    side.five = at_least(table.now.row[0], 5)
    for i in range(table.dice_left):
        die = table.left[i]
        if i and die == table.left[i - 1]:
            continue
        kept = 0
        for k in range(table.dice_left):
            if k != i:
                rest[kept] = table.left[k]
                kept += 1
        found = sources(turn, side.one, full_of(turn, side), table.from_head, die)
        while found:
            source = lowest(found)
            found &= found - 1
            after = stepped(side, source, die)
            if not after.one & NOT_OFF and table.used + die != table.total:
                # The last checker goes off with dice to spare: the core knows whether that may be.
                if asked(table, rules, source, die):
                    table.legal[die] |= bit(source)
                continue
            if passing(turn) and makes_block(after.one, passing(turn)):
                continue
            more = most(turn, after, table.from_head + (source == HEAD), rest, kept, False)
            if more >= 0 and table.used + die + more == table.total:
                table.legal[die] |= bit(source)


cdef inline void begin_asking(const Table *table, const Rules *rules, PartialTurn *partial) noexcept nogil:
    """The turn as far as it has been played."""
    cdef int i
    if rules.staged:
        start_stage(&table.start, rules, &table.queue, partial)
    else:
        start_turn(&table.start, rules, table.high, table.low, partial)
    for i in range(table.play.steps):
        play_step(partial, table.play.source[i], table.play.die[i], table.play.sends >> i & 1)


cdef inline int asked(const Table *table, const Rules *rules, int source, int die) noexcept nogil:
    """Whether the step is legal."""
    cdef PartialTurn partial
    begin_asking(table, rules, &partial)
    return why_not(&partial, source, die, 0, table.total) == 0


cdef inline void ask_all(Table *table, const Rules *rules) noexcept nogil:
    """Ask about each step that the dice offer."""
    cdef PartialTurn partial
    cdef uint32_t own
    cdef int i, die
    begin_asking(table, rules, &partial)
    if not table.play.steps:
        table.total = greatest_total(&partial)
    for i in range(table.dice_left):
        die = table.left[i]
        if i and die == table.left[i - 1]:
            continue
        if partial.sending >> die & 1 and why_not(&partial, HEAD, die, 1, table.total) == 0:
            table.sends |= bit(die)
        own = partial.state.own & NOT_OFF
        while own:
            if why_not(&partial, lowest(own), die, 0, table.total) == 0:
                table.legal[die] |= bit(lowest(own))
            own &= own - 1
