"""Records that are documents: `{document_id, title, content, file_path}` and their usual variants."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from pincite.records import Source
from pincite.sources.readers import kind_of
from pincite.sources.readers.common import Unreadable, clean_title
from pincite.sources.readers.text import text_source

TEXT_FIELDS = ("content", "text", "page_content")
_NAME_FIELDS = ("document_id", "id", "file_path", "name", "title", "url")
_OWN_FIELDS = frozenset((*_NAME_FIELDS, *TEXT_FIELDS, "metadata", "pages"))


def is_document(record: Any) -> bool:
    """Whether a JSON value is a document: an object with its text in `content`, `text` or `pages`."""
    if not isinstance(record, dict):
        return False
    return any(_is_text(record.get(field)) for field in TEXT_FIELDS) or _is_pages(record.get("pages"))


def documents_in(value: Any) -> list[Any] | None:
    """The documents that a JSON value holds, or None when it is data: one, a list, or a `documents` list.

    A list with at least one document in it is a list of documents; what else is in it is for the caller
    to refuse by name.
    """
    if is_document(value):
        return [value]
    if isinstance(value, dict):
        value = value.get("documents")
    if isinstance(value, list) and any(is_document(record) for record in value):
        return value
    return None


def document_source(record: dict[str, Any], fallback: str) -> Source:
    """A document's record as a source. `fallback` is its name when it has none of its own."""
    text, blocks = _text_of(record)
    metadata = _metadata(record)
    names = {field: name_of(record.get(field)) for field in _NAME_FIELDS}
    if not any(names.values()):
        # Retrieval frameworks keep a document's names in its metadata, its path or address as `source`.
        names = {field: name_of(metadata.get(field)) for field in _NAME_FIELDS}
        names["file_path"] = names["file_path"] or name_of(metadata.get("source"))
    name = next((names[field] for field in _NAME_FIELDS if names[field]), None) or fallback
    if blocks:
        metadata["blocks"] = blocks
    kind = "markdown" if kind_of(names["file_path"] or name) == "markdown" else "text"
    source = text_source(text, " ".join(name.split())[:500] or fallback, kind)
    return structs.replace(
        source,
        title=clean_title(names["title"]),
        document_id=names["document_id"] or names["id"] or names["name"],
        file_path=names["file_path"],
        url=names["url"] or name_of(metadata.get("url")),
        metadata=metadata,
    )


def _text_of(record: dict[str, Any]) -> tuple[str, list[tuple[int, int]]]:
    """The text, and where its content blocks are when it was given in blocks."""
    if _is_pages(record.get("pages")) and not any(_is_text(record.get(f)) for f in TEXT_FIELDS):
        pages = [page if isinstance(page, str) else _block_text(page) for page in record["pages"]]
        return "\f".join(page.replace("\f", "\n") for page in pages), []
    content = next(record[field] for field in TEXT_FIELDS if _is_text(record.get(field)))
    if isinstance(content, str):
        return content, []
    blocks: list[tuple[int, int]] = []
    parts: list[str] = []
    position = 0
    for block in content:
        part = block if isinstance(block, str) else _block_text(block)
        parts.append(part)
        blocks.append((position, position + len(part)))
        position += len(part) + 1
    return "\n".join(parts), blocks


def _metadata(record: dict[str, Any]) -> dict[str, Any]:
    given = record.get("metadata")
    metadata = dict(given) if isinstance(given, dict) else {}
    for field, value in record.items():
        if field not in _OWN_FIELDS and isinstance(value, str | int | float | list):
            metadata.setdefault(field, value)
    return metadata


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or _is_pages(value)


def _is_pages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_block, value))


def _is_block(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, dict) and any(isinstance(value.get(field), str) for field in ("text", "content"))
    )


def _block_text(block: dict[str, Any]) -> str:
    return next(str(block[field]) for field in ("text", "content") if isinstance(block.get(field), str))


def name_of(value: Any) -> str | None:
    """A text or a whole number as a name; None for what can be none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    try:
        return str(value).strip() or None
    except ValueError:  # a number of more digits than Python writes out
        return None


def require_document(record: Any) -> dict[str, Any]:
    """The record itself, or an error that says what a document looks like."""
    if isinstance(record, dict) and is_document(record):
        return record
    what = f"a {type(record).__name__}"
    if isinstance(record, dict):
        what = f"an object with the fields {', '.join(repr(str(key)) for key in list(record)[:5]) or 'none'}"
    raise Unreadable(f"not a document: {what}; a document is an object with its text in 'content' or 'text'")
