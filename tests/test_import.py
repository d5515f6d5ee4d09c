"""What `import nardy_fast` says where it cannot work, and that it imports nothing before it is asked for."""

from __future__ import annotations

import ast
import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nardy_fast

PACKAGE = Path(nardy_fast.__file__).parent


def error_of(code: str, folder: Path) -> str:
    """The last line that the code says on stderr, in a folder that has the package."""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after the code."""
    code += "; import sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with the package, not compiled."""
    shutil.copytree(PACKAGE, tmp_path / "nardy_fast", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return tmp_path


def test_sources_that_are_not_compiled_say_so(sources: Path) -> None:
    said = error_of("import nardy_fast", sources)
    assert said.startswith("ImportError: nardy_fast is not compiled here: ")
    assert str(sources / "nardy_fast") in said


def test_another_error_of_the_import_is_told_as_it_is(sources: Path) -> None:
    (sources / "nardy_fast" / "core" / "_core.py").touch()
    (sources / "nardy_fast" / "analysis" / "__init__.py").write_text("import no_such_module\n", encoding="utf-8")
    for code in ("import nardy_fast; nardy_fast.analysis", "from nardy_fast import analysis"):
        assert error_of(code, sources) == "ModuleNotFoundError: No module named 'no_such_module'"


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    assert {name for name in loaded_by("import nardy_fast") if name.startswith(("nardy_fast", "numpy"))} == {
        "nardy_fast",
        "nardy_fast.version",
    }


def test_who_wants_plays_gets_no_records_players_or_analysis() -> None:
    loaded = loaded_by(
        "import nardy_fast as nf; nf.Position.start('long').plays((6, 5)); "
        "nf.batch.count_plays(nf.Position.start('long').board[None], (6, 5))"
    )
    rooms = ("analysis", "bearoff", "envs", "formats", "games", "ids", "players", "reference")
    assert "nardy_fast.core._position" in loaded
    assert loaded & {"numpy.random", *(f"nardy_fast.{room}" for room in rooms)} == set()


def test_the_stub_says_where_everything_is() -> None:
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    (listed,) = (node.value for node in stub.body if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(listed)) == sorted(nardy_fast.__all__)
    told = {name.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert sorted(told) == sorted(nardy_fast.__all__)
    for name, home in told.items():
        module = importlib.import_module(str(home))
        said = getattr(module, name, None) if home != "nardy_fast" else importlib.import_module(f"nardy_fast.{name}")
        assert getattr(nardy_fast, name) is (said or importlib.import_module(f"{home}.{name}"))


def test_every_name_is_there_and_no_other() -> None:
    assert set(nardy_fast.__all__) <= set(dir(nardy_fast))
    names: dict[str, object] = {}
    exec("from nardy_fast import *", names)
    assert set(nardy_fast.__all__) <= set(names)
    with pytest.raises(AttributeError, match="module 'nardy_fast' has no attribute 'no_such_name'"):
        _ = nardy_fast.no_such_name
