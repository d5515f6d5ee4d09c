"""Networks: what they say of positions, and the plays that they choose."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from game_boards import boards_of
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast.core import _encoding
from nardy_fast.players import Network, outputs
from nardy_fast.players.training import new_weights

Trained = Callable[[str], Network]
GAMES = ("long", "federation", "arena", "khachapuri", "giveaway", "fevga", "short", "acey_deucey", "hypergammon")


@pytest.fixture
def _path() -> Iterator[None]:
    usual = _encoding.path()
    yield
    _encoding.path(usual)


def afterstates(rules: str) -> tuple[nf.Position, NDArray[np.int8]]:
    """A position in the middle of a game and the many boards after its plays, the mover in row 0."""
    boards, turns = boards_of(rules)
    found = [
        (nf.Position(board, int(turn), rules), dice)
        for board, turn in zip(boards, turns, strict=True)
        for dice in ((2, 2), (2, 1))
    ]
    position, dice = max(found, key=lambda pair: pair[0].count_plays(pair[1]))
    return position, nf.batch.afterstates(position.board[None], dice, rules).boards


@pytest.mark.parametrize("rules", GAMES)
def test_the_chances_of_each_position_add_up_to_one(rules: str, trained: Trained) -> None:
    boards, turns = boards_of(rules)
    chances = trained(rules).evaluate_batch(boards, turns=turns)
    assert chances.shape == (len(boards), len(outputs(rules)))
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-6)
    assert (chances >= 0).all()


@pytest.mark.parametrize("rules", GAMES)
def test_one_position_and_a_batch_say_the_same(rules: str, trained: Trained) -> None:
    network = trained(rules)
    boards, turns = boards_of(rules, 40)
    batch = network.evaluate_batch(boards, turns=turns)
    for board, turn, row in zip(boards, turns, batch, strict=True):
        found = network.evaluate(nf.Position(board, int(turn), rules), tables=False)
        np.testing.assert_allclose(found.probabilities, row, atol=1e-6)
        assert found.points == network.outputs
        assert found.equity == pytest.approx(sum(p * c for p, c in zip(found.points, found.probabilities, strict=True)), abs=1e-5)


@pytest.mark.parametrize("rules", GAMES)
def test_a_board_near_another_is_judged_as_from_nothing(rules: str, trained: Trained) -> None:
    network = trained(rules)
    position, after = afterstates(rules)
    near, alone = np.empty((2, len(after), len(network.outputs)), np.float32)
    equity = np.empty((2, len(after)), np.float32)
    network.native.judge(position.board[None], position.turn, after, near, equity[0])
    network.native.judge_alone(after, position.turn, alone, equity[1])
    np.testing.assert_allclose(near, alone, atol=1e-5)
    np.testing.assert_allclose(equity[0], equity[1], atol=1e-4)


@pytest.mark.usefixtures("_path")
@pytest.mark.parametrize("rules", ["long", "short", "khachapuri"])
def test_every_path_of_the_processor_gives_the_same_chances(rules: str, trained: Trained) -> None:
    boards, turns = boards_of(rules)
    found = []
    for path in _encoding.paths():
        _encoding.path(path)
        found.append(trained(rules).evaluate_batch(boards, turns=turns))
    for chances in found[1:]:
        np.testing.assert_allclose(chances, found[0], atol=1e-5)


@pytest.mark.parametrize("rules", ["long", "short"])
def test_the_chances_are_what_numpy_makes_of_the_file_s_formula(rules: str, trained: Trained) -> None:
    network = trained(rules)
    boards, _ = boards_of(rules, 60)
    positions = [nf.Position(board, 0, rules) for board in boards]
    inputs = np.empty((len(boards), len(_encoding.columns(rules))), np.float32)
    _encoding.write_inputs(np.ascontiguousarray(boards[:, ::-1]), None, rules, inputs)
    weights = network.weights
    for position, row in zip(positions, inputs, strict=True):
        if position.is_over:
            continue
        phase = int(position.is_contact)
        hidden = np.maximum(np.append(row, 1) @ weights.first[phase], 0)
        powers = np.exp(weights.second[phase] @ hidden + weights.second_bias[phase])[::-1]  # of the other side
        found = np.array(network.evaluate(position, tables=False).probabilities)
        possible = found > 0
        np.testing.assert_allclose(found[possible], powers[possible] / powers[possible].sum(), atol=1e-5)


# What cannot happen any more.


@pytest.mark.parametrize(
    ("text", "rules", "possible"),
    [
        ("24:15 12:15 w", "long", {-2, -1, 1, 2}),
        ("6:14 18:15 w", "long", {-1, 1, 2}),
        ("6:15 18:14 w", "long", {-2, -1, 1}),
        ("6:14 18:14 w", "long", {-1, 1}),
        ("24:15 12:15 w", "federation", {-2, -1, 0, 1, 2}),
        # White has cleared, and Black has his last roll: with more than four men left there is no draw.
        ("- 18:5 b", "federation", {-1}),
        ("- 18:4 b", "federation", {-1, 0}),
        ("- 18:15 b", "federation", {-2, -1}),
        ("24:15 12:15 w", "arena", {-4, -3, -2, -1, 1, 2, 3, 4}),
        # White's head is empty: no koks against him any more. Black's is not.
        ("18:15 12:15 w", "arena", {-4, -2, -1, 1, 2, 3, 4}),
        ("24:4,6:11 12:4,18:11 w", "khachapuri", {*range(-15, 0), *range(1, 16)}),
        ("6:12 18:15 w", "khachapuri", {*range(-12, 0), *range(1, 16)}),
        ("6:14 18:15 w", "giveaway", {-2, -1, 1}),
        ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "short", {-3, -2, -1, 1, 2, 3}),
        ("6:15 6:15 w", "short", {-2, -1, 1, 2}),
        ("6:14 6:15 w", "short", {-1, 1, 2}),
        # No contact, but Black still has a man in White's home.
        ("1:14 3:14,23:1 w", "short", {-1, 1, 2, 3}),
    ],
)
def test_results_that_cannot_happen_any_more_have_no_chance(text: str, rules: str, possible: set[int]) -> None:
    network = Network(new_weights(rules, hidden=64))
    found = network.evaluate(nf.Position.parse(text, rules), tables=False)
    assert {points for points, chance in zip(found.points, found.probabilities, strict=True) if chance} == possible


@pytest.mark.parametrize(
    ("text", "rules", "points"),
    [
        ("- 12:15 b", "long", -2),
        ("- 18:3 b", "long", -1),
        ("- - w", "federation", 0),
        ("- 18:3 b", "giveaway", 1),
        ("- 18:7 b", "khachapuri", -7),
        ("- 24:1,6:14 b", "short", -3),
    ],
)
def test_a_finished_position_is_exact(text: str, rules: str, points: int) -> None:
    position = nf.Position.parse(text, rules)
    found = Network(new_weights(rules, hidden=64)).evaluate(position, tables=False)
    assert (found.equity, found.source) == (points, "over")
    assert dict(zip(found.points, found.probabilities, strict=True))[points] == 1


# Plays.


@pytest.mark.parametrize("rules", GAMES)
def test_the_best_play_of_a_batch_is_the_first_of_the_ranking(rules: str, trained: Trained) -> None:
    network = trained(rules)
    boards, turns = boards_of(rules, 60)
    dice = np.random.default_rng(2).integers(1, 7, (len(boards), 2), np.int8)
    best = network.best_plays(boards, dice, turns=turns)
    after = nf.batch.afterstates(boards, dice, rules, turns=turns)
    for row, (board, turn) in enumerate(zip(boards, turns, strict=True)):
        ranked = network.rank(nf.Position(board, int(turn), rules), dice[row].tolist())
        assert [candidate.loss for candidate in ranked] == sorted(candidate.loss for candidate in ranked)
        assert ranked[0].loss == 0
        assert best.equity[row] == pytest.approx(ranked[0].equity, abs=1e-5)
        np.testing.assert_array_equal(best.boards[row], ranked[0].play.afterstate.board[::-1])
        np.testing.assert_array_equal(after.boards[after.offsets[row] + best.index[row]], best.boards[row])
        assert network.choose(nf.Position(board, int(turn), rules), dice[row].tolist()) == ranked[0].play


@pytest.mark.parametrize("rules", GAMES)
def test_a_candidate_is_worth_what_the_position_after_it_is_to_the_other_side(rules: str, trained: Trained) -> None:
    network = trained(rules)
    boards, turns = boards_of(rules, 10)
    for board, turn in zip(boards, turns, strict=True):
        for candidate in network.rank(nf.Position(board, int(turn), rules), (5, 3)):
            after = candidate.play.afterstate
            # Of a last roll that changes nothing the board alone cannot tell what it was worth.
            if not (rules == "federation" and after.is_over):
                other = network.evaluate(after, tables=False)
                np.testing.assert_allclose(candidate.chances.probabilities, other.probabilities[::-1], atol=1e-5)
                assert candidate.equity == pytest.approx(-other.equity, abs=1e-5)


def test_where_the_game_is_over_there_is_no_play(trained: Trained) -> None:
    over = nf.Position.parse("- 18:3 b")
    best = trained("long").best_plays(over.board[None], (6, 5))
    assert best.index.tolist() == [-1]
    np.testing.assert_array_equal(best.boards[0], over.board)
    assert best.equity[0] == -1
    assert trained("long").rank(over, (6, 5)) == []
    with pytest.raises(ValueError, match="the game is over"):
        trained("long").choose(over, (6, 5))


@pytest.mark.parametrize("rules", ["long", "arena", "fevga", "short", "acey_deucey"])
def test_colours_do_not_matter_where_the_rules_do_not_tell_them_apart(rules: str, trained: Trained) -> None:
    boards, _ = boards_of(rules, 50)
    network = trained(rules)
    white, black = (network.evaluate_batch(boards, turns=np.full(50, turn, np.int8)) for turn in (0, 1))
    np.testing.assert_array_equal(white, black)
    np.testing.assert_array_equal(white, network.evaluate_batch(boards))


def test_threads_do_not_change_what_is_said(trained: Trained) -> None:
    boards, turns = boards_of("long", 3000)
    dice = np.random.default_rng(2).integers(1, 7, (len(boards), 2), np.int8)
    network = trained("long")
    np.testing.assert_array_equal(
        network.evaluate_batch(boards, turns=turns), network.evaluate_batch(boards, turns=turns, threads=2)
    )
    for one, two in zip(network.best_plays(boards, dice), network.best_plays(boards, dice, threads=2), strict=True):
        np.testing.assert_array_equal(one, two)


def test_out_is_where_chances_are_written(trained: Trained) -> None:
    boards, _ = boards_of("short", 5)
    out = np.zeros((5, 6), np.float32)
    assert trained("short").evaluate_batch(boards, out=out) is out
    np.testing.assert_array_equal(out, trained("short").evaluate_batch(boards))


def test_a_network_plays_other_rules_on_its_road_by_their_rules(trained: Trained) -> None:
    # 3-3 from the start: only the game sites let two off the head whatever stands in the way.
    position = nf.Position.parse("24:15 12:14,15:1 w", "arena")
    assert {str(candidate.play) for candidate in trained("long").rank(position, (3, 3))} == {
        str(play) for play in position.plays((3, 3))
    }


def test_a_network_refuses_rules_that_it_cannot_judge(trained: Trained) -> None:
    with pytest.raises(ValueError, match="rules = 'short': expected rules on parallel roads with 15 checkers"):
        trained("long").choose(nf.Position.start("short"), (2, 1))
    with pytest.raises(ValueError, match="rules = 'hypergammon': expected rules on contrary roads with 15 checkers"):
        trained("short").best_plays(nf.Position.start("hypergammon").board[None], (2, 1), rules="hypergammon")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda network, boards: network.evaluate_batch(boards[:, :1]), ValueError, "boards has shape"),
        (lambda network, boards: network.evaluate_batch(boards.astype(float)), TypeError, "boards has dtype float64"),
        (lambda network, boards: network.evaluate_batch(None), TypeError, "boards is a NoneType"),
        (lambda network, boards: network.evaluate_batch(boards + 1), ValueError, r"boards\[0\]"),
        (lambda network, boards: network.evaluate_batch(boards, out=np.zeros((1, 4))), TypeError, "out has dtype float64"),
        (lambda network, boards: network.evaluate_batch(boards, threads=0), ValueError, "threads = 0"),
        (lambda network, boards: network.evaluate_batch(boards, turns=np.array([2], np.int8)), ValueError, r"turns\[0\] = 2"),
        (lambda network, boards: network.best_plays(boards, (7, 1)), ValueError, "dice = "),
        (lambda network, boards: network.best_plays(boards, np.array([[0, 1]], np.int8)), ValueError, r"dice\[0, 0\] = 0"),
        (lambda network, boards: network.evaluate("24:15 12:15 w"), TypeError, "position = '24:15 12:15 w'"),
        (lambda network, boards: network.evaluate(nf.reference.Position.start()), TypeError, "expected a nardy_fast.Position"),
    ],
)
def test_bad_arguments_are_refused(
    call: Callable[[Network, NDArray[np.int8]], object], error: type[Exception], message: str, trained: Trained
) -> None:
    with pytest.raises(error, match=message):
        call(trained("long"), nf.Position.start().board[None].copy())


def test_a_network_can_be_pickled(trained: Trained) -> None:
    again = pickle.loads(pickle.dumps(trained("short")))
    position = nf.Position.start("short")
    assert again.evaluate(position, tables=False) == trained("short").evaluate(position, tables=False)


# Tables.


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("6:3,5:2 18:6,13:2 w", "long"),
        ("6:8,2:7 18:9,13:6 b", "long"),
        ("6:8,2:7 18:9,13:6 w", replace(nf.ruleset("long"), name="marses", home_mars=4)),
        ("6:3,5:2 6:1,1:2 w", "short"),
        ("6:9,5:6 6:8,1:7 b", "short"),
    ],
)
def test_with_tables_races_are_those_of_the_tables(text: str, rules: str) -> None:
    position = nf.Position.parse(text, rules)
    found, exact = Network(new_weights(rules, hidden=64)).evaluate(position, tables=True), nf.bearoff.race(position)
    assert found.source == exact.source
    assert found.win == pytest.approx(exact.win)
    assert found.at_least(2) == pytest.approx(exact.mars)
    assert sum(found.probabilities) == pytest.approx(1)
    top = 4 if getattr(rules, "home_mars", None) else 2
    assert dict(zip(found.points, found.probabilities, strict=True))[top] == pytest.approx(exact.mars)


def test_where_no_table_applies_the_network_answers(trained: Trained) -> None:
    position = nf.Position.start("short")
    assert trained("short").evaluate(position, tables=True) == trained("short").evaluate(position, tables=False)
