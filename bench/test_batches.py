"""The same positions in batches, all phases of a game in one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nardy_fast.benchmark.jobs import Job, jobs


@pytest.mark.parametrize("job", jobs(["batch-count"]), ids=str)
def test_count_plays_of_a_batch(job: Job, timed: Callable[[Job], None]) -> None:
    timed(job)


@pytest.mark.parametrize("job", jobs(["batch-list"]), ids=str)
def test_list_afterstates_of_a_batch(job: Job, timed: Callable[[Job], None]) -> None:
    timed(job)
