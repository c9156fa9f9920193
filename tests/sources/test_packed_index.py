"""The packed index against plain arithmetic, which scores every unit that shares a term with the claim."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.records import Source, Span, Table
from pincite.sources import ClaimIndex, claim_terms
from pincite.sources import packed_units as weighing
from pincite.sources.claim_units import ClaimTerms
from pincite.sources.packed_units import PackedIndex
from pincite.sources.ranking import SWEEPS, LibraryIndex
from pincite.text import inverse_frequency

# Few words, so that units hold the same ones, hold them twice, share pairs and tie.
WORD = st.sampled_from(["cat", "dog", "rain", "1,200", "million", "the", "of", "stone", "river", "Q2", "猫"])
SENTENCE = st.lists(WORD, min_size=1, max_size=9).map(lambda words: " ".join(words).capitalize() + ".")
CELL = st.lists(WORD, min_size=0, max_size=3).map(" ".join)
ROWS = st.integers(1, 3).flatmap(
    lambda columns: st.lists(st.lists(CELL, min_size=columns, max_size=columns), min_size=0, max_size=4)
)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    text = " ".join(draw(st.lists(SENTENCE, max_size=8)))
    tables = []
    rows = draw(ROWS)
    if rows:
        text += "\n"
        start, spans = len(text), []
        for row in rows:
            cells = []
            for cell in row:
                cells.append(Span(len(text), len(text) + len(cell)))
                text += cell + "\t"
            spans.append(tuple(cells))
            text = text[:-1] + "\n"
        tables.append(Table(start, len(text), spans[0], tuple(spans[1:])))
    title = draw(st.none() | CELL)
    return Source(name="s", text=text, title=title, tables=tuple(tables))


CLAIM = st.lists(WORD | st.just("zebra"), min_size=1, max_size=8).map(" ".join)


Places = dict[tuple[int, int], float]


def plain_weights(claim: ClaimTerms, indexes: list[ClaimIndex]) -> dict[str, float]:
    units = [set(index.stems_of(unit)) for index in indexes for unit in range(len(index.units))]
    return {
        stem: inverse_frequency(sum(stem in unit for unit in units), len(units))
        * times
        * (weighing.NUMBER_BONUS if stem in claim.numbers else 1.0)
        for stem, times in claim.counts.items()
    }


def plain_scores(claim: ClaimTerms, indexes: list[ClaimIndex], allowed: range | None = None) -> Places:
    """The score of every unit that holds a term of the claim, one after the other."""
    weights = plain_weights(claim, indexes)
    bonus = {pair: (weights[pair[0]] + weights[pair[1]]) / 2 for pair in claim.pairs}
    whole = sum(weights.values()) + weighing.ORDER_BONUS * sum(bonus.values())
    found: Places = {}
    for number, index in enumerate(indexes):
        units = allowed if allowed is not None else range(len(index.units))
        for unit in units:
            stems = index.stems_of(unit)
            own = [stem for stem in weights if stem in stems]
            before = index.stems_of(unit - 1) if unit - 1 in units else []
            heard = [stem for stem in weights if stem in before and stem not in own]
            told = [stem for stem in weights if stem in index.lead and stem not in (*own, *heard)]
            relative = min(3.0, len(stems) / index.mean_length)
            damping = weighing.SATURATION * (1 - weighing.LENGTH_WEIGHT + weighing.LENGTH_WEIGHT * relative)
            value = 0.0
            for stem in own:
                times = stems.count(stem)
                value += weights[stem] * times * (weighing.SATURATION + 1) / (times + damping)
            value += weighing.BEFORE_CREDIT * sum(weights[stem] for stem in heard)
            value += weighing.LEAD_CREDIT * sum(weights[stem] for stem in told)
            there = set(pairwise(stems[: index.own_lengths[unit]]))
            value += weighing.ORDER_BONUS * sum(bonus[pair] for pair in bonus if pair in there)
            value *= weighing.FRAGMENT_WORTH if len(stems) < weighing.FRAGMENT_TERMS else 1.0
            if own:
                found[number, unit] = min(1.0, value / whole)
    return found


def assert_same(
    packed: PackedIndex, claim: ClaimTerms, expected: Places, limit: int, allowed: Any = None
) -> None:
    """The units that were found are the best, in order, and score what plain arithmetic gives them."""
    ranked = packed.rank(claim, packed.weights(claim), limit, allowed)
    best = sorted(expected.values(), reverse=True)[:limit]
    assert [score for _, _, score in ranked] == pytest.approx(best, abs=1e-4)
    for source, unit, score in ranked:
        assert score == pytest.approx(expected[source, unit], abs=1e-4)
    assert ranked == sorted(ranked, key=lambda place: (-place[2], place[0], place[1]))


def packed_ways(indexes: list[ClaimIndex], claim: ClaimTerms) -> list[PackedIndex]:
    return [PackedIndex(indexes), PackedIndex(indexes, claim.counts)]


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(st.lists(sources(), min_size=1, max_size=6), CLAIM, st.integers(1, 6))
def test_packed_units_rank_and_score_as_plain_arithmetic_has_it(
    given_sources: list[Source], claim: str, limit: int
) -> None:
    indexes = [ClaimIndex(source) for source in given_sources]
    terms = claim_terms(claim)
    for packed in packed_ways(indexes, terms):
        assert packed.weights(terms) == pytest.approx(plain_weights(terms, indexes))
        assert_same(packed, terms, plain_scores(terms, indexes), limit)


@settings(max_examples=150, deadline=None)
@given(sources(), CLAIM, st.integers(0, 8), st.integers(0, 12), st.integers(1, 4))
def test_packed_units_of_a_stretch_rank_as_plain_arithmetic_has_it(
    source: Source, claim: str, first: int, count: int, limit: int
) -> None:
    index = ClaimIndex(source)
    terms = claim_terms(claim)
    chosen = index.units[first : first + count]
    allowed = index.units_in(Span(chosen[0].start, chosen[-1].end) if chosen else Span(0, 0))
    for packed in packed_ways([index], terms):
        assert_same(packed, terms, plain_scores(terms, [index], allowed), limit, allowed)


def test_the_same_holds_of_many_units_of_a_poor_vocabulary() -> None:
    dice = random.Random(5)
    words = [f"{onset}{vowel}t" for onset in "bcdfgklm" for vowel in "aeio"]

    def sentence() -> str:
        return " ".join(dice.choices(words, k=dice.randint(2, 9))).capitalize() + "."

    texts = [" ".join(sentence() for _ in range(dice.randint(0, 30))) for _ in range(20)]
    indexes = [ClaimIndex(Source(name=str(n), text=text)) for n, text in enumerate(texts)]
    packed = PackedIndex(indexes)
    for _ in range(8):
        terms = claim_terms(sentence() if dice.random() < 0.5 else dice.choice(texts[0].split(". ")))
        expected = plain_scores(terms, indexes)
        for limit in (1, 3, 20):
            assert_same(packed, terms, expected, limit)


def test_words_in_order_are_those_of_the_unit_and_never_of_its_header_or_its_neighbour() -> None:
    text = "Name\tPrice\nred apple\t3\ngreen\tapple\nThe price fell. Red paint sold."
    cells = [(0, 4), (5, 10), (11, 20), (21, 22), (23, 28), (29, 34)]
    spans = [Span(start, end) for start, end in cells]
    table = Table(0, 34, tuple(spans[:2]), (tuple(spans[2:4]), tuple(spans[4:])))
    indexes = [ClaimIndex(Source(name="t", text=text, tables=(table,)))]
    for left, right in pairwise(["name", "price", "red", "apple", "3", "green", "fell", "paint", "sold"]):
        claim = f"{left} {right}"
        terms = claim_terms(claim)
        for packed in packed_ways(indexes, terms):
            assert_same(packed, terms, plain_scores(terms, indexes), 9)


def test_a_large_library_gives_the_same_before_and_after_it_is_packed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"The river rose by {n} metres in {1900 + n}. Its bridge held. A dog swam." for n in range(40)]
    indexes = [ClaimIndex(Source(name=str(n), text=text)) for n, text in enumerate(texts)]
    small = LibraryIndex(indexes)
    before = small.rank(claim_terms("In 1917 the river rose by 17 metres"), 5)
    assert before[0][0] == 17
    assert 0 < small.nbytes < 10 * sum(map(len, texts))
    monkeypatch.setattr("pincite.sources.ranking.LARGE", 100)
    large = LibraryIndex(indexes)
    for _ in range(SWEEPS):
        assert large.nbytes == 0
        assert large.rank(claim_terms("In 1917 the river rose by 17 metres"), 5) == before
    assert large.nbytes == 0
    assert large.rank(claim_terms("In 1917 the river rose by 17 metres"), 5) == before
    assert large.nbytes == small.nbytes


def test_a_packed_library_of_nothing_gives_nothing() -> None:
    indexes = [ClaimIndex(Source(name="e", text="")), ClaimIndex(Source(name="p", text="?! ... --"))]
    packed = PackedIndex(indexes)
    terms = claim_terms("anything at all")
    assert packed.rank(terms, packed.weights(terms), 3) == []
    assert LibraryIndex([]).rank(terms, 3) == []
