"""A package of somebody else's that cimports the look-ups is built and run."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bearoff_tables import SHORT, board_of, one_sided, two_sided

import nardy_fast

pytest.importorskip("Cython")

SOURCE = """
# cython: language_level=3
from libc.stdint cimport int8_t, int32_t
from nardy_fast.core cimport (
    ALL, MAX_TURNS, NOWHERE, Chances, CompiledRules, Equities, OneSidedNative, TwoSidedNative,
    compiled, distribution, look_up, look_up_cube, mean, number_of, race,
)

def ask(OneSidedNative one, TwoSidedNative two, rules, const int8_t[:, ::1] board, int turn):
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef double chances[MAX_TURNS + 1]
    cdef double expected
    cdef Chances exact, nearly
    cdef Equities equities
    cdef int32_t mover, opponent
    with nogil:
        mover = number_of(&one.table.numbering, &board[0, 0])
        opponent = number_of(&one.table.numbering, &board[1, 0])
        if mover == NOWHERE or opponent == NOWHERE:
            with gil:
                return None
        expected = mean(&one.table, mover, ALL)
        distribution(&one.table, mover, ALL, chances)
        race(&one.table, &compiled_rules.rules, turn, mover, opponent, &nearly)
        look_up(&two.table, turn, mover, opponent, &exact)
        look_up_cube(&two.table, mover, opponent, &equities)
    return expected, [chances[i] for i in range(one.table.turns + 1)], nearly.win, exact.win, equities.centred
"""

SETUP = """
from setuptools import Extension, setup
from Cython.Build import cythonize
setup(name="consumer", ext_modules=cythonize([Extension("consumer", ["consumer.pyx"])], quiet=True))
"""


@pytest.fixture(scope="module")
def consumer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("consumer")
    (folder / "consumer.pyx").write_text(SOURCE)
    (folder / "setup.py").write_text(SETUP)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    environment = {**os.environ, "PYTHONPATH": str(Path(nardy_fast.__file__).parents[1])}
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    if "command not found" in built.stderr or "No such file or directory" in built.stderr:
        pytest.skip("no C compiler")
    assert built.returncode == 0, built.stderr
    path = next(path for pattern in ("consumer*.so", "consumer*.pyd") for path in Path(folder).glob(pattern))
    spec = importlib.util.spec_from_file_location("consumer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_c_api_answers_as_the_python_one(consumer: Any) -> None:
    one, two = one_sided(), two_sided(SHORT)
    board = board_of(SHORT, (1, 0, 2, 0, 0, 1), (0, 3, 0, 0, 1))
    expected, chances, nearly, exact, centred = consumer.ask(one.native, two.native, SHORT, board, 0)
    spread = one.number((1, 0, 2, 0, 0, 1))
    assert expected == one.mean(spread)
    assert chances == one.distribution(spread).tolist()
    boards = board[np.newaxis]
    assert nearly == one.races(boards)[0, 0]
    assert exact == two.races(boards)[0, 0]
    assert centred == two.cubes(boards)[0, 1]
    board[1, 12] = 1
    assert consumer.ask(one.native, two.native, SHORT, board, 0) is None
