"""What pyproject.toml cannot say: the Cython modules. Each src/ROOM/_NAME.pyx is compiled to nardy_fast.ROOM._NAME.

Only what has changed is compiled again, whether by `python setup.py build_ext --inplace` or by `pip install --editable .`.
"""

from __future__ import annotations

import os
from pathlib import Path

from Cython.Build import cythonize
from Cython.Build.Dependencies import create_dependency_tree
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("NARDY_FAST_DEBUG") == "1"
# CFLAGS of the user's may take the place of those that Python was built with: what the core needs of them is said again.
FLAGS = ["/O2"] if os.name == "nt" else ["-fwrapv", *(["-O1", "-g", "-UNDEBUG"] if DEBUG else ["-O3", "-DNDEBUG"])]
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


class KeepsWhatItBuilt(build_ext):
    """An editable install compiles in build/ too, and not in a place of its own that is thrown away."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.editable_mode:
            self.build_lib, self.build_temp = str(BUILD / "lib"), str(BUILD / "temp")

    def copy_extensions_to_source(self) -> None:
        """All of them, for those there may have been compiled for debugging and be newer."""
        self.force = True
        super().copy_extensions_to_source()


def main() -> None:
    modules = sources()
    for module in stale(modules, BUILD):
        c_file(modules[module], BUILD).unlink(missing_ok=True)  # then it is written again
    extensions = cythonize(
        [Extension(module, [source.as_posix()], extra_compile_args=FLAGS) for module, source in modules.items()],
        nthreads=os.cpu_count() or 1,
        build_dir=str(BUILD),
        compiler_directives={"language_level": 3, "boundscheck": DEBUG, "wraparound": False, "initializedcheck": DEBUG},
    )
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
