"""The numbered entries of an answer: from what its sources say of themselves, from files, from the network.

Nothing is guessed. A DOI or an arXiv id in the text of a source counts only on the first page, and only where
it is the one there: further on it is somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from pincite.answering.bibliography.bibtex import citation_key, read_bibtex
from pincite.answering.bibliography.item import (
    FIELDS,
    MOST_NAMES,
    TYPES,
    Item,
    clean,
    clean_item,
    find_arxiv,
    find_dois,
    read_csl_json,
)
from pincite.answering.bibliography.online import DoiResolver, LookupFailed
from pincite.answering.bibliography.ris import read_ris
from pincite.answering.bibliography.style import Numbered
from pincite.base import read_limited
from pincite.citations import is_generation_result
from pincite.errors import InputError, TooLargeError
from pincite.records import Source
from pincite.sources import plain

_NUMBER = ("citation-number", "number", "id", "index")
_DOCUMENT = ("document", "source", "source_id", "name")
_MOST = 10_000
LARGEST = 20 * 1024 * 1024
"""Bytes of a file of references."""
_READERS: dict[str, Callable[[str, Callable[[str], None]], list[Item]]] = {
    ".bib": read_bibtex,
    ".ris": read_ris,
    ".json": read_csl_json,
}


def gather(
    answer: Any,
    sources: Sequence[Source] = (),
    known: KnownItems | None = None,
    resolver: DoiResolver | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Numbered]:
    """The items of an answer's references, under the numbers that its text has.

    `answer` is a saved result, a record or anything with `references`: each has a number and the name of a
    document. A file of references counts more than the network, and that more than what a source says of
    itself. `tell` is told what could not be looked up.
    """
    gathered: list[Numbered] = []
    by_name = _by_name(sources)
    for position, reference in enumerate(_references(answer), 1):
        is_item = "type" in reference and not any(reference.get(field) for field in _DOCUMENT)
        number = _number(reference, position, _NUMBER[:1] if is_item else _NUMBER)
        fields = ("id",) if is_item else _DOCUMENT
        name = next((text for field in fields if (text := clean(reference.get(field)))), "")
        source = by_name.get(name)
        item = (
            item_of_source(source) if source else {"id": citation_key(name) if name else f"source-{number}"}
        )
        said = reference if is_item else _named(reference)
        item = filled(clean_item(item), clean_item(said))
        better = known.describing(item, (name, source.name if source else "")) if known else None
        if resolver is not None:
            try:
                item = filled(item, resolver.look_up(filled(item, better)))
            except LookupFailed as failed:
                tell(str(failed))
        item = filled(item, better)
        # An entry must say what it is about: where nothing else is known, it is the file's name.
        gathered.append((number, {**item, "title": item.get("title") or name or f"Source {number}"}))
    return sorted(gathered, key=lambda one: one[0])


def filled(item: Item, better: Item | None) -> Item:
    """What `better` says, and what it leaves open as `item` has it. The id stays."""
    kept = ("id", "type") if better and better["type"] == "document" else ("id",)
    return item | {name: value for name, value in (better or {}).items() if name not in kept}


def _named(reference: Mapping[str, Any]) -> Item:
    """What a reference to a document says of it: its title, its address and its DOI."""
    address = reference.get("url") or reference.get("URL")
    return {"title": reference.get("title"), "URL": address, "DOI": reference.get("doi")}


def _by_name(sources: Sequence[Source]) -> dict[str, Source]:
    """Each source by its name, and by an id, path or address that it shares with no other."""
    found: dict[str, Source | None] = {}
    for one in sources:
        for sign in {one.document_id, one.file_path, one.url}:
            if sign:
                found[sign] = None if sign in found else one
    return {sign: one for sign, one in found.items() if one} | {one.name: one for one in sources}


def _references(answer: Any) -> list[Mapping[str, Any]]:
    if is_generation_result(answer):
        return _of_citeformer(answer)
    listed = answer.get("references") if isinstance(answer, Mapping) else getattr(answer, "references", None)
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise InputError(
            "no list of references in it: give a result of `pincite answer`, or a .bib, .ris or .json file"
        )
    if len(listed) > _MOST:
        raise InputError(f"{len(listed):,} references are more than {_MOST:,}")
    read: list[Mapping[str, Any]] = []
    for one in listed:
        if isinstance(one, Mapping):
            read.append(one)
        elif isinstance(one, str):
            read.append({"document": one})
        elif hasattr(one, "__struct_fields__"):
            read.append(structs.asdict(one))
        else:
            raise InputError(f"a reference is an object or a text, not a {type(one).__name__}")
    return read


def _of_citeformer(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The CSL-JSON items of the sources that a result of citeformer cites, under their numbers in the text.

    Its own references are not used: in some styles they are numbered otherwise than the text.
    """
    sources = answer.get("sources")
    cited = [one.get("source_id") for one in answer["citations"][:_MOST] if isinstance(one, Mapping)]
    known = {number for number in cited if isinstance(number, int)}
    items: list[Mapping[str, Any]] = []
    for number, source in enumerate(sources[:_MOST] if isinstance(sources, list) else (), 1):
        if number in known:
            said = source.get("metadata") if isinstance(source, Mapping) else None
            said = said if isinstance(said, Mapping) else {}
            item = {key: value for key, value in said.items() if key not in _DOCUMENT}
            items.append({"type": "document", **item, _NUMBER[0]: number})
    return items


def _number(reference: Mapping[str, Any], position: int, fields: Sequence[str]) -> int:
    for field in fields:
        value = reference.get(field)
        if isinstance(value, str) and len(value) < 10 and value.strip("[]. ").isdecimal():
            value = int(value.strip("[]. "))
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1_000_000:
            return value
    return position


# --- files of references -------------------------------------------------------------------------


def read_reference_file(path: str | Path, tell: Callable[[str], None] = lambda _: None) -> list[Item]:
    """The items of a file, by its ending: `.bib`, `.ris`, or `.json` (CSL-JSON)."""
    path = Path(path)
    if path.suffix.lower() not in _READERS:
        raise InputError(f"{path}: not a file of references: expected {', '.join(_READERS)}")
    try:
        raw = read_limited(path, LARGEST + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    if len(raw) > LARGEST:
        raise TooLargeError(f"{path}: over {LARGEST // 1024 // 1024} MB; divide it")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # as older reference managers write
    try:
        return _READERS[path.suffix.lower()](text, lambda told: tell(f"{path}: {told}"))
    except InputError as error:
        raise type(error)(f"{path}: {error}") from None


class KnownItems:
    """Items from files, found by what a source is known by: DOI, address, number, file name or title."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._by_sign: dict[tuple[str, str], list[Item]] = {}
        for item in items:
            for sign in _signs(item):
                self._by_sign.setdefault(sign, []).append(item)

    def describing(self, item: Item, names: Iterable[str]) -> Item | None:
        """The one item that is about the same work; None where there is none, or more than one."""
        wanted = [*_signs(item), *(("name", _stem(name)) for name in names if name)]
        for kind in ("doi", "number", "url", "name", "title"):
            for sign in wanted:
                found = self._by_sign.get(sign, ()) if sign[0] == kind else ()
                if len(found) == 1:
                    return found[0]
        return None


def _signs(item: Item) -> list[tuple[str, str]]:
    signs = [("name", _stem(item["id"]))]
    if "DOI" in item:
        signs.append(("doi", item["DOI"].casefold()))
    if item.get("number", "").startswith("arXiv:"):
        signs.append(("number", re.sub(r"v\d+$", "", item["number"])))
    if "URL" in item:
        signs.append(("url", re.sub(r"^https?://(?:www\.)?|/$", "", item["URL"]).casefold()))
    if len(title := plain(item.get("title", ""))) >= 12:
        signs.append(("title", title))
    return signs


def _stem(name: str) -> str:
    return re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name.replace("\\", "/").rpartition("/")[2]).casefold()


# --- what a source says of itself ----------------------------------------------------------------


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
