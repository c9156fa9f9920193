"""The texts that a system was shown, as sources: what retrieval frameworks hand over beside an answer.

A context is a string, a mapping, or a framework's object with its text, its id and its metadata. The n-th is
cited as `[n]`, or by its id, its title, its file or its address. Its text stays as it was given, so that
offsets count in it; a label such as `Source 2:` at its beginning is marked as no evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import structs

from pincite.config import Limits
from pincite.errors import SourceError
from pincite.records import Source, Span, UnreadSource
from pincite.sources.folder import Entry
from pincite.sources.given import within_limits
from pincite.sources.library import Library, unique_names
from pincite.sources.readers.common import Unreadable, budget, clean_title
from pincite.sources.readers.json_documents import (
    TEXT_FIELDS,
    attribute_of,
    document_source,
    framework_record,
    is_document,
    name_of,
)

_ID_FIELDS = ("document_id", "doc_id", "id", "id_", "node_id", "chunk_id", "key")
_FILE_FIELDS = ("file_path", "file_name", "filename", "path", "source")
_PAGE_FIELDS = ("page_label", "page_number", "page")
_MOST_PAGES = 10**6

_KINDS = "source|document|doc|context|passage|chunk|excerpt|snippet|reference|ref|result|node"
_LABEL = re.compile(
    rf"""\s{{0,20}}+(?:
    \[\s?(?:(?:{_KINDS})[ \t]?)?\#?(?P<bracketed>\d{{1,9}})\s?\][:.]?
    | (?:{_KINDS})[ \t]{{0,3}}+\#?(?P<named>\d{{1,9}}+)[ \t]{{0,3}}+ (?: : | [–—-](?=\s) | (?=\r?\n) )
    | (?:{_KINDS})[ \t]{{0,3}}+\[(?P<inside>\d{{1,9}})\]:?
    )\s{{0,20}}+""",
    re.IGNORECASE | re.VERBOSE,
)
"""`Source 2:`, `[2]`, `[Source 2]`, `Document [2]`, and `Document 2` on a line of its own."""


def contexts(
    texts: Iterable[Any], *, ids: Iterable[str | int] | None = None, limits: Limits | None = None
) -> Library:
    """The texts as sources that are cited by their number, counted from 1, or by their id.

    A text is a string; a mapping with `text`, `content` or `page_content`, and perhaps `id`, `title`, `url`,
    `source` and `metadata`; or an object with such attributes. `ids` names one for each text, and goes before
    what the text says of itself. Contexts that share a file, a title or an id are parts of one document.

    A text that is None is listed in `Library.unread` and keeps its number. Anything else that is not a text
    raises `SourceError`, and so do two `ids` that are the same.
    """
    given = _listed(texts)
    names = _checked_ids(ids, len(given))
    bounds = limits or Limits()
    entries = [_entry(one, number, names, bounds) for number, one in enumerate(given, start=1)]
    if names is None:
        entries = _known_by_their_labels(entries)
    return Library(unique_names(entries), _numbers_are_places(entries), in_parts=True)


def _listed(texts: Any) -> list[Any]:
    if isinstance(texts, str | bytes | bytearray):
        raise SourceError("contexts is one text, not a list of them: give [text]")
    if isinstance(texts, Mapping):
        raise SourceError(
            "contexts is a dict: give a list of texts; "
            "names go in ids=…, or give check(…, sources=…) the dict of name → text"
        )
    if not isinstance(texts, Iterable):
        raise SourceError(f"contexts is {_what(texts)}: give a list of texts")
    return list(texts)


def _checked_ids(ids: Any, count: int) -> list[str] | None:
    if ids is None:
        return None
    if isinstance(ids, str | bytes | bytearray) or not isinstance(ids, Iterable):
        raise SourceError(f"ids is {_what(ids)}: give a list with one id for each context")
    names = []
    for number, one in enumerate(ids, start=1):
        name = name_of(one)
        if name is None:
            raise SourceError(f"the id of context {number} is {_what(one)}: give a text or a whole number")
        names.append(name)
    if len(names) != count:
        raise SourceError(f"there are {count:,} contexts and {len(names):,} ids: give one id for each")
    name, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times > 1:
        places = [str(number) for number, one in enumerate(names, start=1) if one == name]
        raise SourceError(
            f"contexts {', '.join(places[:5])} have the same id {name[:100]!r}: give each its own"
        )
    return names


def _entry(given: Any, number: int, ids: Sequence[str] | None, limits: Limits) -> Entry:
    name = f"context {number}"
    if given is None:
        return UnreadSource(ids[number - 1] if ids else name, "there is no text: the context is None")
    if isinstance(given, Source | UnreadSource):
        return structs.replace(given, name=ids[number - 1]) if ids else given
    record = _record(given)
    if record is None:
        raise SourceError(
            f"context {number} is {_what(given)}: give a text, or something with "
            f"{', '.join(repr(field) for field in TEXT_FIELDS[:-1])} or {TEXT_FIELDS[-1]!r}"
        )
    try:
        with budget(limits, 0):
            source = document_source(record, name)
    except Unreadable as problem:
        return UnreadSource(name, str(problem))
    return within_limits(_described(source, given, number, ids), limits)


def _record(given: Any) -> dict[Any, Any] | None:
    """A document's record of a context: its text, what it is called, and its metadata."""
    if isinstance(given, str):
        return {"content": given}
    if isinstance(given, Mapping):
        record = dict(given)
        meta = record.pop("meta", None)
        if isinstance(meta, Mapping) and not isinstance(record.get("metadata"), Mapping):
            record["metadata"] = dict(meta)
        return record if is_document(record) else None
    return framework_record(given)


def _described(source: Source, given: Any, number: int, ids: Sequence[str] | None) -> Source:
    """The source with its id, its document and its page, and with its label marked."""
    metadata = source.metadata
    own = None if isinstance(given, str) else _own_id(given)
    chosen = ids[number - 1] if ids else None
    name = chosen or source.name
    if name == f"context {number}":
        name = _first(metadata, _FILE_FIELDS) or _first(metadata, ("title",)) or own or name
    named = structs.replace(
        source,
        name=" ".join(name.split())[:500],
        document_id=chosen or own or source.document_id,
        title=source.title or clean_title(_first(metadata, ("title",))),
        file_path=source.file_path or _first(metadata, _FILE_FIELDS),
        url=source.url or _first(metadata, ("url",)),
        page=_page(metadata),
    )
    label = _label(named)
    return structs.replace(named, navigation=(label,)) if label else named


def _own_id(given: Any) -> str | None:
    """The id that a context brings along."""
    get = given.get if isinstance(given, Mapping) else partial(attribute_of, given)
    return next((name for field in _ID_FIELDS if (name := name_of(get(field)))), None)


def _label(source: Source) -> Span | None:
    """Where a label such as `Source 2:` is that says no more than which context this is."""
    text = source.text
    end = 0
    if found := _LABEL.match(text):
        end = found.end()
    else:
        known = source.document_id or source.name
        for label in (f"[{known}]", f"{known}:"):
            if text.startswith(label):
                end = len(label) + len(text[len(label) :]) - len(text[len(label) :].lstrip())
                break
    return Span(0, end) if 0 < end < len(text) else None


def _known_by_their_labels(entries: list[Entry]) -> list[Entry]:
    """The same entries with the numbers of their labels as ids, where every context has one of its own.

    Of twenty numbered passages perhaps only the third and the seventh are handed over: `[7]` is the latter.
    """
    numbers = [_labelled(entry) for entry in entries]
    counted = numbers == [str(n + 1) for n in range(len(numbers))]
    if counted or None in numbers or len(set(numbers)) < len(numbers):
        return entries
    if any(not isinstance(entry, Source) or entry.document_id for entry in entries):
        return entries
    return [
        structs.replace(entry, document_id=number) if isinstance(entry, Source) else entry
        for entry, number in zip(entries, numbers, strict=True)
    ]


def _labelled(entry: Entry) -> str | None:
    found = _LABEL.match(entry.text) if isinstance(entry, Source) else None
    number = next((group for group in found.groups() if group), None) if found else None
    return None if number is None else str(int(number))


def _numbers_are_places(entries: Sequence[Entry]) -> bool:
    """Whether `[2]` is the second context. Not where ids are such numbers and count otherwise."""
    for number, entry in enumerate(entries, start=1):
        known = entry.document_id if isinstance(entry, Source) else None
        if known and _is_number(known) and number != int(known) <= len(entries):
            return False
    return True


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _page(metadata: Mapping[str, Any]) -> int | None:
    for field in _PAGE_FIELDS:
        text = name_of(metadata.get(field))
        if text and _is_number(text) and 0 < int(text) <= _MOST_PAGES:
            return int(text)
    return None


def _first(record: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    return next((text for field in fields if (text := name_of(record.get(field)))), None)


def _what(value: Any) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
