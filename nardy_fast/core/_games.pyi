import numpy as np
from numpy.typing import NDArray

from nardy_fast.core._position import Position
from nardy_fast.rules import Ruleset

def play_games(
    bit_generator: np.random.BitGenerator,
    rules: str | Ruleset,
    start: Position | None,
    winner: NDArray[np.int8],
    points: NDArray[np.int16],
    turns: NDArray[np.int32],
) -> None: ...
