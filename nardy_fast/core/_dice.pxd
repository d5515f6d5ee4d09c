"""Dice and even choices, from NumPy's bit generators by their C interface.

    from nardy_fast.core cimport Dice, dice_of, play_at_random, starter, throw, throw_start_again

    cdef Dice dice = dice_of(bit_generator)         # needs the GIL, nothing below does
    turn = starter(&rules, &dice)
    throw(&dice, &high, &low)
    throw_start_again(&rules, &dice, &high, &low)   # for the first turn only
    play_at_random(&board, &rules, high, low, &dice, &after)

A bit generator must outlive its Dice, and nobody else may draw from it meanwhile: have one for each thread.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint32_t, uint64_t

from nardy_fast.core._core cimport (
    Board, Play, PlaySet, Rules, Turn, apply, derive_turn, generate_for, generate_stage, pick,
)
from nardy_fast.core._queue cimport Pending, follow_stage, stages_of


cdef struct BitGenerator:   # NumPy's bitgen_t, the C interface of its bit generators
    void *state
    uint64_t (*next_uint64)(void *state) noexcept nogil
    uint32_t (*next_uint32)(void *state) noexcept nogil
    double (*next_double)(void *state) noexcept nogil
    uint64_t (*next_raw)(void *state) noexcept nogil

cdef struct Dice:           # random numbers, half a word at a time
    BitGenerator *bits
    uint64_t word
    int halves              # of the word, still unused


cdef inline BitGenerator *bits_of(object bit_generator) except NULL:
    """The C interface of a `numpy.random.BitGenerator`, which must outlive it."""
    return <BitGenerator *>PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")


cdef inline Dice dice_of(object bit_generator) except *:
    """Dice that draw from a `numpy.random.BitGenerator`."""
    cdef Dice dice
    dice.bits = bits_of(bit_generator)
    dice.word = 0
    dice.halves = 0
    return dice


cdef inline uint32_t half(Dice *dice) noexcept nogil:
    """32 random bits."""
    if dice.halves == 0:
        dice.word = dice.bits.next_uint64(dice.bits.state)
        dice.halves = 2
    dice.halves -= 1
    dice.word = dice.word >> 32 | dice.word << 32
    return <uint32_t>dice.word


cdef inline uint32_t below(Dice *dice, uint32_t n) noexcept nogil:
    """A number from 0 to n - 1, each exactly as likely: the multiplication of Lemire, thrown again in the biased sliver."""
    cdef uint64_t product = <uint64_t>half(dice) * n
    if <uint32_t>product < n:
        while <uint32_t>product < (0 - n) % n:
            product = <uint64_t>half(dice) * n
    return product >> 32


cdef inline void throw(Dice *dice, int *high, int *low) noexcept nogil:
    """Two dice, the larger first."""
    cdef int both = below(dice, 36), first = both // 6 + 1, second = both % 6 + 1
    high[0] = max(first, second)
    low[0] = min(first, second)


cdef struct Game:           # where a game stands between two stages
    Board board             # row 0 who plays the next stage, or throws
    int turn                # who that is
    Pending pending         # all 0 where a throw is due


cdef inline int play_stage_at_random(Game *game, const Rules *rules, Dice *dice, int high, int low, Board *after) noexcept nogil:
    """Play the next stage of a game, by a throw of `high` and `low` where one is due.

    `after` gets the board after it, the opponent of who played in row 0, though he may not be next. Returns whether
    the stage was the first of the throw.
    """
    cdef PlaySet play_set
    cdef Play play
    cdef int is_throw = game.pending.count == 0, mover = game.turn
    if is_throw:
        stages_of(rules, mover, high, low, &game.pending)
    generate_stage(&game.board, rules, &game.pending, &play_set)
    pick(&play_set, below(dice, play_set.count), &play)
    apply(&game.board, rules, &play, after)
    game.turn = follow_stage(rules, &game.pending, &play, is_throw)
    return is_throw


cdef inline void throw_start_again(const Rules *rules, Dice *dice, int *high, int *low) noexcept nogil:
    """Throw again while it is a double, if the first turn is played with the dice of the throw for the start."""
    while rules.rolloff and high[0] == low[0]:
        throw(dice, high, low)


cdef inline int starter(const Rules *rules, Dice *dice) noexcept nogil:
    """Who has the first turn: White in long nardy, either in short nardy."""
    return below(dice, 2) if rules.contrary else 0


cdef inline int first_throw(const Rules *rules, Dice *dice, int *high, int *low) noexcept nogil:
    """The dice of the first turn; returns who has it."""
    throw(dice, high, low)
    throw_start_again(rules, dice, high, low)
    return starter(rules, dice)


cdef inline void play_at_random(
    const Board *board, const Rules *rules, int high, int low, Dice *dice, Board *after
) noexcept nogil:
    """Write the board after a play of the roll to `after`, the opponent to move; each distinct one is as likely."""
    cdef Turn turn
    cdef PlaySet play_set
    cdef Play play
    derive_turn(&turn, board, rules)
    generate_for(&turn, high, low, &play_set)
    pick(&play_set, below(dice, play_set.count), &play)
    apply(board, rules, &play, after)
