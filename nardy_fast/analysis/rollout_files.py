"""The files of rollouts: a .npz of NumPy arrays without pickles.

Members: ``header``, uint8, UTF-8 JSON: ``format`` (`FORMAT`), ``version`` (`VERSION`), ``rules`` (the fields of the `Ruleset`),
``settings`` (`Settings`), ``results`` (points, of the side to move), ``candidates`` (for a play its position as text, dice and
steps; for a position its text), ``mark`` (of the judge's content) and ``judge`` (what it was called); and ``values``: float64
[trials of all candidates, results], the chance of each result in each trial, and ``trials``: int64, how many each candidate has.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy_fast.analysis.solved import Solution
from nardy_fast.arguments import check_keys, short_repr
from nardy_fast.core._position import Play, Position
from nardy_fast.players.files import ARRAYS, members
from nardy_fast.players.network import Network
from nardy_fast.rules import Ruleset

FORMAT = "nardy_fast rollout"
VERSION = 1
#: Who judges positions and plays the games.
Judge = Network | Solution
#: The chance of each result in each trial.
Values = NDArray[np.float64]
_KEYS = ("format", "version", "rules", "settings", "results", "candidates", "mark", "judge")


@dataclass(frozen=True)
class Settings:
    """What the trials of a rollout depend on, beside the positions and the judge: as in `rollout`."""

    seed: int
    control: int | None
    plies: int | None
    tables: bool
    until: float | None
    apart: float | None


class Kept(NamedTuple):
    """All that is known of a rollout."""

    settings: Settings
    #: Where the games of each candidate begin, and the plays that lead there, or None for each.
    positions: tuple[Position, ...]
    plays: tuple[Play | None, ...]
    results: tuple[int, ...]
    #: Of each candidate: the chance of each result in each trial, in the points of the side to move after the play.
    values: list[Values]
    #: By which the judge is known again, and what it was called.
    mark: str
    judge: str

    @property
    def signs(self) -> list[int]:
        """Of each candidate: 1 where its values are in the points of who made the play, or of the side to move; else -1."""
        pairs = zip(self.plays, self.positions, strict=True)
        return [1 if play is None or play.position.turn == position.turn else -1 for play, position in pairs]


def mark(judge: Judge) -> str:
    """By which a judge is known again, whatever file it is from."""
    if isinstance(judge, Solution):
        return f"solved {judge.key}"
    digest = hashlib.sha256(f"{judge.rules.to_json()} {judge.encoding}".encode())
    for name in ARRAYS:
        digest.update(np.ascontiguousarray(getattr(judge.weights, name)).tobytes())
    return digest.hexdigest()


def write(kept: Kept, path: str | os.PathLike[str]) -> None:
    """Write the file, whole or not at all."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "rules": json.loads(kept.positions[0].rules.to_json()),
        "settings": asdict(kept.settings),
        "results": list(kept.results),
        "candidates": [
            str(position) if play is None else [str(play.position), play.dice, play.steps]
            for position, play in zip(kept.positions, kept.plays, strict=True)
        ],
        "mark": kept.mark,
        "judge": kept.judge,
    }
    content = io.BytesIO()
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    lengths = np.array([len(each) for each in kept.values], np.int64)
    np.savez_compressed(content, allow_pickle=False, header=text, values=np.concatenate(kept.values), trials=lengths)
    target = Path(path)
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content.getvalue())
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def read(path: str | os.PathLike[str]) -> Kept:
    """Read a file that `write` wrote; `ValueError` naming the file and what is wrong for any other, `OSError` for none."""
    target = Path(path)
    content = target.read_bytes()
    try:
        arrays = members(content, ("header", "values", "trials"), "a rollout, as Rollout.save writes it", 100 * len(content))
        return _kept(json.loads(arrays["header"].tobytes()), arrays["values"], arrays["trials"])
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"{target}: {error}") from None


def _kept(header: Any, values: NDArray[Any], trials: NDArray[Any]) -> Kept:
    """The rollout that the members of a file are."""
    check_keys(header, "header", _KEYS)
    if (header["format"], header["version"]) != (FORMAT, VERSION):
        raise ValueError(f"format, version = {short_repr((header['format'], header['version']))}: expected {FORMAT}, {VERSION}")
    check_keys(header["settings"], "settings", tuple(Settings.__dataclass_fields__))
    rules = Ruleset.from_json(json.dumps(header["rules"]))
    plays: list[Play | None] = []
    positions = []
    for each in header["candidates"]:
        if isinstance(each, str):
            plays.append(None)
            positions.append(Position.parse(each, rules))
        else:
            before, dice, steps = each
            play = Play(Position.parse(before, rules), dice, steps)
            plays.append(play)
            positions.append(play.afterstate)
    if trials.dtype != np.int64 or trials.shape != (len(positions),) or not len(positions) or (trials < 0).any():
        raise ValueError("trials: expected a number for each candidate")
    if values.dtype != np.float64 or values.shape != (trials.sum(), len(header["results"])):
        raise ValueError(f"values: {values.dtype}{list(values.shape)}: expected float64[trials, results]")
    parts = np.split(values, np.cumsum(trials)[:-1])
    results = tuple(int(points) for points in header["results"])
    return Kept(
        Settings(**header["settings"]), tuple(positions), tuple(plays), results, parts, str(header["mark"]), str(header["judge"])
    )
