"""Other programs that know backgammon, measured beside ours on the same work in the same run: ``nardy-fast bench --peers``.

The work is to list the distinct results of a roll, from the position in the program's own form to a list in Python:

* as *handles*, which each program understands and nobody else: our `Play`, gnubg-nn's keys, OpenSpiel's action numbers;
* as *boards*, whose checkers can be read: ours as an array, gnubg-nn's keys decoded, bgsage's lists;
* as a *batch*, the boards of all the rolls in one array, which is what we have for those who want many. None of the others does.

And to play random games from Python. What a program says the results are is compared with ours by their number, before any time
is taken; those who differ somewhere are still timed, and the table says how often they agree.

OpenSpiel cannot be set to a position, and plays a double as two turns. It is asked in positions of its own random games, with
mixed rolls, and all the others are asked in the same ones.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from nardy_fast.benchmark.cases import cases, set_names
from nardy_fast.benchmark.implementations import implementation
from nardy_fast.benchmark.timing import fastest
from nardy_fast.bulk import batch
from nardy_fast.core._position import Position
from nardy_fast.rules import BAR, LAST, OFF

Dice = tuple[int, int]

#: The distributions that are installed for them, by the name of the module.
PEERS = {"pyspiel": "open_spiel", "gnubg_nn": "gnubg-nn", "bgsage": "bgsage"}
OURS = "nardy_fast"

HANDLES = "handles"
BOARDS = "boards"
BATCH = "batch"
TURNS = "turns"

#: How many positions of OpenSpiel's games.
HARVEST = 800
#: How many random games each program plays in one go.
GAMES = 10
ROUNDS = 3
SEED = 1


class Lister(Protocol):
    """Something that lists the distinct results of a roll."""

    name: str
    #: `HANDLES`, `BOARDS` or `BATCH`.
    form: str

    def case(self, position: Any, dice: Dice) -> Any:
        """The position and the roll in its own form."""

    def results(self, case: Any) -> Any:
        """The results, in its own form."""

    def work(self, prepared: Sequence[Any]) -> Callable[[], object]:
        """What is timed: it lists the results of all these cases."""

    def distinct(self, case: Any) -> int:
        """How many distinct results there are by its word, a pass being one."""


# Who takes part


class _OneByOne:
    def results(self, case: Any) -> Any:
        raise NotImplementedError

    def work(self, prepared: Sequence[Any]) -> Callable[[], object]:
        results = self.results
        return lambda: [results(case) for case in prepared]


class OurPlays(_OneByOne):
    name = OURS
    form = HANDLES

    def case(self, position: Any, dice: Dice) -> Any:
        return position, dice

    def results(self, case: Any) -> Any:
        return case[0].plays(case[1])

    def distinct(self, case: Any) -> int:
        return len(self.results(case))


class OurBoards(OurPlays):
    form = BOARDS

    def results(self, case: Any) -> Any:
        return case[0].afterstates(case[1])


class OurBatch(OurPlays):
    """All cases in one call, and the boards of all in one array."""

    form = BATCH

    def work(self, prepared: Sequence[Any]) -> Callable[[], object]:
        boards = np.array([position.board for position, _ in prepared])
        throws = np.array([dice for _, dice in prepared], dtype=np.int8)
        return lambda: batch.afterstates(boards, throws, "short")


class GnubgKeys(_OneByOne):
    """GNU Backgammon's generator as gnubg-nn hands it out; no keys at all are a pass."""

    name = PEERS["gnubg_nn"]
    form = HANDLES

    def __init__(self) -> None:
        self._gnubg = importlib.import_module("gnubg_nn")

    def case(self, position: Any, dice: Dice) -> Any:
        mover, opponent = position.board.tolist()
        return [opponent[LAST::-1], mover[LAST::-1]], dice

    def results(self, case: Any) -> Any:
        board, (high, low) = case
        return self._gnubg.moves(board, high, low)

    def distinct(self, case: Any) -> int:
        return len(set(self.results(case))) or 1


class GnubgBoards(GnubgKeys):
    form = BOARDS

    def results(self, case: Any) -> Any:
        board, (high, low) = case
        return [self._gnubg.board_from_position_key(key) for key in self._gnubg.moves(board, high, low)]


class BgsageBoards(_OneByOne):
    name = PEERS["bgsage"]
    form = BOARDS

    def __init__(self) -> None:
        self._bgsage = importlib.import_module("bgsage")

    def case(self, position: Any, dice: Dice) -> Any:
        mover, opponent = position.board.tolist()
        numbers = [mover[OFF - point] - opponent[point] for point in range(OFF + 1)]
        numbers[BAR], numbers[OFF] = opponent[BAR], mover[BAR]
        return numbers, dice

    def results(self, case: Any) -> Any:
        numbers, (high, low) = case
        return self._bgsage.possible_moves(numbers, high, low)

    def distinct(self, case: Any) -> int:
        return len(set(map(tuple, self.results(case)))) or 1


class OpenSpielActions(_OneByOne):
    """OpenSpiel's numbers of actions, of which several may lead to the same position."""

    name = PEERS["pyspiel"]
    form = HANDLES
    _BAR = 100

    def __init__(self) -> None:
        self._states: dict[tuple[Any, Dice], Any] = {}
        self._game = importlib.import_module("pyspiel").load_game("backgammon")

    def harvest(self, count: int) -> list[tuple[Any, Dice]]:
        """Positions of its own random games, each with a mixed roll."""
        rng = random.Random(SEED)
        state = self._game.new_initial_state()
        while len(self._states) < count:
            if state.is_terminal():
                state = self._game.new_initial_state()
            elif state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
            else:
                position, dice = self._read(state)
                if dice[0] != dice[1]:
                    self._states.setdefault((position, dice), state.clone())
                state.apply_action(rng.choice(state.legal_actions()))
        return list(self._states)

    def _read(self, state: Any) -> tuple[Any, Dice]:
        """The position and the roll of a state. X, its player 0, goes up its points 0..23, and O down."""
        x = [state.board(0, self._BAR), *(state.board(0, point) for point in range(LAST))]
        o = [state.board(1, self._BAR), *(state.board(1, point) for point in range(LAST - 1, -1, -1))]
        rows = [[*row, 15 - sum(row)] for row in (x, o)]
        shown = str(state).partition("Dice: ")[2]
        mover = state.current_player()
        dice = int(shown[0]), int(shown[1])
        return Position([rows[mover], rows[1 - mover]], mover, "short"), (max(dice), min(dice))

    def case(self, position: Any, dice: Dice) -> Any:
        return self._states[position, dice]

    def results(self, case: Any) -> Any:
        return case.legal_actions()

    def distinct(self, case: Any) -> int:
        after = (case.child(action) for action in case.legal_actions())
        return len({tuple(state.board(side, point) for side in (0, 1) for point in (*range(LAST), self._BAR)) for state in after})


# Random games, each turn an even choice among what the program lists


def throw(rng: random.Random) -> Dice:
    return rng.randint(1, 6), rng.randint(1, 6)


def first_throw(rng: random.Random) -> Dice:
    """The starter plays the two dice thrown to start, never a double."""
    first, second = rng.sample(range(1, 7), 2)
    return first, second


def our_game(rng: random.Random) -> int:
    """Plays a game and returns the number of its turns, passes counted, as all of these do."""
    position = Position.start("short")
    dice, turns = first_throw(rng), 0
    while not position.is_over:
        position = position.apply(rng.choice(position.plays(dice)))
        dice = throw(rng)
        turns += 1
    return turns


def gnubg_game(rng: random.Random) -> int:
    gnubg = importlib.import_module("gnubg_nn")
    start = Position.start("short").board[0, LAST::-1].tolist()
    opponent, mover = start, start
    dice, turns = first_throw(rng), 0
    while any(opponent):
        keys = gnubg.moves([opponent, mover], *dice)
        if keys:
            opponent, mover = gnubg.board_from_position_key(rng.choice(keys))
        opponent, mover = mover, opponent
        dice = throw(rng)
        turns += 1
    return turns


def bgsage_game(rng: random.Random) -> int:
    bgsage = importlib.import_module("bgsage")
    board = bgsage.STARTING_BOARD
    dice, turns = first_throw(rng), 0
    while not bgsage.check_game_over(board):
        boards = bgsage.possible_moves(board, *dice)
        board = bgsage.flip_board(rng.choice(boards) if boards else board)
        dice = throw(rng)
        turns += 1
    return turns


def openspiel_game(rng: random.Random) -> int:
    state = importlib.import_module("pyspiel").load_game("backgammon").new_initial_state()
    turns = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
            turns += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return turns


GAME_PLAYERS: Mapping[str, Callable[[random.Random], int]] = {
    OURS: our_game,
    PEERS["gnubg_nn"]: gnubg_game,
    PEERS["bgsage"]: bgsage_game,
    PEERS["pyspiel"]: openspiel_game,
}


# The comparison


@dataclass(frozen=True)
class Entry:
    """One program at one work."""

    work: str
    #: What is counted: lists in one of those forms, or `TURNS`.
    unit: str
    program: str
    per_second: float
    #: How many times as fast ours is.
    ratio: float
    #: The share of the rolls where its number of results is ours; None where that is not asked.
    agrees: float | None

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class Comparison:
    #: The versions of the programs that took part.
    versions: Mapping[str, str]
    absent: tuple[str, ...]
    entries: tuple[Entry, ...]

    def as_json(self) -> dict[str, Any]:
        return {"versions": dict(self.versions), "absent": list(self.absent), "rows": [entry.as_json() for entry in self.entries]}


def listers(installed: Collection[str]) -> list[Lister]:
    """Those that can be set to any position, ours first."""
    found: list[Lister] = [OurPlays(), OurBoards(), OurBatch()]
    if PEERS["gnubg_nn"] in installed:
        found += [GnubgKeys(), GnubgBoards()]
    if PEERS["bgsage"] in installed:
        found.append(BgsageBoards())
    return found


def compare(seconds: float) -> Comparison:
    """Measures all the programs that are installed, each entry at least `seconds`."""
    versions, absent = {}, []
    for module, distribution in PEERS.items():
        try:
            importlib.import_module(module)
            versions[distribution] = importlib.metadata.version(distribution)
        except ImportError:
            absent.append(distribution)
    entries: list[Entry] = []
    if versions:
        everywhere = listers(versions)
        stored = [case for name in set_names(["short"]) for case in cases(implementation("native"), name)]
        entries += compare_lists("stored rolls", stored, everywhere, seconds)
        if PEERS["pyspiel"] in versions:
            openspiel = OpenSpielActions()
            entries += compare_lists("OpenSpiel's rolls", openspiel.harvest(HARVEST), [*everywhere, openspiel], seconds)
        entries += compare_games([OURS, *versions], seconds)
    return Comparison(versions, tuple(absent), tuple(entries))


def compare_lists(work: str, given: Sequence[tuple[Any, Dice]], parties: Sequence[Lister], seconds: float) -> list[Entry]:
    """Lists of results, each program beside ours in the same form."""
    agrees, workers = [], []
    for lister in parties:
        prepared = [lister.case(*case) for case in given]
        agrees.append(_agreement(lister, prepared, given))
        workers.append(lister.work(prepared))
    speeds = [len(given) / best for best in alternated(workers, seconds)]
    ours = {lister.form: speed for lister, speed in zip(parties, speeds, strict=True) if lister.name == OURS}
    return [
        Entry(work, lister.form, lister.name, speed, ours[lister.form] / speed, share)
        for lister, speed, share in zip(parties, speeds, agrees, strict=True)
    ]


def _agreement(lister: Lister, prepared: Sequence[Any], given: Sequence[tuple[Any, Dice]]) -> float:
    """The share of the rolls where a program finds as many distinct results as we do."""
    same = (lister.distinct(case) == position.count_plays(dice) for case, (position, dice) in zip(prepared, given, strict=True))
    return float(np.mean(list(same)))


def compare_games(names: Sequence[str], seconds: float) -> list[Entry]:
    """Random games from Python. Each program has games of its own: what counts is the turns."""
    turns = [sum(_games(name)) for name in names]
    times = alternated([_player(name) for name in names], seconds)
    speeds = [played / best for played, best in zip(turns, times, strict=True)]
    return [
        Entry("random games", TURNS, name, speed, speeds[names.index(OURS)] / speed, None)
        for name, speed in zip(names, speeds, strict=True)
    ]


def _games(name: str) -> list[int]:
    """The turns of some games of a program, the same games on every call."""
    rng = random.Random(SEED)
    return [GAME_PLAYERS[name](rng) for _ in range(GAMES)]


def _player(name: str) -> Callable[[], object]:
    return lambda: _games(name)


def alternated(workers: Sequence[Callable[[], object]], seconds: float) -> list[float]:
    """The least seconds of one call of each, all taking turns, so that the machine's moods meet all of them."""
    best = [math.inf] * len(workers)
    for _ in range(ROUNDS):
        for at, work in enumerate(workers):
            best[at] = min(best[at], fastest(work, seconds / ROUNDS))
    return best


def table(compared: Comparison) -> str:
    """The comparison as text: a line for each entry."""
    if not compared.entries:
        return ""
    heading = f"{'work':<18} {'as':<8} {'program':<10} {'a second':>12} {'ours / its':>11} {'agrees':>8}"
    lines = ["", ", ".join(f"{name} {version}" for name, version in compared.versions.items()), heading]
    for entry in compared.entries:
        agrees = "-" if entry.agrees is None else f"{entry.agrees:.1%}"
        lines.append(
            f"{entry.work:<18} {entry.unit:<8} {entry.program:<10} {entry.per_second:>12,.0f} {entry.ratio:>11.1f} {agrees:>8}"
        )
    return "\n".join(lines)
