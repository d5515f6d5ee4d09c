"""How fast networks are, in turns of another program on the same core in the same minute (yardstick.py tells of it).

    python bench/yardstick_players.py PROGRAM.c [ROUNDS]

On the stored positions from the middle of games, by networks 128 wide: afterstates listed and evaluated while the program plays
a turn; how many of its turns a decision takes; and games of training a turn, by a network that has learnt for some seconds. Two
figures need no other program: how many afterstates best_plays lists and judges while the network alone judges one that is given;
and how much faster it is on two threads than on one by the clock on the wall, which only a machine that is idle tells truly.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np
from yardstick import Plain, rate

import nardy_fast as nf
from nardy_fast.benchmark.cases import cases
from nardy_fast.players import Network, _train, train
from nardy_fast.players.training import new_weights

#: Of six rolls one is a double.
KINDS = ("mixed",) * 5 + ("doubles",)
#: How often the stored positions are gone through.
REPEATS = 5
#: Games of training before, and in, a measurement.
LEARNT, GAMES = 3000, 150
#: How many times as many rows are shared by threads, each of which takes 1,024 at a time.
MANY = 40


def work(rules: str, encoding: str) -> Iterator[tuple[str, Callable[[float], float]]]:
    """(what is told, what tells it by the program's turns a second)."""
    stored = [case for kind in KINDS for case in cases(nf, f"{rules}-middle-{kind}")]
    boards = np.ascontiguousarray(np.tile(np.stack([position.board for position, _ in stored]), (REPEATS, 1, 1)))
    dice = np.tile(np.array([roll for _, roll in stored], np.int8), (REPEATS, 1))
    afterstates = int(nf.batch.count_plays(boards, dice, rules).sum())
    network = Network(new_weights(rules, encoding=encoding))
    waiting = np.ascontiguousarray(nf.batch.afterstates(boards, dice, rules).boards[:, ::-1])
    chances = np.empty((len(waiting), len(network.outputs)), np.float32), np.empty(len(waiting), np.float32)
    learner = train(rules, games=LEARNT, threads=1, encoding=encoding)

    def best() -> None:
        network.best_plays(boards, dice)

    def judge() -> None:
        network.native.evaluate(waiting, None, *chances)

    def learn() -> None:
        _train.play_and_learn(learner.native, 1, 0, GAMES, 0.02, 0.6)

    yield "afterstates evaluated a turn", lambda turns: rate(afterstates, best) / turns
    yield "turns a decision", lambda turns: turns / rate(len(boards), best)
    yield "by best_plays while one is judged", lambda _: rate(afterstates, best) / rate(afterstates, judge)
    yield "two threads against one", lambda _: seconds(network, boards, dice, 1) / seconds(network, boards, dice, 2)
    yield "games of training a turn", lambda turns: rate(GAMES, learn) / turns


def seconds(network: Network, boards: np.ndarray, dice: np.ndarray, threads: int) -> float:
    """The least that the best plays of MANY times the rows take, of some attempts."""
    many, found = (np.tile(boards, (MANY, 1, 1)), np.tile(dice, (MANY, 1))), []
    for _ in range(5):
        begun = time.perf_counter()
        network.best_plays(*many, threads=threads)
        found.append(time.perf_counter() - begun)
    return min(found)


def main(source: str, rounds: str = "7") -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain = Plain(source, folder)
        print(f"{'':46} {'median':>9} {'least':>9} {'most':>9}")
        for rules in ("long", "short"):
            for encoding in ("slots", "dense-1"):
                for name, figure in work(rules, encoding):
                    figures = [figure(plain.turns_a_second()) for _ in range(int(rounds))]
                    told = (statistics.median(figures), min(figures), max(figures))
                    print(f"{f'{rules}, {encoding}: {name}':46} {' '.join(f'{each:9.5f}' for each in told)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
