"""Many random games at once, and what is told of them."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import abi
import numpy as np
import pytest
from usual_rulesets import USUAL_RULESETS

from nardy_fast.bulk.simulation import Simulation, result_names
from nardy_fast.rules import ruleset

LAST_CHECKER = "1:1 18:15 w"  # whatever White throws, he clears


def make(winner: list[int], points: list[int], turns: list[int], rules: str = "long", seconds: float = 2.0) -> Simulation:
    return Simulation(winner=winner, points=points, turns=turns, rules=ruleset(rules), seed=7, seconds=seconds)


@pytest.fixture
def four() -> Simulation:
    return make([0, 0, 1, 0], [1, 2, 1, 1], [90, 100, 110, 80])


# Simulation


def test_the_arrays_have_the_documented_types_and_are_read_only(four: Simulation) -> None:
    assert (four.winner.dtype, four.points.dtype, four.turns.dtype) == (np.int8, np.int16, np.int32)
    for array in (four.winner, four.points, four.turns):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("winner", "points", "turns", "error", "message"),
    [
        ([0, 1], [1], [90, 90], ValueError, "winner, points and turns have 2, 1 and 2 entries: expected one a game in each"),
        ([0, 2], [1, 1], [9, 9], ValueError, "winner[1] = 2: expected -1..1"),
        ([0, 1], [1, -1], [9, 9], ValueError, "points[1] = -1: expected 0..32767"),
        ([0], [1], [2**31], ValueError, "turns[0] = 2147483648: expected 0..2147483647"),
        ([[0]], [1], [9], ValueError, "winner has shape (1, 1): expected one entry a game, and at least one game"),
        ([0], [1.0], [9], TypeError, "points has dtype float64: expected integers"),
    ],
)
def test_arrays_that_do_not_describe_the_same_games_are_refused(
    winner: list[Any], points: list[Any], turns: list[Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        make(winner, points, turns)
    assert str(caught.value) == message


def test_no_games_are_no_simulation(four: Simulation) -> None:
    with pytest.raises(ValueError, match=r"winner has shape \(0,\): expected one entry a game, and at least one game"):
        replace(four, winner=np.empty(0, np.int8))


def test_a_summary_tells_the_shares_of_all_games(four: Simulation) -> None:
    assert four.summary() == {
        "rules": "long",
        "seed": 7,
        "games": 4,
        "turns": 380,
        "turns_per_game": 95.0,
        "results": {"white": {"oin": 0.5, "mars": 0.25, "all": 0.75}, "black": {"oin": 0.25, "mars": 0.0, "all": 0.25}},
        "draws": 0.0,
        "seconds": 2.0,
        "turns_per_second": 190.0,
    }


def test_a_summary_counts_draws_for_neither_side() -> None:
    summary = make([-1, 0], [0, 1], [90, 90], "federation").summary()
    assert summary["draws"] == 0.5
    assert summary["results"] == {"white": {"oin": 0.5, "mars": 0.0, "all": 0.5}, "black": {"oin": 0.0, "mars": 0.0, "all": 0.0}}


def test_a_summary_is_ready_for_json(four: Simulation) -> None:
    assert json.loads(json.dumps(four.summary())) == four.summary()


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (ruleset("long"), {1: "oin", 2: "mars"}),
        (ruleset("short"), {1: "single", 2: "gammon", 3: "backgammon"}),
        (ruleset("giveaway"), {1: "giveaway", 2: "giveaway mars"}),
        (ruleset("arena"), {1: "oin", 2: "mars", 3: "koks", 4: "home mars"}),
        (replace(ruleset("long"), home_mars=3, koks="on_head"), {1: "oin", 2: "mars", 3: "home mars or koks"}),
        (replace(ruleset("long"), home_mars=3, koks="on_head", koks_points=4), {1: "oin", 2: "mars", 3: "home mars", 4: "koks"}),
        (ruleset("khachapuri"), {1: "1 point"} | {points: f"{points} points" for points in range(2, 16)}),
    ],
)
def test_results_are_called_by_their_points(rules: Any, names: dict[int, str]) -> None:
    assert result_names(rules) == names


@pytest.mark.parametrize("rules", USUAL_RULESETS)
def test_every_preset_gives_two_results_their_names(rules: str) -> None:
    assert {1, 2} <= result_names(ruleset(rules)).keys()


def test_simulations_are_equal_whatever_time_they_took(four: Simulation) -> None:
    assert four == replace(four, seconds=99.0)


@pytest.mark.parametrize(
    "change",
    [
        {"winner": [0, 0, 1, 1]},
        {"points": [1, 1, 1, 1]},
        {"turns": [90, 100, 110, 81]},
        {"seed": 8},
        {"rules": ruleset("karzar")},
    ],
)
def test_simulations_of_other_games_differ(four: Simulation, change: dict[str, Any]) -> None:
    assert four != replace(four, **change)


def test_a_simulation_equals_nothing_else(four: Simulation) -> None:
    assert four != "four"


def test_a_simulation_goes_to_json_and_back_with_its_arrays(four: Simulation) -> None:
    back = Simulation.from_json(four.to_json())
    assert back == four
    assert back.seconds == four.seconds
    assert back.rules.name == "long"
    assert back.turns.tolist() == [90, 100, 110, 80]


@pytest.mark.parametrize(
    "change",
    [
        {"turns": None},
        {"winner": [0, 0, 1, 7]},
        {"points": ["a"] * 4},
        {"seed": -1},
        {"seconds": []},
        {"rules": {"road": "round"}},
    ],
)
def test_json_that_is_no_simulation_is_refused(four: Simulation, change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Simulation.from_json(json.dumps(json.loads(four.to_json()) | change))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"winner": [0]}'])
def test_json_of_something_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Simulation.from_json(text)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda simulation: pickle.loads(pickle.dumps(simulation))])
def test_a_copy_is_equal_and_read_only_too(four: Simulation, duplicate: Callable[[Simulation], Simulation]) -> None:
    again = duplicate(four)
    assert again == four
    assert not again.winner.flags.writeable


# simulate, both implementations


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"games": 0}, ValueError, "games = 0: expected 1..1099511627776"),
        ({"games": -5}, ValueError, "games = -5: expected 1..1099511627776"),
        ({"games": 1.5}, TypeError, "games = 1.5: expected an integer"),
        ({"games": True}, TypeError, "games = True: expected an integer"),
        ({"games": "9"}, TypeError, "games = '9': expected an integer"),
        ({"seed": -1}, ValueError, "seed = -1: expected an integer from 0"),
        ({"seed": None}, TypeError, "seed = None: expected an integer"),
        ({"threads": 0}, ValueError, "threads = 0: expected 1..1024"),
        ({"threads": 2.0}, TypeError, "threads = 2.0: expected an integer"),
        ({"rules": 5}, TypeError, "rules = 5: expected a Ruleset or the name of one"),
        ({"progress": 5}, TypeError, "progress = 5: expected a function or None"),
        ({"progress": "x"}, TypeError, "progress = 'x': expected a function or None"),
        ({"start": "24:15 12:15 w"}, TypeError, "start = '24:15 12:15 w': expected a Position or None"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    impl: ModuleType, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        impl.simulate(**({"games": 2} | arguments))
    assert str(caught.value) == message


def test_unknown_rules_are_refused_with_the_known_ones(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match="rules = 'chess': expected one of long, federation"):
        impl.simulate(2, "chess")


def test_a_start_under_other_rules_is_refused(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match="its rules are not the rules of the simulation, 'long'"):
        impl.simulate(2, start=impl.Position.start("short"))


def test_a_finished_start_is_refused(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match="the game is over"):
        impl.simulate(2, start=impl.Position.parse("- 18:15 b"))


def test_games_begin_from_the_start_that_is_given(impl: ModuleType) -> None:
    simulation = impl.simulate(5, start=impl.Position.parse(LAST_CHECKER))
    assert simulation == Simulation(winner=[0] * 5, points=[2] * 5, turns=[1] * 5, rules=ruleset("long"), seed=0, seconds=0.0)


def test_the_side_to_move_at_the_start_moves_first(impl: ModuleType) -> None:
    simulation = impl.simulate(5, start=impl.Position.parse("1:15 13:1 b"))
    assert (simulation.winner.tolist(), simulation.turns.tolist()) == ([1] * 5, [1] * 5)


@pytest.mark.parametrize("rules", ["long", "short"])
def test_the_same_seed_gives_the_same_games(impl: ModuleType, rules: str) -> None:
    once, again, other = (impl.simulate(3, rules, seed=seed) for seed in (5, 5, 6))
    assert once == again
    assert once.turns.tolist() != other.turns.tolist()


def test_a_simulation_tells_its_rules_and_seed(impl: ModuleType) -> None:
    simulation = impl.simulate(2, "hypergammon", seed=12)
    assert (simulation.rules, simulation.seed, len(simulation)) == (ruleset("hypergammon"), 12, 2)
    assert simulation.seconds > 0


def test_progress_counts_up_to_all_games(impl: ModuleType) -> None:
    seen: list[int] = []
    impl.simulate(5, "hypergammon", progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 5


def test_an_error_in_progress_ends_the_games(impl: ModuleType) -> None:
    def refuse(done: int) -> None:
        raise RuntimeError(f"stop at {done}")

    with pytest.raises(RuntimeError, match="stop at"):
        impl.simulate(3, "hypergammon", progress=refuse)


# simulate, the native core


@pytest.mark.parametrize("rules", ["long", "short", "federation"])
def test_games_are_the_same_for_any_number_of_threads(native: ModuleType, rules: str) -> None:
    alone = native.simulate(5000, rules, seed=3, threads=1)
    assert alone == native.simulate(5000, rules, seed=3, threads=2)
    assert alone == native.simulate(5000, rules, seed=3, threads=3)


def test_more_games_begin_with_the_same_games(native: ModuleType) -> None:
    few, many = native.simulate(1500, seed=9), native.simulate(4000, seed=9)
    assert few.turns.tolist() == many.turns[:1500].tolist()


def test_chunks_of_games_are_not_alike(native: ModuleType) -> None:
    turns = native.simulate(2048, seed=1).turns
    assert turns[:1024].tolist() != turns[1024:].tolist()


def test_random_games_of_long_nardy_have_their_known_length(native: ModuleType) -> None:
    summary = native.simulate(20_000, seed=2024).summary()
    assert summary["turns_per_game"] == pytest.approx(95.6, abs=0.6)
    assert summary["results"]["white"]["all"] + summary["results"]["black"]["all"] == pytest.approx(1.0)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_what_ends_a_simulation_early_leaves_most_games_unplayed(native: ModuleType, stop: type[BaseException]) -> None:
    seen: list[int] = []

    def interrupt(done: int) -> None:
        seen.append(done)
        raise stop

    with pytest.raises(stop):
        native.simulate(20_000_000, threads=2, progress=interrupt)
    assert len(seen) == 1


def test_no_thread_is_the_first_to_load_numpy_s_random_numbers(tmp_path: Path) -> None:
    program = "import sys, nardy_fast; nardy_fast.simulate; print('numpy.random' in sys.modules)"
    assert abi.run(sys.executable, "-c", program, cwd=tmp_path) == "True\n"
