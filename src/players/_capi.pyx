# distutils: include_dirs = nardy_fast/core/include nardy_fast/players/include
# distutils: depends = nardy_fast/core/include/nardy_fast.h nardy_fast/players/include/nardy_players.h
"""The table of functions that nardy_players.h describes, in a capsule: `API`."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdlib cimport malloc

from nardy_fast.core._core cimport ABI, Board, Pending, Play, Rules, pick
from nardy_fast.players._network cimport MAX_RESULTS, Desk, Net, NetworkNative, best_play, free_desk, judge, judge_waiting
from nardy_fast.players._staged cimport Levels, best_stage_play, free_levels, judge_pending, levels_or_null

from nardy_fast.players.network import Network as _Network

cdef extern from "nardy_players.h":
    const int NARDY_PLAYERS_ABI
    const int NARDY_MAX_RESULTS
    ctypedef struct nardy_players_api:  # the functions without their types: the header's structs are others to the compiler
        int abi
        int core_abi
        int size
        void *load
        void *net_of
        void *results
        void *new_desk
        void *free_desk
        void *evaluate
        void *evaluate_after
        void *best_play
        void *new_levels
        void *free_levels
        void *evaluate_pending
        void *best_stage_play

cdef list loaded = []           # the networks that C programs point to


cdef const Net *load(const char *name) except NULL:
    return net_of(_Network.load(name.decode()))


cdef const Net *net_of(object network) except NULL:
    if not isinstance(network, _Network):
        raise TypeError(f"network is a {type(network).__name__}: expected a nardy_fast.players.Network")
    cdef NetworkNative native = network.native
    loaded.append(native)
    return &native.net


cdef int results(const Net *net, int *points) noexcept nogil:
    cdef int i
    for i in range(net.results):
        points[i] = <int>net.points[i]
    return net.results


cdef Desk *room() noexcept nogil:
    return <Desk *>malloc(sizeof(Desk))


cdef float best(
    const Net *net, const Rules *rules, const Board *board, int turn, int high, int low, Desk *desk, Play *play
) noexcept nogil:
    cdef float equity
    cdef int index = best_play(net, board, rules, turn, high, low, desk, &equity, NULL)
    pick(&desk.play_set, index, play)
    return equity


cdef float best_of_stage(
    const Net *net, const Rules *rules, const Board *board, const Pending *queue, int is_throw, Levels *levels, Play *play
) noexcept nogil:
    cdef int index = best_stage_play(net, board, rules, queue, is_throw, 0, levels)
    play[0] = levels.at[0].plays[index]
    return levels.at[0].values[index]


cdef float evaluate_pending(
    const Net *net, const Rules *rules, const Board *board, const Pending *queue, Levels *levels, float *chances
) noexcept nogil:
    return judge_pending(net, board, rules, queue, levels, chances)


if MAX_RESULTS != NARDY_MAX_RESULTS:
    raise ImportError("nardy_players.h is not the header of this build of nardy_fast")

cdef nardy_players_api table

table.abi = NARDY_PLAYERS_ABI
table.core_abi = ABI
table.size = sizeof(table)
table.load = <void *>load
table.net_of = <void *>net_of
table.results = <void *>results
table.new_desk = <void *>room
table.free_desk = <void *>free_desk
table.evaluate = <void *>judge_waiting
table.evaluate_after = <void *>judge
table.best_play = <void *>best
table.new_levels = <void *>levels_or_null
table.free_levels = <void *>free_levels
table.evaluate_pending = <void *>evaluate_pending
table.best_stage_play = <void *>best_of_stage

API = PyCapsule_New(&table, b"nardy_fast.players._capi.API", NULL)
