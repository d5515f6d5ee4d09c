"""A play that was against the rules and that nobody objected to: it stands, and records of matches played elsewhere have some."""

from __future__ import annotations

from dataclasses import dataclass

from nardy_fast.core._position import Position


@dataclass(frozen=True)
class IllegalPlay:
    """Stands among the turns of a game like a `Play`, but has no steps: only the board after it is known."""

    position: Position
    dice: tuple[int, ...]
    afterstate: Position
    #: What was written for it, if anything.
    text: str = ""

    @property
    def steps(self) -> tuple[()]:
        return ()

    def __str__(self) -> str:
        return f"illegal {self.afterstate}"
