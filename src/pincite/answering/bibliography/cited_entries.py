"""From a saved answer to its numbered items: what the sources say, files of references, and the network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from pincite.answering.bibliography.bibtex import citation_key, read_bibtex
from pincite.answering.bibliography.item import Item, clean, clean_item, read_csl_json
from pincite.answering.bibliography.online import DoiResolver, LookupFailed
from pincite.answering.bibliography.ris import read_ris
from pincite.answering.bibliography.source import item_of_source
from pincite.answering.bibliography.style import Numbered
from pincite.base import read_limited
from pincite.citations import looks_like
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
    if looks_like(answer):
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


def read_references(path: str | Path, tell: Callable[[str], None] = lambda _: None) -> list[Item]:
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
