"""The built-in baseline: BM25 over the dataset's own documents, and their best sentences as the answer."""

from __future__ import annotations

import math
import time
from array import array
from collections import Counter
from collections.abc import Sequence

from pincite.datasets import Dataset, EvaluationQuery
from pincite.errors import InputError
from pincite.records import RecordedAnswer, RetrievedDocument, Source
from pincite.runs.targets.target import Target, TargetFailed
from pincite.text import find_terms, split_sentences

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
            RetrievedDocument(self._sources[number].document_id or self._sources[number].name, score)
            for number, score in ranked
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


def _file_name(source: Source) -> str:
    """How a marker names the document: by its file, where it has one."""
    name = (source.file_path or "").replace("\\", "/").rpartition("/")[2]
    return name or source.name


K1 = 1.2
B = 0.75


class Bm25:
    """An index of texts by their word stems."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._lengths = array("l")
        for number, text in enumerate(texts):
            counts = Counter(stems(text))
            self._lengths.append(sum(counts.values()))
            for stem, count in counts.items():
                numbers, times = self._postings.setdefault(stem, (array("l"), array("l")))
                numbers.append(number)
                times.append(count)
        total = len(self._lengths)
        self._mean = sum(self._lengths) / total if total and any(self._lengths) else 1.0

    def rank(self, query: str, most: int) -> list[tuple[int, float]]:
        """The best texts for a query by number, with their scores; none that shares no word with it."""
        scores: dict[int, float] = {}
        total = len(self._lengths)
        for stem in dict.fromkeys(stems(query)):
            numbers, times = self._postings.get(stem, ((), ()))
            weight = math.log(1 + (total - len(numbers) + 0.5) / (len(numbers) + 0.5))
            for number, count in zip(numbers, times, strict=True):
                length = 1 - B + B * self._lengths[number] / self._mean
                scores[number] = scores.get(number, 0.0) + weight * count * (K1 + 1) / (count + K1 * length)
        best = sorted(scores.items(), key=lambda found: (-found[1], found[0]))
        return best[:most]


def stems(text: str) -> list[str]:
    """The stems of the words that carry meaning."""
    return [term.stem for term in find_terms(text) if not term.stop]
