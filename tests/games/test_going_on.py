"""Games and matches that begin in the middle: with dice thrown, a cube turned, a score."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from cube_players import act, play_match

from nardy_fast import records
from nardy_fast.games.cube import Cube, CubeRules, Stakes
from nardy_fast.games.states import State

MIDDLE = "13:5,8:3,6:5,24:2 13:4,8:4,6:5,24:2 b"


def begun(impl: Any, **options: Any) -> Any:
    return impl.Game.from_position(impl.Position.parse(MIDDLE, "short"), **options)


def refused(call: Any) -> str:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return str(caught.value)


# A game


def test_dice_that_were_thrown_wait_for_a_play(impl: Any) -> None:
    game = begun(impl, thrown=(5, 6), dice=[(2, 1)])
    assert (game.state, game.dice, game.to_act) == (State.PLAY, (6, 5), 1)
    game.play(game.position.plays((6, 5))[0])
    assert game.roll() == (2, 1)
    game.play(game.position.plays((2, 1))[0])
    game.undo()
    game.undo()
    assert game.dice == (6, 5)  # they stand
    assert "roll: the dice have been thrown" in refused(game.roll)


@pytest.mark.parametrize("thrown", [(7, 1), (True, 1), 5, (1, 2, 3)])
def test_dice_that_cannot_have_been_thrown_are_refused(impl: Any, thrown: Any) -> None:
    assert refused(lambda: begun(impl, thrown=thrown)).startswith("dice = ")


def test_the_cube_lies_where_it_lay(impl: Any) -> None:
    game = begun(impl, cube=CubeRules(), cube_state=Cube(4, 1), dice=[(6, 5)])
    assert game.cube == (4, 1)
    game.double()  # Black has it, and is to move
    assert game.take() is None
    assert game.cube == (8, 0)
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    assert game.may("double")
    game.undo()
    assert game.cube == (8, 0)  # the turn began with the throw


def test_whose_cube_it_is_not_cannot_double(impl: Any) -> None:
    assert refused(begun(impl, cube=CubeRules(), cube_state=Cube(2, 0)).double) == (
        "double: the cube is the opponent's, who alone may redouble"
    )


@pytest.mark.parametrize(
    ("cube", "lies", "reason"),
    [
        (None, Cube(2, 0), "cube_state = Cube(value=2, owner=0): the game is played without a cube"),
        (CubeRules(), Cube(3, 0), "cube_state[0] = 3: expected a power of two up to the limit, 64"),
        (CubeRules(limit=4), Cube(8, 0), "cube_state[0] = 8: expected a power of two up to the limit, 4"),
        (CubeRules(), Cube(True, None), "cube_state[0] = True: expected a power of two"),
        (CubeRules(), Cube(2, 2), "turn = 2: expected 0 (White) or 1 (Black)"),
        (CubeRules(), Cube(1, 0), "cube_state = Cube(value=1, owner=0): a cube of 1 lies in the middle"),
        (Stakes(CubeRules(), True, (1, 3)), Cube(2, 0), "cube_state = Cube(value=2, owner=0): "),
        (CubeRules(), 2, "cube_state = 2: expected a Cube: its value, and the side that owns it or None"),
    ],
)
def test_a_cube_that_cannot_lie_so_is_refused(impl: Any, cube: Any, lies: Any, reason: str) -> None:
    assert refused(lambda: begun(impl, cube=cube, cube_state=lies)).startswith(reason)


def test_either_player_may_have_white(impl: Any) -> None:
    game = begun(impl, white=1)
    assert (game.white, game.player(1), game.starter) == (1, 0, 0)
    assert refused(lambda: begun(impl, white=2)) == "white = 2: expected 0..1"


def test_such_a_game_comes_back_from_all_that_is_kept(impl: Any) -> None:
    game = begun(impl, cube=CubeRules(), cube_state=Cube(2, 0), thrown=(6, 5), white=1, seed=3)
    rng = random.Random(3)
    while not game.is_over:
        act(game, rng)
        text = records.to_text(game)
        for again in (
            impl.Game.from_record(json.loads(json.dumps(game.record()))),
            impl.Game.from_json(game.to_json()),
            records.from_text(text, impl.Match),
        ):
            assert again == game
            assert (again.white, again.first_cube, again.cube, again.position) == (1, (2, 0), game.cube, game.position)
    assert "\nWhite: player 1\nCube: 2, White's\n" in text


# A match


def test_a_match_goes_on_from_its_score(impl: Any) -> None:
    match = impl.Match(7, "short", score=(3, 5), cube=CubeRules(), seed=1)
    assert (match.score, match.is_over) == ((3, 5), False)
    assert match.next_stakes == Stakes(CubeRules(), False, (4, 2))
    game = match.start_game()
    game.resign(2, 1 - game.white)  # player 1
    game.accept()
    assert match.score == (5, 5)


@pytest.mark.parametrize(
    ("score", "told", "crawford"),
    [
        ((6, 2), None, True),
        ((2, 6), True, True),
        ((6, 2), False, False),
        ((6, 6), None, False),  # one of them was there before
        ((5, 2), None, False),
    ],
)
def test_the_crawford_game_is_told_or_seen_by_the_score(impl: Any, score: Any, told: bool | None, crawford: bool) -> None:
    match = impl.Match(7, "short", score=score, is_crawford=told, cube=CubeRules(), seed=1)
    assert match.next_stakes.is_crawford == crawford
    game = match.start_game()
    game.abandon()  # and played anew
    assert match.next_stakes.is_crawford == crawford
    if max(score) == 6:
        again = match.start_game()
        leader = int(score[1] == 6)
        again.resign(1, again.white ^ leader)
        again.accept()
        assert not match.next_stakes.is_crawford  # it has been played


def test_without_a_crawford_rule_there_is_none(impl: Any) -> None:
    match = impl.Match(7, "short", score=(6, 2), cube=CubeRules(crawford=False), seed=1)
    assert not match.next_stakes.is_crawford
    with pytest.raises(ValueError, match=r"^is_crawford = True: "):
        impl.Match(7, "short", score=(6, 2), is_crawford=True, cube=CubeRules(crawford=False))


@pytest.mark.parametrize("score", [(3, 5), (6, 0), (0.5, 6.5)])
def test_such_a_match_comes_back_from_all_that_is_kept(impl: Any, score: Any) -> None:
    match = play_match(impl.Match(7, "hypergammon", score=score, cube=CubeRules(), seed=2), random.Random(2))
    text = records.to_text(match)
    for again in (
        impl.Match.from_record(json.loads(json.dumps(match.record()))),
        impl.Match.from_json(match.to_json()),
        records.from_text(text, impl.Match),
    ):
        assert again == match
        assert (again.first_score, again.score) == (score, match.score)
    assert f"; [Score {json.dumps(list(score))}]" in text


def test_only_the_first_game_of_a_match_may_begin_from_a_position(impl: Any) -> None:
    match = impl.Match(3, "short", seed=1)
    game = begun(impl, seed=1)
    match.add_game(game)
    game.resign()
    game.accept()
    with pytest.raises(ValueError, match="not from the start"):
        match.add_game(begun(impl))


# What others may see


def test_a_public_text_does_not_foretell_the_dice(impl: Any) -> None:
    game = impl.Game("long", seed=5)
    game.roll()
    public = json.loads(game.to_json(public=True))
    assert "source" not in public
    assert public | {"source": json.loads(game.to_json())["source"]} == json.loads(game.to_json())
    again = impl.Game.from_json(json.dumps(public), dice=[(4, 3)])
    assert again == game
    again.play(again.position.plays(again.dice)[0])
    assert again.roll() == (4, 3)
    with pytest.raises(ValueError, match=r"^source: the text is for the public and has no dice: expected seed= or dice=$"):
        impl.Game.from_json(json.dumps(public))


def test_a_public_text_of_a_match_does_not_either(impl: Any) -> None:
    match = impl.Match(3, "short", seed=5)
    match.start_game()
    text = match.to_json(public=True)
    assert "PCG64" not in text
    assert "PCG64" in match.to_json()
    assert impl.Match.from_json(text, seed=1) == match
    with pytest.raises(ValueError, match=r"^source: "):
        impl.Match.from_json(text)
    with pytest.raises(TypeError, match=r"^public = 'no': expected True or False$"):
        match.to_json(public="no")


def test_a_throw_that_was_seen_stands_in_a_public_text_too(impl: Any) -> None:
    game = impl.Game("long", starter=0, dice=[(6, 5), (4, 3)])
    for _ in range(2):
        game.roll()
        game.play(game.position.plays(game.dice)[0])
    game.undo()
    game.undo()
    again = impl.Game.from_json(game.to_json(public=True), dice=[(1, 1)])
    again.play(again.position.plays(again.dice)[0])
    assert again.roll() == (4, 3)


# Names


def test_a_record_names_who_begins(impl: Any) -> None:
    match = impl.Match(1, "long", players=("Анна", "Boris"), dice=[(6, 5)])
    match.start_game().abandon()
    match.start_game()
    text = records.to_text(match)
    assert "\nStarter: player 0, Анна\n" in text
    assert records.from_text(text, impl.Match) == match
    assert records.from_text(text.replace("player 0, Анна", "player 0"), impl.Match) == match  # as it was written before
    with pytest.raises(ValueError, match="by the header player 0 is 'Анна'"):
        records.from_text(text.replace("player 0, Анна", "player 0, Boris"), impl.Match)


@pytest.mark.parametrize("name", ["", " ", "two\nlines", "tail ", "a, b", "player 1"])
def test_any_name_comes_back(impl: Any, name: str) -> None:
    match = impl.Match(1, "long", players=(name, "player 1"), dice=[(6, 5)])
    match.start_game()
    assert records.from_text(records.to_text(match), impl.Match) == match
