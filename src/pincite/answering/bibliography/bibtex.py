"""BibTeX files: read with their macros, joined strings and LaTeX, and written so that LaTeX obeys nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pincite.answering.bibliography.entry import (
    MOST_NAMES,
    BibEntry,
    PartialDate,
    PersonName,
    clean,
    clean_doi,
    clean_pages,
    find_arxiv,
    make_date,
    month_name,
    month_number,
    read_date,
    read_person,
)
from pincite.answering.bibliography.latex import from_latex, to_latex

_TYPES = {
    "article": "article-journal",
    "book": "book",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "techreport": "report",
    "phdthesis": "thesis",
    "online": "webpage",
    "dataset": "dataset",
    "software": "software",
    "misc": "document",
}
_READ_TYPES = {
    **_TYPES,
    "inbook": "chapter",
    "conference": "paper-conference",
    "report": "report",
    "thesis": "thesis",
    "mastersthesis": "thesis",
    "electronic": "webpage",
    "www": "webpage",
    "proceedings": "book",
    "mvbook": "book",
    "unpublished": "article",
}
_TEXT = {
    "title": ("title",),
    "container_title": ("journal", "booktitle", "journaltitle", "maintitle"),
    "publisher": ("publisher", "school", "institution", "organization", "howpublished"),
    "publisher_place": ("address", "location"),
    "volume": ("volume",),
    "issue": ("number",),
    "page": ("pages",),
    "edition": ("edition",),
    "doi": ("doi",),
    "url": ("url",),
    "isbn": ("isbn",),
    "issn": ("issn",),
    "language": ("language", "langid"),
}
_OWN_FIELD = {
    ("container_title", "chapter"): "booktitle",
    ("container_title", "paper-conference"): "booktitle",
    ("publisher", "thesis"): "school",
    ("publisher", "report"): "institution",
}
_HEAD = re.compile(r"@\s{0,9}([A-Za-z]{1,40})\s{0,9}([{(])")
_KEY = re.compile(r"\s*+([^\s,{}()=\"#%]{1,200}+)\s*+[,})]")
_FIELD = re.compile(r"[\s,]*+([A-Za-z][\w:+./-]{0,60}+)\s*+=\s*+")
_BARE = re.compile(r"[^\s,{}()\"#]{1,200}+")
_JOIN = re.compile(r"\s*+#\s*+")
_AND = re.compile(r"\s+and\s+")
_NOT_IN_KEY = re.compile(r"[^A-Za-z0-9_:.+-]+")
_MOST_ENTRIES = 100_000


def read_bibtex(text: str) -> list[BibEntry]:
    """The entries of a BibTeX file. What is broken is passed over; everything else is read."""
    macros = {month_name(month): month_name(month) for month in range(1, 13)}
    entries: list[BibEntry] = []
    position = 0
    while len(entries) < _MOST_ENTRIES and (head := _HEAD.search(text, position)):
        kind = head[1].lower()
        position = head.end()
        if kind in ("comment", "preamble"):
            end = _closing(text, position - 1) if head[2] == "{" else position
            position = end if end < len(text) else position
            continue
        key = _KEY.match(text, position) if kind != "string" else None
        if kind != "string" and key is None:
            continue
        fields: dict[str, str] = {}
        for name, value, after in _fields(text, key.end() if key else position, macros):
            fields.setdefault(name, value)
            position = after
        if kind == "string":
            macros |= fields
        else:
            assert key is not None
            entries.append(_entry(kind, key[1], fields))
            position = max(position, key.end())
    return entries


def _fields(text: str, position: int, macros: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    """Each field's name and value, and where the value ends."""
    while field := _FIELD.match(text, position):
        value, position = _value(text, field.end(), macros)
        yield field[1].lower(), value, position


def _value(text: str, position: int, macros: dict[str, str]) -> tuple[str, int]:
    """`{…}`, `"…"`, a number or a macro, or several of them joined by `#`."""
    pieces: list[str] = []
    while position < len(text):
        if text[position] in '{"':
            end = _closing(text, position)
            pieces.append(text[position + 1 : end])
            position = end + 1
        elif bare := _BARE.match(text, position):
            pieces.append(macros.get(bare[0].lower(), bare[0]))
            position = bare.end()
        else:
            break
        joint = _JOIN.match(text, position)
        if joint is None:
            break
        position = joint.end()
    return "".join(pieces)[:20_000], position


_DELIMITER = re.compile(r'\\.|[{}"]', re.DOTALL)


def _closing(text: str, start: int) -> int:
    """Where the value that opens at `start` ends; the end of the text where it never does."""
    quoted, depth = text[start] == '"', 0
    for found in _DELIMITER.finditer(text, start + 1):
        sign = found[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            if depth == 0 and not quoted:
                return found.start()
            depth = max(0, depth - 1)
        elif sign == '"' and quoted and depth == 0:
            return found.start()
    return len(text)


def _entry(kind: str, key: str, fields: dict[str, str]) -> BibEntry:
    plain = {name: clean(from_latex(value)) for name, value in fields.items()}

    def first(*names: str) -> str | None:
        return next((value for name in names if (value := plain.get(name))), None)

    known: dict[str, Any] = {field: first(*names) for field, names in _TEXT.items()}
    for name in ("doi", "url"):  # people write these as they are, without escapes
        if fields.get(name) and "\\" not in fields[name]:
            known[name] = clean(fields[name].strip("{} "))
    entry_type = _READ_TYPES.get(kind, "document")
    known["doi"] = clean_doi(known["doi"])
    known["page"] = clean_pages(known["page"])
    eprint = first("eprint")
    if eprint and (first("archiveprefix", "eprinttype") or "arxiv").lower() == "arxiv" and find_arxiv(eprint):
        known["number"] = f"arXiv:{find_arxiv(eprint)}"
        entry_type = "article" if entry_type == "document" else entry_type
    if entry_type == "report":
        known["number"], known["issue"] = known.pop("issue"), None
    month = month_number(plain.get("month") or "")
    issued = read_date(first("date")) or make_date(first("year"), month, first("day"))
    return BibEntry(
        id=key,
        type=entry_type,
        author=_people(fields.get("author", "")),
        editor=_people(fields.get("editor", "")),
        issued=issued,
        accessed=read_date(first("urldate")),
        **known,
    )


def _people(written: str) -> tuple[PersonName, ...]:
    people: list[PersonName] = []
    for one in _split_names(written)[:MOST_NAMES]:
        if one.startswith("{") and _closing(one, 0) == len(one) - 1:
            whole = clean(from_latex(one))
            if whole:
                people.append(PersonName(literal=whole))
        elif one.lower() != "others" and (person := read_person(from_latex(one))):
            people.append(person)
    return tuple(people)


def _split_names(written: str) -> list[str]:
    """At each `and` that is in no braces."""
    names: list[str] = []
    start = depth = scanned = 0
    for joint in _AND.finditer(written):
        between = re.sub(r"\\.", "", written[scanned : joint.start()])
        depth += between.count("{") - between.count("}")
        scanned = joint.start()
        if depth <= 0:
            names.append(written[start : joint.start()].strip())
            start = joint.end()
    return [name for name in (*names, written[start:].strip()) if name]


# --- writing -------------------------------------------------------------------------------------


def write_bibtex(entry: BibEntry) -> str:
    """The entry as BibTeX, with the fields that are known and no others."""
    kinds = {kind: name for name, kind in _TYPES.items()}
    lines: list[tuple[str, str]] = []
    for name in ("author", "editor"):
        if people := getattr(entry, name):
            lines.append((name, f"{{{' and '.join(map(_written, people))}}}"))
    for field, names in _TEXT.items():
        value = getattr(entry, field)
        if value:
            name = _OWN_FIELD.get((field, entry.type), names[0])
            lines.append((name, f"{{{_pages(value) if field == 'page' else to_latex(value)}}}"))
    lines += _written_number(entry)
    if when := entry.issued:
        lines.append(("year", f"{{{when.year}}}"))
        lines += [("month", month_name(when.month))] if when.month else []
        lines += [("day", f"{{{when.day}}}")] if when.day else []
    if entry.accessed:
        lines.append(("urldate", f"{{{_iso(entry.accessed)}}}"))
    body = "".join(f",\n  {name} = {value}" for name, value in lines)
    return f"@{kinds.get(entry.type, 'misc')}{{{citation_key(entry.id)}{body}\n}}\n"


def citation_key(identifier: str) -> str:
    """An id as BibTeX can have it as a key."""
    return _NOT_IN_KEY.sub("-", identifier).strip("-") or "source"


def _written_number(entry: BibEntry) -> list[tuple[str, str]]:
    if not entry.number:
        return []
    arxiv = find_arxiv(entry.number) if entry.number.startswith("arXiv:") else None
    if arxiv:
        return [("eprint", f"{{{to_latex(arxiv)}}}"), ("archiveprefix", "{arXiv}")]
    return [("number" if entry.type == "report" else "note", f"{{{to_latex(entry.number)}}}")]


def _written(person: PersonName) -> str:
    if person.literal:
        return f"{{{to_latex(person.literal)}}}"
    family = f"{to_latex(person.particle)} {_braced(person.family)}".strip()
    return ", ".join(part for part in (family, _braced(person.suffix), _braced(person.given)) if part)


def _braced(part: str) -> str:
    """In braces where BibTeX would read ` and ` or a comma in it otherwise than it is meant."""
    written = to_latex(part)
    return f"{{{written}}}" if "," in part or re.search(r"\band\b", part) else written


def _pages(pages: str) -> str:
    return "--".join(map(to_latex, pages.split("-")))


def _iso(when: PartialDate) -> str:
    return "-".join([f"{when.year:04}", *(f"{part:02}" for part in (when.month, when.day) if part)])
