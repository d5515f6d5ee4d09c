"""Where throws come from: a seeded random source, a sequence, or a host's own callable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any

import numpy as np

from nardy_fast.arguments import as_dice, as_int, short_repr

Throw = tuple[int, int]


class Dice:
    """One source of throws. Calling it gives the next two dice as they fell (not sorted).

    `seed`: an integer for NumPy's PCG64; None draws a seed from the system. `dice` instead: a sequence of throws, used up from
    the front, or a callable without arguments that gives one throw a call.
    """

    def __init__(self, seed: int | None = None, dice: Iterable[Throw] | Callable[[], Throw] | None = None) -> None:
        if seed is not None and dice is not None:
            raise ValueError("seed, dice: expected one of the two, not both")
        self._generator: np.random.Generator | None = None
        self._throws: list[Throw] = []
        self._call: Callable[[], Throw] | None = None
        if dice is None:
            self._generator = np.random.Generator(np.random.PCG64(None if seed is None else as_int("seed", seed, 0)))
        elif callable(dice):
            self._call = dice
        elif isinstance(dice, Iterator):
            self._call = dice.__next__
        elif isinstance(dice, Iterable) and not isinstance(dice, (str, bytes, Set, Mapping)):
            self._throws = [_as_throw(throw) for throw in dice][::-1]
        else:
            raise TypeError(f"dice = {short_repr(dice)}: expected throws in their order, or a function that gives one a call")

    @classmethod
    def of(cls, seed: int | None = None, dice: Iterable[Throw] | Callable[[], Throw] | None = None) -> Dice:
        """The source that these arguments ask for; a `Dice` is handed back as it is, so that games can share it."""
        return dice if isinstance(dice, Dice) else cls(seed, dice)

    def __call__(self) -> Throw:
        """The next throw; `ValueError` when the sequence is used up or the callable gives something else than two dice."""
        if self._generator is not None:
            first, second = divmod(int(self._generator.integers(36)), 6)
            return first + 1, second + 1
        if self._call is not None:
            try:
                return _as_throw(self._call())
            except StopIteration:
                raise ValueError("dice: the throws are used up") from None
        if not self._throws:
            raise ValueError("dice: the throws are used up")
        return self._throws.pop()

    def state(self) -> Any:
        """What `from_state` needs to go on exactly from here, ready for JSON; None for a callable, which cannot be kept."""
        if self._generator is not None:
            return self._generator.bit_generator.state
        return None if self._call is not None else self._throws[::-1]

    @classmethod
    def from_state(cls, state: Any) -> Dice:
        """The source whose `state` this is; `ValueError` for anything else. None gives a source that has nothing to throw."""
        if state is None or isinstance(state, list | tuple):
            return cls(dice=state or ())
        if not isinstance(state, dict):
            raise ValueError(f"source = {short_repr(state)}: expected throws, or the state of a random source")
        source = cls(seed=0)
        assert source._generator is not None
        try:
            source._generator.bit_generator.state = state
        except (KeyError, TypeError, OverflowError, ValueError) as error:
            raise ValueError(f"source = {short_repr(state)}: not the state of a random source") from error
        return source


def _as_throw(throw: Any) -> Throw:
    as_dice(throw)
    first, second = throw
    return int(first), int(second)
