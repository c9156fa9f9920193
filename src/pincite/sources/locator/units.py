"""What can be cited for a claim: the sentences and table rows of a source, none of them without end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import merge
from itertools import pairwise
from operator import itemgetter

from msgspec import Struct

from pincite.records import Source, Span, Table
from pincite.sources.surroundings import evidence_in, has_no_evidence
from pincite.text import find_terms, find_words, is_stopword, split_sentences, stem

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
    """Without the dots and rules that lead to a page number or fill a line: nobody cites those."""
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
    """`10.5` and `m` as `10500000`; what is no plain number stays as it is."""
    whole, _, decimals = digits.partition(".")
    zeros = _SCALES[scale]
    if not (whole + decimals).isdecimal() or len(decimals) > zeros or len(digits) > 20:
        return digits
    return (whole + decimals.ljust(zeros, "0")).lstrip("0") or "0"
