"""The position and the play: what a program that uses the rules holds in its hands (rulebook, sections 0 to 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import GivenStep, as_board, as_dice, as_given_steps, as_turn, short_repr
from nardy_fast.positions import Pending, as_stage_dice, check_pending
from nardy_fast.reasons import Reason
from nardy_fast.reference import board as boards
from nardy_fast.reference import results, stages
from nardy_fast.reference.plays import Legal, Stand, Steps, begin, follow, legal_plays, meant, offered_steps, why_not_step
from nardy_fast.reference.stages import Due
from nardy_fast.reference.steps import Dice, after_step, without
from nardy_fast.rules import SLOTS, WHITE, Ruleset, ruleset
from nardy_fast.text import notation, pictures


class Position:
    """A board, who moves, and by which rules (rulebook, section 0).

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

    __slots__ = ("_board", "_pending", "_rules", "_turn")

    _board: boards.Board
    _turn: int
    _rules: Ruleset
    _pending: Pending | None

    def __init__(self, board: Any, turn: int = WHITE, rules: str | Ruleset = "long", pending: Pending | None = None) -> None:
        checked = boards.from_array(as_board(board))
        colour = as_turn(turn)
        its_rules = ruleset(rules)
        boards.check(checked, its_rules)
        check_pending(pending, checked, colour, its_rules)
        if pending is not None and results.is_over(checked, colour, its_rules):
            raise ValueError("pending: the game is over, and nothing is played any more")
        self._board, self._turn, self._rules, self._pending = checked, colour, its_rules, pending

    @classmethod
    def start(cls, rules: str | Ruleset = "long", turn: int = WHITE) -> Position:
        """The position before the first turn, with the player of colour `turn` (0 White, 1 Black) to move.

        Raises what `Position` raises for `rules` and `turn`.
        """
        its_rules = ruleset(rules)
        return cls(boards.to_array(boards.setup(its_rules)), turn, its_rules)

    @classmethod
    def parse(cls, text: str, rules: str | Ruleset = "long", *, numbering: str = "federation") -> Position:
        """The position that `text` writes: ``WHITE BLACK SIDE``, as in ``24:13,18:2 12:15 b``.

        Each side is ``point:count`` joined by commas, in printed points (rulebook, section 0), ``bar:1`` for slot 0, ``-`` for
        nothing on the board; the side to move is ``w`` or ``b``. Checkers that are missing are borne off. What is pending is a
        fourth word, as in ``w444*,b5555,b6666:0/1``: each stage as its player, its dice and ``*`` if they are carried; after the
        colon the steps that White and Black have made from their heads in this throw.
        `numbering`: ``federation``, ``arena`` or ``own``, as for `notation`; capitals are read as small letters.
        Raises `ValueError` naming the part that cannot be read, dice after the position among them, and what `Position` raises.
        """
        return notation.parsed(text, ruleset(rules), cls, numbering)

    @property
    def board(self) -> NDArray[np.int8]:
        """The checkers, a read-only int8 array of shape (2, 26): row 0 the player to move, row 1 the opponent."""
        return boards.to_array(self._board)

    @property
    def turn(self) -> int:
        """The colour of the player to move: 0 White, 1 Black."""
        return self._turn

    @property
    def rules(self) -> Ruleset:
        """The rules of the game."""
        return self._rules

    @property
    def pending(self) -> Pending | None:
        """What is still to be played of the last throw, the first stage by the player to move; None where a throw is due."""
        return self._pending

    @property
    def pips(self) -> tuple[int, int]:
        """The pips that the mover and the opponent have to go: 25 - `s` for each checker in slot `s` (rulebook, section 4)."""
        mover, opponent = self._board
        return boards.pips(mover), boards.pips(opponent)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: a side has borne off all its checkers (rulebook, section 1, End).

        When the rules have a last roll, White has cleared, Black has not and it is Black's move, his last roll is still due. By
        rules with a ``dead_draw`` it ends as well where neither side can ever move again (rulebook, section 3).
        """
        return results.is_over(self._board, self._turn, self._rules)

    @property
    def winner(self) -> int | None:
        """The colour that has won, 0 White or 1 Black; None while the game is not over, and for a draw.

        The first to clear wins, or with ``goal = "keep"`` loses. It is a draw if both have cleared, which takes a last roll, or
        if neither can ever move again.
        """
        return results.winner(self._board, self._turn, self._rules)

    @property
    def is_contact(self) -> bool:
        """Whether some checker of one side may still meet one of the other (rulebook, section 4)."""
        return boards.is_contact(self._board, self._rules)

    def plays(self, dice: Iterable[int] | None = None) -> list[Play]:
        """One `Play` for each distinct afterstate of these two dice, in either order (rulebook, section 1, Obligation).

        Where a stage is pending it is that which is played, with no dice given or exactly its own; else it is the first stage of
        the throw. They are sorted by afterstate, the mover's row first and slots 0..25 ascending. Each is the smallest, by (from,
        to, die), of the sequences of steps of greatest total that reach its afterstate. A pass is one play with no steps. A
        finished position has no plays.
        Raises `TypeError` or `ValueError` for dice that are not two integers 1..6, or not those of the pending stage.
        """
        due, asked = self._due(dice)
        if self.is_over:
            return []
        found = legal_plays(begin(self._board, due, self._rules)).plays
        return [Play._legal(self, asked, found[after]) for after in sorted(found)]

    def afterstates(self, dice: Iterable[int] | None = None) -> NDArray[np.int8]:
        """The boards after each of `plays`, in their order: a fresh int8 array of shape (k, 2, 26), who plays still in row 0.

        Much faster than to ask each play for its afterstate. A pass leaves the board as it is; where the game is over k is 0.
        Raises what `plays` raises.
        """
        due, _ = self._due(dice)
        found = [] if self.is_over else sorted(legal_plays(begin(self._board, due, self._rules)).plays)
        return np.array(found, np.int8).reshape(-1, 2, SLOTS)

    def count_plays(self, dice: Iterable[int] | None = None) -> int:
        """How many distinct afterstates these two dice, or the pending stage, can lead to: 1 for a pass, 0 when the game is over.

        Raises what `plays` raises.
        """
        due, _ = self._due(dice)
        return 0 if self.is_over else len(legal_plays(begin(self._board, due, self._rules)).plays)

    def is_forced(self, dice: Iterable[int] | None = None) -> bool:
        """Whether these two dice, or the pending stage, leave at most one afterstate, a pass included (rulebook, section 4).

        Raises what `plays` raises.
        """
        return self.count_plays(dice) <= 1

    def apply(self, play: Play) -> Position:
        """The position after `play`: with the next stage pending, or with a throw due, which is mostly the other player's.

        Any play is accepted whose steps, in their order, are a legal play of its dice here, listed by `plays` or not.
        Raises `TypeError` for anything but a `Play`, and `ValueError` for one that is not legal here, with the first step that
        is wrong and the reason.
        """
        if not isinstance(play, Play):
            raise TypeError(f"play = {short_repr(play)}: expected a Play")
        made = play._steps
        due, _ = self._due(play.dice)
        if play.position is not self:
            self._check(due, made)
        board = self._board
        for step in made:
            board = after_step(board, step, self._rules)
        board, turn, pending = boards.other_side(board), 1 - self._turn, None
        if not results.is_over(board, turn, self._rules):
            turn, pending = stages.next_player(due, made, left_over(due, made), self._rules)
            if turn == self._turn:
                board = boards.other_side(board)
        return self._trusted(board, turn, self._rules, pending)

    def next_steps(self, dice: Iterable[int] | None = None, played: Iterable[Any] = ()) -> tuple[tuple[int, ...], ...]:
        """The steps (from, die) with which some legal play goes on, sorted; from a slot 0..24 of the mover's track.

        By rules with sends, which (from, die) does not tell from ordinary steps, they are (from, to, die).

        `dice` are the two dice of the roll, or None for the stage that is pending; `played` the steps of this turn made so far,
        as (from, die) or (from, to, die). There is nothing to go on with when the play is complete, when it is a pass and when
        the game is over.
        Raises `TypeError` or `ValueError` for dice that `plays` refuses and for steps that are not such integers, and
        `ValueError` when no legal play begins with `played`, with the first step that is wrong and the reason.
        """
        (due, _), made = self._due(dice), as_given_steps(played, self._rules)
        if self.is_over and not made:
            return ()
        steps = offered_steps(*self._follow(due, made, played))
        return steps if self._rules.send is not None else tuple((slot, die) for slot, _, die in steps)

    def why_not(self, dice: Iterable[int] | None, step: Iterable[int], played: Iterable[Any] = ()) -> Reason | None:
        """Why `step`, (from, die) or (from, to, die), cannot be played after `played`; None if it is one of `next_steps`.

        Where several reasons hold, the first in the order of `Reason` is told. Raises what `next_steps` raises, and `ValueError`
        for a (from, die) that both a send and an ordinary step could be.
        """
        (due, _), made = self._due(dice), as_given_steps(played, self._rules)
        (asked,) = as_given_steps((step,), self._rules)
        if self.is_over and not made:
            return Reason.GAME_OVER
        legal, stand = self._follow(due, made, played)
        return why_not_step(legal, stand, meant(legal, stand, asked))

    def parse_play(self, text: str, dice: Iterable[int] | None = None, *, numbering: str = "federation") -> Play:
        """The play of these two dice, or of the pending stage, that `text` writes in the mover's printed points.

        It is written as in ``24/18 13/7(2)`` or ``pass``. Raises `ValueError` naming the part that cannot be read, or the first
        step that is not legal and why.
        """
        play: Play = notation.parse_play(self, text, dice, numbering)
        return play

    def notation(self, numbering: str = "federation") -> str:
        """The text of `str`, its points numbered otherwise: ``federation``, ``arena`` or ``own`` (rulebook, section 0)."""
        return notation.format_position(self.board, self._turn, self._rules.road, self._pending, numbering)

    def text(self, dice: Iterable[int] | None = None, *, numbering: str = "federation") -> str:
        """The board drawn in plain characters, with the dice if they are given, and points numbered as for `notation`."""
        return pictures.text(self, dice, numbering)

    def svg(self, play: Play | None = None, dice: Iterable[int] | None = None, *, numbering: str = "federation") -> str:
        """The board drawn as SVG, with arrows for the steps of `play` and with the dice, if they are given."""
        return pictures.svg(self, play, dice, numbering)

    def _repr_svg_(self) -> str:
        """The drawing that notebooks show."""
        return self.svg()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return self.notation()

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self._rules.name!r})"

    def __reduce__(self) -> tuple[type[Position], tuple[NDArray[np.int8], int, Ruleset, Pending | None]]:
        return type(self), (self.board, self._turn, self._rules, self._pending)

    def _key(self) -> tuple[boards.Board, int, Ruleset, Pending | None]:
        """What two equal positions have in common."""
        return self._board, self._turn, self._rules, self._pending

    @classmethod
    def _trusted(cls, board: boards.Board, turn: int, rules: Ruleset, pending: Pending | None) -> Position:
        """A position that a legal play has led to, so that it needs no check."""
        position = cls.__new__(cls)
        position._board, position._turn, position._rules, position._pending = board, turn, rules, pending
        return position

    def _due(self, dice: Iterable[int] | None) -> tuple[Due, Dice]:
        """The stage that is played, and the dice that were asked about: the two of a throw, or those of the pending stage."""
        if self._pending is not None:
            return stages.of_queue(self._pending), as_stage_dice(dice, self._pending)
        roll = as_dice(dice)
        return stages.of_throw(roll, self._turn, self._rules), roll

    def _follow(self, due: Due, made: tuple[GivenStep, ...], played: Any) -> tuple[Legal, Stand]:
        """What may be played in the stage, and how it stands after the steps made."""
        try:
            if self.is_over:
                raise ValueError(f"step 1: {Reason.GAME_OVER.sentence}")
            legal = legal_plays(begin(self._board, due, self._rules))
            stand, _ = follow(legal, made)
            return legal, stand
        except ValueError as error:
            raise ValueError(f"played = {short_repr(played)}: {error}") from None

    def _check(self, due: Due, made: tuple[GivenStep, ...]) -> Steps:
        """The steps in full; `ValueError` unless, in this order, they are a legal play of the stage."""
        if self.is_over:
            raise ValueError(Reason.GAME_OVER.sentence)
        legal = legal_plays(begin(self._board, due, self._rules))
        stand, steps = follow(legal, made)
        if stand not in legal.complete:
            raise ValueError("steps: the play is not complete")
        return steps


def left_over(due: Due, steps: Steps) -> Dice:
    """The dice of the stage that these steps do not use."""
    left = due.dice
    for _, _, die in steps:
        left = without(left, die)
    return left


class Play:
    """All the steps of one turn, or of one stage of it; a pass has none (rulebook, section 0).

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

    __slots__ = ("_dice", "_position", "_steps")

    _position: Position
    _dice: Dice
    _steps: Steps

    def __init__(self, position: Position, dice: Iterable[int] | None, steps: Iterable[Any]) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"position = {short_repr(position)}: expected a Position")
        due, asked = position._due(dice)
        made = position._check(due, as_given_steps(steps, position.rules))
        self._position, self._dice, self._steps = position, asked, made

    @property
    def position(self) -> Position:
        """The position in which it is played."""
        return self._position

    @property
    def dice(self) -> tuple[int, ...]:
        """The two dice of the throw, the larger first; where a stage was pending, its dice."""
        return self._dice

    @property
    def stage(self) -> tuple[int, ...]:
        """The dice of the stage that is played, the larger first; in most games both, or four of a double."""
        due, _ = self._position._due(self._dice)
        return due.dice

    @property
    def left(self) -> tuple[int, ...]:
        """The dice of the stage that are left over, the larger first."""
        due, _ = self._position._due(self._dice)
        return left_over(due, self._steps)

    @property
    def steps(self) -> tuple[tuple[int, int, int], ...]:
        """The steps (from, to, die) in their order, in slots of the mover's track; `to` is 25 for a checker borne off."""
        return self._steps

    @property
    def afterstate(self) -> Position:
        """The position after the play, as `Position.apply` gives it."""
        return self._position.apply(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return (self._position, self._dice, self._steps) == (other._position, other._dice, other._steps)

    def __hash__(self) -> int:
        return hash((self._position, self._dice, self._steps))

    def notation(self, numbering: str = "federation") -> str:
        """The text of `str`, its points numbered otherwise: ``federation``, ``arena`` or ``own`` (rulebook, section 0)."""
        road = self._position.rules.road
        hits = notation.hit_slots(self._position.board, self.steps, road)
        return notation.format_play(self.steps, self._position.turn, road, hits, numbering)

    def __str__(self) -> str:
        return self.notation()

    def __repr__(self) -> str:
        return f"Play({self._position!r}, {self._dice!r}, {self.steps!r})"

    def __reduce__(self) -> tuple[type[Play], tuple[Position, Dice, Steps]]:
        return type(self), (self._position, self._dice, self._steps)

    @classmethod
    def _legal(cls, position: Position, dice: Dice, made: Steps) -> Play:
        """A play that is known to be legal."""
        play = cls.__new__(cls)
        play._position, play._dice, play._steps = position, dice, made
        return play


def parse_position(text: str, rules: str | Ruleset = "long") -> tuple[Position, tuple[int, int] | None]:
    """The position that a line of a suite writes, and the dice that follow it, the larger first, or None.

    The text is that of `Position.parse`; dice as in ``6-5`` may come after it, and ``#`` starts a comment. Raises what
    `Position.parse` raises, but for dice.
    """
    return notation.parse_position(text, rules, Position)
