"""Random games on the C API of nardy_fast: the whole loop runs without the GIL and without Python objects."""

from libc.stdint cimport int64_t
from libc.stdlib cimport abs

from nardy_fast.core cimport (
    Board, Dice, Play, PlaySet, Rules, apply, below, check_abi, compiled, dice_of, generate, pick, settle, start_board, starter,
    throw, throw_start_again,
)

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
    cdef Board board, after
    cdef PlaySet play_set
    cdef Play chosen
    cdef int turn, scored = 0, high = 0, low = 0
    cdef bint ended
    for _ in range(games):
        start_board(rules, &board)
        turn = starter(rules, dice)
        throw(dice, &high, &low)
        throw_start_again(rules, dice, &high, &low)
        ended = False
        while not ended:
            generate(&board, rules, high, low, &play_set)
            pick(&play_set, below(dice, play_set.count), &chosen)
            apply(&board, rules, &chosen, &after)
            ended = settle(&board, &after, rules, turn, &scored)
            board = after
            turn = 1 - turn
            tally.turns += 1
            throw(dice, &high, &low)
        if scored == 0:
            tally.draws += 1
            continue
        if scored > 0:
            turn = 1 - turn         # the player of the last turn has won
        tally.won[turn] += 1
        tally.points[turn] += abs(scored)
