"""Networks from C and Cython: the table of functions, and the example engines, built and run."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import abi
import numpy as np
import pytest

import nardy_fast as nf
from nardy_fast.core import _capi as core_capi
from nardy_fast.core._core import ABI
from nardy_fast.players import Network, _capi

EXAMPLES = Path(__file__).parents[2] / "examples"
CC = shutil.which("cc")
Trained = Callable[[str], Network]

needs_cython = pytest.mark.skipif(
    CC is None or not EXAMPLES.exists() or not importlib.util.find_spec("Cython") or not importlib.util.find_spec("setuptools"),
    reason="no C compiler, Cython, setuptools or examples",
)
needs_embedding = pytest.mark.skipif(
    CC is None
    or not EXAMPLES.exists()
    or os.name != "posix"
    or shutil.which("make") is None
    or not Path(sysconfig.get_path("include"), "Python.h").exists()
    or not any(
        Path(sysconfig.get_config_var(folder) or "", sysconfig.get_config_var(library) or "none").exists()
        for folder in ("LIBDIR", "LIBPL")
        for library in ("LDLIBRARY", "LIBRARY")
    ),
    reason="no C compiler, make or examples, or a Python that cannot be embedded",
)


class Table(ctypes.Structure):
    """nardy_players_api, as C sees it."""

    _fields_ = (
        ("abi", ctypes.c_int),
        ("core_abi", ctypes.c_int),
        ("size", ctypes.c_int),
        ("load", ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)),
        ("net_of", ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)),
        ("results", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("new_desk", ctypes.CFUNCTYPE(ctypes.c_void_p)),
        ("free_desk", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("evaluate", ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p)),
        ("evaluate_after", ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p)),
        ("best_play", ctypes.CFUNCTYPE(ctypes.c_float, *[ctypes.c_void_p] * 3, *[ctypes.c_int] * 3, *[ctypes.c_void_p] * 2)),
        ("new_levels", ctypes.CFUNCTYPE(ctypes.c_void_p)),
        ("free_levels", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("evaluate_pending", ctypes.CFUNCTYPE(ctypes.c_float, *[ctypes.c_void_p] * 6)),
        ("best_stage_play", ctypes.CFUNCTYPE(ctypes.c_float, *[ctypes.c_void_p] * 4, ctypes.c_int, *[ctypes.c_void_p] * 2)),
        ("load_tables", ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)),
        ("race", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p)),
        ("turns_to_clear", ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_char_p)),
        (
            "play_pairs",
            ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int, *[ctypes.c_void_p] * 4),
        ),
        ("mean_of_pairs", ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)),
    )


CHOOSE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)


class Seat(ctypes.Structure):
    """nardy_seat, as C sees it."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("net", ctypes.c_void_p),
        ("noise", ctypes.c_float),
        ("choose", CHOOSE),
        ("context", ctypes.c_void_p),
    )


@pytest.fixture(scope="module")
def players() -> Any:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return Table.from_address(pointer(_capi.API, b"nardy_fast.players._capi.API"))


def test_the_table_says_its_numbers_and_its_size(players: Any) -> None:
    header = Path(nf.players.get_include(), "nardy_players.h").read_text(encoding="utf-8")
    assert f"#define NARDY_PLAYERS_ABI {players.abi}\n" in header
    assert players.core_abi == ABI
    assert players.size == ctypes.sizeof(Table)


@pytest.mark.parametrize("rules", ["long", "short", "khachapuri"])
def test_it_says_of_positions_what_python_does(players: Any, rules: str, trained: Trained) -> None:
    network = trained(rules)
    net = players.net_of(network)
    points, chances = (ctypes.c_int * 32)(), (ctypes.c_float * 32)()
    assert tuple(points[: players.results(net, points)]) == network.outputs
    position = nf.Position.start(rules)
    for dice in ((6, 5), (4, 4), (2, 1), (3, 2)):
        expected = network.evaluate(position, tables=False)
        equity = players.evaluate(net, position.board.tobytes(), position.turn, chances)
        assert equity == pytest.approx(expected.equity)
        assert chances[: len(points[: len(network.outputs)])] == pytest.approx(expected.probabilities)
        after = players.evaluate_after(net, position.board[::-1].tobytes(), 1 - position.turn, chances)
        assert after == pytest.approx(-equity)
        position = position.apply(network.choose(position, dice))


def pairs_of(players: Any, one: Seat, two: Seat, rules: str, seed: int, pairs: int) -> tuple[list[int], float, float]:
    """What `one` scores in the games of the C arena, the mean and its standard error."""
    scores, turns, error = (ctypes.c_int16 * (2 * pairs))(), (ctypes.c_int32 * (2 * pairs))(), ctypes.c_double()
    desk, levels = players.new_desk(), players.new_levels()
    own = compiled_rules(rules)
    players.play_pairs(ctypes.byref(one), ctypes.byref(two), own, seed, 0, pairs, scores, turns, desk, levels)
    players.free_desk(desk)
    players.free_levels(levels)
    assert min(turns) > 0
    return list(scores), players.mean_of_pairs(scores, pairs, ctypes.byref(error)), error.value


@pytest.mark.parametrize("rules", ["long", "short", "gulbar"])
def test_the_arena_of_c_plays_the_games_of_python(players: Any, rules: str, trained: Trained) -> None:
    network = trained(rules)
    seat, greedy = Seat(2, players.net_of(network)), Seat(1)
    scores, mean, error = pairs_of(players, seat, greedy, rules, 5, 20)
    arena = nf.players.play(network, nf.players.Greedy(), rules, 40, seed=5)
    assert scores == arena.scores.reshape(-1).tolist()
    assert mean == pytest.approx(arena.points)
    assert error == pytest.approx(arena.error)


@pytest.mark.parametrize("rules", ["long", "gulbar"])
def test_a_player_of_a_c_program_s_own_chooses_by_a_function(players: Any, rules: str) -> None:
    seen: list[tuple[int, int, int]] = []

    def last(context: int, board: int, after: int, count: int, turn: int) -> int:
        boards = np.ctypeslib.as_array((ctypes.c_int8 * (52 * count)).from_address(after)).reshape(count, 2, 26)
        assert (boards.sum(axis=2) == 15).all()
        seen.append((context, count, turn))
        return count - 1

    scores, _, _ = pairs_of(players, Seat(3, None, 0, CHOOSE(last), 7), Seat(0), rules, 1, 3)
    assert {context for context, _, _ in seen} == {7}
    assert {turn for _, _, turn in seen} == {0, 1}
    assert all(scores)


@pytest.mark.parametrize("rules", ["long", "short"])
def test_bear_off_tables_answer_from_c(players: Any, rules: str) -> None:
    tables = players.load_tables(rules.encode())
    found = (ctypes.c_double * 5)()
    last = "18:6,13:2" if rules == "long" else "6:6,1:2"
    for text in (f"6:3,5:2 {last} w", "2:1,1:2 15:3,14:1 w" if rules == "long" else "2:1,1:2 3:3,2:1 w"):
        position = nf.Position.parse(text, rules)
        expected = nf.bearoff.race(position)
        assert players.race(tables, position.board.tobytes(), position.turn, found) == 1
        assert list(found) == pytest.approx([expected.win, expected.mars, expected.draw, expected.loss, expected.lost_mars])
        mean = players.turns_to_clear(tables, position.board[0].tobytes())
        assert mean == pytest.approx(nf.bearoff.OneSided.load(rules).mean(position.board[0, 24:18:-1]))
    start = nf.Position.start(rules)
    assert players.race(tables, start.board.tobytes(), 0, found) == 0
    assert players.turns_to_clear(tables, start.board[0].tobytes()) == -1


def compiled_rules(name: str) -> Any:
    """A nardy_rules."""
    capi = ctypes.pythonapi.PyCapsule_GetPointer(core_capi.API, b"nardy_fast.core._capi.API")
    read_rules = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(ctypes.c_void_p.from_address(capi + 8).value)
    rules = ctypes.create_string_buffer(256)
    read_rules(name.encode(), rules)
    return rules


def made(position: nf.Position, dice: tuple[int, ...], play: Any) -> nf.Play:
    """The play that a nardy_play without sends tells."""
    steps, *numbers = play.raw[:13]
    return nf.Play(position, dice, tuple(zip(numbers[:steps], numbers[6 : 6 + steps], strict=True)))


def test_it_chooses_what_python_does(players: Any, trained: Trained) -> None:
    network = trained("short")
    net, desk = players.net_of(network), players.new_desk()
    rules, play = compiled_rules("short"), ctypes.create_string_buffer(64)
    position, rng = nf.Position.start("short"), np.random.default_rng(2)
    while not position.is_over:
        low, high = sorted(rng.integers(1, 7, 2).tolist())
        equity = players.best_play(net, rules, position.board.tobytes(), position.turn, high, low, desk, play)
        expected = network.rank(position, (high, low))[0]
        chosen = made(position, (high, low), play)
        assert chosen.afterstate == expected.play.afterstate
        assert equity == pytest.approx(expected.equity, abs=1e-6)
        position = position.apply(chosen)
    players.free_desk(desk)


def thrown(player: int, high: int, low: int) -> bytes:
    """The nardy_pending of a throw in the mad games: a double is followed by four of each higher number."""
    stages = [(player, high, 1, low)] if high != low else [(player, die, 4, 0) for die in range(high, 7)]
    return bytes([player, 0, 0, len(stages), *(number for stage in stages for number in stage)]).ljust(28, b"\0")


def test_it_plays_stages_as_python_does(players: Any, trained: Trained) -> None:
    network = trained("mad_nardy")
    net, levels = players.net_of(network), players.new_levels()
    rules, play, chances = compiled_rules("mad_nardy"), ctypes.create_string_buffer(64), (ctypes.c_float * 32)()
    position, rng, waited = nf.Position.start("mad_nardy"), np.random.default_rng(5), 0
    while not position.is_over:
        pending, board = position.pending, position.board.tobytes()
        if pending is None:
            low, high = sorted(rng.integers(1, 7, 2).tolist())
            dice, queue = (high, low), thrown(position.turn, high, low)
        else:
            dice, queue, waited = pending.stages[0].dice, pending.to_row().tobytes(), waited + 1
            expected = network.evaluate(position, tables=False)
            equity = players.evaluate_pending(net, rules, board, queue, levels, chances)
            assert equity == pytest.approx(expected.equity, abs=1e-6)
            assert chances[: len(network.outputs)] == pytest.approx(expected.probabilities, abs=1e-6)
        equity = players.best_stage_play(net, rules, board, queue, pending is None, levels, play)
        ranked = network.rank(position, None if pending else dice)
        assert equity == pytest.approx(ranked[0].equity, abs=1e-6)
        position = position.apply(made(position, dice, play))
        assert position in [c.play.afterstate for c in ranked if c.loss < 1e-6]
    assert waited > 20
    players.free_levels(levels)


def test_a_network_that_cannot_be_loaded_is_python_s_error(players: Any, tmp_path: Path, trained: Trained) -> None:
    with pytest.raises(FileNotFoundError):
        players.load(str(tmp_path / "none.npz").encode())
    with pytest.raises(TypeError, match=r"network is a str: expected a nardy_fast\.players\.Network"):
        players.net_of("long")
    trained("long").save(tmp_path / "some.npz")
    assert players.load(str(tmp_path / "some.npz").encode())


@needs_embedding
@pytest.mark.parametrize("rules", ["long", "short"])
def test_the_c_engine_wins_a_match(rules: str, tmp_path: Path, trained: Trained) -> None:
    shutil.copytree(EXAMPLES / "c_engine", tmp_path / "engine")
    abi.run("make", f"PYTHON={sys.executable}", "CFLAGS=-O1 -Wall -Wextra -Werror", cwd=tmp_path / "engine")
    trained(rules).save(tmp_path / "some.npz")
    lines = abi.run("./engine", rules, str(tmp_path / "some.npz"), "40", "7", cwd=tmp_path / "engine").splitlines()
    assert lines[0].startswith("game 1: engine ")
    assert int(lines[-1].split()[3].rstrip(",")) >= 40


@needs_cython
def test_the_cython_engine_wins_a_match(tmp_path: Path, trained: Trained) -> None:
    shutil.copytree(EXAMPLES / "cython_engine", tmp_path / "engine")
    abi.run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=tmp_path / "engine")
    trained("short").save(tmp_path / "some.npz")
    program = f"import engine; print(*engine.play_match({str(tmp_path / 'some.npz')!r}, 40, 3))"
    won, lost = map(int, abi.run(sys.executable, "-c", program, cwd=tmp_path / "engine").split())
    assert won >= 40 > lost
