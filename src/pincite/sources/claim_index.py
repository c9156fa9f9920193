"""Where a source speaks of what a claim says: its sentences and table rows, ranked by the terms they share.

A unit's worth is the BM25 sum over the claim's terms (a rare term counts more, a repeated one a little more,
a long unit a little less), with a bonus for words in the same order, and a little credit for what the unit
does not say itself but its reader knows: the sentence before it, the title and the lead of the source.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from pincite.records import Source, Span, Table
from pincite.text.sentences import split_sentences
from pincite.text.terms import find_terms, inverse_frequency

_SATURATION = 0.8
_LENGTH_WEIGHT = 0.4
_NUMBER_BONUS = 1.3
_ORDER_BONUS = 0.2
_BEFORE_CREDIT = 0.1
_LEAD_CREDIT = 0.1
_LEAD_UNITS = 2
_FRAGMENT_TERMS = 4
_FRAGMENT_WORTH = 0.5
"""A unit of fewer terms than that is a heading or a label: it names a thing and seldom says much about it."""
_LONGEST_UNIT = 1_200
_RESCORED = 50
_LEADERS = ". ·…_-–—*=\t\r\n"
_FEWEST_LEADERS = 6

_PRONOUNS = frozenset(
    ("he", "her", "his", "it", "its", "she", "such", "that", "their", "these", "they", "this", "those")
)

_SCALES = {
    "k": 3,
    "thousand": 3,
    "m": 6,
    "mn": 6,
    "million": 6,
    "bn": 9,
    "billion": 9,
    "tn": 12,
    "trillion": 12,
}
"""How many zeros a word or a letter after a number stands for."""


class ClaimTerms(Struct, frozen=True):
    """What is looked for: each stem of a claim with how often it stands there, and the words in order."""

    counts: dict[str, int]
    numbers: frozenset[str]
    pairs: frozenset[tuple[str, str]]


class Scored(Struct, frozen=True):
    """One unit and its worth for a claim, from 0 to 1."""

    unit: int
    span: Span
    score: float


def claim_terms(claim: str) -> ClaimTerms:
    """The terms of a claim; its stop words only when it has nothing else."""
    stems = _content(claim) or [term.stem for term in find_terms(claim)]
    return ClaimTerms(
        counts=dict(Counter(stems)),
        numbers=frozenset(stem for stem in stems if stem[0].isdigit()),
        pairs=frozenset(pairwise(stems)),
    )


class ClaimIndex:
    """The sentences and table rows of one source, and which terms each of them holds."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self.units: list[Span] = []
        self._lengths = array("L")
        self._holders: dict[str, array[int]] = {}
        """Stem → the units that hold it, in order, one entry an occurrence."""
        self._holding: dict[str, int] = {}
        self._known_pairs: dict[int, frozenset[tuple[str, str]]] = {}
        self._lead = frozenset(_content(source.title or ""))
        for span, header in _units(source):
            self._add(span, header)
        self._mean_length = max(1.0, sum(self._lengths) / max(1, len(self.units)))

    def _add(self, span: Span, header: str) -> None:
        unit = len(self.units)
        stems = _content(span.of(self._text))
        if header:
            stems += _content(header)
        self.units.append(span)
        self._lengths.append(len(stems))
        for stem in stems:
            holders = self._holders.get(stem)
            if holders is None:
                holders = self._holders[stem] = array("L")
            holders.append(unit)
        if unit < _LEAD_UNITS:
            self._lead |= set(stems)

    def holding(self, stem: str) -> int:
        """How many units hold a stem."""
        count = self._holding.get(stem)
        if count is None:
            count = len(set(self._holders.get(stem, ())))
            if count:
                self._holding[stem] = count
        return count

    def rank(
        self, claim: ClaimTerms, weights: dict[str, float], limit: int, within: Span | None = None
    ) -> list[Scored]:
        """The best units for a claim, the best first; units that share nothing with it are left out."""
        held = self._held(claim, within)
        lead = {stem for stem in claim.counts if stem in self._lead}
        worth = {unit: self._worth(unit, held, weights, lead) for unit in held}
        first = sorted(worth, key=lambda unit: (-worth[unit], unit))[: max(_RESCORED, 2 * limit)]
        whole = sum(weights.values()) + _ORDER_BONUS * _pair_weight(claim.pairs, weights)
        found = []
        for unit in first:
            order = claim.pairs & self._pairs(unit) if claim.pairs else frozenset()
            value = worth[unit] + _ORDER_BONUS * _pair_weight(order, weights)
            if self._lengths[unit] < _FRAGMENT_TERMS:
                value *= _FRAGMENT_WORTH
            if value > 0:
                found.append(Scored(unit, self.units[unit], round(min(1.0, value / whole), 4)))
        found.sort(key=lambda scored: (-scored.score, scored.unit))
        return found[:limit]

    def units_in(self, within: Span) -> range:
        """The units that lie in a span, wholly or in part."""
        first = bisect_left(self.units, within.start + 1, key=lambda unit: unit.end)
        last = bisect_left(self.units, within.end, key=lambda unit: unit.start)
        return range(first, max(first, last))

    def points_back(self, unit: int) -> bool:
        """Whether a unit opens with a word that stands for something named before it."""
        opening = find_terms(self.units[unit].of(self._text)[:40])
        return bool(opening) and opening[0].text.lower() in _PRONOUNS

    def _held(self, claim: ClaimTerms, within: Span | None) -> dict[int, dict[str, int]]:
        """Each unit that shares a term with the claim, and how often it holds which."""
        held: dict[int, dict[str, int]] = {}
        allowed = self.units_in(within) if within is not None else range(len(self.units))
        for stem in claim.counts:
            holders = self._holders.get(stem)
            if holders is None:
                continue
            first, last = bisect_left(holders, allowed.start), bisect_left(holders, allowed.stop)
            for unit, times in Counter(holders[first:last]).items():
                held.setdefault(unit, {})[stem] = times
        return held

    def _worth(
        self, unit: int, held: dict[int, dict[str, int]], weights: dict[str, float], lead: set[str]
    ) -> float:
        own = held[unit]
        length = min(3.0, self._lengths[unit] / self._mean_length)
        damping = _SATURATION * (1.0 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
        value = sum(
            weights[stem] * times * (_SATURATION + 1.0) / (times + damping) for stem, times in own.items()
        )
        before = held.get(unit - 1, {})
        value += _BEFORE_CREDIT * sum(weights[stem] for stem in before if stem not in own)
        value += _LEAD_CREDIT * sum(weights[stem] for stem in lead if stem not in own and stem not in before)
        return value

    def _pairs(self, unit: int) -> frozenset[tuple[str, str]]:
        """The unit's stems two by two, kept for the next claim: the same units come up again and again."""
        pairs = self._known_pairs.get(unit)
        if pairs is None:
            pairs = frozenset(pairwise(_content(self.units[unit].of(self._text))))
            self._known_pairs[unit] = pairs
        return pairs


def claim_weights(claim: ClaimTerms, indexes: Sequence[ClaimIndex]) -> dict[str, float]:
    """What each term of the claim is worth among all units of the sources; one that none holds, the most."""
    count = sum(len(index.units) for index in indexes)
    weights = {}
    for stem, times in claim.counts.items():
        weight = inverse_frequency(sum(index.holding(stem) for index in indexes), count) * times
        weights[stem] = weight * (_NUMBER_BONUS if stem in claim.numbers else 1.0)
    return weights


def _content(text: str) -> list[str]:
    """The stems of a text without its stop words; `$10M`, `10 million` and `10,000,000` are one term."""
    stems: list[str] = []
    for term in find_terms(text):
        if term.stop:
            continue
        if term.text[0].isdigit():
            stems.append(_spelled_out(term.stem))
        elif stems and len(term.stem) > 1 and term.stem in _SCALES and stems[-1][0].isdigit():
            stems[-1] = _scaled(stems[-1], term.stem)
        else:
            stems.append(term.stem)
    return stems


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


def _pair_weight(pairs: frozenset[tuple[str, str]], weights: dict[str, float]) -> float:
    return sum((weights.get(left, 0.0) + weights.get(right, 0.0)) / 2 for left, right in pairs)


# --- what the units are --------------------------------------------------------------------------


def _units(source: Source) -> Iterator[tuple[Span, str]]:
    """Sentences, and table rows each with the header that explains it, in the order of the text."""
    rows = [unit for table in source.tables for unit in _rows(table, source.text)]
    outside = _outside(split_sentences(source.text), source.tables)
    sentences = [
        (_without_leaders(piece, source.text), "")
        for sentence in outside
        for piece in _pieces(sentence, source.text)
    ]
    yield from sorted(rows + sentences, key=lambda unit: unit[0])


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


def _outside(sentences: list[Span], tables: Sequence[Table]) -> Iterator[Span]:
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
