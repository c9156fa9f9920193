"""Exports of one row per question: RAGAS, DeepEval, ALCE and HAGRID, each read as entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pincite.answers import read_conversation, read_id, read_number
from pincite.datasets.formats import EvaluationQuery
from pincite.datasets.imports.entries import ImportedContext, ImportedEntry, as_messages
from pincite.datasets.imports.rows import (
    Row,
    first,
    listed,
    mapped,
    needed_text,
    objects_in,
    text_in,
    written,
)
from pincite.records import AIMessage, HumanMessage, RecordedAnswer

# --- RAGAS: a row per sample, with the column names of its newer and its older versions ---


_RAGAS_QUERY = ("user_input", "question", "query")


def ragas_entries(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    for place, row in rows:
        spoken = first(row, *_RAGAS_QUERY)
        spoken = written(spoken) if isinstance(spoken, str) else spoken
        if isinstance(spoken, list):
            yield _ragas_conversation(place, row, spoken)
            continue
        answer = text_in(row, place, "response", "answer")
        yield ImportedEntry(
            place=place,
            query=EvaluationQuery(
                query_id=_ragas_id(row),
                query_text=needed_text(row, place, *_RAGAS_QUERY),
                ground_truth_answer=_ragas_reference(row, place),
                metadata=_ragas_metadata(row),
            ),
            relevant=tuple(
                (context, 1.0)
                for context in _ragas_contexts(row, ("reference_contexts",), ("reference_context_ids",))
            ),
            answer=None
            if answer is None
            else RecordedAnswer(answer=answer, latency_ms=read_number(row.get("latency_ms"))),
            retrieved=tuple(
                _ragas_contexts(row, ("retrieved_contexts", "contexts"), ("retrieved_context_ids",))
            )
            if any(name in row for name in ("retrieved_contexts", "contexts", "retrieved_context_ids"))
            else None,
        )


def _ragas_contexts(
    row: dict[str, Any], texts: tuple[str, ...], ids: tuple[str, ...]
) -> list[ImportedContext]:
    """The passages under these names, with their ids where they have some."""
    given = listed(first(row, *texts)) or []
    named = listed(first(row, *ids)) or []
    if not given:
        return [ImportedContext(document_id=found) for one in named if (found := read_id(one))]
    named += [None] * (len(given) - len(named))
    return [
        ImportedContext(text=text if isinstance(text, str) else str(text), document_id=read_id(name))
        for text, name in zip(given, named, strict=False)
        if text is not None
    ]


def _ragas_conversation(place: str, row: dict[str, Any], spoken: list[Any]) -> ImportedEntry:
    """A sample of several turns: the last thing that a person said is the query."""
    conversation = read_conversation(spoken)
    messages = conversation.messages if conversation else ()
    last = max((i for i, one in enumerate(messages) if isinstance(one, HumanMessage)), default=0)
    replies = [one.content for one in messages[last + 1 :] if isinstance(one, AIMessage)]
    return ImportedEntry(
        place=place,
        query=EvaluationQuery(
            query_id=_ragas_id(row),
            query_text=messages[last].content if messages else "",
            ground_truth_answer=_ragas_reference(row, place),
            conversation=as_messages(messages[:last]) or None,
            metadata=_ragas_metadata(row),
        ),
        answer=RecordedAnswer(answer=replies[-1], conversation=conversation) if replies else None,
    )


def _ragas_id(row: dict[str, Any]) -> str:
    return read_id(first(row, "query_id", "id", "sample_id")) or ""


def _ragas_reference(row: dict[str, Any], place: str) -> str | None:
    if row.get("ground_truths") is not None and first(row, "reference", "ground_truth") is None:
        truths = listed(row["ground_truths"]) or []
        return str(truths[0]) if truths else None
    return text_in(row, place, "reference", "ground_truth")


def _ragas_metadata(row: dict[str, Any]) -> dict[str, Any]:
    """What else says something about the query: who would ask it, and how it was made."""
    names = ("synthesizer_name", "persona_name", "query_style", "query_length", "evolution_type", "rubrics")
    kept = {name: row[name] for name in names if row.get(name) is not None}
    return {**mapped(row.get("metadata")), **kept}


# --- DeepEval: test cases and goldens, as its JSON and CSV files hold them ---


_SEPARATOR = "|"
"""What it writes between the passages of one cell."""
_SOURCE, _CONTEXT = "deepeval_source=", ",deepeval_context="
"""How it writes a passage that knows where it comes from: its source, then its text."""


def deepeval_entries(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    for place, row in rows:
        answer = text_in(row, place, "actual_output", "actualOutput")
        retrieved = _deepeval_contexts(row, "retrieval_context", "retrievalContext")
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
            relevant=tuple((context, 1.0) for context in _deepeval_contexts(row, "context") or ()),
            answer=None
            if answer is None
            else RecordedAnswer(
                answer=answer,
                latency_ms=None if seconds is None else read_number(seconds * 1000),
                usage=None if cost is None else {"estimated_cost_usd": cost},
            ),
            retrieved=None if retrieved is None else tuple(retrieved),
        )


def _deepeval_contexts(row: dict[str, Any], *names: str) -> list[ImportedContext] | None:
    given = listed(first(row, *names), _SEPARATOR)
    if given is None:
        return None
    return [_deepeval_context(one) for one in given if one is not None]


def _deepeval_context(given: Any) -> ImportedContext:
    """One passage: a text, or an object of a text and its source, also as written in a cell."""
    if isinstance(given, Mapping) and isinstance(given.get("context"), str):
        return ImportedContext(text=given["context"], document_id=read_id(given.get("source")) or None)
    text = given if isinstance(given, str) else str(given)
    source, marked, held = text.removeprefix(_SOURCE).partition(_CONTEXT)
    if not (marked and text.startswith(_SOURCE)):
        return ImportedContext(text=text)
    return ImportedContext(text=held, document_id=source or None)


# --- ALCE: questions with the passages shown to a model, and its outputs with `[1]`, `[2]` ---


def alce_entries(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    for place, row in rows:
        contexts = []
        relevant = []
        for there, given in objects_in(row, "docs", place):
            contexts.append(_alce_context(given, there))
            found = given.get("answers_found")
            if isinstance(found, list) and any(found):
                relevant.append((contexts[-1], 1.0))
        kept: dict[str, Any] = {name: row[name] for name in ("qa_pairs", "claims", "answers") if name in row}
        yield ImportedEntry(
            place=place,
            query=EvaluationQuery(
                query_id=read_id(first(row, "sample_id", "id")) or "",
                query_text=needed_text(row, place, "question"),
                ground_truth_answer=_alce_expected(row, place),
                metadata=kept,
            ),
            relevant=tuple(relevant),
            answer=RecordedAnswer(answer=text_in(row, place, "output")) if "output" in row else None,
            retrieved=tuple(contexts),
        )


def _alce_context(given: dict[str, Any], place: str) -> ImportedContext:
    return ImportedContext(
        text=needed_text(given, place, "text"),
        document_id=read_id(first(given, "id")),
        title=text_in(given, place, "title"),
        score=read_number(first(given, "score", "rec_score")),
    )


def _alce_expected(row: dict[str, Any], place: str) -> str | None:
    answer = row.get("answer")
    if isinstance(answer, list):
        return "; ".join(str(one) for one in answer) or None
    return text_in(row, place, "answer")


# --- HAGRID: questions with quotes, and answers that people judged ---


def hagrid_entries(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    """An entry an answer: the second answer to query 7 is that of query `7#2`."""
    for place, row in rows:
        query_id = read_id(first(row, "query_id", "id"))
        quotes = tuple(_hagrid_quote(given, there) for there, given in objects_in(row, "quotes", place))
        answers = [given for _, given in objects_in(row, "answers", place)]
        good = (one for one in answers if one.get("informative") == 1 and one.get("attributable") == 1)
        accepted = next(good, None)
        for number, answer in enumerate(answers or [{}], 1):
            suffix = "" if number == 1 else f"#{number}"
            yield ImportedEntry(
                place=place,
                query=EvaluationQuery(
                    query_id="" if query_id is None else f"{query_id}{suffix}",
                    query_text=needed_text(row, place, "query", "question"),
                    ground_truth_answer=None if accepted is None else text_in(accepted, place, "answer"),
                    conversation_id=query_id if len(answers) > 1 else None,
                    metadata=_hagrid_labels(answer),
                ),
                relevant=tuple((quote, 1.0) for quote in quotes),
                answer=RecordedAnswer(answer=text_in(answer, place, "answer")) if answer else None,
                retrieved=quotes,
            )


def _hagrid_quote(given: dict[str, Any], place: str) -> ImportedContext:
    number = read_number(given.get("idx"))
    return ImportedContext(
        text=needed_text(given, place, "text"),
        document_id=read_id(first(given, "docid", "doc_id", "id")),
        number=None if number is None else int(number),
    )


def _hagrid_labels(answer: dict[str, Any]) -> dict[str, Any]:
    """What people said of an answer, and of each of its sentences."""
    labels = {
        name: answer[name]
        for name in ("informative", "attributable", "answer_type")
        if answer.get(name) is not None
    }
    sentences = [
        {
            name: one[name]
            for name in ("index", "text", "informative", "attributable")
            if one.get(name) is not None
        }
        for one in listed(answer.get("sentences")) or ()
        if isinstance(one, dict)
    ]
    return {**labels, **({"sentences": sentences} if sentences else {})}
