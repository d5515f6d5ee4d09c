"""What waits of a throw: the types, what a queue may hold, and its numbers for batches."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

from nardy_fast import Pending, Stage, ruleset
from nardy_fast.positions import ROW, check_pending
from nardy_fast.rules import RULESETS

START = [[0, 15, *[0] * 24]] * 2
#: One checker of each side has left its head.
OUT = [[0, 14, 0, 0, 0, 0, 0, 1, *[0] * 18]] * 2


def queue(text: str, thrower: int = 0, heads: tuple[int, int] = (0, 0)) -> Pending:
    """The queue of stages as in ``b444 w5555``."""
    stages = [("wb".index(word[0]), tuple(map(int, word[1:]))) for word in text.split()]
    return Pending(thrower, heads, tuple(Stage(player, dice, player != thrower) for player, dice in stages))


def test_a_stage_keeps_its_dice_with_the_larger_first() -> None:
    assert Stage(1, (5, 6), True) == Stage(1, (6, 5), True)
    assert Stage(1, [5, 6], True).dice == (6, 5)  # type: ignore[arg-type]
    assert Stage(0, (4, 4, 4)).carried is False
    assert Stage(np.int8(1), (np.int8(3),), True) == Stage(1, (3,), True)  # type: ignore[arg-type]


def test_what_is_pending_never_changes_and_can_be_hashed_copied_and_pickled() -> None:
    pending = queue("b444 w5555 w6666", 0, (1, 0))
    assert pending.player == 1
    with pytest.raises(FrozenInstanceError):
        pending.thrower = 1  # type: ignore[misc]
    assert copy.deepcopy(pending) == pickle.loads(pickle.dumps(pending)) == pending
    assert len({pending, queue("b444 w5555 w6666", 0, (1, 0)), queue("b444 w5555 w6666", 0, (0, 0))}) == 2


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((2, (6,)), ValueError, "player = 2: expected 0..1"),
        ((True, (6,)), TypeError, "player = True: expected an integer"),
        (("w", (6,)), TypeError, "player = 'w': expected an integer"),
        ((0, 6), TypeError, "dice = 6: expected dice"),
        ((0, "66"), TypeError, "dice = '66': expected dice"),
        ((0, {6, 5}), TypeError, "dice = {5, 6}: expected dice"),
        ((0, (6, True)), TypeError, "dice = True: expected an integer"),
        ((0, (6, 2.0)), TypeError, "dice = 2.0: expected an integer"),
        ((0, ()), ValueError, "dice = (): expected one die, two different ones, or 2 to 6 equal ones"),
        ((0, (6, 5, 5)), ValueError, "dice = (6, 5, 5): expected one die, two different ones, or 2 to 6 equal ones"),
        ((0, (1,) * 7), ValueError, "dice = (1, 1, 1, 1, 1, 1, 1): expected one die, two different ones, or 2 to 6 equal ones"),
        ((0, (7,)), ValueError, "dice = 7: expected 1..6"),
        ((0, (6,), 1), TypeError, "carried = 1: expected True or False"),
    ],
)
def test_a_stage_that_cannot_be_is_refused(arguments: tuple[Any, ...], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        Stage(*arguments)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((2, (0, 0), [Stage(0, (6,))]), ValueError, "thrower = 2: expected 0..1"),
        ((0, (0,), [Stage(0, (6,))]), ValueError, "heads = (0,): expected two numbers, the steps of White and of Black"),
        ((0, (0, 16), [Stage(0, (6,))]), ValueError, "heads = 16: expected 0..15"),
        ((0, 0, [Stage(0, (6,))]), TypeError, "heads = 0: expected the steps of White and of Black"),
        ((0, (0, False), [Stage(0, (6,))]), TypeError, "heads = False: expected an integer"),
        ((0, (0, 0), []), ValueError, "stages = []: expected 1 to 6; where there is none, pending is None"),
        ((0, (0, 0), Stage(0, (6,))), TypeError, "stages = Stage(player=0, dice=(6,), carried=False): expected a list of Stage"),
        ((0, (0, 0), [(0, (6,), False)]), TypeError, "stages = [(0, (6,), False)]: expected a list of Stage"),
        (
            (0, (0, 0), [Stage(1, (6,))]),
            ValueError,
            "stages: carried = False of stage 1: it is not the thrower's, so it is carried",
        ),
        (
            (1, (0, 0), [Stage(1, (6,), True)]),
            ValueError,
            "stages: carried = True of stage 1: it is the thrower's own, which is not carried",
        ),
    ],
)
def test_a_queue_that_cannot_be_is_refused(arguments: tuple[Any, ...], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        Pending(*arguments)
    assert str(caught.value) == said


# Numbers for batches


def test_the_row_of_a_queue_says_all_of_it_in_28_numbers() -> None:
    row = queue("b444 w5555 w6666", 0, (1, 2)).to_row()
    assert (row.dtype, row.shape) == (np.int8, (28,))
    assert row.tolist() == [0, 1, 2, 3, 1, 4, 3, 0, 0, 5, 4, 0, 0, 6, 4, 0, *[0] * 12]
    assert queue("w65", 1).to_row().tolist() == [1, 0, 0, 1, 0, 6, 1, 5, *[0] * 20]
    assert queue("w5", 1).to_row().tolist() == [1, 0, 0, 1, 0, 5, 1, 0, *[0] * 20]


@pytest.mark.parametrize(
    "pending",
    [
        queue("b1 w2222 w3333 w4444 w5555 w6666", 0, (2, 1)),
        queue("w65", 1),
        queue("b6", 0, (0, 15)),
        queue("w666666", 1),
    ],
)
def test_a_queue_is_read_back_from_its_row(pending: Pending) -> None:
    assert Pending.from_row(pending.to_row()) == pending
    assert Pending.from_row(pending.to_row().tolist()) == pending


def test_28_zeros_stand_for_nothing_pending() -> None:
    assert Pending.from_row(np.zeros(ROW, dtype=np.int8)) is None


def row_with(place: int, value: int) -> list[int]:
    row: list[int] = queue("b444 w5555 w6666").to_row().tolist()
    row[place] = value
    return row


@pytest.mark.parametrize(
    ("row", "error", "said"),
    [
        ([0] * 27, ValueError, "pending has shape (27,): expected (28,)"),
        ([0.0] * 28, TypeError, "pending has dtype float64: expected integers"),
        ([False] * 28, TypeError, "pending has dtype bool: expected integers"),
        ([1] + [0] * 27, ValueError, "pending[3] = 0: expected 1 to 6 stages and 0 after them, or 28 zeros"),
        (row_with(3, 7), ValueError, "pending[3] = 7: expected 1 to 6 stages and 0 after them, or 28 zeros"),
        (row_with(3, 2), ValueError, "pending[3] = 2: expected 1 to 6 stages and 0 after them, or 28 zeros"),
        (row_with(0, -1), ValueError, "thrower = -1: expected 0..1"),
        (row_with(1, -1), ValueError, "heads = -1: expected 0..15"),
        (row_with(4, 3), ValueError, "player = 3: expected 0..1"),
        (row_with(5, 0), ValueError, "dice = 0: expected 1..6"),
        (row_with(6, 0), ValueError, "pending: stage 1 is (1, 4, 0, 0): expected player, die, how many, smaller die or 0"),
        (row_with(6, 7), ValueError, "pending: stage 1 is (1, 4, 7, 0): expected player, die, how many, smaller die or 0"),
        (row_with(7, 2), ValueError, "pending: stage 1 is (1, 4, 3, 2): expected player, die, how many, smaller die or 0"),
        (row_with(7, 5), ValueError, "pending: stage 1 is (1, 4, 3, 5): expected player, die, how many, smaller die or 0"),
    ],
)
def test_a_row_that_is_no_queue_is_refused(row: list[Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        Pending.from_row(row)
    assert str(caught.value) == said


# What the rules let wait

MAD_REST = ruleset("mad_gulbar")
MAD_STAGE = ruleset("mad_nardy")
PRODUCT = replace(ruleset("astrogon"), name="product that passes on", unplayed="stage")


@pytest.mark.parametrize(
    ("rules", "stages", "thrower"),
    [
        ("gulbar", "b65", 0),
        ("gulbar", "b3333", 0),
        ("gulbar", "w1", 1),
        ("mad_gulbar", "w5555 w6666", 0),
        ("mad_gulbar", "b4 b5555 b6666", 0),
        ("mad_gulbar", "b64", 0),
        ("mad_gulbar", "b2", 0),  # what is left of a pair
        ("mad_nardy", "b444 w5555 w6666", 0),
        ("mad_nardy", "b1111 w2222 w3333 w4444 w5555 w6666", 0),
        ("mad_nardy", "w6666", 0),
        ("mad_nardy", "b66", 0),
        ("mad_fevga", "w3", 1),
    ],
)
def test_what_the_rules_can_leave_is_taken(rules: str, stages: str, thrower: int) -> None:
    pending = queue(stages, thrower)
    check_pending(pending, OUT, pending.player, RULESETS[rules])


@pytest.mark.parametrize(
    ("rules", "stages", "said"),
    [
        (ruleset("long"), "b65", "pending: by the rules 'long' no stage waits"),
        (ruleset("gulbar"), "w65", "stage 1, White's 65: a throw has one stage, which does not wait"),
        (ruleset("gulbar"), "b6 b5", "stage 1, Black's 6: a throw has one stage, so that only one can wait"),
        (ruleset("gulbar"), "b66666", "stage 1, Black's 66666: at most 4 of this die can be left"),
        (PRODUCT, "b222", "stage 1, Black's 222: at most 2 of this die can be left"),
        (PRODUCT, "b65", "stage 1, Black's 65: a throw gives equal dice, never a pair of different ones"),
        (MAD_STAGE, "w65", "stage 1, White's 65: a pair of different dice waits only if it is carried"),
        (MAD_STAGE, "w1111 w2222 w3333 w4444 w5555 w6666", "stage 1, White's 1111: the first stage of a throw never waits"),
        (MAD_STAGE, "b55", "stage 1, Black's 55: a cascade goes up to the sixes"),
        (MAD_STAGE, "w5555", "stage 1, White's 5555: a cascade goes up to the sixes"),
        (MAD_STAGE, "b4 w6666", "stage 1, Black's 4: in a cascade the next die follows"),
        (MAD_STAGE, "b65 w6666", "stage 1, Black's 65: in a cascade the next die follows"),
        (MAD_STAGE, "b5 w666", "stage 2, White's 666: a stage that has not begun has all its 4 dice"),
        (MAD_STAGE, "w55 w6666", "stage 1, White's 55: a stage that has not begun has all its 4 dice"),
        (MAD_STAGE, "b5 b6666", "stage 2, Black's 6666: only the first stage can be carried"),
        (MAD_REST, "b5 w6666", "stage 2, White's 6666: all stages pass to the opponent, or none"),
        (MAD_REST, "w5555 b6666", "stage 2, Black's 6666: all stages pass to the opponent, or none"),
        (replace(MAD_REST, cascade_steps=2), "b5555 b6666", "stage 1, Black's 5555: at most 2 of this die can be left"),
        (replace(MAD_STAGE, unplayed="lost"), "b5 w6666", "stage 1, Black's 5: dice left over are lost, not carried"),
    ],
)
def test_what_the_rules_cannot_leave_is_refused(rules: Any, stages: str, said: str) -> None:
    pending = queue(stages)
    with pytest.raises(ValueError, match=r".") as caught:
        check_pending(pending, OUT, pending.player, rules)
    assert str(caught.value) == (said if said.startswith("pending") else f"pending: {said}")


def test_the_player_to_move_plays_the_first_stage() -> None:
    check_pending(queue("b4 w5555 w6666"), OUT, 1, MAD_STAGE)
    with pytest.raises(ValueError, match=r"^turn = 0: the first pending stage is Black's$"):
        check_pending(queue("b4 w5555 w6666"), OUT, 0, MAD_STAGE)


def test_no_more_steps_have_left_a_head_than_it_has_lost_checkers() -> None:
    check_pending(queue("b4 w5555 w6666", heads=(1, 1)), OUT, 1, MAD_STAGE)
    with pytest.raises(ValueError, match=r"^heads\[0\] = 2: White's head has lost only 1$"):
        check_pending(queue("b4 w5555 w6666", heads=(2, 0)), OUT, 1, MAD_STAGE)
    with pytest.raises(ValueError, match=r"^heads\[1\] = 1: Black's head has lost only 0$"):
        check_pending(queue("b4 w5555 w6666", heads=(0, 1)), START, 1, MAD_STAGE)


@pytest.mark.parametrize("given", [(), "w4:0/0", 0, [Stage(0, (6,))], np.zeros(3, np.int8)])
def test_what_is_no_pending_is_refused(given: Any) -> None:
    check_pending(None, START, 0, MAD_STAGE)
    with pytest.raises(TypeError, match=r"^pending = .*: expected a Pending or None$"):
        check_pending(given, START, 0, MAD_STAGE)
