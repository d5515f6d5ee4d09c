# cython: nonecheck=True
"""Random games: fair dice, and each turn an even choice among the distinct afterstates."""

from libc.stdint cimport int8_t, int16_t, int32_t
from libc.stdlib cimport abs
from libc.string cimport memset

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._core cimport Board, Rules, cleared, settle, start_board
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._dice cimport (
    Dice, Game, dice_of, play_at_random, play_stage_at_random, starter, throw, throw_start_again,
)
from nardy_fast.core._position cimport Position
from nardy_fast.core._queue cimport Pending
from nardy_fast.core._rules cimport CompiledRules, compiled

cdef struct Result:
    int8_t winner           # 0 White, 1 Black, -1 a draw
    int16_t points
    int32_t turns           # throws; passes counted


cdef void play_game(
    const Board *start, const Rules *rules, int mover, int high, int low, Dice *dice, Result *result
) noexcept nogil:
    """Play from a board with this player to move and this throw to the end."""
    cdef Board board = start[0], before_last = start[0]     # of the last roll, once it is due
    cdef bint is_last_roll = cleared(start, rules, 1)
    cdef int scored = 0
    result.turns = 0
    while True:
        play_at_random(&board, rules, high, low, dice, &board)
        result.turns += 1
        if is_last_roll or cleared(&board, rules, 1):
            if settle(&before_last, &board, rules, mover, &scored):
                break
            is_last_roll = True
            before_last = board
        mover = 1 - mover
        throw(dice, &high, &low)
    result.points = abs(scored)
    result.winner = mover if scored > 0 else 1 - mover if scored else -1


cdef void play_staged_game(
    const Game *start, const Rules *rules, int high, int low, Dice *dice, Result *result
) noexcept nogil:
    """The same where a throw may be played in stages; the throw is for when one is due."""
    cdef Game game = start[0]
    cdef Board after
    cdef int scored = 0, mover
    result.turns = 0
    while True:
        mover = game.turn
        result.turns += play_stage_at_random(&game, rules, dice, high, low, &after)
        if settle(&game.board, &after, rules, mover, &scored):
            break
        game.board = after
        if game.turn == mover:
            turn_round(&game.board)
        if not game.pending.count:
            throw(dice, &high, &low)
    result.points = abs(scored)
    result.winner = mover if scored > 0 else 1 - mover if scored else -1


cdef void play_all(
    Dice *dice, const Rules *rules, const Game *start, Py_ssize_t games,
    int8_t *winner, int16_t *scored, int32_t *turns,
) noexcept nogil:
    """Play that many games; `start` is NULL for the start by the rules."""
    cdef Game begun
    cdef Result result
    cdef int high = 0, low = 0
    cdef Py_ssize_t game
    if start != NULL:
        begun = start[0]
    else:
        start_board(rules, &begun.board)
        memset(&begun.pending, 0, sizeof(Pending))
    for game in range(games):
        throw(dice, &high, &low)
        if start == NULL:
            begun.turn = starter(rules, dice)
            throw_start_again(rules, dice, &high, &low)
        if rules.staged:
            play_staged_game(&begun, rules, high, low, dice, &result)
        else:
            play_game(&begun.board, rules, begun.turn, high, low, dice, &result)
        winner[game] = result.winner
        scored[game] = result.points
        turns[game] = result.turns


def play_games(bit_generator, rules, start, winner, points, turns):
    """Play a random game for each entry of `winner` (int8), `points` (int16) and `turns` (int32), and fill them in.

    `bit_generator` is one of NumPy's, used by nobody else meanwhile; `start` a `Position` to begin every game from, or None for
    the start by the rules. The GIL is released.
    """
    cdef Dice dice = dice_of(bit_generator)
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef Array winners = array(winner, "winner", "int8", (), -1, True)
    cdef Array scores = array(points, "points", "int16", (), winners.rows, True)
    cdef Array lengths = array(turns, "turns", "int32", (), winners.rows, True)
    cdef Position first
    cdef Game game
    cdef const Game *begin = NULL
    if start is not None:
        first = start
        game.board = first._board
        game.turn = first._turn
        game.pending = first._pending
        begin = &game
    with nogil:
        play_all(
            &dice, &compiled_rules.rules, begin, winners.rows,
            <int8_t *>winners.data, <int16_t *>scores.data, <int32_t *>lengths.data,
        )
