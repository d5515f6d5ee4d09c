"""Match equities: computed, read from files of other programs, and beside theirs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import referees

from nardy_fast.analysis import MatchEquity
from nardy_fast.players import Network

LONG = {-2: 0.07, -1: 0.33, 1: 0.43, 2: 0.17}

XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met>
  <info><name> Two points </name><description>none</description><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.7</me><me>0.75</me></row>
    <row><me>0.3</me><me>0.5</me><me>0.6</me></row>
    <row><me>0.25</me><me>0.4</me><me>0.5</me></row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.48</me></row></post-crawford-table>
</met>
"""

INI = """[Current]
Name=Two points
Version=1.0
; MatchPoint=3

[PostCrawford]
Size=3
Data=0.5 0.48 0.32

[PreCrawford]
Size=3
 1=0.5 0.7 0.75
 2=0.3 0.5 0.6
 3=0.25 0.4 0.5
"""


def test_equal_scores_are_even_and_both_chances_add_up_to_one() -> None:
    table = MatchEquity(9, gammons=0.26)
    assert [table.chance(points, points) for points in range(1, 10)] == [0.5] * 9
    assert np.allclose(table.table() + table.table().T, 1)
    after = table.table(post_crawford=True)
    assert np.allclose(after + after.T, 1)


def test_the_crawford_game_of_a_trailer_two_points_away_needs_a_gammon_or_another_game() -> None:
    # Half of the games are his: 0.26 of these gammons, and the others take him to a single game.
    assert MatchEquity(2, gammons=0.26).chance(2, 1) == pytest.approx(0.5 * (0.26 + 0.74 * 0.5))


def test_after_the_crawford_game_a_trailer_three_points_away_doubles_at_once() -> None:
    # He wins two or, by a gammon, four points with half of the games, and is at one point each with two.
    assert MatchEquity(3, gammons=0.26).chance(3, 1, post_crawford=True) == pytest.approx(0.5 * (0.26 + 0.74 * 0.5))


def test_at_two_points_each_the_doubled_game_decides() -> None:
    assert MatchEquity(2, gammons=0.3).chance(2, 2) == 0.5


def test_whoever_needs_no_more_points_has_won() -> None:
    table = MatchEquity(3, gammons=0.26)
    assert (table.chance(0, 2), table.chance(2, 0), table.chance(-3, 1)) == (1, 0, 1)


def test_a_better_chance_comes_with_every_point() -> None:
    for table in (MatchEquity(11, gammons=0.26), MatchEquity(11, "long", rates=LONG)):
        assert np.all(np.diff(table.table(), axis=0) < 0)
        assert np.all(np.diff(table.table(), axis=1) > 0)


def test_a_tas_of_one_point_is_its_single_game() -> None:
    table = MatchEquity(1, "long", rates=LONG)
    assert table.chance(1, 1, begins=True) == pytest.approx(0.6)
    assert table.chance(1, 1, begins=False) == pytest.approx(0.4)
    assert table.chance(1, 1) == 0.5


def test_a_tas_of_two_points_written_out() -> None:
    # Colours change: who has not begun begins the second game. Two points each are a mars, or two games of one.
    table = MatchEquity(2, "long", rates=LONG)
    # One point against two, the leader not beginning: he wins with 0.4 at once; else a single loss makes it one each, he begins.
    leader = 0.4 + 0.43 * 0.6
    assert table.chance(1, 2, begins=False) == pytest.approx(leader)
    trailer = 0.17 + 0.43 * 0.4
    assert table.chance(2, 1, begins=True) == pytest.approx(trailer)
    assert table.chance(2, 2, begins=True) == pytest.approx(0.17 + 0.43 * leader + 0.33 * (1 - table.chance(1, 2, begins=True)))


def test_the_winner_begins_where_the_rules_say_so() -> None:
    table = MatchEquity(2, "tournament", rates=LONG)
    assert table.chance(1, 2, begins=True) == pytest.approx(0.6 + 0.33 * 0.4)


def test_draws_give_halves_and_a_level_end_goes_on() -> None:
    rates = {-1: 0.3, 0: 0.2, 1: 0.5}
    table = MatchEquity(1, "federation", rates=rates)
    # v = 0.5 + 0.2 (1 - v): half a point each, and the other begins.
    assert table.chance(1, 1, begins=True) == pytest.approx((0.5 + 0.2) / 1.2)
    assert table.chance(0.5, 1, begins=True) == pytest.approx(0.7)
    assert table.chance(0, 0, begins=True) == table.chance(0.5, 0.5, begins=True)


def test_marses_help_who_is_behind() -> None:
    few, many = ({-2: m / 2, -1: 0.5 - m / 2, 1: 0.5 - m / 2, 2: m / 2} for m in (0.0, 0.5))
    assert MatchEquity(3, "long", rates=many).chance(3, 1) > MatchEquity(3, "long", rates=few).chance(3, 1) + 0.05


def test_rates_are_the_shipped_networks_unless_they_are_given() -> None:
    short, long = MatchEquity(3), MatchEquity(3, "long")
    assert 0.19 < short.rates.at_least(2) / short.rates.win < 0.29
    assert long.rates.win > 0.55  # White begins, which is worth much
    assert long.chance(3, 3, begins=True) > 0.5
    assert MatchEquity(3, network=Network.load("short")).chance(3, 2) == short.chance(3, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"length": 0}, "length = 0"),
        ({"length": 65}, "length = 65"),
        ({"gammons": 1.5}, "gammons = 1.5: expected a share from 0 to 1"),
        ({"gammons": 0.2, "rates": {1: 1.0}}, "expected one of them at the most"),
        ({"rates": {1: 0.5}}, "add up to 1"),
        ({"rates": {4: 1.0}}, r"rates\[4\]"),
        ({"efficiency": 2}, "efficiency = 2"),
        ({"rules": "hypergammon"}, "a preset with a network"),
        ({"gammons": 0.2, "draw": "none"}, "draw = 'none'"),
    ],
)
def test_what_is_no_match_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MatchEquity(**({"length": 5} | arguments))


def test_points_beyond_the_table_and_halves_with_a_cube_are_refused() -> None:
    table = MatchEquity(3, gammons=0.26)
    with pytest.raises(ValueError, match="away = 4: expected points up to 3"):
        table.chance(4, 1)
    with pytest.raises(ValueError, match=r"other = 1\.5: expected whole points"):
        table.chance(1, 1.5)


# Files


@pytest.mark.parametrize(("name", "text"), [("two.xml", XML), ("two.met", INI)])
def test_tables_of_other_programs_are_read(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    table = MatchEquity.read(tmp_path / name)
    assert (table.length, table.name) == (3, "Two points")
    assert table.chance(1, 2) == 0.7
    assert table.chance(3, 2) == 0.4
    assert table.chance(2, 1, post_crawford=True) == 0.48
    assert table.chance(1, 2, post_crawford=True) == 0.52


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("a.xml", "<me>0.6</me>", "<me>6</me>", "'6': expected a chance from 0 to 1"),
        ("a.xml", "<me>0.6</me>", "", "expected as many entries as rows"),
        ("a.xml", "<me>0.6</me>", "<me>0.9</me>", "do not add up to 1"),
        ("a.xml", "</met>", "", "no XML"),
        ("a.xml", 'type="explicit" player', 'type="zadeh" player', "a table of type 'zadeh': only explicit ones are read"),
        ("a.xml", "<me>0.48</me>", "", "1 entries after the Crawford game: expected 2"),
        ("b.met", "[PreCrawford]", "[Before]", "expected the sections PreCrawford and PostCrawford"),
        ("b.met", "0.48", "0.6", "who needs more points has the better chances"),
        ("b.met", "[Current]", "what", "'what': neither XML nor a line of a .met file"),
    ],
)
def test_what_is_no_table_is_refused_by_name(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    text = XML if name.endswith("xml") else INI
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=rf"{name}: .*{message}"):
        MatchEquity.read(tmp_path / name)


# Other programs


@pytest.mark.referee
def test_with_its_gammon_rate_the_table_is_gnubg_nns() -> None:
    gnubg = referees.module("gnubg_nn")
    gnubg.set.equities(0.5, 0.26)  # computed there, of half the games won and 0.26 of these gammons
    theirs = np.array([[(1 + gnubg.equities.value(a, b)) / 2 for b in range(1, 16)] for a in range(1, 16)])
    assert np.abs(MatchEquity(15, gammons=0.26).table() - theirs).mean() < 0.003
    # It takes every cube for a live one.
    assert np.abs(MatchEquity(15, gammons=0.26, efficiency=1).table() - theirs).mean() < 0.0005


@pytest.mark.referee
def test_the_computed_table_lies_by_those_that_were_rolled_out() -> None:
    referees.program("gnubg")
    rolled_out = MatchEquity.read("/usr/share/gnubg/met/Kazaross-XG2.xml")
    assert rolled_out.length == 25
    difference = MatchEquity(15).table() - rolled_out.table()[:15, :15]
    assert np.abs(difference).mean() < 0.004
    assert np.abs(difference).max() < 0.015
