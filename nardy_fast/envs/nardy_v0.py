"""PettingZoo's AEC environment: two agents at one board, ``player_0`` White and ``player_1`` Black.

Observations and actions are those of `nardy_fast.envs.gymnasium`; who acts has several actions in a turn. The agent who does not
act sees the board from his side, and may only pass. Rewards are points, the winner's above 0 and the loser's the same below.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from nardy_fast.core._position import Play, Position
from nardy_fast.envs import _tables
from nardy_fast.envs.picture import Picture, draw
from nardy_fast.envs.spaces import (
    ACTIONS,
    OBSERVED,
    PASS,
    SEND,
    Games,
    action_of,
    afterstate_boards,
    board_of,
    choice_of,
    most_afterstates,
    position_of,
    text_of,
)
from nardy_fast.rules import SLOTS, Ruleset

_ALL = np.ones(1, np.bool_)


def env(**arguments: Any) -> Any:
    """The environment in PettingZoo's wrappers: an action that may not be played loses 1, as theirs have it."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):
    """The environment without wrappers: an action that may not be played raises `ValueError`.

    `rules`: a preset or a `Ruleset`; `actions`: ``micro`` or ``afterstates``; `reward`: ``points`` or ``win``. ``reset`` takes
    ``options={"position": ..., "dice": ...}``, all as in `nardy_fast.envs.gymnasium`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "nardy_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        rules: str | Ruleset = "long",
        actions: str = "micro",
        reward: str = "points",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._games = Games(1, rules, None, None, reward)
        self._tables = self._games.tables
        self.rules = self._games.rules
        self._by_steps = choice_of("actions", actions, ("micro", "afterstates")) == "micro"
        self.render_mode = None if render_mode is None else choice_of("render_mode", render_mode, ("human", "ansi", "rgb_array"))
        self.possible_agents = ["player_0", "player_1"]
        self._count = ACTIONS if self._by_steps else most_afterstates(self.rules)
        seen = {"observation": spaces.Box(0, 15, (OBSERVED,), np.int8), "action_mask": spaces.Box(0, 1, (self._count,), np.int8)}
        if not self._by_steps:
            seen["afterstates"] = spaces.Sequence(spaces.Box(0, 15, (2, SLOTS), np.int8), stack=True)
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._count) for agent in self.possible_agents}
        self._luck: Any = None
        self._seen = np.zeros((1, OBSERVED), np.int8)
        self._mask = np.zeros((1, ACTIONS), np.int8)
        self._reward = np.zeros(1)
        self._boards: NDArray[np.int8] = np.zeros((1, 2, SLOTS), np.int8)
        self._plays: list[Play] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """The position at the turn's start."""
        return position_of(self._tables, 0, self.rules)

    @property
    def dice(self) -> tuple[int, ...] | None:
        """What is played in this turn, the larger die first: the two thrown, or those of a stage that was pending."""
        return self._tables.dice(0)

    @property
    def steps(self) -> tuple[tuple[int, int, int], ...]:
        """The steps of this turn so far, as (from, to, die)."""
        return self._tables.steps(0)

    @property
    def board(self) -> NDArray[np.int8]:
        """The board after them, int8 (2, 26), who plays in row 0."""
        return board_of(self._tables, 0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None or self._luck is None:
            self._luck, _ = seeding.np_random(seed)
            self._tables.seed(0, self._luck.bit_generator)
        self._games.begin(_ALL, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()
        self.agent_selection = self.agents[self._tables.turn(0)]

    def observe(self, agent: str) -> dict[str, Any]:
        side = self.possible_agents.index(agent)
        seen, mask = self._seen[0].copy(), np.zeros(self._count, np.int8)
        acts = side == seen[58] and self._tables.phase(0) != _tables.OVER
        if side != seen[58]:
            seen[:SLOTS], seen[SLOTS : 2 * SLOTS] = self._seen[0, SLOTS : 2 * SLOTS], self._seen[0, :SLOTS]
            seen[58] = side
            seen[60:] = 0
        if self._by_steps:
            mask[:] = self._mask[0] if acts else 0
            mask[PASS] |= not acts
            return {"observation": seen, "action_mask": mask}
        boards = self._boards if acts else seen[: 2 * SLOTS].reshape(1, 2, SLOTS)
        mask[: len(boards)] = 1
        return {"observation": seen, "action_mask": mask, "afterstates": boards.copy()}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        for number in self._numbers(-1 if action is None else int(action)):
            self._games.act(np.array([number], np.int64), _ALL, False, True)
        self._cumulative_rewards[agent] = 0.0
        mover = self._look()
        self._clear_rewards()
        if self._games.over[0]:
            reward = float(self._reward[0])
            for side, each in enumerate(self.agents):
                self.rewards[each] = reward if side == mover else -reward
                self.terminations[each] = True
        self.agent_selection = self.agents[self._tables.turn(0)]
        self._accumulate_rewards()

    def _numbers(self, action: int) -> list[int]:
        """The single steps of an action."""
        if self._by_steps:
            return [action]
        if not 0 <= action < len(self._boards):
            raise ValueError(f"action = {action}: expected 0..{len(self._boards) - 1}")
        if self._tables.phase(0) == _tables.CHOICE:
            return [SEND + 1 + action]
        return [action_of(*step) for step in self._plays[action].steps] or [PASS]

    def _look(self) -> int:
        """What is to be seen now; who acted last."""
        self._games.tell(self._seen, self._mask, self._reward)
        if not self._by_steps:
            self._plays, self._boards = afterstate_boards(self._tables, 0, self.rules)
        return self._tables.actor(0)

    def render(self) -> str | Picture | None:
        """The board: with its numbers and the steps so far, printed by ``human``; or as pixels, uint8 (300, 384, 3)."""
        if self.render_mode is None:
            return None
        if self.render_mode == "human":
            print(text_of(self._tables, 0, self.rules))
            return None
        if self.render_mode == "ansi":
            return text_of(self._tables, 0, self.rules)
        return draw(self.board, self._tables.turn(0), self.rules, self.dice or ())

    def close(self) -> None:
        """Nothing is held."""
