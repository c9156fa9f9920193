"""Texts cut at the edges of their marks."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pincite.reports.html.marks import Gap, Piece, TextMark, cut, keep_near

marks = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda p: TextMark(p[0], p[0] + p[1], p)),
    max_size=8,
)


@given(st.text(max_size=40), marks)
def test_pieces_joined_are_the_text_and_lie_where_they_say(text: str, given_marks: list[TextMark]) -> None:
    pieces = cut(text, given_marks)
    assert "".join(piece.text for piece in pieces) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)


@given(st.text(min_size=1, max_size=40), marks)
def test_every_character_is_inside_just_the_marks_around_it(text: str, given_marks: list[TextMark]) -> None:
    inside = {
        at: sorted(piece.marks) for piece in cut(text, given_marks) for at in range(piece.start, piece.end)
    }
    for at in range(len(text)):
        assert inside[at] == sorted(one.value for one in given_marks if one.start <= at < one.end)


@given(st.text(max_size=40), marks)
def test_every_mark_within_the_text_begins_once_and_ends_once(text: str, given_marks: list[TextMark]) -> None:
    pieces = cut(text, given_marks)
    within = [one for one in given_marks if one.start <= len(text)]
    assert sorted(m for p in pieces for m in p.begins) == sorted(one.value for one in within)
    long = [one.value for one in within if one.start < min(one.end, len(text))]
    assert sorted(m for p in pieces for m in p.ends) == sorted(long)


def test_an_outer_mark_comes_before_the_one_inside_it() -> None:
    (_, inner, _) = cut("one two three", [TextMark(4, 7, "inner"), TextMark(0, 13, "outer")])
    assert inner.marks == ("outer", "inner")


@given(
    st.text(max_size=60),
    marks,
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5)), max_size=4),
    st.integers(0, 9),
)
def test_what_is_kept_and_what_is_left_out_make_up_the_text(
    text: str, given_marks: list[TextMark], wanted: list[tuple[int, int]], around: int
) -> None:
    places = [(start, start + length) for start, length in wanted]
    shown = keep_near(cut(text, given_marks), places, around)
    at = 0
    for one in shown:
        assert one.start == at
        at = one.end
        if isinstance(one, Piece):
            assert one.text == text[one.start : one.end]
    assert at == len(text)
    kept = {p for one in shown if isinstance(one, Piece) for p in range(one.start, one.end)}
    near = {p for start, end in places for p in range(max(0, start - around), min(len(text), end + around))}
    assert near <= kept
    assert not any(isinstance(a, Gap) and isinstance(b, Gap) for a, b in itertools.pairwise(shown))
