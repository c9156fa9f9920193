"""A word to somebody who waits: what is being done, when it takes longer than a few seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pincite.cli.output import emit, is_terminal, note, terminal_width, wants_color

SECONDS = 3.0
LIVE_SECONDS = 0.2
"""Between two states of a line that is rewritten."""
MANY = 10
"""From this many answers on, somebody who watches is shown how far it has got."""


@contextmanager
def patience(what: str, quiet: bool = False) -> Iterator[None]:
    """Say once on standard error that `what` is still going on; only to a terminal, where somebody waits."""
    if quiet or not is_terminal(sys.stderr):
        yield
        return
    import threading

    timer = threading.Timer(SECONDS, note, [f"still {what}; Ctrl-C stops it"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def clock(seconds: float) -> str:
    """Minutes and seconds, hours where there are some."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Steps:
    """A line that says how far a long check has got, rewritten as it goes on."""

    def __init__(self) -> None:
        self._what = ""
        self._begun = 0.0
        self._next = time.monotonic() + SECONDS
        self._shown = False

    def tell(self, what: str, done: int, total: int) -> None:
        """Say so, when enough time has gone by."""
        now = time.monotonic()
        if what != self._what:
            self._what, self._begun = what, now
        if now < self._next:
            return
        self._next = now + LIVE_SECONDS
        line = f"{what}: {done:,} of {total:,}"
        if done:
            line += f", {clock((now - self._begun) / done * (total - done))} left"
        room = max(20, (terminal_width(sys.stderr) or 80) - 1)
        emit(f"\r\x1b[2K{line[:room]}", sys.stderr)
        self._shown = True

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            emit("\r\x1b[2K", sys.stderr)


@contextmanager
def progress(
    names: Sequence[str], quiet: bool = False, no_color: bool = False
) -> Iterator[tuple[Callable[[], None], Callable[[str, int, int], None] | None]]:
    """Show how far the answers of these names are: nothing unless somebody watches a terminal.

    It gives two functions. The first is to be called whenever an answer is done, and moves a bar when there
    are many; the second, if any, with the steps of each, which are shown when there are few.
    """
    if quiet or not is_terminal(sys.stderr):
        yield lambda: None, None
        return
    if len(names) < MANY:
        steps = Steps()
        try:
            with patience(f"checking {names[0] if len(names) == 1 else f'{len(names)} answers'}"):
                yield lambda: None, steps.tell
        finally:
            steps.end()
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, no_color=not wants_color(no_color, sys.stderr))
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("checking", total=len(names))
        yield lambda: bar.advance(task), None
