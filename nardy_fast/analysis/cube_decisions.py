"""Whether to double, and whether to take (rulebook, section 2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from nardy_fast.analysis.judges import need_network, network_for
from nardy_fast.analysis.match_equity import MAX_LENGTH, MatchEquity
from nardy_fast.analysis.setting import Setting
from nardy_fast.arguments import check_position, short_repr
from nardy_fast.core._position import Position
from nardy_fast.games.cube import USUAL_LIMIT
from nardy_fast.ids.match_state import MatchState
from nardy_fast.players.chances import Chances
from nardy_fast.players.network import Network
from nardy_fast.rules import Ruleset

#: A lead of less than this, in points, is none: where a double is as good as none, it is not too good.
_EVEN = 1e-9


#: How games end where nothing is known of them.
EVEN = {-1: 0.5, 1: 0.5}


class CubeDecision(NamedTuple):
    """What the side to move should do with the cube before it throws, and what the other should answer.

    Equities are the doubler's, in points at the cube's present value.
    """

    #: ``no double``, ``double`` or ``too good``: he plays on for more than the stake, since the other would pass.
    action: str
    #: What the other does with a double: ``take``, ``pass`` or ``beaver``.
    answer: str
    no_double: float
    double_take: float
    double_pass: float
    #: If the other doubles at once and keeps the cube, the doubler then taking or passing; None where that is not agreed.
    double_beaver: float | None
    #: What the doubler answers to a beaver: ``take`` or ``pass``; None as above.
    beaver_answer: str | None
    #: In a match, the chances to win it after no double, a take and a pass; None for money.
    match_chances: tuple[float, float, float] | None
    #: The chances without a cube that all this is from.
    chances: Chances

    @property
    def equity(self) -> float:
        """The equity with the best play of both."""
        return self.doubled if self.action == "double" else self.no_double

    @property
    def doubled(self) -> float:
        """The equity after a double, by the other's best answer."""
        answers = {"take": self.double_take, "pass": self.double_pass, "beaver": self.double_beaver}
        found = answers[self.answer]
        assert found is not None
        return found

    def __str__(self) -> str:
        if self.action == "too good":
            return "too good to double"
        return f"{self.action}, {self.answer}"

    def loss_of_double(self) -> float:
        """By how much to double is worse than the best, or with a minus sign, by how much not to double is."""
        return self.no_double - self.doubled


def cube_decision(
    position: Position,
    match_state: MatchState | None = None,
    *,
    chances: Chances | None = None,
    network: Network | None = None,
    table: MatchEquity | None = None,
) -> CubeDecision:
    """Whether the side to move in `position` should double before its throw, and what the other should answer.

    `match_state`: the score and the cube; None for money with the cube in the middle. Where a double or a beaver waits for its
    answer there, the equities are those of this double. `chances` without a cube may be given; else `network`, by default the
    shipped one, tells them. `table`: the match equities, by default those that the package computes for these rules.

    Janowski's way between a dead cube and a live one, with GNU Backgammon's numbers for how far. `ValueError` where the side to
    move may not double: the Crawford game, the other's cube, the limit, no cube at all.
    """
    check_position(position)
    state = MatchState(on_roll=position.turn, to_act=position.turn, limit=USUAL_LIMIT) if match_state is None else match_state
    if not isinstance(state, MatchState):
        raise TypeError(f"match_state = {short_repr(state)}: expected a MatchState, as from MatchState.of(match), or None")
    if position.is_over:
        raise ValueError(f"position = {short_repr(str(position))}: the game is over")
    state = _before_double(state)
    setting = Setting.of_state(state, match_table(state.length, position.rules, table, network), position.rules)
    _check_may_double(state)
    if chances is None:
        chances = (network or need_network(position.rules)).evaluate(position)
    return decide(setting, position, chances, beavers=state.beavers)


def decide(setting: Setting, position: Position, chances: Chances, *, beavers: bool = False) -> CubeDecision:
    """The decision of a mover who may double in this setting."""
    stake, cube = setting.stake, setting.cube
    none = setting.value(chances, position)
    taken = setting.value(chances, position, cube=cube * 2, owner=1)
    passed = stake.worth(cube)
    no_double, take, drop = map(setting.equity, (none, taken, passed))
    beaver = beaver_answer = None
    answer, doubled = ("pass", drop) if drop <= take else ("take", take)
    if beavers and cube * 4 <= stake.limit:
        stays, goes = setting.value(chances, position, cube=cube * 4, owner=1), stake.worth(-2 * cube)
        beaver, beaver_answer = setting.equity(max(stays, goes)), "take" if stays >= goes else "pass"
        if beaver < doubled:
            answer, doubled = "beaver", beaver
    if not stake.can_turn(0, cube):  # a dead cube: to double may only help the other
        action = "no double"
    elif doubled >= no_double - _EVEN:
        action = "double"
    else:
        action = "too good" if answer == "pass" else "no double"
    in_match = (none, taken, passed) if setting.is_match else None
    return CubeDecision(action, answer, no_double, take, drop, beaver, beaver_answer, in_match, chances)


def match_table(length: int, rules: Ruleset, table: MatchEquity | None, network: Network | None = None) -> MatchEquity | None:
    """The table for a match of so many points: the one given, if it reaches so far, else one that is computed; None for money."""
    if table is not None and not isinstance(table, MatchEquity):
        raise TypeError(f"table = {short_repr(table)}: expected a MatchEquity or None")
    if length == 0:
        return None
    if table is None:
        if length > MAX_LENGTH:
            raise ValueError(f"length = {length}: match equities are computed for up to {MAX_LENGTH} points")
        return _computed(length, rules, network)
    if table.length < length:
        raise ValueError(f"table = {table!r}: expected one to {length} points at least")
    return table


@lru_cache(maxsize=16)
def _computed(length: int, rules: Ruleset, network: Network | None) -> MatchEquity:
    found = network_for(rules) if network is None else network
    return MatchEquity(length, rules, rates=EVEN) if found is None else MatchEquity(length, rules, network=found)


def _before_double(state: MatchState) -> MatchState:
    """The state before the double, or before the double that was answered by a beaver."""
    if not state.doubled:
        return state
    changes: dict[str, Any] = {"doubled": False, "to_act": state.on_roll}
    if state.to_act == state.on_roll:
        changes |= {"cube": state.cube // 2, "owner": None, "beavers": True}
    return MatchState(**(state.__dict__ | changes))


def _check_may_double(state: MatchState) -> None:
    reasons = (
        (state.limit == 1 or state.length == 1, "the game is played without a cube"),
        (state.is_crawford, "the Crawford game has no cube"),
        (state.dice is not None, "the dice have been thrown"),
        (state.owner not in (None, state.on_roll), "the cube is the opponent's, who alone may redouble"),
        (state.cube * 2 > state.limit, "no double beyond the limit of the cube"),
    )
    for holds, sentence in reasons:
        if holds:
            raise ValueError(f"match_state: {sentence}")
