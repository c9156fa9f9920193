"""What may be given as sources, turned into entries of a library."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from pincite.config import Limits
from pincite.errors import SourceError
from pincite.records import Source, UnreadSource
from pincite.sources.folder import Entry, read_path, too_large
from pincite.sources.library import Library, unique_names
from pincite.sources.readers import kind_of, read_bytes
from pincite.sources.readers.common import OverBudget, Unreadable, budget, hash_text
from pincite.sources.readers.json_documents import (
    attribute_of,
    data_source,
    document_source,
    documents_in,
    framework_record,
    is_document,
    load_json,
    require_document,
)
from pincite.sources.readers.pdf import shared_process
from pincite.sources.readers.text import markdown_source, text_source


def open_sources(sources: Any, limits: Limits | None = None) -> Library:
    """Read what was given as sources.

    `sources` is a path to a file or folder, a list of paths, a dict of name → text (or → JSON value, for
    data), a list of `{document_id, title, content, file_path}` or of `Source`, a `Library` (returned as it
    is), or None. A source that cannot be read is listed in `Library.unread` and the rest is read; only a path
    that does not exist, or something that cannot be a source, raises `SourceError`.
    """
    if isinstance(sources, Library):
        return sources
    with shared_process():
        entries, ordered = _read_any(sources, limits or Limits())
    given = sources is not None and sources != []
    return Library(unique_names(entries), ordered, given)


def _read_any(sources: Any, limits: Limits) -> tuple[list[Entry], bool]:
    """The entries, and whether their order means something."""
    if sources is None:
        return [], True
    if isinstance(sources, Mapping):
        return _read_mapping(sources, limits), True
    if isinstance(sources, str | os.PathLike):
        entries, is_folder = read_path(_path(sources), limits)
        return entries, not is_folder
    if isinstance(sources, Source | UnreadSource):
        return [_checked(sources)], True
    if isinstance(sources, Sequence | set | frozenset) and not isinstance(sources, bytes | bytearray):
        return _read_list(list(sources), limits)
    raise SourceError(
        f"sources cannot be a {type(sources).__name__}: give a path, a list of paths, a dict of name → text, "
        f"or a list of documents with 'content'"
    )


def _read_list(items: list[Any], limits: Limits) -> tuple[list[Entry], bool]:
    entries: list[Entry] = []
    ordered = True
    items = _without_repeats(items)
    short_names = Counter(Path(item).name for item in items if isinstance(item, str | os.PathLike))
    for i, item in enumerate(items, start=1):
        if isinstance(item, str | os.PathLike):
            read, is_folder = _read_listed(item, limits)
            ordered = ordered and not is_folder
            # Two files of one name are told apart by the paths that they were given with.
            clash = short_names[Path(item).name] > 1
            entries.extend(_renamed(entry, Path(item), is_folder) if clash else entry for entry in read)
        elif isinstance(item, Source | UnreadSource):
            entries.append(_checked(item))
        elif isinstance(item, Mapping):
            entries.extend(_read_record(dict(item), i, limits))
        elif isinstance(item, Library):
            entries.extend(item.entries)
            ordered = ordered and item.ordered
        elif record := _framework_record(item):
            entries.extend(_read_record(record, i, limits))
        else:
            advice = "give a path, or an object with 'content'"
            raise SourceError(f"source {i} cannot be a {type(item).__name__}: {advice}")
    return entries, ordered


def _read_listed(item: str | os.PathLike[str], limits: Limits) -> tuple[list[Entry], bool]:
    try:
        return read_path(_path(item), limits)
    except SourceError as error:
        # A string that names no file was probably meant as the text itself.
        if isinstance(item, str) and kind_of(item) is None and not item.startswith(("http:/", "https:/")):
            hint = "texts, rather than paths, go to pincite.check_contexts() or pincite.contexts()"
            raise SourceError(f"{error}; {hint}") from None
        raise


def _without_repeats(items: list[Any]) -> list[Any]:
    """The items without a folder that is given again, and without files directly in a given folder.

    Files alone may repeat: their order means something, and the third may be the first again.
    """
    folders = {os.path.realpath(item) for item in items if _is_folder(item)}
    if not folders:
        return items
    kept: list[Any] = []
    seen: set[str] = set()
    for item in items:
        if isinstance(item, str | os.PathLike) and str(item).strip() and "\0" not in str(item):
            place = os.path.realpath(item)
            folder, name = os.path.split(place)
            if place in seen or (place not in folders and folder in folders and name[:1] != "."):
                continue
            seen.add(place)
        kept.append(item)
    return kept


def _is_folder(item: Any) -> bool:
    try:
        return isinstance(item, str | os.PathLike) and bool(str(item).strip()) and Path(item).is_dir()
    except (OSError, ValueError):
        return False


def _framework_record(item: Any) -> dict[str, Any] | None:
    """The record of a framework's document, under its id where its metadata has no better name."""
    record = framework_record(item)
    if record is not None and not any(key in record["metadata"] for key in ("source", "file_path", "title")):
        record["id"] = attribute_of(item, "id") or attribute_of(item, "id_")
    return record


def _path(given: str | os.PathLike[str]) -> Path:
    # An empty path would mean the folder that the user happens to be in.
    if not str(given).strip():
        raise SourceError("a source's path is empty; give a file or a folder, '.' for this one")
    return Path(given)


def _renamed(entry: Entry, path: Path, is_folder: bool) -> Entry:
    if is_folder:
        return structs.replace(entry, name=f"{path.as_posix()}/{entry.name}")
    return structs.replace(entry, name=path.as_posix()) if entry.name == path.name else entry


def _read_record(record: dict[Any, Any], number: int, limits: Limits) -> list[Entry]:
    label = f"source {number}"
    documents = documents_in(record)
    if documents is None:
        path = record.get("file_path") or record.get("path")
        hint = f" (the file {path!r} is not read from here: give its path itself)" if path else ""
        fields = ", ".join(repr(str(key)) for key in list(record)[:5]) or "none"
        raise SourceError(f"{label} has no text: the fields are {fields}, and 'content' is missing{hint}")
    if len(documents) == 1:
        return [_document(documents[0], label, limits)]
    return [_document(document, f"{label}#{i}", limits) for i, document in enumerate(documents, start=1)]


def _document(record: Any, name: str, limits: Limits) -> Entry:
    try:
        with budget(limits, 0):
            source = document_source(require_document(record), name)
    except Unreadable as problem:
        return UnreadSource(name, str(problem))
    return within_limits(source, limits)


def _read_mapping(sources: Mapping[Any, Any], limits: Limits) -> list[Entry]:
    is_named = "document_id" in sources or "file_path" in sources
    if is_named and "content" in sources and is_document(sources):
        # One document by itself, rather than a dict of names: it says both its text and what it is called.
        return _read_record(dict(sources), 1, limits)
    documents = sources.get("documents")
    if isinstance(documents, list) and any(is_document(record) for record in documents):
        return [_document(record, f"document {i}", limits) for i, record in enumerate(documents, start=1)]
    return [entry for key, value in sources.items() for entry in _named(str(key), value, limits)]


def _named(name: str, value: Any, limits: Limits) -> list[Entry]:
    """A text, a file's bytes, a document or JSON data under a name of the user's."""
    if value is None:
        return [UnreadSource(name, "nothing was given under this name (None)")]
    if isinstance(value, str):
        try:
            with budget(limits, len(value)):
                return [within_limits(_from_text(name, value), limits)]
        except Unreadable as problem:
            return [UnreadSource(name, str(problem))]
    if isinstance(value, bytes | bytearray):
        if len(value) > limits.source_bytes:
            return [UnreadSource(name, too_large(len(value), limits))]
        return read_bytes(bytes(value), name, limits)
    if isinstance(value, os.PathLike):
        entries, is_folder = read_path(Path(value), limits)
        if is_folder or len(entries) != 1:
            return entries
        return [structs.replace(entries[0], name=name)]
    if isinstance(value, Source):
        return [structs.replace(_checked(value), name=name)]
    if is_document(value):
        return [structs.replace(_document(value, name, limits), name=name)]
    return [_from_data(name, value, limits)]


def _from_text(name: str, text: str) -> Source:
    """A given text is read as it is: nothing is removed, so that offsets count in it.

    The name may say that it is data or a table, if the text is that too.
    """
    kind = kind_of(name)
    if kind == "json":
        try:
            return data_source(load_json(text), text, name)
        except OverBudget:
            raise
        except Unreadable:
            return text_source(text, name)
    if kind == "csv":
        from pincite.sources.readers.csv_table import csv_source

        return csv_source(text, name)
    return markdown_source(text, name) if kind == "markdown" else text_source(text, name)


def _from_data(name: str, value: Any, limits: Limits) -> Entry:
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2)
        # Read back, so that keys are strings and tuples are lists, as they would be from a file.
        with budget(limits, len(text)):
            return within_limits(data_source(load_json(text), text, name), limits)
    except Unreadable as problem:
        return UnreadSource(name, str(problem))
    except (TypeError, ValueError, RecursionError) as problem:
        kind = type(value).__name__
        raise SourceError(f"the source {name!r} is neither text nor JSON data ({kind}): {problem}") from None


def _checked(entry: Entry) -> Entry:
    """A record that the user made: what a reader would have filled in is filled in."""
    if isinstance(entry, UnreadSource) or (entry.sha256 and entry.page_starts):
        return entry
    from pincite.sources.passages import page_starts_of

    starts = entry.page_starts if entry.page_starts is not None else page_starts_of(entry.text)
    return structs.replace(entry, sha256=entry.sha256 or hash_text(entry.text), page_starts=starts)


def within_limits(source: Source, limits: Limits) -> Entry:
    """The source, or why it is not read: it is too large."""
    # A code point takes at least one byte: only a text that may be too long is measured in full.
    if len(source.text) * 4 > limits.source_bytes:
        size = len(source.text.encode("utf-8", "surrogatepass"))
        if size > limits.source_bytes:
            return UnreadSource(source.name, too_large(size, limits))
    return source
