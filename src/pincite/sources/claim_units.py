"""What can be cited for a claim: the sentences and table rows of a source, and the terms of each."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import merge
from itertools import pairwise
from operator import itemgetter
from typing import overload

from msgspec import Struct

from pincite.records import Passage, Source, Span, Table
from pincite.sources.surroundings import evidence_in, has_no_evidence
from pincite.text import (
    find_terms,
    find_words,
    first_word,
    is_stopword,
    offsets,
    split_sentences,
    stem,
    word_set,
)

_LONGEST_UNIT = 1_200
_PART = 1_000_000
_CUTS = tuple(
    map(re.compile, (r"\n\n(?=[^\W\d_])", r"\n(?=[^\W\d_])", r"[.!?][ \n]+(?=[^\W\d_])", r"\s+", ""))
)
"""Where a long text is cut, the best first: between paragraphs, lines, sentences, words, anywhere.

Between paragraphs a cut changes nothing, as long as a letter follows: where a sentence ends depends on what
stands before it only if it begins with a marker."""
_LEADERS = ". ·…_-–—*=\t\r\n"
_FEWEST_LEADERS = 6


_SCALES = {
    **dict.fromkeys(("k", "thousand"), 3),
    **dict.fromkeys(("m", "mn", "million"), 6),
    **dict.fromkeys(("bn", "billion"), 9),
    **dict.fromkeys(("tn", "trillion"), 12),
}
"""How many zeros a word or a letter after a number stands for."""

_MOST_TERMS = 1_000
"""Of a text without end only the beginning is looked for, so that its cost has a bound."""
_KNOWN_WORDS = 100_000
_LONGEST_KNOWN_WORD = 40

_LEAD_UNITS = 2

_PRONOUNS = word_set("he her his it its she such that their these they this those")


def find_units(source: Source) -> Iterator[tuple[Span, str]]:
    """Sentences, and table rows each with the header that explains it, in the order of the text."""
    text = source.text
    rows = sorted((unit for table in source.tables for unit in _rows(table, text)), key=itemgetter(0))
    spans = _outside(_sentences(text), source.tables)
    if has_no_evidence(source):
        spans = (part for sentence in spans for part in evidence_in(source, sentence))
    sentences = ((_without_leaders(piece, text), "") for span in spans for piece in _pieces(span, text))
    yield from merge(rows, sentences, key=itemgetter(0)) if rows else sentences


def _sentences(text: str) -> Iterator[Span]:
    """The sentences of a text; of a long one part by part, since splitting takes many times its size."""
    for start, end in _parts(text):
        for sentence in split_sentences(text[start:end]):
            yield Span(start + sentence.start, start + sentence.end)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """The text in parts of a fair length, cut between paragraphs; where there are none, at the next best."""
    start = 0
    while len(text) - start > 2 * _PART:
        cuts = (cut.search(text, start + _PART, start + 2 * _PART) for cut in _CUTS)
        end = next(cut.end() for cut in cuts if cut)
        yield start, end
        start = end
    yield start, len(text)


def _rows(table: Table, text: str) -> Iterator[tuple[Span, str]]:
    headers: dict[int, str] = {}
    if table.header:
        yield Span(table.header[0].start, table.header[-1].end), ""
    for row in table.rows:
        if row and row[-1].end > row[0].start:
            # Only the names of the columns that the row has: a header of thousands explains no short row.
            if len(row) not in headers:
                headers[len(row)] = " ".join(cell.of(text) for cell in table.header[: len(row)])
            yield Span(row[0].start, row[-1].end), headers[len(row)]


def _outside(sentences: Iterable[Span], tables: Sequence[Table]) -> Iterator[Span]:
    """The sentences that are no part of a table."""
    tables = sorted(tables, key=lambda table: table.start)
    next_table = 0
    for sentence in sentences:
        while next_table < len(tables) and tables[next_table].end <= sentence.start:
            next_table += 1
        if next_table == len(tables) or tables[next_table].start >= sentence.end:
            yield sentence


def _without_leaders(piece: Span, text: str) -> Span:
    """Without the dots and rules that lead to a page number or fill a line: which are never cited."""
    body = piece.of(text)
    words = body.strip(_LEADERS)
    if not words or len(body) - len(words) < _FEWEST_LEADERS:
        return piece
    start = piece.start + body.index(words)
    end = start + len(words)
    return Span(start, end + 1 if text[end : end + 1] == "." else end)


def _pieces(sentence: Span, text: str) -> Iterator[Span]:
    """A sentence, or what has no end for pages cut at white space into pieces of a fair length."""
    start = sentence.start
    while sentence.end - start > _LONGEST_UNIT:
        space = text.rfind(" ", start + _LONGEST_UNIT // 2, start + _LONGEST_UNIT)
        cut = space if space > start else start + _LONGEST_UNIT
        yield Span(start, cut)
        start = cut + 1 if space > start else cut
    if start < sentence.end:
        yield Span(start, sentence.end)


# --- terms --------------------------------------------------------------------------------------------


class ClaimTerms(Struct, frozen=True):
    """What is looked for: each stem of a claim with how often it occurs, and the words in order.

    Sums over them are taken in the order of the claim, so that every way of ranking gives the same figures.
    """

    counts: dict[str, int]
    numbers: frozenset[str]
    pairs: tuple[tuple[str, str], ...]


def claim_terms(claim: str) -> ClaimTerms:
    """The terms of a claim; its stop words only when it has nothing else."""
    stems = content_stems(claim) or [term.stem for term in find_terms(claim)]
    del stems[_MOST_TERMS:]
    return ClaimTerms(
        counts=dict(Counter(stems)),
        numbers=frozenset(stem for stem in stems if stem[0].isdigit()),
        pairs=tuple(dict.fromkeys(pairwise(stems))),
    )


def content_stems(text: str) -> list[str]:
    """The stems of a text without its stop words; `$10M`, `10 million` and `10,000,000` are one term."""
    stems: list[str] = []
    for word in find_words(text):
        found = _content_stem(word) if len(word) <= _LONGEST_KNOWN_WORD else _read_stem(word)
        if found is None:
            continue
        if found in _SCALES and len(found) > 1 and stems and stems[-1][0].isdigit():
            stems[-1] = _scaled(stems[-1], found)
        else:
            stems.append(found)
    return stems


def _read_stem(word: str) -> str | None:
    """The stem of a word, a number without its scale letter, or None for a stop word."""
    if is_stopword(word):
        return None
    return _spelled_out(stem(word)) if word[0].isdigit() else stem(word)


_content_stem = lru_cache(_KNOWN_WORDS)(_read_stem)


def _spelled_out(number: str) -> str:
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    return _scaled(digits, number[len(digits) :]) if number[len(digits) :] in _SCALES else number


def _scaled(digits: str, scale: str) -> str:
    """`10.5` and `m` as `10500000`; anything but a plain number stays as it is."""
    whole, _, decimals = digits.partition(".")
    zeros = _SCALES[scale]
    if not (whole + decimals).isdecimal() or len(decimals) > zeros or len(digits) > 20:
        return digits
    return (whole + decimals.ljust(zeros, "0")).lstrip("0") or "0"


# --- the units of one source, indexed -----------------------------------------------------------------


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
        """What a reader of any unit knows from the title and the first units."""
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
