# distutils: include_dirs = nardy_fast/core/include
# distutils: depends = nardy_fast/core/include/nardy_fast.h
"""The table of functions that nardy_fast.h describes, in a capsule: `API`."""

from cpython.pycapsule cimport PyCapsule_New

from nardy_fast.core._core cimport (
    ABI, Board, Fault, Pending, Play, PlaySet, Rules, Stage,
    apply, begin_stages, check_play, check_stage, cleared, count, derive_turn, expand, fault, generate, generate_for,
    generate_plays, generate_stage, generate_to_list, is_over, list_into, move, next_stage, pick, points, settle, start_board,
    write_boards,
)
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._measures cimport from_gnubg, hash_of, in_contact, pips, rearmost, to_gnubg
from nardy_fast.core._random cimport Luck, begin_luck, choice, first_roll, roll
from nardy_fast.core._track cimport Turn
from nardy_fast.core._wide cimport changes
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
    ctypedef struct nardy_turn:
        pass
    ctypedef struct nardy_luck:
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
        void *generate_to_list
        void *derive_turn
        void *generate_for
        void *changes
        void *turn_round
        void *pips
        void *rearmost
        void *in_contact
        void *hash_of
        void *to_gnubg
        void *from_gnubg
        void *begin_luck
        void *choice
        void *roll
        void *first_roll


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
    or sizeof(Turn) > sizeof(nardy_turn) or sizeof(Luck) > sizeof(nardy_luck)
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
table.generate_to_list = <void *>generate_to_list
table.derive_turn = <void *>derive_turn
table.generate_for = <void *>generate_for
table.changes = <void *>changes
table.turn_round = <void *>turn_round
table.pips = <void *>pips
table.rearmost = <void *>rearmost
table.in_contact = <void *>in_contact
table.hash_of = <void *>hash_of
table.to_gnubg = <void *>to_gnubg
table.from_gnubg = <void *>from_gnubg
table.begin_luck = <void *>begin_luck
table.choice = <void *>choice
table.roll = <void *>roll
table.first_roll = <void *>first_roll

API = PyCapsule_New(&table, b"nardy_fast.core._capi.API", NULL)
