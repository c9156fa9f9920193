"""JSON and JSON Lines: documents where the records have `content` or `text`, otherwise data for paths.

A document is `{document_id, title, content, file_path}` or one of the usual variants of it. Where every value
of data is in the text is found in one pass, without recursion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import structs

from pincite.config import Limits
from pincite.records import Source, Span, UnreadSource
from pincite.sources.json_paths import write_step
from pincite.sources.readers import kind_of
from pincite.sources.readers.common import (
    CONTAINER,
    ENTRY,
    NAMED,
    OverBudget,
    Unreadable,
    clean_title,
    decode,
    make_source,
    spend,
)
from pincite.sources.readers.text import text_source

TEXT_FIELDS = ("content", "text", "page_content")
_NAME_FIELDS = ("document_id", "id", "file_path", "name", "title", "url")
_OWN_FIELDS = frozenset((*_NAME_FIELDS, *TEXT_FIELDS, "metadata", "pages"))

DEEPEST = 200
"""How deep lists and objects may be nested."""

LONGEST_PATH = 1000
"""A longer path is not recorded: its value can be read, but not shown in its place."""

_PAID_AT_ONCE = 100_000
_LINE = re.compile(r"[^\r\n]++")

_PIECE = re.compile(r'[\[\]{},:]|"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)|[^\s\[\]{},:"]++', re.DOTALL)
# A string without an end runs to the end of the text, so it is read once and not from each quote.
_DEPTH = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)', re.DOTALL)


def read_json(raw: bytes, name: str, _: Limits) -> list[Source | UnreadSource]:
    """The documents of a file, or all of it as data."""
    text = decode(raw)
    value = load_json(text)
    documents = documents_in(value)
    if documents is None:
        return [data_source(value, text, name)]
    if len(documents) == 1:
        return [document_source(documents[0], name)]
    numbered = enumerate(documents, start=1)
    return _entries((f"{name}#{i}", "", partial(_required, record)) for i, record in numbered)


def read_lines(raw: bytes, name: str, _: Limits) -> list[Source | UnreadSource]:
    """Every line as a document, as data that paths resolve in, or the reason why it is neither, in order."""
    text = decode(raw)

    def lines() -> Iterator[tuple[str, str, Callable[[str], Source]]]:
        number, position = 1, 0
        for match in _LINE.finditer(text):
            number += text.count("\n", position, match.start())
            position = match.start()
            if match.group().strip():
                read = partial(_line_source, match.group())
                yield f"{name}#{number}", f"line {number}: ", read

    return _entries(lines())


def _entries(given: Iterable[tuple[str, str, Callable[[str], Source]]]) -> list[Source | UnreadSource]:
    """What each of many in a file is read as. One that cannot be read is named, the others still read."""
    entries: list[Source | UnreadSource] = []
    for label, where, read in given:
        spend(ENTRY)
        try:
            entries.append(read(label))
        except OverBudget:
            raise
        except Unreadable as problem:
            entries.append(UnreadSource(label, f"{where}{problem}"))
    return entries


def _required(record: Any, label: str) -> Source:
    return document_source(require_document(record), label)


def _line_source(line: str, label: str) -> Source:
    value = load_json(line)
    if isinstance(value, dict | list) and not is_document(value):
        return data_source(value, line, label)
    return _required(value, label)


def data_source(value: Any, text: str, name: str) -> Source:
    """JSON data as a source: its text as it is, and the span of every value in it."""
    return make_source(name, text, kind="json", data=value, value_spans=value_spans(text))


def load_json(text: str) -> Any:
    """The JSON value of a text. What is wrong is said with its line and column."""
    _check_depth(text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        # The one line of JSON Lines is named by the caller.
        where = f"line {error.lineno}, column {error.colno}" if "\n" in text else f"column {error.colno}"
        raise Unreadable(f"not valid JSON: {error.msg} at {where}") from None
    except RecursionError:
        raise Unreadable(f"JSON nested more than {DEEPEST} levels deep is not read") from None
    except ValueError as error:
        raise Unreadable(f"not valid JSON: {error}") from None


def _check_depth(text: str) -> None:
    # The standard parser recurses, so that the input would decide how deep the stack goes.
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    unpaid = 0
    for match in _DEPTH.finditer(text):
        piece = match.group()
        if piece in "[{":
            depth += 1
            unpaid += CONTAINER
            if unpaid > _PAID_AT_ONCE:
                spend(unpaid)
                unpaid = 0
            if depth > DEEPEST:
                raise Unreadable(f"JSON nested more than {DEEPEST} levels deep is not read")
        elif piece in "]}":
            depth -= 1


def value_spans(text: str) -> dict[str, Span]:
    """Canonical path → span of the value, for a text that is valid JSON. The root has no path: left out."""
    spans: dict[str, Span] = {}
    steps: dict[str, str] = {}
    containers: list[_Container] = []
    unpaid = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece == ":":
            continue
        if piece == ",":
            container = containers[-1]
            container.index += 1
            container.expects_key = container.is_object
        elif piece in "]}":
            closed = containers.pop()
            if closed.path:
                spans[closed.path.removeprefix(".")] = Span(closed.start, match.end())
        elif containers and containers[-1].expects_key:
            container = containers[-1]
            container.expects_key = False
            # The same few keys come again and again.
            if piece not in steps:
                steps[piece] = write_step(json.loads(piece))
            container.step = steps[piece]
        else:
            path = containers[-1].child_path() if containers else ""
            unpaid += NAMED + len(path or "")
            if unpaid > _PAID_AT_ONCE:
                spend(unpaid)
                unpaid = 0
            if piece in "[{":
                containers.append(_Container(path, match.start(), piece == "{"))
            elif path:
                spans[path.removeprefix(".")] = Span(match.start(), match.end())
    return spans


class _Container:
    """An object or a list that is being read."""

    __slots__ = ("expects_key", "index", "is_object", "path", "start", "step")

    def __init__(self, path: str | None, start: int, is_object: bool) -> None:
        self.path = path
        self.start = start
        self.is_object = is_object
        self.expects_key = is_object
        self.index = 0
        self.step = ""

    def child_path(self) -> str | None:
        # Every child repeats the path, so that long keys would cost their square; they are never cited.
        if self.path is None or len(self.path) + len(self.step) > LONGEST_PATH:
            return None
        return self.path + self.step if self.is_object else f"{self.path}[{self.index}]"


# --- records that are documents ---------------------------------------------------------------------


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


def attribute_of(given: Any, name: str) -> Any:
    """An attribute of a framework's object; one that cannot be read counts as missing."""
    try:
        return getattr(given, name, None)
    except Exception:  # a property of another library's class, such as the text of a node that has none
        return None


def framework_record(given: Any) -> dict[str, Any] | None:
    """The text and the metadata of a retrieval framework's document; None for any other object."""
    for field in TEXT_FIELDS:
        text = attribute_of(given, field)
        if isinstance(text, str):
            metadata = attribute_of(given, "metadata") or attribute_of(given, "meta")
            return {"content": text, "metadata": dict(metadata) if isinstance(metadata, Mapping) else {}}
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
    """A text or a whole number as a name; None for anything else."""
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
