from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nardy_fast.analysis._solved import SolvedNative
from nardy_fast.core._bearoff import OneSidedNative, TwoSidedNative
from nardy_fast.players._network import NetworkNative
from nardy_fast.rules import Ruleset

def first_rolls(seed: int, out: NDArray[np.int8]) -> None: ...

class RolloutNative:
    def __init__(
        self,
        rules: Ruleset,
        results: Sequence[int],
        judge: NetworkNative | SolvedNative,
        judged: Sequence[int],
        one: OneSidedNative | None,
        two: TwoSidedNative | None,
        mars: int,
        control: int,
        plies: int,
        seed: int,
    ) -> None: ...
    def play(
        self, board: NDArray[np.int8], turn: int, pending: NDArray[np.int8], first: int, out: NDArray[np.float64]
    ) -> None: ...
