"""Rows of JSON Lines for a judge: a claim, its evidence, and perhaps what people said about it.

A row that cannot be used is a row with a problem, in its place: it never ends the run and never vanishes.
"""

from __future__ import annotations

import math
import os
import stat
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, get_args

import msgspec
from msgspec import Struct

from pincite.annotation import label_of
from pincite.base import open_named, read_lenient_json
from pincite.cli.output import note
from pincite.cli.progress import StatusLine
from pincite.config import Settings
from pincite.errors import InputError
from pincite.judges import Judge
from pincite.reading import ask as ask_judge
from pincite.records import Pair, Passage, Question, Verdict
from pincite.reports import usage_figures

BATCH = 256
"""Rows that go to the judge at once: it may share work between those with the same evidence."""
LONGEST = 64 * 1024 * 1024
"""A line of more bytes is no row."""
Asking = Callable[[Coroutine[Any, Any, dict[Pair, Verdict]]], dict[Pair, Verdict]]
"""How a judge is waited for: all batches in one event loop, where one is needed."""


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


def judged_rows(
    file: BinaryIO, judge: Judge, ask: Asking, settings: Settings, line: StatusLine, *, labelled: bool = False
) -> Iterator[list[tuple[LabelledRow, Verdict]]]:
    """The rows of a file with their verdicts, batch by batch, in order. A row with a problem is unjudged."""
    size = _size(file)
    done = 0

    def words() -> str:
        share = f", {min(100, round(100 * file.tell() / size))}% of the file" if size else ""
        return f"judged {done:,} rows{share}; Ctrl-C stops it"

    rows = read_rows(file, labelled)
    line.show(words)
    while batch := list(islice(rows, settings.batch_size or BATCH)):
        yield list(zip(batch, _verdicts(batch, judge, ask), strict=True))
        done += len(batch)
        line.show(words)


def _size(file: BinaryIO) -> int | None:
    """How many bytes a file has; None for a pipe."""
    try:
        about = os.fstat(file.fileno())
    except (OSError, ValueError):
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


def tell_usage(judge: Judge) -> None:
    """A line about requests, tokens and cost, when judging took any."""
    taken = judge.usage
    if taken.requests or taken.cache_hits or taken.asked:
        note(f"judged by {judge.name}: {', '.join(usage_figures(taken))}")


def _verdicts(batch: Sequence[LabelledRow], judge: Judge, ask: Asking) -> list[Verdict]:
    problems = [_problem(row) for row in batch]
    rows = zip(batch, problems, strict=True)
    asked = [row.pair for row, problem in rows if problem is None and row.pair is not None]
    found = ask(ask_judge(judge, asked))
    verdicts = []
    for row, problem in zip(batch, problems, strict=True):
        verdict = None if problem is not None or row.pair is None else found[row.pair]
        score: Any = None if verdict is None else verdict.score
        if verdict is None:
            cause = "row" if row.pair is None else "empty"
            verdict = Verdict("unjudged", None, problem or "", cause, judge=judge.name)
        elif verdict.outcome != "unjudged" and not _is_probability(score):
            reason = f"the judge gave {score!r:.40}, which is not a probability"
            verdict = Verdict("unjudged", None, reason, "error", judge=judge.name)
        verdicts.append(verdict)
    return verdicts


def _problem(row: LabelledRow) -> str | None:
    """Why the judge need not be asked about a row."""
    if row.pair is None or row.pair.question == "relevance":
        return row.problem  # relevance is asked about a query, and needs no evidence
    if not row.pair.claim.strip():
        return f"line {row.line}: the claim is empty"
    if not any(passage.text.strip() for passage in row.pair.passages):
        return f"line {row.line}: the evidence is empty"
    return None


def _is_probability(score: Any) -> bool:
    return isinstance(score, int | float) and math.isfinite(score) and 0 <= score <= 1


# --- reading rows --------------------------------------------------------------------------------


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
        file = open_named(path)
    except OSError as error:
        raise InputError(f"{path}: cannot read the rows: {error.strerror or error}") from error
    with file:
        yield file


def read_rows(file: BinaryIO, labelled: bool = False) -> Iterator[LabelledRow]:
    """The rows one by one, in order. Ids may repeat, as they do in files put together from several.

    What people said about a row, and where it comes from, is only looked at when the rows are `labelled`.
    """
    number = 0
    while raw := file.readline(LONGEST + 1):
        number += 1
        if len(raw) > LONGEST:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(LONGEST)
            yield LabelledRow(number, number, problem=f"line {number}: longer than {LONGEST:,} bytes")
            continue
        kept = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if kept.strip():
            yield _read(kept.strip(), number, labelled)


def _read(raw: bytes, number: int, labelled: bool) -> LabelledRow:
    value: Any = None
    problem = None
    try:
        value, odd = read_lenient_json(raw)
        problem = "not JSON: it holds NaN or a number that is too large" if odd else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "; write one object per line, not a list" if raw[:1] == b"[" else ""
        problem = f"not JSON: {error}{hint}"
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
        label = label_of(value) if labelled else None
        source = _text(value, "source") if labelled and value.get("source") is not None else None
    except InputError as error:
        return LabelledRow(number, row_id, problem=f"line {number}: {error}")
    return LabelledRow(number, row_id, pair, label=label, source=source, raw=raw)


def _pair(value: dict[str, Any]) -> Pair:
    claim, evidence = _text(value, "claim"), value.get("evidence")
    texts = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        wrong = "missing" if evidence is None else f"a text or a list of texts, not {_kind(evidence)}"
        raise InputError(f"evidence is {wrong}")
    question: Any = value.get("question") or "support"
    if question not in get_args(Question):
        raise InputError(f"the question is one of {', '.join(get_args(Question))}, not {question!r:.60}")
    passages = tuple(Passage(text, end=len(text)) for text in texts)
    return Pair(claim, passages, question, None if value.get("query") is None else _text(value, "query"))


def _text(value: dict[str, Any], key: str) -> str:
    text = value.get(key)
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
    return names.get(type(value), "a number")
