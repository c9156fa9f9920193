"""BM25 against its formula, written out plainly."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.runs.targets.reference import K1, B, Bm25, stems

VOCABULARY = ["ferry", "harbour", "museum", "painting", "library", "bridge", "river"]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=8)


@given(st.lists(WORDS.map(" ".join), max_size=6), WORDS.map(" ".join))
def test_scores_are_those_of_the_formula(texts: list[str], query: str) -> None:
    documents = [stems(text) for text in texts]
    mean = sum(map(len, documents)) / len(documents) if any(documents) else 1.0
    expected = {}
    for number, words in enumerate(documents):
        score = 0.0
        for stem in set(stems(query)):
            holding = sum(stem in other for other in documents)
            times = words.count(stem)
            weight = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            score += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * len(words) / mean))
        if score:
            expected[number] = score
    found = Bm25(texts).rank(query, 100)
    assert dict(found) == pytest.approx(expected)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
