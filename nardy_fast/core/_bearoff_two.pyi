from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nardy_fast.rules import Ruleset

class Solver:
    def __init__(
        self,
        rules: str | Ruleset,
        begins: NDArray[np.int32],
        plays: NDArray[np.int32],
        cells: NDArray[np.float64],
        undoubled: NDArray[np.float64],
        plane: Sequence[int],
    ) -> None: ...
    def end(self) -> None: ...
    def solve(self, begin: int, end: int) -> None: ...
    def store(self, units: NDArray[np.float64], stored: NDArray[np.int32], begin: int, end: int) -> None: ...

def list_plays(rules: str | Ruleset, checkers: int, begins: NDArray[np.int32], plays: NDArray[np.int32] | None) -> None: ...
def payments(rules: str | Ruleset) -> tuple[int, ...]: ...
