"""Which small game belongs to which rules: a key names what matters to its solution, or the rules are refused."""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

from nardy_fast.players.chances import outputs
from nardy_fast.rules import Ruleset, ruleset

#: Pairs of sides grow as the sixth power with three checkers and as the eighth with four, which have 419 million.
CHECKERS = (2, 3)
#: What may differ from long nardy or backgammon in a solved game; the next are without effect. Any other field is refused.
KEPT = ("road", "head_limit", "head_exception", "runner", "bear_off", "bear_off_start", "goal")
PAYMENTS = ("home_mars", "koks", "koks_points", "remaining", "backgammon_points")
#: Three checkers make no block of six points and no stack of six; who throws first, and what, comes before the game.
WITHOUT_EFFECT = ("name", "setup", "block_rule", "block_check", "stack_limit", "first_dice", "next_starter")


class SolvedKey(NamedTuple):
    """What a solution depends on."""

    checkers: int
    road: str
    head_limit: int | None
    head_exception: str
    runner: bool
    bear_off: str
    bear_off_start: str
    goal: str
    home_mars: int | None
    koks: str | None
    koks_points: int
    remaining: bool
    backgammon_points: int


def solved_key(rules: str | Ruleset) -> SolvedKey:
    """The key of the game by these rules; `ValueError` for rules whose game is not solved."""
    found = ruleset(rules)
    if found.checkers not in CHECKERS:
        raise ValueError(f"rules = {found.name}: {found.checkers} checkers a side, expected {CHECKERS[0]} or {CHECKERS[1]}")
    for field in fields(found):
        value = getattr(found, field.name)
        if field.name not in (*KEPT, *PAYMENTS, *WITHOUT_EFFECT) and value != field.default:
            raise ValueError(f"{field.name} = {value!r}: games are solved with {field.name} = {field.default!r} only")
    return SolvedKey(found.checkers, *(getattr(found, name) for name in (*KEPT, *PAYMENTS)))


def results_won(rules: Ruleset) -> tuple[int, ...]:
    """The points that a game can be won by, least first."""
    return tuple(points for points in outputs(rules) if points > 0)
