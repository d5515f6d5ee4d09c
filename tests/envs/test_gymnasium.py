"""Gymnasium's own checks, and the vector environment beside single ones."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import nardy_fast as nf  # noqa: E402
from nardy_fast.envs.gymnasium import ID, NardyEnv  # noqa: E402

RULES = ("long", "short", "fevga", "acey_deucey", "kaftar", "mad_nardy")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("actions", ["micro", "afterstates"])
def test_the_environment_passes_gymnasiums_check(rules: str, actions: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, rules=rules, actions=actions, render_mode="rgb_array").unwrapped)


def play_out(env: Any, seed: int) -> tuple[list[int], float]:
    """One game of legal actions drawn by the seed: the actions and the reward."""
    rng = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    actions, reward, over = [], 0.0, False
    while not over:
        assert reward == 0
        assert (info["action_mask"] == seen["action_mask"]).all()
        actions.append(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        seen, reward, over, _, info = env.step(actions[-1])
    return actions, reward


@pytest.mark.parametrize("opponent", ["random", "greedy", nf.players.Random(), None, "function"])
@pytest.mark.parametrize("rules", ["short", "mad_nardy"])
def test_games_against_any_opponent_end_with_points(rules: str, opponent: Any) -> None:
    if opponent == "function":
        opponent = lambda position, dice: position.plays(dice)[-1]  # noqa: E731
    env = NardyEnv(rules, opponent)
    assert play_out(env, 3) == play_out(env, 3)
    assert play_out(env, 3)[1] in (-3, -2, -1, 1, 2, 3)


def test_a_network_plays_against_the_agent() -> None:
    env = NardyEnv("short", nf.players.Network.load("short"))
    assert sum(play_out(env, seed)[1] > 0 for seed in range(10)) <= 1


def test_a_win_may_count_as_one() -> None:
    assert {abs(play_out(NardyEnv("short", reward="win"), seed)[1]) for seed in range(5)} == {1.0}


def test_the_position_and_the_dice_can_be_given_and_read() -> None:
    env = NardyEnv("long", opponent=None)
    env.reset(seed=1, options={"position": "24:14,4:1 12:15 b", "dice": [(3, 5), (1, 1)]})
    assert (str(env.position), env.dice) == ("24:14,4:1 12:15 b", (5, 3))
    env.step(10)  # after which the 3 cannot be played
    assert (str(env.position), env.dice, env.steps) == ("24:14,4:1 12:14,7:1 w", (1, 1), ())
    env.step(6)
    assert (str(env.position), env.dice, env.steps) == ("24:14,4:1 12:14,7:1 w", (1, 1), ((1, 2, 1),))
    with pytest.raises(ValueError, match="expected one of these rules"):
        env.reset(options={"position": nf.Position.start("short")})


def test_an_action_that_may_not_be_played_loses_or_is_refused() -> None:
    env = NardyEnv("long")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    env = NardyEnv("long", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action = 0: it may not be played here"):
        env.step(0)


def test_afterstates_are_the_boards_after_the_plays() -> None:
    env = NardyEnv("short", opponent=None, actions="afterstates")
    seen, _ = env.reset(seed=2)
    plays = env.position.plays(env.dice)
    assert seen["action_mask"].sum() == len(plays) == len(seen["afterstates"])
    after = plays[-1].afterstate
    env.step(len(plays) - 1)
    assert env.position == after


def test_pictures_and_text_show_the_board() -> None:
    env = NardyEnv("long", render_mode="ansi", opponent=None)
    env.reset(options={"dice": (6, 5)})
    env.step(11)
    assert "dice 6 5" in env.render()
    assert "steps 1/7" in env.render()
    env = NardyEnv("long", render_mode="rgb_array", opponent=None)
    env.reset(options={"dice": (6, 5)})
    before = env.render()
    assert (before.shape, before.dtype) == ((300, 384, 3), np.uint8)
    env.step(11)
    assert (env.render() != before).any()


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(
    ("rules", "opponent"),
    [
        *((rules, opponent) for rules in ("long", "acey_deucey", "kaftar", "mad_nardy") for opponent in ("random", None)),
        *((rules, "greedy") for rules in ("long", "acey_deucey")),
    ],
)
def test_the_vector_environment_equals_single_ones_step_by_step(mode: Any, rules: str, opponent: str | None) -> None:
    ours = gymnasium.make_vec(ID, num_envs=3, rules=rules, opponent=opponent, autoreset_mode=mode)
    theirs = SyncVectorEnv([lambda: NardyEnv(rules, opponent)] * 3, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert data_equivalence(ours.reset(seed=5), theirs.reset(seed=5), exact=True)
    rng, ended = np.random.default_rng(1), 0
    for number in range(350):
        actions = ours.unwrapped.sample_actions(rng)
        if number % 90 == 50:
            actions[1] = 3  # which may not be played
        told, expected = ours.step(actions), theirs.step(actions)
        assert data_equivalence(told, expected, exact=True), number
        over = told[2]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            options = {"reset_mask": over}
            assert data_equivalence(ours.reset(options=dict(options)), theirs.reset(options=dict(options)), exact=True)
    assert ended >= 2


def test_the_vector_environment_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ValueError, match="actions = 'afterstates'"):
        gymnasium.make_vec(ID, num_envs=2, actions="afterstates", vectorization_mode="vector_entry_point")
    envs = gymnasium.make_vec(ID, num_envs=2, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    envs.step(np.array([0, 0]))
    with pytest.raises(ValueError, match="game 0 is over"):
        envs.step(np.array([0, 0]))
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.zeros(2, np.bool_)})
