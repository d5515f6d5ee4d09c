"""A game that is played a step at a time."""

from libc.stdint cimport int8_t, uint32_t

from nardy_fast.core._core cimport Board, Pending, Play
from nardy_fast.core._dice cimport Dice


cdef enum Phase:            # what a table waits for
    THROW                   # dice
    STEP                    # a step, or a pass
    CHOICE                  # the double that a 1-2 gives in Acey-Deucey
    OVER

cdef enum Special:          # Acey-Deucey: which part of a 1-2 this is
    NOTHING
    ONE_TWO                 # the dice themselves
    CHOOSING
    CHOSEN                  # the double that was chosen

cdef enum Way:              # how the legal steps of this turn are found
    FREE_ORDER              # of a double each step that is possible is legal
    PAIRED                  # the second die after any first step
    SEARCHED                # by trying all ways to go on
    ASKED                   # by asking the core about each step

cdef struct Table:
    Board start             # at the turn's start: row 0 who plays, or throws
    Board now               # after the steps so far, the same player in row 0
    Pending queue           # by rules with stages: from the one being played on
    Play play               # the steps so far
    Dice dice
    int8_t turn             # who plays: 0 White, 1 Black
    int8_t phase            # Phase
    int8_t special          # Special
    int8_t is_throw         # whether the dice were thrown just now: no stage that was pending
    int8_t high             # of the throw
    int8_t low
    int8_t left[6]          # the dice still to be played, the larger first
    int8_t dice_left
    int8_t way              # Way
    int8_t from_head        # steps of this turn that have left the head
    int8_t opening          # whether the first throw is still to come
    int8_t seat             # the agent's colour, or -1 where it plays both
    int8_t by_lot           # whether each game draws the seat
    int8_t given[64]        # throws to come that were given: two dice each
    int8_t throws_given
    int8_t actor            # who acted last
    int8_t broken           # whether the game ended with an action that may not be played
    int8_t scored           # when it is over: White's points
    int total               # the greatest total of dice of this turn
    int used                # how much of it has been played
    uint32_t sends          # dice by which a checker can be sent now, as a set
    uint32_t legal[7]       # for each die: slots from which a checker can step by it now
