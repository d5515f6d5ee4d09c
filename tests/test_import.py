"""What `import nardy_fast` says where it cannot work."""

from __future__ import annotations

import shutil
import subprocess
import sys
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
