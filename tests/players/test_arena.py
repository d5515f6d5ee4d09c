"""Players, and games between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy_fast as nf
from nardy_fast.players import Arena, Greedy, Level, Network, Player, Random, level, outputs, play

Trained = Callable[[str], Network]


def greedy_score(board: NDArray[np.int8], rules: str) -> float:
    """The formula of `Greedy`, as it is written."""
    mover, other = board.tolist()
    if rules == "short":
        score = 12 * mover[25] + 5 * other[0] - 0.5 * mover[1]
        for i in range(1, 25):
            if mover[i] >= 2:
                score += (5 if i >= 19 else 3 if i >= 15 else 1.5) + (1.5 if mover[i - 1] >= 2 else 0)
                score -= 0.8 * max(mover[i] - 3, 0)
            if mover[i] == 1:
                behind = [d for d in range(1, 13) if 25 - i - d >= 0 and other[25 - i - d]]
                score -= 0.02 * (i + 4) * sum(3 if d <= 6 else 1 for d in behind)
        return score
    score = 4 * mover[25] - 1.5 * mover[1]
    rear = next(i for i in range(1, 26) if other[i])
    held = [i for i in range(1, 25) if mover[i]]
    for i in held:
        score += 1.5 - 0.3 * max(mover[i] - 2, 0) - (0.2 * mover[i] if 2 <= i <= 6 else 0)
        beyond = (i + 11) % 24 + 1 - rear
        score += 0.8 if 0 < beyond <= 8 else 0.3 if beyond > 8 else 0
    for _, run in groupby(enumerate(held), lambda pair: pair[1] - pair[0]):
        score += sum(0.7 * (place - 2) for place, _ in enumerate(run, 1) if place > 2)
    return score


@pytest.mark.parametrize("rules", ["long", "short"])
def test_greedy_plays_what_scores_most_and_of_equal_plays_the_first(rules: str) -> None:
    rng = np.random.default_rng(4)
    boards = np.repeat(nf.Position.start(rules).board[None], 200, axis=0)
    for turn in range(60):
        part = slice(200 * turn // 60, 200)
        boards[part] = nf.batch.random_step(boards[part].copy(), rng, rules, restart=True).boards
    for board in boards:
        position, dice = nf.Position(board, 0, rules), rng.integers(1, 7, 2).tolist()
        if position.is_over:
            continue
        plays = position.plays(dice)
        scores = [round(greedy_score(p.afterstate.board[::-1], rules), 6) for p in plays]
        assert Greedy().choose(position, dice) == plays[int(np.argmax(scores))]


def test_random_chooses_each_play_alike() -> None:
    position, player = nf.Position.start("short"), Random(seed=3)
    plays = position.plays((3, 1))
    counts = dict.fromkeys(plays, 0)
    for _ in range(60 * len(plays)):
        counts[player.choose(position, (3, 1))] += 1
    assert min(counts.values()) > 30
    assert max(counts.values()) < 90


@pytest.mark.parametrize("player", [Random(), Greedy()])
@pytest.mark.parametrize("rules", ["long", "federation", "fevga", "short", "acey_deucey"])
def test_players_make_legal_plays_only(player: Player, rules: str) -> None:
    class Watched:
        """The same player, whose plays `play` checks, since it does not know him."""

        choose, choose_batch = player.choose, player.choose_batch

    assert play(Watched(), Watched(), rules, 20).games == 20


def test_the_better_player_scores() -> None:
    result = play(Greedy(), Random(), "long", 400, seed=1)
    assert result.points > 1
    assert result.points - 5 * result.error > 0.5
    assert result.wins == sum(share for points, share in result.shares.items() if points > 0)


@pytest.mark.parametrize("rules", ["long", "federation", "giveaway", "khachapuri", "short", "hypergammon"])
def test_a_player_against_himself_comes_out_even_in_each_pair(rules: str) -> None:
    result = play(Greedy(), Greedy(), rules, 60)
    assert (result.scores.sum(axis=1) == 0).all()
    assert set(np.unique(result.scores)) <= set(outputs(rules))


def test_the_games_do_not_depend_on_the_number_of_threads(trained: Trained) -> None:
    one, two = (play(Level(trained("short"), 0.2), Random(), "short", 100, seed=5, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.scores, two.scores)
    np.testing.assert_array_equal(one.turns, two.turns)


def test_the_seed_begins_the_games() -> None:
    first, again, other = (play(Random(), Greedy(), "long", 100, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.turns, again.turns)
    assert (first.turns != other.turns).any()


def test_standard_errors_are_those_of_pairs() -> None:
    scores = np.array([[2, -1], [1, 1], [-2, 1], [1, -1]], np.int16)
    result = Arena(nf.ruleset("long"), scores, np.full((4, 2), 50, np.int32), 1.0)
    assert result.games == 8
    assert result.points == 0.25
    assert result.error == pytest.approx(np.std([0.5, 1, -0.5, 0], ddof=1) / 2)
    assert result.shares == {-2: 0.125, -1: 0.25, 1: 0.5, 2: 0.125}
    assert result.seconds_per_decision == pytest.approx(1 / 400)


class First:
    """Always the first play."""

    def choose(self, position: nf.Position, dice: Iterable[int]) -> nf.Play:
        return position.plays(dice)[0]

    def choose_batch(self, boards: Any, dice: Any, rules: Any, turns: Any = None) -> Any:
        after = nf.batch.afterstates(boards, dice, rules, turns=turns)
        return after.boards[after.offsets[:-1]]


@pytest.mark.parametrize("rules", ["long", "federation", "short"])
def test_a_player_of_one_s_own_is_played_by_batches(rules: str) -> None:
    result = play(First(), Random(), rules, 200, seed=2)
    assert (result.turns > 0).all()
    assert set(np.unique(result.scores)) <= set(outputs(rules))
    # The same player in both seats is even again.
    assert (play(First(), First(), rules, 40).scores.sum(axis=1) == 0).all()


def test_batches_and_native_games_have_the_same_statistics() -> None:
    class Unknown(Random):
        """Not recognised, so not seated natively."""

        def __init__(self) -> None:
            super().__init__()
            self._seat = None

        def choose_batch(self, boards: Any, dice: Any, rules: Any, turns: Any = None) -> Any:
            return Random(7).choose_batch(boards, dice, rules, turns)

    native, batched = (play(Greedy(), player, "short", 1000) for player in (Random(), Unknown()))
    assert abs(native.points - batched.points) < 5 * (native.error + batched.error)


def test_an_illegal_play_of_one_s_own_player_is_refused() -> None:
    class Cheat(First):
        def choose_batch(self, boards: Any, dice: Any, rules: Any, turns: Any = None) -> Any:
            return boards

    with pytest.raises(ValueError, match=r"Cheat.*its play of \(\d, \d\) on .* is not legal"):
        play(Cheat(), Random(), "long", 2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((Random(), "me"), TypeError, "b = 'me': expected a player"),
        ((Random(), Random(), "chess"), ValueError, "rules = 'chess'"),
        ((Random(), Random(), "long", 0), ValueError, "games = 0"),
        ((Random(), Random(), "long", 1.5), TypeError, "games = 1.5"),
    ],
)
def test_bad_arguments_of_play_are_refused(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        play(*arguments)


def test_a_network_of_the_other_road_is_refused(trained: Trained) -> None:
    with pytest.raises(ValueError, match="expected rules on contrary roads"):
        play(trained("short"), Random(), "long", 2)


def test_noise_makes_a_network_weaker(trained: Trained) -> None:
    network = trained("long")
    result = play(network, Level(network, 1.0), "long", 200)
    assert result.points > 4 * result.error


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="level = 'perfect': expected one of random, easy, medium, strong"):
        level("perfect")
