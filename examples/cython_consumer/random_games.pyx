"""Random games on the C API of nardy_fast: the whole loop runs without the GIL and without Python objects."""

from libc.stdint cimport int64_t

from nardy_fast.core._core cimport (
    Board, Menu, Play, Rules, apply, check_abi, choose, cleared, is_over, offer_roll, points, start_board,
)
from nardy_fast.core._dice cimport Dice, below, dice_of, throw
from nardy_fast.core._rules cimport compiled

check_abi()

cdef struct Tally:
    int64_t turns           # passes counted
    int64_t draws
    int64_t won[2]          # games, by White and by Black
    int64_t points[2]       # and what they were worth


def play(bit_generator, int64_t games, rules="long"):
    """Play so many games with random numbers from a `numpy.random.BitGenerator`, and return what came of them as a dict."""
    cdef Rules compiled_rules = compiled(rules).rules
    cdef Dice dice = dice_of(bit_generator)
    cdef Tally tally = Tally(0, 0, [0, 0], [0, 0])
    with nogil:
        play_games(games, &compiled_rules, &dice, &tally)
    return tally


cdef void play_games(int64_t games, const Rules *rules, Dice *dice, Tally *tally) noexcept nogil:
    cdef Board board
    cdef Menu menu
    cdef Play chosen
    cdef int turn, high = 0, low = 0
    for _ in range(games):
        start_board(rules, &board)
        turn = below(dice, 2) if rules.contrary else 0
        throw(dice, &high, &low)
        while rules.rolloff and high == low:
            throw(dice, &high, &low)
        while not is_over(&board, rules, turn):
            offer_roll(&board, rules, high, low, &menu)
            choose(&menu, below(dice, menu.count), &chosen)
            apply(&board, rules, &chosen, &board)
            turn = 1 - turn
            tally.turns += 1
            throw(dice, &high, &low)
        settle(&board, rules, turn, tally)


cdef void settle(const Board *board, const Rules *rules, int turn, Tally *tally) noexcept nogil:
    """Add a finished game, in which `turn` would be next."""
    cdef int winner, loser_row
    if cleared(board, rules, 0) and cleared(board, rules, 1):
        tally.draws += 1
        return
    loser_row = cleared(board, rules, 0)
    winner = turn if loser_row == 1 else 1 - turn
    if rules.keep:
        winner = 1 - winner
    tally.won[winner] += 1
    tally.points[winner] += points(board.row[loser_row], rules)
