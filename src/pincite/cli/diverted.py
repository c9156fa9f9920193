"""Standard output kept for our own words while the code of others runs in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress

_OUT, _ERR = 1, 2


@contextmanager
def stdout_diverted() -> Iterator[None]:
    """Whatever is printed meanwhile goes to standard error: by Python, by a library, by another program."""
    with suppress(OSError, ValueError, AttributeError):  # there may be no stream, or a closed one
        sys.stdout.flush()
    _open_closed_streams()
    with redirect_stdout(sys.stderr):
        kept = os.dup(_OUT)
        try:
            os.dup2(_ERR, _OUT)
            yield
        finally:
            os.dup2(kept, _OUT)
            os.close(kept)


def _open_closed_streams() -> None:
    """Let standard streams that are closed lead nowhere: the next file to be opened would be one of them."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= _ERR:
        pass
    os.close(opened)
