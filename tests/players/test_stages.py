"""Players in the stage variants: what is pending is looked through to its end, and games are those of the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast.players import Greedy, Level, Network, Random, play, train
from nardy_fast.players.training import new_weights
from nardy_fast.results import result_of

Trained = Callable[[str], Network]

#: All nine; those whose queues are no longer than two stages unless doubles go up.
STAGED = ["kaftar", "one_six", "kabutar", "astrogon", "even_odd", "gulbar", "mad_gulbar", "mad_nardy", "mad_fevga"]
QUEUED = ["gulbar", "mad_gulbar", "mad_nardy", "mad_fevga"]


def untrained(rules: str) -> Network:
    return Network(new_weights(rules, hidden=64, seed=4))


def random_positions(rules: str, seed: int) -> Iterator[tuple[nf.reference.Position, tuple[int, int]]]:
    """Positions of random games by the reference, as they are before a stage or a throw, and a throw."""
    rng = random.Random(seed)
    while True:
        position = nf.reference.Position.start(rules)
        while not position.is_over:
            dice = max(pair := (rng.randint(1, 6), rng.randint(1, 6))), min(pair)
            yield position, dice
            plays = position.plays(None if position.pending else dice)
            position = rng.choice(plays).afterstate


def native(position: nf.reference.Position) -> nf.Position:
    return nf.Position(position.board, position.turn, position.rules, pending=position.pending)


def worth(network: Network, position: nf.reference.Position) -> NDArray[np.float64]:
    """The chances of the side to move, by the reference and what the network says of boards before a throw."""
    if position.is_over or position.pending is None:
        return np.array(network.evaluate(native(position), tables=False).probabilities)
    return best(network, position, position.plays())


def best(network: Network, position: nf.reference.Position, plays: list[Any]) -> NDArray[np.float64]:
    after = [play.afterstate for play in plays]
    found = [worth(network, one)[:: 1 if one.turn == position.turn else -1] for one in after]
    return max(found, key=lambda chances: float(chances @ network.outputs))


@pytest.mark.parametrize("rules", QUEUED)
def test_what_is_pending_is_worth_its_best_play(rules: str) -> None:
    network, seen = untrained(rules), 0
    for position, _ in random_positions(rules, 1):
        if position.pending is None or len(position.pending.stages) > 2:
            continue
        chances = network.evaluate(native(position), tables=False)
        np.testing.assert_allclose(chances.probabilities, worth(network, position), atol=2e-5)
        assert chances.equity == pytest.approx(float(np.dot(chances.points, chances.probabilities)), abs=1e-5)
        seen += 1
        if seen == 25:
            break


@pytest.mark.parametrize("rules", STAGED)
def test_the_best_play_of_a_throw_is_that_of_the_reference(rules: str) -> None:
    network, seen = untrained(rules), 0
    for position, dice in random_positions(rules, 2):
        if position.pending is not None or (dice[0] == dice[1] and nf.ruleset(rules).throw == "cascade"):
            continue
        pos = native(position)
        found = network.best_plays(pos.board[None], dice, turns=np.array([pos.turn], np.int8))
        wanted = float(best(network, position, position.plays(dice)) @ network.outputs)
        assert found.equity[0] == pytest.approx(wanted, abs=2e-5)
        ranked = network.rank(pos, dice)
        assert ranked[0].equity == pytest.approx(wanted, abs=2e-5)
        assert network.choose(pos, dice) == ranked[0].play
        seen += 1
        if seen == 12:
            break


@pytest.mark.parametrize("rules", ["mad_nardy", "mad_gulbar"])
def test_long_queues_are_worth_no_more_than_the_best_of_all_plays_of_one_player(rules: str) -> None:
    # Three stages of fours, fives and sixes, one die each, all of one player: leaving plays out can only cost him something.
    own = replace(nf.ruleset(rules), name="own", cascade_steps=2)
    network = Network(new_weights(own, hidden=64, seed=4))
    position = nf.reference.Position.parse("24:5,20:3,15:3,13:4 12:9,10:3,8:3 w", own)
    seen = 0
    for play_ in position.plays((3, 3)):
        after = play_.afterstate
        if after.pending is None or {stage.player for stage in after.pending.stages} != {0}:
            continue
        assert len(after.pending.stages) == 3
        found, most = network.evaluate(native(after), tables=False).equity, float(worth(network, after) @ network.outputs)
        assert found <= most + 1e-5
        assert found > most - 0.5
        seen += 1
    assert seen == 4


@pytest.mark.parametrize("rules", QUEUED)
def test_batches_say_what_single_positions_do(rules: str) -> None:
    network = untrained(rules)
    positions = [native(position) for position, _ in zip_first(random_positions(rules, 3), 60)]
    boards, turns = np.stack([pos.board for pos in positions]), np.array([pos.turn for pos in positions], np.int8)
    pending = np.stack([np.zeros(28, np.int8) if pos.pending is None else pos.pending.to_row() for pos in positions])
    assert pending.any()
    found = network.evaluate_batch(boards, turns=turns, pending=pending, threads=2)
    for pos, chances in zip(positions, found, strict=True):
        np.testing.assert_allclose(chances, network.evaluate(pos, tables=False).probabilities, atol=1e-6)
    best_of_all = network.best_plays(boards, (5, 3), turns=turns, pending=pending)
    for pos, board, equity in zip(positions, best_of_all.boards, best_of_all.equity, strict=True):
        ranked = network.rank(pos, None if pos.pending else (5, 3))
        assert ranked[0].equity == pytest.approx(float(equity), abs=1e-5)
        after = {bytes(p.afterstate.board if p.afterstate.turn == pos.turn else p.afterstate.board[::-1]) for p, *_ in ranked}
        assert board.tobytes() in after


def zip_first(some: Iterator[Any], count: int) -> Iterator[Any]:
    return (one for one, _ in zip(some, range(count), strict=False))


def test_pending_stages_without_turns_are_refused() -> None:
    network = untrained("gulbar")
    boards = nf.Position.start("gulbar").board[None]
    with pytest.raises(ValueError, match="turns = None"):
        network.evaluate_batch(boards, pending=np.zeros((1, 28), np.int8))
    with pytest.raises(ValueError, match="turns = None"):
        network.best_plays(boards, (2, 1))
    with pytest.raises(ValueError, match="turns = None"):
        Random().choose_batch(boards, np.array([[2, 1]], np.int8), "gulbar")


def test_a_dead_position_is_a_draw_for_certain() -> None:
    text = "19:9,6:1,5:1,4:1,3:1,2:1,1:1 18:1,17:1,16:1,15:1,14:1,13:1,7:9 w"
    network = untrained("mad_nardy")
    assert network.outputs == (-2, -1, 0, 1, 2)
    chances = network.evaluate(nf.Position.parse(text, "mad_nardy"))
    assert chances.source == "over"
    assert chances.probabilities == (0, 0, 1, 0, 0)


@pytest.mark.parametrize("rules", STAGED)
def test_random_players_play_the_games_of_simulate(rules: str) -> None:
    games = 1500
    arena, simulated = play(Random(), Random(), rules, games, seed=5), nf.simulate(games, rules, seed=5)
    ours, theirs = arena.turns.reshape(-1).astype(float), simulated.turns.astype(float)
    error = np.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    # The two games of a pair share their dice, so that their lengths are not independent: twice the error, then four of it.
    assert abs(ours.mean() - theirs.mean()) < 8 * error
    drawn, share = (arena.scores == 0).mean(), (simulated.points == 0).mean()
    assert abs(drawn - share) < 0.02


class Stranger:
    """Greedy, hidden from the native arena."""

    def __init__(self) -> None:
        self.player = Greedy()

    def choose(self, position: nf.Position, dice: Any) -> nf.Play:
        return self.player.choose(position, dice)

    def choose_batch(self, boards: Any, dice: Any, rules: Any, turns: Any = None, pending: Any = None) -> Any:
        return self.player.choose_batch(boards, dice, rules, turns, pending)


@pytest.mark.parametrize("rules", STAGED)
def test_the_plays_of_one_s_own_player_are_checked_and_games_come_to_an_end(rules: str) -> None:
    arena = play(Stranger(), Random(), rules, 60, seed=2)
    assert arena.points > 0.2
    assert (arena.turns > 5).all()


class Witness(Stranger):
    """The same, who writes down what he is asked, and by the reference what his plays lead to."""

    def __init__(self, asked: Counter[str], led_to: list[nf.reference.Play]) -> None:
        super().__init__()
        self.asked, self.led_to = asked, led_to

    def choose_batch(self, boards: Any, dice: Any, rules: Any, turns: Any = None, pending: Any = None) -> Any:
        chosen = super().choose_batch(boards, dice, rules, turns, pending)
        queues = np.zeros((len(boards), 28), np.int8) if pending is None else pending
        for board, roll, turn, queue, after in zip(boards, dice.tolist(), turns.tolist(), queues, chosen, strict=True):
            position = nf.reference.Position(board, turn, rules, pending=nf.Pending.from_row(queue))
            plays = position.plays(None if position.pending else roll)
            moved = {bytes(p.afterstate.board if p.afterstate.turn == turn else p.afterstate.board[::-1]): p for p in plays}
            self.asked[str(position)] += 1
            self.led_to.append(moved[after.tobytes()])
        return chosen


@pytest.mark.parametrize("rules", STAGED)
def test_games_go_on_and_end_as_by_the_reference(rules: str) -> None:
    asked: Counter[str] = Counter()
    led_to: list[nf.reference.Play] = []
    arena = play(Witness(asked, led_to), Witness(asked, led_to), rules, 2, seed=3)
    expected = Counter({str(nf.reference.Position.start(rules)): 2})
    scored = []
    for last in led_to:
        after = last.afterstate
        if after.is_over:
            won = result_of(after, last)
            scored.append(0 if won.winner is None else won.points * (1 - 2 * won.winner))
        else:
            expected[str(after)] += 1
    assert asked == expected
    assert sorted(scored) == sorted([*arena.scores[:, 0].tolist(), *(-arena.scores[:, 1]).tolist()])


@pytest.mark.parametrize("rules", ["kaftar", "mad_fevga"])
def test_equal_players_score_nothing_in_pairs_of_games_with_the_same_dice(rules: str) -> None:
    arena = play(Greedy(), Greedy(), rules, 100, seed=1, threads=1)
    assert (arena.scores.sum(axis=1) == 0).all()
    again = play(Greedy(), Greedy(), rules, 100, seed=1, threads=2)
    assert (again.scores == arena.scores).all()
    by_batch = play(Stranger(), Stranger(), rules, 100, seed=1)
    assert (by_batch.scores.sum(axis=1) == 0).all()


@pytest.mark.parametrize("rules", ["kaftar", "gulbar", "mad_nardy"])
def test_a_moment_of_training_beats_chance(rules: str) -> None:
    network = train(rules, games=1000, threads=1, hidden=64, seed=3)
    arena = play(network, Random(), rules, 200, seed=9)
    assert arena.points > 0.4 + 5 * arena.error
    weaker = play(network, Level(network, 1.0), rules, 100, seed=9)
    assert weaker.points > 4 * weaker.error


def test_training_by_games_on_one_thread_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        train("gulbar", games=60, threads=1, hidden=64, seed=2, out=tmp_path / f"{name}.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_a_choice_is_one_of_the_plays_of_what_is_pending(trained: Trained) -> None:
    players = [Random(1), Greedy(), trained("mad_nardy"), Level(trained("mad_nardy"), 0.2)]
    for position, dice in zip_first(random_positions("mad_nardy", 7), 60):
        pos = native(position)
        asked = None if pos.pending else dice
        for player in players:
            assert player.choose(pos, asked) in pos.plays(asked)


def test_a_ruleset_of_one_s_own_with_stages_is_played_and_trained() -> None:
    own = replace(nf.ruleset("gulbar"), name="own", cascade_steps=2, throw="cascade", throw_again=False)
    network = train(own, games=20, threads=1, hidden=64)
    assert play(network, Greedy(), own, 20).games == 20
