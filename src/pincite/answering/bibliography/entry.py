"""One work, as a list of references has it: what is known, and nothing that is not.

A field that nobody said is None or empty. `clean` is the one way in for a text from a file: it leaves nothing
that a terminal, a page or LaTeX could obey by itself; each output format escapes its own markup on top.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Any

from msgspec import Struct

LONGEST = 2000
"""Characters of a field. A title is never longer; a field that is holds something else."""
MOST_NAMES = 500
TYPES = (
    "article-journal", "article", "book", "chapter", "paper-conference", "report", "thesis", "webpage",
    "dataset", "software", "document",
)  # fmt: skip
"""CSL's types of works that are told apart. `article` is a preprint, `document` anything else."""

_SPACES = re.compile(r"\s+")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>{}|\\^`]{1,300}", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?<![\w.])(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?(?![\w.]*\d)"
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WRITTEN_DATE = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.? )?(?P<month>[A-Z][a-z]{2,8})\.? "
    r"(?:(?P<after>\d{1,2})(?:st|nd|rd|th)?,? )?"
    r"(?P<year>\d{4})(?!\d)"
)
_BODIES = re.compile(
    r"\b(?:agency|association|authority|bank|board|bureau|cent(?:er|re)|city|college|commission|committee|company|"
    r"consortium|corporation|council|department|federation|foundation|gmbh|government|group|inc|institut\w*|"
    r"laborator\w*|ltd|ministry|office|organi[sz]ation|press|programme|project|school|service|society|team|union|"
    r"universit\w*|works)\b",
    re.IGNORECASE,
)
"""Words in the names of bodies that write: such a name is not turned around like a person's."""


class PersonName(Struct, frozen=True):
    """A person by the parts of the name, or anything else that writes (`literal`: a city, a committee)."""

    family: str = ""
    given: str = ""
    particle: str = ""
    """What belongs to the family name and is not sorted by: `van`, `de la`."""
    suffix: str = ""
    literal: str = ""


class PartialDate(Struct, frozen=True):
    """A date as far as it is known."""

    year: int
    month: int | None = None
    day: int | None = None


class BibEntry(Struct, frozen=True):
    """One work. The names of the fields are CSL's, with underscores."""

    id: str
    type: str = "document"
    title: str | None = None
    author: tuple[PersonName, ...] = ()
    editor: tuple[PersonName, ...] = ()
    issued: PartialDate | None = None
    accessed: PartialDate | None = None
    container_title: str | None = None
    publisher: str | None = None
    publisher_place: str | None = None
    volume: str | None = None
    issue: str | None = None
    page: str | None = None
    edition: str | None = None
    number: str | None = None
    """Of a report or a preprint: `TR-7`, `arXiv:1706.03762`."""
    doi: str | None = None
    url: str | None = None
    isbn: str | None = None
    issn: str | None = None
    language: str | None = None


NAME_FIELDS = ("author", "editor")
DATE_FIELDS = ("issued", "accessed")
TEXT_FIELDS = tuple(
    name for name in BibEntry.__struct_fields__ if name not in ("id", "type", *NAME_FIELDS, *DATE_FIELDS)
)


def clean(value: Any) -> str | None:
    """A text on one line without control, private or unassigned characters, or None where nothing is left."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)[: LONGEST * 4]
    if not text.isascii() or not text.isprintable():
        text = unicodedata.normalize("NFC", _SPACES.sub(" ", text))
        text = "".join(one for one in text if _is_shown(one))
    return _SPACES.sub(" ", text).strip()[:LONGEST].strip() or None


def _is_shown(character: str) -> bool:
    kind = unicodedata.category(character)
    # Joiners are part of words in some scripts and of emoji; other format characters only reorder or hide.
    return kind not in ("Cc", "Cs", "Co", "Cn", "Cf", "Zl", "Zp") or character in "\u200c\u200d"


def clean_doi(value: Any) -> str | None:
    """The DOI in a field or an address, or None."""
    text = clean(value)
    found = _DOI.search(text) if text else None
    return trim_doi(found[0]) if found else None


def clean_pages(pages: str | None) -> str | None:
    """`12–15` and the like as `12-15`."""
    return re.sub(r"\s?[-–—]{1,3}\s?", "-", pages) if pages else None


def find_dois(text: str) -> list[str]:
    """Every DOI in a text, in its order and once each, however it is capitalised."""
    found = (trim_doi(match[0]) for match in _DOI.finditer(text))
    return list({doi.casefold(): doi for doi in found}.values())


def trim_doi(doi: str) -> str:
    """Without the punctuation that ends a sentence around it; a bracket stays where its partner does."""
    while doi:
        last = doi[-1]
        alone = last in ")]" and doi.count(last) > doi.count("(" if last == ")" else "[")
        if last not in ".,;:!?*_" and not alone:
            break
        doi = doi[:-1]
    return doi


def find_arxiv(text: str) -> str | None:
    """The arXiv id that a text is, or names after `arXiv:` or in an address."""
    found = re.search(r"arxiv(?:\.org/(?:abs|pdf)/|:\s?|\s)", text, re.IGNORECASE)
    match = _ARXIV.match(text, found.end()) if found else _ARXIV.fullmatch(text.strip())
    return match[0] if match else None


def read_date(value: Any) -> PartialDate | None:
    """A date as files write it, or None: `2024-03-01`, `2024/3`, `March 1, 2024`, `D:20240301…`, a `date`."""
    if isinstance(value, date):
        return PartialDate(value.year, value.month, value.day)
    text = clean(value)
    if text is None:
        return None
    if digits := re.match(r"D:(\d{4})(\d\d)?(\d\d)?", text):
        return make_date(*digits.groups())
    if (written := _WRITTEN_DATE.search(text)) and written["month"][:3].lower() in _MONTHS:
        month = _MONTHS.index(written["month"][:3].lower()) + 1
        return make_date(written["year"], month, written["day"] or written["after"])
    found = _YEAR_FIRST.search(text)
    return make_date(*found.groups()) if found else None


def make_date(year: Any, month: Any = None, day: Any = None) -> PartialDate | None:
    """A date from its parts; a part that cannot be is left out with those below it."""
    try:
        known = PartialDate(int(year))
        if not 0 < known.year < 10_000:
            return None
    except (TypeError, ValueError, OverflowError):
        return None
    try:
        known = PartialDate(known.year, date(known.year, int(month), 1).month)
        return PartialDate(known.year, known.month, date(known.year, int(month), int(day)).day)
    except (TypeError, ValueError, OverflowError):
        return known


def month_number(text: str) -> int | None:
    """`jul`, `July` or `7` as a number."""
    short = text.strip().lower()[:3]
    if short in _MONTHS:
        return _MONTHS.index(short) + 1
    return int(short) if short.isdecimal() and 1 <= int(short) <= 12 else None


def month_name(month: int) -> str:
    """The three letters that BibTeX knows a month by."""
    return _MONTHS[month - 1]


def read_person(text: str) -> PersonName | None:
    """A name as it is written: `Family, Given`, `Family, Jr., Given` or `Given van Family`."""
    whole = clean(text)
    if whole is None:
        return None
    parts = [part.strip() for part in whole.split(",")]
    if len(parts) in (2, 3) and all(parts):
        particle, family = _split_particle(parts[0].split())
        return PersonName(family, parts[-1], particle, parts[1] if len(parts) == 3 else "")
    words = whole.split()
    if len(parts) > 1 or len(words) == 1 or len(words) > 6 or _BODIES.search(whole):
        return PersonName(literal=whole)
    first = next((at for at, word in enumerate(words[1:-1], 1) if word.islower()), len(words) - 1)
    particle, family = _split_particle(words[first:])
    return PersonName(family, " ".join(words[:first]), particle)


def _split_particle(words: list[str]) -> tuple[str, str]:
    at = 0
    while at < len(words) - 1 and words[at].islower():
        at += 1
    return " ".join(words[:at]), " ".join(words[at:])
