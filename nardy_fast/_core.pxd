"""The C API: what one roll allows on a board, without Python objects and without the GIL.

    from nardy_fast._core cimport Board, Rules, Play, MAX_PLAYS, generate, apply

Everything here trusts its input: a board that `fault` finds nothing wrong with, dice of 1..6 with the larger first.
"""

from libc.stdint cimport int8_t, uint32_t

from nardy_fast._doubles cimport Bags
from nardy_fast._mixed cimport Pairs
from nardy_fast._track cimport (
    BAR, HEAD, HOME, LAST, MAX_PLAYS, MAX_STEPS, NO_LIMIT, OFF, SLOTS, Board, Play, Rules, State, Turn, look,
)


cdef enum:                  # how a menu tells its plays
    PAIRS
    BAGS
    PLAYS

cdef struct Menu:           # what one roll allows
    int count               # distinct afterstates: at least 1, since a pass is one
    int kind                # which of these holds the plays
    Pairs pairs
    Bags bags
    Play plays[3060]        # MAX_PLAYS

cdef void offer(const Turn *turn, int high, int low, Menu *menu) noexcept nogil
cdef void choose(const Menu *menu, int index, Play *play) noexcept nogil
cdef const Play *listed(Menu *menu) noexcept nogil
cdef void write_boards(const Menu *menu, const Board *board, const Rules *rules, Board *after) noexcept nogil
cdef int generate(const Board *board, const Rules *rules, int high, int low, Menu *menu) noexcept nogil
cdef int count(const Board *board, const Rules *rules, int high, int low) noexcept nogil
cdef void move(Board *board, const Rules *rules, const Play *play) noexcept nogil
cdef void apply(const Board *board, const Rules *rules, const Play *play, Board *after) noexcept nogil
cdef int cleared(const Board *board, const Rules *rules, int row) noexcept nogil
cdef int is_over(const Board *board, const Rules *rules, int turn) noexcept nogil
cdef int points(const int8_t *loser, const Rules *rules) noexcept nogil

cdef enum:                  # what can be wrong with a board: reasons.Fault
    BAD_COUNT = 1
    BAD_TOTAL = 2
    WAITING = 3
    SHARED = 4
    OFF_TOO_EARLY = 5
    STACK = 6
    STANDING_BLOCK = 7
    BOTH_CLEARED = 8

cdef struct Fault:          # what is wrong with a board
    int kind                # reasons.Fault
    int row
    int slot                # on that row's track; for a block, its lowest on the opponent's
    int value               # what stands there, or a row's sum

cdef int fault(const Board *board, const Rules *rules, Fault *found) noexcept nogil

cdef enum:                  # why a step is refused: reasons.Reason
    GAME_OVER = 1
    NO_SUCH_DIE = 2
    NO_CHECKER = 3
    BAR_FIRST = 4
    RUNNER_NOT_PAST = 5
    HEAD_USED = 6
    POINT_HELD = 7
    STACK_FULL = 8
    NOT_ALL_HOME = 9
    OFF_NEXT_TURN = 10
    EXACT_DIE_ONLY = 11
    FARTHER_BACK = 12
    BLOCK = 13
    LARGER_DIE = 14
    WASTES_DIE = 15

cdef struct Moment:         # a turn in the making
    Turn turn
    State state
    int dice[4]             # the dice left, larger first
    int dice_left
    int total               # pips of dice used so far
    int mixed               # 1: the roll is no double

cdef void start_turn(const Board *board, const Rules *rules, int high, int low, Moment *moment) noexcept nogil
cdef int refusal(const Moment *moment, int source, int die) noexcept nogil
cdef int play_step(Moment *moment, int source, int die) noexcept nogil
cdef int greatest_total(const Moment *moment) noexcept nogil
