"""DeepEval: test cases and goldens, as its JSON and CSV files hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pincite.answers import read_id, read_number
from pincite.datasets.formats import EvaluationQuery
from pincite.datasets.imports.entries import ImportedContext, ImportedEntry
from pincite.datasets.imports.rows import Row, first, listed, mapped, needed_text, text_in
from pincite.records import RecordedAnswer

SEPARATOR = "|"
"""What it writes between the passages of one cell."""
_SOURCE, _CONTEXT = "deepeval_source=", ",deepeval_context="
"""How it writes a passage that knows where it comes from: its source, then its text."""


def entries_of(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    for place, row in rows:
        answer = text_in(row, place, "actual_output", "actualOutput")
        retrieved = _contexts(row, "retrieval_context", "retrievalContext")
        seconds = read_number(first(row, "completion_time", "completionTime"))
        cost = read_number(first(row, "token_cost", "tokenCost"))
        yield ImportedEntry(
            place=place,
            query=EvaluationQuery(
                query_id=read_id(first(row, "query_id", "id")) or "",
                query_text=needed_text(row, place, "input"),
                ground_truth_answer=text_in(row, place, "expected_output", "expectedOutput"),
                metadata=mapped(first(row, "additional_metadata", "additionalMetadata", "metadata")),
            ),
            # The ideal passages, as opposed to those that were retrieved.
            relevant=tuple((context, 1.0) for context in _contexts(row, "context") or ()),
            answer=None
            if answer is None
            else RecordedAnswer(
                answer=answer,
                latency_ms=None if seconds is None else read_number(seconds * 1000),
                usage=None if cost is None else {"estimated_cost_usd": cost},
            ),
            retrieved=None if retrieved is None else tuple(retrieved),
        )


def _contexts(row: dict[str, Any], *names: str) -> list[ImportedContext] | None:
    given = listed(first(row, *names), SEPARATOR)
    if given is None:
        return None
    return [_context(one) for one in given if one is not None]


def _context(given: Any) -> ImportedContext:
    """One passage: a text, or an object of a text and its source, also as written in a cell."""
    if isinstance(given, Mapping) and isinstance(given.get("context"), str):
        return ImportedContext(text=given["context"], document_id=read_id(given.get("source")) or None)
    text = given if isinstance(given, str) else str(given)
    source, marked, held = text.removeprefix(_SOURCE).partition(_CONTEXT)
    if not (marked and text.startswith(_SOURCE)):
        return ImportedContext(text=text)
    return ImportedContext(text=held, document_id=source or None)
