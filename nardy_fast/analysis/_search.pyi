from typing import Any

from nardy_fast.players._network import NetworkNative
from nardy_fast.rules import Ruleset

class Searcher:
    def __init__(
        self,
        network: NetworkNative,
        rules: Ruleset,
        tables: tuple[Any, ...] | None,
        mars: int,
        keep: int,
        margin: float,
        prune: bool = True,
    ) -> None: ...
    def stop(self) -> None: ...
    def knows(self, board: Any) -> bool: ...
    def evaluate(self, board: Any, turn: int, pending: Any, plies: int, chances: Any) -> float | None: ...
    def roll(self, board: Any, turn: int, high: int, low: int, plies: int, chances: Any) -> float | None: ...
    def choose(
        self, boards: Any, dice: Any, turns: Any, pending: Any, plies: int, most: int, margin: float, after: Any
    ) -> None: ...
