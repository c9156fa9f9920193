"""The most memory that a process and those that it started held together, sampled while a `with` lasts."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

INTERVAL = 0.2
PAGE_MEGABYTES = os.sysconf("SC_PAGE_SIZE") / 2**20


class TreeMemory:
    """Pages that several processes share are counted for each, so that the sum is never too small."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self.megabytes = max(self.megabytes, _held(os.getpid()))
            if self._stop.wait(INTERVAL):
                return


def _held(pid: int) -> float:
    try:
        own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_MEGABYTES
        listed = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return 0.0  # it has just ended
    return own + sum(_held(int(child)) for children in listed for child in children)
