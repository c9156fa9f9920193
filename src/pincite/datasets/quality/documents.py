"""The quality of a dataset's documents: each with a text and an id of its own."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator

from pincite.datasets.opened import Dataset
from pincite.datasets.quality.codes import QualityIssue, issue, quoted
from pincite.datasets.quality.repeats import repeated, short_hash


def document_issues(dataset: Dataset) -> Generator[QualityIssue, None, int]:
    """What is wrong with the documents; gives back how many there are. Repeats are found by hash."""
    ids, texts = array("Q"), array("Q")
    for place, document in enumerate(dataset.documents()):
        ids.append(short_hash(document.document_id))
        if document.content.strip():
            texts.append(short_hash(document.content))
        else:
            said = f"the document {quoted(document.document_id)} has no text"
            yield issue("DQ206", f"/documents/{place}/content", said)
    same_ids, same_texts = repeated(ids), repeated(texts)
    if same_ids or same_texts:
        yield from _repeats(dataset, same_ids, same_texts)
    return len(ids)


def _repeats(
    dataset: Dataset, same_ids: frozenset[int], same_texts: frozenset[int]
) -> Iterator[QualityIssue]:
    first_id: dict[int, int] = {}
    first_text: dict[int, int] = {}
    for place, document in enumerate(dataset.documents()):
        name = quoted(document.document_id)
        hashed = short_hash(document.document_id)
        earlier = first_id.setdefault(hashed, place) if hashed in same_ids else place
        if earlier != place:
            said = f"the id {name} is already that of /documents/{earlier}"
            yield issue("DQ204", f"/documents/{place}/document_id", said)
        hashed = short_hash(document.content)
        earlier = first_text.setdefault(hashed, place) if hashed in same_texts else place
        if earlier != place:
            said = f"the document {name} has the same text as /documents/{earlier}"
            yield issue("DQ205", f"/documents/{place}/content", said)
