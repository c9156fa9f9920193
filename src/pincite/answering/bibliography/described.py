"""What a source says of itself: PDF information, `<meta>` elements, front matter, its record, ids in it.

Nothing is guessed. A DOI or an arXiv id in the text counts only on the first page, and only where it is the
one there: further on it is somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pincite.answering.bibliography.bibtex import citation_key
from pincite.answering.bibliography.csl_json import entry_of
from pincite.answering.bibliography.entry import (
    MOST_NAMES,
    TYPES,
    BibEntry,
    PersonName,
    clean,
    clean_doi,
    clean_pages,
    find_arxiv,
    find_dois,
    read_date,
    read_person,
)
from pincite.records import Source

_FIRST_PAGE = 3000
_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*\r?\n(.{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_TOOL = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - |\.(?:docx?|pptx?|tex|dvi)$", re.IGNORECASE)
"""What programs put around a file's name where they write it as the title."""
_NOBODY = re.compile(r"\(?(?:anonymous|unknown|unspecified|author|user|admin)\)?\Z", re.IGNORECASE)
"""What programs write as the author of a PDF that nobody named."""
_OWN_DOI = re.compile(r"(?:doi(?:\.org/|:)\s?|\bdoi\s)\s*(?=10\.)", re.IGNORECASE)
_ARXIV_STAMP = re.compile(r"arxiv(?::\s?|\.org/abs/)\S{1,40}", re.IGNORECASE)
_NAMES = ("author", "authors", "creator", "citation_author", "dc.creator", "dcterms.creator",
          "article:author", "byline", "parsely-author")  # fmt: skip
_FIELDS: dict[str, tuple[str, ...]] = {
    "title": ("citation_title", "dc.title", "dcterms.title", "og:title", "title"),
    "container_title": ("citation_journal_title", "citation_conference_title", "citation_inbook_title",
                        "prism.publicationname", "container-title", "journal", "booktitle", "og:site_name"),
    "publisher": ("citation_publisher", "dc.publisher", "citation_technical_report_institution",
                  "citation_dissertation_institution", "publisher", "institution"),
    "publisher_place": ("publisher-place", "address", "location"),
    "volume": ("citation_volume", "prism.volume", "volume"),
    "issue": ("citation_issue", "prism.number", "issue"),
    "page": ("pages", "page"),
    "edition": ("edition",),
    "number": ("citation_technical_report_number", "report_number"),
    "isbn": ("citation_isbn", "isbn"),
    "issn": ("citation_issn", "prism.issn", "issn"),
    "language": ("citation_language", "dc.language", "language", "lang"),
    "url": ("citation_public_url", "og:url", "url", "source_url"),
}  # fmt: skip
"""Each field with the names that it goes by: what indexes of papers read, then what any page may say."""
_DATES = ("citation_publication_date", "citation_date", "citation_online_date", "dc.date", "dcterms.issued",
          "dc.date.issued", "prism.publicationdate", "article:published_time", "date", "issued", "published",
          "publication_date", "year")  # fmt: skip


def entry_of_source(source: Source) -> BibEntry:
    """All that a source says of itself, as an entry whose id is the source's name."""
    described = _described(source)
    known: dict[str, Any] = {}
    for field, names in _FIELDS.items():
        known[field] = next((text for name in names if (text := _first(described.get(name)))), None)
    known["title"] = known["title"] if _trusted(source, described) else None
    known["title"] = known["title"] or _TOOL.sub("", clean(source.title) or "") or None
    known["url"] = _address(source.url) or _address(known["url"])
    first, last = _first(described.get("citation_firstpage")), _first(described.get("citation_lastpage"))
    if first:
        known["page"] = f"{first}-{last}" if last and last != first else first
    known["page"] = clean_pages(known["page"])
    known["issued"] = next(
        (date for name in _DATES if (date := read_date(_value(described.get(name))))), None
    )
    known["author"] = _people(described, _NAMES)
    if source.kind == "pdf" and _NOBODY.match(_first(described.get("author")) or ""):
        known["author"] = ()
    known["editor"] = _people(described, ("editor", "editors", "citation_editor"))
    known |= _identifiers(source, described, known)
    return BibEntry(id=citation_key(source.name), type=_type(source, described, known), **known)


def _described(source: Source) -> dict[str, Any]:
    """What is said, by lower-case names: the record's own fields, then the file's."""
    said: dict[str, Any] = {}
    for given in (source.metadata, source.metadata.get("described"), _front_matter(source)):
        if isinstance(given, Mapping):
            for name, value in given.items():
                said.setdefault(str(name).lower(), value)
    return said


def _trusted(source: Source, described: Mapping[str, Any]) -> bool:
    """A page's `<title>` is as good as `og:title`; what is made for indexes is better than both."""
    return source.title is None or any(
        _first(described.get(name)) for name in ("citation_title", "dc.title", "dcterms.title", "title")
    )


def _front_matter(source: Source) -> dict[str, Any]:
    """The YAML between the lines of dashes at the head of a Markdown file, or nothing."""
    if source.kind not in ("markdown", "text") or not source.text[:4].lstrip("\ufeff").startswith("---"):
        return {}
    found = _FRONT_MATTER.match(source.text)
    if found is None:
        return {}
    import yaml

    from pincite.yaml_limits import check_yaml

    try:
        check_yaml(found[1])
        read = yaml.safe_load(found[1])
    except (ValueError, yaml.YAMLError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _value(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and value else value


def _first(value: Any) -> str | None:
    return clean(_value(value))


def _address(value: Any) -> str | None:
    text = clean(value)
    return text if text and re.match(r"https?://[^\s<>\"']{3,1900}\Z", text, re.IGNORECASE) else None


def _people(described: Mapping[str, Any], names: Iterable[str]) -> tuple[PersonName, ...]:
    for name in names:
        value = described.get(name)
        if not value:
            continue
        listed = value if isinstance(value, list | tuple) else [value]
        if len(listed) == 1 and isinstance(listed[0], str):
            listed = _split_people(listed[0])
        people = [person for one in listed[:MOST_NAMES] if (person := _person(one))]
        if people:
            return tuple(people)
    return ()


def _split_people(text: str) -> list[str]:
    """Names in one text: divided by semicolons, by `and`, or by commas where each part is a whole name."""
    if ";" in text:
        return text.split(";")
    parts = re.split(r"\s+(?:and|&)\s+", text)
    commas = [part.strip() for one in parts for part in one.split(",") if part.strip()]
    if len(commas) > len(parts) and all(2 <= len(part.split()) <= 4 for part in commas):
        return commas
    return parts


def _person(one: Any) -> PersonName | None:
    if isinstance(one, Mapping):
        name = clean(one.get("name"))
        read = entry_of({"author": [one]}).author
        return (read_person(name) if name else None) or (read[0] if read else None)
    if not isinstance(one, str):
        return None
    text = clean(one)
    if text and re.match(r"https?:|@|www\.", text):  # an address of a profile is no name
        return None
    return read_person(text) if text else None


def _identifiers(source: Source, described: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """The DOI, and a preprint's number, of the source itself."""
    made: dict[str, Any] = {}
    for name in ("citation_doi", "doi", "dc.identifier", "prism.doi", "subject", "identifier"):
        if doi := clean_doi(_value(described.get(name))):
            made["doi"] = doi
            break
    head = source.text[: _page_end(source)]
    if "doi" not in made and _OWN_DOI.search(head):
        found = find_dois(head)
        if len(found) == 1:
            made["doi"] = found[0]
    stamps = {arxiv for stamp in _ARXIV_STAMP.findall(head) if (arxiv := find_arxiv(stamp))}
    said = _first(described.get("citation_arxiv_id")) or _first(described.get("arxiv")) or ""
    arxiv = find_arxiv(said) or (stamps.pop() if len(stamps) == 1 and not made else None)
    if arxiv and not known.get("number"):
        made["number"] = f"arXiv:{arxiv}"
        made["url"] = known.get("url") or f"https://arxiv.org/abs/{arxiv}"
    return made


def _page_end(source: Source) -> int:
    starts = source.page_starts or ()
    return min(_FIRST_PAGE, starts[1]) if len(starts) > 1 else _FIRST_PAGE


def _type(source: Source, described: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    said = _first(described.get("type")) or _first(described.get("csl_type"))
    if said in TYPES:
        return said
    for name, kind in (
        ("citation_journal_title", "article-journal"),
        ("citation_conference_title", "paper-conference"),
        ("citation_inbook_title", "chapter"),
        ("citation_technical_report_institution", "report"),
        ("citation_dissertation_institution", "thesis"),
        ("journal", "article-journal"),
    ):
        if described.get(name):
            return kind
    if str(known.get("number") or "").startswith("arXiv:"):
        return "article"
    if known.get("volume") and known.get("container_title"):
        return "article-journal"
    return "webpage" if known.get("url") else "document"
