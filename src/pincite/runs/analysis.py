"""Which kinds of failure dominate a run and in which documents, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from pincite.records import DocumentFailures, Failure, FailureCounts, ResultsDocument

T = TypeVar("T")

MOST_LISTED = 10
EXAMPLES = 3
MOST_DOCUMENTS = 50
MOST_REASONS = 50
MOST_KNOWN_REASONS = 1_000
MOST_KNOWN_PLACES = 100_000
"""Others that come up later are not counted: memory must not grow with the number of queries."""


class KindOfFailure(Struct, frozen=True):
    """One kind of failure: how often, where, and a few cases of it."""

    kind: str
    count: int
    share: float
    documents: tuple[tuple[str, int], ...]
    """The documents where it happens most, with how often."""
    examples: tuple[str, ...]


class Analysis(Struct, frozen=True):
    """The failures of a run, the most frequent kind first."""

    queries: int
    failed_queries: int
    failures: int
    kinds: tuple[KindOfFailure, ...]
    documents: tuple[tuple[str, int], ...]
    """The documents with most failures of any kind."""

    @property
    def dominant(self) -> KindOfFailure | None:
        return self.kinds[0] if self.kinds else None


class FailureCounter:
    """Counts the failures of one answer after another, keeping counts and a few examples only."""

    def __init__(self) -> None:
        self.queries = self.failed = 0
        self._reasons: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._places: Counter[tuple[str, str]] = Counter()
        self._examples: dict[str, list[str]] = {}

    def add(self, failures: Iterable[Failure], reason: str | None = None) -> None:
        """What went wrong in one answer, or the reason why there is none."""
        self.queries += 1
        if reason is not None:
            self.failed += 1
            _count(self._reasons, reason[:200], MOST_KNOWN_REASONS)
        for one in failures:
            self._kinds[one.kind] += 1
            if one.document:
                _count(self._places, (one.kind, one.document), MOST_KNOWN_PLACES)
            kept = self._examples.setdefault(one.kind, [])
            if len(kept) < EXAMPLES and one.detail and one.detail not in kept:
                kept.append(one.detail)

    def counts(self) -> FailureCounts:
        """What a results document says: the failures by kind and document, and why queries have no answer."""
        return FailureCounts(
            by_kind=dict(self._kinds.most_common()),
            by_document=tuple(
                DocumentFailures(kind=kind, document=document, count=count)
                for (kind, document), count in self._places.most_common(MOST_DOCUMENTS)
            ),
            failed_queries=dict(self._reasons.most_common(MOST_REASONS)),
        )

    def analysis(self) -> Analysis:
        places = ((kind, document, count) for (kind, document), count in self._places.items())
        return _analysis(self.queries, self.failed, self._kinds, places, self._examples)


def _count(counts: Counter[T], what: T, most: int) -> None:
    """Count what is known, or new while fewer than `most` are known."""
    if what in counts or len(counts) < most:
        counts[what] += 1


def analysis_of(document: ResultsDocument) -> Analysis:
    """The failures that a results document has counted, without the cases."""
    found, summary = document.failures, document.summary
    places = ((one.kind, one.document, one.count) for one in found.by_document)
    return _analysis(summary.total_queries, summary.failed_queries, found.by_kind, places, {})


def _analysis(
    queries: int,
    failed: int,
    counts: Mapping[str, int],
    places: Iterable[tuple[str, str, int]],
    examples: Mapping[str, list[str]],
) -> Analysis:
    total = sum(counts.values())
    documents: Counter[str] = Counter()
    by_kind: dict[str, list[tuple[str, int]]] = {}
    for kind, document, count in places:
        documents[document] += count
        by_kind.setdefault(kind, []).append((document, count))
    kinds = [
        KindOfFailure(kind, count, count / total, _most(by_kind.get(kind, ())), tuple(examples.get(kind, ())))
        for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return Analysis(queries, failed, total, tuple(kinds), _most(documents.items()))


def _most(counted: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counted, key=lambda item: (-item[1], item[0]))[:MOST_LISTED])


_NOWHERE = "Citations name sources that are not there: let the system cite only from a list that it is given"
_MISPLACED = "Citations point outside their document: compute offsets from the text, do not let a model count"
NO_ANSWER = "Queries went unanswered: look at time-outs and errors of the system before its citations"
ADVICE = {
    **dict.fromkeys(
        ("unknown_document", "ambiguous_document", "no_entry", "path_not_found", "unreadable"), _NOWHERE
    ),
    **dict.fromkeys(("out_of_bounds", "bad_span", "no_such_page", "page_disagrees"), _MISPLACED),
    "uncited": "Ask the system to cite every claim, or cut claims that it has no source for",
    "not_supported": "The cited words do not state the claim: cite the sentence that does, or say less",
    "misquoted": "The quoted words are not where they are cited: copy them from the source",
    "contradicted": "The cited words say otherwise: check numbers, names and negations before answering",
    "hallucinated": "No source states these claims: answer from retrieved text, or say that it is not known",
    "not_retrieved": "Relevant documents were not retrieved: look at the retriever before the generator",
    "missed_span": "The right words are not cited: shorten the chunks, or locate the words again",
    "needless_span": "More is cited than the dataset asks for: cite the words that decide, once, and no more",
    "quote": "Quotes were changed on the way: copy them from the source instead of generating them",
}


def recommend(analysis: Analysis) -> tuple[str, ...]:
    """What to do, the most pressing first; each sentence says which failures it follows from."""
    advice = []
    if analysis.failed_queries:
        advice.append(f"{NO_ANSWER} ({analysis.failed_queries} of {analysis.queries} queries)")
    counts: Counter[str] = Counter()
    where: dict[str, str] = {}
    for kind in analysis.kinds:
        sentence = ADVICE.get(kind.kind, f"Look at the failures of kind {kind.kind}")
        counts[sentence] += kind.count
        where.setdefault(sentence, f", most in {kind.documents[0][0]}" if kind.documents else "")
    for sentence, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        advice.append(f"{sentence} ({count} of {analysis.failures} failures{where[sentence]})")
    return tuple(advice)
