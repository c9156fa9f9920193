"""One work as a CSL-JSON item: what is known of it, and nothing that is not.

`clean_item` is the one way in for data from a file, a source or the network. It cuts every value, keeps only
known fields, and leaves no character that a terminal or a page obeys. Each format escapes its own markup.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from pincite.base import read_json
from pincite.errors import InputError, TooLargeError


class Names(NamedTuple):
    """The names of one field, divided by spaces."""

    bibtex: str = ""
    ris: str = ""
    source: str = ""


TYPES = {
    "article-journal": ("article", "JOUR EJOUR MGZN NEWS"),
    "article": ("misc unpublished", "UNPB"),
    "book": ("book proceedings", "BOOK EBOOK"),
    "chapter": ("incollection inbook", "CHAP ECHAP"),
    "paper-conference": ("inproceedings conference", "CPAPER CONF"),
    "report": ("techreport report", "RPRT"),
    "thesis": ("phdthesis mastersthesis thesis", "THES"),
    "webpage": ("online electronic www", "ELEC WEB BLOG"),
    "dataset": ("dataset", "DATA"),
    "software": ("software", "COMP"),
    "document": ("misc", "GEN"),
}
"""The types that are told apart, in BibTeX and in RIS. `article` is a preprint, `document` anything else."""

FIELDS = {
    "title": Names("title", "TI T1 CT", "citation_title dc.title dcterms.title og:title title"),
    "author": Names(
        "author",
        "AU A1",
        "author authors creator citation_author dc.creator dcterms.creator article:author byline "
        "parsely-author",
    ),
    "editor": Names("editor", "ED A2", "editor editors citation_editor"),
    "issued": Names(
        "date",
        "DA",
        "citation_publication_date citation_date citation_online_date dc.date dcterms.issued dc.date.issued "
        "prism.publicationdate article:published_time date issued published publication_date year",
    ),
    "accessed": Names("urldate", "Y2"),
    "container-title": Names(
        "journal booktitle journaltitle maintitle",
        "T2 JO JF BT J2",
        "citation_journal_title citation_conference_title citation_inbook_title prism.publicationname "
        "container-title journal booktitle og:site_name",
    ),
    "publisher": Names(
        "publisher school institution organization howpublished",
        "PB",
        "citation_publisher dc.publisher citation_technical_report_institution "
        "citation_dissertation_institution publisher institution",
    ),
    "publisher-place": Names("address location", "CY PP", "publisher-place address location"),
    "volume": Names("volume", "VL", "citation_volume prism.volume volume"),
    "issue": Names("number", "IS", "citation_issue prism.number issue"),
    "page": Names("pages", "SP", "citation_firstpage pages page"),
    "edition": Names("edition", "ET", "edition"),
    "number": Names("", "M1", "citation_technical_report_number report_number"),
    "DOI": Names("doi", "DO", "citation_doi doi dc.identifier prism.doi subject identifier"),
    "URL": Names("url", "UR L2", "citation_public_url og:url url source_url"),
    "ISBN": Names("isbn", "", "citation_isbn isbn"),
    "ISSN": Names("issn", "SN", "citation_issn prism.issn issn"),
    "language": Names("language langid", "LA", "citation_language dc.language language lang"),
}
TEXTS = tuple(name for name in FIELDS if name not in ("author", "editor", "issued", "accessed"))


# --- items ---------------------------------------------------------------------------------------


Item = dict[str, Any]

LONGEST = 2000
"""Characters of a field. A title is never longer; a field that is holds something else."""
MOST_NAMES = 500
MOST_ITEMS = 50_000
MOST_VALUES = 2_000_000
"""Values in a CSL-JSON file, by the signs that come before each."""
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
_NAME_PARTS = ("family", "given", "non-dropping-particle", "suffix")
_SPACES = re.compile(r"\s+")
_MARKUP = re.compile(r"</?(?:i|b|sub|sup|sc|span|em|strong|scp)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>{}|\\^`]{1,300}", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?<![\w.])(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?(?![\w.]{0,9}\d)"
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WRITTEN_DATE = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.? )?(?P<month>[A-Z][a-z]{2,8})\.? "
    r"(?:(?P<after>\d{1,2})(?:st|nd|rd|th)?,? )?(?P<year>\d{4})(?!\d)"
)
_BODIES = re.compile(
    r"\b(?:agency|association|authority|bank|board|bureau|cent(?:er|re)|city|college|commission|committee|company|"
    r"consortium|corporation|council|department|federation|foundation|gmbh|government|group|inc|institut\w*|"
    r"laborator\w*|ltd|ministry|office|organi[sz]ation|press|programme|project|school|service|society|team|union|"
    r"universit\w*|works)\b",
    re.IGNORECASE,
)
"""Words in the names of bodies that write: such a name is not turned around like a person's."""


def read_csl_json(text: str, _: Any = None) -> list[Item]:
    """The items of a CSL-JSON file: a list, one item, or `{"items": […]}`."""
    if sum(map(text.count, "{[,")) > MOST_VALUES:
        raise TooLargeError(f"over {MOST_VALUES:,} values; divide the file")
    try:
        value = read_json(text)
    except ValueError as error:
        raise InputError(f"not JSON: {error}") from None
    if isinstance(value, Mapping):
        value = value.get("items", [value])
    if not isinstance(value, list):
        raise InputError("not CSL-JSON: expected a list of items")
    if len(value) > MOST_ITEMS:
        raise TooLargeError(f"over {MOST_ITEMS:,} entries; divide the file")
    return [clean_item(item, f"item{at}") for at, item in enumerate(value, 1) if isinstance(item, Mapping)]


def clean_item(given: Mapping[str, Any], otherwise: str = "item1") -> Item:
    """The fields that are known and of the right shape. Names and dates may be texts as people write them."""
    kind = clean(given.get("type")) or ""
    kind = _OTHER_TYPES.get(kind, kind)
    item: Item = {"id": clean(given.get("id")) or otherwise, "type": kind if kind in TYPES else "document"}
    read: dict[str, Any] = {name: _text(given.get(name)) for name in TEXTS}
    read["DOI"] = clean_doi(read["DOI"])
    read["page"] = re.sub(r"\s?[-–—]{1,3}\s?", "-", read["page"]) if read["page"] else None
    read |= {name: _names(given.get(name)) for name in ("author", "editor")}
    read |= {name: _date(given.get(name)) for name in ("issued", "accessed")}
    return item | {name: value for name, value in read.items() if value}


def clean(value: Any) -> str | None:
    """A text on one line without control, private or unassigned characters, or None where nothing is left."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, int) and abs(value) >= 10**18:
        return None  # a number of that size is no volume, page or year
    text = str(value)[: LONGEST * 4]
    if not text.isascii() or not text.isprintable():
        text = unicodedata.normalize("NFC", _SPACES.sub(" ", text))
        text = "".join(one for one in text if _is_shown(one))
    return _SPACES.sub(" ", text).strip()[:LONGEST].strip() or None


def _is_shown(character: str) -> bool:
    # Joiners are part of words in some scripts and of emoji; other format characters only reorder or hide.
    kind = unicodedata.category(character)
    return kind not in ("Cc", "Cs", "Co", "Cn", "Cf", "Zl", "Zp") or character in "\u200c\u200d"


def _text(value: Any) -> str | None:
    if isinstance(value, list):  # as some services hand out titles and numbers
        value = value[0] if value else None
    return clean(_MARKUP.sub("", value[: LONGEST * 4]) if isinstance(value, str) else value)


# --- names and dates -----------------------------------------------------------------------------


def _names(value: Any) -> list[dict[str, str]]:
    listed = value[:MOST_NAMES] if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [name for one in listed if (name := _name(one))]


def _name(one: Any) -> dict[str, str] | None:
    if not isinstance(one, Mapping):
        return read_name(one) if isinstance(one, str) else None
    parts = {part: text for part in _NAME_PARTS if (text := clean(one.get(part)))}
    if "family" in parts:
        if "non-dropping-particle" not in parts and (particle := clean(one.get("dropping-particle"))):
            parts["non-dropping-particle"] = particle
        return parts
    literal = clean(one.get("literal"))
    if literal is None and (name := clean(one.get("name"))):
        return read_name(name)
    literal = literal or parts.get("given")
    return {"literal": literal} if literal else None


def read_name(text: str) -> dict[str, str] | None:
    """A name as it is written: `Family, Given`, `Family, Jr., Given` or `Given van Family`."""
    whole = clean(text)
    if whole is None:
        return None
    parts = [part.strip() for part in whole.split(",")]
    suffix = ""
    words = whole.split()
    if len(parts) in (2, 3) and all(parts):
        last, given = parts[0].split(), parts[-1]
        suffix = parts[1] if len(parts) == 3 else ""
    elif len(parts) > 1 or len(words) == 1 or len(words) > 6 or _BODIES.search(whole):
        return {"literal": whole}
    else:
        first = next((at for at, word in enumerate(words[1:-1], 1) if word.islower()), len(words) - 1)
        last, given = words[first:], " ".join(words[:first])
    at = next((at for at, word in enumerate(last[:-1]) if not word.islower()), len(last) - 1)
    read = (" ".join(last[at:]), given, " ".join(last[:at]), suffix)
    return {part: text for part, text in zip(_NAME_PARTS, read, strict=True) if text}


def _date(value: Any) -> dict[str, Any] | None:
    if isinstance(value, Mapping):
        parts = value.get("date-parts")
        if not (isinstance(parts, list) and parts and isinstance(parts[0], list)):
            return _date(clean(value.get("raw") or value.get("literal")))
        parts = parts[0][:3]
    elif isinstance(value, date):
        parts = [value.year, value.month, value.day]
    elif written := _WRITTEN_DATE.search(text := clean(value) or ""):
        parts = [written["year"], month_number(written["month"]), written["day"] or written["after"]]
    else:
        found = _YEAR_FIRST.search(text)
        parts = list(found.groups()) if found else []
    known: list[int] = []
    for part in parts:  # as many of year, month and day as make a date
        try:
            date(*[*known, int(part), 1, 1][:3])
        except (TypeError, ValueError, OverflowError):
            break
        known.append(int(part))
    return {"date-parts": [known]} if known else None


def iso_date(value: Item) -> str:
    """`2024-03-01`, as far as it is known."""
    year, *others = value["date-parts"][0]
    return "-".join([f"{year:04}", *(f"{part:02}" for part in others)])


def month_number(text: str) -> int | None:
    """`jul`, `July` or `7` as a number."""
    short = text.strip().lower()[:3]
    return MONTHS.index(short) + 1 if short in MONTHS else int(short) if short.isdecimal() else None


# --- identifiers ---------------------------------------------------------------------------------


def clean_doi(value: Any) -> str | None:
    """The DOI in a field or an address, or None."""
    found = find_dois(clean(value) or "")
    return found[0] if found else None


def find_dois(text: str) -> list[str]:
    """Every DOI in a text, in its order and once each, however it is capitalised."""
    found = (_trim(match[0]) for match in _DOI.finditer(text))
    return list({doi.casefold(): doi for doi in found}.values())


def _trim(doi: str) -> str:
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
