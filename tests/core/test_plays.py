"""`Play` and the list of plays: each afterstate once, in order, by its smallest sequence; and what is refused, and why."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
from types import ModuleType
from typing import Any

import numpy as np
import oracle
import pytest
import strategies
from usual_rulesets import USUAL_RULESETS

from nardy_fast.reasons import Reason
from nardy_fast.rules import ROLLS, ruleset

Steps = tuple[tuple[int, int], ...]


def refusal(call: Any, kind: type[Exception] = ValueError) -> str:
    """The text with which the call is refused."""
    with pytest.raises(kind) as error:
        call()
    return str(error.value)


def afterstate_of(play: Any) -> tuple[int, ...]:
    """The board after the play, the mover's 26 numbers first."""
    opponent, mover = play.afterstate.board.tolist()
    return (*mover, *opponent)


def pairs(play: Any) -> Steps:
    return tuple((source, die) for source, _, die in play.steps)


def how_many(impl: ModuleType, native: int, reference: int) -> int:
    """The reference is slow, so it gets fewer positions."""
    return native if impl.__name__ == "nardy_fast" else reference


# The list


@pytest.mark.parametrize("name", list(USUAL_RULESETS))
def test_every_afterstate_is_listed_once_and_in_order(impl: ModuleType, native: ModuleType, name: str) -> None:
    seen = 0
    for position, dice, _ in strategies.random_games(native.Position, USUAL_RULESETS[name], how_many(impl, 300, 40), seed=11):
        mine = impl.Position(position.board, position.turn, position.rules)
        plays = mine.plays(dice)
        boards = [afterstate_of(play) for play in plays]
        assert boards == sorted(set(boards)), (str(position), dice)
        assert mine.count_plays(dice) == len(plays) >= 1
        seen += 1
        after = mine.afterstates(dice)
        assert after.dtype == np.int8
        assert after.shape == (len(plays), 2, 26)
        assert [tuple(board) for board in after.reshape(-1, 52).tolist()] == boards
    assert seen == how_many(impl, 300, 40)


def test_the_boards_after_no_play_are_an_empty_array_and_after_a_pass_the_board_itself(impl: ModuleType) -> None:
    over = impl.Position.parse("- 12:15 b", "tournament")
    assert over.afterstates((6, 5)).shape == (0, 2, 26)
    shut_out = impl.Position.parse("24:2,6:2,5:2,4:2,3:2,2:2,1:3 bar:1,6:14 b", "short")
    after = shut_out.afterstates((4, 3))
    assert np.array_equal(after, shut_out.board[None])
    after[0, 0, 0] = 0  # it is the caller's own
    assert shut_out.board[0, 0] == 1


@pytest.mark.parametrize("name", list(USUAL_RULESETS))
def test_every_play_is_what_it_says(impl: ModuleType, native: ModuleType, name: str) -> None:
    for position, dice, _ in strategies.random_games(native.Position, USUAL_RULESETS[name], how_many(impl, 100, 10), seed=12):
        mine = impl.Position(position.board, position.turn, position.rules)
        for play in mine.plays(dice):
            assert type(play) is impl.Play
            assert play.position == mine
            assert play.dice == tuple(sorted(dice, reverse=True))
            assert all(to == min(source + die, 25) for source, to, die in play.steps)
            assert play.afterstate == mine.apply(play)
            assert play.afterstate.turn == 1 - mine.turn
            assert play.afterstate.rules is mine.rules
            assert play == impl.Play(mine, dice, play.steps) == impl.Play(mine, dice, pairs(play))
            turn = oracle.start_of_turn(*mine.board.tolist(), dice, mine.rules)
            for source, die in pairs(play):
                turn = turn.moved(source, die)
            assert afterstate_of(play) == (*turn.own, *turn.other)


def sequences_by_next_steps(position: Any, dice: tuple[int, int], most: int) -> list[Steps] | None:
    """Every complete play that `next_steps` lets one make; None if there are more than `most`."""
    complete: list[Steps] = []
    waiting: list[Steps] = [()]
    while waiting:
        played = waiting.pop()
        offered = position.next_steps(dice, played)
        assert list(offered) == sorted(set(offered))
        if not offered:
            complete.append(played)
        waiting += [(*played, step) for step in offered]
        if len(complete) + len(waiting) > most:
            return None
    return complete


@pytest.mark.parametrize(
    "name", ["long", "tournament", "arena", "khachapuri", "fevga", "short", "hypergammon", "old_english", "acey_deucey"]
)
def test_the_representative_is_the_smallest_sequence_that_can_be_made(impl: ModuleType, native: ModuleType, name: str) -> None:
    tried = doubles = 0
    for position, dice, _ in strategies.random_games(native.Position, USUAL_RULESETS[name], how_many(impl, 250, 30), seed=13):
        mine = impl.Position(position.board, position.turn, position.rules)
        sequences = sequences_by_next_steps(mine, dice, most=how_many(impl, 2000, 100))
        if sequences is None:
            continue
        smallest: dict[tuple[int, ...], Steps] = {}
        total = max(sum(die for *_, die in sequence) for sequence in sequences)
        for sequence in sequences:
            if sum(die for *_, die in sequence) < total:
                continue  # it ends the game sooner, which is no listed play but may be played
            turn = oracle.start_of_turn(*mine.board.tolist(), dice, mine.rules)
            for source, die in sequence:
                turn = turn.moved(source, die)
            board = (*turn.own, *turn.other)
            smallest[board] = min(sequence, smallest.get(board, sequence))
        listed = {afterstate_of(play): pairs(play) for play in mine.plays(dice)}
        assert listed == smallest, (str(position), dice)
        tried += 1
        doubles += dice[0] == dice[1]
    assert tried >= how_many(impl, 200, 12)
    if impl is native:  # the reference's long lists were left out
        assert doubles >= 20


def test_no_two_orders_of_the_same_steps_are_two_plays(impl: ModuleType) -> None:
    position = impl.Position.parse("4:1 1:1 w", "short")  # either die may take the checker to where the other takes it off
    (play,) = position.plays((6, 2))
    assert play.steps == ((21, 23, 2), (23, 25, 6))


def test_a_checker_that_runs_the_sum_equals_two_that_step_in_its_track(impl: ModuleType) -> None:
    position = impl.Position.parse("10:1,8:14 12:15 w")
    boards = [str(play.afterstate) for play in position.plays((3, 2))]
    assert len(boards) == len(set(boards))
    # 10/8 and 8/5 leave the same board as 10/5
    (play,) = [play for play in position.plays((3, 2)) if str(play.afterstate) == "8:14,5:1 12:15 b"]
    assert play.steps == ((15, 17, 2), (17, 20, 3))
    assert impl.Play(position, (3, 2), ((17, 3), (15, 2))).afterstate == play.afterstate


def test_the_turn_ends_when_the_last_checker_is_off(impl: ModuleType) -> None:
    position = impl.Position.parse("1:1 13:1 w")
    (play,) = position.plays((6, 5))
    assert play.steps == ((24, 25, 6),)  # the greatest total; the 5 alone would be less
    assert (play.afterstate.is_over, play.afterstate.winner) == (True, 0)
    (double,) = impl.Position.parse("2:1,1:1 13:1 w").plays((2, 2))
    assert double.steps == ((23, 25, 2), (24, 25, 2))


# A pass


@pytest.mark.parametrize(
    ("text", "rules", "dice"),
    [
        ("24:14,15:1 23:1,22:1,21:1,20:1,19:1,18:1,12:7,11:1,9:1 w", "long", (6, 4)),
        ("6:1,5:1 14:13,2:1,1:1 w", "long", (4, 4)),
        ("bar:1,6:14 6:2,5:2,4:2,3:2,2:2,1:2 w", "short", (6, 1)),
        ("bar:1,6:14 6:2,5:2,4:2,3:2,2:2,1:2 w", "short", (3, 3)),
    ],
)
def test_a_pass_is_one_play_with_no_steps(impl: ModuleType, text: str, rules: str, dice: tuple[int, int]) -> None:
    position = impl.Position.parse(text, rules)
    (play,) = position.plays(dice)
    assert (play.steps, str(play)) == ((), "pass")
    assert position.count_plays(dice) == 1
    assert position.is_forced(dice)
    assert position.next_steps(dice) == ()
    assert play == impl.Play(position, dice, ())
    after = play.afterstate
    assert after.board.tolist() == position.board.tolist()[::-1]
    assert (after.turn, after.rules) == (1 - position.turn, position.rules)


# What is refused

REASONS: list[tuple[Reason, str, str, tuple[int, int], Steps, tuple[int, int]]] = [
    (Reason.GAME_OVER, "- 18:2 b", "long", (6, 5), (), (19, 6)),
    (Reason.GAME_OVER, "2:1 13:1 w", "long", (3, 2), ((23, 3),), (23, 2)),  # the last checker is off
    (Reason.NO_SUCH_DIE, "24:15 12:15 w", "long", (6, 5), (), (1, 4)),
    (Reason.NO_SUCH_DIE, "24:15 12:15 w", "long", (6, 5), ((1, 6),), (7, 6)),  # played already
    (Reason.NO_SUCH_DIE, "24:15 12:15 w", "long", (6, 5), ((1, 6), (7, 5)), (12, 5)),  # the play is complete
    (Reason.NO_SUCH_DIE, "24:15 12:15 w", "long", (5, 5), (), (1, 0)),
    (Reason.NO_CHECKER, "24:15 12:15 w", "long", (6, 5), (), (2, 6)),
    (Reason.NO_CHECKER, "24:15 12:15 w", "long", (6, 5), (), (0, 6)),
    (Reason.NO_CHECKER, "24:15 12:15 w", "long", (6, 5), (), (-1, 6)),
    (Reason.NO_CHECKER, "5:2 13:1 w", "long", (6, 5), (), (25, 6)),  # those borne off move no more
    (Reason.NO_CHECKER, "bar:1,6:2 24:1 w", "short", (6, 5), (), (1, 6)),  # told before the bar
    (Reason.BAR_FIRST, "bar:2,13:1,6:12 3:2 w", "short", (3, 1), (), (12, 1)),
    (Reason.BAR_FIRST, "bar:2,13:1,6:12 3:2 w", "short", (3, 1), ((0, 1),), (12, 3)),
    (Reason.RUNNER_NOT_PAST, "24:14,18:1 12:15 w", "fevga", (2, 1), (), (1, 2)),
    (Reason.RUNNER_NOT_PAST, "24:15 12:15 w", "fevga", (2, 1), ((1, 1),), (1, 2)),
    (Reason.RUNNER_NOT_PAST, "24:14,12:1 13:15 w", "fevga", (1, 1), (), (1, 1)),  # on 12 it stands at the head, not past it
    (Reason.HEAD_USED, "24:15 12:15 w", "long", (6, 5), ((1, 6),), (1, 5)),
    (Reason.HEAD_USED, "24:15 12:15 w", "long", (4, 4), ((1, 4), (1, 4)), (1, 4)),
    (Reason.POINT_HELD, "24:15 12:15 w", "long", (6, 6), ((1, 6),), (7, 6)),
    (Reason.POINT_HELD, "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "short", (5, 3), (), (1, 5)),
    (Reason.STACK_FULL, "8:3,1:5 16:1,12:4,6:2 w", "old_english", (4, 3), ((17, 4),), (21, 3)),
    (Reason.NOT_ALL_HOME, "24:14,4:1 12:15 w", "long", (5, 4), (), (21, 5)),
    (Reason.NOT_ALL_HOME, "24:14,4:1 12:15 w", "long", (5, 4), (), (21, 4)),
    (Reason.NOT_ALL_HOME, "bar:1,4:14 6:3 w", "short", (4, 1), ((0, 1),), (21, 4)),
    (Reason.OFF_NEXT_TURN, "7:1,2:14 12:5,13:10 w", "next turn", (5, 2), ((18, 5),), (23, 2)),
    (Reason.EXACT_DIE_ONLY, "3:5 17:5 b", "exact", (6, 3), (), (20, 6)),
    (Reason.EXACT_DIE_ONLY, "5:1,2:1 13:1 w", "exact", (4, 1), (), (23, 4)),  # told before the checker farther back
    (Reason.FARTHER_BACK, "5:1,2:1 13:1 w", "long", (4, 1), (), (23, 4)),
    (Reason.FARTHER_BACK, "6:2,2:2 1:1 w", "short", (5, 1), (), (23, 5)),
    (Reason.BLOCK, "11:10,5:1,4:1,3:1,2:1,1:1 12:15 w", "long", (5, 5), (), (14, 5)),
    (Reason.BLOCK, "11:1,5:3,4:3,3:3,2:3,1:2 12:10,10:5 w", "tournament", (5, 1), ((14, 5),), (20, 1)),  # the afterstate holds it
    (Reason.LARGER_DIE, "10:1 24:2 w", "short", (6, 3), (), (15, 3)),
    (Reason.LARGER_DIE, "24:14,15:1 23:1,22:1,21:1,20:1,19:1,18:1,12:8,5:1 w", "long", (6, 4), (), (10, 4)),
    (Reason.WASTES_DIE, "13:1,8:1 24:2,21:2,16:2 w", "short", (4, 3), (), (17, 3)),
    (Reason.WASTES_DIE, "11:1,5:3,4:3,3:3,2:3,1:2 12:10,10:5 w", "tournament", (5, 1), (), (20, 1)),
]


def rules_named(name: str) -> Any:
    """A preset, or long nardy with one option changed."""
    changed = {"next turn": {"bear_off_start": "next_turn"}, "exact": {"bear_off": "exact"}}
    return dataclasses.replace(ruleset("long"), **changed[name]) if name in changed else ruleset(name)


def test_every_reason_has_a_case() -> None:
    of_variants = {Reason.HOME_FROZEN, Reason.OFF_DIE, Reason.SEND_FIRST}  # in test_newest_rules
    assert {reason for reason, *_ in REASONS} == set(Reason) - of_variants


@pytest.mark.parametrize(
    ("reason", "text", "rules", "dice", "played", "step"), REASONS, ids=lambda value: getattr(value, "name", "")
)
def test_a_step_is_refused_for_the_reason(
    impl: ModuleType, reason: Reason, text: str, rules: str, dice: tuple[int, int], played: Steps, step: tuple[int, int]
) -> None:
    position = impl.Position.parse(text, rules_named(rules))
    before = position.board.tolist()
    assert position.why_not(dice, step, played) is reason
    assert position.why_not(dice[::-1], (step[0], min(step[0] + step[1], 25), step[1]), played) is reason
    assert step not in position.next_steps(dice, played)
    steps = (*played, step)
    at = f"step {len(steps)}: {reason.sentence}"
    assert refusal(lambda: position.next_steps(dice, steps)) == f"played = {steps!r}: {at}"
    assert refusal(lambda: position.why_not(dice, (1, 1), steps)) == f"played = {steps!r}: {at}"
    if not position.is_over:
        assert refusal(lambda: impl.Play(position, dice, steps)) == at
    assert position.board.tolist() == before


@pytest.mark.parametrize("steps", [(), ((1, 6),), ((1, 5),)], ids=str)
def test_a_play_that_stops_short_is_refused(impl: ModuleType, steps: Steps) -> None:
    position = impl.Position.start()
    assert refusal(lambda: impl.Play(position, (6, 5), steps)) == "steps: the play is not complete"


def test_a_play_in_a_finished_game_is_refused(impl: ModuleType) -> None:
    finished = impl.Position.parse("- 18:2 b")
    assert refusal(lambda: impl.Play(finished, (6, 5), ())) == "the game is over"
    assert refusal(lambda: impl.Play(finished, (6, 5), ((19, 6),))) == "the game is over"
    play = impl.Position.start().plays((6, 5))[0]
    assert refusal(lambda: finished.apply(play)) == "the game is over"


def test_a_play_of_another_position_is_refused_where_it_is_not_legal(impl: ModuleType) -> None:
    opening = impl.Position.start()
    by_18 = impl.Play(opening, (6, 5), ((1, 6), (7, 5)))
    two_of_the_head = impl.Play(opening, (6, 6), ((1, 6), (1, 6)))
    for text, play, message in (
        ("24:15 13:1,12:14 w", by_18, f"step 2: {Reason.POINT_HELD.sentence}"),
        ("24:15 18:1,12:14 w", by_18, f"step 1: {Reason.POINT_HELD.sentence}"),
        ("24:14,18:1 12:15 w", two_of_the_head, f"step 2: {Reason.HEAD_USED.sentence}"),
        ("18:15 12:15 w", by_18, f"step 1: {Reason.NO_CHECKER.sentence}"),
    ):
        position = impl.Position.parse(text)
        before = position.board.tolist(), position.turn, hash(position)
        assert refusal(lambda position=position, play=play: position.apply(play)) == message
        assert (position.board.tolist(), position.turn, hash(position)) == before
    assert by_18.position == opening
    assert by_18.afterstate == opening.plays((6, 5))[0].afterstate


def test_a_play_of_another_position_is_taken_where_it_is_legal(impl: ModuleType) -> None:
    play = impl.Play(impl.Position.start(), (6, 5), ((1, 6), (7, 5)))
    elsewhere = impl.Position.parse("24:14,2:1 12:15 w")
    assert str(elsewhere.apply(play)) == "24:13,13:1,2:1 12:15 b"


def test_a_pass_of_another_position_is_refused_where_something_can_be_played(impl: ModuleType) -> None:
    (nothing,) = impl.Position.parse("6:1,5:1 14:13,2:1,1:1 w").plays((4, 4))
    assert nothing.steps == ()
    assert refusal(lambda: impl.Position.start().apply(nothing)) == "steps: the play is not complete"


@pytest.mark.parametrize("play", [None, (), ((1, 6), (7, 5)), "24/18 18/13", 5], ids=str)
def test_only_a_play_can_be_applied(impl: ModuleType, play: Any) -> None:
    position = impl.Position.start()
    assert refusal(lambda: position.apply(play), TypeError) == f"play = {play!r}: expected a Play"
    assert position == impl.Position.start()


def test_a_play_of_the_twin_is_not_a_play(native: ModuleType, reference: ModuleType) -> None:
    for one, other in ((native, reference), (reference, native)):
        play = other.Position.start().plays((6, 5))[0]
        with pytest.raises(TypeError):
            one.Position.start().apply(play)
        with pytest.raises(TypeError):
            one.Play(other.Position.start(), (6, 5), ((1, 6), (7, 5)))


def test_a_play_needs_a_position(impl: ModuleType) -> None:
    assert refusal(lambda: impl.Play(None, (6, 5), ()), TypeError) == "position = None: expected a Position"


@pytest.mark.parametrize("steps", [5, None, ((1.0, 6),), (("1", 6),), ((),), (1, 6)], ids=str)
def test_steps_of_the_wrong_kind_are_refused(impl: ModuleType, steps: Any) -> None:
    position = impl.Position.start()
    message = f"steps = {steps!r}: expected (from, die) pairs of integers"
    assert refusal(lambda: impl.Play(position, (6, 5), steps), TypeError) == message
    assert refusal(lambda: position.next_steps((6, 5), steps), TypeError) == message
    with pytest.raises(TypeError):
        position.why_not((6, 5), "ab")


@pytest.mark.parametrize("steps", [((2**40, 6),), ((1, 2**40),), ((-(2**70), 6),)], ids=str)
def test_steps_far_out_of_range_are_refused_like_others(impl: ModuleType, steps: Steps) -> None:
    reason = Reason.NO_CHECKER if steps[0][1] == 6 else Reason.NO_SUCH_DIE
    assert impl.Position.start().why_not((6, 5), steps[0]) is reason
    assert refusal(lambda: impl.Play(impl.Position.start(), (6, 5), steps)) == f"step 1: {reason.sentence}"


# What is accepted


def test_any_legal_order_is_accepted_listed_or_not(impl: ModuleType) -> None:
    position = impl.Position.start()
    (listed,) = position.plays((6, 5))
    assert listed.steps == ((1, 6, 5), (6, 12, 6))
    other = impl.Play(position, (5, 6), ((1, 6), (7, 5)))
    assert other.steps == ((1, 7, 6), (7, 12, 5))
    assert other != listed
    assert position.apply(other) == position.apply(listed) == other.afterstate


def test_every_order_of_a_double_is_accepted_or_refused_as_next_steps_says(impl: ModuleType) -> None:
    position = impl.Position.parse("24:13,18:1,17:1 12:15 w")
    accepted = refused = 0
    for steps in sorted(set(itertools.permutations(((1, 1), (2, 1), (7, 1), (8, 1))))):
        wrong = next((at for at, step in enumerate(steps) if step not in position.next_steps((1, 1), steps[:at])), None)
        if wrong is None:
            assert str(impl.Play(position, (1, 1), steps).afterstate) == "24:12,22:1,17:1,16:1 12:15 b"
            accepted += 1
        else:
            assert refusal(lambda steps=steps: impl.Play(position, (1, 1), steps)).startswith(f"step {wrong + 1}: ")
            refused += 1
    assert accepted == refused == 12  # a checker comes to 23 before it leaves it


# Text


@pytest.mark.parametrize(
    ("text", "rules", "dice", "steps", "written"),
    [
        ("24:15 12:15 w", "long", (6, 5), ((1, 6), (7, 5)), "24/18 18/13"),
        ("24:15 12:15 w", "long", (4, 4), ((1, 4), (1, 4), (5, 4), (5, 4)), "24/20(2) 20/16(2)"),
        ("24:13,18:2 12:15 b", "long", (6, 6), ((1, 6), (1, 6)), "12/6(2)"),
        ("6:1,4:3 13:10 w", "long", (6, 3), ((19, 6), (21, 3)), "6/off 4/1"),
        ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 b", "short", (3, 1), ((17, 3), (19, 1)), "8/5 6/5"),
        ("bar:1,13:2 20:1,5:1 w", "short", (5, 1), ((0, 5), (12, 1)), "bar/20* 13/12"),
        ("13:1 15:1 w", "short", (3, 1), ((12, 3), (15, 1)), "13/10* 10/9"),
    ],
)
def test_a_play_is_written_in_the_movers_printed_points(
    impl: ModuleType, text: str, rules: str, dice: tuple[int, int], steps: Steps, written: str
) -> None:
    position = impl.Position.parse(text, rules)
    play = impl.Play(position, dice, steps)
    assert str(play) == written
    assert position.parse_play(written, dice).afterstate == play.afterstate


# Comparing, hashing, copying


def test_plays_are_equal_when_position_dice_and_steps_are(impl: ModuleType) -> None:
    position = impl.Position.start()
    play = impl.Play(position, (6, 5), ((1, 6), (7, 5)))
    same = impl.Play(impl.Position.parse("24:15 12:15 w"), (5, 6), ((1, 7, 6), (7, 12, 5)))
    assert play == same
    assert hash(play) == hash(same)
    others = [
        impl.Play(position, (6, 5), ((1, 5), (6, 6))),
        impl.Play(position, (6, 4), ((1, 6), (7, 4))),
        impl.Play(impl.Position.start("long", 1), (6, 5), ((1, 6), (7, 5))),
        None,
        play.steps,
    ]
    for other in others:
        assert play != other
    assert len({play, same, *others}) == 6


@pytest.mark.parametrize("name", ["position", "dice", "steps", "afterstate", "note"])
def test_a_play_cannot_be_changed(impl: ModuleType, name: str) -> None:
    play = impl.Position.start().plays((6, 5))[0]
    with pytest.raises(AttributeError):
        setattr(play, name, None)
    assert play == impl.Position.start().plays((6, 5))[0]


@pytest.mark.parametrize("name", list(USUAL_RULESETS))
def test_a_play_is_pickled_and_copied(impl: ModuleType, name: str) -> None:
    for dice, _ in ROLLS:
        for play in impl.Position.start(name).plays(dice)[:3]:
            for copied in (pickle.loads(pickle.dumps(play)), copy.copy(play), copy.deepcopy(play)):
                assert type(copied) is impl.Play
                assert copied == play
                assert hash(copied) == hash(play)
                assert copied.afterstate == play.afterstate
