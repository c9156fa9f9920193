"""Recorded answers, found by the query's id without holding them all, and the items that they make.

What is kept for each answer is a hash of its id, its place in the file and its line: 20 bytes.
"""

from __future__ import annotations

import hashlib
import os
import threading
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec import defstruct

from pincite.answers import (
    NO_NUMBER,
    ODD_SOURCES,
    citations_of,
    lines_of,
    read_conversation,
    read_id,
    read_record,
    shown,
)
from pincite.base import np, within_memory
from pincite.config import Settings
from pincite.datasets.formats import CitationSpan, EvaluationQuery
from pincite.datasets.recorded_lines import LONGEST, Lines, decode_line, open_lines
from pincite.datasets.repeats import text_hash
from pincite.datasets.schema import Problem
from pincite.records import DatasetItem, Place, RecordedAnswer

MOST_PROBLEMS = 1000
"""How many problems are listed; the rest are counted."""


_HEAD: Any = defstruct(
    "_Head",
    [
        (name, Any, None)
        for name in (
            *("query_id", "kind", "citations", "retrieval_results", "retrieved_docs", "relevance_scores"),
            *("latency_ms", "usage", "total_tokens", "total_requests", "estimated_cost_usd"),
            *("references", "conversation"),
        )
    ],
)
"""What is read of each line to find it again, and to say what in it is odd."""
_NAMED: Any = defstruct("_Named", [("query_id", Any, None)])
"""What is read of a line that is known to be sound."""


class RecordedAnswers:
    """Recorded answers by the id of their query. Several threads and forked processes may ask at once."""

    def __init__(self, path: Path, lines: Lines, problems: Iterable[Problem] = ()) -> None:
        self.path = path
        self._file = lines.file
        self._place = lines.place
        self._lock = threading.Lock()
        known = list(problems)
        self._problems = known[:MOST_PROBLEMS]
        self.problem_count = len(known)
        """How many problems there are, also those that `problems` leaves out."""
        self.digest = ""
        self._hashes: np.ndarray[Any, Any]
        self._offsets: np.ndarray[Any, Any]
        self._index()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Lines and fields that cannot be used, and ids that come again (the first one counts)."""
        return tuple(self._problems)

    def __len__(self) -> int:
        return len(self._offsets)

    def get(self, query_id: str) -> RecordedAnswer | None:
        """The answer to a query, or None when there is none that can be read."""
        record = self._find(query_id)
        if record is None:
            return None
        read = read_record(record)
        # Of the other fields that was said when the file was opened.
        odd = tuple(one for one in read.oddities if one[0] == ODD_SOURCES)
        return msgspec.structs.replace(read, oddities=odd) if read.oddities else read

    def ids(self) -> Iterator[str]:
        """The ids of all answers, in the order of the file."""
        for offset in self._offsets[self._offsets.argsort()]:
            yield self._id_of(int(offset))

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _index(self) -> None:
        hashes, offsets, numbers = array("Q"), array("Q"), array("L")
        digest = hashlib.sha256()
        for number, offset, raw in lines_of(self._file, LONGEST, digest):
            query_id = self._read_head(number, raw)
            if query_id is not None:
                hashes.append(text_hash(query_id))
                offsets.append(offset)
                numbers.append(number)
        self.digest = digest.hexdigest()
        keys = np.frombuffer(hashes, np.uint64) if hashes else np.zeros(0, np.uint64)
        places = np.frombuffer(offsets, np.uint64) if offsets else np.zeros(0, np.uint64)
        order = np.argsort(keys, kind="stable")  # equal hashes stay in the order of the file
        keys, places = keys[order], places[order]
        lines = np.frombuffer(numbers, np.dtype(f"u{numbers.itemsize}"))[order] if numbers else places
        # Two ids that share 64 bits of a hash are one id.
        again = np.flatnonzero(keys[1:] == keys[:-1]) + 1
        told = again[np.argsort(lines[again])][: max(0, MOST_PROBLEMS - len(self._problems))]
        for at, first in zip(told.tolist(), keys.searchsorted(keys[told]).tolist(), strict=True):
            place = self._place(int(lines[first]))
            expected = f"an id of its own; {place} has it too, and that one counts"
            self._tell(int(lines[at]), expected, shown(self._id_of(int(places[at]))))
        self.problem_count += len(again) - len(told)
        self._hashes, self._offsets = np.delete(keys, again), np.delete(places, again)

    def _read_head(self, number: int, raw: bytes | None) -> str | None:
        if raw is None:
            self._tell(number, "an answer of at most 64 MB", "a longer line")
            return None
        try:
            raw.decode("utf-8")  # fields that are not read here are not looked at
            head, mended = decode_line(raw, _HEAD)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._tell(number, "an object with a query_id and an answer", f"something else ({error})")
            return None
        query_id = read_id(head.query_id)
        if query_id is None:
            self._tell(number, "a query_id", "none" if head.query_id is None else shown(head.query_id))
            return None
        if mended:
            self._tell(number, *NO_NUMBER)
        for expected, found in read_record(msgspec.structs.asdict(head)).oddities:
            self._tell(number, expected, found)
        return query_id

    def _tell(self, line: int, expected: str, found: str) -> None:
        self.problem_count += 1
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(Problem(str(self.path), self._place(line), expected, found))

    def _find(self, query_id: str) -> dict[str, Any] | None:
        wanted = self._hashes.dtype.type(text_hash(query_id))
        at = int(self._hashes.searchsorted(wanted))
        if at == len(self._hashes) or self._hashes[at] != wanted:
            return None
        record: dict[str, Any] = decode_line(self._line_at(int(self._offsets[at])))[0]
        return record if read_id(record.get("query_id")) == query_id else None

    def _id_of(self, offset: int) -> str:
        named, _ = decode_line(self._line_at(offset), _NAMED)
        return read_id(named.query_id) or ""

    def _line_at(self, offset: int) -> bytes:
        """The line that begins there, read without moving a position that others share."""
        size = 4096
        while True:
            raw = self._read_at(offset, size)
            end = raw.find(b"\n")
            if end >= 0 or len(raw) < size:
                return raw if end < 0 else raw[:end]
            size *= 4

    def _read_at(self, offset: int, size: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), size, offset)
        with self._lock:
            self._file.seek(offset)
            return self._file.read(size)


def open_answers(path: Path | str) -> RecordedAnswers:
    """Open recorded answers: JSON Lines, a JSON list of them, or a results document, also compressed."""
    place = Path(path)
    lines = open_lines(place)
    try:
        with within_memory(place):
            return RecordedAnswers(place, lines)
    except BaseException:
        lines.file.close()
        raise


NO_ANSWER = "there is no recorded answer for this query"


def make_item(
    query: EvaluationQuery, recorded: RecordedAnswer | None, settings: Settings | None = None
) -> DatasetItem:
    """What is known about a query, and what the system answered; without an answer, why there is none."""
    answered = recorded if recorded is not None else RecordedAnswer(failure=NO_ANSWER)
    failure = answered.failure
    if answered.answer is None and failure is None:
        failure = "the recorded answer has no text"
    expected = query.expected_output if query.expected_output is not None else query.ground_truth_answer
    return DatasetItem(
        query=query.query_text,
        actual_output=answered.answer,
        expected_output=expected,
        conversation=answered.conversation or read_conversation(query.conversation),
        query_id=query.query_id,
        citations=citations_of(answered.citations, answered.answer),
        true_spans=None if query.citations is None else scored_spans(query.citations),
        other_true_spans=tuple(scored_spans(spans) for spans in query.alternative_citations),
        relevant=query.relevant,
        retrieved=answered.retrieved,
        references=answered.references if answered.references is not None else query.references,
        sources=answered.sources,
        latency_ms=answered.latency_ms,
        usage=answered.usage,
        query_type=query.query_type,
        difficulty=query.difficulty,
        conversation_id=query.conversation_id,
        failure=failure,
        metadata=query.metadata,
    )


def scored_spans(citations: tuple[CitationSpan, ...]) -> tuple[Place, ...]:
    """The spans of gold citations."""
    return tuple(Place(one.document, one.page_number, one.start_char, one.end_char) for one in citations)
