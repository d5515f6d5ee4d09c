"""How many random legal actions a second the vector environment does, beside the plain program and, where it is installed, pgx.

    python bench/environments.py PROGRAM.c [RULES ...]

The program is that of bench/yardstick.py; figures are actions while it plays a turn, one core each, medians of five rounds by
turns. pgx (`pip install pgx jax`) plays backgammon, a step at a time like ours, on the CPU; its time to compile is left out.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np
from yardstick import Plain

from nardy_fast.envs.vector import NardyVectorEnv

BOARDS, STEPS, ROUNDS = 1024, 200, 5


def ours(rules: str) -> Callable[[], float]:
    """Actions a processor second where the agent plays both sides."""
    env, rng = NardyVectorEnv(BOARDS, rules, opponent=None, copy=False), np.random.default_rng(1)
    env.reset(seed=1)

    def rate() -> float:
        begun = time.process_time()
        for _ in range(STEPS):
            env.step(env.sample_actions(rng))
        return BOARDS * STEPS / (time.process_time() - begun)

    return rate


def pgx_backgammon() -> Callable[[], float] | None:
    """The same of pgx; None where it is not installed."""
    try:
        import jax
        import pgx
        from pgx.experimental import auto_reset
    except ImportError:
        return None
    game = pgx.make("backgammon")

    def step(state: object, key: object) -> object:
        chosen, thrown = jax.random.split(key)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))  # type: ignore[attr-defined]
        actions = jax.random.categorical(chosen, logits, axis=-1)
        return jax.vmap(auto_reset(game.step, game.init))(state, actions, jax.random.split(thrown, BOARDS))

    step = jax.jit(step)
    state = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.PRNGKey(0), BOARDS))
    keys = jax.random.split(jax.random.PRNGKey(1), STEPS)
    state = jax.block_until_ready(step(state, keys[0]))

    def rate() -> float:
        nonlocal state
        begun = time.process_time()
        for key in keys:
            state = step(state, key)
        jax.block_until_ready(state)
        return BOARDS * STEPS / (time.process_time() - begun)

    return rate


def main(program: str, *rules: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain = Plain(program, folder)
        workers: dict[str, Callable[[], float] | None] = {name: ours(name) for name in rules or ("long", "short")}
        workers["pgx backgammon"] = pgx_backgammon()
        for name, rate in workers.items():
            if rate is None:
                print(f"{name:20} not installed")
            else:
                ratios = [rate() / plain.turns_a_second() for _ in range(ROUNDS)]
                print(f"{name:20} {statistics.median(ratios):.4f} actions a plain turn", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
