"""Feeds each reader with what it does not expect: it must read it or refuse it by ValueError or TypeError, and soon.

    python tools/fuzz.py [--seconds N] [TARGET ...]        by turns, mutations of what they read and of the stored corpus
    python tools/fuzz.py --guided TARGET [OPTIONS]         one, by atheris, which seeks other code, until stopped

Targets are those of tests/readers.py, or all. What goes wrong is written to build/fuzz/, and ends the run. The corpus, inputs of
former findings and such as reach code that others do not, is tests/data/fuzz.json: `--keep FOLDER TARGET` adds those of a folder.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import random
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
CORPUS = ROOT / "tests" / "data" / "fuzz.json"
#: Seconds of processor time that an input may take.
LONGEST = 10


def corpus() -> dict[str, list[bytes]]:
    """The stored inputs of each target."""
    stored = json.loads(CORPUS.read_text(encoding="utf-8"))
    return {what: [base64.b85decode(each) for each in inputs] for what, inputs in stored.items()}


def mutated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """The content with some bytes changed, left out, doubled or moved, or joined to part of another."""
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at, to = rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)
        end = min(len(data), at + int(rng.expovariate(0.1)) + 1)
        match rng.randrange(7):
            case 0:
                data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
            case 1:
                data = (
                    data[:at]
                    + rng.choice((b"\0", b"\xff\xff\xff\xff", b"-1", b"99999999999", b"1e999", b"\xd0\x96", b"\n"))
                    + data[at:]
                )
            case 2:
                data = data[:at] + data[end:]
            case 3:
                data = data[:to] + data[at:end] * rng.choice((1, 1, 3, 50)) + data[to:]
            case 4:
                data = data[:at]
            case 5:
                other = rng.choice(others)
                data = data[:at] + other[rng.randrange(len(other) + 1) :]
            case 6 if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    return data


def tried(what: str, data: bytes, file: Path) -> str:
    """Whether the target has "read" or "refused" it; what is neither is kept, and ends the program."""
    from readers import targets

    read = targets()[what][0]
    begun = time.process_time()
    try:
        read(data, file)
    except (ValueError, TypeError):
        outcome = "refused"
    except BaseException:
        print(f"{what}: {keep(data)}", flush=True)
        raise
    else:
        outcome = "read"
    if time.process_time() - begun > LONGEST:
        sys.exit(f"{what}: {keep(data)} takes {time.process_time() - begun:.0f} seconds")
    return outcome


def keep(data: bytes) -> Path:
    path = ROOT / "build" / "fuzz" / hashlib.sha1(data).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def by_turns(chosen: list[str], seconds: float, seed: int, folder: Path) -> None:
    from readers import targets

    stored = corpus()
    warnings.simplefilter("ignore")
    for what in chosen:
        known = targets()[what][1] + stored.get(what, [])
        rng = random.Random(f"{what} {seed}")
        outcomes: Counter[str] = Counter()
        end = time.monotonic() + seconds / len(chosen)
        while time.monotonic() < end:
            outcomes[tried(what, mutated(rng.choice(known), known, rng), folder / "file")] += 1
        print(f"{what}: {outcomes['read']} read, {outcomes['refused']} refused", flush=True)


def guided(what: str, options: list[str], folder: Path) -> None:
    import atheris

    with atheris.instrument_imports(include=["nardy_fast"]):
        from readers import targets

    warnings.simplefilter("ignore")
    seeds = ROOT / "build" / "fuzz" / "corpus" / what.replace(" ", "_")
    seeds.mkdir(parents=True, exist_ok=True)
    for data in targets()[what][1] + corpus().get(what, []):
        (seeds / hashlib.sha1(data).hexdigest()).write_bytes(data)
    atheris.Setup(
        [sys.argv[0], *options, f"-artifact_prefix={ROOT}/build/fuzz/", str(seeds)],
        lambda data: tried_quietly(what, data, folder),
    )
    atheris.Fuzz()


def tried_quietly(what: str, data: bytes, folder: Path) -> None:
    tried(what, data, folder / "file")


def keep_corpus(folder: Path, what: str) -> None:
    stored = {name: [base64.b85encode(each).decode() for each in inputs] for name, inputs in corpus().items()}
    found = {base64.b85encode(path.read_bytes()).decode() for path in folder.iterdir()}
    stored[what] = sorted(found | set(stored.get(what, [])), key=lambda each: (len(each), each))
    CORPUS.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guided", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("targets", nargs="*")
    options, others = parser.parse_known_args()
    if options.keep:
        keep_corpus(options.keep, options.targets[0])
        return
    with TemporaryDirectory() as folder:
        if options.guided:
            guided(options.targets[0], others, Path(folder))
        else:
            from readers import targets

            by_turns(options.targets or list(targets()), options.seconds, options.seed, Path(folder))


if __name__ == "__main__":
    main()
