from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pincite.text import align

SMALL = st.text("abc", max_size=8)


class Found(NamedTuple):
    start: int
    end: int
    edits: int


def sure(pattern: str, text: str) -> Found:
    found = align(pattern, text)
    assert found is not None
    return Found(found.start, found.end, found.edits)


def fewest_edits(pattern: str, text: str) -> int:
    """The same by trying every stretch."""
    return min(
        Levenshtein.distance(pattern, text[start:end])
        for start in range(len(text) + 1)
        for end in range(start, len(text) + 1)
    )


@given(SMALL, st.text("abc", max_size=12))
def test_no_stretch_is_nearer_than_the_one_found(pattern: str, text: str) -> None:
    found = sure(pattern, text)
    assert 0 <= found.start <= found.end <= len(text)
    assert Levenshtein.distance(pattern, text[found.start : found.end]) == found.edits
    assert found.edits == fewest_edits(pattern, text)


@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None), min_size=1), st.text())
def test_a_pattern_in_the_text_is_found_without_edits(before: str, pattern: str, after: str) -> None:
    text = before + pattern + after
    found = sure(pattern, text)
    assert found.edits == 0
    assert text[found.start : found.end] == pattern


def test_both_ends_of_an_edited_pattern_are_found() -> None:
    text = "He said that the quick brown fox jumped over it, and left."
    found = sure("the quikc brwn foxx jumped", text)
    assert text[found.start : found.end] == "the quick brown fox jumped"


def test_an_edit_at_the_end_keeps_the_whole_word() -> None:
    text = "over the lazy dog today"
    for pattern in ("lazy dox", "xazy dog"):
        found = sure(pattern, text)
        assert text[found.start : found.end] == "lazy dog"


def test_nothing_is_found_beyond_the_allowed_edits() -> None:
    assert align("abcdef", "xxabxdexx", most_edits=1) is None
    assert align("abcdef", "xxabcdexx", most_edits=1) is not None
