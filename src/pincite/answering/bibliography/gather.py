"""From a saved answer to its numbered entries: what the sources say, files of references, and the network.

Files of references are BibTeX, RIS and CSL-JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from pincite.answering.bibliography.bibtex import citation_key, read_bibtex
from pincite.answering.bibliography.csl_json import entry_of, read_csl_json
from pincite.answering.bibliography.described import entry_of_source
from pincite.answering.bibliography.entry import BibEntry, clean
from pincite.answering.bibliography.online import DoiResolver, LookupFailed
from pincite.answering.bibliography.ris import read_ris
from pincite.answering.bibliography.writing import NumberedEntry
from pincite.base import read_limited
from pincite.citations.providers.citeformer import looks_like
from pincite.errors import InputError, TooLargeError
from pincite.records import Source
from pincite.sources.reference_index import plain

_NUMBER = ("citation-number", "number", "id", "index")
_DOCUMENT = ("document", "source", "source_id", "name")
_MOST = 10_000
LARGEST = 50 * 1024 * 1024
READERS = {".bib": read_bibtex, ".ris": read_ris, ".json": read_csl_json}


def gather(
    answer: Any,
    sources: Sequence[Source] = (),
    known: KnownEntries | None = None,
    resolver: DoiResolver | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> list[NumberedEntry]:
    """The entries of an answer's references, under the numbers that its text has.

    `answer` is a saved result, a record or anything with `references`: each has a number and the name of a
    document. A file of references counts more than the network, and that more than what a source says of
    itself. `tell` is told what could not be looked up.
    """
    gathered: list[NumberedEntry] = []
    by_name = {source.name: source for source in sources}
    for position, reference in enumerate(_references(answer), 1):
        is_item = "type" in reference and not any(reference.get(field) for field in _DOCUMENT)
        number = _number(reference, position, _NUMBER[:1] if is_item else _NUMBER)
        fields = ("id",) if is_item else _DOCUMENT
        name = next((text for field in fields if (text := clean(reference.get(field)))), "")
        source = by_name.get(name) or _by_id(name, sources)
        entry = (
            entry_of_source(source)
            if source
            else BibEntry(id=citation_key(name) if name else f"source-{number}")
        )
        said = entry_of(reference if is_item else _named(reference, entry.id), f"source-{number}")
        entry = filled(said, entry)
        better = known.describing(entry, (name, source.name if source else "")) if known else None
        if resolver is not None:
            try:
                found = resolver.look_up(filled(entry, better) if better else entry)
                entry = filled(entry, found) if found else entry
            except LookupFailed as failed:
                tell(str(failed))
        entry = filled(entry, better) if better else entry
        if entry.title is None:  # an entry must say what it is about: all that is known is the file's name
            entry = structs.replace(entry, title=name or f"Source {number}")
        gathered.append(NumberedEntry(number, entry))
    return sorted(gathered, key=lambda one: one.number)


def _named(reference: Mapping[str, Any], identifier: str) -> dict[str, Any]:
    """What a reference to a document says of it: its title, its address and its DOI."""
    address = reference.get("url") or reference.get("URL")
    return {"id": identifier, "title": reference.get("title"), "URL": address, "DOI": reference.get("doi")}


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
    listed = sources if isinstance(sources, list) else []
    cited = [one.get("source_id") for one in answer["citations"][:_MOST] if isinstance(one, Mapping)]
    known = {number for number in cited if isinstance(number, int)}
    items: list[Mapping[str, Any]] = []
    for number, source in enumerate(listed[:_MOST], 1):
        said = source.get("metadata") if isinstance(source, Mapping) else None
        if number in known:
            said = said if isinstance(said, Mapping) else {}
            item = {key: value for key, value in said.items() if key not in _DOCUMENT}
            items.append({"type": "document", **item, _NUMBER[0]: number})
    return items


def _number(reference: Mapping[str, Any], position: int, fields: Sequence[str]) -> int:
    for field in fields:
        value = reference.get(field)
        if isinstance(value, bool):
            continue
        if isinstance(value, str) and value.strip("[]. ").isdecimal() and len(value) < 10:
            value = int(value.strip("[]. "))
        if isinstance(value, int) and 0 < value < 1_000_000:
            return value
    return position


def _by_id(name: str, sources: Sequence[Source]) -> Source | None:
    """The one source that goes by this id, path or address."""
    found = [one for one in sources if name and name in (one.document_id, one.file_path, one.url)]
    return found[0] if len(found) == 1 else None


# --- files of references -------------------------------------------------------------------------


def read_references_file(path: str | Path) -> list[BibEntry]:
    """The entries of a file, by its ending: `.bib`, `.ris`, or `.json` (CSL-JSON)."""
    path = Path(path)
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
    if path.suffix not in READERS:
        raise InputError(f"{path}: not a file of references: expected {', '.join(READERS)}")
    try:
        return READERS[path.suffix](text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


class KnownEntries:
    """Entries from files, found by what a source is known by: DOI, address, number, file name or title."""

    def __init__(self, entries: Iterable[BibEntry]) -> None:
        self._by_sign: dict[tuple[str, str], list[BibEntry]] = {}
        for entry in entries:
            for sign in _signs(entry):
                self._by_sign.setdefault(sign, []).append(entry)

    def describing(self, entry: BibEntry, names: Iterable[str]) -> BibEntry | None:
        """The one entry that is about the same work; None where there is none, or more than one."""
        wanted = [*_signs(entry), *(("name", _stem(name)) for name in names if name)]
        for kind in ("doi", "number", "url", "name", "title"):
            for sign in wanted:
                found = self._by_sign.get(sign, ()) if sign[0] == kind else ()
                if len(found) == 1:
                    return found[0]
        return None


def _signs(entry: BibEntry) -> list[tuple[str, str]]:
    signs = [("name", _stem(entry.id))]
    if entry.doi:
        signs.append(("doi", entry.doi.casefold()))
    if entry.number and entry.number.startswith("arXiv:"):
        signs.append(("number", re.sub(r"v\d+$", "", entry.number)))
    if entry.url:
        signs.append(("url", re.sub(r"^https?://(?:www\.)?|/$", "", entry.url).casefold()))
    if entry.title and len(title := plain(entry.title)) >= 12:
        signs.append(("title", title))
    return signs


def _stem(name: str) -> str:
    return re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name.replace("\\", "/").rpartition("/")[2]).casefold()


def filled(entry: BibEntry, better: BibEntry) -> BibEntry:
    """What `better` says, and what it leaves open as `entry` has it. The id stays."""
    known = {name: value for name in structs.asdict(better) if (value := getattr(better, name))}
    if better.type == "document":
        known.pop("type")
    return structs.replace(entry, **(known | {"id": entry.id}))
