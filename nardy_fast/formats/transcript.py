"""What a file of another program tells of matches, as events: the reader of a format makes them, `builder` plays them again.

A column, 0 or 1, is the left or the right one of a ``.mat`` file; in other formats it is the player of that number. Points are
the mover's own, 25 the bar and 0 off.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Agreed(NamedTuple):
    """A match begins. What is None is not told."""

    #: The points of the match, 0 for money.
    points: int
    rules: str = "short"
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    #: The highest cube; 1 where there is none.
    limit: int | None = None
    #: Player 0 and player 1.
    players: tuple[str, str] | None = None
    #: How many ties in a throw for the start double the stake.
    automatic: int = 0
    #: Whether the first game is the Crawford game, where the match begins at a score.
    is_crawford: bool | None = None


class Begins(NamedTuple):
    """A game begins."""

    number: int
    #: How many ties in its throw for the start have doubled the stake.
    doubled: int = 0


class Score(NamedTuple):
    """Who is in which column of the game that has begun, and the score before it."""

    names: tuple[str, str]
    points: tuple[int, int]


#: The points that one checker comes to, from where it starts.
Way = tuple[int, ...]
#: What a side has in its slots 0..24.
Side = tuple[int, ...]


#: Where the cube lies that nobody owns.
MIDDLE = 2


class SetUp(NamedTuple):
    """Something is set by hand before the first play of a game; what is None stays as it is."""

    #: Whose turn it is.
    column: int | None = None
    #: The board: left column and right column.
    board: tuple[Side, Side] | None = None
    #: What the cube shows, and the column that owns it, or `MIDDLE`.
    cube: int | None = None
    owner: int | None = None


class Turn(NamedTuple):
    """A roll, and what was played."""

    column: int
    dice: tuple[int, int]
    #: None where no play is written; empty where there was none to make.
    ways: tuple[Way, ...] | None = None
    #: The play as it is written.
    text: str = ""
    #: Whether the file calls the play illegal.
    is_marked: bool = False
    #: The board after it, left column and right column, where a file has that instead of the play.
    after: tuple[Side, Side] | None = None


class Double(NamedTuple):
    """A double, or what answers one: ``double``, ``beaver`` or ``raccoon``, and the cube that is then offered, if it is told."""

    column: int
    action: str
    value: int | None = None


class Answer(NamedTuple):
    """A double is taken or dropped."""

    column: int
    takes: bool


class Resigns(NamedTuple):
    """A player gives the game up; how many times the stake, where that is told."""

    column: int
    times: int | None = None


class Wins(NamedTuple):
    """A player has won the game, and so many points."""

    column: int
    points: int


class Unread(NamedTuple):
    """Something that cannot be read, and why."""

    reason: str


class End(NamedTuple):
    """The end of the file."""


Event = Agreed | Begins | Score | SetUp | Turn | Double | Answer | Resigns | Wins | Unread | End
#: Events with the number of their line; 0 in formats without lines.
Events = Iterable[tuple[int, Event]]


class Doubt(UserWarning):
    """What a lenient reading has doubted or left out."""
