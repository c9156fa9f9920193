"""RIS: two letters, a dash and a value on each line, as databases export references."""

from __future__ import annotations

import re
from typing import Any

from pincite.answering.bibliography.entry import (
    MOST_NAMES,
    BibEntry,
    PartialDate,
    PersonName,
    clean,
    clean_doi,
    clean_pages,
    make_date,
    read_date,
    read_person,
)

_LINE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: (.*))?")
_TYPES = {
    "JOUR": "article-journal",
    "UNPB": "article",
    "BOOK": "book",
    "CHAP": "chapter",
    "CPAPER": "paper-conference",
    "RPRT": "report",
    "THES": "thesis",
    "ELEC": "webpage",
    "DATA": "dataset",
    "COMP": "software",
    "GEN": "document",
}
_READ_TYPES = {
    **_TYPES,
    "CONF": "paper-conference",
    "WEB": "webpage",
    "BLOG": "webpage",
    "EJOUR": "article-journal",
    "MGZN": "article-journal",
    "NEWS": "article-journal",
    "EBOOK": "book",
    "ECHAP": "chapter",
}
_TEXT = {
    "title": ("TI", "T1", "CT"),
    "container_title": ("T2", "JO", "JF", "BT", "J2"),
    "publisher": ("PB",),
    "publisher_place": ("CY", "PP"),
    "volume": ("VL",),
    "issue": ("IS",),
    "edition": ("ET",),
    "number": ("M1",),
    "url": ("UR", "L2"),
    "language": ("LA",),
}
"""Each field with its tags: the first is written, each is read."""


def read_ris(text: str) -> list[BibEntry]:
    """The entries of a RIS file. A line that is none of RIS goes on with the value above it."""
    entries: list[BibEntry] = []
    found: dict[str, list[str]] = {}
    last = ""
    for line in text.removeprefix("\ufeff").splitlines():
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            if last and line.strip():
                found[last][-1] += f" {line.strip()}"
            continue
        tag, value = match[1], match[2] or ""
        if tag == "ER":
            if found:
                entries.append(_entry(found, f"item{len(entries) + 1}"))
            found, last = {}, ""
        else:
            found.setdefault(tag, []).append(value)
            last = tag
    if "TY" in found:  # the end was forgotten, or the file was cut off
        entries.append(_entry(found, f"item{len(entries) + 1}"))
    return entries


def _entry(found: dict[str, list[str]], otherwise: str) -> BibEntry:
    def first(*tags: str) -> str | None:
        return next((text for tag in tags for value in found.get(tag, ()) if (text := clean(value))), None)

    kind = _READ_TYPES.get((first("TY") or "").upper(), "document")
    known: dict[str, Any] = {name: first(*tags) for name, tags in _TEXT.items()}
    start, end = first("SP"), first("EP")
    known["page"] = f"{start}-{end}" if start and end and start != end else start
    if start and "-" in start:
        known["page"] = clean_pages(start)
    number = first("SN")
    is_journal = bool(number and re.fullmatch(r"\d{4}-?\d{3}[\dXx]", number))
    return BibEntry(
        id=first("ID") or otherwise,
        type=kind,
        author=_people(found, "AU", "A1"),
        editor=_people(found, "ED", "A2" if kind != "thesis" else "ED"),
        issued=_date(first("DA")) or _date(first("PY", "Y1")),
        accessed=_date(first("Y2")),
        doi=clean_doi(first("DO")),
        issn=number if is_journal else None,
        isbn=None if is_journal else number,
        **known,
    )


def _people(found: dict[str, list[str]], *tags: str) -> tuple[PersonName, ...]:
    written = next((found[tag] for tag in tags if tag in found), [])
    return tuple(person for one in written[:MOST_NAMES] if (person := _person(one)))


def _person(text: str) -> PersonName | None:
    """`Family, Given, Suffix`; without a comma it is what writes, such as a committee."""
    parts = [part.strip() for part in (clean(text) or "").split(",")]
    if len(parts) == 3 and all(parts):
        read = read_person(f"{parts[0]}, {parts[2]}, {parts[1]}")
    elif len(parts) == 2 and all(parts):
        read = read_person(text)
    else:
        whole = ", ".join(part for part in parts if part)
        return PersonName(literal=whole) if whole else None
    return read


def _date(text: str | None) -> PartialDate | None:
    """`2021/07/15/` with any of its parts empty, or as people write dates."""
    if text and "/" in text:
        return make_date(*(text.split("/") + [""] * 3)[:3])
    return read_date(text)


def write_ris(entry: BibEntry) -> str:
    """The entry as RIS, with the fields that are known and no others."""
    tags = {kind: tag for tag, kind in _TYPES.items()}
    lines = [("TY", tags.get(entry.type, "GEN")), ("ID", entry.id)]
    lines += [("AU", _written(person)) for person in entry.author]
    lines += [("ED", _written(person)) for person in entry.editor]
    lines += [(names[0], value) for field, names in _TEXT.items() if (value := getattr(entry, field))]
    start, _, end = (entry.page or "").partition("-")
    lines += [("SP", start), ("EP", end)]
    if entry.issued:
        lines += [("PY", f"{entry.issued.year:04}"), ("DA", _written_date(entry.issued))]
    lines += [("Y2", _written_date(entry.accessed) if entry.accessed else "")]
    lines += [("DO", entry.doi or ""), ("SN", entry.issn or entry.isbn or ""), ("ER", "")]
    return "".join(f"{tag}  - {value}".rstrip() + "\n" for tag, value in lines if value or tag == "ER")


def _written(person: PersonName) -> str:
    if person.literal:
        return person.literal.replace(",", " ") if person.literal.count(",") in (1, 2) else person.literal
    family = f"{person.particle} {person.family}".strip()
    return ", ".join(part for part in (family, person.given, person.suffix) if part)


def _written_date(when: PartialDate) -> str:
    month = f"{when.month:02}" if when.month else ""
    day = f"{when.day:02}" if when.day else ""
    return f"{when.year:04}/{month}/{day}"
