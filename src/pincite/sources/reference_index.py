"""An answer's own list of references, by what its entries are looked up by: a label, or an author's name.

A list may have thousands of entries and an answer thousands of markers that point into it, so an entry is
looked up, not searched for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.records import Reference, WorkTarget
from pincite.sources.works import LONGEST_ENTRY, plain, surname


class ReferenceIndex:
    """The entries in order, and two ways to them. Each is made when it is first used."""

    def __init__(self, references: Iterable[Reference]) -> None:
        self.entries = tuple(references)
        self.labelled = any(entry.label for entry in self.entries)
        self.numbered = any(_folded(entry.label).isdecimal() for entry in self.entries)
        self.bibliography = any(isinstance(t, WorkTarget) for entry in self.entries for t in entry.targets)
        """Whether any entry is a work by author and year: only such a list can lack one."""
        self._labels: dict[str, list[Reference]] | None = None
        self._words: dict[str, list[int]] | None = None

    def by_label(self, label: str) -> Sequence[Reference]:
        """The entries that bear a label, with or without the `^` of a footnote."""
        if self._labels is None:
            self._labels = {}
            for entry in self.entries:
                self._labels.setdefault(_folded(entry.label), []).append(entry)
        return self._labels.get(_folded(label), ())

    def by_words(self, name: str, year: str) -> list[Reference]:
        """The entries that may be a work of that surname and year: those with the rarer of the two."""
        if self._words is None:
            self._words = {}
            for number, entry in enumerate(self.entries):
                for word in _words(entry):
                    self._words.setdefault(word, []).append(number)
        first_word = name.partition(" ")[0]
        lists = [self._words.get(word, []) for word in (first_word, year)]
        return [self.entries[number] for number in min(lists, key=len)]


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
