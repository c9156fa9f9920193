"""Direct quotations, and what only looks like one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import find_quotes
from pincite.records import Span


def quotes(text: str) -> list[str]:
    markers = [Span(m.start(), m.end()) for m in re.finditer(r"\[\d\]|【[^】]*】", text)]
    return [quote.text for quote in find_quotes(text, 0, len(text), markers)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('He said "revenue rose by five percent" [1].', ["revenue rose by five percent"]),
        ("He said “revenue rose by five percent.”", ["revenue rose by five percent."]),
        ("Il a dit «les ventes ont augmenté» hier.", ["les ventes ont augmenté"]),
        ("Er sagte „das ist sehr gut“ gestern.", ["das ist sehr gut"]),
        ("Er sagte »das ist sehr gut« gestern.", ["das ist sehr gut"]),
        ("She said ‘it isn’t what you think’ then.", ["it isn’t what you think"]),
        ("「東京は日本の首都です」と言った。", ["東京は日本の首都です"]),
        ("“Sales rose a lot … and costs fell too,” he said.", ["Sales rose a lot", "and costs fell too,"]),
        ('"Sales rose a lot [...] and costs fell too"', ["Sales rose a lot", "and costs fell too"]),
        ('"The firm [Acme] rose a lot"', ["rose a lot"]),
        ('"one two [1] three four"', ["one two three four"]),
        ('"one two three [1]" x', ["one two three"]),
        ('"one two three【3†a.pdf】" x', ["one two three"]),
        ("> Revenue rose by\n> five percent [1].\n> — The CEO", ["Revenue rose by\nfive percent."]),
        ('He said "one two three" and "four five six".', ["one two three", "four five six"]),
        ('The "cloud" and “big data” era.', []),
        ("It's the dogs' tail and the '90s that's all.", []),
        ('The 5" pipe and the 6" pipe are long enough.', []),
        ('"never closed and so on', []),
        ('"First paragraph here.\n\nSecond" one.', []),
        ("rock ’n’ roll in the ‘90s and the ’80s", []),
        ("", []),
    ],
)
def test_quotations_are_found_and_scare_quotes_are_none(text: str, expected: list[str]) -> None:
    assert quotes(text) == expected


def test_offsets_count_in_the_answer_and_leave_out_marks_and_markers() -> None:
    answer = 'A is 1. He said "sales rose a lot [1]" today.'
    (quote,) = find_quotes(answer, 8, len(answer), [Span(34, 37)])
    assert quote.span.of(answer) == "sales rose a lot"
    assert quote.text == "sales rose a lot"


def test_only_the_given_stretch_is_searched() -> None:
    answer = '"one two three" "four five six"'
    assert [quote.text for quote in find_quotes(answer, 15, len(answer))] == ["four five six"]


def test_a_numbered_marker_is_known_without_being_told() -> None:
    assert [q.text for q in find_quotes('"one two [1] three four"')] == ["one two three four"]


_PIECES = st.one_of(
    st.sampled_from("“”„«»‹›‘’\"'「」>[]…. \n"),
    st.sampled_from(["one two three", "x", "[1]", "...", "\n\n", "\n> ", "\ud800"]),
)


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_quotes_are_in_order_and_made_of_the_answers_words(answer: str) -> None:
    position = 0
    for quote in find_quotes(answer):
        assert position <= quote.start < quote.end <= len(answer)
        position = quote.end
        own = iter(quote.span.of(answer))
        assert all(character in own for character in quote.text)
