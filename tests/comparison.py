"""The native core beside the reference, position by position; what differs is told with the position, the dice and the plays."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import strategies

import nardy_fast
from nardy_fast import reference
from nardy_fast.rules import Ruleset

#: So many are told; the rest are surely of the same kind.
TOLD = 3


def listing(plays: Iterable[Any]) -> list[tuple[bytes, int, tuple[tuple[int, int, int], ...]]]:
    """Each play as its afterstate, a board and who is to move, and its steps."""
    after = [(play.afterstate, play.steps) for play in plays]
    return [(position.board.tobytes(), position.turn, steps) for position, steps in after]


def shown(entry: tuple[bytes, int, tuple[tuple[int, int, int], ...]]) -> str:
    board, turn, steps = entry
    return f"    {list(board[26:])} {list(board[:26])} then {'wb'[turn]}, by {steps}"  # the mover's row first


def difference_in_plays(position: Any, dice: tuple[int, int], native_plays: list[Any] | None = None) -> str | None:
    """How the twins' lists of plays differ, or None. `position` is the native one."""
    twin = reference.Position(position.board, position.turn, position.rules)
    mine = listing(position.plays(dice) if native_plays is None else native_plays)
    theirs = listing(twin.plays(dice))
    counts = position.count_plays(dice), twin.count_plays(dice) if random.Random(str(position)).random() < 0.05 else len(theirs)
    if mine == theirs and counts == (len(theirs), len(theirs)):
        return None
    lines = [f"{position} {dice[0]}-{dice[1]} under {position.rules}", f"  native counts {counts[0]}, reference {counts[1]}"]
    for title, some, others in (("native", mine, theirs), ("reference", theirs, mine)):
        lines.append(f"  only {title}:")
        lines += [shown(entry) for entry in some if entry not in others]
    if sorted(mine) == sorted(theirs):
        lines.append("  the order differs")
    return "\n".join(lines)


def answer(call: Callable[[], Any]) -> Any:
    """What the call returns, or the kind and text of its error."""
    try:
        return call()
    except (ValueError, TypeError) as error:
        return type(error).__name__, str(error)


def difference_within_turn(position: Any, dice: tuple[int, int], rng: random.Random, probes: int = 2) -> str | None:
    """How the twins' `next_steps` and `why_not` differ along a random turn, asked about steps right and wrong; or None."""
    twin = reference.Position(position.board, position.turn, position.rules)
    played: tuple[tuple[int, int], ...] = ()
    while True:
        offered = position.next_steps(dice, played)
        questions: list[tuple[str, Callable[[Any], Any]]] = [
            ("next_steps", lambda one, played=played: one.next_steps(dice, played))
        ]
        asked = [(rng.randint(-1, 25), rng.choice((*dice, rng.randint(0, 7)))) for _ in range(probes)]
        held = [slot for slot in range(25) if position.board[0, slot]]
        asked += [(rng.choice(held), rng.choice(dice)) for _ in range(probes) if held]
        questions += [
            (f"why_not {step}", lambda one, step=step, played=played: one.why_not(dice, step, played)) for step in asked
        ]
        wrong = (*played, asked[0])
        questions.append((f"next_steps after {wrong}", lambda one, wrong=wrong: one.next_steps(dice, wrong)))
        for question, ask in questions:
            mine, theirs = answer(lambda ask=ask: ask(position)), answer(lambda ask=ask: ask(twin))
            if mine != theirs:
                where = f"{position} {dice[0]}-{dice[1]} under {position.rules}, played {played}"
                return f"{where}\n  {question}: native {mine!r}, reference {theirs!r}"
        if not offered:
            return None
        played = (*played, rng.choice(offered))


def collect(differences: Iterable[str | None]) -> tuple[int, list[str]]:
    """How many positions were compared, and the differences, which end it when there are enough to tell."""
    found: list[str] = []
    compared = 0
    for difference in differences:
        compared += 1
        if difference is not None:
            found.append(difference)
            if len(found) >= TOLD:
                break
    return compared, found


def compare_games(rules: Ruleset, positions: int, seed: int) -> tuple[int, list[str]]:
    """`collect` over positions of native random games under `rules`, one roll each."""
    games = strategies.random_games(nardy_fast.Position, rules, positions, seed)
    return collect(difference_in_plays(position, dice, plays) for position, dice, plays in games)


def compare_made(rules: Ruleset, positions: int, seed: int) -> tuple[int, list[str]]:
    """The same on made positions. Where one has very many plays it is left out, for the reference would take seconds."""
    made = strategies.made_positions(nardy_fast.Position, rules, positions, seed)
    return collect(difference_in_plays(position, dice) if position.count_plays(dice) < 500 else None for position, dice in made)


def compare_turns(rules: Ruleset, positions: int, seed: int) -> tuple[int, list[str]]:
    """The same for `next_steps` and `why_not`."""
    rng = random.Random(seed)
    games = strategies.random_games(nardy_fast.Position, rules, positions, seed)
    return collect(difference_within_turn(position, dice, rng) for position, dice, _ in games)


def spread(
    compare: Callable[[Ruleset, int, int], tuple[int, list[str]]], rules: Ruleset, positions: int, chunk: int = 1000
) -> tuple[int, list[str]]:
    """`compare` over `positions`, in chunks with seeds of their own, on all processors: the reference is slow."""
    seeds = range(-(-positions // chunk))
    workers = min(os.cpu_count() or 1, len(seeds))
    if workers == 1:
        results = [compare(rules, chunk, seed) for seed in seeds]
    else:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            results = list(pool.map(compare, [rules] * len(seeds), [chunk] * len(seeds), seeds))
    return sum(count for count, _ in results), [difference for _, found in results for difference in found]
