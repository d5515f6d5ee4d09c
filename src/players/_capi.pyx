# distutils: include_dirs = nardy_fast/core/include nardy_fast/players/include
# distutils: depends = nardy_fast/core/include/nardy_fast.h nardy_fast/players/include/nardy_players.h
"""The table of functions that nardy_players.h describes, in a capsule: `API`."""

from cpython.pycapsule cimport PyCapsule_New
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int8_t, int16_t
from libc.stdlib cimport malloc

from nardy_fast.core._bearoff cimport (
    ALL, Chances, OneSidedNative, OneSidedTable, TwoSidedNative, TwoSidedTable, look_up, mean, race,
)
from nardy_fast.core._bearoff_spreads cimport NOWHERE, number_of
from nardy_fast.core._core cimport ABI, Board, Pending, Play, Rules, pick
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.players._network cimport MAX_RESULTS, Desk, Net, NetworkNative, best_play, free_desk, judge, judge_waiting
from nardy_fast.players._seats cimport play_pairs_of
from nardy_fast.players._staged cimport Levels, best_stage_play, free_levels, judge_pending, levels_or_null

from nardy_fast.bearoff.one_sided import OneSided as _OneSided
from nardy_fast.bearoff.two_sided import TwoSided as _TwoSided
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
        void *load_tables
        void *race
        void *turns_to_clear
        void *play_pairs
        void *mean_of_pairs

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


# Bear-off tables.

cdef struct Tables:
    Rules rules
    const OneSidedTable *one
    const TwoSidedTable *two

cdef class TablesNative:
    """What a C program points to, and what keeps it."""

    cdef Tables tables
    cdef object held


cdef const Tables *load_tables(const char *name) except NULL:
    cdef TablesNative found = TablesNative()
    cdef OneSidedNative one
    cdef TwoSidedNative two
    cdef CompiledRules rules = compiled(name.decode())
    first, second = _OneSided.load(rules.ruleset), _TwoSided.load(rules.ruleset)
    one, two = first.native, second.native
    found.tables.rules = rules.rules
    found.tables.one = &one.table
    found.tables.two = &two.table
    found.held = first, second
    loaded.append(found)
    return &found.tables


cdef int look_up_race(const Tables *tables, const Board *board, int turn, Chances *chances) noexcept nogil:
    cdef int mover = number_of(&tables.one.numbering, board.row[0]), opponent
    if mover == NOWHERE:
        return 0
    opponent = number_of(&tables.one.numbering, board.row[1])
    if opponent == NOWHERE:
        return 0
    if mover < tables.two.spreads and opponent < tables.two.spreads:
        look_up(tables.two, turn, mover, opponent, chances)
    else:
        race(tables.one, &tables.rules, turn, mover, opponent, chances)
    return 1


cdef double turns_to_clear(const Tables *tables, const int8_t *row) noexcept nogil:
    cdef int number = number_of(&tables.one.numbering, row)
    return -1 if number == NOWHERE else mean(tables.one, number, ALL)


cdef double mean_of_pairs(const int16_t *scores, int pairs, double *error) noexcept nogil:
    cdef double total = 0, squares = 0, of_pair
    cdef int pair
    for pair in range(pairs):
        of_pair = 0.5 * (scores[2 * pair] + scores[2 * pair + 1])
        total += of_pair
        squares += of_pair * of_pair
    error[0] = sqrt(max(squares - total * total / pairs, 0) / (pairs - 1) / pairs) if pairs > 1 else INFINITY
    return total / pairs


if <int>MAX_RESULTS != <int>NARDY_MAX_RESULTS:
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
table.load_tables = <void *>load_tables
table.race = <void *>look_up_race
table.turns_to_clear = <void *>turns_to_clear
table.play_pairs = <void *>play_pairs_of
table.mean_of_pairs = <void *>mean_of_pairs

API = PyCapsule_New(&table, b"nardy_fast.players._capi.API", NULL)
