"""Players who do with the cube whatever may be done, at random: for tests of matches, ids and files."""

from __future__ import annotations

import random
from typing import Any

from nardy_fast.games.states import ACTIONS, State

#: How likely each action is against the others that may be done; what is missing here is never chosen.
WEIGHTS = {"roll": 8, "play": 30, "choose": 1, "double": 3, "take": 3, "drop": 1, "beaver": 2, "accept": 1, "refuse": 1}


def act(game: Any, rng: random.Random, resigning: float = 0, eager: float = 1) -> str | None:
    """Does one thing at random and gives its name; None where it was refused. `eager`: how much more likely doubles are."""
    if game.state in (State.ROLL, State.PLAY) and rng.random() < resigning:
        action = "resign"
    else:
        actions = [action for action in ACTIONS[game.state] if action in WEIGHTS]
        action = rng.choices(actions, [WEIGHTS[action] * (eager if action == "double" else 1) for action in actions])[0]
    try:
        if action == "play":
            game.play(rng.choice(game.position.plays(game.dice)))
        elif action == "choose":
            game.choose(rng.randint(1, 6))
        elif action == "resign":
            game.resign(rng.randint(1, 3), rng.randrange(2))
        else:
            getattr(game, action)()
    except ValueError:
        return None
    return action


def play_match(match: Any, rng: random.Random, games: int | None = None, resigning: float = 0) -> Any:
    """Plays the match to its end, or so many games of it."""
    while not match.is_over and (games is None or len(match.games) < games):
        game = match.start_game()
        while not game.is_over:
            act(game, rng, resigning)
    return match
