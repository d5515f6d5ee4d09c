"""White and Black are the same player seen from two chairs: with the colours changed everything else stays as it was."""

from __future__ import annotations

from types import ModuleType

import pytest
import strategies
from usual_rulesets import USUAL_RULESETS


def with_colours_changed(text: str, road: str) -> str:
    """The position text where White stands as Black stood and Black as White stood.

    In long nardy both share one numbering, and Black's track is White's turned by half the board.
    """
    white, black, side = text.split()

    def turned(part: str) -> str:
        if part == "-" or road == "contrary":
            return part
        pairs = [pair.split(":") for pair in part.split(",")]
        moved = [((int(point) + 11) % 24 + 1, count) for point, count in pairs]
        return ",".join(f"{point}:{count}" for point, count in sorted(moved, reverse=True))

    return " ".join((turned(black), turned(white), "b" if side == "w" else "w"))


def mirrored_pairs(impl: ModuleType, native: ModuleType, name: str, positions: int, seed: int) -> int:
    """How many positions of random games were compared with their mirror images."""
    compared = 0
    for position, dice, _ in strategies.random_games(native.Position, USUAL_RULESETS[name], positions, seed):
        text = str(position)
        mirrored_text = with_colours_changed(text, USUAL_RULESETS[name].road)
        original, mirrored = impl.Position.parse(text, name), impl.Position.parse(mirrored_text, name)
        assert str(mirrored) == mirrored_text
        assert mirrored.turn == 1 - original.turn
        assert mirrored.board.tolist() == original.board.tolist()
        assert mirrored.pips == original.pips
        plays, mirrored_plays = original.plays(dice), mirrored.plays(dice)
        assert [play.steps for play in mirrored_plays] == [play.steps for play in plays], (text, dice)
        for play, mirror in zip(plays, mirrored_plays, strict=True):
            after, mirrored_after = play.afterstate, mirror.afterstate
            assert str(mirrored_after) == with_colours_changed(str(after), USUAL_RULESETS[name].road), (text, dice)
            assert mirrored_after.is_over == after.is_over
            assert mirrored_after.winner == (None if after.winner is None else 1 - after.winner)
        compared += 1
    return compared


@pytest.mark.parametrize(("name", "seed"), [("long", 1), ("short", 2)])
def test_white_and_black_mirror_each_other(impl: ModuleType, native: ModuleType, name: str, seed: int) -> None:
    assert mirrored_pairs(impl, native, name, 1000, seed) == 1000


@pytest.mark.parametrize(
    "name", ["tournament", "arena", "karzar", "giveaway", "khachapuri", "fevga", "acey_deucey", "old_english"]
)
def test_white_and_black_mirror_each_other_in_other_games(impl: ModuleType, native: ModuleType, name: str) -> None:
    assert mirrored_pairs(impl, native, name, 100, seed=3) == 100
