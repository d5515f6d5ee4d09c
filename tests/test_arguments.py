"""Arguments that are not what they should be: refused alike by both implementations, before anything is changed."""

from __future__ import annotations

import json
import re
from concurrent.futures import Executor, Future
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import nardy_fast as nf
from nardy_fast import bearoff
from nardy_fast.arguments import MAX_SHOWN, short_repr
from nardy_fast.reasons import Reason

START = nf.Position.start().board
#: A megabyte.
LONG = "x" * (1 << 20)


# Dice, boards, turns, depths


@pytest.mark.parametrize(
    "dice",
    [(True, 6), (6, True), [False, 1], (np.True_, 2), {6, 5}, frozenset({6, 5}), {6: 1, 5: 1}, {6: 1, 5: 1}.keys(), b"ab", "65"],
    ids=str,
)  # fmt: skip
def test_dice_that_are_no_two_integers_in_a_row_are_refused(impl: ModuleType, dice: Any) -> None:
    position = impl.Position.start()
    for call in (position.plays, position.count_plays, position.is_forced, position.next_steps, position.text):
        with pytest.raises(TypeError, match=r"^dice = .*: expected two integers 1\.\.6$"):
            call(dice)
    with pytest.raises(TypeError, match=r"^dice = "):
        position.why_not(dice, (1, 6))
    with pytest.raises(TypeError, match=r"^dice = "):
        impl.Turn(position, dice)
    game = impl.Game(starter=0)
    with pytest.raises(TypeError, match=r"^dice = "):
        game.roll(dice)
    assert game.dice is None


def test_dice_are_taken_from_whatever_holds_two_integers(impl: ModuleType) -> None:
    position = impl.Position.start()
    for dice in ((6, 5), [5, 6], np.array([6, 5], np.int8), iter((6, 5)), (np.int64(6), 5)):
        assert position.count_plays(dice) == 1


def test_a_board_with_a_mask_is_refused(impl: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"^board is a masked array: expected one in which every slot has its number$"):
        impl.Position(np.ma.masked_equal(START, 0))


def test_tables_refuse_boards_with_a_mask_too() -> None:
    boards = np.ma.masked_equal(nf.Position.parse("6:1 18:1 w").board[None], 0)
    with pytest.raises(TypeError, match=r"^boards is a masked array"):
        bearoff.TwoSided.build("long", 1).numbers(boards)


def test_a_board_of_truth_values_is_refused(impl: ModuleType) -> None:
    board = START.tolist()
    board[0][1], board[0][2] = 14, True  # numpy would make it 1
    with pytest.raises(TypeError, match=r"^board has truth values among its counts: expected integers$"):
        impl.Position(board)
    with pytest.raises(TypeError, match=r"^board has dtype bool: expected integers$"):
        impl.Position(START.astype(bool))


def test_a_board_of_uneven_rows_is_refused(impl: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^board = \[\[1\], \[1, 2\]\]: expected shape \(2, 26\)$"):
        impl.Position([[1], [1, 2]])


@pytest.mark.parametrize("turn", [True, False, np.True_, 1.0, 1 + 0j, "1", None, 2, -1, {0}], ids=repr)
def test_a_turn_is_0_or_1(impl: ModuleType, turn: Any) -> None:
    with pytest.raises(ValueError, match=r"^turn = .*: expected 0 \(White\) or 1 \(Black\)$"):
        impl.Position.start("long", turn)
    with pytest.raises(ValueError, match=r"^turn = "):
        impl.Position(START, turn)


@pytest.mark.parametrize("depth", [True, False, np.True_, 2.0, "2"], ids=repr)
def test_a_depth_is_an_integer(impl: ModuleType, depth: Any) -> None:
    with pytest.raises(TypeError, match=f"^depth = {re.escape(repr(depth))}: expected an integer$"):
        impl.perft(impl.Position.start(), depth)


@pytest.mark.parametrize("threads", [True, np.True_], ids=repr)
def test_threads_are_an_integer(impl: ModuleType, threads: Any) -> None:
    with pytest.raises(TypeError, match=r"^threads = .*: expected an integer$"):
        impl.perft(impl.Position.start(), 1, threads=threads)
    with pytest.raises(TypeError, match=r"^threads = .*: expected an integer$"):
        impl.simulate(1, threads=threads)


# Steps


@pytest.mark.parametrize(
    "steps",
    [((1,),), ((1, 7, 6, 6),), ((),), (5,), 5, ("16",), ((True, 6),), ((1, True),), ({1, 6},), {(1, 6)}, ((1.0, 6),)],
    ids=str,
)  # fmt: skip
def test_a_step_is_two_or_three_integers(impl: ModuleType, steps: Any) -> None:
    position = impl.Position.start()
    for call in (
        lambda: position.next_steps((6, 5), steps),
        lambda: position.why_not((6, 5), (1, 6), steps),
        lambda: impl.Play(position, (6, 5), steps),
    ):
        with pytest.raises(TypeError, match=r"^steps = .*: expected \(from, die\) pairs of integers$"):
            call()


@pytest.mark.parametrize("step", [(1, 99, 6), (1, 8, 6), (1, 19, 6), (1, -5, 6), (1, 6, 6)], ids=str)
def test_a_step_that_says_to_go_elsewhere_than_its_die_leads_is_refused(impl: ModuleType, step: tuple[int, int, int]) -> None:
    position = impl.Position.start()
    for call in (
        lambda: position.next_steps((6, 5), (step,)),
        lambda: position.why_not((6, 5), step),
        lambda: impl.Play(position, (6, 5), (step,)),
    ):
        with pytest.raises(ValueError, match=rf"^{re.escape(f'step = {step}: by 6 it goes to 7')}$"):
            call()


def test_a_step_may_say_where_it_goes(impl: ModuleType) -> None:
    play = impl.Play(impl.Position.start(), (6, 5), ((1, 7, 6), (7, 5)))
    assert play.steps == ((1, 7, 6), (7, 12, 5))
    off = impl.Play(impl.Position.parse("3:1 24:1 w", "hypergammon"), (6, 5), ((22, 25, 6),))
    assert off.afterstate.is_over


# Games and matches


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"dice": 5}, TypeError, "dice = 5: expected throws in their order, or a function that gives one a call"),
        ({"dice": {(6, 5)}}, TypeError, "dice = {(6, 5)}: expected throws in their order"),
        ({"dice": "65"}, TypeError, "dice = '65': expected throws in their order"),
        ({"dice": [(6, 5), (True, 2)]}, TypeError, "dice = (True, 2): expected two integers 1..6"),
        ({"dice": lambda: (6, True)}, TypeError, "dice = (6, True): expected two integers 1..6"),
        ({"seed": "x"}, TypeError, "seed = 'x': expected an integer"),
        ({"seed": True}, TypeError, "seed = True: expected an integer"),
        ({"seed": -1}, ValueError, "seed = -1: expected an integer from 0"),
        ({"seed": 1.5}, TypeError, "seed = 1.5: expected an integer"),
        ({"starter": True}, ValueError, "starter = True: expected player 0 or 1"),
        ({"cube": 2}, TypeError, "cube = 2: expected CubeRules, Stakes or None"),
        ({"rules": 5}, TypeError, "rules = 5: expected a Ruleset or the name of one"),
    ],
)
def test_a_game_of_bad_arguments_is_refused(
    impl: ModuleType, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        impl.Game(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"players": 5}, TypeError, "players = 5: expected two names"),
        ({"players": "ab"}, TypeError, "players = 'ab': expected two names"),
        ({"players": {"a", "b"}}, TypeError, "players = {"),
        ({"players": ("a", 5)}, ValueError, "players = ('a', 5): expected two names"),
        ({"draw": ["half"]}, ValueError, "draw = ['half']: expected one of half, one"),
        ({"seed": "x"}, TypeError, "seed = 'x': expected an integer"),
        ({"dice": 5}, TypeError, "dice = 5: expected throws"),
        ({"score": 3}, TypeError, "score = 3: expected what player 0 and player 1 have"),
        ({"score": (1, 3)}, ValueError, "score = (1, 3): expected two numbers of points below 3"),
        ({"score": (-1, 0)}, ValueError, "score = (-1, 0): expected two numbers of points below 3"),
        ({"score": (True, 0)}, ValueError, "score = (True, 0): expected two numbers"),
        ({"score": (0.3, 0)}, ValueError, "score = (0.3, 0): expected two numbers"),
        ({"is_crawford": 1}, TypeError, "is_crawford = 1: expected True or False"),
        ({"is_crawford": True}, ValueError, "is_crawford = True: by the score (0, 0)"),
    ],
)
def test_a_match_of_bad_arguments_is_refused(
    impl: ModuleType, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        impl.Match(3, **arguments)


@pytest.mark.parametrize("kind", ["Game", "Match"])
def test_a_throw_for_the_start_that_never_decides_is_given_up(impl: ModuleType, kind: str) -> None:
    def begin(dice: Any) -> Any:
        return impl.Game(dice=dice) if kind == "Game" else impl.Match(3, "short", dice=dice).start_game()

    with pytest.raises(ValueError, match=r"^dice: 1000 ties in the throw for the start, expected a throw that decides$"):
        begin(lambda: (1, 1))
    ties = iter([(2, 2)] * 999 + [(2, 1)])
    assert len(begin(lambda: next(ties)).start_throws) == 1000


# JSON


def changed(text: str, change: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in (json.loads(text) | change).items() if value is not ...})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": 1}, "game: 'extra' is no key of it"),
        ({LONG: 1}, "game: 'xxx"),
        ({"white": 1}, "game from the start: 'white' is no key of it"),
        ({"position": "24:15 12:15 w"}, "game with a position: 'starter' is no key of it"),
        ({"rules": ...}, "game: 'rules' is missing"),
        ({"events": ...}, "game: 'events' is missing"),
        ({"starter": ...}, "game from the start: 'starter' is missing"),
        ({"undos": ...}, "game: 'undos' is missing"),
        ({"undos": -1}, "undos = -1: expected 0..0"),
        ({"undos": True}, "game: undos = True: expected an integer"),
        ({"events": [["roll", [True, 1]]]}, "turn 1: dice = [True, 1]: expected two integers 1..6"),
        ({"events": [["roll", [6, 5]], ["play", [[True, 6], [7, 5]]]]}, "turn 1: steps = "),
        ({"events": [["roll", [6, 5]], ["play", [[1, 99, 6], [7, 5]]]]}, "turn 1: step = (1, 99, 6): by 6"),
        ({"events": [["roll", [6, 5], 3]]}, "turn 1: event = ['roll', [6, 5], 3]: no such thing"),
        ({"events": [["resign", True, 1]]}, "turn 1: turn = True: expected 0"),
        ({"events": [["resign", 0, True]]}, "turn 1: times = True: expected 1, 2 or 3"),
        ({"steps": [[1, 99, 6]]}, "step = (1, 99, 6): by 6 it goes to 7"),
        ({"steps": 5}, "steps = 5: expected a list"),
        ({"thrown": [[True, 2]]}, "game: dice = [True, 2]"),
        ({"source": "abc"}, "source = 'abc': expected throws, or the state of a random source"),
        ({"cube": {"rules": {}}}, "cube: 'is_crawford' is missing"),
    ],
)  # fmt: skip
def test_a_snapshot_of_a_game_with_something_wrong_is_refused(impl: ModuleType, change: dict[str, Any], message: str) -> None:
    text = impl.Game("long", starter=0, seed=1).to_json()
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        impl.Game.from_json(changed(text, change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": 1}, "match: 'extra' is no key of it"),
        ({"points": ...}, "match: 'points' is missing"),
        ({"games": 5}, "games = 5: expected a list"),
        ({"games": [5]}, "game 1: game = 5: expected an object"),
        ({"players": 5}, "match: players = 5: expected two names"),
        ({"cube": {"limit": 4}}, "cube: 'crawford' is missing"),
        ({"rules": 5}, "match: rules = 5: expected a Ruleset or the name of one"),
    ],
)
def test_a_snapshot_of_a_match_with_something_wrong_is_refused(impl: ModuleType, change: dict[str, Any], message: str) -> None:
    text = impl.Match(3, seed=1).to_json()
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        impl.Match.from_json(changed(text, change))


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{" * 100_000, '{"a":' * 100_000, LONG, "9" * 5000, "", "{"], ids=lambda text: text[:5]
)
def test_text_that_is_no_json_is_refused_in_few_words(impl: ModuleType, text: str) -> None:
    for read in (impl.Game.from_json, impl.Match.from_json, nf.Simulation.from_json, nf.Ruleset.from_json):
        with pytest.raises(ValueError, match=r"^(game|match|simulation|ruleset) = .*: not JSON$") as caught:
            read(text)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "game: 'rules' is missing"),
        ('{"rules": "long"}', "game: 'events' is missing"),
        ("[]", r"game = \[\]: expected an object"),
        ("null", "game = None: expected an object"),
    ],
)
def test_json_that_is_no_game_says_what_is_missing(impl: ModuleType, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        impl.Game.from_json(text)
    with pytest.raises(ValueError, match=r"^match"):
        impl.Match.from_json(text)
    with pytest.raises(TypeError, match=r"^game = 5: expected a string$"):
        impl.Game.from_json(5)


# Executors


class Careless(Executor):
    """An executor that hands back something of its own."""

    def __init__(self, result: Any) -> None:
        self.result = result

    def submit(self, *task: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(self.result)
        return future


class Hollow:
    """Has a `submit`, but no futures."""

    def submit(self, *task: Any) -> Any:
        return 5


def test_an_executor_without_futures_is_refused(impl: ModuleType) -> None:
    message = r"^executor: submit gave 5: expected a concurrent\.futures\.Future$"
    with pytest.raises(TypeError, match=message):
        impl.perft(impl.Position.start(), 2, executor=Hollow())
    with pytest.raises(TypeError, match=message):
        impl.simulate(3, executor=Hollow())


@pytest.mark.parametrize("count", [-1, 0, 2.5, "7", None, True, [1]], ids=repr)
def test_perft_believes_no_executor_whose_result_is_no_count(impl: ModuleType, count: Any) -> None:
    with pytest.raises(
        (TypeError, ValueError), match=rf"^executor: a count of leaves = {re.escape(repr(count))}: expected an integer"
    ):
        impl.perft(impl.Position.start(), 2, executor=Careless(count))


@pytest.mark.parametrize(
    "result",
    [(1, 2, 3), None, (np.zeros(2, np.int8), np.zeros(2, np.int16), np.zeros(2, np.int32))],
    ids=["numbers", "none", "too few"],
)
def test_simulate_believes_no_executor_whose_result_is_no_games(impl: ModuleType, result: Any) -> None:
    with pytest.raises(TypeError, match=r"^executor: a shard of \d+ games came back as .*: expected winner, points and turns$"):
        impl.simulate(1, executor=Careless(result))


# Words


@pytest.mark.parametrize("reason", list(Reason), ids=lambda reason: reason.name)
def test_a_reason_is_printed_as_its_sentence(reason: Reason) -> None:
    assert str(reason) == f"{reason}" == format(reason, "") == reason.sentence
    assert int(reason) == reason.value


def test_what_is_long_or_cannot_be_shown_is_cut() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert short_repr("x") == "'x'"
    assert short_repr(LONG) == "'" + "x" * (MAX_SHOWN - 4) + "..."
    assert short_repr(Broken()) == "<Broken>"
    assert short_repr(10**6000) == "<int>"


@pytest.mark.parametrize(
    "call",
    [
        lambda impl: impl.Position.parse(LONG),
        lambda impl: impl.Position.parse("24:15 12:15 w", LONG),
        lambda impl: impl.parse_position(LONG),
        lambda impl: impl.Position.start(LONG),
        lambda impl: impl.Position.start("long", LONG),
        lambda impl: impl.Position(LONG),
        lambda impl: impl.Position.start().plays(LONG),
        lambda impl: impl.Position.start().parse_play(LONG, (6, 5)),
        lambda impl: impl.Position.start().parse_play("24/18 " * 200_000, (6, 5)),
        lambda impl: impl.Position.start().apply(LONG),
        lambda impl: impl.Position.start().next_steps((6, 5), [(1, 6)] * 100_000),
        lambda impl: impl.Position.start().why_not((6, 5), LONG),
        lambda impl: impl.Play(LONG, (6, 5), ()),
        lambda impl: impl.perft(LONG, 1),
        lambda impl: impl.perft(impl.Position.start(), LONG),
        lambda impl: impl.simulate(1, start=LONG),
        lambda impl: impl.simulate(LONG),
        lambda impl: impl.Game(LONG),
        lambda impl: impl.Game(dice=[LONG]),
        lambda impl: impl.Game(seed=LONG),
        lambda impl: impl.Game.from_position(LONG),
        lambda impl: impl.Game(starter=0, dice=[(6, 5)]).replay_event(("roll", LONG)),
        lambda impl: impl.Game(starter=0, dice=[(6, 5)]).replay_event((LONG,)),
        lambda impl: impl.Match(players=LONG),
        lambda impl: impl.Match(draw=LONG),
    ],
)
def test_a_megabyte_of_input_does_not_come_back_in_the_message(impl: ModuleType, call: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        call(impl)
    assert len(str(caught.value)) < 1000


# Batches


@pytest.mark.parametrize("flag", ["no", 1, 0, None], ids=repr)
def test_flags_of_batches_are_true_or_false(flag: Any) -> None:
    boards = START[None]
    message = rf"^\w+ = {re.escape(repr(flag))}: expected True or False$"
    for call in (
        lambda: nf.batch.count_plays(boards, (6, 5), check=flag),
        lambda: nf.batch.afterstates(boards, (6, 5), check=flag),
        lambda: nf.batch.afterstates(boards, (6, 5), plays=flag),
        lambda: nf.batch.iter_afterstates(boards, (6, 5), plays=flag),
        lambda: nf.batch.is_over(boards, check=flag),
        lambda: nf.batch.random_step(boards, np.random.default_rng(1), restart=flag),
    ):
        with pytest.raises(TypeError, match=message):
            call()


def test_batches_refuse_arrays_with_a_mask() -> None:
    boards = np.ma.masked_equal(START[None], 0)
    dice = np.ma.masked_equal(np.array([[6, 5]], np.int8), 6)
    for call in (
        lambda: nf.batch.count_plays(boards, (6, 5)),
        lambda: nf.batch.count_plays(START[None], dice),
        lambda: nf.batch.is_over(boards),
        lambda: nf.batch.pips(boards),
        lambda: nf.batch.flip(boards),
        lambda: nf.batch.random_step(boards, np.random.default_rng(1)),
    ):
        with pytest.raises(TypeError, match=r"^(boards|dice) is a masked array: "):
            call()


@pytest.mark.parametrize("result", [5, None, (5,), (np.zeros(3, np.int32),), (np.zeros(2 * 8192, np.int64),)], ids=str)
def test_batches_believe_no_executor_whose_result_is_no_array_of_theirs(result: Any) -> None:
    boards = np.repeat(START[None], 3 * 8192, axis=0)
    with pytest.raises(TypeError, match=r"^executor: a shard came back as "):
        nf.batch.count_plays(boards, (6, 5), executor=Careless(result))
