"""What the suites share. They time each `Job` of nardy_fast.benchmark.jobs, once what comes of it has been asserted.

    pytest bench --benchmark-only

`nardy-fast bench` times the same jobs, beside the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import nardy_fast
from nardy_fast.benchmark.jobs import Job


@pytest.fixture
def timed(benchmark: Any) -> Callable[[Job], None]:
    """Does a job on the native core, asserts what comes of it, and times it."""

    def timed(job: Job) -> None:
        work = job.prepare(nardy_fast)
        found = job.read(work())
        fault = job.fault("native", found)
        assert fault is None, fault
        benchmark.group = f"{job.task}, {job.rules}, in {job.unit}"
        benchmark.extra_info.update(unit=job.unit, amount=job.amount(found))
        benchmark(work)

    return timed
