"""Whether the tests notice faults in the generator: small ones are put into its sources, one at a time, and the tests are run.

    python tools/mutate.py [--number N] [--seed N] [--jobs N]

It takes half an hour or more of processor time; what is done is kept in build/mutants/, and run again it goes on. The mutants are
drawn from all that there are: comparisons flipped, numbers off by one, operators changed for their opposites, terms and `not`
dropped. A mutant is killed if a test fails, the program stops, or a test does not end. Some change no result, as where a look-up
is only a short cut: these are named in equivalent_mutants.json with the reason, and do not count.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import shutil
import sys
import tokenize
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from core_trees import ROOT, TESTS, compile_tree, copy_tree, run_tests

SOURCES = [
    *(f"nardy_fast/core/_{name}.pxd" for name in ("mixed", "doubles", "track", "boards")),
    *(f"src/core/_{name}.pyx" for name in ("core", "stages")),
]
#: The modules into which the generator is compiled; the others keep the generator as it is.
COMPILED = ("_core", "_stages", "_position", "_batch")
#: The tests that kill most in a second, which all mutants meet first; those of `_stages.pyx` meet its own with them.
FIRST = ("test_vectors", "bulk/test_perft", "test_earlier", "bulk/test_step", "bulk/test_batch")
STAGES = "core/test_stages"
#: What is left meets these.
THEN = (
    "core/test_c_api",
    STAGES,
    *(f"core/test_{name}" for name in ("random_rulesets", "dialects", "plays", "counting", "position", "wide")),
)
#: A build of the sources alone, examples of C programs, and the reference by itself tell nothing of a mutant.
LEFT_OUT = " and ".join(
    f"not {word}" for word in ("[reference", "cython", "consumer", "debug", "another_abi", "header", "measured", "written_in_c")
)
#: Seconds of processor time until a mutant is taken to hang.
LONGEST = 300

FLIPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "and": "or", "or": "and"}
FLIPPED |= {"&": "|", "|": "&", "<<": ">>", ">>": "<<"}
#: Terms joined by these can be dropped; by how tightly they bind.
BINDING = {"or": 0, "and": 1, "|": 3, "&": 5, "+": 7, "-": 7}
TIGHTER = {
    "not": 2,
    "^": 4,
    "<<": 6,
    ">>": 6,
    "*": 8,
    "/": 8,
    "//": 8,
    "%": 8,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "in"), 2),
}
CAST = re.compile(r"<(const )?\w+ ?\**>")


class Mutant(NamedTuple):
    file: str
    function: str
    line: int
    start: int  # of what is replaced, from the beginning of the file
    end: int
    new: str
    shown: str  # the line, before -> after

    @property
    def name(self) -> str:
        return f"{self.file}: {self.function}: {self.shown}"


def mutants(file: str) -> list[Mutant]:
    """All of a file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    lines = text.splitlines()
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in (tokenize.NL, tokenize.COMMENT)
    ]
    found = []
    function, is_body = "", False
    for i, token in enumerate(tokens):
        row, column = token.start
        line = lines[row - 1] if row <= len(lines) else ""
        if column == 0 and token.type == tokenize.NAME:
            named = re.match(r"cdef (?:inline )?(?:const )?[\w ]+?\*?(\w+)\(", line)
            function, is_body = (named[1], False) if named and not named[1].startswith("trust") else ("", False)
        elif token.type == tokenize.INDENT:
            is_body = True
        if not function or not is_body or "DEBUG" in line:
            continue
        before, after = tokens[i - 1], tokens[i + 1] if i + 1 < len(tokens) else token

        def add(start: tuple[int, int], end: tuple[int, int], new: str, function: str = function, row: int = row) -> None:
            first, last = begins[start[0] - 1] + start[1], begins[end[0] - 1] + end[1]
            changed = (text[:first] + new + text[last:])[begins[row - 1] :].split("\n")[0]
            shown = f"{lines[row - 1].strip()} -> {changed.strip()}"
            found.append(Mutant(file, function, row, first, last, new, shown))

        is_binary = before.type in (tokenize.NUMBER, tokenize.NAME) or before.string in (")", "]")
        if token.string in FLIPPED and is_binary and not is_cast(line, column) and not is_type(line, column):
            add(token.start, token.end, FLIPPED[token.string])
            if token.string in BINDING:
                add(before.end, tokens[end_of_term(tokens, i)].end, "")
        elif token.string == "not" and after.string != "in" and before.string != "is":
            add(token.start, after.start, "")
        elif token.type == tokenize.NUMBER and token.string.isdigit() and not is_type(line, column):
            add(token.start, token.end, str(int(token.string) + 1))
            if token.string != "0":
                add(token.start, token.end, str(int(token.string) - 1))
    return found


def is_cast(line: str, column: int) -> bool:
    return any(match.start() <= column < match.end() for match in CAST.finditer(line))


def is_type(line: str, column: int) -> bool:
    """Whether that is where variables are declared, before any value."""
    return line.lstrip().startswith("cdef ") and "=" not in line[:column]


def end_of_term(tokens: list[tokenize.TokenInfo], operator: int) -> int:
    """The last token of what stands to the right of an operator."""
    binding, depth = BINDING[tokens[operator].string], 0
    for i in range(operator + 1, len(tokens)):
        string = tokens[i].string
        if string in ("(", "["):
            depth += 1
        elif string in (")", "]"):
            depth -= 1
        weaker = (BINDING | TIGHTER).get(string, 99) <= binding and i > operator + 1
        ends = string in (":", ",", "=", "if", "else", "for") or tokens[i].type == tokenize.NEWLINE
        if depth < 0 or (depth == 0 and (weaker or ends)):
            return i - 1
    raise AssertionError("a term without an end")


def make_tree(folder: Path) -> None:
    """With the sources of the modules that have the generator; quickly compiled."""
    copy_tree(folder, "core")
    for path in (folder / "src" / "core").glob("*.pyx"):
        if path.stem not in COMPILED:
            path.unlink()
    setup = folder / "setup.py"
    setup.write_text(setup.read_text(encoding="utf-8").replace('"-O3"', '"-O1"'), encoding="utf-8")
    done = compile_tree(folder)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def verdict(whole: Path, mutant: Mutant, tests: tuple[str, ...]) -> str:
    """What becomes of a mutant in a copy of that tree."""
    with TemporaryDirectory(dir=whole.parent) as folder:
        tree = Path(shutil.copytree(whole, Path(folder) / "tree"))
        path = tree / mutant.file
        was = path.read_text(encoding="utf-8")
        path.write_text(was[: mutant.start] + mutant.new + was[mutant.end :], encoding="utf-8")
        return "does not compile" if compile_tree(tree).returncode else tested(tree, tests)


def tested(tree: Path, tests: tuple[str, ...]) -> str:
    """Which test fails first; "survived" if none does."""
    options = ["-x", "--tb=no", "-p", "no:xdist", "-m", "not slow", "-k", LEFT_OUT]
    files = [str(TESTS / f"{name}.py") for name in tests]
    done = run_tests(tree, *options, *files, before=("prlimit", f"--cpu={LONGEST}"))
    if done.returncode == 0:
        return "survived"
    failed = re.search(r"^(?:FAILED|ERROR) \S*?(tests/\S+)", done.stdout, re.MULTILINE)
    return f"killed: {failed[1] if failed else f'exit {done.returncode}'}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    results = ROOT / "build" / "mutants" / "results.jsonl"
    results.parent.mkdir(parents=True, exist_ok=True)
    known = dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()) if results.exists() else {}
    equivalent = json.loads((Path(__file__).parent / "equivalent_mutants.json").read_text(encoding="utf-8"))
    every = list({mutant.name: mutant for file in SOURCES for mutant in mutants(file)}.values())
    drawn = [
        mutant for mutant in random.Random(options.seed).sample(every, len(every)) if known.get(mutant.name) != "does not compile"
    ]
    whole = results.parent / "whole"
    make_tree(whole)
    if not known and (said := tested(whole, FIRST + THEN)) != "survived":
        sys.exit(f"the tests fail without a mutant: {said}")

    def judge(mutant: Mutant, tests: tuple[str, ...], survivor: str) -> None:
        found = verdict(whole, mutant, (STAGES, *tests) if tests == FIRST and "_stages" in mutant.file else tests)
        known[mutant.name] = found = survivor if found == "survived" else found
        print(f"{found:70} {mutant.name}", flush=True)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps([mutant.name, found]) + "\n")

    counted = [mutant for mutant in drawn if mutant.name not in equivalent][: options.number]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda mutant: judge(mutant, FIRST, "left"), [each for each in counted if each.name not in known]))
        list(pool.map(lambda mutant: judge(mutant, THEN, "survived"), [each for each in counted if known[each.name] == "left"]))
    verdicts = [known[mutant.name].partition(":")[0] for mutant in counted]
    survivors = [mutant.name for mutant in counted if known[mutant.name] == "survived"]
    print("", *survivors, "", sep="\n")
    aside = sum(mutant.name in equivalent for mutant in drawn[: drawn.index(counted[-1])])
    print(f"{verdicts.count('killed')} of {len(verdicts)} killed, {len(survivors)} survived; {aside} set aside as equivalent")
    print(f"{verdicts.count('does not compile')} do not compile: run again for others in their place")


if __name__ == "__main__":
    main()
