"""Lines of JSON of any shape, with a mapping that says where our fields are: `{"query_text": "inputs.q"}`.

A path goes down by names and by places in lists, `docs.0.text`; a star takes all of a list, `docs.*.text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from pincite.answers import read_id, read_number
from pincite.datasets.formats import CitationSpan, EvaluationQuery
from pincite.datasets.imports.entries import ImportedContext, ImportedEntry
from pincite.datasets.imports.rows import Row, listed, mapped, needed_text, text_in
from pincite.datasets.record import from_plain
from pincite.errors import InputError
from pincite.records import RecordedAnswer

FIELDS = (
    "query_id",
    "query_text",
    "query_type",
    "difficulty",
    "relevant_documents",
    "ground_truth_answer",
    "citations",
    "conversation",
    "conversation_id",
    "metadata",
    "answer",
    "answer_citations",
    "retrieved_docs",
    "relevance_scores",
    "contexts",
    "latency_ms",
    "usage",
)
"""What a mapping may name. Without one, a row has these fields itself."""


def jsonl_entries(rows: Iterable[Row], mapping: Mapping[str, str] | None = None) -> Iterator[ImportedEntry]:
    unknown = sorted(set(mapping or ()) - set(FIELDS))
    if unknown:
        raise InputError(f"a mapping has no field {unknown[0]!r:.60}: it may have {', '.join(FIELDS)}")
    for place, row in rows:
        given = {name: follow(row, way) for name, way in mapping.items()} if mapping is not None else row
        answer = text_in(given, place, "answer")
        yield ImportedEntry(
            place=place,
            query=EvaluationQuery(
                query_id=read_id(given.get("query_id")) or "",
                query_text=_query(given, place, mapping),
                citations=_spans(given.get("citations"), place),
                conversation=given.get("conversation"),
                metadata=mapped(given.get("metadata")),
                query_type=text_in(given, place, "query_type"),
                difficulty=text_in(given, place, "difficulty"),
                ground_truth_answer=text_in(given, place, "ground_truth_answer"),
                conversation_id=text_in(given, place, "conversation_id"),
            ),
            relevant=_relevant(given.get("relevant_documents"), place),
            answer=None
            if answer is None
            else RecordedAnswer(
                answer=answer,
                citations=_citations(given.get("answer_citations"), place),
                latency_ms=read_number(given.get("latency_ms")),
                usage=mapped(given.get("usage")) or None,
            ),
            retrieved=_retrieved(given),
        )


def follow(value: Any, way: str) -> Any:
    """The value at a dotted path; None where there is none."""
    steps = way.split(".") if way else []
    for number, step in enumerate(steps):
        if step == "*":
            if not isinstance(value, list):
                return None
            rest = ".".join(steps[number + 1 :])
            found = [follow(one, rest) for one in value]
            return [one for one in found if one is not None]
        if isinstance(value, list) and step.isdecimal() and len(step) < 10:
            value = value[int(step)] if int(step) < len(value) else None
        elif isinstance(value, Mapping):
            value = value.get(step)
        else:
            return None
    return value


def _query(given: dict[str, Any], place: str, mapping: Mapping[str, str] | None) -> str:
    if mapping is not None and "query_text" in mapping and given["query_text"] is None:
        raise InputError(
            f"{place}: there is nothing at {mapping['query_text']!r:.80}, the place of query_text"
        )
    return needed_text(given, place, "query_text")


def _relevant(given: Any, place: str) -> tuple[tuple[ImportedContext, float], ...]:
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        pairs = [
            (one.get("document_id"), one.get("relevance", 1)) if isinstance(one, Mapping) else (one, 1)
            for one in listed(given, ";") or ()
        ]
    relevant = []
    for name, grade in pairs:
        document_id, number = read_id(name), read_number(grade)
        if not document_id or number is None:
            raise InputError(
                f"{place}: relevant_documents has {name!r:.60}: {grade!r:.20}, no id with a grade"
            )
        relevant.append((ImportedContext(document_id=document_id), number))
    return tuple(relevant)


def _spans(given: Any, place: str) -> tuple[CitationSpan, ...] | None:
    found = listed(given)
    if found is None:
        return None
    try:
        return tuple(from_plain(CitationSpan, one) for one in found)
    except InputError as error:
        raise InputError(f"{place}: citations: {error}") from None


def _citations(given: Any, place: str) -> tuple[dict[str, Any], ...] | None:
    found = listed(given)
    if found is None:
        return None
    if not all(isinstance(one, dict) for one in found):
        raise InputError(f"{place}: answer_citations is not a list of objects")
    return tuple(found)


def _retrieved(given: dict[str, Any]) -> tuple[ImportedContext, ...] | None:
    texts, names = listed(given.get("contexts")), listed(given.get("retrieved_docs"), ";")
    if texts is None and names is None:
        return None
    scores = listed(given.get("relevance_scores")) or ()
    found = (
        ImportedContext(
            text=text if isinstance(text, str) else None, document_id=read_id(name), score=read_number(score)
        )
        for text, name, score in zip_longest(texts or (), names or (), scores)
    )
    return tuple(one for one in found if one.text or one.document_id)
