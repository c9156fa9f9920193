"""A dataset drafted from documents: sentences worth asking about, a question to each, and its exact span.

Nothing here judges whether a draft is any good. Each query says that nobody has reviewed it yet.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from pincite.datasets.draft.questions import Question, ask, informative
from pincite.datasets.library import document_of
from pincite.datasets.quality.check import UNREVIEWED
from pincite.errors import InputError
from pincite.records import SCHEMA_VERSION, Source
from pincite.sources import page_of
from pincite.text import find_words, split_claims

QUERIES = 20
VERSION = "0.1.0"
SPARE = 3
"""Of the best sentences of a document so many times more than are needed are drawn from."""
MOST_SENTENCES = 5000
"""Sentences of one document that are looked at."""
NO_SENTENCE = "no sentence in it can be asked about"
_NO_ID = re.compile(r"[^\w.-]+")


class Draft(Struct, frozen=True):
    """A drafted dataset, and the documents that no query came from."""

    dataset: dict[str, Any]
    unused: tuple[tuple[str, str], ...]
    """The name of each, and why."""


class _Candidate(Struct, frozen=True):
    source: Source
    start: int
    end: int
    text: str
    worth: float


def draft_dataset(
    sources: Sequence[Source], name: str, queries: int = QUERIES, seed: int = 42, language: str = "en"
) -> Draft:
    """A dataset of up to `queries` drafts, spread over the documents. The same seed gives the same drafts.

    A document that no query was drafted from is part of the dataset all the same: answers may cite it.
    """
    texts = [source for source in sources if _why_unasked(source) is None]
    if not texts:
        raise InputError("there is no document with a text to ask about")
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    drafted, askable = _drafted(texts, queries, draw, language)
    if not drafted:
        raise InputError("no sentence in these documents can be asked about")
    used = {id(candidate.source) for candidate, _ in drafted}
    made = [
        _query(number, candidate, question) for number, (candidate, question) in enumerate(drafted, start=1)
    ]
    lengths = [len(query["query_text"]) for query in made]
    dataset = {
        "schema_version": SCHEMA_VERSION,
        "dataset_id": dataset_id(name),
        "name": name,
        "version": VERSION,
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
    unused = []
    for source in sources:
        if id(source) not in used:
            other = "the other documents gave enough" if id(source) in askable else NO_SENTENCE
            unused.append((source.name, _why_unasked(source) or other))
    return Draft(dataset, tuple(unused))


def _why_unasked(source: Source) -> str | None:
    """Why there is no sentence to look for in a document, where there is none."""
    if source.kind in ("json", "csv"):
        return "it holds data, not sentences"
    return None if source.text.strip() else "it has no text"


def dataset_id(name: str) -> str:
    """A name as an id that can be part of a file's name."""
    return _NO_ID.sub("_", name).strip("._-")[:80] or "draft"


def _drafted(
    texts: Sequence[Source], wanted: int, draw: random.Random, language: str
) -> tuple[list[tuple[_Candidate, Question]], set[int]]:
    """The drafts in the order of the documents, and which documents could have given one."""
    common = frozenset(word for source in texts for word in set(find_words(source.text)) if word.islower())
    share = SPARE * (wanted // len(texts) + 1)
    by_source = []
    askable: set[int] = set()
    for source in texts:
        ranked = sorted(_candidates(source, language), key=lambda one: (-one.worth, one.start))
        asked_of = ((one, ask(one.text, source.title or source.name, common)) for one in ranked)
        best = list(islice(((one, found) for one, found in asked_of if found is not None), share))
        draw.shuffle(best)
        by_source.append(best)
        if best:
            askable.add(id(source))
    draw.shuffle(by_source)
    drafted: list[tuple[_Candidate, Question]] = []
    asked: set[str] = set()
    # One of each document in turn, until there are enough or none is left.
    while len(drafted) < wanted and any(by_source):
        for best in by_source:
            if not best or len(drafted) == wanted:
                continue
            candidate, question = best.pop()
            if question.text.casefold() not in asked:
                asked.add(question.text.casefold())
                drafted.append((candidate, question))
    order = {id(source): place for place, source in enumerate(texts)}
    return sorted(drafted, key=lambda one: (order[id(one[0].source)], one[0].start)), askable


def _candidates(source: Source, language: str) -> Iterable[_Candidate]:
    for claim in split_claims(source.text, (), language)[:MOST_SENTENCES]:
        worth = informative(claim.text)
        # A sentence over two pages, or with markup inside, is no exact quote of what a reader sees.
        if claim.kind == "sentence" and worth and "\f" not in source.text[claim.start : claim.end]:
            yield _Candidate(source, claim.start, claim.end, claim.text, worth)


def _query(number: int, candidate: _Candidate, question: Question) -> dict[str, Any]:
    name = candidate.source.name  # as it is listed: no other source has this name
    citation: dict[str, Any] = {"file_name": name}
    page = page_of(candidate.source, candidate.start)
    if page is not None:
        citation["page_number"] = page
    citation |= {
        "start_char": candidate.start,
        "end_char": candidate.end,
        "context_text": candidate.source.text[candidate.start : candidate.end],
    }
    return {
        "query_id": f"draft_{number:03d}",
        "query_text": question.text,
        "query_type": question.query_type,
        "difficulty": question.difficulty,
        "relevant_documents": [name],
        "ground_truth_answer": candidate.text,
        "citations": [citation],
        "metadata": {"review_status": UNREVIEWED, "source": "draft"},
    }
