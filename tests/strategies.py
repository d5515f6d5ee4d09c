"""Positions to test with: from random games under any ruleset, and made ones that random games rarely reach."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import oracle
from hypothesis import assume
from hypothesis import strategies as st

from nardy_fast.rules import CHOICES, WITHOUT_MEANING, Ruleset

ANYWHERE = list(range(1, 25))
HOME = list(range(19, 25))

dice = st.tuples(st.integers(1, 6), st.integers(1, 6))


def random_roll(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def random_games(
    position_type: Any, rules: Ruleset, positions: int, seed: int
) -> Iterator[tuple[Any, tuple[int, int], list[Any]]]:
    """`positions` triples (position, dice, its plays) from uniformly random games, one roll each; either side starts."""
    rng = random.Random(seed)
    left = positions
    while left:
        position = position_type.start(rules, rng.randrange(2))
        for _ in range(400):  # a game under odd rules may go on for ever
            if position.is_over or not left:
                break
            roll = random_roll(rng)
            plays = position.plays(roll)
            yield position, roll, plays
            left -= 1
            position = position.apply(rng.choice(plays))


# Made boards


def _places(slots: list[int], count: int, rules: Ruleset) -> list[int]:
    """Each slot as often as it may be filled."""
    return [slot for slot in slots for _ in range(count if slot in (0, 25) else min(count, rules.stack_limit or count))]


class _Drawn:
    """Choices made by Hypothesis, which can shrink them."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def some(self, items: Sequence[int], least: int, most: int) -> list[int]:
        """Distinct places of the list, not distinct values."""
        if not items:
            return []
        chosen = self.draw(st.lists(st.integers(0, len(items) - 1), min_size=least, max_size=most, unique=True))
        return [items[index] for index in chosen]


class _Thrown:
    """The same choices by a seeded generator, for great numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def number(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def some(self, items: Sequence[int], least: int, most: int) -> list[int]:
        return self.rng.sample(items, self.rng.randint(least, most))


KINDS = ("blots", "stacks", "wall", "head", "home", "ending", "last", "door", "threshold", "any")


def _row(choose: _Drawn | _Thrown, rules: Ruleset, free: list[int]) -> list[int] | None:
    """One side's row on points of `free`, of one of several kinds that random games rarely reach; None if it cannot be."""
    count = rules.checkers
    contrary = rules.road == "contrary"
    kind = KINDS[choose.number(0, len(KINDS) - 1)]
    row = [0] * 26
    wanted = list(free)
    home = [slot for slot in free if slot in HOME]
    outside = [slot for slot in free if 12 < slot < 19]
    if kind == "blots":
        for slot in choose.some(free, 1, min(count, len(free))):
            row[slot] = 1
    elif kind == "stacks":
        wanted = choose.some(free, 1, min(5, len(free)))
    elif kind == "wall":  # five to seven in a row on the other's track, with room to close or break it
        first, length = choose.number(1, 20), choose.number(5, 7)
        for seen in range(first, min(first + length, 25)):
            slot = oracle.seen_by_other(rules, seen)
            if slot in free and sum(row) < count:
                row[slot] = 1
    elif kind == "head":
        row[1] = choose.number(max(count - 4, 0), count) if 1 in free else 0
    elif kind == "home":
        wanted = home
    elif kind == "ending":  # few left, the rest off
        row[25] = choose.number(max(count - 6, 0), count)
        wanted = home
    elif kind == "last":  # one checker left
        row[25] = count - 1
        wanted = free if contrary else home
    elif kind == "door":  # the last one comes home, so that bearing off begins within the turn
        wanted = home
        for slot in choose.some(outside, min(1, len(outside)), min(1, len(outside))):
            row[slot] = 1
    elif kind == "threshold":  # the same with most points of the home held
        wanted = home
        for slot in choose.some(outside, min(1, len(outside)), min(1, len(outside))):
            row[slot] = 1
        for slot in choose.some(home, min(4, len(home)), len(home)):
            row[slot] = int(sum(row) < count)
    if contrary and kind in ("blots", "wall", "home", "ending", "any"):
        row[0] = choose.number(0, min(3, count - min(count, sum(row))))
    if kind in ("home", "ending", "last") or contrary:
        wanted = [*wanted, 25]
    missing = count - sum(row)
    places = _places(wanted or free, count, rules)
    if missing > len(places):
        places = _places(sorted({*wanted, *free}), count, rules)
    if not 0 <= missing <= len(places):
        return None
    for slot in choose.some(places, missing, missing):
        row[slot] += 1
    return row


def _rows(choose: _Drawn | _Thrown, rules: Ruleset) -> tuple[list[int], list[int]] | None:
    """Two rows that make a valid board of `rules`; None where the choices have led to none."""
    first = _row(choose, rules, ANYWHERE)
    if first is None:
        return None
    second = _row(choose, rules, [slot for slot in ANYWHERE if first[oracle.seen_by_other(rules, slot)] == 0])
    if second is None:
        return None
    pair = (first, second) if choose.number(0, 1) else (second, first)
    return pair if oracle.fault(list(pair), rules) is None else None


@st.composite
def rows(draw: st.DrawFn, rules: Ruleset) -> tuple[list[int], list[int]]:
    """Two rows, the mover's and the opponent's, that make a valid board of `rules`."""
    pair = _rows(_Drawn(draw), rules)
    assume(pair is not None)
    assert pair is not None
    return pair


def made_positions(position_type: Any, rules: Ruleset, positions: int, seed: int) -> Iterator[tuple[Any, tuple[int, int]]]:
    """`positions` pairs (position, dice) of the same kinds as `rows`, by a seed; finished games are among them."""
    rng = random.Random(seed)
    left = positions
    while left:
        pair = _rows(_Thrown(rng), rules)
        if pair is not None:
            left -= 1
            yield position_type(pair, rng.randrange(2), rules), random_roll(rng)


# Rulesets

#: The fields of the stage variants.
STAGE_FIELDS = (
    *("throw", "cascade_steps", "parity", "send", "send_optional", "off_dice"),
    *("home_steps", "unplayed", "throw_again", "void_double", "dead_draw"),
)


def _random_setup(rng: random.Random, road: str) -> tuple[tuple[int, int], ...]:
    """Up to 15 checkers here and there, at most five on a point, the two sides apart."""
    free = list(range(1, 25)) if road == "parallel" else list(range(25))
    left = rng.choice((15, 15, 15, 10, 3, 1))
    setup = []
    while left:
        slot = rng.choice(free)
        count = rng.randint(min(left, 2), min(left, 5))
        setup.append((slot, count))
        left -= count
        taken = {slot, (slot + 11) % 24 + 1 if road == "parallel" else 25 - slot}
        free = [other for other in free if other not in taken]
    return tuple(setup)


def random_ruleset(rng: random.Random) -> Ruleset:
    """A valid ruleset, each option drawn at random; one that nobody plays, most likely."""
    road = rng.choice(("parallel", "parallel", "parallel", "contrary"))
    options: dict[str, Any] = {option: rng.choice(values) for option, values in CHOICES.items() if option not in STAGE_FIELDS}
    options["block_rule"] = rng.choice(("ahead", "home", "never", "free", "fevga"))
    options["backgammon_points"] = 3
    options |= {option: value for option, value in WITHOUT_MEANING[road].items() if option not in STAGE_FIELDS}
    options |= {"road": road, "setup": _random_setup(rng, road), "name": "random"}
    shape = rng.choice(("exception", "exception", "runner", "plain")) if road == "parallel" else "plain"
    options["runner"] = shape == "runner"
    if shape == "plain":
        options["head_exception"] = "none"
    else:
        checkers = rng.choice((15, 15, 15, 5, 2, 1))
        options["setup"] = ((1, checkers),)
        options["stack_limit"] = None if checkers == 15 else options["stack_limit"]
        options["head_limit"] = 1 if shape == "exception" else None
        options["head_exception"] = options["head_exception"] if shape == "exception" else "none"
    if options["block_rule"] == "free":
        options["block_check"] = "step"
    if options["goal"] == "keep":
        options |= {"remaining": False, "last_roll": "none"}
    if options["goal"] == "keep" or options["remaining"]:
        options |= {"home_mars": None, "koks": None}
    if options["koks"] is None:
        options["koks_points"] = 3
    rules = Ruleset(**options)
    row = [dict(rules.setup).get(slot, 0) for slot in range(26)]
    if oracle.fault([row, row], rules) is not None:  # the setup may hold a block
        return random_ruleset(rng)
    return rules


def random_stage_ruleset(rng: random.Random) -> Ruleset:
    """The same on parallel roads, with the fields of the stage variants drawn at random as well."""
    rules = random_ruleset(rng)
    while rules.road == "contrary":
        rules = random_ruleset(rng)
    throw = rng.choice(("pair", "pair", "product", "cascade", "cascade"))
    options: dict[str, Any] = {field: rng.choice(CHOICES[field]) for field in STAGE_FIELDS} | {"throw": throw}
    # What another throw cannot have is drawn for nothing.
    of_throw = {
        "cascade": ("cascade_steps", "void_double"),
        "product": ("parity",),
        "pair": ("send", "send_optional", "throw_again"),
    }
    for other in of_throw.keys() - {throw}:
        options |= {field: CHOICES[field][0] for field in of_throw[other]}
    if throw != "cascade" and options["unplayed"] == "rest":
        options["unplayed"] = "stage"
    if rules.head_limit is None:
        options["send"] = None
    if options["send"] is None:
        options["send_optional"] = False
    options["dead_draw"] = options["dead_draw"] or not options["home_steps"]
    if options["unplayed"] != "lost" or throw == "cascade" or options["throw_again"]:
        options["last_roll"] = "none"
    if rules.block_rule == "fevga" and rng.random() < 0.5:
        options["block_rule"] = "fevga_open"
    return replace(rules, **options)
