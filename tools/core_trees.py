"""Copies of this tree in which some rooms are compiled another way, for the other tools here; the rest is taken as built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"


def copy_tree(folder: Path, *rooms: str) -> None:
    """The package with its compiled modules, and the sources of those of these rooms, which are to be compiled again."""
    unused = shutil.ignore_patterns("__pycache__", "v3")
    shutil.copytree(ROOT / "nardy_fast", folder / "nardy_fast", ignore=unused, dirs_exist_ok=True)
    for room in rooms:
        shutil.copytree(ROOT / "src" / room, folder / "src" / room, dirs_exist_ok=True)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, folder)


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """For processes that are to find the package of that folder; its core has the instructions of every processor."""
    return {**os.environ, "PYTHONPATH": str(folder), "NARDY_FAST_INSTRUCTIONS": "plain", **variables}


def compile_tree(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """By setup.py, with these variables; what has not changed since the last time is kept."""
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=folder, env=environment(folder, **variables), capture_output=True, text=True, check=False)


def run_tests(folder: Path, *options: str, before: tuple[str, ...] = (), **variables: str) -> subprocess.CompletedProcess[str]:
    """pytest with the package of that folder, which is the working directory too: Python looks there first."""
    called = {**environment(folder), **variables}
    where = [sys.executable, "-c", "import nardy_fast.core; print(nardy_fast.core.__file__)"]
    found = subprocess.run(where, cwd=folder, env=called, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(found).is_relative_to(folder):
        raise RuntimeError(f"the tests would find {found}, not the package in {folder}")
    command = [*before, sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, env=called, stdout=subprocess.PIPE, text=True, check=False)
