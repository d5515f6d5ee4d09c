"""Random numbers that need no Python object: a stream for each seed and number, all of them unlike.

    cdef Stream stream
    begin_stream(&stream, seed, number)     # the stream must not be moved afterwards
    dice.bits = &stream.bits                # of a Dice (_dice)

A Luck is both, and may be copied and moved like any number:

    cdef Luck luck
    begin_luck(&luck, seed, number)
    turn = first_roll(&rules, &luck, &high, &low)       # the dice of the first turn, and who has it
    roll(&luck, &high, &low)
    choice(&luck, n)                                    # 0 to n - 1
"""

from libc.stdint cimport uint32_t, uint64_t

from nardy_fast.core._dice cimport BitGenerator, Dice, below, first_throw, throw
from nardy_fast.core._track cimport Rules

cdef struct Stream:
    BitGenerator bits
    uint64_t state

cdef struct Luck:
    Stream stream
    Dice dice


cdef inline uint64_t golden(uint64_t times) noexcept nogil:
    """So many times 2**64 by the golden ratio."""
    return times * <uint64_t>0x9E3779B97F4A7C15


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    """The finalizer of SplitMix64: each bit depends on all."""
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


cdef inline uint64_t next_word(void *state) noexcept nogil:
    """SplitMix64."""
    cdef uint64_t *word = <uint64_t *>state
    word[0] += golden(1)
    return mixed(word[0])


cdef inline void begin_stream(Stream *stream, uint64_t seed, uint64_t number) noexcept nogil:
    stream.state = mixed(mixed(seed + 1) ^ mixed(number + <uint64_t>0xD1342543DE82EF95))
    stream.bits.state = &stream.state
    stream.bits.next_uint64 = next_word


cdef inline double uniform(Stream *stream) noexcept nogil:
    """From 0 to 1, 1 left out."""
    return (next_word(&stream.state) >> 11) * (1.0 / 9007199254740992.0)


cdef inline Dice *dice_in(Luck *luck) noexcept nogil:
    """Its dice, which draw from the stream where it lies now."""
    luck.stream.bits.state = &luck.stream.state
    luck.dice.bits = &luck.stream.bits
    return &luck.dice


cdef inline void begin_luck(Luck *luck, uint64_t seed, uint64_t number) noexcept nogil:
    """Random numbers that depend on `seed` and `number` only, all of them unlike."""
    begin_stream(&luck.stream, seed, number)
    luck.dice.word = 0
    luck.dice.halves = 0


cdef inline int choice(Luck *luck, int n) noexcept nogil:
    """A number from 0 to n - 1, each exactly as likely."""
    return below(dice_in(luck), n)


cdef inline void roll(Luck *luck, int *high, int *low) noexcept nogil:
    """Two dice, the larger first."""
    throw(dice_in(luck), high, low)


cdef inline int first_roll(const Rules *rules, Luck *luck, int *high, int *low) noexcept nogil:
    """The dice of a game's first turn, never a double where they are those of the throw for the start; returns who has it."""
    return first_throw(rules, dice_in(luck), high, low)
