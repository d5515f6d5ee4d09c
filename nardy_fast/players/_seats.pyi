from typing import Any

from nardy_fast.players._network import NetworkNative
from nardy_fast.rules import Ruleset

RANDOM: int
GREEDY: int
NETWORK: int

def has_queue(rules: str | Ruleset) -> bool: ...
def play_pairs(
    first: tuple[int, NetworkNative | None, float],
    second: tuple[int, NetworkNative | None, float],
    rules: str | Ruleset,
    seed: int,
    begin: int,
    scores: Any,
    turns: Any,
) -> None: ...
def choices(
    player: tuple[int, NetworkNative | None, float],
    boards: Any,
    dice: Any,
    turns: Any,
    pending: Any,
    rules: str | Ruleset,
    seed: int,
    after: Any,
    index: Any,
) -> None: ...
def score(boards: Any, rules: str | Ruleset, out: Any) -> None: ...
def find_ended(boards: Any, after: Any, movers: Any, rules: str | Ruleset, over: Any, scored: Any) -> None: ...
