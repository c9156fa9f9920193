"""The quality of a dataset: what no schema can tell, and what makes a measurement wrong or worth less.

`check_quality` goes through the queries twice and keeps a few numbers for each, so a million queries need
little memory. Issues come as they are found: those of single queries first, in their order, then those of
the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from pincite.datasets.formats.records import EvaluationQuery
from pincite.datasets.opened import Dataset
from pincite.datasets.quality.balance import Balance
from pincite.datasets.quality.citations import Hints, citation_issues, impossible_spans, named_documents
from pincite.datasets.quality.codes import QUALITY_CODES, QualityCode, QualityIssue, issue, quoted
from pincite.datasets.quality.documents import document_issues
from pincite.datasets.quality.pages import UnmappedPages
from pincite.datasets.quality.repeats import Repeats, nearly_the_same, short_hash
from pincite.datasets.quality.words import word_issues

__all__ = ["QUALITY_CODES", "QualityCode", "QualityIssue", "check_quality"]

Offsets = Literal["document", "page"]


def check_quality(dataset: Dataset, offsets: Offsets = "document") -> Iterator[QualityIssue]:
    """Every issue of a dataset. `offsets` says what offsets count from where the dataset does not."""
    found = yield from document_issues(dataset)
    if not found:
        yield issue("DQ200", "/documents", "there are no documents to check names and spans against")
    counted_from = cast("Offsets", dataset.offsets or offsets)
    repeats, balance, hints, pages = Repeats(), Balance(), Hints(), UnmappedPages()
    for place, query in enumerate(dataset.queries()):
        pointer = f"/queries/{place}"
        repeats.add(query.query_id, query.query_text)
        balance.add(query)
        yield from word_issues(query, pointer)
        if found:
            library = dataset.library() if dataset.in_memory else dataset.library_for(named_documents(query))
            yield from citation_issues(query, pointer, library, counted_from, hints, pages)
        else:
            yield from impossible_spans(query, pointer)
    yield from pages.issues()
    yield from _repeat_issues(dataset, repeats)
    yield from balance.issues(dataset.metadata)


def _repeat_issues(dataset: Dataset, repeats: Repeats) -> Iterator[QualityIssue]:
    """Repeats are known by their hashes; what they are is read in a second pass, which keeps only those."""
    ids, texts = repeats.repeated_ids(), repeats.repeated_texts()
    pairs, left_out = repeats.candidates()
    wanted = {place for pair in pairs for place in pair}
    if not (ids or texts or wanted):
        return
    first_id: dict[int, int] = {}
    first_text: dict[int, str] = {}
    kept: dict[int, tuple[str, str]] = {}
    for place, query in enumerate(dataset.queries()):
        if place in wanted:
            kept[place] = (query.query_id, query.query_text)
        if ids:
            yield from _same_id(query, place, ids, first_id)
        if texts:
            yield from _same_text(query, place, texts, first_text)
    told: set[int] = set()
    for one, other in pairs:
        # A query is told of once, with the first that it is like.
        if other not in told and nearly_the_same(kept[one][1], kept[other][1]):
            told.add(other)
            said = f"asks nearly the same as query {quoted(kept[one][0])}: {quoted(kept[one][1])}"
            yield issue("DQ104", f"/queries/{other}/query_text", said, kept[other][0])
    if left_out:
        said = f"{left_out:,} more pairs of queries look alike and were not compared"
        yield issue("DQ104", "/queries", said)


def _same_id(
    query: EvaluationQuery, place: int, repeated: frozenset[int], first: dict[int, int]
) -> Iterator[QualityIssue]:
    hashed = short_hash(query.query_id)
    if hashed not in repeated:
        return
    earlier = first.setdefault(hashed, place)
    if earlier != place:
        said = f"the id is already that of /queries/{earlier}"
        yield issue("DQ101", f"/queries/{place}/query_id", said, query.query_id)


def _same_text(
    query: EvaluationQuery, place: int, repeated: frozenset[int], first: dict[int, str]
) -> Iterator[QualityIssue]:
    text = " ".join(query.query_text.casefold().split())
    hashed = short_hash(text)
    if hashed not in repeated or not text:
        return
    earlier = first.get(hashed)
    if earlier is None:
        first[hashed] = query.query_id
    else:
        said = f"asks the same as query {quoted(earlier)}: {quoted(query.query_text)}"
        yield issue("DQ103", f"/queries/{place}/query_text", said, query.query_id)
