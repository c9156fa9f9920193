"""Faults that fuzzing found, each held by a test."""

from __future__ import annotations

import pytest

import pincite


@pytest.mark.parametrize(
    "answer",
    [
        'It rose [a.txt:1-2 | excerpt: "use `f(x)` here"].',
        'It rose [a.txt:1-2 | excerpt: "use <!-- that --> here"].',
        '[^1]: b\n> q `x` and\nmore! | excerpt: "x"] ',
        '[1] and then | excerpt: "x"].',
        "[a.txt:01]",
        "[a.txt, p. 05]",
        '["a.txt":01]',
    ],
)
def test_a_marker_is_told_in_the_answers_own_words(answer: str) -> None:
    parsed = pincite.parse(answer)
    for citation in parsed.citations:
        assert answer[citation.start : citation.end] == citation.text == pincite.render(citation)
    for bad in parsed.malformed:
        assert answer[bad.start : bad.end] == bad.text


def test_an_excerpt_may_hold_inline_code() -> None:
    (citation,) = pincite.parse('It rose [a.txt:1-2 | excerpt: "use `f(x)` here"].').citations
    assert citation.cited_text == "use `f(x)` here"


def test_an_excerpt_belongs_to_no_bracket_that_is_already_closed() -> None:
    citations = pincite.parse('It rose [1] and then | excerpt: "x"].').citations
    assert [citation.text for citation in citations] == ["[1]"]
