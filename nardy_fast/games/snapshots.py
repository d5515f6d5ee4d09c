"""Games and matches as plain values ready for JSON, and back.

A *record* tells what happened. A *snapshot* is a record with what it takes to resume exactly. Reading plays everything again, so
that what breaks its own rules is refused.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any, TypeVar

from nardy_fast.arguments import as_dice
from nardy_fast.games.cube import CubeRules, Stakes
from nardy_fast.games.dice import Dice
from nardy_fast.rules import RULESETS, Ruleset, ruleset

if TYPE_CHECKING:
    from nardy_fast.games.game import Event, Game
    from nardy_fast.games.match import Match

    G = TypeVar("G", bound=Game)
    M = TypeVar("M", bound=Match)


def rules_record(rules: Ruleset) -> str | dict[str, Any]:
    """The name of a preset; all fields of a ruleset that is none."""
    return rules.name if RULESETS.get(rules.name) == rules else dataclasses.asdict(rules)


def rules_from_record(record: Any) -> Ruleset:
    return Ruleset.from_json(json.dumps(record)) if isinstance(record, dict) else ruleset(record)


# Games


def game_record(game: Game) -> dict[str, Any]:
    """All that happened: rules, beginning, events, result. Dice and slots are numbers, as in `Game.events`."""
    record: dict[str, Any] = {"rules": rules_record(game.rules)}
    if game.is_from_start:
        record |= {"starter": game.starter, "throws": game.start_throws}
    else:
        record |= {"position": str(game.first_position)}
    if game.stakes is not None:
        record |= {"cube": game.stakes.record()}
    return record | {"events": game.events, "result": game.result}


def game_from_record(game_type: type[G], record: Any) -> G:
    """The game of a `game_record`; `ValueError` names the turn and the reason where it breaks its own rules."""
    game = _begun(game_type, record)
    _replay(game, _events(record, "events"))
    _compare_results(game, record)
    return game


def game_snapshot(game: Game) -> dict[str, Any]:
    """`game_record`, and the source of dice, throws and events that were undone, and the steps of the turn in the making."""
    return game_record(game) | {
        "undone": [event for events in reversed(game._undone) for event in events],
        "undos": len(game._undone),
        "thrown": game._thrown[game._used :],
        "steps": game._turn.played if game._turn is not None else (),
        "source": game._source.state(),
    }


def game_from_snapshot(game_type: type[G], snapshot: Any) -> G:
    """The game of a `game_snapshot`, as it stood; `ValueError` for anything else."""
    game = _begun(game_type, snapshot)
    _replay(game, [*_events(snapshot, "events"), *_events(snapshot, "undone")])
    try:
        for _ in range(snapshot["undos"]):
            game.undo()
        game._thrown[game._used :] = [as_dice(throw) for throw in snapshot["thrown"]]
        for source, _, die in snapshot["steps"]:
            game.turn.play_step(source, die)
        game._source = Dice.from_state(snapshot["source"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"snapshot of a game: {error!r}") from error
    _compare_results(game, snapshot)
    return game


def begin_game(game_type: type[G], rules: Ruleset, throws: Any, starter: Any, cube: Stakes | None = None) -> G:
    """A game at its beginning, without dice of its own: thrown for with `throws`, or with none, begun by player `starter`."""
    source = Dice(dice=throws)
    game = game_type(rules, dice=source, starter=None if throws else starter, cube=cube)
    if source.state():
        raise ValueError(f"throws = {throws}: the first that is no tie decides, and there are more")
    if game.starter != starter:
        raise ValueError(f"starter = {starter!r}: by the throws it is {game.starter}")
    return game


def _begun(game_type: type[G], record: Any) -> G:
    """The game of the record at its beginning."""
    if not isinstance(record, dict):
        raise ValueError(f"record = {record!r:.80}: expected an object")
    try:
        rules = rules_from_record(record.get("rules"))
        cube = Stakes.from_record(record["cube"]) if "cube" in record else None
        if "position" in record:
            return game_type.from_position(game_type.position_type.parse(record["position"], rules), dice=(), cube=cube)
        return begin_game(game_type, rules, record.get("throws", ()), record.get("starter"), cube)
    except TypeError as error:
        raise ValueError(f"beginning of a game: {error}") from error


def _events(record: dict[str, Any], key: str) -> list[Event]:
    events = record.get(key)
    if not isinstance(events, (list, tuple)):
        raise ValueError(f"{key} = {events!r:.80}: expected a list")
    return list(events)


def _replay(game: Game, events: list[Event]) -> None:
    for event in events:
        try:
            game.repeat(event)
        except (TypeError, ValueError) as error:
            raise ValueError(f"turn {len(game.turns) + 1}: {error}") from error


def _compare_results(game: Game, record: dict[str, Any]) -> None:
    stated, true = record.get("result"), game.result and list(game.result)
    if stated not in (true, game.result):
        raise ValueError(f"result = {stated!r:.80}: the turns make it {true}")


# Matches


def match_record(match: Match) -> dict[str, Any]:
    """What was agreed, and the record of each game."""
    return _agreed(match) | {"games": [game_record(game) for game in match.games]}


def match_from_record(match_type: type[M], record: Any) -> M:
    """The match of a `match_record`; `ValueError` names the game, the turn and the reason where it breaks its own rules."""
    return _match(match_type, record, game_from_record, ())


def match_snapshot(match: Match) -> dict[str, Any]:
    """What was agreed, the snapshot of each game, and the source of dice that the games share."""
    return _agreed(match) | {"games": [game_snapshot(game) for game in match.games], "source": match._source.state()}


def match_from_snapshot(match_type: type[M], snapshot: Any) -> M:
    """The match of a `match_snapshot`, as it stood; `ValueError` for anything else."""
    return _match(match_type, snapshot, game_from_snapshot, snapshot.get("source") if isinstance(snapshot, dict) else None)


def _agreed(match: Match) -> dict[str, Any]:
    agreed = {"points": match.points, "rules": rules_record(match.rules), "draw": match.draw, "players": match.players}
    return agreed if match.cube is None else agreed | {"cube": dataclasses.asdict(match.cube)}


def _match(match_type: type[M], record: Any, read_game: Any, source: Any) -> M:
    try:
        match = match_type(
            record["points"],
            rules_from_record(record["rules"]),
            draw=record["draw"],
            cube=CubeRules(**record["cube"]) if "cube" in record else None,
            players=tuple(record["players"]),
            dice=Dice.from_state(source),
        )
        games = list(record["games"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"record of a match: {error!r}") from error
    for number, game in enumerate(games, 1):
        try:
            match.add_game(read_game(match_type.game_type, game))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from error
    return match
