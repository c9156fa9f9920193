"""One file per kind of source, and which of them reads a file."""

from __future__ import annotations

from pincite.config import Limits
from pincite.records import Source, UnreadSource
from pincite.sources.readers.budget import budget
from pincite.sources.readers.common import Unreadable
from pincite.text.file_endings import NOT_READ, SOURCE_KINDS


def kind_of(name: str) -> str | None:
    """The kind of a file by its ending, or None when the ending is not known."""
    return SOURCE_KINDS.get(ending_of(name))


def ending_of(name: str) -> str:
    from pincite.sources.names import file_name

    stem, dot, ending = file_name(name).rpartition(".")
    return ending.casefold() if dot and stem else ""


def read_bytes(raw: bytes, name: str, limits: Limits) -> list[Source | UnreadSource]:
    """The sources in a file's bytes, by the kind that its name says; what cannot be read is among them."""
    try:
        with budget(limits, len(raw)):
            return _read(raw, name, limits)
    except Unreadable as problem:
        return [UnreadSource(name, str(problem))]


def _read(raw: bytes, name: str, limits: Limits) -> list[Source | UnreadSource]:
    ending = ending_of(name)
    if ending in NOT_READ:
        raise Unreadable(NOT_READ[ending])
    kind = kind_of(name) or ("pdf" if raw.startswith(b"%PDF-") else None)
    # Each kind's reader is imported when the first such file is read: text alone must not load the others.
    if kind == "text":
        from pincite.sources.readers.text import read_text

        return [*read_text(raw, name)]
    if kind == "markdown":
        from pincite.sources.readers.markdown import read_markdown

        return [*read_markdown(raw, name)]
    if kind == "html":
        from pincite.sources.readers.html import read_html

        return [*read_html(raw, name)]
    if kind == "pdf":
        from pincite.sources.readers.pdf import read_pdf

        return [*read_pdf(raw, name, limits)]
    if kind == "docx":
        from pincite.sources.readers.docx import read_docx

        return [*read_docx(raw, name, limits.source_bytes)]
    if kind == "json":
        from pincite.sources.readers.json_data import read_json

        return read_json(raw, name)
    if kind == "jsonl":
        from pincite.sources.readers.jsonl import read_jsonl

        return read_jsonl(raw, name)
    if kind == "csv":
        from pincite.sources.readers.csv_table import read_csv

        return [*read_csv(raw, name)]
    from pincite.sources.readers.text import read_unknown

    return [*read_unknown(raw, name)]
