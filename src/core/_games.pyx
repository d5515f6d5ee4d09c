# cython: nonecheck=True
"""Random games: fair dice, and each turn an even choice among the distinct afterstates."""

from libc.stdint cimport int8_t, int16_t, int32_t
from libc.stdlib cimport abs

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._core cimport Board, Rules, cleared, settle, start_board
from nardy_fast.core._dice cimport Dice, dice_of, play_at_random, starter, throw, throw_start_again
from nardy_fast.core._position cimport Position
from nardy_fast.core._rules cimport CompiledRules, compiled

cdef enum:
    WHITE = 0

cdef struct Result:
    int8_t winner           # 0 White, 1 Black, -1 a draw
    int16_t points
    int32_t turns           # passes counted


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


cdef void play_all(
    Dice *dice, const Rules *rules, const Board *start, int mover, Py_ssize_t games,
    int8_t *winner, int16_t *scored, int32_t *turns,
) noexcept nogil:
    """Play that many games; `start` is NULL for the start by the rules."""
    cdef Board board
    cdef Result result
    cdef int high = 0, low = 0
    cdef Py_ssize_t game
    if start != NULL:
        board = start[0]
    else:
        start_board(rules, &board)
    for game in range(games):
        throw(dice, &high, &low)
        if start == NULL:
            mover = starter(rules, dice)
            throw_start_again(rules, dice, &high, &low)
        play_game(&board, rules, mover, high, low, dice, &result)
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
    cdef Board board
    cdef const Board *begin = NULL
    cdef int mover = WHITE
    if start is not None:
        first = start
        board = first._board
        begin = &board
        mover = first._turn
    with nogil:
        play_all(
            &dice, &compiled_rules.rules, begin, mover, winners.rows,
            <int8_t *>winners.data, <int16_t *>scores.data, <int32_t *>lengths.data,
        )
