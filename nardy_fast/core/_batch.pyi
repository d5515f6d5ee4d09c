from typing import Any, final

import numpy as np
from numpy.typing import NDArray

# One thread's share of a batch call: nardy_fast.batch is the API.

SHARD: int

@final
class Rows: ...

def alone(boards: Any, threads: Any, executor: Any) -> bool: ...
def validate(boards: Any, rules: Any) -> list[tuple[int, str]]: ...
def count_plays(boards: Any, dice: Any, turns: Any, rules: Any, out: Any, check: bool, work: bool) -> None: ...
def afterstates(
    boards: Any, dice: Any, turns: Any, rules: Any, out: Any, plays: bool, check: bool
) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int8] | None]: ...
def list_afterstates(boards: Any, dice: Any, turns: Any, rules: Any, out: Any, plays: Any, check: bool, work: bool) -> None: ...
def apply_plays(boards: Any, plays: Any, dice: Any, turns: Any, rules: Any, out: Any, check: bool, work: bool) -> None: ...
def flip(boards: Any, out: Any, check: bool, work: bool) -> None: ...
def pips(boards: Any, out: Any, check: bool, work: bool) -> None: ...
def find_over(boards: Any, turns: Any, rules: Any, out: Any, check: bool, work: bool) -> None: ...
def random_step(
    boards: Any,
    turns: Any,
    bit_generator: Any,
    rules: Any,
    restart: bool,
    out: Any,
    dice: Any,
    ended: Any,
    scored: Any,
    next_turns: Any,
    check: bool,
    work: bool,
) -> None: ...
