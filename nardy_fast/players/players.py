"""Players: what chooses plays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import as_dice, as_int, short_repr
from nardy_fast.core._position import Play, Position
from nardy_fast.players import _seats, _staged
from nardy_fast.players._network import NetworkNative
from nardy_fast.players.network import Network
from nardy_fast.rules import SLOTS, Ruleset, ruleset

#: What the native arena knows of a player: its kind, its network or None, the noise on its equities.
Seat = tuple[int, NetworkNative | None, float]

#: The standard deviation, in points, of what each level adds to the equities of plays: the weaker, the more.
LEVELS = {"easy": 0.3, "medium": 0.12, "strong": 0.0}


@runtime_checkable
class Player(Protocol):
    """What is asked of a player. `Random`, `Greedy`, `Network` and `Level` are some; anything with these two methods is one."""

    def choose(self, position: Position, dice: Iterable[int]) -> Play:
        """One of ``position.plays(dice)``."""

    def choose_batch(
        self,
        boards: NDArray[np.int8],
        dice: NDArray[np.int8],
        rules: str | Ruleset,
        turns: NDArray[np.int8] | None = None,
        pending: NDArray[np.int8] | None = None,
    ) -> NDArray[np.int8]:
        """For each row the board after the chosen play, the player who moved still in row 0.

        `boards`, int8[n, 2, 26], `dice`, int8[n, 2], and `turns`, int8[n], are as in `nardy_fast.batch`. Where stages can be
        pending (rulebook, section 3), a player is also given `pending`, int8[n, 28], by its name: a row of it that is not 0 says
        what is played instead of the dice.
        """


class _Seated:
    """A player that the native arena can seat."""

    def __init__(self, seat: Seat, seed: int) -> None:
        self._seat = seat
        self._luck = np.random.default_rng(as_int("seed", seed, 0))

    def choose(self, position: Position, dice: Iterable[int] | None = None) -> Play:
        """One of ``position.plays(dice)``, or, without dice, of the pending stage. `ValueError` where the game is over."""
        plays = position.plays(dice)
        if not plays:
            raise ValueError(f"position = {short_repr(position)}: the game is over")
        pending = None if position.pending is None else position.pending.to_row()[None]
        thrown = np.zeros((1, 2), np.int8) if dice is None else np.array([as_dice(dice)], np.int8)
        turns = np.array([position.turn], np.int8)
        after = self.choose_batch(position.board[None], thrown, position.rules, turns, pending)[0]
        return next(play for play in plays if np.array_equal(_moved(position, play), after))

    def choose_batch(
        self,
        boards: NDArray[np.int8],
        dice: NDArray[np.int8],
        rules: str | Ruleset,
        turns: NDArray[np.int8] | None = None,
        pending: NDArray[np.int8] | None = None,
    ) -> NDArray[np.int8]:
        """For each row the board after the chosen play, the player who moved still in row 0."""
        found = ruleset(rules)
        if turns is None and _staged.is_staged(found):
            raise ValueError(f"turns = None: by the rules {found.name!r} it matters whose turn it is")
        after, index = np.empty((len(boards), 2, SLOTS), np.int8), np.empty(len(boards), np.int32)
        _seats.choices(self._seat, boards, dice, turns, pending, found, int(self._luck.integers(1 << 63)), after, index)
        return after


def _moved(position: Position, play: Play) -> NDArray[np.int8]:
    """The board after a play, who made it in row 0."""
    after = play.afterstate
    return after.board if after.turn == position.turn else after.board[::-1]


class Random(_Seated):
    """Chooses among all plays alike. `seed` begins its choices, but not in `play`, where the games' own seed does."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__((_seats.RANDOM, None, 0.0), seed)

    def __repr__(self) -> str:
        return "Random()"


class Greedy(_Seated):
    """A hand-made heuristic for both roads: the play whose board scores most; of equal ones the first of ``plays``.

    With `r` the mover's row and `o` the opponent's after the play, each on its own track, and `i` a slot of the mover's, 1..24.

    Parallel roads: +4 a checker off; -1.5 a checker on slot 1; each held point +1.5, and if it lies beyond the opponent's
    rearmost checker on his track +0.8 within 8 slots of it, else +0.3; the third and each further held slot in a row +0.7 times
    (its place in the row - 2); -0.3 a checker above two on a point; -0.2 a checker on slots 2..6.

    Contrary roads: +12 a checker off; +5 a checker on the opponent's bar; each point with two or more +5 on 19..24, +3 on 15..18,
    else +1.5, and +1.5 more if the slot before has two or more; -0.8 a checker above three; a blot on `i` -0.02 (i + 4) times its
    shots: for each distance 1..12 at which the opponent has a checker behind it 3, beyond six pips 1; -0.5 a checker on slot 1.
    """

    def __init__(self) -> None:
        super().__init__((_seats.GREEDY, None, 0.0), 0)

    def __repr__(self) -> str:
        return "Greedy()"


class Level(_Seated):
    """A network that is made weaker: `noise` is the standard deviation, in points, of what is added to each play's equity."""

    def __init__(self, network: Network, noise: float, seed: int = 0) -> None:
        if not isinstance(network, Network):
            raise TypeError(f"network = {short_repr(network)}: expected a Network")
        if isinstance(noise, bool) or not isinstance(noise, int | float):
            raise TypeError(f"noise = {short_repr(noise)}: expected a number")
        if not 0 <= noise <= 100:
            raise ValueError(f"noise = {short_repr(noise)}: expected 0..100")
        super().__init__((_seats.NETWORK, network.native, float(noise)), seed)
        self.network = network
        self.noise = float(noise)

    def __repr__(self) -> str:
        return f"Level({self.network!r}, {self.noise})"


def level(name: str, rules: str | Ruleset = "long", seed: int = 0) -> Random | Level:
    """The player of a level for these rules: ``random``, ``easy``, ``medium`` or ``strong``.

    All but the first are the shipped network, the weaker the more its equities are disturbed. Raises `ValueError` for another
    name, and for rules without a shipped network.
    """
    if name == "random":
        return Random(seed)
    if name not in LEVELS:
        raise ValueError(f"level = {short_repr(name)}: expected one of random, {', '.join(LEVELS)}")
    return Level(Network.load(ruleset(rules).name), LEVELS[name], seed)


def seat_of(player: Player) -> Seat | None:
    """What the native arena needs to seat a player; None for one that it cannot."""
    if isinstance(player, Network):
        return _seats.NETWORK, player.native, 0.0
    return player._seat if isinstance(player, _Seated) else None
