"""What the results of a game are worth to a player where he stands: money or a score, the cube, and equity in points from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from nardy_fast.analysis.cubeful import Cubeful, Split, Stake, efficiency
from nardy_fast.analysis.match_equity import MatchEquity
from nardy_fast.core._position import Position
from nardy_fast.games.match import DRAWS
from nardy_fast.ids.match_state import MatchState
from nardy_fast.players.chances import Chances
from nardy_fast.rules import Ruleset


@dataclass(frozen=True)
class Setting:
    """A game as one player, the *mover*, sees it.

    A *value* is what `Stake.worth` counts in: points for money, the chance to win the match in a match. An *equity* is in points
    at the present cube: 1 is to win that stake, -1 to lose it.
    """

    stake: Stake
    cube: int = 1
    #: Who owns the cube: None nobody, 0 the mover, 1 the other.
    owner: int | None = None

    @classmethod
    def money(cls, *, cube: int = 1, owner: int | None = None, limit: int = 1, jacoby: bool = False) -> Setting:
        """For money; `limit` 1 is without a cube."""
        return cls(Stake(float, limit=limit, jacoby=jacoby), cube, owner)

    @classmethod
    def match(
        cls,
        away: tuple[float, float],
        table: MatchEquity,
        *,
        is_crawford: bool = False,
        cube: int = 1,
        owner: int | None = None,
        limit: int = 1,
        begins_next: bool | None = None,
        winner_begins: bool = False,
        draw: str = "half",
    ) -> Setting:
        """In a match, the mover and the other needing so many points.

        `begins_next`: whether the mover begins the next game, where that is known; `winner_begins`: whether its winner does.
        """
        after_crawford = is_crawford or min(away) == 1
        drawn = DRAWS[draw]

        def worth(points: int) -> float:
            left = (away[0] - max(points, 0), away[1] - max(-points, 0)) if points else (away[0] - drawn, away[1] - drawn)
            begins = points > 0 if winner_begins and points else begins_next
            return table.chance(*left, post_crawford=after_crawford, begins=begins)

        # The same few numbers of points are asked for again and again.
        return cls(Stake(lru_cache(maxsize=None)(worth), away, 1 if is_crawford else limit), cube, owner)

    @classmethod
    def of_state(cls, state: MatchState, table: MatchEquity | None, rules: Ruleset) -> Setting:
        """As the player on roll stands by a `MatchState`; a `table` is needed in a match."""
        mover = state.on_roll
        owner = None if state.owner is None else state.owner ^ mover
        if state.length == 0:
            return cls.money(cube=state.cube, owner=owner, limit=state.limit, jacoby=state.jacoby)
        away = (state.length - state.score[mover], state.length - state.score[1 - mover])
        if min(away) < 1:
            raise ValueError(f"state.score = {state.score}: the match to {state.length} is over")
        assert table is not None
        limit = 1 if state.length == 1 else state.limit
        winner_begins = rules.next_starter == "winner"
        return cls.match(
            away, table, is_crawford=state.is_crawford, cube=state.cube, owner=owner, limit=limit, winner_begins=winner_begins
        )

    @property
    def is_match(self) -> bool:
        return math.isfinite(self.stake.away[0])

    def value(self, chances: Chances, position: Position, *, cube: int | None = None, owner: int | None = None) -> float:
        """What these chances, the mover's, are worth; with another `cube` and its `owner`, if they are given.

        `position`, after the mover's play or before his throw, tells how much of a live cube's worth can be had.
        """
        stake = self.stake
        cube, owner = (self.cube, self.owner) if cube is None else (cube, owner)
        if stake.limit == 1:
            return sum(c * stake.worth(p * cube) for p, c in zip(chances.points, chances.probabilities, strict=True) if c)
        share = efficiency(not position.is_contact, position.pips[0])
        return Cubeful(Split.of(chances), stake, share).value(cube, owner)

    def equity(self, value: float) -> float:
        """The value in points at the present cube."""
        won, lost = self.stake.worth(self.cube), self.stake.worth(-self.cube)
        return (2 * value - won - lost) / (won - lost)

    def equity_of(self, chances: Chances, position: Position) -> float:
        """The equity of these chances."""
        return self.equity(self.value(chances, position))
