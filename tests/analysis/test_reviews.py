"""Reviews: what each decision cost, how lucky each throw was, and the totals of both players."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import numpy as np
import pytest

from nardy_fast import CubeRules, Game, Match, Position
from nardy_fast.analysis import MatchEquity, Review, hint, review
from nardy_fast.players import Network, level

Choose = Callable[[Game], object]


def play_game(game: Game, first: Choose, second: Choose) -> Game:
    """Plays a game without a cube to its end."""
    while not game.is_over:
        if game.dice is None:
            game.roll()
        game.play((first, second)[game.player(game.position.turn)](game))
    return game


def as_level(name: str, rules: str, seed: int) -> Choose:
    player = level(name, rules, seed)
    return lambda game: player.choose(game.position, game.dice)


@cache
def a_match(rules: str = "short", points: int = 5, seed: int = 8) -> Match:
    """A match of a weaker player, number 1, against what hints say, with a cube where there is one."""
    weak = as_level("easy", rules, seed)
    match = Match(points, rules, cube=CubeRules() if rules == "short" else None, players=("ahead", "behind"), seed=seed)
    while not match.is_over:
        game = match.start_game()
        while not game.is_over:
            if game.dice is not None and game.player(game.position.turn) == 1:
                game.play(weak(game))
                continue
            found = hint(match)
            getattr(game, found.action)(*([found.plays[0].play] if found.action == "play" else []))
    return match


@cache
def reviewed(rules: str = "short") -> Review:
    return review(a_match(rules), threads=1)


def finished(text: str, dice: tuple[int, int], play: str, rules: str = "short") -> Review:
    """The review of a game that goes on from a position by one play and is then broken off."""
    game = Game.from_position(Position.parse(text, rules), dice=())
    game.roll(dice)
    game.play(play)
    return review(game, threads=1)


# Losses


def test_a_play_costs_what_the_best_would_have_been_worth_more() -> None:
    found = finished("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", (3, 1), "13/10 6/5")
    (decision,) = found.decisions
    ranked = Network.load("short").rank(decision.position, (3, 1))
    theirs = next(each for each in ranked if str(each.play) == "13/10 6/5")
    assert decision.best.text == "8/5 6/5"
    assert decision.loss == pytest.approx(theirs.loss, abs=1e-6)
    assert decision.mark == "very bad"
    assert found.worst() == [decision]


def test_the_best_play_costs_nothing_whatever_the_order_of_its_steps() -> None:
    found = finished("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", (3, 1), "6/5 8/5")
    assert [each.loss for each in found.decisions] == [0]


def test_forced_plays_do_not_count() -> None:
    found = finished("24:14,4:1 12:15 b", (6, 6), "12/6(2)", "long")
    assert [(each.forced, each.counted) for each in found.decisions] == [(True, False)]
    assert found.player(1).total.decisions == 0
    assert found.player(1).total.millipoints == 0


def test_a_double_missed_and_a_take_too_many_cost_too() -> None:
    game = Game.from_position(Position.parse("6:2,5:2 24:2,13:5,8:3,6:5 w", "short"), dice=(), cube=CubeRules())
    game.roll((6, 5))
    game.play("6/off 5/off")
    game.roll((6, 5))
    game.play("24/18 13/8")
    game.double()
    game.take()
    game.roll((1, 1))
    game.play(game.position.plays(game.dice)[0])
    found = review(game, threads=1)
    missed, double, answer = (
        each for each in found.decisions if each.kind == "answer" or (each.kind, each.player) == ("double", 0)
    )
    assert (missed.text, double.text, answer.text) == ("no double", "double", "take")
    assert answer.player == 1
    assert answer.loss > 0.5
    assert answer.best.text == "pass"
    assert found.player(1).cube.decisions == 1
    assert found.player(1).cube.loss == answer.loss


def test_no_double_that_nobody_would_think_of_is_not_counted() -> None:
    calm = [each for each in reviewed().decisions if each.kind == "double" and each.text == "no double" and not each.counted]
    assert len(calm) > 10
    assert all(each.loss == 0 for each in calm)


def test_what_was_against_the_rules_is_passed_over() -> None:
    game = Game("short", starter=0, dice=())
    game.roll((3, 1))
    game.let_stand(Position.parse("24:2,13:5,8:3,5:5 24:2,13:5,8:3,6:5 b", "short"), "moved all")
    game.roll((4, 2))
    game.play("8/4 6/4")
    found = review(game, threads=1)
    assert [(each.turn, each.player) for each in found.decisions] == [(1, 1)]
    assert len(list(found.throws)) == 2


# Luck


@pytest.mark.parametrize("text", ["24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "bar:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 w"])
def test_the_luck_of_all_throws_adds_up_to_nothing(text: str) -> None:
    position = Position.parse(text, "short")
    total = 0.0
    for first in range(1, 7):
        for second in range(1, 7):
            game = Game.from_position(position, dice=())
            game.roll((first, second))
            total += next(review(game, threads=1).throws).luck
    assert total == pytest.approx(0, abs=1e-4)


def test_the_throw_for_the_start_is_luck_of_who_has_it() -> None:
    luck = []
    for first in range(1, 7):
        for second in {1, 2, 3, 4, 5, 6} - {first}:
            throw = next(review(Game("short", dice=[(first, second)]), threads=1).throws)
            assert throw.player == int(second > first)
            luck.append(throw.luck * (1 if throw.player == 0 else -1))
    assert sum(luck) == pytest.approx(0, abs=1e-4)
    assert max(luck) > 0.1


def test_a_joker_is_lucky() -> None:
    found = finished("24:1,6:5,5:5,4:4 bar:1,24:2,13:2,8:3,6:7 b", (6, 6), "pass")
    assert next(found.throws).luck < -0.1


def test_results_without_the_luck_vary_less_than_a_third() -> None:
    results, adjusted = [], []
    for seed in range(24):
        player = as_level("strong", "short", seed)
        found = review(play_game(Game("short", seed=seed), player, player), threads=1)
        results.append(found.result)
        adjusted.append(found.luck_adjusted)
    assert np.var(adjusted) < np.var(results) / 3


def test_a_ply_ahead_the_made_play_is_looked_at_as_far_as_the_best() -> None:
    game = Game.from_position(Position.start("short"), dice=())
    game.roll((6, 4))
    game.play(game.position.parse_play("24/14", (6, 4)))
    game.roll((3, 1))
    game.play("24/23 13/10")  # far too bad to be looked at by itself
    deeper = list(review(game, plies=1, threads=1).decisions)
    assert review(game, plies=1, threads=1).plies == 1
    for each in deeper:
        chances = each.options[each.chosen].chances
        assert chances.source == "search, 1 ply"
        assert each.loss >= 0
    assert deeper[1].best.text == "8/5 6/5"


# Totals


@pytest.mark.parametrize("rules", ["short", "long"])
def test_the_weaker_player_is_found(rules: str) -> None:
    better, weaker = reviewed(rules).player(0), reviewed(rules).player(1)
    assert better.total.millipoints < 3
    assert weaker.total.millipoints > 50
    assert {each.player for each in reviewed(rules).worst()} == {1}


def test_totals_are_those_of_their_parts() -> None:
    found = reviewed()
    for player in (0, 1):
        total = found.player(player)
        assert total.total.decisions == total.plays.decisions + total.cube.decisions
        assert total.plays.loss == pytest.approx(sum(tally.loss for tally in total.phases.values()))
        assert total.total.loss == pytest.approx(sum(game.player(player).total.loss for game in found.games))
    assert found.score == a_match().score


def test_a_match_that_is_over_is_won_and_luck_accounts_for_the_rest() -> None:
    found = reviewed()
    assert found.is_match
    assert found.result in (0, 1)
    match = a_match()
    values = [throw.of_first(throw.after) - throw.of_first(throw.before) for throw in found.throws]
    assert found.luck_adjusted == pytest.approx(found.result - sum(values))
    assert match.winner == 1 - found.result


def test_a_single_game_and_games_for_money_are_told_in_points() -> None:
    player = as_level("strong", "long", 1)
    game = play_game(Game("long", seed=5), player, player)
    found = review(game, threads=1)
    assert not found.is_match
    assert abs(found.result) == game.result.points
    money = Match(None, "long", seed=5)
    play_game(money.start_game(), player, player)
    assert review(money, threads=1).luck_adjusted == pytest.approx(found.luck_adjusted)


def test_an_unfinished_match_stands_at_its_chances() -> None:
    match = Match(3, "long", score=(2, 0), seed=3)
    match.start_game().roll()
    found = review(match, threads=1)
    assert 0.7 < found.result < 1
    assert found.games[0].result is None


def test_marses_count_by_the_score_of_a_tas() -> None:
    # One point each: a mars is worth no more than an oin.
    match = Match(3, "long", score=(2, 2), seed=3)
    game = match.start_game()
    game.roll((6, 5))
    game.play(game.position.plays(game.dice)[0])
    (decision,) = review(match, threads=1).decisions
    assert decision.equity == pytest.approx(2 * decision.options[decision.chosen].chances.win - 1, abs=1e-5)


def test_the_stage_variants_are_reviewed() -> None:
    game = Game("gulbar", seed=2)
    while not game.is_over and len(game.turns) < 40:
        if game.dice is None:
            game.roll()
        game.play(game.position.plays(None if game.position.pending is not None else game.dice)[0])
    found = review(game, threads=1)
    assert len(list(found.decisions)) == 40
    assert found.to_text()


# Forms


def test_json_tells_everything() -> None:
    told = json.loads(reviewed().to_json())
    assert told["players"] == ["ahead", "behind"]
    assert len(told["games"]) == len(a_match().games)
    assert sum(len(game["decisions"]) for game in told["games"]) == len(list(reviewed().decisions))
    assert told["totals"][1]["total"]["millipoints"] > told["totals"][0]["total"]["millipoints"]
    assert len(told["worst"]) == 10
    first = told["games"][0]["decisions"][0]
    assert {"position", "dice", "chosen", "best", "loss", "options", "phase"} <= first.keys()


def test_the_text_lists_the_totals_and_what_cost_something() -> None:
    text = str(reviewed())
    assert text.startswith("5 point match of short: ahead against behind, ")
    assert "millipoints lost a decision" in text
    assert f"-{reviewed().worst()[0].loss:.3f}" in text
    assert len(reviewed().to_text(full=True)) > 2 * len(text)


# Who works


def test_threads_and_processes_find_the_same() -> None:
    match = a_match()
    expected = reviewed().to_json()
    assert review(match, threads=3).to_json() == expected
    with ProcessPoolExecutor(2) as pool:
        assert review(match, executor=pool).to_json() == expected


def test_progress_is_told_and_can_end_it() -> None:
    seen = []
    review(a_match(), threads=1, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1][0] == seen[-1][1] > 100
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(a_match(), progress=stop)


def test_what_cannot_be_reviewed_is_refused() -> None:
    with pytest.raises(TypeError, match=r"record = 'match\.mat': expected a Game or a Match"):
        review("match.mat")
    with pytest.raises(ValueError, match="nothing has been thrown"):
        review(Match(3))
    with pytest.raises(TypeError, match="progress = 1: expected a function or None"):
        review(a_match(), progress=1)
    with pytest.raises(ValueError, match="expected one to 5 points at least"):
        review(a_match(), table=MatchEquity(3, gammons=0.2))
    with pytest.raises(ValueError, match="threads = 0"):
        review(a_match(), threads=0)
