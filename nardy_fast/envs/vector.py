"""Gymnasium's vector environment, native: all boards in one call, the GIL released."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from nardy_fast.arguments import as_int
from nardy_fast.core._position import Position
from nardy_fast.envs.picture import Picture, draw
from nardy_fast.envs.spaces import ACTIONS, OBSERVED, Games, Opponent, board_of, choice_of, position_of, text_of
from nardy_fast.rules import Ruleset

Observations = dict[str, Any]


class NardyVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[np.int64]]):
    """Many agents, each at a board of its own: what a `SyncVectorEnv` of as many `NardyEnv` does, step by step.

    The arguments are those of `NardyEnv`, but that actions are single steps; `nardy_fast.batch` plays by afterstates. With
    `copy` False each call writes to the same arrays again.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Ruleset = "long",
        opponent: Opponent = "random",
        side: int | None = None,
        actions: str = "micro",
        reward: str = "points",
        illegal: str = "lose",
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        super().__init__()
        choice_of("actions", actions, ("micro",))
        self.num_envs = n = as_int("num_envs", num_envs, 1)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = None if render_mode is None else choice_of("render_mode", render_mode, ("ansi", "rgb_array"))
        self.copy = copy
        self._games = Games(n, rules, opponent, side, reward)
        self.rules = self._games.rules
        self._refuses = choice_of("illegal", illegal, ("lose", "raise")) == "raise"
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.single_observation_space = spaces.Dict(
            {"observation": spaces.Box(0, 15, (OBSERVED,), np.int8), "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)}
        )
        self.action_space = batch_space(self.single_action_space, n)
        self.observation_space = batch_space(self.single_observation_space, n)
        self._sources: list[Any] = [None] * n
        self._seeds: list[int | None] = [None] * n
        self._all = np.ones(n, np.bool_)
        self._room: tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.float64]] | None = None

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """The generator of each board."""
        return tuple(self._generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:
        """The seed of each board."""
        return tuple(self._seeds)

    @property
    def position(self) -> tuple[Position, ...]:
        """The position of each board at the turn's start."""
        return tuple(position_of(self._games.tables, i, self.rules) for i in range(self.num_envs))

    @property
    def dice(self) -> tuple[tuple[int, ...] | None, ...]:
        """What is played in the turn at each board."""
        return tuple(self._games.tables.dice(i) for i in range(self.num_envs))

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be played at each board, bool[n, 157]."""
        found: NDArray[np.bool_] = self._tell()[0]["action_mask"].astype(np.bool_)
        return found

    def sample_actions(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """An action that may be played at each board, each as likely, without the masks being read."""
        out = np.empty(self.num_envs, np.int64)
        self._games.tables.sample(rng.bit_generator, out)
        return out

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """New games, all or where ``options["reset_mask"]`` says so; `options` are else those of `NardyEnv.reset`."""
        n = self.num_envs
        given = dict(options or {})
        which = given.pop("reset_mask", self._all)
        if not isinstance(which, np.ndarray) or which.dtype != np.bool_ or which.shape != (n,) or not which.any():
            raise ValueError(f"options['reset_mask']: expected a bool array of shape ({n},) with at least one True")
        seeds = [seed + i for i in range(n)] if isinstance(seed, int) else seed or [None] * n
        if len(seeds) != n:
            raise ValueError(f"seed: {len(seeds)} seeds, expected {n}")
        for i in np.flatnonzero(which).tolist():
            self._generator(i, seeds[i])
        self._games.begin(which, given)
        seen, _ = self._tell()
        return seen, self._infos(seen["action_mask"], which)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play an action at each board."""
        games, mode = self._games, self.autoreset_mode
        begun = games.over.copy()
        if mode is AutoresetMode.DISABLED and begun.any():
            raise ValueError(f"step: game {int(begun.argmax())} is over, expected reset before")
        games.act(np.ascontiguousarray(actions, np.int64), self._all, mode is AutoresetMode.NEXT_STEP, self._refuses)
        seen, rewards = self._tell()
        over, infos = games.over.copy(), {}
        if mode is AutoresetMode.SAME_STEP and over.any():
            infos = self._finals(seen, over)
            games.begin(over)
            seen, _ = self._tell()
            games.over[:] = False
        infos.update(self._infos(seen["action_mask"], self._all))
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _generator(self, i: int, seed: int | None = None) -> np.random.Generator:
        """The board's generator, seeded anew where there is a seed."""
        if seed is not None or self._sources[i] is None:
            self._sources[i], self._seeds[i] = seeding.np_random(seed)
            self._games.tables.seed(i, self._sources[i].bit_generator)
        found: np.random.Generator = self._sources[i]
        return found

    def _tell(self) -> tuple[Observations, NDArray[np.float64]]:
        if self.copy or self._room is None:
            n = self.num_envs
            self._room = np.empty((n, OBSERVED), np.int8), np.empty((n, ACTIONS), np.int8), np.empty(n)
        seen, mask, rewards = self._room
        self._games.tell(seen, mask, rewards)
        return {"observation": seen, "action_mask": mask}, rewards

    def _infos(self, mask: NDArray[np.int8], which: NDArray[np.bool_]) -> dict[str, Any]:
        """As `SyncVectorEnv` joins them: 0 at boards that tell nothing."""
        players, illegal = self._games.players.astype(np.int64), self._games.illegal.copy()
        if not which.all():
            mask, players, illegal = np.where(which[:, None], mask, 0), np.where(which, players, 0), illegal & which
        infos: dict[str, Any] = {}
        for name, values in (("action_mask", mask), ("player", players), ("illegal", illegal)):
            infos[name], infos[f"_{name}"] = values, which.copy()
        return infos

    def _finals(self, seen: Observations, over: NDArray[np.bool_]) -> dict[str, Any]:
        """What is told of the games that have ended, before others take their places."""
        infos: dict[str, Any] = {}
        for i in np.flatnonzero(over).tolist():
            mask = seen["action_mask"][i].copy()
            final = {"action_mask": mask, "player": int(self._games.players[i]), "illegal": bool(self._games.illegal[i])}
            observation = {"observation": seen["observation"][i].copy(), "action_mask": mask}
            infos = self._add_info(infos, {"final_obs": observation, "final_info": final}, i)
        return infos

    def render(self) -> tuple[str | Picture, ...] | None:
        """A board each, as `NardyEnv.render`."""
        if self.render_mode is None:
            return None
        tables = self._games.tables
        if self.render_mode == "ansi":
            return tuple(text_of(tables, i, self.rules) for i in range(self.num_envs))
        boards = ((board_of(tables, i), tables.turn(i), tables.dice(i) or ()) for i in range(self.num_envs))
        return tuple(draw(board, turn, self.rules, dice) for board, turn, dice in boards)
