"""JSON Lines: each line a document or data. A line that cannot be read is named, the others still read."""

from __future__ import annotations

import re

from pincite.records import Source, UnreadSource
from pincite.sources.readers.budget import ENTRY, OverBudget, spend
from pincite.sources.readers.common import Unreadable, decode
from pincite.sources.readers.documents import document_source, is_document, require_document
from pincite.sources.readers.json_data import data_source
from pincite.sources.readers.json_spans import load_json

_LINE = re.compile(r"[^\r\n]++")


def read_jsonl(raw: bytes, name: str) -> list[Source | UnreadSource]:
    """Every line as a document, as data that paths resolve in, or the reason why it is neither, in order."""
    text = decode(raw)
    entries: list[Source | UnreadSource] = []
    number = 1
    position = 0
    for match in _LINE.finditer(text):
        number += text.count("\n", position, match.start())
        position = match.start()
        line = match.group()
        if not line.strip():
            continue
        label = f"{name}#{number}"
        spend(ENTRY)
        try:
            entries.append(_line_source(line, label))
        except OverBudget:
            raise
        except Unreadable as problem:
            entries.append(UnreadSource(label, f"line {number}: {problem}"))
    return entries


def _line_source(line: str, label: str) -> Source:
    value = load_json(line)
    if isinstance(value, dict | list) and not is_document(value):
        return data_source(value, line, label)
    return document_source(require_document(value), label)
