"""Rows of JSON Lines for a judge: a claim, its evidence, and perhaps what people said of it.

A row that cannot be used is a row with a problem, in its place: it never ends the run and never vanishes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, get_args

import msgspec
from msgspec import Struct

from pincite.any_json import read_json
from pincite.errors import InputError
from pincite.records import Pair, Passage, Question

BATCH = 256
"""Rows that go to the judge at once: it may share work between those with the same evidence."""
LONGEST = 64 * 1024 * 1024
"""A line of more bytes is no row."""
KNOWN = {"supported": True, "contradicted": False, "not_enough": False}


class LabelledRow(Struct, frozen=True):
    """One line. `pair` is None where `problem` says why there is none."""

    line: int
    id: str | int
    """As given, or the line where none was."""
    pair: Pair | None = None
    problem: str | None = None
    label: bool | None = None
    source: str | None = None
    raw: bytes = b""


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The rows' bytes: a file, or standard input for `-`."""
    if name == "-":
        if sys.stdin is None:
            raise InputError("there is no standard input to read from")
        yield sys.stdin.buffer
        return
    path = Path(name)
    if path.is_dir():
        raise InputError(f"{path}: this is a folder; name a file of JSON Lines, or - for standard input")
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(f"{path}: cannot read the rows: {error.strerror or error}") from error
    with file:
        yield file


def read_rows(file: BinaryIO, labelled: bool = False) -> Iterator[LabelledRow]:
    """The rows one by one, in order. Ids may repeat, as they do in files put together from several.

    What people said of a row, and where it comes from, is only looked at when the rows are `labelled`.
    """
    for number, raw in enumerate(_lines(file), start=1):
        if raw is None:
            yield LabelledRow(number, number, problem=f"line {number}: longer than {LONGEST:,} bytes")
            continue
        kept = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if kept.strip():
            yield _read(kept.strip(), number, labelled)


def batches(rows: Iterator[LabelledRow], size: int = BATCH) -> Iterator[list[LabelledRow]]:
    while batch := list(islice(rows, size)):
        yield batch


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Every line, or None for one that is too long to be held."""
    while raw := file.readline(LONGEST + 1):
        if len(raw) <= LONGEST:
            yield raw
            continue
        while raw and not raw.endswith(b"\n"):
            raw = file.readline(LONGEST)
        yield None


def _read(raw: bytes, number: int, labelled: bool) -> LabelledRow:
    value: Any = None
    problem = None
    try:
        value = read_json(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "; write one object per line, not a list" if raw[:1] == b"[" else ""
        problem = f"not JSON: {error}{hint}"
        value = _read_loosely(raw)
    given = value.get("id") if isinstance(value, dict) else None
    named = isinstance(given, str | int) and not isinstance(given, bool)
    row_id: str | int = given if named and given is not None else number
    try:
        if problem is not None:
            raise InputError(problem)
        if not isinstance(value, dict):
            raise InputError("expected an object with claim and evidence")
        if given is not None and not named:
            raise InputError(f"the id is a string or an integer, not {_kind(given)}")
        pair = _pair(value)
        label = _label(value) if labelled else None
        source = _text(value, "source", False) if labelled else None
    except InputError as error:
        return LabelledRow(number, row_id, problem=f"line {number}: {error}")
    return LabelledRow(number, row_id, pair, label=label, source=source, raw=raw)


def _read_loosely(raw: bytes) -> Any:
    """What the standard library makes of a line that is not quite JSON, to call it by its id at least."""
    import json

    try:
        return json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _pair(value: dict[str, Any]) -> Pair:
    claim = _text(value, "claim")
    assert claim is not None
    evidence = value.get("evidence")
    texts = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        wrong = "missing" if evidence is None else f"a text or a list of texts, not {_kind(evidence)}"
        raise InputError(f"evidence is {wrong}")
    question: Any = value.get("question") or "support"
    if question not in get_args(Question):
        raise InputError(f"the question is one of {', '.join(get_args(Question))}, not {question!r:.60}")
    passages = tuple(Passage(text, end=len(text)) for text in texts)
    return Pair(claim, passages, question, _text(value, "query", False))


def _label(value: dict[str, Any]) -> bool | None:
    """What people said: `label` 1 or 0, true or false, or their `verdict`; None when they said nothing."""
    label, verdict = value.get("label"), value.get("verdict")
    if label is not None and (isinstance(label, str | list | dict) or label not in (0, 1)):
        raise InputError(f"the label is 1, 0, true or false, not {label!r:.60}")
    if verdict is not None and (not isinstance(verdict, str) or verdict not in (*KNOWN, "unjudged")):
        raise InputError(f"the verdict is one of {', '.join(KNOWN)}, not {verdict!r:.60}")
    told = KNOWN.get(verdict) if verdict is not None else None
    if label is None:
        return told
    if told is not None and told != bool(label):
        raise InputError(f"the label {label!r} and the verdict {verdict!r} contradict each other")
    return bool(label)


def _text(value: dict[str, Any], key: str, needed: bool = True) -> str | None:
    text = value.get(key)
    if text is None and not needed:
        return None
    if not isinstance(text, str):
        raise InputError(f"{key} is missing" if text is None else f"{key} is a text, not {_kind(text)}")
    return text


def _kind(value: Any) -> str:
    names = {
        dict: "an object",
        list: "a list with something else in it",
        str: "a text",
        bool: "true or false",
    }
    return "missing" if value is None else names.get(type(value), "a number")
