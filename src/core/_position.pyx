# cython: nonecheck=True
"""Position, Play and perft: thin objects over the native core, twins of those in nardy_fast.reference.

A class's docstring begins with its signature, which Python takes out of it for `inspect` and `help`.
"""

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int8_t, uint32_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy

from nardy_fast.core._bits cimport bit, lowest
from nardy_fast.core._core cimport (
    BAR, HEAD, LAST, MAX_PLAYS, MULTISETS, OFF, PAIRS, SLOTS, WALKED, Fault, PartialTurn, PlaySet, Stage,
    cleared, count, expand, fault, generate_stage, generate_to_list, greatest_total, is_over, list_into, move, play_step, refusal,
    start_board, start_stage, why_not, write_boards,
)
from nardy_fast.core._measures cimport in_contact, pips
from nardy_fast.core._mixed cimport put_pair_in_order
from nardy_fast.core._queue cimport dice_of_stage, follow_stage, left_over, stages_of
from nardy_fast.core._rules cimport compiled
from nardy_fast.core._track cimport landing

import numpy as np

from nardy_fast.text import notation
from nardy_fast.text import pictures
from nardy_fast.arguments import as_board, as_dice, as_given_steps, as_turn, short_repr
from nardy_fast.positions import Pending as PendingStages
from nardy_fast.positions import as_stage_dice, check_pending
from nardy_fast.reasons import Reason, fault_text


cdef struct Candidate:      # a play and where it leads, the player who moved still in row 0
    Board after
    PlayStruct play


cdef int by_afterstate(const void *a, const void *b) noexcept nogil:
    """Row 0, then row 1, slots ascending; no count is negative, so bytes compare as counts do."""
    return memcmp(a, b, sizeof(Board))


cdef int read_dice(object dice, int *high, int *low) except -1:
    """Two dice in either order; raises as `as_dice` does."""
    if not (type(dice) is tuple and len(<tuple>dice) == 2 and type((<tuple>dice)[0]) is int and type((<tuple>dice)[1]) is int):
        dice = as_dice(dice)
    if not (1 <= (<tuple>dice)[0] <= 6 and 1 <= (<tuple>dice)[1] <= 6):
        as_dice(dice)
    high[0] = (<tuple>dice)[0]
    low[0] = (<tuple>dice)[1]
    if high[0] < low[0]:
        high[0], low[0] = low[0], high[0]
    return 0


cdef Position new_position(const Board *board, int turn, CompiledRules compiled_rules):
    """A Position on a board known to be good."""
    cdef Position pos = Position.__new__(Position)
    pos._board = board[0]
    pos._turn = turn
    pos._compiled = compiled_rules
    return pos


cdef tuple step_tuple(const PlayStruct *play):
    """The steps as ((from, to, die), ...)."""
    cdef int i
    return tuple([
        (
            play.source[i],
            OFF - play.die[i] if play.sends >> i & 1 else landing(play.source[i], play.die[i]),
            play.die[i],
        )
        for i in range(play.steps)
    ])


cdef tuple dice_tuple(const Stage *stage):
    """The dice of a stage, the larger first."""
    cdef int8_t dice[6]
    cdef int i
    return tuple([dice[i] for i in range(dice_of_stage(stage, dice))])


cdef bytes pending_bytes(const Pending *pending):
    return PyBytes_FromStringAndSize(<const char *>pending, sizeof(Pending))


cdef Pending queue_of(Position pos, const Asked *asked) noexcept nogil:
    """The stage that is played, and those after it."""
    cdef Pending queue
    if not asked.is_throw:
        return pos._pending
    stages_of(&pos._compiled.rules, pos._turn, asked.high, asked.low, &queue)
    return queue


cdef void generate_asked(Position pos, const Asked *asked, PlaySet *play_set) noexcept nogil:
    """The plays of the first stage."""
    cdef Pending queue
    if pos._compiled.rules.staged:
        queue = queue_of(pos, asked)
        generate_stage(&pos._board, &pos._compiled.rules, &queue, play_set)
    else:
        generate_to_list(&pos._board, &pos._compiled.rules, asked.high, asked.low, play_set)


cdef int list_candidates(Position pos, PlaySet *play_set, bint pairs, Candidate *candidates) except -1:
    """Fill in all plays of the set and where they lead, `pairs` in their smallest order."""
    cdef int i
    cdef PlayStruct *plays = play_set.plays
    if play_set.kind == WALKED:
        plays = <PlayStruct *>PyMem_Malloc(play_set.count * sizeof(PlayStruct))
        if plays == NULL:
            raise MemoryError
        list_into(play_set, plays)
    else:
        expand(play_set)
    for i in range(play_set.count):
        if pairs:
            put_pair_in_order(&play_set.pairs, &plays[i])
        candidates[i].after = pos._board
        candidates[i].play = plays[i]
        move(&candidates[i].after, &pos._compiled.rules, &plays[i])
    if plays != play_set.plays:
        PyMem_Free(plays)
    return 0


# What these hold never refers back to them, so the collector of cycles need not look at them: lists of plays are long.
@cython.no_gc
@cython.freelist(64)
cdef class Position:
    """Position(board, turn=0, rules='long', pending=None)\n--\n\nA board, who moves, and by which rules (rulebook, section 0).

    `board` is anything like an integer array of shape (2, 26): row 0 is the player to move, row 1 the opponent, and column `s` of
    a row counts that side's checkers in slot `s` of its own track: 0 waiting, 1..24 the points, 25 borne off. `turn` is the
    colour of the player to move: 0 White, 1 Black. `rules` is a `Ruleset` or the name of a preset. `pending` is what is still to
    be played of the last throw (rulebook, section 3), None where a throw is due.

    A position never changes. It can be hashed, compared, copied and pickled; two are equal when board, turn, rules and what is
    pending are. Its `str` is its text in printed points, which `parse` reads.

    Raises `TypeError` for a board whose values are not integers, for rules that are neither a `Ruleset` nor a name, and for
    `pending` that is neither a `Pending` nor None.
    Raises `ValueError` for a board of another shape, for an unknown turn or name of rules, and for a board that cannot arise:
    a slot with a count outside 0..15, a side with more or fewer checkers than the rules give it, a point held by both, more
    checkers on a point than the stack limit; on parallel roads also a checker in slot 0, a checker borne off while another
    stands outside the home, and an illegal block of six; and both sides cleared, unless the rules have a last roll. Raises
    `ValueError` also for stages that the rules cannot leave pending, for ones of which `turn` does not play the first, for more
    steps from a head than it has lost checkers, and for anything pending when the game is over.
    """

    def __init__(self, board, turn=0, rules="long", pending=None):
        cdef bytes cells, row
        cdef Fault found
        cdef CompiledRules compiled_rules
        if self._compiled is not None:
            raise AttributeError("a Position cannot be changed")
        cells = as_board(board).tobytes()
        turn = as_turn(turn)
        compiled_rules = compiled(rules)
        memcpy(&self._board, <const char *>cells, sizeof(Board))
        self._turn = turn
        if fault(&self._board, &compiled_rules.rules, &found):
            raise ValueError(fault_text(
                found.kind, row=found.row, slot=found.slot, value=found.value,
                checkers=compiled_rules.rules.checkers, limit=compiled_rules.ruleset.stack_limit,
            ))
        if pending is not None:
            check_pending(pending, as_board(board), turn, compiled_rules.ruleset)
            if is_over(&self._board, &compiled_rules.rules, turn):
                raise ValueError("pending: the game is over, and nothing is played any more")
            row = pending.to_row().tobytes()
            memcpy(&self._pending, <const char *>row, sizeof(Pending))
        self._compiled = compiled_rules

    @classmethod
    def start(cls, rules="long", turn=0):
        """The position before the first turn, with the player of colour `turn` (0 White, 1 Black) to move.

        Raises what `Position` raises for `rules` and `turn`.
        """
        cdef CompiledRules compiled_rules = compiled(rules)
        cdef Board board
        start_board(&compiled_rules.rules, &board)
        return new_position(&board, as_turn(turn), compiled_rules)

    @classmethod
    def parse(cls, text, rules="long", *, numbering="federation"):
        """The position that `text` writes: ``WHITE BLACK SIDE``, as in ``24:13,18:2 12:15 b``.

        Each side is ``point:count`` joined by commas, in printed points (rulebook, section 0), ``bar:1`` for slot 0, ``-`` for
        nothing on the board; the side to move is ``w`` or ``b``. Checkers that are missing are borne off. What is pending is a
        fourth word, as in ``w444*,b5555,b6666:0/1``: each stage as its player, its dice and ``*`` if they are carried; after the
        colon the steps that White and Black have made from their heads in this throw.
        `numbering`: ``federation``, ``arena`` or ``own``, as for `notation`; capitals are read as small letters.
        Raises `ValueError` naming the part that cannot be read, dice after the position among them, and what `Position` raises.
        """
        return notation.parsed(text, compiled(rules).ruleset, cls, numbering)

    @property
    def board(self):
        """The checkers, a read-only int8 array of shape (2, 26): row 0 the player to move, row 1 the opponent."""
        cells = PyBytes_FromStringAndSize(<const char *>&self._board, sizeof(Board))
        return np.frombuffer(cells, dtype=np.int8).reshape(2, SLOTS)

    @property
    def turn(self):
        """The colour of the player to move: 0 White, 1 Black."""
        return self._turn

    @property
    def rules(self):
        """The rules of the game."""
        return self._compiled.ruleset

    @property
    def pending(self):
        """What is still to be played of the last throw, the first stage by the player to move; None where a throw is due."""
        return PendingStages.from_row(np.frombuffer(pending_bytes(&self._pending), dtype=np.int8))

    @property
    def pips(self):
        """The pips that the mover and the opponent have to go: 25 - `s` for each checker in slot `s` (rulebook, section 4)."""
        return pips(self._board.row[0]), pips(self._board.row[1])

    @property
    def is_over(self):
        """Whether the game has ended: a side has borne off all its checkers (rulebook, section 1, End).

        When the rules have a last roll, White has cleared, Black has not and it is Black's move, his last roll is still due. By
        rules with a ``dead_draw`` it ends as well where neither side can ever move again (rulebook, section 3).
        """
        return is_over(&self._board, &self._compiled.rules, self._turn) != 0

    @property
    def winner(self):
        """The colour that has won, 0 White or 1 Black; None while the game is not over, and for a draw.

        The first to clear wins, or with ``goal = "keep"`` loses. It is a draw if both have cleared, which takes a last roll, or
        if neither can ever move again.
        """
        cdef bint mover = cleared(&self._board, &self._compiled.rules, 0)
        cdef bint opponent = cleared(&self._board, &self._compiled.rules, 1)
        if mover == opponent or not is_over(&self._board, &self._compiled.rules, self._turn):
            return None
        return self._turn if mover != self._compiled.rules.keep else 1 - self._turn

    @property
    def is_contact(self):
        """Whether some checker of one side may still meet one of the other (rulebook, section 4)."""
        return in_contact(&self._board, &self._compiled.rules) != 0

    cdef int ask(self, object dice, Asked *asked) except -1:
        """What dice are asked about: a throw's, or those of the stage that is pending."""
        if self._pending.count:
            if dice is not None:
                as_stage_dice(dice, self.pending)
            asked.is_throw = 0
            return 0
        read_dice(dice, &asked.high, &asked.low)
        asked.is_throw = 1
        return 0

    def is_forced(self, dice=None):
        """Whether these two dice, or the pending stage, leave at most one afterstate, a pass included (rulebook, section 4).

        Raises what `plays` raises.
        """
        return self.count_plays(dice) <= 1

    def plays(self, dice=None):
        """One `Play` for each distinct afterstate of these two dice, in either order (rulebook, section 1, Obligation).

        Where a stage is pending it is that which is played, with no dice given or exactly its own; else it is the first stage of
        the throw. They are sorted by afterstate, the mover's row first and slots 0..25 ascending. Each is the smallest, by (from,
        to, die), of the sequences of steps of greatest total that reach its afterstate. A pass is one play with no steps. A
        finished position has no plays.
        Raises `TypeError` or `ValueError` for dice that are not two integers 1..6, or not those of the pending stage.
        """
        cdef int i
        cdef bint in_order, pairs
        cdef Asked asked
        cdef PlaySet play_set
        cdef Candidate here[MAX_PLAYS]
        cdef Candidate *candidates = here
        cdef Play play
        self.ask(dice, &asked)
        if is_over(&self._board, &self._compiled.rules, self._turn):
            return []
        generate_asked(self, &asked, &play_set)
        # Multisets come in the smallest order, pairs are put so; others are put in order when somebody asks.
        pairs = play_set.kind == PAIRS
        in_order = pairs or play_set.kind == MULTISETS
        if play_set.count > MAX_PLAYS:
            candidates = <Candidate *>PyMem_Malloc(play_set.count * sizeof(Candidate))
            if candidates == NULL:
                raise MemoryError
        try:
            list_candidates(self, &play_set, pairs, candidates)
            qsort(candidates, play_set.count, sizeof(Candidate), by_afterstate)
            result = []
            for i in range(play_set.count):
                play = Play.__new__(Play)
                play._position = self
                play._asked = asked
                play._play = candidates[i].play
                play._in_order = in_order
                play._after = candidates[i].after
                result.append(play)
        finally:
            if candidates != here:
                PyMem_Free(candidates)
        return result

    def afterstates(self, dice=None):
        """The boards after each of `plays`, in their order: a fresh int8 array of shape (k, 2, 26), who plays still in row 0.

        Much faster than to ask each play for its afterstate. A pass leaves the board as it is; where the game is over k is 0.
        Raises what `plays` raises.
        """
        cdef Asked asked
        cdef PlaySet play_set
        cdef Board *after
        self.ask(dice, &asked)
        play_set.count = 0
        if not is_over(&self._board, &self._compiled.rules, self._turn):
            generate_asked(self, &asked, &play_set)
        cells = PyByteArray_FromStringAndSize(NULL, play_set.count * sizeof(Board))
        if play_set.count:
            after = <Board *>PyByteArray_AS_STRING(cells)
            write_boards(&play_set, &self._board, &self._compiled.rules, after)
            qsort(after, play_set.count, sizeof(Board), by_afterstate)
        return np.ndarray((play_set.count, 2, SLOTS), np.int8, cells)

    def count_plays(self, dice=None):
        """How many distinct afterstates these two dice, or the pending stage, can lead to: 1 for a pass, 0 when the game is over.

        Raises what `plays` raises.
        """
        cdef int high, low
        if self._compiled.rules.staged:
            return self.count_stage(dice)
        read_dice(dice, &high, &low)
        if is_over(&self._board, &self._compiled.rules, self._turn):
            return 0
        return count(&self._board, &self._compiled.rules, high, low)

    cdef int count_stage(self, object dice) except -1:
        """`count_plays` where a throw is played in stages."""
        cdef Asked asked
        cdef PlaySet play_set
        self.ask(dice, &asked)
        if is_over(&self._board, &self._compiled.rules, self._turn):
            return 0
        generate_asked(self, &asked, &play_set)
        return play_set.count

    def apply(self, play):
        """The position after `play`: with the next stage pending, or with a throw due, which is mostly the other player's.

        Any play is accepted whose steps, in their order, are a legal play of its dice here, listed by `plays` or not.
        Raises `TypeError` for anything but a `Play`, and `ValueError` for one that is not legal here, with the first step that
        is wrong and the reason.
        """
        cdef Board after
        cdef Play own
        cdef Position result
        cdef int turn
        cdef Pending queue
        if not isinstance(play, Play):
            raise TypeError(f"play = {short_repr(play)}: expected a Play")
        own = play
        if own._position is not self and own._position != self:
            own = Play(self, own.dice, own.steps)
        memcpy(after.row[0], own._after.row[1], SLOTS)
        memcpy(after.row[1], own._after.row[0], SLOTS)
        turn = 1 - self._turn
        if self._compiled.rules.staged and not is_over(&after, &self._compiled.rules, turn):
            queue = queue_of(self, &own._asked)
            turn = follow_stage(&self._compiled.rules, &queue, &own._play, own._asked.is_throw)
            result = new_position(&after if turn != self._turn else &own._after, turn, self._compiled)
            result._pending = queue
            return result
        return new_position(&after, turn, self._compiled)

    def parse_play(self, text, dice=None, *, numbering="federation"):
        """The play of these two dice, or of the pending stage, that `text` writes in the mover's printed points.

        It is written as in ``24/18 13/7(2)`` or ``pass``. Raises `ValueError` naming the part that cannot be read, or the first
        step that is not legal and why.
        """
        return notation.parse_play(self, text, dice, numbering)

    def next_steps(self, dice=None, played=()):
        """The steps (from, die) with which some legal play goes on, sorted; from a slot 0..24 of the mover's track.

        By rules with sends, which (from, die) does not tell from ordinary steps, they are (from, to, die).

        `dice` are the two dice of the roll, or None for the stage that is pending; `played` the steps of this turn made so far,
        as (from, die) or (from, to, die). There is nothing to go on with when the play is complete, when it is a pass and when
        the game is over.
        Raises `TypeError` or `ValueError` for dice that `plays` refuses and for steps that are not such integers, and
        `ValueError` when no legal play begins with `played`, with the first step that is wrong and the reason.
        """
        cdef PartialTurn partial
        cdef int total, source, die, i
        cdef list found = []
        cdef Next next_step[7]
        made = as_given_steps(played, self._compiled.ruleset)
        if not follow(self, dice, made, f"played = {short_repr(played)}: ", &partial, &total):
            return ()
        for source in range(OFF):
            for i in range(next_of(&partial, source, next_step)):
                die = next_step[i].die
                if why_not(&partial, source, die, next_step[i].is_send, total):
                    continue
                if self._compiled.rules.send:
                    found.append((source, OFF - die if next_step[i].is_send else landing(source, die), die))
                else:
                    found.append((source, die))
        return tuple(found)

    def why_not(self, dice, step, played=()):
        """Why `step`, (from, die) or (from, to, die), cannot be played after `played`; None if it is one of `next_steps`.

        Where several reasons hold, the first in the order of `Reason` is told. Raises what `next_steps` raises, and `ValueError`
        for a (from, die) that both a send and an ordinary step could be.
        """
        cdef PartialTurn partial
        cdef int total, source, die, is_send, reason
        given = as_given_steps((step,), self._compiled.ruleset)[0]
        made = as_given_steps(played, self._compiled.ruleset)
        if not follow(self, dice, made, f"played = {short_repr(played)}: ", &partial, &total):
            return Reason.GAME_OVER
        is_send = read_step(given, &partial, total, "", &source, &die)
        reason = why_not(&partial, source, die, is_send, total)
        return Reason(reason) if reason else None

    def notation(self, numbering="federation"):
        """The text of `str`, its points numbered otherwise: ``federation``, ``arena`` or ``own`` (rulebook, section 0)."""
        return notation.format_position(self.board, self._turn, self._compiled.ruleset.road, self.pending, numbering)

    def text(self, dice=None, *, numbering="federation"):
        """The board drawn in plain characters, with the dice if they are given, and points numbered as for `notation`."""
        return pictures.text(self, dice, numbering)

    def svg(self, play=None, dice=None, *, numbering="federation"):
        """The board drawn as SVG, with arrows for the steps of `play` and with the dice, if they are given."""
        return pictures.svg(self, play, dice, numbering)

    def _repr_svg_(self):
        """The drawing that notebooks show."""
        return self.svg()

    def __eq__(self, other):
        cdef Position that
        if not isinstance(other, Position):
            return NotImplemented
        that = other
        return (
            self._turn == that._turn
            and memcmp(&self._board, &that._board, sizeof(Board)) == 0
            and memcmp(&self._pending, &that._pending, sizeof(Pending)) == 0
            and (self._compiled is that._compiled or self._compiled.ruleset == that._compiled.ruleset)
        )

    def __hash__(self):
        cells = PyBytes_FromStringAndSize(<const char *>&self._board, sizeof(Board))
        if self._pending.count:
            cells += pending_bytes(&self._pending)
        return hash((cells, self._turn, self._compiled.hash))

    def __str__(self):
        return notation.format_position(self.board, self._turn, self._compiled.ruleset.road, self.pending)

    def __repr__(self):
        return f"Position.parse({str(self)!r}, {self._compiled.ruleset.name!r})"

    def __reduce__(self):
        return Position, (self.board, self._turn, self._compiled.ruleset, self.pending)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


cdef bint follow(Position pos, object dice, tuple steps, str complaint, PartialTurn *partial, int *total) except? False:
    """Fill the turn after these steps, and the greatest total of the turn.

    False where the game is over; `ValueError` where no legal play begins so.
    """
    cdef int source, die, is_send, reason
    cdef Pending queue
    cdef Asked asked
    pos.ask(dice, &asked)
    queue = queue_of(pos, &asked)
    if is_over(&pos._board, &pos._compiled.rules, pos._turn):
        if steps:
            raise ValueError(f"{complaint}step 1: {Reason.GAME_OVER.sentence}")
        return False
    start_stage(&pos._board, &pos._compiled.rules, &queue, partial)
    total[0] = greatest_total(partial)
    for number, made in enumerate(steps, 1):
        is_send = read_step(made, partial, total[0], f"{complaint}step {number}: ", &source, &die)
        reason = why_not(partial, source, die, is_send, total[0])
        if reason:
            raise ValueError(f"{complaint}step {number}: {Reason(reason).sentence}")
        play_step(partial, source, die, is_send)
    return True


cdef int read_step(tuple step, const PartialTurn *partial, int total, str complaint, int *source, int *die) except -1:
    """A step (from, to or None, die) of any integers: a slot that no track has becomes -1, a die that no throw has 0.

    Returns whether it is a send; raises `ValueError` where it could be one and could be none.
    """
    cdef bint may_send
    source[0] = step[0] if BAR <= step[0] <= LAST else -1
    die[0] = step[2] if 1 <= step[2] <= 6 else 0
    if source[0] != HEAD or not die[0] or not partial.turn.rules.send:
        return 0
    if step[1] is not None:
        return step[1] == OFF - die[0]
    may_send = not why_not(partial, HEAD, die[0], 1, total)
    if may_send and not why_not(partial, HEAD, die[0], 0, total):
        ordinary, send = (HEAD, HEAD + die[0], die[0]), (HEAD, OFF - die[0], die[0])
        raise ValueError(f"{complaint}{(HEAD, die[0])} is ambiguous: {ordinary} or {send}")
    return may_send


cdef struct Next:           # a step from a slot
    int die
    int is_send


cdef int next_of(const PartialTurn *partial, int source, Next *found) noexcept nogil:
    """The steps that the dice at hand could make from the slot, by where they end and then by the die; return how many."""
    cdef int n = 0, i
    cdef const int8_t *dice = &partial.dice[0]
    for i in range(partial.dice_left - 1, -1, -1):
        if i == partial.dice_left - 1 or dice[i] != dice[i + 1]:
            found[n].die = dice[i]
            found[n].is_send = 0
            n += 1
    for i in range(partial.dice_left):
        if source == HEAD and partial.sending >> dice[i] & 1 and (i == 0 or dice[i] != dice[i - 1]):
            found[n].die = dice[i]
            found[n].is_send = 1
            n += 1
    return n


@cython.no_gc
@cython.freelist(256)
cdef class Play:
    """Play(position, dice, steps)\n--\n\nAll the steps of one turn, or of one stage of it; a pass has none (rulebook, section 0).

    `position` is where it is played and `dice` the two dice, in either order; where a stage is pending, its dice or None. `steps`
    are the steps in the order they are made, each (from, die) or (from, to, die) in slots of the mover's track; `to` must be
    where the die leads.

    A play never changes. It can be hashed, compared, copied and pickled; two are equal when position, dice and steps are. Its
    `str` is in the mover's printed points, ``24/18 13/7(2)``, with ``*`` after a landing that hits; a pass is ``pass``.

    Raises `TypeError` for a position that is not a `Position` and for dice or steps that are not integers, and `ValueError` for
    a `to` to which the die does not lead, for a (from, die) that both a send and an ordinary step could be, and for steps that
    are not a legal play of the dice there, with the first step that is wrong and the reason, or because more can and so must be
    played, or because the game is over.
    """

    def __init__(self, position, dice, steps):
        cdef Position pos
        cdef PartialTurn partial, before
        cdef Pending queue
        cdef int total, source, die, is_send
        if self._position is not None:
            raise AttributeError("a Play cannot be changed")
        if not isinstance(position, Position):
            raise TypeError(f"position = {short_repr(position)}: expected a Position")
        pos = position
        steps = as_given_steps(steps, pos._compiled.ruleset)
        pos.ask(dice, &self._asked)
        if pos.is_over:
            raise ValueError(Reason.GAME_OVER.sentence)
        follow(pos, dice, steps, "", &partial, &total)
        if partial.total < total and partial.state.row[OFF] != pos._compiled.rules.checkers:
            raise ValueError("steps: the play is not complete")
        self._play.steps = 0
        self._play.sends = 0
        queue = queue_of(pos, &self._asked)
        start_stage(&pos._board, &pos._compiled.rules, &queue, &before)
        for made in steps:
            is_send = read_step(made, &before, total, "", &source, &die)
            play_step(&before, source, die, is_send)
            self._play.source[self._play.steps] = source
            self._play.die[self._play.steps] = die
            self._play.sends |= is_send << self._play.steps
            self._play.steps += 1
        self._after = pos._board
        move(&self._after, &pos._compiled.rules, &self._play)
        self._in_order = True
        self._position = pos

    @property
    def position(self):
        """The position in which it is played."""
        return self._position

    @property
    def dice(self):
        """The two dice of the throw, the larger first; where a stage was pending, its dice."""
        return (self._asked.high, self._asked.low) if self._asked.is_throw else self.stage

    @property
    def stage(self):
        """The dice of the stage that is played, the larger first; in most games both, or four of a double."""
        cdef Pending queue = queue_of(self._position, &self._asked)
        return dice_tuple(&queue.stage[0])

    @property
    def left(self):
        """The dice of the stage that are left over, the larger first."""
        cdef Pending queue = queue_of(self._position, &self._asked)
        cdef Stage left = left_over(&queue.stage[0], &self._play)
        return dice_tuple(&left)

    @property
    def steps(self):
        """The steps (from, to, die) in their order, in slots of the mover's track; `to` is 25 for a checker borne off."""
        if not self._in_order:
            put_in_smallest_order(self)
            self._in_order = True
        return step_tuple(&self._play)

    @property
    def afterstate(self):
        """The position after the play, as `Position.apply` gives it."""
        return self._position.apply(self)

    def __eq__(self, other):
        if not isinstance(other, Play):
            return NotImplemented
        return self.dice == other.dice and self.steps == other.steps and self.position == other.position

    def __hash__(self):
        return hash((self._position, self.dice, self.steps))

    def notation(self, numbering="federation"):
        """The text of `str`, its points numbered otherwise: ``federation``, ``arena`` or ``own`` (rulebook, section 0)."""
        road = self._position._compiled.ruleset.road
        steps = self.steps
        hits = notation.hit_slots(self._position.board, steps, road)
        return notation.format_play(steps, self._position._turn, road, hits, numbering)

    def __str__(self):
        return self.notation()

    def __repr__(self):
        return f"Play({self._position!r}, {self.dice!r}, {self.steps!r})"

    def __reduce__(self):
        return Play, (self._position, self.dice, self.steps)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


cdef void put_in_smallest_order(Play play):
    """Replace the steps by the smallest sequence of (from, to, die), as long and legal, that reaches the same afterstate."""
    cdef PartialTurn partial
    cdef PlayStruct found
    cdef Pending queue = queue_of(play._position, &play._asked)
    cdef const Stage *stage = &queue.stage[0]
    cdef uint32_t candidates = 0
    cdef int i, total = 0, rear = OFF
    for i in range(play._play.steps):
        candidates |= bit(play._play.source[i])
        total += play._play.die[i]
        rear = min(rear, play._play.source[i])
    if play._play.steps and stage.second:
        # Where one checker runs, it may also do so over the landing of the other die.
        candidates |= bit(rear + stage.die) | bit(rear + stage.second)
    found.steps = 0
    found.sends = 0
    start_stage(&play._position._board, &play._position._compiled.rules, &queue, &partial)
    if smallest(play, &partial, candidates, total, &found):
        play._play = found


cdef bint smallest(Play play, const PartialTurn *partial, uint32_t candidates, int total, PlayStruct *found):
    """Go on with `found`, which led here, to the smallest sequence of that total with the play's afterstate."""
    cdef PartialTurn after
    cdef Board board
    cdef Next next_step[7]
    cdef uint32_t left = candidates
    cdef int source, i
    if partial.total == total:
        board = play._position._board
        move(&board, &play._position._compiled.rules, found)
        return by_afterstate(&board, &play._after) == 0
    while left:
        source = lowest(left)
        left &= left - 1
        for i in range(next_of(partial, source, next_step)):
            if refusal(partial, source, next_step[i].die, next_step[i].is_send):
                continue
            after = partial[0]
            play_step(&after, source, next_step[i].die, next_step[i].is_send)
            found.source[found.steps] = source
            found.die[found.steps] = next_step[i].die
            found.sends &= ~(1 << found.steps)
            found.sends |= next_step[i].is_send << found.steps
            found.steps += 1
            if smallest(play, &after, candidates, total, found):
                return True
            found.steps -= 1
    return False


def parse_position(text, rules="long"):
    """The position that a line of a suite writes, and the dice that follow it, the larger first, or None.

    The text is that of `Position.parse`; dice as in ``6-5`` may come after it, and ``#`` starts a comment. Raises what
    `Position.parse` raises, but for dice.
    """
    return notation.parse_position(text, rules, Position)
