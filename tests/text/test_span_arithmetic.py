"""text/spans: half-open arithmetic."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Span
from pincite.text import SpanIndex, blanked, merge

spans = st.builds(lambda a, b: Span(a, b), st.integers(0, 60), st.integers(0, 60))


def points(given_spans: list[Span]) -> set[int]:
    return {at for span in given_spans for at in range(span.start, span.end)}


@given(st.lists(spans, max_size=12))
def test_merging_keeps_the_code_points_and_leaves_gaps_between_spans(given_spans: list[Span]) -> None:
    merged = merge(given_spans)
    assert points(merged) == points(given_spans)
    assert all(first.end < second.start for first, second in pairwise(merged))


@given(st.text(max_size=60), st.lists(spans, max_size=6))
def test_blanking_touches_nothing_but_the_spans(text: str, given_spans: list[Span]) -> None:
    inside = merge(Span(min(s.start, len(text)), min(s.end, len(text))) for s in given_spans)
    covered = points(inside)
    assert blanked(text, inside, "_") == "".join("_" if at in covered else c for at, c in enumerate(text))


@given(st.lists(spans, max_size=12), st.integers(-2, 62), st.integers(-2, 62))
def test_the_index_agrees_with_sets(given_spans: list[Span], start: int, end: int) -> None:
    index = SpanIndex(given_spans)
    covered = points(given_spans)
    assert index.covers(start) == (start in covered)
    assert index.overlaps(start, end) == bool(covered & set(range(start, end)))
    assert bool(index) == bool(covered)
