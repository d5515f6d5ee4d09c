"""What pyproject.toml cannot say: the Cython modules. Each src/ROOM/_NAME.pyx is compiled to nardy_fast.ROOM._NAME.

Only what has changed is compiled again, whether by `python setup.py build_ext --inplace` or by `pip install --editable .`.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from Cython.Build.Dependencies import create_dependency_tree
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("NARDY_FAST_DEBUG") == "1"
# CFLAGS of the user's may take the place of those that Python was built with: what the core needs of them is said again.
# Clang warns of inline functions that a module has no use for.
POSIX_FLAGS = ["-fwrapv", "-Wno-unused-function", *(["-O1", "-g", "-UNDEBUG"] if DEBUG else ["-O3", "-DNDEBUG"])]
FLAGS = ["/O2"] if os.name == "nt" else POSIX_FLAGS
#: The modules with the hot code of the rules. They are compiled a second time, to nardy_fast/core/v3, which its package
#: puts first on processors with these instructions: those of the path AVX2, for which src/core/_paths.h asks the processor.
FAST = ("_batch", "_core", "_games", "_perft", "_position", "_stages")
FAST_FLAGS = ["-mavx2", "-mfma", "-mpopcnt", "-mbmi", "-mbmi2", "-ffp-contract=off"]
PLAIN = os.environ.get("NARDY_FAST_INSTRUCTIONS") == "plain"
HAS_FAST = os.name != "nt" and sysconfig.get_platform().endswith("x86_64") and not PLAIN
#: No module keeps what a call changes, but in objects that take care of it: a Python without the GIL need not bring it back.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "freethreading_compatible": True,
}
#: Where the C files are written. What is compiled for debugging is kept apart.
BUILD = Path("build", "debug" if DEBUG else "release")


def sources() -> dict[str, Path]:
    """The source of each module, by the module's name."""
    return {f"nardy_fast.{path.parent.name}.{path.stem}": path for path in sorted(Path("src").glob("*/*.pyx"))}


def dependencies(module: str, source: Path) -> set[Path]:
    """All files that the C file of a module is made from: the source, its own .pxd, and what these cimport, and so on.

    Cython looks for a module's own .pxd beside its source only, and here it lies in the package.
    """
    tree = create_dependency_tree()
    own = Path(*module.split(".")).with_suffix(".pxd")
    given = [source, own] if own.exists() else [source]
    return {Path(found) for file in given for found in (file, *tree.all_dependencies(str(file)))}


def stale(modules: dict[str, Path], build: Path) -> list[str]:
    """The modules whose C file in `build` is older than something that it is made from, or is not there."""
    found = []
    for module, source in modules.items():
        written = c_file(source, build)
        newest = max(path.stat().st_mtime for path in dependencies(module, source))
        if not written.exists() or written.stat().st_mtime < newest:
            found.append(module)
    return found


def c_file(source: Path, build: Path) -> Path:
    return build / source.with_suffix(".c")


def fast_extensions(modules: dict[str, Path], build: Path) -> list[Extension]:
    """Those of `FAST` that there are, once more.

    Each has a C file of its own, which includes the first's: object files are named after C files.
    """
    found = []
    for name in FAST:
        if f"nardy_fast.core.{name}" not in modules:
            continue
        written = c_file(modules[f"nardy_fast.core.{name}"], build)
        second = build / "v3" / f"{name}.c"
        second.parent.mkdir(parents=True, exist_ok=True)
        if not second.exists():
            second.write_text(f'#include "../{written.relative_to(build).as_posix()}"\n', encoding="utf-8")
        found.append(
            Extension(
                f"nardy_fast.core.v3.{name}",
                [second.as_posix()],
                depends=[written.as_posix()],
                extra_compile_args=[*FLAGS, *FAST_FLAGS],
            )
        )
    return found


class KeepsWhatItBuilt(build_ext):
    """An editable install compiles in build/ too, and not in a place of its own that is thrown away."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.editable_mode:
            self.build_lib, self.build_temp = str(BUILD / "lib"), str(BUILD / "temp")

    def copy_extensions_to_source(self) -> None:
        """All of them, for those there may have been compiled for debugging and be newer."""
        self.force = True
        Path("nardy_fast", "core", "v3").mkdir(exist_ok=True)
        super().copy_extensions_to_source()


def main() -> None:
    modules = sources()
    for module in stale(modules, BUILD):
        c_file(modules[module], BUILD).unlink(missing_ok=True)  # then it is written again
    extensions = cythonize(
        [Extension(module, [source.as_posix()], extra_compile_args=FLAGS) for module, source in modules.items()],
        nthreads=os.cpu_count() or 1,
        build_dir=str(BUILD),
        compiler_directives=DIRECTIVES,
    )
    if HAS_FAST:
        extensions += fast_extensions(modules, BUILD)
    setup(
        ext_modules=extensions,
        cmdclass={"build_ext": KeepsWhatItBuilt},
        options={
            "build_ext": {"parallel": os.cpu_count() or 1},
            "build": {"build_base": str(BUILD), "build_platlib": str(BUILD / "lib"), "build_temp": str(BUILD / "temp")},
        },
    )


if __name__ == "__main__":
    main()
