"""What setup.py would compile again after a change, found out without compiling."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(
    not (ROOT / "setup.py").exists() or not (ROOT / "src").exists() or importlib.util.find_spec("Cython") is None,
    reason="tests away from the sources, or no Cython",
)

SMALL = {
    "src/core/_low.pyx": "",
    "src/core/_high.pyx": "from nardy_fast.core._low cimport low",
    "src/core/_alone.pyx": "",
    "nardy_fast/core/__init__.pxd": "",
    "nardy_fast/core/_low.pxd": "from nardy_fast.core._lowest cimport lowest\ncdef int low()",
    "nardy_fast/core/_lowest.pxd": "cdef int lowest()",
    "nardy_fast/core/_high.pxd": "",
}


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """setup.py, in a folder with a small package whose C files are newer than all else."""
    for name, text in SMALL.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        os.utime(tmp_path / name, (1000, 1000))
    for name in ("nardy_fast/__init__.py", "nardy_fast/core/__init__.py"):
        (tmp_path / name).touch()
    for name in ("_low", "_high", "_alone"):
        written = tmp_path / "build" / "src" / "core" / f"{name}.c"
        written.parent.mkdir(parents=True, exist_ok=True)
        written.touch()
        os.utime(written, (2000, 2000))
    return loaded(monkeypatch, tmp_path)


def loaded(monkeypatch: pytest.MonkeyPatch, folder: Path) -> ModuleType:
    """setup.py, run in that folder; what Cython remembers of another one is forgotten."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(pytest.importorskip("Cython.Build.Dependencies"), "_dep_tree", None)
    spec = importlib.util.spec_from_file_location("nardy_fast_setup", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def touched(build: ModuleType, name: str) -> list[str]:
    os.utime(name, (3000, 3000))
    return [module.removeprefix("nardy_fast.core.") for module in build.stale(build.sources(), Path("build"))]


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("src/core/_alone.pyx", ["_alone"]),
        ("src/core/_low.pyx", ["_low"]),
        ("nardy_fast/core/_high.pxd", ["_high"]),
        ("nardy_fast/core/_low.pxd", ["_high", "_low"]),
        ("nardy_fast/core/_lowest.pxd", ["_high", "_low"]),
    ],
)
def test_a_change_compiles_again_what_depends_on_it_and_nothing_else(build: ModuleType, changed: str, again: list[str]) -> None:
    assert touched(build, changed) == again


def test_where_nothing_changed_nothing_is_compiled(build: ModuleType) -> None:
    assert build.stale(build.sources(), Path("build")) == []


def test_what_was_never_compiled_is(build: ModuleType) -> None:
    Path("build/src/core/_alone.c").unlink()
    assert build.stale(build.sources(), Path("build")) == ["nardy_fast.core._alone"]


def test_the_sources_of_a_room_become_modules_of_that_room(monkeypatch: pytest.MonkeyPatch) -> None:
    found = loaded(monkeypatch, ROOT).sources()
    assert found["nardy_fast.core._core"] == Path("src/core/_core.pyx")
    for module in found:
        assert Path(*module.split(".")).parent.is_dir(), module


@pytest.mark.parametrize(
    ("changed", "needs_it", "does_not"),
    [
        ("nardy_fast/core/_position.pxd", "_games", "_core"),
        ("nardy_fast/core/_mixed.pxd", "_core", "_bearoff_one"),
        ("nardy_fast/core/_bearoff.pxd", "_bearoff_two", "_position"),
    ],
)
def test_the_dependencies_of_the_core_are_known(
    monkeypatch: pytest.MonkeyPatch, changed: str, needs_it: str, does_not: str
) -> None:
    build = loaded(monkeypatch, ROOT)
    sources = build.sources()
    for name, expected in ((needs_it, True), (does_not, False)):
        module = f"nardy_fast.core.{name}"
        assert (Path(changed) in build.dependencies(module, sources[module])) == expected


def test_a_hot_module_is_compiled_again_for_newer_processors_whenever_its_c_file_is_written(
    build: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "FAST", ("_low", "_has_no_source_here"))
    (extension,) = build.fast_extensions({"nardy_fast.core._low": Path("src/core/_low.pyx")}, Path("build"))
    assert extension.name == "nardy_fast.core.v3._low"
    assert extension.sources == ["build/v3/_low.c"]
    assert Path("build/v3/_low.c").read_text(encoding="utf-8") == '#include "../src/core/_low.c"\n'
    assert extension.depends == ["build/src/core/_low.c"]
    assert "-mbmi2" in extension.extra_compile_args
