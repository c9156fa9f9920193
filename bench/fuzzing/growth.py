"""How the processor time of an expression grows with the text, measured with the `re` module itself.

`python -m bench.fuzzing.growth` tries all expressions of Pincite and prints, as JSON, the worst text for each
that has one worth measuring. It is run as a process of its own, so that whoever starts it can end it.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, to_builtins

from bench.fuzzing.expressions import Expression, find_expressions
from bench.fuzzing.pumps import Pump, pumps
from bench.fuzzing.trees import longest_repeat, parsed

MOST_GROWTH = 2.3
"""Times the processor time that twice the text may take. Linear work doubles it, quadratic makes it 4."""
SIZE = 4_000
"""Characters of the first text."""
QUICK = 0.002
"""Seconds for the first text below which the work cannot be quadratic: that is at least 8 million steps."""
ENOUGH = 0.2
"""Seconds that can be compared: below, the text is made longer."""
LARGEST = 512_000
MEASURED = 3
"""Texts of one expression whose growth is measured: the slowest ones."""
LONGEST_TIME = 2.0
FEW = 50
"""A limit of a repeat below which no text can make it dear."""


class Measured(Struct, frozen=True):
    """One expression in one use: the text that was the worst for it."""

    place: str
    pattern: str
    use: str
    pump: Pump
    size: int
    seconds: float
    growth: float

    @property
    def seconds_a_megabyte(self) -> float:
        return self.seconds / self.size * 1e6


class _TooLong(Exception):
    pass


def _stop(number: int, frame: Any) -> None:
    raise _TooLong


def worker(expression: re.Pattern[Any], use: str) -> Callable[[Any], object]:
    """What is done with a text in this use. A search goes on behind each match, as a replacement does."""
    if use != "search":
        return getattr(expression, use)  # type: ignore[no-any-return]
    return lambda text: deque(expression.finditer(text), maxlen=0)


class Trial:
    """One expression in one use."""

    def __init__(self, expression: Expression, use: str) -> None:
        self.expression, self.use = expression, use
        self._work = worker(expression.compiled(), use)

    def seconds(self, pump: Pump, size: int) -> float:
        """Processor time for a text of that size; without end where it takes too long."""
        text: Any = pump.text(size)
        text = text.encode("latin-1", "replace") if self.expression.is_bytes else text
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_TIME)
        start = time.process_time()
        try:
            self._work(text)
            return max(time.process_time() - start, 1e-6)
        except _TooLong:
            return float("inf")
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def slowest(self) -> list[Pump]:
        """The few texts that take the longest at the first size, of those that take long at all."""
        taken: list[tuple[float, Pump]] = []
        for pump in pumps(self.expression.compiled()):
            seconds = float("inf")
            for _ in range(3):  # a disturbance does not come every time
                seconds = min(seconds, self.seconds(pump, SIZE))
                if seconds < QUICK:
                    break
            else:
                taken.append((seconds, pump))
        return [pump for _, pump in sorted(taken, reverse=True)[:MEASURED]]

    def measure(self, pump: Pump) -> Measured:
        """How the time grows when the text doubles, at the first size that takes long enough to compare."""
        size, before, growth = SIZE, self.seconds(pump, SIZE), float("inf")
        while before < float("inf"):
            after = self.seconds(pump, 2 * size)
            growth, size, before = after / before, 2 * size, after
            if after > ENOUGH or size >= LARGEST:
                break
        for _ in range(4):  # measured again where it looks steep
            if growth <= MOST_GROWTH or before == float("inf"):
                break
            growth = min(growth, self.seconds(pump, size) / self.seconds(pump, size // 2))
        one = self.expression
        return Measured(one.place, one.pattern, self.use, pump, size, before, growth)


def measure_all(places: tuple[str, ...] = ()) -> Iterator[Measured]:
    """The steepest text of each expression that has one worth measuring."""
    signal.signal(signal.SIGVTALRM, _stop)
    done: set[tuple[str, int, str]] = set()
    for expression in find_expressions().expressions:
        if places and not expression.place.startswith(places):
            continue
        if longest_repeat(parsed(expression.compiled())[0]) < FEW:
            continue
        for use in expression.uses:
            if (expression.pattern, expression.flags, use) in done:
                continue
            done.add((expression.pattern, expression.flags, use))
            trial = Trial(expression, use)
            measured = [trial.measure(pump) for pump in trial.slowest()]
            if measured:
                yield max(measured, key=lambda one: one.growth)


if __name__ == "__main__":
    for measured in measure_all(tuple(sys.argv[1:])):
        print(json.dumps(to_builtins(measured)), flush=True)
