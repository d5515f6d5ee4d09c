"""Whether an sdist and a wheel hold all that they should, sources, stubs and data. Usage: contents.py SDIST WHEEL."""

import sys
import tarfile
import zipfile
from pathlib import Path

sdist, wheel = map(Path, sys.argv[1:])
with tarfile.open(sdist) as archive:
    in_sdist = {name.partition("/")[2] for name in archive.getnames()}
with zipfile.ZipFile(wheel) as archive:
    in_wheel = set(archive.namelist())

SHIPPED = ("**/*.py", "**/*.pxd", "**/*.pyi", "py.typed", "**/data/**/*.*", "**/*.html", "**/include/*.h")
shipped = {path.as_posix() for pattern in SHIPPED for path in Path("nardy_fast").glob(pattern)}
sources = {path.as_posix() for path in Path("src").glob("*/*.pyx")}
headers = {path.as_posix() for path in Path("src").glob("*/*.h")}
tests = {path.as_posix() for path in Path("tests").glob("**/*.py")}
documents = {path.as_posix() for path in Path("docs").glob("*.md")}
others = {"pyproject.toml", "setup.py", "README.md", "CHANGELOG.md", "LICENSE"}

missing = [f"{sdist.name} lacks {name}" for name in sorted((shipped | sources | headers | tests | documents | others) - in_sdist)]
missing += [f"{wheel.name} lacks {name}" for name in sorted(shipped - in_wheel)]
for source in sorted(name.removeprefix("src/").removesuffix(".pyx") for name in sources):
    if not any(name.startswith(f"nardy_fast/{source}.") and name.endswith((".so", ".pyd")) for name in in_wheel):
        missing.append(f"{wheel.name} lacks the compiled nardy_fast/{source}")
if wheel.name.endswith("linux_x86_64.whl") and not any(name.startswith("nardy_fast/core/v3/_core.") for name in in_wheel):
    missing.append(f"{wheel.name} lacks the modules for newer processors")
unwanted = [
    f"{wheel.name} has {name}"
    for name in sorted(in_wheel)
    if name.endswith((".c", ".pyx")) or name.startswith(("tests/", "src/"))
]

if missing or unwanted:
    sys.exit("\n".join(missing + unwanted))
