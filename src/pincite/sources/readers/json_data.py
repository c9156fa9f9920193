"""JSON: documents when the records have `content` or `text`, otherwise data that paths resolve in."""

from __future__ import annotations

from typing import Any

from pincite.records import Source, UnreadSource
from pincite.sources.readers.budget import ENTRY, OverBudget, spend
from pincite.sources.readers.common import Unreadable, decode, make_source
from pincite.sources.readers.documents import document_source, documents_in, require_document
from pincite.sources.readers.json_spans import load_json, value_spans


def read_json(raw: bytes, name: str) -> list[Source | UnreadSource]:
    text = decode(raw)
    value = load_json(text)
    documents = documents_in(value)
    if documents is None:
        return [data_source(value, text, name)]
    if len(documents) == 1:
        return [document_source(documents[0], name)]
    entries: list[Source | UnreadSource] = []
    for i, record in enumerate(documents, start=1):
        spend(ENTRY)
        try:
            entries.append(document_source(require_document(record), f"{name}#{i}"))
        except OverBudget:
            raise
        except Unreadable as problem:
            entries.append(UnreadSource(f"{name}#{i}", str(problem)))
    return entries


def data_source(value: Any, text: str, name: str) -> Source:
    """JSON data as a source: its text as it stands, and the span of every value in it."""
    return make_source(name, text, kind="json", data=value, value_spans=value_spans(text))
