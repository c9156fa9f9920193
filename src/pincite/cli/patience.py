"""A word to somebody who waits: what is being done, when it takes longer than a few seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pincite.cli.output import is_terminal, note, wants_color

SECONDS = 3.0
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


@contextmanager
def progress(
    names: Sequence[str], quiet: bool = False, no_color: bool = False
) -> Iterator[Callable[[], None]]:
    """Show how many of these are done: a bar when there are many and somebody watches, else a word at most.

    What it gives is to be called whenever one is.
    """
    if len(names) < MANY or quiet or not is_terminal(sys.stderr):
        what = names[0] if len(names) == 1 else f"{len(names)} answers"
        with patience(f"checking {what}", quiet):
            yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, no_color=not wants_color(no_color, sys.stderr))
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("checking", total=len(names))
        yield lambda: bar.advance(task)
