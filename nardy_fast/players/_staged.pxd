"""Judgement in the stage variants, whose throws are played in stages, some of them by the opponent (rulebook, section 3).

A network knows boards before a throw. A board before a stage is worth what its best play is worth, and that, where more stages
follow, what the best play of the next one is. So the queue is looked through to its end. Only `new_levels` allocates memory.
"""

from nardy_fast.core._core cimport Board, Pending, Play, PlaySet, Rules
from nardy_fast.players._network cimport Base, Net

cdef enum:
    MAX_DEPTH = 16          # stages that one throw can come to: six of the thrower's, and what each of them leaves over
    THOROUGH = 2            # queues up to so many stages are looked through in full
    WIDTH = 2               # of longer ones so many plays of each stage but the last: those that look best at once

cdef struct Level:          # one stage that is looked at
    PlaySet play_set
    Base base
    float chances[32]       # after the best play
    Play *plays             # of the stage
    Board *after            # the player who moved still in row 0
    float *values           # of each play, in the points of who makes it

cdef struct Levels:         # what one thread needs; 11 MB, of which only the plays that are listed are ever touched
    Level at[16]

cdef Levels *new_levels() except NULL nogil
cdef Levels *levels_or_null() noexcept nogil        # the same without an exception
cdef void free_levels(Levels *levels) noexcept nogil

# List the plays of the queue's first stage in a level, and return how many they are.
cdef int list_plays(const Board *board, const Rules *rules, const Pending *queue, Level *level) noexcept nogil

# The same, and the number of the best one for who plays the stage; level 0 then has what each is worth. Of equal ones the
# smallest board. `is_throw`: whether the stage was thrown just now. `hasty`: look at WIDTH plays of each stage but the last.
cdef int best_stage_play(
    const Net *net, const Board *board, const Rules *rules, const Pending *queue, int is_throw, int hasty, Levels *levels
) noexcept nogil

# The chance of each result for who plays the first stage of what is pending, to chances[0..31]; their mean.
cdef float judge_pending(
    const Net *net, const Board *board, const Rules *rules, const Pending *queue, Levels *levels, float *chances
) noexcept nogil
