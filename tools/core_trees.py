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
