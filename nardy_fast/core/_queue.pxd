"""The stages of a throw: which there are, who plays the next one, and what follows it (rulebook, section 3)."""

from libc.stdint cimport int8_t
from libc.string cimport memset

from nardy_fast.core._track cimport (
    CASCADE, HEAD, MAX_STEPS, NO_EXCEPTION, NO_LIMIT, PRODUCT, REST, SEND_DOUBLES, SEND_ONE_SIX, STAGE, Play, Rules, Turn,
    first_allowance,
)


cdef enum:
    MAX_STAGES = 6

cdef struct Stage:          # dice that one player plays in one go; all 0 where he has none
    int8_t player           # 0 White, 1 Black
    int8_t die              # the larger of two different dice
    int8_t number           # how many of it
    int8_t second           # the smaller of two different dice, or 0

cdef struct Pending:        # the stages of a throw that are still to be played; all 0 where a throw is due
    int8_t thrower
    int8_t heads[2]         # steps from the head that White and Black have made in this throw
    int8_t count
    Stage stage[6]


cdef inline void stages_of(const Rules *rules, int thrower, int high, int low, Pending *queue) noexcept nogil:
    """All stages of a throw, the first to be played now; by the rules it may have no dice."""
    cdef int die
    memset(queue, 0, sizeof(Pending))
    queue.thrower = thrower
    queue.count = 1
    queue.stage[0].player = thrower
    queue.stage[0].die = high
    if rules.thrown == PRODUCT:
        if rules.parity and low % 2 != thrower:
            queue.stage[0].die = 0
        else:
            queue.stage[0].number = low
    elif high != low:
        queue.stage[0].number = 1
        queue.stage[0].second = low
    elif rules.thrown == CASCADE:
        queue.count = 0
        for die in range(high, 7):
            queue.stage[queue.count].player = thrower
            queue.stage[queue.count].die = die
            queue.stage[queue.count].number = rules.cascade_steps
            queue.count += 1
    else:
        queue.stage[0].number = 4


cdef inline int dice_of_stage(const Stage *stage, int8_t *dice) noexcept nogil:
    """Write the dice of the stage, the larger first, and return how many there are."""
    cdef int i
    for i in range(stage.number):
        dice[i] = stage.die
    if stage.second:
        dice[1] = stage.second
        return 2
    return stage.number


cdef inline int sending_dice(const Rules *rules, const Stage *stage) noexcept nogil:
    """The dice of the stage that may be sends, as a set of numbers."""
    cdef int dice = 1 << stage.die | 1 << stage.second
    if rules.send == SEND_ONE_SIX:
        return dice & (1 << 1 | 1 << 6)
    if rules.send == SEND_DOUBLES and stage.number >= 2:
        return dice & ~1
    return 0


cdef inline int stage_allowance(const Turn *turn, const Stage *stage, int from_head) noexcept nogil:
    """How many steps of the stage may leave the head, `from_head` of this throw having left it."""
    cdef const Rules *rules = turn.rules
    cdef int limit = rules.head_limit
    if limit == NO_LIMIT or sending_dice(rules, stage):
        return NO_LIMIT
    if stage.number and rules.head_exception != NO_EXCEPTION and turn.board.row[0][HEAD] == rules.checkers:
        limit = first_allowance(turn, stage.die, stage.second, stage.number)
    return max(0, limit - from_head)


cdef inline Stage left_over(const Stage *stage, const Play *play) noexcept nogil:
    """The dice of the stage that the play does not use."""
    cdef Stage left = stage[0]
    cdef int i
    for i in range(play.steps):
        if not left.second:
            left.number -= 1
        elif play.die[i] == left.die:
            left.die = left.second
            left.second = 0
        else:
            left.second = 0
    return left


cdef inline int follow_stage(const Rules *rules, Pending *queue, const Play *play, int is_throw) noexcept nogil:
    """What follows the play of the first stage, thrown just now or not; return who plays or throws next."""
    cdef Stage stage = queue.stage[0], left = left_over(&queue.stage[0], play)
    cdef int i, other = 1 - stage.player, again = 0
    for i in range(play.steps):
        queue.heads[stage.player] += play.source[i] == HEAD
    queue.count -= 1
    for i in range(MAX_STAGES - 1):
        queue.stage[i] = queue.stage[i + 1]
    memset(&queue.stage[MAX_STAGES - 1], 0, sizeof(Stage))
    if stage.player == queue.thrower:
        if is_throw and rules.void_double and not stage.second and not play.steps:
            queue.count = 0
        elif left.number and rules.unplayed >= STAGE:
            if rules.unplayed == REST:
                for i in range(queue.count):
                    queue.stage[i].player = other
            for i in range(queue.count, 0, -1):
                queue.stage[i] = queue.stage[i - 1]
            queue.stage[0] = left
            queue.stage[0].player = other
            queue.count += 1
        elif is_throw and rules.throw_again and not stage.second and not left.number:
            again = 1
    if queue.count:
        return queue.stage[0].player
    other = queue.thrower if again else 1 - queue.thrower
    memset(queue, 0, sizeof(Pending))
    return other
