"""The shipped networks, and the levels made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import nardy_fast as nf
from nardy_fast.commands.main import main
from nardy_fast.players import Greedy, Network, Random, level, network, play


@pytest.mark.parametrize(
    ("name", "trained_for"),
    [
        ("long", "long"),
        ("federation", "long"),
        ("tournament", "long"),
        ("nardgammon", "long"),
        ("short", "short"),
        ("backgammon", "short"),
    ],
)
def test_a_preset_is_handed_the_network_that_plays_it(name: str, trained_for: str) -> None:
    found = Network.load(name)
    assert found.rules == nf.ruleset(trained_for)
    assert found.outputs == ((-2, -1, 1, 2) if trained_for == "long" else (-3, -2, -1, 1, 2, 3))
    # It plays the preset's own games.
    assert play(found, Random(), name, 20).points > 1


def test_a_shipped_network_has_at_most_a_megabyte() -> None:
    shipped = sorted(network.DATA.glob("*.npz"))
    assert [path.stem for path in shipped] == ["long", "short"]
    assert all(path.stat().st_size <= 1_000_000 for path in shipped)


@pytest.mark.parametrize(("rules", "points"), [("long", 1.2), ("short", 0.6)])
def test_it_beats_the_heuristic(rules: str, points: float) -> None:
    result = play(Network.load(rules), Greedy(), rules, 1000, seed=1)
    assert result.points > points


@pytest.mark.parametrize("rules", ["long", "short"])
@pytest.mark.parametrize(("weaker", "stronger"), [("random", "easy"), ("easy", "medium"), ("medium", "strong")])
def test_each_level_beats_the_one_below(rules: str, weaker: str, stronger: str) -> None:
    assert play(level(stronger, rules), level(weaker, rules), rules, 600, seed=2).wins >= 0.65


def test_rules_without_a_network_have_no_levels_but_random() -> None:
    assert repr(level("random", "fevga")) == "Random()"
    with pytest.raises(ValueError, match="name = 'fevga': expected a path, or a preset with a network: long, short"):
        level("easy", "fevga")


def test_a_match_between_levels_is_played_from_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.jsonl"
    arguments = ["match", "--white", "strong", "--black", "easy", "--points", "5", "--cube", "--rules", "short"]
    assert main([*arguments, "--seed", "3", "--out", str(out)]) == 0
    (played,) = nf.records.read_jsonl(out)
    assert isinstance(played, nf.Match)
    assert played.players == ("strong 0", "easy 1")
    assert played.score[0] >= 5 > played.score[1]
    # The same seed, the same match.
    assert main([*arguments, "--seed", "3", "--out", str(tmp_path / "again.jsonl")]) == 0
    assert (tmp_path / "again.jsonl").read_bytes() == out.read_bytes()
    assert main([*arguments, "--player", "random"]) == 2
    assert "--player: expected that, or --white and --black" in capsys.readouterr().err
