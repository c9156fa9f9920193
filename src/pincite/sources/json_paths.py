"""Paths into JSON data: `items[0].name`, `a['odd key']`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from pincite.records import Source

Step = str | int


_PLAIN_KEY = re.compile(r"[^\W\d]\w*+(?:-\w++)*+", re.UNICODE)
_STEP = re.compile(
    r"""\[\s{0,9}(?P<index>-?\d{1,18})\s{0,9}\]"""
    r"""|\[\s{0,9}'(?P<single>(?:[^'\\]|\\.)*+)'\s{0,9}\]"""
    r"""|\[\s{0,9}"(?P<double>(?:[^"\\]|\\.)*+)"\s{0,9}\]"""
    r"""|\.?(?P<key>[^.\[\]'"]++)""",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MOST_STEPS = 256
_MOST_STATES = 2048
_MOST_COMPARED = 50_000

MISSING: Any = object()
"""What `get` returns for a path that leads nowhere; None is a JSON value."""


def parse_path(path: str) -> tuple[Step, ...]:
    """The steps of a path; an empty tuple for anything else. A leading `$` is the root and is skipped."""
    path = path.strip()
    if path.startswith("$"):
        path = path[1:].removeprefix(".")
    steps: list[Step] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None or len(steps) >= _MOST_STEPS:
            return ()
        if position == 0 and path.startswith("."):
            return ()
        if match["index"] is not None:
            steps.append(int(match["index"]))
        elif match["key"] is not None:
            # Directly after a bracket a key needs its dot: `a[0]b` is not a path.
            if position and not match.group().startswith("."):
                return ()
            steps.append(match["key"].strip())
        else:
            quoted = match["single"] if match["single"] is not None else match["double"]
            steps.append(_ESCAPE.sub(r"\1", quoted))
        position = match.end()
    return tuple(steps)


def write_path(steps: Sequence[Step]) -> str:
    """The canonical path of the steps; `parse_path` reads it back to the same steps."""
    return "".join(map(write_step, steps)).removeprefix(".")


def write_step(step: Step) -> str:
    """One step as it is written after another: `[0]`, `.name`, `['odd key']`."""
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN_KEY.fullmatch(step):
        return f".{step}"
    escaped = step.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{escaped}']"


def get(data: Any, steps: Sequence[Step]) -> Any:
    """The value at the steps, or `MISSING`."""
    found = true_steps(data, steps)
    if found is None:
        return MISSING
    for step in found:
        data = data[step]
    return data


def true_steps(data: Any, steps: Sequence[Step]) -> tuple[Step, ...] | None:
    """The steps as the data has them, or None when they lead nowhere.

    A key that holds dots may be cited without quotes, a list's index as `.0`, and a key of digits as
    `[2020]`. A negative index leads nowhere.
    """
    if not steps:
        return None
    open_states: list[tuple[Any, int, tuple[Step, ...]]] = [(data, 0, ())]
    seen: set[tuple[int, int]] = set()
    while open_states and len(seen) < _MOST_STATES:
        value, position, taken = open_states.pop()
        if position == len(steps):
            return taken
        if (id(value), position) in seen:
            continue
        seen.add((id(value), position))
        # Pushed in reverse: the plain reading is tried first.
        for step, used in reversed(_readings(value, steps, position)):
            open_states.append((value[step], position + used, (*taken, step)))
    return None


def _readings(value: Any, steps: Sequence[Step], position: int) -> list[tuple[Step, int]]:
    step = steps[position]
    if isinstance(value, list):
        index = int(step) if isinstance(step, str) and step.isdecimal() and len(step) < 19 else step
        return [(index, 1)] if isinstance(index, int) and 0 <= index < len(value) else []
    if not isinstance(value, dict):
        return []
    readings: list[tuple[Step, int]] = []
    key = str(step)
    used = 1
    while True:
        if key in value:
            readings.append((key, used))
        if position + used >= len(steps) or not isinstance(steps[position + used], str):
            return readings
        key = f"{key}.{steps[position + used]}"
        used += 1


def find_path(source: Source, path: str) -> tuple[Step, ...] | None:
    """The true steps of a path in one source's data, or None.

    The source's own name may come before the path, as in `quote.premium` for the data given as `quote`.
    """
    steps = parse_path(path)
    if not steps or source.kind not in ("json", "csv"):
        return None
    found = true_steps(source.data, steps)
    if found is None and len(steps) > 1 and isinstance(steps[0], str):
        from pincite.sources.names import file_name, stem

        if steps[0] in (source.name, file_name(source.name), stem(source.name), source.document_id):
            found = true_steps(source.data, steps[1:])
    return found


def nearest_paths(sources: Sequence[Source], path: str, limit: int = 3) -> tuple[tuple[str, float], ...]:
    """Paths of the data that come nearest to a path, each with how alike it is, 0 to 100."""
    from rapidfuzz import fuzz, process

    known = list(islice((known for source in sources for known in source.value_spans), _MOST_COMPARED))
    found = process.extract(path[:300], known, scorer=fuzz.ratio, limit=limit, score_cutoff=30)
    return tuple((choice, score) for choice, score, _ in found)
