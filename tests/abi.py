"""What programs compile in that cimport nardy_fast or include its header: sizes and offsets of structs, numbers, functions.

`python tests/abi.py` records it in data/abi.json under the ABI number that the sources have. Under a number that has been
released, nothing recorded may change: raise `ABI` in _core.pxd and `NARDY_ABI` in nardy_fast.h.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nardy_fast
from nardy_fast.core._core import ABI

PACKAGE = Path(nardy_fast.__file__).parent
HEADER = Path(nardy_fast.get_include()) / "nardy_fast.h"
RECORD = Path(__file__).parent / "data" / "abi.json"
#: The .pxd files whose structs and numbers end up in other programs, and those whose functions do. The inside of Pairs and Bags
#: is known to nobody but us; their sizes show in Menu.
LAID_OUT = ("_track", "_queue", "_play_set", "_core")
CALLED = ("_core", "_rules")
#: Those with functions that others compile in, and that the table of the header has too.
COMPILED_IN = ("_track", "_boards", "_measures", "_random", "_wide")

Layout = dict[str, dict[str, int]]


def environment() -> dict[str, str]:
    """For child processes: with the nardy_fast of this one, wherever it is."""
    paths = [str(PACKAGE.parent), *(path for path in sys.path if path.endswith("-packages"))]
    return os.environ | {"PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def run(*command: str, cwd: Path, **extra: str) -> str:
    """What a command that succeeds says on its standard output."""
    done = subprocess.run(command, cwd=cwd, env=environment() | extra, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def declared(module: str) -> str:
    """The declarations of a .pxd, without comments and docstrings."""
    text = (PACKAGE / "core" / f"{module}.pxd").read_text(encoding="utf-8")
    return re.sub(r" *(#.*)?$", "", re.sub(r'"""(.|\n)*?"""', "", text), flags=re.MULTILINE)


def structs(module: str) -> dict[str, list[str]]:
    """The fields of each struct of a .pxd."""
    found = re.findall(r"^cdef struct (\w+):\n((?: +.*\n|\n)+)", declared(module), re.MULTILINE)
    return {name: re.findall(r"(\w+)(?:\[\w+\])*$", fields, re.MULTILINE) for name, fields in found}


def constants(module: str) -> list[str]:
    """The enumerators of a .pxd."""
    found = re.findall(r"^cdef enum ?\w*:\n((?: +.*\n|\n)+)", declared(module), re.MULTILINE)
    return [name for body in found for name in re.findall(r"\b[A-Z_]\w*", re.sub(r"= *\w+", "", body))]


def offered() -> set[str]:
    """The names that other programs cimport from nardy_fast.core."""
    return {
        name
        for names in re.findall(r"cimport \(((?:.|\n)*?)\)|cimport (.+)", declared("__init__"))
        for name in re.findall(r"\w+", "".join(names))
    }


def entrance(name: str, module: str) -> str:
    """Where that name of a .pxd is cimported from; what the entrance does not offer is looked at in its own place."""
    return "nardy_fast.core" if name in offered() else f"nardy_fast.core.{module}"


def signature(result: str, arguments: str) -> str:
    """The types of a function, without the names of its arguments: `int (const Board *, int)`."""
    types = [re.sub(r"\w+$", "", argument.strip()).strip() for argument in arguments.split(",")]
    return f"{result.strip()} ({', '.join(filter(None, types))})"


def functions() -> dict[str, str]:
    """The types of each function that other programs can call, but for those that they compile in."""
    found = {}
    for module in CALLED:
        pattern = r"^cdef (?!class|struct|enum|inline|extern)([\w ]+?\*?)(\w+)\((.*)\)"
        for result, name, arguments in re.findall(pattern, declared(module), re.MULTILINE):
            found[name] = signature(result, arguments)
    return found


def inline_functions() -> dict[str, str]:
    """The types of each function that other programs compile in."""
    found = {}
    for module in COMPILED_IN:
        pattern = r"^(?:cdef inline| {4}(?=uint64_t)) ?([\w ]+?\*?)(\w+)(?: \"\w+\")?\((.*)\)"
        for result, name, arguments in re.findall(pattern, declared(module), re.MULTILINE):
            found[name] = signature(result, arguments)
    return found


def measure(folder: Path) -> dict[str, Any]:
    """All of it, as another program gets it: a Cython module built in that folder looks."""
    lines = [f"from {entrance(name, module)} cimport {name}" for module in LAID_OUT for name in structs(module)]
    lines += [f"from {entrance(name, module)} cimport {name} as c_{name}" for module in LAID_OUT for name in constants(module)]
    lines += ["constants = {", *(f"    '{name}': c_{name}," for module in LAID_OUT for name in constants(module)), "}"]
    lines += ["structs = {}", "cdef char *base"]
    for name, fields in (item for module in LAID_OUT for item in structs(module).items()):
        lines += [f"cdef {name} a_{name}", f"base = <char *>&a_{name}", f"structs['{name}'] = {{'size': sizeof({name})}}"]
        lines += [f"structs['{name}']['{field}'] = <char *>&a_{name}.{field} - base" for field in fields]
    (folder / "layout.pyx").write_text("\n".join(lines) + "\n", encoding="utf-8")
    build(folder, "layout")
    layout = json.loads(
        run(sys.executable, "-c", "import json, layout; print(json.dumps([layout.structs, layout.constants]))", cwd=folder)
    )
    return {"structs": layout[0], "constants": layout[1], "functions": functions(), "table": list(table())}


def build(folder: Path, module: str) -> None:
    """Compile the Cython module of that name in the folder, in place."""
    (folder / "setup.py").write_text(
        "from Cython.Build import cythonize\nfrom setuptools import Extension, setup\n"
        f"setup(name={module!r}, py_modules=[], ext_modules=cythonize(\n"
        f"    [Extension({module!r}, [{module + '.pyx'!r}], extra_compile_args=['-O0'])], language_level=3))\n",
        encoding="utf-8",
    )
    run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=folder)


def table() -> dict[str, str]:
    """The functions of the table in nardy_fast.h and their types, written as those of `functions`."""
    text = re.sub(r"/\*(.|\n)*?\*/", "", HEADER.read_text(encoding="utf-8"))
    members = re.search(r"typedef struct nardy_api \{((.|\n)*?)\} nardy_api;", text)
    assert members is not None
    found = {}
    for before, name, arguments in re.findall(r"([\w ]+\*?)\(\*(\w+)\)\(([^;]*)\);", members[1]):
        types = signature(before, arguments)
        found[name] = re.sub(r"nardy_(\w+)", lambda match: match[1].title().replace("_", ""), types)
    return found


def differences(recorded: dict[str, Any], measured: dict[str, Any]) -> list[str]:
    """What programs would not survive that were compiled when the one was recorded, and run when the other was measured."""
    found = []
    for kind in ("structs", "constants", "functions"):
        for name, was in recorded[kind].items():
            now = measured[kind].get(name)
            if now != was:
                found.append(f"{kind}: {name} was {was}, is {now}")
    # Structs and functions that are new hurt nobody, and the table may grow at its end.
    if measured["table"][: len(recorded["table"])] != recorded["table"]:
        found.append(f"table: was {recorded['table']}, is {measured['table']}")
    return found


def main() -> None:
    number = str(ABI)
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(Path(folder))
    changed = differences(record[number], measured) if number in record else []
    print("\n".join(changed) or "nothing changed")
    record[number] = measured
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
