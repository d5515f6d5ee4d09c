"""Tests with the core compiled for sanitizers, which stop the program where it reads or writes what is not its own.

    python tools/sanitize.py [PYTEST OPTIONS]      AddressSanitizer and UBSan; without options the quick tests: `make sanitize`
    python tools/sanitize.py --threads             ThreadSanitizer: tests/core/threads.c calls the C API from many threads
    python tools/sanitize.py --fuzz SECONDS [SEED] AddressSanitizer and UBSan: tests/core/fuzz.c feeds the C API with random bytes

It needs GCC, and takes the rest of the package as it is built. The copies are kept in build/.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

from core_trees import ROOT, TESTS, compile_tree, copy_tree, environment, run_tests

#: The edge of the core, where what callers give is checked, and all that is written to arrays of theirs.
QUICK = [
    *(str(TESTS / name) for name in ("test_vectors.py", "core/test_position.py", "core/test_encoding.py")),
    *(str(TESTS / "bulk" / f"test_{name}.py") for name in ("perft", "batch", "step", "simulation")),
    *("-m", "not slow", "-k", "not [reference", "-n", "auto"),
]


def built(folder: Path, flags: str, *rooms: str) -> None:
    copy_tree(folder, *rooms)
    done = compile_tree(folder, NARDY_FAST_DEBUG="1", CFLAGS=flags, LDFLAGS=flags.split()[0])
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def library(name: str) -> str:
    """The path of a library of the compiler's, to be loaded before all else."""
    return subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()


def addresses(options: list[str]) -> int:
    folder = ROOT / "build" / "sanitized"
    built(folder, "-fsanitize=address,undefined -fno-sanitize-recover=all", "core")
    done = run_tests(
        folder,
        *(options or QUICK),
        LD_PRELOAD=f"{library('libasan.so')} {library('libubsan.so')}",
        ASAN_OPTIONS="detect_leaks=0",  # Python itself keeps what it never frees
        UBSAN_OPTIONS="print_stacktrace=1",
        PYTHONMALLOC="malloc",  # so that objects of Python are watched too
    )
    print(done.stdout)
    return done.returncode


def program(folder: Path, name: str, flag: str) -> Path:
    """A C program of the tests, which embeds this Python."""
    place = {
        key: sysconfig.get_config_var(key) or "" for key in ("LIBDIR", "LIBPL", "LDVERSION", "LIBS", "SYSLIBS", "LINKFORSHARED")
    }
    include = [f"-I{folder}/nardy_fast/{room}/include" for room in ("core", "players")]
    command = ["gcc", flag, "-g", "-O1", "-Wall", "-Wextra", "-Werror", f'-DPYTHON="{sys.executable}"', *include]
    command += ["-isystem", sysconfig.get_path("include"), "-o", str(folder / name), str(TESTS / "core" / f"{name}.c")]
    command += [f"-L{place['LIBDIR']}", f"-L{place['LIBPL']}", f"-Wl,-rpath,{place['LIBDIR']}", *place["LINKFORSHARED"].split()]
    command += [f"-lpython{place['LDVERSION']}", *place["LIBS"].split(), *place["SYSLIBS"].split(), "-lpthread"]
    subprocess.run(command, check=True)
    return folder / name


def threads() -> int:
    folder = ROOT / "build" / "threads"
    built(folder, "-fsanitize=thread", "core", "players")
    variables = environment(folder, TSAN_OPTIONS="halt_on_error=1")
    return subprocess.run([program(folder, "threads", "-fsanitize=thread")], env=variables, check=False).returncode


def fuzz(seconds: str, seed: str = "1") -> int:
    folder = ROOT / "build" / "sanitized"
    built(folder, "-fsanitize=address,undefined -fno-sanitize-recover=all", "core")
    variables = environment(folder, ASAN_OPTIONS="detect_leaks=0", UBSAN_OPTIONS="print_stacktrace=1")
    return subprocess.run(
        [program(folder, "fuzz", "-fsanitize=address,undefined"), seconds, seed], env=variables, check=False
    ).returncode


def main() -> int:
    if sys.argv[1:] == ["--threads"]:
        return threads()
    return fuzz(*sys.argv[2:]) if sys.argv[1:2] == ["--fuzz"] else addresses(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
