from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nardy_fast.rules import Ruleset

class Solver:
    def __init__(
        self,
        rules: str | Ruleset,
        equities: NDArray[np.float64],
        chances: NDArray[np.float32],
        plane: Sequence[int],
        by_pips: NDArray[np.int32],
    ) -> None: ...
    def list_plays(
        self, begins: NDArray[np.int32], ends: NDArray[np.uint16] | None, landings: NDArray[np.uint32] | None
    ) -> None: ...
    def use_plays(
        self,
        begins: NDArray[np.int32],
        ends: NDArray[np.uint16],
        landings: NDArray[np.uint32],
        together: NDArray[np.uint32],
        waiting: NDArray[np.float64],
        waiting_chances: NDArray[np.float32],
    ) -> None: ...
    @property
    def max_pips(self) -> int: ...
    @property
    def first_waiting(self) -> int: ...
    def share(self, pips: int) -> tuple[int, int]: ...
    def solve(self, pips: int, begin: int, end: int, what: int, again: bool) -> None: ...
    def believe(self, pips: int, what: int) -> None: ...

def number_of_sides(rules: str | Ruleset) -> int: ...
