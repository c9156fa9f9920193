"""The sentences and table rows of one source, and the terms that each of them holds."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from typing import overload

from pincite.records import Passage, Source, Span
from pincite.sources.locator.units import content_stems, find_units
from pincite.text import first_word, offsets, word_set

_LEAD_UNITS = 2

_PRONOUNS = word_set("he her his it its she such that their these they this those")


class Spans(Sequence[Span]):
    """The spans of a text's units: two numbers each and no object, as a large source has millions."""

    def __init__(self, length: int) -> None:
        self.starts = offsets(length)
        self.ends = offsets(length)

    def append(self, span: Span) -> None:
        self.starts.append(span.start)
        self.ends.append(span.end)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Span: ...

    @overload
    def __getitem__(self, index: slice) -> list[Span]: ...

    def __getitem__(self, index: int | slice) -> Span | list[Span]:
        if isinstance(index, slice):
            return [Span(*ends) for ends in zip(self.starts[index], self.ends[index], strict=True)]
        return Span(self.starts[index], self.ends[index])


class ClaimIndex:
    """The sentences and table rows of one source, and which terms each of them holds.

    It takes about half as much memory as an ASCII text itself, and grows with nothing else but its words.
    """

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self.units = Spans(len(source.text))
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        self.stems = array("i")
        """Of all units in a row, by their number; a table row's own are followed by those of its header."""
        self.lengths = array("I")
        """How many stems each unit has, its header's among them."""
        self.own_lengths = self.lengths
        self.starts = offsets(len(source.text))
        """Where the stems of each unit begin."""
        lead = set(content_stems(source.title or ""))
        for unit, (span, header) in enumerate(find_units(source)):
            stems = content_stems(self._text[span.start : span.end])
            if header and self.own_lengths is self.lengths:
                self.own_lengths = self.lengths[:]
            if self.own_lengths is not self.lengths:
                self.own_lengths.append(len(stems))
            if header:
                stems += content_stems(header)
            self.units.append(span)
            self.starts.append(len(self.stems))
            self.lengths.append(len(stems))
            self.stems.extend(map(numbers.__getitem__, stems))
            if unit < _LEAD_UNITS:
                lead.update(stems)
        numbers.default_factory = None
        self.numbers: dict[str, int] = numbers
        """Each stem of the source and its number."""
        self.words = list(numbers)
        """The stems by their number."""
        self.lead = frozenset(lead)
        """What a reader of any unit has been told by the title and the first units."""
        self.mean_length = max(1.0, len(self.stems) / max(1, len(self.units)))
        self.passages: dict[tuple[int, int], Passage] = {}
        """What was shown of the source lately: thousands of claims may be compared with the same sentence."""

    @property
    def nbytes(self) -> int:
        """The size of the arrays, which is all that grows with the source; its words are few beside them."""
        held = (self.units.starts, self.units.ends, self.stems, self.lengths, self.starts)
        return sum(len(numbers) * numbers.itemsize for numbers in held)

    def units_in(self, within: Span) -> range:
        """The units that lie in a span, wholly or in part."""
        first = bisect_left(self.units.ends, within.start + 1)
        last = bisect_left(self.units.starts, within.end)
        return range(first, max(first, last))

    def stems_of(self, unit: int) -> Sequence[str]:
        """The stems of a unit, those of its header among them."""
        start = self.starts[unit]
        return [self.words[number] for number in self.stems[start : start + self.lengths[unit]]]

    def points_back(self, unit: int) -> bool:
        """Whether a unit opens with a word that stands for something named before it."""
        start, end = self.units[unit].start, self.units[unit].end
        return first_word(self._text[start : min(end, start + 40)]).lower() in _PRONOUNS
