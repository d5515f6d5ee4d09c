"""The position and the play: what a program that uses the rules holds in its hands (rulebook, sections 0 to 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_board, as_dice, as_steps, as_turn
from nardy_fast.reasons import Reason
from nardy_fast.reference import board as boards
from nardy_fast.reference import results
from nardy_fast.reference.plays import Stand, Steps, all_plays, begin, follow, offered_steps, why_not_step
from nardy_fast.reference.steps import Turn, after_step
from nardy_fast.rules import OFF, WHITE, Ruleset, ruleset
from nardy_fast.text import notation, pictures


class Position:
    """Where all checkers stand, who moves, and by which rules (rulebook, section 0).

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

    __slots__ = ("_board", "_rules", "_turn")

    _board: boards.Board
    _turn: int
    _rules: Ruleset

    def __init__(self, board: Any, turn: int = WHITE, rules: str | Ruleset = "long") -> None:
        checked = boards.from_array(as_board(board))
        colour = as_turn(turn)
        its_rules = ruleset(rules)
        boards.check(checked, its_rules)
        self._board, self._turn, self._rules = checked, colour, its_rules

    @classmethod
    def start(cls, rules: str | Ruleset = "long", turn: int = WHITE) -> Position:
        """The position before the first turn, with the player of colour `turn` (0 White, 1 Black) to move.

        Raises what `Position` raises for `rules` and `turn`.
        """
        its_rules = ruleset(rules)
        return cls(boards.to_array(boards.setup(its_rules)), turn, its_rules)

    @classmethod
    def parse(cls, text: str, rules: str | Ruleset = "long") -> Position:
        """The position that `text` writes: ``WHITE BLACK SIDE``, as in ``24:13,18:2 12:15 b``.

        Each side is ``point:count`` joined by commas, in printed points (rulebook, section 0), ``bar:1`` for slot 0, ``-`` for
        nothing on the board; the side to move is ``w`` or ``b``. Checkers that are missing are borne off.
        Raises `ValueError` naming the part that cannot be read, dice after the position among them, and what `Position` raises.
        """
        its_rules = ruleset(rules)
        board, turn, dice = notation.parse_position_text(text, its_rules)
        if dice is not None:
            raise ValueError(f"text = {text!r}: dice are not part of a position")
        return cls(board, turn, its_rules)

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
    def pips(self) -> tuple[int, int]:
        """The pips that the mover and the opponent have to go: 25 - `s` for each checker in slot `s` (rulebook, section 4)."""
        mover, opponent = self._board
        return boards.pips(mover), boards.pips(opponent)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: a side has borne off all its checkers (rulebook, section 1, End).

        When the rules have a last roll, White has cleared, Black has not and it is Black's move, his last roll is still due.
        """
        return results.is_over(self._board, self._turn, self._rules)

    @property
    def winner(self) -> int | None:
        """The colour that has won, 0 White or 1 Black; None while the game is not over, and for a draw.

        The first to clear wins, or with ``goal = "keep"`` loses. Both have cleared only after a last roll: a draw.
        """
        return results.winner(self._board, self._turn, self._rules)

    @property
    def is_contact(self) -> bool:
        """Whether some checker of one side may still meet one of the other (rulebook, section 4)."""
        return boards.is_contact(self._board, self._rules)

    def plays(self, dice: Iterable[int]) -> list[Play]:
        """One `Play` for each distinct afterstate of these two dice, in either order (rulebook, section 1, Obligation).

        They are sorted by afterstate, the mover's row first and slots 0..25 ascending. Each is the smallest, by (from, die), of
        the legal sequences of steps that reach its afterstate. A pass is one play with no steps. A finished position has no
        plays.
        Raises `TypeError` or `ValueError` for dice that are not two integers 1..6.
        """
        roll = as_dice(dice)
        if self.is_over:
            return []
        found = all_plays(begin(self._board, roll, self._rules))
        return [Play._legal(self, roll, found[after]) for after in sorted(found)]

    def count_plays(self, dice: Iterable[int]) -> int:
        """How many distinct afterstates these two dice can lead to: 1 for a pass, 0 when the game is over.

        Raises what `plays` raises.
        """
        roll = as_dice(dice)
        return 0 if self.is_over else len(all_plays(begin(self._board, roll, self._rules)))

    def is_forced(self, dice: Iterable[int]) -> bool:
        """Whether these two dice leave no choice: at most one afterstate, a pass included (rulebook, section 4).

        Raises what `plays` raises.
        """
        return self.count_plays(dice) <= 1

    def apply(self, play: Play) -> Position:
        """The position after `play`, with the other player to move.

        Any play is accepted whose steps, in their order, are a legal play of its dice here, listed by `plays` or not.
        Raises `TypeError` for anything but a `Play`, and `ValueError` for one that is not legal here, with the first step that
        is wrong and the reason.
        """
        if not isinstance(play, Play):
            raise TypeError(f"play = {play!r}: expected a Play")
        made = play._steps
        if play.position is not self:
            self._check(play.dice, made)
        board = self._board
        for step in made:
            board = after_step(board, step, self._rules)
        return self._trusted(boards.other_side(board), 1 - self._turn, self._rules)

    def next_steps(self, dice: Iterable[int], played: Iterable[Any] = ()) -> tuple[tuple[int, int], ...]:
        """The steps (from, die) with which some legal play goes on, sorted; from a slot 0..24 of the mover's track.

        `dice` are the two dice of the roll; `played` the steps of this turn made so far, as (from, die) or (from, to, die). There
        is nothing to go on with when the play is complete, when it is a pass and when the game is over.
        Raises `TypeError` or `ValueError` for dice that are not two integers 1..6 and for steps that are not integers, and
        `ValueError` when no legal play begins with `played`, with the first step that is wrong and the reason.
        """
        roll, made = as_dice(dice), as_steps(played)
        if self.is_over and not made:
            return ()
        turn, stand, wanted = self._follow(roll, made, played)
        return offered_steps(turn, stand, wanted)

    def why_not(self, dice: Iterable[int], step: Iterable[int], played: Iterable[Any] = ()) -> Reason | None:
        """Why `step`, (from, die) or (from, to, die), cannot be played after `played`; None if it is one of `next_steps`.

        Where several reasons hold, the first in the order of `Reason` is told. Raises what `next_steps` raises.
        """
        roll, made, (asked,) = as_dice(dice), as_steps(played), as_steps((step,))
        if self.is_over and not made:
            return Reason.GAME_OVER
        turn, stand, wanted = self._follow(roll, made, played)
        return why_not_step(turn, stand, wanted, asked)

    def parse_play(self, text: str, dice: Iterable[int]) -> Play:
        """The play of these two dice that `text` writes in the mover's printed points, as in ``24/18 13/7(2)`` or ``pass``.

        Raises `ValueError` naming the part that cannot be read, or the first step that is not legal and why.
        """
        play: Play = notation.parse_play(self, text, dice)
        return play

    def text(self, dice: Iterable[int] | None = None) -> str:
        """The board drawn in plain characters, with the dice if they are given."""
        return pictures.text(self, dice)

    def svg(self, play: Play | None = None, dice: Iterable[int] | None = None) -> str:
        """The board drawn as SVG, with arrows for the steps of `play` and with the dice, if they are given."""
        return pictures.svg(self, play, dice)

    def _repr_svg_(self) -> str:
        """The drawing that notebooks show."""
        return self.svg()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self._board, self._turn, self._rules) == (other._board, other._turn, other._rules)

    def __hash__(self) -> int:
        return hash((self._board, self._turn, self._rules))

    def __str__(self) -> str:
        return notation.format_position(self.board, self._turn, self._rules.road)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self._rules.name!r})"

    def __reduce__(self) -> tuple[type[Position], tuple[NDArray[np.int8], int, Ruleset]]:
        return type(self), (self.board, self._turn, self._rules)

    @classmethod
    def _trusted(cls, board: boards.Board, turn: int, rules: Ruleset) -> Position:
        """A position that a legal play has led to, so that it needs no check."""
        position = cls.__new__(cls)
        position._board, position._turn, position._rules = board, turn, rules
        return position

    def _follow(self, roll: tuple[int, int], made: Steps, played: Any) -> tuple[Turn, Stand, int]:
        """The turn with this roll, how it stands after the steps made, and the total of dice still to be used."""
        try:
            if self.is_over:
                raise ValueError(f"step 1: {Reason.GAME_OVER.sentence}")
            turn = begin(self._board, roll, self._rules)
            return turn, *follow(turn, made)
        except ValueError as error:
            raise ValueError(f"played = {played!r}: {error}") from None

    def _check(self, roll: tuple[int, int], made: Steps) -> None:
        """Raise `ValueError` unless these steps, in this order, are a legal play of the roll."""
        if self.is_over:
            raise ValueError(Reason.GAME_OVER.sentence)
        _, wanted = follow(begin(self._board, roll, self._rules), made)
        if wanted:
            raise ValueError("steps: the play is not complete")


class Play:
    """All the steps of one turn; a pass has none (rulebook, section 0).

    `position` is where it is played and `dice` the two dice, in either order. `steps` are the steps in the order they are made,
    each (from, die) or (from, to, die) in slots of the mover's track; `to` is not read, for the die tells it.

    A play never changes. It can be hashed, compared, copied and pickled; two are equal when position, dice and steps are. Its
    `str` is in the mover's printed points, ``24/18 13/7(2)``, with ``*`` after a landing that hits; a pass is ``pass``.

    Raises `TypeError` for a position that is not a `Position` and for dice or steps that are not integers, and `ValueError` for
    steps that are not a legal play of the dice there, with the first step that is wrong and the reason, or because more can and
    so must be played, or because the game is over.
    """

    __slots__ = ("_dice", "_position", "_steps")

    _position: Position
    _dice: tuple[int, int]
    _steps: Steps

    def __init__(self, position: Position, dice: Iterable[int], steps: Iterable[Any]) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"position = {position!r}: expected a Position")
        roll, made = as_dice(dice), as_steps(steps)
        position._check(roll, made)
        self._position, self._dice, self._steps = position, roll, made

    @property
    def position(self) -> Position:
        """The position in which it is played."""
        return self._position

    @property
    def dice(self) -> tuple[int, int]:
        """The two dice, the larger first."""
        return self._dice

    @property
    def steps(self) -> tuple[tuple[int, int, int], ...]:
        """The steps (from, to, die) in their order, in slots of the mover's track; `to` is 25 for a checker borne off."""
        return tuple((slot, min(slot + die, OFF), die) for slot, die in self._steps)

    @property
    def afterstate(self) -> Position:
        """The position after the play, with the other player to move."""
        return self._position.apply(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return (self._position, self._dice, self._steps) == (other._position, other._dice, other._steps)

    def __hash__(self) -> int:
        return hash((self._position, self._dice, self._steps))

    def __str__(self) -> str:
        road = self._position.rules.road
        hits = notation.hit_slots(self._position.board, self.steps, road)
        return notation.format_play(self.steps, self._position.turn, road, hits)

    def __repr__(self) -> str:
        return f"Play({self._position!r}, {self._dice!r}, {self.steps!r})"

    def __reduce__(self) -> tuple[type[Play], tuple[Position, tuple[int, int], Steps]]:
        return type(self), (self._position, self._dice, self._steps)

    @classmethod
    def _legal(cls, position: Position, dice: tuple[int, int], made: Steps) -> Play:
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
