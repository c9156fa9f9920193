"""The sources of a check: found by name, never read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from msgspec import structs

from pincite.records import Source, UnreadSource
from pincite.sources.json_paths import find_path
from pincite.sources.names import NameIndex, identities, same_page, stem, web_keys

_MOST_REMEMBERED = 10_000
"""Words in brackets of which it is remembered whether they name a source: answers repeat them."""


class Library:
    """Every source that was given, read or not. A library is not changed after it was made."""

    def __init__(
        self,
        entries: Iterable[Source | UnreadSource] = (),
        ordered: bool = True,
        given: bool = True,
        in_parts: bool = False,
    ) -> None:
        self.entries: tuple[Source | UnreadSource, ...] = tuple(entries)
        """What was given, in the given order: a source that cannot be read keeps its place in a count."""
        self.ordered = ordered
        """Whether that order means something to the user, so that `[2]` can be the second source."""
        self.given = given
        """False when no sources were named at all; an empty folder was given, but holds none."""
        self.in_parts = in_parts
        """Whether sources that share a name are passages of one document, rather than a name too few."""
        self.sources: tuple[Source, ...] = tuple(e for e in self.entries if isinstance(e, Source))
        self.unread: tuple[UnreadSource, ...] = tuple(e for e in self.entries if isinstance(e, UnreadSource))
        self._by_name = {source.name: source for source in self.sources}
        self._borne: dict[str, bool] = {}

    def __len__(self) -> int:
        return len(self.sources)

    def __reduce__(self) -> tuple[type[Library], tuple[Any, ...]]:
        """To another process it goes as it was given; what it finds names by is built again there."""
        return Library, (self.entries, self.ordered, self.given, self.in_parts)

    def __repr__(self) -> str:
        return f"Library({len(self.sources)} sources, {len(self.unread)} unread)"

    def get(self, name: str) -> Source | None:
        """The source that is listed under exactly this name."""
        return self._by_name.get(name)

    def find(self, name: str) -> tuple[Source, ...]:
        """The sources that a cited name fits best; more than one when the name is ambiguous."""
        return self._names.find(name)

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex(self.sources)

    def bears(self, name: str) -> bool:
        """Whether a source, read or not, has this name or title. A plain word must be all of it."""
        known = self._borne.get(name)
        if known is None:
            known = self._bears(name)
            if len(self._borne) < _MOST_REMEMBERED:
                self._borne[name] = known
        return known

    def _bears(self, name: str) -> bool:
        found = self.find(name)
        if not found:
            return self.find_unread(name) is not None
        plain = name.isalpha() and (name.islower() or len(name) == 1)
        return not plain or any(name == known for source in found for known in identities(source))

    def has_path(self, path: str) -> bool:
        """Whether the path leads to a value in any of the sources of data."""
        return any(find_path(source, path) is not None for source in self._data)

    @cached_property
    def _data(self) -> tuple[Source, ...]:
        return tuple(source for source in self.sources if source.kind in ("json", "csv"))

    def near(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """Names of sources that a cited name was perhaps meant for, the nearest first."""
        return self._names.near(name, limit)

    def find_unread(self, name: str) -> UnreadSource | None:
        """The source of that name that was given but could not be read."""
        found = self._unread_names.find(name) if self.unread else ()
        return next((entry for entry in self.unread if found and entry.name == found[0].name), None)

    @cached_property
    def _unread_names(self) -> NameIndex:
        return NameIndex([Source(name=entry.name, text="") for entry in self.unread])

    def nth(self, index: int) -> Source | UnreadSource | None:
        """The source at a place in the given order, counted from 0; None when the order means nothing."""
        if not (self.ordered or len(self.entries) == 1) or not 0 <= index < len(self.entries):
            return None
        return self.entries[index]

    def numbered(self, number: int) -> tuple[Source, ...]:
        """The sources that have a number as their id or their name, such as `7.txt`."""
        return tuple(self._numbered.get(str(number), ()))

    @cached_property
    def _numbered(self) -> dict[str, list[Source]]:
        found: dict[str, list[Source]] = {}
        for source in self.sources:
            for known in dict.fromkeys((source.document_id, stem(source.name))):
                if known and known.isdecimal():
                    found.setdefault(known, []).append(source)
        return found

    def by_url(self, key: str) -> tuple[Source, ...]:
        """The sources known under a canonical web key: an address, a DOI, an arXiv or PubMed number."""
        return tuple(self._urls.get(same_page(key), ()))

    @property
    def knows_urls(self) -> bool:
        """Whether any source says where on the web it comes from."""
        return bool(self._urls)

    @cached_property
    def _urls(self) -> dict[str, list[Source]]:
        found: dict[str, list[Source]] = {}
        for source in self.sources:
            for key in dict.fromkeys(same_page(key) for key in web_keys(source)):
                found.setdefault(key, []).append(source)
        return found

    def extended(self, sources: Iterable[Source]) -> Library:
        """This library and what came with an answer. What the user gave wins where both know a document."""
        new = [source for source in sources if not self._knows(source)]
        if not new:
            return self
        ordered = self.ordered or not self.entries
        return Library(unique_names([*self.entries, *new]), ordered, in_parts=self.in_parts)

    def _knows(self, source: Source) -> bool:
        keys = web_keys(source)
        return any(self.by_url(key) for key in keys) if keys else bool(self.find(source.name))


def unique_names(entries: Sequence[Source | UnreadSource]) -> list[Source | UnreadSource]:
    """The same entries; those that share a name are listed as `name#1`, `name#2` and so on.

    The shared name stays known as the document's id, so that citing it is ambiguous and not a guess.
    """
    counts = Counter(entry.name for entry in entries)
    if all(count == 1 for count in counts.values()):
        return list(entries)
    taken = set(counts)
    numbers: Counter[str] = Counter()
    result: list[Source | UnreadSource] = []
    for entry in entries:
        if counts[entry.name] == 1:
            result.append(entry)
            continue
        name = entry.name
        while name in taken:
            numbers[entry.name] += 1
            name = f"{entry.name}#{numbers[entry.name]}"
        taken.add(name)
        if isinstance(entry, Source):
            result.append(structs.replace(entry, name=name, document_id=entry.document_id or entry.name))
        else:
            result.append(structs.replace(entry, name=name))
    return result
