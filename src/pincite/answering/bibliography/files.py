"""Files of references (BibTeX, RIS, CSL-JSON), and which of their entries describes a source."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import structs

from pincite.answering.bibliography.bibtex import read_bibtex
from pincite.answering.bibliography.csl_json import read_csl_json
from pincite.answering.bibliography.entry import BibEntry
from pincite.answering.bibliography.ris import read_ris
from pincite.errors import InputError, TooLargeError
from pincite.sources.reference_index import plain

LARGEST = 50 * 1024 * 1024
ENDINGS = (".bib", ".ris", ".json")


def read_references_file(path: str | Path) -> list[BibEntry]:
    """The entries of a file, by its ending: `.bib`, `.ris`, or `.json` (CSL-JSON)."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST:
            raise TooLargeError(f"{path}: over {LARGEST // 1024 // 1024} MB; divide it")
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    try:
        return read_references(raw, path.suffix)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def read_references(raw: bytes, ending: str) -> list[BibEntry]:
    """The entries of a file's bytes."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # as older reference managers write
    if ending == ".bib":
        return read_bibtex(text)
    if ending == ".ris":
        return read_ris(text)
    if ending == ".json":
        return read_csl_json(text)
    raise InputError(f"not a file of references: expected {', '.join(ENDINGS)}")


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
