"""A bar on the terminal while a table is built."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Called with the part that is done, 0 to 1.
Progress = Callable[[float], object]


def _ignore(done: float) -> None:
    """Nobody wants to know."""


@contextmanager
def reported(what: str, progress: Progress | bool | None) -> Iterator[Progress]:
    """What to call with the part done: `progress` itself; for None and True a bar, given a terminal and rich; else nothing."""
    if callable(progress):
        yield progress
        return
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress = {progress!r}: expected a function, True, False or None")
    if progress is False:
        yield _ignore
        return
    try:
        from rich.console import Console
        from rich.progress import Progress as Bar
    except ImportError:
        yield _ignore
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _ignore
        return
    with Bar(console=console, transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda done: bar.update(task, completed=done)
