"""The native core: what the sources in src/ compile to, their declarations, and the C header.

``from nardy_fast.core cimport ...`` is the C API for Cython; ``nardy_fast.h``, in the folder that `get_include` names, is
the same for C and whatever reads C headers.
"""

from pathlib import Path


def get_include() -> str:
    """The folder of ``nardy_fast.h``, for the include path of a C or C++ compiler.

    Cython code that cimports ``nardy_fast.core`` does not need it.
    """
    return str(Path(__file__).parent / "include")
