"""The rooms of the package: an import stays in its room or goes to a lower one, and nothing is imported in a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = "nardy_fast"
#: What stands in the root, and every room may import.
VOCABULARY = ("arguments", "positions", "reasons", "results", "rules", "version", "workers")
#: Lowest first. What hands the names on, the package itself and its `__main__`, stands above them all.
ROOMS = (
    *("vocabulary", "text", "core", "bulk", "bearoff", "games", "reference", "ids", "formats"),
    *("players", "analysis", "envs", "benchmark", "commands", "top"),
)
#: What a function may import: packages that need not be installed.
EXTRAS = {"rich", "gammonview", "gymnasium", "pettingzoo", "pyspiel"}

if not (ROOT / "src").is_dir():
    pytest.skip("there is no source tree", allow_module_level=True)

#: As in `from nardy_fast.core._core cimport Board, apply`, with the names up to the end of the line or of the bracket.
_CYTHON_FROM = re.compile(r"^[ ]*from ([\w.]+) c?import (\([^)]*\)|[^\n#]*)", re.MULTILINE)
_CYTHON_PLAIN = re.compile(r"^[ ]*c?import ([\w.]+)", re.MULTILINE)


@cache
def sources() -> dict[str, tuple[Path, ...]]:
    """The files of each module: one, or for a compiled module its .pyx, .pxd and .pyi."""
    found: dict[str, list[Path]] = {}
    for path in sorted([*(ROOT / PACKAGE).rglob("*.py"), *(ROOT / PACKAGE).rglob("*.pxd"), *(ROOT / PACKAGE).rglob("*.pyi")]):
        names = path.relative_to(ROOT).with_suffix("").parts
        found.setdefault(".".join(names[:-1] if names[-1] == "__init__" else names), []).append(path)
    for path in sorted((ROOT / "src").glob("*/*.pyx")):
        found.setdefault(f"{PACKAGE}.{path.parent.name}.{path.stem}", []).append(path)
    return {name: tuple(paths) for name, paths in found.items()}


def imports(path: Path) -> set[str]:
    """The modules of the package that a file imports, wherever in it, for types only too."""
    text = path.read_text(encoding="utf-8")
    named: list[tuple[str, list[str]]]
    if path.suffix in (".pyx", ".pxd"):
        text = re.sub(r'"""[\s\S]*?"""', "", text)
        named = [(module, re.findall(r"\w+", names)) for module, names in _CYTHON_FROM.findall(text)]
        named += [(module, []) for module in _CYTHON_PLAIN.findall(text)]
    else:
        named = []
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: a relative import"
                named.append((node.module or "", [alias.name for alias in node.names]))
            elif isinstance(node, ast.Import):
                named += [(alias.name, []) for alias in node.names]
    return {imported for module, names in named if module.split(".")[0] == PACKAGE for imported in modules(module, names)}


def modules(module: str, names: list[str]) -> Iterator[str]:
    """What an import of these names out of a module imports: each that is a module itself, and the module for the others."""
    inner = [f"{module}.{name}" for name in names]
    yield from (name for name in inner if name in sources())
    if not names or any(name not in sources() for name in inner):
        yield module


@cache
def graph() -> dict[str, set[str]]:
    """For each module, the others of the package that it imports."""
    return {name: {each for path in paths for each in imports(path)} - {name} for name, paths in sources().items()}


def room(module: str) -> str:
    parts = module.split(".")
    if module == PACKAGE or parts[1] == "__main__":
        return "top"
    return "vocabulary" if parts[1] in VOCABULARY else parts[1]


def test_every_module_is_in_a_room() -> None:
    assert {module: room(module) for module in sources() if room(module) not in ROOMS} == {}
    assert len(sources()) > 80


def test_no_import_goes_up() -> None:
    upward = [
        f"{module} imports {other}"
        for module, others in graph().items()
        for other in others
        if ROOMS.index(room(other)) > ROOMS.index(room(module))
    ]
    assert sorted(upward) == []


def test_nothing_is_imported_in_a_circle() -> None:
    # A package hands on what its modules have; they do not import it.
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_functions_import_nothing_but_optional_packages() -> None:
    hidden = []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)]
        for node in (inner for function in functions for inner in ast.walk(function)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            hidden += [f"{path.relative_to(ROOT)}:{node.lineno} {name}" for name in names if name.split(".")[0] not in EXTRAS]
    assert hidden == []


def test_cython_imports_stand_at_the_top() -> None:
    indented = re.compile(r"^ +(?:from [\w.]+ c?import|c?import) ", re.MULTILINE)
    docstrings = re.compile(r'"""[\s\S]*?"""')
    files = [*(ROOT / "src").glob("*.pyx"), *(ROOT / PACKAGE).rglob("*.pxd")]
    assert [path.name for path in files if indented.search(docstrings.sub("", path.read_text(encoding="utf-8")))] == []


def test_the_root_has_a_dozen_modules_at_the_most() -> None:
    assert len(list((ROOT / PACKAGE).glob("*.py"))) <= 12


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (".py", "from nardy_fast.games import match, turn\n", {"nardy_fast.games.match", "nardy_fast.games.turn"}),
        (".py", "from nardy_fast import Position\n", {"nardy_fast"}),
        (".py", "def f():\n    from nardy_fast.rules import OFF\n", {"nardy_fast.rules"}),
        (".pyx", "from nardy_fast.core._core cimport (\n    Board, apply,\n)\n", {"nardy_fast.core._core"}),
        (".pyx", "from nardy_fast.core cimport _core\nimport numpy\n", {"nardy_fast.core._core"}),
        (".pxd", '"""\n    from nardy_fast.core._core cimport Board\n"""\ncimport numpy\n', set()),
    ],
)
def test_imports_of_every_form_are_found(tmp_path: Path, suffix: str, text: str, expected: set[str]) -> None:
    path = tmp_path / f"module{suffix}"
    path.write_text(text)
    assert imports(path) == expected
