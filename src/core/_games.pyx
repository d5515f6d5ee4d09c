# cython: nonecheck=True
"""Random games: fair dice, and each turn an even choice among the distinct afterstates."""

from libc.stdint cimport int8_t, int16_t, int32_t
from libc.string cimport memcpy

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._core cimport SLOTS, Board, Menu, Play, Rules, Turn, apply, choose, cleared, look, offer
from nardy_fast.core._core cimport points as points_of
from nardy_fast.core._dice cimport BitGenerator, Dice, below, bits_of, throw
from nardy_fast.core._position cimport Position
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._track cimport DRAW_ONLY, NO_LAST_ROLL, head_allowance

cdef enum:
    WHITE = 0
    BLACK = 1
    NOBODY = -1

cdef struct Result:
    int8_t winner           # 0 White, 1 Black, -1 a draw
    int16_t points
    int32_t turns           # passes counted


cdef void play_game(
    const Board *start, const Rules *rules, int mover, int high, int low, Dice *dice, Result *result
) noexcept nogil:
    """Play from a board with this player to move and this throw to the end."""
    cdef Board board = start[0], when_white_cleared = start[0]
    cdef const int8_t *judged
    cdef Turn turn
    cdef Menu menu
    cdef Play play
    cdef bint is_last_roll = cleared(start, rules, 1)
    result.turns = 0
    while True:
        look(&turn, &board, rules)
        turn.head_limit = head_allowance(&turn, high, low)
        offer(&turn, high, low, &menu)
        choose(&menu, below(dice, menu.count), &play)
        apply(&board, rules, &play, &board)
        result.turns += 1
        if is_last_roll:
            # Black, now in row 1, has had it; under `full` what he bore off by it counts.
            if cleared(&board, rules, 1):
                result.winner = NOBODY
                result.points = 0
            else:
                result.winner = WHITE
                judged = <const int8_t *>(&when_white_cleared.row[0] if rules.last_roll == DRAW_ONLY else &board.row[1])
                result.points = points_of(judged, rules)
            return
        if cleared(&board, rules, 1):
            if rules.last_roll == NO_LAST_ROLL or mover == BLACK:
                result.winner = 1 - mover if rules.keep else mover
                result.points = points_of(board.row[0], rules)
                return
            is_last_roll = True
            when_white_cleared = board
        mover = 1 - mover
        throw(dice, &high, &low)


cdef void play_all(
    BitGenerator *bits, const Rules *rules, const Board *start, int mover, Py_ssize_t games,
    int8_t *winner, int16_t *scored, int32_t *turns,
) noexcept nogil:
    """Play that many games; `start` is NULL for the start by the rules."""
    cdef Board board
    cdef Dice dice
    cdef Result result
    cdef int high = 0, low = 0
    cdef Py_ssize_t game
    dice.bits = bits
    dice.halves = 0
    dice.word = 0
    if start != NULL:
        board = start[0]
    else:
        memcpy(board.row[0], rules.start, SLOTS)
        memcpy(board.row[1], rules.start, SLOTS)
    for game in range(games):
        throw(&dice, &high, &low)
        if start == NULL:
            mover = below(&dice, 2) if rules.contrary else WHITE
            while rules.rolloff and high == low:
                throw(&dice, &high, &low)
        play_game(&board, rules, mover, high, low, &dice, &result)
        winner[game] = result.winner
        scored[game] = result.points
        turns[game] = result.turns


def play_games(bit_generator, rules, start, winner, points, turns):
    """Play a random game for each entry of `winner` (int8), `points` (int16) and `turns` (int32), and fill them in.

    `bit_generator` is one of NumPy's, used by nobody else meanwhile; `start` a `Position` to begin every game from, or None for
    the start by the rules. The GIL is released.
    """
    cdef BitGenerator *bits = bits_of(bit_generator)
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
            bits, &compiled_rules.rules, begin, mover, winners.rows,
            <int8_t *>winners.data, <int16_t *>scores.data, <int32_t *>lengths.data,
        )
