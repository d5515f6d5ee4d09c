"""What a game waits for, and what may be done then: one table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class State(StrEnum):
    """What a game waits for."""

    ROLL = "roll"
    PLAY = "play"
    CHOOSE = "choose"
    DOUBLED = "doubled"
    BEAVERED = "beavered"
    ANSWER = "answer"
    OVER = "over"


#: The methods of `Game` that may be called in each state. Others are refused with the sentence of the state, and change nothing.
#: Those of the cube have conditions of their own: `nardy_fast.games.cube.TABLE`.
ACTIONS: Mapping[State, tuple[str, ...]] = MappingProxyType(
    {
        State.ROLL: ("roll", "double", "resign", "abandon", "undo", "redo"),
        State.PLAY: ("play", "let_stand", "resign", "abandon", "undo", "redo"),
        State.CHOOSE: ("choose", "resign", "abandon", "undo", "redo"),
        State.DOUBLED: ("take", "drop", "beaver", "abandon"),
        State.BEAVERED: ("take", "drop", "abandon"),
        State.ANSWER: ("accept", "refuse", "abandon"),
        State.OVER: ("undo", "redo"),
    }
)

SENTENCES: Mapping[State, str] = MappingProxyType(
    {
        State.ROLL: "the dice have not been thrown yet",
        State.PLAY: "the dice have been thrown and wait for a play",
        State.CHOOSE: "a double has to be chosen",
        State.DOUBLED: "a double waits for its answer",
        State.BEAVERED: "a beaver waits for its answer",
        State.ANSWER: "a resignation waits for its answer",
        State.OVER: "the game is over",
    }
)


def require(action: str, state: State) -> None:
    """`ValueError` with the reason unless `action` may be done in `state`."""
    if action not in ACTIONS[state]:
        raise ValueError(f"{action}: {SENTENCES[state]}")
