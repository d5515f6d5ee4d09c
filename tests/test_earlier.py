"""What was seeded, written or saved by an earlier state of the package comes out and is read as it was then: tests/data/earlier.

`digests.json` has, for every preset that there was, digests of seeded simulations, of a seeded game with its record, and of
batches moved on at random; the other files were written then. They change only when the rules of a game were wrong.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy_fast as nf

FOLDER = Path(__file__).parent / "data" / "earlier"
DIGESTS = json.loads((FOLDER / "digests.json").read_text(encoding="utf-8"))


def digest(*parts: bytes | str) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else part.encode())
    return whole.hexdigest()[:16]


def seeded_game(rules: str) -> nf.Game:
    """A game of which only the dice are random."""
    game = nf.Game(rules, seed=11)
    turns = 0
    while not game.is_over:
        if game.state is nf.State.CHOOSE:
            game.choose(6)
            continue
        if game.dice is None:
            game.roll()
        plays = game.position.plays(game.dice)
        game.play(plays[turns * 7 % len(plays)])
        turns += 1
    return game


@pytest.mark.parametrize("rules", DIGESTS["simulations"])
def test_a_seed_gives_the_random_games_that_it_gave(rules: str) -> None:
    games = nf.simulate(2000, rules, seed=7)
    arrays = games.winner, games.points.astype("<i2"), games.turns.astype("<i4")
    assert digest(*(array.tobytes() for array in arrays)) == DIGESTS["simulations"][rules]


@pytest.mark.parametrize("rules", DIGESTS["games"])
def test_a_seeded_game_and_its_records_are_what_they_were(rules: str) -> None:
    game = seeded_game(rules)
    assert digest(json.dumps(game.record(), sort_keys=True), nf.records.to_text(game)) == DIGESTS["games"][rules]


@pytest.mark.parametrize("rules", DIGESTS["batches"])
def test_a_seeded_batch_moves_on_as_it_did(rules: str) -> None:
    boards = np.repeat(nf.Position.start(rules).board[None], 256, axis=0)
    turns = np.zeros(256, np.int8)
    rng = np.random.Generator(np.random.SFC64(3))
    for _ in range(40):
        step = nf.batch.random_step(boards, rng, rules, restart=True, turns=turns)
        boards, turns = step.boards, step.turns
    assert digest(boards.tobytes()) == DIGESTS["batches"][rules]


@pytest.mark.parametrize("name", ["short", "federation"])
def test_a_match_saved_earlier_is_read_and_saved_as_it_was(name: str) -> None:
    saved = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    match = nf.Match.from_json(saved)
    assert json.loads(match.to_json()) == json.loads(saved)
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    # Who begins has been named since.
    assert re.sub(r"^(Starter: player [01]), .*$", r"\1", nf.records.to_text(match), flags=re.MULTILINE) == text
    assert nf.records.from_text(text) == match


def test_an_unfinished_game_saved_earlier_goes_on() -> None:
    saved = (FOLDER / "acey_deucey.json").read_text(encoding="utf-8")
    game: Any = nf.Game.from_json(saved)
    assert json.loads(game.to_json()) == json.loads(saved)
    assert len(game.turns) == len([event for event in json.loads(saved)["events"] if event[0] == "play"])


def test_files_written_earlier_hold_the_same_match() -> None:
    match = nf.Match.from_json((FOLDER / "short.json").read_text(encoding="utf-8"))
    assert list(nf.records.read_jsonl(FOLDER / "short.jsonl")) == [match]
    assert nf.mat.read_mat(FOLDER / "short.mat").score == match.score
    assert nf.mat.to_mat(match) == (FOLDER / "short.mat").read_text(encoding="utf-8")


def test_a_table_built_earlier_is_read_and_not_built_anew(tmp_path: Path) -> None:
    (stored,) = FOLDER.glob("*.table")
    copy = tmp_path / stored.name
    shutil.copyfile(stored, copy)
    before = copy.stat()
    table = nf.bearoff.TwoSided.load("long", 2, folder=tmp_path)
    assert table.path == copy
    after = copy.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert table.race(nf.Position.parse("1:2 18:2 w")).win == 1
    assert 0 < table.race(nf.Position.parse("6:2 18:2 w")).win < 1
