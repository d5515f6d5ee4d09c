# distutils: include_dirs = nardy_fast/core/include
# distutils: depends = nardy_fast/core/include/nardy_fast.h
"""The table of functions that nardy_fast.h describes, in a capsule: `API`."""

from cpython.pycapsule cimport PyCapsule_New

from nardy_fast.core._core cimport (
    ABI, Board, Fault, Pending, Play, PlaySet, Rules, Stage,
    apply, begin_stages, check_play, check_stage, cleared, count, expand, fault, generate, generate_plays, generate_stage,
    is_over, list_into, move, next_stage, pick, points, settle, start_board, write_boards,
)
from nardy_fast.core._rules cimport compiled

from nardy_fast.rules import Ruleset as _Ruleset

cdef extern from "nardy_fast.h":
    ctypedef struct nardy_board:
        pass
    ctypedef struct nardy_rules:
        pass
    ctypedef struct nardy_play:
        pass
    ctypedef struct nardy_play_set:
        pass
    ctypedef struct nardy_fault:
        pass
    ctypedef struct nardy_stage:
        pass
    ctypedef struct nardy_pending:
        pass
    const int NARDY_ABI
    ctypedef struct nardy_api:  # the functions without their types: the header's structs are others to the compiler than ours
        int abi
        int size
        void *read_rules
        void *rules_of
        void *start_board
        void *fault
        void *generate
        void *pick
        void *expand
        void *write_boards
        void *generate_plays
        void *count
        void *apply
        void *move
        void *check_play
        void *cleared
        void *is_over
        void *points
        void *settle
        void *begin_stages
        void *generate_stage
        void *next_stage
        void *list_into
        void *check_stage


cdef int read_rules(const char *text, Rules *rules) except -1:
    """Fill `rules` from a preset's name or from what `Ruleset.to_json` wrote."""
    cdef str given = text.decode()
    return rules_of(_Ruleset.from_json(given) if given.lstrip().startswith("{") else given, rules)


cdef int rules_of(object ruleset, Rules *rules) except -1:
    """Fill `rules` from a Ruleset or the name of one; raises as `rules.ruleset` does."""
    rules[0] = compiled(ruleset).rules
    return 0


if (
    ABI != NARDY_ABI or sizeof(Board) != sizeof(nardy_board) or sizeof(Rules) != sizeof(nardy_rules)
    or sizeof(Pending) != sizeof(nardy_pending) or sizeof(Stage) != sizeof(nardy_stage)
    or sizeof(Play) != sizeof(nardy_play) or sizeof(Fault) != sizeof(nardy_fault) or sizeof(PlaySet) > sizeof(nardy_play_set)
):
    raise ImportError("nardy_fast.h is not the header of this build of nardy_fast")

cdef nardy_api table

table.abi = ABI
table.size = sizeof(table)
table.read_rules = <void *>read_rules
table.rules_of = <void *>rules_of
table.start_board = <void *>start_board
table.fault = <void *>fault
table.generate = <void *>generate
table.pick = <void *>pick
table.expand = <void *>expand
table.write_boards = <void *>write_boards
table.generate_plays = <void *>generate_plays
table.count = <void *>count
table.apply = <void *>apply
table.move = <void *>move
table.check_play = <void *>check_play
table.cleared = <void *>cleared
table.is_over = <void *>is_over
table.points = <void *>points
table.settle = <void *>settle
table.begin_stages = <void *>begin_stages
table.generate_stage = <void *>generate_stage
table.next_stage = <void *>next_stage
table.list_into = <void *>list_into
table.check_stage = <void *>check_stage

API = PyCapsule_New(&table, b"nardy_fast.core._capi.API", NULL)
