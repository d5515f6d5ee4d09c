"""Solved games beside the reference: Bellman's equation holds, and the exact player scores what the solution says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from solved_games import HYPER, LONG, random_boards, small, solution

import nardy_fast as nf
from nardy_fast import Ruleset, reference
from nardy_fast.analysis import Solution
from nardy_fast.rules import ROLLS

WEIGHTS = np.array([weight for _, weight in ROLLS]) / 36

DIALECTS = [
    replace(LONG, name="exact", bear_off="exact"),
    replace(LONG, name="next turn", bear_off_start="next_turn"),
    replace(LONG, name="no head rule", head_limit=None, head_exception="none"),
    small("arena"),
    small("giveaway"),
    small("fevga"),
    replace(LONG, name="remaining", remaining=True),
    replace(LONG, name="koks", koks="on_head"),
    replace(HYPER, name="exact hyper", bear_off="exact"),
    replace(HYPER, name="next turn hyper", bear_off_start="next_turn"),
]


def residuals(game: Solution, boards: Any) -> Any:
    """By how much each board's equity differs from what the best plays of the reference leave."""
    offsets, after = [0], []
    for board in boards:
        position = reference.Position(board, rules=game.rules)
        for dice, _ in ROLLS:
            after += [play.afterstate.board for play in position.plays(dice)]
            offsets.append(len(after))
    best = np.maximum.reduceat(-game.equities(np.array(after)), offsets[:-1])
    return np.abs(best.reshape(-1, len(ROLLS)) @ WEIGHTS - game.equities(boards))


def play_games(game: Solution, n: int, seed: int) -> Any:
    """What the side that moves first scores in each of n games of the exact player against itself, any dice at the start."""
    rng = np.random.default_rng(seed)
    boards = np.repeat(nf.Position.start(game.rules).board[np.newaxis], n, axis=0)
    scores, rows, sign = np.zeros(n), np.arange(n), 1
    while len(rows):
        dice = rng.integers(1, 7, (len(rows), 2), dtype=np.int8)
        boards = nf.batch.flip(game.best_plays(boards, dice).boards)
        over = nf.batch.is_over(boards, game.rules)
        sign = -sign
        scores[rows[over]] = sign * game.equities(boards[over])
        boards, rows = boards[~over], rows[~over]
    return scores


def check_score(game: Solution, n: int) -> None:
    scores = play_games(game, n, seed=5)
    expected = game.evaluate(nf.Position.start(game.rules))
    assert abs(scores.mean() - expected.equity) < 3 * scores.std() / n**0.5
    for points, chance in zip(expected.points, expected.probabilities, strict=True):
        assert abs((scores == points).mean() - chance) < 4 * (chance * (1 - chance) / n) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("rules", [LONG, HYPER], ids=lambda rules: rules.name)
def test_bellmans_equation_holds_by_the_reference(rules: Ruleset) -> None:
    assert residuals(solution(rules), random_boards(rules, 2000)).max() <= 1e-9


@pytest.mark.parametrize("rules", DIALECTS, ids=lambda rules: rules.name)
def test_bellmans_equation_holds_in_dialects(rules: Ruleset) -> None:
    assert residuals(solution(rules), random_boards(rules, 60)).max() <= 1e-9


@pytest.mark.parametrize("rules", [LONG, HYPER, *DIALECTS], ids=lambda rules: rules.name)
def test_chances_follow_from_the_best_plays(rules: Ruleset) -> None:
    # Of boards where every roll has one best play, with no doubt about it.
    game, boards = solution(rules), random_boards(rules, 300, seed=2)
    chances, sure = np.zeros((300, len(game.outputs))), np.ones(300, bool)
    for dice, weight in ROLLS:
        after = nf.batch.afterstates(boards, dice, rules)
        turned = nf.batch.flip(after.boards)
        left = game.equities(turned)
        best = np.minimum.reduceat(left, after.offsets[:-1])
        near = left <= np.repeat(best, np.diff(after.offsets)) + 1e-6
        sure &= np.add.reduceat(near, after.offsets[:-1], dtype=int) == 1
        first = [np.flatnonzero(near[a:b])[0] + a for a, b in zip(after.offsets, after.offsets[1:], strict=False)]
        chances += weight / 36 * game.evaluate_batch(turned[first])[:, ::-1]
    assert sure.sum() > 30
    assert np.abs(chances - game.evaluate_batch(boards))[sure].max() < 2e-6


@pytest.mark.slow
@pytest.mark.parametrize("rules", [LONG, HYPER], ids=lambda rules: rules.name)
def test_a_million_games_of_the_exact_player_score_what_the_start_is_worth(rules: Ruleset) -> None:
    check_score(solution(rules), 1_000_000)


@pytest.mark.parametrize("rules", [small("arena"), small("giveaway"), DIALECTS[-1]], ids=lambda rules: rules.name)
def test_the_exact_player_scores_what_the_start_is_worth(rules: Ruleset) -> None:
    check_score(solution(rules), 50_000)


@pytest.mark.parametrize("rules", [LONG, HYPER], ids=lambda rules: rules.name)
def test_no_play_of_a_random_player_gains_on_it(rules: Ruleset) -> None:
    # A table that is right is at least what any other way to play gets out of the same position.
    game, boards = solution(rules), random_boards(rules, 500, seed=4)
    before = game.equities(boards)
    expected = np.zeros(len(boards))
    for dice, weight in ROLLS:
        after = nf.batch.afterstates(boards, dice, rules)
        expected -= weight / 36 * game.equities(nf.batch.flip(after.boards[after.offsets[:-1]]))
    assert (expected <= before + 1e-9).all()
    assert (expected < before - 0.01).any()


def test_both_may_be_unable_to_move() -> None:
    # By exact dice alone: with the last checkers on points 1, 25 of 36 rolls bear none off, for either side.
    game = solution(DIALECTS[0])
    position = nf.Position.parse("1:1 13:1 w", game.rules)
    chance = 11 / 36 / (1 - (25 / 36) ** 2)
    assert game.evaluate(position).win == pytest.approx(chance, abs=1e-7)
    assert game.evaluate(position).equity == pytest.approx(2 * chance - 1, abs=1e-12)
