"""Reads ``.mat`` files, line by line and cell by cell, and plays again what they tell; see `nardy_fast.mat` for what they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from nardy_fast.formats.mat_moves import as_written_here, board_after, snowie_position
from nardy_fast.games.cube import MAX_LIMIT, CubeRules
from nardy_fast.games.game import Game, begin_game
from nardy_fast.games.match import Match
from nardy_fast.games.states import State
from nardy_fast.reasons import LineError
from nardy_fast.rules import Ruleset, ruleset

#: How the games are called in the header, and here.
VARIATIONS = {"Backgammon": "short", "NackGammon": "nackgammon", "HyperGammon (3)": "hypergammon"}

Lines = Iterable[tuple[int, str]]

_HEADER = re.compile(r';\s?\[(\w[\w ]*) "(.*)"\]')
_POINTS = re.compile(r"(\d{1,9})[ -]points? match", re.IGNORECASE | re.ASCII)
_GAME = re.compile(r"Game (\d{1,9})", re.ASCII)
_SCORE = re.compile(r"\s*(\d{1,9})\s+(\S.*)", re.ASCII)
_ROW = re.compile(r"\s{0,8}\d{1,6}\)(.*)", re.ASCII)
_ROLL = re.compile(r"\b[1-6][1-6]:", re.ASCII)
_PLAY = re.compile(r"([1-6])([1-6]):(.*)", re.ASCII)
_CUBE = re.compile(r"(doubles?|beavers?|raccoons?)(?: => (\d{1,9}))?", re.IGNORECASE | re.ASCII)
_ANSWER = re.compile(r"(takes?|accepts?)|(drops?|pass(?:es)?|rejects?)", re.IGNORECASE)
_WINS = re.compile(r"wins (\d{1,9}) points?(?: and the match)?\.?", re.IGNORECASE | re.ASCII)
_RESIGNS = re.compile(r"resigns?\b.*", re.IGNORECASE)
_MARKED = re.compile(r"\(?\billegal\b(?: (?:play|move))?[?!]?\)?", re.IGNORECASE)
_NOT_PLAYED = re.compile(r"\?{3,4}|", re.ASCII)
_CANNOT = re.compile(r"cannot move", re.IGNORECASE)
_POSITION = re.compile(r"illegal play ?\(\s*([^()]*?)\s*\)", re.IGNORECASE)

#: From this column on, what stands in no numbered row is in the right column.
_RIGHT = 20
#: Where the left cell may end, as GNU Backgammon splits a row.
_SPLIT = 15


class _Miscounted(ValueError):
    """The points of a game are not those that the turns make."""


def read_lines(lines: Callable[[], Lines], match_type: type[Match], illegal: str) -> Match:
    """The match that numbered lines tell of; `lines` gives them from the first, again if need be."""
    if illegal not in ("refuse", "keep"):
        raise ValueError(f"illegal = {illegal!r}: expected refuse or keep")
    first = _Reader(match_type, illegal)
    try:
        return first.read(lines())
    except _Miscounted as error:
        # Games for money whose header does not tell are, more often than not, played with Jacoby's rule.
        if not first.jacoby_unknown:
            raise
        try:
            return _Reader(match_type, illegal, jacoby=True).read(lines())
        except ValueError:
            raise error from None


class _Reader:
    """What has been read so far."""

    def __init__(self, match_type: type[Match], illegal: str, jacoby: bool | None = None) -> None:
        self.match_type = match_type
        self.keep = illegal == "keep"
        self.jacoby = jacoby
        self.jacoby_unknown = False
        self.headers: dict[str, str] = {}
        self.points: int | None = None  # 0 for money
        self.match: Match | None = None
        self.names: tuple[str, str] | None = None  # of the left and of the right column of this game
        self.game: Game | None = None  # None until its first roll
        self.in_game = False
        self.number = 0  # of the game
        self.at = 1  # the line

    def read(self, lines: Lines) -> Match:
        try:
            for self.at, line in lines:
                if text := line.strip():
                    self.line(line.rstrip(), text)
            if self.match is None:
                raise ValueError("the file ends before its first game")
        except LineError:
            raise
        except ValueError as error:
            where = f"line {self.at}: " + (f"game {self.number}: " if self.number else "")
            raise (_Miscounted if isinstance(error, _Miscounted) else ValueError)(where + str(error)) from error
        return self.match

    def line(self, line: str, text: str) -> None:
        if text.startswith((";", "#")):
            self.comment(text)
        elif self.points is None:
            found = _POINTS.fullmatch(text)
            if found is None:
                raise ValueError(f"{text:.60}: expected a header, or '5 point match' and the like")
            self.points = int(found[1])
        elif (found := _GAME.fullmatch(text)) is not None:
            self.begin(int(found[1]))
        elif not self.in_game:
            raise ValueError(f"{text:.60}: expected 'Game 1'")
        elif self.names is None:
            self.score_line(text)
        else:
            self.row(line)

    def comment(self, text: str) -> None:
        if text.startswith("; Set Pos="):
            raise ValueError("Set Pos: a position set by hand, which no game can go on from")
        if (found := _HEADER.fullmatch(text)) is not None and self.points is None:
            self.headers[found[1].lower()] = found[2]

    # The head of the match and of a game

    def begin(self, number: int) -> None:
        self.demand_over()
        if number != self.number + 1:
            raise ValueError(f"Game {number}: expected Game {self.number + 1}")
        self.number, self.game, self.names, self.in_game = number, None, None, True

    def demand_over(self) -> None:
        if self.in_game and (self.game is None or self.game.result is None):
            raise ValueError("the game before is not over: its 'Wins 1 point' or the like is missing")

    def score_line(self, text: str) -> None:
        """The line of names and scores, which says who is in which column."""
        parts = text.split(":")
        middle = _SCORE.fullmatch(parts[1]) if len(parts) == 3 else None
        if middle is None or not re.fullmatch(r"\s*\d{1,9}", parts[2], re.ASCII):
            raise ValueError(f"{text:.60}: expected the players and their scores, as in 'Anna : 0   Boris : 1'")
        names = parts[0].strip(), middle[2].strip()
        if not all(names):
            raise ValueError(f"{text:.60}: expected two names")
        if self.match is None:
            self.match = self.begin_match(names)
        players = self.match.players
        if names not in (players, players[::-1]):
            raise ValueError(f"{text:.60}: the players are {players[0]} and {players[1]}")
        self.names = names
        stated = (int(middle[1]), int(parts[2]))
        score = self.match.score if self.left == 0 else self.match.score[::-1]
        if stated != score:
            raise _Miscounted(f"{text:.60}: by the games before, the score is {score[0]}-{score[1]}")

    def begin_match(self, names: tuple[str, str]) -> Match:
        told = (self.headers.get("player 1", ""), self.headers.get("player 2", ""))
        players = told if told == names[::-1] else names
        return self.match_type(self.points or None, self.rules(), cube=self.cube(), players=players, dice=())

    def rules(self) -> Ruleset:
        stated = self.headers.get("variation", "Backgammon")
        for name, rules in {**VARIATIONS, "HyperGammon": "hypergammon"}.items():
            if name.lower() == stated.lower():
                return ruleset(rules)
        raise ValueError(f"Variation {stated!r:.40}: expected one of {', '.join(VARIATIONS)}")

    def cube(self) -> CubeRules | None:
        limit = self.headers.get("cubelimit", str(MAX_LIMIT))
        if not re.fullmatch(r"\d{1,6}", limit, re.ASCII):
            raise ValueError(f"CubeLimit {limit!r:.40}: expected a number")
        if limit == "1":
            return None
        if self.points:
            return CubeRules(limit=int(limit), crawford=self.on("crawford", True))
        self.jacoby_unknown = "jacoby" not in self.headers and self.jacoby is None
        return CubeRules(limit=int(limit), jacoby=self.on("jacoby", bool(self.jacoby)), beavers=self.on("beaver", True))

    def on(self, header: str, unless_told: bool) -> bool:
        value = self.headers.get(header, "on" if unless_told else "off").lower()
        if value not in ("on", "off"):
            raise ValueError(f"{header.capitalize()} {value!r:.40}: expected On or Off")
        return value == "on"

    @property
    def left(self) -> int:
        """The player in the left column."""
        assert self.match is not None
        return 0 if self.names == self.match.players else 1

    # Rows and cells

    def row(self, line: str) -> None:
        numbered = _ROW.fullmatch(line)
        if numbered is None:
            cells = ("", line) if len(line) - len(line.lstrip()) >= _RIGHT else (line, "")
        else:
            at = self.split(line, numbered.start(1))
            cells = (line[numbered.start(1) : at], line[at:])
        for column, cell in enumerate(cells):
            if text := cell.strip():
                self.cell(self.left ^ column, text)

    @staticmethod
    def split(line: str, begin: int) -> int:
        """Where the right cell begins."""
        rolls = [found.start() for found in _ROLL.finditer(line, begin)]
        if len(rolls) > 1:
            return rolls[1]
        at = line.find("  ", max(begin, _SPLIT))
        return len(line) if at < 0 else at

    def cell(self, player: int, text: str) -> None:
        """Does what one cell tells."""
        if (found := _PLAY.fullmatch(text)) is not None:
            self.turn(player, (int(found[1]), int(found[2])), found[3].strip())
        elif (found := _CUBE.fullmatch(text)) is not None:
            self.double(player, found[1].lower().removesuffix("s"), found[2])
        elif (found := _ANSWER.fullmatch(text)) is not None:
            self.playing(text).take(self.side(player)) if found[1] else self.playing(text).drop(self.side(player))
        elif (found := _WINS.fullmatch(text)) is not None:
            self.wins(player, int(found[1]))
        elif _RESIGNS.fullmatch(text) is None:
            raise ValueError(f"{text:.60}: expected a roll and a play, what is done with the cube, or 'Wins 1 point'")

    def side(self, player: int) -> int:
        assert self.game is not None
        return self.game.player(player)  # the same either way

    def playing(self, text: str) -> Game:
        if self.game is None:
            raise ValueError(f"{text:.60}: expected the first roll of the game")
        return self.game

    def turn(self, player: int, dice: tuple[int, int], text: str) -> None:
        if self.game is None:
            self.start(player, dice)
        game = self.playing(text)
        self.finish_forced(player)
        if game.state is State.BEAVERED and game.to_act == self.side(player):
            game.take()
        if game.position.turn != self.side(player) and game.result is None:
            raise ValueError(f"{dice[0]}{dice[1]}: it is the other player's turn")
        if game.state is not State.PLAY:
            game.roll(dice)
        if _NOT_PLAYED.fullmatch(text):
            if not game.position.plays(dice)[0].steps:
                game.play("pass")
        elif (found := _POSITION.fullmatch(text)) is not None:
            game.let_stand(snowie_position(game, found[1], self.left), text)
        else:
            self.play(game, text)

    def start(self, player: int, dice: tuple[int, int]) -> None:
        """The game with its throw for the start, which are the first dice."""
        assert self.match is not None
        if dice[0] == dice[1]:
            raise ValueError(f"{dice[0]}{dice[1]}: the first roll is the throw for the start, and no double")
        throw = (max(dice), min(dice)) if player == 0 else (min(dice), max(dice))
        match = self.match
        self.game = begin_game(self.match_type.game_type, match.rules, [throw], player, match.next_stakes)
        match.add_game(self.game)

    def finish_forced(self, player: int) -> None:
        """Plays the only play there was for dice that stand without one, where the other player goes on."""
        game = self.game
        if game is not None and game.state is State.PLAY and game.turns and game.position.turn != self.side(player):
            assert game.dice is not None
            if game.position.count_plays(game.dice) > 1:
                raise ValueError(f"{game.dice[0]}{game.dice[1]}: no play was written for this roll")
            game.play(game.position.plays(game.dice)[0])

    def play(self, game: Game, text: str) -> None:
        """Plays what a cell says after the roll: what is on the board after it counts, not how it is written."""
        marked = _MARKED.search(text) is not None
        words = _MARKED.sub("", text) if marked else text
        assert game.dice is not None
        rows = board_after(game, [] if _CANNOT.fullmatch(words) else words.split())
        for play in game.position.plays(game.dice):
            # The mover of the afterstate is the opponent.
            if play.afterstate.board.tolist() == rows[::-1] and not marked:
                game.play(play)
                return
        if marked or self.keep:
            after = game.position_type(rows[::-1], 1 - game.position.turn, game.rules)
            game.let_stand(after, text)
        else:
            written = as_written_here(words)
            game.play(written)  # raises with the reason, or finds a hit on the way that the text leaves out

    # The cube and the end

    def double(self, player: int, action: str, value: str | None) -> None:
        game = self.playing(action)
        self.finish_forced(player)
        if action == "raccoon":
            raise ValueError("a raccoon, which the rules do not know")
        # GNU Backgammon writes a beaver as a double.
        is_beaver = action == "beaver" or game.state is State.DOUBLED
        if game.cube is not None and value is not None and int(value) != 2 * game.cube.value * (1 + is_beaver):
            raise ValueError(f"{action} => {value}: it is to {2 * game.cube.value * (1 + is_beaver)}")
        (game.beaver if is_beaver else game.double)(self.side(player))

    def wins(self, player: int, points: int) -> None:
        game = self.playing(f"Wins {points}")
        assert self.match is not None
        side = self.side(player)
        if game.result is None and game.state in (State.DOUBLED, State.BEAVERED):
            assert game.cube is not None
            if game.to_act != side and points == game.cube.value:
                game.drop()
            elif game.state is State.BEAVERED:
                game.take()
        if game.result is None:
            value = 1 if game.cube is None else game.cube.value
            if points % value or points // value not in (1, 2, 3):
                raise _Miscounted(f"Wins {points}: expected 1, 2 or 3 times the stake, which is {value}")
            game.resign(points // value, 1 - side)
            game.accept()
        result = game.result
        assert result is not None
        if result.winner != side:
            raise ValueError("Wins: it is the other player who has won")
        # Some programs leave Jacoby's rule out of account in this line, though not in the score.
        if points != result.points and not (self.jacoby and points in (2 * result.points, 3 * result.points)):
            raise _Miscounted(f"Wins {points}: by the turns it is {result.points}")
