"""Records: what a system said, as JSON with the field names of a results document.

Numbers may be texts, fields may be null or missing. A field that cannot be understood counts as not given,
and the answer's `oddities` say so: a zero would be taken for what the system did.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from pincite.answers.citations import citations_of, read_citations
from pincite.answers.conversations import read_conversation
from pincite.answers.saved import is_saved, saved_record
from pincite.answers.values import (
    Oddities,
    read_amount,
    read_count,
    read_id,
    read_number,
    tell_left_out,
    tell_odd,
)
from pincite.config import Limits
from pincite.errors import InputError, SourceError
from pincite.records import Answer, RecordedAnswer, RetrievedDocument, Source
from pincite.sources import is_document, open_sources

ANSWER_KEYS = ("generated_answer", "answer", "actual_output", "response", "text")
_FAILURE = ("failure", "error")
_ID_KEYS = ("id", "query_id", "name")
_QUERY_KEYS = ("query", "query_text", "question")
_COST = "estimated_cost_usd"
_USAGE = ("total_tokens", "total_requests", _COST)
_PARTS = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
_OF_AN_ANSWER = (
    *(*ANSWER_KEYS, *_FAILURE, "citations", "references", "sources"),
    *("retrieval_results", "retrieved_docs", "relevance_scores"),
)
_KNOWN = frozenset((*_OF_AN_ANSWER, *_USAGE, "query_id", "latency_ms", "usage", "conversation", "attempts"))
_DOCUMENT = ("document_id", "doc_id", "id", "document", "file_path", "file_name", "name", "title", "url")
_SCORE = ("score", "relevance_score", "relevance", "similarity")
ODD_SOURCES = "sources as a list of documents, or texts by name"


def read_record(record: Mapping[str, Any], limits: Limits | None = None) -> RecordedAnswer:
    """What a system answered, from a line, a query's result, or what a callable returned."""
    if not isinstance(record, Mapping):
        raise InputError(f"a recorded answer is an object, not a {type(record).__name__}")
    if is_saved(record):
        record = saved_record(record)
    odd: Oddities = []
    return RecordedAnswer(
        query_id=read_id(record.get("query_id")) or "",
        answer=next((record[name] for name in ANSWER_KEYS if isinstance(record.get(name), str)), None),
        citations=read_citations(record.get("citations"), odd),
        retrieved=_retrieved(record, odd),
        latency_ms=_amount("latency_ms", record.get("latency_ms"), odd),
        usage=_usage(record, odd),
        references=_references(record.get("references"), odd),
        sources=read_sources(record.get("sources"), odd, limits),
        conversation=_conversation(record.get("conversation"), odd),
        failure=next((str(record[name]) for name in _FAILURE if record.get(name)), None),
        attempts=read_count(record.get("attempts")) or 1,
        extra={name: value for name, value in record.items() if name not in _KNOWN},
        oddities=tuple(odd),
    )


def answer_of(record: Mapping[str, Any], limits: Limits, where: str) -> Answer:
    """The answer in a record, to be checked.

    What cannot be read is among the answer's problems; only sources that cannot be used are refused.
    """
    read = read_record({name: record[name] for name in _OF_AN_ANSWER if name in record}, limits)
    if read.answer is None:
        raise InputError(f"{where}: no answer under any of {', '.join(ANSWER_KEYS)}")
    refused = dict(read.oddities).get(ODD_SOURCES)
    if refused is not None:
        expected = "documents (name → text, or a list of objects), not paths"
        raise InputError(f"{where}: sources in a record are {expected}: found {refused}")
    return Answer(
        text=read.answer,
        name=label_of(record) or where,
        query=next((record[key] for key in _QUERY_KEYS if isinstance(record.get(key), str)), None),
        citations=citations_of(read.citations, read.answer),
        sources=read.sources,
        references=read.references,
        retrieved=None if read.retrieved is None else tuple(one.document for one in read.retrieved),
        problems=tuple(f"expected {expected}, found {found}" for expected, found in read.oddities),
    )


def label_of(record: Mapping[str, Any]) -> str | None:
    """What a record is called: its id, its query's id or its name."""
    return next((label for key in _ID_KEYS if (label := read_id(record.get(key)))), None)


def read_sources(given: Any, odd: Oddities, limits: Limits | None = None) -> tuple[Source, ...]:
    """Documents that came with an answer. No paths: a record must not choose which files are read."""
    if isinstance(given, list | tuple):
        fit = [one if isinstance(one, Source) or is_document(one) else None for one in given]
        tell_left_out(odd, ODD_SOURCES, given, fit)
        given = [one for one in fit if one is not None]
    elif not isinstance(given, Mapping):
        tell_odd(odd, ODD_SOURCES, given)
        return ()
    try:
        return open_sources(given, limits).sources if given else ()
    except SourceError as error:
        odd.append((ODD_SOURCES, f"{error}; they count as not given"))
        return ()


def _retrieved(record: Mapping[str, Any], odd: Oddities) -> tuple[RetrievedDocument, ...] | None:
    results = record.get("retrieval_results")
    if isinstance(results, list | tuple):
        results = {"retrieved_docs": results}
    if not isinstance(results, Mapping):
        tell_odd(odd, "retrieval_results as an object with retrieved_docs", results)
        results = record
    elif results and "retrieved_docs" not in results:
        odd.append(("retrieved_docs in retrieval_results", "none; they count as not given"))
    documents, scores = results.get("retrieved_docs"), results.get("relevance_scores")
    if isinstance(scores, list | tuple):
        given = [score for score in scores if score is not None]
        tell_left_out(odd, "numbers in relevance_scores", given, [read_number(score) for score in given])
    else:
        tell_odd(odd, "relevance_scores as a list", scores)
        scores = ()
    if not isinstance(documents, list | tuple):
        tell_odd(odd, "retrieved_docs as a list", documents)
        return None
    if scores and len(scores) != len(documents):
        rest = "the rest counts as not given" if len(scores) < len(documents) else "the rest is left out"
        odd.append(("a score for each of retrieved_docs", f"{len(scores)} for {len(documents)}; {rest}"))
    read = [_document(*one) for one in zip_longest(documents, scores[: len(documents)])]
    tell_left_out(odd, "ids of documents in retrieved_docs", documents, read)
    found = tuple(one for one in read if one is not None)
    return found if found or not documents else None


def _document(document: Any, score: Any) -> RetrievedDocument | None:
    """One retrieved document, by its id or as an object that has one; None where nothing names it."""
    number = read_number(score)
    if not isinstance(document, Mapping):
        name = read_id(document)
    else:
        name = next((text for key in _DOCUMENT if (text := read_id(document.get(key)))), None)
        own = (read_number(document.get(key)) for key in _SCORE)
        number = next((found for found in own if found is not None), None) if number is None else number
    return RetrievedDocument(name, number) if name else None


def _usage(record: Mapping[str, Any], odd: Oddities) -> dict[str, Any] | None:
    given = record.get("usage")
    if not isinstance(given, Mapping):
        tell_odd(odd, "usage as an object", given)
        given = {}
    read = {name: _amount(f"usage.{name}", given.get(name), odd) for name in (*_USAGE, *_PARTS)}
    if given.get("total_tokens") is None and any(read[name] is not None for name in _PARTS):
        read["total_tokens"] = sum(read[name] or 0 for name in _PARTS)
    usage = {name: value for name, value in given.items() if name not in _USAGE}
    for name in _USAGE:
        own = _amount(name, record.get(name), odd)
        value = read[name] if record.get(name) is None else own
        if value is not None:
            usage[name] = value
    return usage or None


def _amount(name: str, given: Any, odd: Oddities) -> Any:
    """A number that counts something; tokens and requests are whole."""
    number: float | None = None if given is None else read_amount(given)
    if number is None:
        tell_odd(odd, f"{name} as a number, 0 or more", given)
    elif not name.endswith((_COST, "latency_ms")):
        number = read_count(given)
        if number is None:
            tell_odd(odd, f"{name} as a count below 2^63", given)
    return number


def _references(given: Any, odd: Oddities) -> tuple[str | dict[str, Any], ...] | None:
    """The numbered list that `[1]` counts in; an empty one is none."""
    if not isinstance(given, list | tuple):
        tell_odd(odd, "references as a list", given)
        return None
    read = [dict(one) if isinstance(one, Mapping) else one if isinstance(one, str) else None for one in given]
    tell_left_out(odd, "references as texts, or as number and source", given, read)
    return tuple(one for one in read if one is not None) or None


def _conversation(given: Any, odd: Oddities) -> Any:
    read = read_conversation(given)
    if given and read is None:
        tell_odd(odd, "conversation as a list of messages with role and content", given)
    return read
