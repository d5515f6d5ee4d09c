"""What other programs need to know to be compiled against this package."""

from pathlib import Path


def get_include() -> str:
    """The folder of ``nardy_fast.h``, for the include path of a C or C++ compiler.

    Cython code that cimports ``nardy_fast._core`` does not need it.
    """
    return str(Path(__file__).parent / "include")
