"""What a board tells at a glance, and GNU Backgammon's form of it. Inline; compiled into each module that uses it."""

from libc.stdint cimport int8_t, uint32_t, uint64_t

from nardy_fast.core._bits cimport at_least, bit, highest, lowest
from nardy_fast.core._random cimport golden, mixed
from nardy_fast.core._track cimport LAST, OFF, POINTS, SLOTS, Board, Rules, rotated


cdef inline int pips(const int8_t *row) noexcept nogil:
    """The pips that a side has to go: 25 - `s` for each checker in slot `s`."""
    cdef int slot, total = 0
    for slot in range(OFF):
        total += (OFF - slot) * row[slot]
    return total


cdef inline int rearmost(const int8_t *row) noexcept nogil:
    """The slot of a side's rearmost checker; 25 where all are borne off."""
    cdef uint32_t held = at_least(row, 1) & ~bit(OFF)
    return lowest(held) if held else OFF


cdef inline int in_contact(const Board *board, const Rules *rules) noexcept nogil:
    """Whether a checker of one side may still meet one of the other (rulebook, section 4); rows may be in either order."""
    cdef uint32_t own = at_least(board.row[0], 1) & ~bit(OFF), his = at_least(board.row[1], 1) & ~bit(OFF), here, there
    if not own or not his:
        return 0
    if rules.contrary:
        return lowest(own) + lowest(his) < OFF
    here = rotated(his & POINTS)
    there = rotated(own & POINTS)
    return here and lowest(own) < highest(here) or there and lowest(his) < highest(there)


cdef inline uint64_t word_of(const int8_t *byte, int bytes_) noexcept nogil:
    """Up to eight bytes as a number, the first the lowest, on every machine."""
    cdef uint64_t word = 0
    cdef int i
    for i in range(bytes_):
        word |= <uint64_t><unsigned char>byte[i] << 8 * i
    return word


cdef inline uint64_t hash_of(const Board *board) noexcept nogil:
    """A number for the board, row 0 the player to move: the same on every machine and in every version.

    The 52 bytes are seven words of eight, the first byte the lowest, zeros after the last. To word `i`, 0 to 6, i + 1 times
    0x9E3779B97F4A7C15 is added, and the sum is put through the finalizer of SplitMix64; the seven results are added up and put
    through it once more, all modulo 2**64.
    """
    cdef const int8_t *byte = board.row[0]
    cdef uint64_t total = 0
    cdef int i
    for i in range(6):
        total += mixed(word_of(byte + 8 * i, 8) + golden(i + 1))
    return mixed(total + mixed(word_of(byte + 48, 4) + golden(7)))


cdef inline void to_gnubg(const Board *board, unsigned int *tan_board) noexcept nogil:
    """Write GNU Backgammon's board, its TanBoard of 2 rows of 25: the opponent's checkers, then those of the player to move.

    In each row 0 is that side's ace point, 23 its 24 point, 24 the bar. What is borne off it does not tell.
    """
    cdef int slot
    for slot in range(OFF):
        tan_board[LAST - slot] = board.row[1][slot]
        tan_board[OFF + LAST - slot] = board.row[0][slot]


cdef inline void from_gnubg(const unsigned int *tan_board, const Rules *rules, Board *board) noexcept nogil:
    """The board that `to_gnubg` writes so; what is missing of the rules' checkers is borne off. It may need a look by `fault`."""
    cdef int row, slot, count
    for row in range(2):
        board.row[row][OFF] = rules.checkers
        for slot in range(OFF):
            count = <int>min(tan_board[(1 - row) * OFF + LAST - slot], 16)     # of which `fault` complains
            board.row[row][slot] = count
            board.row[row][OFF] = max(board.row[row][OFF] - count, -1)
