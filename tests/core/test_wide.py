"""The C that stands in _bits.pxd and _wide.pxd: the vectors of x86-64 do what the plain loops for other machines do."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import nardy_fast

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
CXX = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")

PROGRAM = r"""
#include <stdio.h>

static uint32_t seed = 1;
static uint32_t below(uint32_t n) { seed = seed * 1664525u + 1013904223u; return (uint32_t)((uint64_t)seed * n >> 32); }

/* One board a line, and what every function makes of it. */
static void show(const nardy_wide *w) {
  int8_t byte[54];
  memset(byte, 77, sizeof byte);
  nardy_store(w, byte + 1);
  for (int i = 0; i < 54; i++) printf("%d ", byte[i]);
}

int main(void) {
  for (int n = 0; n < 20000; n++) {
    int8_t board[52];
    for (int i = 0; i < 52; i++) board[i] = (int8_t)(below(3) ? 0 : below(16));
    int from = (int)below(25), die = 1 + (int)below(6), hit = 1 + (int)below(24), least = 1 + (int)below(15);
    board[from] += !board[from];
    board[26 + hit] += !board[26 + hit];
    nardy_wide w = nardy_load(board);
    show(&w);
    printf("| %llx ", (unsigned long long)nardy_held(&w, least));
    nardy_wide s = nardy_swapped(&w);
    show(&s);
    nardy_shift(&w, from, die);
    show(&w);
    nardy_hit(&w, hit);
    show(&w);
    nardy_shift(&w, 25, die);
    show(&w);
    uint32_t set = 1 + below(0x3FFFFFF), other = below(0x3FFFFFF);
    printf("| %d %d %d %d ", nardy_lowest(set), nardy_highest(set), nardy_size(set), nardy_sizes(set, other));
    printf("%x %x\n", nardy_at_least(board, least), nardy_at_least(board + 26, least));
  }
  return 0;
}
"""


def verbatim(module: str) -> str:
    """The C in a .pxd."""
    text = (Path(nardy_fast.__file__).parent / "core" / f"{module}.pxd").read_text(encoding="utf-8")
    found = re.search(r'cdef extern from \*:\n    """\n(.*?)\n    """', text, re.DOTALL)
    assert found is not None
    return re.sub(r"\\\\$", r"\\", found[1], flags=re.MULTILINE)


def output(folder: Path, compiler: str, *flags: str) -> list[str]:
    """What the program says when compiled so."""
    source = folder / ("wide.cpp" if compiler == CXX else "wide.c")
    source.write_text(verbatim("_bits") + "\n" + verbatim("_wide") + PROGRAM, encoding="utf-8")
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", *flags, str(source), "-o", str(folder / "wide")], check=True)
    return subprocess.run([folder / "wide"], check=True, capture_output=True, text=True).stdout.splitlines()


def expected(line: str) -> list[str]:
    """The line as plain Python makes it of its first board."""
    board = [int(word) for word in line.split()[1:53]]
    return [str(cell) for cell in [77, *board[26:], *board[:26], 77]]


def test_a_board_is_loaded_stored_and_swapped(tmp_path: Path) -> None:
    lines = output(tmp_path, str(CC), "-O2")
    assert len(lines) == 20_000
    for line in lines:
        words = line.split()
        assert words[0] == words[53] == "77"  # nothing beside it was written
        assert words[56 : 56 + 54] == expected(line)


def test_the_plain_loops_do_the_same(tmp_path: Path) -> None:
    vectors, loops = output(tmp_path, str(CC), "-O2"), output(tmp_path, str(CC), "-O2", "-U__SSE2__")
    assert vectors == loops
    assert len(set(vectors)) == 20_000


@pytest.mark.skipif(CXX is None, reason="no C++ compiler")
def test_cpp_reads_it_too(tmp_path: Path) -> None:
    assert output(tmp_path, str(CXX), "-O2") == output(tmp_path, str(CC), "-O2")
