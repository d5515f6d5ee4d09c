"""Jellyfish's ``.mat`` files of backgammon matches, which GNU Backgammon and eXtreme Gammon write and read: what both ways share.

A file begins with headers, ``; [Variation "Backgammon"]`` and the like, then ``5 point match`` (0 for money); each game with
``Game 1`` and a line of both players with their scores. Below, the left column is player 0's and the right one player 1's; each
cell is a roll and a play in his own points (25 is the bar, 0 is off), or ``Doubles => 2``, ``Takes``, ``Drops``, ``Beavers =>
4``. A game ends with ``Wins 2 points`` in the winner's column. A beaver may also be written as a double, as it is here, since
GNU Backgammon loses its way after a beaver that is dropped.

`write_mat` refuses what the format cannot hold: other games than backgammon, Nackgammon, HyperGammon and LongGammon (backgammon
from the 24 point, no long nardy); an abandoned game, a resignation that waits or was refused, an illegal play; dice thrown for a
pass that has not been played; ties that doubled the stake; a dead cube; names that would not come back. Ties in the throw for the
start that had no effect, the order of steps, and which die was written first are no loss and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nardy_fast.arguments import check_text, short_repr
from nardy_fast.core._position import Play
from nardy_fast.formats.builder import build
from nardy_fast.formats.lines import AnyPath, file_lines, text_lines
from nardy_fast.formats.mat_parser import VARIATIONS, parse
from nardy_fast.formats.transcript import Events
from nardy_fast.games.game import Game
from nardy_fast.games.illegal import IllegalPlay
from nardy_fast.games.match import Match
from nardy_fast.rules import BAR, OFF, ruleset
from nardy_fast.text.notation import point_name

#: The longest line that is read, in bytes, and the largest file.
MAX_LINE = 10_000
MAX_FILE = 16 << 20

#: How wide the left column is: the cell and a space.
_COLUMN = 28
_NAME = re.compile(r"[^\s:;](?:[^\n\r\t\v\f:]*[^\s:])?")


def from_mat(text: str, match_type: type[Match] = Match, *, illegal: str = "refuse", strict: bool = True) -> Match:
    """The match that the text of a ``.mat`` file tells of, played again and so checked; it has no dice of its own.

    A play that the file marks as illegal stands, with `Game.let_stand`. One that is illegal and not marked is refused, unless
    `illegal` is ``keep``. Headers that are not there: Crawford's rule is on, Jacoby's off, beavers as they come, and the cube
    without limit. A match may begin at a score. A game that is given up without a word of points costs the stake. `ValueError`
    names the line, the game and the reason.

    With `strict` false, what does not fit is no error: each game is kept as far as it can be followed, and ends as the file says,
    a figure that is no multiple of the stake being what the match still needed, or the points in all; a player with another name
    is known by his column; a game that cannot be ended is left out. A `Doubt`, a warning, tells each of these with its line.

    Where another match follows in the text, that is refused, or such a doubt; `from_mats` gives all.
    """
    check_text(text)
    return build(lambda: parse(text_lines(text)), match_type, illegal, strict)[0]


def from_mats(text: str, match_type: type[Match] = Match, *, illegal: str = "refuse", strict: bool = True) -> list[Match]:
    """All matches of a text, where they stand in it one after another; see `from_mat`."""
    check_text(text)
    return build(lambda: parse(text_lines(text)), match_type, illegal, strict, several=True)


def read_mat(path: AnyPath, match_type: type[Match] = Match, *, illegal: str = "refuse", strict: bool = True) -> Match:
    """The match in a ``.mat`` file, in UTF-8, or in Latin-1 where it is no UTF-8; see `from_mat`."""
    return build(lambda: _parsed(path), match_type, illegal, strict)[0]


def read_mats(path: AnyPath, match_type: type[Match] = Match, *, illegal: str = "refuse", strict: bool = True) -> list[Match]:
    """All matches in a ``.mat`` file; see `from_mat`."""
    return build(lambda: _parsed(path), match_type, illegal, strict, several=True)


def _parsed(path: AnyPath) -> Events:
    return parse(file_lines(path, MAX_LINE, MAX_FILE, or_latin=True))


def write_mat(path: AnyPath, match: Match) -> None:
    """Writes a match as a ``.mat`` file, in UTF-8; `ValueError`, and nothing written, for what it cannot hold."""
    text = to_mat(match)
    Path(path).write_text(text, encoding="utf-8", newline="\n")


def to_mat(match: Match) -> str:
    """The text of a ``.mat`` file; `ValueError` for what it cannot hold."""
    if not isinstance(match, Match):
        raise TypeError(f"match = {short_repr(match)}: expected a Match")
    return "\n".join(_match_lines(match)) + "\n"


def _match_lines(match: Match) -> Iterator[str]:
    variation = next((name for name, rules in VARIATIONS.items() if ruleset(rules) == match.rules), None)
    if variation is None:
        raise ValueError(f"rules = {match.rules.name!r}: a .mat file holds only {', '.join(VARIATIONS)}")
    for name in match.players:
        if not _NAME.fullmatch(name):
            raise ValueError(f"players = {match.players}: a name in a .mat file has no colon, and no space at either end")
    yield f'; [Variation "{variation}"]'
    for header, value in _headers(match):
        yield f'; [{header} "{value}"]'
    yield ""
    yield f" {match.points or 0} point match"
    score = match.first_score
    if match.begins_with_crawford != Match(match.points, match.rules, cube=match.cube, score=score).begins_with_crawford:
        raise ValueError(f"is_crawford = {match.begins_with_crawford}: a .mat file does not hold it")
    for number, game in enumerate(match.games, 1):
        yield ""
        yield f" Game {number}"
        yield f" {f'{match.players[0]} : {score[0]}'.ljust(_COLUMN + 2)} {match.players[1]} : {score[1]}"
        try:
            yield from _Columns(game).lines()
            if game.result is None and number < len(match.games):
                raise ValueError("a game that is not over, and not the last")
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from error
        gained = match.scored(game)
        score = (score[0] + gained[0], score[1] + gained[1])


def _headers(match: Match) -> Iterator[tuple[str, str | int]]:
    if match.cube is None:
        yield "CubeLimit", 1
        return
    if match.cube.dead_cube:
        raise ValueError("dead_cube = True: a .mat file does not hold it")
    if match.points is None:
        yield "Jacoby", "On" if match.cube.jacoby else "Off"
        yield "Beaver", "On" if match.cube.beavers else "Off"
    else:
        yield "Crawford", "On" if match.cube.crawford else "Off"
    yield "CubeLimit", match.cube.limit


class _Columns:
    """The two columns of one game, filled as it went."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows: list[list[str]] = []

    def lines(self) -> Iterator[str]:
        game = self.game
        if not game.is_from_start:
            raise ValueError("a game that does not begin from the start")
        if game.stakes is not None and game.stakes.first_cube(max(len(game.start_throws) - 1, 0)).value > 1:
            raise ValueError("ties have doubled the stake, which a .mat file does not hold")
        if not game.start_throws:
            raise ValueError("there was no throw for the start, without which a .mat file has no game")
        self.fill()
        for number, (left, right) in enumerate(self.rows, 1):
            # Spaces after a left cell that stands alone too: without them GNU Backgammon does not see a drop there.
            # Three spaces before what is no roll, for those who look for them.
            left += "  " if right.startswith(" ") and len(left) >= _COLUMN - 2 else ""
            yield f"{number:3}) {left.ljust(_COLUMN - 1)} {right}"
        if game.result is not None:
            points = game.result.points
            assert game.result.winner is not None
            wins = f"Wins {points} point{'s' if points != 1 else ''}"
            yield f"{' ' * (6 if game.player(game.result.winner) == 0 else 6 + _COLUMN)}{wins}"

    def add(self, side: int, cell: str) -> None:
        player = self.game.player(side)
        if not self.rows or self.rows[-1][1] or (player == 0 and self.rows[-1][0]):
            self.rows.append(["", ""])
        self.rows[-1][player] = cell

    def fill(self) -> None:
        """The cells of all that happened. What is done with the cube takes a cell as a play does."""
        game, turns, events = self.game, iter(self.game.turns), self.game.events
        doubler, stake = game.first_position.turn, 1
        dice: tuple[int, int] | None = game.start_throws[-1] if game.rules.first_dice == "rolloff" else None
        for index, event in enumerate(events):
            match event:
                case ("roll", thrown):
                    dice = thrown
                case ("play", _):
                    play = next(turns)
                    assert not isinstance(play, IllegalPlay)
                    self.add(play.position.turn, _cell(play))
                    doubler, dice = play.afterstate.turn, None
                case ("double" | "beaver" as action,):
                    stake *= 2
                    self.add(doubler if action == "double" else 1 - doubler, f" Doubles => {stake}")
                case ("take" | "drop" as action,):
                    self.add(doubler if events[index - 1] == ("beaver",) else 1 - doubler, f" {action.capitalize()}s")
                case ("resign", _, _) if events[index + 1 :] == (("accept",),):
                    pass
                case ("accept",):
                    pass
                case _:
                    raise ValueError(f"{event[0]!r} happened, which a .mat file does not hold")
        if dice is not None:
            if not game.position.plays(dice)[0].steps:
                raise ValueError("dice have been thrown for a pass that was not made, which a .mat file does not hold")
            self.add(game.position.turn, "{}{}:".format(*dice))


def _cell(play: Play) -> str:
    turn, road = play.position.turn, play.position.rules.road
    hits: set[int] = set()
    moves = []
    opponent = play.position.board[1].tolist()
    for source, to, _ in play.steps:
        is_hit = to < OFF and opponent[OFF - to] == 1 and to not in hits
        hits |= {to} if is_hit else set()
        start = "25" if source == BAR else point_name(source, turn, road)
        moves.append(f"{start}/{'0' if to == OFF else point_name(to, turn, road)}{'*' if is_hit else ''}")
    return " ".join(("{}{}:".format(*play.dice), *moves))
