"""Work cut into fixed shards, numbered, and done by threads or by anybody's executor; who does them never matters to them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from typing import Any, Protocol, TypeVar

from nardy_fast.arguments import short_repr

T = TypeVar("T")

#: Shards in the hands of an executor, whose size is unknown: enough for some hundred workers, few enough to be held in memory.
AHEAD = 256


class AnyExecutor(Protocol):
    """What is asked of an executor: `concurrent.futures`, Dask's `Client.get_executor()`, mpi4py's and others have it."""

    def submit(self, task: Callable[..., Any], /, *args: Any) -> Future[Any]: ...


def run(
    task: Callable[..., T],
    shards: Iterable[tuple[Any, ...]],
    threads: int,
    executor: AnyExecutor | None = None,
    leaving: Callable[[], object] | None = None,
) -> Generator[tuple[int, T]]:
    """Yields (number, what `task` returns for it) for each shard, as they come.

    With an `executor` the task and the shards must be such that it can send them; `threads` then does not matter. Left early, by
    an error, an interrupt or its `close`, it begins no more shards; it calls `leaving`, which may tell those that are running to
    end, and waits for its own threads, but not for an executor.
    """
    if executor is None and threads == 1:
        yield from ((number, task(*shard)) for number, shard in enumerate(shards))
        return
    pool: Any = ThreadPoolExecutor(threads) if executor is None else nullcontext(executor)
    ahead = 2 * threads if executor is None else AHEAD
    with pool as workers:
        pending: dict[Future[T], int] = {}
        try:
            for number, shard in enumerate(shards):
                if len(pending) >= ahead:
                    yield from _finished(pending)
                future = workers.submit(task, *shard)
                if not isinstance(future, Future):
                    raise TypeError(f"executor: submit gave {short_repr(future)}: expected a concurrent.futures.Future")
                pending[future] = number
            while pending:
                yield from _finished(pending)
        finally:
            if pending and leaving is not None:
                leaving()
            for future in pending:
                future.cancel()


def _finished(pending: dict[Future[T], int]) -> Generator[tuple[int, T]]:
    """Waits for some of the pending, and takes them out."""
    for future in wait(pending, return_when=FIRST_COMPLETED).done:
        yield pending.pop(future), future.result()
