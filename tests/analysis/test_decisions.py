"""Decisions that were judged beforehand, and what players lose in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy_fast as nf
from nardy_fast import Position
from nardy_fast.analysis import Decisions, ErrorRate, Searcher
from nardy_fast.analysis.phases import PHASES, phase_of
from nardy_fast.commands.main import main
from nardy_fast.players import Greedy, Network, Random, level

#: How many of each phase are shipped.
SHIPPED = {"long": [40, 50, 50, 80, 80], "short": [13, 17, 17, 27, 27]}


class First:
    """Chooses the first of the plays, or the last."""

    def __init__(self, decisions: Decisions, number: int) -> None:
        self.decisions, self.number = decisions, number

    def choose(self, position: Any, dice: Any) -> Any:
        raise NotImplementedError

    def choose_batch(self, boards: Any, dice: Any, rules: Any, turns: Any = None) -> Any:
        assert rules == self.decisions.rules
        return self.decisions.after[self.decisions.offsets[:-1] + self.number]


def two_decisions() -> Decisions:
    """The start of long nardy with 6-5, which can be played in one way, and with 3-3, in two."""
    found = []
    for dice, equities, phase in (((6, 5), (0.5,), "opening"), ((3, 3), (0.25, 0.5), "race")):
        position = Position.start("long")
        plays = [
            {"after": after.tolist(), "equity": equity, "error": 0.01}
            for after, equity in zip(afterstates(position, dice), equities, strict=True)
        ]
        found.append({"board": position.board.tolist(), "turn": 0, "dice": dice, "phase": phase, "plays": plays})
    return Decisions.of("long", found, {"how": "by hand"})


def afterstates(position: Position, dice: tuple[int, int]) -> Any:
    return [play.afterstate.board[::-1] for play in position.plays(dice)]


def test_what_is_lost_is_the_difference_from_the_best_play() -> None:
    decisions = two_decisions()
    assert decisions.losses(First(decisions, 0)) == pytest.approx([0, 0.25])
    rates = decisions.error_rates(First(decisions, 0))
    assert list(rates) == ["all", "opening", "race"]
    assert rates["all"] == ErrorRate(2, 125.0, 125.0, 0.5)
    assert rates["race"].millipoints == 250.0
    assert str(rates["all"]) == " 125.0 ± 125.0 thousandths lost a decision, 50% best of 2"


def test_a_play_that_is_not_there_is_not_counted() -> None:
    decisions = two_decisions()

    class Stays(First):
        def choose_batch(self, boards: Any, dice: Any, rules: Any, turns: Any = None) -> Any:
            return boards

    with pytest.raises(ValueError, match="a play that it chose is not legal"):
        decisions.losses(Stays(decisions, 0))


def test_they_are_the_same_after_a_file(tmp_path: Path) -> None:
    decisions = two_decisions()
    decisions.save(tmp_path / "two.npz")
    loaded = Decisions.load(tmp_path / "two.npz")
    assert (loaded.rules, loaded.made, len(loaded)) == (decisions.rules, {"how": "by hand"}, 2)
    for name in ("boards", "turns", "dice", "phases", "offsets", "after", "equities", "errors"):
        assert np.array_equal(getattr(loaded, name), getattr(decisions, name)), name


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"x\.npz: expected decisions"):
        Decisions.load(path)
    two_decisions().save(path)
    members = dict(np.load(path))
    for name, wrong in (("offsets", members["offsets"][::-1]), ("dice", members["dice"][:1]), ("header", members["turns"])):
        np.savez(path, **{**members, name: wrong})
        with pytest.raises(ValueError, match=r"x\.npz: expected decisions"):
            Decisions.load(path)
    with pytest.raises(ValueError, match="name = 'fevga': expected a path, or one of long, short"):
        Decisions.load("fevga")
    with pytest.raises(OSError, match=r"nowhere\.npz"):
        Decisions.load("nowhere.npz")


@pytest.mark.parametrize(
    ("text", "rules", "turn", "phase"),
    [
        ("24:15 12:15 w", "long", 0, "opening"),
        ("24:15 12:15 w", "long", 10, "middle"),
        # White holds 10 to 7: Black, on 12, has yet to pass them.
        ("24:11,10:1,9:1,8:1,7:1 12:15 w", "long", 12, "blocks"),
        ("24:11,10:1,9:1,8:1,7:1 12:15 b", "long", 12, "blocks"),
        # Black has passed those of 6 to 3.
        ("24:11,6:1,5:1,4:1,3:1 2:15 b", "long", 12, "middle"),
        ("10:3,8:2,6:4,5:3,4:2,3:1 22:3,20:2,18:4,17:3,16:2,15:1 w", "long", 50, "race"),
        ("6:10,5:5 22:3,20:2,18:4,17:3,16:2,15:1 w", "long", 50, "bearing off"),
        ("8:2,6:13 6:15 w", "short", 50, "race"),
        ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "short", 20, "middle"),
        ("13:3,8:3,7:3,6:3,5:3 24:2,13:5,6:5,4:3 w", "short", 20, "blocks"),
        ("13:7,8:2,7:1,6:2,5:3 24:2,13:5,6:5,4:3 w", "short", 20, "middle"),
    ],
)
def test_the_phases_of_a_game(text: str, rules: str, turn: int, phase: str) -> None:
    assert phase_of(Position.parse(text, rules), turn) == phase


# The shipped ones


@pytest.mark.parametrize("rules", SHIPPED)
def test_the_shipped_decisions_are_legal_whole_and_as_exact_as_they_say(rules: str) -> None:
    decisions = Decisions.load(rules)
    assert np.bincount(decisions.phases).tolist() == SHIPPED[rules]
    assert nf.batch.validate(decisions.boards, rules) == []
    legal = nf.batch.afterstates(decisions.boards, decisions.dice, rules, turns=decisions.turns)
    assert (legal.offsets == decisions.offsets).all()
    for number in range(len(decisions)):
        rows = slice(decisions.offsets[number], decisions.offsets[number + 1])
        assert {board.tobytes() for board in legal.boards[rows]} == {board.tobytes() for board in decisions.after[rows]}
        rolled = decisions.errors[rows][~np.isnan(decisions.errors[rows])]
        assert 2 <= len(rolled) <= 3
        assert rolled.max() <= 0.02


@pytest.mark.parametrize("rules", SHIPPED)
def test_the_weaker_a_player_the_more_he_loses(rules: str) -> None:
    decisions = Decisions.load(rules)
    network = Network.load(rules)
    players = [Random(1), level("easy", rules, 1), level("medium", rules, 1), network, Searcher(network)]
    rates = [decisions.error_rates(player)["all"].millipoints for player in players]
    assert rates == sorted(rates, reverse=True)
    assert decisions.error_rates(Greedy())["all"].millipoints > rates[3]
    assert list(decisions.error_rates(network)) == ["all", *PHASES]


def test_the_command_tells_rates_by_phase(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    two_decisions().save(tmp_path / "two.npz")
    assert main(["errorrate", "random", "--rules", str(tmp_path / "two.npz")]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:2] == ["opening", "1"]
    assert main(["errorrate", "greedy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["phase", "decisions", "lost", "±", "best"]
    assert [line.rsplit(maxsplit=4)[0] for line in lines[1:-1]] == ["all", *PHASES]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["greedy", "--plies", "1"], "expected with greedy 0, only networks look ahead"),
        (["long", "--rules", "nowhere.npz"], "nowhere.npz"),
        (["nowhere.npz"], "nowhere.npz"),
        (["short"], "expected rules on contrary roads"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errorrate", *arguments]) == 2
    assert error in capsys.readouterr().err
