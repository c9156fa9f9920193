"""RAGAS: one row per sample, with the column names of its newer and its older versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pincite.answers import read_conversation, read_id, read_number
from pincite.datasets.formats import EvaluationQuery
from pincite.datasets.imports.entries import ImportedContext, ImportedEntry, as_messages
from pincite.datasets.imports.rows import Row, first, listed, mapped, needed_text, text_in, written
from pincite.records import AIMessage, HumanMessage, RecordedAnswer

QUERY = ("user_input", "question", "query")


def entries_of(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    for place, row in rows:
        spoken = first(row, *QUERY)
        spoken = written(spoken) if isinstance(spoken, str) else spoken
        if isinstance(spoken, list):
            yield _of_conversation(place, row, spoken)
            continue
        answer = text_in(row, place, "response", "answer")
        yield ImportedEntry(
            place=place,
            query=EvaluationQuery(
                query_id=_id(row),
                query_text=needed_text(row, place, *QUERY),
                ground_truth_answer=_reference(row, place),
                metadata=_kept(row),
            ),
            relevant=tuple(
                (context, 1.0)
                for context in contexts_in(row, ("reference_contexts",), ("reference_context_ids",))
            ),
            answer=None
            if answer is None
            else RecordedAnswer(answer=answer, latency_ms=read_number(row.get("latency_ms"))),
            retrieved=tuple(contexts_in(row, ("retrieved_contexts", "contexts"), ("retrieved_context_ids",)))
            if any(name in row for name in ("retrieved_contexts", "contexts", "retrieved_context_ids"))
            else None,
        )


def contexts_in(row: dict[str, Any], texts: tuple[str, ...], ids: tuple[str, ...]) -> list[ImportedContext]:
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


def _of_conversation(place: str, row: dict[str, Any], spoken: list[Any]) -> ImportedEntry:
    """A sample of several turns: the last thing that a person said is the query."""
    conversation = read_conversation(spoken)
    messages = conversation.messages if conversation else ()
    last = max((i for i, one in enumerate(messages) if isinstance(one, HumanMessage)), default=0)
    replies = [one.content for one in messages[last + 1 :] if isinstance(one, AIMessage)]
    return ImportedEntry(
        place=place,
        query=EvaluationQuery(
            query_id=_id(row),
            query_text=messages[last].content if messages else "",
            ground_truth_answer=_reference(row, place),
            conversation=as_messages(messages[:last]) or None,
            metadata=_kept(row),
        ),
        answer=RecordedAnswer(answer=replies[-1], conversation=conversation) if replies else None,
    )


def _id(row: dict[str, Any]) -> str:
    return read_id(first(row, "query_id", "id", "sample_id")) or ""


def _reference(row: dict[str, Any], place: str) -> str | None:
    if row.get("ground_truths") is not None and first(row, "reference", "ground_truth") is None:
        truths = listed(row["ground_truths"]) or []
        return str(truths[0]) if truths else None
    return text_in(row, place, "reference", "ground_truth")


def _kept(row: dict[str, Any]) -> dict[str, Any]:
    """What else says something about the query: who would ask it, and how it was made."""
    names = ("synthesizer_name", "persona_name", "query_style", "query_length", "evolution_type", "rubrics")
    kept = {name: row[name] for name in names if row.get(name) is not None}
    return {**mapped(row.get("metadata")), **kept}
