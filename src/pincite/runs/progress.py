"""How far a run has got."""

from __future__ import annotations

import time
from collections.abc import Callable

from pincite.judges import Judge
from pincite.records import ItemResult


class Progress:
    """Counts what is done; `tell` is called after each item."""

    def __init__(
        self, total: int, judge: Judge | None = None, tell: Callable[[Progress], None] | None = None
    ) -> None:
        self.total = total
        self.done = 0
        """Of this time and of an earlier one that was interrupted."""
        self.resumed = 0
        self.failed = 0
        self.unjudged = 0
        """Queries in which something could not be judged."""
        self._judge = judge
        self._tell = tell
        self._begun = time.monotonic()

    def add(self, result: ItemResult) -> None:
        self.done += 1
        self.failed += result.failure is not None
        self.unjudged += any(verdict.outcome == "unjudged" for verdict in result.verdicts)
        self._told()

    def skip(self) -> None:
        """One that was done before. Finding those again is no part of the rate."""
        if self.done == self.resumed:
            self._begun = time.monotonic()
        self.done += 1
        self.resumed += 1
        self._told()

    def start_over(self) -> None:
        """The items are gone through once more; what is done already will be skipped."""
        self.done = self.resumed = self.failed = self.unjudged = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    @property
    def rate(self) -> float:
        """Items a second, of this time."""
        return (self.done - self.resumed) / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """None as long as nothing can be said."""
        if not self.rate or self.done - self.resumed < 3:
            return None
        return max(0, self.total - self.done) / self.rate

    @property
    def cost(self) -> float | None:
        """US dollars that the judge took so far; None when the price is not known."""
        return self._judge.usage.cost if self._judge is not None else 0.0

    def _told(self) -> None:
        if self._tell is not None:
            self._tell(self)
