"""Nothing to say about nardy_fast: Cython finds its .pxd files where Python finds the package."""

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    ext_modules=cythonize(
        [Extension(name, [f"{name}.pyx"], extra_compile_args=["-O3"]) for name in ("engine",)],
        build_dir="build",
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False},
    )
)
