"""Positions of random games, sorted by what is going on in them. For the other tools here."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import nardy_fast as nf
from nardy_fast.rules import BAR, OFF, ROLLS, Ruleset

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


def plays_taken_away(position: nf.Position, dice: tuple[int, int]) -> bool:
    """Whether the six-block rule, or the limit of a stack, changes what can be played."""
    rules = position.rules
    if rules.road == "parallel":
        free = replace(rules, name="free", block_rule="free", block_check="step")
    else:
        free = replace(rules, name="free", stack_limit=None)
    return nf.Position(position.board, position.turn, free).count_plays(dice) != position.count_plays(dice)


def rule_bites(position: nf.Position) -> bool:
    """Whether the six-block rule, or the limit of a stack, changes what some roll can play."""
    return any(plays_taken_away(position, dice) for dice, _ in ROLLS)
