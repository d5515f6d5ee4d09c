"""What nf.bearoff answers, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bearoff_tables import EXACT, GIVEAWAY, LONG, NEXT_TURN, OLD_ENGLISH, SHORT, SMALL, board_of, one_sided, two_sided
from usual_rulesets import USUAL_RULESETS

import nardy_fast as nf
from nardy_fast import Position, Ruleset
from nardy_fast.bearoff import OneSided, Race, TwoSided, race
from nardy_fast.bearoff.keys import one_sided_key, two_sided_key

FEDERATION = nf.ruleset("federation")


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables that are loaded by default are kept for these tests only."""
    monkeypatch.setenv("NARDY_FAST_CACHE", str(tmp_path_factory.getbasetemp() / "tables"))


def at(text: str, rules: str | Ruleset = LONG) -> Position:
    return Position.parse(text, rules)


# One side


def test_well_known_numbers_of_turns() -> None:
    table = one_sided()
    assert table.spreads == 54264
    assert table.mean([1]) == 1
    assert table.mean([0, 0, 0, 0, 0, 1]) == pytest.approx(45 / 36)  # 27 rolls of 36 bear it off at once
    assert table.distribution([0, 0, 0, 0, 0, 2])[:3] == pytest.approx([0, 4 / 36, 0.67129630], abs=1e-8)
    assert table.mean([0, 0, 0, 0, 0, 15]) == pytest.approx(12.266187171764628, rel=1e-14)
    assert table.mean([0, 0, 0, 0, 0, 15], "first") == pytest.approx(1.6161346, abs=1e-7)


def test_a_distribution_adds_up_and_has_the_mean() -> None:
    table = one_sided()
    everything = np.arange(table.spreads)
    for aim in ("all", "first"):
        chances = table.distributions(everything, aim)
        assert chances.shape == (table.spreads, table.turns + 1)
        assert (chances.sum(axis=1) == 1).all()
        assert (chances >= 0).all()
        assert chances @ np.arange(table.turns + 1) == pytest.approx(table.means(everything, aim), abs=1e-7)


def test_no_play_is_better_within_so_many_turns_than_the_one_for_it() -> None:
    table = one_sided()
    everything = np.arange(table.spreads)
    by = table.distributions(everything, "all").cumsum(axis=1)
    best = table.distributions(everything, "within").cumsum(axis=1)
    assert (best >= by).all()
    assert (best > by).any()
    assert table.within([0, 0, 0, 0, 0, 2], 2) == pytest.approx(best[table.number([0, 0, 0, 0, 0, 2]), 2])


def test_nobody_is_surer_to_have_none_off_than_not_to_have_all_off() -> None:
    """So that mars chances from the two distributions are never greater than those to lose."""
    table = one_sided()
    everything = np.arange(table.spreads)
    none_off = 1 - table.distributions(everything, "first").cumsum(axis=1)
    not_all_off = 1 - table.distributions(everything, "all").cumsum(axis=1)
    assert (none_off <= not_all_off + 1e-9).all()


def test_a_spread_is_given_as_counts_number_or_position() -> None:
    table = one_sided()
    position = at("6:3,5:2 18:4,13:2 w")
    assert table.number(position) == table.number((0, 0, 0, 0, 2, 3)) == table.number(table.number(position))
    assert table.counts(table.number(position)) == (0, 0, 0, 0, 2, 3)
    assert table.number(nf.reference.Position.parse(str(position))) == table.number(position)
    assert table.number([]) == 0
    assert table.distribution([])[0] == 1


@pytest.mark.parametrize(
    ("checkers", "message"),
    [
        ([16], "15 checkers in all"),
        ([-1, 2], "15 checkers in all"),
        ([0] * 6 + [1], "at most 6 points"),
        (54264, "the numbers of spreads are 0 to 54263"),
        (-1, "the numbers of spreads are 0 to 54263"),
        (at("7:1,6:14 18:4 w"), "the mover has a checker 7 points from the end, and the table knows the last 6 points only"),
        (at("6:3 18:3 w", EXACT), "bear off in another way"),
    ],
)
def test_what_is_no_spread_of_the_table_is_refused(checkers: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        one_sided().mean(checkers)


@pytest.mark.parametrize("checkers", ["six", [1.5], 2.5])
def test_what_is_no_spread_at_all_is_refused(checkers: Any) -> None:
    with pytest.raises(TypeError, match="expected a Position, a number, or the counts"):
        one_sided().mean(checkers)


def test_late_turns_are_what_a_giveaway_wants() -> None:
    soon, late = one_sided(), one_sided(GIVEAWAY)
    everything = np.arange(soon.spreads)
    assert (late.means(everything) >= soon.means(everything) - 1e-12).all()
    assert late.mean([2, 0, 0, 0, 0, 2]) > soon.mean([2, 0, 0, 0, 0, 2])
    assert late.within([0, 0, 0, 0, 0, 2], 2) <= late.distribution([0, 0, 0, 0, 0, 2])[:3].sum()


@pytest.mark.slow
def test_exact_bearing_off_takes_longer() -> None:
    assert one_sided(EXACT).mean([1]) == pytest.approx(36 / 11, rel=1e-14)
    assert one_sided().mean([1]) == 1


def test_a_table_of_more_points_agrees_with_the_usual_one() -> None:
    six, seven = one_sided(), one_sided(LONG, 7)
    assert seven.spreads == 170544
    for number in range(0, six.spreads, 977):
        counts = six.counts(number)
        assert seven.mean(counts) == six.mean(counts)
        assert (seven.distribution(counts)[: six.turns + 1] == six.distribution(counts)).all()
    assert seven.within([0] * 6 + [1], 1) == pytest.approx(23 / 36)  # 1-1 and the mixed rolls of at most six pips leave it there


# Best plays


def test_the_best_play_depends_on_the_aim() -> None:
    table = one_sided()
    position = at("6:3,5:2 18:4,13:2 w")
    assert str(table.best_play(position, (6, 5))) == "6/off 5/off"
    found = table.best_play(position, (2, 1))
    means = {str(play): table.mean([int(n) for n in play.afterstate.board[1, 24:18:-1]]) for play in position.plays((2, 1))}
    assert means[str(found)] == min(means.values())


def test_the_best_play_for_the_first_checker_saves_the_mars() -> None:
    table = one_sided()
    with pytest.raises(ValueError, match="7 points"):
        table.best_play(at("7:1,6:14 18:4 w"), (2, 1), "first")
    position = at("6:15 18:4 w")
    assert table.best_play(position, (5, 1), "first").afterstate.board[1, 25] == 1
    means = {
        str(play): table.mean([int(n) for n in play.afterstate.board[1, 24:18:-1]], "first") for play in position.plays((2, 1))
    }
    assert means[str(table.best_play(position, (2, 1), "first"))] == min(means.values()) < max(means.values())


def test_the_best_play_within_so_many_turns_is_as_good_as_the_table_says() -> None:
    table = one_sided()
    position = at("6:1,5:2,3:2 18:4 w")
    for turns in (1, 2, 3, 4):
        total = 0.0
        for dice, weight in nf.ROLLS:
            after = table.best_play(position, dice, turns).afterstate.board[1, 24:18:-1]
            total += weight * table.within([int(n) for n in after], turns - 1)
        assert total / 36 == pytest.approx(table.within(position, turns), abs=1e-8)


def test_of_equal_plays_the_lowest_number_is_taken() -> None:
    table = one_sided()
    position = at("6:1,4:1,2:1,1:1 18:4 w")
    after = {}
    for dice, _ in nf.ROLLS:
        for play in position.plays(dice):
            number = table.number([int(n) for n in play.afterstate.board[1, 24:18:-1]])
            after.setdefault(dice, {})[number] = table.mean(number)
        best = table.number([int(n) for n in table.best_play(position, dice).afterstate.board[1, 24:18:-1]])
        least = min(after[dice].values())
        assert best == min(number for number, mean in after[dice].items() if mean <= least + 1e-11)
    assert any(list(means.values()).count(min(means.values())) > 1 for means in after.values())


@pytest.mark.parametrize(
    ("position", "aim", "message"),
    [
        (at("6:3,5:2 18:4 w"), "last", "aim = 'last'"),
        (at("6:3,5:2 18:4 w"), 0, "aim = 0"),
        (at("- 18:4 b"), "all", "the game is over"),
        (at("6:15 24:2,6:13 w", SHORT), "all", "may still meet"),
        (at("6:3 18:3 w", EXACT), "all", "bear off in another way"),
    ],
)
def test_best_play_refuses(position: Position, aim: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        one_sided().best_play(position, (2, 1), aim)


# Two sides


def test_who_has_one_checker_left_wins_by_throwing() -> None:
    table = two_sided(SHORT)
    last = at("6:1 1:1 w", SHORT)
    assert table.equity(last) == pytest.approx(2 * 27 / 36 - 1, abs=1e-9)
    cube = table.cube(last)
    assert cube.doubled == pytest.approx(1, abs=1e-8)  # 27 of 36 is 75 %: the other may just take
    assert cube.centred == pytest.approx(1, abs=1e-8)
    assert cube.theirs == cube.cubeless
    chances = table.race(last)
    assert chances[:5] == pytest.approx((0.75, 0, 0, 0.25, 0), abs=1e-9)
    assert chances.source == "two-sided"


def test_the_last_roll_makes_draws() -> None:
    """White takes his last checker off for certain, and Black has one roll for his."""
    table = two_sided(FEDERATION)
    assert table.race(at("1:1 18:1 w", FEDERATION))[:5] == pytest.approx((9 / 36, 0, 27 / 36, 0, 0), abs=1e-9)
    due = at("- 18:1 b", FEDERATION)
    assert not due.is_over
    assert table.race(due)[:5] == pytest.approx((0, 0, 27 / 36, 9 / 36, 0), abs=1e-9)
    assert table.equity(due) == pytest.approx(-9 / 36, abs=1e-9)


def test_black_who_clears_first_has_won() -> None:
    table = two_sided(FEDERATION)
    win, _, draw, loss, _ = table.race(at("6:1 18:1 b", FEDERATION))[:5]
    assert win >= 27 / 36
    assert win + draw + loss == pytest.approx(1)
    assert two_sided(LONG).race(at("6:1 18:1 b")).draw == 0


@pytest.mark.parametrize("last_roll", ["draw_only", "full"])
def test_a_mars_can_be_saved_by_the_last_roll_if_it_counts(last_roll: str) -> None:
    rules = replace(SMALL, name=last_roll, last_roll=last_roll)
    table = TwoSided.build(rules)
    assert table.checkers == 3
    position = Position([board_of(rules, (1,))[0], board_of(rules, (0, 0, 0, 0, 0, 3))[0]], 0, rules)
    chances = table.race(position)
    assert chances[:5] == pytest.approx((35 / 36, chances.mars, 1 / 36, 0, 0), abs=1e-8)  # 6-6 takes all three off
    saving = 11 + 2 + 2 + 4  # any six, 5-1, 4-2, and every other double but 1-1
    assert chances.mars == pytest.approx(35 / 36 if last_roll == "draw_only" else 1 - saving / 36, abs=1e-8)


def test_the_best_play_of_two_sides_makes_the_table() -> None:
    table = two_sided(SHORT)
    for text in ("6:3,5:2 6:4,1:2 w", "5:1,2:2 4:1,1:1 b"):
        position = at(text, SHORT)
        for cube, of in (("cubeless", 0), ("centred", 4), ("owned", 5), ("theirs", 3)):
            total = 0.0
            for dice, weight in nf.ROLLS:
                after = table.best_play(position, dice, cube).afterstate
                if after.is_over:
                    total += weight
                    continue
                seen = table.cube(after)
                total -= (
                    weight
                    * {"cubeless": seen.cubeless, "centred": seen.centred, "owned": seen.theirs, "theirs": seen.owned}[cube]
                )
            assert total / 36 == pytest.approx(table.cube(position)[of], abs=1e-8)


def test_it_covers_few_checkers_at_home() -> None:
    table = two_sided(LONG)
    assert table.covers(at("6:3 18:6 w"))
    assert not table.covers(at("6:3 18:7 w"))
    assert not table.covers(at("- 18:7 b"))
    assert not table.covers(at("7:1,6:14 18:7 b"))
    with pytest.raises(ValueError, match="at most 6 a side"):
        table.equity(at("6:3 18:7 w"))
    with pytest.raises(ValueError, match="the game is over"):
        table.equity(at("- 18:3 b"))
    with pytest.raises(ValueError, match="end in another way"):
        table.race(at("6:3 18:6 w", FEDERATION))
    with pytest.raises(ValueError, match="there is no cube"):
        table.cube(at("6:3 18:6 w"))
    with pytest.raises(ValueError, match="there is no cube"):
        table.best_play(at("6:3 18:6 w"), (2, 1), "owned")
    with pytest.raises(ValueError, match="cube = 'mine'"):
        table.best_play(at("6:3 18:6 w"), (2, 1), "mine")


# Races


def test_a_race_says_where_it_is_from() -> None:
    assert race(at("6:3 18:6 w")).source == "two-sided"
    assert race(at("6:3 18:7 w")).source == "one-sided"
    assert race(at("6:3 18:6 w"), two_sided=False).source == "one-sided"
    assert one_sided().race(at("6:3 18:6 w")).source == "two-sided"
    assert race(at("6:3 18:7 w"), two_sided=two_sided(LONG)).source == "one-sided"


@pytest.mark.parametrize("rules", [LONG, SHORT, FEDERATION, GIVEAWAY], ids=lambda rules: rules.name)
def test_both_ways_nearly_agree(rules: Ruleset) -> None:
    """The two distributions do not look at the other side, which costs little."""
    random = np.random.default_rng(4)
    counts = [random.multinomial(6, [1 / 6] * 6) for _ in range(40)]
    for mover, opponent in zip(counts[::2], counts[1::2], strict=True):
        for turn in (0, 1):
            position = Position(board_of(rules, tuple(mover), tuple(opponent)), turn, rules)
            exact, nearly = race(position), race(position, two_sided=False, one_sided=one_sided(rules))
            assert nearly[:5] == pytest.approx(exact[:5], abs=0.03)
            assert sum((nearly.win, nearly.draw, nearly.loss)) == pytest.approx(1)


@pytest.mark.parametrize("last_roll", ["none", "draw_only", "full"])
@pytest.mark.parametrize("turn", [0, 1])
def test_a_race_from_distributions_is_the_sum_over_all_turns(last_roll: str, turn: int) -> None:
    rules = replace(LONG, name=last_roll, last_roll=last_roll)
    table = one_sided(LONG)
    sides = (3, 2, 4, 0, 2, 3), (0, 5, 2, 6, 0, 2)
    position = Position(board_of(rules, *sides), turn, rules)
    all_off = [table.distribution(side) for side in sides]
    first_off = table.distribution(sides[1], "first")
    win = mars = draw = loss = 0.0
    for own in range(table.turns + 1):
        for his in range(table.turns + 1):
            chance = all_off[0][own] * all_off[1][his]
            # The mover's turn number `own` comes before the opponent's turn of the same number.
            if own <= his:
                drawn = last_roll != "none" and turn == 0 and his == own
                win, draw = (win, draw + chance) if drawn else (win + chance, draw)
            else:
                drawn = last_roll != "none" and turn == 1 and own == his + 1
                loss, draw = (loss, draw + chance) if drawn else (loss + chance, draw)
            whole_until = his > own - 1 if last_roll != "full" or turn == 1 else his > own
            mars += all_off[0][own] * first_off[his] * whole_until
    found = race(position, two_sided=False, one_sided=table)
    assert found[:4] == pytest.approx((win, mars, draw, loss), abs=1e-12)
    assert found.lost_mars == 0  # the mover has borne off one


def test_a_finished_position_has_its_result() -> None:
    assert race(at("- 18:4 b")) == Race(0, 0, 0, 1, 0, "over")
    assert race(at("- 18:15 b")) == Race(0, 0, 0, 1, 1, "over")
    assert race(at("- 18:15 w")) == Race(1, 1, 0, 0, 0, "over")
    assert race(at("- 18:15 b", GIVEAWAY)) == Race(1, 1, 0, 0, 0, "over")
    assert race(at("- - w", FEDERATION)) == Race(0, 0, 1, 0, 0, "over")


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position.start("long"), "a checker 24 points from the end"),
        (at("bar:1,6:14 6:15 w", SHORT), "the mover has a checker on the bar"),
        (at("6:3,5:2 21:4,5:2 w", SHORT), "the opponent has a checker 21 points from the end"),
        (at("6:7 18:7 w", replace(LONG, name="no block", block_rule="never")), "block_rule = 'never'"),
    ],
)
def test_what_is_no_race_is_refused(position: Position, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        race(position)


def test_a_race_from_farther_away_takes_a_larger_table() -> None:
    position = at("7:2,6:13 18:15 w")
    with pytest.raises(ValueError, match="7 points"):
        race(position)
    found = race(position, one_sided=one_sided(LONG, 7))
    assert found.source == "one-sided"
    assert 0 < found.lost_mars < found.loss < 1


# Keys


@pytest.mark.parametrize(
    ("rules", "points", "message"),
    [
        (replace(LONG, block_rule="never"), 6, "block_rule = 'never'"),
        (NEXT_TURN, 7, "with bear_off_start = 'next_turn' there are tables for 6 points only"),
        ("karzar", 8, "with block_rule = 'home' there are tables for 6 points only"),
        ("long", 5, "points = 5"),
        ("long", 11, "points = 11"),
        ("long", True, "points = True"),
        ("checkers", 6, "rules = 'checkers'"),
    ],
)
def test_rules_that_no_table_serves_are_refused(rules: Any, points: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        OneSided.load(rules, points)


def test_rules_that_bear_off_alike_have_one_key() -> None:
    keys = {rules: one_sided_key(rules) for rules in USUAL_RULESETS}
    assert len(set(keys.values())) == 3  # the usual way, giveaway, and Old English
    assert one_sided_key(NEXT_TURN) == one_sided_key(LONG) != one_sided_key(EXACT)


def test_rules_that_end_alike_have_one_key() -> None:
    assert two_sided_key("long") == two_sided_key("arena") == two_sided_key("fevga") != two_sided_key("short")
    assert two_sided_key("federation") == two_sided_key(replace(LONG, last_roll="draw_only")) != two_sided_key("long")
    assert two_sided_key("hypergammon").whole == 3
    assert two_sided_key("khachapuri").payments == (0, 1, 2, 3, 4, 5, 6)
    with pytest.raises(ValueError, match="checkers = 11"):
        TwoSided.load("long", 11)
    assert two_sided_key(OLD_ENGLISH) != two_sided_key(SHORT)


# Arrays


def boards(n: int, rules: Ruleset = LONG, most: int = 15) -> Any:
    random = np.random.default_rng(n)
    sides = random.multinomial(most, [1 / 7] * 7, (n, 2))[:, :, :6]
    return np.array([board_of(rules, tuple(mover), tuple(opponent)) for mover, opponent in sides])


def test_many_at_a_time_are_the_same_as_one_by_one(tmp_path: Path) -> None:
    one, two = one_sided(), two_sided(LONG)
    batch = boards(50)
    numbers = one.numbers(batch)
    positions = [Position(board) for board in batch]
    assert numbers.tolist() == [one.number(position) for position in positions]
    assert one.means(numbers).tolist() == [one.mean(position) for position in positions]
    assert (one.distributions(numbers, "first") == [one.distribution(position, "first") for position in positions]).all()
    assert one.races(batch).tolist() == [list(race(p, one_sided=one, two_sided=False)[:5]) for p in positions]
    few = boards(50, LONG, 6)
    positions = [Position(board) for board in few]
    turns = np.arange(50, dtype=np.int8) % 2
    assert two.equities(few, turns).tolist() == [two.equity(position) for position in positions]
    assert two.races(few).tolist() == [list(two.race(position)[:5]) for position in positions]
    short = two_sided(SHORT)
    assert short.cubes(few).tolist() == [list(short.cube(Position(board, rules=SHORT))) for board in few]


def test_they_are_written_where_the_caller_wants_them() -> None:
    one = one_sided()
    numbers = one.numbers(boards(9), out=np.empty(9, np.int32))
    out = np.empty(9)
    assert one.means(numbers, out=out) is out
    rows = np.empty((9, one.turns + 1))
    assert one.distributions(numbers, "within", out=rows) is rows
    assert one.races(boards(9), out=np.empty((9, 5))).shape == (9, 5)
    assert one.means(np.empty(0, np.int32)).shape == (0,)
    for bad in (np.empty(8), np.empty(9, np.float32), np.empty(18)[::2]):
        with pytest.raises(ValueError, match="out: expected a writeable, C-contiguous float64"):
            one.means(numbers, out=bad)


def test_what_is_wrong_in_a_batch_is_named_before_anything_is_written() -> None:
    one, two = one_sided(), two_sided(LONG)
    out = np.full(3, -7.0)
    with pytest.raises(ValueError, match=r"numbers\[1\] = 54264: expected 0 to 54263"):
        one.means(np.array([1, 54264, 2], np.int32), out=out)
    assert (out == -7).all()
    wrong = boards(3)
    wrong[2, 1, 3] += 1
    with pytest.raises(ValueError, match=r"boards\[2, 1\]: expected at most 15 checkers, all on the last 6 points"):
        one.races(wrong)
    with pytest.raises(ValueError, match=r"boards: expected int8\[n, 2, 26\]"):
        one.numbers(np.zeros((3, 26), np.int8))
    with pytest.raises(ValueError, match="numbers: expected int32"):
        one.means([1.5])
    with pytest.raises(ValueError, match="turns = 2"):
        one.races(boards(3), 2)
    with pytest.raises(ValueError, match="aim = 'within'"):
        one.means([1], "within")
    with pytest.raises(ValueError, match=r"movers\[0\] = \d+: expected 0 to 923"):
        two.equities(boards(3))
    with pytest.raises(ValueError, match="side = 2"):
        one.numbers(boards(3), 2)


# The wrong kind of thing


@pytest.mark.parametrize("wrong", ["x", None, 7, [0, 1], nf.Match(3, "short"), nf.Game("long"), Position])
def test_what_is_no_position_is_refused_before_anything_is_done(wrong: Any) -> None:
    one, two = nf.bearoff.OneSided.load(), nf.bearoff.TwoSided.load("short", 2)
    for call in (
        lambda: nf.bearoff.race(wrong),
        lambda: one.race(wrong),
        lambda: one.check_rules(wrong),
        lambda: one.best_play(wrong, (6, 5)),
        lambda: two.race(wrong),
        lambda: two.check_rules(wrong),
        lambda: two.best_play(wrong, (6, 5)),
        lambda: two.covers(wrong),
        lambda: two.equity(wrong),
        lambda: two.cube(wrong),
    ):
        with pytest.raises(TypeError, match=r"^position = .*: expected a Position$"):
            call()


@pytest.mark.parametrize("wrong", ["x", 7, [0, 1], nf.bearoff.OneSided])
def test_what_is_no_table_and_no_progress_is_refused(wrong: Any) -> None:
    position = at("6:1 18:1 w")
    with pytest.raises(TypeError, match=r"^one_sided = .*: expected a OneSided or None$"):
        nf.bearoff.race(position, one_sided=wrong)
    with pytest.raises(TypeError, match=r"^two_sided = .*: expected a TwoSided, True or False$"):
        nf.bearoff.race(position, two_sided=wrong)
    if not callable(wrong):
        with pytest.raises(TypeError, match=r"^progress = .*: expected a function, True, False or None$"):
            nf.bearoff.OneSided.build(progress=wrong)
