"""Whole games: the throw for the start, the states, the result, and what is taken back, kept and resumed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from usual_rulesets import USUAL_RULESETS

from nardy_fast.games.states import ACTIONS, State
from nardy_fast.results import Result
from nardy_fast.rules import Ruleset, ruleset

PRESETS = [name for name in USUAL_RULESETS if name not in ("nardgammon", "backgammon")]
LONG = ruleset("long")


def move_on(game: Any, rng: random.Random) -> None:
    """Does what the game waits for, at random."""
    match game.state:
        case State.ROLL:
            game.roll()
        case State.CHOOSE:
            game.choose(rng.randint(1, 6))
        case State.PLAY:
            game.play(rng.choice(game.position.plays(game.dice)))
        case State.ANSWER:
            game.refuse()


def random_game(impl: Any, rules: str | Ruleset, seed: int) -> Any:
    game, rng = impl.Game(rules, seed=seed), random.Random(seed)
    while not game.is_over:
        move_on(game, rng)
    return game


def from_text(impl: Any, text: str, rules: str | Ruleset, *dice: tuple[int, int]) -> Any:
    return impl.Game.from_position(impl.Position.parse(text, rules), dice=dice)


def play_out(game: Any) -> Result:
    """Plays the first listed play of each turn."""
    while not game.is_over:
        game.roll()
        game.play(game.position.plays(game.dice)[0])
    return game.result


# The throw for the start


@pytest.mark.parametrize(
    ("throws", "starter"),
    [([(5, 2)], 0), ([(2, 5)], 1), ([(3, 3), (6, 6), (1, 2)], 1)],
)
def test_the_higher_die_starts_and_ties_are_thrown_again(impl: Any, throws: list[tuple[int, int]], starter: int) -> None:
    long = impl.Game("long", dice=[*throws, (6, 1)])
    assert long.start_throws == tuple(throws)
    assert long.starter == long.white == starter  # who starts has White
    assert long.position == impl.Position.start("long")
    assert long.player(0) == starter
    assert long.player(1) == 1 - starter

    short = impl.Game("short", dice=throws)
    assert short.starter == short.position.turn == starter  # the colours stay with the players
    assert short.white == 0


@pytest.mark.parametrize("throws", [[(5, 2)], [(2, 5)], [(4, 4), (1, 6)]])
def test_first_dice_are_thrown_afresh_or_are_those_of_the_start(impl: Any, throws: list[tuple[int, int]]) -> None:
    fresh = impl.Game("long", dice=[*throws, (3, 3)])
    assert fresh.state is State.ROLL
    assert fresh.dice is None
    assert fresh.roll() == (3, 3)

    rolloff = impl.Game(replace(LONG, first_dice="rolloff"), dice=throws)
    assert rolloff.state is State.PLAY
    assert rolloff.dice == tuple(sorted(throws[-1], reverse=True))


def test_a_given_starter_needs_no_throw(impl: Any) -> None:
    for rules, white in (("long", 1), ("short", 0)):
        game = impl.Game(rules, dice=[(6, 5)], starter=1)
        assert game.start_throws == ()
        assert (game.starter, game.white) == (1, white)
        assert game.roll() == (6, 5)


@pytest.mark.parametrize("starter", [2, -1, True, "0"])
def test_a_starter_that_is_no_player_is_refused(impl: Any, starter: Any) -> None:
    with pytest.raises(ValueError, match="starter = "):
        impl.Game("long", starter=starter)


# Where dice come from


def test_the_same_seed_gives_the_same_dice(impl: Any) -> None:
    assert random_game(impl, "hypergammon", 3) == random_game(impl, "hypergammon", 3)
    assert random_game(impl, "hypergammon", 3) != random_game(impl, "hypergammon", 4)


def test_all_throws_are_equally_likely(impl: Any) -> None:
    game = impl.Game("long", seed=1)
    counts: dict[tuple[int, int], int] = {}
    for _ in range(36_000):
        throw = game._source()
        counts[throw] = counts.get(throw, 0) + 1
    assert len(counts) == 36
    assert all(850 < count < 1150 for count in counts.values())


def test_dice_come_from_a_sequence_a_callable_or_the_host(impl: Any) -> None:
    throws = [(2, 1), (6, 5), (4, 4)]
    callable_dice = iter(throws)
    for dice in (throws, iter(throws), lambda: next(callable_dice)):
        game = impl.Game("long", dice=dice)
        assert game.roll() == (6, 5)
    host = impl.Game("long", dice=[(2, 1)])
    assert host.roll((5, 6)) == (6, 5)


def test_without_dice_a_roll_is_refused_and_changes_nothing(impl: Any) -> None:
    game = impl.Game("long", dice=[(2, 1)])
    with pytest.raises(ValueError, match="the throws are used up"):
        game.roll()
    assert game.state is State.ROLL
    assert game.roll((2, 1)) == (2, 1)


@pytest.mark.parametrize("dice", [[(0, 1)], [(1, 2, 3)], lambda: (7, 1)])
def test_bad_dice_are_refused(impl: Any, dice: Any) -> None:
    with pytest.raises(ValueError, match="dice = "):
        impl.Game("long", dice=dice)


def test_seed_and_dice_exclude_each_other(impl: Any) -> None:
    with pytest.raises(ValueError, match="not both"):
        impl.Game("long", seed=1, dice=[(1, 2)])


# Playing


def test_a_turn_is_played_as_a_play_as_text_or_from_the_turn_in_the_making(impl: Any) -> None:
    for way in ("play", "text", "turn"):
        game = impl.Game("long", dice=[(2, 1), (6, 5)])
        game.roll()
        turn = game.turn
        assert turn is game.turn
        if way == "play":
            game.play(game.position.plays((6, 5))[0])
        elif way == "text":
            game.play("24/13")
        else:
            turn.play_step(1, 6)
            turn.play_step(7, 5)
            game.play()
        assert str(game.position) == "24:14,13:1 12:15 b"
        assert len(game.turns) == 1
        assert game.turns[0].dice == (6, 5)


def test_an_unfinished_turn_or_an_illegal_play_is_refused_and_changes_nothing(impl: Any) -> None:
    game = impl.Game("long", dice=[(2, 1), (6, 5)])
    game.roll()
    game.turn.play_step(1, 6)
    before = game.to_json()
    with pytest.raises(ValueError, match="the play is not complete"):
        game.play()
    with pytest.raises(ValueError, match="the head has given all it may"):
        game.play("24/18 24/19")
    with pytest.raises(ValueError, match="other dice"):
        game.play(game.position.plays((6, 4))[0])
    with pytest.raises(ValueError, match="another position"):
        game.play(impl.Position.parse("24:14,20:1 12:15 w").plays((6, 5))[0])
    with pytest.raises(TypeError, match="expected a Play"):
        game.play(5)
    assert game.to_json() == before


def test_a_forced_pass_is_a_play_without_steps(impl: Any) -> None:
    game = from_text(impl, "24:15 18:5,19:10 w", "long", (6, 5))
    game.roll()
    assert game.turn.is_pass
    assert game.play().steps == ()
    assert game.passes == len(game.turns) == 1


def play_with_refusals(impl: Any, rules: str, seed: int, turns: int) -> Iterator[Any]:
    game, rng = impl.Game(rules, seed=seed), random.Random(seed)
    while not game.is_over and len(game.turns) < turns:
        yield game
        move_on(game, rng)
        if rng.random() < 0.1 and not game.is_over:
            game.resign(rng.randint(1, 3), rng.randint(0, 1))
            yield game
    if not game.is_over:
        game.abandon()
    yield game


@pytest.mark.parametrize("rules", ["long", "acey_deucey", "hypergammon"])
def test_what_the_table_does_not_allow_is_refused_and_changes_nothing(impl: Any, rules: str) -> None:
    arguments = {"choose": (3,), "resign": (1,), "let_stand": ("24:15 12:15 w",)}
    seen = set()
    for game in play_with_refusals(impl, rules, 8, 60):
        seen.add(game.state)
        before = game.to_json()
        for action in {action for actions in ACTIONS.values() for action in actions}:
            if action not in ACTIONS[game.state]:
                with pytest.raises(ValueError, match=f"^{action}: "):
                    getattr(game, action)(*arguments.get(action, ()))
        if game.dice is None:
            with pytest.raises(ValueError, match=r"^turn: "):
                _ = game.turn
        assert game.to_json() == before
    cube = {State.DOUBLED, State.BEAVERED}
    assert seen == set(State) - cube - ({State.CHOOSE} if rules != "acey_deucey" else set())


# Results: three games each, with different outcomes


def check_result(impl: Any, text: str, rules: str | Ruleset, winner: int | None, points: int, kind: str) -> None:
    """White, or whoever has the move, bears off his last checkers with 2-1."""
    assert play_out(from_text(impl, text, rules, (2, 1))) == Result(winner, points, kind)


@pytest.mark.parametrize(
    ("text", "winner", "points", "kind"),
    [
        ("1:1 18:14 w", 0, 1, "oin"),
        ("1:2 12:1,13:14 w", 0, 2, "mars"),
        ("24:15 13:1 b", 1, 2, "mars"),
        ("6:14 13:1,14:1 b", 1, 1, "oin"),
    ],
)
def test_oin_and_mars(impl: Any, text: str, winner: int, points: int, kind: str) -> None:
    check_result(impl, text, "long", winner, points, kind)


@pytest.mark.parametrize(
    ("text", "points", "kind"), [("1:1 13:14 w", 1, "oin"), ("1:1 13:15 w", 4, "home mars"), ("1:1 19:1,13:14 w", 2, "mars")]
)
def test_home_mars(impl: Any, text: str, points: int, kind: str) -> None:
    check_result(impl, text, replace(LONG, home_mars=4), 0, points, kind)
    if kind == "home mars":
        check_result(impl, text, replace(LONG, home_mars=3), 0, 3, kind)
        check_result(impl, text, "long", 0, 2, "mars")


@pytest.mark.parametrize(
    ("koks", "text", "points", "kind"),
    [
        ("none_home", "1:1 19:15 w", 3, "koks"),
        ("none_home", "1:1 19:14,18:1 w", 2, "mars"),
        ("none_home", "1:1 13:14 w", 1, "oin"),
        ("on_head", "1:1 12:1,13:14 w", 3, "koks"),
        ("on_head", "1:1 11:1,13:14 w", 2, "mars"),
        ("on_head", "1:1 18:14 w", 1, "oin"),
        ("start_quarter", "1:1 7:1,13:14 w", 3, "koks"),
        ("start_quarter", "1:1 6:1,13:14 w", 2, "mars"),
        ("start_quarter", "1:1 18:14 w", 1, "oin"),
    ],
)
def test_koks_by_each_definition(impl: Any, koks: str, text: str, points: int, kind: str) -> None:
    check_result(impl, text, replace(LONG, koks=koks), 0, points, kind)
    if kind == "koks":
        check_result(impl, text, replace(LONG, koks=koks, koks_points=4), 0, 4, kind)


def test_koks_goes_before_home_mars_before_mars(impl: Any) -> None:
    for text, points, kind in (("12:1,13:14", 3, "koks"), ("13:15", 4, "home mars"), ("11:1,13:14", 2, "mars")):
        check_result(impl, f"1:1 {text} w", "arena", 0, points, kind)


@pytest.mark.parametrize(("left", "points"), [("18:3", 3), ("13:14", 14), ("19:15", 15)])
def test_remaining_counts_the_losers_checkers(impl: Any, left: str, points: int) -> None:
    check_result(impl, f"1:1 {left} w", "khachapuri", 0, points, "remaining")


@pytest.mark.parametrize(
    ("text", "winner", "points", "kind"),
    [("1:1 13:14 w", 1, 1, "giveaway"), ("1:1 19:15 w", 1, 2, "giveaway mars"), ("6:15 13:1 b", 0, 2, "giveaway mars")],
)
def test_in_giveaway_who_clears_loses(impl: Any, text: str, winner: int, points: int, kind: str) -> None:
    check_result(impl, text, "giveaway", winner, points, kind)


@pytest.mark.parametrize(
    ("text", "winner", "points", "kind"),
    [
        ("1:1 6:14 w", 0, 1, "single"),
        ("1:1 6:15 w", 0, 2, "gammon"),
        ("1:1 bar:1,6:14 w", 0, 3, "backgammon"),
        ("19:1,6:14 2:1 b", 1, 3, "backgammon"),
        ("19:1,6:13 2:1 b", 1, 1, "single"),
    ],
)
def test_results_of_short_nardy(impl: Any, text: str, winner: int, points: int, kind: str) -> None:
    check_result(impl, text, "short", winner, points, kind)


# The last roll


@pytest.mark.parametrize(
    ("text", "last", "results"),
    [
        # Black has 15 home and takes two off by his last roll
        ("1:1 13:15 w", (2, 1), {"none": (0, 2, "mars"), "draw_only": (0, 2, "mars"), "full": (0, 1, "oin")}),
        # Black clears too
        ("1:1 13:2 w", (2, 1), {"none": (0, 1, "oin"), "draw_only": (None, 0, "draw"), "full": (None, 0, "draw")}),
        # Black has one left
        ("1:1 13:3 w", (2, 1), {"none": (0, 1, "oin"), "draw_only": (0, 1, "oin"), "full": (0, 1, "oin")}),
        # Black is not home yet
        ("1:1 7:1,13:14 w", (2, 1), {"none": (0, 2, "mars"), "draw_only": (0, 2, "mars"), "full": (0, 2, "mars")}),
        # A double takes four off
        ("1:1 13:4 w", (6, 6), {"none": (0, 1, "oin"), "draw_only": (None, 0, "draw"), "full": (None, 0, "draw")}),
    ],
)
def test_the_last_roll(impl: Any, text: str, last: tuple[int, int], results: dict[str, tuple[Any, ...]]) -> None:
    for last_roll, result in results.items():
        game = from_text(impl, text, replace(LONG, last_roll=last_roll), (2, 1), last)
        game.roll()
        game.play("1/off")
        assert game.is_last_roll == (not game.is_over) == (last_roll != "none")
        assert play_out(game) == Result(*result)
        assert len(game.turns) == (1 if last_roll == "none" else 2)


def test_the_last_roll_may_bring_koks_down(impl: Any) -> None:
    for last_roll, result in (("draw_only", (0, 3, "koks")), ("full", (0, 2, "mars"))):
        game = from_text(impl, "1:1 12:1,13:14 w", replace(LONG, koks="on_head", last_roll=last_roll), (2, 1), (2, 1))
        assert play_out(game) == Result(*result)


def test_there_is_no_last_roll_when_black_clears_first(impl: Any) -> None:
    for last_roll in ("none", "draw_only", "full"):
        game = from_text(impl, "1:1 13:1 b", replace(LONG, last_roll=last_roll), (2, 1))
        assert play_out(game) == Result(1, 1, "oin")


# Resigned and abandoned


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_game_is_resigned(impl: Any, times: int) -> None:
    game = impl.Game("long", seed=1)
    game.roll()
    game.resign(times, side=1)
    assert game.state is State.ANSWER
    assert game.offer == (1, times)
    assert game.accept() == game.result == Result(0, times, "resigned")
    assert game.events[1:] == (("resign", 1, times), ("accept",))


def test_a_resignation_may_be_refused(impl: Any) -> None:
    game = impl.Game("long", dice=[(2, 1), (6, 5)])
    game.roll()
    game.resign(2)
    assert game.offer == (0, 2)
    game.refuse()
    assert game.offer is None
    assert game.state is State.PLAY
    assert game.dice == (6, 5)
    assert game.events == (("roll", (6, 5)), ("resign", 0, 2), ("refuse",))


@pytest.mark.parametrize("times", [0, 4, True, 1.0])
def test_a_resignation_of_other_than_one_to_three_times_is_refused(impl: Any, times: Any) -> None:
    game = impl.Game("long", seed=1)
    with pytest.raises(ValueError, match="times = "):
        game.resign(times)
    assert game.state is State.ROLL
    assert game.events == ()


def test_a_game_is_abandoned(impl: Any) -> None:
    game = impl.Game("long", seed=1)
    game.roll()
    assert game.abandon() == game.result == Result(None, 0, "abandoned")
    assert game.is_over
    assert game.dice is None


# Undo and redo


@pytest.mark.parametrize("rules", ["long", "short", "acey_deucey"])
def test_undo_and_redo_go_through_the_whole_game(impl: Any, rules: str) -> None:
    game, rng = impl.Game(rules, seed=2), random.Random(2)
    seen = []
    while not game.is_over and len(game.turns) < 40:
        if game.state is State.PLAY and (not game.turns or game.turns[-1].position.turn != game.position.turn):
            seen.append((game.position, game.dice, game.events))
        move_on(game, rng)
    end = game.to_json()
    undone = 0
    for position, dice, events in reversed(seen):
        if events != game.events:
            game.undo()
            undone += 1
        assert (game.position, game.dice, game.events) == (position, dice, events)
        assert game.state is State.PLAY
    with pytest.raises(ValueError, match="undo: no turn has been played"):
        game.undo()
    game = impl.Game.from_json(game.to_json())
    for position, dice, events in seen[1:undone]:
        game.redo()
        assert (game.position, game.dice, game.events) == (position, dice, events)
    game.redo()
    assert game.to_json() == end
    with pytest.raises(ValueError, match="redo: nothing has been undone"):
        game.redo()


def test_undo_takes_back_a_result(impl: Any) -> None:
    game = from_text(impl, "1:1 13:14 w", "long", (2, 1))
    play_out(game)
    game.undo()
    assert game.result is None
    assert game.dice == (2, 1)
    game.redo()
    assert game.result == Result(0, 1, "oin")


def test_a_throw_once_made_stands_through_undo(impl: Any) -> None:
    game = impl.Game("long", dice=[(2, 1), (6, 5), (3, 1), (5, 4)])
    game.roll()
    game.play("24/13")
    assert game.roll() == (3, 1)
    game.undo()
    game.play("24/18/13")
    with pytest.raises(ValueError, match="a throw once made stands"):
        game.roll((6, 6))
    assert game.roll() == (3, 1)
    with pytest.raises(ValueError, match="nothing has been undone"):
        game.redo()
    game.play(game.position.plays((3, 1))[0])
    assert game.roll() == (5, 4)


# Acey-Deucey


def test_a_bonus_roll_gives_a_chosen_double_and_another_throw(impl: Any) -> None:
    game = impl.Game("acey_deucey", dice=[(2, 1), (2, 1), (6, 5)])
    assert game.dice == (2, 1)
    game.play("bar/24 bar/23")
    assert game.state is State.CHOOSE
    assert game.position.turn == 0
    assert game.choose(4) == (4, 4)
    game.play("bar/21(4)")
    assert game.state is State.ROLL
    assert game.position.turn == 0
    assert game.roll() == (2, 1)  # counts again
    game.play("bar/24 bar/23")
    game.choose(4)
    game.play("21/17(4)")
    game.roll()
    game.play("bar/20 bar/19")
    assert game.position.turn == 1
    assert len(game.turns) == 5
    game.undo()  # the whole turn, with all its stages
    assert game.turns == ()
    assert game.dice == (2, 1)


def test_a_bonus_roll_that_is_not_fully_played_gives_nothing(impl: Any) -> None:
    game = from_text(impl, "bar:1 3:2,1:13 w", "acey_deucey", (2, 1))
    game.roll()
    game.play(game.position.plays((2, 1))[0])
    assert len(game.turns[0].steps) == 1
    assert game.state is State.ROLL
    assert game.position.turn == 1


def test_a_chosen_double_that_is_not_fully_played_ends_the_turn(impl: Any) -> None:
    game = impl.Game("acey_deucey", dice=[(2, 1)])
    game.play("bar/24 bar/23")
    game.resign(1)
    game.refuse()
    game.choose(6)
    game.play("bar/19(4)")
    assert game.state is State.ROLL
    assert game.position.turn == 0

    blocked = from_text(impl, "bar:2 8:2,7:13 w", "acey_deucey", (2, 1))
    blocked.roll()
    blocked.play("bar/24 bar/23")
    blocked.choose(6)
    blocked.play("pass")
    assert blocked.state is State.ROLL
    assert blocked.position.turn == 1


# Kept and resumed


@pytest.mark.parametrize("rules", PRESETS)
def test_a_game_resumes_exactly_from_json(impl: Any, rules: str) -> None:
    game, rng = impl.Game(rules, seed=7), random.Random(7)
    for step in range(60):
        if game.is_over:
            break
        move_on(game, rng)
        if step % 7 == 3 and "undo" in ACTIONS[game.state] and game.turns:
            game.undo()
        if step % 5 == 0 and game.state is State.PLAY and game.turn.steps():
            game.turn.play_step(*game.turn.steps()[0])
        if step % 10 == 0:
            resumed = impl.Game.from_json(game.to_json())
            assert resumed == game
            assert resumed.to_json() == game.to_json()
            assert resumed.state == game.state
            assert resumed.position == game.position
    resumed = impl.Game.from_json(game.to_json())
    choices = random.Random(1), random.Random(1)
    for _ in range(40):
        for each, choice in zip((game, resumed), choices, strict=True):
            if not each.is_over:
                move_on(each, choice)
    assert resumed == game
    assert resumed.to_json() == game.to_json()


def test_a_sequence_of_dice_is_kept_and_a_callable_is_given_again(impl: Any) -> None:
    game = impl.Game("long", dice=[(2, 1), (6, 5), (4, 3)])
    game.roll()
    resumed = impl.Game.from_json(game.to_json())
    resumed.play("24/13")
    assert resumed.roll() == (4, 3)

    game = impl.Game("long", starter=0, dice=lambda: (6, 5))
    assert impl.Game.from_json(game.to_json(), dice=lambda: (4, 3)).roll() == (4, 3)
    with pytest.raises(ValueError, match="the throws are used up"):
        impl.Game.from_json(game.to_json()).roll()


def test_a_game_from_a_position_resumes_too(impl: Any) -> None:
    game = from_text(impl, "1:1 13:14 b", "federation", (6, 6), (2, 1))
    game.roll()
    game.play(game.position.plays((6, 6))[0])
    assert impl.Game.from_json(game.to_json()) == game
    assert not game.is_from_start


def test_custom_rules_are_kept(impl: Any) -> None:
    game = impl.Game(replace(LONG, name="club", head_exception="values"), seed=1)
    resumed = impl.Game.from_json(game.to_json())
    assert resumed.rules == game.rules
    assert resumed.rules.name == "club"


def test_a_finished_position_begins_no_game(impl: Any) -> None:
    with pytest.raises(ValueError, match="the game is over"):
        from_text(impl, "- 13:14 b", "long")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rules": "chess"}, "rules = 'chess'"),
        ({"rules": 5}, "rules = 5"),
        ({"starter": 1}, "starter = 1"),
        ({"throws": [[3, 3], [6, 1], [5, 2]]}, "throws = "),
        ({"throws": [[3, 3]]}, "used up"),
        ({"throws": 7}, "throws = 7: expected a list"),
        ({"events": [["roll", [6, 5]], ["play", [[1, 6], [1, 5]]]]}, "turn 1: step 2: the head has given all it may this turn"),
        ({"events": [["roll", [6, 7]]]}, "turn 1: dice = "),
        ({"events": [["play", []]]}, "turn 1: play: the dice have not been thrown yet"),
        ({"events": [["dance"]]}, "turn 1: event = "),
        ({"events": [5]}, "turn 1: event = 5"),
        ({"events": None}, "events = None"),
        ({"result": [0, 1, "oin"]}, "the turns make it None"),
        ({"result": 5}, "the turns make it None"),
        ({"undos": 99}, "undos = 99: expected 0..1"),
        ({"undos": "no"}, "game: undos = .no.: expected an integer"),
        ({"steps": [[1, 1, 1]]}, "by 1 it goes to 2"),
        ({"thrown": [[0, 0]]}, "dice = "),
        ({"source": {"bit_generator": "PCG64"}}, "source = "),
    ],
)
def test_json_that_is_no_game_is_refused(impl: Any, change: dict[str, Any], reason: str) -> None:
    game = impl.Game("long", dice=[(3, 3), (6, 1), (6, 5), (4, 3)])
    game.roll()
    game.play("24/13")
    game.roll()
    game.undo()
    with pytest.raises(ValueError, match=reason.replace("[", r"\[")):
        impl.Game.from_json(json.dumps(json.loads(game.to_json()) | change))


@pytest.mark.parametrize("text", ["", "{", "[]", "5", "null", "{}"])
def test_other_json_is_refused(impl: Any, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        impl.Game.from_json(text)
