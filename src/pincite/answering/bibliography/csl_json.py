"""CSL-JSON: the form in which reference managers and DOI services hand out what they know of a work."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.answering.bibliography.entry import (
    DATE_FIELDS,
    MOST_NAMES,
    NAME_FIELDS,
    TEXT_FIELDS,
    TYPES,
    BibEntry,
    PartialDate,
    PersonName,
    clean,
    clean_doi,
    clean_pages,
    make_date,
    read_date,
)
from pincite.any_json import read_json
from pincite.errors import InputError

_UPPER = {"doi": "DOI", "url": "URL", "isbn": "ISBN", "issn": "ISSN"}
_PARTS = {"family": "family", "given": "given", "particle": "non-dropping-particle", "suffix": "suffix"}
_MARKUP = re.compile(r"</?(?:i|b|sub|sup|sc|span|em|strong|scp)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_OTHER_TYPES = {
    "journal-article": "article-journal",
    "article-magazine": "article-journal",
    "article-newspaper": "article-journal",
    "posted-content": "article",
    "book-chapter": "chapter",
    "entry-encyclopedia": "chapter",
    "proceedings-article": "paper-conference",
    "monograph": "book",
    "post-weblog": "webpage",
    "post": "webpage",
    "dissertation": "thesis",
}


def read_csl_json(raw: str | bytes) -> list[BibEntry]:
    """The entries of a CSL-JSON file: a list, one item, or `{"items": […]}`."""
    try:
        value = read_json(raw)
    except ValueError as error:
        raise InputError(f"not JSON: {error}") from None
    if isinstance(value, Mapping):
        value = value.get("items", [value])
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InputError("not CSL-JSON: expected a list of items")
    return [entry_of(item, f"item{at}") for at, item in enumerate(value, 1) if isinstance(item, Mapping)]


def entry_of(item: Mapping[str, Any], otherwise: str = "item1") -> BibEntry:
    """One item as an entry. What is not of the shape it should be counts as not said."""
    known: dict[str, Any] = {}
    for name in TEXT_FIELDS:
        value = item.get(_UPPER.get(name, name.replace("_", "-")))
        if isinstance(value, list):  # as some services hand out titles and numbers
            value = value[0] if value else None
        known[name] = clean(_MARKUP.sub("", value) if isinstance(value, str) else value)
    for name in NAME_FIELDS:
        known[name] = _names(item.get(name))
    for name in DATE_FIELDS:
        known[name] = _date(item.get(name))
    known["doi"] = clean_doi(known["doi"])
    known["page"] = clean_pages(known["page"])
    kind = str(item.get("type") or "")
    kind = _OTHER_TYPES.get(kind, kind)
    return BibEntry(
        id=clean(item.get("id")) or otherwise, type=kind if kind in TYPES else "document", **known
    )


def _names(value: Any) -> tuple[PersonName, ...]:
    if not isinstance(value, list):
        return ()
    names: list[PersonName] = []
    for one in value[:MOST_NAMES]:
        if not isinstance(one, Mapping):
            continue
        literal = clean(one.get("literal") or one.get("name"))
        parts = {name: clean(one.get(field)) or "" for name, field in _PARTS.items()}
        if not parts["particle"]:
            parts["particle"] = clean(one.get("dropping-particle")) or ""
        if parts["family"]:
            names.append(PersonName(**parts))
        elif literal or parts["given"]:
            names.append(PersonName(literal=literal or parts["given"]))
    return tuple(names)


def _date(value: Any) -> PartialDate | None:
    if not isinstance(value, Mapping):
        return read_date(value)
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return make_date(*parts[0][:3])
    return read_date(value.get("raw") or value.get("literal"))


def item_of(entry: BibEntry) -> dict[str, Any]:
    """The entry as a CSL-JSON item, with the fields that are known and no others."""
    item: dict[str, Any] = {"id": entry.id, "type": entry.type}
    for name in BibEntry.__struct_fields__[2:]:
        value = getattr(entry, name)
        if not value:
            continue
        field = _UPPER.get(name, name.replace("_", "-"))
        if name in NAME_FIELDS:
            item[field] = [_written(person) for person in value]
        elif name in DATE_FIELDS:
            item[field] = {"date-parts": [[part for part in (value.year, value.month, value.day) if part]]}
        else:
            item[field] = value
    return item


def _written(person: PersonName) -> dict[str, str]:
    if person.literal:
        return {"literal": person.literal}
    return {field: part for name, field in _PARTS.items() if (part := getattr(person, name))}
