"""Positions of random games, sorted by what is going on in them. For the other tools here."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import nardy_fast as nf
from nardy_fast.rules import BAR, OFF, Ruleset

#: (a position, how much of its game lies behind it, from 0 to 1)
Moment = tuple[nf.Position, float]


def random_game(rules: Ruleset, rng: random.Random) -> list[Moment]:
    """All positions of a game in which each play is an even choice."""
    position = nf.Position.start(rules)
    positions = []
    while not position.is_over:
        positions.append(position)
        position = rng.choice(position.plays((rng.randint(1, 6), rng.randint(1, 6)))).afterstate
    return [(position, number / len(positions)) for number, position in enumerate(positions)]


def random_games(rules: Ruleset, seed: str) -> Iterator[list[Moment]]:
    """Games without end, the same for the same seed."""
    rng = random.Random(seed)
    while True:
        yield random_game(rules, rng)


def is_opening(position: nf.Position, gone: float) -> bool:
    """In the first tenth of the game."""
    return gone < 0.1


def is_middle(position: nf.Position, gone: float) -> bool:
    """About half-way, while the two sides may still meet."""
    return 0.3 < gone < 0.6 and position.is_contact


def is_bearing_off(position: nf.Position, gone: float) -> bool:
    """The side to move has borne off a checker and none is on its way again."""
    row = position.board[0]
    return bool(row[OFF] and not row[:19].any())


def is_entering(position: nf.Position, gone: float) -> bool:
    """The side to move has a checker on the bar, and not because the game has just begun."""
    return bool(gone > 0.2 and position.board[0, BAR])


@cache
def without_own_rule(rules: Ruleset) -> Ruleset:
    """The same game without the rule that makes some rolls harder to judge: the stack limit, or the six-block rule; Хачапури,
    which has its freedom at the head for a rule, with a head rule.
    """
    if rules.road == "contrary":
        return replace(rules, name="without", stack_limit=None)
    if rules.head_limit is None and not rules.runner:
        return replace(rules, name="without", head_limit=1)
    return replace(rules, name="without", block_rule="free", block_check="step")


def rule_bites(position: nf.Position, dice: tuple[int, int]) -> bool:
    """Whether `without_own_rule` other plays of the roll would be allowed."""
    without = nf.Position(position.board, position.turn, without_own_rule(position.rules))
    return without.count_plays(dice) != position.count_plays(dice)
