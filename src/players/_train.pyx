"""Self-play that trains a network: TD(lambda) by lambda returns, one thread's share of the games."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport Board, Pending, begin_stages, next_stage, start_board
from nardy_fast.core._dice cimport Dice, first_throw, throw
from nardy_fast.players._network cimport (
    MAX_RESULTS, Desk, Net, NetworkNative, best_play, ended, free_desk, judge, learn, new_desk,
)
from nardy_fast.players._staged cimport Levels, best_stage_play, free_levels, new_levels
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
    mover = first_throw(&net.rules, dice, &high, &low)
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


cdef int play_staged_game(const Net *net, Dice *dice, Levels *levels, Ply *plies, float *result) noexcept nogil:
    """The same where throws are played in stages. A ply is a throw; its board has in row 0 the opponent of who throws next."""
    cdef Board board
    cdef Pending queue
    cdef Ply *ply
    cdef int thrower, mover, following = 0, high, low, turns, best, is_throw, scored = 0
    start_board(&net.rules, &board)
    thrower = first_throw(&net.rules, dice, &high, &low)
    for turns in range(MAX_TURNS):
        ply = &plies[turns]
        begin_stages(&net.rules, thrower, high, low, &queue)
        is_throw = 1
        while queue.count:
            mover = queue.stage[0].player
            best = best_stage_play(net, &board, &net.rules, &queue, is_throw, queue.count > 1, levels)
            ply.moved = levels.at[0].after[best]
            ply.mover = mover
            if ended(&board, &ply.moved, &net.rules, mover, &scored):
                memset(result, 0, MAX_RESULTS * sizeof(float))
                result[net.at[MAX_POINTS + scored]] = 1
                return turns + 1
            following = next_stage(&net.rules, &queue, &levels.at[0].plays[best], is_throw)
            is_throw = 0
            board = ply.moved
            if following != mover:
                turn_round(&board)
        thrower = following
        ply.moved = board
        turn_round(&ply.moved)
        ply.mover = 1 - thrower
        judge(net, &ply.moved, ply.mover, ply.chances)
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
        # What the next board is worth, from the view of this one's row 0: results are symmetric, so mostly reversed.
        ply = &plies[turn]
        for i in range(net.results):
            seen[i] = wanted[i if plies[turn + 1].mover == ply.mover else net.results - 1 - i]
        learn(net, &ply.moved, ply.mover, seen, rate, chances)
        for i in range(net.results):
            loss += (seen[i] - chances[i]) ** 2
            wanted[i] = trace * seen[i] + (1 - trace) * ply.chances[i]
    return loss


def play_and_learn(NetworkNative network, uint64_t seed, uint64_t number, int games, float rate, float trace):
    """Play `games` and learn from each as it ends; (games, turns, sum of squared errors). No locks are on the weights."""
    cdef const Net *net = &network.net
    cdef Desk *desk = NULL
    cdef Levels *levels = NULL
    cdef Ply *plies = NULL
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
    try:
        plies = <Ply *>realloc(NULL, MAX_TURNS * sizeof(Ply))
        if plies == NULL:
            raise MemoryError
        if network.net.rules.staged:
            levels = new_levels()
        else:
            desk = new_desk()
        with nogil:
            for _ in range(games):
                if levels != NULL:
                    length = play_staged_game(net, &dice, levels, plies, result)
                else:
                    length = play_game(net, &dice, desk, plies, result)
                loss += learn_game(net, plies, length, result, rate, trace)
                turns += length
    finally:
        if desk != NULL:
            free_desk(desk)
        if levels != NULL:
            free_levels(levels)
        free(plies)
    return games, turns, loss
