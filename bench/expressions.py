"""Every regular expression on texts made to slow it down: what twice the text costs.

`bench/fuzzing/expressions.py` finds the expressions, `pumps.py` makes the texts, `growth.py` measures them in
a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import convert

from bench.figures import Figure
from bench.fuzzing.expressions import find_expressions
from bench.fuzzing.growth import MOST_GROWTH, Measured

HUNG = 4 * 3600


def run(data: Path | None) -> Iterator[Figure]:
    """The steepest growth of all, and the slowest a megabyte."""
    found = find_expressions()
    yield Figure("expressions whose pattern is not known", len(found.unknown), "", 0, at_most=True)
    done = subprocess.run(
        [sys.executable, "-m", "bench.fuzzing.growth"], check=True, stdout=subprocess.PIPE, timeout=HUNG
    )
    measured = [convert(json.loads(line), Measured) for line in done.stdout.splitlines()]
    for steep in measured:
        if steep.growth > MOST_GROWTH:
            yield _figure(f"{steep.place}, by {steep.use}", steep)
    yield _figure(
        f"{len(found.expressions)} expressions, the steepest", max(measured, key=lambda one: one.growth)
    )
    slowest = max(measured, key=lambda one: one.seconds_a_megabyte)
    yield Figure("the slowest of them", slowest.seconds_a_megabyte, "s/MB", note=slowest.place)


def _figure(name: str, measured: Measured) -> Figure:
    note = f"{measured.place}: {measured.pump.head!r} + {measured.pump.unit!r} × n; processor time a doubling"
    return Figure(name, measured.growth, "x", MOST_GROWTH, at_most=True, note=note)
