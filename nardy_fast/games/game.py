"""A whole game, from the throw for the start to the result (rulebook, sections 1 to 4): a thin object over `Position`.

A *record* tells what happened, in plain values ready for JSON. A *snapshot* is a record with what it takes to resume exactly.
Reading plays everything again, so that what breaks its own rules is refused.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar

from nardy_fast.arguments import as_given_steps, as_int, check_flag, check_keys, read_json, short_repr
from nardy_fast.games.cube import Cube, Stakes
from nardy_fast.games.dice import Dice, Throw
from nardy_fast.games.history import Event
from nardy_fast.games.live import LiveGame
from nardy_fast.rules import RULESETS, Ruleset, ruleset


class Game(LiveGame):
    """One game. It waits for one thing at a time (`state`); `nardy_fast.games.states.ACTIONS` tells what may be done then.

    The constructor throws for the start. Then, until `is_over`: `roll()` if `dice` is None, and `play(...)` with one of
    ``position.plays(game.dice)``, with text, or with nothing to play the steps put together in `turn`. A player who cannot play
    passes: the only play there is has no steps. Where ``rules.first_dice`` is ``rolloff`` (short nardy), the starter plays the
    dice of the throw for the start: they wait for his play from the beginning, and a first `roll()` is refused.

    `seed` and `dice`: see `Dice`; of a throw for the start, the first die is player 0's and the second player 1's. `starter`: the
    player, 0 or 1, who begins without a throw for it. Players keep their numbers; in long nardy the starter has White, in short
    nardy player 0 has (rulebook, section 0).

    `cube`: what is agreed about the cube, as `CubeRules` for money or as the `Stakes` of a game in a match; None to play without
    one. Who is to move may `double` before his throw, and the other then has to `take`, `drop` or `beaver`; see
    `nardy_fast.cube.TABLE`.

    A refused action raises `ValueError` with the reason, and nothing changes. Two games are equal when the same happened in them
    under equal rules. A game is for one thread at a time; who shares it locks it.
    """

    def record(self) -> dict[str, Any]:
        """All that happened, as plain values ready for JSON: rules, beginning, events, result.

        Dice and slots are numbers, as in `events`.
        """
        record: dict[str, Any] = {"rules": rules_record(self.rules)}
        if self.is_from_start:
            record |= {"starter": self.starter, "throws": self.start_throws}
        else:
            record |= {"position": str(self.first_position)}
            if self.white != 0:
                record |= {"white": self.white}
        if self.stakes is not None:
            record |= {"cube": self.stakes.record()}
            if not self.is_from_start and self.first_cube != Cube():
                record |= {"cube_state": self.first_cube}
        return record | {"events": self.events, "result": self.result}

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """The game that `record` tells of, played again and so checked.

        It has no dice of its own, so that `roll` must be given them. `ValueError` names the turn and the reason where the record
        breaks its own rules.
        """
        check_keys(record, "game", _REQUIRED, _BEGINNING)
        game = _begun(cls, record)
        game._replay(_events(record, "events"))
        game._compare_result(record)
        return game

    def snapshot(self, *, public: bool = False) -> dict[str, Any]:
        """The `record`, and the source of dice, throws and events that were undone, and the steps of the turn in the making.

        `public`: without the source of dice, from which the coming throws could be foretold.
        """
        check_flag("public", public)
        snapshot = self.record() | {
            "undone": [event for events in reversed(self._history.undone) for event in events],
            "undos": len(self._history.undone),
            "thrown": self._history.standing,
            "steps": self._turn.played if self._turn is not None else (),
        }
        return snapshot if public else snapshot | {"source": self._source.state()}

    @classmethod
    def from_snapshot(cls, snapshot: Any) -> Self:
        """The game of a `snapshot`, as it stood; `ValueError` for anything else. A public one gives a game without dice."""
        check_keys(snapshot, "game", [*_REQUIRED, "undone", "undos", "thrown", "steps"], [*_BEGINNING, "source"])
        game = _begun(cls, snapshot)
        game._replay([*_events(snapshot, "events"), *_events(snapshot, "undone")])
        try:
            for _ in range(as_int("undos", snapshot["undos"], 0, len(game.turns))):
                game.undo()
            game._history.stand(_events(snapshot, "thrown"))
            for source, to, die in as_given_steps(_events(snapshot, "steps"), game.rules):
                game.turn.play_step(source, die, to)
            game.use_dice(Dice.from_state(snapshot.get("source")))
        except TypeError as error:
            raise ValueError(f"game: {error}") from error
        game._compare_result(snapshot)
        return game

    def to_json(self, *, public: bool = False) -> str:
        """The game as JSON, with what it takes to resume exactly: the source of dice, what was undone, the turn in the making.

        Who reads it knows the coming dice. `public`: without the source of dice, for others to see, such as browsers.
        """
        return json.dumps(self.snapshot(public=public))

    @classmethod
    def from_json(cls, text: str, *, seed: int | None = None, dice: Iterable[Throw] | Callable[[], Throw] | None = None) -> Self:
        """The game that `to_json` wrote, as it stood; `ValueError` for anything else.

        A callable that gave the dice was not kept: give it again. `seed` or `dice` take the place of the source that was kept; a
        text for the public keeps none, and needs one of them.
        """
        snapshot = read_json(text, "game")
        game = cls.from_snapshot(snapshot)
        if (source := given_source(snapshot, seed, dice)) is not None:
            game.use_dice(source)
        return game

    def _replay(self, events: list[Event]) -> None:
        for event in events:
            try:
                self.replay_event(event)
            except (TypeError, ValueError) as error:
                raise ValueError(f"turn {len(self.turns) + 1}: {error}") from error

    def _compare_result(self, record: dict[str, Any]) -> None:
        stated, true = record.get("result"), self.result and list(self.result)
        if stated not in (true, self.result):
            raise ValueError(f"result = {short_repr(stated)}: the turns make it {true}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        mine, others = (
            (g.rules, g.first_position, g.white, g.start_throws, g.stakes, g.first_cube, g.events) for g in (self, other)
        )
        return mine == others

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.rules.name}: {len(self.turns)} turns, {self.result or self.state}>"


G = TypeVar("G", bound=Game)


def begin_game(game_type: type[G], rules: Ruleset, throws: Any, starter: Any, cube: Stakes | None = None) -> G:
    """A game at its beginning, without dice of its own: thrown for with `throws`, or with none, begun by player `starter`."""
    source = Dice(dice=throws)
    game = game_type(rules, dice=source, starter=None if throws else starter, cube=cube)
    if source.state():
        raise ValueError(f"throws = {throws}: the first that is no tie decides, and there are more")
    if game.starter != starter:
        raise ValueError(f"starter = {short_repr(starter)}: by the throws it is {game.starter}")
    return game


#: The keys of a record, and those that only some beginnings have.
_REQUIRED = ("rules", "events")
_BEGINNING = ("starter", "throws", "position", "white", "cube", "cube_state", "result")


def _begun(game_type: type[G], record: Any) -> G:
    """The game of the record at its beginning."""
    try:
        rules = rules_from_record(record["rules"])
        cube = Stakes.from_record(record["cube"]) if "cube" in record else None
        if "position" in record:
            check_keys(record, "game with a position", list(record.keys() - {"starter", "throws"}))
            position = game_type.position_type.parse(record["position"], rules)
            white, lies = record.get("white", 0), record.get("cube_state")
            return game_type.from_position(position, dice=(), cube=cube, white=white, cube_state=lies)
        check_keys(record, "game from the start", list({*record, "starter"} - {"white", "cube_state"}))
        return begin_game(game_type, rules, _events(record, "throws") if "throws" in record else (), record["starter"], cube)
    except TypeError as error:
        raise ValueError(f"beginning of a game: {error}") from error


def _events(record: dict[str, Any], key: str) -> list[Any]:
    events = record[key]
    if not isinstance(events, (list, tuple)):
        raise ValueError(f"{key} = {short_repr(events)}: expected a list")
    return list(events)


def given_source(snapshot: Any, seed: int | None, dice: Iterable[Throw] | Callable[[], Throw] | None) -> Dice | None:
    """The source of dice that takes the place of the one in a snapshot; None to keep that one, `ValueError` if it has none."""
    if seed is not None or dice is not None:
        return Dice.of(seed, dice)
    if "source" not in snapshot:
        raise ValueError("source: the text is for the public and has no dice: expected seed= or dice=")
    return None


def rules_record(rules: Ruleset) -> str | dict[str, Any]:
    """The name of a preset; all fields of a ruleset that is none."""
    return rules.name if RULESETS.get(rules.name) == rules else dataclasses.asdict(rules)


def rules_from_record(record: Any) -> Ruleset:
    return Ruleset.from_json(json.dumps(record)) if isinstance(record, dict) else ruleset(record)
