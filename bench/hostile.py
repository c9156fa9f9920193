"""Hostile input: what each doubling of it costs. Linear work grows by 1.0 a doubling, quadratic by 2.0."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pincite
from bench import _hostile_texts as hostile
from bench.figures import Figure
from pincite.reports import FORMATS, write
from pincite.sources import locate_quote

SMALL, LARGE = 250_000, 1_000_000
FEW, MANY = 2_500, 10_000
DOUBLINGS = 2
FLOOR = 0.1
"""Seconds below which a time says more about the machine than about the work."""
GROWTH = 1.5
TEN_MB = 10_000_000
HUNG = 60.0


def run(data: Path | None) -> Iterator[Figure]:
    """Growth a doubling for parsing, checking, reading, reporting and locating; then 10 MB at once."""
    for name, work, large in (("parse", pincite.parse, LARGE), ("check", _check, LARGE // 2)):
        measured = {text: _growth(work, make, large // 4, large) for text, make in hostile.TEXTS.items()}
        yield _steepest(f"{name}, {len(measured)} hostile texts, the steepest", measured)
        yield _slowest(f"{name}, the slowest of them", measured, large / 1e6, "s/MB")
    measured = {text: _growth(_check, make, FEW, MANY) for text, make in hostile.CITED.items()}
    yield _steepest(f"check, {len(measured)} answers full of citations, the steepest", measured)
    yield _slowest("check, the slowest of them", measured, MANY / 1e3, "s/1000")
    measured = {name: _report_growth(name) for name in FORMATS}
    yield _steepest("reports of a one-line answer with thousands of findings, the steepest", measured)
    with tempfile.TemporaryDirectory() as folder:
        measured = dict(_source_growth(Path(folder)))
    yield _steepest("sources, read and located in, the steepest", measured)
    yield _slowest("sources, the slowest of them", measured, LARGE / 1e6, "s/MB")
    for text in ("[", "【", "[a.txt:1:2-3", "unclosed quotes in words"):
        seconds = _seconds(partial(_check, hostile.TEXTS[text](TEN_MB)))
        yield Figure(f"check of 10 MB of {text}", seconds, "s", HUNG, at_most=True)


def _check(answer: str) -> Any:
    return pincite.check(answer, {"a.txt": hostile.SOURCE, "data": {"b1": 12}})


def _seconds(work: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


Measured = tuple[float, float]
"""Growth a doubling, and seconds at the larger size."""


def _growth(work: Callable[[Any], Any], make: Callable[[int], Any], small: int, large: int) -> Measured:
    first, last = make(small), make(large)
    # Once more when it looks steep: a disturbance does not come twice at the same place.
    for attempt in range(3):
        before, after = _seconds(lambda: work(first)), _seconds(lambda: work(last))
        growth = (max(after, FLOOR * 4) / max(before, FLOOR) / (large / small)) ** (1 / DOUBLINGS)
        if growth <= GROWTH or attempt == 2:
            break
    return growth, after


def _report_growth(output_format: str) -> Measured:
    def make(count: int) -> Any:
        return _check(hostile.CITED["one sentence"](count))

    return _growth(lambda report: write([report], output_format), make, FEW, MANY)


def _source_growth(folder: Path) -> Iterator[tuple[str, Measured]]:
    files: dict[str, Callable[[int], bytes]] = {
        "nested.html": lambda size: hostile.nested_html(size // 11),
        "unclosed.html": hostile.unclosed_html,
        "nested.json": lambda size: hostile.nested_json(size // 8),
        "cell.csv": hostile.one_cell_csv,
        "unclosed.csv": hostile.unclosed_csv,
    }
    for name, make in files.items():
        yield name, _growth(_read_and_locate, _written(folder, name, make), SMALL, LARGE)
    for name in ("[", "straight quotes", "one word", "digits", "combining marks", "NUL", "one line of prose"):
        yield f"text of {name}", _growth(_search, hostile.TEXTS[name], SMALL, LARGE)
    yield (
        "a quote as long as its source",
        _growth(_quote_itself, hostile.TEXTS["one-word lines"], SMALL, LARGE),
    )


def _written(folder: Path, name: str, make: Callable[[int], bytes]) -> Callable[[int], Path]:
    def write_file(size: int) -> Path:
        path = folder / f"{size}-{name}"
        path.write_bytes(make(size))
        return path

    return write_file


def _read_and_locate(path: Path) -> Any:
    return pincite.locate("the fox jumps over it", pincite.open_sources(path))


def _search(text: str) -> Any:
    return pincite.check('It rose "by 12% in 2020" [a.txt].\n\nThe fox jumps.', {"a.txt": text})


def _quote_itself(text: str) -> Any:
    source = pincite.open_sources({"a.txt": text}).sources[0]
    return locate_quote(text[1_000:-1_000].replace("word\nword", "word\nward", 5), source)


def _steepest(name: str, measured: dict[str, Measured]) -> Figure:
    worst = max(measured, key=lambda key: measured[key][0])
    return Figure(name, measured[worst][0], "x", GROWTH, at_most=True, note=f"{worst}; growth a doubling")


def _slowest(name: str, measured: dict[str, Measured], share: float, unit: str) -> Figure:
    worst = max(measured, key=lambda key: measured[key][1])
    return Figure(name, measured[worst][1] / share, unit, note=worst)
