"""Nothing to say about nardy_fast: Cython finds its .pxd files where Python finds the package."""

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    ext_modules=cythonize(
        [Extension("random_games", ["random_games.pyx"], extra_compile_args=["-O3"])],
        build_dir="build",
        compiler_directives={"language_level": 3},
    )
)
