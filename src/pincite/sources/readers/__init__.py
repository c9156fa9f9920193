"""One file per kind of source, and which of them reads a file."""

from __future__ import annotations

from importlib import import_module

from pincite.base import NO_MEMORY
from pincite.config import Limits
from pincite.records import Source, UnreadSource
from pincite.sources.readers.common import Unreadable, budget
from pincite.text import NOT_READ, SOURCE_KINDS

_READERS = {
    "text": ("text", "read_text"),
    "markdown": ("text", "read_markdown"),
    "html": ("html", "read_html"),
    "pdf": ("pdf", "read_pdf"),
    "docx": ("docx", "read_docx"),
    "json": ("json_documents", "read_json"),
    "jsonl": ("json_documents", "read_lines"),
    "csv": ("csv_table", "read_csv"),
    None: ("text", "read_unknown"),
}
"""Each kind's file in this folder, and its function of bytes, name and limits. It is imported when the first
such file is read: text alone must not load the others."""


def kind_of(name: str) -> str | None:
    """The kind of a file by its ending, or None when the ending is not known."""
    return SOURCE_KINDS.get(_ending_of(name))


def _ending_of(name: str) -> str:
    from pincite.sources.names import file_name

    stem, dot, ending = file_name(name).rpartition(".")
    return ending.casefold() if dot and stem else ""


def read_bytes(raw: bytes, name: str, limits: Limits) -> list[Source | UnreadSource]:
    """The sources in a file's bytes, by the kind that its name says; what cannot be read is among them."""
    ending = _ending_of(name)
    if ending in NOT_READ:
        return [UnreadSource(name, NOT_READ[ending])]
    module, function = _READERS[kind_of(name) or ("pdf" if raw.startswith(b"%PDF-") else None)]
    read = getattr(import_module(f"{__name__}.{module}"), function)
    try:
        with budget(limits, len(raw)):
            return [*read(raw, name, limits)]
    except Unreadable as problem:
        return [UnreadSource(name, str(problem))]
    except MemoryError:
        return [UnreadSource(name, NO_MEMORY)]
