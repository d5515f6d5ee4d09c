"""Games played out at random, each turn an even choice among the distinct afterstates."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from nardy_fast.bulk.simulation import Played, Simulation, checked_arguments, play_shards
from nardy_fast.reference import results
from nardy_fast.reference.position import Position
from nardy_fast.results import points_of
from nardy_fast.rules import BLACK, WHITE, Ruleset
from nardy_fast.workers import AnyExecutor

#: What is written for the winner of a drawn game.
DRAW = -1


def simulate(
    games: int,
    rules: str | Ruleset = "long",
    *,
    seed: int = 0,
    threads: int | None = None,
    executor: AnyExecutor | None = None,
    start: Position | None = None,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Plays `games` random games and tells how they ended.

    The same `seed` gives the same games whoever plays them: any number of `threads` (None: as many as the machine has
    processors; the native core releases the GIL), or an `executor` (anything with `submit`, as in `concurrent.futures`), which is
    then sent fixed shards of the work. `start`: the position that every game begins from, the side to move as it says, instead of
    the rules' own start. `progress` is called in the calling thread, from time to time, with the number of games played so far.

    Raises `TypeError` or `ValueError` for `games`, `rules`, `seed`, `threads`, `executor`, `start` or `progress` that are not
    what they should be; an exception out of `progress`, like a keyboard interrupt, ends the games soon.
    """
    rules, workers = checked_arguments(games, rules, seed, threads, executor, start, progress, Position)
    # Python plays one game at a time, in however many threads.
    return play_shards(play_numbered, 1, int(games), rules, int(seed), start, workers or 1, executor, progress)


def play_numbered(rules: Ruleset, seed: int, start: Position | None, first: int, games: int) -> Played:
    """The games from number `first`; each has random numbers of its own."""
    played = [play_game(rules, start, Random(f"{seed}, game {number}")) for number in range(first, first + games)]
    winner, points, turns = zip(*played, strict=True)
    return np.array(winner, np.int8), np.array(points, np.int16), np.array(turns, np.int32)


def play_game(rules: Ruleset, start: Position | None, chance: Random) -> tuple[int, int, int]:
    """One random game: the winner's colour or -1 for a draw, the points, and the turns, passes and a last roll counted."""
    if start is None:
        position = Position.start(rules, WHITE if rules.road == "parallel" else chance.choice((WHITE, BLACK)))
        dice = first_dice(rules, chance)
    else:
        position = start
        dice = throw(chance)

    turns = 0
    judged = position  # where the points are read
    while not position.is_over:
        is_last_roll = results.is_last_roll(position._board, position.turn, rules)
        if position.pending is None:
            turns += 1
            plays = position.plays(dice)
            dice = throw(chance)
        else:
            plays = position.plays()
        position = chance.choice(plays).afterstate
        # By draw_only the result is the one that stood when White cleared; by full, Black's last roll counts.
        if not (is_last_roll and rules.last_roll == "draw_only"):
            judged = position

    if position.winner is None:
        return DRAW, 0, turns
    loser_row = 0 if judged.turn != position.winner else 1
    return position.winner, points_of(judged._board, loser_row, rules), turns


def throw(chance: Random) -> tuple[int, int]:
    """Two dice."""
    return chance.randint(1, 6), chance.randint(1, 6)


def first_dice(rules: Ruleset, chance: Random) -> tuple[int, int]:
    """The dice of the first turn: thrown afresh, or those of the roll-off, which were thrown again while they were equal."""
    dice = throw(chance)
    while rules.first_dice == "rolloff" and dice[0] == dice[1]:
        dice = throw(chance)
    return dice
