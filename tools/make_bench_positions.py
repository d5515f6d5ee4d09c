"""Makes the positions of the benchmark and what must come of them, in nardy_fast/benchmark/data/. Some minutes.

    python tools/make_bench_positions.py
    python tools/make_bench_positions.py --keep-positions      # only what must come of them; half a minute

The same on every run and every machine: the games are drawn with fixed seeds from plays in their promised order. What must come
of the positions is what the reference says and the native core says too; the perft counts beyond the reference's reach are
counted by perft and by listing.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from random_positions import is_bearing_off, is_entering, is_middle, is_opening, random_games, rule_bites

import nardy_fast as nf
from nardy_fast import reference
from nardy_fast.benchmark import jobs as benchmark
from nardy_fast.benchmark.cases import KINDS, PHASES, cases, set_name, set_names
from nardy_fast.benchmark.perftsuite import listed_leaves
from nardy_fast.rules import ROLLS

DATA = Path(__file__).parent.parent / "nardy_fast" / "benchmark" / "data"
#: In each set.
POSITIONS = 100
#: Deeper than this the reference takes too long.
REFERENCE_DEPTH = {"long": 3, "short": 1}

DICE = {
    "mixed": [(high, low) for (high, low), _ in ROLLS if high != low],
    "doubles": [(high, low) for (high, low), _ in ROLLS if high == low],
}

SUITS: dict[str, Callable[[nf.Position, float, tuple[int, int]], bool]] = {
    "opening": lambda position, gone, dice: is_opening(position, gone),
    "middle": lambda position, gone, dice: is_middle(position, gone),
    "blocks": lambda position, gone, dice: rule_bites(position, dice),
    "bar": lambda position, gone, dice: is_entering(position, gone),
    "bearing-off": lambda position, gone, dice: is_bearing_off(position, gone),
}

WORDS = {
    "opening": "in the first tenth of the game",
    "middle": "about half-way, in contact",
    "blocks": "the six-block rule takes plays away",
    "bar": "the mover has a checker on the bar",
    "bearing-off": "the mover bears off",
}


def drawn(rules: str, phase: str, kind: str) -> list[str]:
    """The lines of a set: one position of a game, with a roll."""
    name = set_name(rules, phase, kind)
    found: dict[str, None] = {}
    games = random_games(nf.ruleset(rules), name)
    rng = random.Random(f"{name}, rolls")
    while len(found) < POSITIONS:
        suitable = []
        for position, gone in next(games):
            dice = rng.choice(DICE[kind])
            if SUITS[phase](position, gone, dice):
                suitable.append(f"{position} {dice[0]}-{dice[1]}")
        if suitable:
            found[rng.choice(suitable)] = None
    return list(found)


def write_positions() -> None:
    for rules, phases in PHASES.items():
        for phase in phases:
            for kind in KINDS:
                name = set_name(rules, phase, kind)
                header = f"# {rules}, {phase}, {kind}: {WORDS[phase]}. From random games, by tools/make_bench_positions.py.\n"
                text = header + "".join(f"{line}\n" for line in drawn(rules, phase, kind))
                (DATA / "positions" / f"{name}.txt").write_text(text, "utf-8", newline="\n")
                print(name, flush=True)


def facts_of_set(name: str) -> dict[str, Any]:
    """What comes of a set of positions, by both implementations."""
    found = []
    for impl in (reference, nf):
        given = cases(impl, name)
        lists = [position.plays(dice) for position, dice in given]
        counts = [position.count_plays(dice) for position, dice in given]
        after = [position.apply(play) for (position, _), plays in zip(given, lists, strict=True) for play in plays]
        found.append(
            {
                "count": benchmark.read_counts(counts),
                "list": benchmark.read_lists(lists),
                "apply": benchmark.read_positions(after),
            }
        )
    assert found[0] == found[1], name
    return found[0]


def facts_of_batch(rules: str, kind: str) -> dict[str, Any]:
    """What comes of all sets of a game and kind together, by the reference."""
    given = [case for name in benchmark.batch_sets(rules, kind) for case in cases(reference, name)]
    boards = [[play.afterstate.board[::-1].tobytes() for play in position.plays(dice)] for position, dice in given]
    return dict(benchmark.read_afterstates(boards))


def leaves(rules: str, depth: int) -> int:
    """The leaves below the start, counted twice."""
    if depth <= REFERENCE_DEPTH[rules]:
        again = reference.perft(reference.Position.start(rules), depth)
    else:
        again = listed_leaves(nf.Position.start(rules), depth)
    count = nf.perft(nf.Position.start(rules), depth)
    assert count == again, (rules, depth)
    return count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep-positions", action="store_true")
    if not parser.parse_args().keep_positions:
        write_positions()
    perft: dict[str, dict[str, int]] = {}
    for rules, depth, _ in benchmark.PERFTS:
        perft.setdefault(rules, {})[str(depth)] = leaves(rules, depth)
    expected = {
        "sets": {name: facts_of_set(name) for name in set_names()},
        "batches": {f"{rules}-{kind}": facts_of_batch(rules, kind) for rules in PHASES for kind in KINDS},
        "perft": perft,
    }
    (DATA / "benchmark.json").write_text(written(expected), "utf-8", newline="\n")


def written(expected: dict[str, dict[str, Any]]) -> str:
    """JSON with a line for each set."""
    parts = []
    for title, entries in expected.items():
        lines = ",\n".join(f'    "{name}": {json.dumps(facts)}' for name, facts in entries.items())
        parts.append(f'  "{title}": {{\n{lines}\n  }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main()
