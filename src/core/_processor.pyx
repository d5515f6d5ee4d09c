# distutils: include_dirs = src/core
# distutils: depends = src/core/_paths.h
"""What this processor has, asked before the modules are loaded that were compiled for it: this one imports no other."""

cdef extern from "_paths.h":
    int paths_here "nardy_paths_here"()


def has_v3():
    """Whether it has what the modules in v3/ are compiled for: the instructions of the path AVX2."""
    return paths_here() > 1
