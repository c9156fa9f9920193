"""What one row of an export says, and how rows become a dataset and recorded answers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pincite.datasets.formats import EvaluationDataset, EvaluationQuery, SourceDocument
from pincite.errors import InputError
from pincite.records import AIMessage, HumanMessage, RecordedAnswer, RetrievedDocument


class ImportedContext(Struct, frozen=True, kw_only=True):
    """A passage that a system was given or should have found: a text, an id, or both."""

    text: str | None = None
    document_id: str | None = None
    title: str | None = None
    score: float | None = None
    number: int | None = None
    """What the answer calls it in `[1]`; its place in the list, where it says nothing else."""


class ImportedEntry(Struct, frozen=True, kw_only=True):
    """One query of an export with everything that is said about it."""

    place: str
    query: EvaluationQuery
    """Without its relevant documents; its id is empty where the export has none."""
    relevant: tuple[tuple[ImportedContext, float], ...] = ()
    answer: RecordedAnswer | None = None
    """What the system answered, without what it retrieved."""
    retrieved: tuple[ImportedContext, ...] | None = None


class Collected:
    """Gives queries and documents their ids. The same rows in the same order always get the same ones."""

    def __init__(self) -> None:
        self.documents: dict[str, SourceDocument] = {}
        self._ids: set[str] = set()
        self._count = 0

    def entry(self, entry: ImportedEntry) -> tuple[str, dict[str, float], list[str]]:
        """The id of a query, its relevant documents with their grades, and those that were retrieved."""
        self._count += 1
        query_id = entry.query.query_id or f"query_{self._count:04d}"
        if query_id in self._ids:
            raise InputError(f"{entry.place}: the query id {query_id!r:.80} comes twice")
        self._ids.add(query_id)
        relevant = {self._document(context): grade for context, grade in entry.relevant}
        return query_id, relevant, [self._document(context) for context in entry.retrieved or ()]

    def _document(self, context: ImportedContext) -> str:
        """The id of a passage, which becomes a document where its text is known."""
        text = context.text
        if text is None:
            return context.document_id or ""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        document_id = context.document_id or f"context_{digest}"
        known = self.documents.get(document_id)
        if known is not None and known.content != text:
            # Two passages of one document: each is a document of its own.
            document_id = f"{document_id}#{digest}"
            known = self.documents.get(document_id)
        if known is None:
            title = context.title or None
            self.documents[document_id] = SourceDocument(document_id=document_id, content=text, title=title)
        return document_id


def dataset_of(entries: Iterable[ImportedEntry], path: Path, kind: str) -> EvaluationDataset:
    """The dataset of an export."""
    collected = Collected()
    queries = []
    for entry in entries:
        query_id, relevant, _ = collected.entry(entry)
        graded = any(grade != 1 for grade in relevant.values())
        documents = relevant if graded else tuple(relevant)
        queries.append(replace(entry.query, query_id=query_id, relevant_documents=documents))
    return make_dataset(path, kind, queries, collected.documents.values())


def make_dataset(
    path: Path,
    kind: str,
    queries: Iterable[EvaluationQuery],
    documents: Iterable[SourceDocument] = (),
    unnamed: str = "",
) -> EvaluationDataset:
    """A dataset that is named after the file it came from, or `unnamed` where that has only an ending."""
    name = path.name.partition(".")[0] or unnamed or kind
    dataset_id = re.sub(r"[^\w-]+", "_", name).strip("_").lower() or kind
    held = tuple(queries)
    return EvaluationDataset(
        dataset_id=dataset_id,
        name=name,
        version="1.0.0",
        metadata={"source": kind, "size": len(held)},
        queries=held,
        documents=tuple(documents),
    )


def answers_of(entries: Iterable[ImportedEntry]) -> Iterator[RecordedAnswer]:
    """The recorded answers of an export; a query that nobody answered has none."""
    collected = Collected()
    for entry in entries:
        query_id, _, names = collected.entry(entry)
        if entry.answer is None:
            continue
        found = list(zip(names, entry.retrieved or (), strict=True))
        retrieved = tuple(RetrievedDocument(name, context.score) for name, context in found if name)
        references = tuple(
            {"number": place if context.number is None else context.number, "source": name}
            for place, (name, context) in enumerate(found, 1)
        )
        yield replace(
            entry.answer,
            query_id=query_id,
            retrieved=None if entry.retrieved is None else retrieved,
            references=references or None,
        )


def answer_record(answer: RecordedAnswer) -> dict[str, Any]:
    """A recorded answer as a line of a file of answers holds it."""
    retrieved, conversation = answer.retrieved, answer.conversation
    results: dict[str, Any] | None = None
    if retrieved is not None:
        results = {"retrieved_docs": [one.document for one in retrieved]}
        if retrieved and all(one.score is not None for one in retrieved):
            results["relevance_scores"] = [one.score for one in retrieved]
    told = {
        "generated_answer": answer.answer,
        "citations": None if answer.citations is None else list(answer.citations),
        "retrieval_results": results,
        "latency_ms": answer.latency_ms,
        "usage": answer.usage,
        "failure": answer.failure,
        "references": None if answer.references is None else list(answer.references),
        "conversation": None if conversation is None else as_messages(conversation.messages),
        "sources": [
            {"document_id": source.document_id or source.name, "content": source.text}
            for source in answer.sources
        ]
        or None,
    }
    record = {"query_id": answer.query_id, **{name: held for name, held in told.items() if held is not None}}
    return {**msgspec.to_builtins(answer.extra), **record}


def as_messages(messages: Iterable[HumanMessage | AIMessage]) -> list[dict[str, str]]:
    """Messages as a file holds them."""
    return [
        {"role": "assistant" if isinstance(one, AIMessage) else "user", "content": one.content}
        for one in messages
    ]
