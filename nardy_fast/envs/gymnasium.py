"""Gymnasium: ``nardy_fast/Nardy-v0``, one agent against an opponent, alone or many at once.

    import gymnasium, nardy_fast.envs
    env = gymnasium.make("nardy_fast/Nardy-v0", rules="short", opponent="greedy")
    envs = gymnasium.make_vec("nardy_fast/Nardy-v0", num_envs=1024, rules="short")

An observation is a dictionary. ``observation``, int8[83], of who plays: slots 0 to 25 of his own track, then of the opponent's on
his, after the steps so far (52 numbers); how many dice of each number 1 to 6 are left (6); his colour, 0 White or 1 Black; in
Acey-Deucey which part of a 1-2 it is, 1 the dice, 2 the choice of a double, 3 that double; where stages can be pending, whether
the throw was his, the head steps in it by him and by the opponent, and for each of five stages to come whose it is (1 his, 2 the
opponent's), the larger die, how many of it, and a smaller one (20). ``action_mask``, int8[157]: what may be
played, never empty.

Actions: 6 * slot + die - 1 is a step from a slot 0..24 of one's own track by a die; 149 + die a send, or the double that is
chosen in Acey-Deucey; 156 the pass, where nothing else may be played. A turn is several actions.

Rewards are 0 but at the end. There it is the points of the agent, or of who acted last where the agent plays both sides.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from nardy_fast.core._position import Play, Position
from nardy_fast.envs import _tables
from nardy_fast.envs.picture import Picture, draw
from nardy_fast.envs.spaces import (
    ACTIONS,
    OBSERVED,
    SEND,
    Games,
    Opponent,
    action_of,
    afterstate_boards,
    board_of,
    choice_of,
    most_afterstates,
    position_of,
    text_of,
)
from nardy_fast.envs.vector import NardyVectorEnv
from nardy_fast.rules import SLOTS, Ruleset

Observation = dict[str, Any]
ID = "nardy_fast/Nardy-v0"
_ALL = np.ones(1, np.bool_)


class NardyEnv(gymnasium.Env[Observation, int]):
    """One agent at one board.

    `rules`: a preset or a `Ruleset`. `opponent`: ``random``, ``greedy``, a level of `nardy_fast.players.level`, a player such as
    a `Network`, ``choose(position, dice)``, which gives one of ``position.plays(dice)``, or None: the agent plays both sides.
    `side`: the agent's colour, 0 White, 1 Black, None by lot each game. `actions`: ``micro``, or ``afterstates``: an action is
    the number of one of ``position.plays(dice)``, in Acey-Deucey's choice of a double one less than the die, and the observation
    has ``afterstates``, int8[k, 2, 26], their boards, who plays in row 0. `reward`: ``points``, or ``win``: each game counts 1.
    `illegal`: what an action that may not be played does: ``lose``, the game is lost, a single one, or ``raise``, `ValueError`.

    ``reset(options={"position": ..., "dice": ...})`` begins elsewhere: a `Position` or its text, and the throws to come, one
    pair or several.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        rules: str | Ruleset = "long",
        opponent: Opponent = "random",
        side: int | None = None,
        actions: str = "micro",
        reward: str = "points",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        self._games = Games(1, rules, opponent, side, reward)
        self._tables = self._games.tables
        self._by_steps = choice_of("actions", actions, ("micro", "afterstates")) == "micro"
        self._refuses = choice_of("illegal", illegal, ("lose", "raise")) == "raise"
        self.render_mode = None if render_mode is None else choice_of("render_mode", render_mode, ("ansi", "rgb_array"))
        self.rules = self._games.rules
        count = ACTIONS if self._by_steps else most_afterstates(self.rules)
        self.action_space = spaces.Discrete(count)
        seen = {"observation": spaces.Box(0, 15, (OBSERVED,), np.int8), "action_mask": spaces.Box(0, 1, (count,), np.int8)}
        if not self._by_steps:
            seen["afterstates"] = spaces.Sequence(spaces.Box(0, 15, (2, SLOTS), np.int8), stack=True)
        self.observation_space = spaces.Dict(seen)
        self._source: Any = None
        self._plays: list[Play] = []

    @property
    def position(self) -> Position:
        """The position at the turn's start; `ValueError` in a game that was lost by an action in the middle of a turn."""
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

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be played, as stable_baselines3's contributions ask for it."""
        found: NDArray[np.bool_] = self._mask.astype(np.bool_)
        return found

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        source = self.np_random.bit_generator
        if seed is not None or source is not self._source:
            self._tables.seed(0, source)
            self._source = source
        self._games.begin(_ALL, options)
        return self._look()[0]

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        number = int(action)
        if self._by_steps:
            self._games.act(np.array([number], np.int64), _ALL, False, self._refuses)
        else:
            self._play(number)
        (seen, info), reward = self._look()
        return seen, reward, bool(self._games.over[0]), False, info

    def _play(self, number: int) -> None:
        """Play a whole turn."""
        if self._games.over[0]:
            return
        actions = [-1]
        if self._tables.phase(0) == _tables.CHOICE:
            actions = [SEND + 1 + number] if 0 <= number < 6 else actions
        elif 0 <= number < len(self._plays):
            actions = [action_of(*step) for step in self._plays[number].steps] or [_tables.PASS]
        for action in actions:
            self._games.act(np.array([action], np.int64), _ALL, False, self._refuses)

    def _look(self) -> tuple[tuple[Observation, dict[str, Any]], float]:
        seen, mask, reward = np.empty((1, OBSERVED), np.int8), np.empty((1, ACTIONS), np.int8), np.empty(1)
        self._games.tell(seen, mask, reward)
        found: Observation = {"observation": seen[0], "action_mask": mask[0]}
        if not self._by_steps:
            self._plays, found["afterstates"] = afterstate_boards(self._tables, 0, self.rules)
            found["action_mask"] = np.zeros(self.action_space.n, np.int8)
            found["action_mask"][: len(found["afterstates"])] = 1
        self._mask = found["action_mask"]
        info = {"action_mask": self._mask, "player": int(self._games.players[0]), "illegal": bool(self._games.illegal[0])}
        return (found, info), float(reward[0])

    def render(self) -> str | Picture | None:
        """The board: with its numbers and the steps so far, or as pixels, uint8 (300, 384, 3)."""
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi" and not self._games.illegal[0]:
            return text_of(self._tables, 0, self.rules)
        if self.render_mode == "ansi":
            return "the game was lost by an action that may not be played"
        return draw(self.board, self._tables.turn(0), self.rules, self.dice or ())


if ID not in gymnasium.registry:
    gymnasium.register(id=ID, entry_point=f"{__name__}:NardyEnv", vector_entry_point=f"{__name__}:NardyVectorEnv")

__all__ = ["ID", "NardyEnv", "NardyVectorEnv"]
