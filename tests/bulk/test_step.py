"""nardy_fast.batch.step: it takes the afterstate that was chosen, and goes on as `Position.apply` and the rules do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast import batch

Array = NDArray[Any]

#: Both roads, a last roll, a choice of dice by colour, another throw, and stages that pass to the opponent.
RULES = ("long", "short", "federation", "hypergammon", "even_odd", "gulbar", "mad_gulbar", "mad_nardy", "kaftar")


def rng_of(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def listed(game: batch.Next, rules: str, **more: Any) -> batch.Afterstates:
    return batch.afterstates(game.boards, game.dice, rules, turns=game.turns, pending=game.pending, **more)


def stepped(game: batch.Next, choice: Array, rules: str, rng: np.random.Generator, **more: Any) -> batch.Next:
    return batch.step(game.boards, game.dice, choice, rules, rng=rng, turns=game.turns, pending=game.pending, **more)


def position(game: batch.Next, row: int, rules: str) -> nf.Position:
    assert game.turns is not None
    pending = None if game.pending is None else nf.Pending.from_row(game.pending[row])
    return nf.Position(game.boards[row], int(game.turns[row]), rules, pending)


def copied(game: batch.Next) -> batch.Next:
    return batch.Next(*(None if array is None else array.copy() for array in game))  # type: ignore[arg-type]


def same(one: batch.Next, other: batch.Next) -> bool:
    return all((a is None and b is None) or np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("rules", RULES)
def test_a_step_is_the_play_that_leads_to_the_chosen_afterstate(rules: str) -> None:
    rng, ended = rng_of(), 0
    game = batch.start(40, rng, rules)
    for _ in range(150):
        after = listed(game, rules)
        before, counts = copied(game), np.diff(after.offsets)
        choice = rng.integers(0, np.maximum(counts, 1))
        game = stepped(game, choice, rules, rng, after=after)
        assert game.turns is not None
        for row in range(0, 40, 7):
            was = position(before, row, rules)
            assert not was.is_over or game.chosen[row] == -1
            if was.is_over:
                assert np.array_equal(game.boards[row], before.boards[row])
                assert (game.ended[row], game.points[row]) == (False, 0)
                continue
            assert game.chosen[row] == choice[row]
            taken = after.boards[after.offsets[row] + choice[row]]
            dice = None if was.pending else tuple(map(int, before.dice[row]))
            results = [p.afterstate for p in was.plays(dice)]
            boards = [r.board if r.turn == was.turn else r.board[::-1] for r in results]
            expected = next(r for r, board in zip(results, boards, strict=True) if np.array_equal(board, taken))
            assert position(game, row, rules).board.tolist() == expected.board.tolist()
            assert game.turns[row] == expected.turn
            assert game.ended[row] == expected.is_over
            if expected.is_over:
                won = expected.winner
                assert np.sign(game.points[row]) == (0 if won is None else 1 if won == was.turn else -1)
                ended += 1
            elif expected.pending:
                assert position(game, row, rules).pending is not None
    assert ended or rules in ("gulbar", "mad_gulbar", "mad_nardy", "even_odd")


@pytest.mark.parametrize("rules", RULES)
def test_without_afterstates_they_are_listed_again(rules: str) -> None:
    game = batch.start(50, rng_of(), rules)
    for turn in range(20):
        after = listed(game, rules)
        scores = rng_of(turn).normal(size=len(after.boards))
        given = stepped(game, scores, rules, rng_of(7), after=after, restart=True)
        assert same(given, stepped(game, scores, rules, rng_of(7), restart=True))
        game = given


def test_scores_take_the_first_of_the_best() -> None:
    game = batch.start(3, rng_of(), "long")._replace(dice=np.array([[2, 1], [6, 5], [3, 1]], np.int8))
    after = listed(game, "long")
    counts = np.diff(after.offsets)
    scores = np.zeros(len(after.boards), np.float32)
    scores[after.offsets[1] - 1] = 1.0
    assert after.segment_argmax(scores).tolist() == [counts[0] - 1, 0, 0]
    assert after.segment_argmax(scores).dtype == np.int32
    assert stepped(game, scores, "long", rng_of(), after=after).chosen.tolist() == [counts[0] - 1, 0, 0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_segment_argmax_is_that_of_numpy_row_by_row(dtype: Any) -> None:
    game = batch.start(200, rng_of(), "short")
    for _ in range(200):
        game = stepped(game, np.zeros(200, int), "short", rng_of(3))
    after = listed(game, "short")
    scores = rng_of().normal(size=len(after.boards)).astype(dtype)
    pieces = [scores[a:b] for a, b in zip(after.offsets, after.offsets[1:], strict=False)]
    assert after.segment_argmax(scores).tolist() == [int(piece.argmax()) if len(piece) else -1 for piece in pieces]


def test_epsilon_takes_any_afterstate_as_often_as_it_says() -> None:
    game = batch.start(8000, rng_of(), "long")._replace(dice=np.full((8000, 2), (2, 1), np.int8))
    after = listed(game, "long")
    count = int(after.offsets[1])
    scores = np.zeros(len(after.boards), np.float32)
    scores[::count] = 1
    found = np.bincount(stepped(game, scores, "long", rng_of(), after=after, epsilon=0.3).chosen, minlength=count)
    expected = np.full(count, 8000 * 0.3 / count)
    expected[0] += 8000 * 0.7
    assert (np.abs(found - expected) < 5 * np.sqrt(expected)).all()
    assert not stepped(game, scores, "long", rng_of(), after=after).chosen.any()


def test_dice_are_fair_and_the_larger_comes_first() -> None:
    game = stepped(batch.start(36_000, rng_of(), "long"), np.zeros(36_000, int), "long", rng_of(2))
    throws, counts = np.unique(game.dice, axis=0, return_counts=True)
    assert len(throws) == 21
    assert (game.dice[:, 0] >= game.dice[:, 1]).all()
    expected = np.where(throws[:, 0] == throws[:, 1], 1000, 2000)
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


def test_games_start_with_dice_and_a_player_by_the_rules() -> None:
    short, long = batch.start(2000, rng_of(), "short"), batch.start(2000, rng_of(), "long")
    assert short.turns is not None
    assert long.turns is not None
    assert (short.dice[:, 0] > short.dice[:, 1]).all()
    assert 900 < short.turns.sum() < 1100
    assert (long.dice[:, 0] == long.dice[:, 1]).any()
    assert not long.turns.any()
    assert (long.boards == nf.Position.start("long").board).all()


def test_a_game_that_ends_gives_way_to_a_new_one_where_asked() -> None:
    last = nf.Position.parse("6:1 12:15 w", "long")
    boards, dice, choice = last.board[None], np.array([[6, 5]], np.int8), np.zeros(1, int)
    stays = batch.step(boards, dice, choice, "long", rng=rng_of())
    new = batch.step(boards, dice, choice, "long", rng=rng_of(), restart=True)
    for found in (stays, new):
        assert (found.ended.tolist(), found.points.tolist()) == ([True], [2])
    assert stays.boards[0, 1, 25] == 15
    assert stays.dice.tolist() == [[6, 5]]
    assert np.array_equal(new.boards[0], nf.Position.start("long").board)
    again = batch.step(stays.boards, stays.dice, choice, "long", rng=rng_of(), restart=True)
    assert (again.chosen.tolist(), again.ended.tolist()) == ([-1], [False])
    assert np.array_equal(again.boards[0], nf.Position.start("long").board)


@pytest.mark.parametrize("rules", ["short", "mad_nardy"])
def test_a_loop_may_write_over_its_own_arrays(rules: str) -> None:
    fresh, reused = batch.start(60, rng_of(), rules), batch.start(60, rng_of(), rules)
    mine, theirs = rng_of(4), rng_of(4)
    arrays = [id(array) for array in reused]
    for _ in range(60):
        fresh = stepped(fresh, listed(fresh, rules).boards[:, 0, 20].astype(np.float32), rules, mine, restart=True)
        scores = listed(reused, rules).boards[:, 0, 20].astype(np.float32)
        reused = stepped(reused, scores, rules, theirs, restart=True, out=reused)
        assert same(fresh, reused)
    assert [id(array) for array in reused] == arrays


def test_threads_play_the_same_games() -> None:
    n = 2 * batch.SHARD + 5
    game = batch.start(n, rng_of(), "long")
    scores = rng_of().normal(size=len(listed(game, "long").boards))
    one = stepped(game, scores, "long", rng_of(9), epsilon=0.5)
    assert same(one, stepped(game, scores, "long", rng_of(9), epsilon=0.5, threads=2))


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"choice": np.array([0, 99])}, ValueError, r"choice\[1\] = 99: the row has \d+ afterstates, numbered from 0"),
        ({"choice": np.array([0, -1])}, ValueError, r"choice\[1\] = -1: the row has"),
        ({"choice": np.zeros(3, int)}, ValueError, r"choice has shape \(3,\): expected \(2,\)"),
        ({"choice": np.zeros(3)}, ValueError, r"choice has shape \(3,\): expected \(\d+,\), a score for each afterstate"),
        ({"choice": np.zeros(2, bool)}, TypeError, "choice has dtype bool: expected integers, or float32 or float64 scores"),
        ({"epsilon": 1.5}, ValueError, "epsilon = 1.5: expected a chance, 0 to 1"),
        ({"rng": 7}, TypeError, "rng = 7: expected a numpy.random.Generator or BitGenerator"),
        ({"out": np.zeros(2)}, TypeError, "out = .*: expected a Next"),
        ({"restart": 1}, TypeError, "restart = 1: expected True or False"),
    ],
)
def test_what_cannot_be_stepped_is_refused(change: dict[str, Any], error: type[Exception], text: str) -> None:
    game = batch.start(2, rng_of(), "long")
    given: dict[str, Any] = {"choice": np.zeros(2, int), "rng": rng_of(), **change}
    with pytest.raises(error, match=text):
        batch.step(game.boards, game.dice, given.pop("choice"), "long", **given)


def test_a_score_that_is_no_number_is_refused_before_anything_is_written() -> None:
    game = batch.start(2, rng_of(), "long")
    scores = np.zeros(len(listed(game, "long").boards))
    scores[-1] = np.nan
    kept = copied(game)
    with pytest.raises(ValueError, match=rf"scores\[{len(scores) - 1}\] = nan: expected a number"):
        stepped(game, scores, "long", rng_of(), out=game)
    assert same(game, kept)


def test_afterstates_of_other_rows_are_refused() -> None:
    game, other = batch.start(2, rng_of(), "long"), batch.start(3, rng_of(), "long")
    with pytest.raises(ValueError, match=r"after.offsets has shape \(4,\): expected \(3,\)"):
        stepped(game, np.zeros(2, int), "long", rng_of(), after=listed(other, "long"))
    after = listed(game, "long")
    with pytest.raises(ValueError, match=r"after.offsets go from 0 to \d+: expected 0 to \d+"):
        stepped(game, np.zeros(2, int), "long", rng_of(), after=after._replace(boards=after.boards[1:]))
