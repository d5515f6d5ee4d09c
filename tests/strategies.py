"""Positions to test with: from random games under any ruleset, and made ones that random games rarely reach."""

from __future__ import annotations

import random
from collections.abc import Iterator
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


def _row(draw: st.DrawFn, rules: Ruleset, free: list[int]) -> list[int]:
    """One side's row on points of `free`, of one of several kinds that random games rarely reach."""
    count = rules.checkers
    contrary = rules.road == "contrary"
    kind = draw(st.sampled_from(("blots", "stacks", "wall", "head", "home", "ending", "last", "door", "threshold", "any")))
    row = [0] * 26
    wanted = list(free)
    if kind == "blots":
        chosen = draw(st.lists(st.sampled_from(free), min_size=1, max_size=min(count, len(free)), unique=True))
        for slot in chosen:
            row[slot] = 1
    elif kind == "stacks":
        wanted = draw(st.lists(st.sampled_from(free), min_size=1, max_size=5, unique=True))
    elif kind == "wall":  # five to seven in a row on the other's track, with room to close or break it
        first = draw(st.integers(1, 20))
        length = draw(st.integers(5, 7))
        for seen in range(first, min(first + length, 25)):
            slot = oracle.seen_by_other(rules, seen)
            if slot in free and sum(row) < count:
                row[slot] = 1
    elif kind == "head":
        row[1] = draw(st.integers(max(count - 4, 0), count)) if 1 in free else 0
    elif kind == "home":
        wanted = [slot for slot in free if slot in HOME]
    elif kind == "ending":  # few left, the rest off
        row[25] = draw(st.integers(max(count - 6, 0), count))
        wanted = [slot for slot in free if slot in HOME]
    elif kind == "last":  # one checker left
        row[25] = count - 1
        wanted = [slot for slot in free if slot in HOME] if not contrary else free
    elif kind == "door":  # the last ones come home, so that bearing off begins within the turn
        wanted = [slot for slot in free if slot in HOME]
        if outside := [slot for slot in free if 12 < slot < 19]:
            row[draw(st.sampled_from(outside))] = 1
    elif kind == "threshold":  # five or six points of the home held and one checker outside, a step from bearing off
        wanted = [slot for slot in free if slot in HOME]
        for slot in wanted:
            row[slot] = int(sum(row) < count - 1 and draw(st.integers(0, 5)) > 0)
        if outside := [slot for slot in free if 12 < slot < 19]:
            row[draw(st.sampled_from(outside))] = 1
    if contrary and kind in ("blots", "wall", "home", "ending", "any"):
        row[0] = draw(st.integers(0, min(3, count - min(count, sum(row)))))
    if kind in ("home", "ending", "last") or contrary:
        wanted = [*wanted, 25]
    if not wanted:
        wanted = free
    missing = count - sum(row)
    places = _places(wanted, count, rules)
    if missing > len(places):
        places = _places(sorted({*wanted, *free}), count, rules)
    assume(0 <= missing <= len(places))
    chosen = draw(st.lists(st.integers(0, len(places) - 1), min_size=missing, max_size=missing, unique=True))
    for index in chosen:
        row[places[index]] += 1
    return row


@st.composite
def rows(draw: st.DrawFn, rules: Ruleset) -> tuple[list[int], list[int]]:
    """Two rows that make a valid board of `rules`."""
    first = _row(draw, rules, ANYWHERE)
    free = [slot for slot in ANYWHERE if first[oracle.seen_by_other(rules, slot)] == 0]
    second = _row(draw, rules, free)
    pair = (first, second) if draw(st.booleans()) else (second, first)
    assume(oracle.fault(list(pair), rules) is None)
    return pair


# Rulesets


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
    options: dict[str, Any] = {option: rng.choice(values) for option, values in CHOICES.items()}
    options |= WITHOUT_MEANING[road]
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
