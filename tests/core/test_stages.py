"""The stage variants in the native core: the reference's in games, on made positions and under random rules; long lists."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import Any

import comparison
import numpy as np
import pytest
import strategies

import nardy_fast as nf
from nardy_fast import reference
from nardy_fast.positions import Pending
from nardy_fast.rules import ROLLS, Ruleset, ruleset

VARIANTS = ("kaftar", "one_six", "kabutar", "astrogon", "even_odd", "gulbar", "mad_gulbar", "mad_nardy", "mad_fevga")
COMPARED = (*VARIANTS, "greek_fevga")


def told(play: Any) -> tuple[Any, ...]:
    return play.dice, play.stage, play.left, play.steps, play.afterstate.board.tobytes(), str(play.afterstate)


def compare_stage(position: Any, dice: tuple[int, int] | None) -> list[Any]:
    """The native plays of a stage, which are the reference's."""
    twin = reference.Position(position.board, position.turn, position.rules, position.pending)
    plays = position.plays(dice)
    assert [told(play) for play in plays] == [told(play) for play in twin.plays(dice)], (str(position), dice, position.rules)
    assert position.count_plays(dice) == len(plays)
    after = [play.afterstate for play in plays]
    boards = [one.board if one.turn == position.turn else one.board[::-1] for one in after]
    for listed in (position.afterstates(dice), twin.afterstates(dice)):
        assert listed.tobytes() == b"".join(board.tobytes() for board in boards), (str(position), dice, position.rules)
    assert (position.is_over, position.winner) == (twin.is_over, twin.winner)
    return plays


def compare_steps(position: Any, dice: tuple[int, int] | None, rng: random.Random) -> None:
    """That a stage in the making goes on and is refused as in the reference."""
    twin = reference.Position(position.board, position.turn, position.rules, position.pending)
    played: tuple[Any, ...] = ()
    while True:
        steps = position.next_steps(dice, played)
        assert steps == twin.next_steps(dice, played), (str(position), dice, played, position.rules)
        for _ in range(12):
            source, die = rng.choice((1, 1, rng.randint(0, 24))), rng.randint(1, 6)
            step = rng.choice(((source, die), (source, min(source + die, 25), die), (1, 25 - die, die)))
            answers = [comparison.answer(partial(one.why_not, dice, step, played)) for one in (position, twin)]
            assert answers[0] == answers[1], (str(position), dice, played, step, position.rules)
        if not steps:
            return
        played = (*played, rng.choice(steps))


def compare_games(rules: str | Ruleset, stages: int, seed: int, turns_of: int) -> None:
    """Compare so many stages of random games, and within every `turns_of`-th the steps."""
    rng = random.Random(seed)
    compared = 0
    while compared < stages:
        position = nf.Position.start(rules)
        for _ in range(400):
            if position.is_over or compared == stages:
                break
            dice = None if position.pending else (rng.randint(1, 6), rng.randint(1, 6))
            plays = compare_stage(position, dice)
            if compared % turns_of == 0:
                compare_steps(position, dice, rng)
            compared += 1
            position = rng.choice(plays).afterstate


@pytest.mark.parametrize("name", COMPARED)
def test_stages_of_random_games_are_the_reference_s(name: str) -> None:
    compare_games(name, 150, seed=5, turns_of=30)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPARED)
def test_many_stages_of_random_games_are_the_reference_s(name: str) -> None:
    compare_games(name, 500, seed=6, turns_of=100)


@pytest.mark.parametrize("name", COMPARED)
def test_stages_of_made_positions_are_the_reference_s(name: str) -> None:
    for position, dice in strategies.made_positions(nf.Position, ruleset(name), 60, seed=8):
        compare_stage(position, dice)


@pytest.mark.parametrize("part", range(6))
def test_stages_under_random_rules_are_the_reference_s(part: int) -> None:
    rng = random.Random(43)
    rules = [strategies.random_stage_ruleset(rng) for _ in range(300)]
    for number in range(part, 300, 6):
        compare_games(rules[number], 8, seed=number, turns_of=8)


# Lists that are longer than a play set keeps


def lone_checkers() -> nf.Position:
    """Fifteen lone checkers of White, with nothing of Black's before them."""
    board = np.zeros((2, 26), np.int8)
    board[0, 1:16] = 1
    board[1, 12] = 15  # White's slot 24
    return nf.Position(board, rules=replace(ruleset("astrogon"), block_rule="free", head_limit=None, head_exception="none"))


def test_five_and_six_dice_may_have_more_plays_than_a_play_set_keeps() -> None:
    position = lone_checkers()
    plays = position.plays((6, 6))
    boards = {play.afterstate.board.tobytes() for play in plays}
    assert len(boards) == len(plays) == position.count_plays((6, 6)) > 3060
    found = nf.batch.afterstates(position.board[None], (6, 6), position.rules, plays=True)
    assert {board[::-1].tobytes() for board in found.boards} == boards
    after = nf.batch.apply(np.repeat(position.board[None], len(plays), axis=0), found.plays, (6, 6), position.rules, check=False)
    assert np.array_equal(after, found.boards[:, ::-1])


# Counting, perft and random games


@pytest.mark.parametrize("name", VARIANTS)
def test_perft_sums_the_plays_of_the_stages(name: str) -> None:
    start = nf.Position.start(name)
    total = 0
    for dice, _ in ROLLS:
        for play in start.plays(dice):
            after = play.afterstate
            total += after.count_plays() if after.pending else sum(after.count_plays(roll) for roll, _ in ROLLS)
    assert nf.perft(start, 2) == total


@pytest.mark.parametrize(
    ("name", "leaves"),
    [
        ("kaftar", 36_002),
        ("one_six", 536_488),
        ("kabutar", 25_455),
        ("astrogon", 21_250),
        ("even_odd", 11_785),
        ("gulbar", 61_102),
        ("mad_gulbar", 15_570),
        ("mad_nardy", 15_412),
        ("mad_fevga", 8_343),
    ],
)
def test_perft_of_three_stages(name: str, leaves: int) -> None:
    assert nf.perft(nf.Position.start(name), 3) == leaves


@pytest.mark.parametrize("name", VARIANTS)
def test_random_games_end_and_begin_anew_the_same(name: str) -> None:
    games = nf.simulate(3000, name, seed=4, threads=1)
    assert games == nf.simulate(3000, name, seed=4, threads=2)
    assert games.turns.min() >= 15
    frozen = not ruleset(name).home_steps
    assert (games.winner < 0).mean() <= 0.01 * frozen
    assert set(games.points[games.winner >= 0].tolist()) == {1, 2}


def test_dead_positions_are_draws_without_points() -> None:
    games = nf.simulate(10_000, "mad_nardy", seed=1)
    draws = games.winner < 0
    assert draws.any()
    assert not games.points[draws].any()


def test_games_may_start_with_a_stage_pending() -> None:
    start = nf.Position.parse("24:14,4:1 12:14,8:1 w w444*,b5555,b6666:0/1", "mad_nardy")
    games = nf.simulate(200, "mad_nardy", seed=1, start=start)
    assert games.turns.min() > 5


# Batches


def batch_of(name: str, rows: int = 300) -> tuple[list[nf.Position], np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Positions of random games with dice, whose turn it is and what is pending."""
    rng = random.Random(name)
    positions: list[nf.Position] = []
    while len(positions) < rows:
        position = nf.Position.start(name)
        while not position.is_over:
            positions.append(position)
            dice = None if position.pending else (rng.randint(1, 6), rng.randint(1, 6))
            position = rng.choice(position.plays(dice)).afterstate
    positions = rng.sample(positions, rows)
    boards = np.array([position.board for position in positions])
    dice = np.array([(rng.randint(1, 6), rng.randint(1, 6)) for _ in positions], np.int8)
    turns = np.array([position.turn for position in positions], np.int8)
    pending = np.zeros((rows, 28), np.int8)
    for row, position in enumerate(positions):
        if position.pending is not None:
            pending[row] = position.pending.to_row()
    return positions, boards, dice, turns, pending


def state(board: np.ndarray, turn: int, pending: np.ndarray) -> tuple[bytes, int, bytes]:
    return board.tobytes(), int(turn), pending.tobytes()


def state_of(position: nf.Position) -> tuple[bytes, int, bytes]:
    row = np.zeros(28, np.int8) if position.pending is None else position.pending.to_row()
    return state(position.board, position.turn, row)


@pytest.mark.parametrize("name", VARIANTS)
def test_batches_list_and_make_what_positions_do(name: str) -> None:
    positions, boards, dice, turns, pending = batch_of(name)
    queue = {"pending": pending} if ruleset(name).has_queue else {}
    given = {"turns": turns, **queue}
    plays = [
        position.plays(None if position.pending else tuple(pair)) for position, pair in zip(positions, dice.tolist(), strict=True)
    ]
    counts = nf.batch.count_plays(boards, dice, name, **given)
    assert counts.tolist() == [len(each) for each in plays]
    found = nf.batch.afterstates(boards, dice, name, plays=True, **given)
    assert found.offsets[1:].tolist() == np.cumsum(counts).tolist()
    owner = np.repeat(np.arange(len(boards)), counts)
    next_turns, next_pending = np.empty(len(owner), np.int8), np.empty((len(owner), 28), np.int8)
    spread = {key: value[owner] for key, value in given.items()}
    after = nf.batch.apply(
        boards[owner], found.plays, dice[owner], name, out_turns=next_turns, out_pending=next_pending, **spread
    )
    states = [state(*each) for each in zip(after, next_turns, next_pending, strict=True)]
    expected = [state_of(play.afterstate) for each in plays for play in each]
    for row in range(len(boards)):
        rows = slice(found.offsets[row], found.offsets[row + 1])
        assert sorted(states[rows]) == sorted(expected[rows])
    if found.pending is not None:
        assert np.array_equal(found.pending, next_pending)
        assert np.array_equal(found.turns, next_turns)


@pytest.mark.parametrize("name", VARIANTS)
def test_random_steps_go_from_stage_to_stage(name: str) -> None:
    rng = np.random.default_rng(3)
    rules = ruleset(name)
    boards = np.repeat(nf.Position.start(name).board[None], 200, axis=0)
    turns, pending = np.zeros(200, np.int8), None
    for _ in range(60):
        step = nf.batch.random_step(boards, rng, name, turns=turns, pending=pending, restart=True)
        for row in range(0, 200, 40):
            waiting = None if pending is None else Pending.from_row(pending[row])
            before = nf.Position(boards[row], int(turns[row]), name, waiting)
            dice = None if waiting else tuple(step.dice[row].tolist())
            after = {state_of(play.afterstate) for play in before.plays(dice)}
            nothing = np.zeros(28, np.int8)
            found = state(step.boards[row], step.turns[row], nothing if step.pending is None else step.pending[row])
            assert step.ended[row] or found in after
        boards, turns, pending = step.boards, step.turns, step.pending
    assert (pending is not None) is rules.has_queue


def test_the_dice_of_a_stage_may_be_asked_about() -> None:
    boards = nf.Position.start("mad_gulbar").board[None].repeat(3, axis=0)
    stage = np.array([[4, 0, 0, 0, 0, 0], [6, 5, 0, 0, 0, 0], [6, 6, 6, 0, 0, 0]], np.int8)
    assert nf.batch.count_plays(boards, None, "mad_gulbar", stage=stage).tolist() == [1, 1, 1]
    after = nf.batch.afterstates(boards, None, "mad_gulbar", stage=stage, heads=np.array([0, 0, 0], np.int8), plays=True)
    assert after.boards[:, 0, 1].tolist() == [14, 14, 13]  # the first three sixes may take two
    closed = nf.batch.afterstates(boards, None, "mad_gulbar", stage=stage, heads=np.array([1, 1, 2], np.int8))
    assert closed.boards[:, 0, 1].tolist() == [15, 15, 15]
    stage[1] = [6, 5, 4, 0, 0, 0]
    with pytest.raises(ValueError, match=r"^stage\[1\] = \(6, 5, 4, 0, 0, 0\): expected one die"):
        nf.batch.count_plays(boards, None, "mad_gulbar", stage=stage)


def test_where_it_matters_whose_turn_it_is_batches_ask() -> None:
    boards = nf.Position.start("even_odd").board[None].copy()
    with pytest.raises(ValueError, match=r"^turns = None: by the rules 'even_odd' it matters whose turn it is$"):
        nf.batch.count_plays(boards, (6, 5), "even_odd")
    assert nf.batch.count_plays(boards, (6, 5), "even_odd", turns=np.ones(1, np.int8)).tolist() == [1]
    with pytest.raises(ValueError, match=r"^turns = None"):
        nf.batch.random_step(boards, np.random.default_rng(1), "gulbar")


def test_what_cannot_be_pending_is_refused_with_the_row() -> None:
    boards = nf.Position.start("gulbar").board[None].repeat(2, axis=0)
    pending = np.zeros((2, 28), np.int8)
    pending[1, :8] = 0, 0, 0, 1, 0, 5, 1, 0  # a stage of the thrower's own
    with pytest.raises(
        ValueError, match=r"^pending\[1\]: pending: stage 1, White's 5: a throw has one stage, which does not wait$"
    ):
        nf.batch.count_plays(boards, (6, 5), "gulbar", turns=np.zeros(2, np.int8), pending=pending)
