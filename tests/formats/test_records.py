"""Records: written, read back without loss, and refused where they are cut, garbled or break their own rules."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from strategies import random_ruleset
from usual_rulesets import USUAL_RULESETS

from nardy_fast import records
from nardy_fast.games.states import State
from nardy_fast.rules import ruleset

PRESETS = list(USUAL_RULESETS)


def any_order(play: Any, rng: random.Random) -> Any:
    """The same play with its steps in another legal order, if a random one is legal."""
    steps = list(play.steps)
    rng.shuffle(steps)
    try:
        return type(play)(play.position, play.dice, steps)
    except ValueError:
        return play


def play_on(game: Any, rng: random.Random, turns: int = 10_000) -> Any:
    """Plays at random, steps in any order, with resignations refused now and then."""
    for _ in range(turns):
        if game.is_over:
            break
        if rng.random() < 0.02:
            game.resign(rng.randint(1, 3), rng.randint(0, 1))
            game.refuse()
        if game.state is State.ROLL:
            game.roll()
        elif game.state is State.CHOOSE:
            game.choose(rng.randint(1, 6))
        else:
            game.play(any_order(rng.choice(game.position.plays(game.dice)), rng))
    return game


def random_match(impl: Any, rules: Any, games: int, seed: int) -> Any:
    match, rng = impl.Match(100, rules, players=("Anna", "Борис [1]"), seed=seed), random.Random(seed)
    for number in range(games):
        game = play_on(match.start_game(), rng, 60)
        if not game.is_over:
            game.resign(number % 3 + 1)
            game.accept()
    return match


def assert_same(read: Any, written: Any) -> None:
    assert read == written
    assert read.record() == written.record()


# Both ways


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_is_read_back_as_it_was_written(impl: Any, name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    for turns in (0, 1, 7, 10_000):
        game = play_on(impl.Game(name, seed=turns), rng, turns)
        text = records.to_text(game)
        assert_same(records.from_text(text, impl.Match), game)
        assert records.to_text(records.from_text(text, impl.Match)) == text
        records.write_text(tmp_path / "game.txt", game)
        assert_same(records.read_text(tmp_path / "game.txt", impl.Match), game)
        records.write_jsonl(tmp_path / "games.jsonl", [game, game])
        for read in records.read_jsonl(tmp_path / "games.jsonl", impl.Match):
            assert_same(read, game)


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_is_read_back_as_it_was_written(impl: Any, name: str, tmp_path: Path) -> None:
    match = random_match(impl, name, 3, seed=1)
    assert_same(records.from_text(records.to_text(match), impl.Match), match)
    match.start_game().roll() if match.game.rules.first_dice == "fresh" else match.start_game()
    assert_same(records.from_text(records.to_text(match), impl.Match), match)
    records.write_jsonl(tmp_path / "matches.jsonl", [match, match.games[0]])
    read = list(records.read(tmp_path / "matches.jsonl", impl.Match))
    assert_same(read[0], match)
    assert_same(read[1], match.games[0])


def test_games_of_any_rules_are_read_back(impl: Any) -> None:
    rng = random.Random(5)
    for seed in range(60 if impl.__name__ == "nardy_fast" else 10):
        rules = replace(random_ruleset(rng), name=rng.choice(('club "Нарды"', "long", "", "a\nb]")))
        game = play_on(impl.Game(rules, seed=seed), rng, 30)
        read = records.from_text(records.to_text(game), impl.Match)
        assert_same(read, game)
        assert read.rules.name == rules.name


@pytest.mark.parametrize("state", ["thrown", "offered", "refused", "accepted", "abandoned", "from a position", "chosen", "draw"])
def test_a_game_in_any_state_is_read_back(impl: Any, state: str) -> None:
    game = (
        impl.Game("acey_deucey", dice=[(2, 1)]) if state == "chosen" else impl.Game("federation", dice=[(2, 1), (6, 5), (4, 3)])
    )
    if state == "chosen":
        game.play("bar/24 bar/23")
        game.choose(4)
    elif state in ("from a position", "draw"):
        game = impl.Game.from_position(impl.Position.parse("1:1 13:2 w", "federation"), dice=[(2, 1), (6, 5)])
        play_on(game, random.Random(1), 2 if state == "from a position" else 4)
    else:
        game.roll()
        if state in ("offered", "refused", "accepted"):
            game.resign(2)
        if state in ("refused", "accepted"):
            getattr(game, {"refused": "refuse", "accepted": "accept"}[state])()
        if state == "abandoned":
            game.abandon()
    read = records.from_text(records.to_text(game), impl.Match)
    assert_same(read, game)
    assert (read.state, read.dice, read.offer) == (game.state, game.dice, game.offer)


def test_an_unfinished_game_that_was_read_goes_on(impl: Any) -> None:
    game = play_on(impl.Game("long", seed=1), random.Random(1), 6)
    read = records.from_text(records.to_text(game), impl.Match)
    assert read.roll((6, 5)) == (6, 5)


@pytest.mark.slow
def test_thousands_of_games_are_read_back_as_they_were_written(native: Any, tmp_path: Path) -> None:
    rng = random.Random(1)

    def games() -> Any:
        for seed in range(3_000):
            game = native.Game("long", seed=seed)
            while not game.is_over:
                game.roll()
                game.play(rng.choice(game.position.plays(game.dice)))
            written.append((len(game.turns), game.result, game.position))
            if seed % 20 == 0:
                assert_same(records.from_text(records.to_text(game)), game)
            yield game

    written: list[Any] = []
    records.write_jsonl(tmp_path / "games.jsonl", games())
    read = [(len(game.turns), game.result, game.position) for game in records.read_jsonl(tmp_path / "games.jsonl")]
    assert len(read) == 3_000
    assert read == written


# What people see and write

RECORD = """\
; [Record "nardy_fast 1"]
; [Variation "long nardy"]
; [Rules "long"]

Game 1
Throw: 33 62
Starter: player 0
1) 65: 24/18 18/13
2) 52: 12/7 7/5
3) 21:
White resigns 2
Accepted
Black wins 2 points (resigned)
"""


def test_a_record_looks_like_this(impl: Any) -> None:
    game = impl.Game("long", dice=[(3, 3), (6, 2), (6, 5), (5, 2), (2, 1)])
    game.roll()
    game.play(impl.Play(game.position, (6, 5), ((1, 6), (7, 5))))
    game.roll()
    game.play("12/7/5")
    game.roll()
    game.resign(2)
    game.accept()
    assert records.to_text(game) == RECORD


def test_rules_that_are_no_preset_are_stated_option_by_option(impl: Any) -> None:
    rules = replace(ruleset("long"), name="club", head_exception="values", home_mars=4)
    text = records.to_text(impl.Game(rules, starter=0))
    assert text.splitlines()[2:5] == ['; [Rules "club"]', '; [head_exception "values"]', "; [home_mars 4]"]


def test_a_match_looks_like_this(impl: Any) -> None:
    match = impl.Match(1, "long", players=("Anna", "Boris"), dice=[(2, 6), (6, 5)])
    game = match.start_game()
    game.resign()
    game.accept()
    assert records.to_text(match).splitlines() == [
        '; [Record "nardy_fast 1"]',
        '; [Variation "long nardy"]',
        '; [Rules "long"]',
        '; [Player 0 "Anna"]',
        '; [Player 1 "Boris"]',
        '; [Draw "half"]',
        "",
        "1 point match",
        "",
        "Game 1",
        "Score: 0-0",
        "Throw: 26",
        "Starter: player 1, Boris",
        "White resigns 1",
        "Accepted",
        "Black wins 1 point (resigned)",
        "",
        "Match over: 1-0",
    ]


@pytest.mark.parametrize(
    ("written", "rewritten"),
    [
        ("24/18 18/13", "24/13"),
        ("24/18 18/13", "24/18/13"),
        ("65: 24/18", "56: 24/18"),
        ("12/7 7/5", "12/5"),
        ("\n", "\n\n; a comment\n"),
    ],
)
def test_what_people_write_is_read_too(impl: Any, written: str, rewritten: str) -> None:
    read = records.from_text(RECORD.replace(written, rewritten), impl.Match)
    expected = records.from_text(RECORD, impl.Match)
    assert [play.afterstate for play in read.turns] == [play.afterstate for play in expected.turns]
    assert read.result == expected.result


def test_a_byte_order_mark_and_other_line_ends_are_read(impl: Any, tmp_path: Path) -> None:
    expected = records.from_text(RECORD, impl.Match)
    path = tmp_path / "game.txt"
    path.write_bytes(b"\xef\xbb\xbf" + RECORD.replace("\n", "\r\n").encode())
    assert_same(records.read_text(path, impl.Match), expected)
    assert_same(records.from_text("\ufeff" + RECORD.replace("\n", "\r\n"), impl.Match), expected)


def test_the_order_of_the_dice_tells_which_of_them_bears_off(impl: Any) -> None:
    position = impl.Position.parse("3:1,2:1,1:1 13:14 w")
    for steps, line in ((((22, 6), (23, 5)), "1) 65: 3/off 2/off"), (((22, 5), (23, 6)), "1) 56: 3/off 2/off")):
        game = impl.Game.from_position(position, dice=[(6, 5)])
        game.roll()
        game.play(impl.Play(position, (6, 5), steps))
        assert line in records.to_text(game).splitlines()
        assert_same(records.from_text(records.to_text(game), impl.Match), game)


# What is refused


@pytest.mark.parametrize(
    ("written", "rewritten", "error"),
    [
        ("24/18 18/13", "24/18 24/19", "line 8: turn 1: .*the head has given all it may this turn"),
        ("12/7 7/5", "12/7 7/5 5/3", "line 9: turn 2: .*"),
        ("12/7 7/5", "12/7", "line 9: turn 2: .*more must be played"),
        ("12/7 7/5", "12/7 7/5*", "line 9: turn 2: .*no checker is hit"),
        ("12/7 7/5", "gibberish", "line 9: turn 2: .*gibberish"),
        ("12/7 7/5", "pass", "line 9: turn 2: "),
        ("2) 52", "3) 52", "line 9: turn 2: .*expected number 2"),
        ("2) 52", "2) 57", "line 9: turn 2: .*expected a turn"),
        ("3) 21:\n", "3) 21:\n3) 21:\n", "line 11: turn 3: roll: "),
        ("Accepted", "Refused", "line 13: .*by the turns before it is Unfinished"),
        ("Accepted\n", "", "line 12: .*by the turns before it is Unfinished"),
        ("White resigns 2\n", "", "line 11: turn 3: accept: "),
        ("Black wins 2", "Black wins 3", "line 13: .*Black wins 2 points"),
        ("Black wins", "White wins", "line 13: .*Black wins 2 points"),
        ("player 0", "player 1", "line 7: starter = 1"),
        ("33 62", "62 33", "line 7: throws = "),
        ("33 62", "33", "line 7: dice: the throws are used up"),
        ("Game 1", "Game one", "line 5: "),
        ('"long"', '"long', "line 3: Rules: expected a JSON value"),
        ('"long nardy"', '"chess"', "line .: Variation = 'chess'"),
        ('; [Rules "long"]', '; [Rules "long"]\n; [head_exception "sometimes"]', "line .: head_exception = 'sometimes'"),
        ('; [Rules "long"]', '; [Rules "long"]\n; [head_exeption "values"]', "head_exeption: not a header"),
        ('; [Rules "long"]', '; [Rules "long"]\n; [Rules "fevga"]', "line 4: Rules: stated twice"),
        ('; [Record "nardy_fast 1"]\n', "", "expected ; "),
        ("(resigned)\n", "(resigned)\nGame 2\n", "line 14: Game 2: expected the end"),
    ],
)
def test_a_record_that_is_wrong_is_refused_with_the_line_and_the_reason(
    impl: Any, written: str, rewritten: str, error: str
) -> None:
    assert written in RECORD
    with pytest.raises(ValueError, match=error):
        records.from_text(RECORD.replace(written, rewritten, 1), impl.Match)


def test_a_play_that_other_rules_allow_is_refused_by_the_rules_stated(impl: Any) -> None:
    """After White's 5-5, Black's 4-4 takes two checkers off the head by the rules of arena, and one by the federation's."""
    game = impl.Game("arena", dice=[(2, 1), (5, 5), (4, 4)])
    game.roll()
    game.play("24/19/14/9/4")
    game.roll()
    game.play("12/8(2)")
    text = records.to_text(game)
    assert_same(records.from_text(text, impl.Match), game)
    with pytest.raises(ValueError, match=r"line 9: turn 2: text = '12/8\(2\)': "):
        records.from_text(text.replace("arena", "long"), impl.Match)


def test_every_cut_is_noticed(impl: Any) -> None:
    match = impl.Match(2, "hypergammon", dice=[(6, 5), (6, 5), (2, 1)])
    game = match.start_game()
    game.play(game.position.plays(game.dice)[0])
    game.resign(1)
    game.accept()
    game = match.start_game()
    game.play(game.position.plays(game.dice)[0])
    for text in (RECORD, records.to_text(match)):
        whole = text.rstrip()
        for end in range(len(whole)):
            with pytest.raises(ValueError, match=r"^line \d+: "):
                records.from_text(whole[:end], impl.Match)
        records.from_text(whole, impl.Match)


def test_garbled_text_is_read_or_refused_but_never_breaks_the_reader(impl: Any) -> None:
    rng = random.Random(3)
    text = records.to_text(random_match(impl, "hypergammon", 1, seed=2))
    for _ in range(300):
        garbled = list(text)
        for _ in range(rng.randint(1, 3)):
            garbled[rng.randrange(len(garbled))] = rng.choice('0123456789:;/()[]"* \nabwé\0')
        try:
            records.from_text("".join(garbled), impl.Match)
        except ValueError as error:
            assert str(error).startswith("line ")  # noqa: PT017


def test_garbled_json_lines_are_read_or_refused_but_never_break_the_reader(impl: Any, tmp_path: Path) -> None:
    rng = random.Random(4)
    path = tmp_path / "games.jsonl"
    records.write_jsonl(path, [random_match(impl, "hypergammon", 1, seed=2), play_on(impl.Game("hypergammon", seed=1), rng, 9)])
    written = path.read_bytes()
    for _ in range(300):
        garbled = bytearray(written)
        for _ in range(rng.randint(1, 3)):
            garbled[rng.randrange(len(garbled))] = rng.choice(b'0123456789:,{}[]" \ntn-.\xff')
        path.write_bytes(garbled)
        try:
            list(records.read_jsonl(path, impl.Match))
        except ValueError as error:
            assert str(error).startswith("line ")  # noqa: PT017


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "^line 1: the record has been cut off$"),
        (b"line 7: x\n", "^line 1: line 7: x: expected "),
        (b"\xff\xfe;\x00", "line 1: not UTF-8"),
        (b"; [" + b"x" * 1_000_000, "line 1: longer than"),
        (b'; [Record "nardy_fast 1"]\n; [Variation ' + b"[" * 9_000 + b"]", "line 2: Variation: expected a JSON value"),
    ],
)
def test_files_that_are_something_else_are_refused(tmp_path: Path, content: bytes, error: str) -> None:
    path = tmp_path / "record.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=error):
        records.read_text(path)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"{", "line 1: "),
        (b"\n\n5\n", "line 3: "),
        (b"\xff\n", "line 1: not UTF-8"),
        (b"[" * 100_000, "line 1: "),
        (b'{"games": 5}', "line 1: "),
        (
            b'{"rules": "long", "throws": [[6, 5]], "starter": 0, "events": [["roll", [6, 5]], ["play", [[1, 6], [1, 5]]]]}',
            "turn 1: step 2",
        ),
    ],
)
def test_json_lines_that_are_something_else_are_refused(tmp_path: Path, content: bytes, error: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=error):
        list(records.read_jsonl(path))


# Replay


def test_replay_shows_the_board_before_each_play(impl: Any, tmp_path: Path) -> None:
    records.write_text(tmp_path / "game.txt", records.from_text(RECORD, impl.Match))
    pieces = list(records.replay(tmp_path / "game.txt", impl.Match))
    game = records.from_text(RECORD, impl.Match)
    assert pieces == [
        RECORD.split("\n\n")[0],
        "Game 1\nThrow: 33 62\nStarter: player 0",
        game.turns[0].position.text((6, 5)),
        "1) 65: 24/18 18/13",
        game.turns[1].position.text((5, 2)),
        "2) 52: 12/7 7/5",
        "3) 21:",
        "White resigns 2",
        "Accepted",
        game.position.text(),
        "Black wins 2 points (resigned)",
    ]


def test_replay_of_a_match_shows_all_its_games(impl: Any, tmp_path: Path) -> None:
    match = random_match(impl, "hypergammon", 2, seed=3)
    records.write_jsonl(tmp_path / "match.jsonl", [match])
    pieces = list(records.replay(tmp_path / "match.jsonl", impl.Match))
    assert sum(piece.startswith("Game ") for piece in pieces) == 2
    assert pieces[-1].startswith("Match unfinished: ")
