"""Reviews beside GNU Backgammon's own analysis of the same matches."""

from __future__ import annotations

from pathlib import Path

import gnubg_matches
import numpy as np
import pytest
import referees

from nardy_fast.analysis import MatchEquity, review


def ranks(values: list[float]) -> np.ndarray:
    """The rank of each value, equal ones sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return ((last - counts + last - 1) / 2)[inverse]


def correlation(first: list[float] | np.ndarray, second: list[float] | np.ndarray) -> float:
    return float(np.corrcoef(first, second)[0, 1])


@pytest.mark.referee
def test_errors_and_luck_are_those_that_gnu_backgammon_finds(tmp_path: Path) -> None:
    referees.program("gnubg")
    table = MatchEquity.read("/usr/share/gnubg/met/Kazaross-XG2.xml")  # its own
    kinds = [(points, False) for points in (3, 5, 5, 7, 7)]
    losses: list[tuple[float, float]] = []
    luck: list[tuple[float, float]] = []
    for analysed in gnubg_matches.play(tmp_path, kinds, seed=7, noise=(0.15, 0.15)):
        found = review(analysed.match, plies=1, table=table)
        for game, moves in zip(found.games, analysed.games, strict=True):
            plays = {each.turn: each for each in game.decisions if each.kind == "play"}
            throws = {each.turn: each for each in game.throws}
            for turn, move in enumerate(moves):
                told = move.get("analysis", {})
                if "luck-value" in told:
                    luck.append((told["luck-value"], throws[turn].luck))
                if "imove" in told and not plays[turn].forced:
                    loss = told["moves"][0]["score"] - told["moves"][told["imove"]]["score"]
                    losses.append((loss, plays[turn].loss))
    told_losses = [pair for pair in losses if max(pair) > 0.02]
    assert len(told_losses) > 150
    assert len(luck) > 300
    theirs, ours = map(list, zip(*told_losses, strict=True))
    assert correlation(ranks(theirs), ranks(ours)) >= 0.7
    assert correlation(*map(list, zip(*luck, strict=True))) >= 0.9
