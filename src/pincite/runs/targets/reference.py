"""The built-in baseline: BM25 over the dataset's own documents, and their best sentences as the answer."""

from __future__ import annotations

import time

from pincite.datasets.formats.records import EvaluationQuery
from pincite.datasets.load import Dataset
from pincite.errors import InputError
from pincite.measured import RecordedAnswer, RetrievedDocument
from pincite.records import Source
from pincite.runs.targets.bm25 import Bm25
from pincite.runs.targets.target import Target, TargetFailed
from pincite.text.sentences import split_sentences

RETRIEVED = 10
SENTENCES = 2
"""How many sentences an answer quotes."""
READ = 3
"""From how many of the best documents."""


class ReferenceTarget(Target):
    """Answers with sentences of the documents, each cited by its own characters."""

    name = "reference/1"
    waits = False

    def __init__(self, dataset: Dataset) -> None:
        if not dataset.in_memory:
            raise InputError(
                "the target `reference` reads all documents at once, and this dataset has too many"
            )
        self._sources = dataset.library().sources
        if not self._sources:
            raise InputError("the target `reference` needs documents in the dataset, and this one has none")
        self._documents = Bm25([f"{source.title or ''} {source.text}" for source in self._sources])
        self._sentences: dict[int, tuple[list[tuple[int, int]], Bm25]] = {}

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        begun = time.perf_counter()
        ranked = self._documents.rank(query.query_text, RETRIEVED)
        retrieved = tuple(
            RetrievedDocument(_identity(self._sources[number]), score) for number, score in ranked
        )
        if not ranked:
            raise TargetFailed("no document shares a word with the query")
        found: list[tuple[float, int, int, int]] = []
        for number, worth in ranked[:READ]:
            places, index = self._sentences_of(number)
            for place, score in index.rank(query.query_text, SENTENCES):
                start, end = places[place]
                found.append((score * worth, number, start, end))
        found.sort(key=lambda one: (-one[0], one[1], one[2]))
        answer = " ".join(self._quoted(number, start, end) for _, number, start, end in found[:SENTENCES])
        milliseconds = (time.perf_counter() - begun) * 1000
        return RecordedAnswer(
            query_id=query.query_id,
            answer=answer or "The documents do not say.",
            retrieved=retrieved,
            latency_ms=milliseconds,
        )

    def _quoted(self, number: int, start: int, end: int) -> str:
        source = self._sources[number]
        words = " ".join(source.text[start:end].split())
        return f"{words} [{_file_name(source)}:{start}-{end}]"

    def _sentences_of(self, number: int) -> tuple[list[tuple[int, int]], Bm25]:
        if number not in self._sentences:
            text = self._sources[number].text
            spans = [(span.start, span.end) for span in split_sentences(text)]
            places = [(start, end) for start, end in spans if len(text[start:end].split()) >= 4]
            self._sentences[number] = places, Bm25([text[start:end] for start, end in places])
        return self._sentences[number]


def _identity(source: Source) -> str:
    return source.document_id or source.name


def _file_name(source: Source) -> str:
    """How a marker names the document: by its file, where it has one."""
    name = (source.file_path or "").replace("\\", "/").rpartition("/")[2]
    return name or source.name
