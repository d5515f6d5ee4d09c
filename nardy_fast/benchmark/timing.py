"""How long some work takes, and what comes of a job: right or wrong, and so much of it a second.

Times are processor time, the least of several runs: of a machine that does other things too they still tell something. Only
ratios within one run mean much.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nardy_fast.benchmark.implementations import implementation
from nardy_fast.benchmark.jobs import Job

#: How long each entry of the table is timed, at least.
SECONDS = 0.1


def fastest(work: Callable[[], object], seconds: float = SECONDS) -> float:
    """The processor seconds of one call of `work`: the least of several runs, which take at least `seconds` together."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        calls, spent, best = 1, 0.0, math.inf
        while spent < seconds or best == math.inf:
            begun = time.process_time()
            for _ in range(calls):
                work()
            run = time.process_time() - begun
            spent += run
            # A run that is too short is not told from the ticks of the clock.
            if run < seconds / 10:
                calls *= 2
            else:
                best = min(best, run / calls)
        return best
    finally:
        if collecting:
            gc.enable()


@dataclass(frozen=True)
class Row:
    """One entry of the table: a job and how fast each implementation did it, in units a second."""

    job: Job
    amount: Mapping[str, int]
    per_second: Mapping[str, float]
    faults: tuple[str, ...]

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the reference the native core is; None where not both have done it."""
        if "native" in self.per_second and "reference" in self.per_second:
            return self.per_second["native"] / self.per_second["reference"]
        return None

    def as_json(self) -> dict[str, Any]:
        return {
            "task": self.job.task,
            "rules": self.job.rules,
            "subject": self.job.subject,
            "unit": self.job.unit,
            "amount": dict(self.amount),
            "per_second": dict(self.per_second),
            "ratio": self.ratio,
            "faults": list(self.faults),
        }


def measure(job: Job, seconds: float = SECONDS) -> Row:
    """Does a job with each implementation: first to see that what comes of it is right, and only then for the time."""
    amount, per_second, faults = {}, {}, []
    for impl in job.expected:
        work = job.prepare(implementation(impl))
        begun = time.process_time()
        result = work()
        first = time.process_time() - begun
        found = job.read(result)
        fault = job.fault(impl, found)
        if fault is not None:
            faults.append(fault)
            continue
        # Where once is long enough, it is not done again.
        best = first if first >= seconds else fastest(work, seconds)
        amount[impl] = job.amount(found)
        per_second[impl] = amount[impl] / best
    return Row(job, amount, per_second, tuple(faults))
