"""Random numbers that need no Python object: a stream for each seed and number, all of them unlike.

    cdef Stream stream
    begin_stream(&stream, seed, number)     # the stream must not be moved afterwards
    dice.bits = &stream.bits                # of a Dice (_dice)
"""

from libc.stdint cimport uint32_t, uint64_t

from nardy_fast.core._dice cimport BitGenerator

cdef struct Stream:
    BitGenerator bits
    uint64_t state


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    """The finalizer of SplitMix64: each bit depends on all."""
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


cdef inline uint64_t next_word(void *state) noexcept nogil:
    """SplitMix64."""
    cdef uint64_t *word = <uint64_t *>state
    word[0] += <uint64_t>0x9E3779B97F4A7C15
    return mixed(word[0])


cdef inline void begin_stream(Stream *stream, uint64_t seed, uint64_t number) noexcept nogil:
    stream.state = mixed(mixed(seed + 1) ^ mixed(number + <uint64_t>0xD1342543DE82EF95))
    stream.bits.state = &stream.state
    stream.bits.next_uint64 = next_word


cdef inline double uniform(Stream *stream) noexcept nogil:
    """From 0 to 1, 1 left out."""
    return (next_word(&stream.state) >> 11) * (1.0 / 9007199254740992.0)
