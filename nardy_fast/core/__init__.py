"""The native core: what the sources in src/ compile to, their declarations, and the C header.

``from nardy_fast.core cimport ...`` is the C API for Cython; ``nardy_fast.h``, in the folder that `get_include` names, is
the same for C and whatever reads C headers.
"""

import os
from pathlib import Path
from typing import Final

from nardy_fast.core._processor import has_v3

#: The environment variable that chooses the instructions: ``plain`` or ``v3``.
VARIABLE = "NARDY_FAST_INSTRUCTIONS"
_FAST = Path(__file__).parent / "v3"


def _instructions() -> str:
    """What the environment asks for, or else the best that this processor and this build have."""
    here = ("plain", "v3") if has_v3() and _FAST.is_dir() else ("plain",)
    asked = os.environ.get(VARIABLE) or here[-1]
    if asked not in ("plain", "v3"):
        raise ValueError(f"{VARIABLE}={asked[:40]!r}: expected plain or v3")
    if asked not in here:
        raise ValueError(f"{VARIABLE}={asked!r}: expected plain, for this processor or this build has no other instructions")
    return asked


#: Which instructions run: ``plain``, what every processor of the kind has, or ``v3``, those of x86-64-v3. Results do not differ.
INSTRUCTIONS: Final = _instructions()
if INSTRUCTIONS == "v3":
    # The same modules, compiled twice, under the same names: the folder that comes first is where they are found.
    __path__.insert(0, str(_FAST))


def get_include() -> str:
    """The folder of ``nardy_fast.h``, for the include path of a C or C++ compiler.

    Cython code that cimports ``nardy_fast.core`` does not need it.
    """
    return str(Path(__file__).parent / "include")
