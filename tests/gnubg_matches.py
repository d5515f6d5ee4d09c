"""Matches and games for money that GNU Backgammon plays against itself, with its own analysis of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import referees

from nardy_fast import Game, Match, Position
from nardy_fast.analysis import MatchEquity
from nardy_fast.analysis.setting import Setting
from nardy_fast.formats.mat import read_mat
from nardy_fast.players.chances import Chances

#: Plays all it is told to, 0-ply, a little noise on one of the players so that there is something to find.
SCRIPT = """
import gnubg, json
players = ["set player %d %s" % (player, setting) for player in (0, 1) for setting in (
    "gnubg", "chequerplay evaluation plies 0", "cubedecision evaluation plies 0",
    "chequerplay evaluation deterministic on", "chequerplay evaluation noise %s" % {noise!r}[player])]
for command in ["set confirm new off", "set confirm save off", "set automatic roll on", "set display off", "set seed {seed}",
                "set analysis chequerplay evaluation plies {plies}", "set analysis cubedecision evaluation plies {plies}",
                "set analysis luckanalysis plies 0", *players]:
    gnubg.command(command)
told = []
for number, (points, jacoby) in enumerate({kinds!r}):
    gnubg.command("set automatic game " + ("on" if points else "off"))
    gnubg.command("set jacoby " + ("on" if jacoby else "off"))
    gnubg.command("new match %d" % points if points else "new session")
    gnubg.command("export match mat {folder}/%d.mat" % number)
    gnubg.command("analyse match")
    told.append([[dict(action) for action in game["game"]] for game in gnubg.match(analysis=1)["games"]])
with open("{folder}/told.json", "w") as file:
    json.dump(told, file)
"""


class Analysed(NamedTuple):
    """A match, and what GNU Backgammon says of each play of it."""

    match: Match
    #: Whether it was played by Jacoby's rule, which a .mat file does not tell.
    jacoby: bool
    #: A dictionary a play, by game.
    games: list[list[dict[str, Any]]]


def play(
    folder: Path, kinds: list[tuple[int, bool]], *, seed: int = 6, plies: int = 0, noise: tuple[float, float] = (0.0, 0.08)
) -> list[Analysed]:
    """A match to so many points for each of `kinds`, or with 0 a game for money with Jacoby's rule or without."""
    script = folder / "script.py"
    script.write_text(SCRIPT.format(folder=folder, kinds=kinds, seed=seed, plies=plies, noise=noise))
    referees.run([referees.program("gnubg"), "-t", "-q", "-p", str(script)], home=folder)
    found = []
    told = json.loads((folder / "told.json").read_text())
    for number, ((_, jacoby), games) in enumerate(zip(kinds, told, strict=True)):
        moves = [[action for action in game if action["action"] == "move"] for game in games]
        found.append(Analysed(read_mat(folder / f"{number}.mat"), jacoby, moves))
    return found


def chances(told: list[float]) -> Chances:
    """Its five numbers: won, and the gammons and backgammons won and lost among them."""
    won, gammons, backgammons, lost_gammons, lost_backgammons = told
    exact = (
        lost_backgammons,
        lost_gammons - lost_backgammons,
        1 - won - lost_gammons,
        won - gammons,
        gammons - backgammons,
        backgammons,
    )
    return Chances.of((-3, -2, -1, 1, 2, 3), exact, "gnubg")


class Moment(NamedTuple):
    """A position in which the side to move may double, as the match stands there, and what is said of it."""

    position: Position
    game: Game
    jacoby: bool
    told: dict[str, Any]

    def setting(self, table: MatchEquity) -> Setting:
        """As the side to move stands."""
        game, side = self.game, self.position.turn
        assert game.cube is not None
        assert game.stakes is not None
        cube, owner = game.cube.value, None if game.cube.owner is None else game.cube.owner ^ side
        limit = game.stakes.rules.limit
        if game.stakes.away is None:
            return Setting.money(cube=cube, owner=owner, limit=limit, jacoby=self.jacoby)
        mover = game.player(side)
        away = game.stakes.away[mover], game.stakes.away[1 - mover]
        return Setting.match(away, table, is_crawford=game.stakes.is_crawford, cube=cube, owner=owner, limit=limit)


def may_double(analysed: Analysed) -> Iterator[Moment]:
    """All such positions of a match that were judged, as they come by; the game is gone on with afterwards."""
    for game, moves in zip(analysed.match.games, analysed.games, strict=True):
        again = Game.from_record(game.record() | {"events": [], "result": None})
        assert len(moves) == len(game.turns)
        for event in game.events:
            if event[0] in ("roll", "double") and again.may("double") and len(again.turns) < len(moves):
                told = moves[len(again.turns)].get("analysis", {})
                if "nd-cubeful-eq" in told:
                    yield Moment(again.position, again, analysed.jacoby, told)
            again.replay_event(event)
