import numpy as np
from numpy.typing import NDArray

class Solver:
    def __init__(self, points: int, exact: bool, stack_limit: int, partials: NDArray[np.int32]) -> None: ...
    def targets(self, number: int, die: int) -> list[int]: ...
    def expect(
        self, turn: float, first: bool, costs: NDArray[np.float64], best: NDArray[np.int32], begin: int, end: int
    ) -> None: ...
    def within(self, before: NDArray[np.float64], costs: NDArray[np.float64], begin: int, end: int) -> None: ...

def one_turn_more(
    best: NDArray[np.int32],
    first: bool,
    points: int,
    before: NDArray[np.float64],
    chances: NDArray[np.float64],
    begin: int,
    end: int,
) -> None: ...
def mark_certain(chances: NDArray[np.float64], turns: int, last: NDArray[np.uint16]) -> int: ...
def store_turn(
    chances: NDArray[np.float64],
    turns: int,
    first: bool,
    points: int,
    last: NDArray[np.uint16],
    offsets: NDArray[np.uint32],
    stored: NDArray[np.uint32],
    rows: NDArray[np.uint32],
) -> None: ...
def row_begin(checkers: int, first: bool) -> int: ...
