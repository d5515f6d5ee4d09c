"""The C API of networks for Cython.

    from nardy_fast.core cimport Board, Play, Rules, apply, compiled, is_over, pick, start_board
    from nardy_fast.players cimport Desk, Net, NetworkNative, best_play, free_desk, new_desk

    cdef NetworkNative native = network.native          # of a nardy_fast.players.Network; it must outlive the pointer
    cdef Net *net = &native.net                         # no Python below
    cdef Desk *desk = new_desk()                        # one for each thread
    index = best_play(net, &board, &rules, turn, high, low, desk, &equity, NULL)
    board_after = desk.after[index]                     # the player who moved in row 0
    pick(&desk.play_set, index, &play)                  # its steps

Stages that are pending (rulebook, section 3) are for `best_stage_play` and `judge_pending`, with Levels in place of a Desk.

What is not named here is the inside of the package, and may be otherwise in the next version.
"""

from nardy_fast.players._network cimport (
    BLOCK, MAX_HIDDEN, MAX_RESULTS,
    Base, Desk, Net, NetworkNative,
    begin_base, best_play, ended, free_desk, judge, judge_near, judge_waiting, learn, new_desk, possible,
)
from nardy_fast.players._seats cimport (
    CALLER, GREEDY, NETWORK, RANDOM, Choose, Seat, decide, decide_stage, greedy_score, play_pairs_of,
)
from nardy_fast.players._staged cimport (
    Level, Levels, best_stage_play, free_levels, judge_pending, levels_or_null, list_plays, new_levels,
)
