"""A sentence as a judge reads it: nothing is left that only led to a marker."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text import plain_text

GAP = "\ufdd0"
"""What stands in a marker's place while the sentence is cleaned."""

_MARKER = re.compile(r"\[\d\]")


def plain(text: str) -> str:
    return plain_text(text, 0, len(text), [(m.start(), m.end(), "") for m in _MARKER.finditer(text)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rose 5% [1].", "It rose 5%."),
        ("It rose.[1].", "It rose."),
        ("It rose , [1].", "It rose."),
        ("It rose — [1]", "It rose"),
        ("In [1], it rose.", "It rose."),
        ("Source [1] states that it rose.", "It rose."),
        ("[1] says 5%, while [2] says 6%.", "The source says 5%, while the source says 6%."),
        ("The study [3] found it.", "The study found it."),
        ("It rose [1]: a lot.", "It rose: a lot."),
        ("“It rose” [1].", "“It rose”."),
        ("It rose [1] [2] (5%).", "It rose (5%)."),
        ("Sources: [1], [2].", ""),
        ("Is **bold**[1]**?**", "Is bold?"),
        (r"a \* b \[x\]", "a * b [x]"),
        ("~~old~~ new", "old new"),
        ("2*3 and 5 * 3 and *x*", "2*3 and 5 * 3 and x"),
        ("snake_case and _it_", "snake_case and it"),
        ("x <5 and y> 3, a<b", "x <5 and y> 3, a<b"),
        ("m<sup>2</sup>", "m2"),
        ("a <!-- b --> c <!-- d", "a c <!-- d"),
    ],
)
def test_markers_and_markdown_leave_no_trace(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_words_may_take_a_markers_place() -> None:
    assert plain_text("By [1] alone.", 0, 13, [(3, 6, "Lee")]) == "By Lee alone."


def test_only_the_given_stretch_is_read() -> None:
    assert plain_text("One [1]. Two [2]. Three.", 9, 17, [(4, 7, ""), (13, 16, "")]) == "Two."


@given(st.text(max_size=100), st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), max_size=4))
def test_any_text_comes_out_folded_and_without_gaps(text: str, gaps: list[tuple[int, int]]) -> None:
    result = plain_text(text, 0, len(text), sorted((min(g), max(g), "") for g in gaps))
    assert GAP not in result
    assert result == " ".join(result.split())


@pytest.mark.parametrize(
    ("cited", "read"),
    [
        ("The report says that costs were flat [1].", "Costs were flat."),
        ('The annual report states "costs were flat" [1].', '"costs were flat".'),
        ("According to the works council's minutes, costs were flat [1].", "Costs were flat."),
        ("The report says costs were flat [1].", "The report says costs were flat."),
        ("The board says that costs were flat [1].", "The board says that costs were flat."),
    ],
)
def test_a_cited_sentence_loses_the_words_that_only_name_its_source(cited: str, read: str) -> None:
    start = cited.index("[1]")
    assert plain_text(cited, 0, len(cited), [(start, start + 3, "")]) == read
