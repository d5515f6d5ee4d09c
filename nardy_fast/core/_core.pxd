"""The C API: what one roll allows on a board, without Python objects and without the GIL.

Cimport it from nardy_fast.core, whose .pxd has an example.

Memory. Nothing is allocated. Each pointer is the caller's, read or filled in during the call and then forgotten, with two
exceptions: a Turn (and a PartialTurn, which holds one) points to the board and the rules it was made from, and the result of
`expand` lies in the play set. A PlaySet has some 36 KB: have one for each thread, not one for each node of a search.

Threads. There is no state but the caller's: any number of threads may call at once.

Trust. Boards are such that `fault` finds nothing wrong with them, dice are 1..6 with the larger first, plays come from a play set
of the same board (or passed `check_play`), the game is not over. Only `fault` may be given any board and `check_play` any play. A
build with NARDY_FAST_DEBUG=1 stops the program where a caller breaks this.

Units. Slots are those of the track of the row in question: of the mover's for plays and steps. Functions that tell whether
something holds return 0 or 1.

For everybody: Board, Rules, Play, Fault and MAX_PLAYS, `count` of a PlaySet, and `plays` of one that `generate_plays` or `expand`
filled.
The other fields of PlaySet, and those of Turn and PartialTurn, are for reading at most, and may be others under the next ABI
number.
_bits, _wide, _boards, _mixed and _doubles are the generator's inside.
"""

from libc.stdint cimport int8_t, uint32_t

from nardy_fast.core._play_set cimport HOMING, MULTISETS, PAIRS, PLAYS, WALKED, PlaySet
from nardy_fast.core._queue cimport MAX_STAGES, Pending, Stage
from nardy_fast.core._track cimport (
    BAR, HEAD, HOME, LAST, MAX_PLAYS, MAX_STEPS, NO_LIMIT, OFF, SLOTS, Board, MoverState, Play, Rules, Turn, derive_turn,
    head_allowance,
)


# The ABI. Who cimports this compiles in the sizes, offsets and numbers below and those of _track.

cdef enum:
    ABI = 3                 # raised with any change that programs compiled before it would not survive

# The number that the package running here was compiled with. ABI is the one that your module was.
cdef int abi() noexcept nogil


cdef inline int check_abi() except -1:
    """Raise ImportError where this module was compiled for another ABI than that of the package running here. Needs the GIL."""
    if abi() != ABI:
        raise ImportError(f"compiled for ABI {ABI} of nardy_fast, but this one has {abi()}: compile it again")
    return 0


# The start.

# Fill `board` with the start of a game. Who is to move (row 0) the rules' first_dice and the caller's dice decide.
cdef void start_board(const Rules *rules, Board *board) noexcept nogil


# What is wrong with a board.

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

# 0 where `board`, any 52 bytes, is one that the rules allow; else the kind of its first fault, and `found` tells the rest.
cdef int fault(const Board *board, const Rules *rules, Fault *found) noexcept nogil


# The plays of a roll: one for each distinct afterstate (rulebook, section 1, Obligation), in an order of our own.

# Find out what the roll allows, without listing it, into `play_set`; return play_set.count. The cheapest way to one play of many.
cdef int generate(const Board *board, const Rules *rules, int high, int low, PlaySet *play_set) noexcept nogil

# Write the play number `index`, 0 to play_set.count - 1, to `play`. The order is that of `expand` and `write_boards` once one of
# them was called, and may be another before.
cdef void pick(const PlaySet *play_set, int index, Play *play) noexcept nogil

# List the plays of the play set, and return play_set.plays, where play_set.count of them now are.
cdef const Play *expand(PlaySet *play_set) noexcept nogil

# Write the board after each play to after[0] ... after[play_set.count - 1], in the order of `expand`; `board` and `rules` are
# those of the play set. The player who moved stays in row 0.
cdef void write_boards(PlaySet *play_set, const Board *board, const Rules *rules, Board *after) noexcept nogil

# The same for those who go on to list all plays or boards: then it is faster, else slower.
cdef int generate_to_list(const Board *board, const Rules *rules, int high, int low, PlaySet *play_set) noexcept nogil

# `generate_to_list` and `expand` in one: fill play_set.plays and return their number.
cdef int generate_plays(const Board *board, const Rules *rules, int high, int low, PlaySet *play_set) noexcept nogil

# The number of distinct afterstates, at least 1; lists as little as it can.
cdef int count(const Board *board, const Rules *rules, int high, int low) noexcept nogil

# For rules with stages (rules.staged). Write the stages of a throw by that player to `queue`, the first to be played now; by
# rules with parity it may have no dice.
cdef void begin_stages(const Rules *rules, int thrower, int high, int low, Pending *queue) noexcept nogil

# The plays of the first stage of `queue`, which is that of a throw or was pending.
cdef int generate_stage(const Board *board, const Rules *rules, const Pending *queue, PlaySet *play_set) noexcept nogil

# What follows after `play`, the play of the first stage of `queue`, is written to `queue`: all 0 where a throw is due.
# `is_throw`: whether the stage was thrown just now. Returns who plays or throws next, who may be the player that moved: then the
# board that `apply` wrote has to be turned round. Not to be asked where the game has ended.
cdef int next_stage(const Rules *rules, Pending *queue, const Play *play, int is_throw) noexcept nogil

# All plays of a play set into the caller's room, for play_set.count of them. `expand` has room for MAX_PLAYS, which is enough but
# for five or six equal dice of rules whose throw is a product; where it is not, it returns NULL.
cdef void list_into(PlaySet *play_set, Play *plays) noexcept nogil

# For several rolls of one board: `derive_turn` once (_track), then this for each roll. `board` and `rules` must live as long as
# `turn`.
cdef void generate_for(Turn *turn, int high, int low, PlaySet *play_set) noexcept nogil


# Making a play.

# Write the board after a legal play to `after`, the opponent to move in row 0. `after` may be `board`.
cdef void apply(const Board *board, const Rules *rules, const Play *play, Board *after) noexcept nogil

# Make the steps of a legal play on `board` itself; the player who moved stays in row 0.
cdef void move(Board *board, const Rules *rules, const Play *play) noexcept nogil

# 0 where `play`, any bytes, is a legal play of the roll in that order of its steps; else the reason (below) why not, and
# `at` is the number, from 0, of the step that is refused, or play.steps where more must be played.
cdef int check_play(const Board *board, const Rules *rules, int high, int low, const Play *play, int *at) noexcept nogil

# The same for the first stage of `queue`.
cdef int check_stage(const Board *board, const Rules *rules, const Pending *queue, const Play *play, int *at) noexcept nogil


# The end of a game.

# Whether row `row` (0, 1) has borne off all its checkers.
cdef int cleared(const Board *board, const Rules *rules, int row) noexcept nogil

# Whether the player to move in row 0 (`turn`: 0 White, 1 Black, -1 unknown: no last roll then) has no turn any more. Where White
# has cleared and the rules give a last roll, Black has one.
cdef int is_over(const Board *board, const Rules *rules, int turn) noexcept nogil

# Whether a play has ended the game: `before` is the board before it, `after` the one that `apply` wrote, `turn` who made it. If
# so, `scored` is what he scores by that, 1..15, below 0 where the other player does, 0 for a draw; else 0.
cdef int settle(const Board *before, const Board *after, const Rules *rules, int turn, int *scored) noexcept nogil

# What a finished game is worth, 1..15, by the row of the loser; under the rules' `keep` by that of the winner, who has not
# cleared. Under `draw_only` that is the row as it stood when White cleared.
cdef int points(const int8_t *loser, const Rules *rules) noexcept nogil


# A turn in the making: one step at a time, in any order, and why a step is refused. Not for speed.

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
    HOME_FROZEN = 16
    OFF_DIE = 17
    SEND_FIRST = 18

cdef struct PartialTurn:    # a turn, or a stage of one, in the making
    Turn turn
    MoverState state
    Stage stage
    int8_t dice[6]          # the dice left, larger first
    int dice_left
    int total               # pips of dice used so far
    int sending             # dice that may be sends, as a set
    uint32_t hits           # slots where a single opponent was hit

# Fill `partial` with the turn before its first step. `board` and `rules` must live as long as it.
cdef void start_turn(const Board *board, const Rules *rules, int high, int low, PartialTurn *partial) noexcept nogil

# The same for the first stage of `queue`.
cdef void start_stage(const Board *board, const Rules *rules, const Pending *queue, PartialTurn *partial) noexcept nogil

# Why the step, any numbers, is not possible in itself, as one of the reasons up to SEND_FIRST; else 0. `is_send`: whether it is
# a send.
cdef int refusal(const PartialTurn *partial, int source, int die, int is_send) noexcept nogil

# Why the step, any numbers, is not legal here; 0 where it is. `total` is greatest_total before the first step of the turn.
cdef int why_not(const PartialTurn *partial, int source, int die, int is_send, int total) noexcept nogil

# Make a step that is possible in itself; return the number of dice left.
cdef int play_step(PartialTurn *partial, int source, int die, int is_send) noexcept nogil

# The greatest total of dice of a legal play that begins as this one does, in pips; -1 where there is none.
cdef int greatest_total(const PartialTurn *partial) noexcept nogil
