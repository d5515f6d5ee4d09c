"""The plays of any stage: any number of equal dice, sends, homes that are frozen. For the games that need it."""

from libc.stdint cimport int8_t, uint32_t

from nardy_fast.core._play_set cimport PlaySet
from nardy_fast.core._queue cimport Stage
from nardy_fast.core._track cimport Board, MoverState, Play, Turn

# Find out what the stage allows, into `found`; return found.count. The turn has the head_limit of the stage; `sending` are the
# dice that may be sends, as a set.
cdef int stage_plays(Turn *turn, const Stage *stage, int sending, bint to_list, PlaySet *found) noexcept nogil

# Of a play set whose plays are WALKED: the play with that number; all of them, to a room of found.count plays.
cdef void pick_walked(const PlaySet *found, int index, Play *play) noexcept nogil
cdef void list_walked(const PlaySet *found, Play *plays) noexcept nogil

# The boards after them, the player who moved still in row 0.
cdef void write_walked(const PlaySet *found, Board *after) noexcept nogil

# Whether a checker can be sent home by the die, which is the last one or not.
cdef int can_send(const Turn *turn, const MoverState *state, int die, int is_last) noexcept nogil
