"""The quality of a dataset: what no schema can check, and what makes a measurement wrong or worth less.

`check_quality` goes through the queries twice and keeps a few numbers for each, so a million queries need
little memory. Issues come as they are found: those of single queries first, in their order, then those of
the whole.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import cast

from pincite.datasets.hashed import HashedTexts
from pincite.datasets.load import Dataset
from pincite.datasets.quality.balance import Balance
from pincite.datasets.quality.citations import CitationChecks, Offsets, named_documents
from pincite.datasets.quality.codes import QualityIssue, issue, quoted
from pincite.datasets.quality.repeats import NearRepeats, nearly_the_same
from pincite.datasets.quality.words import word_issues


def check_quality(dataset: Dataset, offsets: Offsets = "document") -> Iterator[QualityIssue]:
    """Every issue of a dataset. `offsets` says what offsets count from where the dataset does not."""
    found = yield from _document_issues(dataset)
    if not found:
        yield issue("DQ200", "/documents", "there are no documents to check names and spans against")
    citations = CitationChecks(cast("Offsets", dataset.offsets or offsets))
    ids, texts, near, balance = HashedTexts(), HashedTexts(), NearRepeats(), Balance()
    for place, query in enumerate(dataset.queries()):
        pointer = f"/queries/{place}"
        ids.add(query.query_id)
        texts.add(" ".join(query.query_text.casefold().split()) or None)
        near.add(query.query_text)
        balance.add(query)
        yield from word_issues(query, pointer)
        library = None
        if found:
            library = dataset.library() if dataset.in_memory else dataset.library_for(named_documents(query))
        yield from citations.issues(query, pointer, library)
    yield from citations.unverified_pages()
    yield from _repeat_issues(dataset, ids, texts, near)
    yield from balance.issues(dataset.metadata)


def _document_issues(dataset: Dataset) -> Generator[QualityIssue, None, int]:
    """What is wrong with the documents; gives back how many there are."""
    ids, texts = HashedTexts(), HashedTexts()
    for place, document in enumerate(dataset.documents()):
        ids.add(document.document_id)
        texts.add(document.content if document.content.strip() else None)
        if not document.content.strip():
            said = f"the document {quoted(document.document_id)} has no text"
            yield issue("DQ206", f"/documents/{place}/content", said)
    same_ids, same_texts = dict(ids.repeated()), dict(texts.repeated())
    for place, document in enumerate(dataset.documents() if same_ids or same_texts else ()):
        name = quoted(document.document_id)
        if place in same_ids:
            said = f"the id {name} is already that of /documents/{same_ids[place]}"
            yield issue("DQ204", f"/documents/{place}/document_id", said)
        if place in same_texts:
            said = f"the document {name} has the same text as /documents/{same_texts[place]}"
            yield issue("DQ205", f"/documents/{place}/content", said)
    return len(ids.hashes)


def _repeat_issues(
    dataset: Dataset, ids: HashedTexts, texts: HashedTexts, near: NearRepeats
) -> Iterator[QualityIssue]:
    """Repeats are known by their hashes; what they are is read in a second pass, which keeps only those."""
    same_ids, same_texts = dict(ids.repeated()), dict(texts.repeated())
    pairs, left_out = near.candidates(texts.hashes)
    wanted = {place for pair in pairs for place in pair} | set(same_texts.values())
    if not (same_ids or wanted):
        return
    kept: dict[int, tuple[str, str]] = {}
    for place, query in enumerate(dataset.queries()):
        if place in wanted:
            kept[place] = (query.query_id, query.query_text)
        if place in same_ids:
            said = f"the id is already that of /queries/{same_ids[place]}"
            yield issue("DQ101", f"/queries/{place}/query_id", said, query.query_id)
        if place in same_texts:
            earlier, _ = kept[same_texts[place]]
            said = f"asks the same as query {quoted(earlier)}: {quoted(query.query_text)}"
            yield issue("DQ103", f"/queries/{place}/query_text", said, query.query_id)
    reported: set[int] = set()
    for one, other in pairs:
        # A query is reported once, with the first that it is like.
        if other not in reported and nearly_the_same(kept[one][1], kept[other][1]):
            reported.add(other)
            said = f"asks nearly the same as query {quoted(kept[one][0])}: {quoted(kept[one][1])}"
            yield issue("DQ104", f"/queries/{other}/query_text", said, kept[other][0])
    if left_out:
        said = f"{left_out:,} more pairs of queries look alike and were not compared"
        yield issue("DQ104", "/queries", said)
