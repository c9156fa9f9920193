"""Records: what a system said, as JSON with the field names of a results document.

Numbers may be texts, fields may be null or missing. A field that cannot be understood counts as not given,
and the answer's `oddities` say so: a zero would be taken for what the system did.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from pincite.answers.citations import citations_of, fields_of, read_citations
from pincite.answers.conversations import read_conversation
from pincite.answers.values import (
    Oddities,
    read_amount,
    read_count,
    read_id,
    read_number,
    warn,
    warn_left_out,
)
from pincite.citations import double_braces, parse, span_target
from pincite.config import Limits
from pincite.errors import InputError, SourceError
from pincite.records import Answer, Citation, RecordedAnswer, RetrievedDocument, Source, SpanTarget
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


KIND = "pincite.answer"
"""What a saved answer says that it is."""


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
        warn_left_out(odd, ODD_SOURCES, given, fit)
        given = [one for one in fit if one is not None]
    elif not isinstance(given, Mapping):
        warn(odd, ODD_SOURCES, given)
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
        warn(odd, "retrieval_results as an object with retrieved_docs", results)
        results = record
    elif results and "retrieved_docs" not in results:
        odd.append(("retrieved_docs in retrieval_results", "none; they count as not given"))
    documents, scores = results.get("retrieved_docs"), results.get("relevance_scores")
    if isinstance(scores, list | tuple):
        given = [score for score in scores if score is not None]
        warn_left_out(odd, "numbers in relevance_scores", given, [read_number(score) for score in given])
    else:
        warn(odd, "relevance_scores as a list", scores)
        scores = ()
    if not isinstance(documents, list | tuple):
        warn(odd, "retrieved_docs as a list", documents)
        return None
    if scores and len(scores) != len(documents):
        rest = "the rest counts as not given" if len(scores) < len(documents) else "the rest is left out"
        odd.append(("a score for each of retrieved_docs", f"{len(scores)} for {len(documents)}; {rest}"))
    read = [_document(*one) for one in zip_longest(documents, scores[: len(documents)])]
    warn_left_out(odd, "ids of documents in retrieved_docs", documents, read)
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
        warn(odd, "usage as an object", given)
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
        warn(odd, f"{name} as a number, 0 or more", given)
    elif not name.endswith((_COST, "latency_ms")):
        number = read_count(given)
        if number is None:
            warn(odd, f"{name} as a count below 2^63", given)
    return number


def _references(given: Any, odd: Oddities) -> tuple[str | dict[str, Any], ...] | None:
    """The numbered list that `[1]` counts in; None for an empty one."""
    if not isinstance(given, list | tuple):
        warn(odd, "references as a list", given)
        return None
    read = [dict(one) if isinstance(one, Mapping) else one if isinstance(one, str) else None for one in given]
    warn_left_out(odd, "references as texts, or as number and source", given, read)
    return tuple(one for one in read if one is not None) or None


def _conversation(given: Any, odd: Oddities) -> Any:
    read = read_conversation(given)
    if given and read is None:
        warn(odd, "conversation as a list of messages with role and content", given)
    return read


# --- answers that `pincite answer` saved, alone or one on each line ----------------------------------
#
# Such an answer says of each citation to which marker of its text it belongs, and which characters of a
# source it means. Only that is read here: what it says of its own worth counts for nothing.


def is_saved(value: Any) -> bool:
    """Whether this is what `pincite answer --output-format json` writes."""
    return isinstance(value, Mapping) and value.get("kind") == KIND


def saved_answer(value: Mapping[str, Any], where: str) -> Answer:
    """The answer with its citations at their markers; a marker that nothing is said of stays a marker."""
    text, question = value.get("text"), value.get("question")
    if not isinstance(text, str):
        raise InputError(f"{where}: this saved answer has no text")
    targets: dict[tuple[int, int], list[SpanTarget]] = {}
    listed = _listed(value, "citations")
    for one in listed:
        place, cited = _place(one, text), _target(one)
        if place is not None and cited is not None:
            targets.setdefault(place, []).append(cited)
    left = len(listed) - sum(map(len, targets.values()))
    citations = [
        Citation("span", text[start:end], start, end, tuple(cited), double_braces(text[start:end]))
        for (start, end), cited in targets.items()
    ]
    citations += [one for one in parse(text).citations if (one.start, one.end) not in targets]
    return Answer(
        text,
        where,
        question if isinstance(question, str) else None,
        tuple(sorted(citations, key=lambda one: one.start)),
        problems=(f"expected citations at their markers, found {left} that are at none",) if left else (),
    )


def saved_record(value: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the field names of a results document, to be measured."""
    usage = value.get("usage")
    used = usage if isinstance(usage, Mapping) else {}
    counts = (used.get("input_tokens"), used.get("output_tokens"))
    passages = _listed(value, "passages")
    record = {
        "query_id": value.get("query_id", value.get("id")),
        "answer": value.get("text"),
        "citations": [fields_of(cited) for one in _listed(value, "citations") if (cited := _target(one))],
        "retrieval_results": {
            "retrieved_docs": [one.get("document") for one in passages],
            "relevance_scores": [one.get("score") for one in passages],
        },
    }
    if value.get("status") == "failed":
        record["failure"] = value.get("reason") or "it failed"
    if used.get("requests") and all(isinstance(count, int) for count in counts):
        record["usage"] = {"total_requests": used["requests"], "total_tokens": sum(counts)}
    return record


def _listed(value: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    listed = value.get(name)
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list | tuple) else []


def _target(one: Mapping[str, Any]) -> SpanTarget | None:
    document, page, span = one.get("document"), one.get("page"), one.get("source_span")
    if not isinstance(document, str) or not isinstance(span, list | tuple) or len(span) != 2:
        return None
    if not all(type(bound) is int for bound in span) or not (page is None or type(page) is int):
        return None
    return span_target(document, page, span[0], span[1])


def _place(one: Mapping[str, Any], text: str) -> tuple[int, int] | None:
    """Where the marker of a citation is in the text, if it is there."""
    start, end = one.get("start"), one.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        return None
    return (start, end) if text[start:end] == one.get("marker") else None
