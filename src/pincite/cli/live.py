"""A line that says how far a run has got: rewritten on a terminal, every now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pincite.cli.output import emit, is_terminal, note, terminal_width
from pincite.cli.patience import LIVE_SECONDS, clock
from pincite.runs.progress import Progress

PLAIN_SECONDS = 30.0
"""Between lines where nobody watches: a log should not fill with them."""


class Teller:
    """Told after every item; says something only when enough time has gone by."""

    def __init__(self, on: bool) -> None:
        self._on = on
        self._live = on and is_terminal(sys.stderr)
        self._next = time.monotonic() + (0 if self._live else PLAIN_SECONDS)
        self._shown = False

    def update(self, progress: Progress) -> None:
        if not self._on or (now := time.monotonic()) < self._next:
            return
        line = progress_line(progress)
        if self._live:
            self._next = now + LIVE_SECONDS
            room = max(20, (terminal_width(sys.stderr) or 80) - 1)
            emit(f"\r\x1b[2K{line[:room]}", sys.stderr)
            self._shown = True
        else:
            self._next = now + PLAIN_SECONDS
            note(line)

    def end(self) -> None:
        """Take the line away, so that what is printed next begins on a clean one."""
        if self._shown:
            emit("\r\x1b[2K", sys.stderr)
            self._shown = False


@contextmanager
def show_progress(on: bool, no_color: bool = False) -> Iterator[Teller]:
    teller = Teller(on)
    try:
        yield teller
    finally:
        teller.end()


def progress_line(progress: Progress) -> str:
    """`120/500 done, 2 failed, 1 unjudged, 34.2/s, 0:11 left, $0.0123`."""
    parts = [f"{progress.done:,}/{progress.total:,} done"]
    if progress.resumed:
        parts.append(f"{progress.resumed:,} resumed")
    parts.append(f"{progress.failed:,} failed")
    parts.append(f"{progress.unjudged:,} unjudged")
    parts.append(f"{progress.rate:.1f}/s")
    left = progress.seconds_left
    if left is not None:
        parts.append(f"{clock(left)} left")
    cost = progress.cost
    if cost is None:
        parts.append("cost unknown")
    elif cost:
        parts.append(f"${cost:.4f}")
    return ", ".join(parts)
