"""Makes nardy_fast/benchmark/data/perftsuite.txt: draws the positions from random games and counts. A quarter of an hour.

    python tools/make_perftsuite.py > nardy_fast/benchmark/data/perftsuite.txt

The same on every run and every machine: the games are drawn with fixed seeds, and how deep to count is decided by the number of
lists of plays that it takes, not by the time. Everything has been counted by the native perft, which counts the plays of the last
turn and does not list them; again by `listed_leaves`, which lists them all; and by the reference's perft, as far as that can go.
Stops with an `AssertionError` as soon as two counts are not the same.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator

from random_positions import is_bearing_off, is_entering, is_middle, random_games, rule_bites

import nardy_fast as nf
from nardy_fast import reference
from nardy_fast.benchmark.perftsuite import Entry, listed_leaves
from nardy_fast.rules import ROLLS, RULESETS, Ruleset

#: At about a thousand lists a second.
REFERENCE_LISTS = 20_000
#: At about a hundred thousand lists a second.
LISTED_LISTS = 2_500_000

#: `backgammon` is another name for `short`. The stage variants of long nardy are left to the tests.
PRESETS = [
    name
    for name, rules in RULESETS.items()
    if name != "backgammon" and rules.throw == "pair" and rules.send is None and not rules.has_queue
]

HEADER = """\
# Positions with their perft counts: four of each preset but the stage variants, from the opening, the middle, a moment where a
# rule of its own matters (the six-block rule, the head, the limit of a stack, entering from the bar), and bearing off. Drawn from
# random games.
#
# WHITE BLACK SIDE RULES ;D1 leaves ;D2 leaves ...   The format and the command are described in nardy_fast.benchmark.perftsuite.
#
# "reference to D2": those counts were made by the reference and by the native core, which agree. The deeper ones were made by
# the native core in two ways, by perft, which only counts the plays of the last turn, and by listing all of them; they agree too.
#
# Made by tools/make_perftsuite.py.
"""


def phases(name: str) -> Iterator[tuple[str, nf.Position]]:
    """The four positions of a preset, each with a word for it."""
    rules = RULESETS[name]
    yield opening(name)
    for phase, suits in (("middle", is_middle), own_rule(rules), ("bearing off", is_near_the_end)):
        games = random_games(rules, f"{name}, {phase}")
        yield phase, next(position for game in games for position, gone in game if suits(position, gone))


def opening(name: str) -> tuple[str, nf.Position]:
    """The start; or, where an earlier preset starts by the same rules, what one turn makes of it, another turn for each."""
    like = [other for other in PRESETS[: PRESETS.index(name)] if start_of(other) == start_of(name)]
    if not like:
        return "start", nf.Position.start(name)
    after = [random_games(RULESETS[name], f"{name}, opening {number}") for number in range(100)]
    taken = {str(opening(other)[1]) for other in like}
    return "opening", next(position for games in after if str(position := next(games)[1][0]) not in taken)


def start_of(name: str) -> tuple[object, ...]:
    """What the first turns of a preset depend on."""
    rules = RULESETS[name]
    return rules.road, rules.setup, rules.head_limit, rules.head_exception, rules.runner


def is_near_the_end(position: nf.Position, gone: float) -> bool:
    """Bearing off in the last tenth of the game, with some choice left."""
    return gone > 0.9 and is_bearing_off(position, gone) and nf.perft(position, 1) > len(ROLLS)


def own_rule(rules: Ruleset) -> tuple[str, Callable[[nf.Position, float], bool]]:
    """A word for the moment where a rule of this game matters, and whether a position is such."""
    if rules.road == "contrary" and rules.stack_limit is None:
        return "bar", is_entering
    word = "stack limit" if rules.road == "contrary" else "head" if rules == RULESETS["khachapuri"] else "block"
    return word, lambda position, gone: 0.1 < gone < 0.7 and any(rule_bites(position, dice) for dice, _ in ROLLS)


def counted(position: nf.Position, rules: str) -> tuple[Entry, int]:
    """The entry of a position, and how deep the reference has counted."""
    twin = reference.Position.parse(str(position), rules)
    leaves: list[tuple[int, int]] = []
    by_reference = 0
    above = 1
    for depth in itertools.count(1):
        lists = above * len(ROLLS)
        if lists > LISTED_LISTS:
            break
        count = nf.perft(position, depth)
        if lists <= REFERENCE_LISTS:
            assert reference.perft(twin, depth) == count, (str(position), rules, depth)
            by_reference = depth
        assert listed_leaves(position, depth) == count, (str(position), rules, depth)
        if count == above:  # all games have ended
            break
        leaves.append((depth, count))
        above = count
    return Entry(str(position), rules, tuple(leaves)), min(by_reference, len(leaves))


def main() -> None:
    print(HEADER)
    for name in PRESETS:
        for phase, position in phases(name):
            entry, by_reference = counted(position, name)
            print(f"{entry}  # {phase}; reference to D{by_reference}", flush=True)
            print(f"{name}, {phase}", file=sys.stderr)


if __name__ == "__main__":
    main()
