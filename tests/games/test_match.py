"""Matches: who starts, who has which colour, the score, draws, the end, and what is kept."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from nardy_fast.games.states import State
from nardy_fast.rules import ruleset

LONG = ruleset("long")


def lose(match: Any, player: int, times: int = 1) -> Any:
    """The next game, in which this player resigns."""
    game = match.start_game()
    game.resign(times, side=0 if game.white == player else 1)
    game.accept()
    return game


def play_out(game: Any, rng: random.Random) -> None:
    while not game.is_over:
        if game.state is State.ROLL:
            game.roll()
        game.play(rng.choice(game.position.plays(game.dice)))


#: One checker a side, on the last point: White clears at once, Black by his last roll, and every game is a draw.
DRAWN = replace(LONG, setup=((24, 1),), head_limit=None, head_exception="none", last_roll="full")


def draw(match: Any) -> None:
    game = match.start_game()
    play_out(game, random.Random(1))
    assert game.result == (None, 0, "draw")


# Who starts, three games each


def test_starters_alternate(impl: Any) -> None:
    match = impl.Match(9, "long", dice=[(3, 3), (2, 5)])
    assert match.next_starter is None  # thrown for
    games = [lose(match, loser) for loser in (0, 0, 1)]
    assert [game.starter for game in games] == [1, 0, 1]
    assert [game.white for game in games] == [1, 0, 1]  # in long nardy who starts has White
    assert [game.start_throws for game in games] == [((3, 3), (2, 5)), (), ()]
    assert match.next_starter == 0


def test_the_winner_starts(impl: Any) -> None:
    match = impl.Match(9, "tournament", dice=[(6, 5)])
    games = [lose(match, loser) for loser in (0, 0, 1)]
    assert [game.starter for game in games] == [0, 1, 1]
    assert match.next_starter == 0


def test_each_start_is_thrown_for(impl: Any) -> None:
    match = impl.Match(9, "short", dice=[(6, 5), (1, 1), (2, 3), (4, 1)])
    games = [lose(match, loser) for loser in (0, 0, 1)]
    assert [game.starter for game in games] == [0, 1, 0]
    assert [game.position.turn for game in games] == [0, 1, 0]
    assert [game.white for game in games] == [0, 0, 0]  # in short nardy the colours stay
    assert match.next_starter is None


def test_the_start_is_thrown_for_after_a_draw_when_the_winner_starts(impl: Any) -> None:
    match = impl.Match(9, replace(DRAWN, next_starter="winner"), seed=1)
    draw(match)
    assert match.next_starter is None


# The score


def test_points_go_to_players_whatever_their_colours(impl: Any) -> None:
    match = impl.Match(9, "long", seed=1)
    for loser, times, score in ((0, 1, (0, 1)), (0, 2, (0, 3)), (1, 3, (3, 3))):
        lose(match, loser, times)
        assert match.score == score
    assert not match.is_over


def test_a_tas_ends_at_three_points(impl: Any) -> None:
    match = impl.Match(seed=1)
    assert match.points == 3
    lose(match, 1, 2)
    assert match.winner is None
    lose(match, 1, 2)
    assert match.winner == 0
    assert match.is_over
    assert match.score == (4, 0)
    with pytest.raises(ValueError, match="the match is over"):
        match.start_game()


@pytest.mark.parametrize(("agreed", "score"), [("half", (0.5, 0.5)), ("one", (1, 1))])
def test_a_draw_counts_as_agreed(impl: Any, agreed: str, score: tuple[float, float]) -> None:
    match = impl.Match(3, DRAWN, draw=agreed, seed=1)
    draw(match)
    assert match.score == score


def test_a_match_goes_on_when_a_draw_takes_both_to_the_target(impl: Any) -> None:
    match = impl.Match(2, DRAWN, draw="one", seed=1)
    draw(match)
    draw(match)
    assert match.score == (2, 2)
    assert not match.is_over
    draw(match)
    assert not match.is_over
    lose(match, 0)
    assert match.score == (3, 4)
    assert match.winner == 1


def test_a_draw_that_takes_the_leader_to_the_target_ends_the_match(impl: Any) -> None:
    match = impl.Match(2, DRAWN, draw="one", seed=1)
    lose(match, 0)
    draw(match)
    assert match.score == (1, 2)
    assert match.winner == 1


def test_an_abandoned_game_counts_for_nothing_and_is_played_anew(impl: Any) -> None:
    match = impl.Match(3, "long", seed=1)
    first = match.start_game()
    first.abandon()
    assert match.score == (0, 0)
    assert match.next_starter == first.starter
    second = match.start_game()
    assert second.starter == first.starter


# Games of a match


def test_games_follow_one_another(impl: Any) -> None:
    match = impl.Match(3, "hypergammon", seed=1)
    assert match.game is None
    game = match.start_game()
    assert match.game is game
    with pytest.raises(ValueError, match="a game is being played"):
        match.start_game()
    assert match.games == (game,)


def test_the_turns_of_a_game_stand_once_the_next_has_begun(impl: Any) -> None:
    match = impl.Match(30, "hypergammon", seed=1)
    game = match.start_game()
    play_out(game, random.Random(1))
    score = match.score
    game.undo()
    assert match.score == (0, 0)
    game.redo()
    assert match.score == score
    match.start_game()
    with pytest.raises(ValueError, match="undo"):
        game.undo()
    assert match.score == score


def test_a_game_that_could_not_be_next_is_not_taken(impl: Any) -> None:
    match = impl.Match(9, "long", dice=[(6, 5)])
    with pytest.raises(ValueError, match="a throw for the start"):
        match.add_game(impl.Game("long", starter=0))
    lose(match, 0)
    assert match.next_starter == 1
    with pytest.raises(ValueError, match="player 1 as its starter"):
        match.add_game(impl.Game("long", starter=0))
    with pytest.raises(ValueError, match="without a throw"):
        match.add_game(impl.Game("long", seed=1))
    with pytest.raises(ValueError, match="other rules"):
        match.add_game(impl.Game("fevga", starter=1))
    with pytest.raises(ValueError, match="not from the start"):
        match.add_game(impl.Game.from_position(impl.Position.start("long")))
    match.add_game(impl.Game("long", starter=1))
    assert len(match.games) == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"points": 0}, "points = 0"),
        ({"points": 1.5}, "points = 1.5"),
        ({"points": True}, "points = True"),
        ({"draw": "quarter"}, "draw = 'quarter'"),
        ({"players": ("one",)}, "players = "),
        ({"rules": "chess"}, "rules = 'chess'"),
        ({"seed": 1, "dice": [(1, 2)]}, "not both"),
    ],
)
def test_nonsense_is_refused(impl: Any, arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        impl.Match(**arguments)


# Kept and resumed


def test_a_match_resumes_exactly_from_json(impl: Any) -> None:
    match = impl.Match(30, "hypergammon", players=("Anna", "Борис"), seed=4)
    for seed in range(3):
        play_out(match.start_game(), random.Random(seed))
    game = match.start_game()
    for _ in range(4):
        if game.state is State.ROLL:
            game.roll()
        game.play(game.position.plays(game.dice)[0])
    game.undo()
    resumed = impl.Match.from_json(match.to_json())
    assert resumed == match
    assert resumed.score == match.score
    assert resumed.players == ("Anna", "Борис")
    for each in (match, resumed):
        each.game.redo()
        play_out(each.game, random.Random(9))
        play_out(each.start_game(), random.Random(9))
    assert resumed == match
    assert resumed.to_json() == match.to_json()


def test_the_record_of_a_match_is_checked(impl: Any) -> None:
    match = impl.Match(9, "long", seed=1)
    lose(match, 0)
    lose(match, 1)
    record = json.loads(json.dumps(match.record()))
    assert impl.Match.from_record(record) == match
    record["games"][1]["starter"] = 1 - record["games"][1]["starter"]
    with pytest.raises(ValueError, match="game 2: game: expected player"):
        impl.Match.from_record(record)
    for broken in ({}, {"points": 3}, 5, [], {**record, "points": 0}, {**record, "games": 7}, {**record, "draw": []}):
        with pytest.raises(ValueError, match=r"."):
            impl.Match.from_record(broken)
