"""What reads texts and files of strangers', and what it reads: for the tests that mutate these, and for tools/fuzz.py."""

from __future__ import annotations

import importlib.util
import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from cube_players import play_match

import nardy_fast as nf
from nardy_fast.analysis import Decisions, MatchEquity, Rollout, rollout
from nardy_fast.bearoff import OneSided, store
from nardy_fast.bearoff.keys import one_sided_key
from nardy_fast.bearoff.one_sided import KIND
from nardy_fast.formats import files, foreign
from nardy_fast.formats.sgf import sgf_events
from nardy_fast.players import Network
from nardy_fast.players import files as network_files
from nardy_fast.players.training import new_weights

CORPUS = Path(__file__).parent / "files"


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


# Files that are not text.

#: Rules whose bear-off table is small.
ONE = replace(nf.ruleset("long"), name="one checker", setup=((1, 1),))
XML = """<?xml version="1.0"?>
<met><info><name>Two points</name><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.7</me><me>0.75</me></row>
    <row><me>0.3</me><me>0.5</me><me>0.6</me></row>
    <row><me>0.25</me><me>0.4</me><me>0.5</me></row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.48</me></row></post-crawford-table>
</met>
"""
INI = """[Current]
Name=A
[PostCrawford]
Size=3
Data=0.5 0.48 0.32
[PreCrawford]
Size=3
 1=0.5 0.7 0.75
 2=0.3 0.5 0.6
 3=0.25 0.4 0.5
"""
#: A reader, given the content and a path for it, and contents that it reads.
Target = tuple[Callable[[bytes, Path], object], list[bytes]]


def file_of(make: Callable[[Path], object], name: str = "file.npz") -> bytes:
    """The content of a file that is made."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        make(path)
        return path.read_bytes()


def reads(load: Callable[[Path], object]) -> Callable[[bytes, Path], object]:
    """A reader of files as a target."""

    def read(data: bytes, file: Path) -> object:
        file.write_bytes(data)
        return load(file)

    return read


def repacked(data: bytes) -> bytes:
    """What was taken from an archive and changed: its members one after another, each with a line of its name and length.

    So that mutations come to the members, and do not end at the checksum of the archive.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        while data:
            line, _, data = data.partition(b"\n")
            name, _, length = line.decode("latin-1").partition(" ")
            size = int(length) if length.isdecimal() and len(length) < 9 else len(data)
            archive.writestr(name.replace("\0", "?") or "?", data[:size])
            data = data[size:]
    return content.getvalue()


def unpacked(content: bytes) -> bytes:
    """What `repacked` makes an archive of."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return b"".join(b"%s %d\n" % (name.encode(), len(data)) + data for name, data in members.items())


def read_network(data: bytes, file: Path) -> object:
    """A network whose header has the checksum that it should have; what is read plays."""
    content = repacked(data)
    members = network_files.members(content, ("header", *network_files.ARRAYS), "a network", 1 << 26)
    header = json.loads(members["header"].tobytes())
    if isinstance(header, dict):
        header.pop("sha256", None)
        arrays = {name: members[name] for name in network_files.ARRAYS}
        header["sha256"] = network_files._checksum(header, arrays)
        members["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    network = Network(network_files._weights(members))
    return network.evaluate(nf.Position.start(network.rules))


def read_table(data: bytes, file: Path) -> object:
    """A bear-off table whose file has the checksum that it should have."""
    body = data[store.BODY :]
    file.write_bytes(store.MAGIC + store._digest(bytes(store.BODY) + body) + body)
    if store.read(file, KIND, one_sided_key(ONE)._asdict()) is None:
        raise ValueError("it is built anew")
    return True


def read_foreign(suffix: str) -> Callable[[bytes, Path], object]:
    return lambda data, file: reads(foreign.read_foreign)(data, file.with_suffix(suffix))


def ogxm(match: nf.Match) -> bytes:
    """The match as gammonview writes it."""
    codec = importlib.import_module("gvformat")
    with TemporaryDirectory() as folder:
        nf.mat.write_mat(Path(folder) / "match.mat", match)
        document = codec.convert_mat(Path(folder) / "match.mat")
    return bytes(codec.write_gvab(document))


def binary_targets() -> dict[str, Target]:
    network = Network(new_weights("hypergammon", hidden=64))
    saved = file_of(network.save)
    tried = rollout(nf.Position.parse("3:2,2:1 24:1 w", "hypergammon"), 36, network=network, plies=2, tables=False)
    rolled = file_of(tried.save)
    plays = [{"after": play.afterstate.board, "equity": 0.1, "error": None} for play in nf.Position.start().plays((6, 5))]
    decision = {"board": nf.Position.start().board, "turn": 0, "dice": (6, 5), "phase": "opening", "plays": plays}
    decisions = file_of(Decisions.of("long", [decision], {}).save)
    with TemporaryDirectory() as folder:
        path = OneSided.load(ONE, folder=folder, progress=False).path
        assert path is not None
        table = path.read_bytes()
    found: dict[str, Target] = {
        "a network's file": (reads(Network.load), [saved]),
        "a network with its checksum": (read_network, [unpacked(saved)]),
        "a rollout's file": (reads(Rollout.load), [rolled]),
        "a rollout's members": (lambda data, file: reads(Rollout.load)(repacked(data), file), [unpacked(rolled)]),
        "decisions": (lambda data, file: reads(Decisions.load)(repacked(data), file), [unpacked(decisions)]),
        "a bear-off table with its checksum": (read_table, [table]),
        "a match equity table": (reads(MatchEquity.read), [XML.encode(), INI.encode()]),
    }
    if importlib.util.find_spec("gvformat"):
        document = ogxm(some_match(3, "short", nf.CubeRules(), 1))
        found["OGXM"] = (read_foreign(".ogxm"), [document])
        found["a .xg file"] = (read_foreign(".xg"), [b"RGMH" + bytes(9000), document])
        found["a .bgf file"] = (read_foreign(".bgf"), [bytes(range(256)) * 4, document])
    return found


def as_target(what: str) -> Target:
    read, texts = READERS[what]
    return lambda data, file: read(data.decode("utf-8", "surrogateescape"), file), [
        text.encode("utf-8", "surrogateescape") for text in texts
    ]


@cache
def targets() -> dict[str, Target]:
    """All readers, of texts and of files."""
    return {what: as_target(what) for what in READERS} | binary_targets()
