"""Match files: what we write and read again, what GNU Backgammon and eXtreme Gammon write, and what is no match file."""

from __future__ import annotations

import itertools
import json
import random
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import referees
from cube_players import play_match
from hypothesis import given
from hypothesis import strategies as st

import nardy_fast as nf
from nardy_fast.formats.mat import from_mat, read_mat, to_mat, write_mat
from nardy_fast.formats.records import from_text, read_jsonl, read_text, to_text
from nardy_fast.games.cube import CubeRules
from nardy_fast.games.illegal import IllegalPlay
from nardy_fast.games.states import State
from nardy_fast.ids.position_id import position_id
from nardy_fast.rules import ruleset

#: As eXtreme Gammon writes: a byte order mark, many headers, doubles one by one, a resignation after a roll, `Wins 1 point`.
XG = """\ufeff; [Site "eXtreme Gammon"]
; [Match ID "238991235"]
; [Player 1 "Anna"]
; [Player 2 "Борис Б."]
; [Player 1 Elo "1600.00/0"]
; [EventDate "2009.10.03"]
; [Variation "Backgammon"]
; [Unrated "Off"]
; [Crawford "On"]
; [CubeLimit "1024"]

3 point match

 Game 1
 Anna : 0                             Борис Б. : 0
  1) 31: 8/5 6/5                     66: 24/18 24/18 13/7 13/7
  2)  Doubles => 2                    Takes
  3) 21: 13/11 6/5                   63: ????
      Wins 2 points

 Game 2
 Anna : 2                             Борис Б. : 0
  1)                                 41: 24/23 13/9
  2) 43: 24/20 13/10                 51: 13/8 9/8
     Wins 1 point and the match
"""


def a_match(seed: int, points: int | None, cube: CubeRules | None, rules: str = "short", games: int = 4) -> Any:
    match = nf.Match(points, rules, cube=cube, players=("Anna K.", "Борис"), seed=seed)
    return play_match(match, random.Random(seed), games)


KINDS = [
    (5, CubeRules()),
    (7, CubeRules(crawford=False, limit=1024)),
    (None, CubeRules(jacoby=True, beavers=True)),
    (None, CubeRules()),
    (3, None),
]


def played(match: Any) -> list[list[str]]:
    return [[str(play.afterstate) for play in game.turns] for game in match.games]


# Ours


@pytest.mark.parametrize("rules", ["short", "nackgammon", "hypergammon"])
@pytest.mark.parametrize(("points", "cube"), KINDS)
def test_what_is_written_is_read_again(tmp_path: Path, points: int | None, cube: CubeRules | None, rules: str) -> None:
    match = a_match(3, points, cube, rules)
    file = tmp_path / "match.mat"
    write_mat(file, match)
    again = read_mat(file)
    assert (again.points, again.rules, again.cube, again.players) == (match.points, match.rules, match.cube, match.players)
    assert (again.score, [game.result for game in again.games]) == (match.score, [game.result for game in match.games])
    assert played(again) == played(match)
    assert to_mat(again) == to_mat(match)
    assert read_mat(file, nf.reference.Match).score == match.score
    assert from_text(to_text(again)) == again


def test_the_columns_are_those_of_gnu_backgammon() -> None:
    match = nf.Match(3, "short", cube=CubeRules(), players=("Anna", "Boris"), dice=[(1, 3), (6, 6), (2, 1), (6, 3)])
    game = match.start_game()
    game.play("8/5 6/5")
    game.roll()
    game.play("24/18(2) 13/7(2)")
    game.double()
    game.take()
    game.roll()
    game.play("13/11 6/5")
    game.roll()
    game.resign()
    game.accept()
    assert to_mat(match).splitlines() == [
        '; [Variation "Backgammon"]',
        '; [Crawford "On"]',
        '; [CubeLimit "64"]',
        "",
        " 3 point match",
        "",
        " Game 1",
        " Anna : 0                       Boris : 0",
        "  1)                             31: 8/5 6/5",
        "  2) 66: 24/18 24/18 13/7 13/7    Doubles => 2",
        "  3)  Takes                      21: 13/11 6/5",
        "  4) 63:                         ",
        f"{' ' * 34}Wins 2 points",
    ]


@pytest.mark.parametrize("actions", [(), ("double",), ("double", "take"), ("double", "take", "roll"), ("double", "drop")])
def test_an_unfinished_game_is_held(actions: tuple[str, ...]) -> None:
    match = nf.Match(3, "short", cube=CubeRules(), dice=[(3, 1), (6, 2)])
    game = match.start_game()
    game.play("8/5 6/5")
    for action in actions:
        getattr(game, action)()
    again = from_mat(to_mat(match))
    assert (again.game.state, again.game.cube, again.game.dice, again.score) == (game.state, game.cube, game.dice, match.score)


def test_a_beaver_is_held() -> None:
    def beavered(*actions: str) -> Any:
        match = nf.Match(None, "short", cube=CubeRules(beavers=True), dice=[(3, 1), (6, 2)])
        match.start_game().play("8/5 6/5")
        for action in ("double", "beaver", *actions):
            getattr(match.game, action)()
        return match

    for actions in ((), ("drop",), ("take",), ("take", "roll")):
        match = beavered(*actions)
        again = from_mat(to_mat(match))
        assert (again.game.state, again.game.cube, again.score) == (match.game.state, match.game.cube, match.score)


def refuse(match: Any, *actions: Any) -> Any:
    match.start_game()
    for action, *arguments in actions:
        getattr(match.game, action)(*arguments)
    return match


def short(**agreed: Any) -> Any:
    return nf.Match(agreed.pop("points", 5), "short", dice=[(3, 1), (6, 2), (6, 5)], **agreed)


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (nf.Match(3, "long", seed=1), "rules = 'long': a .mat file holds only Backgammon"),
        (nf.Match(3, "old_english", seed=1), "a .mat file holds only"),
        (short(players=("A:B", "C")), "a name in a .mat file"),
        (short(players=("A", " C")), "a name in a .mat file"),
        (short(players=("A\n", "C")), "a name in a .mat file"),
        (short(players=("", "C")), "a name in a .mat file"),
        (short(cube=CubeRules(dead_cube=True)), "dead_cube = True"),
        (refuse(short(), ("abandon",)), "game 1: 'abandon' happened"),
        (refuse(short(), ("resign",)), "game 1: 'resign' happened"),
        (refuse(short(), ("resign",), ("refuse",)), "game 1: 'resign' happened"),
        (refuse(short(), ("let_stand", "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 b")), "game 1: 'let_stand' happened"),
        (refuse(nf.Match(None, "short", cube=CubeRules(automatic=1), dice=[(1, 1), (3, 1)])), "ties have doubled the stake"),
        (refuse(nf.Match(3, replace(ruleset("short"), next_starter="winner"), seed=1)), "a .mat file holds only"),
    ],
)
def test_what_a_mat_file_cannot_hold_is_refused(tmp_path: Path, match: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        write_mat(tmp_path / "match.mat", match)
    assert not (tmp_path / "match.mat").exists()


@pytest.mark.parametrize(("points", "score"), [(5, (2, 1)), (5, (4, 1)), (None, (7, 3)), (5, (4, 4))])
def test_a_match_that_begins_at_a_score_is_held(points: int | None, score: tuple[int, int]) -> None:
    match = nf.Match(points, "short", cube=CubeRules(), players=("Anna", "Boris"), score=score, seed=2)
    play_match(match, random.Random(2), 2)
    again = from_mat(to_mat(match))
    assert (again.first_score, again.score) == (score, match.score)
    assert [game.stakes for game in again.games] == [game.stakes for game in match.games]
    assert to_mat(again) == to_mat(match)


def test_a_match_that_begins_after_its_crawford_game_is_not_held() -> None:
    match = nf.Match(5, "short", cube=CubeRules(), score=(4, 1), is_crawford=False, seed=2)
    with pytest.raises(ValueError, match=r"is_crawford = False: a \.mat file does not hold it"):
        to_mat(match)


def test_a_position_that_was_set_up_is_not_held() -> None:
    match = nf.Match(5, "short", cube=CubeRules(), seed=2)
    match.add_game(nf.Game.from_position(nf.Position.parse("6:1 6:1 w", "short"), cube=match.next_stakes))
    with pytest.raises(ValueError, match="game 1: a game that does not begin from the start"):
        to_mat(match)


# eXtreme Gammon's


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("way", ["text", "file"])
def test_what_extreme_gammon_writes_is_read(tmp_path: Path, way: str, line_end: str) -> None:
    text = XG.replace("\n", line_end)
    if way == "file":
        (tmp_path / "xg.mat").write_bytes(text.encode())
    match = read_mat(tmp_path / "xg.mat") if way == "file" else from_mat(text)
    assert match.players == ("Anna", "Борис Б.")
    assert (match.points, match.cube) == (3, CubeRules(limit=1024))
    assert [game.result for game in match.games] == [(0, 2, "resigned"), (0, 1, "resigned")]
    assert [str(play) for play in match.games[0].turns] == ["8/5 6/5", "24/18(2) 13/7(2)", "13/11 6/5"]
    assert match.games[1].stakes.is_crawford
    assert match.winner == 0


def test_players_may_change_columns_and_the_header_says_who_is_first() -> None:
    swapped = XG.replace(" Anna : 2                             Борис Б. : 0\n  1)                                 41", "@")
    swapped = swapped.replace("@", " Борис Б. : 0                         Anna : 2\n  1)                                 41")
    match = from_mat(swapped.replace("     Wins 1", " " * 40 + "Wins 1"))
    assert match.score == (3, 0)
    assert match.games[1].starter == 0
    other = from_mat(XG.replace('Player 1 "Anna"', 'Player 1 "Борис Б."').replace('Player 2 "Борис Б."', 'Player 2 "Anna"'))
    assert other.players == ("Борис Б.", "Anna")
    assert other.score == (0, 3)


def one_game(*rows: str, headers: str = "", points: int = 5) -> str:
    return f"{headers}\n {points} point match\n\n Game 1\n Anna : 0      Boris : 0\n" + "\n".join(rows) + "\n"


def test_beavers_and_points_of_the_cube_are_checked() -> None:
    rows = ["  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Beavers => 4                62: 24/18 13/11"]
    game = from_mat(one_game(*rows, points=0)).game
    assert game.cube == (4, 0)
    as_gnubg = from_mat(one_game(rows[0], "  2)  Doubles => 4                 Takes", points=0)).game
    assert as_gnubg.cube == (4, 0)
    with pytest.raises(ValueError, match="line 6: game 1: double => 8: it is to 2"):
        from_mat(one_game("  1) 31: 8/5 6/5                  Doubles => 8"))
    with pytest.raises(ValueError, match="a raccoon"):
        from_mat(one_game(*rows[:1], "  2)  Beavers => 4                 Raccoons => 8", points=0))


def test_jacobys_rule_is_found_out_where_the_header_does_not_tell() -> None:
    match, rng = nf.Match(None, "hypergammon", cube=CubeRules(jacoby=True), seed=1), random.Random(1)
    while not any(game.result.kind != "single" for game in match.games):
        game = match.start_game()
        while not game.is_over:
            if game.state is State.ROLL:
                game.roll()
            game.play(rng.choice(game.position.plays(game.dice)))
    match.start_game()
    assert sum(match.score) == len(match.games) - 1
    text = to_mat(match)
    for jacoby in ("On", "Off"):
        told = text.replace('[Jacoby "On"]', f'[Jacoby "{jacoby}"]')
        if jacoby == "On":
            assert from_mat(told).cube == CubeRules(jacoby=True)
        else:
            with pytest.raises(ValueError, match=r"by the turns it is|by the games before"):
                from_mat(told)
    assert from_mat(text.replace('; [Jacoby "On"]\n', "")).score == match.score


def test_a_pass_is_written_in_several_ways_and_a_forced_play_may_be_missing() -> None:
    rows = [
        "  1) 31: 8/5 6/5                 31: 8/5 6/5",
        "  2) 42: 8/4 6/4                 42: 8/4 6/4",
        "  3) 64: 24/18 13/9              11:  6/5 5/4 (2)",
    ]
    with pytest.raises(ValueError, match=r"line 8: game 1: \(2\): expected a move"):
        from_mat(one_game(*rows))
    match = nf.Match(9, "short", seed=5)
    play_match(match, random.Random(5), 3)
    assert any(not play.steps for game in match.games for play in game.turns)
    text = to_mat(match)
    lines = [f"{line} Cannot Move" if line.endswith(":") and ")" in line else line for line in text.splitlines()]
    assert "\n".join(lines) != text
    assert played(from_mat("\n".join(lines))) == played(match)


# Illegal plays

AFTER = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 b"


SNOWIE = "5;0;0;0;1;Boris;Anna;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-1;0;-6;-1;0;0;0;2;0;0;0;"


@pytest.mark.parametrize(
    "cell",
    ["31: 8/5 8/6 illegal play", "31: 8/5 8/6 ILLEGAL?", "31: 8/5 8/6 (illegal)", f"31: Illegal play ({SNOWIE})"],
)
def test_an_illegal_play_that_is_marked_stands(cell: str) -> None:
    match = from_mat(one_game(f"  1) {cell}", "  2)                             62: 24/18 13/11"))
    first, second = match.game.turns
    assert isinstance(first, IllegalPlay)
    assert str(first.afterstate) == "24:2,13:5,8:1,6:6,5:1 24:2,13:5,8:3,6:5 b"
    assert str(second) == "24/18 13/11"
    assert match.game.passes == 0
    assert from_text(to_text(match)) == match
    assert nf.Match.from_json(match.to_json()) == match
    match.game.undo()
    match.game.undo()
    assert match.game.position == nf.Position.start("short")
    match.game.redo()
    assert match.game.turns == (first,)


def test_an_illegal_play_that_is_not_marked_is_refused_or_kept() -> None:
    text = one_game("  1) 31: 8/5 8/6                 62: 24/18 13/11")
    with pytest.raises(ValueError, match=r"line 6: game 1: text = '8/5 8/6': "):
        from_mat(text)
    assert isinstance(from_mat(text, illegal="keep").game.turns[0], IllegalPlay)
    with pytest.raises(ValueError, match=r"holds this point too"):
        from_mat(one_game("  1) 31: 6/1 6/5"), illegal="keep")
    with pytest.raises(ValueError, match="illegal = 'maybe'"):
        from_mat(text, illegal="maybe")


# GNU Backgammon

READ = """
import gnubg, json
for command in ("set confirm new off", "set confirm save off", "set player 0 human", "set player 1 human",
                "set automatic game off"):
    gnubg.command(command)
answers = []
for name, jacoby in {files!r}:
    gnubg.command("set jacoby " + ("on" if jacoby else "off"))
    gnubg.command("import mat " + name)
    answers.append([[game["info"], game["game"]] for game in gnubg.match(analysis=0)["games"]])
with open({answers!r}, "w") as file:
    json.dump(answers, file)
"""


@pytest.mark.referee
def test_gnu_backgammon_reads_our_files_and_arrives_at_the_same_score(tmp_path: Path) -> None:
    program = referees.program("gnubg")
    kinds = [(*kind, rules) for kind, rules, _ in itertools.product(KINDS, ["short", "nackgammon"], range(3)) if kind[1]]
    # It crashes on cubes of some hundreds in a match.
    matches = [a_match(seed, points, replace(cube, limit=64), rules) for seed, (points, cube, rules) in enumerate(kinds)]
    files = []
    for number, match in enumerate(matches):
        write_mat(tmp_path / f"{number}.mat", match)
        files.append((str(tmp_path / f"{number}.mat"), match.cube.jacoby))
    script, answers = tmp_path / "script.py", tmp_path / "answers.json"
    script.write_text(READ.format(files=files, answers=str(answers)))
    referees.run([program, "-t", "-q", "-p", str(script)], home=tmp_path)
    theirs = json.loads(answers.read_text())
    turns = 0
    assert len(theirs) == len(matches) >= 5
    for match, games in zip(matches, theirs, strict=True):
        assert len(games) == len(match.games)
        info = games[-1][0]
        score = [info["score-X"], info["score-O"]]
        score["XO".index(info["winner"])] += info["points-won"]
        assert tuple(score) == match.score
        for game, (info, actions) in zip(match.games, games, strict=True):
            assert info["points-won"] == game.result.points
            if match.cube.crawford:  # it always reads such files as played with Crawford's rule
                assert info.get("crawford", False) == game.stakes.is_crawford
            boards = [action["board"] for action in actions if action["action"] == "move"]
            assert boards == [position_id(play.position) for play in game.turns]
            turns += len(boards)
    assert turns >= 1000


EXPORT = """
import gnubg
for command in ("set confirm new off", "set confirm save off", "set automatic roll on", "set automatic game on",
                "set display off", "set player 0 gnubg", "set player 1 gnubg", "set seed 6",
                "set player 0 chequerplay evaluation plies 0", "set player 1 chequerplay evaluation plies 0",
                "set player 0 cubedecision evaluation plies 0", "set player 1 cubedecision evaluation plies 0"):
    gnubg.command(command)
for number, points in enumerate((1, 3, 5, 7, 9, 0, 0, 0, 0)):
    if points == 0:  # for money, one game
        gnubg.command("set automatic game off")
    gnubg.command("new match %d" % points if points else "new session")
    gnubg.command("export match mat {folder}/%d.mat" % number)
    games = gnubg.match(analysis=0)["games"]
    with open("{folder}/%d.txt" % number, "w") as file:
        info = games[-1]["info"]
        score = [info["score-X"], info["score-O"]]
        score["XO".index(info["winner"])] += info["points-won"]
        print(*score, sum(action["action"] == "move" for game in games for action in game["game"]), file=file)
"""


@pytest.mark.referee
def test_what_gnu_backgammon_exports_is_read_and_every_turn_is_legal(tmp_path: Path) -> None:
    program = referees.program("gnubg")
    script = tmp_path / "script.py"
    script.write_text(EXPORT.format(folder=tmp_path))
    referees.run([program, "-t", "-q", "-p", str(script)], home=tmp_path)
    kinds = set()
    for number in range(9):
        match = read_mat(tmp_path / f"{number}.mat")
        first, second, turns = map(int, (tmp_path / f"{number}.txt").read_text().split())
        assert match.score == (first, second)
        assert match.is_over == (match.points is not None)
        assert sum(len(game.turns) for game in match.games) == turns
        kinds |= {event[0] for game in match.games for event in game.events}
        assert from_mat(to_mat(match)) == match
    assert {"double", "take", "drop", "resign"} <= kinds


# What is no match file


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: the file ends before its first game"),
        ("line 7: x\n", "line 1: line 7: x: expected a header"),
        ("\n\n 5 point match\n", "line 3: the file ends before its first game"),
        ("hello\n", "line 1: hello: expected a header, or '5 point match'"),
        ("99999999999999999999 point match\n", "line 1: 99999999999999999999 point match: expected"),
        ("5 point match\nGame 2\n", "line 2: Game 2: expected Game 1"),
        ("5 point match\nGame 1\nAnna 0 Boris 0\n", "line 3: game 1: Anna 0 Boris 0: expected the players"),
        ("5 point match\nGame 1\nAnna : 0  Boris : 5\n", "line 3: game 1: score = (0, 5): expected two numbers of points"),
        (
            one_game("  1) 31: 8/5 6/5", "      Wins 1 point", " Game 2", "Anna : 0  Boris : 1"),
            "line 9: game 2: 0-1: by the games before, the score is 1-0",
        ),
        ("5 point match\nGame 1\nAnna : 0  Boris : 99999999999\n", "expected the players and their scores"),
        ('; [Variation "Chess"]\n5 point match\nGame 1\nA : 0  B : 0\n', "line 1: Variation 'Chess': expected one of"),
        ('; [CubeLimit "7"]\n5 point match\nGame 1\nA : 0  B : 0\n', "limit = 7: expected a power of two"),
        ('; [CubeLimit "1e9"]\n5 point match\nGame 1\nA : 0  B : 0\n', "CubeLimit '1e9': expected a number"),
        ('; [Crawford "Maybe"]\n5 point match\nGame 1\nA : 0  B : 0\n', "Crawford 'Maybe': expected On or Off"),
        (one_game("  1) 33: 8/5"), "line 6: game 1: 33: the first roll is the throw for the start, and no double"),
        (one_game("  1) 31: 8/5 6/5", "  2) 31: 8/5 6/5"), "line 7: game 1: 31: it is the other player's turn"),
        (one_game("  1) 31: 9/5"), "line 6: game 1: 9/5: there is no checker to move so"),
        (one_game("  1) 31: 8/5 6/x"), "line 6: game 1: 6/x: expected a move"),
        (one_game("  1) 31: 8/5 66/7"), "66: expected a point 0..25"),
        (one_game("  1) 31: 8/5 6/5                 62:", "  2) 31:"), "no play was written for this roll"),
        (one_game("  1)  Doubles => 2"), "double: expected the first roll of the game"),
        (one_game("  1) 31: 8/5 6/5                  Takes"), "take: the dice have not been thrown yet"),
        (one_game("  1) 31: 8/5 6/5                 dances"), "line 6: game 1: dances: expected a roll and a play"),
        (one_game("  1) 31: 8/5 6/5", "      Wins 7 points"), "Wins 7: expected 1, 2 or 3 times the stake, which is 1"),
        (one_game("  1) 31: 8/5 6/5", "      Wins 1 point", " Game 2", "Anna : 1  Carl : 0"), "the players are Anna and Boris"),
        (one_game("  1) 31: 8/5 6/5", " Game 2"), "line 7: game 1: the game before is not over"),
        (one_game("; Set Pos=-b----E-C---eE---c-e----B-/0"), "Set Pos: a position set by hand"),
        (one_game("  1) 31: Illegal play (5;0;0)"), "expected a position as Snowie writes it"),
        (
            one_game("  1) 31: 8/5 6/5", "      Wins 1 point", points=1) + "Game 2\nAnna : 1  Boris : 0\n 1) 31: 8/5\n",
            "the match is over",
        ),
    ],
)
def test_what_is_no_match_file_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r"^line \d+: ") as caught:
        from_mat(text)
    assert reason in str(caught.value)


def test_what_is_no_text_and_no_match_is_told_before_anything_is_done() -> None:
    with pytest.raises(TypeError, match=r"^text = None: expected a string$"):
        from_mat(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^match = <Game .*: expected a Match$"):
        to_mat(nf.Game("short"))  # type: ignore[arg-type]


def reads_or_refuses(text: str) -> bool:
    """Whether the text is read; if not, a line must be named."""
    try:
        from_mat(text)
    except ValueError as error:
        named = str(error).startswith("line ")
    else:
        return True
    assert named, text
    return False


def test_a_file_cut_anywhere_is_read_as_far_or_refused() -> None:
    whole = XG.replace("\r", "")
    read = sum(reads_or_refuses(whole[:end]) for end in range(len(whole)))
    assert 0 < read < len(whole)
    long = to_mat(a_match(1, 5, CubeRules()))
    for end in random.Random(1).sample(range(len(long)), 40):
        reads_or_refuses(long[:end])


@given(st.data())
def test_a_file_changed_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(XG) - 1))
    length = data.draw(st.integers(0, 12))
    new = data.draw(st.text(st.sampled_from('0123456789/*:;()[]= \t\r\nWinsDoublesTakes"\x00\ufeffж'), max_size=12))
    reads_or_refuses(XG[:at] + new + XG[at + length :])


def test_other_encodings_are_read_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    for encoding in ("utf-16", "utf-32"):
        file.write_bytes(XG.encode(encoding))
        with pytest.raises(ValueError, match="line 1: not text in UTF-8 or Latin-1"):
            read_mat(file)
    file.write_bytes(XG[1:].replace("Борис Б.", "Jörg").encode("latin-1"))
    assert read_mat(file).players == ("Anna", "Jörg")
    for data in (b"\xff\xfe", b"\x00" * 100, bytes(range(256)) * 10, random.Random(1).randbytes(5000)):
        file.write_bytes(data)
        with pytest.raises(ValueError, match=r"line \d+: "):
            read_mat(file)


@pytest.mark.parametrize("reader", [read_mat, read_text, lambda path: list(read_jsonl(path))], ids=["mat", "text", "jsonl"])
@pytest.mark.parametrize("piece", [b"A", b" ", b"1) 31: ", b"\r", b"[", b";"])
def test_100_megabytes_of_one_line_are_refused_in_bounded_time_and_memory(tmp_path: Path, reader: Any, piece: bytes) -> None:
    file = tmp_path / "long.mat"
    with open(file, "wb") as handle:
        for _ in range(100):
            handle.write(piece * ((1 << 20) // len(piece)))
    begun = time.perf_counter()
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="line 1: longer than"):
            reader(file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        file.unlink()
    assert peak < 64 << 20
    assert time.perf_counter() - begun < 10


def test_many_short_lines_are_read_in_bounded_memory(tmp_path: Path) -> None:
    file = tmp_path / "many.mat"
    file.write_bytes(XG.encode().replace(b"\n\n", b"\n" + b"; nothing\n" * 50_000, 1))
    tracemalloc.start()
    try:
        assert read_mat(file).is_over
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20


def test_a_file_that_is_too_long_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "endless.mat"
    file.write_bytes((b";" * 9_000 + b"\n") * 2_000)
    with pytest.raises(ValueError, match=r"^line \d+: the file is longer than 16777216 bytes"):
        read_mat(file)
