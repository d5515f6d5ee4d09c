# cython: nonecheck=True
"""Position, Play and perft: thin objects over the native core, twins of those in nardy_fast.reference.

A class's docstring begins with its signature, which Python takes out of it for `inspect` and `help`.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, uint32_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy

from nardy_fast.core._bits cimport at_least, bit, lowest
from nardy_fast.core._core cimport (
    BAR, LAST, MAX_PLAYS, OFF, PAIRS, PLAYS, SLOTS, Fault, PartialTurn, PlaySet, cleared, count, expand, fault, generate_to_list,
    greatest_total, is_over, move, play_step, refusal, start_board, start_turn, why_not,
)
from nardy_fast.core._mixed cimport put_pair_in_order
from nardy_fast.core._rules cimport compiled
from nardy_fast.core._track cimport landing, opposite

import numpy as np

from nardy_fast.text import notation

from nardy_fast.text import pictures
from nardy_fast.arguments import as_board, as_dice, as_steps, as_turn, short_repr
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


cdef void read_step(tuple step, int *source, int *die):
    """A step (from, die) of any integers: a slot that no track has becomes -1, a die that no throw has 0."""
    source[0] = step[0] if BAR <= step[0] <= LAST else -1
    die[0] = step[1] if 1 <= step[1] <= 6 else 0


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
    return tuple([(play.source[i], landing(play.source[i], play.die[i]), play.die[i]) for i in range(play.steps)])


@cython.freelist(64)
cdef class Position:
    """Position(board, turn=0, rules='long')\n--\n\nWhere all checkers stand, who moves, and by which rules (rulebook, section 0).

    `board` is anything like an integer array of shape (2, 26): row 0 is the player to move, row 1 the opponent, and column `s` of
    a row counts that side's checkers in slot `s` of its own track: 0 waiting, 1..24 the points, 25 borne off. `turn` is the
    colour of the player to move: 0 White, 1 Black. `rules` is a `Ruleset` or the name of a preset.

    A position never changes. It can be hashed, compared, copied and pickled; two are equal when board, turn and rules are. Its
    `str` is its text in printed points, which `parse` reads.

    Raises `TypeError` for a board whose values are not integers and for rules that are neither a `Ruleset` nor a name.
    Raises `ValueError` for a board of another shape, for an unknown turn or name of rules, and for a board that cannot arise:
    a slot with a count outside 0..15, a side with more or fewer checkers than the rules give it, a point held by both, more
    checkers on a point than the stack limit; on parallel roads also a checker in slot 0, a checker borne off while another
    stands outside the home, and an illegal block of six; and both sides cleared, unless the rules have a last roll.
    """

    def __init__(self, board, turn=0, rules="long"):
        cdef bytes cells
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
        nothing on the board; the side to move is ``w`` or ``b``. Checkers that are missing are borne off.
        `numbering`: ``federation``, ``arena`` or ``own``, as for `notation`; capitals are read as small letters.
        Raises `ValueError` naming the part that cannot be read, dice after the position among them, and what `Position` raises.
        """
        board, turn, dice = notation.parse_position_text(text, rules, numbering)
        if dice is not None:
            raise ValueError(f"text = {short_repr(text)}: dice are not part of a position")
        return cls(board, turn, rules)

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
    def pips(self):
        """The pips that the mover and the opponent have to go: 25 - `s` for each checker in slot `s` (rulebook, section 4)."""
        return pips(self._board.row[0]), pips(self._board.row[1])

    @property
    def is_over(self):
        """Whether the game has ended: a side has borne off all its checkers (rulebook, section 1, End).

        When the rules have a last roll, White has cleared, Black has not and it is Black's move, his last roll is still due.
        """
        return is_over(&self._board, &self._compiled.rules, self._turn) != 0

    @property
    def winner(self):
        """The colour that has won, 0 White or 1 Black; None while the game is not over, and for a draw.

        The first to clear wins, or with ``goal = "keep"`` loses. Both have cleared only after a last roll: a draw.
        """
        cdef bint mover = cleared(&self._board, &self._compiled.rules, 0)
        cdef bint opponent = cleared(&self._board, &self._compiled.rules, 1)
        if mover == opponent or not is_over(&self._board, &self._compiled.rules, self._turn):
            return None
        return self._turn if mover != self._compiled.rules.keep else 1 - self._turn

    @property
    def is_contact(self):
        """Whether some checker of one side may still meet one of the other (rulebook, section 4)."""
        cdef int slot, his_slot, rear = rearmost(self._board.row[0]), his_rear = rearmost(self._board.row[1])
        if self._compiled.rules.contrary:
            return rear + his_rear < OFF
        for slot in range(1, OFF):
            his_slot = opposite(slot, &self._compiled.rules)
            if self._board.row[1][his_slot] and rear < slot or self._board.row[0][slot] and his_rear < his_slot:
                return True
        return False

    def is_forced(self, dice):
        """Whether these two dice leave no choice: at most one afterstate, a pass included (rulebook, section 4).

        Raises what `plays` raises.
        """
        return self.count_plays(dice) <= 1

    def plays(self, dice):
        """One `Play` for each distinct afterstate of these two dice, in either order (rulebook, section 1, Obligation).

        They are sorted by afterstate, the mover's row first and slots 0..25 ascending. Each is the smallest, by (from, die), of
        the legal sequences of steps that reach its afterstate. A pass is one play with no steps. A finished position has no
        plays.
        Raises `TypeError` or `ValueError` for dice that are not two integers 1..6.
        """
        cdef int high, low, i
        cdef bint in_order, pairs
        cdef PlaySet play_set
        cdef Candidate candidates[MAX_PLAYS]
        cdef Play play
        read_dice(dice, &high, &low)
        if is_over(&self._board, &self._compiled.rules, self._turn):
            return []
        generate_to_list(&self._board, &self._compiled.rules, high, low, &play_set)
        # Multisets come in the smallest order, pairs are put so; what was searched for is put in order when somebody asks.
        in_order = play_set.kind != PLAYS
        pairs = play_set.kind == PAIRS
        expand(&play_set)
        if pairs:
            for i in range(play_set.count):
                put_pair_in_order(&play_set.pairs, &play_set.plays[i])
        for i in range(play_set.count):
            candidates[i].after = self._board
            candidates[i].play = play_set.plays[i]
            move(&candidates[i].after, &self._compiled.rules, &play_set.plays[i])
        qsort(candidates, play_set.count, sizeof(Candidate), by_afterstate)
        cdef list result = []
        for i in range(play_set.count):
            play = Play.__new__(Play)
            play._position = self
            play._high = high
            play._low = low
            play._play = candidates[i].play
            play._in_order = in_order
            play._after = candidates[i].after
            result.append(play)
        return result

    def count_plays(self, dice):
        """How many distinct afterstates these two dice can lead to: 1 for a pass, 0 when the game is over.

        Raises what `plays` raises.
        """
        cdef int high, low
        read_dice(dice, &high, &low)
        if is_over(&self._board, &self._compiled.rules, self._turn):
            return 0
        return count(&self._board, &self._compiled.rules, high, low)

    def apply(self, play):
        """The position after `play`, with the other player to move.

        Any play is accepted whose steps, in their order, are a legal play of its dice here, listed by `plays` or not.
        Raises `TypeError` for anything but a `Play`, and `ValueError` for one that is not legal here, with the first step that
        is wrong and the reason.
        """
        cdef Board after
        cdef Play own
        if not isinstance(play, Play):
            raise TypeError(f"play = {short_repr(play)}: expected a Play")
        own = play
        if own._position is not self and own._position != self:
            own = Play(self, own.dice, own.steps)
        memcpy(after.row[0], own._after.row[1], SLOTS)
        memcpy(after.row[1], own._after.row[0], SLOTS)
        return new_position(&after, 1 - self._turn, self._compiled)

    def parse_play(self, text, dice, *, numbering="federation"):
        """The play of these two dice that `text` writes in the mover's printed points, as in ``24/18 13/7(2)`` or ``pass``.

        Raises `ValueError` naming the part that cannot be read, or the first step that is not legal and why.
        """
        return notation.parse_play(self, text, dice, numbering)

    def next_steps(self, dice, played=()):
        """The steps (from, die) with which some legal play goes on, sorted; from a slot 0..24 of the mover's track.

        `dice` are the two dice of the roll; `played` the steps of this turn made so far, as (from, die) or (from, to, die). There
        is nothing to go on with when the play is complete, when it is a pass and when the game is over.
        Raises `TypeError` or `ValueError` for dice that are not two integers 1..6 and for steps that are not integers, and
        `ValueError` when no legal play begins with `played`, with the first step that is wrong and the reason.
        """
        cdef PartialTurn partial
        cdef int total, source, die
        if not follow(self, dice, as_steps(played), f"played = {short_repr(played)}: ", &partial, &total):
            return ()
        return tuple([
            (source, die) for source in range(OFF) for die in range(1, 7) if not why_not(&partial, source, die, total)
        ])

    def why_not(self, dice, step, played=()):
        """Why `step`, (from, die) or (from, to, die), cannot be played after `played`; None if it is one of `next_steps`.

        Where several reasons hold, the first in the order of `Reason` is told. Raises what `next_steps` raises.
        """
        cdef PartialTurn partial
        cdef int total, source, die, reason
        if not follow(self, dice, as_steps(played), f"played = {short_repr(played)}: ", &partial, &total):
            return Reason.GAME_OVER
        read_step(as_steps((step,))[0], &source, &die)
        reason = why_not(&partial, source, die, total)
        return Reason(reason) if reason else None

    def notation(self, numbering="federation"):
        """The text of `str`, its points numbered otherwise: ``federation``, ``arena`` or ``own`` (rulebook, section 0)."""
        return notation.format_position(self.board, self._turn, self._compiled.ruleset.road, None, numbering)

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
            and (self._compiled is that._compiled or self._compiled.ruleset == that._compiled.ruleset)
        )

    def __hash__(self):
        return hash((PyBytes_FromStringAndSize(<const char *>&self._board, sizeof(Board)), self._turn, self._compiled.hash))

    def __str__(self):
        return self.notation()

    def __repr__(self):
        return f"Position.parse({str(self)!r}, {self._compiled.ruleset.name!r})"

    def __reduce__(self):
        return Position, (self.board, self._turn, self._compiled.ruleset)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


cdef bint follow(Position pos, object dice, object steps, str complaint, PartialTurn *partial, int *total) except? False:
    """Fill the partial turn after these steps, and the greatest total of the turn.

    False where the game is over; `ValueError` where no legal play begins so.
    """
    cdef int high, low, source, die, reason
    read_dice(dice, &high, &low)
    if is_over(&pos._board, &pos._compiled.rules, pos._turn):
        if steps:
            raise ValueError(f"{complaint}step 1: {Reason.GAME_OVER.sentence}")
        return False
    start_turn(&pos._board, &pos._compiled.rules, high, low, partial)
    total[0] = greatest_total(partial)
    for number, made in enumerate(steps, 1):
        read_step(made, &source, &die)
        reason = why_not(partial, source, die, total[0])
        if reason:
            raise ValueError(f"{complaint}step {number}: {Reason(reason).sentence}")
        play_step(partial, source, die)
    return True


cdef int rearmost(const int8_t *row) noexcept nogil:
    """The lowest slot that holds a checker."""
    return lowest(at_least(row, 1))


cdef int pips(const int8_t *row) noexcept nogil:
    """How far a side is from having borne off all."""
    cdef int slot, total = 0
    for slot in range(OFF):
        total += row[slot] * (OFF - slot)
    return total


@cython.freelist(256)
cdef class Play:
    """Play(position, dice, steps)\n--\n\nAll the steps of one turn; a pass has none (rulebook, section 0).

    `position` is where it is played and `dice` the two dice, in either order. `steps` are the steps in the order they are made,
    each (from, die) or (from, to, die) in slots of the mover's track; `to` must be where the die leads.

    A play never changes. It can be hashed, compared, copied and pickled; two are equal when position, dice and steps are. Its
    `str` is in the mover's printed points, ``24/18 13/7(2)``, with ``*`` after a landing that hits; a pass is ``pass``.

    Raises `TypeError` for a position that is not a `Position` and for dice or steps that are not integers, and `ValueError` for
    steps that are not a legal play of the dice there, with the first step that is wrong and the reason, or because more can and
    so must be played, or because the game is over.
    """

    def __init__(self, position, dice, steps):
        cdef Position pos
        cdef PartialTurn partial
        cdef int total
        if self._position is not None:
            raise AttributeError("a Play cannot be changed")
        if not isinstance(position, Position):
            raise TypeError(f"position = {short_repr(position)}: expected a Position")
        pos = position
        steps = as_steps(steps)
        read_dice(dice, &self._high, &self._low)
        if pos.is_over:
            raise ValueError(Reason.GAME_OVER.sentence)
        follow(pos, dice, steps, "", &partial, &total)
        if partial.total < total:
            raise ValueError("steps: the play is not complete")
        self._play.steps = 0
        for source, die in steps:
            self._play.source[self._play.steps] = source
            self._play.die[self._play.steps] = die
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
        """The two dice, the larger first."""
        return self._high, self._low

    @property
    def steps(self):
        """The steps (from, to, die) in their order, in slots of the mover's track; `to` is 25 for a checker borne off."""
        if not self._in_order:
            put_in_smallest_order(self)
            self._in_order = True
        return step_tuple(&self._play)

    @property
    def afterstate(self):
        """The position after the play, with the other player to move."""
        return self._position.apply(self)

    def __eq__(self, other):
        if not isinstance(other, Play):
            return NotImplemented
        return self.dice == other.dice and self.steps == other.steps and self.position == other.position

    def __hash__(self):
        return hash((self._position, self._high, self._low, self.steps))

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
    """Replace the steps by the smallest legal sequence of (from, die) that reaches the same afterstate."""
    cdef PartialTurn partial
    cdef PlayStruct found
    cdef uint32_t candidates = 0
    cdef int i, total = 0, rear = OFF
    for i in range(play._play.steps):
        candidates |= bit(play._play.source[i])
        total += play._play.die[i]
        rear = min(rear, play._play.source[i])
    if play._play.steps and play._high != play._low:
        # Where one checker runs, it may also do so over the landing of the other die.
        candidates |= bit(rear + play._high) | bit(rear + play._low)
    found.steps = 0
    start_turn(&play._position._board, &play._position._compiled.rules, play._high, play._low, &partial)
    if smallest(play, &partial, candidates, total, &found):
        play._play = found


cdef bint smallest(Play play, const PartialTurn *partial, uint32_t candidates, int total, PlayStruct *found):
    """Go on with `found`, which led to this partial turn, to the smallest sequence of that total with the play's afterstate."""
    cdef PartialTurn after
    cdef Board board
    cdef uint32_t left = candidates
    cdef int source, die
    if partial.total == total:
        board = play._position._board
        move(&board, &play._position._compiled.rules, found)
        return by_afterstate(&board, &play._after) == 0
    while left:
        source = lowest(left)
        left &= left - 1
        for die in range(play._low, play._high + 1):
            if (die == play._low or die == play._high) and not refusal(partial, source, die):
                after = partial[0]
                play_step(&after, source, die)
                found.source[found.steps] = source
                found.die[found.steps] = die
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
