"""The rulebook's vectors, compared as boards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import oracle
import pytest

from nardy_fast.rules import Ruleset, ruleset

DATA = Path(__file__).parent / "data"
LONG: list[dict[str, Any]] = json.loads((DATA / "vectors_long.json").read_text(encoding="utf-8"))
SHORT: list[dict[str, Any]] = json.loads((DATA / "vectors_short.json").read_text(encoding="utf-8"))


def dice_of(vector: dict[str, Any]) -> tuple[int, int]:
    first, second = vector["dice"].split("-")
    return int(first), int(second)


def afterstates(position: Any, dice: tuple[int, int]) -> list[tuple[int, ...]]:
    """Every afterstate as the mover's 26 numbers and then the opponent's."""
    boards = [play.afterstate.board.tolist() for play in position.plays(dice)]
    return [(*mover, *opponent) for opponent, mover in boards]


def test_all_vectors_are_there() -> None:
    assert len(LONG) == 43
    assert len([vector for vector in LONG if not vector["rules"]]) == 36
    assert len(SHORT) == 23


@pytest.mark.parametrize("vector", LONG, ids=lambda vector: vector["id"])
def test_long_nardy_vector(impl: ModuleType, vector: dict[str, Any]) -> None:
    rules: Ruleset = replace(ruleset("long"), **vector["rules"])
    position = impl.Position.parse(vector["position"], rules)
    own, other, turn = oracle.rows_of_text(vector["position"], rules)
    assert position.board.tolist() == [own, other]
    expected = sorted((*oracle.row_of_text(text, turn, rules), *other) for text in vector["mover_after"])
    assert afterstates(position, dice_of(vector)) == expected
    assert {sum(die for _, _, die in play.steps) for play in position.plays(dice_of(vector))} == {vector["pips_used"]}


@pytest.mark.parametrize("vector", SHORT, ids=lambda vector: vector["name"])
def test_short_nardy_vector(impl: ModuleType, vector: dict[str, Any]) -> None:
    rules = ruleset("short")
    position = impl.Position.parse(vector["position"], rules)
    assert position.board.tolist() == list(oracle.rows_of_text(vector["position"], rules)[:2])
    expected = sorted(
        (*oracle.row_of_text(mover, 0, rules), *oracle.row_of_text(opponent, 0, rules)) for mover, opponent in vector["after"]
    )
    assert afterstates(position, dice_of(vector)) == expected
    assert {len(play.steps) for play in position.plays(dice_of(vector))} == {vector["steps"]}
