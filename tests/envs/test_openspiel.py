"""OpenSpiel's own checks of a Python game."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

import nardy_fast as nf  # noqa: E402
from nardy_fast.envs import openspiel  # noqa: E402

RULES = ("long", "short", "fevga", "acey_deucey", "kaftar", "mad_nardy")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("actions", ["micro", "afterstates"])
def test_the_game_passes_openspiels_simulation(rules: str, actions: str) -> None:
    game = pyspiel.load_game("python_nardy", {"rules": rules, "actions": actions})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("rules", RULES)
def test_states_are_cloned_and_serialised_exactly(rules: str) -> None:
    game = pyspiel.load_game(f"python_nardy(rules={rules})")
    state, rng = game.new_initial_state(), np.random.default_rng(3)
    while not state.is_terminal():
        if rng.random() < 0.03:
            others = [state.clone(), pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())]
            for other in others:
                assert str(other) == str(state)
                assert other.legal_actions() == state.legal_actions()
                assert other.history() == state.history()
                assert other.observation_tensor(0) == state.observation_tensor(0)
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert sum(state.returns()) == 0
    assert state.returns()[0] in (-3, -2, -1, 0, 1, 2, 3)


def test_throws_have_their_chances() -> None:
    state = pyspiel.load_game("python_nardy(rules=short)").new_initial_state()
    assert state.chance_outcomes() == [(21, 0.5), (22, 0.5)]
    state.apply_action(openspiel.BLACK_BEGINS)
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 15
    assert all(chance == pytest.approx(1 / 15) for _, chance in outcomes)  # he plays the dice thrown, which differ
    state.apply_action(outcomes[0][0])
    assert state.current_player() == 1
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert [round(36 * chance) for _, chance in state.chance_outcomes()] == [weight for _, weight in nf.ROLLS]


def test_a_double_is_one_turn_of_one_player() -> None:
    state = pyspiel.load_game("python_nardy(rules=short)").new_initial_state()
    state.set_position("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", (3, 3))
    players = []
    while not state.is_chance_node():
        players.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert players == [0, 0, 0, 0]


def test_any_position_can_be_set() -> None:
    game = pyspiel.load_game("python_nardy", {"rules": "mad_nardy", "position": "24:13,18:2 12:15 b b66*:2/0"})
    state = game.new_initial_state()
    assert (state.current_player(), state.dice, str(state.position)) == (1, (6, 6), "24:13,18:2 12:15 b b66*:2/0")
    with pytest.raises(ValueError, match="by the rules 'short'"):
        state.set_position(nf.Position.start("short"))


def test_actions_have_names() -> None:
    state = pyspiel.load_game("python_nardy(rules=long)").new_initial_state()
    assert state.action_to_string(-1, 0) == "-".join(map(str, nf.ROLLS[0][0]))
    state.set_position(nf.Position.start("long"), (6, 5))
    assert state.action_to_string(0, 11) == "1/7 by 6"
    assert state.action_to_string(0, 156) == "pass"
