"""What the rule judge knows of a text: its content words, its sentences, its quantities."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from msgspec import Struct

from pincite.records import Passage, Span
from pincite.text.numbers import Quantity, find_quantities
from pincite.text.sentences import split_sentences
from pincite.text.terms import Term, find_terms
from pincite.text.tokens import cells_apart, is_cell_line

_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def paired(terms: list[Term]) -> list[Term]:
    """Neighbouring characters of scripts without spaces, two by two: one alone says too little."""
    pairs: list[Term] = []
    for index, term in enumerate(terms):
        if not _UNSPACED.match(term.text):
            pairs.append(term)
            continue
        following = terms[index + 1] if index + 1 < len(terms) else None
        if following is not None and following.start == term.end and _UNSPACED.match(following.text):
            both = term.text + following.text
            pairs.append(Term(both, both, term.start, following.end, False))
        elif index == 0 or terms[index - 1].end != term.start or not _UNSPACED.match(terms[index - 1].text):
            pairs.append(term)
    return pairs


class Reading:
    """A text read once: terms at once, the rest when somebody asks."""

    def __init__(self, text: str) -> None:
        self.text = text
        terms = find_terms(cells_apart(text))
        self.terms: list[Term] = paired(terms) if _UNSPACED.search(text) else terms

    @cached_property
    def starts(self) -> list[int]:
        return [term.start for term in self.terms]

    @cached_property
    def sentences(self) -> list[Span]:
        return split_sentences(self.text)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return find_quantities(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(term.stem for term in self.terms)

    def term_at(self, offset: int) -> int:
        """The index of the first term that begins at or after the offset."""
        return bisect_left(self.starts, offset)

    def terms_in(self, span: Span) -> list[Term]:
        return self.terms_in_range(span.start, span.end)

    def terms_in_range(self, start: int, end: int) -> list[Term]:
        return self.terms[self.term_at(start) : self.term_at(end)]

    def quantities_in(self, span: Span) -> list[Quantity]:
        first = bisect_left(self._quantity_starts, span.start)
        last = bisect_left(self._quantity_starts, span.end)
        return list(self.quantities[first:last])

    @cached_property
    def _quantity_starts(self) -> list[int]:
        return [quantity.start for quantity in self.quantities]


class Sentence(Struct, frozen=True, dict=True):
    """One sentence of the evidence: which passage it stands in, and where."""

    passage: int
    span: Span
    reading: Reading
    covered: float
    """How much of the claim's weight it carries, 0 to 1."""
    context: frozenset[str] = frozenset()
    """Stems that a reader of the sentence knows without being told: a table's header, the row's name."""

    @property
    def text(self) -> str:
        return self.span.of(self.reading.text)

    def terms(self) -> list[Term]:
        return self._terms

    @cached_property
    def is_row(self) -> bool:
        """A row of a table, which speaks of what it names and of nothing else."""
        return is_cell_line(self.text) or self.text.count("|") > 1

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(term.stem for term in self._terms) | self.context

    @cached_property
    def _terms(self) -> list[Term]:
        return self.reading.terms_in(self.span)


KEPT_READINGS = 256
"""How many texts stay open at once; what is shown again later is read again."""


class ReadingRoom:
    """Reads each text of a batch once, however many pairs show it one after the other."""

    def __init__(self) -> None:
        self._read: dict[str, Reading] = {}

    def read(self, text: str) -> Reading:
        reading = self._read.get(text)
        if reading is None:
            if len(self._read) >= KEPT_READINGS:
                del self._read[next(iter(self._read))]
            reading = self._read[text] = Reading(text)
        return reading

    def read_passage(self, passage: Passage) -> Reading:
        return self.read(passage.text)
