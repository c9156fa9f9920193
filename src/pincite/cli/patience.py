"""A word to somebody who waits: what is being done, when it takes longer than a few seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pincite.cli.output import is_terminal, note

SECONDS = 3.0


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
