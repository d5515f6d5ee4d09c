"""Games whose throws are played in stages: what waits, what is undone together, what is kept and shown, and what is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nardy_fast import bearoff, records
from nardy_fast.games.cube import CubeRules
from nardy_fast.games.states import State
from nardy_fast.positions import Stage
from nardy_fast.text.notation import SIDES, format_stage

TRACED = {
    game["variant"]: game["lines"]
    for game in json.loads((Path(__file__).parents[1] / "data" / "games_variants.json").read_text(encoding="utf-8"))
}


def refused(call: Any) -> str:
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    return str(caught.value)


def waiting(position: Any) -> str:
    """What the traces say of a position: the stages that wait, or who throws, or that it is over."""
    if position.is_over:
        return "over"
    if position.pending is None:
        return f"{SIDES[position.turn]} throws"
    told = ("carried" if stage.carried else "thrown" for stage in position.pending.stages)
    stages = zip(position.pending.stages, told, strict=True)
    return " + ".join(f"{SIDES[stage.player]} {word} {''.join(map(str, stage.dice))}" for stage, word in stages)


def follow(game: Any, lines: list[str]) -> None:
    """Plays a traced game line by line and checks all that the lines say."""
    for line in lines:
        if " throws " in line:
            side, _, dice = line.split()
            assert (game.state, SIDES[game.to_act]) == (State.ROLL, side)
            game.roll(tuple(map(int, dice.split("-"))))
            continue
        stage, counts, board, after = line.split(" | ")
        side, word, dice = (stage + " -").split()[:3]
        assert (game.state, SIDES[game.to_act]) == (State.PLAY, side)
        pending = game.position.pending
        assert (pending is not None and pending.stages[0].carried) == (word == "carried")
        turn = game.turn
        assert "".join(map(str, turn.stage)) == dice.strip("-")
        plays = game.position.plays(game.dice)
        assert f"{len(plays)} plays, {sum(step[2] for step in plays[0].steps)} pips" == counts
        (play,) = [play for play in plays if " ".join(str(play.afterstate).split()[:2]) == board]
        for source, to, die in play.steps:
            turn.play_step(source, die, to)
        assert game.play().afterstate == play.afterstate
        assert waiting(game.position) == after


def traced(impl: ModuleType, name: str) -> Any:
    game = impl.Game(name, starter=0, dice=())
    follow(game, TRACED[name])
    return game


@pytest.mark.parametrize("name", TRACED)
def test_a_traced_game_is_played_as_written(impl: ModuleType, name: str) -> None:
    game = traced(impl, name)
    assert game.is_over
    assert len(game.turns) == sum(" | " in line for line in TRACED[name])


@pytest.mark.parametrize("name", TRACED)
def test_a_traced_game_comes_back_from_all_that_is_kept(impl: ModuleType, name: str) -> None:
    game = traced(impl, name)
    text = records.to_text(game)
    for again in (
        impl.Game.from_record(json.loads(json.dumps(game.record()))),
        impl.Game.from_json(game.to_json()),
        records.from_text(text, impl.Match),
    ):
        assert again == game
        assert again.position == game.position
        assert again.turns == game.turns


@pytest.mark.parametrize("name", ["gulbar", "mad_nardy", "mad_fevga", "one_six"])
def test_undo_takes_back_throw_by_throw_to_the_beginning_and_redo_brings_all_back(impl: ModuleType, name: str) -> None:
    game = traced(impl, name)
    events, throws = game.events, sum(" throws " in line for line in TRACED[name])
    for number in range(throws):
        game.undo()
        assert game.position.pending is None
        assert game.state is State.PLAY
        assert sum(event[0] == "roll" for event in game.events) == throws - number
    assert refused(game.undo) == "undo: no turn has been played"
    for _ in range(throws):
        game.redo()
    assert game.events == events
    assert game.is_over


# Бешеные нарды, White to begin: 4-1, then Black's 3-3, of which the traced game is made


def at_the_cascade(impl: ModuleType) -> Any:
    """Black has thrown 3-3 and played four threes; his fours wait."""
    game = impl.Game("mad_nardy", starter=0, dice=())
    follow(game, TRACED["mad_nardy"][:4])
    return game


def test_what_waits_is_played_at_once(impl: ModuleType) -> None:
    game = at_the_cascade(impl)
    assert (game.state, game.dice, game.to_act) == (State.PLAY, (4, 4, 4, 4), 1)
    assert game.position.pending.stages == (Stage(1, (4,) * 4), Stage(1, (5,) * 4), Stage(1, (6,) * 4))
    assert game.turn.dice_left == (4, 4, 4, 4)
    assert refused(game.roll) == "roll: the dice have been thrown and wait for a play"
    assert not game.begins_turn


def test_undo_takes_a_throw_back_with_its_stages(impl: ModuleType) -> None:
    game = at_the_cascade(impl)
    game.play(game.position.plays()[0])
    game.play(game.position.plays()[0])
    assert len(game.turns) == 4
    game.undo()
    assert (game.dice, len(game.turns), game.position.pending) == ((3, 3), 1, None)
    game.redo()
    assert len(game.turns) == 4


def test_nobody_doubles_or_counts_a_race_while_stages_wait(impl: ModuleType) -> None:
    game = impl.Game("mad_nardy", starter=0, dice=(), cube=CubeRules())
    follow(game, TRACED["mad_nardy"][:4])
    assert not game.may("double")
    assert refused(game.double) == "double: the dice have been thrown and wait for a play"
    assert refused(lambda: bearoff.race(game.position)).startswith("unplayed = 'stage': no table knows")


def test_a_position_with_stages_begins_with_the_first(impl: ModuleType) -> None:
    position = at_the_cascade(impl).position
    game = impl.Game.from_position(position, dice=())
    assert (game.state, game.dice, game.to_act) == (State.PLAY, (4, 4, 4, 4), 1)
    game.play(game.position.plays()[0])
    again = impl.Game.from_json(game.to_json())
    assert again == game
    assert records.from_text(records.to_text(game), impl.Match) == game
    game.undo()
    assert game.position == position
    assert refused(lambda: impl.Game.from_position(position, thrown=(6, 5))).startswith("roll: ")


def test_a_game_amid_stages_resumes_with_its_turn_in_the_making(impl: ModuleType) -> None:
    game = at_the_cascade(impl)
    game.turn.play_step(*game.turn.steps()[0])
    again = impl.Game.from_json(game.to_json())
    assert again.turn.played == game.turn.played
    assert again.turn.dice_left == (4, 4, 4)


def test_a_record_tells_stages_by_player_and_dice(impl: ModuleType) -> None:
    game = impl.Game("mad_nardy", starter=0, dice=())
    follow(game, TRACED["mad_nardy"][:9])
    text = records.to_text(game)
    assert [line.partition(":")[0] for line in text.splitlines() if line[:1].isdigit()] == [
        "1) 41",
        "2) 33",
        "3) b4444",
        "4) b5555",
        "5) w55*",
        "6) b6666",
        "7) w6666*",
    ]
    for wrong, reason in (
        (text.replace("5) w55*", "5) w55"), "w55* is pending"),
        (text.replace("5) w55*", "5) b55*"), "w55* is pending"),
        (text.replace("5) w55*", "5) w66*"), "w55* is pending"),
        (text.replace("1) 41", "1) w41"), "no stage is pending"),
    ):
        assert reason in refused(lambda wrong=wrong: records.from_text(wrong, impl.Match))


def test_pictures_and_replays_show_what_waits(impl: ModuleType) -> None:
    game = at_the_cascade(impl)
    picture = game.position.text()
    assert "to move 4-4-4-4" in picture
    assert picture.endswith(f" pending {str(game.position).split()[3]}")
    assert f"<title>{game.position}</title>" in game.position.svg()
    assert "to move 4-4-4-4" not in impl.Position.start("mad_nardy").text()
    replayed = "\n".join(records.replayed(traced(impl, "mad_nardy")))
    assert "\n pending b4444,b5555,b6666:0/" in replayed
    assert "\n pending w55*,b6666:" in replayed


def test_a_play_against_the_rules_may_leave_stages(impl: ModuleType) -> None:
    game = at_the_cascade(impl)
    after = impl.Position.parse(str(game.position), "mad_nardy").plays()[0].afterstate
    game.let_stand(after, "12/4")
    assert (game.state, game.dice) == (State.PLAY, (5, 5, 5, 5))
    assert records.from_text(records.to_text(game), impl.Match) == game


# Гюльбар: who has played a double throws again


def test_who_throws_again_has_another_turn(impl: ModuleType) -> None:
    game = impl.Game("gulbar", starter=0, dice=[(1, 1), (2, 1)], cube=CubeRules())
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    assert (game.state, game.to_act) == (State.ROLL, 0)
    assert game.begins_turn
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    game.undo()
    assert game.dice == (2, 1)  # one throw is taken back, not both
    game.undo()
    assert game.dice == (1, 1)


# Один-шесть: a 6 from the head goes to 7 or to 19


def test_a_step_that_may_go_to_two_places_must_say_where(impl: ModuleType) -> None:
    game = impl.Game("one_six", starter=0, dice=[(6, 5)])
    game.roll()
    turn = game.turn
    assert {(1, 7, 6), (1, 19, 6)} <= set(turn.steps())
    assert refused(lambda: turn.play_step(1, 6)) == "step (1, 6): it goes to 7 or 19, expected which of them as to="
    turn.play_step(1, 6, to=19)
    assert turn.played == ((1, 19, 6),)
    assert turn.dice_left == (5,)
    turn.take_back()
    assert turn.landings()[1].one == {6: (5,), 7: (6,), 19: (6,)}
    turn.play_step(1, 6, 7)
    assert turn.board[0, 7] == 1
    assert refused(lambda: turn.play_step(1, 6, 20)).startswith("step = (1, 20, 6): by 6 it goes to 7 or 19")


def test_a_send_in_the_events_says_where_it_goes(impl: ModuleType) -> None:
    game = impl.Game("kaftar", starter=0, dice=[(6, 6)])
    game.roll()
    game.play("24/6(4)")
    assert game.events[-1] == ("play", ((1, 19, 6),) * 4)
    assert "1) 66: 24/6(4)\n" in records.to_text(game)


# Чет-нечёт and Астрогон: the smaller die counts the steps


@pytest.mark.parametrize(
    ("name", "dice", "stage"), [("astrogon", (5, 5), (5,) * 5), ("astrogon", (6, 1), (6,)), ("even_odd", (3, 1), ())]
)
def test_a_turn_has_the_dice_of_the_stage(impl: ModuleType, name: str, dice: tuple[int, int], stage: tuple[int, ...]) -> None:
    turn = impl.Turn(impl.Position.start(name), dice)
    assert (turn.dice, turn.stage, turn.dice_left) == (dice, stage, stage)
    assert turn.is_pass == (not stage)


@pytest.mark.parametrize("name", ["gulbar", "mad_gulbar", "mad_nardy", "mad_fevga", "astrogon", "even_odd", "one_six"])
def test_no_bear_off_table_serves_the_stage_variants(name: str) -> None:
    for table in (bearoff.OneSided, bearoff.TwoSided):
        with pytest.raises(ValueError, match="no table knows a throw that is played otherwise than two dice or four"):
            table.build(name)


@pytest.mark.parametrize("name", TRACED)
def test_random_games_come_back_amid_their_stages(impl: ModuleType, name: str) -> None:
    rng = random.Random(7)
    match = impl.Match(1, name, seed=7)
    game = match.start_game()
    for number in range(60):
        if game.is_over:
            break
        if game.state is State.ROLL:
            game.roll()
        game.play(rng.choice(game.position.plays(game.dice)))
        if number % 12 == 0:
            assert impl.Match.from_json(match.to_json()) == match
            assert records.from_text(records.to_text(match), impl.Match) == match


# Statistics


def test_the_statistics_of_a_game_written_out(impl: Any) -> None:
    game = impl.Game("long", starter=1, dice=[(6, 6), (5, 4), (3, 1)])
    game.roll()
    game.play("24/18(2)")
    game.roll()
    game.play(game.position.plays(game.dice)[0])
    game.roll()
    white, black = game.statistics()[1], game.statistics()[0]  # player 1 has White
    assert (white.throws, white.doubles, white.pips, white.average_pips) == (2, 1, 28, 14.0)
    assert (white.forced, white.passes) == (1, 0)
    assert (black.throws, black.doubles, black.pips, black.forced, black.passes) == (1, 0, 9, 1, 0)
    assert impl.Game.from_record(game.record()).statistics() == game.statistics()
    assert impl.Game("long", starter=0).statistics()[0].average_pips == 0


def test_the_throw_for_the_start_counts_where_it_is_played(impl: Any) -> None:
    game = impl.Game("short", dice=[(3, 3), (2, 6), (5, 5)])
    assert game.statistics()[1].throws == 0
    game.play(game.position.plays(game.dice)[0])
    game.roll()
    assert game.statistics()[1][:3] == (1, 0, 8)
    assert game.statistics()[0][:3] == (1, 1, 20)


def test_the_statistics_of_a_match_are_those_of_its_games(impl: Any) -> None:
    match = impl.Match(2, "short", seed=3)
    rng = random.Random(3)
    while not match.is_over:
        game = match.start_game()
        while not game.is_over:
            if game.state is State.ROLL:
                game.roll()
            game.play(rng.choice(game.position.plays(game.dice)))
    for player in (0, 1):
        each = [game.statistics()[player] for game in match.games]
        assert match.statistics()[player] == tuple(map(sum, zip(*each, strict=True)))
    passes = sum(game.passes for game in match.games)
    assert sum(figures.passes for figures in match.statistics()) == passes > 0


def test_a_cascade_is_worth_all_its_stages(impl: ModuleType) -> None:
    black = at_the_cascade(impl).statistics()[1]
    assert (black.throws, black.doubles, black.pips) == (1, 1, 4 * (3 + 4 + 5 + 6))


def test_stages_are_written_with_their_player() -> None:
    assert format_stage(Stage(0, (4, 4), carried=True)) == "w44*"
