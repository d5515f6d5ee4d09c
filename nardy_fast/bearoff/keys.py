"""Which table belongs to which rules: a key names the bear-off rules that a table was built for, or the rules are refused.

Rules that differ in nothing that matters at the end of a game share their tables.
"""

from __future__ import annotations

from typing import NamedTuple

from nardy_fast.arguments import short_repr
from nardy_fast.core._bearoff_two import payments
from nardy_fast.rules import CHOICES, Ruleset, ruleset

HOME_POINTS = 6
MAX_POINTS = 10
#: Two-sided tables grow with the square of what one side can have: 64 million pairs for ten checkers.
MAX_CHECKERS = 10
#: A stack limit that no side can reach.
NO_LIMIT = 15


class OneSidedKey(NamedTuple):
    """What a one-sided table depends on."""

    points: int
    exact: bool
    stack_limit: int
    #: Whether the side wants its end to come late.
    keep: bool


class TwoSidedKey(NamedTuple):
    """What a two-sided table depends on."""

    checkers: int
    exact: bool
    stack_limit: int
    keep: bool
    cube: bool
    last_roll: str
    #: What a game is worth by how many checkers are left, from 0 on.
    payments: tuple[int, ...]
    #: With how many checkers left a side has borne off none, so that there is a mars; 0 where that cannot be.
    whole: int


def one_sided_key(rules: str | Ruleset, points: int = HOME_POINTS) -> OneSidedKey:
    """The key of the table for bearing off from so many points; `ValueError` for rules that no table serves."""
    if type(points) is not int or not HOME_POINTS <= points <= MAX_POINTS:
        raise ValueError(f"points = {short_repr(points)}: expected an integer from {HOME_POINTS} to {MAX_POINTS}")
    rules = _served(rules)
    if points > HOME_POINTS and rules.bear_off_start == "next_turn":
        raise ValueError(f"points = {points}: with bear_off_start = 'next_turn' there are tables for {HOME_POINTS} points only")
    if points > HOME_POINTS and rules.block_rule == "home":
        raise ValueError(f"points = {points}: with block_rule = 'home' there are tables for {HOME_POINTS} points only")
    return OneSidedKey(points, rules.bear_off == "exact", rules.stack_limit or NO_LIMIT, rules.goal == "keep")


def two_sided_key(rules: str | Ruleset, checkers: int = 6) -> TwoSidedKey:
    """The key of the table for up to so many checkers of each side; `ValueError` for rules that no table serves."""
    if type(checkers) is not int or not 1 <= checkers <= MAX_CHECKERS:
        raise ValueError(f"checkers = {short_repr(checkers)}: expected an integer from 1 to {MAX_CHECKERS}")
    rules = _served(rules)
    checkers = min(checkers, rules.checkers)
    worth = payments(rules)[: checkers + 1]
    even = all(points == 1 for points in worth[1:])
    return TwoSidedKey(
        checkers=checkers,
        exact=rules.bear_off == "exact",
        stack_limit=rules.stack_limit or NO_LIMIT,
        keep=rules.goal == "keep",
        cube=rules.road == "contrary",
        # Where every loser pays the same, what is borne off by the last roll changes nothing.
        last_roll="draw_only" if rules.last_roll == "full" and even else rules.last_roll,
        payments=(0, *worth[1:]),
        whole=0 if rules.remaining or rules.checkers > checkers else rules.checkers,
    )


def _served(rules: str | Ruleset) -> Ruleset:
    """The ruleset, if a side that bears off needs to know nothing of the other."""
    found = ruleset(rules)
    for option in ("throw_again", "unplayed", "off_dice", "throw", "home_steps"):
        usual, value = CHOICES[option][0], getattr(found, option)
        if value != usual:
            raise ValueError(f"{option} = {value!r}: no table knows a throw that is played otherwise than two dice or four")
    if found.block_rule == "never":
        raise ValueError("block_rule = 'never': the six-block rule would hold to the very end, and no table knows it")
    return found
