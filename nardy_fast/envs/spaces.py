"""What the environments have in common: actions, what is observed, rewards, who plays against the agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_dice, short_repr
from nardy_fast.core._position import Play, Position
from nardy_fast.envs import _tables
from nardy_fast.envs._tables import ACTIONS, OBSERVED, PASS, SEND, Tables
from nardy_fast.players import Greedy, Player, Random, level
from nardy_fast.positions import ROW as PENDING_SIZE
from nardy_fast.positions import Pending
from nardy_fast.rules import OFF, SLOTS, Ruleset, ruleset

#: Who plays against the agent: a player of `nardy_fast.players`, one by its name, or ``choose(position, dice)``, which gives one
#: of ``position.plays(dice)``. None: nobody does, and the agent plays both sides.
Opponent = str | Player | Callable[[Position, tuple[int, ...]], Play] | None
#: Throws that may be given ahead.
MOST_GIVEN = 32
#: The levels of `nardy_fast.players.level` and the two players without a network.
NAMED = ("random", "greedy", "easy", "medium", "strong")


def action_of(source: int, to: int, die: int) -> int:
    """The action that plays a step of `Play.steps`: 6 * slot + die - 1, and 149 + die for a send.

    A send is a step from slot 1 to slot 25 - die that is longer than its die (rulebook, section 3).
    """
    return SEND + die if to not in (source + die, OFF) else 6 * source + die - 1


def step_of(action: int) -> tuple[int, int, int] | None:
    """The step, (from, to, die), that an action plays; None for the pass. 150 to 155 are told as sends.

    Raises `ValueError` for a number that is no action.
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"action = {short_repr(action)}: expected 0..{ACTIONS - 1}")
    if action == PASS:
        return None
    if action > SEND:
        return 1, OFF - (action - SEND), action - SEND
    source, die = action // 6, action % 6 + 1
    return source, min(source + die, OFF), die


def most_afterstates(rules: Ruleset) -> int:
    """So many afterstates a turn can have at most: of four equal dice, or by rules with products (rulebook, section 3) of six."""
    return 38_760 if rules.throw == "product" else 3_060


def greatest_score(rules: Ruleset) -> int:
    """The most points that a game can be worth."""
    if rules.remaining:
        return rules.checkers
    if rules.goal == "keep":
        return 2
    if rules.road == "contrary":
        return rules.backgammon_points
    return max(2, rules.home_mars or 0, rules.koks_points if rules.koks else 0)


def choice_of(name: str, value: Any, among: tuple[str, ...]) -> str:
    """`value`, which must be one of these words."""
    if value not in among:
        raise ValueError(f"{name} = {short_repr(value)}: expected one of {', '.join(among)}")
    return str(value)


class Games:
    """Games at which agents sit, each alone against an opponent or playing both sides. What the environments are made of.

    `side`: the agent's colour, 0 White or 1 Black; None draws it for each game. `reward`: ``points`` or ``win``, which counts
    each game as 1.
    """

    def __init__(self, n: int, rules: str | Ruleset, opponent: Opponent, side: int | None = None, reward: str = "points") -> None:
        self.rules = ruleset(rules)
        if side not in (None, 0, 1):
            raise ValueError(f"side = {short_repr(side)}: expected 0 (White), 1 (Black) or None")
        self.is_win = choice_of("reward", reward, ("points", "win")) == "win"
        self.opponent = _player(opponent, self.rules)
        self.tables = Tables(n, self.rules, isinstance(self.opponent, Random))
        self.alone = self.opponent is None
        for i in range(n):
            self.tables.sit(i, -1 if self.alone else side or 0, not self.alone and side is None)
        self._asks = not self.alone and not isinstance(self.opponent, Random)
        self._boards, self._dice = np.empty((n, 2, SLOTS), np.int8), np.empty((n, 2), np.int8)
        self._turns, self._pending = np.empty(n, np.int8), np.empty((n, PENDING_SIZE), np.int8)
        self._choosing = np.empty(n, np.bool_)
        self._points = np.empty(n, np.int8)
        self.players, self.illegal = np.empty(n, np.int8), np.empty(n, np.bool_)
        self.over = np.zeros(n, np.bool_)

    def begin(self, which: NDArray[np.bool_], options: dict[str, Any] | None = None) -> None:
        """New games at these tables, from `options`: ``position``, ``dice``; up to what the agent is asked first."""
        given = options or {}
        position = given.get("position")
        if isinstance(position, str):
            position = Position.parse(position, self.rules)
        if position is not None and (not isinstance(position, Position) or position.rules != self.rules or position.is_over):
            raise ValueError(f"position = {short_repr(position)}: expected one of these rules that is not over")
        rolls = as_rolls(given.get("dice"))
        for i in np.flatnonzero(which) if position is not None or rolls else ():
            self.tables.begin(int(i), 0)
            self.tables.give(int(i), rolls)
            if position is not None:
                put(self.tables, int(i), position, rolls)
        if position is None and not rolls:
            self.tables.restart_all(which)
        else:
            self.tables.resume(which, position is None)
        self._answer()

    def act(self, actions: NDArray[np.int64], ready: NDArray[np.bool_], begin_finished: bool, refuse: bool) -> None:
        """Play an action at each table that is ready, up to what the agent is asked next."""
        if refuse and (row := self.tables.refused(actions, ready)) >= 0:
            may = short_repr(self.tables.actions(row))
            raise ValueError(f"action = {actions[row]}: it may not be played here, expected one of {may}")
        self.tables.act_all(actions, begin_finished, ready)
        self._answer()

    def tell(self, seen: NDArray[np.int8], mask: NDArray[np.int8], rewards: NDArray[np.float64]) -> None:
        """Write what is seen, what may be played and, where a game is over, the reward; `over` and the like are filled in too."""
        self.tables.tell(seen, mask, self.over, self._points, self.players, self.illegal)
        rewards[:] = np.sign(self._points) if self.is_win else self._points

    def _answer(self) -> None:
        """Have the opponent play until the agent is asked at each table."""
        if not self._asks:
            return
        while True:
            rows = self.tables.waiting(self._boards, self._dice, self._turns, self._pending, self._choosing)
            choosing = np.flatnonzero(self._choosing)
            if not rows and not choosing.size:
                return
            for row in choosing.tolist():
                self.tables.act(row, SEND + best_double(position_of(self.tables, row, self.rules)))
                self.tables.go_on(row)
            if rows:
                self._play(np.array(rows))

    def _play(self, rows: NDArray[np.int64]) -> None:
        if isinstance(self.opponent, Player):
            after = self._choices(self.opponent, rows)
        else:
            after = np.stack([self._call(int(row)) for row in rows])
        for row, board in zip(rows.tolist(), after, strict=True):
            if not self.tables.settle(row, np.ascontiguousarray(board)[None]):
                raise ValueError(f"opponent = {short_repr(self.opponent)}: it chose no play of {self.tables.dice(row)}")
            self.tables.go_on(row)

    def _choices(self, player: Player, rows: NDArray[np.int64]) -> NDArray[np.int8]:
        given = self._boards[rows], self._dice[rows], self.rules, self._turns[rows]
        return player.choose_batch(*given, pending=self._pending[rows]) if self.rules.has_queue else player.choose_batch(*given)

    def _call(self, row: int) -> NDArray[np.int8]:
        position, dice = position_of(self.tables, row, self.rules), self.tables.dice(row)
        assert callable(self.opponent)
        assert dice is not None
        play = self.opponent(position, dice)
        if not isinstance(play, Play):
            raise TypeError(f"opponent = {short_repr(self.opponent)}: it gave {short_repr(play)}, expected a Play")
        after = play.afterstate
        return after.board if after.turn == position.turn else after.board[::-1]


def _player(opponent: Opponent, rules: Ruleset) -> Player | Callable[[Position, tuple[int, ...]], Play] | None:
    if isinstance(opponent, str):
        if opponent not in NAMED:
            raise ValueError(f"opponent = {short_repr(opponent)}: expected one of {', '.join(NAMED)}, a player or a function")
        return Greedy() if opponent == "greedy" else level(opponent, rules)
    if opponent is None or (isinstance(opponent, Player) and not isinstance(opponent, type)) or callable(opponent):
        return opponent
    raise TypeError(f"opponent = {short_repr(opponent)}: expected a name, a player, a function or None")


def best_double(position: Position) -> int:
    """The double that is chosen for an opponent in Acey-Deucey: the greatest that he can play in full, else the greatest."""
    return next((die for die in range(6, 0, -1) if len(position.plays((die, die))[0].steps) == 4), 6)


def as_rolls(dice: Any) -> list[tuple[int, int]]:
    """One throw or several, as pairs with the larger die first."""
    if dice is None:
        return []
    listed = list(dice)
    rolls = [as_dice(listed)] if listed and isinstance(listed[0], (int, np.integer)) else [as_dice(roll) for roll in listed]
    if len(rolls) > MOST_GIVEN:
        raise ValueError(f"dice: {len(rolls)} throws, expected {MOST_GIVEN} at the most")
    return rolls


def put(tables: Tables, i: int, position: Position, rolls: Iterable[tuple[int, int]] = ()) -> None:
    """Set a table up as a position, these being the throws to come."""
    pending = np.zeros(PENDING_SIZE, np.int8) if position.pending is None else position.pending.to_row()
    tables.put(i, position.board[None], position.turn, pending[None])
    tables.give(i, list(rolls))


def position_of(tables: Tables, i: int, rules: Ruleset) -> Position:
    """The position at the turn's start."""
    pending = np.empty((1, PENDING_SIZE), np.int8)
    tables.pending(i, pending)
    boards = np.empty((2, 2, SLOTS), np.int8)
    tables.boards(i, boards)
    return Position(boards[0], tables.turn(i), rules, Pending.from_row(pending[0]))


def board_of(tables: Tables, i: int) -> NDArray[np.int8]:
    """The board after the steps so far, who plays in row 0."""
    boards = np.empty((2, 2, SLOTS), np.int8)
    tables.boards(i, boards)
    board: NDArray[np.int8] = boards[1]
    return board


def afterstate_boards(tables: Tables, i: int, rules: Ruleset) -> tuple[list[Play], NDArray[np.int8]]:
    """The plays of the turn and the boards after them, int8[k, 2, 26], who plays in row 0; where none is due, the board there is.

    Where a double is to be chosen, the board six times.
    """
    phase = tables.phase(i)
    if phase != _tables.STEP:
        return [], np.repeat(board_of(tables, i)[None], 6 if phase == _tables.CHOICE else 1, axis=0)
    position = position_of(tables, i, rules)
    plays = position.plays(tables.dice(i))
    after = [(play.afterstate.board, play.afterstate.turn == position.turn) for play in plays]
    return plays, np.stack([board if same else board[::-1] for board, same in after])


def text_of(tables: Tables, i: int, rules: Ruleset) -> str:
    """The position at the turn's start in plain characters, with the dice and the steps so far."""
    position, dice = position_of(tables, i, rules), tables.dice(i)
    lines = [position.text() if dice is None else f"{position.text()}\ndice {' '.join(map(str, dice))}"]
    if tables.phase(i) == _tables.CHOICE:
        lines.append("a double is to be chosen")
    if steps := tables.steps(i):
        lines.append("steps " + " ".join(f"{source}/{to}" for source, to, _ in steps))
    return "\n".join(lines)


__all__ = ["ACTIONS", "OBSERVED", "PASS", "SEND", "Games", "Opponent"]
