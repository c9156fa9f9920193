"""Recorded answers: what a system said, read from JSON with the field names of a results document.

Numbers may be texts, fields may be null or missing: what cannot be understood is left out, never made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite.datasets.recorded.citations import read_citations
from pincite.datasets.recorded.values import read_amount, read_count, read_id, read_number
from pincite.errors import InputError
from pincite.metrics.conversations import read_conversation
from pincite.records import RecordedAnswer, RetrievedDocument, Source
from pincite.sources.readers.documents import document_source, is_document

_ANSWER = ("generated_answer", "answer", "actual_output", "response", "text")
_FAILURE = ("failure", "error")
COST = "estimated_cost_usd"
USAGE = ("total_tokens", "total_requests", COST)
_KNOWN = frozenset(
    (
        *_ANSWER,
        *_FAILURE,
        *USAGE,
        "query_id",
        "citations",
        "retrieval_results",
        "retrieved_docs",
        "relevance_scores",
        "latency_ms",
        "usage",
        "references",
        "sources",
        "conversation",
        "attempts",
    )
)
_DOCUMENT = ("document_id", "doc_id", "id", "document", "file_path", "file_name", "name", "title", "url")
_SCORE = ("score", "relevance_score", "relevance", "similarity")


def read_recorded(record: Mapping[str, Any]) -> RecordedAnswer:
    """A recorded answer from the fields of a line, of a query's result, or of what a callable gave."""
    if not isinstance(record, Mapping):
        raise InputError(f"a recorded answer is an object, not a {type(record).__name__}")
    return RecordedAnswer(
        query_id=read_id(record.get("query_id")) or "",
        answer=next((record[name] for name in _ANSWER if isinstance(record.get(name), str)), None),
        citations=read_citations(record.get("citations")),
        retrieved=_retrieved(record),
        latency_ms=read_amount(record.get("latency_ms")),
        usage=_usage(record),
        references=_references(record.get("references")),
        sources=_sources(record.get("sources")),
        conversation=read_conversation(record.get("conversation")),
        failure=next((str(record[name]) for name in _FAILURE if record.get(name)), None),
        attempts=read_count(record.get("attempts")) or 1,
        extra={name: value for name, value in record.items() if name not in _KNOWN},
    )


def _retrieved(record: Mapping[str, Any]) -> tuple[RetrievedDocument, ...] | None:
    results = record.get("retrieval_results")
    if isinstance(results, list | tuple):
        results = {"retrieved_docs": results}
    if not isinstance(results, Mapping):
        results = record
    documents, scores = results.get("retrieved_docs"), results.get("relevance_scores")
    if not isinstance(documents, list | tuple):
        return None
    given = list(scores) if isinstance(scores, list | tuple) else []
    given += [None] * (len(documents) - len(given))
    found = tuple(
        read
        for document, score in zip(documents, given, strict=False)
        if (read := read_retrieved(document, score)) is not None
    )
    return found if found or not documents else None


def read_retrieved(document: Any, score: Any = None) -> RetrievedDocument | None:
    """One retrieved document, by its id or as an object that has one; None where nothing names it."""
    if isinstance(document, Mapping):
        name = next((text for key in _DOCUMENT if (text := read_id(document.get(key)))), None)
        own = next((found for key in _SCORE if (found := read_number(document.get(key))) is not None), None)
    else:
        name, own = read_id(document), None
    if not name:
        return None
    number = read_number(score)
    return RetrievedDocument(name, own if number is None else number)


def _usage(record: Mapping[str, Any]) -> dict[str, Any] | None:
    given = record.get("usage")
    usage = dict(given) if isinstance(given, Mapping) else {}
    usage.update({name: record[name] for name in USAGE if record.get(name) is not None})
    if "total_tokens" not in usage:
        parts = [read_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        parts += [read_count(usage.get(name)) for name in ("input_tokens", "output_tokens")]
        if any(part is not None for part in parts):
            usage["total_tokens"] = sum(part or 0 for part in parts)
    for name in USAGE:
        if name in usage:
            given = usage.pop(name)
            number = read_amount(given) if name == COST else read_count(given)
            if number is not None:
                usage[name] = number
    return usage or None


def _references(given: Any) -> tuple[str | dict[str, Any], ...] | None:
    if not isinstance(given, list | tuple):
        return None
    return tuple(
        dict(one) if isinstance(one, Mapping) else str(one) for one in given if isinstance(one, str | Mapping)
    )


def _sources(given: Any) -> tuple[Source, ...]:
    """Documents that came with the answer: a list of documents, or texts by name."""
    if isinstance(given, Mapping):
        given = [
            {"document_id": str(name), "content": text}
            for name, text in given.items()
            if isinstance(text, str)
        ]
    if not isinstance(given, list | tuple):
        return ()
    return tuple(
        one if isinstance(one, Source) else document_source(dict(one), f"document {number}")
        for number, one in enumerate(given, start=1)
        if isinstance(one, Source) or is_document(one)
    )
