from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nardy_fast.rules import Ruleset

_Boards = NDArray[np.int8]

class SolvedNative:
    def __init__(
        self, checkers: int, points: Sequence[int], equities: NDArray[np.float64], chances: NDArray[np.float32]
    ) -> None: ...
    @property
    def sides(self) -> int: ...
    def equities(self, boards: _Boards, out: NDArray[np.float64]) -> None: ...
    def outputs(self, boards: _Boards, out: NDArray[np.float32]) -> None: ...
    def best_plays(
        self,
        rules: str | Ruleset,
        boards: _Boards,
        dice: NDArray[np.int8],
        after: _Boards,
        index: NDArray[np.int32],
        equity: NDArray[np.float64],
    ) -> None: ...
