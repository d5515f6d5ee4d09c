"""The turn in the making: what it offers leads to the listed plays and no others; what it refuses, it has a true reason to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import oracle
import pytest
from usual_rulesets import USUAL_RULESETS

from nardy_fast.reasons import Reason
from nardy_fast.rules import Ruleset

PRESETS = [name for name in USUAL_RULESETS if name not in ("nardgammon", "backgammon")]  # those two are others by another name


def turn_of(impl: Any, text: str, dice: tuple[int, int], rules: str | Ruleset = "long") -> Any:
    return impl.Turn(impl.Position.parse(text, rules), dice)


# Whole games


def reachable(turn: Any) -> set[Any]:
    """The afterstates of all that can be put together from here, each set of steps in one order."""
    found, seen = set(), set()

    def go_on() -> None:
        played = tuple(sorted(turn.played))
        if played in seen:
            return
        seen.add(played)
        if turn.is_complete:
            found.add(turn.commit().afterstate)
        for source, die in turn.steps():
            turn.play_step(source, die)
            go_on()
            turn.take_back()

    go_on()
    return found


def turns_of_games(impl: Any, name: str, turns: int) -> Iterator[Any]:
    """The turns of games that are played through `Turn.steps` only, each before its first step and again after each.

    The reference, a hundred times slower, plays a twentieth of them, and the widest of those are not looked at.
    """
    native = impl.__name__ == "nardy_fast"
    rng = random.Random(name)
    position = impl.Position.start(name)
    for _ in range(turns if native else turns // 20):
        turn = impl.Turn(position, (rng.randint(1, 6), rng.randint(1, 6)))
        shown = native or position.count_plays(turn.dice) <= 20
        if shown:
            yield turn
        while turn.steps():
            turn.play_step(*rng.choice(turn.steps()))
            if shown:
                yield turn
        position = turn.commit().afterstate
        if position.is_over:
            position = impl.Position.start(name)


@pytest.mark.parametrize("name", PRESETS)
def test_what_can_be_reached_by_steps_is_what_is_listed(impl: Any, name: str) -> None:
    for turn in turns_of_games(impl, name, 300):
        if not turn.played:
            assert reachable(turn) == {play.afterstate for play in turn.position.plays(turn.dice)}
            assert turn.played == ()


# Refusals, checked against the rulebook


class Situation:
    """A turn after some steps, in plain lists, and what the obligation asks of it."""

    def __init__(self, turn: Any, earlier: Situation | None) -> None:
        self.position, self.rules, self.dice = turn.position, turn.position.rules, turn.dice
        own, other = turn.position.board.tolist()
        self.now = oracle.start_of_turn(own, other, turn.dice, self.rules)
        self.left = list(oracle.dice_to_play(turn.dice))
        self.known: dict[Any, int | None] = earlier.known if earlier else {}
        self.greatest = earlier.greatest if earlier else self.best(self.now, tuple(self.left))
        for source, _, die in turn.played:
            self.now = self.now.moved(source, die)
            self.left.remove(die)
        self.played = sum(die for _, _, die in turn.played)

    def best(self, turn: oracle.Turn, left: tuple[int, ...]) -> int | None:
        """The greatest total that can still be played to a legal end; None if there is no such end."""
        key = (tuple(turn.own), tuple(turn.other), left, turn.left_head)
        if key not in self.known:
            ends_well = self.rules.block_check == "step" or not turn.blocks()
            totals = [0] if ends_well else []
            for die in set(left) if not oracle.cleared(turn.own) else ():
                rest = list(left)
                rest.remove(die)
                for source in range(25):
                    after = turn.after(source, die)
                    more = None if after is None else self.best(after, tuple(rest))
                    if more is not None:
                        totals.append(die + more)
            self.known[key] = max(totals, default=None)
        return self.known[key]

    def possible(self, source: int, die: int) -> bool:
        return die in self.left and self.now.after(source, die) is not None

    def fulfils(self, source: int, die: int) -> bool:
        """Whether a play of the greatest total goes on with this step."""
        if oracle.cleared(self.now.own) or not self.possible(source, die):
            return False
        left = list(self.left)
        left.remove(die)
        after = self.now.after(source, die)
        assert after is not None
        more = self.best(after, tuple(left))
        if more is not None and self.played + die + more == self.greatest:
            return True
        # The last checker may be borne off whatever dice are left, where that ends the game as the greatest total does.
        return oracle.cleared(after.own) and (after.own, after.other) in self.ends

    @property
    def ends(self) -> list[tuple[oracle.Row, oracle.Row]]:
        """The boards that the plays of greatest total lead to."""
        own, other = self.position.board.tolist()
        return [(end.own, end.other) for _, end in oracle.legal_sequences(own, other, self.dice, self.rules)]

    def blocks(self, source: int, die: int) -> bool:
        return self.now.moved(source, die).blocks()


def opponents(s: Situation, source: int, die: int) -> int:
    return s.now.other[oracle.seen_by_other(s.rules, source + die)] if source + die <= 24 else 0


#: What each reason claims.
TRUE = {
    Reason.GAME_OVER: lambda s, source, die: oracle.cleared(s.now.own),
    Reason.NO_SUCH_DIE: lambda s, source, die: die not in s.left,
    Reason.NO_CHECKER: lambda s, source, die: not 0 <= source <= 24 or s.now.own[source] == 0,
    Reason.BAR_FIRST: lambda s, source, die: s.rules.bar_first and source > 0 and s.now.own[0] > 0,
    Reason.RUNNER_NOT_PAST: lambda s, source, die: (
        s.rules.runner and source == 1 and 0 < s.now.own[1] < 15 and sum(s.now.own[14:]) == 0
    ),
    Reason.HEAD_USED: lambda s, source, die: source == 1 and s.now.left_head == s.now.limit,
    Reason.POINT_HELD: lambda s, source, die: opponents(s, source, die) > (1 if s.rules.road == "contrary" else 0),
    Reason.STACK_FULL: lambda s, source, die: s.rules.stack_limit is not None and s.now.own[source + die] == s.rules.stack_limit,
    Reason.NOT_ALL_HOME: lambda s, source, die: source + die > 24 and sum(s.now.own[:19]) > 0,
    Reason.FARTHER_BACK: lambda s, source, die: source + die > 25 and sum(s.now.own[:source]) > 0,
    Reason.BLOCK: lambda s, source, die: s.blocks(source, die) and (s.rules.block_check == "step" or len(s.left) == 1),
    Reason.LARGER_DIE: lambda s, source, die: (
        s.possible(source, die) and die == min(s.dice) < max(s.dice) == s.greatest and s.played == 0
    ),
    Reason.WASTES_DIE: lambda s, source, die: s.possible(source, die) and not s.fulfils(source, die),
}


@pytest.mark.parametrize("name", PRESETS)
def test_steps_are_offered_or_refused_with_a_true_reason(impl: Any, name: str) -> None:
    situation = None
    for turn in turns_of_games(impl, name, 100):
        situation = Situation(turn, situation if turn.played else None)
        steps = turn.steps()
        for source in range(-1, 27):
            for die in range(1, 7):
                reason = turn.why_not(source, die)
                assert ((source, die) in steps) == (reason is None) == situation.fulfils(source, die)
                if reason is not None:
                    assert TRUE[reason](situation, source, die), (turn, source, die, reason)


def test_a_refused_step_tells_the_reason_and_changes_nothing(impl: Any) -> None:
    turn = impl.Turn(impl.Position.start(), (6, 5))
    turn.play_step(1, 5)
    with pytest.raises(ValueError, match=Reason.HEAD_USED.sentence):
        turn.play_step(1, 6)
    assert turn.played == ((1, 6, 5),)
    assert turn.steps() == ((6, 6),)


@pytest.mark.parametrize(
    ("text", "dice", "step", "reason"),
    [
        ("24:15 12:15 w", (6, 5), (1, 4), Reason.NO_SUCH_DIE),
        ("24:15 12:15 w", (6, 5), (2, 5), Reason.NO_CHECKER),
        ("24:14,13:1 12:15 w", (1, 1), (12, 1), Reason.POINT_HELD),
        ("7:1,1:14 12:15 w", (6, 5), (24, 6), Reason.NOT_ALL_HOME),
        ("5:1,1:14 12:15 w", (4, 3), (24, 4), Reason.FARTHER_BACK),
        ("- 12:15 w", (4, 3), (24, 4), Reason.GAME_OVER),
    ],
)
def test_why_not_tells_why(impl: Any, text: str, dice: tuple[int, int], step: tuple[int, int], reason: Reason) -> None:
    assert turn_of(impl, text, dice).why_not(*step) is reason


# Putting together and taking apart


def test_a_turn_is_put_together_and_committed(impl: Any) -> None:
    position = impl.Position.start()
    turn = impl.Turn(position, (5, 6))
    assert turn.dice == turn.dice_left == (6, 5)
    assert turn.steps() == ((1, 5), (1, 6))
    assert not turn.is_complete
    turn.play_step(1, 6)
    assert turn.dice_left == (5,)
    turn.play_step(7, 5)
    assert turn.is_complete
    assert turn.steps() == ()
    play = turn.commit()
    assert play == impl.Play(position, (6, 5), ((1, 6), (7, 5)))
    assert str(play.afterstate) == "24:14,13:1 12:15 b"


def test_an_incomplete_turn_cannot_be_committed(impl: Any) -> None:
    turn = impl.Turn(impl.Position.start(), (6, 5))
    turn.play_step(1, 6)
    with pytest.raises(ValueError, match="the play is not complete"):
        turn.commit()
    assert turn.played == ((1, 7, 6),)


def test_steps_are_taken_back_one_by_one_or_all(impl: Any) -> None:
    turn = impl.Turn(impl.Position.start(), (2, 2))
    with pytest.raises(ValueError, match="no step has been played"):
        turn.take_back()
    for source in (1, 3, 5):
        turn.play_step(source, 2)
    turn.take_back()
    assert turn.played == ((1, 3, 2), (3, 5, 2))
    turn.reset()
    assert turn.played == ()
    assert turn.steps() == ((1, 2),)


def test_the_board_shows_the_steps_so_far_and_hits(impl: Any) -> None:
    turn = turn_of(impl, "8:2 20:1,19:1 w", (3, 2), "hypergammon")  # Black's 20 is White's 5
    turn.play_step(17, 3)
    expected = np.zeros((2, 26), dtype=np.int8)
    expected[0, [17, 20, 25]] = 1
    expected[1, [0, 6, 25]] = 1
    np.testing.assert_array_equal(turn.board, expected)
    turn.play_step(17, 2)
    np.testing.assert_array_equal(turn.board[::-1], turn.commit().afterstate.board)


@pytest.mark.parametrize("name", PRESETS)
def test_the_board_of_a_complete_turn_is_the_afterstate(impl: Any, name: str) -> None:
    for turn in turns_of_games(impl, name, 60):
        if turn.is_complete:
            np.testing.assert_array_equal(turn.board[::-1], turn.commit().afterstate.board)


def test_landings_by_one_die_and_by_several_are_told_apart(impl: Any) -> None:
    landings = impl.Turn(impl.Position.start(), (6, 5)).landings()
    assert set(landings) == {1}
    assert landings[1].one == {6: (5,), 7: (6,)}
    assert landings[1].several == {12: (((1, 5), (6, 6)), ((1, 6), (7, 5)))}


def test_landings_of_a_double_go_as_far_as_one_checker_can(impl: Any) -> None:
    landings = turn_of(impl, "24:14,20:1 12:15 w", (2, 2)).landings()
    assert landings[5].one == {7: (2,)}
    assert {landing: ways[0][-1] for landing, ways in landings[5].several.items()} == {9: (7, 2), 11: (9, 2)}


def test_a_checker_that_either_die_bears_off_names_both(impl: Any) -> None:
    landings = turn_of(impl, "2:1,1:1 12:15 w", (6, 5)).landings()
    assert landings == {23: ({25: (5, 6)}, {})}


def test_landings_agree_with_the_listed_steps(impl: Any) -> None:
    for turn in turns_of_games(impl, "short", 40):
        landings = turn.landings()
        one = {(source, die) for source, there in landings.items() for dice in there.one.values() for die in dice}
        assert one == set(turn.steps())
        for source, there in landings.items():
            for landing, ways in there.several.items():
                for way in ways:
                    before = len(turn.played)
                    assert way[0][0] == source
                    for step in way:
                        turn.play_step(*step)
                    assert turn.played[-1][1] == landing
                    for _ in range(len(turn.played) - before):
                        turn.take_back()


def test_forced_plays_and_forced_passes_are_told(impl: Any) -> None:
    free = turn_of(impl, "24:10,20:5 12:15 w", (2, 1))
    assert free.forced_play is None
    forced = impl.Turn(impl.Position.start(), (6, 5))
    assert str(forced.forced_play.afterstate) == "24:14,13:1 12:15 b"
    assert not forced.is_pass
    blocked = turn_of(impl, "24:15 18:5,19:10 w", (6, 5))
    assert blocked.is_pass
    assert blocked.is_complete
    assert blocked.forced_play.steps == blocked.commit().steps == ()


def test_a_finished_game_has_no_turn_to_make(impl: Any) -> None:
    turn = turn_of(impl, "- 12:15 b", (6, 5))
    assert turn.is_complete
    assert not turn.is_pass
    assert turn.forced_play is None
    with pytest.raises(ValueError, match="the game is over"):
        turn.commit()


def test_bad_dice_are_refused(impl: Any) -> None:
    with pytest.raises(ValueError, match="a die shows"):
        impl.Turn(impl.Position.start(), (7, 1))
