from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.rules import Ruleset

class NetworkNative:
    def __init__(
        self,
        rules: str | Ruleset,
        results: Sequence[int],
        dense: bool,
        first: NDArray[np.float32],
        second: NDArray[np.float32],
        second_bias: NDArray[np.float32],
    ) -> None: ...
    def evaluate(self, boards: Any, turns: Any, out: Any, equity: Any) -> None: ...
    def look(self, boards: Any, movers: Any, contact: Any, results: Any) -> None: ...
    def judge(self, board: Any, mover: int, after: Any, out: Any, equity: Any) -> None: ...
    def judge_alone(self, boards: Any, mover: int, out: Any, equity: Any) -> None: ...
    def best_plays(self, boards: Any, dice: Any, turns: Any, rules: Any, after: Any, index: Any, equity: Any) -> None: ...
    def learn(self, board: Any, mover: int, target: Any, rate: float) -> None: ...
