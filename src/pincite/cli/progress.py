"""What somebody who waits is told: what is being done, and how far it has got."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pincite.base import clear_at_end
from pincite.cli.output import emit, is_terminal, note, terminal_width

SECONDS = 3.0
"""Work that takes less is not mentioned."""
LIVE_SECONDS = 0.2
"""Between two states of a line that is rewritten."""
PLAIN_SECONDS = 30.0
"""Between notes where there is no terminal, so that a log does not fill with them."""
MANY = 10
"""From this many answers on, whole answers are counted rather than the steps of each."""


@contextmanager
def patience(what: str, quiet: bool = False) -> Iterator[None]:
    """Say once on standard error that `what` is still going on; only on a terminal."""
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


class StatusLine:
    """A line that is rewritten on a terminal; elsewhere, with `plain`, a note every now and then."""

    def __init__(self, on: bool = True, *, wait: float = 0.0, plain: bool = False) -> None:
        self._live = on and is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        self._on = self._live or (on and plain)
        self._next = time.monotonic() + (wait if self._live else PLAIN_SECONDS)
        self._shown = False

    def show(self, words: Callable[[], str]) -> None:
        """Show this now, unless something was shown a moment ago."""
        now = time.monotonic()
        if not self._on or now < self._next:
            return
        self._next = now + (LIVE_SECONDS if self._live else PLAIN_SECONDS)
        if self._live:
            room = max(20, (terminal_width(sys.stderr) or 80) - 1)
            emit(f"\r\x1b[2K{words()[:room]}", sys.stderr)
            self._shown = True
            clear_at_end(True)
        else:
            note(words())

    def clear(self) -> None:
        """Take the line away, so that what is printed next begins on a clean one."""
        if self._shown:
            emit("\r\x1b[2K", sys.stderr)
            self._shown = False
            clear_at_end(False)


def clock(seconds: float) -> str:
    """Minutes and seconds, hours where there are some."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def check_progress(
    names: Sequence[str], quiet: bool = False
) -> Iterator[tuple[Callable[[], None], Callable[[str, int, int], None] | None]]:
    """Show how far the answers of these names are: nothing unless somebody watches a terminal.

    Gives two functions: one to call when an answer is done, and one for the steps of each, if they are shown.
    """
    if quiet or not is_terminal(sys.stderr):
        yield lambda: None, None
        return
    line = StatusLine(wait=SECONDS)
    step, begun, finished = "checking", time.monotonic(), 0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal step, begun
        if what != step:
            step, begun = what, time.monotonic()
        each = (time.monotonic() - begun) / done if done else 0.0
        left = f", {clock(each * (total - done))} left" if done else ""
        line.show(lambda: f"{what}: {done:,} of {total:,}{left}")

    def answer_done() -> None:
        nonlocal finished
        finished += 1
        tell("checking", finished, len(names))

    try:
        with patience(f"checking {names[0] if len(names) == 1 else f'{len(names)} answers'}"):
            yield (answer_done, None) if len(names) >= MANY else (lambda: None, tell)
    finally:
        line.clear()
