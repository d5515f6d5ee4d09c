"""Counting, listing and applying the plays of a roll, one position after the other; each set has a hundred."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nardy_fast.benchmark.jobs import Job, jobs


@pytest.mark.parametrize("job", jobs(["count"]), ids=str)
def test_count_plays(job: Job, timed: Callable[[Job], None]) -> None:
    timed(job)


@pytest.mark.parametrize("job", jobs(["list"]), ids=str)
def test_list_plays(job: Job, timed: Callable[[Job], None]) -> None:
    timed(job)


@pytest.mark.parametrize("job", jobs(["apply"]), ids=str)
def test_apply(job: Job, timed: Callable[[Job], None]) -> None:
    timed(job)
