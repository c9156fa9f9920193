"""What a source says of itself: PDF information, `<meta>` elements, front matter, its record, ids in it.

Nothing is guessed. A DOI or an arXiv id in the text counts only on the first page, and only where it is the
one there: further on it is somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pincite.answering.bibliography.bibtex import citation_key
from pincite.answering.bibliography.crosswalk import FIELDS, TYPES
from pincite.answering.bibliography.item import (
    MOST_NAMES,
    Item,
    clean,
    clean_item,
    find_arxiv,
    find_dois,
)
from pincite.records import Source

_FIRST_PAGE = 3000
_FRONT_MATTER = 20_000
_TOOL = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - |\.(?:docx?|pptx?|tex|dvi)$", re.IGNORECASE)
"""What programs put around a file's name where they write it as the title."""
_NOBODY = re.compile(r"\(?(?:anonymous|unknown|unspecified|author|user|admin)\)?\Z", re.IGNORECASE)
"""What programs write as the author of a PDF that nobody named."""
_OWN_DOI = re.compile(r"doi(?:\.org/|:| )\s{0,9}10\.", re.IGNORECASE)
_ARXIV_STAMP = re.compile(r"arxiv(?::\s?|\.org/abs/)\S{1,40}", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>\"']{3,1900}", re.IGNORECASE)
_TYPE_BY_FIELD = {
    "citation_journal_title": "article-journal",
    "citation_conference_title": "paper-conference",
    "citation_inbook_title": "chapter",
    "citation_technical_report_institution": "report",
    "citation_dissertation_institution": "thesis",
    "journal": "article-journal",
}


def item_of_source(source: Source) -> Item:
    """All that a source says of itself, as an item whose id is the source's name."""
    said = _described(source)
    item: Item = {"id": citation_key(source.name)}
    for field, names in FIELDS.items():
        # Each name's value goes through the cleaning by itself: the first that leaves something counts.
        read = (
            clean_item({field: _given(field, said[name])}) for name in names.source.split() if name in said
        )
        item |= next(({field: one[field]} for one in read if field in one), {})
    # A page's `<title>` is as good as `og:title`; what is made for indexes is better than both.
    if source.title is not None and not any(clean(_first(said.get(name))) for name in _OWN_TITLES):
        item.pop("title", None)
    if "title" not in item and (title := _TOOL.sub("", clean(source.title) or "")):
        item["title"] = title
    addresses = [one for one in (source.url, item.pop("URL", None)) if one and _ADDRESS.fullmatch(one)]
    item |= {"URL": addresses[0]} if addresses else {}
    if "page" in item and (last := clean(_first(said.get("citation_lastpage")))) and last != item["page"]:
        item["page"] = f"{item['page']}-{last}"
    if source.kind == "pdf" and _NOBODY.match(clean(_first(said.get("author"))) or ""):
        item.pop("author", None)
    item |= _identifiers(source, said, item)
    return clean_item(item | {"type": _type(said, item)})


_OWN_TITLES = ("citation_title", "dc.title", "dcterms.title", "title")


def _described(source: Source) -> dict[str, Any]:
    """What is said, by lower-case names: the record's own fields, then the file's."""
    said: dict[str, Any] = {}
    for given in (source.metadata, source.metadata.get("described"), _front_matter(source)):
        if isinstance(given, Mapping):
            for name, value in given.items():
                said.setdefault(str(name).lower(), value)
    return said


def _front_matter(source: Source) -> dict[str, Any]:
    """The YAML between the lines of dashes at the head of a Markdown file, or nothing."""
    if source.kind not in ("markdown", "text"):
        return {}
    lines = source.text[:_FRONT_MATTER].removeprefix("\ufeff").splitlines()
    ends = (at for at, line in enumerate(lines) if at and line.rstrip() in ("---", "..."))
    if not lines or lines[0].rstrip() != "---" or (end := next(ends, None)) is None:
        return {}
    import yaml

    from pincite.base import check_yaml

    matter = "\n".join(lines[1:end])
    try:
        check_yaml(matter)
        read = yaml.safe_load(matter)
    except (ValueError, yaml.YAMLError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and value else value


def _given(field: str, value: Any) -> Any:
    if field not in ("author", "editor"):
        return _first(value)
    listed = list(value[:MOST_NAMES]) if isinstance(value, list | tuple) else [value]
    if len(listed) == 1 and isinstance(listed[0], str):
        listed = _split_people(clean(listed[0]) or "")
    # An address of a profile is no name.
    return [
        one for one in listed if not (isinstance(one, str) and re.match(r"\s{0,9}(?:https?:|@|www\.)", one))
    ]


def _split_people(text: str) -> list[str]:
    """Names in one text: divided by semicolons, by `and`, or by commas where each part is a whole name."""
    if ";" in text:
        return text.split(";")
    parts = re.split(r" (?:and|&) ", text)
    commas = [part.strip() for one in parts for part in one.split(",") if part.strip()]
    if len(commas) > len(parts) and all(2 <= len(part.split()) <= 4 for part in commas):
        return commas
    return parts


def _identifiers(source: Source, said: Mapping[str, Any], item: Item) -> Item:
    """The DOI, and a preprint's number, of the source itself."""
    made: Item = {}
    starts = source.page_starts or ()
    head = source.text[: min(_FIRST_PAGE, starts[1]) if len(starts) > 1 else _FIRST_PAGE]
    if "DOI" not in item and _OWN_DOI.search(head) and len(found := find_dois(head)) == 1:
        made["DOI"] = found[0]
    stamps = {arxiv for stamp in _ARXIV_STAMP.findall(head) if (arxiv := find_arxiv(stamp))}
    own = clean(_first(said.get("citation_arxiv_id"))) or clean(_first(said.get("arxiv"))) or ""
    arxiv = find_arxiv(own) or (stamps.pop() if len(stamps) == 1 and not made and "DOI" not in item else None)
    if arxiv and "number" not in item:
        made["number"] = f"arXiv:{arxiv}"
        made["URL"] = item.get("URL") or f"https://arxiv.org/abs/{arxiv}"
    return made


def _type(said: Mapping[str, Any], item: Item) -> str:
    own = clean(_first(said.get("type"))) or clean(_first(said.get("csl_type")))
    if own in TYPES:
        return own
    kind = next((kind for name, kind in _TYPE_BY_FIELD.items() if said.get(name)), None)
    if kind:
        return kind
    if item.get("number", "").startswith("arXiv:"):
        return "article"
    if "volume" in item and "container-title" in item:
        return "article-journal"
    return "webpage" if "URL" in item else "document"
