"""Whether the environments' single steps reach exactly what `Position.plays` lists, on positions of random games.

    python tools/check_micro_steps.py [POSITIONS [PRESET ...]]

Every preset unless some are named. It prints a line for each, and stops with the first position that differs.
"""

from __future__ import annotations

import sys

import numpy as np

import nardy_fast as nf
from nardy_fast.envs import _tables


def put(tables: _tables.Tables, position: nf.Position, dice: tuple[int, int] | None) -> None:
    """Set the first table up as the position, these dice having been thrown."""
    pending = np.zeros(28, np.int8) if position.pending is None else position.pending.to_row()
    tables.put(0, position.board[None], position.turn, pending[None])
    if dice is not None:
        tables.roll(0, max(dice), min(dice))


def what_follows(tables: _tables.Tables) -> tuple[bytes, int, bytes]:
    """The board at the turn's start, who plays, and what is pending."""
    boards, pending = np.empty((2, 2, 26), np.int8), np.empty((1, 28), np.int8)
    tables.boards(0, boards)
    tables.pending(0, pending)
    return boards[0].tobytes(), tables.turn(0), pending.tobytes()


def reached(tables: _tables.Tables) -> set[tuple[bytes, int, bytes]]:
    """Where all ways to play the turn lead."""
    found: set[tuple[bytes, int, bytes]] = set()
    known: set[tuple[object, ...]] = set()
    boards = np.empty((2, 2, 26), np.int8)
    ways = [tables]
    while ways:
        table = ways.pop()
        for action in table.actions(0):
            after = table.copy()
            played = len(table.steps(0))
            assert after.act(0, action)
            if after.phase(0) == _tables.STEP and len(after.steps(0)) == played + 1:
                after.boards(0, boards)
                state = (boards[1].tobytes(), tuple(sorted(step[2] for step in after.steps(0))))
                if state not in known:
                    known.add(state)
                    ways.append(after)
            else:
                found.add(what_follows(after))
    return found


def expected(position: nf.Position, dice: tuple[int, int] | None) -> set[tuple[bytes, int, bytes]]:
    """The same by `Position.plays`; in Acey-Deucey a 1-2, played in full, is still its player's turn."""
    found = set()
    for play in position.plays(dice):
        after = play.afterstate
        board, turn = after.board, after.turn
        again = not position.rules.bar_first and play.dice == (2, 1) and len(play.steps) == 2 and not after.is_over
        if again:
            board, turn = board[::-1], position.turn
        pending = np.zeros(28, np.int8) if after.pending is None else after.pending.to_row()
        found.add((board.tobytes(), turn, pending.tobytes()))
    return found


def check(rules: str, positions: int, seed: int = 1) -> int:
    """So many positions of random games; how many ends of turns were compared. `AssertionError` where something differs."""
    rng = np.random.default_rng(seed)
    tables = _tables.Tables(1, rules)
    position, compared = nf.Position.start(rules), 0
    for _ in range(positions):
        dice = None
        if position.pending is None:
            dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        put(tables, position, dice)
        assert tables.dice(0) == (tuple(sorted(dice, reverse=True)) if dice else position.pending.stages[0].dice)
        wanted = expected(position, dice)
        assert reached(tables) == wanted, f"{rules}: {position} {dice}"
        compared += len(wanted)
        plays = position.plays(dice)
        position = plays[rng.integers(len(plays))].afterstate
        if position.is_over:
            position = nf.Position.start(rules)
    return compared


def main(positions: str = "10000", *presets: str) -> None:
    for rules in presets or nf.RULESETS:
        print(f"{rules}: {check(rules, int(positions)):,} plays of {int(positions):,} positions", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
