"""Work cut into fixed pieces, done by threads or by anybody's executor; the pieces never depend on who does them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

#: More threads than this are surely a mistake.
MOST_THREADS = 1024
#: Pieces in the hands of an executor of unknown size; few, so that a great many cost no memory but their results.
AHEAD = 64


class AnyExecutor(Protocol):
    """What is asked of an executor: `concurrent.futures`, Dask's `Client.get_executor()`, mpi4py's and others have it."""

    def submit(self, task: Callable[..., Any], /, *args: Any) -> Future[Any]: ...


def run(
    task: Callable[..., T], pieces: Iterable[tuple[Any, ...]], threads: int, executor: AnyExecutor | None = None
) -> Generator[tuple[int, T]]:
    """Yields (number, what `task` returns for it) for each piece, as they come.

    With an `executor` the task and the pieces must be such that it can send them; `threads` then does not matter. Left early, it
    begins no more pieces and waits only for those that are running.
    """
    if executor is None and threads == 1:
        yield from ((number, task(*piece)) for number, piece in enumerate(pieces))
        return
    pool: Any = ThreadPoolExecutor(threads) if executor is None else nullcontext(executor)
    ahead = 2 * threads if executor is None else AHEAD
    with pool as workers:
        pending: dict[Future[T], int] = {}
        try:
            for number, piece in enumerate(pieces):
                if len(pending) >= ahead:
                    yield from _finished(pending)
                pending[workers.submit(task, *piece)] = number
            while pending:
                yield from _finished(pending)
        finally:
            for future in pending:
                future.cancel()


def _finished(pending: dict[Future[T], int]) -> Generator[tuple[int, T]]:
    """Waits for some of the pending, and takes them out."""
    for future in wait(pending, return_when=FIRST_COMPLETED).done:
        yield pending.pop(future), future.result()


def checked_workers(threads: Any, executor: Any) -> int:
    """`threads` as an int, once it and `executor` are what they should be; else `TypeError` or `ValueError`."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor = {executor!r}: expected an executor with a submit method")
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads = {threads!r}: expected an integer")
    if not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads = {threads}: expected 1..{MOST_THREADS}")
    return threads
