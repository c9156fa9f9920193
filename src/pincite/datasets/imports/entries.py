"""What one row of an export says, and how rows become a dataset and recorded answers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from pincite.datasets.formats.records import CitationSpan, EvaluationDataset, EvaluationQuery, SourceDocument
from pincite.errors import InputError
from pincite.records import MultiTurnConversation, RecordedAnswer, RetrievedDocument


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
    query_id: str | None = None
    query_text: str = ""
    query_type: str | None = None
    difficulty: str | None = None
    relevant: tuple[tuple[ImportedContext, float], ...] = ()
    expected: str | None = None
    citations: tuple[CitationSpan, ...] | None = None
    conversation: Any = None
    conversation_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    # What the system did.
    answered: bool = False
    answer: str | None = None
    answer_citations: tuple[dict[str, Any], ...] | None = None
    retrieved: tuple[ImportedContext, ...] | None = None
    spoken: MultiTurnConversation | None = None
    """The conversation that the answer is part of."""
    latency_ms: float | None = None
    usage: dict[str, Any] | None = None
    failure: str | None = None


class Collected:
    """Gives queries and documents their ids. The same rows in the same order always get the same ones."""

    def __init__(self) -> None:
        self.documents: dict[str, SourceDocument] = {}
        self._ids: set[str] = set()
        self._count = 0

    def query_id(self, entry: ImportedEntry) -> str:
        self._count += 1
        query_id = entry.query_id or f"query_{self._count:04d}"
        if query_id in self._ids:
            raise InputError(f"{entry.place}: the query id {query_id!r:.80} comes twice")
        self._ids.add(query_id)
        return query_id

    def document(self, context: ImportedContext) -> str:
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
        query_id = collected.query_id(entry)
        relevant = {collected.document(context): grade for context, grade in entry.relevant}
        for context in entry.retrieved or ():
            collected.document(context)
        graded = any(grade != 1 for grade in relevant.values())
        queries.append(
            EvaluationQuery(
                query_id=query_id,
                query_text=entry.query_text,
                query_type=entry.query_type,
                difficulty=entry.difficulty,
                relevant_documents=relevant if graded else tuple(relevant),
                ground_truth_answer=entry.expected,
                citations=entry.citations,
                conversation=entry.conversation,
                conversation_id=entry.conversation_id,
                metadata=entry.metadata,
            )
        )
    return make_dataset(path, kind, queries, collected.documents.values())


def make_dataset(
    path: Path,
    kind: str,
    queries: Iterable[EvaluationQuery],
    documents: Iterable[SourceDocument],
) -> EvaluationDataset:
    """A dataset that is named after the file it came from."""
    name = path.name.partition(".")[0] or kind
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
        query_id = collected.query_id(entry)
        # The same order as for the dataset, so that passages get the same ids.
        for context, _ in entry.relevant:
            collected.document(context)
        names = [collected.document(context) for context in entry.retrieved or ()]
        if not entry.answered:
            continue
        contexts = entry.retrieved or ()
        yield RecordedAnswer(
            query_id=query_id,
            answer=entry.answer,
            citations=entry.answer_citations,
            retrieved=None
            if entry.retrieved is None
            else tuple(
                RetrievedDocument(name, context.score)
                for name, context in zip(names, contexts, strict=True)
                if name
            ),
            references=tuple(
                {"number": place if context.number is None else context.number, "source": name}
                for place, (name, context) in enumerate(zip(names, contexts, strict=True), 1)
            )
            or None,
            latency_ms=entry.latency_ms,
            usage=entry.usage,
            conversation=entry.spoken,
            failure=entry.failure,
        )


def answer_record(answer: RecordedAnswer) -> dict[str, Any]:
    """A recorded answer as a line of a file of answers holds it."""
    record: dict[str, Any] = {"query_id": answer.query_id}
    if answer.answer is not None:
        record["generated_answer"] = answer.answer
    if answer.citations is not None:
        record["citations"] = list(answer.citations)
    if answer.retrieved is not None:
        results: dict[str, Any] = {"retrieved_docs": [one.document for one in answer.retrieved]}
        if answer.retrieved and all(one.score is not None for one in answer.retrieved):
            results["relevance_scores"] = [one.score for one in answer.retrieved]
        record["retrieval_results"] = results
    for name in ("latency_ms", "usage", "failure"):
        if getattr(answer, name) is not None:
            record[name] = getattr(answer, name)
    if answer.references is not None:
        record["references"] = list(answer.references)
    if answer.conversation is not None:
        record["conversation"] = [
            {"role": "assistant" if type(one).__name__ == "AIMessage" else "user", "content": one.content}
            for one in answer.conversation.messages
        ]
    if answer.sources:
        record["sources"] = [
            {"document_id": source.document_id or source.name, "content": source.text}
            for source in answer.sources
        ]
    return {**msgspec.to_builtins(answer.extra), **record}
