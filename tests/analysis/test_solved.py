"""Solved games: what is looked up, one at a time and many at once, and which games are refused."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from solved_games import HYPER, LONG, random_boards, small, solution

import nardy_fast as nf
from nardy_fast import Position, Ruleset, reference, ruleset
from nardy_fast.analysis import Solution, solve

GAMES = [LONG, HYPER]


def start(rules: Ruleset) -> Position:
    return Position.start(rules)


@pytest.mark.parametrize(("rules", "equity"), [(LONG, 0.4327140203569), (HYPER, 0.152243912483)])
def test_the_start_is_worth_what_it_always_was(rules: Ruleset, equity: float) -> None:
    assert solution(rules).evaluate(start(rules)).equity == pytest.approx(equity, abs=1e-9)


def test_the_outputs_are_the_results_of_the_rules() -> None:
    assert solution(LONG).outputs == (-2, -1, 1, 2)
    assert solution(HYPER).outputs == (-3, -2, -1, 1, 2, 3)


@pytest.mark.parametrize("rules", GAMES)
def test_chances_add_up_to_one_and_to_the_equity(rules: Ruleset) -> None:
    boards = random_boards(rules, 2000)
    chances = solution(rules).evaluate_batch(boards).astype(float)
    assert chances.min() >= 0
    assert np.abs(chances.sum(axis=1) - 1).max() < 1e-6
    assert np.abs(chances @ solution(rules).outputs - solution(rules).equities(boards)).max() < 2e-6


@pytest.mark.parametrize("rules", GAMES)
def test_one_at_a_time_and_many_at_once_agree(rules: Ruleset) -> None:
    boards = random_boards(rules, 50)
    rows, equities = solution(rules).evaluate_batch(boards), solution(rules).equities(boards)
    for board, row, equity in zip(boards, rows, equities, strict=True):
        chances = solution(rules).evaluate(Position(board, rules=rules))
        assert chances.probabilities == tuple(row.tolist())
        assert chances.equity == equity
        assert chances.source == "solved"


def test_white_and_black_can_expect_the_same() -> None:
    for board in random_boards(LONG, 20):
        assert solution(LONG).evaluate(Position(board, 0, LONG)) == solution(LONG).evaluate(Position(board, 1, LONG))


def test_a_position_of_the_reference_will_do() -> None:
    assert solution(HYPER).evaluate(reference.Position.start(HYPER)) == solution(HYPER).evaluate(start(HYPER))


@pytest.mark.parametrize(
    ("text", "points"),
    [("- 6:1 b", -1), ("- 6:2 b", -2), ("- 24:1,6:1 b", -3), ("- bar:1,6:1 b", -3), ("6:2 - b", 2), ("6:1 - b", 1)],
)
def test_a_finished_position_has_come_to_what_it_is_worth(text: str, points: int) -> None:
    chances = solution(HYPER).evaluate(Position.parse(text, HYPER))
    assert chances.equity == points
    assert dict(zip(chances.points, chances.probabilities, strict=True))[points] == 1
    assert chances.source == "over"


def test_two_last_checkers_are_worth_what_can_be_counted() -> None:
    # Each has one checker on its last point: whoever moves bears it off.
    chances = solution(HYPER).evaluate(Position.parse("1:1 1:1 w", HYPER))
    assert chances.probabilities == (0, 0, 0, 1, 0, 0)
    # Two checkers on point 6 are both off by 6-6, 5-5, 4-4 and 3-3 only.
    chances = solution(HYPER).evaluate(Position.parse("6:2 1:1 w", HYPER))
    assert chances.win == pytest.approx(4 / 36, abs=1e-7)


@pytest.mark.parametrize("rules", GAMES)
def test_plays_are_ranked_by_what_they_leave(rules: Ruleset) -> None:
    for board in random_boards(rules, 30):
        position = Position(board, rules=rules)
        candidates = solution(rules).rank(position, (4, 2))
        assert {candidate.play for candidate in candidates} == set(position.plays((4, 2)))
        equities = [candidate.equity for candidate in candidates]
        assert equities == sorted(equities, reverse=True)
        for candidate in candidates:
            left = solution(rules).evaluate(candidate.play.afterstate)
            assert candidate.equity == candidate.chances.equity == -left.equity
            assert candidate.chances.probabilities == left.probabilities[::-1]
            assert candidate.loss == equities[0] - candidate.equity
        assert solution(rules).choose(position, (4, 2)) == candidates[0].play


@pytest.mark.parametrize("rules", GAMES)
def test_best_plays_are_the_first_of_the_rank(rules: Ruleset) -> None:
    boards = random_boards(rules, 60)
    dice = np.random.default_rng(2).integers(1, 7, (60, 2), dtype=np.int8)
    found = solution(rules).best_plays(boards, dice)
    after = nf.batch.afterstates(boards, dice, rules)
    assert (found.boards == after.boards[after.offsets[:-1] + found.index]).all()
    for board, roll, equity in zip(boards, dice.tolist(), found.equity, strict=True):
        assert solution(rules).rank(Position(board, rules=rules), tuple(roll))[0].equity == equity


def test_a_finished_board_has_no_best_play() -> None:
    board = Position.parse("- 6:1 b", HYPER).board[np.newaxis]
    found = solution(HYPER).best_plays(board, (2, 1))
    assert (found.boards == board).all()
    assert (found.index.tolist(), found.equity.tolist()) == ([-1], [-1.0])
    with pytest.raises(ValueError, match="position: the game is over"):
        solution(HYPER).rank(Position.parse("- 6:1 b", HYPER), (2, 1))


def test_threads_and_room_do_not_change_what_is_found() -> None:
    boards = random_boards(HYPER, 20_000)
    chances, equities = solution(HYPER).evaluate_batch(boards), solution(HYPER).equities(boards)
    out = np.empty((20_000, 6), np.float32)
    assert solution(HYPER).evaluate_batch(boards, out=out, threads=2, turns=1) is out
    assert (out == chances).all()
    assert (solution(HYPER).equities(boards, threads=2) == equities).all()
    one, two = (solution(HYPER).best_plays(boards, (3, 1), threads=threads) for threads in (1, 2))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))


# What is refused


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("long", "rules = long: 15 checkers a side, expected 2 or 3"),
        (small("long", 4), "rules = long 4: 4 checkers a side, expected 2 or 3"),
        (small("federation"), "last_roll = 'full': games are solved with last_roll = 'none' only"),
        (replace(LONG, throw="product"), "throw = 'product': games are solved with throw = 'pair' only"),
        (replace(HYPER, bar_first=False), "bar_first = False: games are solved with bar_first = True only"),
    ],
)
def test_games_that_are_not_solved_are_refused(rules: str | Ruleset, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        solve(rules)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda game, boards: game.evaluate(start(LONG)), "position: rules long 2 make another game"),
        (lambda game, boards: game.evaluate_batch(boards[:, :, :25]), "boards has shape"),
        (lambda game, boards: game.evaluate_batch(boards * 2), r"boards\[0\]: board\[0\] has 4 checkers: expected 2"),
        (lambda game, boards: game.evaluate_batch(boards, turns=2), "turns = 2"),
        (lambda game, boards: game.evaluate_batch(boards, out=np.empty((5, 6))), "out: expected"),
        (lambda game, boards: game.best_plays(boards, (7, 1)), "a die shows 1..6"),
        (lambda game, boards: game.best_plays(boards, np.zeros((5, 2), np.int8)), r"dice\[0\] = \[0, 0\]: a die shows 1..6"),
        (lambda game, boards: game.best_plays(boards, np.ones((4, 2), np.int8)), r"dice: expected int8\[5, 2\]"),
        (lambda game, boards: game.equities(boards, threads=0), "threads = 0: expected 1..1024"),
        (lambda game, boards: game.rank(start(HYPER), (0, 1)), "a die shows 1..6"),
    ],
)
def test_wrong_arguments_are_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(solution(HYPER), random_boards(HYPER, 5))


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a Position"):
        solution(HYPER).evaluate("24:2 24:2 w")  # type: ignore[arg-type]


def test_another_game_is_refused_and_the_same_under_another_name_is_not() -> None:
    other = replace(HYPER, name="other", setup=((5, 2),))
    assert solution(HYPER).evaluate(start(other)).equity < 1
    with pytest.raises(ValueError, match="position: rules exact make another game than the solved one, hypergammon 2"):
        solution(HYPER).evaluate(start(replace(HYPER, name="exact", bear_off="exact")))


def test_it_says_what_it_is() -> None:
    assert repr(solution(HYPER)) == "<Solution hypergammon 2, 2 checkers, in memory>"
    assert (solution(HYPER).checkers, solution(HYPER).sides, solution(LONG).sides) == (2, 351, 325)
    assert isinstance(solution(HYPER), Solution)
    assert ruleset("hypergammon").checkers == 3
