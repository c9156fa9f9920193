"""The documents of a dataset as sources: all of them, or only those that an answer names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import structs

from pincite.datasets.formats.base import to_plain
from pincite.datasets.formats.records import SourceDocument
from pincite.records import Source, UnreadSource
from pincite.sources import Library, document_source, unique_names


def source_of(document: SourceDocument, number: int) -> Source:
    """A document as a source; `number` counts from 1 and names one that has no name of its own."""
    source = document_source(to_plain(document), f"document {number}")
    if source.page_starts is None and page_count(source) == 1:
        return structs.replace(source, page_starts=(0,))
    return source


def document_of(source: Source) -> dict[str, Any]:
    """A source as a document of a dataset: its text as it was read, with a form feed after each page."""
    made: dict[str, Any] = {
        "document_id": source.name,
        "title": source.title or source.name,
        "content": source.text,
    }
    if source.file_path:
        made["file_path"] = source.name  # as it is listed: the full path is nobody else's business
    if source.page_starts is not None:
        made["metadata"] = {"page_count": len(source.page_starts)}  # a single page has no break to show it
    return made


def page_count(source: Source) -> int | None:
    """How many pages a document says that it has. A text without a page break does not show it."""
    count = source.metadata.get("page_count")
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else None


def library_of(documents: Iterable[SourceDocument], given: bool | None = None) -> Library:
    """A library of documents. Their order means nothing: `[2]` in an answer is not the dataset's second.

    `given` says whether the dataset has documents at all; None where these are all that it has. In a dataset
    without any, nothing that is cited can be looked up, which says nothing against the citations.
    """
    entries: list[Source | UnreadSource] = [source_of(one, i) for i, one in enumerate(documents, start=1)]
    return Library(unique_names(entries), ordered=False, given=bool(entries) if given is None else given)
