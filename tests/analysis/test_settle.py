"""The limit of repeated sweeps."""

from __future__ import annotations

import numpy as np
import pytest

from nardy_fast.analysis.settle import settle


def sweeps_of(slope: np.ndarray, constant: np.ndarray, target: float = 1e-12) -> tuple[int, np.ndarray]:
    """How many sweeps x -> slope x + constant takes, and the belief that stands."""
    belief = np.zeros(len(constant))

    def sweep() -> None:
        belief[:] = slope @ belief + constant

    return settle(sweep, belief, target, lambda done: None), belief


def test_it_finds_the_fixed_point_in_fewer_sweeps_than_it_takes_without_guessing() -> None:
    rng = np.random.default_rng(1)
    slope, constant = rng.random((40, 40)), rng.random(40)
    slope *= 0.9 / slope.sum(axis=1, keepdims=True)
    number, belief = sweeps_of(slope, constant)
    assert belief == pytest.approx(np.linalg.solve(np.eye(40) - slope, constant), abs=1e-10)
    assert number < 20  # 0.9 ** 260 = 1e-12


def test_nothing_to_change_takes_one_sweep() -> None:
    assert sweeps_of(np.zeros((3, 3)), np.zeros(3))[0] == 1


def test_progress_ends_with_all() -> None:
    heard: list[float] = []
    belief = np.zeros(1)

    def sweep() -> None:
        belief[:] = belief / 2 + 1

    settle(sweep, belief, 1e-9, heard.append)
    assert heard[-1] == 1.0
    assert all(0 <= done <= 1 for done in heard)
