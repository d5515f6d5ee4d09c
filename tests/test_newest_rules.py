"""Rules that came after the first ones: ending the game at once, Fevga's opened prime, Portes, and steps with a wrong end."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import oracle
import pytest

from nardy_fast.reasons import Reason
from nardy_fast.results import kind_of, points_of
from nardy_fast.rules import Ruleset, ruleset

LONG = ruleset("long")
GREEK = ruleset("greek_fevga")

# A step that bears off the last checker ends the game (rulebook, section 1, Obligation)


@pytest.mark.parametrize(
    ("text", "rules", "dice", "sooner"),
    [
        ("4:1 1:1 w", "short", (6, 2), (21, 6)),
        ("4:1 13:1 w", "long", (6, 2), (21, 6)),
        ("2:1 13:1 w", "long", (2, 1), (23, 2)),
        ("1:1 13:10 w", "long", (6, 5), (24, 5)),  # the smaller die alone, where either does
        ("6:3 15:1 b", "long", (3, 1), (22, 3)),
        ("6:3 3:1 b", "short", (6, 5), (22, 5)),
        ("3:1 13:1 w", "giveaway", (3, 2), (22, 3)),
    ],
)
def test_the_last_checker_may_be_borne_off_though_more_could_be_played(
    newest: ModuleType, text: str, rules: str, dice: tuple[int, int], sooner: tuple[int, int]
) -> None:
    position = newest.Position.parse(text, rules)
    (play,) = position.plays(dice)
    assert sum(die for *_, die in play.steps) > sooner[1]  # what is listed uses the greatest total
    assert sooner in position.next_steps(dice)
    assert position.why_not(dice, sooner) is None
    assert position.next_steps(dice, (sooner,)) == ()
    assert position.why_not(dice, sooner, (sooner,)) is Reason.GAME_OVER
    ended = newest.Play(position, dice, (sooner,))
    assert position.apply(ended) == play.afterstate
    assert ended.afterstate.is_over
    assert len(ended.left) == 1
    turn = newest.Turn(position, dice)
    turn.play_step(*sooner)
    assert turn.is_complete
    assert turn.commit() == ended


def test_the_greatest_total_rules_where_a_hit_on_the_way_makes_another_board(newest: ModuleType) -> None:
    # 4/2* hits and 2/off ends the game; 4/off at once would leave Black's checker where it is.
    position = newest.Position.parse("4:1 23:1 w", "short")
    (play,) = position.plays((6, 2))
    assert play.steps == ((21, 23, 2), (23, 25, 6))
    assert position.next_steps((6, 2)) == ((21, 2),)
    assert position.why_not((6, 2), (21, 6)) is Reason.WASTES_DIE
    with pytest.raises(ValueError, match=r"^step 1: the step would leave unplayed a die that can be played$"):
        newest.Play(position, (6, 2), ((21, 6),))


def test_a_checker_that_is_not_the_last_must_leave_the_other_die_playable(newest: ModuleType) -> None:
    position = newest.Position.parse("4:1,1:1 13:1 w", "long")
    assert position.next_steps((6, 4)) == ((21, 4), (21, 6))
    assert position.why_not((6, 1), (24, 1)) is None
    assert newest.Play(position, (6, 1), ((24, 1), (21, 6))).afterstate.is_over


# Fevga's opened prime (rulebook, section 1, Six-block rule)


def slots(mover: dict[int, int], opponent: dict[int, int]) -> np.ndarray[Any, Any]:
    rows = np.zeros((2, 26), np.int8)
    for row, held in zip(rows, (mover, opponent), strict=True):
        for slot, count in held.items():
            row[slot] = count
    return rows


#: White holds his slots 14..19 but for 18; his 14..19 are Black's 2..7, right before a Black head of 15.
FIVE = {12: 1, 14: 10, 15: 1, 16: 1, 17: 1, 19: 1}


def test_no_prime_may_be_left_right_before_an_opponent_on_one_point(newest: ModuleType) -> None:
    board = slots(FIVE, {1: 15})
    fevga = {play.steps for play in newest.Position(board, 0, "fevga").plays((6, 6))}
    greek = newest.Position(board, 0, GREEK)
    assert any(play.afterstate.board[1, 14:20].all() for play in newest.Position(board, 0, "fevga").plays((6, 1)))
    assert not any(play.afterstate.board[1, 14:20].all() for play in greek.plays((6, 1)))
    assert fevga


def test_the_step_that_would_close_the_prime_is_a_block_where_it_is_the_last(newest: ModuleType) -> None:
    position = newest.Position(slots(FIVE, {1: 15}), 0, GREEK)
    assert (12, 6) in position.next_steps((6, 1))  # a one may open it again
    last = position.why_not((6, 1), (12, 6), ((14, 1),))
    assert last is Reason.BLOCK
    with pytest.raises(ValueError, match=r"^step 2: the step would make an illegal block of six$"):
        newest.Play(position, (6, 1), ((14, 1), (12, 6)))


@pytest.mark.parametrize(
    ("opponent", "is_closed"),
    [
        ({1: 15}, True),
        ({1: 14, 2 + 8: 1}, False),  # one has left the head
        ({8: 15}, False),  # the prime is behind them
    ],
)
def test_the_prime_must_begin_right_after_the_one_point_that_holds_them_all(
    newest: ModuleType, opponent: dict[int, int], is_closed: bool
) -> None:
    position = newest.Position(slots(FIVE, opponent), 0, GREEK)
    closes = any(play.afterstate.board[1, 14:20].all() for play in position.plays((6, 1)))
    assert closes is not is_closed


def test_where_no_play_opens_a_standing_prime_it_does_not_bind(newest: ModuleType) -> None:
    # Every point of the prime is held by two or three, and one step cannot open it.
    standing = slots({14: 3, 15: 3, 16: 3, 17: 2, 18: 2, 19: 2}, {1: 15})
    one_step = replace(GREEK, throw="product")
    position = newest.Position(standing, 0, one_step)
    assert oracle.shuts_in(*position.board.tolist(), one_step)
    sources = [play.steps[0][0] for play in position.plays((6, 1))]
    assert sources == [14, 15, 16, 17, 18]  # 19 would bear off
    assert {step for play in newest.Position(standing, 0, GREEK).plays((6, 5)) for step in play.steps} == {
        *((17, 22, 5), (17, 23, 6), (18, 23, 5), (18, 24, 6)),
    }


def test_fevgas_own_first_six_are_forbidden_in_greek_fevga_too(newest: ModuleType) -> None:
    text = "24:11,23:1,22:1,21:1,20:1 18:1,17:1,16:1,15:1,14:1,12:10 w"
    (play,) = newest.Position.parse(text, GREEK).plays((5, 5))
    assert play.steps == ()


# Portes


def test_portes_knows_no_triple_game_and_its_starter_throws_afresh() -> None:
    portes = ruleset("portes")
    loser = [1, *[0] * 24, 0]
    loser[19] = 14
    winner = [*[0] * 25, 15]
    assert (kind_of((loser, winner), 0, ruleset("short")), points_of((loser, winner), 0, ruleset("short"))) == ("backgammon", 3)
    assert (kind_of((loser, winner), 0, portes), points_of((loser, winner), 0, portes)) == ("gammon", 2)
    assert oracle.points(winner, loser, portes) == 2
    assert portes.first_dice == "fresh"


# Steps as they are given


@pytest.mark.parametrize("steps", [((1, 99, 6),), ((1, 7, 6), (7, 11, 5)), ((1, 6, 6),)], ids=str)
def test_a_step_that_does_not_lead_where_it_says_is_refused(newest: ModuleType, steps: Any) -> None:
    position = newest.Position.start()
    said = r"^step = \(\d+, \d+, \d+\): by \d it goes to \d+$"
    for call in (
        lambda: newest.Play(position, (6, 5), steps),
        lambda: position.next_steps((6, 5), steps),
        lambda: position.why_not((6, 5), steps[-1]),
    ):
        with pytest.raises(ValueError, match=said):
            call()


def test_a_checker_borne_off_goes_to_25_whatever_its_die(newest: ModuleType) -> None:
    position = newest.Position.parse("4:2 13:1 w")
    assert newest.Play(position, (6, 5), ((21, 25, 6), (21, 26, 5))).steps == ((21, 25, 6), (21, 25, 5))


@pytest.mark.parametrize(
    "steps",
    [((1,),), ((1, 7, 6, 6),), ((True, 6),), ((1, True),), ({1, 6},), {(1, 6)}, "16", {1: 6}, (("1", "6"),), ((1, 6.0),)],
    ids=str,
)
def test_steps_of_another_kind_or_length_are_refused(newest: ModuleType, steps: Any) -> None:
    position = newest.Position.start()
    with pytest.raises(TypeError, match=r"^steps = .*: expected \(from, die\) pairs of integers$"):
        newest.Play(position, (6, 5), steps)
    with pytest.raises(TypeError, match=r"^steps = .*: expected \(from, die\) pairs of integers$"):
        position.next_steps((6, 5), steps)


# Sends


def kaftar(newest: ModuleType, text: str, rules: str | Ruleset = "kaftar") -> Any:
    return newest.Position.parse(text, rules)


def test_steps_of_rules_with_sends_say_where_they_go(newest: ModuleType) -> None:
    position = newest.Position.start("one_six")
    assert position.next_steps((6, 5)) == ((1, 6, 5), (1, 7, 6), (1, 19, 6))
    assert position.next_steps((6, 5), ((1, 19, 6),)) == ((1, 6, 5), (19, 24, 5))
    assert newest.Position.start("kaftar").next_steps((6, 5)) == ((1, 19, 6),)
    assert newest.Position.start("long").next_steps((6, 5)) == ((1, 5), (1, 6))


def test_a_step_that_may_be_a_send_or_not_must_say_where_it_goes(newest: ModuleType) -> None:
    position = newest.Position.start("one_six")
    with pytest.raises(ValueError, match=r"^step 1: \(1, 6\) is ambiguous: \(1, 7, 6\) or \(1, 19, 6\)$"):
        newest.Play(position, (6, 5), ((1, 6), (1, 5)))
    with pytest.raises(ValueError, match=r"^\(1, 6\) is ambiguous: \(1, 7, 6\) or \(1, 19, 6\)$"):
        position.why_not((6, 5), (1, 6))
    assert position.why_not((6, 5), (1, 19, 6)) is None
    assert newest.Play(newest.Position.start("kaftar"), (6, 5), ((1, 6), (1, 5))).steps == ((1, 19, 6), (1, 6, 5))


def test_while_a_die_can_be_sent_any_other_step_waits(newest: ModuleType) -> None:
    position = newest.Position.start("kaftar")
    assert position.why_not((6, 5), (1, 5)) is Reason.SEND_FIRST
    assert position.why_not((6, 5), (1, 7, 6)) is Reason.SEND_FIRST
    assert position.why_not((6, 5), (1, 5), ((1, 6),)) is None
    assert position.why_not((5, 4), (1, 24, 1)) is Reason.NO_SUCH_DIE
    assert position.why_not((5, 4), (1, 20, 5)) is Reason.NO_SUCH_DIE  # a five sends only in Кабутар


def test_what_a_send_is_written_like(newest: ModuleType) -> None:
    position = newest.Position.start("kaftar")
    two, one = position.plays((6, 5))
    assert (str(two), str(one)) == ("24/6 24/19", "24/6 6/1")
    assert position.parse_play("24/19 24/6", (6, 5)) == two
    assert position.parse_play("24/6/1", (6, 5)) == one
    start = newest.Position.start("one_six")
    assert start.parse_play("24/6(4)", (6, 6)).steps == ((1, 19, 6),) * 4
    assert {"24/6(4)", "24/18(4)", "24/18(2) 24/6(2)"} <= {str(play) for play in start.plays((6, 6))}
    with pytest.raises(ValueError, match=r"24/19: a checker can be sent home from the head, and that comes first$"):
        position.parse_play("24/19 24/18", (6, 5))


# Frozen homes and other reasons


def test_from_a_frozen_home_checkers_are_only_borne_off(newest: ModuleType) -> None:
    position = newest.Position.parse("6:1,2:5 18:15 w", "mad_nardy")
    assert position.why_not((2, 2), (19, 2)) is Reason.HOME_FROZEN
    assert position.next_steps((2, 2)) == ((23, 2),)


def test_where_only_one_and_six_bear_off_another_die_does_not(newest: ModuleType) -> None:
    position = newest.Position.parse("3:13 12:15 w", "one_six")
    assert position.why_not((6, 3), (22, 3)) is Reason.OFF_DIE
    assert position.next_steps((6, 3)) == ((22, 25, 6),)


# A stage that is pending

CARRIED = "24:14,4:1 12:14,8:1 w w444*,b5555,b6666:0/1"


def test_a_pending_stage_is_played_with_no_dice_or_its_own(newest: ModuleType) -> None:
    position = newest.Position.parse(CARRIED, "mad_nardy")
    assert str(position) == CARRIED
    assert position.plays() == position.plays((4, 4, 4)) == position.plays([4, 4, 4])
    assert position.count_plays() == 1
    assert position.is_forced()
    (play,) = position.plays()
    assert (play.dice, play.stage, play.left) == ((4, 4, 4), (4, 4, 4), (4,))
    assert newest.Play(position, None, play.steps) == play
    assert str(play.afterstate) == "24:13,16:1,4:1 12:14,8:1 b b5555,b6666:1/1"
    for dice in ((4, 4), (5, 5), (4, 3)):
        with pytest.raises(ValueError, match=r"a stage is pending, so expected none or its own, \(4, 4, 4\)$"):
            position.plays(dice)


def test_a_throw_that_is_due_needs_two_dice(newest: ModuleType) -> None:
    position = newest.Position.start("mad_nardy")
    assert position.pending is None
    with pytest.raises(TypeError, match=r"^dice = None: expected two integers 1..6$"):
        position.plays()
    with pytest.raises(ValueError, match=r"^dice = \(4, 4, 4\): expected two dice$"):
        position.plays((4, 4, 4))


def test_what_is_pending_is_part_of_what_a_position_is(newest: ModuleType) -> None:
    import copy
    import pickle

    position = newest.Position.parse(CARRIED, "mad_nardy")
    bare = newest.Position(position.board, 0, "mad_nardy")
    assert position != bare
    assert newest.Position(position.board, 0, "mad_nardy", position.pending) == position
    assert newest.Position(position.board, 0, "mad_nardy", pending=position.pending) == position
    assert len({position, bare, newest.Position.parse(CARRIED, "mad_nardy")}) == 2
    assert copy.deepcopy(position) == pickle.loads(pickle.dumps(position)) == position
    (play,) = position.plays()
    assert pickle.loads(pickle.dumps(play)) == play
    assert newest.parse_position(CARRIED, "mad_nardy") == (position, None)


def test_nothing_is_pending_when_the_game_is_over(newest: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^pending: the game is over, and nothing is played any more$"):
        newest.Position.parse("- 13:1 b b6*:0/0", "mad_nardy")


def test_a_dead_position_is_over_and_drawn(newest: ModuleType) -> None:
    text = "19:9,6:1,5:1,4:1,3:1,2:1,1:1 18:1,17:1,16:1,15:1,14:1,13:1,7:9 w"
    for name in ("mad_nardy", "mad_fevga"):
        position = newest.Position.parse(text, name)
        assert (position.is_over, position.winner, position.plays((6, 6))) == (True, None, [])
        assert newest.perft(position, 2) == 1
    alive = newest.Position.parse(text, replace(LONG, dead_draw=True))
    assert not alive.is_over
    assert alive.count_plays((2, 1)) > 1


def test_a_stage_without_dice_is_passed(newest: ModuleType) -> None:
    position = newest.Position.start("even_odd")
    (play,) = position.plays((6, 3))
    assert (play.dice, play.stage, play.left, play.steps, str(play)) == ((6, 3), (), (), (), "pass")
    assert position.next_steps((6, 3)) == ()
    assert position.why_not((6, 3), (1, 6)) is Reason.NO_SUCH_DIE
    assert (play.afterstate.turn, play.afterstate.board.tolist()) == (1, position.board.tolist())


LEAVES = {
    "greek_fevga": (22, 479, 21893),
    "kaftar": (26, 664, 36002),
    "one_six": (62, 3496, 536488),
    "kabutar": (21, 471, 25455),
    "astrogon": (21, 441, 21250),
    "even_odd": (21, 441, 11785),
    "gulbar": (22, 861, 61102),
    "mad_gulbar": (22, 343, 15570),
    "mad_nardy": (22, 341, 15412),
    "mad_fevga": (22, 344, 8343),
}


@pytest.mark.parametrize("name", LEAVES)
def test_perft_goes_by_stages(newest: ModuleType, name: str) -> None:
    is_quick = newest.__name__ == "nardy_fast" or LEAVES[name][2] < 12_000
    for depth, leaves in enumerate(LEAVES[name] if is_quick else LEAVES[name][:2], 1):
        assert newest.perft(newest.Position.start(name), depth) == leaves


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LEAVES if 12_000 < LEAVES[name][2] < 100_000])
def test_perft_goes_by_stages_deeper(reference: ModuleType, name: str) -> None:
    assert reference.perft(reference.Position.start(name), 3) == LEAVES[name][2]


def test_perft_goes_by_stages_in_dialects_too(newest: ModuleType) -> None:
    mad = ruleset("mad_gulbar")
    for rules, leaves in ((replace(mad, unplayed="stage"), [22, 343]), (replace(mad, cascade_steps=2), [21, 341])):
        assert [newest.perft(newest.Position.start(rules), depth) for depth in (1, 2)] == leaves


# Dice and boards of the wrong kind


@pytest.mark.parametrize("dice", [(True, 6), (6, False), {6, 5}, {6: 1, 5: 1}, "65", b"65", np.array([True, True])], ids=str)
def test_booleans_sets_and_text_are_no_dice(impl: ModuleType, dice: Any) -> None:
    with pytest.raises(TypeError, match=r"^dice = .*: expected two integers 1..6$"):
        impl.Position.start().plays(dice)


def test_a_masked_array_is_no_board(impl: ModuleType) -> None:
    board = np.ma.masked_array(impl.Position.start().board, mask=False)
    with pytest.raises(TypeError, match=r"^board is a masked array: expected one in which every slot has its number$"):
        impl.Position(board)
