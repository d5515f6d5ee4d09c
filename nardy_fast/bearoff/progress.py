"""A bar on the terminal while something takes its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nardy_fast.arguments import short_repr

#: Called with the part that is done, 0 to 1.
Progress = Callable[[float], object]


@contextmanager
def bar(what: str, total: float = 1.0) -> Iterator[Progress | None]:
    """What to call with how much of `total` is done, while a bar is on stderr; None where no bar can be shown."""
    try:
        from rich.console import Console
        from rich.progress import Progress as Bar
    except ImportError:
        yield None
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Bar(console=console, transient=True) as shown:
        task = shown.add_task(what, total=total)
        yield lambda done: shown.update(task, completed=done)


def _ignore(done: float) -> None:
    """Nobody wants to know."""


@contextmanager
def reported(what: str, progress: Progress | bool | None) -> Iterator[Progress]:
    """What to call with the part done: `progress` itself; for None and True a bar, given a terminal and rich; else nothing."""
    if callable(progress):
        yield progress
        return
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress = {short_repr(progress)}: expected a function, True, False or None")
    if progress is False:
        yield _ignore
        return
    with bar(what) as report:
        yield report or _ignore
