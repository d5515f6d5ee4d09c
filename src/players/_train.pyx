"""Self-play that trains a network: TD(lambda) by lambda returns, one thread's share of the games."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from nardy_fast.core._core cimport Board, start_board
from nardy_fast.core._dice cimport Dice, starter, throw, throw_start_again
from nardy_fast.players._network cimport MAX_RESULTS, Desk, Net, NetworkNative, best_play, ended, free_desk, learn, new_desk
from nardy_fast.core._random cimport Stream, begin_stream
from nardy_fast.core._wide cimport Wide, load, store, swapped

cdef enum:
    MAX_TURNS = 1024       # of a game that is learnt from; a longer one is left, and its last chances stand for its end
    MAX_POINTS = 15

cdef struct Ply:            # a board after a play of the game
    Board moved
    int mover
    float chances[32]       # by the network, when the play was made


cdef int play_game(const Net *net, Dice *dice, Desk *desk, Ply *plies, float *result) noexcept nogil:
    """One game of the network against itself; the number of turns, and the result from the view of who made the last."""
    cdef Board board
    cdef Wide turned
    cdef Ply *ply
    cdef int mover, high, low, turns, scored = 0
    cdef float equity
    start_board(&net.rules, &board)
    throw(dice, &high, &low)
    throw_start_again(&net.rules, dice, &high, &low)
    mover = starter(&net.rules, dice)
    for turns in range(MAX_TURNS):
        ply = &plies[turns]
        ply.moved = desk.after[best_play(net, &board, &net.rules, mover, high, low, desk, &equity, ply.chances)]
        ply.mover = mover
        if ended(&board, &ply.moved, &net.rules, mover, &scored):
            memset(result, 0, MAX_RESULTS * sizeof(float))
            result[net.at[MAX_POINTS + scored]] = 1
            return turns + 1
        turned = load(&ply.moved)
        turned = swapped(&turned)
        store(&turned, &board)
        mover = 1 - mover
        throw(dice, &high, &low)
    memcpy(result, plies[MAX_TURNS - 1].chances, MAX_RESULTS * sizeof(float))
    return MAX_TURNS


cdef double learn_game(
    const Net *net, const Ply *plies, int turns, float *wanted, float rate, float trace
) noexcept nogil:
    """Learn from a game, the last turn first; `wanted` is its result. The sum of squared errors of what was learnt."""
    cdef float chances[MAX_RESULTS]
    cdef float seen[MAX_RESULTS]
    cdef const Ply *ply
    cdef int turn, i
    cdef double loss = 0
    # The last board needs no learning where the game ended by it: it is certain.
    for turn in range(turns - 2, -1, -1):
        # What the next board is worth, from the view of who moved here: results are symmetric, so reversed.
        for i in range(net.results):
            seen[i] = wanted[net.results - 1 - i]
        ply = &plies[turn]
        learn(net, &ply.moved, ply.mover, seen, rate, chances)
        for i in range(net.results):
            loss += (seen[i] - chances[i]) ** 2
            wanted[i] = trace * seen[i] + (1 - trace) * ply.chances[i]
    return loss


def play_and_learn(NetworkNative network, uint64_t seed, uint64_t number, int games, float rate, float trace):
    """Play `games` and learn from each as it ends; (games, turns, sum of squared errors). No locks are on the weights."""
    cdef const Net *net = &network.net
    cdef Desk *desk
    cdef Ply *plies
    cdef float result[MAX_RESULTS]
    cdef Stream stream
    cdef Dice dice
    cdef long turns = 0
    cdef double loss = 0
    cdef int length
    begin_stream(&stream, seed, number)
    dice.bits = &stream.bits
    dice.halves = 0
    dice.word = 0
    desk = new_desk()
    plies = <Ply *>realloc(NULL, MAX_TURNS * sizeof(Ply))
    if plies == NULL:
        free_desk(desk)
        raise MemoryError
    with nogil:
        for _ in range(games):
            length = play_game(net, &dice, desk, plies, result)
            loss += learn_game(net, plies, length, result, rate, trace)
            turns += length
        free_desk(desk)
        free(plies)
    return games, turns, loss
