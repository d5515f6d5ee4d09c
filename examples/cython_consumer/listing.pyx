"""All boards that many rolls lead to, each list handed to code of your own, without the GIL."""

from libc.stdint cimport int8_t, int64_t

from nardy_fast.core cimport MAX_PLAYS, Board, PlaySet, Rules, check_abi, compiled, generate_to_list, write_boards

check_abi()


def look_at_all(const int8_t[:, :, ::1] boards, const int8_t[:, ::1] dice, rules="long"):
    """List the boards after every play of each row, int8[n, 2, 26] and int8[n, 2]; return how many there were.

    The boards must be good ones of games that are not over.
    """
    cdef Rules compiled_rules = compiled(rules).rules
    cdef Board after[MAX_PLAYS]
    cdef PlaySet play_set
    cdef const Board *board
    cdef int64_t total = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(boards.shape[0]):
            board = <const Board *>&boards[i, 0, 0]
            generate_to_list(board, &compiled_rules, max(dice[i, 0], dice[i, 1]), min(dice[i, 0], dice[i, 1]), &play_set)
            write_boards(&play_set, board, &compiled_rules, after)
            total += look_at(after, play_set.count)
    return total


cdef int look_at(const Board *after, int count) noexcept nogil:
    """Here a player would value the boards, the player who moved in row 0 of each; this one counts them."""
    return count
