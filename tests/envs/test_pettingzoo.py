"""PettingZoo's own checks."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, render_test, seed_test

import nardy_fast as nf
from nardy_fast.envs.pettingzoo import nardy_v0

RULES = ("long", "short", "fevga", "acey_deucey", "kaftar", "mad_nardy")


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("actions", ["micro", "afterstates"])
def test_the_environment_passes_pettingzoos_checks(rules: str, actions: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(nardy_v0.env(rules=rules, actions=actions), num_cycles=200)
        seed_test(lambda: nardy_v0.env(rules=rules, actions=actions), num_cycles=30)
        render_test(lambda render_mode=None: nardy_v0.env(rules=rules, actions=actions, render_mode=render_mode))


@pytest.mark.parametrize("rules", sorted(nf.RULESETS))
def test_games_of_every_preset_are_zero_sum(rules: str) -> None:
    env = nardy_v0.env(rules=rules)
    env.reset(seed=4)
    rng, scored = np.random.default_rng(4), {"player_0": 0.0, "player_1": 0.0}
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        scored[agent] += reward
        env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert sum(scored.values()) == 0
    assert max(scored.values()) > 0


def test_who_does_not_act_sees_his_own_side() -> None:
    env = nardy_v0.raw_env(rules="long")
    env.reset(options={"position": "24:14,4:1 12:15 b", "dice": (6, 5)})
    assert (env.agent_selection, env.dice) == ("player_1", (6, 5))
    black, white = env.observe("player_1"), env.observe("player_0")
    assert black["observation"][[1, 27, 47]].tolist() == [15, 14, 1]
    assert white["observation"][[1, 21, 27]].tolist() == [14, 1, 15]
    assert np.flatnonzero(white["action_mask"]).tolist() == [156]
    with pytest.raises(ValueError, match="it may not be played"):
        env.step(0)
