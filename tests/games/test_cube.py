"""The cube: its table line by line, who may act when, what is scored, and random sequences of everything that can be done."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from cube_players import act, play_match
from hypothesis import given, settings
from hypothesis import strategies as st

import nardy_fast as nf
from nardy_fast.formats.records import from_text, to_text
from nardy_fast.games.cube import TABLE, Cube, CubeRules, Stakes
from nardy_fast.games.states import ACTIONS, State
from nardy_fast.rules import ruleset

MONEY = CubeRules(jacoby=True, beavers=True, automatic=2)


def opened(impl: Any, cube: Any = MONEY, rules: Any = "short") -> Any:
    """A game after White's first play, Black to throw."""
    game = impl.Game(rules, dice=[(6, 1), *[(6, 5)] * 200], cube=cube)
    if game.state is State.ROLL:
        game.roll()
    game.play(game.position.plays(game.dice)[0])
    return game


def turned(impl: Any, *actions: str, cube: Any = MONEY) -> Any:
    game = opened(impl, cube)
    for action in actions:
        getattr(game, action)()
    return game


# The table


def test_the_table_and_the_actions_of_the_states_agree() -> None:
    for row in TABLE:
        assert row.action in ACTIONS[row.state]
    named = {(row.state, row.action) for row in TABLE}
    for state, actions in ACTIONS.items():
        for action in set(actions) & {"double", "take", "drop", "beaver"}:
            assert (state, action) in named


@pytest.mark.parametrize(
    ("actions", "cube", "state", "to_act"),
    [
        ((), (1, None), State.ROLL, 1),
        (("double",), (1, None), State.DOUBLED, 0),
        (("double", "take"), (2, 0), State.ROLL, 1),
        (("double", "beaver"), (2, 0), State.BEAVERED, 1),
        (("double", "beaver", "take"), (4, 0), State.ROLL, 1),
        (("double", "drop"), (1, None), State.OVER, None),
        (("double", "beaver", "drop"), (2, 0), State.OVER, None),
    ],
)
def test_each_line_of_the_table(impl: Any, actions: Any, cube: Any, state: State, to_act: int | None) -> None:
    game = turned(impl, *actions)
    assert (game.cube, game.state, game.to_act) == (cube, state, to_act)


def test_a_drop_loses_the_stake_before_the_offer(impl: Any) -> None:
    assert turned(impl, "double", "drop").result == (1, 1, "dropped")  # White loses 1
    assert turned(impl, "double", "beaver", "drop").result == (0, 2, "dropped")  # Black loses 2


def test_who_owns_the_cube_alone_may_redouble(impl: Any) -> None:
    game = turned(impl, "double", "take")
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    game.double()  # White has it
    assert game.state is State.DOUBLED
    game.take()
    assert game.cube == (4, 1)
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    with pytest.raises(ValueError, match=r"double: the cube is the opponent's, who alone may redouble"):
        game.double()


@pytest.mark.parametrize(
    ("stakes", "sentence"),
    [
        (None, "the game is played without a cube"),
        (Stakes(CubeRules(), is_crawford=True, away=(1, 3)), "the Crawford game has no cube"),
        (Stakes(CubeRules(dead_cube=True), away=(3, 1)), "the cube is dead"),
    ],
)
def test_a_double_that_may_not_be_is_refused_with_the_reason(impl: Any, stakes: Any, sentence: str) -> None:
    game = opened(impl, stakes)
    before = game.to_json()
    with pytest.raises(ValueError, match=sentence):
        game.double()
    assert game.to_json() == before


def test_a_dead_cube_may_be_turned_unless_agreed_otherwise(impl: Any) -> None:
    assert turned(impl, "double", cube=Stakes(CubeRules(), away=(3, 1))).state is State.DOUBLED
    assert turned(impl, "double", cube=Stakes(CubeRules(dead_cube=True), away=(1, 3))).state is State.DOUBLED


def test_no_double_before_the_first_play_nor_within_a_turn(impl: Any) -> None:
    game = impl.Game("long", starter=0, seed=1, cube=CubeRules())
    with pytest.raises(ValueError, match="double: no double before the first play of the game"):
        game.double()
    game.roll()
    with pytest.raises(ValueError, match="double: the dice have been thrown"):
        game.double()
    acey = impl.Game("acey_deucey", starter=0, dice=[(2, 1), (6, 5)], cube=CubeRules())
    acey.roll()
    acey.play(acey.position.plays((2, 1))[0])
    acey.choose(6)
    while acey.state is State.PLAY and acey.position.turn == 0:
        acey.play(acey.position.plays(acey.dice)[0])
    if acey.position.turn == 0:
        with pytest.raises(ValueError, match="the turn has begun"):
            acey.double()


def test_no_double_beyond_the_limit(impl: Any) -> None:
    game = turned(impl, "double", "take", cube=CubeRules(limit=2, beavers=True))
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    with pytest.raises(ValueError, match="double: no double beyond the limit"):
        game.double()
    with pytest.raises(ValueError, match="beaver: no double beyond the limit"):
        turned(impl, "double", cube=CubeRules(limit=2, beavers=True)).beaver()
    assert turned(impl, "double", "beaver", cube=CubeRules(limit=4, beavers=True)).state is State.BEAVERED


def test_beavers_are_by_agreement(impl: Any) -> None:
    with pytest.raises(ValueError, match="beaver: beavers have not been agreed"):
        turned(impl, "double", "beaver", cube=CubeRules())


def test_who_is_not_to_act_is_refused(impl: Any) -> None:
    game = opened(impl)
    with pytest.raises(ValueError, match="double: it is for Black to act"):
        game.double(0)
    game.double(1)
    with pytest.raises(ValueError, match="take: it is for White to act"):
        game.take(1)
    with pytest.raises(ValueError, match="a double waits for its answer"):
        game.roll()
    with pytest.raises(ValueError, match="resign: a double waits for its answer"):
        game.resign()
    game.beaver(0)
    with pytest.raises(ValueError, match="drop: it is for Black to act"):
        game.drop(0)
    with pytest.raises(ValueError, match="beaver: a beaver waits for its answer"):
        game.beaver()


# The stake


@pytest.mark.parametrize(("ties", "automatic", "value"), [(0, 3, 1), (1, 3, 2), (3, 3, 8), (5, 3, 8), (2, 0, 1)])
def test_ties_double_the_stake_to_the_agreed_number_and_leave_the_cube_in_the_middle(
    impl: Any, ties: int, automatic: int, value: int
) -> None:
    game = impl.Game("short", dice=[(3, 3)] * ties + [(6, 1)], cube=CubeRules(automatic=automatic))
    assert game.cube == Cube(value, None)


def bear_off_game(impl: Any, cube: Any, text: str = "1:1 23:15 w") -> Any:
    """White bears off his last checker: with nothing of Black's off, a gammon, or more."""
    return impl.Game.from_position(impl.Position.parse(text, "short"), dice=[(2, 1), (6, 5), (2, 1)], cube=cube)


def test_wins_are_multiplied_by_the_cube(impl: Any) -> None:
    game = bear_off_game(impl, CubeRules())
    game.double()
    game.take()
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    assert game.result == (0, 6, "backgammon")


def test_under_jacoby_a_win_is_single_while_nobody_owns_the_cube(impl: Any) -> None:
    for turn_it, points in ((False, 1), (True, 6)):
        game = bear_off_game(impl, CubeRules(jacoby=True))
        if turn_it:
            game.double()
            game.take()
        game.roll()
        game.play(game.position.plays(game.dice)[0])
        assert game.result == (0, points, "backgammon")


def test_automatic_doubles_do_not_turn_the_cube_for_jacoby(impl: Any) -> None:
    stakes = Stakes(MONEY)
    assert stakes.counted(2, stakes.first_cube(2)) == 4
    assert stakes.counted(2, Cube(4, 0)) == 8


def test_resignations_are_times_the_cube_and_single_under_jacoby(impl: Any) -> None:
    game = opened(impl)
    with pytest.raises(ValueError, match="times = 2: a win counts single while nobody owns the cube"):
        game.resign(2)
    game.double()
    game.take()
    game.resign(3)
    assert game.accept() == (0, 6, "resigned")


def test_long_nardy_has_a_cube_as_well(impl: Any) -> None:
    game = impl.Game.from_position(impl.Position.parse("1:1 12:15 w", "long"), dice=[(2, 1)], cube=CubeRules())
    game.double()
    game.take()
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    assert game.result == (0, 4, "mars")


def test_no_double_when_only_the_last_roll_is_due(impl: Any) -> None:
    rules = replace(ruleset("long"), last_roll="full")
    game = impl.Game.from_position(impl.Position.parse("1:1 18:14,13:1 w", rules), dice=[(2, 1)], cube=CubeRules())
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    assert game.is_last_roll
    with pytest.raises(ValueError, match="only the last roll is due"):
        game.double()


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 3},
        {"limit": 1},
        {"limit": 1 << 16},
        {"limit": True},
        {"automatic": 7},
        {"automatic": -1},
        {"automatic": 10**30},
        {"jacoby": 1},
        {"crawford": "yes"},
    ],
)
def test_nonsense_about_the_cube_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} = "):
        CubeRules(**wrong)


@pytest.mark.parametrize("rules", [CubeRules(jacoby=True), CubeRules(beavers=True), CubeRules(automatic=1)])
def test_what_is_for_money_is_refused_in_a_match(impl: Any, rules: CubeRules) -> None:
    with pytest.raises(ValueError, match="is for money only"):
        impl.Match(5, "short", cube=rules)
    assert impl.Match(None, "short", cube=rules).next_stakes == Stakes(rules)


def test_a_dead_cube_is_for_matches_and_jacoby_not_where_checkers_are_counted(impl: Any) -> None:
    with pytest.raises(ValueError, match="dead_cube = True: is for a match only"):
        impl.Match(None, "short", cube=CubeRules(dead_cube=True))
    with pytest.raises(ValueError, match="jacoby = True: has no meaning"):
        impl.Match(None, replace(ruleset("long"), remaining=True), cube=CubeRules(jacoby=True))


# Matches


def lose(match: Any, player: int, times: int = 1) -> Any:
    game = match.start_game()
    game.resign(times, side=0 if game.white == player else 1)
    game.accept()
    return game


def test_the_crawford_game_is_the_first_after_a_player_comes_within_a_point(impl: Any) -> None:
    match = impl.Match(3, "short", cube=CubeRules(), seed=1)
    crawford = []
    for loser in (0, 0, 1, 1, 0):
        crawford.append(match.next_stakes.is_crawford)
        lose(match, loser)
    assert crawford == [False, False, True, False, False]
    assert match.winner == 1


def test_an_abandoned_crawford_game_is_played_anew(impl: Any) -> None:
    match = impl.Match(2, "short", cube=CubeRules(), seed=1)
    lose(match, 0)
    assert match.start_game().stakes.is_crawford
    match.game.abandon()
    assert match.start_game().stakes == Stakes(CubeRules(), True, (2, 1))


def test_without_the_crawford_rule_there_is_no_crawford_game(impl: Any) -> None:
    match = impl.Match(2, "short", cube=CubeRules(crawford=False), seed=1)
    lose(match, 0)
    assert not match.next_stakes.is_crawford


def test_a_match_to_one_point_or_without_a_cube_has_none(impl: Any) -> None:
    for match in (impl.Match(1, "short", cube=CubeRules(), seed=1), impl.Match(5, "short", seed=1)):
        assert match.start_game().cube is None


def test_money_games_go_on(impl: Any) -> None:
    match = impl.Match(None, "short", cube=MONEY, seed=1)
    for _ in range(30):
        lose(match, 0)
    assert match.score[1] >= 30
    assert not match.is_over


def test_a_game_of_another_cube_is_not_taken(impl: Any) -> None:
    match = impl.Match(5, "short", cube=CubeRules(), seed=1)
    with pytest.raises(ValueError, match="game: by the score its cube is"):
        match.add_game(impl.Game("short", seed=1))


# Everything at random


KINDS = [
    (None, MONEY),
    (None, CubeRules(automatic=6, jacoby=True, limit=64)),
    (5, CubeRules()),
    (3, CubeRules()),
    (7, CubeRules(crawford=False, dead_cube=True)),
    (2, CubeRules(limit=2)),
    (9, None),
]
MONEY_GAMES = 4


@settings(max_examples=150)
@given(
    seed=st.integers(0, 1 << 32),
    kind=st.sampled_from(KINDS),
    rules=st.sampled_from(["hypergammon", "hypergammon", "hypergammon", "fevga"]),
    eager=st.sampled_from([0, 0.1, 1]),
)
def test_random_sequences_of_cube_and_play_actions(seed: int, kind: Any, rules: str, eager: float) -> None:
    points, cube = kind
    if rules == "fevga":
        points = 2 if points else None
    rng = random.Random(seed)
    match = nf.Match(points, rules, cube=cube, seed=seed)
    score = [0, 0]
    while not match.is_over and len(match.games) < (MONEY_GAMES if points is None else 99):
        game = match.start_game()
        while not game.is_over:
            one_action(game, rng, eager)
        winner = game.player(game.result.winner)
        score[winner] += game.result.points
        assert match.score == tuple(score)
    crawford = [game for game in match.games if game.stakes is not None and game.stakes.is_crawford]
    reached = (
        points is not None
        and cube is not None
        and cube.crawford
        and any(max(score_before(match, number)) >= points - 1 for number in range(len(match.games)))
    )
    assert len(crawford) == reached
    if reached:
        assert max(score_before(match, match.games.index(crawford[0]))) >= points - 1
    for again in (nf.Match.from_record(json.loads(json.dumps(match.record()))), from_text(to_text(match))):
        assert again == match
        assert again.score == match.score


def score_before(match: Any, number: int) -> tuple[float, float]:
    """The score before the game of this number, from 0."""
    gained = [match.scored(game) for game in match.games[:number]]
    return sum(first for first, _ in gained), sum(second for _, second in gained)


ALL_ACTIONS = sorted({action for actions in ACTIONS.values() for action in actions} - {"abandon", "undo", "redo"})


def one_action(game: Any, rng: random.Random, eager: float) -> None:
    """Tries what may not be done, which changes nothing; then does something, and checks it by the table."""
    state, cube, events = game.state, game.cube, game.events
    assert state in State
    wrong = rng.choice([action for action in ALL_ACTIONS if action not in ACTIONS[state]])
    with pytest.raises(ValueError, match=f"{wrong}: "):
        getattr(game, wrong)(*([1] if wrong in ("choose", "let_stand") else []))
    assert (game.state, game.cube, game.events) == (state, cube, events)
    action = act(game, rng, 0.002, eager)
    if action is None:
        assert (game.state, game.cube, game.events) == (state, cube, events)
        return
    if cube is None:
        assert action not in ("double", "take", "drop", "beaver")
        return
    row = next((row for row in TABLE if row.state == state and row.action == action), None)
    if row is not None:
        assert game.state is row.then
        assert game.cube == (Cube(cube.value * 2, 1 - game.position.turn) if row.turns_cube else cube)
        assert game.cube.value <= game.stakes.rules.limit
        assert not game.stakes.is_crawford
    else:
        assert game.cube == cube
    if action == "drop":
        assert game.result.points == cube.value
    elif game.is_over and game.result.kind in ("gammon", "backgammon", "mars"):
        times = 1 if game.stakes.rules.jacoby and cube.owner is None else {"backgammon": 3}.get(game.result.kind, 2)
        assert game.result.points == times * cube.value


def test_undo_takes_the_cube_back(impl: Any) -> None:
    game = opened(impl)
    game.double()
    game.take()
    game.roll()
    game.undo()  # White's first play is before him again
    assert (game.cube, game.state) == ((1, None), State.PLAY)
    game.redo()
    assert game.cube == (2, 0)
    game.play(game.position.plays(game.dice)[0])
    game.double()
    game.drop()
    assert game.result == (0, 2, "dropped")
    game.undo()
    assert (game.cube, game.result) == ((2, 0), None)


@pytest.mark.parametrize("actions", [("double",), ("double", "beaver"), ("double", "take"), ("double", "beaver", "drop")])
def test_every_state_of_the_cube_is_kept_and_resumed(impl: Any, actions: Any) -> None:
    game = turned(impl, *actions)
    for again in (
        impl.Game.from_json(game.to_json()),
        impl.Game.from_record(game.record()),
        from_text(to_text(game), impl.Match),
    ):
        assert again == game
        assert (again.state, again.cube, again.stakes, again.result) == (game.state, game.cube, game.stakes, game.result)


def test_a_record_whose_cube_breaks_the_rules_is_refused(impl: Any) -> None:
    match = play_match(impl.Match(3, "hypergammon", cube=CubeRules(), seed=5), random.Random(5))
    record = json.loads(json.dumps(match.record()))
    record["games"][0]["cube"]["away"] = [2, 3]
    with pytest.raises(ValueError, match="game 1: game: by the score its cube is"):
        impl.Match.from_record(record)
    record["games"][0]["cube"] = {"away": 5}
    with pytest.raises(ValueError, match="game 1: cube: 'rules' is missing"):
        impl.Match.from_record(record)
    with pytest.raises(ValueError, match="cube: 'limit' is missing"):
        from_text(to_text(match).replace('"limit": 64', '"limits": 64'), impl.Match)
    text = to_text(turned(impl, "double", "take"))
    with pytest.raises(ValueError, match=r"line \d+: turn 2: take: it is for White to act"):
        from_text(text.replace("White takes", "Black takes"), impl.Match)
