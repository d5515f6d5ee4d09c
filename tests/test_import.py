"""What `import nardy_fast` says where it cannot work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import nardy_fast

PACKAGE = Path(nardy_fast.__file__).parent


def error_of_import(folder: Path) -> str:
    """The last line that the import says on stderr, in a folder that has the package."""
    done = subprocess.run([sys.executable, "-c", "import nardy_fast"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with the package, not compiled."""
    shutil.copytree(PACKAGE, tmp_path / "nardy_fast", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return tmp_path


def test_sources_that_are_not_compiled_say_so(sources: Path) -> None:
    said = error_of_import(sources)
    assert said.startswith("ImportError: nardy_fast is not compiled here: ")
    assert str(sources / "nardy_fast") in said


def test_another_error_of_the_import_is_told_as_it_is(sources: Path) -> None:
    (sources / "nardy_fast" / "core" / "_core.py").touch()
    (sources / "nardy_fast" / "analysis" / "__init__.py").write_text("import no_such_module\n", encoding="utf-8")
    assert error_of_import(sources) == "ModuleNotFoundError: No module named 'no_such_module'"


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="a Python that has the GIL always")
def test_no_module_brings_the_gil_back() -> None:
    modules = [f"nardy_fast.{path.parent.name}.{path.name.partition('.')[0]}" for path in PACKAGE.glob("*/_*.so")]
    assert len(modules) > 20
    program = f"import sys, {', '.join(modules)}; print(sys._is_gil_enabled())"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
