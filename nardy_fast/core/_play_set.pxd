"""The plays of a roll or a stage, in the form in which they were found."""

from libc.stdint cimport uint32_t

from nardy_fast.core._doubles cimport Multisets
from nardy_fast.core._homing cimport Homing
from nardy_fast.core._mixed cimport Pairs
from nardy_fast.core._queue cimport Stage
from nardy_fast.core._track cimport Board, Play, Rules


cdef enum:                  # how a play set tells its plays
    PAIRS
    HOMING
    MULTISETS
    PLAYS
    WALKED                  # more than there is room for, so that they are found again when they are asked for

cdef struct PlaySet:        # what one roll or stage allows
    int count               # distinct afterstates: at least 1, since a pass is one
    int kind                # which of these holds the plays
    Pairs pairs
    Homing homing
    Multisets multisets
    Play plays[3060]        # MAX_PLAYS
    # What is needed to find the plays again, where they are WALKED.
    Board board
    const Rules *rules
    Stage stage
    int head_limit
    int sending
    uint32_t forbidden_blocks
