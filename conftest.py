"""Every code block of README and docs is a test: Python is run, a page at a time in one namespace, and commands, both in a folder
of the page's own; Cython and C are compiled.

What takes minutes or other machines is run smaller: `SMALLER` says how. Blocks for packages that are not here are skipped.
A page is for one process, since each block goes on where the one before stopped: pytest -n auto --dist loadfile docs README.md
"""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.myst import CodeBlockParser

ROOT = Path(__file__).parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

#: What is written, and what is run instead.
SMALLER = (
    (r"--games (\d{5})\d+", r"--games 200"),
    (r"minutes=[\d.]+", "minutes=0.02"),
    (r"--minutes [\d.]+", "--minutes 0.02"),
    (r"simulate\((100_000_000|1_000_000|100_000)\b", "simulate(10_000"),
    (r"trials=\d+", "trials=36"),
    (r'Position\.start\("long"\), 6, executor', 'Position.start("long"), 3, executor'),
    (r'solve\("hypergammon"\)', 'solve(replace(nf.ruleset("hypergammon"), name="two checkers", setup=((1, 1), (2, 1))))'),
    (r"setup=\(\(1, 3\),\)", "setup=((1, 2),)"),
    (r"nardy-fast bench", "nardy-fast bench --tasks count --seconds 0.001"),
    (r"(tools/(mutate|fuzz|sanitize)\.py) [^#]*", r"\1 --help"),
    (r"recipes/mcts\.py hypergammon 200 30", "recipes/mcts.py hypergammon 2 3"),
    (r"(recipes/\w+\.py hypergammon) \d{3,}", r"\1 20"),
    # A cluster in this process, in place of other machines.
    (r'Client\("tcp://first:8786"\)', 'Client(__import__("distributed").LocalCluster(n_workers=1, processes=False))'),
)
#: Packages that need more of a machine than an extra can install, or that the extra for tests has not.
OTHERS = ("mpi4py", "ray", "onnxruntime", "torch", "gymnasium", "pettingzoo", "pyspiel")
#: Seconds that a block may take.
LIMIT = 300


def smaller(text: str) -> str:
    for pattern, replacement in SMALLER:
        text = re.sub(pattern, replacement, text)
    return text


def run(arguments: list[str], folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=LIMIT, check=False
    )
    assert done.returncode == 0, f"{shlex.join(arguments)}: {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}"


def skip_without_packages(text: str) -> None:
    for package in OTHERS:
        if re.search(rf"^(import|from) {package}\b", text, re.MULTILINE):
            pytest.importorskip(package)


def run_python(example: Example) -> None:
    text = smaller(example.parsed)
    skip_without_packages(text)
    if 'if __name__ == "__main__":' in text:  # a script that its own processes import
        script = example.namespace["folder"] / "script.py"
        script.write_text(text, encoding="utf-8")
        run([sys.executable, script.name], script.parent)
    else:
        lines = "\n" * (example.line + example.parsed.line_offset)
        with contextlib.chdir(example.namespace["folder"]):
            exec(compile(lines + text, example.path, "exec"), example.namespace)


def run_commands(example: Example) -> None:
    for line in example.parsed.splitlines():
        if line.startswith("$ "):
            program, *arguments = shlex.split(smaller(line[2:]), comments=True)
            run_command(program, arguments, example.namespace["folder"])


def run_command(program: str, arguments: list[str], folder: Path) -> None:
    """Run it, or, for what would install or build the package again, hold that it could."""
    if program == "nardy-fast":
        run([sys.executable, "-m", "nardy_fast", *arguments], folder)
    elif program == "pip":
        for extra in re.findall(r"nardy_fast\[(.*?)\]", " ".join(arguments)):
            assert set(extra.split(",")) <= EXTRAS.keys(), f"there is no extra {extra}"
    elif program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        targets = [argument for argument in arguments if "=" not in argument]
        assert all(re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE) for target in targets), targets
    elif program == "python" and (ROOT / arguments[0]).exists():
        skip_without_packages((ROOT / arguments[0]).read_text(encoding="utf-8"))
        run([sys.executable, str(ROOT / arguments[0]), *arguments[1:]], folder)
    else:
        raise AssertionError(f"{program}: no way to try this command is known")


def compile_cython(example: Example) -> None:
    folder = example.namespace["folder"]
    (folder / "block.pyx").write_text(example.parsed, encoding="utf-8")
    run([sys.executable, "-m", "Cython.Build.Cythonize", "--inplace", "block.pyx"], folder)


def compile_c(example: Example) -> None:
    import nardy_fast

    folder = example.namespace["folder"]
    (folder / "block.c").write_text(example.parsed, encoding="utf-8")
    includes = [sysconfig.get_path("include"), nardy_fast.get_include(), nardy_fast.players.get_include()]
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    run([*compiler, "-Wall", "-Werror", "-c", "block.c", *(f"-I{include}" for include in includes)], folder)


def set_up(namespace: dict) -> None:
    """Where a page's commands run."""
    namespace["folder"] = Path(tempfile.mkdtemp(prefix="page"))


def tear_down(namespace: dict) -> None:
    shutil.rmtree(namespace["folder"])


def told(run_block: Callable[[Example], None]) -> Callable[[Example], str | None]:
    """What failed, as the text that Sybil shows."""

    def evaluate(example: Example) -> str | None:
        try:
            run_block(example)
        except Exception:
            return traceback.format_exc()
        return None

    return evaluate


#: What each language of a block is done with.
LANGUAGES = {"python": run_python, "console": run_commands, "cython": compile_cython, "c": compile_c}

pytest_collect_file = Sybil(
    parsers=[CodeBlockParser(language, told(run_block)) for language, run_block in LANGUAGES.items()],
    patterns=["README*.md", "docs/*.md", "docs/**/*.md"],
    setup=set_up,
    teardown=tear_down,
).pytest()
