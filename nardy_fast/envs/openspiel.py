"""OpenSpiel: the Python game ``python_nardy``.

    import pyspiel, nardy_fast.envs.openspiel
    game = pyspiel.load_game("python_nardy(rules=short)")

Parameters: `rules`, a preset; `actions`, ``micro`` or ``afterstates``; `reward`, ``points`` or ``win``; `position`, the text of a
position to begin from, a throw being due or a stage pending. Commas cannot stand in a parameter of `load_game`'s text: give
``pyspiel.load_game("python_nardy", {"rules": ..., "position": ...})``.

Player 0 is White. Chance throws: outcome i is the throw ``nardy_fast.ROLLS[i]``, and where either side may begin 21 is White and
22 Black. Actions are those of `nardy_fast.envs.gymnasium`; a whole turn, doubles too, is its player's. The observation tensor is
what is observed there, 83 numbers, of the player who acts, the same for both players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from nardy_fast.core._position import Play, Position
from nardy_fast.envs import _tables
from nardy_fast.envs.spaces import (
    ACTIONS,
    OBSERVED,
    PASS,
    SEND,
    action_of,
    afterstate_boards,
    choice_of,
    greatest_score,
    most_afterstates,
    position_of,
    put,
    step_of,
    text_of,
)
from nardy_fast.rules import ROLLS, Ruleset, ruleset

#: The chance outcomes that say who begins.
WHITE_BEGINS, BLACK_BEGINS = 21, 22
#: A game of so many actions is broken off as a draw.
MOST_ACTIONS = 100_000

_GAME_TYPE = pyspiel.GameType(
    short_name="python_nardy",
    long_name="Nardy, long and short",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "long", "actions": "micro", "reward": "points", "position": ""},
)


@dataclass(frozen=True)
class _Parameters:
    """How the game is played: shared by all its states."""

    rules: Ruleset
    by_steps: bool
    is_win: bool
    position: Position | None

    def __deepcopy__(self, memo: Any) -> _Parameters:
        return self


class NardyGame(pyspiel.Game):
    """The game by some rules."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        rules, text = ruleset(given.get("rules", "long")), given.get("position", "")
        by_steps = choice_of("actions", given.get("actions", "micro"), ("micro", "afterstates")) == "micro"
        is_win = choice_of("reward", given.get("reward", "points"), ("points", "win")) == "win"
        self.parameters = _Parameters(rules, by_steps, is_win, Position.parse(text, rules) if text else None)
        most = 1 if is_win else greatest_score(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS if by_steps else most_afterstates(rules),
            max_chance_outcomes=len(ROLLS) + 2,
            num_players=2,
            min_utility=-float(most),
            max_utility=float(most),
            utility_sum=0.0,
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(_GAME_TYPE, info, given)

    def new_initial_state(self) -> NardyState:
        return NardyState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> NardyObserver:
        return NardyObserver(params)


class NardyState(pyspiel.State):
    """A game that is being played."""

    def __init__(self, game: NardyGame) -> None:
        super().__init__(game)
        self._given = given = game.parameters
        self._tables = _tables.Tables(1, given.rules)
        self._starter_due = given.position is None and given.rules.road == "contrary"
        self._count = 0
        self._plays: list[Play] | None = None
        if given.position is not None:
            put(self._tables, 0, given.position)

    @property
    def position(self) -> Position:
        """The position at the turn's start."""
        return position_of(self._tables, 0, self._given.rules)

    @property
    def dice(self) -> tuple[int, ...] | None:
        """What is played in this turn, the larger die first: the two thrown, or those of a stage that was pending."""
        return self._tables.dice(0)

    @property
    def steps(self) -> tuple[tuple[int, int, int], ...]:
        """The steps of this turn so far, as (from, to, die)."""
        return self._tables.steps(0)

    def set_position(self, position: Position | str, dice: tuple[int, int] | None = None) -> None:
        """Go on from a position, these dice having been thrown, if any. What was played before stays in the history."""
        found = Position.parse(position, self._given.rules) if isinstance(position, str) else position
        if found.rules != self._given.rules:
            raise ValueError(f"position: by the rules {found.rules.name!r}, expected {self._given.rules.name!r}")
        put(self._tables, 0, found)
        if dice is not None:
            self._tables.roll(0, max(dice), min(dice))
        self._starter_due, self._plays = False, None

    def observe(self) -> NDArray[np.int8]:
        """What the player who acts sees, int8[83]."""
        seen, mask = np.empty((1, OBSERVED), np.int8), np.empty((1, ACTIONS), np.int8)
        one, flag = np.empty(1, np.int8), np.empty(1, np.bool_)
        self._tables.tell(seen, mask, flag, one, one.copy(), flag.copy())
        return seen.reshape(OBSERVED)

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self._tables.phase(0) == _tables.THROW:
            return int(pyspiel.PlayerId.CHANCE)
        return self._tables.turn(0)

    def is_terminal(self) -> bool:
        return self._tables.phase(0) == _tables.OVER or self._count >= MOST_ACTIONS

    def returns(self) -> list[float]:
        score = self._tables.scored(0) if self._tables.phase(0) == _tables.OVER else 0
        white = float(np.sign(score) if self._given.is_win else score)
        return [white, -white]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self._starter_due:
            return [(WHITE_BEGINS, 0.5), (BLACK_BEGINS, 0.5)]
        opening = self._tables.is_opening(0) and self._given.rules.first_dice == "rolloff"
        outcomes = [(i, weight) for i, (roll, weight) in enumerate(ROLLS) if not (opening and roll[0] == roll[1])]
        whole = sum(weight for _, weight in outcomes)
        return [(i, weight / whole) for i, weight in outcomes]

    def _legal_actions(self, player: int) -> list[int]:
        if self._given.by_steps:
            return self._tables.actions(0)
        if self._tables.phase(0) == _tables.CHOICE:
            return list(range(6))
        return list(range(len(self._listed())))

    def _listed(self) -> list[Play]:
        if self._plays is None:
            self._plays, _ = afterstate_boards(self._tables, 0, self._given.rules)
        return self._plays

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            if action >= WHITE_BEGINS:
                self._starter_due = False
                self._tables.begin(0, action - WHITE_BEGINS)
            else:
                high, low = ROLLS[action][0]
                self._tables.roll(0, max(high, low), min(high, low))
        else:
            for number in self._numbers(action):
                if not self._tables.act(0, number):
                    raise ValueError(f"action = {action}: it may not be played here")
            self._count += 1
        self._plays = None

    def _numbers(self, action: int) -> list[int]:
        """The single steps of an action."""
        if self._given.by_steps:
            return [action]
        if self._tables.phase(0) == _tables.CHOICE:
            return [SEND + 1 + action]
        return [action_of(*step) for step in self._listed()[action].steps] or [PASS]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            if action >= WHITE_BEGINS:
                return "White begins" if action == WHITE_BEGINS else "Black begins"
            high, low = ROLLS[action][0]
            return f"{high}-{low}"
        if self._tables.phase(0) == _tables.CHOICE:
            die = action - SEND if self._given.by_steps else action + 1
            return f"{die}-{die}"
        if not self._given.by_steps:
            plays = self._listed()
            return str(plays[action]) if action < len(plays) else str(action)
        step = step_of(action)
        return "pass" if step is None else f"{step[0]}/{step[1]} by {step[2]}"

    def __str__(self) -> str:
        return "who begins?" if self._starter_due else text_of(self._tables, 0, self._given.rules)


class NardyObserver:
    """What the player who acts sees: all is public."""

    def __init__(self, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"params = {params}: expected none")
        self.tensor = np.zeros(OBSERVED, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: NardyState, player: int) -> None:
        self.tensor[:] = state.observe()

    def string_from(self, state: NardyState, player: int) -> str:
        return str(state)


if "python_nardy" not in pyspiel.registered_names():
    pyspiel.register_game(_GAME_TYPE, NardyGame)
