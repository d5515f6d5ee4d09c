"""Networks: what judges positions and chooses plays at the speed of the rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import check_position, checked_workers, short_repr
from nardy_fast.bearoff.races import race
from nardy_fast.core import _batch, _encoding
from nardy_fast.core._position import Play, Position
from nardy_fast.players import _staged, files
from nardy_fast.players._network import NetworkNative
from nardy_fast.players.chances import BestPlays, Candidate, Chances, outputs
from nardy_fast.players.onnx_export import model_of
from nardy_fast.rules import RULESETS, SLOTS, Ruleset, ruleset
from nardy_fast.workers import run

#: The shipped networks.
DATA = Path(__file__).parent / "data"
#: Presets that are handed the network of another, whose game is so near to theirs that it plays it as well.
SHARED = {"federation": "long", "tournament": "long", "nardgammon": "long", "backgammon": "short"}

#: A row of `pending` where a throw is due.
NOTHING = np.zeros(28, np.int8)
#: Rows that a thread does at a time.
_SHARD = 1024


class Network:
    """A network that tells the chance of each result of a position, and so which play is best.

    `load` gives a shipped one or one of a file, `train` makes one. It judges positions of its `rules`, and those of other rules
    on the same road with as many checkers as if they were its own: so the network of ``long`` also plays ``federation``.
    """

    def __init__(self, weights: files.Weights) -> None:
        self.weights = weights
        flat = {name: getattr(weights, name).reshape(-1, weights.hidden) for name in ("first", "second")}
        #: The native form, for `_seats` and `_train`.
        self.native = NetworkNative(
            weights.rules,
            self.outputs,
            weights.encoding != "slots",
            flat["first"],
            flat["second"],
            weights.second_bias.reshape(-1),
        )

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Self:
        """The network that is shipped for a preset of that name, or that of a file.

        Raises `ValueError` for a preset that none is shipped for and for a file that is no network, naming what is wrong with it;
        `OSError` where there is no such file.
        """
        if not isinstance(name, str | os.PathLike):
            raise TypeError(f"name = {short_repr(name)}: expected the name of a preset, or a path")
        if name not in RULESETS:
            return cls(files.read(name))
        shipped = DATA / f"{SHARED.get(str(name), str(name))}.npz"
        if not shipped.exists():
            here = sorted(path.stem for path in DATA.glob("*.npz"))
            served = here + [preset for preset, other in SHARED.items() if other in here]
            raise ValueError(f"name = {name!r}: expected a path, or a preset with a network: {', '.join(served)}")
        return cls(files.read(shipped))

    def save(self, path: str | os.PathLike[str], *, half: bool = False) -> None:
        """Write the network to a file, whole or not at all: nardy_fast/players/files.py says what is in it.

        With `half` the weights are rounded to 16 bits.
        """
        files.write(self.weights, path, np.float16 if half else np.float32)

    def to_onnx(self, path: str | os.PathLike[str]) -> None:
        """Write the network to a file as an ONNX model, for programs that run those (``pip install 'nardy_fast[onnx]'``).

        Its inputs are those of `onnx_inputs`, any number of rows; its outputs ``chances``, float32[n, outputs], what
        `evaluate_batch` gives, and ``equity``, float32[n]. The metadata tells ``rules``, ``outputs``, ``encoding``, ``columns``
        and ``training``, as JSON but for the encoding. Raises `ImportError` where the package onnx is not installed.
        """
        files.put(path, model_of(self.weights))

    def onnx_inputs(self, boards: NDArray[np.int8], *, turns: NDArray[np.int8] | None = None) -> dict[str, NDArray[Any]]:
        """What the model that `to_onnx` writes is to be given for boards before a throw, by the names of its inputs.

        ``inputs``: float32[n, k], each board in the network's `encoding`; the columns are for the board after the play, whose
        maker is row 1 here. ``contact``: bool[n], whether checkers of both sides can still meet. ``possible``: bool[n, outputs],
        the results that can still happen; where the game is over, the one that has. `boards` and `turns` are as in
        `evaluate_batch`.
        """
        n = _batch.Rows(boards, _batch.NO_DICE, turns, self.rules, True).n
        moved = np.ascontiguousarray(np.asarray(boards)[:, ::-1])
        movers = None if turns is None else 1 - np.asarray(turns)
        inputs = np.empty((n, len(_encoding.columns(self.rules))), np.float32)
        _encoding.write_inputs(moved, movers, self.rules, inputs)
        contact, possible = np.empty(n, np.bool_), np.empty((n, len(self.outputs)), np.bool_)
        self.native.look(moved, movers, contact, possible)
        width = files.input_count(self.rules, self.encoding)
        return {"inputs": np.ascontiguousarray(inputs[:, :width]), "contact": contact, "possible": possible}

    @property
    def rules(self) -> Ruleset:
        """The rules that it was trained for."""
        return self.weights.rules

    @property
    def outputs(self) -> tuple[int, ...]:
        """The results that these rules can end with, as points of the side to move, least first."""
        return outputs(self.weights.rules)

    @property
    def hidden(self) -> int:
        """The width of the hidden layer."""
        return self.weights.hidden

    @property
    def encoding(self) -> str:
        """What it is told of a board: ``slots``, the checkers on each, or ``dense-1``, and what is worked out from them."""
        return self.weights.encoding

    @property
    def training(self) -> dict[str, Any]:
        """How it was trained."""
        return dict(self.weights.training)

    def __repr__(self) -> str:
        return f"<Network of {self.rules.name!r}, {self.hidden} wide, {self.encoding!r}>"

    def __reduce__(self) -> tuple[type[Self], tuple[files.Weights]]:
        return type(self), (self.weights,)

    def evaluate(self, position: Position, *, tables: bool = True) -> Chances:
        """The chances of the side to move, before it throws. A finished position is exact.

        With `tables` positions that bear-off tables cover are looked up there (`nardy_fast.bearoff.race`), which on first use
        may take a second to build; `Chances.source` says what has answered.

        Where stages are pending (rulebook, section 3), the chances are those of their best play. Two stages are looked through in
        full; of more, but for the last, those two plays of each that look best at once.
        """
        self._check(position)
        if tables and not position.is_over and position.pending is None:
            found = self._looked_up(position)
            if found is not None:
                return found
        chances, equity = self._judged([position])
        return self._chances(chances[0], equity[0], "over" if position.is_over else "network")

    def evaluate_batch(
        self,
        boards: NDArray[np.int8],
        *,
        turns: NDArray[np.int8] | None = None,
        pending: NDArray[np.int8] | None = None,
        out: NDArray[np.float32] | None = None,
        threads: int = 1,
    ) -> NDArray[np.float32]:
        """The chance of each of `outputs` for the side to move in each row, before it throws: float32[n, outputs].

        `boards`, int8[n, 2, 26], `turns`, int8[n], and `pending`, int8[n, 28], for which `turns` are needed, are as in
        `nardy_fast.batch`; `out` is where to write.
        """
        checked_workers(threads, None)
        if pending is not None and turns is None:
            raise ValueError("turns = None: where stages are pending it matters whose turn it is")
        n = _batch.Rows(boards, _batch.NO_DICE, turns, self.rules, True, False, pending).n
        if out is None:
            out = np.empty((n, len(self.outputs)), np.float32)
        equity = np.empty(n, np.float32)
        if pending is None:
            self._share(self.native.evaluate, (boards, turns), (out, equity), threads)
        else:
            judge = partial(_staged.evaluate, self.native)
            self._share(judge, (boards, turns, pending), (out, equity), threads, self.rules)
        return out

    def best_plays(
        self,
        boards: NDArray[np.int8],
        dice: Any,
        *,
        turns: NDArray[np.int8] | None = None,
        pending: NDArray[np.int8] | None = None,
        rules: str | Ruleset | None = None,
        threads: int = 1,
    ) -> BestPlays:
        """The best play of each row, the player who moved still in row 0.

        `boards`, `dice`, `turns` and `pending` are as in `nardy_fast.batch`; in the stage variants `turns` are needed. `rules`:
        of the games, if they are not the network's own. Of plays that are worth the same, the one whose board is smallest, row 0
        first, is taken.
        """
        found = self._rules_of(rules)
        checked_workers(threads, None)
        n = _batch.Rows(boards, dice, turns, found, True, False, pending).n
        if isinstance(dice, tuple | list):
            dice = np.tile(np.array(dice, np.int8), (n, 1))
        best = BestPlays(np.empty((n, 2, SLOTS), np.int8), np.empty(n, np.int32), np.empty(n, np.float32))
        if not _staged.is_staged(found):
            self._share(self.native.best_plays, (boards, dice, turns), tuple(best), threads, found)
        elif turns is None:
            raise ValueError(f"turns = None: by the rules {found.name!r} it matters whose turn it is")
        else:
            choose = partial(_staged.best_plays, self.native)
            self._share(choose, (boards, dice, turns, pending), tuple(best), threads, found)
        return best

    def rank(self, position: Position, dice: Iterable[int] | None = None) -> list[Candidate]:
        """The plays of these two dice, or, without dice, of the pending stage, best first; none where the game is over."""
        self._check(position)
        plays = position.plays(dice)
        if not plays:
            return []
        chances, equity = self._judged_plays(position, plays)
        order = np.argsort(-equity, kind="stable")
        best = float(equity[order[0]])
        found = ((plays[number], self._chances(chances[number], equity[number], "network")) for number in order)
        return [Candidate(play, said, said.equity, best - said.equity) for play, said in found]

    def choose(self, position: Position, dice: Iterable[int] | None = None) -> Play:
        """The best play of these two dice, or of the stage that is pending. Raises `ValueError` where the game is over."""
        self._check(position)
        plays = position.plays(dice)
        if not plays:
            raise ValueError(f"position = {short_repr(position)}: the game is over")
        return plays[int(np.argmax(self._judged_plays(position, plays)[1]))]

    def choose_batch(
        self,
        boards: NDArray[np.int8],
        dice: NDArray[np.int8],
        rules: str | Ruleset,
        turns: NDArray[np.int8] | None = None,
        pending: NDArray[np.int8] | None = None,
    ) -> NDArray[np.int8]:
        """The board after the best play of each row, the player who moved still in row 0."""
        return self.best_plays(boards, dice, turns=turns, pending=pending, rules=rules).boards

    def _judged(self, positions: list[Position]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The chances of the side to move in each of these positions, by the same rules, and the points that it can expect."""
        boards = np.stack([position.board for position in positions])
        turns = np.array([position.turn for position in positions], np.int8)
        chances, equity = np.empty((len(boards), len(self.outputs)), np.float32), np.empty(len(boards), np.float32)
        if all(position.pending is None for position in positions):
            self.native.evaluate(boards, turns, chances, equity)
        else:
            pending = np.stack([NOTHING if found is None else found.to_row() for found in (p.pending for p in positions)])
            _staged.evaluate(self.native, boards, turns, pending, positions[0].rules, chances, equity)
        return chances, equity

    def _judged_plays(self, position: Position, plays: list[Play]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The chances of who makes each play, and the points that he can expect."""
        if _staged.is_staged(position.rules):
            chances, equity = self._judged([play.afterstate for play in plays])
            passed = np.array([play.afterstate.turn != position.turn for play in plays])
            chances[passed] = chances[passed, ::-1]
            equity[passed] *= -1
            return chances, equity
        after = np.stack([play.afterstate.board[::-1] for play in plays])
        chances, equity = np.empty((len(plays), len(self.outputs)), np.float32), np.empty(len(plays), np.float32)
        self.native.judge(position.board[None], position.turn, after, chances, equity)
        return chances, equity

    def _chances(self, chances: NDArray[np.float32], equity: Any, source: str) -> Chances:
        return Chances(self.outputs, tuple(chances.tolist()), float(equity), source)

    def _looked_up(self, position: Position) -> Chances | None:
        """What the bear-off tables say; None where they do not apply."""
        if position.rules.remaining:  # they do not know how many checkers are left
            return None
        try:
            found = race(position)
        except ValueError:
            return None
        # All are home: a mars is then a home mars where there is such, and never more.
        mars = self.rules.home_mars or 2
        chances = dict.fromkeys(self.outputs, 0.0)
        for points, chance in (
            (1, found.win - found.mars),
            (mars, found.mars),
            (0, found.draw),
            (-1, found.loss - found.lost_mars),
            (-mars, found.lost_mars),
        ):
            if chance:
                chances[points] += chance
        return Chances.of(chances, chances.values(), found.source)

    def _check(self, position: Position) -> None:
        check_position(position)
        if not isinstance(position, Position):
            raise TypeError(f"position = {short_repr(position)}: expected a nardy_fast.Position")
        self._rules_of(position.rules)

    def _rules_of(self, rules: str | Ruleset | None) -> Ruleset:
        """The rules of a game that this network can judge; `ValueError` for others."""
        own = self.rules
        if rules is None:
            return own
        found = ruleset(rules)
        if found.road != own.road or found.checkers != own.checkers:
            raise ValueError(
                f"rules = {found.name!r}: expected rules on {own.road} roads with {own.checkers} checkers, as the network's"
            )
        return found

    def _share(
        self, native: Callable[..., None], rows: tuple[Any, ...], outs: tuple[Any, ...], threads: int, *settings: Any
    ) -> None:
        """Call `native` on parts of the rows, some of which at once."""
        n = len(outs[-1])
        parts = (slice(begin, min(begin + _SHARD, n)) for begin in range(0, n, _SHARD))
        arrays = tuple(None if array is None else np.asarray(array) for array in rows)
        pieces = ((*(None if a is None else a[part] for a in arrays), *settings, *(out[part] for out in outs)) for part in parts)
        with closing(run(native, pieces, threads)) as finished:
            for _ in finished:
                pass
