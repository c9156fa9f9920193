"""ALCE: questions with the passages that were shown to a model, and its outputs with `[1]`, `[2]` markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pincite.answers import read_id, read_number
from pincite.datasets.formats import EvaluationQuery
from pincite.datasets.imports.entries import ImportedContext, ImportedEntry
from pincite.datasets.imports.rows import Row, first, needed_text, objects_in, text_in
from pincite.records import RecordedAnswer


def entries_of(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    for place, row in rows:
        contexts = []
        relevant = []
        for there, given in objects_in(row, "docs", place):
            contexts.append(_context(given, there))
            found = given.get("answers_found")
            if isinstance(found, list) and any(found):
                relevant.append((contexts[-1], 1.0))
        kept: dict[str, Any] = {name: row[name] for name in ("qa_pairs", "claims", "answers") if name in row}
        yield ImportedEntry(
            place=place,
            query=EvaluationQuery(
                query_id=read_id(first(row, "sample_id", "id")) or "",
                query_text=needed_text(row, place, "question"),
                ground_truth_answer=_expected(row, place),
                metadata=kept,
            ),
            relevant=tuple(relevant),
            answer=RecordedAnswer(answer=text_in(row, place, "output")) if "output" in row else None,
            retrieved=tuple(contexts),
        )


def _context(given: dict[str, Any], place: str) -> ImportedContext:
    return ImportedContext(
        text=needed_text(given, place, "text"),
        document_id=read_id(first(given, "id")),
        title=text_in(given, place, "title"),
        score=read_number(first(given, "score", "rec_score")),
    )


def _expected(row: dict[str, Any], place: str) -> str | None:
    answer = row.get("answer")
    if isinstance(answer, list):
        return "; ".join(str(one) for one in answer) or None
    return text_in(row, place, "answer")
