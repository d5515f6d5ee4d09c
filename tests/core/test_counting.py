"""Counting equals listing: as many afterstates are counted as are written, and those are all different.

Most rolls are counted without being listed, by sets of slots alone. What is listed goes, a row at a time, to memory that holds no
board yet, so that it shows how many boards were written, whatever number had been counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from usual_rulesets import USUAL_RULESETS

from nardy_fast import Position, batch
from nardy_fast.rules import ROLLS, Ruleset

Boards = NDArray[np.int8]

#: No slot holds so many checkers.
NOTHING = -1
#: More boards than any roll can lead to.
MOST = 3061

#: Slots weighed by these, modulo 2**64, tell boards apart, but for one pair in 2**63.
WEIGHTS = np.random.default_rng(1).integers(1, 2**63, 52, np.uint64) | np.uint64(1)


def faults(boards: Boards, dice: Any, turns: Any, rules: Ruleset) -> list[str]:
    """What is wrong with the counts, or with the lists, of some rows."""
    counts = batch.count_plays(boards, dice, rules, turns=turns)
    room = np.full((int(counts.sum()) + MOST, 2, 26), NOTHING, np.int8)
    ends = np.empty(len(boards), np.int64)
    found: list[str] = []
    begin = end = 0
    for row in range(len(boards)):
        one = slice(row, row + 1)
        batch.afterstates(boards[one], dice[one], rules, out=room[end : end + MOST], turns=turns[one], check=False)
        begin, end = end, end + int(counts[row])
        ends[row] = end
        if room[end, 0, 0] != NOTHING or (end > begin and room[end - 1, 0, 0] == NOTHING):
            written = np.flatnonzero(room[begin:, 0, 0] == NOTHING)[0]
            found.append(f"{counts[row]} counted, {written} listed: {told(boards[row], dice[row], turns[row], rules)}")
            room[end:] = NOTHING
    owners = np.repeat(np.arange(len(boards), dtype=np.uint64), counts)
    keys = room[:end].reshape(-1, 52).view(np.uint8) @ WEIGHTS + owners * np.uint64(0x9E3779B97F4A7C15)
    if len(np.unique(keys)) < len(keys):
        for row, (begin, end) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)):
            different = len({board.tobytes() for board in room[begin:end]})
            if different < end - begin:
                place = told(boards[row], dice[row], turns[row], rules)
                found.append(f"{end - begin} listed, {different} of them different: {place}")
    return found


def told(board: Boards, dice: Any, turn: int, rules: Ruleset) -> str:
    return f"{Position(board, int(turn), rules)} {dice[0]}-{dice[1]} under {rules.name}"


def played(name: str, games: int, turns_each: int, seed: int) -> tuple[Boards, Boards, Boards]:
    """Boards, dice and whose turn it is, from random games: `games` at once, a row for each turn."""
    rng = np.random.default_rng(seed)
    boards = np.repeat(Position.start(name).board[None], games, axis=0)
    turns = np.zeros(games, np.int8)
    seen = []
    for _ in range(turns_each):
        seen.append((boards, rng.integers(1, 7, (games, 2), np.int8), turns))
        step = batch.random_step(boards, rng, name, restart=True, turns=turns)
        assert step.turns is not None
        boards, turns = step.boards, step.turns
    boards, dice, turns = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    return boards, dice, turns


@pytest.mark.parametrize("name", USUAL_RULESETS)
def test_counting_is_listing_on_some_random_positions(name: str) -> None:
    boards, dice, turns = played(name, 20, 110, seed=1)
    assert faults(boards, dice, turns, USUAL_RULESETS[name]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", USUAL_RULESETS)
def test_counting_is_listing_on_a_million_random_positions(name: str) -> None:
    # A million over all the presets.
    rows = 0
    for seed in range(25):
        boards, dice, turns = played(name, 25, 100, seed)
        assert faults(boards, dice, turns, USUAL_RULESETS[name]) == []
        rows += len(boards)
    assert rows * len(USUAL_RULESETS) >= 1_000_000


@pytest.mark.parametrize("name", USUAL_RULESETS)
def test_counting_is_listing_on_many_made_positions(name: str) -> None:
    pairs = list(strategies.made_positions(Position, USUAL_RULESETS[name], 500, seed=3))
    boards = np.array([position.board for position, _ in pairs])
    dice = np.array([roll for _, roll in pairs], np.int8)
    turns = np.array([position.turn for position, _ in pairs], np.int8)
    assert faults(boards, dice, turns, USUAL_RULESETS[name]) == []


@pytest.mark.parametrize("name", USUAL_RULESETS)
@settings(max_examples=60)
@given(st.data())
def test_counting_is_listing_on_made_positions_with_every_roll(name: str, data: st.DataObject) -> None:
    board = np.array(data.draw(strategies.rows(USUAL_RULESETS[name])), np.int8)
    turn = data.draw(st.integers(0, 1))
    boards = np.repeat(board[None], len(ROLLS), axis=0)
    dice = np.array([roll for roll, _ in ROLLS], np.int8)
    assert faults(boards, dice, np.full(len(ROLLS), turn, np.int8), USUAL_RULESETS[name]) == []


def test_a_wrong_count_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    boards, dice, turns = played("long", 5, 30, seed=1)
    count = batch.count_plays

    def wrong(boards: Boards, *others: Any, **options: Any) -> NDArray[np.int32]:
        counts = count(boards, *others, **options)
        counts[0] += len(boards) > 1
        return counts

    monkeypatch.setattr(batch, "count_plays", wrong)
    first = faults(boards, dice, turns, USUAL_RULESETS["long"])[0]
    right = count(boards[:1], dice[:1])[0]
    assert first.startswith(f"{right + 1} counted, {right} listed: 24:15 12:15 w")


def test_a_board_listed_twice_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = np.repeat(Position.parse("24:10,20:2,15:2,9:1 12:11,7:2,3:1,1:1 w").board[None], 2, axis=0)
    listed = batch.afterstates

    def doubled(*arguments: Any, **options: Any) -> batch.Afterstates:
        found = listed(*arguments, **options)
        found.boards[1] = found.boards[0]
        return found

    monkeypatch.setattr(batch, "afterstates", doubled)
    dice = np.full((2, 2), (6, 5), np.int8)
    found = faults(boards, dice, np.zeros(2, np.int8), USUAL_RULESETS["long"])
    count = batch.count_plays(boards, dice)[0]
    assert [fault.partition(":")[0] for fault in found] == [f"{count} listed, {count - 1} of them different"] * 2
