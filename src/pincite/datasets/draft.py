"""A dataset drafted from documents: sentences worth asking about, a question to each, and its exact span.

A question names the words that its sentence shares with few others; a person makes a good one of it. Each
query says that it was not reviewed yet.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pincite.datasets.check import UNREVIEWED
from pincite.datasets.documents import document_of
from pincite.errors import InputError
from pincite.records import SCHEMA_VERSION, Source
from pincite.sources import page_of
from pincite.text import Term, find_terms, split_claims

DRAFT_VERSION = "0.1.0"
SHORTEST, LONGEST = 20, 400
"""Characters of a sentence that is asked about."""
MOST_SENTENCES = 5000
"""Sentences of one document that are looked at."""
SPARE = 3
"""Of a document's best sentences, so many times more than are needed are drawn from."""
_FEWEST, _MOST = 2, 3
"""Words that a question names."""
_NO_ID = re.compile(r"[^\w.-]+")
_DIGIT = re.compile(r"\d")
_LEANS = re.compile(
    r"(?:it|its|they|their|them|he|she|his|her|this|that|these|those|there|both|such|here|then|thus|so|but|and"
    r"|or|however|also|therefore|moreover|we|our|i|you|your|another|others?)\b",
    re.IGNORECASE,
)
"""A sentence that begins so leans on the one before it, and cannot be asked about alone."""


class Draft(Struct, frozen=True):
    """A drafted dataset, and the documents that no query came from."""

    dataset: dict[str, Any]
    unused: tuple[tuple[str, str], ...]
    """The name of each, and why."""


class _Candidate(Struct, frozen=True):
    source: Source
    start: int
    end: int
    sentence: str
    words: tuple[Term, ...]


def draft_dataset(
    sources: Sequence[Source], name: str, queries: int = 20, seed: int = 42, language: str = "en"
) -> Draft:
    """A dataset of up to `queries` drafts, spread over the documents. The same seed gives the same drafts.

    A document that no query was drafted from is part of the dataset all the same: answers may cite it.
    """
    texts = [source for source in sources if _why_unasked(source) is None]
    if not texts:
        raise InputError("there is no document with a text to ask about")
    candidates = {place: list(_candidates(source, language)) for place, source in enumerate(texts)}
    drafted = _draw(candidates, queries, random.Random(seed))  # noqa: S311 - a sample, no secret
    if not drafted:
        raise InputError("no sentence in these documents can be asked about")
    used = {id(candidate.source) for candidate, _ in drafted}
    made = [_query(number, *one) for number, one in enumerate(drafted, start=1)]
    lengths = [len(query["query_text"]) for query in made]
    dataset = {
        "schema_version": SCHEMA_VERSION,
        "dataset_id": _NO_ID.sub("_", name).strip("._-")[:80] or "draft",
        "name": name,
        "version": DRAFT_VERSION,
        "description": f"Drafted from {len(used)} of {len(sources)} documents; each query waits for review.",
        "metadata": {
            "language": language,
            "size": len(made),
            "avg_query_length": round(sum(lengths) / len(lengths), 1),
            "source": "draft",
            "seed": seed,
        },
        "queries": made,
        "documents": [document_of(source) for source in sources if source.text.strip()],
    }
    askable = {id(found[0].source) for found in candidates.values() if found}
    unused = []
    for source in sources:
        if id(source) not in used:
            other = "no sentence in it can be asked about"
            if id(source) in askable:
                other = "the other documents gave enough"
            unused.append((source.name, _why_unasked(source) or other))
    return Draft(dataset, tuple(unused))


def _why_unasked(source: Source) -> str | None:
    """Why a document has no sentences to look for, if so."""
    if source.kind in ("json", "csv"):
        return "it holds data, not sentences"
    return None if source.text.strip() else "it has no text"


def _candidates(source: Source, language: str) -> Iterator[_Candidate]:
    """The sentences that can be understood alone and have words to ask about."""
    title = {term.stem for term in find_terms(source.title or source.name)}
    for claim in split_claims(source.text, (), language)[:MOST_SENTENCES]:
        sentence = " ".join(claim.text.split())  # a line may end anywhere in a sentence
        if claim.kind != "sentence" or not SHORTEST <= len(sentence) <= LONGEST or _LEANS.match(sentence):
            continue
        # A sentence over two pages is not an exact quote of what a reader sees.
        if "\f" in source.text[claim.start : claim.end] or sentence.endswith((":", "…", "?")):
            continue
        # A number is often what is asked for, and a question that names its document makes retrieval easy.
        words = {
            term.stem: term
            for term in find_terms(sentence)
            if not term.stop and term.stem not in title and not _DIGIT.search(term.text)
        }
        if len(words) >= _FEWEST:
            yield _Candidate(source, claim.start, claim.end, claim.text, tuple(words.values()))


def _draw(
    candidates: Mapping[int, Sequence[_Candidate]], wanted: int, draw: random.Random
) -> list[tuple[_Candidate, str]]:
    """One sentence of each document in turn with its question, in the order of the documents."""
    common = Counter(word.stem for found in candidates.values() for one in found for word in one.words)
    share = SPARE * (wanted // len(candidates) + 1)
    left = []
    for place, found in candidates.items():
        best = sorted(found, key=lambda one: -len(_DIGIT.findall(one.sentence)))[
            :share
        ]  # figures are asked for
        draw.shuffle(best)
        left.append((place, best))
    draw.shuffle(left)
    drawn: list[tuple[int, _Candidate, str]] = []
    asked: set[str] = set()
    while len(drawn) < wanted and any(best for _, best in left):
        for place, best in left:
            if best and len(drawn) < wanted:
                candidate = best.pop()
                question = _question(candidate, common)
                if question.casefold() not in asked:
                    asked.add(question.casefold())
                    drawn.append((place, candidate, question))
    drawn.sort(key=lambda one: (one[0], one[1].start))
    return [(candidate, question) for _, candidate, question in drawn]


def _question(candidate: _Candidate, common: Mapping[str, int]) -> str:
    """The sentence's rarest words, in their order."""
    rarest = sorted(candidate.words, key=lambda word: (common[word.stem], -len(word.text)))[:_MOST]
    *first, last = [word.text for word in sorted(rarest, key=lambda word: word.start)]
    return f"What do the documents say about {', '.join(first)} and {last}?"


def _query(number: int, candidate: _Candidate, question: str) -> dict[str, Any]:
    name = candidate.source.name  # as it is listed: no other source has this name
    page = page_of(candidate.source, candidate.start)
    citation: dict[str, Any] = {
        "file_name": name,
        **({} if page is None else {"page_number": page}),
        "start_char": candidate.start,
        "end_char": candidate.end,
        "context_text": candidate.source.text[candidate.start : candidate.end],
    }
    return {
        "query_id": f"draft_{number:03d}",
        "query_text": question,
        "query_type": "factual",
        "difficulty": "medium",
        "relevant_documents": [name],
        "ground_truth_answer": candidate.sentence,
        "citations": [citation],
        "metadata": {"review_status": UNREVIEWED, "source": "draft"},
    }
