"""What pyproject.toml cannot say: the Cython modules. Each nardy_fast.core._NAME is compiled from src/_NAME.pyx."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("NARDY_FAST_DEBUG") == "1"
# CFLAGS of the user's may take the place of those that Python was built with: what the core needs of them is said again.
FLAGS = ["/O2"] if os.name == "nt" else ["-fwrapv", *(["-O1", "-g", "-UNDEBUG"] if DEBUG else ["-O3", "-DNDEBUG"])]

extensions = [
    Extension(f"nardy_fast.core.{source.stem}", [source.as_posix()], extra_compile_args=FLAGS)
    for source in sorted(Path("src").glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        nthreads=os.cpu_count() or 1,
        # A changed .pxd in nardy_fast/core/ does not make its .pyx in src/ look changed.
        force=True,
        build_dir="build/cython",
        compiler_directives={"language_level": 3, "boundscheck": DEBUG, "wraparound": False, "initializedcheck": DEBUG},
    ),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
