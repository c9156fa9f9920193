"""JSON Lines: one document a line. A line that cannot be read is named, and the others are still read."""

from __future__ import annotations

import re

from pincite.records import Source, UnreadSource
from pincite.sources.readers.common import Unreadable, decode
from pincite.sources.readers.documents import document_source, require_document
from pincite.sources.readers.json_spans import load_json

_LINE = re.compile(r"[^\r\n]++")


def read_jsonl(raw: bytes, name: str) -> list[Source | UnreadSource]:
    """Every line's document, or the reason why it is none, in the order of the file."""
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
        try:
            entries.append(document_source(require_document(load_json(line)), label))
        except Unreadable as problem:
            entries.append(UnreadSource(label, f"line {number}: {problem}"))
    return entries
