"""The C API of nardy_fast for Cython.

    from nardy_fast.core cimport Board, PlaySet, Play, Rules, apply, check_abi, pick, compiled, is_over, generate, start_board

    check_abi()                                         # once, when your module is imported

    cdef Rules rules = compiled("long").rules           # or a Ruleset; this needs the GIL, nothing below does
    start_board(&rules, &board)
    while not is_over(&board, &rules, turn):            # turn: 0 White, 1 Black
        generate(&board, &rules, high, low, &play_set)    # play_set.count plays
        pick(&play_set, index, &play)
        apply(&board, &rules, &play, &board)
        turn = 1 - turn

What is not named here is the inside of the package, and may be otherwise in the next version.
"""

# A board, the rules, one roll, one play: _core tells how they are used.
from nardy_fast.core._core cimport (
    ABI, BAR, HEAD, HOME, LAST, MAX_PLAYS, MAX_STAGES, MAX_STEPS, NO_LIMIT, OFF, SLOTS,
    Board, Fault, PartialTurn, Pending, Play, PlaySet, Rules, Stage, Turn,
    abi, apply, begin_stages, check_abi, check_play, check_stage, cleared, count, derive_turn, expand, fault, generate,
    generate_for, generate_plays, generate_stage, generate_to_list, greatest_total, head_allowance, is_over, list_into, move,
    next_stage, pick, play_step, points, refusal, settle, start_board, start_stage, start_turn, why_not, write_boards,
)

# What is wrong with a board; why a step is refused.
from nardy_fast.core._core cimport (
    BAD_COUNT, BAD_TOTAL, BOTH_CLEARED, OFF_TOO_EARLY, SHARED, STACK, STANDING_BLOCK, WAITING,
    BAR_FIRST, BLOCK, EXACT_DIE_ONLY, FARTHER_BACK, GAME_OVER, HEAD_USED, LARGER_DIE, NO_CHECKER, NO_SUCH_DIE, NOT_ALL_HOME,
    HOME_FROZEN, OFF_DIE, OFF_NEXT_TURN, POINT_HELD, RUNNER_NOT_PAST, SEND_FIRST, STACK_FULL, WASTES_DIE,
)

# The choices of the rules.
from nardy_fast.core._track cimport (
    AHEAD, ANY_DOUBLE, ANY_FIRST, CAP_DOUBLE, CAPABILITY, CASCADE, DRAW_ONLY, FEVGA, FEVGA_OPEN, FREE, FULL, HEAD_BLOCK,
    KOKS_NONE_HOME, KOKS_ON_HEAD, KOKS_START_QUARTER, LOST, NEVER, NO_EXCEPTION, NO_KOKS, NO_LAST_ROLL, NO_SEND, OPPONENT_HOME,
    PAIR_THROWN, PRODUCT, REST, SEND_DOUBLES, SEND_ONE_SIX, STAGE, VALUES,
)

# Rules compiled from a Ruleset.
from nardy_fast.core._rules cimport CompiledRules, compiled

# What a board tells at a glance; GNU Backgammon's board.
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._measures cimport from_gnubg, hash_of, in_contact, pips, rearmost, to_gnubg
from nardy_fast.core._wide cimport changes

# Dice, and random plays.
from nardy_fast.core._dice cimport Dice, below, dice_of, first_throw, play_at_random, starter, throw, throw_start_again
from nardy_fast.core._random cimport Luck, begin_luck, choice, first_roll, roll

# Positions as objects.
from nardy_fast.core._position cimport Position

# Bear-off tables.
from nardy_fast.core._bearoff cimport (
    ALL, FIRST, MAX_TURNS, NOWHERE, WITHIN,
    Chances, Equities, Numbering, OneSidedNative, OneSidedTable, TwoSidedNative, TwoSidedTable,
    checkers_of, distribution, look_up, look_up_cube, mean, number_of, race,
)
