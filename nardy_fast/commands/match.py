"""The subcommand ``match``: plays a match of random players, networks or scripts and writes its record."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nardy_fast.analysis import Searcher
from nardy_fast.commands.console import add_rules, report_file_errors
from nardy_fast.formats import files
from nardy_fast.formats.lines import file_lines
from nardy_fast.formats.records import to_text
from nardy_fast.games.cube import USUAL_LIMIT, CubeRules
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match
from nardy_fast.games.states import ACTIONS, State
from nardy_fast.players import LEVELS, Network, level

#: How often a random player doubles where he may, and drops and beavers.
_DOUBLES, _DROPS, _BEAVERS = 0.05, 0.3, 0.2
#: Games for money, unless told.
_MONEY_GAMES = 5
#: Players who look so many plies ahead.
SEARCHERS = {"1-ply": 1, "2-ply": 2}
#: The longest line of a script, in bytes.
_LINE = 1000


class RandomPlayer:
    """Chooses among all plays alike, and doubles, drops and beavers now and then, where that may be."""

    where = ""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def act(self, game: Game) -> tuple[Any, ...]:
        """The action and what goes with it."""
        rng = self._rng
        match game.state:
            case State.PLAY:
                assert game.dice is not None
                return "play", rng.choice(game.position.plays(game.dice))
            case State.CHOOSE:
                return "choose", rng.randint(1, 6)
            case State.DOUBLED if game.may("beaver") and rng.random() < _BEAVERS:
                return ("beaver",)
            case State.DOUBLED | State.BEAVERED:
                return ("drop",) if rng.random() < _DROPS else ("take",)
            case State.ANSWER:
                return ("accept",)
        return ("double",) if game.may("double") and rng.random() < _DOUBLES else ("roll",)


class NetworkPlayer:
    """Plays as a level does, or as one who searches. He never doubles, and takes unless he would lose more than by dropping."""

    def __init__(self, name: str, rules: str, seed: int) -> None:
        self.where = name
        self._player = Searcher(Network.load(rules), SEARCHERS[name]) if name in SEARCHERS else level(name, rules, seed)

    def act(self, game: Game) -> tuple[Any, ...]:
        """The action and what goes with it."""
        match game.state:
            case State.PLAY:
                assert game.dice is not None
                return "play", self._player.choose(game.position, game.dice)
            case State.CHOOSE:
                return "choose", 6
            case State.DOUBLED:
                # The doubler is to throw; what he expects at a stake of 1, without a cube, is what this player loses.
                network = getattr(self._player, "network", None)
                lost = 0.0 if network is None else network.evaluate(game.position).equity
                return ("drop",) if lost > 0.5 else ("take",)
            case State.ANSWER:
                return ("accept",)
        return ("roll",)


class ScriptedPlayer:
    """Does what the lines of a file say: a play as text, or an action such as ``double``, ``take``, ``drop``, ``resign 2``.

    Where he is to throw and the line is a play, he throws first. `ValueError` where the lines end before the match does.
    """

    def __init__(self, path: Path) -> None:
        self.where = path.name
        self._name = path.name
        self._lines = _script(path)
        self._line: str | None = None

    def act(self, game: Game) -> tuple[Any, ...]:
        """The action and what goes with it."""
        if self._line is None:
            self.where = self._name
            number, self._line = next(self._lines, (0, None))
            if self._line is None:
                raise ValueError("the lines end before the match does")
            self.where = f"{self._name}, line {number}"
        word, _, rest = self._line.partition(" ")
        is_action = any(word in actions for actions in ACTIONS.values())
        if game.state is State.ROLL and not is_action:
            return ("roll",)
        line, self._line = self._line, None
        if not is_action:
            return "play", line
        return word, *(int(each) if each.isdecimal() and len(each) == 1 else each for each in rest.split())


Player = RandomPlayer | NetworkPlayer | ScriptedPlayer


def player_of(who: str, rules: str, seed: int) -> Player:
    """The player that a word on the command line names."""
    if who == "random":
        return RandomPlayer(seed)
    return NetworkPlayer(who, rules, seed) if who in (*LEVELS, *SEARCHERS) else ScriptedPlayer(Path(who))


def _script(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; ``#`` starts a comment."""
    for number, line in file_lines(path, _LINE):
        if text := line.partition("#")[0].strip():
            yield number, text


def play(match: Match, players: tuple[Player, Player], games: int | None = None) -> None:
    """Plays the match to its end, or so many games of it; `ValueError` says which line of a script cannot be done."""
    while not match.is_over and (games is None or len(match.games) < games):
        game = match.start_game()
        while (side := game.to_act) is not None:
            player = players[game.player(side)]
            try:
                action, *arguments = player.act(game)
                getattr(game, action)(*arguments)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{player.where}: {error}") from error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--points", type=int, default=3, metavar="N", help="the points of the match, 0 for money (default: 3)")
    parser.add_argument("--games", type=int, metavar="N", help=f"no more games than these (default for money: {_MONEY_GAMES})")
    add_rules(parser)
    parser.add_argument("--cube", action="store_true", help="play with a cube")
    parser.add_argument("--limit", type=int, default=USUAL_LIMIT, metavar="N", help=f"no cube beyond it (default: {USUAL_LIMIT})")
    parser.add_argument("--no-crawford", action="store_true", help="play without the Crawford game")
    parser.add_argument("--dead-cube", action="store_true", help="refuse doubles of a player to whom the cube is of no more use")
    parser.add_argument("--jacoby", action="store_true", help="money: wins count single while nobody owns the cube")
    parser.add_argument("--beavers", action="store_true", help="money: allow beavers")
    parser.add_argument(
        "--automatic", type=int, default=0, metavar="N", help="money: how many ties double the stake (default: 0)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed gives the same match (default: 0)")
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="WHO",
        help="random, a level (easy, medium, strong), strong and looking ahead (1-ply, 2-ply), or a file of what the player "
        "does, one a line; first player 0, then player 1 (default: random)",
    )
    for colour in ("white", "black"):
        parser.add_argument(f"--{colour}", metavar="WHO", help=f"the same for who is {colour.capitalize()} in the first game")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where to write: .mat, .jsonl, else text (default: text on stdout)"
    )


def run(options: argparse.Namespace) -> int:
    if options.games is not None and options.games < 1:
        raise ValueError(f"--games = {options.games}: expected 1 or more")
    if len(options.player) > 2:
        raise ValueError("--player: expected two at most")
    cube = None
    if options.cube:
        cube = CubeRules(
            options.limit, not options.no_crawford, options.jacoby, options.beavers, options.automatic, options.dead_cube
        )
    elif any((options.no_crawford, options.dead_cube, options.jacoby, options.beavers, options.automatic)):
        raise ValueError("--cube: what is agreed about the cube needs one")
    if options.player and (options.white or options.black):
        raise ValueError("--player: expected that, or --white and --black")
    who = [*options.player, "random", "random"][:2] if options.player else [options.white or "random", options.black or "random"]
    names = tuple(
        f"{name} {player}" if name in ("random", *LEVELS, *SEARCHERS) else Path(name).stem for player, name in enumerate(who)
    )
    with report_file_errors():
        players = [player_of(name, options.rules, 2 * options.seed + at) for at, name in enumerate(who)]
        games = _MONEY_GAMES if options.games is None and not options.points else options.games
        match = Match(options.points or None, options.rules, cube=cube, players=(names[0], names[1]), seed=options.seed)
        play(match, (players[0], players[1]), games)
    if options.out is None:
        print(to_text(match), end="")
    else:
        with report_file_errors():
            files.write(options.out, [match])
    return 0
