"""The instructions that the core uses: chosen once, when it is imported, by the processor or by the environment."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from nardy_fast import core
from nardy_fast.core import INSTRUCTIONS, VARIABLE, _core
from nardy_fast.core._processor import has_v3

#: Random games, and the boards and plays of random positions, as one number; then where the core came from.
PROGRAM = """
import hashlib, numpy as np, nardy_fast as nf
from nardy_fast.core import INSTRUCTIONS, _core
whole = hashlib.sha256()
for rules in nf.RULESETS:
    games = nf.simulate(200, rules, seed=3)
    for array in (games.winner, games.points, games.turns):
        whole.update(array.tobytes())
for rules in ("long", "short", "fevga"):
    rng = np.random.default_rng(5)
    boards = np.repeat(nf.Position.start(rules).board[None], 300, axis=0)
    for _ in range(40):
        boards = nf.batch.random_step(boards, rng, rules, restart=True).boards
        found = nf.batch.afterstates(boards, rng.integers(1, 7, (300, 2), dtype=np.int8), rules, plays=True)
        whole.update(found.boards.tobytes() + found.plays.tobytes())
print(INSTRUCTIONS, "v3" in _core.__file__.replace("\\\\", "/").split("/"), whole.hexdigest())
"""


def run(program: str, instructions: str | None) -> subprocess.CompletedProcess[str]:
    """A new process with the variable set so, or not set."""
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if instructions is not None:
        environment[VARIABLE] = instructions
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not has_v3(), reason="this processor has one kind only")
def test_both_kinds_play_the_same_games_and_list_the_same_boards_and_plays() -> None:
    by_plain, by_v3, by_itself = (run(PROGRAM, instructions) for instructions in ("plain", "v3", None))
    assert by_plain.stderr == by_v3.stderr == by_itself.stderr == ""
    assert by_plain.stdout.split()[:2] == ["plain", "False"]
    assert by_v3.stdout.split()[:2] == ["v3", "True"]
    assert by_plain.stdout.split()[2] == by_v3.stdout.split()[2]
    assert by_itself.stdout == by_v3.stdout


def test_other_instructions_are_refused() -> None:
    done = run("import nardy_fast.core", "avx9")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ValueError: NARDY_FAST_INSTRUCTIONS='avx9': expected plain or v3"


def test_instructions_that_the_processor_lacks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "has_v3", lambda: False)
    monkeypatch.setenv(VARIABLE, "v3")
    with pytest.raises(ValueError, match="='v3': expected plain, for this processor or this build has no other"):
        core._instructions()
    monkeypatch.delenv(VARIABLE)
    assert core._instructions() == "plain"


def test_the_process_runs_what_the_environment_asks_for() -> None:
    assert os.environ.get(VARIABLE, INSTRUCTIONS) == INSTRUCTIONS
    assert ("v3" in _core.__file__.replace("\\", "/").split("/")) == (INSTRUCTIONS == "v3")
