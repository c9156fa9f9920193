"""The packed index against the plain one, which scores every unit that shares a term with the claim."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.records import Source, Span, Table
from pincite.sources.locate.claims import ClaimIndex, claim_terms, claim_weights
from pincite.sources.locate.packed import PackedIndex
from pincite.sources.locate.ranking import SWEEPS, LibraryIndex

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


def packed_ways(indexes: list[ClaimIndex], claim: str) -> list[PackedIndex]:
    """Everything packed or only what the claim asks for, each with a figure for all units and swept."""
    ways = [PackedIndex(indexes, only) for only in (None, claim_terms(claim).counts) for _ in range(2)]
    ways[1].dense = ways[3].dense = -1
    return ways


def one_by_one(indexes: list[ClaimIndex], claim: str, limit: int) -> list[tuple[int, int, float]]:
    terms = claim_terms(claim)
    weights = claim_weights(terms, indexes)
    found = [
        (number, scored.unit, scored.score)
        for number, index in enumerate(indexes)
        for scored in index.rank(terms, weights, limit=10_000)
    ]
    return sorted(found, key=lambda place: (-place[2], place[0], place[1]))[:limit]


@settings(max_examples=200, deadline=None)
@given(st.lists(sources(), min_size=1, max_size=6), CLAIM, st.integers(1, 6))
def test_packed_units_rank_and_score_as_every_unit_scored_one_by_one(
    given_sources: list[Source], claim: str, limit: int
) -> None:
    indexes = [ClaimIndex(source) for source in given_sources]
    terms = claim_terms(claim)
    for packed in packed_ways(indexes, claim):
        weights = claim_weights(terms, (packed,))
        assert weights == claim_weights(terms, indexes)
        assert packed.rank(terms, weights, limit) == one_by_one(indexes, claim, limit)


@settings(max_examples=300, deadline=None)
@given(sources(), CLAIM, st.integers(0, 8), st.integers(0, 12), st.integers(1, 4))
def test_packed_units_of_a_stretch_rank_as_one_by_one(
    source: Source, claim: str, first: int, count: int, limit: int
) -> None:
    index = ClaimIndex(source)
    terms = claim_terms(claim)
    weights = claim_weights(terms, (index,))
    chosen = index.units[first : first + count]
    within = Span(chosen[0].start, chosen[-1].end) if chosen else Span(0, 0)
    found = [(0, scored.unit, scored.score) for scored in index.rank(terms, weights, limit, within)]
    for packed in packed_ways([index], claim):
        assert packed.rank(terms, weights, limit, index.units_in(within)) == found


def test_the_same_holds_of_many_units_of_a_poor_vocabulary() -> None:
    dice = random.Random(5)
    words = [f"{onset}{vowel}t" for onset in "bcdfgklm" for vowel in "aeio"]

    def sentence() -> str:
        return " ".join(dice.choices(words, k=dice.randint(2, 9))).capitalize() + "."

    texts = [" ".join(sentence() for _ in range(dice.randint(0, 60))) for _ in range(40)]
    indexes = [ClaimIndex(Source(name=str(n), text=text)) for n, text in enumerate(texts)]
    packed = PackedIndex(indexes)
    for _ in range(60):
        claim = sentence() if dice.random() < 0.5 else dice.choice(texts[0].split(". "))
        terms = claim_terms(claim)
        weights = claim_weights(terms, (packed,))
        for limit in (1, 3, 20):
            expected = one_by_one(indexes, claim, limit)
            packed.dense = -1 if packed.dense >= 0 else 10_000
            assert packed.rank(terms, weights, limit) == expected


@settings(max_examples=150, deadline=None)
@given(sources(), CLAIM, st.integers(1, 4))
def test_the_best_of_one_source_are_those_of_all_its_units_scored(
    source: Source, claim: str, limit: int
) -> None:
    index = ClaimIndex(source)
    terms = claim_terms(claim)
    weights = claim_weights(terms, (index,))
    assert index.rank(terms, weights, limit) == index.rank(terms, weights, 10_000)[:limit]


def test_words_in_order_are_those_of_the_unit_and_never_of_its_header_or_its_neighbour() -> None:
    text = "Name\tPrice\nred apple\t3\ngreen\tapple\nThe price fell. Red paint sold."
    cells = [(0, 4), (5, 10), (11, 20), (21, 22), (23, 28), (29, 34)]
    spans = [Span(start, end) for start, end in cells]
    table = Table(0, 34, tuple(spans[:2]), (tuple(spans[2:4]), tuple(spans[4:])))
    indexes = [ClaimIndex(Source(name="t", text=text, tables=(table,)))]
    for left, right in pairwise(["name", "price", "red", "apple", "3", "green", "fell", "paint", "sold"]):
        claim = f"{left} {right}"
        terms = claim_terms(claim)
        for packed in packed_ways(indexes, claim):
            assert packed.rank(terms, claim_weights(terms, (packed,)), 9) == one_by_one(indexes, claim, 9)


def test_a_library_gives_the_same_before_and_after_it_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"The river rose by {n} metres in {1900 + n}. Its bridge held. A dog swam." for n in range(40)]
    indexes = [ClaimIndex(Source(name=str(n), text=text)) for n, text in enumerate(texts)]
    terms = claim_terms("In 1917 the river rose by 17 metres")
    plain = LibraryIndex(indexes)
    before = plain.rank(terms, 5)
    assert plain.nbytes == 0
    monkeypatch.setattr("pincite.sources.locate.ranking.PACKED_AFTER", 100)
    packed = LibraryIndex(indexes)
    for _ in range(SWEEPS):
        assert packed.rank(terms, 5) == before
        assert packed.weights(terms) == plain.weights(terms)
    assert packed.nbytes == 0
    assert packed.rank(terms, 5) == before
    assert before[0][0] == 17
    assert 0 < packed.nbytes < 10 * sum(map(len, texts))


def test_a_packed_library_of_nothing_gives_nothing() -> None:
    indexes = [ClaimIndex(Source(name="e", text="")), ClaimIndex(Source(name="p", text="?! ... --"))]
    packed = PackedIndex(indexes)
    terms = claim_terms("anything at all")
    assert packed.rank(terms, claim_weights(terms, (packed,)), 3) == []


def test_a_small_check_by_rules_loads_no_numpy() -> None:
    import subprocess
    import sys

    program = (
        "import sys, pincite; "
        "pincite.check('Rain fell. Sun shone.', {'a.txt': 'Rain fell in May. ' * 200}, judge='rules'); "
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
