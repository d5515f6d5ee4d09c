"""Hints: what to do in every state of a game, and never anything that may not be done."""

from __future__ import annotations

import random

import pytest

from nardy_fast import RULESETS, CubeRules, Game, Match, Position, ruleset
from nardy_fast.analysis import hint
from nardy_fast.players import Network


def legal(game: Game) -> set[Position]:
    """What the plays of the dice that wait can lead to."""
    return {play.afterstate for play in game.position.plays(None if game.position.pending is not None else game.dice)}


def play_on(game: Game, rng: random.Random, turns: int) -> int:
    """Plays step by step as hints offer it, at random among the offers, and checks each; gives how many turns that made."""
    played = 0
    while not game.is_over and played < turns:
        found = hint(game)
        assert str(found)
        if game.dice is None:
            getattr(game, found.action)(*([found.die] if found.action == "choose" else []))
            continue
        assert found.action == "play"
        assert {candidate.play.afterstate for candidate in found.plays} == legal(game)
        assert [candidate.loss for candidate in found.plays] == sorted(candidate.loss for candidate in found.plays)
        while game.turn.steps():
            steps = [each.step for each in hint(game).steps]
            allowed = {(step[0], step[-1]) for step in game.turn.steps()}
            offered = {(source, die) for source, _, die in steps}
            # In the middle of a turn every step is told; at its beginning those that the plays are listed with.
            assert offered == allowed if game.turn.played else offered <= allowed
            source, to, die = rng.choice(steps)
            game.turn.play_step(source, die, to)
        done = hint(game)
        assert done.steps == ()
        play = game.play()
        if play.steps:
            assert [candidate.play.afterstate for candidate in done.plays] == [play.afterstate]
        played += 1
    return played


@pytest.mark.parametrize("name", RULESETS)
def test_no_hint_is_illegal(name: str) -> None:
    # Whole games, so that there is bearing off, in long nardy the last roll, on contrary roads the bar.
    rng = random.Random(name)
    rules = ruleset(name)
    assert play_on(Game(name, seed=1), rng, 70 if rules.road == "contrary" or rules.has_queue else 400) >= 10


def test_the_last_roll_has_its_hint() -> None:
    game = Game.from_position(Position.parse("- 18:1,13:14 b", "federation"), dice=())
    assert game.is_last_roll
    assert hint(game).action == "roll"
    game.roll((6, 5))
    assert {candidate.play.afterstate for candidate in hint(game).plays} == legal(game)


def test_a_pending_stage_is_hinted_at() -> None:
    position = Position.start("mad_nardy").plays((6, 6))[0].afterstate
    game = Game.from_position(position, dice=())
    assert str(hint(game).plays[0].play) == "12/6(2)"


def test_where_no_network_plays_by_the_rules_pips_are_counted() -> None:
    for rules, source in (("arena", "network"), ("gulbar", "network"), ("giveaway", "pips"), ("hypergammon", "pips")):
        game = Game(rules, starter=0, dice=())
        game.roll((6, 5))
        assert {candidate.chances.source for candidate in hint(game).plays} == {source}


def test_steps_go_on_with_the_best_play_that_still_can_be_made() -> None:
    game = Game("short", starter=0, dice=())
    game.roll((3, 1))
    assert str(hint(game).plays[0].play) == "8/5 6/5"
    game.turn.play_step(12, 3)  # 13/10
    found = hint(game)
    assert found.played == ((12, 15, 3),)
    best = found.plays[0]
    assert found.steps[0].step in best.play.steps
    assert (found.steps[0].loss, best.loss) == (0, 0)
    assert all(15 in {to for _, to, _ in each.play.steps} or any(s == 15 for s, _, _ in each.play.steps) for each in found.plays)
    assert found.lines()[0].startswith("White: go on with ")


def test_a_hint_changes_nothing() -> None:
    game = Game("short", seed=3, cube=CubeRules())
    before = game.to_json()
    hint(game)
    assert game.to_json() == before


def test_before_the_throw_the_cube_is_decided_on_where_it_may_be_turned() -> None:
    ahead = Position.parse("6:3,5:3,4:3,3:2 24:1,23:1,13:4,8:3,6:6 w", "short")
    assert hint(Game.from_position(ahead, dice=())).cube is None
    found = hint(Game.from_position(ahead, dice=(), cube=CubeRules()))
    assert found.cube is not None
    assert found.action == ("double" if found.cube.action == "double" else "roll")
    assert "no double" in str(found)


def test_a_double_that_waits_is_answered() -> None:
    for text, answer in (("6:2,5:2 24:2,13:5,8:3,6:5 w", "drop"), ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "take")):
        game = Game.from_position(Position.parse(text, "short"), dice=(), cube=CubeRules())
        game.double()
        found = hint(game)
        assert (found.action, found.side) == (answer, 1)


def test_a_beaver_and_its_answer_are_hinted_at() -> None:
    game = Game.from_position(Position.start("short"), dice=(), cube=CubeRules(beavers=True))
    game.roll((2, 1))
    game.play("13/11 6/5")
    game.double()
    assert hint(game).action == "beaver"
    game.beaver()
    assert (hint(game).action, hint(game).side) == ("take", 1)


def test_a_resignation_is_taken_where_it_is_worth_more_than_to_go_on() -> None:
    game = Game.from_position(Position.parse("2:1 24:2,13:5,8:3,6:5 w", "short"), dice=())
    game.resign(1, 1)
    assert hint(game).action == "refuse"  # a backgammon is as good as won
    game.refuse()
    game.resign(3, 1)
    assert hint(game).action == "accept"
    game.refuse()
    game.resign(1, 0)
    assert (hint(game).action, hint(game).side) == ("accept", 1)


def test_the_double_of_acey_deucey_is_chosen() -> None:
    game = Game("acey_deucey", starter=0, dice=())
    game.roll((2, 1))
    game.play(hint(game).plays[0].play)
    found = hint(game)
    assert found.action == "choose"
    assert found.lines()[0] == f"White: choose {found.die}-{found.die}"


def test_the_score_changes_what_is_best() -> None:
    # At one point each gammons are worth nothing; the equity is that of winning alone.
    match = Match(1, "short", seed=4)
    game = match.start_game()
    found = hint(match)
    for candidate in found.plays:
        assert candidate.equity == pytest.approx(2 * candidate.chances.win - 1, abs=1e-5)
    assert game.dice is not None


def test_a_tas_is_judged_by_its_score() -> None:
    match = Match(3, "long", score=(2, 2), seed=4)
    match.start_game().roll()
    best = hint(match).plays[0]
    assert best.equity == pytest.approx(2 * best.chances.win - 1, abs=1e-5)


def test_what_has_no_hint_is_refused() -> None:
    with pytest.raises(TypeError, match="game = 'game': expected a Game or a Match"):
        hint("game")
    with pytest.raises(ValueError, match="no game has begun"):
        hint(Match(3))
    game = Game("long", seed=1)
    game.abandon()
    with pytest.raises(ValueError, match="the game is over"):
        hint(game)
    thrown = Game("long", seed=1)
    thrown.roll()
    with pytest.raises(ValueError, match="expected rules on contrary roads"):
        hint(thrown, network=Network.load("short"))
