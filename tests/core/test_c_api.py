"""The C API: called as other programs call it, from Cython, from C and through the table of nardy_fast.h."""

from __future__ import annotations

import copy
import ctypes
import importlib.util
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import abi
import numpy as np
import pytest
from usual_rulesets import USUAL_RULESETS

import nardy_fast as nf
from nardy_fast import batch
from nardy_fast.core import _capi
from nardy_fast.core._core import ABI
from nardy_fast.reasons import Fault, Reason

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GAMES = ("long", "tournament", "fevga", "short", "old_english", "acey_deucey")

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
CXX = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
needs_cc = pytest.mark.skipif(CC is None, reason="no C compiler")
needs_cython = pytest.mark.skipif(
    CC is None or not importlib.util.find_spec("Cython") or not importlib.util.find_spec("setuptools"),
    reason="no C compiler, Cython or setuptools",
)
needs_examples = pytest.mark.skipif(not EXAMPLES.exists(), reason="tests away from the examples")
needs_python_h = pytest.mark.skipif(
    not Path(sysconfig.get_path("include"), "Python.h").exists() or os.name != "posix", reason="no Python.h"
)


# The table, as C sees it.


class Board(ctypes.Structure):
    _fields_ = (("row", ctypes.c_int8 * 26 * 2),)


class Rules(ctypes.Structure):
    _fields_ = (("start", ctypes.c_int8 * 26), ("checkers", ctypes.c_int8), ("others", ctypes.c_int8 * 30))


class Play(ctypes.Structure):
    _fields_ = (("steps", ctypes.c_int8), ("source", ctypes.c_int8 * 6), ("die", ctypes.c_int8 * 6), ("sends", ctypes.c_int8))


class Pending(ctypes.Structure):
    _fields_ = (("numbers", ctypes.c_int8 * 28),)


class PlaySet(ctypes.Structure):
    _fields_ = (("count", ctypes.c_int), ("private", ctypes.c_uint64 * 7501))


class Turn(ctypes.Structure):
    _fields_ = (("private", ctypes.c_uint64 * 8),)


class Luck(ctypes.Structure):
    _fields_ = (("private", ctypes.c_uint64 * 9),)


class Found(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int) for name in ("kind", "row", "slot", "value"))


TYPES: dict[str, Any] = {
    "void": None,
    "int": ctypes.c_int,
    "int *": ctypes.POINTER(ctypes.c_int),
    "char *": ctypes.c_char_p,
    "int8_t *": ctypes.c_void_p,
    "void *": ctypes.c_void_p,
    "uint64_t": ctypes.c_uint64,
    "unsigned int *": ctypes.POINTER(ctypes.c_uint),
    "struct _object *": ctypes.py_object,
    **{f"{kind.__name__} *": ctypes.POINTER(kind) for kind in (Board, Rules, Play, Pending, PlaySet, Turn, Luck)},
    "Fault *": ctypes.POINTER(Found),
}
NEED_THE_GIL = ("read_rules", "rules_of")


def c_type(words: str) -> Any:
    return TYPES[words.replace("const ", "").strip()]


class Table:
    """The functions of the table, by name."""

    def __init__(self) -> None:
        get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
        get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        declared = abi.table()
        address = get_pointer(_capi.API, b"nardy_fast.core._capi.API")
        self.abi, self.size = (ctypes.c_int * 2).from_address(address)
        pointers = (ctypes.c_void_p * len(declared)).from_address(address + 2 * ctypes.sizeof(ctypes.c_int))
        for pointer, (name, line) in zip(pointers, declared.items(), strict=True):
            result, _, arguments = line.rstrip(")").partition(" (")
            make = ctypes.PYFUNCTYPE if name in NEED_THE_GIL else ctypes.CFUNCTYPE
            setattr(self, name, make(c_type(result), *map(c_type, arguments.split(",")))(pointer))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"nardy_fast.h has no {name}")


@pytest.fixture(scope="module")
def nardy() -> Table:
    return Table()


def rules_of(nardy: Table, name: str) -> Rules:
    rules = Rules()
    nardy.read_rules(name.encode(), rules)
    return rules


def board_of(pos: nf.Position) -> Board:
    return Board.from_buffer_copy(pos.board.tobytes())


def play_of(steps: list[tuple[int, int]]) -> Play:
    play = Play(steps=len(steps))
    for i, (source, die) in enumerate(steps[:6]):
        play.source[i], play.die[i] = source, die
    return play


def walk(name: str, games: int = 2, seed: int = 1) -> list[tuple[nf.Position, tuple[int, int]]]:
    """Positions of random games and a roll for each, the end of each game included."""
    pick, found = random.Random(f"{name} {seed}"), []
    for _ in range(games):
        pos = nf.Position.start(name)
        while True:
            dice = (pick.randint(1, 6), pick.randint(1, 6))
            high_first = (max(dice), min(dice))
            found.append((pos, high_first))
            if pos.is_over:
                break
            pos = pos.apply(pick.choice(pos.plays(high_first)))
    return found


def mixed(word: int) -> int:
    """The finalizer of SplitMix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31


@pytest.mark.parametrize("name", GAMES)
def test_a_board_looked_at_once_gives_the_plays_of_all_rolls(nardy: Table, name: str) -> None:
    rules, turn, play_set = rules_of(nardy, name), Turn(), PlaySet()
    for pos, _ in walk(name, games=1):
        if pos.is_over:
            continue
        board = board_of(pos)
        nardy.derive_turn(turn, board, rules)
        for (high, low), _ in nf.ROLLS:
            nardy.generate_for(turn, high, low, play_set)
            assert play_set.count == pos.count_plays((high, low))
            assert nardy.generate_to_list(board, rules, high, low, play_set) == play_set.count == pos.count_plays((high, low))


@pytest.mark.parametrize("name", GAMES)
def test_it_measures_boards_as_python_does(nardy: Table, name: str) -> None:
    rules, play_set = rules_of(nardy, name), PlaySet()
    for pos, (high, low) in walk(name, games=1):
        board = board_of(pos)
        rows = [ctypes.addressof(board.row[side]) for side in (0, 1)]
        assert tuple(map(nardy.pips, rows)) == pos.pips
        assert [nardy.rearmost(row) for row in rows] == [int(np.flatnonzero(side)[0]) for side in pos.board]
        assert nardy.in_contact(board, rules) == pos.is_contact
        if not pos.is_over:
            after = (Board * nardy.generate(board, rules, high, low, play_set))()
            nardy.write_boards(play_set, board, rules, after)
            for moved in after:
                before_bytes, after_bytes = bytes(board), bytes(moved)
                differing = [place for place in range(52) if before_bytes[place] != after_bytes[place]]
                assert nardy.changes(ctypes.addressof(board), ctypes.addressof(moved)) == sum(1 << place for place in differing)
        nardy.turn_round(board)
        assert bytes(board) == pos.board[::-1].tobytes()


def test_the_hash_of_a_board_is_the_documented_number(nardy: Table) -> None:
    seen = {}
    for name in GAMES:
        for pos, _ in walk(name):
            words = np.frombuffer(pos.board.tobytes() + bytes(4), "<u8").tolist()
            total = sum(mixed((word + (i + 1) * 0x9E3779B97F4A7C15) % 2**64) for i, word in enumerate(words))
            number = nardy.hash_of(board_of(pos))
            assert number == mixed(total % 2**64)
            assert seen.setdefault(number, pos.board.tobytes()) == pos.board.tobytes()


@pytest.mark.parametrize("name", ["short", "hypergammon", "acey_deucey"])
def test_gnu_backgammon_s_board_there_and_back(nardy: Table, name: str) -> None:
    rules, tan_board, back = rules_of(nardy, name), (ctypes.c_uint * 50)(), Board()
    for pos, _ in walk(name, games=1):
        mover, opponent = pos.board.tolist()
        nardy.to_gnubg(board_of(pos), tan_board)
        assert list(tan_board) == opponent[24::-1] + mover[24::-1]
        nardy.from_gnubg(tan_board, rules, back)
        assert bytes(back) == pos.board.tobytes()
    tan_board[0] = 4_000_000_000
    nardy.from_gnubg(tan_board, rules, back)
    assert nardy.fault(back, rules, Found()) == header_constants()["BAD_COUNT"]


def test_random_numbers_are_the_same_for_the_same_seed_and_can_be_copied(nardy: Table) -> None:
    luck, high, low = Luck(), ctypes.c_int(), ctypes.c_int()
    state = mixed(mixed(8) ^ mixed((3 + 0xD1342543DE82EF95) % 2**64))
    halves: list[int] = []
    for _ in range(5):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        halves += [mixed(state) >> 32, mixed(state) % 2**32]
    nardy.begin_luck(luck, 7, 3)
    assert [nardy.choice(luck, 1000) for _ in range(6)] == [half * 1000 >> 32 for half in halves[:6]]
    moved = Luck.from_buffer_copy(bytes(luck))
    for source in (luck, moved):
        nardy.roll(source, high, low)
        both = halves[6] * 36 >> 32
        assert (high.value, low.value) == (max(both // 6, both % 6) + 1, min(both // 6, both % 6) + 1)
    rules = rules_of(nardy, "short")
    found = [(nardy.first_roll(rules, luck, high, low), high.value, low.value) for _ in range(500)]
    assert {starter for starter, *_ in found} == {0, 1}
    assert all(6 >= larger > smaller >= 1 for _, larger, smaller in found)
    assert nardy.first_roll(rules_of(nardy, "long"), luck, high, low) == 0


def test_the_table_says_its_number_and_its_size(nardy: Table) -> None:
    assert nardy.abi == ABI
    assert nardy.size == 2 * ctypes.sizeof(ctypes.c_int) + len(abi.table()) * ctypes.sizeof(ctypes.c_void_p)


def test_the_header_declares_the_functions_as_the_pxd_does() -> None:
    ours = abi.inline_functions() | abi.functions()
    assert {name: line for name, line in abi.table().items() if name not in NEED_THE_GIL} == {
        name: ours.get(name) for name in abi.table() if name not in NEED_THE_GIL
    }


def test_the_header_names_every_reason_and_fault() -> None:
    numbers = header_constants()
    assert {reason.name: numbers.get(reason.name) for reason in Reason} == {reason.name: reason.value for reason in Reason}
    assert sorted(fault.value for fault in Fault) == [numbers[name] for name in (
        "BAD_COUNT", "BAD_TOTAL", "WAITING", "SHARED", "OFF_TOO_EARLY", "STACK", "STANDING_BLOCK", "BOTH_CLEARED",
    )]  # fmt: skip


@pytest.mark.parametrize("name", USUAL_RULESETS)
def test_a_preset_gives_the_rules_and_the_start(nardy: Table, name: str) -> None:
    rules, board = rules_of(nardy, name), Board()
    nardy.start_board(rules, board)
    assert bytes(board) == nf.Position.start(name).board.tobytes()
    assert rules.checkers == nf.ruleset(name).checkers


def test_rules_come_from_json_and_from_a_ruleset_too(nardy: Table) -> None:
    rules = nf.Ruleset(name="club", head_exception="values", koks="on_head")
    from_json, from_object = Rules(), Rules()
    nardy.read_rules(rules.to_json().encode(), from_json)
    nardy.rules_of(rules, from_object)
    assert bytes(from_json) == bytes(from_object) != bytes(rules_of(nardy, "long"))


def test_an_unknown_preset_is_refused_with_the_list_of_them(nardy: Table) -> None:
    with pytest.raises(ValueError, match="'chess': expected one of long, federation"):
        nardy.read_rules(b"chess", Rules())
    with pytest.raises(ValueError, match="road"):
        nardy.read_rules(b'{"road": "straight"}', Rules())
    with pytest.raises(TypeError, match="expected a Ruleset"):
        nardy.rules_of(7, Rules())


STAGED = ("kaftar", "one_six", "kabutar", "astrogon", "even_odd", "gulbar", "mad_gulbar", "mad_nardy", "mad_fevga", "acey_deucey")


def stages(name: str, games: int = 4) -> Iterator[tuple[nf.Position, tuple[int, int] | None, nf.Position]]:
    """Positions of random games, the throw where one is due, and the position after the play that was chosen."""
    rng = random.Random(name)
    for _ in range(games):
        pos = nf.Position.start(name)
        while not pos.is_over:
            dice = None if pos.pending else (rng.randint(1, 6), rng.randint(1, 6))
            after = rng.choice(pos.plays(dice)).afterstate
            yield pos, dice, after
            pos = after


def moved(nardy: Table, board: Board, rules: Rules, play: Play) -> bytes:
    """The board after the play, the mover still in row 0."""
    after = Board.from_buffer_copy(bytes(board))
    nardy.move(after, rules, play)
    return bytes(after)


@pytest.mark.parametrize("name", STAGED)
def test_stages_are_those_of_python(nardy: Table, name: str) -> None:
    rules, play_set, queue, at, after = rules_of(nardy, name), PlaySet(), Pending(), ctypes.c_int(), Board()
    looked_at = refused = 0
    for pos, dice, _ in stages(name):
        board, listed = board_of(pos), [play.afterstate for play in pos.plays(dice)]
        if any(then.is_over for then in listed):
            continue
        if dice is None:
            queue = Pending.from_buffer_copy(pos.pending.to_row().tobytes())
        else:
            nardy.begin_stages(rules, pos.turn, max(dice), min(dice), queue)
        if not queue.numbers[3] or queue.numbers[4] != pos.turn:
            continue
        count = nardy.generate_stage(board, rules, queue, play_set)
        assert count == len(listed)
        plays, picked = (Play * count)(), (Play * count)()
        for number in range(count):
            nardy.pick(play_set, number, picked[number])
        nardy.list_into(play_set, plays)
        boards, by_number = ({moved(nardy, board, rules, play) for play in found} for found in (plays, picked))
        assert by_number == boards
        assert len(boards) == count
        found = {}
        for play in plays:
            assert play.sends >> play.steps == 0
            assert nardy.check_stage(board, rules, queue, play, at) == 0
            assert at.value == play.steps
            nardy.apply(board, rules, play, after)
            follows = Pending.from_buffer_copy(bytes(queue))
            turn = nardy.next_stage(rules, follows, play, dice is not None)
            if turn == pos.turn:
                nardy.turn_round(after)
            found[bytes(after)] = turn, bytes(follows)
            # With its last step left out it is no whole play, or another that is listed.
            if play.steps:
                play.steps -= 1
                shorter = nardy.check_stage(board, rules, queue, play, at)
                refused += shorter != 0
                assert shorter == 0 or at.value <= play.steps
        rows = [bytes(28) if then.pending is None else then.pending.to_row().tobytes() for then in listed]
        assert found == {then.board.tobytes(): (then.turn, row) for then, row in zip(listed, rows, strict=True)}
        looked_at += 1
    assert looked_at > 100
    assert refused > 100


@pytest.mark.parametrize("name", GAMES)
def test_it_lists_what_python_lists(nardy: Table, name: str) -> None:
    rules, play_set, play, after = rules_of(nardy, name), PlaySet(), Play(), Board()
    for pos, (high, low) in walk(name):
        if pos.is_over:
            continue
        board, expected = board_of(pos), {found.afterstate.board.tobytes() for found in pos.plays((high, low))}
        count = nardy.generate(board, rules, high, low, play_set)
        assert count == play_set.count == nardy.count(board, rules, high, low) == len(expected)

        chosen = set()
        for i in range(count):
            nardy.pick(play_set, i, play)
            nardy.apply(board, rules, play, after)
            chosen.add(bytes(after))
        assert chosen == expected

        boards = (Board * count)()
        nardy.write_boards(play_set, board, rules, boards)
        plays = nardy.expand(play_set)
        for i in range(count):
            moved = board_of(pos)
            nardy.move(moved, rules, plays[i])
            assert bytes(moved) == bytes(boards[i])
            nardy.apply(board, rules, plays[i], board)  # onto itself
            assert bytes(board) == bytes(moved)[26:] + bytes(moved)[:26]
            board = board_of(pos)

        assert nardy.generate_plays(board, rules, high, low, play_set) == count


@pytest.mark.parametrize("name", GAMES)
def test_it_tells_the_end_as_python_does(nardy: Table, name: str) -> None:
    rules = rules_of(nardy, name)
    for pos, _ in walk(name):
        board = board_of(pos)
        assert nardy.is_over(board, rules, pos.turn) == pos.is_over
        assert [nardy.cleared(board, rules, row) for row in (0, 1)] == [pips == 0 for pips in pos.pips]
        if pos.is_over:
            assert 1 <= nardy.points(ctypes.addressof(board.row[0]), rules) <= 3


@pytest.mark.parametrize("name", GAMES)
def test_check_play_accepts_and_refuses_as_python_does(nardy: Table, name: str) -> None:
    rules, at, pick = rules_of(nardy, name), ctypes.c_int(), random.Random(name)
    outcomes = set()
    for pos, (high, low) in walk(name, games=1):
        if pos.is_over:
            continue
        legal = [[(source, die) for source, _, die in play.steps] for play in pos.plays((high, low))]
        wrong = [[(pick.randint(-2, 26), pick.choice((high, low, 7))) for _ in range(pick.randint(0, 5))] for _ in range(20)]
        near = [steps[:-1] for steps in legal[:20]] + [steps[::-1] for steps in legal[:20]]
        for steps in legal + wrong + near:
            reason = nardy.check_play(board_of(pos), rules, high, low, play_of(steps), at)
            outcomes.add(reason)
            if reason == 0:
                nf.Play(pos, (high, low), steps)
                continue
            complaint = f"step {at.value + 1}: {Reason(reason).sentence}"
            if at.value == len(steps):
                assert reason == Reason.WASTES_DIE
                complaint = "steps: the play is not complete"
            with pytest.raises(ValueError, match=None if len(steps) > 4 else re.escape(complaint)):
                nf.Play(pos, (high, low), steps)
    assert {0, Reason.NO_SUCH_DIE, Reason.NO_CHECKER, Reason.WASTES_DIE} <= outcomes


def test_check_play_survives_any_bytes(nardy: Table) -> None:
    at, noise = ctypes.c_int(), random.Random(5)
    board = board_of(nf.Position.start("long"))
    for _ in range(2000):
        assert nardy.check_play(board, rules_of(nardy, "long"), 6, 5, Play.from_buffer_copy(noise.randbytes(14)), at)


@pytest.mark.parametrize("name", ["long", "short", "old_english"])
def test_fault_finds_what_validate_finds(nardy: Table, name: str) -> None:
    noise, rules, found = np.random.default_rng(3), rules_of(nardy, name), Found()
    boards = np.stack([pos.board for pos, _ in walk(name)])
    boards[noise.integers(len(boards), size=90), noise.integers(2, size=90), noise.integers(26, size=90)] += noise.integers(
        -1, 3, size=90, dtype=np.int8
    )
    wrong = dict(batch.validate(boards, name))
    for i, board in enumerate(boards):
        kind = nardy.fault(Board.from_buffer_copy(board.tobytes()), rules, found)
        assert bool(kind) == (i in wrong)
        if kind:
            assert kind == found.kind
            assert f"board[{found.row}" in wrong[i]


# The ABI.


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return abi.measure(tmp_path_factory.mktemp("layout"))


@needs_cython
@pytest.mark.skipif(sys.maxsize < 2**32, reason="the record is that of 64 bits")
def test_what_programs_compile_in_changes_only_with_the_number(measured: dict[str, Any]) -> None:
    recorded = json.loads(abi.RECORD.read_text(encoding="utf-8")).get(str(ABI))
    assert recorded is not None, "record the new ABI: python tests/abi.py"
    changed = abi.differences(recorded, measured)
    assert not changed, "raise ABI in _core.pxd and NARDY_ABI in nardy_fast.h, then python tests/abi.py:\n" + "\n".join(changed)
    assert recorded == measured, "something new is not recorded yet: python tests/abi.py"


def test_one_entrance_offers_every_function_and_what_it_takes_and_tells() -> None:
    assert abi.functions().keys() <= abi.offered()
    assert {"Board", "Rules", "Play", "PlaySet", "Turn", "PartialTurn", "Fault", "Dice", "ABI"} <= abi.offered()
    assert {reason.name for reason in Reason} <= abi.offered()


@needs_cython
def test_every_field_of_every_struct_is_measured(measured: dict[str, Any]) -> None:
    assert measured["structs"]["Board"] == {"size": 52, "row": 0}
    assert measured["structs"]["Play"] == {"size": 14, "steps": 0, "source": 1, "die": 7, "sends": 13}
    assert measured["structs"]["Pending"]["size"] == 28
    assert {"Rules", "Turn", "PlaySet", "Fault", "PartialTurn"} <= measured["structs"].keys()
    assert len(measured["structs"]["Rules"]) == 33


@needs_cython
@pytest.mark.parametrize(
    ("kind", "name", "change"),
    [
        ("structs", "Rules", lambda fields: {**fields, "size": 45}),
        ("structs", "Play", lambda fields: {**fields, "source": 2}),
        ("constants", "OFF", lambda number: 26),
        ("functions", "count", lambda types: types.replace("int, int", "int, int, int")),
    ],
)
def test_a_change_under_the_same_number_is_noticed(
    measured: dict[str, Any], kind: str, name: str, change: Callable[[Any], Any]
) -> None:
    after = copy.deepcopy(measured)
    after[kind][name] = change(after[kind][name])
    assert [line.partition(" was")[0] for line in abi.differences(measured, after)] == [f"{kind}: {name}"]


def test_a_new_function_may_join_the_table_only_at_its_end() -> None:
    before: dict[str, Any] = {"structs": {}, "constants": {}, "functions": {}, "table": ["count", "apply"]}
    assert not abi.differences(before, {**before, "table": ["count", "apply", "move"]})
    assert abi.differences(before, {**before, "table": ["count", "move", "apply"]})


# The header.


def header_constants() -> dict[str, int]:
    """The enumerators of nardy_fast.h, without NARDY_."""
    text = re.sub(r"/\*(.|\n)*?\*/", "", abi.HEADER.read_text(encoding="utf-8"))
    found = {}
    for body in re.findall(r"^enum \{([^}]*)\}", text, re.MULTILINE):
        for value, item in enumerate(body.split(",")):
            name, _, number = item.partition("=")
            found[name.strip().removeprefix("NARDY_")] = int(number) if number else value
    return found


def checks(measured: dict[str, Any], assertion: str) -> str:
    """A C file that compiles if the header's structs are the Cython ones."""
    structs, lines = measured["structs"], ["#include <stddef.h>", '#include "nardy_fast.h"']
    for name in ("Board", "Rules", "Play", "Stage", "Pending", "Fault"):
        lines.append(f'{assertion}(sizeof(nardy_{name.lower()}) == {structs[name]["size"]}, "size of {name}");')
        for field, offset in structs[name].items():
            if field != "size":
                lines.append(f'{assertion}(offsetof(nardy_{name.lower()}, {field}) == {offset}, "{name}.{field}");')
    lines.append(f'{assertion}(sizeof(nardy_play_set) >= {structs["PlaySet"]["size"]}, "room for a PlaySet");')
    lines.append(f'{assertion}(offsetof(nardy_play_set, count) == {structs["PlaySet"]["count"]}, "PlaySet.count");')
    lines += [f'{assertion}(NARDY_{name} == {measured["constants"][name]}, "{name}");' for name in ("ABI", *header_constants())]
    return "\n".join(lines) + "\n"


@needs_cython
@pytest.mark.parametrize(
    ("compiler", "file", "assertion", "flags"),
    [
        pytest.param(CC, "checks.c", "_Static_assert", "-std=c11", id="C"),
        pytest.param(
            CXX, "checks.cpp", "static_assert", "-std=c++11", id="C++", marks=pytest.mark.skipif(CXX is None, reason="no C++")
        ),
    ],
)
def test_the_structs_of_the_header_are_those_of_the_pxd(
    measured: dict[str, Any], tmp_path: Path, compiler: str, file: str, assertion: str, flags: str
) -> None:
    text = checks(measured, assertion)
    assert text.count(assertion) > 80
    (tmp_path / file).write_text(text, encoding="utf-8")
    abi.run(
        compiler, flags, "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{nf.get_include()}", file, cwd=tmp_path
    )
    (tmp_path / file).write_text(text.replace("== 52", "== 53"), encoding="utf-8")
    with pytest.raises(AssertionError, match="size of Board"):
        abi.run(compiler, flags, "-fsyntax-only", f"-I{nf.get_include()}", file, cwd=tmp_path)


@needs_cc
@needs_python_h
@pytest.mark.parametrize("name", ["import.c", pytest.param("import.cpp", marks=pytest.mark.skipif(CXX is None, reason="no C++"))])
def test_the_header_compiles_without_a_warning(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(
        '#include <Python.h>\n#include "nardy_fast.h"\nconst nardy_api *get(void);\n'
        "const nardy_api *get(void) { return nardy_import(); }\n",
        encoding="utf-8",
    )
    compiler = CXX if name.endswith("cpp") else CC
    flags = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{nf.get_include()}", "-isystem", sysconfig.get_path("include")]
    abi.run(str(compiler), *flags, name, cwd=tmp_path)


@needs_python_h
@pytest.mark.skipif(not (ROOT / "src").exists() or not EXAMPLES.exists(), reason="tests away from the sources")
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_all_that_is_written_in_c_compiles_without_a_warning(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    before = "".join(f"#include <{name}.h>\n" for name in ("math", "stdint", "stdlib", "string"))
    for header in ("_inputs.h", "_layers.h"):
        (tmp_path / f"{header}.c").write_text(f'{before}#include "{header}"\nint paths_here;\n', encoding="utf-8")
    includes = [f"-I{folder}" for folder in (nf.get_include(), ROOT / "src" / "core", ROOT / "src" / "players")]
    includes += [f"-I{abi.PACKAGE / 'players' / 'include'}", "-isystem", sysconfig.get_path("include"), '-DPYTHON="python"']
    for file in (*tmp_path.glob("*.c"), *EXAMPLES.glob("*/*.c"), *Path(__file__).parent.glob("*.c")):
        flags = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only"]
        abi.run(compiler, *flags, *includes, str(file), cwd=tmp_path)


# The examples.


@pytest.fixture(scope="module")
def cython_consumer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples") / "cython_consumer"
    shutil.copytree(EXAMPLES / "cython_consumer", folder)
    abi.run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=folder)
    return folder


@needs_cython
@needs_examples
@pytest.mark.parametrize("name", ["long", "federation", "giveaway", "short"])
def test_the_cython_consumer_plays_games_like_those_of_simulate(cython_consumer: Path, name: str) -> None:
    program = f"import json, numpy, random_games; print(json.dumps(random_games.play(numpy.random.SFC64(1), 8000, {name!r})))"
    tally = json.loads(abi.run(sys.executable, "-c", program, cwd=cython_consumer))
    games = nf.simulate(8000, name, seed=2, threads=1)
    assert sum(tally["won"]) + tally["draws"] == 8000
    # Other random games: what they add up to may differ by four standard deviations.
    for mine, theirs in (
        (tally["turns"], games.turns),
        *((tally["won"][side], games.winner == side) for side in (0, 1)),
        *((tally["points"][side], games.points * (games.winner == side)) for side in (0, 1)),
    ):
        assert mine == pytest.approx(theirs.sum(), rel=0, abs=4 * theirs.std() * (2 * 8000) ** 0.5)


@needs_cython
@needs_examples
@pytest.mark.parametrize("name", ["long", "short"])
def test_the_cython_consumer_lists_as_many_boards_as_the_batch(cython_consumer: Path, name: str) -> None:
    program = f"""
import listing, numpy as np
from nardy_fast import Position, batch
rng = np.random.default_rng(1)
boards = np.repeat(Position.start({name!r}).board[None], 500, axis=0)
for _ in range(60):
    boards = batch.random_step(boards, rng, {name!r}, restart=True).boards
dice = rng.integers(1, 7, (500, 2), dtype=np.int8)
print(listing.look_at_all(boards, dice, {name!r}), batch.count_plays(boards, dice, {name!r}).sum())
"""
    listed, counted = map(int, abi.run(sys.executable, "-c", program, cwd=cython_consumer).split())
    assert listed == counted > 500


@needs_cython
@needs_examples
@pytest.mark.slow
@pytest.mark.parametrize("name", ["long", "short"])
def test_the_cython_consumer_is_as_fast_as_simulate(cython_consumer: Path, name: str) -> None:
    ratios = []
    while len(ratios) < 3 and max(ratios, default=0.0) < 0.9:
        ratios.append(float(abi.run(sys.executable, "compare.py", name, cwd=cython_consumer).split()[-1]))
    assert max(ratios) >= 0.9, ratios


@needs_cython
@pytest.mark.skipif(CXX is None, reason="no C++ compiler")
def test_a_cython_program_may_be_compiled_as_cpp(tmp_path: Path) -> None:
    lines = [
        "# distutils: language = c++",
        "from nardy_fast.core cimport Board, Dice, PlaySet, Rules, Turn, check_abi, compiled, derive_turn, generate, start_board",
        "check_abi()",
        "def plays(name, int high, int low):",
        "    cdef Rules rules = compiled(name).rules",
        "    cdef Board board",
        "    cdef PlaySet play_set",
        "    cdef Turn turn",
        "    start_board(&rules, &board)",
        "    derive_turn(&turn, &board, &rules)",
        "    return generate(&board, &rules, high, low, &play_set)",
    ]
    (tmp_path / "plus.pyx").write_text("\n".join(lines) + "\n", encoding="utf-8")
    abi.build(tmp_path, "plus")
    shown = abi.run(sys.executable, "-c", "import plus; print(plus.plays('short', 3, 1), plus.plays('long', 6, 6))", cwd=tmp_path)
    assert shown.split() == ["16", "1"]


@needs_cython
@needs_examples
def test_a_cython_program_of_another_abi_is_refused(cython_consumer: Path, tmp_path: Path) -> None:
    """Compiled where ABI was 999, run where it is not."""
    shutil.copytree(abi.PACKAGE, tmp_path / "nardy_fast", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    pxd = tmp_path / "nardy_fast" / "core" / "_core.pxd"
    pxd.write_text(re.sub(r"ABI = \d+", "ABI = 999", pxd.read_text(encoding="utf-8")), encoding="utf-8")
    (tmp_path / "old.pyx").write_text("from nardy_fast.core cimport check_abi\ncheck_abi()\n", encoding="utf-8")
    abi.build(tmp_path, "old")
    shutil.rmtree(tmp_path / "nardy_fast")
    with pytest.raises(AssertionError, match=f"ImportError: compiled for ABI 999 of nardy_fast, but this one has {ABI}"):
        abi.run(sys.executable, "-c", "import old", cwd=tmp_path)


def make_perft(folder: Path, **variables: str) -> Path:
    """Build the C example in that folder, which is made."""
    shutil.copytree(EXAMPLES / "c_consumer", folder)
    abi.run("make", f"PYTHON={sys.executable}", *(f"{name}={value}" for name, value in variables.items()), cwd=folder)
    return folder


needs_make = pytest.mark.skipif(
    shutil.which("make") is None
    or not any(
        Path(sysconfig.get_config_var(folder) or "", sysconfig.get_config_var(library) or "none").exists()
        for folder in ("LIBDIR", "LIBPL")
        for library in ("LDLIBRARY", "LIBRARY")
    ),
    reason="no make, or a Python that cannot be embedded",
)


@pytest.fixture(scope="module")
def c_consumer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_perft(tmp_path_factory.mktemp("examples") / "c_consumer", CFLAGS="-O2 -Wall -Wextra -Werror")


@needs_cc
@needs_examples
@needs_python_h
@needs_make
@pytest.mark.parametrize(("name", "depth", "leaves"), [("long", 3, 35387), ("short", 2, None), ("fevga", 2, None)])
def test_the_c_consumer_counts_perft(c_consumer: Path, name: str, depth: int, leaves: int | None) -> None:
    expected = leaves or nf.perft(nf.Position.start(name), depth)
    assert abi.run("./perft", name, str(depth), cwd=c_consumer) == f"{expected}\n"


@needs_cc
@needs_examples
@needs_python_h
@needs_make
def test_the_c_consumer_hears_python_s_errors(c_consumer: Path) -> None:
    with pytest.raises(AssertionError, match="ValueError: rules = 'chess': expected one of long"):
        abi.run("./perft", "chess", cwd=c_consumer)


@needs_cc
@needs_examples
@needs_python_h
@needs_make
@pytest.mark.parametrize("depth", ["x", "3x", "", "-1", "9", "4294967298"])
def test_the_c_consumer_refuses_what_is_no_depth(c_consumer: Path, depth: str) -> None:
    done = subprocess.run(["./perft", "long", depth], cwd=c_consumer, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"perft: DEPTH {depth}: expected 0..8\n")


@needs_cc
@needs_examples
@needs_python_h
@needs_make
def test_a_c_program_of_another_abi_is_refused(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    text = abi.HEADER.read_text(encoding="utf-8")
    (tmp_path / "include" / "nardy_fast.h").write_text(re.sub(r"NARDY_ABI \d+", "NARDY_ABI 999", text), encoding="utf-8")
    folder = make_perft(tmp_path / "c_consumer", INCLUDE=str(tmp_path / "include"))
    with pytest.raises(AssertionError, match=f"ImportError: compiled for ABI 999 of nardy_fast .* has {ABI} "):
        abi.run("./perft", cwd=folder)


# The debug build.

BREAK_A_PROMISE = """
import sys
import numpy as np
sys.path[:0] = {folders!r}
import nardy_fast as nf
import test_c_api as c
from nardy_fast import batch

nardy = c.Table()
rules, board = c.rules_of(nardy, "long"), c.board_of(nf.Position.start("long"))
bad = c.Board.from_buffer_copy(bytes(board))
bad.row[0][7] = 1
play_set, play = c.PlaySet(), c.Play()
print(nardy.count(board, rules, 6, 5), nf.perft(nf.Position.start("short"), 1), flush=True)
{promise}
print("survived")
"""


@pytest.fixture(scope="module")
def debug_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree in which the core is compiled again, with assertions."""
    folder = tmp_path_factory.mktemp("debug")
    shutil.copytree(abi.PACKAGE, folder / "nardy_fast", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "src" / "core").mkdir(parents=True)
    shutil.copy(ROOT / "src" / "core" / "_core.pyx", folder / "src" / "core")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    abi.run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=folder, NARDY_FAST_DEBUG="1", PYTHONPATH=str(folder))
    return folder


@needs_cython
@pytest.mark.skipif(not (ROOT / "src").exists() or os.name != "posix", reason="tests away from the sources")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("promise", "complaint"),
    [
        ("nardy.count(bad, rules, 6, 5)", "generate: a bad board: Fault 2, row 0, slot 0, value 16"),
        ("nardy.generate(board, rules, 3, 6, play_set)", "generate: dice 3-6: expected 1..6, the larger first"),
        ("nardy.generate(board, rules, 7, 6, play_set)", "generate: dice 7-6"),
        ("nardy.generate_plays(board, rules, 6, 5, play_set); nardy.pick(play_set, play_set.count, play)", "pick: play 1 of 1"),
        ("nardy.apply(board, rules, c.play_of([(2, 5)]), bad)", "apply: step 0 of the play is no step here"),
        ("nardy.move(board, rules, c.play_of([(1, 6), (1, 6), (7, 6)]))", "move: step 2 of the play is no step here"),
        ("batch.count_plays(np.zeros((1, 2, 26), np.int8), (6, 5), check=False)", "generate: a bad board: Fault 2"),
        ("", None),
    ],
)
def test_a_debug_build_stops_where_a_caller_breaks_a_promise(debug_build: Path, promise: str, complaint: str | None) -> None:
    program = BREAK_A_PROMISE.format(folders=[str(Path(__file__).parent), str(Path(__file__).parents[1])], promise=promise)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=debug_build,
        env=abi.environment() | {"PYTHONPATH": os.pathsep.join([str(debug_build), abi.environment()["PYTHONPATH"]])},
        capture_output=True,
        text=True,
        check=False,
    )
    if complaint is None:
        assert done.stdout.split() == ["1", str(nf.perft(nf.Position.start("short"), 1)), "survived"], done.stderr
        return
    assert done.returncode == -signal.SIGABRT, done.stderr
    assert f"nardy_fast: {complaint}" in done.stderr
    assert "survived" not in done.stdout


@pytest.mark.parametrize(
    "text", [b"", b"{", b'{"name": 1}', b'{"name": null}', b'{"setup": 5}', b"\xff", b'{"a": ' + b"[" * 100_000]
)
def test_a_text_that_is_no_ruleset_is_a_value_error(nardy: Table, text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        nardy.read_rules(text, Rules())
