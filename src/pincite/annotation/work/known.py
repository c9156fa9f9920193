"""Known answers in the form in which people give theirs, and how far somebody's own agrees with one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from pincite.annotation.work.documents import Documents
from pincite.annotation.work.said import AnswerSaid, SpanMark, SpansSaid, VerdictSaid, plain
from pincite.datasets.formats.records import (
    AnswerQualityAnnotation,
    CitationAnnotation,
    CitationSpan,
    EvaluationQuery,
)
from pincite.records import Span
from pincite.sources.passages import page_span
from pincite.stats.annotators import span_jaccard


class KnownAnswer(Struct, frozen=True):
    """The known answer of an item for practice."""

    said: dict[str, Any]
    agreement: float | None
    """The best character-level Jaccard of a person's first set with any known set."""
    unplaced: int = 0
    """Known citations that have no place in the documents, and cannot be shown."""


def compare_with_known(
    query: EvaluationQuery, said: dict[str, Any], documents: Documents, by_page: bool
) -> KnownAnswer:
    """What is known about a query, and how near somebody came to it."""
    given = (query.citations or (), *query.alternative_citations)
    sets = tuple(tuple(marks_of(one, documents, by_page)) for one in given)
    mine = _marked(msgspec.convert(said, SpansSaid).sets[0])
    figures = [figure for one in sets if (figure := span_jaccard(mine, _marked(one))) is not None]
    unplaced = sum(map(len, given)) - sum(map(len, sets))
    known = plain(SpansSaid(sets=sets, nothing=not query.citations))
    return KnownAnswer(known, max(figures, default=None), unplaced)


def marks_of(spans: Iterable[CitationSpan], documents: Documents, by_page: bool) -> Iterable[SpanMark]:
    """Spans of a file as marks; those that have no place in a document are left out."""
    for span in spans:
        source = documents.find(span.document)
        if source is None or span.start_char is None or span.end_char is None:
            continue
        page = page_span(source, span.page_number) if by_page and span.page_number else None
        origin = page.start if page is not None else 0
        start, end = span.start_char + origin, span.end_char + origin
        if 0 <= start < end <= len(source.text):
            note = getattr(span, "justification", None) or ""
            yield SpanMark(source.name, start, end, note)


def said_of_record(one: Any, documents: Documents, by_page: bool) -> dict[str, Any]:
    """What an annotation or a row of a file says, as our own log would have it."""
    if isinstance(one, CitationAnnotation):
        marks = tuple(marks_of(one.citations, documents, by_page))
        return plain(SpansSaid(sets=(marks,), nothing=not one.citations))
    if isinstance(one, AnswerQualityAnnotation):
        scores = {name: mark for name, mark in one.quality_scores.items() if mark is not None}
        return plain(AnswerSaid(scores=scores))
    told = one.get("said") or one.get("verdict")
    known = ("supported", "contradicted", "not_enough", "unsure")
    return plain(VerdictSaid(verdict=told if told in known else None, note=str(one.get("note") or "")))


def _marked(marks: Iterable[SpanMark]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for mark in marks:
        found.setdefault(mark.document, []).append(Span(mark.start, mark.end))
    return found
