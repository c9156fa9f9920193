"""How much memory and time the model of somebody else may take."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TRY_SECONDS = 120.0
"""For one short question, with which a model is tried out."""
RUN_SECONDS = 900.0
"""For one batch of questions."""
SPARE_MEGABYTES = 6 * 1024
"""What a model may take beyond three times its weights."""

_guard = threading.Lock()
_inside = 0
_usual: tuple[int, int] = (0, 0)


@contextmanager
def memory_limited(megabytes: int) -> Iterator[None]:
    """Inside it this process may grow by so much. What needs more fails, and does not take the machine along.

    Several threads may be inside at once: the limit of the first counts. Only Linux can do it.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    global _inside, _usual
    with _guard:
        if not _inside:
            _usual = resource.getrlimit(resource.RLIMIT_AS)
            wanted = _address_space() + (megabytes * 3 + SPARE_MEGABYTES) * 1024 * 1024
            lowest = min([wanted, *(limit for limit in _usual if limit != resource.RLIM_INFINITY)])
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_AS, (lowest, _usual[1]))
        _inside += 1
    try:
        yield
    finally:
        with _guard:
            _inside -= 1
            if not _inside:
                with suppress(ValueError, OSError):
                    resource.setrlimit(resource.RLIMIT_AS, _usual)


@contextmanager
def ended_after(seconds: float, end: Callable[[], None]) -> Iterator[None]:
    """Call `end` if what is inside takes longer."""
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * 4096
