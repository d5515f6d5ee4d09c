"""An engine in Cython: chooses plays by a network, and plays matches without the GIL."""

from libc.stdint cimport uint64_t

from nardy_fast.core cimport Board, Play, PlaySet, Rules, apply, check_abi, compiled, generate, pick, settle, start_board
from nardy_fast.players cimport Desk, Net, NetworkNative, best_play, free_desk, new_desk

import nardy_fast as nf

check_abi()


cdef struct Match:
    const Net *net
    Rules rules
    Desk *desk              # what a thread needs to choose plays
    uint64_t luck


cdef int below(Match *match, int n) noexcept nogil:
    """A number from 0 to n - 1."""
    match.luck ^= match.luck << 13
    match.luck ^= match.luck >> 7
    match.luck ^= match.luck << 17
    return <int>((match.luck >> 32) * <uint64_t>n >> 32)


cdef void throw(Match *match, int *high, int *low) noexcept nogil:
    cdef int one = 1 + below(match, 6), two = 1 + below(match, 6)
    high[0] = max(one, two)
    low[0] = min(one, two)


cdef void choose(Match *match, const Board *board, int turn, int high, int low, bint by_network, Play *play) noexcept nogil:
    """A play of the roll: the network's best, or any."""
    cdef PlaySet play_set
    cdef float equity
    if by_network:
        index = best_play(match.net, board, &match.rules, turn, high, low, match.desk, &equity, NULL)
        pick(&match.desk.play_set, index, play)
    else:
        pick(&play_set, below(match, generate(board, &match.rules, high, low, &play_set)), play)


cdef int play_game(Match *match, int engine) noexcept nogil:
    """What the engine, of this colour, scores in a game."""
    cdef Board board, before
    cdef Play play
    cdef int turn = below(match, 2) if match.rules.contrary else 0, high, low, scored
    start_board(&match.rules, &board)
    throw(match, &high, &low)
    while match.rules.rolloff and high == low:
        throw(match, &high, &low)
    while True:
        choose(match, &board, turn, high, low, turn == engine, &play)
        before = board
        apply(&before, &match.rules, &play, &board)
        if settle(&before, &board, &match.rules, turn, &scored):
            return scored if turn == engine else -scored
        turn = 1 - turn
        throw(match, &high, &low)


def play_match(network, int points=5, uint64_t seed=0):
    """Play a match against a player who takes any play; (points of the engine, of the other).

    `network`: a nardy_fast.players.Network, or a name or path for its `load`.
    """
    if not isinstance(network, nf.players.Network):
        network = nf.players.Network.load(network)
    cdef NetworkNative native = network.native
    cdef Match match
    cdef int score = 0, lost = 0, game = 0, scored
    match.net = &native.net
    match.rules = compiled(network.rules).rules
    match.luck = 88172645463325252 + seed
    match.desk = new_desk()
    with nogil:
        while score < points and lost < points:
            scored = play_game(&match, game % 2)
            game += 1
            score += max(scored, 0)
            lost -= min(scored, 0)
        free_desk(match.desk)
    return score, lost
