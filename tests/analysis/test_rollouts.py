"""Rollouts: what they come to, and that it does not depend on who plays."""

from __future__ import annotations

import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from itertools import combinations_with_replacement
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from solved_games import HYPER, LONG, random_boards, solution

import nardy_fast as nf
from nardy_fast import Position, Ruleset
from nardy_fast.analysis import Rollout, rollout
from nardy_fast.analysis._rollout import first_rolls
from nardy_fast.analysis.spread import standard_errors
from nardy_fast.players import Network

#: Both sides about to bear off, beyond what any table knows, and a middle game.
RACES = {"long": "10:3,8:2,6:4,5:3,4:2,3:1 22:3,20:2,18:4,17:3,16:2,15:1 w", "short": "8:2,6:5,5:4,4:3,1:1 6:5,5:5,4:3,2:2 w"}
MIDDLES = {
    "long": "24:3,23:1,22:1,21:2,20:1,18:1,16:1,15:1,10:1,9:1,5:2 19:3,12:4,8:1,7:3,6:1,3:1,2:1,1:1 w",
    "short": "bar:1,13:4,8:2,7:3,6:5 24:1,20:1,13:3,11:1,8:2,6:4,5:1,3:2 w",
}


ROLLS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@cache
def network(name: str) -> Network:
    return Network.load(name)


def middle(name: str) -> Position:
    return Position.parse(MIDDLES[name], name)


def race(name: str) -> Position:
    return Position.parse(RACES[name], name)


def bytes_of(found: Rollout) -> list[bytes]:
    return [values.tobytes() for values in found._kept.values]


# What it comes to


@pytest.mark.parametrize("rules", [LONG, HYPER])
def test_a_judge_who_knows_leaves_nothing_to_luck(rules: Ruleset) -> None:
    for board in random_boards(rules, 30, 5):
        position = Position(board, rules=rules)
        found = rollout(position, 108, network=solution(rules), tables=False, threads=1)
        exact = solution(rules).evaluate(position)
        assert found.equity == pytest.approx(exact.equity, abs=1e-5)
        assert found.probabilities == pytest.approx(exact.probabilities, abs=1e-4)
        assert max(found.standard_error, *found.standard_errors) < 1e-4


@pytest.mark.parametrize("rules", [LONG, HYPER])
def test_the_mean_without_control_agrees_with_solved_games(rules: Ruleset) -> None:
    scores = []
    for number, board in enumerate(random_boards(rules, 30, 6)):
        position = Position(board, rules=rules)
        found = rollout(position, network=solution(rules), control=None, tables=False, seed=number, threads=1)
        if found.standard_error:
            scores.append((found.equity - solution(rules).evaluate(position).equity) / found.standard_error)
    assert len(scores) > 20
    assert np.abs(scores).max() < 3.3  # one in a thousand is beyond
    assert 0.7 < np.std(scores) < 1.3


#: Checkers of a side in the endgames whose worth under a network's own play is worked out.
FEW = 3


@cache
def few_checkers() -> np.ndarray:
    """Every way in which one side can have one to three checkers left, all of them home."""
    homes = [home for n in range(1, FEW + 1) for home in combinations_with_replacement(range(19, 25), n)]
    rows = np.zeros((len(homes), 26), np.int8)
    for row, home in zip(rows, homes, strict=True):
        np.add.at(row, list(home), 1)
        row[25] = 15 - len(home)
    return rows


@cache
def worth_of_play(rules: str) -> tuple[np.ndarray, np.ndarray]:
    """All such boards, and what the side to move scores on the average if both play as the shipped network does."""
    rows = few_checkers()
    n = len(rows)
    boards = np.stack([np.repeat(rows, n, axis=0), np.tile(rows, (n, 1))], axis=1)
    number = {row.tobytes(): i for i, row in enumerate(rows)}
    follows = []  # the board after the best play of each roll, -1 where the game has ended
    for roll in ROLLS:
        after = network(rules).best_plays(boards, roll).boards
        left = np.array([number.get(row.tobytes(), -1) for row in after[:, 0]])
        follows.append(np.where(left < 0, -1, np.tile(np.arange(n), n) * n + left))
    worth = np.zeros(n * n)
    for _ in range(2 * 4 * FEW):
        worth = np.mean([np.where(follow < 0, 1.0, -worth[follow]) for follow in follows], axis=0)
    return boards, worth


@pytest.mark.parametrize("rules", ["long", "short"])
@pytest.mark.parametrize("control", [0, 1, None])
def test_the_mean_is_that_of_the_games_and_the_error_honest(rules: str, control: int | None) -> None:
    boards, worth = worth_of_play(rules)
    scores = []
    for number in np.random.default_rng(2).choice(np.flatnonzero(np.abs(worth) < 0.8), 24 if control else 60, replace=False):
        position = Position(boards[number], rules=rules)
        found = rollout(position, 216, network=network(rules), control=control, tables=False, seed=int(number), threads=1)
        # Where hardly a trial differs from the others, the rare ones that do are not normally distributed.
        scores.append((found.equity - worth[number]) / np.hypot(found.standard_error, 0.002))
    assert np.abs(scores).max() < 3.3
    assert abs(np.mean(scores)) < 0.4
    assert 0.3 < np.std(scores) < 1.25


@pytest.mark.parametrize("rules", ["long", "short"])
def test_the_mean_agrees_with_the_bear_off_tables(rules: str) -> None:
    table = nf.bearoff.TwoSided.load(rules)
    boards, worth = worth_of_play(rules)
    scores = []
    for number in np.random.default_rng(3).choice(np.flatnonzero(np.abs(worth) < 0.8), 30, replace=False):
        position = Position(boards[number], rules=rules)
        found = rollout(position, 324, control=None, tables=False, seed=int(number), threads=1)
        scores.append((found.equity - table.equity(position)) / np.hypot(found.standard_error, 0.002))
    assert np.abs(scores).max() < 3


@pytest.mark.parametrize("rules", ["long", "short"])
def test_positions_that_the_tables_know_are_not_played(rules: str) -> None:
    position = Position(worth_of_play(rules)[0][2000], rules=rules)
    found = rollout(position, 36, threads=1)
    assert found.equity == pytest.approx(nf.bearoff.TwoSided.load(rules).equity(position), abs=1e-6)
    assert found.standard_error < 1e-12


@pytest.mark.parametrize("rules", ["long", "short"])
def test_the_luck_of_rolls_taken_off_halves_the_standard_error_and_makes_no_bias(rules: str) -> None:
    position = race(rules)
    plain, reduced = (rollout(position, 1296, control=control, threads=1) for control in (None, 0))
    assert reduced.standard_error < plain.standard_error / 3  # in a race; in the middle of a game a little less
    apart = np.hypot(plain.standard_error, reduced.standard_error)
    assert abs(plain.equity - reduced.equity) < 3 * apart
    for number in range(len(plain.points)):
        apart = np.hypot(plain.standard_errors[number], reduced.standard_errors[number])
        assert abs(plain.probabilities[number] - reduced.probabilities[number]) <= 3 * apart + 1e-9


@pytest.mark.parametrize("rules", ["long", "short"])
def test_looking_into_luck_a_ply_farther_takes_off_more(rules: str) -> None:
    near, far = (rollout(middle(rules), 36, control=control, plies=6, threads=1) for control in (0, 1))
    assert far.standard_error < near.standard_error


def test_one_ply_is_the_mean_of_the_best_plays() -> None:
    position = middle("short")
    ranked = [network("short").rank(position, roll)[0] for roll in ROLLS]
    plain = rollout(position, 36, control=None, plies=1, threads=1)
    assert plain.equity == pytest.approx(np.mean([candidate.equity for candidate in ranked]), abs=1e-5)
    assert plain.probabilities == pytest.approx(
        np.mean([candidate.chances.probabilities for candidate in ranked], axis=0), abs=1e-5
    )
    reduced = rollout(position, 36, plies=1, threads=1)
    assert reduced.equity == pytest.approx(plain.equity, abs=1e-5)
    assert reduced.standard_error < 1e-5


def test_the_first_two_rolls_are_dealt_out_evenly() -> None:
    rolls = np.empty((2 * 1296, 2), np.int8)
    first_rolls(7, rolls)
    for block in rolls.reshape(-1, 36, 2):
        assert sorted(block[:, 0]) == sorted(block[:, 1]) == list(range(36))
    for block in rolls.reshape(2, 1296, 2):
        assert len({tuple(pair) for pair in block.tolist()}) == 1296
    assert (rolls[:1296] != rolls[1296:]).any()


def test_what_the_first_two_rolls_explain_is_no_error() -> None:
    rng = np.random.default_rng(3)
    rolls = np.empty((1296, 2), np.int8)
    first_rolls(0, rolls)
    noise = rng.normal(size=1296)
    values = rng.normal(size=36)[rolls[:, 0]] * 5 + rng.normal(size=36)[rolls[:, 1]] * 3
    found = standard_errors(np.column_stack([noise, noise + values, values]), 0)
    assert found[0] == pytest.approx(1 / 36, rel=0.1)
    assert found[1] == pytest.approx(found[0])
    assert found[2] < 1e-5


def test_the_standard_error_is_what_other_seeds_differ_by() -> None:
    found = [rollout(race("short"), 144, control=None, seed=seed, threads=1) for seed in range(40, 70)]
    told = np.mean([each.standard_error for each in found])
    assert np.std([each.equity for each in found]) == pytest.approx(told, rel=0.35)


# Candidates


def test_the_plays_of_a_roll_are_candidates_in_the_points_of_who_makes_them() -> None:
    position = race("short")
    found = rollout(position, 36, dice=(6, 4), threads=1)
    assert {candidate.play for candidate in found.candidates} == set(position.plays((6, 4)))
    equities = [candidate.equity for candidate in found.candidates]
    assert equities == sorted(equities, reverse=True)
    assert found.best.loss == 0 == found.best.loss_error
    for candidate in found.candidates:
        assert candidate.play is not None
        assert candidate.position == candidate.play.afterstate
        alone = rollout(candidate.position, 36, threads=1)  # in the points of the opponent
        assert alone.equity == pytest.approx(-candidate.equity)
        assert alone.probabilities == pytest.approx(candidate.probabilities[::-1])
        assert candidate.loss == pytest.approx(found.equity - candidate.equity)
        assert candidate.probabilities @ np.array(found.points) == pytest.approx(candidate.equity)


def test_plays_candidates_of_a_network_and_positions_may_be_given() -> None:
    position = race("long")
    ranked = network("long").rank(position, (5, 2))[:3]
    by_candidates = rollout(ranked, 36, threads=1)
    assert by_candidates.candidates == rollout([each.play for each in ranked], 36, threads=1).candidates
    by_positions = rollout([each.play.afterstate for each in ranked], 36, threads=1)
    assert sorted(each.equity for each in by_positions.candidates) == pytest.approx(
        [-each.equity for each in by_candidates.candidates]
    )
    assert by_positions.best.play is None


def test_a_play_that_ends_the_game_is_worth_its_points() -> None:
    position = Position.parse("2:1,1:1 bar:1,6:14 w", "short")
    found = rollout(position, 36, dice=(2, 1), threads=1)
    assert found.equity == 3.0  # a backgammon: the loser has a checker on the bar
    assert found.probabilities == (0, 0, 0, 0, 0, 1)
    over = rollout(found.best.position, 36, threads=1)
    assert (over.equity, over.standard_error) == (-3.0, 0.0)


def test_candidates_that_are_told_apart_get_no_more_trials() -> None:
    found = rollout(Position.start("short"), 648, dice=(3, 1), control=None, plies=4, apart=4, threads=1)
    trials = [candidate.trials for candidate in found.candidates]
    assert trials[0] == max(trials) == found.trials
    assert min(trials) == 108
    assert all(each.loss >= 4 * each.loss_error for each in found.candidates[1:] if each.trials < found.trials)


def test_it_stops_once_the_standard_error_is_small_enough() -> None:
    found = rollout(race("short"), 12960, control=None, until=0.03, threads=1)
    assert found.trials % 108 == 0
    assert found.trials < 12960
    assert found.standard_error <= 0.03
    ranked = network("short").rank(race("short"), (6, 4))[:2]
    found = rollout(ranked, 12960, control=None, until=0.03, threads=1)
    assert found.candidates[1].loss_error <= 0.03


# Throws that are played in stages


@cache
def staged(rules: str) -> Network:
    return nf.players.train(rules, games=30, threads=1, hidden=64)


@pytest.mark.parametrize("rules", ["gulbar", "kabutar", "mad_gulbar"])
def test_one_ply_of_stages_is_the_mean_of_the_best_plays(rules: str) -> None:
    position = Position.parse("24:9,20:3,15:3 12:9,8:3,4:3 w", rules)
    best = [staged(rules).rank(position, roll)[0].equity for roll in ROLLS if rules == "gulbar" or roll[0] != roll[1]]
    plain = rollout(position, 36, network=staged(rules), control=None, plies=1, threads=1)
    reduced = rollout(position, 36, network=staged(rules), plies=1, threads=1)
    if rules == "gulbar":  # elsewhere more than two stages are looked through in part only, and again after each of them
        assert plain.equity == pytest.approx(np.mean(best), abs=1e-5)
        assert reduced.standard_error < 1e-5
    assert reduced.equity == pytest.approx(plain.equity, abs=0.05)
    assert reduced.standard_error < plain.standard_error / 3


@pytest.mark.parametrize("rules", ["gulbar", "mad_nardy", "astrogon", "one_six"])
def test_stages_do_not_depend_on_who_plays_and_luck_makes_no_bias(rules: str) -> None:
    position = Position.parse("7:4,6:3,5:4,4:4 19:3,18:4,17:4,14:4 w", rules)
    plain, reduced = (rollout(position, 180, network=staged(rules), control=control, threads=1) for control in (None, 0))
    assert abs(plain.equity - reduced.equity) < 3 * np.hypot(plain.standard_error, reduced.standard_error)
    assert reduced.standard_error < plain.standard_error
    assert bytes_of(rollout(position, 180, network=staged(rules), control=None, threads=2)) == bytes_of(plain)


def test_plays_of_a_pending_stage_are_in_the_points_of_who_makes_them() -> None:
    rules = "mad_nardy"  # a double goes on to the sixes
    position = Position.parse("24:9,20:3,15:3 12:9,8:3,4:3 w", rules)
    again = [play for play in position.plays((4, 4)) if play.afterstate.turn == position.turn]
    passed = [play for play in position.plays((4, 3)) if play.afterstate.turn != position.turn]
    for play in (again[0], passed[0]):
        found = rollout(play, 36, network=staged(rules), control=None, plies=3, threads=1)
        alone = rollout(play.afterstate, 36, network=staged(rules), control=None, plies=3, threads=1)
        assert found.equity == pytest.approx(alone.equity * (1 if play.afterstate.turn == position.turn else -1))


def test_looking_a_ply_farther_into_luck_is_refused_by_rules_with_stages() -> None:
    with pytest.raises(ValueError, match=r"control = 1: expected 0\.\.0"):
        rollout(Position.start("gulbar"), 36, network=staged("gulbar"), control=1)


# Who plays, and when


def test_it_does_not_depend_on_who_plays() -> None:
    ranked = network("short").rank(middle("short"), (3, 1))[:2]
    settings: dict[str, Any] = {"trials": 180, "plies": 3, "seed": 9}
    alone = rollout(ranked, threads=1, **settings)
    assert bytes_of(rollout(ranked, threads=2, **settings)) == bytes_of(alone)
    with ThreadPoolExecutor(3) as threads:
        assert bytes_of(rollout(ranked, executor=threads, **settings)) == bytes_of(alone)
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        assert bytes_of(rollout(ranked, executor=processes, **settings)) == bytes_of(alone)
    assert bytes_of(rollout(ranked, threads=1, **{**settings, "seed": 10})) != bytes_of(alone)


@pytest.mark.parametrize("bounds", [{}, {"apart": 3.0}, {"until": 0.05}])
def test_it_can_be_gone_on_with_as_if_it_had_never_stopped(bounds: dict[str, float], tmp_path: Path) -> None:
    settings: dict[str, Any] = {"dice": (3, 1), "control": None, "plies": 4, "threads": 1, **bounds}
    whole = rollout(middle("short"), 648, **settings)
    begun = rollout(middle("short"), 144, **settings)
    assert bytes_of(begun.more(648, threads=2)) == bytes_of(whole)
    begun.save(tmp_path / "rollout.npz")
    loaded = Rollout.load(tmp_path / "rollout.npz")
    assert loaded.candidates == begun.candidates
    assert loaded.more(648).candidates == whole.candidates
    assert loaded.more(36).candidates == begun.candidates


def test_another_network_does_not_go_on_with_it() -> None:
    own = nf.players.train("short", games=10, threads=1, hidden=64)
    begun = rollout(race("short"), 36, network=own, threads=1)
    other = Rollout(None, begun._kept)
    with pytest.raises(ValueError, match="expected the one that has judged so far"):
        other.more(72)
    assert other.more(72, network=own).trials == 72


def test_progress_is_told() -> None:
    told: list[int] = []
    rollout(race("short"), 864, control=None, threads=1, progress=told.append)
    assert told == [432, 864]


# What is refused


@pytest.mark.parametrize(
    ("given", "options", "error"),
    [
        ("x", {}, "candidates = 'x': expected a Position, or a sequence of plays or of Positions"),
        ([], {}, "candidates = []: expected a Position"),
        ([Position.start("short"), Position.start("short", 1)], {}, "is not by the same rules for the same side"),
        (Position.parse("6:2 - b", "short"), {"dice": (1, 2)}, "candidates: the game is over"),
        ([Position.start("short")], {"dice": (1, 2)}, "expected with dice a nardy_fast.Position"),
        (Position.start("mad_nardy"), {}, "expected a path, or a preset with a network"),
        (Position.start("short"), {"network": 5}, "network = 5: expected a Network, a Solution or None"),
        (Position.start("short"), {"control": 2}, "control = 2: expected 0..1"),
        (Position.start("short"), {"plies": 0}, "plies = 0: expected 1..1000"),
        (Position.start("short"), {"trials": 0}, "trials = 0: expected 1..36000000"),
        (Position.start("short"), {"until": 0}, "until = 0: expected a number above 0"),
        (Position.start("short"), {"apart": "much"}, "apart = 'much': expected a number or None"),
        (Position.start("short"), {"tables": 1}, "tables = 1: expected True or False"),
        (Position.start("short"), {"seed": -1}, "seed = -1"),
        (Position.start("short"), {"progress": 1}, "progress = 1: expected a function or None"),
        (Position.start("short"), {"executor": 1}, "executor = 1: expected an executor"),
        (Position.start("fevga"), {}, "expected a path, or a preset with a network"),
    ],
)
def test_what_is_refused(given: Any, options: dict[str, Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(error)):
        rollout(given, **{"trials": 36, **options})


def test_files_that_are_no_rollouts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"x\.npz: expected a rollout"):
        Rollout.load(path)
    np.savez(path, header=np.frombuffer(b"{}", np.uint8), values=np.zeros((1, 4)), trials=np.ones(1, np.int64))
    with pytest.raises(ValueError, match="header: 'format' is missing"):
        Rollout.load(path)


def test_an_executor_that_hands_back_something_else_is_not_believed() -> None:
    class Liar(ThreadPoolExecutor):
        def submit(self, task: Any, /, *args: Any, **more: Any) -> Any:
            return super().submit(lambda: "nothing")

    with Liar(1) as liar, pytest.raises(TypeError, match="came back as 'nothing'"):
        rollout(race("short"), 36, executor=liar)
