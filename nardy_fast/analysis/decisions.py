"""Decisions whose every play has been judged beforehand, and what a player loses in them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nardy_fast.analysis.phases import PHASES
from nardy_fast.arguments import check_keys, short_repr
from nardy_fast.players.files import members
from nardy_fast.players.players import Player
from nardy_fast.rules import RULESETS, SLOTS, Ruleset, ruleset

#: The shipped ones, by the name of the rules.
DATA = Path(__file__).parent / "data"
FORMAT = "nardy_fast decisions"
VERSION = 1
#: dtype and shape after the first axis of each array of a file.
_ARRAYS: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
    "boards": (np.int8, (2, SLOTS)),
    "turns": (np.int8, ()),
    "dice": (np.int8, (2,)),
    "phases": (np.int8, ()),
    "offsets": (np.int32, ()),
    "after": (np.int8, (2, SLOTS)),
    "equities": (np.float32, ()),
    "errors": (np.float32, ()),
}


class ErrorRate(NamedTuple):
    """What a player loses, in thousandths of a point a decision."""

    decisions: int
    #: By how much the best play is better than the chosen one, on the average.
    millipoints: float
    #: The standard error, by the decisions: how much another choice of decisions would change it.
    error: float
    #: The share of the decisions in which the best play was chosen.
    best: float

    def __str__(self) -> str:
        return f"{self.millipoints:6.1f} ± {self.error:.1f} thousandths lost a decision, {self.best:.0%} best of {self.decisions}"


class Decisions:
    """Positions with a roll, each of whose plays has an equity. `load` gives the shipped ones."""

    def __init__(self, rules: Ruleset, made: dict[str, Any], **arrays: NDArray[Any]) -> None:
        self.rules = rules
        #: How they were made.
        self.made = made
        #: int8[n, 2, 26], int8[n] and int8[n, 2]: the positions, whose turn it is, and the rolls.
        self.boards, self.turns, self.dice = arrays["boards"], arrays["turns"], arrays["dice"]
        #: int8[n]: the number in `PHASES` of each.
        self.phases = arrays["phases"]
        #: int32[n + 1]: the plays of decision i are those from offsets[i] to offsets[i + 1].
        self.offsets = arrays["offsets"]
        #: int8[plays, 2, 26]: the board after each, the player who moved in row 0.
        self.after = arrays["after"]
        #: float32[plays]: what it is worth to him.
        self.equities = arrays["equities"]
        #: float32[plays]: the standard error of the difference from the best; not a number where a play was not rolled out.
        self.errors = arrays["errors"]

    def __len__(self) -> int:
        """The number of decisions."""
        return len(self.boards)

    def __repr__(self) -> str:
        return f"<Decisions of {self.rules.name!r}: {len(self)}, {len(self.after)} plays>"

    @classmethod
    def load(cls, name: str | os.PathLike[str] = "long") -> Self:
        """The decisions that are shipped for a preset, or those of a file.

        Raises `ValueError` for a preset without such and for a file that holds none, naming it; `OSError` where there is no such
        file.
        """
        path = DATA / f"{name}.npz" if name in RULESETS else Path(name)
        if name in RULESETS and not path.exists():
            here = ", ".join(sorted(each.stem for each in DATA.glob("*.npz")))
            raise ValueError(f"name = {name!r}: expected a path, or one of {here}")
        content = path.read_bytes()
        try:
            return cls._checked(members(content, ("header", *_ARRAYS), "an archive", 100 * len(content)))
        except (KeyError, ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"{path}: expected decisions, as Decisions.save writes them: {error}") from None

    @classmethod
    def _checked(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        header = json.loads(arrays.pop("header").tobytes())
        check_keys(header, "header", ("format", "version", "rules", "phases", "made"))
        if (header["format"], header["version"]) != (FORMAT, VERSION) or header["phases"] != list(PHASES):
            raise ValueError(f"format, version = {short_repr((header['format'], header['version']))}")
        n, plays = len(arrays["boards"]), len(arrays["after"])
        for name, (dtype, shape) in _ARRAYS.items():
            rows = plays if name in ("after", "equities", "errors") else n + (name == "offsets")
            if arrays[name].dtype != dtype or arrays[name].shape != (rows, *shape):
                raise ValueError(f"{name}: {arrays[name].dtype}{list(arrays[name].shape)}")
        if arrays["offsets"][0] != 0 or arrays["offsets"][-1] != plays or (np.diff(arrays["offsets"]) < 1).any():
            raise ValueError("offsets: not those of the plays")
        return cls(Ruleset.from_json(json.dumps(header["rules"])), header["made"], **arrays)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write them to a file."""
        header = {"format": FORMAT, "version": VERSION, "rules": json.loads(self.rules.to_json()), "phases": PHASES}
        text = np.frombuffer(json.dumps({**header, "made": self.made}).encode(), np.uint8)
        np.savez_compressed(path, allow_pickle=False, header=text, **{name: getattr(self, name) for name in _ARRAYS})

    @classmethod
    def of(cls, rules: str | Ruleset, decisions: Sequence[dict[str, Any]], made: dict[str, Any]) -> Self:
        """From what tools/make_decisions.py keeps of each."""
        plays = [play for each in decisions for play in each["plays"]]
        return cls(
            ruleset(rules),
            made,
            boards=np.array([each["board"] for each in decisions], np.int8),
            turns=np.array([each["turn"] for each in decisions], np.int8),
            dice=np.array([each["dice"] for each in decisions], np.int8),
            phases=np.array([PHASES.index(each["phase"]) for each in decisions], np.int8),
            offsets=np.cumsum([0, *(len(each["plays"]) for each in decisions)]).astype(np.int32),
            after=np.array([play["after"] for play in plays], np.int8),
            equities=np.array([play["equity"] for play in plays], np.float32),
            errors=np.array([np.nan if play["error"] is None else play["error"] for play in plays], np.float32),
        )

    def losses(self, player: Player) -> NDArray[np.float64]:
        """What the player loses in each decision, in points, by the play that his `choose_batch` chooses."""
        chosen = player.choose_batch(self.boards, self.dice, self.rules, self.turns)
        row = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        same = (self.after == chosen[row]).all(axis=(1, 2))
        if not np.logical_or.reduceat(same, self.offsets[:-1]).all():
            raise ValueError(f"{player!r}: a play that it chose is not legal")
        best = np.maximum.reduceat(self.equities, self.offsets[:-1])
        worth = np.where(same, self.equities, -np.inf)
        lost: NDArray[np.float64] = (best - np.maximum.reduceat(worth, self.offsets[:-1])).astype(np.float64)
        return lost

    def error_rates(self, player: Player) -> dict[str, ErrorRate]:
        """The error rate of a player in ``all`` decisions and in each phase."""
        lost = self.losses(player)
        rates = {"all": _rate(lost)}
        for number, phase in enumerate(PHASES):
            if (rows := self.phases == number).any():
                rates[phase] = _rate(lost[rows])
        return rates


def _rate(lost: NDArray[np.float64]) -> ErrorRate:
    n = len(lost)
    error = float(lost.std(ddof=1) / np.sqrt(n)) if n > 1 else np.inf
    return ErrorRate(n, 1000 * float(lost.mean()), 1000 * error, float((lost == 0).mean()))
