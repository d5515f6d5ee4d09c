"""What has happened in a game, and what it takes to go back and forth in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from nardy_fast.arguments import as_dice
from nardy_fast.core._position import Play, Position
from nardy_fast.games.cube import Cube
from nardy_fast.games.dice import Throw
from nardy_fast.games.illegal import IllegalPlay

#: Something that happened: ("roll", dice), ("play", ((from, die), ...)) or by rules with sends ((from, to, die), ...),
#: ("choose", die), ("resign", side, times), ("accept",), ("refuse",), ("abandon",), ("double",), ("take",), ("drop",),
#: ("beaver",), ("let_stand", position text, text).
Event = tuple[Any, ...]


class Mark(NamedTuple):
    """Where a turn began: the dice thrown, nothing played."""

    position: Position
    dice: tuple[int, ...]
    cube: Cube | None
    #: How many there were then.
    events: int
    throws: int
    plays: int


class History:
    """The events, plays and throws of a game; turns can be taken back and done again.

    A throw once made stands: those of turns that were taken back come again.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.plays: list[Play | IllegalPlay] = []
        self.undone: list[list[Event]] = []
        self._marks: list[Mark] = []
        self._throws: list[Throw] = []
        self._used = 0

    def add(self, *event: Any) -> None:
        """Something new happened, so that what was undone cannot be done again."""
        self.undone.clear()
        self.events.append(event)

    def add_throw(self, dice: tuple[int, int] | None, source: Callable[[], Throw]) -> tuple[int, int]:
        """The next throw, also added as an event: the one that stands, or `dice`, or the next of `source`.

        `ValueError` for other `dice` than those that stand.
        """
        if self._used == len(self._throws):
            self._throws.append(dice or as_dice(source()))
        standing = self._throws[self._used]
        if dice not in (None, standing):
            raise ValueError(f"dice = {dice}: a throw once made stands, and it was {standing}")
        self.add("roll", standing)
        self._used += 1
        return standing

    @property
    def standing(self) -> list[Throw]:
        """The throws that have been made, but come after what has not been undone."""
        return self._throws[self._used :]

    def stand(self, throws: Iterable[Any]) -> None:
        """Makes these the throws that come next."""
        self._throws[self._used :] = [as_dice(throw) for throw in throws]

    def mark(self, position: Position, dice: tuple[int, ...], cube: Cube | None) -> None:
        """A turn begins, with these dice."""
        self._marks.append(Mark(position, dice, cube, len(self.events), self._used, len(self.plays)))

    def undo(self) -> Mark:
        """Takes back all since the last mark, and gives it; `ValueError` if there is none."""
        if not self._marks:
            raise ValueError("undo: no turn has been played")
        mark = self._marks.pop()
        self.undone.append(self.events[mark.events :])
        del self.events[mark.events :], self.plays[mark.plays :]
        self._used = mark.throws
        return mark

    def redo(self, replay: Callable[[Event], object]) -> None:
        """Takes back the last `undo` by replaying its events; `ValueError` if there is none."""
        if not self.undone:
            raise ValueError("redo: nothing has been undone")
        *earlier, events = self.undone
        for event in events:
            replay(event)
        self.undone = earlier

    def close(self) -> None:
        """Lets all stand: nothing can be undone or done again any more."""
        self._marks.clear()
        self.undone.clear()
