"""The programs from outside that know the rules of backgammon, each asked in its own terms and answering in ours.

A board is two tuples of 26 counts, the mover's and the opponent's, each on its own track (rulebook, section 0); an answer is the
set of boards after the turn, the player who moved still first. Tests that need a referee are skipped where it is absent; with
``NARDY_FAST_REFEREES=required`` in the environment they fail instead.
"""

from __future__ import annotations

import importlib
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any, NoReturn

import pytest

Row = tuple[int, ...]
Board = tuple[Row, Row]
Roll = tuple[int, int]

CHECKERS = 15


def module(name: str) -> Any:
    """The Python package `name`, or a skip."""
    try:
        return importlib.import_module(name)
    except ImportError:
        _absent(name)


def program(name: str) -> str:
    """Where the program `name` is, or a skip. Debian puts games where root does not look."""
    found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/games")))
    return found if found is not None else _absent(name)


def run(command: list[str], home: Path) -> None:
    """Runs `command`, which may write its settings in `home`; raises if it fails."""
    environment = {**os.environ, "HOME": str(home)}
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120)


def _absent(name: str) -> NoReturn:
    if os.environ.get("NARDY_FAST_REFEREES") == "required":
        pytest.fail(f"{name} is not installed, and NARDY_FAST_REFEREES says that it must be")
    pytest.skip(f"{name} is not installed")


def _with_off(slots: list[int]) -> Row:
    """Slots 0..24 of a side, and those that are missing in slot 25."""
    return (*slots, CHECKERS - sum(slots))


def random_board(rng: random.Random) -> Board:
    """Any backgammon board: some checkers anywhere, on the bar and off; never both sides cleared."""
    points = rng.sample(range(1, 25), 24)
    split, end = sorted(rng.sample(range(1, 25), 2))
    rows = []
    for own in (points[:split], [25 - point for point in points[split:end]]):
        row = [0] * 26
        row[25] = rng.choice((0, 0, rng.randint(0, CHECKERS - 1)))
        for _ in range(CHECKERS - row[25]):
            row[0 if rng.random() < 0.05 else rng.choice(own)] += 1
        rows.append(tuple(row))
    return rows[0], rows[1]


class Bgsage:
    """bgsage: a list of 26 numbers, the mover positive, both bars as counts. On a pass it returns the board that it was given."""

    def __init__(self) -> None:
        self._bgsage = module("bgsage")

    def afterstates(self, board: Board, roll: Roll) -> set[Board]:
        mover, opponent = board
        numbers = [mover[25 - point] - opponent[point] for point in range(26)]
        numbers[0], numbers[25] = opponent[0], mover[0]
        return {self._board(list(after)) for after in self._bgsage.possible_moves(numbers, *roll)}

    @staticmethod
    def _board(numbers: list[int]) -> Board:
        mover = [numbers[25], *(max(numbers[25 - slot], 0) for slot in range(1, 25))]
        opponent = [numbers[0], *(max(-numbers[slot], 0) for slot in range(1, 25))]
        return _with_off(mover), _with_off(opponent)


class GnubgNN:
    """GNU Backgammon's own generator, as gnubg-nn hands it out: keys of the boards after; none at all on a pass.

    A board there is the opponent's and the mover's checkers on their points 1..24 and on the bar.
    """

    def __init__(self) -> None:
        self._gnubg = module("gnubg_nn")

    def afterstates(self, board: Board, roll: Roll) -> set[Board]:
        mover, opponent = board
        keys = self._gnubg.moves([list(opponent[24::-1]), list(mover[24::-1])], *roll)
        return {self._board(key) for key in keys} or {board}

    def _board(self, key: str) -> Board:
        opponent, mover = self._gnubg.board_from_position_key(key)
        return _with_off(list(mover[::-1])), _with_off(list(opponent[::-1]))


class OpenSpiel:
    """OpenSpiel's backgammon. It cannot be set to a position: it is asked of the state that its own game has come to.

    A double is two actions there. X, its player 0, goes up its points 0..23, and O down.
    """

    _BAR = 100

    def __init__(self) -> None:
        self._game = module("pyspiel").load_game("backgammon")

    def new_game(self) -> Any:
        return self._game.new_initial_state()

    def board(self, state: Any, mover: int) -> Board:
        x = [state.board(0, self._BAR), *(state.board(0, point) for point in range(24))]
        o = [state.board(1, self._BAR), *(state.board(1, point) for point in range(23, -1, -1))]
        rows = _with_off(x), _with_off(o)
        return rows[mover], rows[1 - mover]

    @staticmethod
    def roll(state: Any) -> Roll:
        """The dice that wait to be played, read from the printed state."""
        shown = str(state).partition("Dice: ")[2]
        return int(shown[0]), int(shown[1])

    def outcomes(self, state: Any) -> dict[Board, Any]:
        """The boards after the turn, each with a state that it leads to."""
        mover = state.current_player()
        found: dict[Board, Any] = {}
        halfway: dict[Board, Any] = {}
        for action in state.legal_actions():
            after = state.child(action)
            same_turn = not after.is_terminal() and after.current_player() == mover
            (halfway if same_turn else found)[self.board(after, mover)] = after
        for after in halfway.values():
            found |= self.outcomes(after)
        return found
