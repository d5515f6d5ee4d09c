"""The worked cases and the whole games of the stage variants, compared as text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nardy_fast.positions import Pending, Stage
from nardy_fast.rules import Ruleset, ruleset

DATA = Path(__file__).parent / "data"
CASES: list[dict[str, Any]] = json.loads((DATA / "vectors_variants.json").read_text(encoding="utf-8"))
GAMES: list[dict[str, Any]] = json.loads((DATA / "games_variants.json").read_text(encoding="utf-8"))


def rules_of(variant: str) -> Ruleset:
    """A preset; after a slash, one of the dialects."""
    name, _, dialect = variant.partition("/")
    changes: dict[str, Any] = {"": {}, "stage": {"unplayed": "stage"}, "twice": {"cascade_steps": 2}}[dialect]
    return replace(ruleset(name), **changes)


def stage_of(words: str) -> Stage:
    """The stage that is written ``w thrown 5555`` or ``b carried 66``, words after it apart."""
    player, kind, dice = words.split()[:3]
    return Stage("wb".index(player), tuple(map(int, dice)), kind == "carried")


def queue_of(stages: list[str], heads: Any) -> Pending:
    first = stage_of(stages[0])
    thrower = 1 - first.player if first.carried else first.player
    return Pending(thrower, tuple(heads), tuple(map(stage_of, stages)))


def what_follows(position: Any) -> list[str]:
    """``over``, ``w throws``, or the pending stages."""
    if position.is_over:
        assert position.pending is None
        return ["over"]
    if position.pending is None:
        return [f"{'wb'[position.turn]} throws"]
    kinds = {True: "carried", False: "thrown"}
    return [f"{'wb'[one.player]} {kinds[one.carried]} {''.join(map(str, one.dice))}" for one in position.pending.stages]


def sides(position: Any) -> list[str]:
    """White's side of the text and Black's."""
    return str(position).split()[:2]


def stage_text(player: int, carried: bool, dice: tuple[int, ...]) -> str:
    return f"{'wb'[player]} {'carried' if carried else 'thrown'} {''.join(map(str, dice)) or '-'}"


def test_all_cases_and_games_are_there() -> None:
    assert len(CASES) == 62
    assert len(GAMES) == len({game["variant"] for game in GAMES}) == 9


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_worked_case_of_a_stage_variant(newest: ModuleType, case: dict[str, Any]) -> None:
    impl = newest
    rules = rules_of(case["variant"])
    bare = impl.Position.parse(case["position"], rules)
    if "queue" in case:
        pending = queue_of(case["queue"], case.get("heads", (0, 0)))
        position = impl.Position(bare.board, bare.turn, rules, pending=pending)
        plays = position.plays()
        carried = pending.stages[0].carried
    else:
        position = bare
        plays = position.plays(tuple(map(int, case["roll"].split("-"))))
        carried = False
    assert {stage_text(position.turn, carried, play.stage) for play in plays} == {case["stage"]}
    assert {sum(die for *_, die in play.steps) for play in plays} == {case["pips_used"]}
    mover = position.turn
    assert sorted(sides(play.afterstate)[mover] for play in plays) == case["mover_after"]
    assert {sides(play.afterstate)[1 - mover] for play in plays} == {sides(position)[1 - mover]}
    assert sorted({tuple(what_follows(play.afterstate)) for play in plays}) == sorted(map(tuple, case["next"]))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["variant"])
def test_a_whole_game_of_a_stage_variant(newest: ModuleType, game: dict[str, Any]) -> None:
    impl = newest
    position = impl.Position.start(rules_of(game["variant"]))
    dice: tuple[int, ...] | None = None
    for line in game["lines"]:
        if " | " not in line:
            player, _, thrown = line.split()
            assert what_follows(position) == [f"{player} throws"]
            dice = tuple(map(int, thrown.split("-")))
            continue
        stage, numbers, board, after = line.split(" | ")
        plays = position.plays(dice)
        dice = None
        carried = position.pending is not None and position.pending.stages[0].carried
        assert {stage_text(position.turn, carried, play.stage) for play in plays} == {stage}
        assert f"{len(plays)} plays, {sum(die for *_, die in plays[0].steps)} pips" == numbers
        (position,) = [play.afterstate for play in plays if sides(play.afterstate) == board.split()]
        assert what_follows(position) == after.split(" + ")
        assert impl.Position.parse(str(position), position.rules) == position
    assert position.is_over
