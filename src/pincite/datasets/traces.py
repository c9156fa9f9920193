"""Traces opened as a dataset of what was asked, and as the recorded answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
from msgspec import Struct

from pincite.answers import TraceSpan, json_values, looks_like_trace, read_spans, trace_records
from pincite.base import within_memory
from pincite.datasets.files.streams import open_bytes, read_bytes
from pincite.datasets.formats import EvaluationDataset, EvaluationQuery
from pincite.datasets.imports.entries import make_dataset
from pincite.datasets.imports.rows import read_rows, written
from pincite.datasets.paths import FileKind, file_kind
from pincite.datasets.recorded import RecordedAnswers
from pincite.datasets.recorded_lines import Lines, encoded_lines, kept_lines
from pincite.datasets.schema import Problem
from pincite.errors import InputError, PinciteError
from pincite.sources import files_below


class TracePlace(NamedTuple):
    """Which span an answer was read from, to say about it what was measured."""

    trace_id: str
    span_id: str
    response_id: str | None = None


class TracedAnswers(Struct, frozen=True, kw_only=True):
    """Answers from production with what was retrieved for them."""

    path: Path
    records: tuple[dict[str, Any], ...]
    """As recorded answers, by the ids of their traces."""
    problems: tuple[Problem, ...] = ()
    """What could not be read."""
    passed_over: int = 0
    """Traces that are not about an answer: no question, no answer, no documents."""

    def without(self, trace_ids: Collection[str]) -> Self:
        """The same without these traces."""
        left = tuple(one for one in self.records if one["trace_id"] not in trace_ids)
        return msgspec.structs.replace(self, records=left)

    def dataset(self) -> EvaluationDataset:
        """The questions, of which nothing is known but the answers."""
        queries = (
            EvaluationQuery(
                query_id=one["query_id"], query_text=one["query"], conversation_id=one.get("conversation_id")
            )
            for one in self.records
        )
        return make_dataset(self.path, "traces", queries, unnamed=self.path.resolve().name)

    def answers(self, queries: Iterable[EvaluationQuery] | None = None) -> RecordedAnswers:
        """The answers; with the ids of these queries, where a trace names one or has the same text."""
        named = [named for named, _ in self._named(queries)]
        lines = Lines(
            kept_lines(encoded_lines(named)), names=tuple(f"trace {one['trace_id']}" for one in named)
        )
        try:
            return RecordedAnswers(self.path, lines, self.problems)
        except BaseException:
            lines.file.close()
            raise

    def places(self, queries: Iterable[EvaluationQuery] | None = None) -> dict[str, TracePlace]:
        """By the id of the query: where each answer came from."""
        found: dict[str, TracePlace] = {}
        for named, place in self._named(queries):
            found.setdefault(named["query_id"], place)
        return found

    def _named(
        self, queries: Iterable[EvaluationQuery] | None
    ) -> Iterator[tuple[dict[str, Any], TracePlace]]:
        ids: Mapping[str, str] = {}
        texts: dict[str, str] = {}
        if queries is not None:
            asked = list(queries)
            ids = {query.query_id: query.query_id for query in asked}
            for query in asked:
                texts.setdefault(_plain(query.query_text), query.query_id)
        for record in self.records:
            place = TracePlace(record["trace_id"], record["span_id"], record.get("response_id"))
            told = ids.get(record.get("dataset_query_id", ""))
            query_id = told or texts.get(_plain(record["query"]), record["query_id"])
            yield {**record, "query_id": query_id}, place


def open_traces(path: Path | str) -> TracedAnswers:
    """Read a file of traces, or every one in a folder. What cannot be read is among the problems."""
    place = Path(path)
    problems: list[Problem] = []
    spans: list[TraceSpan] = []
    files = list(_files(place, problems))
    for file in files:
        spans.extend(_spans_of(file, problems))
    found = list(trace_records(spans))
    records = tuple(one for one in found if one is not None)
    passed_over = len(found) - len(records)
    made = TracedAnswers(path=place, records=records, problems=tuple(problems), passed_over=passed_over)
    if not made.records and (problems or not spans):
        first = f"; what is wrong first: {problems[0]}" if problems else ""
        raise InputError(f"{place} holds no traces that can be read{first}")
    if not made.records:
        raise InputError(
            f"{place}: none of the {made.passed_over:,} traces has a question, an answer or documents; "
            "see docs/integrations/traces.md for the attributes that are read"
        )
    return made


def _spans_of(file: Path, problems: list[Problem]) -> Iterator[TraceSpan]:
    try:
        with within_memory(file):
            yield from _spans_in(file, problems)
    except PinciteError as error:  # the rest of a table, or a compressed file that is cut off
        problems.append(_problem(file, str(file), error))


def _spans_in(file: Path, problems: list[Problem]) -> Iterator[TraceSpan]:
    for place, value in trace_values(file):
        found: list[PinciteError] = []
        yield from read_spans(value, place, found)
        problems += [_problem(file, place, error) for error in found]


def _files(path: Path, problems: list[Problem]) -> Iterator[Path]:
    if not path.is_dir():
        if not path.exists():
            raise InputError(f"{path}: the traces do not exist")
        yield path
        return
    for found in files_below(path):
        if found.refused is not None:
            problems.append(Problem(str(found.path), "", "a file of traces", found.refused))
        elif trace_form(found.path) is not None:
            yield found.target


def _problem(file: Path, place: str, error: PinciteError) -> Problem:
    where = place.removeprefix(f"{file}").removeprefix(": ").strip()
    reason = str(error).removeprefix(f"{place}: ").removeprefix(f"{file}: ")
    return Problem(str(file), where, "traces", f"something else ({reason})"[:500])


def _plain(text: str) -> str:
    return " ".join(text.split())


# --- the values in a file of traces: JSON, also compressed, or a table of spans -------------------

_FORMS = ("json", "jsonl", "csv", "parquet")


def trace_form(path: Path) -> FileKind | None:
    """How a file of traces is written, by its ending; None for a file that holds none."""
    try:
        found = file_kind(path)
    except InputError:
        return None
    return found if found.form in _FORMS else None


def is_lines(path: Path) -> bool:
    """Whether the ending says that every line is a value; a file ending in .json may be either."""
    found = trace_form(path)
    return found is None or found.form == "jsonl"


def trace_values(path: Path) -> Iterator[tuple[str, Any]]:
    """Each value of a file and its place. One that cannot be read is an `InputError` in its stead."""
    found = trace_form(path)
    if found is not None and found.form in ("csv", "parquet"):
        for place, row in read_rows(path):
            # What looks like a list or an object in a text is one.
            yield place, {name: written(one) if isinstance(one, str) else one for name, one in row.items()}
    else:
        yield from json_values(path, open_bytes, is_lines(path), read_bytes)


def holds_traces(path: Path) -> bool:
    """Whether the first value of a file is a trace."""
    try:
        first = next(trace_values(path), None)
    except PinciteError:
        return False
    return first is not None and looks_like_trace(first[1])
