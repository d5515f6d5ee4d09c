"""20,000 mutated texts, files, records and ids: what is no good is refused by `ValueError` or `TypeError`, and nothing hangs."""

from __future__ import annotations

import json
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cube_players import play_match

import nardy_fast as nf
from nardy_fast.formats import files
from nardy_fast.formats.sgf import sgf_events

CORPUS = Path(__file__).parent / "files"
#: What one call may take, in seconds of processor time. Most take a thousandth.
LONGEST = 5


def some_match(points: int | None, rules: str, cube: nf.CubeRules | None, games: int) -> Any:
    match = nf.Match(points, rules, cube=cube, players=("Anna K.", "Борис"), seed=4)
    return play_match(match, random.Random(4), games)


MATCHES = [some_match(None, "hypergammon", nf.CubeRules(jacoby=True, beavers=True), 2), some_match(3, "long", None, 1)]
GAME = MATCHES[0].games[0]
POSITION = nf.Position.parse("bar:1,13:1,6:13 7:1,24:14 w", "short")
SGF = (
    "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B \\] C]RU[Crawford]RE[B+1]\n;W[31hefe]C[x];B[double];W[take]\n"
    ";B[62agln];W[66mgmgxrxr];PL[B]DI[21])"
)

#: What reads, and texts that it reads.
READERS: dict[str, tuple[Callable[[Any, Path], object], list[str]]] = {
    "a position": (lambda text, file: nf.Position.parse(text, "short"), [str(POSITION), "24:2,13:5 24:2 b"]),
    "a position with dice": (lambda text, file: nf.parse_position(text), ["24:15 12:15 w 6-5 # start"]),
    "a play": (
        lambda text, file: POSITION.parse_play(text, (6, 1)),
        ["bar/24 24/18*", "bar/19 13/12", "bar/24/18*", "Bar/19 6/5"],
    ),
    "a Position ID": (lambda text, file: nf.from_position_id(text), ["4HPwATDgc/ABMA"]),
    "an LN1 id": (lambda text, file: nf.from_position_id(text, "long"), ["LN1:w:AACA/z8AAID/Pw"]),
    "a Match ID": (lambda text, file: nf.from_match_id(text), ["cAmrAAAAAAAE", "QYkqASAAIAAA"]),
    "an XGID": (lambda text, file: nf.from_xgid(text), ["XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:2:1:0:5:10"]),
    "pasted text": (lambda text, file: nf.find_ids(text), ["see XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10 there"]),
    "a ruleset": (lambda text, file: nf.Ruleset.from_json(text), [nf.ruleset("fevga").to_json(), nf.ruleset("short").to_json()]),
    "a record": (lambda text, file: nf.records.from_text(text), [nf.records.to_text(match) for match in MATCHES]),
    "JSON of a game": (lambda text, file: nf.Game.from_json(text), [GAME.to_json()]),
    "JSON of a match": (lambda text, file: nf.Match.from_json(text), [match.to_json() for match in MATCHES]),
    "JSON Lines": (
        lambda text, file: list(nf.records.read_jsonl(written(text, file))),
        [json.dumps(match.record()) + "\n" for match in MATCHES],
    ),
    "a .mat text": (lambda text, file: nf.mat.from_mat(text), [nf.mat.to_mat(MATCHES[0])]),
    "a .mat text, leniently": (lambda text, file: nf.mat.from_mats(text, strict=False), [nf.mat.to_mat(MATCHES[0])]),
    "a file of the corpus": (
        lambda text, file: files.read(written(text, file)),
        [path.read_bytes().decode("latin-1") for path in CORPUS.iterdir()],
    ),
    "a file of the corpus, leniently": (
        lambda text, file: files.read(written(text, file), illegal="keep", strict=False),
        [path.read_bytes().decode("latin-1") for path in CORPUS.iterdir()],
    ),
    "an .sgf file": (lambda text, file: list(sgf_events(text.encode("utf-8", "replace"))), [SGF]),
}
EACH = 20_000 // len(READERS) + 1
PIECES = [
    *'0123456789:;,/*()[]{}"-=.?! \t\r\n\0\\',
    *(
        "99999999999",
        "-1",
        "1e999",
        "NaN",
        "true",
        "null",
        "[]",
        "{}",
        "bar",
        "off",
        "pass",
        "w",
        "b",
        "é",
        "Ж",
        "\ud800",
        "\ufeff",
    ),
    *("Wins 2 points", "Doubles => 2", "Takes", "Drops", "Game 2", "5 point match", "31: 8/5 6/5", "Concedes", "XGID="),
]


def written(text: str, file: Path) -> Path:
    file.write_bytes(text.encode("latin-1" if text.isascii() or all(ord(each) < 256 for each in text) else "utf-8", "replace"))
    return file


def mutated(text: str, rng: random.Random) -> str:
    """The text with something put in, left out, doubled, moved or changed, once or a few times."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + int(rng.expovariate(0.2)) + 1)
        to = rng.randrange(len(text) + 1)
        match rng.randrange(6):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + rng.choice(PIECES) + text[end:]
            case 2:
                text = text[:at] + text[end:]
            case 3:
                text = text[:to] + text[at:end] * rng.choice((1, 1, 2, 50)) + text[to:]
            case 4:
                text = text[:at]
            case 5:
                lines = text.split("\n")
                rng.shuffle(lines)
                text = "\n".join(lines) if len(lines) > 1 else text[::-1]
    return text


@pytest.mark.parametrize("what", READERS)
def test_what_is_mutated_is_read_or_refused(what: str, tmp_path: Path) -> None:
    if "sgf" in what:
        pytest.importorskip("sgfmill")
    read, texts = READERS[what]
    rng = random.Random(what)
    outcomes: Counter[str] = Counter()
    for number in range(EACH):
        text = mutated(texts[number % len(texts)], rng)
        begun = time.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read(text, tmp_path / "file")
        except (ValueError, TypeError) as error:
            outcomes["refused"] += 1
            words = str(error)
        else:
            outcomes["read"] += 1
            words = "read"
        assert time.process_time() - begun < LONGEST, f"{text!r:.300} takes too long"
        assert 0 < len(words) < 1000, f"{text!r:.300} gives {words!r:.300}"
    # In pasted text what is no id is passed over.
    assert outcomes["refused"] > (EACH / 20 if what != "pasted text" else -1)
    assert outcomes["read"] > 0


@pytest.mark.parametrize("wrong", [None, 5, 1.5, [], {}, object(), nf.Position])
@pytest.mark.parametrize("what", [what for what in READERS if "file" not in what and what != "JSON Lines"])
def test_what_is_no_text_is_a_type_error(what: str, wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r".{10}"):
        READERS[what][0](wrong, tmp_path / "file")
