"""Search is expectimax: what a plain reading over the reference says, whatever prunes, remembers or shares the work."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast.analysis import MoveFilter, Searcher, evaluate, rank
from nardy_fast.analysis._search import Searcher as NativeSearcher
from nardy_fast.players import Level, Network, play
from nardy_fast.players.training import new_weights

Position = nf.reference.Position


def untrained(rules: str) -> Network:
    return Network(new_weights(rules, hidden=64, seed=5))


def positions(rules: str, seed: int, pending: bool = False) -> Iterator[tuple[Position, tuple[int, int]]]:
    """Positions of random games by the reference, some of them with stages pending, and throws."""
    rng = random.Random(seed)
    while True:
        position = Position.start(rules)
        while not position.is_over:
            dice = max(pair := (rng.randint(1, 6), rng.randint(1, 6))), min(pair)
            if rng.random() < 0.1 and (position.pending is not None) == pending:
                yield position, dice
            position = rng.choice(position.plays(None if position.pending else dice)).afterstate


def native(position: Position) -> nf.Position:
    return nf.Position(position.board, position.turn, position.rules, pending=position.pending)


def expected(network: Network, position: Position, plies: int) -> NDArray[np.float64]:
    """The chances of the side to move, by the definition."""
    if position.is_over or (plies == 0 and position.pending is None):
        return np.array(network.evaluate(native(position), tables=False).probabilities)
    if position.pending is not None:
        return best(network, position, position.plays(), plies)
    return sum(weight / 36 * best(network, position, position.plays(dice), plies - 1) for dice, weight in nf.ROLLS)


def best(network: Network, position: Position, plays: list[Any], plies: int) -> NDArray[np.float64]:
    after = [one.afterstate for one in plays]
    found = [expected(network, one, plies)[:: 1 if one.turn == position.turn else -1] for one in after]
    return max(found, key=lambda chances: float(chances @ network.outputs))


@pytest.mark.parametrize(("rules", "count"), [("long", 12), ("short", 12), ("hypergammon", 12), ("gulbar", 3), ("kaftar", 6)])
def test_one_ply_is_the_mean_of_the_best_answers(rules: str, count: int) -> None:
    network, some = untrained(rules), positions(rules, 1)
    for position, _ in (next(some) for _ in range(count)):
        found = evaluate(native(position), 1, network, None, tables=False)
        np.testing.assert_allclose(found.probabilities, expected(network, position, 1), atol=3e-5)
        assert found.equity == pytest.approx(float(np.dot(found.points, found.probabilities)), abs=1e-5)
        assert found.source == "search, 1 ply"


def test_two_plies_are_the_mean_of_the_best_answers_at_one() -> None:
    network = untrained("hypergammon")
    position = Position.parse("6:1,3:1 5:1,2:1 w", "hypergammon")
    found = evaluate(native(position), 2, network, None, tables=False)
    np.testing.assert_allclose(found.probabilities, expected(network, position, 2), atol=3e-5)


def test_pending_stages_are_searched_through() -> None:
    network, some = untrained("gulbar"), positions("gulbar", 2, pending=True)
    for position, _ in (next(some) for _ in range(2)):
        found = evaluate(native(position), 1, network, None)
        np.testing.assert_allclose(found.probabilities, expected(network, position, 1), atol=3e-5)


@pytest.mark.parametrize("rules", ["long", "short", "gulbar"])
def test_a_play_is_worth_what_the_position_after_it_is(rules: str) -> None:
    network, some = untrained(rules), positions(rules, 3)
    for position, dice in (next(some) for _ in range(5)):
        for one in rank(native(position), dice, 1, network, None)[:4]:
            after = one.play.afterstate
            worth = evaluate(after, 1, network, None).equity
            assert one.equity == pytest.approx(worth if after.turn == position.turn else -worth, abs=1e-5)
            assert one.plies == 1


@pytest.mark.parametrize("rules", ["long", "short", "kaftar", "gulbar"])
def test_a_ranking_is_in_order_and_has_every_play_once(rules: str) -> None:
    network, some = untrained(rules), positions(rules, 4)
    for position, dice in (next(some) for _ in range(8)):
        pos = native(position)
        ranking = rank(pos, dice, 1, network, MoveFilter(3, 0.05))
        assert {one.play for one in ranking} == set(pos.plays(dice))
        assert len(ranking) == pos.count_plays(dice)
        deep = [one for one in ranking if one.plies == 1]
        assert ranking[: len(deep)] == deep
        assert 1 <= len(deep) <= 3
        assert [one.equity for one in deep] == sorted((one.equity for one in deep), reverse=True)
        assert ranking[0].loss == 0
        assert ranking.is_complete
        shallow = network.rank(pos, dice)[0]
        assert shallow.play in [one.play for one in deep]


@pytest.mark.parametrize("rules", ["long", "short"])
def test_threads_and_what_was_searched_before_change_nothing(rules: str) -> None:
    network, some = untrained(rules), positions(rules, 5)
    for position, dice in (next(some) for _ in range(3)):
        pos = native(position)
        ranking = rank(pos, dice, 2, network)
        assert ranking == rank(pos, dice, 2, network, threads=3)
        assert evaluate(pos, 2, network) == evaluate(pos, 2, network, threads=3)


@pytest.mark.parametrize("rules", ["long", "short", "gulbar"])
def test_the_player_makes_the_first_play_of_the_ranking(rules: str) -> None:
    network, some = untrained(rules), positions(rules, 6)
    player = Searcher(network, 1)
    for position, dice in (next(some) for _ in range(12)):
        pos = native(position)
        ranking = rank(pos, dice, 1, network)
        assert player.choose(pos, dice) == ranking[0].play
        turns = np.array([pos.turn], np.int8)
        pending = np.zeros((1, 28), np.int8) if rules == "gulbar" else None
        after = player.choose_batch(pos.board[None], np.array([dice], np.int8), rules, turns, pending)[0]
        left = next(one for one in ranking if same_board(one.play, after))
        assert left.equity == pytest.approx(ranking[0].equity, abs=1e-5)


def same_board(play: nf.Play, after: NDArray[np.int8]) -> bool:
    board = play.afterstate.board
    return np.array_equal(board if play.afterstate.turn == play.position.turn else board[::-1], after)


@pytest.mark.parametrize("rules", ["long", "short"])
@pytest.mark.parametrize("plies", [1, 2])
def test_pruning_changes_nothing(rules: str, plies: int) -> None:
    network, some = untrained(rules), positions(rules, 8)
    ways = [NativeSearcher(network.native, nf.ruleset(rules), None, 2, 0, 0.0, prune) for prune in (True, False)]
    for position, dice in (next(some) for _ in range(20 if plies == 1 else 1)):
        boards, throw, turns = position.board[None], np.array([dice], np.int8), np.array([position.turn], np.int8)
        after, chances = np.empty((2, 1, 2, 26), np.int8), np.empty((2, 1, len(network.outputs)), np.float32)
        for number, searcher in enumerate(ways):
            searcher.choose(boards, throw, turns, None, 1, 0, 0.0, after[number])
            searcher.roll(boards, position.turn, *dice, plies - 1, chances[number])
        np.testing.assert_array_equal(after[0], after[1])
        np.testing.assert_array_equal(chances[0], chances[1])


def test_tables_answer_where_they_know_the_position() -> None:
    network = untrained("long")
    pos = nf.Position.parse("6:3,5:2 18:6,13:2 w")
    exact = nf.bearoff.race(pos)
    for plies in (0, 1, 2):
        assert evaluate(pos, plies, network).win == pytest.approx(exact.win, abs=1e-6)
        assert evaluate(pos, plies, network).at_least(2) == pytest.approx(exact.mars, abs=1e-6)
    assert abs(evaluate(pos, 0, network, tables=False).win - exact.win) > 1e-3
    # A play that brings the last man home leads into the tables.
    outside = nf.Position.parse("7:1,6:8,5:6 18:6,13:2 w")
    ranked = {str(one.play): one.equity for one in rank(outside, (3, 1), 0, network)}
    after = nf.bearoff.race(nf.Position.parse("6:8,5:6,3:1 18:6,13:2 b"))
    assert ranked["7/6 6/3"] == pytest.approx(after.loss + after.lost_mars - after.win - after.mars, abs=1e-5)


def test_a_search_that_runs_out_of_time_says_so_and_ranks_what_it_has() -> None:
    network = untrained("long")
    pos = nf.Position.start("long")
    ranking = rank(pos, (5, 3), 4, network, seconds=1e-9)
    assert not ranking.is_complete
    assert len(ranking) == pos.count_plays((5, 3))
    assert {one.plies for one in ranking} == {0}
    assert evaluate(pos, 4, network, seconds=1e-9).source == "network"


def test_a_search_ends_when_its_time_is_up_however_deep_it_is() -> None:
    begun = time.monotonic()
    ranking = rank(nf.Position.start("short"), (6, 4), 4, untrained("short"), None, seconds=0.3)
    assert time.monotonic() - begun < 10  # it would take hours
    assert not ranking.is_complete
    assert {one.plies for one in ranking} <= {0, 1, 2}


def test_a_finished_position_has_no_plays_and_is_exact() -> None:
    pos = nf.Position.parse("- 12:15 b")
    assert rank(pos, (2, 1), 1, untrained("long")) == []
    over = evaluate(pos, 2, untrained("long"))
    assert (over.source, over.equity) == ("over", -2)


def test_search_finds_the_best_play_of_a_solved_game_more_often_than_the_network_alone() -> None:
    two_checkers = replace(nf.ruleset("hypergammon"), name="two checkers", setup=((1, 1), (2, 1)))
    game = nf.analysis.solve(two_checkers)
    network = Network(new_weights(two_checkers, hidden=64, seed=1))
    losses = dict.fromkeys((0, 1), 0.0)
    rng = random.Random(3)
    for _ in range(60):
        board = np.zeros((2, 26), np.int8)
        for row in (0, 1):
            for _ in range(2):
                board[row, rng.randint(13, 24)] += 1
        pos = nf.Position(board, 0, two_checkers)
        exact = {one.play: one.loss for one in game.rank(pos, (4, 2))}
        for plies in losses:
            losses[plies] += exact[rank(pos, (4, 2), plies, network, None, tables=False)[0].play]
    assert losses[1] < losses[0]


def test_a_ply_of_search_is_worth_points() -> None:
    network = Network.load("long")
    weak = Level(network, 0.3, seed=1)
    arena = play(Searcher(network, 1), weak, "long", 40, seed=3)
    assert arena.points > 3 * arena.error


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"plies": -1}, ValueError, "plies = -1"),
        ({"plies": 9}, ValueError, "plies = 9"),
        ({"plies": True}, TypeError, "plies = True"),
        ({"network": 1}, TypeError, "network = 1: expected a Network or None"),
        ({"network": untrained("short")}, ValueError, "rules = 'long'"),
        ({"filter": 8}, TypeError, "filter = 8: expected a MoveFilter or None"),
        ({"filter": MoveFilter(0)}, ValueError, "filter.keep = 0"),
        ({"filter": MoveFilter(margin=-1)}, ValueError, "filter.margin = -1"),
        ({"threads": 0}, ValueError, "threads = 0"),
        ({"seconds": 0}, ValueError, "seconds = 0"),
        ({"seconds": "1"}, TypeError, "seconds = '1'"),
        ({"tables": 1}, TypeError, "tables = 1"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    pos = nf.Position.start("long")
    with pytest.raises(error, match=message):
        rank(pos, (2, 1), **arguments)
    with pytest.raises(error, match=message):
        evaluate(pos, **arguments)


def test_rules_without_a_shipped_network_need_one() -> None:
    with pytest.raises(ValueError, match="preset with a network"):
        rank(nf.Position.start("fevga"), (2, 1))
