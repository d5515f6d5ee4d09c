from numpy import float32, int8, int32
from numpy.typing import NDArray

from nardy_fast.players._network import NetworkNative
from nardy_fast.rules import Ruleset

def is_staged(rules: str | Ruleset) -> bool: ...
def evaluate(
    network: NetworkNative,
    boards: NDArray[int8],
    turns: NDArray[int8],
    pending: NDArray[int8],
    rules: Ruleset,
    out: NDArray[float32],
    equity: NDArray[float32],
) -> None: ...
def best_plays(
    network: NetworkNative,
    boards: NDArray[int8],
    dice: NDArray[int8],
    turns: NDArray[int8],
    pending: NDArray[int8] | None,
    rules: Ruleset,
    after: NDArray[int8],
    index: NDArray[int32],
    equity: NDArray[float32],
) -> None: ...
