"""Records of games and matches in files: text that people can read, and JSON Lines for bulk.

A text record holds one game or one match, in the spirit of backgammon's ``.mat`` files::

    ; [Record "nardy_fast 1"]
    ; [Variation "long nardy"]
    ; [Rules "federation"]

    Game 1
    Throw: 33 62
    Starter: player 0
    1) 65: 24/18 18/13
    2) 44: 12/8
    3) 21:
    White resigns 2
    Accepted
    Black wins 2 points (resigned)

The header states the variation, the name of the rules and, one a line, each option in which they differ from the preset of that
name, or from ``long`` or ``short`` where there is none. In a throw for the start, player 0's die is first. A turn tells its
number, the dice, and the play in the mover's printed points, step by step; with nothing after the dice, they are thrown and not
yet played. A stage that was pending has its player's letter before its dice, and ``*`` after them where they were carried, as in
``4) b555*: 12/7``.
A play against the rules that was let stand is ``illegal`` and the position after it. What is done with the cube has a
line of its own, as ``White doubles``, ``Black takes``, ``Black drops``.

In a match, ``3 point match``, or ``Money games``, stands before the first game and the score at the head of each; the last line
is as ``Match over: 3-1`` or ``Match unfinished: 2-1``. A game ends with its result, or ``Unfinished``, so that what has been cut
off is missed. Empty lines, and lines that begin with ``;`` and are no header, are not read.

In JSON Lines, each line is the `record` of one game or one match.

Both tell all that happened, and nothing of what was undone. Reading plays everything again: `ValueError` names the line, the turn
and the reason where a record cannot be read or breaks its own rules. What is read has no dice of its own, so that an unfinished
game goes on with ``roll(dice)``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from nardy_fast.formats.lines import AnyPath, file_lines, text_lines
from nardy_fast.formats.record_text import UNNAMED, beginning, event_lines, header, match_end, outcome, read_lines, to_text
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match

__all__ = ["from_text", "read", "read_jsonl", "read_text", "replay", "replayed", "to_text", "write_jsonl", "write_text"]

#: The longest line that is read, in bytes.
TEXT_LINE = 10_000
JSON_LINE = 1 << 24


def from_text(text: str, match_type: type[Match] = Match) -> Game | Match:
    """The game or match that `to_text` wrote, of `match_type` or of its `game_type`."""
    return read_lines(text_lines(text), match_type)


def write_text(path: AnyPath, record: Game | Match) -> None:
    """Writes one game or match as a text record, in UTF-8."""
    Path(path).write_text(to_text(record), encoding="utf-8")


def read_text(path: AnyPath, match_type: type[Match] = Match) -> Game | Match:
    """The game or match in a text record."""
    return read_lines(file_lines(path, TEXT_LINE), match_type)


def write_jsonl(path: AnyPath, records: Iterable[Game | Match]) -> None:
    """Writes games and matches as JSON Lines, one a line."""
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record.record(), separators=(",", ":")) + "\n")


def read_jsonl(path: AnyPath, match_type: type[Match] = Match) -> Iterator[Game | Match]:
    """The games and matches of a file in JSON Lines, one after another."""
    for number, line in file_lines(path, JSON_LINE):
        if line.strip():
            try:
                record = json.loads(line)
                is_match = isinstance(record, dict) and "games" in record
                yield (match_type if is_match else match_type.game_type).from_record(record)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"line {number}: {error}") from error


def read(path: AnyPath, match_type: type[Match] = Match) -> Iterator[Game | Match]:
    """What is recorded in a file: JSON Lines where its first line is an object, else one text record."""
    with open(path, "rb") as file:
        is_json = file.read(1 << 16).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    if is_json:
        yield from read_jsonl(path, match_type)
    else:
        yield read_text(path, match_type)


def replay(path: AnyPath, match_type: type[Match] = Match) -> Iterator[str]:
    """What is recorded in a file, piece by piece for printing: the board before each play, with the dice, and then the play."""
    for record in read(path, match_type):
        yield from replayed(record)


def replayed(record: Game | Match) -> Iterator[str]:
    """One game or match, piece by piece; see `replay`."""
    yield "\n".join(header(record))
    players = record.players if isinstance(record, Match) else UNNAMED
    for number, game in enumerate([record] if isinstance(record, Game) else record.games, 1):
        yield "\n".join((f"Game {number}", *beginning(game, players)))
        for line, play in event_lines(game):
            if play is not None:
                yield play.position.text(play.dice)
            yield line
        yield game.position.text()
        yield outcome(game)
    if isinstance(record, Match):
        yield match_end(record)
