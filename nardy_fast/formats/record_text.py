"""The text of a record, both ways; what it looks like is told in `nardy_fast.records`."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import Any, NoReturn

from nardy_fast.arguments import as_dice, short_repr
from nardy_fast.core._position import Play
from nardy_fast.formats.lines import LineError
from nardy_fast.games.cube import Cube, CubeRules, Stakes
from nardy_fast.games.game import Game, begin_game
from nardy_fast.games.illegal import IllegalPlay
from nardy_fast.games.match import Match
from nardy_fast.games.states import State
from nardy_fast.games.turn import FullStep
from nardy_fast.positions import first_stage
from nardy_fast.rules import HEAD, HOME, OFF, RULESETS, SLOTS, Ruleset
from nardy_fast.text.notation import COLOURS, SIDES, format_stage, hit_slots, point_name

FORMAT = "nardy_fast 1"
#: What the players of a match are called where nobody has named them.
UNNAMED = ("player 0", "player 1")
VARIATIONS = {"parallel": "long nardy", "contrary": "short nardy"}
#: The fields of a ruleset that the header states where they differ from the preset.
OPTIONS = tuple(field.name for field in dataclasses.fields(Ruleset) if field.name not in ("name", "road"))

_HEADER = re.compile(r"; \[(\w+(?: [01])?) (.*)\]", re.ASCII)
_MATCH = re.compile(r"(\d{1,9}) point match|Money games", re.ASCII)
_GAME = re.compile(r"Game (\d{1,9})", re.ASCII)
_SCORE = re.compile(r"Score: (.*)")
_POSITION = re.compile(r"Position: (.*)")
_THROW = re.compile(r"Throw:((?: [1-6][1-6])+)")
_STARTER = re.compile(r"Starter: player ([01])(?:, (.*))?")
_WHITE = re.compile(r"White: player ([01])")
_CUBE_LIES = re.compile(r"Cube: (\d{1,5})(?:, (White|Black)'s)?", re.ASCII)
_TURN = re.compile(r"(\d{1,9})\) ([1-6])([1-6]):(.*)", re.ASCII)
_STAGE = re.compile(r"(\d{1,9})\) ([wb])([1-6]{1,6})(\*?):(.*)", re.ASCII)
_CHOOSES = re.compile(r"Chooses ([1-6])\1")
_RESIGNS = re.compile(r"(White|Black) resigns ([123])")
_ANSWER = re.compile(r"Accepted|Refused")
_CUBE = re.compile(r"(White|Black) (double|take|drop|beaver)s")
_OUTCOME = re.compile(r"(?:White|Black) wins \d{1,9} points? \([a-z ]+\)|Draw|Abandoned|Unfinished", re.ASCII)
_ILLEGAL = re.compile(r"illegal (\S+ \S+ [wb](?: [wb]\S+)?)(?: # (\".*\"))?")
_END_OF_MATCH = re.compile(r"Match (?:over|unfinished): .*")
_MOVE = re.compile(r"(bar|\d{1,2})/(off|\d{1,2})\*?(?:\(([2-6])\))?", re.ASCII)


# What both ways share


def _base(name: str, road: str) -> Ruleset:
    """The preset from which the options in the header differ."""
    preset = RULESETS.get(name)
    return preset if preset is not None and preset.road == road else RULESETS["long" if road == "parallel" else "short"]


def _with_dice(moves: Iterable[tuple[int, int]], stage: Iterable[int], rules: Ruleset) -> tuple[FullStep, ...] | None:
    """Moves (from, to) as steps (from, to, die), or None where the dice do not fit.

    A checker is borne off by the first of the dice left, in the order given, that reaches so far.
    """
    left = list(stage)
    steps = []
    for source, to in moves:
        is_sent = rules.send is not None and source == HEAD and to >= HOME
        die = next(
            (
                die
                for die in left
                if die == (OFF - to if is_sent else to - source) or (to == OFF and not is_sent and die > to - source)
            ),
            None,
        )
        if die is None:
            return None
        left.remove(die)
        steps.append((source, to, die))
    return tuple(steps)


def _score(score: tuple[float, float]) -> str:
    return "-".join(str(points) if points % 1 else str(int(points)) for points in score)


def match_end(match: Match) -> str:
    """The last line of a match."""
    return f"Match {'over' if match.is_over else 'unfinished'}: {_score(match.score)}"


def outcome(game: Game) -> str:
    """The last line of a game."""
    match game.result:
        case None:
            return "Unfinished"
        case (None, _, kind):
            return str(kind).capitalize()
        case (winner, points, kind):
            return f"{COLOURS[winner]} wins {points} point{'s' if points != 1 else ''} ({kind})"


def _moves(play: Play) -> str:
    """The steps in their order; only equal ones that follow each other are counted together."""
    position, steps = play.position, play.steps
    names = _names(position.turn, position.rules.road)
    unmarked = set(hit_slots(position.board, steps, position.rules.road)) if position.rules.road == "contrary" else set()
    words = []
    for (source, to), run in groupby([step[:2] for step in steps]):
        count = len(list(run))
        mark = "*" if to in unmarked else ""
        unmarked.discard(to)
        words.append(f"{names[source]}/{names[to]}{mark}" + (f"({count})" if count > 1 else ""))
    return " ".join(words) or "pass"


@cache
def _names(turn: int, road: str) -> tuple[str, ...]:
    """The printed point of each slot."""
    return tuple(point_name(slot, turn, road) for slot in range(SLOTS))


@cache
def _slots(turn: int, road: str) -> dict[str, int]:
    """The slot of each printed point."""
    return {name: slot for slot, name in enumerate(_names(turn, road))}


# Writing


def to_text(record: Game | Match) -> str:
    """The text record of a game or a match."""
    if not isinstance(record, Game | Match):
        raise TypeError(f"record = {short_repr(record)}: expected a Game or a Match")
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Game | Match) -> Iterator[str]:
    yield from header(record)
    yield ""
    if isinstance(record, Game):
        yield from _game_lines(1, record)
        return
    yield "Money games" if record.points is None else f"{record.points} point match"
    score = record.first_score
    for number, game in enumerate(record.games, 1):
        yield ""
        yield from _game_lines(number, game, record.players, f"Score: {_score(score)}")
        gained = record.scored(game)
        score = (score[0] + gained[0], score[1] + gained[1])
    yield ""
    yield match_end(record)


def header(record: Game | Match) -> Iterator[str]:
    """The lines that state the variation, the rules, and what was agreed for a match."""
    rules = record.rules
    base = _base(rules.name, rules.road)
    tags: dict[str, object] = {"Record": FORMAT, "Variation": VARIATIONS[rules.road], "Rules": rules.name}
    tags |= {option: getattr(rules, option) for option in OPTIONS if getattr(rules, option) != getattr(base, option)}
    if isinstance(record, Match):
        tags |= {"Player 0": record.players[0], "Player 1": record.players[1], "Draw": record.draw}
    if isinstance(record, Match) and record.first_score != (0, 0):
        tags |= {"Score": record.first_score, "Crawford": record.begins_with_crawford}
    if isinstance(record, Match) and record.cube is not None:
        tags |= {"Cube": dataclasses.asdict(record.cube)}
    if isinstance(record, Game) and record.stakes is not None:
        tags |= {"Stakes": record.stakes.record()}
    for name, value in tags.items():
        yield f"; [{name} {json.dumps(value, ensure_ascii=False)}]"


def _game_lines(number: int, game: Game, players: tuple[str, str] = UNNAMED, *score: str) -> Iterator[str]:
    yield f"Game {number}"
    yield from score
    yield from beginning(game, players)
    for line, _ in event_lines(game):
        yield line
    yield outcome(game)


def beginning(game: Game, players: tuple[str, str] = UNNAMED) -> Iterator[str]:
    """The lines that tell how the game began."""
    if not game.is_from_start:
        yield f"Position: {game.first_position}"
        if game.white != 0:
            yield f"White: player {game.white}"
        if game.first_cube not in (None, Cube()):
            value, owner = game.first_cube
            yield f"Cube: {value}" + ("" if owner is None else f", {COLOURS[owner]}'s")
        return
    if game.start_throws:
        yield "Throw: " + " ".join(f"{first}{second}" for first, second in game.start_throws)
    name = players[game.starter]
    # A name that a line cannot hold is in the header only.
    named = players != UNNAMED and name.isprintable() and name == name.strip() != ""
    yield f"Starter: player {game.starter}" + (f", {name}" if named else "")


def event_lines(game: Game) -> Iterator[tuple[str, Play | IllegalPlay | None]]:
    """The line of each event that has one, and the play that it tells of, if it tells of one."""
    plays = iter(game.turns)
    number = 1
    doubler, beavered = game.first_position.turn, False
    for event, after in zip(game.events, [*game.events[1:], ("end",)], strict=False):
        match event:
            case ("play", _) | ("let_stand", _, _):
                play = next(plays)
                doubler = play.afterstate.turn
                yield _turn_line(number, play), play
                number += 1
            case ("roll", (high, low)) if after[0] not in ("play", "let_stand"):
                yield f"{number}) {high}{low}:", None
            case ("choose", die):
                yield f"Chooses {die}{die}", None
            case ("resign", side, times):
                yield f"{COLOURS[side]} resigns {times}", None
            case ("double" | "take" | "drop" | "beaver" as action,):
                acting = doubler if action == "double" or beavered else 1 - doubler
                beavered = action == "beaver"
                yield f"{COLOURS[acting]} {action}s", None
            case ("accept",):
                yield "Accepted", None
            case ("refuse",):
                yield "Refused", None


def _turn_line(number: int, play: Play | IllegalPlay) -> str:
    """The smaller die goes first only where it must, to tell which of the dice bears off."""
    position, dice = play.position, play.dice
    pending = position.pending
    player, carried = ("", "") if pending is None else (SIDES[position.turn], "*" * pending.stages[0].carried)
    if isinstance(play, IllegalPlay):
        note = f" # {json.dumps(play.text, ensure_ascii=False)}" if play.text else ""
        said = f"{play}{note}"
    else:
        said = _moves(play)
        moves = [(source, to) for source, to, _ in play.steps]
        stage = first_stage(as_dice(dice), position.turn, position.rules) if pending is None else dice
        if len(dice) == 2 and _with_dice(moves, stage, position.rules) != play.steps:
            dice = dice[::-1]
    return f"{number}) {player}{''.join(map(str, dice))}{carried}: {said}"


# Reading


class _Lines:
    """The lines that say something, taken one after another. `number` is that of the line last taken or looked at, or 1."""

    def __init__(self, lines: Iterable[tuple[int, str]]) -> None:
        self._lines = ((number, line.strip()) for number, line in lines)
        self._next: str | None = None
        self.number = 1

    def peek(self) -> str | None:
        """The next line, or None at the end."""
        while self._next is None:
            found = next(self._lines, None)
            if found is None:
                return None
            self.number, line = found
            if line and (not line.startswith(";") or _HEADER.fullmatch(line)):
                self._next = line
        return self._next

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The next line if it is of this pattern; it is then gone."""
        line = self.peek()
        found = None if line is None else pattern.fullmatch(line)
        if found is not None:
            self._next = None
        return found

    def need(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        found = self.take(pattern)
        if found is None:
            self.refuse(expected)
        return found

    def refuse(self, expected: str) -> NoReturn:
        line = self.peek()
        raise ValueError("the record has been cut off" if line is None else f"{line:.60}: expected {expected}")


def read_lines(lines: Iterable[tuple[int, str]], match_type: type[Match] = Match) -> Game | Match:
    """The game or match that numbered lines record; `ValueError` with the line, the turn and the reason."""
    taken = _Lines(lines)
    try:
        return _read(taken, match_type)
    except LineError:
        raise
    except ValueError as error:
        raise ValueError(f"line {taken.number}: {error}") from error


def _read(lines: _Lines, match_type: type[Match]) -> Game | Match:
    tags = _read_header(lines)
    rules = _read_rules(tags)
    record: Game | Match
    if (points := lines.take(_MATCH)) is not None:
        record = _read_match(lines, match_type, int(points[1]) if points[1] else None, rules, tags)
    else:
        lines.need(_GAME, "'Game 1', or '3 point match' and the like")
        stakes = Stakes.from_record(tags.pop("Stakes")) if "Stakes" in tags else None
        record = _read_game(lines, match_type.game_type, rules, stakes)
    if lines.peek() is not None:
        lines.refuse("the end")
    if tags:
        raise ValueError(f"{next(iter(tags)):.60}: not a header of such a record")
    return record


def _read_header(lines: _Lines) -> dict[str, Any]:
    tags: dict[str, Any] = {}
    while (found := lines.take(_HEADER)) is not None:
        if found[1] in tags:
            raise ValueError(f"{found[1]:.60}: stated twice")
        try:
            tags[found[1]] = json.loads(found[2])
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{found[1]:.60}: expected a JSON value") from error
    if tags.pop("Record", None) != FORMAT:
        lines.refuse(f'; [Record "{FORMAT}"] at the top')
    return tags


def _read_rules(tags: dict[str, Any]) -> Ruleset:
    """The rules that the header states, whose lines are taken out of `tags`."""
    name, variation = tags.pop("Rules", None), tags.pop("Variation", None)
    road = next((road for road, its_name in VARIATIONS.items() if its_name == variation), None)
    if road is None:
        raise ValueError(f"Variation = {short_repr(variation)}: expected {' or '.join(VARIATIONS.values())}")
    if not isinstance(name, str):
        raise ValueError(f"Rules = {short_repr(name)}: expected a name")
    options = {option: tags.pop(option) for option in OPTIONS if option in tags}
    return dataclasses.replace(_base(name, road), name=name, **options)


def _read_match(lines: _Lines, match_type: type[Match], points: int | None, rules: Ruleset, tags: dict[str, Any]) -> Match:
    players = (tags.pop("Player 0", None), tags.pop("Player 1", None))
    try:
        cube = CubeRules.from_record(tags.pop("Cube")) if "Cube" in tags else None
    except TypeError as error:
        raise ValueError(f"Cube: {error}") from error
    score, is_crawford = tags.pop("Score", (0, 0)), tags.pop("Crawford", None)
    draw = str(tags.pop("Draw", None))
    try:
        match = match_type(points, rules, draw=draw, cube=cube, players=players, score=score, is_crawford=is_crawford, dice=())
    except TypeError as error:
        raise ValueError(str(error)) from error
    while (found := lines.take(_GAME)) is not None:
        number = len(match.games) + 1
        if int(found[1]) != number:
            raise ValueError(f"{found[0]:.60}: expected Game {number}")
        score = lines.need(_SCORE, "the score, as in 'Score: 2-1'")
        _demand(score[1], _score(match.score))
        try:
            match.add_game(_read_game(lines, match_type.game_type, rules, match.next_stakes, match.players))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from error
    end = lines.need(_END_OF_MATCH, "a game, or the end as in 'Match over: 3-1'")
    _demand(end[0], match_end(match))
    return match


def _read_game(
    lines: _Lines, game_type: type[Game], rules: Ruleset, stakes: Stakes | None, players: tuple[str, str] = UNNAMED
) -> Game:
    if (position := lines.take(_POSITION)) is not None:
        white, lies = lines.take(_WHITE), lines.take(_CUBE_LIES)
        game = game_type.from_position(
            game_type.position_type.parse(position[1], rules),
            dice=(),
            cube=stakes,
            cube_state=None if lies is None else Cube(int(lies[1]), COLOURS.index(lies[2]) if lies[2] else None),
            white=0 if white is None else int(white[1]),
        )
    else:
        throw = lines.take(_THROW)
        throws = [(int(pair[0]), int(pair[1])) for pair in throw[1].split()] if throw else []
        starter = lines.need(_STARTER, "'Starter: player 0' or 1")
        if starter[2] not in (None, players[int(starter[1])]):
            raise ValueError(f"{starter[0]:.60}: by the header player {starter[1]} is {short_repr(players[int(starter[1])])}")
        game = begin_game(game_type, rules, throws, int(starter[1]), stakes)
    number = 1
    end = None
    while end is None:
        try:
            while True:
                if (turn := lines.take(_TURN)) is not None:
                    number += _read_turn(turn, game, number)
                elif (stage := lines.take(_STAGE)) is not None:
                    _read_stage(stage, game, number)
                    number += 1
                else:
                    break
            end = lines.take(_OUTCOME)
            if end is None:
                _read_happening(lines, game)
        except ValueError as error:
            raise ValueError(f"turn {number}: {error}") from error
    if end[0] == "Abandoned":
        game.abandon()
    _demand(end[0], outcome(game))
    return game


def _demand(stated: str, true: str) -> None:
    if stated != true:
        raise ValueError(f"{stated:.60}: by the turns before it is {true}")


def _read_happening(lines: _Lines, game: Game) -> None:
    """Takes a line that tells of something else than a turn, and does it."""
    if (found := lines.take(_CHOOSES)) is not None:
        game.choose(int(found[1]))
    elif (found := lines.take(_RESIGNS)) is not None:
        game.resign(int(found[2]), COLOURS.index(found[1]))
    elif (found := lines.take(_CUBE)) is not None:
        getattr(game, found[2])(COLOURS.index(found[1]))
    elif (found := lines.take(_ANSWER)) is None:
        lines.refuse("a turn as in '1) 65: 24/18 18/13', a resignation, or a result")
    elif found[0] == "Accepted":
        game.accept()
    else:
        game.refuse()


def _read_turn(found: re.Match[str], game: Game, number: int) -> bool:
    """Does what the line of a turn tells; whether it was a play."""
    if int(found[1]) != number:
        raise ValueError(f"{found[0]:.60}: expected number {number}")
    dice, text = (int(found[2]), int(found[3])), found[4].strip()
    if not text or game.state is not State.PLAY or game.dice != as_dice(dice):
        game.roll(dice)
    stage = first_stage(as_dice(dice), game.position.turn, game.rules)
    _read_said(text, game, dice if len(stage) == 2 and dice[0] != dice[1] else stage)
    return bool(text)


def _read_stage(found: re.Match[str], game: Game, number: int) -> None:
    """Plays the pending stage that the line tells of."""
    if int(found[1]) != number:
        raise ValueError(f"{found[0]:.60}: expected number {number}")
    pending = game.position.pending
    expected = None if pending is None or game.state is not State.PLAY else pending.stages[0]
    dice = tuple(map(int, found[3]))
    told = SIDES.index(found[2]), tuple(sorted(dice, reverse=True)), bool(found[4])
    if expected is None or told != (expected.player, expected.dice, expected.carried):
        due = "no stage is pending" if expected is None else f"{format_stage(expected)} is pending"
        raise ValueError(f"{found[0]:.60}: {due}")
    text = found[5].strip()
    if not text:
        raise ValueError(f"{found[0]:.60}: expected a play")
    _read_said(text, game, dice)


def _read_said(text: str, game: Game, stage: tuple[int, ...]) -> None:
    """Plays what a line tells, if anything; of two different dice, the first is the one that it names first."""
    if (illegal := _ILLEGAL.fullmatch(text)) is not None:
        game.let_stand(illegal[1], json.loads(illegal[2]) if illegal[2] else "")
    elif text:
        game.play(_read_play(game, text, stage) or text)


def _read_play(game: Game, text: str, stage: tuple[int, ...]) -> Play | None:
    """The play if `text` is just what would be written for it, so that even the order of its steps is kept."""
    slots = _slots(game.position.turn, game.rules.road)
    moves: list[tuple[int, int]] = []
    for word in text.split() if text != "pass" else ():
        found = _MOVE.fullmatch(word)
        if found is None or found[1] not in slots or found[2] not in slots:
            return None
        moves += [(slots[found[1]], slots[found[2]])] * int(found[3] or 1)
    steps = _with_dice(moves, stage, game.rules)
    if steps is None:
        return None
    try:
        play: Play = game.turn_type.play_type(game.position, game.dice, steps)
    except ValueError:
        return None
    # On contrary roads the marks of hits must be true as well.
    return play if (game.rules.road == "parallel" and "*" not in text) or _moves(play) == text else None
