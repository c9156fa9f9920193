"""The packed index against plain arithmetic, which scores every unit that shares a term with the claim."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.records import Source, Span, Table
from pincite.sources import ClaimIndex, Library, claim_index, claim_terms, library_index
from pincite.text import inverse_frequency

SATURATION, LENGTH_WEIGHT, NUMBER_BONUS = 0.8, 0.4, 1.3
ORDER_BONUS, BEFORE_CREDIT, LEAD_CREDIT = 0.2, 0.1, 0.1
FRAGMENT_TERMS, FRAGMENT_WORTH = 4, 0.5

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


def plain_weights(claim: Any, indexes: list[ClaimIndex]) -> dict[str, float]:
    units = [set(index.stems_of(unit)) for index in indexes for unit in range(len(index.units))]
    return {
        stem: inverse_frequency(sum(stem in unit for unit in units), len(units))
        * times
        * (NUMBER_BONUS if stem in claim.numbers else 1.0)
        for stem, times in claim.counts.items()
    }


def plain_scores(claim: Any, indexes: list[ClaimIndex], allowed: range | None = None) -> Places:
    """The score of every unit that holds a term of the claim, one after the other."""
    weights = plain_weights(claim, indexes)
    bonus = {pair: (weights[pair[0]] + weights[pair[1]]) / 2 for pair in claim.pairs}
    whole = sum(weights.values()) + ORDER_BONUS * sum(bonus.values())
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
            damping = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative)
            value = 0.0
            for stem in own:
                times = stems.count(stem)
                value += weights[stem] * times * (SATURATION + 1) / (times + damping)
            value += BEFORE_CREDIT * sum(weights[stem] for stem in heard)
            value += LEAD_CREDIT * sum(weights[stem] for stem in told)
            there = set(pairwise(stems[: index.own_lengths[unit]]))
            value += ORDER_BONUS * sum(bonus[pair] for pair in bonus if pair in there)
            value *= FRAGMENT_WORTH if len(stems) < FRAGMENT_TERMS else 1.0
            if own:
                found[number, unit] = min(1.0, value / whole)
    return found


def assert_same(
    sources: list[Source], claim: Any, expected: Places, limit: int, within: Span | None = None
) -> None:
    """The units that were found are the best, in order, and score what plain arithmetic gives them."""
    ranked = library_index(Library(sources)).rank(claim, limit, within)
    best = sorted(expected.values(), reverse=True)[:limit]
    assert [found.score for _, found in ranked] == pytest.approx(best, abs=1e-4)
    for source, found in ranked:
        assert found.score == pytest.approx(expected[source, found.unit], abs=1e-4)
    assert ranked == sorted(ranked, key=lambda place: (-place[1].score, place[0], place[1].unit))


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(st.lists(sources(), min_size=1, max_size=6), CLAIM, st.integers(1, 6))
def test_units_rank_and_score_as_plain_arithmetic_has_it(
    given_sources: list[Source], claim: str, limit: int
) -> None:
    indexes = [claim_index(source) for source in given_sources]
    terms = claim_terms(claim)
    weights = library_index(Library(given_sources)).weights(terms)
    assert weights == pytest.approx(plain_weights(terms, indexes))
    assert_same(given_sources, terms, plain_scores(terms, indexes), limit)


@settings(max_examples=60, deadline=None)
@given(sources(), CLAIM, st.integers(0, 8), st.integers(0, 12), st.integers(1, 4))
def test_units_of_a_stretch_rank_as_plain_arithmetic_has_it(
    source: Source, claim: str, first: int, count: int, limit: int
) -> None:
    index = claim_index(source)
    terms = claim_terms(claim)
    chosen = index.units[first : first + count]
    within = Span(chosen[0].start, chosen[-1].end) if chosen else Span(0, 0)
    assert_same([source], terms, plain_scores(terms, [index], index.units_in(within)), limit, within)


DICE = random.Random(5)
WORDS = [f"{onset}{vowel}t" for onset in "bcdfgklm" for vowel in "aeio"]


def sentence() -> str:
    return " ".join(DICE.choices(WORDS, k=DICE.randint(2, 9))).capitalize() + "."


def test_the_same_holds_of_many_units_of_a_poor_vocabulary() -> None:
    texts = [" ".join(sentence() for _ in range(DICE.randint(0, 30))) for _ in range(20)]
    given_sources = [Source(name=str(n), text=text) for n, text in enumerate(texts)]
    indexes = [claim_index(source) for source in given_sources]
    for _ in range(8):
        terms = claim_terms(sentence() if DICE.random() < 0.5 else DICE.choice(texts[1].split(". ")))
        for limit in (1, 3, 20):
            assert_same(given_sources, terms, plain_scores(terms, indexes), limit)


def test_words_in_order_are_those_of_the_unit_and_never_of_its_header_or_its_neighbour() -> None:
    text = "Name\tPrice\nred apple\t3\ngreen\tapple\nThe price fell. Red paint sold."
    cells = [(0, 4), (5, 10), (11, 20), (21, 22), (23, 28), (29, 34)]
    spans = [Span(start, end) for start, end in cells]
    table = Table(0, 34, tuple(spans[:2]), (tuple(spans[2:4]), tuple(spans[4:])))
    source = Source(name="t", text=text, tables=(table,))
    for left, right in pairwise(["name", "price", "red", "apple", "3", "green", "fell", "paint", "sold"]):
        terms = claim_terms(f"{left} {right}")
        assert_same([source], terms, plain_scores(terms, [claim_index(source)]), 9)


@pytest.mark.thorough
def test_a_large_library_gives_the_same_before_and_after_it_is_packed() -> None:
    large = Library([Source(name=str(n), text=" ".join(sentence() for _ in range(1_100))) for n in range(20)])
    assert sum(len(claim_index(source).units) for source in large.sources) > 20_000
    claims = [claim_terms(sentence()) for _ in range(4)]
    index = library_index(large)
    swept = [index.rank(claim, 5) for claim in claims]
    assert index.nbytes == 0
    for _ in range(3):
        assert [index.rank(claim, 5) for claim in claims] == swept
    assert 0 < index.nbytes < 10 * sum(len(source.text) for source in large.sources)


def test_a_library_of_nothing_gives_nothing() -> None:
    terms = claim_terms("anything at all")
    for texts in ([], ["", "?! ... --"]):
        library = Library([Source(name=str(n), text=text) for n, text in enumerate(texts)])
        assert library_index(library).rank(terms, 3) == []
