"""The board as the player to move sees it, and one step on it: the structs and primitives that both generators share.

Everything is in the mover's own slots (rulebook, section 0), so that both players, both roads, long and short nardy are one game
here; `derive_turn` is the only place that knows how the opponent's track lies against the mover's.
"""

from libc.stdint cimport int8_t, uint32_t, uint64_t

from nardy_fast.core._bits cimport at_least, bit, highest, lowest
from nardy_fast.core._wide cimport Wide, held, load


cdef enum:
    BAR = 0             # the slot where checkers wait
    HEAD = 1            # where all checkers of long nardy start
    HOME = 19           # the first slot of the home
    LAST = 24           # the last point of the board
    OFF = 25            # the slot of the checkers borne off
    SLOTS = 26
    NO_LIMIT = 15       # a limit that 15 checkers cannot reach
    MAX_STEPS = 6       # of a play
    FOUR = 4            # steps of a double
    # Fifteen checkers share four steps in at most C(15 + 4 - 1, 4) ways, and an afterstate needs at least one of them. A mixed
    # roll has at most 15 * 15 pairs and, with hits on the way, 2 * 15 runs.
    MAX_PLAYS = 3060

cdef enum HeadException:    # in the order of rules.CHOICES, as all enums here
    HEAD_BLOCK, VALUES, CAP_DOUBLE, CAPABILITY, ANY_DOUBLE, ANY_FIRST, NO_EXCEPTION

cdef enum BlockRule:
    AHEAD, OPPONENT_HOME, NEVER, FREE, FEVGA, FEVGA_OPEN

cdef enum Throw:
    PAIR_THROWN, PRODUCT, CASCADE

cdef enum Send:
    NO_SEND, SEND_ONE_SIX, SEND_DOUBLES

cdef enum Unplayed:
    LOST, STAGE, REST

cdef enum Koks:
    NO_KOKS, KOKS_NONE_HOME, KOKS_ON_HEAD, KOKS_START_QUARTER

cdef enum LastRoll:
    NO_LAST_ROLL, DRAW_ONLY, FULL

cdef enum:
    POINTS = 0x1FFFFFE      # slots 1..24
    HOME_POINTS = 0x1F80000     # slots 19..24
    OUTSIDE = 0x7FFFF       # slots 0..18
    PAST_HEAD = 0x1FFC000   # slots 14..24: past the opponent's head
    SIX_STARTS = 0xFFFFE    # slots 1..19, where six points in a row may begin

cdef struct Board:
    int8_t row[2][26]       # row 0 the player to move, row 1 the opponent; each slot on that row's own track: 0..15 checkers

cdef struct Rules:          # a Ruleset, compiled
    int8_t start[26]        # one side's row at the start of a game
    int8_t checkers         # of a side, 1..15
    int8_t contrary         # 1: the roads are contrary and single checkers are hit
    int8_t head_limit       # steps of a turn that may leave the head: 1, or NO_LIMIT
    int8_t head_exception   # HeadException
    int8_t runner           # 1: Fevga's runner
    int8_t block_rule       # BlockRule
    int8_t block_at_end     # 1: a block is judged in the afterstate only
    int8_t exact            # 1: only the exact die bears off
    int8_t next_turn        # 1: the right to bear off does not begin inside a turn
    int8_t stack_limit      # own checkers on a point: 5, or NO_LIMIT
    int8_t bar_first        # 1: checkers in slot 0 must enter before others move
    int8_t keep             # 1: who clears first loses
    int8_t home_mars        # points, or 0 where it does not count
    int8_t koks             # Koks
    int8_t koks_points
    int8_t remaining        # 1: as many points as the loser has checkers left
    int8_t last_roll        # LastRoll
    int8_t rolloff          # 1: the starter plays the dice of the throw for the start
    int8_t backgammon_points
    int8_t thrown           # Throw: what stages a throw gives
    int8_t cascade_steps
    int8_t parity           # 1: White plays only even products, Black only odd ones
    int8_t send             # Send: which dice send a checker of the head home
    int8_t send_optional
    int8_t off_one_six      # 1: only a 1 and a 6 bear off
    int8_t frozen_home      # 1: from the home checkers are only borne off
    int8_t unplayed         # Unplayed: what becomes of dice that a thrown stage leaves over
    int8_t throw_again      # 1: after a double played in full
    int8_t void_double      # 1: a double that cannot be begun is over
    int8_t dead_draw        # 1: a position in which neither side can ever move is a draw
    int8_t staged           # 1: a turn is more than a pair of dice or four of a double, played as in long or short nardy

cdef struct Play:           # the steps of one turn, in an order in which they are legal
    int8_t steps            # 0..6; 0 is a pass
    int8_t source[6]        # the slot each step leaves, on the mover's track
    int8_t die[6]           # and its die, 1..6
    int8_t sends            # bit i: step i is a send, from the head to slot 25 - die

cdef struct Turn:           # what the generator derives from a board once, whatever the roll (but head_limit)
    const Board *board
    const Rules *rules
    uint32_t own            # slots 0..24 that hold a checker of the mover
    uint32_t single         # those that hold just one
    uint32_t open           # slots 1..24 that the opponent does not hold
    uint32_t blots          # slots 1..24 where a landing hits
    uint32_t forbidden_blocks   # slots t of the OPPONENT's track such that t..t+5 may not all be the mover's
    uint32_t shut           # the one of them that the rules forbid only where it can be helped (FEVGA_OPEN)
    int may_bear_off        # 0 where the right would have to begin inside the turn and may not
    int runner              # 1 while the runner has not passed
    int head_limit          # of this roll: head_allowance

cdef struct MoverState:          # the mover's side inside a turn
    int8_t row[26]
    uint32_t own
    int from_head           # steps of this turn that have left the head


cdef inline uint32_t rotated(uint32_t slots) noexcept nogil:
    """Parallel roads: a set of points moved from one player's track to the other's. Its own inverse."""
    return (slots << 12 | slots >> 12) & POINTS


cdef inline uint32_t reversed_(uint32_t slots) noexcept nogil:
    """Contrary roads: the same; slot s becomes slot 25 - s."""
    slots = slots >> 16 | slots << 16
    slots = slots >> 8 & 0x00FF00FF | (slots & 0x00FF00FF) << 8
    slots = slots >> 4 & 0x0F0F0F0F | (slots & 0x0F0F0F0F) << 4
    slots = slots >> 2 & 0x33333333 | (slots & 0x33333333) << 2
    slots = slots >> 1 & 0x55555555 | (slots & 0x55555555) << 1
    return slots >> 6 & POINTS


cdef inline int opposite(int slot, const Rules *rules) noexcept nogil:
    """The number of the mover's slot 1..24 on the opponent's track."""
    if rules.contrary:
        return OFF - slot
    return slot + 12 if slot <= 12 else slot - 12


cdef inline uint32_t sixes(uint32_t slots) noexcept nogil:
    """The slots at which six slots of the set in a row begin."""
    slots &= slots >> 1
    slots &= slots >> 2
    return slots & slots >> 2


cdef inline uint32_t block_starts(uint32_t opponent, const Rules *rules) noexcept nogil:
    """Where, on the opponent's track, a block may not begin, his checkers being there (slot 25 included)."""
    if rules.block_rule == FREE or not opponent & POINTS:
        return 0
    if rules.block_rule == AHEAD:
        # Some checker of his beyond the far end: then the block begins below his farthest checker.
        return SIX_STARTS & ~((<uint32_t>2 << highest(opponent)) - 1)
    if rules.block_rule == OPPONENT_HOME:
        return 0 if opponent & (HOME_POINTS | bit(OFF)) else SIX_STARTS
    if rules.block_rule >= FEVGA:
        return bit(13)      # the mover's own slots 1..6
    return SIX_STARTS


cdef inline uint32_t shut_in(uint32_t opponent) noexcept nogil:
    """Where a prime would shut in all the opponent's checkers: right after the one point that has them."""
    return opponent << 1 & SIX_STARTS if opponent & POINTS and not opponent & (opponent - 1) else 0


cdef inline int makes_block(uint32_t own, uint32_t forbidden_blocks) noexcept nogil:
    """Whether the mover, holding these slots of his, makes a block that he may not."""
    return (sixes(rotated(own)) & forbidden_blocks) != 0


cdef inline void derive_turn(Turn *turn, const Board *board, const Rules *rules) noexcept nogil:
    """Derive from the board everything that the generator asks of it. The turn points to both from now on; see head_limit."""
    cdef Wide wide = load(board)
    cdef uint64_t one = held(&wide, 1), two = held(&wide, 2)
    cdef uint32_t opponent = one >> SLOTS
    turn.board = board
    turn.rules = rules
    turn.own = one & (POINTS | bit(BAR))
    turn.single = turn.own & ~<uint32_t>two
    if rules.contrary:
        turn.open = POINTS & ~reversed_(two >> SLOTS)
        turn.blots = turn.open & reversed_(opponent)
        turn.forbidden_blocks = 0
    else:
        turn.open = POINTS & ~rotated(opponent & POINTS)
        turn.blots = 0
        turn.forbidden_blocks = block_starts(opponent, rules)
    turn.shut = 0
    if rules.block_rule == FEVGA_OPEN:
        turn.shut = shut_in(opponent)
        turn.forbidden_blocks |= turn.shut
    turn.may_bear_off = not (rules.next_turn and turn.own & OUTSIDE)
    turn.runner = rules.runner and not (turn.own & PAST_HEAD or board.row[0][OFF])
    turn.head_limit = rules.head_limit


cdef inline void begin(MoverState *state, const Turn *turn) noexcept nogil:
    """The mover's side before the first step."""
    cdef int slot
    for slot in range(SLOTS):
        state.row[slot] = turn.board.row[0][slot]
    state.own = turn.own
    state.from_head = 0


cdef inline uint32_t passing(const Turn *turn) noexcept nogil:
    """Those of the forbidden blocks that may not be made even in passing."""
    if turn.rules.block_at_end:
        return 0
    return turn.forbidden_blocks if not turn.shut else bit(13)


cdef inline uint32_t starts(const Turn *turn) noexcept nogil:
    """The slots from which a step to another point may begin."""
    return OUTSIDE if turn.rules.frozen_home else POINTS | bit(BAR)


cdef inline int bears_off(const Turn *turn, int die) noexcept nogil:
    """Whether the rules let the die bear off."""
    return not turn.rules.off_one_six or die == 1 or die == 6


cdef inline int landing(int source, int die) noexcept nogil:
    """Where a step ends: past the last point, off the board."""
    return source + die if source + die < OFF else OFF


cdef inline void step(MoverState *state, int source, int die) noexcept nogil:
    """Move one checker."""
    move_one(state, source, landing(source, die))


cdef inline void move_one(MoverState *state, int source, int target) noexcept nogil:
    """Move one checker there."""
    state.row[source] -= 1
    if not state.row[source]:
        state.own &= ~bit(source)
    state.row[target] += 1
    if target != OFF:
        state.own |= bit(target)
    state.from_head += source == HEAD


cdef inline uint32_t bear_off_source(uint32_t own, int die, int exact) noexcept nogil:
    """All checkers being home: the slot from which the die takes one off, as a set of none or one."""
    cdef uint32_t same = bit(OFF - die), farthest = own & (0 - own)
    if own & same:
        return same
    return farthest if farthest > same and not exact else 0


cdef inline uint32_t free_sources(const Turn *turn, uint32_t own, int die) noexcept nogil:
    """The slots from which a checker may step by the die, but for the rules of the head, runner, stack and block."""
    cdef uint32_t found = own & turn.open >> die & starts(turn)
    if not own & OUTSIDE and turn.may_bear_off and bears_off(turn, die):
        found |= bear_off_source(own, die, turn.rules.exact)
    if own & bit(BAR) and turn.rules.bar_first:
        found &= bit(BAR)
    return found


cdef inline uint32_t sources(const Turn *turn, uint32_t own, uint32_t full, int from_head, int die) noexcept nogil:
    """The slots from which a checker may step by the die, but for the six-block rule.

    `full`: points that may take no more of the mover's checkers; `from_head`: steps of the turn that have left the head.
    """
    cdef uint32_t found = free_sources(turn, own, die) & ~(full >> die)
    if from_head >= turn.head_limit or (turn.runner and not runner_free(own)):
        found &= ~bit(HEAD)
    return found


cdef inline uint32_t full_points(const int8_t *row, const Rules *rules) noexcept nogil:
    """The points that hold as many checkers of a row as they may."""
    return at_least(row, rules.stack_limit) & POINTS if rules.stack_limit != NO_LIMIT else 0


cdef struct Side:           # the mover's side as sets, for steps without a board
    uint32_t one            # slots that hold at least one checker,
    uint32_t two
    uint32_t three
    uint32_t four
    uint32_t five           # at least five: when four leave, one is left


cdef inline Side side_of(const Turn *turn) noexcept nogil:
    """The mover's side before the first step."""
    cdef Side side
    cdef const int8_t *row = turn.board.row[0]
    side.one = turn.own
    side.two = turn.own & ~turn.single
    side.three = at_least(row, 3)
    side.four = at_least(row, 4)
    side.five = at_least(row, 5)
    return side


cdef inline uint32_t full_of(const Turn *turn, Side side) noexcept nogil:
    """The points that may take no more checkers: a stack limit is five."""
    return side.five & POINTS if turn.rules.stack_limit != NO_LIMIT else 0


cdef inline uint32_t level_after(
    uint32_t below, uint32_t level, uint32_t above, uint32_t here, uint32_t there
) noexcept nogil:
    """The slots with at least n checkers (`below`: n - 1, `above`: n + 1), when one is moved from `here` to `there`."""
    return level & (above | ~here) | below & there


cdef inline Side stepped(Side side, int source, int die) noexcept nogil:
    """The side after a step: one checker less here, one more there."""
    cdef uint32_t here = bit(source), there = here << die & POINTS
    cdef Side after
    after.one = level_after(there, side.one, side.two, here, there)
    after.two = level_after(side.one, side.two, side.three, here, there)
    after.three = level_after(side.two, side.three, side.four, here, there)
    after.four = level_after(side.three, side.four, side.five, here, there)
    after.five = level_after(side.four, side.five, 0, here, there)
    return after


cdef inline int runner_free(uint32_t own) noexcept nogil:
    """Fevga: none has left the head yet, or the one that has is past the opponent's."""
    return own == bit(HEAD) or (own & PAST_HEAD) != 0


cdef inline int head_allowance(const Turn *turn, int high, int low) noexcept nogil:
    """How many steps of this roll may leave the head (rulebook, section 1, head rule)."""
    if turn.rules.head_exception == NO_EXCEPTION or turn.board.row[0][HEAD] != turn.rules.checkers:
        return turn.rules.head_limit
    return first_allowance(turn, high, 0 if high == low else low, FOUR)


cdef inline int first_allowance(const Turn *turn, int high, int low, int number) noexcept nogil:
    """The same on a player's first turn, for two different dice or, where `low` is 0, for so many equal ones."""
    cdef const Rules *rules = turn.rules
    cdef int slot = HEAD
    cdef bint one_checker_plays_all
    if rules.head_exception == ANY_FIRST:
        return 2
    if rules.head_exception == CAPABILITY and low:
        one_checker_plays_all = (
            turn.open & bit(HEAD + high + low) and turn.open & (bit(HEAD + high) | bit(HEAD + low))
        )
        return 1 if one_checker_plays_all else 2
    if low or number == 1 and rules.head_exception != CAPABILITY:
        return 1
    if rules.head_exception == ANY_DOUBLE:
        return 2
    if rules.head_exception == VALUES:
        return 2 if high in (3, 4, 6) else 1
    for _ in range(number):
        slot += high
        if slot > LAST or not turn.open & bit(slot):
            return 2 if rules.head_exception != HEAD_BLOCK or slot == 13 else 1
    return 1
