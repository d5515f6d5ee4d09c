"""Makes the decisions that error rates are measured by (nardy_fast/analysis/decisions.py): picks them from games, and rolls out.

    python tools/make_decisions.py OUT.npz [--rules NAME] [--network NETWORK] [--like FILE]
        [--scale X] [--seed N] [--dice N] [--workers N]

`EACH` decisions of each phase, times `--scale`, are picked from games of the network against itself, and in half of the games
against itself with noise of 0.12 or 0.3 points on its equities, at most one of a phase from a game. A decision counts if two to
`MOST` plays are within `MARGIN` of the best at 1 ply. These are rolled out by the network, races into the bear-off tables and all
else for `PLIES` plies, with the same dice for all, until the standard errors of their differences are at most `BOUND`. (So many
plies on, what is left of a difference is far below the error, and the games have cost a fifth.) Other plays are given the equity
at 1 ply, moved by as much as the rollout moves the best at 1 ply.

`--seed` begins the games, `--dice` the rollouts. What is done is kept beside OUT, line by line, in OUT.jsonl: run again, it goes
on. With `--like` the positions and rolls are those of a file that was made before, for another network to judge.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

import nardy_fast as nf
from nardy_fast.analysis import rank, rollout
from nardy_fast.analysis.decisions import Decisions
from nardy_fast.analysis.phases import PHASES, phase_of
from nardy_fast.analysis.rollout_files import mark
from nardy_fast.players import Level, Network

#: How near to the best at 1 ply, in points, a play is rolled out, and how many such plays a decision may have.
MARGIN, MOST = 0.15, 3
#: How many of each phase; the first ones take longest.
EACH = {"opening": 40, "middle": 50, "blocks": 50, "race": 80, "bearing off": 80}
#: The standard errors of differences that are enough, and where they cost little.
BOUND, RACE_BOUND = 0.02, 0.004
#: How far games with contact are played.
PLIES = 30
#: At least so many trials, as many more until that is so, and no more than these.
STEP, TRIALS = 1296, 36_288
#: The noise of the other player.
NOISES = (0.0, 0.0, 0.12, 0.3)


def picked(network: Network, rules: nf.Ruleset, scale: float, seed: int) -> Iterator[dict[str, Any]]:
    """Decisions, until there are so many of each phase."""
    rng = np.random.default_rng(seed)
    left = {phase: round(each * scale) for phase, each in EACH.items()}
    game = 0
    while any(left.values()):
        other = Level(network, NOISES[game % len(NOISES)], int(rng.integers(1 << 30)))
        seats = (network, other) if rng.integers(2) else (other, network)
        position, seen = nf.Position.start(rules), []
        while not position.is_over:
            dice = (0, 0)
            while dice == (0, 0) or (not seen and rules.first_dice == "rolloff" and dice[0] == dice[1]):
                dice = thrown(rng)
            seen.append((position, dice, phase_of(position, len(seen))))
            position = position.apply(seats[position.turn].choose(position, dice))
        game += 1
        for phase in PHASES:
            ours = [turn for turn in seen if turn[2] == phase]
            for number in rng.permutation(len(ours))[:4] if left[phase] else ():
                position, dice, _ = ours[number]
                plays = one_ply(network, position, dice)
                if plays and 2 <= sum(plays[0][1] - equity <= MARGIN for _, equity in plays) <= MOST:
                    left[phase] -= 1
                    yield {"position": str(position), "dice": dice, "phase": phase}
                    break


def taken(decisions: Decisions) -> list[dict[str, Any]]:
    """The positions and rolls of decisions that were made before."""
    rows = zip(decisions.boards, decisions.turns.tolist(), decisions.dice.tolist(), decisions.phases.tolist(), strict=True)
    return [
        {"position": str(nf.Position(board, turn, decisions.rules)), "dice": dice, "phase": PHASES[phase]}
        for board, turn, dice, phase in rows
    ]


def thrown(rng: np.random.Generator) -> tuple[int, int]:
    high, low = sorted(rng.integers(1, 7, 2).tolist(), reverse=True)
    return high, low


def one_ply(network: Network, position: nf.Position, dice: tuple[int, int]) -> list[tuple[nf.Play, float]]:
    """The plays with their equities at 1 ply, best first."""
    ranking = rank(position, dice, 1, network, None, tables=False)
    return [(each.play, each.equity) for each in ranking] if len(ranking) > 1 else []


def rolled(decision: dict[str, Any], rules: nf.Ruleset, network: Network, dice_seed: int) -> dict[str, Any]:
    """The decision with what each play is worth."""
    begun = time.process_time()
    position = nf.Position.parse(decision["position"], rules)
    judged = one_ply(network, position, decision["dice"])
    near = [play for play, equity in judged if judged[0][1] - equity <= MARGIN]
    is_race = decision["phase"] in ("race", "bearing off")
    bound, plies = (RACE_BOUND, None) if is_race else (BOUND, PLIES)
    found = rollout(near, STEP, network=network, control=None, plies=plies, seed=dice_seed, threads=1)
    while found.trials < TRIALS and max(candidate.loss_error for candidate in found.candidates) > bound:
        found = found.more(found.trials + STEP, threads=1)
    by_play = {candidate.play: candidate for candidate in found.candidates}
    moved = by_play[judged[0][0]].equity - judged[0][1]
    plays = []
    for play, equity in judged:
        candidate = by_play.get(play)
        after = play.afterstate.board[::-1].tolist()
        worth, error = (equity + moved, None) if candidate is None else (candidate.equity, candidate.loss_error)
        plays.append({"after": after, "equity": worth, "error": error})
    return {**decision, "turn": position.turn, "board": position.board.tolist(), "plays": plays, "trials": found.trials,
            "seconds": time.process_time() - begun}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rules", default="long")
    parser.add_argument("--network", help="that judges (default: the shipped one)")
    parser.add_argument("--like", type=Path, metavar="FILE", help="take the positions and rolls of this file, and play no games")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dice", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    rules = nf.ruleset(options.rules)
    network = Network.load(options.network or options.rules)
    kept = options.out.with_suffix(".jsonl")
    done = {}
    by = [mark(network), options.dice, str(options.like or options.seed)]
    if kept.exists():
        lines = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
        done = {line["number"]: line for line in lines if line["by"] == by}
    decisions = taken(Decisions.load(options.like)) if options.like else list(picked(network, rules, options.scale, options.seed))
    print(f"{len(decisions)} decisions, {len(done)} of them done", flush=True)
    with open(kept, "a", encoding="utf-8") as file, ProcessPoolExecutor(options.workers) as pool:
        pending = {
            pool.submit(rolled, decision, rules, network, options.dice + number): number
            for number, decision in enumerate(decisions)
            if number not in done
        }
        for future in as_completed(pending):
            number = pending[future]
            done[number] = {"number": number, "by": by, **future.result()}
            file.write(json.dumps(done[number]) + "\n")
            file.flush()
            os.fsync(file.fileno())
            print(number, done[number]["phase"], done[number]["trials"], f"{done[number]['seconds']:.1f} s", flush=True)
    made = {
        "network": options.network or f"as shipped for {options.rules}", "training": network.training, "seed": options.seed,
        "like": options.like and options.like.name,
        "dice": options.dice, "margin": MARGIN, "bounds": [BOUND, RACE_BOUND], "plies": PLIES,
        "trials": sum(line["trials"] for line in done.values()), "seconds": sum(line["seconds"] for line in done.values()),
    }  # fmt: skip
    Decisions.of(rules, [done[number] for number in sorted(done)], made).save(options.out)
    print(f"{options.out}: {options.out.stat().st_size:,} bytes, {made['seconds']:.0f} s")


if __name__ == "__main__":
    main()
