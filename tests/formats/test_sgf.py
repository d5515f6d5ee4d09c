"""GNU Backgammon's .sgf files: those that it writes itself, small ones written for this, and what is none."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import referees

from nardy_fast.formats import files
from nardy_fast.formats.foreign import read_foreign
from nardy_fast.formats.records import from_text, to_text
from nardy_fast.formats.sgf import sgf_events
from nardy_fast.formats.transcript import Doubt, Turn
from nardy_fast.games.cube import Cube, CubeRules
from nardy_fast.ids.position_id import position_id

pytestmark = pytest.mark.referee

CORPUS = Path(__file__).parents[1] / "files"


@pytest.fixture(autouse=True)
def sgfmill() -> Any:
    return referees.module("sgfmill")


# Its own

#: The points of each match, 0 for a session of three games; and the game.
PLAYED = [
    *((points, "standard") for points in (1, 3, 5, 7, 2, 4) * 3),
    (3, "nackgammon"),
    (5, "nackgammon"),
    *[(0, "standard")] * 5,
]

SCRIPT = """
import gnubg, json
for command in ("set confirm new off", "set confirm save off", "set automatic roll on", "set display off", "set seed 11",
                "set automatic doubles 0", "set beavers 1", "set player 0 gnubg", "set player 1 gnubg",
                "set player 0 chequerplay evaluation plies 0", "set player 1 chequerplay evaluation plies 0",
                "set player 0 cubedecision evaluation plies 0", "set player 1 cubedecision evaluation plies 0"):
    gnubg.command(command)
answers = []
for number, (points, variation) in enumerate({played!r}):
    gnubg.command("set variation " + variation)
    gnubg.command("set automatic game " + ("on" if points else "off"))
    gnubg.command("new match %d" % points if points else "new session")
    for _ in range(0 if points else 2):
        gnubg.command("new game")
    gnubg.command("save match {folder}/%d.sgf" % number)
    answers.append([[game["info"], game["game"]] for game in gnubg.match(analysis=0)["games"]] + [gnubg.positionid()])
with open("{folder}/answers.json", "w") as file:
    json.dump(answers, file)
"""


def test_what_gnu_backgammon_saves_is_read_turn_by_turn(tmp_path: Path) -> None:
    assert len(PLAYED) == 25
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(played=PLAYED, folder=tmp_path))
    referees.run([referees.program("gnubg"), "-t", "-q", "-p", str(script)], home=tmp_path)
    kinds, turns = set(), 0
    for number, (points, variation) in enumerate(PLAYED):
        *games, last_id = json.loads((tmp_path / "answers.json").read_text())[number]
        match = read_foreign(tmp_path / f"{number}.sgf")
        assert (match.points, match.rules.name) == (points or None, "short" if variation == "standard" else variation)
        assert match.is_over == (points > 0)
        assert len(match.games) == len(games) >= (1 if points else 3)
        for game, (info, actions) in zip(match.games, games, strict=True):
            boards = [action["board"] for action in actions if action["action"] == "move"]
            assert [position_id(play.position) for play in game.turns] == boards
            assert game.result.points == info["points-won"]
            kinds |= {event[0] for event in game.events}
            turns += len(boards)
        info = games[-1][0]
        score = [info["score-X"], info["score-O"]]
        score["XO".index(info["winner"])] += info["points-won"]
        assert match.score == tuple(score)
        # It names the last position with the loser to move, or the winner.
        last = match.game.position
        flipped = type(last)(last.board[::-1], 1 - last.turn, last.rules)
        assert last_id in (position_id(last), position_id(flipped))
        assert from_text(to_text(match)) == match
    assert turns > 2000
    assert {"double", "take", "drop"} <= kinds


# Small ones


def sgf(*nodes: str, root: str = "MI[length:5][game:0][ws:0][bs:0]PW[Ute]PB[Sven]RU[Crawford]") -> str:
    return f"(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07]{root}\n" + "\n".join(f";{node}" for node in nodes) + ")\n"


def read(folder: Path, text: str, **options: Any) -> Any:
    file = folder / "match.sgf"
    file.write_text(text, encoding="utf-8")
    return read_foreign(file, **options)


def test_plays_cube_and_result_are_read(tmp_path: Path) -> None:
    root = r"MI[length:5][game:0][ws:0][bs:0]PW[Ute \] B.]PB[Свен]RU[Crawford]RE[B+2R]"
    nodes = (r"W[31hefe]C[a comment \] here]A[0][hefe E ver 3 0.5]", "B[double]", "W[take]DA[E]", "B[62agln]", "PL[W]DI[61]")
    match = read(tmp_path, sgf(*nodes, root=root))
    assert (match.players, match.points, match.score) == (("Ute ] B.", "Свен"), 5, (0, 2))
    assert match.cube == CubeRules(limit=1 << 15)
    assert [str(play) for play in match.game.turns] == ["8/5 6/5", "24/18 13/11"]
    assert match.game.result == (match.game.player(1), 2, "resigned")
    assert match.game.events[-3:] == (("roll", (6, 1)), ("resign", match.game.player(0), 1), ("accept",))


def test_a_variation_is_not_what_was_played(tmp_path: Path) -> None:
    text = sgf("W[31hefe]").replace(")\n", "(;B[62agln])(;B[62agrt]))\n")
    assert [str(play) for play in read(tmp_path, text).game.turns] == ["8/5 6/5", "24/18 13/11"]


def test_a_roll_may_wait_and_is_told_again(tmp_path: Path) -> None:
    waiting = read(tmp_path, sgf("W[31hefe]", "PL[B]DI[62]")).game
    assert (waiting.dice, waiting.result) == ((6, 2), None)
    played = read(tmp_path, sgf("PL[W]DI[31]", "W[31hefe]", "PL[B]DI[62]", "B[62agln]")).game
    assert len(played.turns) == 2


def test_the_bar_and_off_are_y_and_z() -> None:
    events = sgf_events(sgf("W[31yxaz]", "B[31yaxz]").encode())
    assert [event.ways for event in events if isinstance(event, Turn)] == [((25, 24), (1, 0)), ((25, 24), (1, 0))]


def test_ties_that_double_the_stake_are_read_in_sessions(tmp_path: Path) -> None:
    money = "MI[length:0][game:{}][ws:{}][bs:0]PW[Ute]PB[Sven]RU[Jacoby]{}RE[W+{}R]"
    text = sgf("W[31hefe]", root=money.format(0, 0, "CV[4]", 4)) + sgf("B[31qtst]", root=money.format(1, 4, "", 1))
    match = read(tmp_path, text)
    assert (match.score, match.points) == ((5, 0), None)
    assert (match.cube.jacoby, match.cube.automatic) == (True, 2)
    assert [len(game.start_throws) for game in match.games] == [3, 1]


def test_what_gnu_backgammon_writes_in_another_encoding_is_read(tmp_path: Path) -> None:
    file = tmp_path / "match.sgf"
    file.write_bytes(sgf("W[31hefe]").replace("Sven", "Jörg").encode("latin-1"))
    assert read_foreign(file).players == ("Ute", "Jörg")


# What is none

MI = "MI[length:5][game:0][ws:0][bs:0]PW[A]PB[B]"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a match that can be read: no SGF data found"),
        ("(;GM[6]", "not a match that can be read: error parsing game 0: unexpected end of SGF data"),
        ("(;GM[1]B[dd])", "not a match that can be read: GM[1]: expected GM[6], which is backgammon"),
        (sgf("W[77hefe]"), "W[77hefe]: expected a roll and a play, double, take or drop"),
        (sgf("W[31he]"), "game 1: text = '8/5': more must be played"),
        (sgf("W[31hehe]"), "game 1: text = '8/5 8/5': "),
        (sgf("W[31zefe]"), "W[31zefe]: expected a roll and a play"),
        (sgf("W[31hefe]", "W[31hefe]"), "game 1: 31: it is the other player's turn"),
        (sgf("W[31hefe]", "B[drops]"), "B[drops]: expected a roll and a play"),
        (sgf("DI[31]"), "DI[31]: expected a roll and whose it is"),
        (sgf("PL[W]DI[71]"), "DI[71]: expected a roll and whose it is"),
        (sgf("W[31hefe]", "PL[B]DI[31]", "B[62agln]"), "game 1: 62: another roll waits to be played"),
        (sgf("W[31hefe]", root=MI + "RU[Chess]"), "RU[chess]: expected Nackgammon, Hypergammon3, or nothing"),
        (sgf("W[31hefe]", root=MI + "CV[3]"), "CV[3]: expected a power of two"),
        (sgf("W[31hefe]", root=MI + "RE[W+7]"), "game 1: Wins 7: expected 1, 2 or 3 times the stake, which is 1"),
        (sgf("W[31hefe]", root=MI.replace("length:5", "length:five")), "not a match that can be read"),
        (sgf("W[31hefe]") * 2, "game 1: the game before is not over"),
        ("(;GM[6]" * 20_000, "not a match that can be read"),
    ],
)
def test_what_is_no_match_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r"^match\.sgf: ") as caught:
        read(tmp_path, text)
    assert reason in str(caught.value)


def test_a_lenient_reading_keeps_what_is_good(tmp_path: Path) -> None:
    root = "MI[length:5][game:{}][ws:{}][bs:0]PW[A]PB[B]RE[W+{}R]"
    text = sgf("W[31hefe]", "B[62xx]", root=root.format(0, 0, 1)) + sgf("B[31qtst]", root=root.format(1, 1, 2))
    with pytest.raises(ValueError, match="game 1"):
        read(tmp_path, text)
    with pytest.warns(Doubt, match="game 1: "):
        match = read(tmp_path, text, strict=False)
    assert match.score == (3, 0)


def test_files_are_known_by_what_is_in_them(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(sgf("W[31hefe]"), encoding="utf-8")
    (match,) = files.read(file)
    assert len(match.game.turns) == 1


def test_a_file_changed_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    rng = random.Random(5)
    whole = sgf("W[31hefe]", "B[double]", "W[take]", "B[62agln]", root=MI + "RE[W+2R]")
    outcomes = set()
    for _ in range(500):
        at, length = rng.randrange(len(whole)), rng.randrange(4)
        text = whole[:at] + "".join(rng.choices("();[]\\WB123az+R", k=rng.randrange(4))) + whole[at + length :]
        try:
            read(tmp_path, text)
        except ValueError as error:
            outcomes.add(str(error).partition(": ")[0])
        else:
            outcomes.add("read")
    assert outcomes == {"read", "match.sgf"}


# Set up by hand

BOARD = "AE[a:y]AW[f][f][h][y]AB[s][s][q][a][a]"


def test_a_match_may_begin_at_a_score(tmp_path: Path) -> None:
    root = "MI[length:5][game:3][ws:4][bs:2]PW[A]PB[B]RU[Crawford{}]RE[B+1R]"
    match = read(tmp_path, sgf("W[31hefe]", root=root.format(":CrawfordGame")))
    assert (match.first_score, match.score) == ((4, 2), (4, 3))
    assert match.game.stakes.is_crawford
    after = read(tmp_path, sgf("W[31hefe]", "B[double]", "W[drop]", root=root.format("")))
    assert not after.games[0].stakes.is_crawford
    assert after.score == (4, 3)


def test_a_position_a_cube_and_a_roll_may_be_set(tmp_path: Path) -> None:
    nodes = ("PL[W]DI[51]", f"PL[B]{BOARD}", "CV[4]", "CP[b]", "PL[B]DI[61]")
    match = read(tmp_path, sgf(*nodes), illegal="keep")
    game = match.game
    assert str(game.first_position) == "bar:1,8:1,6:2 24:2,8:1,6:2 b"
    assert (game.cube, game.dice, game.result) == (Cube(4, 1), (6, 1), None)
    assert from_text(to_text(match)) == match
    played = read(tmp_path, sgf(*nodes, "B[61qwst]", root=MI + "RE[B+4R]"))
    assert [str(play) for play in played.game.turns] == ["8/2 6/5"]
    assert played.score == (0, 4)


def test_a_cube_alone_may_be_set_and_doubled_from(tmp_path: Path) -> None:
    match = read(tmp_path, sgf("CV[2]", "CP[w]", f"PL[W]{BOARD}", "W[double]", "B[drop]", root=MI + "RE[W+2]"))
    assert match.score == (2, 0)
    middle = read(tmp_path, sgf("PL[W]DI[31]", "CV[2]", "CP[c]", "W[31hefe]"))
    assert middle.game.cube == Cube(2, None)


def test_what_is_set_in_the_midst_of_a_game_is_refused(tmp_path: Path) -> None:
    for node in (f"PL[W]{BOARD}", "CV[2]", "CP[w]"):
        with pytest.raises(ValueError, match="game 1: something is set by hand in the midst of the game"):
            read(tmp_path, sgf("W[31hefe]", node))
    second = sgf("B[31qtst]", root=MI + "RE[B+1R]") + sgf(f"PL[W]{BOARD}", "W[31hefe]", root=MI.replace("bs:0", "bs:1"))
    with pytest.raises(ValueError, match="game 2: game: of other rules than the match, or not from the start"):
        read(tmp_path, second, illegal="keep")


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        ("PL[X]DI[31]", "PL[X]: expected W or B"),
        ("PL[W]AW[aa]AB[b]", "AW[aa]: expected a point a..x, or y"),
        ("PL[W]" + "AW[a]" + "AB[x]" * 16, "board[1, 24] = 16: a slot holds 0..15 checkers"),
        ("PL[W]AW[a]AB[a]", "holds this point too"),
        ("CV[3]", "CV[3]: expected a power of two"),
        ("CP[x]", "CP[x]: expected c, w or b"),
    ],
)
def test_what_cannot_be_set_is_refused(tmp_path: Path, node: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r"^match\.sgf: ") as caught:
        read(tmp_path, sgf(node, "W[31hefe]"))
    assert reason in str(caught.value)


SET = """
import gnubg
for command in ("set confirm new off", "set confirm save off", "set automatic roll off", "set automatic game off",
                "set automatic move off", "set display off", "set player 0 human", "set player 1 human", "new match 5",
                "set board {board}", "set turn 0", "set cube value 2", "set cube owner 0", "set dice 61", "save match {file}"):
    gnubg.command(command)
"""


def test_what_is_set_in_gnu_backgammon_is_read(tmp_path: Path) -> None:
    file, script = tmp_path / "set.sgf", tmp_path / "script.py"
    script.write_text(SET.format(board="4HPwATDgc/ABMA", file=file))
    referees.run([referees.program("gnubg"), "-t", "-q", "-p", str(script)], home=tmp_path)
    game = read_foreign(file).game
    assert position_id(game.position) == "4HPwATDgc/ABMA"
    assert (game.position.turn, game.dice, game.cube) == (0, (6, 1), Cube(2, 0))
