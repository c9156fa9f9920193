"""An answer's own list of references, and which source is the work that an entry, or a marker, speaks of.

A list may have thousands of entries and an answer thousands of markers that point into it, so an entry is
looked up by its label or by an author's name, not searched for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from pincite.records import Reference, Source, WorkTarget
from pincite.sources.names import file_name, identities, stem

_HEAD = 500
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NO_NAME = re.compile(r"(?:[^\W\d_]\.[ -]?){1,4}")
_NOT_WORD = re.compile(r"[\W_]+")
_SHORTEST_NAME = 4
LONGEST_ENTRY = 2000


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Letters and digits only, small, without accents, one space between words."""
    decomposed = unicodedata.normalize("NFKD", text)
    letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", letters).strip().casefold()


def surname(author: str) -> str:
    """`smith` of `Smith, J.` and of `J. Smith`; an organisation's name as a whole."""
    name = author.partition(",")[0]
    words = [word for word in name.split() if not _NO_NAME.fullmatch(word)]
    return plain(" ".join(words) or name)


def year_of(text: str) -> str | None:
    found = _YEAR.search(text)
    return found.group() if found else None


def sources_of_work(target: WorkTarget, sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """The sources that are the work, by the strongest sign that any of them has.

    What the source's own record says counts most, then its file name (`smith2020.pdf`), then its title and
    its first lines.
    """
    year = year_of(target.year)
    names = [surname(author) for author in target.authors if surname(author)]
    if year is None or not names:
        return ()
    by_record = tuple(source for source in sources if _record_fits(source, names, year))
    by_file = by_record or tuple(source for source in sources if _file_fits(source, names[0], year))
    return by_file or tuple(source for source in sources if _text_fits(source, names, year))


def _record_fits(source: Source, names: list[str], year: str) -> bool:
    fields = {key.casefold(): value for key, value in source.metadata.items()}
    authors = plain(str(fields.get("authors") or fields.get("author") or ""))
    dates = (fields.get(key) for key in ("year", "date", "published", "publication_date", "created_date"))
    said = year_of(" ".join(str(date) for date in dates if date))
    return bool(authors) and said == year and _has_words(authors, names[0])


def _file_fits(source: Source, name: str, year: str) -> bool:
    wanted = name.replace(" ", "")
    for known in (source.document_id, source.file_path, source.name):
        if known and year in (label := plain(stem(file_name(known))).replace(" ", "")) and wanted in label:
            return True
    return False


def _text_fits(source: Source, names: list[str], year: str) -> bool:
    head = f"{source.title or ''} {source.text[:_HEAD]}"
    if year not in head:
        return False
    head = plain(head)
    return year in head.split() and all(_has_words(head, name) for name in names[:3])


def _has_words(text: str, words: str) -> bool:
    return f" {words} " in f" {text} "


def references_of_work(target: WorkTarget, references: ReferenceIndex) -> list[Reference]:
    """The entries of the answer's own list for the work; a year's letter decides where both have one."""
    year = year_of(target.year)
    if year is None or not target.authors:
        return []
    name = surname(target.authors[0])
    near = references.by_words(name, year)
    fitting = [entry for entry in near if _entry_fits(entry, name, target.year, year)]
    wanted = target.year.casefold()
    return [entry for entry in fitting if wanted in plain(entry.text[:LONGEST_ENTRY]).split()] or fitting


def _entry_fits(entry: Reference, name: str, full_year: str, year: str) -> bool:
    for target in entry.targets:
        if isinstance(target, WorkTarget) and target.authors and year_of(target.year) == year:
            letters_differ = len(target.year) > 4 and len(full_year) > 4 and target.year != full_year
            if surname(target.authors[0]) == name and not letters_differ:
                return True
    words = plain(entry.text[:LONGEST_ENTRY])
    years = [word for word in words.split() if word[:4] == year and len(word) <= 5]
    other_letters = len(full_year) > 4 and all(
        len(word) == 5 and word != full_year.casefold() for word in years
    )
    return bool(years) and not other_letters and _has_words(words, name)


def sources_named_in(entry: str, sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """The sources whose name or title is in an entry's text; the longest name decides."""
    text = f" {plain(entry[:LONGEST_ENTRY])} "
    best: dict[int, list[Source]] = {}
    for source in sources:
        known = [plain(name) for name in identities(source)]
        lengths = [len(n) for n in known if len(n) >= _SHORTEST_NAME and f" {n} " in text]
        if lengths:
            best.setdefault(max(lengths), []).append(source)
    return tuple(best[max(best)]) if best else ()


class ReferenceIndex:
    """The entries in order, and two ways to them. Each is made when it is first used."""

    def __init__(self, references: Iterable[Reference]) -> None:
        self.entries = tuple(references)
        self.labelled = any(entry.label for entry in self.entries)
        self.numbered = any(_folded(entry.label).isdecimal() for entry in self.entries)
        self.bibliography = any(isinstance(t, WorkTarget) for entry in self.entries for t in entry.targets)
        """Whether any entry is a work by author and year: only such a list can lack one."""

    def by_label(self, label: str) -> Sequence[Reference]:
        """The entries with a label, with or without the `^` of a footnote."""
        return self._labels.get(_folded(label), ())

    @cached_property
    def _labels(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = {}
        for entry in self.entries:
            found.setdefault(_folded(entry.label), []).append(entry)
        return found

    def by_words(self, name: str, year: str) -> list[Reference]:
        """The entries that may be a work of that surname and year: those with the rarer of the two."""
        return min((self._words.get(word, []) for word in (name.partition(" ")[0], year)), key=len)

    @cached_property
    def _words(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = {}
        for entry in self.entries:
            for word in _words(entry):
                found.setdefault(word, []).append(entry)
        return found


def _folded(label: str) -> str:
    return label.removeprefix("^").casefold()


def _words(entry: Reference) -> set[str]:
    words = set(plain(entry.text[:LONGEST_ENTRY]).split())
    for target in entry.targets:
        if isinstance(target, WorkTarget) and target.authors:
            words.update(surname(target.authors[0]).split())
            words.add(target.year[:4])
    words.update([word[:4] for word in words if len(word) == 5])
    return words
