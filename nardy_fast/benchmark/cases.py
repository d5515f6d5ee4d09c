"""The positions that the benchmark works on, and what must come of the work.

They come with the package (``data/positions``), drawn from random games by ``tools/make_bench_positions.py``: a file for each
game, phase and kind of roll, a position and its roll a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

DATA = resources.files(__package__) / "data"

#: The phases of each game; in the third, plays are hard to find: a block at stake, checkers on the bar.
PHASES = {"long": ("opening", "middle", "blocks", "bearing-off"), "short": ("opening", "middle", "bar", "bearing-off")}
#: Rolls of two different dice, and doubles: different problems.
KINDS = ("mixed", "doubles")

Case = tuple[Any, tuple[int, int]]


def set_name(rules: str, phase: str, kind: str) -> str:
    """The name of a set of positions, and of its file."""
    return f"{rules}-{phase}-{kind}"


def set_names(games: Iterable[str] = PHASES) -> list[str]:
    """The names of all sets of these games."""
    return [set_name(rules, phase, kind) for rules in games for phase in PHASES[rules] for kind in KINDS]


def lines(name: str) -> list[str]:
    """The positions of a set, each with its roll, as text."""
    text = (DATA / "positions" / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line.partition("#")[0].strip()]


@cache
def cases(impl: Any, name: str) -> tuple[Case, ...]:
    """The positions of a set, made by an implementation, each with its roll."""
    rules = name.partition("-")[0]
    return tuple(impl.parse_position(line, rules) for line in lines(name))


@cache
def expectations() -> dict[str, Any]:
    """What must come of all work; written by ``tools/make_bench_positions.py``."""
    content: dict[str, Any] = json.loads((DATA / "benchmark.json").read_text("utf-8"))
    return content
