"""`simulate`: whoever plays the games, and on however many threads, their results are those of the rules."""

from __future__ import annotations

import copy
import math
import pickle
from collections import Counter
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import oracle
import pytest
from usual_rulesets import USUAL_RULESETS

from nardy_fast import Simulation
from nardy_fast.rules import CHOICES, ROLLS, RULESETS, Ruleset, ruleset

LONG = ruleset("long")
SHORT = ruleset("short")

#: Allowed distance from an expected share or mean, in standard errors; the seeds are fixed, so that a test that passes passes.
SIGMAS = 4.5

Row = tuple[int, ...]
Shares = dict[tuple[int, int], float]


def games_for(impl: ModuleType, native: int, reference: int) -> int:
    """The reference is slow, so it plays fewer games."""
    return native if impl.__name__ == "nardy_fast" else reference


def counted(simulation: Simulation) -> Counter[tuple[int, int]]:
    """How many games ended with each (winner, points)."""
    return Counter(zip(simulation.winner.tolist(), simulation.points.tolist(), strict=True))


# What random games come to, worked out without playing any


@cache
def expectation(own: Row, other: Row, turn: int, rules: Ruleset) -> tuple[Shares, float]:
    """The probability of each (winner, points), and the mean number of turns, of random games from a position."""
    mine, theirs = list(own), list(other)
    if oracle.is_over(mine, theirs, turn, rules):
        winner = oracle.winner(mine, theirs, turn, rules)
        if winner is None:
            return {(-1, 0): 1.0}, 0.0
        rows = (mine, theirs) if winner == turn else (theirs, mine)
        return {(winner, oracle.points(*rows, rules)): 1.0}, 0.0
    last_roll = oracle.cleared(theirs)  # and yet it is not over
    shares: Shares = Counter()
    turns = 1.0
    for dice, weight in ROLLS:
        plays = oracle.plays(mine, theirs, dice, rules, turn)
        for board, _ in plays:
            probability = weight / 36 / len(plays)
            after, mean = expectation(board[26:], board[:26], 1 - turn, rules)
            turns += probability * mean
            for (winner, points), share in after.items():
                if last_roll and rules.last_roll == "draw_only" and winner != -1:
                    points = oracle.points(theirs, mine, rules)  # as it stood when White cleared
                shares[winner, points] += probability * share
    return dict(shares), turns


#: Where Black is to move, he has one turn before White, whom any roll takes off, clears.
ENDINGS: list[tuple[str, str, Ruleset]] = [
    ("oin", "3:2,1:1 15:1,14:2 w", LONG),
    ("oin, Black to move", "3:2,1:1 15:1,14:2 b", LONG),
    ("mars", "3:2,2:1 13:14,12:1 w", LONG),
    ("mars or oin", "1:2 18:3,13:11,20:1 b", LONG),
    ("home mars", "1:2 13:14,20:1 b", replace(LONG, home_mars=4)),
    ("home mars, three points", "1:2 13:13,21:2 b", replace(LONG, home_mars=3)),
    ("koks on the head", "3:2,2:1 13:14,12:1 w", replace(LONG, koks="on_head")),
    ("koks on the head, four points", "3:2,2:1 13:14,12:1 w", replace(LONG, koks="on_head", koks_points=4)),
    ("koks in the first quarter", "1:2 13:14,10:1 b", replace(LONG, koks="start_quarter")),
    ("koks with none home", "1:2 24:13,21:2 b", replace(LONG, koks="none_home", koks_points=4)),
    ("koks before home mars", "1:2 24:10,19:5 b", replace(LONG, koks="none_home", home_mars=4)),
    ("remaining", "3:2,1:1 15:1,14:2 w", replace(LONG, remaining=True)),
    ("remaining, many", "1:2 18:3,13:11,20:1 b", replace(LONG, remaining=True)),
    ("giveaway", "3:2,1:1 15:1,14:2 w", ruleset("giveaway")),
    ("giveaway mars", "3:2,2:1 13:14,12:1 w", ruleset("giveaway")),
    ("no last roll", "3:1,2:1 14:1,13:1 w", LONG),
    ("a last roll for a draw", "3:1,2:1 14:1,13:1 w", replace(LONG, last_roll="draw_only")),
    ("a last roll in full", "3:1,2:1 14:1,13:1 w", replace(LONG, last_roll="full")),
    ("a last roll that cannot make an oin", "3:2,2:1 13:14,19:1 w", replace(LONG, last_roll="draw_only")),
    ("a last roll that can make an oin", "3:2,2:1 13:14,19:1 w", replace(LONG, last_roll="full")),
    ("a last roll that cannot undo koks", "1:2 13:14,12:1 w", replace(LONG, last_roll="draw_only", koks="on_head")),
    ("a last roll that can undo koks", "1:2 13:14,12:1 w", replace(LONG, last_roll="full", koks="on_head")),
    ("a last roll counted in checkers", "3:2,1:1 15:1,14:2 w", replace(LONG, last_roll="full", remaining=True)),
    ("a last roll not counted in checkers", "3:2,1:1 15:1,14:2 w", replace(LONG, last_roll="draw_only", remaining=True)),
    ("no last roll for White", "3:2 14:1,13:1 b", replace(LONG, last_roll="full")),
    ("single", "3:2,1:1 3:1,2:2 w", SHORT),
    ("gammon or single", "1:2 8:2,1:13 b", SHORT),
    ("backgammon", "1:2 22:1,1:14 b", SHORT),
    ("backgammon from the bar", "1:2 bar:1,1:14 b", SHORT),
    ("hypergammon's end", "2:2 21:1,3:1,1:1 w", ruleset("hypergammon")),
]


@pytest.mark.parametrize(("name", "text", "rules"), ENDINGS, ids=[name for name, *_ in ENDINGS])
def test_random_endings_come_out_as_expected(impl: ModuleType, name: str, text: str, rules: Ruleset) -> None:
    own, other, turn = oracle.rows_of_text(text, rules)
    shares, turns = expectation(tuple(own), tuple(other), turn, rules)
    assert math.isclose(sum(shares.values()), 1)
    games = games_for(impl, 60_000, 300)
    simulation = impl.simulate(games, rules, seed=3, start=impl.Position.parse(text, rules))
    found = counted(simulation)
    assert set(found) <= set(shares)
    for outcome, share in shares.items():
        error = math.sqrt(max(share * (1 - share), 0) / games)
        assert abs(found[outcome] / games - share) <= SIGMAS * error + 1e-9, (outcome, found[outcome] / games, share)
    spread = float(simulation.turns.std()) or 1e-9
    assert abs(float(simulation.turns.mean()) - turns) <= SIGMAS * spread / math.sqrt(games) + 1e-6


def shares_of(ending: str) -> Shares:
    ((text, rules),) = [(text, rules) for name, text, rules in ENDINGS if name == ending]
    own, other, turn = oracle.rows_of_text(text, rules)
    return expectation(tuple(own), tuple(other), turn, rules)[0]


def test_the_endings_show_every_result() -> None:
    seen = {name: set(shares_of(name)) for name, *_ in ENDINGS}
    assert seen["oin"] == seen["oin, Black to move"] == seen["single"] == {(0, 1), (1, 1)}
    assert (0, 2) in seen["mars"]
    assert seen["mars or oin"] == {(0, 1), (0, 2)}
    assert seen["home mars"] == {(0, 1), (0, 4)}
    assert seen["home mars, three points"] >= {(0, 2), (0, 3)}
    assert seen["koks on the head"] >= {(0, 2), (0, 3)}
    assert seen["koks on the head, four points"] == {(0, 1), (0, 2), (0, 4)}
    assert seen["koks in the first quarter"] == {(0, 1), (0, 2), (0, 3)}
    assert seen["koks with none home"] == {(0, 2), (0, 4)}
    assert seen["koks before home mars"] == {(0, 2), (0, 3)}
    assert seen["remaining"] == {(0, 3), (0, 2), (0, 1), (1, 3), (1, 2), (1, 1)}
    assert seen["remaining, many"] == {(0, 15), (0, 14), (0, 13), (0, 12)}
    assert seen["giveaway"] == {(0, 1), (1, 1)}
    assert (1, 2) in seen["giveaway mars"]
    assert seen["no last roll"] == {(0, 1), (1, 1)}
    assert seen["a last roll for a draw"] == seen["a last roll in full"] == {(0, 1), (1, 1), (-1, 0)}
    assert seen["a last roll that cannot undo koks"] == {(0, 3)}
    assert seen["a last roll that can undo koks"] == {(0, 1), (0, 2)}
    assert seen["no last roll for White"] == {(1, 1), (-1, 0)}
    assert seen["gammon or single"] == {(0, 1), (0, 2)}
    assert seen["backgammon"] == {(0, 1), (0, 2), (0, 3)}
    assert seen["backgammon from the bar"] == {(0, 2), (0, 3)}
    for counted_so, otherwise in (
        ("a last roll that can make an oin", "a last roll that cannot make an oin"),
        ("a last roll counted in checkers", "a last roll not counted in checkers"),
    ):
        assert shares_of(counted_so) != shares_of(otherwise)


# Who begins, and with which dice


def two_each(road: str, first_dice: str) -> Ruleset:
    """Two checkers a side, on the last point before home's end where only a double takes both off in one turn."""
    base = LONG if road == "parallel" else SHORT
    options: dict[str, Any] = {"head_limit": None, "head_exception": "none", "block_rule": "free"}
    return replace(base, name="two", setup=((19, 2),), first_dice=first_dice, **options)


@pytest.mark.parametrize("road", CHOICES["road"])
def test_the_first_dice_of_a_roll_off_are_never_a_double(impl: ModuleType, road: str) -> None:
    games = games_for(impl, 20_000, 1500)
    simulation = impl.simulate(games, two_each(road, "rolloff"), seed=4)
    assert int(simulation.turns.min()) >= 2


@pytest.mark.parametrize("road", CHOICES["road"])
def test_fresh_first_dice_are_as_fair_as_any(impl: ModuleType, road: str) -> None:
    games = games_for(impl, 20_000, 1500)
    simulation = impl.simulate(games, two_each(road, "fresh"), seed=4)
    share = 4 / 36  # 3-3, 4-4, 5-5 and 6-6 end the game at once
    assert abs(np.count_nonzero(simulation.turns == 1) / games - share) <= SIGMAS * math.sqrt(share * (1 - share) / games)


def test_white_begins_in_long_nardy(impl: ModuleType) -> None:
    simulation = impl.simulate(games_for(impl, 20_000, 1000), two_each("parallel", "rolloff"), seed=5)
    assert np.array_equal(simulation.winner, (simulation.turns + 1) % 2)


def test_either_side_begins_in_short_nardy(impl: ModuleType) -> None:
    games = games_for(impl, 20_000, 1000)
    simulation = impl.simulate(games, two_each("contrary", "rolloff"), seed=5)
    white_began = np.count_nonzero(simulation.winner == (simulation.turns + 1) % 2) / games
    assert abs(white_began - 0.5) <= SIGMAS * 0.5 / math.sqrt(games)


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("road", CHOICES["road"])
def test_the_start_that_is_given_says_who_begins(impl: ModuleType, road: str, turn: int) -> None:
    rules = two_each(road, "fresh")
    simulation = impl.simulate(games_for(impl, 5000, 300), rules, seed=6, start=impl.Position.start(rules, turn))
    assert np.array_equal(simulation.winner, (simulation.turns + 1 + turn) % 2)


# The same seed


@pytest.mark.parametrize("name", ["long", "federation", "short", "fevga", "acey_deucey"])
def test_the_games_do_not_depend_on_the_number_of_threads(impl: ModuleType, name: str) -> None:
    games = games_for(impl, 4500, 2)
    one, two, three, as_many = (impl.simulate(games, name, seed=7, threads=threads) for threads in (1, 2, 3, None))
    assert one == two == three == as_many
    for other in (two, three, as_many):
        assert np.array_equal(one.winner, other.winner)
        assert np.array_equal(one.points, other.points)
        assert np.array_equal(one.turns, other.turns)


def test_the_same_seed_gives_the_same_games_and_another_others(impl: ModuleType) -> None:
    games = games_for(impl, 1000, 3)
    assert impl.simulate(games, seed=8) == impl.simulate(games, seed=8)
    assert not np.array_equal(impl.simulate(games, seed=8).turns, impl.simulate(games, seed=9).turns)


def test_more_games_begin_with_the_same_games(native: ModuleType) -> None:
    few, many = native.simulate(1500, seed=10), native.simulate(5000, seed=10, threads=2)
    assert np.array_equal(few.turns, many.turns[:1500])
    assert np.array_equal(few.winner, many.winner[:1500])


def test_no_two_chunks_are_alike(native: ModuleType) -> None:
    turns = native.simulate(8 * 1024, seed=11, threads=2).turns.reshape(8, 1024)
    assert len({chunk.tobytes() for chunk in turns}) == 8
    assert len(np.unique(turns[:, 0])) > 1


# Whole games


@pytest.mark.parametrize("name", list(USUAL_RULESETS))
def test_all_random_games_end_with_a_result_of_the_rules(native: ModuleType, name: str) -> None:
    rules = USUAL_RULESETS[name]
    simulation = native.simulate(5000, name, seed=12)
    allowed = {1, 2, 3} if rules.road == "contrary" else {1, 2}
    if rules.remaining:
        allowed = set(range(1, 16))
    allowed |= {rules.home_mars} if rules.home_mars else set()
    allowed |= {rules.koks_points} if rules.koks else set()
    draws = simulation.winner == -1
    assert set(simulation.winner.tolist()) <= ({0, 1} if rules.last_roll == "none" else {0, 1, -1})
    assert set(simulation.points[~draws].tolist()) <= allowed
    assert not simulation.points[draws].any()
    assert int(simulation.turns.min()) > 2
    for side in (0, 1):  # each wins about half
        assert 0.4 < np.count_nonzero(simulation.winner == side) / 5000 < 0.6


def test_a_last_roll_makes_draws_and_takes_wins_from_white_alone(native: ModuleType) -> None:
    text = "3:1,2:1 14:1,13:1 w"
    shares = {}
    for last_roll in CHOICES["last_roll"]:
        rules = replace(LONG, last_roll=last_roll)
        found = counted(native.simulate(50_000, rules, seed=13, start=native.Position.parse(text, rules)))
        shares[last_roll] = {
            side: sum(count for (winner, _), count in found.items() if winner == side) / 50_000 for side in (0, 1, -1)
        }
    assert shares["none"][-1] == 0
    for last_roll in ("draw_only", "full"):
        assert shares[last_roll][-1] > 0.05
        assert abs(shares[last_roll][1] - shares["none"][1]) < 0.02
        assert abs(shares[last_roll][0] + shares[last_roll][-1] - shares["none"][0]) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games"), [("long", 40), ("arena", 25), ("fevga", 25), ("khachapuri", 25), ("short", 30), ("hypergammon", 100)]
)
def test_whole_games_of_the_twins_agree(native: ModuleType, reference: ModuleType, name: str, games: int) -> None:
    many, few = native.simulate(30_000, name, seed=14), reference.simulate(games, name, seed=14)
    error = math.sqrt(float(many.turns.var()) * (1 / len(many) + 1 / len(few)))
    assert abs(float(many.turns.mean()) - float(few.turns.mean())) <= SIGMAS * error
    counts = counted(many), counted(few)
    for outcome, count in counts[0].items():
        if count / len(many) * len(few) < 4:
            continue  # too rare in so few games
        share = (counts[0][outcome] + counts[1][outcome]) / (len(many) + len(few))
        error = math.sqrt(share * (1 - share) * (1 / len(many) + 1 / len(few)))
        assert abs(counts[0][outcome] / len(many) - counts[1][outcome] / len(few)) <= SIGMAS * error, outcome


def test_random_games_of_long_nardy_are_as_long_as_is_known(native: ModuleType) -> None:
    turns = native.simulate(20_000, seed=15).turns
    assert abs(float(turns.mean()) - 95.6) < 0.3


# The arrays, the summary


def test_there_is_one_entry_a_game(impl: ModuleType) -> None:
    simulation = impl.simulate(3, seed=16)
    assert isinstance(simulation, Simulation)
    assert len(simulation) == 3
    for array, dtype in ((simulation.winner, np.int8), (simulation.points, np.int16), (simulation.turns, np.int32)):
        assert (array.dtype, array.shape) == (np.dtype(dtype), (3,))
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert (simulation.rules, simulation.seed) == (LONG, 16)
    assert simulation.seconds > 0


def test_the_summary_adds_up(impl: ModuleType) -> None:
    rules = replace(LONG, name="club", last_roll="full", home_mars=4)
    start = impl.Position.parse("3:2,2:1 13:14,19:1 w", rules)
    games = games_for(impl, 3000, 200)
    simulation = impl.simulate(games, rules, seed=17, start=start)
    summary = simulation.summary()
    assert (summary["rules"], summary["seed"], summary["games"]) == ("club", 17, games)
    assert summary["turns"] == int(simulation.turns.sum())
    assert math.isclose(summary["turns_per_game"], float(simulation.turns.mean()))
    found = counted(simulation)
    for side, results in ((0, summary["results"]["white"]), (1, summary["results"]["black"])):
        for points, name in ((1, "oin"), (2, "mars"), (4, "home mars")):
            assert math.isclose(results[name], found[side, points] / games)
        assert math.isclose(results["all"], sum(count for (winner, _), count in found.items() if winner == side) / games)
    assert math.isclose(summary["draws"] + sum(side["all"] for side in summary["results"].values()), 1)
    assert math.isclose(summary["turns_per_second"], summary["turns"] / simulation.seconds)


def test_a_simulation_is_written_to_json_and_copied(impl: ModuleType) -> None:
    simulation = impl.simulate(4, "arena", seed=18)
    for again in (
        Simulation.from_json(simulation.to_json()),
        pickle.loads(pickle.dumps(simulation)),
        copy.deepcopy(simulation),
    ):
        assert again == simulation
        assert again.rules.name == "arena"
        assert not again.turns.flags.writeable


# Progress and bad arguments


def test_progress_is_told_and_ends_with_all_games(impl: ModuleType) -> None:
    games = games_for(impl, 5000, 4)
    told: list[int] = []
    impl.simulate(games, seed=19, threads=2, progress=told.append)
    assert told == sorted(set(told))
    assert len(told) > 1
    assert told[-1] == games


def test_an_exception_in_progress_ends_the_games(impl: ModuleType) -> None:
    told: list[int] = []

    def stop(games: int) -> None:
        told.append(games)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        impl.simulate(10**6, seed=20, progress=stop)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"games": 0}, ValueError, "games = 0: expected 1..1099511627776"),
        ({"games": -5}, ValueError, "games = -5: expected 1..1099511627776"),
        ({"games": 1.5}, TypeError, "games = 1.5: expected an integer"),
        ({"games": True}, TypeError, "games = True: expected an integer"),
        ({"games": "10"}, TypeError, "games = '10': expected an integer"),
        ({"seed": -1}, ValueError, "seed = -1: expected an integer from 0"),
        ({"seed": None}, TypeError, "seed = None: expected an integer"),
        ({"threads": 0}, ValueError, "threads = 0: expected 1..1024"),
        ({"threads": 2.0}, TypeError, "threads = 2.0: expected an integer"),
        ({"rules": "chess"}, ValueError, f"rules = 'chess': expected one of {', '.join(RULESETS)}"),
        ({"rules": 3}, TypeError, "rules = 3: expected a Ruleset or the name of one"),
        ({"start": "24:15 12:15 w"}, TypeError, "start = '24:15 12:15 w': expected a Position or None"),
    ],
    ids=str,
)
def test_bad_arguments_are_refused(impl: ModuleType, arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as error:
        impl.simulate(**{"games": 1, **arguments})
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("- 18:2 b", "long", "the game is over"),
        ("24:15 12:15 w", "arena", "its rules are not the rules of the simulation, 'long'"),
    ],
)
def test_a_start_that_cannot_be_played_is_refused(impl: ModuleType, text: str, rules: str, message: str) -> None:
    start = impl.Position.parse(text, rules)
    with pytest.raises(ValueError) as error:  # noqa: PT011
        impl.simulate(1, "long", start=start)
    assert str(error.value) == f"start = {start!r}: {message}"


def test_a_start_of_the_twin_is_refused(native: ModuleType, reference: ModuleType) -> None:
    for one, other in ((native, reference), (reference, native)):
        with pytest.raises(TypeError):
            one.simulate(1, start=other.Position.start())
