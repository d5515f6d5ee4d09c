"""Cube decisions: Janowski's formulas, the rules of money and of matches, and GNU Backgammon's own."""

from __future__ import annotations

import collections
from pathlib import Path

import gnubg_matches
import pytest
import referees

from nardy_fast import MatchState, Position
from nardy_fast.analysis import CubeDecision, MatchEquity, cube_decision
from nardy_fast.analysis.cube_decisions import decide
from nardy_fast.analysis.cubeful import CONTACT, Cubeful, Split, Stake, efficiency
from nardy_fast.players import Network
from nardy_fast.players.chances import Chances

START = Position.start("short")
MONEY = MatchState(limit=64)


def won(win: float, gammons: float = 0.0, lost_gammons: float = 0.0) -> Chances:
    """Chances by shares of the games won and lost."""
    lost = 1 - win
    exact = (0.0, lost * lost_gammons, lost * (1 - lost_gammons), win * (1 - gammons), win * gammons, 0.0)
    return Chances.of((-3, -2, -1, 1, 2, 3), exact, "given")


def verdict(win: float, state: MatchState = MONEY, gammons: float = 0.0, lost_gammons: float = 0.0) -> CubeDecision:
    return cube_decision(START, state, chances=won(win, gammons, lost_gammons))


# Janowski


@pytest.mark.parametrize(("win", "gammons"), [(0.3, 0.0), (0.55, 0.2), (0.9, 0.5)])
def test_live_cubes_are_worth_what_janowski_says(win: float, gammons: float) -> None:
    split = Split.of(won(win, gammons, gammons))
    value = Cubeful(split, Stake(float), 1.0).value
    more, less = 1 + gammons, 1 + gammons  # the mean of a win and of a loss
    take = (less - 0.5) / (more + less + 0.5)
    cash = (less + 1) / (more + less + 0.5)
    owned = -less + (1 + less) * win / cash if win < cash else 1 + (more - 1) * (win - cash) / (1 - cash)
    theirs = -1 + (more + 1) * (win - take) / (1 - take) if win > take else -less + (less - 1) * win / take
    centred = -1 + 2 * (win - take) / (cash - take) if take < win < cash else owned if win >= cash else theirs
    assert value(1, 0) == pytest.approx(owned, abs=1e-4)
    assert value(1, 1) == pytest.approx(theirs, abs=1e-4)
    assert value(1, None) == pytest.approx(centred, abs=1e-4)
    assert value(4, 0) == pytest.approx(4 * owned, abs=1e-3)


def test_a_dead_cube_leaves_the_chances_as_they_are() -> None:
    chances = won(0.6, 0.25, 0.1)
    assert Cubeful(Split.of(chances), Stake(float), 0.0).value(1, None) == pytest.approx(chances.equity)
    assert Cubeful(Split.of(chances), Stake(float, limit=1), 1.0).value(1, None) == pytest.approx(chances.equity)


def test_more_of_a_live_cube_is_had_in_longer_races() -> None:
    assert [efficiency(True, pips) for pips in (20, 80, 200)] == pytest.approx([0.6, 0.65, 0.7])
    assert efficiency(False, 20) == CONTACT


# Money


def test_without_gammons_a_double_is_taken_up_to_the_cash_point() -> None:
    found = {win: str(verdict(win)) for win in (0.5, 0.65, 0.74, 0.85)}
    assert found == {0.5: "no double, take", 0.65: "no double, take", 0.74: "double, take", 0.85: "double, pass"}


def test_with_many_gammons_one_plays_on() -> None:
    found = verdict(0.9, gammons=0.7)
    assert (str(found), found.answer) == ("too good to double", "pass")
    assert found.no_double > found.double_pass == 1
    assert found.equity == found.no_double


def test_jacobys_rule_makes_a_double_of_what_was_too_good() -> None:
    found = verdict(0.9, MatchState(limit=64, jacoby=True), gammons=0.7)
    assert str(found) == "double, pass"
    assert found.no_double <= 1


def test_jacobys_rule_counts_for_an_unturned_cube_only() -> None:
    turned = MatchState(limit=64, cube=2, owner=0)
    found = cube_decision(START, turned, chances=won(0.9, 0.7))
    assert found == cube_decision(START, MatchState(limit=64, cube=2, owner=0, jacoby=True), chances=won(0.9, 0.7))


def test_a_bad_double_is_beavered() -> None:
    agreed = MatchState(limit=64, beavers=True)
    found = verdict(0.45, agreed)
    assert (found.action, found.answer, found.beaver_answer) == ("no double", "beaver", "take")
    assert found.double_beaver == pytest.approx(2 * found.double_take, abs=0.01)
    assert verdict(0.45).double_beaver is None
    assert verdict(0.74, agreed).answer == "take"


def test_a_beaver_on_a_hopeless_double_is_passed() -> None:
    found = verdict(0.3, MatchState(limit=64, beavers=True))
    assert (found.answer, found.beaver_answer, found.double_beaver) == ("beaver", "pass", -2)


def test_a_beaver_that_waits_is_the_same_decision() -> None:
    before = verdict(0.45, MatchState(limit=64, beavers=True))
    waits = MatchState(limit=64, beavers=True, cube=2, owner=1, doubled=True, to_act=0)
    assert verdict(0.45, waits) == before


# Matches


def test_in_a_match_the_chances_to_win_it_are_told_too() -> None:
    table = MatchEquity(7, gammons=0.26)
    state = MatchState(length=7, score=(3, 2))
    found = cube_decision(START, state, chances=won(0.75, 0.2), table=table)
    assert found.match_chances is not None
    _, take, drop = found.match_chances
    assert drop == table.chance(3, 5)
    assert found.double_pass == 1
    lost = table.chance(4, 4)
    assert found.double_take == pytest.approx((2 * take - drop - lost) / (drop - lost))
    assert verdict(0.75, gammons=0.2).match_chances is None


def test_a_trailer_after_the_crawford_game_doubles_at_once() -> None:
    state = MatchState(length=7, score=(4, 6))
    assert verdict(0.5, state).action == "double"
    assert verdict(0.2, state).action == "double"


def test_a_leader_two_points_ahead_of_nothing_passes_a_free_drop() -> None:
    # After the Crawford game, two away: one point less costs the leader nothing but the loss of this game's start.
    state = MatchState(length=7, score=(5, 6))
    assert verdict(0.55, state).answer == "pass"
    assert verdict(0.45, state).answer == "take"


def test_a_dead_cube_is_not_turned() -> None:
    found = verdict(0.9, MatchState(length=7, score=(5, 0), cube=2, owner=0))
    assert found.action == "no double"
    assert found.double_take < found.no_double


def test_at_two_points_each_everybody_doubles_a_lead() -> None:
    assert str(verdict(0.66, MatchState(length=2))) == "double, take"
    assert str(verdict(0.71, MatchState(length=2))) == "double, pass"


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (MatchState(length=7, score=(6, 2), is_crawford=True), "the Crawford game has no cube"),
        (MatchState(length=1), "the game is played without a cube"),
        (MatchState(limit=1), "the game is played without a cube"),
        (MatchState(cube=2, owner=1), "the cube is the opponent's"),
        (MatchState(cube=64, owner=0), "no double beyond the limit"),
        (MatchState(dice=(3, 1)), "the dice have been thrown"),
        (MatchState(length=3, score=(3, 0)), "the match to 3 is over"),
    ],
)
def test_who_may_not_double_has_no_decision(state: MatchState, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        cube_decision(START, state)


def test_arguments_that_are_none_are_refused() -> None:
    with pytest.raises(TypeError, match="match_state = 'money': expected a MatchState"):
        cube_decision(START, "money")
    with pytest.raises(ValueError, match="expected one to 7 points at least"):
        cube_decision(START, MatchState(length=7), table=MatchEquity(5, gammons=0.2))


def test_the_shipped_network_is_asked_unless_chances_are_given() -> None:
    found = cube_decision(START)
    assert found.chances == Network.load("short").evaluate(START)
    assert str(found) == "no double, take"


# GNU Backgammon


@pytest.mark.referee
def test_on_five_hundred_positions_of_gnu_backgammon_the_decisions_are_its_own(tmp_path: Path) -> None:
    referees.program("gnubg")
    table = MatchEquity.read("/usr/share/gnubg/met/Kazaross-XG2.xml")  # its own
    network = Network.load("short")
    kinds = [(5, False), (7, False), (7, False), (9, False), (7, False), *[(0, True), (0, False)] * 6]
    seen: collections.Counter[str] = collections.Counter()
    for analysed in gnubg_matches.play(tmp_path, kinds):
        for moment in gnubg_matches.may_double(analysed):
            setting = moment.setting(table)
            theirs = moment.told["nd-cubeful-eq"], moment.told["dt-cubeful-eq"]
            worth = setting.stake.worth(setting.cube)
            if not setting.is_match:  # it tells them at a cube of 1
                theirs, worth = (theirs[0] * setting.cube, theirs[1] * setting.cube), setting.cube
            none, taken = theirs
            action = "double" if min(taken, worth) >= none else "too good" if taken >= worth else "no double"
            answer = "pass" if taken >= worth else "take"

            found = decide(setting, moment.position, gnubg_matches.chances(moment.told["probs"]))
            own = decide(setting, moment.position, network.evaluate(moment.position))
            seen["all"] += 1
            seen["same chances, same decision"] += (found.action, found.answer) == (action, answer)
            seen["own chances, same decision"] += (own.action, own.answer) == (action, answer)
            ours = found.match_chances or (found.no_double * setting.cube, found.double_take * setting.cube)
            # Whoever loses the match with the cube as it would lie redoubles at once. It does not count on that, and we do.
            redoubles = setting.stake.is_automatic(1, setting.cube * 2) or setting.stake.is_automatic(0, setting.cube)
            if not redoubles:
                assert ours[0] == pytest.approx(none, abs=2e-4)
                assert ours[1] == pytest.approx(taken, abs=2e-4)
    assert seen["all"] >= 500
    assert seen["same chances, same decision"] >= 0.99 * seen["all"]
    assert seen["own chances, same decision"] >= 0.95 * seen["all"]
