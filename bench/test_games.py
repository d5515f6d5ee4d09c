"""Whole trees and whole games: perft from the start, and random games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nardy_fast.benchmark.jobs import Job, jobs


@pytest.mark.parametrize("job", jobs(["perft"]), ids=str)
def test_perft(job: Job, timed: Callable[[Job], None]) -> None:
    timed(job)


@pytest.mark.parametrize("job", jobs(["simulate"]), ids=str)
def test_simulate(job: Job, timed: Callable[[Job], None]) -> None:
    timed(job)
