"""nardy_fast.batch: what it makes of arrays of boards is what `Position` makes of each board; what it cannot take, it refuses."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import oracle
import pytest
import strategies
from numpy.typing import NDArray
from usual_rulesets import USUAL_RULESETS

from nardy_fast import Position, batch
from nardy_fast.reasons import Reason
from nardy_fast.rules import ROLLS, ruleset

Array = NDArray[Any]

PRESETS = list(USUAL_RULESETS)
LONG_START = Position.start("long").board
UNUSED = (-1, -1, 0)


class Sample(NamedTuple):
    """Positions of a preset, with a roll each: as objects and as arrays."""

    positions: list[Position]
    boards: Array
    dice: Array
    turns: Array


def arrays_of(positions: list[Position], rolls: list[tuple[int, int]]) -> Sample:
    """The arrays are read-only, so that any batch call that writes to its input fails."""
    boards = np.array([position.board for position in positions])
    dice, turns = np.array(rolls, np.int8), np.array([position.turn for position in positions], np.int8)
    for array in (boards, dice, turns):
        array.flags.writeable = False
    return Sample(positions, boards, dice, turns)


@cache
def sample(name: str) -> Sample:
    """Positions from random games, and made ones, finished games among them."""
    rules = USUAL_RULESETS[name]
    pairs = [(position, roll) for position, roll, _ in strategies.random_games(Position, rules, 150, seed=11)]
    pairs += strategies.made_positions(Position, rules, 100, seed=12)
    ended = "- 18:2 b" if rules.road == "parallel" else "- 20:2 b"
    pairs += [(Position.parse(ended, rules), (3, 3)), (Position.parse(ended.replace("b", "w"), rules), (6, 5))]
    return arrays_of(*(list(column) for column in zip(*pairs, strict=True)))


@cache
def many(name: str = "long", rows: int = 3 * batch.SHARD + 77) -> Sample:
    """So many rows of random games that several threads have something to do."""
    rng = np.random.default_rng(5)
    boards = np.repeat(Position.start(name).board[None], rows, axis=0)
    turns = np.zeros(rows, np.int8)
    for number in range(60):
        stepping = slice(number * rows // 60, rows)  # games of all ages
        step = batch.random_step(boards[stepping], rng, name, restart=True, turns=turns[stepping])
        assert step.turns is not None
        boards[stepping], turns[stepping] = step.boards, step.turns
    dice = rng.integers(1, 7, (rows, 2), np.int8)
    for array in (boards, dice, turns):
        array.flags.writeable = False
    return Sample([], boards, dice, turns)


def rows_of(found: batch.Afterstates, row: int) -> list[bytes]:
    return [board.tobytes() for board in found.boards[found.offsets[row] : found.offsets[row + 1]]]


def same(some: Any, others: Any) -> bool:
    """Whether the arrays of two results are the same, their kinds too."""
    return [array_key(array) for array in some] == [array_key(array) for array in others]


def array_key(array: Any) -> Any:
    return None if array is None else (array.dtype, array.shape, array.tobytes())


def steps_in_full(steps: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Steps (from, die) as (from, to, die), six with the unused ones."""
    return [*((source, min(source + die, 25), die) for source, die in steps), *[UNUSED] * (6 - len(steps))]


def swapped(board: Array) -> bytes:
    """The board as the other player sees it."""
    return board[::-1].tobytes()


def steps_array(plays: list[Any]) -> Array:
    """`Play`s as batch calls take them."""
    steps = np.tile(np.array(UNUSED, np.int8), (len(plays), 6, 1))
    for row, play in enumerate(plays):
        for column, step in enumerate(play.steps):
            steps[row, column] = step
    return steps


# Agreement with Position


@pytest.mark.parametrize("name", PRESETS)
def test_counts_are_those_of_each_position(name: str) -> None:
    positions, boards, dice, turns = sample(name)
    counts = batch.count_plays(boards, dice, name, turns=turns)
    assert counts.dtype == np.int32
    expected = [position.count_plays((int(a), int(b))) for position, (a, b) in zip(positions, dice, strict=True)]
    assert counts.tolist() == expected
    assert 0 in expected, "no finished game among them"


@pytest.mark.parametrize("name", PRESETS)
def test_afterstates_are_those_of_each_position_and_each_once(name: str) -> None:
    positions, boards, dice, turns = sample(name)
    found = batch.afterstates(boards, dice, name, turns=turns)
    assert found.plays is None
    assert found.boards.dtype == np.int8
    assert found.offsets.dtype == np.int64
    assert found.boards.shape == (found.offsets[-1], 2, 26)
    for row, (position, (high, low)) in enumerate(zip(positions, dice.tolist(), strict=True)):
        expected = sorted(swapped(play.afterstate.board) for play in position.plays((high, low)))
        assert sorted(rows_of(found, row)) == expected, f"{position} {high}-{low}"


@pytest.mark.parametrize("name", PRESETS)
def test_the_play_beside_each_afterstate_leads_to_it(name: str) -> None:
    _, boards, dice, turns = sample(name)
    found = batch.afterstates(boards, dice, name, plays=True, turns=turns)
    assert found.plays is not None
    assert found.plays.dtype == np.int8
    assert found.plays.shape == (len(found.boards), 6, 3)
    owner = np.repeat(np.arange(len(boards)), np.diff(found.offsets))
    after = batch.apply(boards[owner], found.plays, dice[owner], name, turns=turns[owner])
    assert np.array_equal(after, found.boards[:, ::-1])


@pytest.mark.parametrize("name", PRESETS)
def test_apply_is_that_of_each_position(name: str) -> None:
    positions, _, dice, _ = sample(name)
    rolls = [tuple(pair) for pair in dice.tolist()]
    cases = [
        (position, roll, play)
        for position, roll in zip(positions, rolls, strict=True)
        for play in position.plays(roll)[:: max(1, position.count_plays(roll) // 3)]
    ]
    given = arrays_of([position for position, _, _ in cases], [roll for _, roll, _ in cases])
    plays = steps_array([play for _, _, play in cases])
    after = batch.apply(given.boards, plays, given.dice, name, turns=given.turns)
    assert after.dtype == np.int8
    for board, (position, _, play) in zip(after, cases, strict=True):
        assert np.array_equal(board, position.apply(play).board), f"{position} {play}"


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_over_is_over_for_each_position(name: str) -> None:
    positions, boards, _, turns = sample(name)
    over = batch.is_over(boards, name, turns=turns)
    assert over.dtype == np.bool_
    assert over.tolist() == [position.is_over for position in positions]


@pytest.mark.parametrize("name", PRESETS)
def test_pips_are_those_of_each_position(name: str) -> None:
    positions, boards, _, _ = sample(name)
    pips = batch.pips(boards)
    assert pips.dtype == np.int32
    assert pips.shape == (len(boards), 2)
    assert [tuple(pair) for pair in pips.tolist()] == [position.pips for position in positions]


def test_flip_swaps_the_rows_of_each_board() -> None:
    boards = sample("long").boards
    flipped = batch.flip(boards)
    assert flipped.flags.c_contiguous
    assert np.array_equal(flipped, boards[:, ::-1])
    assert np.array_equal(batch.flip(flipped), boards)


@pytest.mark.parametrize("name", PRESETS)
def test_boards_of_positions_are_valid(name: str) -> None:
    assert batch.validate(sample(name).boards, name) == []


@pytest.mark.parametrize("name", PRESETS)
def test_validate_tells_of_each_board_what_position_says(name: str) -> None:
    rng = np.random.default_rng(3)
    boards = sample(name).boards.copy()
    for board in boards[::2]:  # move a checker to anywhere, or make one up
        row = rng.integers(2)
        board[row, rng.choice(np.flatnonzero(board[row]))] -= rng.integers(2)
        board[row, rng.integers(26)] += rng.choice([1, 1, 1, 14, -20])
    expected = []
    for number, board in enumerate(boards):
        try:
            Position(board, 0, name)
        except ValueError as error:
            expected.append((number, str(error)))
    assert batch.validate(boards, name) == expected
    assert len(expected) > 50


def test_rules_of_ones_own_are_taken_as_a_ruleset() -> None:
    _, boards, dice, turns = sample("arena")
    assert np.array_equal(
        batch.count_plays(boards, dice, ruleset("arena"), turns=turns),
        batch.count_plays(boards, dice, "arena", turns=turns),
    )


# Whose turn it is


LAST_ROLL = Position.parse("- 13:1 b", "federation")  # White has cleared, Black has a roll left and clears too


def test_a_last_roll_is_due_only_where_it_is_blacks_turn() -> None:
    boards = np.repeat(LAST_ROLL.board[None], 2, axis=0)
    turns = np.array([1, 0], np.int8)
    assert batch.is_over(boards, "federation", turns=turns).tolist() == [False, True]
    assert batch.count_plays(boards, (6, 5), "federation", turns=turns).tolist() == [1, 0]
    assert batch.afterstates(boards, (6, 5), "federation", turns=turns).offsets.tolist() == [0, 1, 1]


def test_without_turns_no_last_roll_is_due() -> None:
    boards = LAST_ROLL.board[None].copy()
    assert batch.is_over(boards, "federation").tolist() == [True]
    assert batch.count_plays(boards, (6, 5), "federation").tolist() == [0]
    step = batch.random_step(boards, np.random.default_rng(1), "federation")
    assert np.array_equal(step.boards, boards)
    assert step.turns is None


def test_a_last_roll_is_played_and_may_end_in_a_draw() -> None:
    boards = LAST_ROLL.board[None].copy()
    step = batch.random_step(boards, np.random.default_rng(1), "federation", turns=np.array([1], np.int8))
    assert (step.ended.tolist(), step.points.tolist()) == ([True], [0])
    assert step.boards[0, :, 25].tolist() == [15, 15]
    assert step.turns is not None
    assert step.turns.tolist() == [0]


def test_a_last_roll_in_vain_gives_the_points_to_the_opponent() -> None:
    boards = Position.parse("- 18:15 b", "federation").board[None].copy()
    step = batch.random_step(boards, np.random.default_rng(1), "federation", turns=np.array([1], np.int8))
    assert (step.ended.tolist(), step.points.tolist()) == ([True], [-2])


# random_step


@pytest.mark.parametrize("name", PRESETS)
def test_a_random_step_is_a_play_of_its_dice(name: str) -> None:
    positions, boards, _, turns = sample(name)
    step = batch.random_step(boards, np.random.default_rng(8), name, turns=turns)
    rules = ruleset(name)
    assert [array.dtype for array in step if array is not None] == [np.int8, np.int8, np.bool_, np.int8, np.int8]
    assert step.turns is not None
    for row, position in enumerate(positions):
        after, (high, low) = step.boards[row].tobytes(), step.dice[row].tolist()
        if position.is_over:
            assert after == position.board.tobytes()
            assert ((high, low), step.ended[row], step.points[row], step.turns[row]) == ((0, 0), False, 0, position.turn)
            continue
        assert 6 >= high >= low >= 1
        assert after in [play.afterstate.board.tobytes() for play in position.plays((high, low))], f"{position} {high}-{low}"
        reached = Position(step.boards[row], 1 - position.turn, rules)
        assert step.turns[row] == 1 - position.turn
        assert step.ended[row] == reached.is_over, f"{position} {high}-{low}"
        if not reached.is_over:
            assert step.points[row] == 0
        elif reached.winner is not None:
            won = reached.winner == position.turn
            # By draw_only a last roll in vain leaves the points as they stood.
            judged = position.board[0] if not won and rules.last_roll == "draw_only" else reached.board[0 if won else 1]
            winners = reached.board[1 if won else 0]
            points = oracle.points(winners.tolist(), judged.tolist(), rules)
            assert step.points[row] == (points if won else -points), f"{position} {high}-{low}"


def test_a_random_step_is_an_even_choice_of_dice_and_afterstates() -> None:
    position = Position.parse("24:10,20:2,15:2,9:1 12:11,7:2,3:1,1:1 w", "long")
    rows = 60_000
    step = batch.random_step(np.repeat(position.board[None], rows, axis=0), np.random.default_rng(2))
    thrown: dict[tuple[int, int], list[bytes]] = {}
    for dice, board in zip(step.dice.tolist(), step.boards, strict=True):
        thrown.setdefault((dice[0], dice[1]), []).append(board.tobytes())
    assert thrown.keys() == {dice for dice, _ in ROLLS}
    for dice, weight in ROLLS:
        boards = thrown[dice]
        share = weight / 36
        assert abs(len(boards) - rows * share) < 4.5 * (rows * share * (1 - share)) ** 0.5
        plays = position.plays(dice)
        share = 1 / len(plays)
        for play in plays:
            count = boards.count(play.afterstate.board.tobytes())
            assert abs(count - len(boards) * share) <= 4.5 * (len(boards) * share * (1 - share)) ** 0.5, f"{dice} {play}"


@pytest.mark.parametrize(("name", "doubles"), [("long", True), ("short", False)])
def test_the_first_dice_follow_the_rules(name: str, doubles: bool) -> None:
    starts = np.repeat(Position.start(name).board[None], 2000, axis=0)
    dice = batch.random_step(starts, np.random.default_rng(4), name).dice
    assert bool((dice[:, 0] == dice[:, 1]).any()) is doubles


@pytest.mark.parametrize("name", ["long", "short"])
def test_a_game_that_has_ended_stays_or_is_followed_by_a_new_one(name: str) -> None:
    over = "- 18:2 w" if name == "long" else "6:2 - w"
    last = "1:1 13:1 w" if name == "long" else "1:1 6:1 w"
    start = Position.start(name).board
    boards = np.array([Position.parse(text, name).board for text in (over, last)] * 200)
    turns = np.zeros(len(boards), np.int8)
    staying = batch.random_step(boards, np.random.default_rng(4), name, turns=turns)
    assert np.array_equal(staying.boards[::2], boards[::2])
    assert staying.ended.tolist() == [False, True] * 200
    again = batch.random_step(boards, np.random.default_rng(4), name, turns=turns, restart=True)
    assert (again.boards == start).all()
    assert again.dice[::2].tolist() == [[0, 0]] * 200
    assert (again.dice[1::2] > 0).all()
    assert again.ended.tolist() == [False, True] * 200
    assert again.points.tolist() == [0, 1] * 200
    # White begins long nardy, the winner of a roll-off short nardy.
    assert set(np.asarray(again.turns).tolist()) == ({0} if name == "long" else {0, 1})


def test_the_numbers_come_from_rng_and_move_it_on() -> None:
    for boards in (sample("long").boards, many().boards):
        rng, same = np.random.default_rng(6), np.random.PCG64(6)
        first, second = (batch.random_step(boards, rng).boards for _ in range(2))
        assert np.array_equal(batch.random_step(boards, same).boards, first), "a Generator or its BitGenerator"
        assert not np.array_equal(first, second)
        assert not np.array_equal(first, batch.random_step(boards, np.random.default_rng(7)).boards)
        state = rng.bit_generator.state
        third = batch.random_step(boards, rng).boards
        rng.bit_generator.state = state
        assert np.array_equal(batch.random_step(boards, rng).boards, third)


def test_all_bit_generators_of_numpy_will_do() -> None:
    for kind in (np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64):
        steps = [[batch.random_step(many().boards, kind(1)).boards] for _ in range(2)]
        assert same(*steps)


# What the arrays may be


def count(boards: Any, dice: Any = None, **options: Any) -> Array:
    return batch.count_plays(boards, sample("long").dice if dice is None else dice, **options)


def test_dice_may_be_in_either_order() -> None:
    _, boards, dice, _ = sample("long")
    assert np.array_equal(count(boards), count(boards, np.ascontiguousarray(dice[:, ::-1])))
    assert np.array_equal(count(boards, (6, 2)), count(boards, (2, 6)))


@pytest.mark.parametrize("pair", [(5, 2), [5, 2], (np.int8(5), np.int64(2))])
def test_one_pair_of_dice_may_serve_all_rows(pair: Any) -> None:
    boards = sample("long").boards
    dice = np.tile(np.array([5, 2], np.int8), (len(boards), 1))
    assert np.array_equal(count(boards, pair), count(boards, dice))
    one, each = batch.afterstates(boards, pair, plays=True), batch.afterstates(boards, dice, plays=True)
    assert same(one, each)
    assert np.array_equal(count(many().boards, pair, threads=2), count(many().boards, np.tile(dice[:1], (len(many().boards), 1))))


def test_boards_may_be_a_memory_map(tmp_path: Path) -> None:
    boards, dice = many().boards, many().dice
    path = tmp_path / "boards.bin"
    path.write_bytes(boards.tobytes())
    mapped = np.memmap(path, np.int8, "r", shape=boards.shape)
    counts = batch.count_plays(boards, dice)
    assert np.array_equal(batch.count_plays(mapped, dice), counts)
    assert np.array_equal(batch.count_plays(mapped, dice, threads=2), counts)
    assert np.array_equal(batch.flip(mapped), batch.flip(boards))


def test_results_may_be_written_to_a_memory_map(tmp_path: Path) -> None:
    boards = sample("long").boards
    with (tmp_path / "out.bin").open("w+b") as file:
        file.truncate(boards.nbytes)
        with mmap.mmap(file.fileno(), 0) as mapped:
            out = np.frombuffer(mapped, np.int8).reshape(boards.shape)
            assert batch.flip(boards, out=out) is out
            del out
    assert (tmp_path / "out.bin").read_bytes() == batch.flip(boards).tobytes()


@pytest.mark.parametrize("rows", [50, 3 * batch.SHARD])
def test_anything_with_the_buffer_protocol_will_do(rows: int) -> None:
    boards, dice = many().boards[:rows], many().dice[:rows]
    views: Any = memoryview(boards), memoryview(dice)  # type: ignore[arg-type]
    counts = batch.count_plays(boards, dice)
    assert np.array_equal(batch.count_plays(*views), counts)
    assert np.array_equal(batch.count_plays(*views, threads=2), counts)
    out = np.empty(rows, np.int32)
    view: Any = memoryview(out)  # type: ignore[arg-type]
    batch.count_plays(*views, out=view, threads=2)
    assert np.array_equal(out, counts)
    parts = [part.boards for _, part in batch.iter_afterstates(*views, rows=rows // 3)]
    assert np.array_equal(np.concatenate(parts), batch.afterstates(boards, dice).boards)


@pytest.mark.parametrize("threads", [1, 3])
def test_empty_batches_give_empty_results(threads: int) -> None:
    boards, dice, turns, plays = (np.empty(shape, np.int8) for shape in ((0, 2, 26), (0, 2), (0,), (0, 6, 3)))
    assert batch.count_plays(boards, dice, turns=turns, threads=threads).shape == (0,)
    assert batch.count_plays(boards, (3, 3), threads=threads).shape == (0,)
    found = batch.afterstates(boards, dice, plays=True, threads=threads)
    assert (found.boards.shape, found.offsets.tolist()) == ((0, 2, 26), [0])
    assert found.plays is not None
    assert found.plays.shape == (0, 6, 3)
    assert list(batch.iter_afterstates(boards, dice, threads=threads)) == []
    assert batch.apply(boards, plays, dice, threads=threads).shape == (0, 2, 26)
    step = batch.random_step(boards, np.random.default_rng(1), turns=turns, threads=threads)
    assert [array.shape for array in step if array is not None] == [(0, 2, 26), (0, 2), (0,), (0,), (0,)]
    assert batch.is_over(boards, threads=threads).shape == (0,)
    assert batch.flip(boards, threads=threads).shape == (0, 2, 26)
    assert batch.pips(boards, threads=threads).shape == (0, 2)
    assert batch.validate(boards) == []


def test_a_batch_of_finished_games_has_no_afterstates() -> None:
    boards = np.repeat(Position.parse("- 18:2 b").board[None], 3, axis=0)
    assert batch.count_plays(boards, (3, 3)).tolist() == [0, 0, 0]
    found = batch.afterstates(boards, (3, 3), plays=True)
    assert (found.boards.shape, found.offsets.tolist()) == ((0, 2, 26), [0, 0, 0, 0])


def test_a_pass_leaves_the_board_and_has_no_steps() -> None:
    boards = Position.parse("24:15 19:1,18:1,12:13 w").board[None].copy()
    found = batch.afterstates(boards, (6, 5), plays=True)
    assert np.array_equal(found.boards, boards)
    assert found.plays is not None
    assert found.plays.tolist() == [[[-1, -1, 0]] * 6]
    assert np.array_equal(batch.apply(boards, found.plays, (6, 5)), boards[:, ::-1])


# out=


class Call(NamedTuple):
    """A batch call with `out`, on the first rows of `many()`: how it is called, and what `out` is to be."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    dtype: type[Any]
    shape: tuple[int, ...]


ROWS = 40


def calls(rows: int = ROWS) -> dict[str, Call]:
    boards, dice = many().boards[:rows], many().dice[:rows]
    plays = batch.afterstates(boards, dice, plays=True)
    first = plays.offsets[:-1]
    assert plays.plays is not None
    return {
        "count_plays": Call(batch.count_plays, (boards, dice), np.int32, (rows,)),
        "afterstates": Call(batch.afterstates, (boards, dice), np.int8, (int(plays.offsets[-1]), 2, 26)),
        "apply": Call(batch.apply, (boards, plays.plays[first], dice), np.int8, (rows, 2, 26)),
        "random_step": Call(batch.random_step, (boards, np.random.PCG64(3)), np.int8, (rows, 2, 26)),
        "is_over": Call(batch.is_over, (boards,), np.bool_, (rows,)),
        "flip": Call(batch.flip, (boards,), np.int8, (rows, 2, 26)),
        "pips": Call(batch.pips, (boards,), np.int32, (rows, 2)),
    }


CALLS = list(calls())
RETURNS_BOARDS = ["apply", "random_step", "flip"]
CHECKED = [name for name in CALLS if name not in ("flip", "pips")]


def main_result(found: Any) -> Array:
    """The array that `out` would be."""
    return found.boards if isinstance(found, batch.Afterstates | batch.Step) else found


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("rows", [1, ROWS, 2 * batch.SHARD])
def test_out_is_filled_with_what_would_be_returned_and_returned(name: str, threads: int, rows: int) -> None:
    call = calls(rows)[name]
    expected = main_result(call.function(*call.arguments))
    call = calls(rows)[name]  # random numbers begin again
    out = np.full(call.shape, 77, call.dtype)
    found = main_result(call.function(*call.arguments, out=out, threads=threads))
    assert found is out if name != "afterstates" else np.shares_memory(found, out)
    assert np.array_equal(out, expected)


def test_afterstates_fill_the_front_of_a_larger_out() -> None:
    boards, dice = many().boards[:ROWS], many().dice[:ROWS]
    expected = batch.afterstates(boards, dice, plays=True)
    out = np.full((len(expected.boards) + 9, 2, 26), 77, np.int8)
    found = batch.afterstates(boards, dice, out=out, plays=True)
    assert same(found, expected)
    assert np.shares_memory(found.boards, out)
    assert (out[len(expected.boards) :] == 77).all()


def test_too_small_an_out_for_afterstates_is_refused_with_the_number_needed() -> None:
    boards = Position.start().board[None].copy()
    out = np.full((0, 2, 26), 77, np.int8)
    with pytest.raises(ValueError, match=r"^out has room for 0 boards: expected 1 or more$"):
        batch.afterstates(boards, (6, 5), out=out)


def wrong_outs(name: str) -> dict[str, tuple[Array, type[Exception], str]]:
    """An `out` of each wrong kind, and the error for it."""
    _, _, dtype, shape = calls()[name]
    wanted = "(n, 2, 26)" if name == "afterstates" else str(shape)
    other = np.int64 if dtype is np.int32 else np.float32
    text = {np.int8: "int8", np.int32: "int32", np.bool_: "bool"}[dtype]
    longer = (shape[0] + 1, *shape[1:])
    wider = (*shape, 3)
    reversed_rows = np.full(shape, 77, dtype)[::-1]
    spread = np.full((2 * shape[0], *shape[1:]), 77, dtype)[::2]
    fixed = np.full(shape, 77, dtype)
    fixed.flags.writeable = False
    contiguous = "expected a C-contiguous array"
    found = {
        "dtype": (np.full(shape, 77, other), TypeError, f"out has dtype {np.dtype(other)}: expected {text}"),
        "shape": (np.full(wider, 77, dtype), ValueError, f"out has shape {wider}: expected {wanted}"),
        "rows": (np.full(longer, 77, dtype), ValueError, f"out has shape {longer}: expected {wanted}"),
        "backwards": (reversed_rows, ValueError, f"out has strides {reversed_rows.strides}: {contiguous}"),
        "spread": (spread, ValueError, f"out has strides {spread.strides}: {contiguous}"),
        "read-only": (fixed, ValueError, "out is read-only: expected an array to write to"),
    }
    if name == "afterstates":
        del found["rows"]
    return found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in CALLS for kind in wrong_outs(name)])
def test_a_wrong_out_is_refused_and_nothing_written(name: str, kind: str, threads: int) -> None:
    out, error, message = wrong_outs(name)[kind]
    before = out.copy()
    call = calls()[name]
    with pytest.raises(error) as caught:
        call.function(*call.arguments, out=out, threads=threads)
    assert str(caught.value) == message
    assert np.array_equal(out, before)


@pytest.mark.parametrize("name", CALLS)
def test_an_out_that_is_no_array_is_refused(name: str) -> None:
    call = calls()[name]
    with pytest.raises(TypeError, match=r"^out is a list: expected an array of (int8|int32|bool)$"):
        call.function(*call.arguments, out=[0] * ROWS)


def in_one_block(call: Call, place: str) -> tuple[list[Any], dict[str, Any], Array, Array]:
    """The arguments and options of a call, `out`, and all the memory: `out` begins over the end of the input of that name."""
    arguments = list(call.arguments)
    number = {"boards": 0, "dice": len(arguments) - 1, "plays": 1}.get(place)
    given = np.zeros(ROWS, np.int8) if number is None else arguments[number]
    size = int(np.prod(call.shape)) * np.dtype(call.dtype).itemsize
    first = (given.nbytes - 1) // 4 * 4
    memory = np.zeros(first + size, np.int8)
    moved = memory[: given.nbytes].reshape(given.shape)
    moved[:] = given
    if number is not None:
        arguments[number] = moved
    out = memory[first:].view(call.dtype).reshape(call.shape)
    return arguments, {"turns": moved} if number is None else {}, out, memory


OVERLAPS = [
    *((name, "boards") for name in CALLS),
    *((name, "dice") for name in ("count_plays", "afterstates", "apply")),
    *((name, "turns") for name in CHECKED),
    ("apply", "plays"),
]


@pytest.mark.parametrize(("name", "place"), OVERLAPS)
def test_an_out_over_an_input_is_refused_and_nothing_written(name: str, place: str) -> None:
    call = calls()[name]
    arguments, options, out, memory = in_one_block(call, place)
    before = memory.copy()
    with pytest.raises(ValueError, match=rf"^out overlaps {place}$"):
        call.function(*arguments, out=out, **options)
    assert np.array_equal(memory, before)


@pytest.mark.parametrize("name", RETURNS_BOARDS)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", [ROWS, 2 * batch.SHARD])
def test_boards_may_be_replaced_by_what_comes_of_them(name: str, threads: int, rows: int) -> None:
    call = calls(rows)[name]
    expected = main_result(call.function(*call.arguments))
    boards = call.arguments[0].copy()
    arguments = calls(rows)[name].arguments[1:]
    found = main_result(call.function(boards, *arguments, out=boards, threads=threads))
    assert found is boards
    assert np.array_equal(boards, expected)


# What is refused


def good(**changes: Any) -> dict[str, Any]:
    """Arguments for `count_plays`, some of them changed."""
    return {"boards": many().boards[:5], "dice": many().dice[:5]} | changes


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"boards": [[0] * 26] * 2}, TypeError, "boards is a list: expected an array of int8"),
        ({"boards": None}, TypeError, "boards is a NoneType: expected an array of int8"),
        ({"boards": many().boards[:5].astype(np.int16)}, TypeError, "boards has dtype int16: expected int8"),
        ({"boards": many().boards[:5].view(np.uint8)}, TypeError, "boards has dtype uint8: expected int8"),
        ({"boards": many().boards[:5].view(np.bool_)}, TypeError, "boards has dtype bool: expected int8"),
        ({"boards": many().boards[0]}, ValueError, "boards has shape (2, 26): expected (n, 2, 26)"),
        ({"boards": np.int8(3)}, ValueError, "boards has shape (): expected (n, 2, 26)"),
        ({"boards": many().boards[:5, :, :25].copy()}, ValueError, "boards has shape (5, 2, 25): expected (n, 2, 26)"),
        ({"boards": many().boards[:10:2]}, ValueError, "boards has strides (104, 26, 1): expected a C-contiguous array"),
        ({"boards": many().boards[:5, ::-1]}, ValueError, "boards has strides (52, -26, 1): expected a C-contiguous array"),
        (
            {"boards": np.asfortranarray(many().boards[:5])},
            ValueError,
            "boards has strides (1, 5, 10): expected a C-contiguous array",
        ),
        ({"dice": None}, TypeError, "dice is a NoneType: expected an array of int8"),
        ({"dice": "65"}, TypeError, "dice is a str: expected an array of int8"),
        ({"dice": many().dice[:5].astype(np.uint8)}, TypeError, "dice has dtype uint8: expected int8"),
        ({"dice": many().dice[:4]}, ValueError, "dice has shape (4, 2): expected (5, 2)"),
        ({"dice": many().dice[0]}, ValueError, "dice has shape (2,): expected (5, 2)"),
        ({"dice": many().dice[:10:2]}, ValueError, "dice has strides (4, 1): expected a C-contiguous array"),
        ({"dice": (6, 7)}, ValueError, "dice = (6, 7): a die shows 1..6"),
        ({"dice": (6, 5, 4)}, ValueError, "dice = (6, 5, 4): expected two dice"),
        ({"dice": (6, 5.0)}, TypeError, "dice = (6, 5.0): expected two integers 1..6"),
        (
            {"dice": [[6, 5]] * 2},
            TypeError,
            "dice = [[6, 5], [6, 5]]: expected one pair of dice, or for a batch an int8 array of shape (n, 2)",
        ),
        ({"dice": np.array([[1, 1]] * 3 + [[6, 0], [7, 7]], np.int8)}, ValueError, "dice[3, 1] = 0: a die shows 1..6"),
        ({"turns": [0] * 5}, TypeError, "turns is a list: expected an array of int8"),
        ({"turns": np.zeros(4, np.int8)}, ValueError, "turns has shape (4,): expected (5,)"),
        ({"turns": np.array([0, 1, 2, 3, 4], np.int8)}, ValueError, "turns[2] = 2: expected 0 (White) or 1 (Black)"),
        ({"rules": 5}, TypeError, "rules = 5: expected a Ruleset or the name of one"),
        ({"threads": 0}, ValueError, "threads = 0: expected 1..1024"),
        ({"threads": 1025}, ValueError, "threads = 1025: expected 1..1024"),
        ({"threads": 1.0}, TypeError, "threads = 1.0: expected an integer"),
        ({"threads": True}, TypeError, "threads = True: expected an integer"),
        ({"threads": None}, TypeError, "threads = None: expected an integer"),
        ({"executor": 5}, TypeError, "executor = 5: expected an executor with a submit method"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(change: dict[str, Any], error: type[Exception], message: str) -> None:
    for function in (batch.count_plays, batch.afterstates, batch.iter_afterstates):
        with pytest.raises(error) as caught:
            function(**good(**change))
        assert str(caught.value) == message


def test_unknown_rules_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"^rules = 'chess': expected one of long, federation"):
        batch.count_plays(**good(rules="chess"))


@pytest.mark.parametrize(("rows", "error"), [(0, ValueError), (-1, ValueError), (2.0, TypeError), (True, TypeError)])
def test_parts_of_no_rows_are_refused(rows: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"^rows = {rows}: expected"):
        batch.iter_afterstates(**good(rows=rows))


@pytest.mark.parametrize("rng", [None, 5, np.random.RandomState(1), np.random.SeedSequence(1)])
def test_random_numbers_must_come_from_a_generator(rng: Any) -> None:
    with pytest.raises(TypeError) as caught:
        batch.random_step(many().boards[:5], rng)
    assert str(caught.value) == f"rng = {rng!r}: expected a numpy.random.Generator or BitGenerator"


BAD_BOARDS = [
    ((0, 5, 16), "board[0, 5] = 16: a slot holds 0..15 checkers"),
    ((0, 5, -1), "board[0, 5] = -1: a slot holds 0..15 checkers"),
    ((1, 2, 3), "board[1] has 18 checkers: expected 15"),
    ((0, 0, 1), "board[0] has 16 checkers: expected 15"),
]


@pytest.mark.parametrize(("change", "reason"), BAD_BOARDS)
@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("row", [0, ROWS - 1])
def test_a_bad_board_is_refused_with_its_row_and_nothing_is_written(
    name: str, row: int, change: tuple[int, int, int], reason: str
) -> None:
    call = calls()[name]
    boards = np.repeat(LONG_START[None], ROWS, axis=0)
    boards[row, change[0], change[1]] = change[2]
    out = np.full(call.shape, 77, call.dtype)
    for threads in (1, 2):
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            call.function(boards, *call.arguments[1:], out=out, threads=threads)
        assert str(caught.value) == f"boards[{row}]: {reason}"
        assert (out == np.full_like(out, 77)).all()


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_bad_board_far_down_is_found_before_anything_is_written(name: str, threads: int) -> None:
    rows = 2 * batch.SHARD
    call = calls(rows)[name]
    boards = call.arguments[0].copy()
    boards[batch.SHARD + 5, 1, 3] += 1
    boards[batch.SHARD + 9, 1, 3] += 1
    out = np.full(call.shape, 77, call.dtype)
    with pytest.raises(ValueError, match=rf"^boards\[{batch.SHARD + 5}\]: board\[1"):
        call.function(boards, *call.arguments[1:], out=out, threads=threads)
    assert (out == np.full_like(out, 77)).all()


def test_parts_of_afterstates_are_all_checked_before_the_first() -> None:
    boards = many().boards[:50].copy()
    boards[45, 0, 25] += 1
    with pytest.raises(ValueError, match=r"^boards\[45\]: "):
        batch.iter_afterstates(boards, (6, 5), rows=10)


def test_a_refused_random_step_leaves_rng_as_it_was() -> None:
    boards = many().boards.copy()
    boards[-1, 0, 25] += 1
    for given in (boards, boards[-5:]):
        rng = np.random.default_rng(5)
        with pytest.raises(ValueError, match=r"^boards"):
            batch.random_step(given, rng)
        assert rng.integers(2**62) == np.random.default_rng(5).integers(2**62)


@pytest.mark.parametrize(
    ("text", "dice", "steps", "message"),
    [
        ("24:15 12:15 w", (6, 5), [(1, 6)], "plays[1]: the play is not complete"),
        ("24:15 12:15 w", (6, 5), [], "plays[1]: the play is not complete"),
        ("24:15 12:15 w", (6, 5), [(1, 6), (1, 5)], f"plays[1]: step 2: {Reason.HEAD_USED.sentence}"),
        ("24:15 12:15 w", (6, 5), [(1, 4), (1, 5)], f"plays[1]: step 1: {Reason.NO_SUCH_DIE.sentence}"),
        ("24:15 12:15 w", (6, 5), [(2, 5), (7, 6)], f"plays[1]: step 1: {Reason.NO_CHECKER.sentence}"),
        ("24:15 12:15 w", (6, 5), [(127, 5)], f"plays[1]: step 1: {Reason.NO_CHECKER.sentence}"),
        ("24:15 12:15 w", (6, 5), [(1, -128)], f"plays[1]: step 1: {Reason.NO_SUCH_DIE.sentence}"),
        ("24:15 12:15 w", (6, 6), [(1, 6), (1, 6), (7, 6)], f"plays[1]: step 3: {Reason.POINT_HELD.sentence}"),
        ("- 18:2 b", (6, 6), [], f"boards[1]: {Reason.GAME_OVER.sentence}"),
    ],
)
def test_plays_that_are_not_legal_are_refused_with_the_row_and_the_step(
    text: str, dice: tuple[int, int], steps: list[tuple[int, int]], message: str
) -> None:
    legal = Position.parse("24:14,18:1 12:15 w")
    boards = np.array([legal.board, Position.parse(text).board])
    plays = steps_array([legal.plays(dice)[0]] * 2)
    plays[1] = steps_in_full(steps)
    out = np.full(boards.shape, 77, np.int8)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        batch.apply(boards, plays, dice, out=out)
    assert str(caught.value) == message
    assert (out == 77).all()


@pytest.mark.parametrize("step", [(1, 6, 5), (-1, -1, 5), (-1, 3, 0), (-7, -1, 0), (0, 0, 0)])
def test_only_unused_steps_may_follow_the_last_one(step: tuple[int, int, int]) -> None:
    boards = np.repeat(LONG_START[None], 2, axis=0)
    plays = np.tile(np.array(steps_in_full([(1, 6), (7, 5)]), np.int8), (2, 1, 1))
    plays[1, 3] = step
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        batch.apply(boards, plays, (6, 5))
    assert str(caught.value) == f"plays[1, 3] = {step}: expected (-1, -1, 0) after the last step"


def test_a_step_goes_where_its_die_leads() -> None:
    boards = LONG_START[None].copy()
    plays = np.array([steps_in_full([(1, 6), (7, 5)])], np.int8)
    plays[0, 1, 1] = 13
    with pytest.raises(ValueError, match=r"^plays\[0, 1\] = \(7, 13, 5\): by 5 it goes to 12$"):
        batch.apply(boards, plays, (6, 5))


def test_plays_may_come_in_another_legal_order() -> None:
    boards = LONG_START[None].copy()
    for steps in ([(1, 6), (7, 5)], [(1, 5), (6, 6)]):
        plays = np.array([steps_in_full(steps)], np.int8)
        assert batch.apply(boards, plays, (5, 6))[0, 1, 12] == 1


# check=False


def test_boards_that_are_known_to_be_good_need_not_be_checked() -> None:
    for name in CHECKED:
        call, again = calls()[name], calls()[name]
        expected = main_result(call.function(*call.arguments))
        assert np.array_equal(main_result(again.function(*again.arguments, check=False)), expected)


@pytest.mark.parametrize("dtype", np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?")
def test_a_wrong_dtype_is_told_by_numpys_name_for_it(dtype: str) -> None:
    given = np.zeros((5, 2, 26), dtype)
    if given.dtype != np.int8:
        with pytest.raises(TypeError) as caught:
            batch.pips(given)
        assert str(caught.value) == f"boards has dtype {given.dtype.name}: expected int8"


@pytest.mark.parametrize("dtype", [">i8", "O", "S3", "i4,i4"])
def test_a_dtype_without_a_plain_name_is_told_by_its_format(dtype: str) -> None:
    with pytest.raises(TypeError, match=r"^boards has items of format '.+': expected int8$"):
        batch.pips(np.zeros((5, 2, 26), dtype))


def test_many_pairs_of_dice_in_a_list_are_not_repeated_in_full() -> None:
    with pytest.raises(TypeError, match=r"\.\.\.: expected one pair of dice, or for a batch an int8 array") as caught:
        batch.count_plays(**good(dice=[[6, 5]] * 20_000))
    assert len(str(caught.value)) < 250


def test_without_the_check_dice_and_arrays_are_checked_all_the_same() -> None:
    with pytest.raises(ValueError, match=r"^dice = \(7, 1\)"):
        batch.count_plays(**good(dice=(7, 1), check=False))
    with pytest.raises(ValueError, match=r"^dice\[0, 0\] = 9"):
        batch.count_plays(**good(dice=np.full((5, 2), 9, np.int8), check=False))
    with pytest.raises(TypeError, match=r"^boards has dtype int16"):
        batch.count_plays(**good(boards=many().boards[:5].astype(np.int16), check=False))


def test_flip_and_pips_do_not_look_at_what_is_on_the_boards() -> None:
    boards = np.random.default_rng(1).integers(-128, 128, (7, 2, 26), np.int8)
    assert np.array_equal(batch.flip(boards), boards[:, ::-1])
    assert np.array_equal(batch.pips(boards), boards.astype(np.int32) @ np.array([*range(25, -1, -1)]))


# In parts, and by several threads


@pytest.mark.parametrize("name", ["long", "short"])
@pytest.mark.parametrize("rows", [1, 7, 60, 1000])
def test_afterstates_in_parts_are_the_same_afterstates(name: str, rows: int) -> None:
    _, boards, dice, turns = sample(name)
    whole = batch.afterstates(boards, dice, name, plays=True, turns=turns)
    seen = 0
    for first, part in batch.iter_afterstates(boards, dice, name, rows=rows, plays=True, turns=turns):
        assert first == seen
        begin, end = whole.offsets[first], whole.offsets[min(first + rows, len(boards))]
        assert np.array_equal(part.offsets, whole.offsets[first : first + rows + 1] - begin)
        assert np.array_equal(part.boards, whole.boards[begin:end])
        assert part.plays is not None
        assert whole.plays is not None
        assert np.array_equal(part.plays, whole.plays[begin:end])
        seen += len(part.offsets) - 1
    assert seen == len(boards)


def everything(name: str, **options: Any) -> list[Array]:
    """What all the batch functions return for the many rows."""
    _, boards, dice, turns = many(name)
    found = batch.afterstates(boards, dice, name, plays=True, turns=turns, **options)
    assert found.plays is not None
    first = found.offsets[:-1][np.diff(found.offsets) > 0]
    going = np.flatnonzero(np.diff(found.offsets) > 0)
    given = boards[going], found.plays[first], dice[going]
    step = batch.random_step(boards, np.random.default_rng(9), name, turns=turns, **options)
    parts = batch.iter_afterstates(boards, dice, name, rows=2 * batch.SHARD + 1, turns=turns, **options)
    return [
        batch.count_plays(boards, dice, name, turns=turns, **options),
        found.boards,
        found.offsets,
        found.plays,
        *(part.boards for _, part in parts),
        batch.apply(*given, name, turns=turns[going], **options),
        *(array for array in step if array is not None),
        batch.random_step(boards, np.random.default_rng(9), name, restart=True, **options).boards,
        batch.is_over(boards, name, turns=turns, **options),
        batch.flip(boards, **options),
        batch.pips(boards, **options),
    ]


@pytest.mark.parametrize("name", ["long", "short", "federation"])
def test_any_number_of_threads_gives_the_same_bytes(name: str) -> None:
    alone = everything(name)
    for threads in (2, 3, 8):
        assert same(everything(name, threads=threads), alone)


def test_many_rows_agree_with_the_same_rows_a_few_at_a_time() -> None:
    _, boards, dice, _ = many()
    counts = batch.count_plays(boards, dice)
    few = [batch.count_plays(boards[first : first + 1000], dice[first : first + 1000]) for first in range(0, len(boards), 1000)]
    assert np.array_equal(np.concatenate(few), counts)
