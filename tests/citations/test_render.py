"""citations/render: from targets back to text."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.citations import parse, render, render_span, replace_target, span_target
from pincite.errors import InputError
from pincite.records import NumberTarget, PathTarget, SpanTarget

offset = st.integers(0, 10**18 - 1)
names = st.text(min_size=1, max_size=30) | st.sampled_from(
    [
        "a.pdf",
        "a b.txt",
        "x:1:2-3",
        "[1]",
        'q"q.md',
        "back\\slash",
        "end\\",
        "\\",
        "|",
        "{0.page}",
        "John 3",
        "10",
    ]
)


def may_stand_in_a_marker(text: str) -> bool:
    """Two backticks, an image or a comment inside would hide the marker from the parser."""
    return not any(sign in text for sign in ("\n", "\r", "`", "<!--", "!["))


@given(names, st.none() | st.integers(1, 10**9 - 1), st.none() | st.tuples(offset, offset))
def test_any_name_comes_back_from_its_marker(
    name: str, page: int | None, offsets: tuple[int, int] | None
) -> None:
    assume(may_stand_in_a_marker(name))
    start, end = offsets or (None, None)
    marker = render_span(name, page, start, end)
    found = parse(f"Sales rose {marker}.").citations
    assert [citation.text for citation in found] == [marker]
    assert found[0].targets == (span_target(name, page, start, end),)


@given(names, st.text(max_size=40))
def test_any_excerpt_comes_back_from_its_marker(name: str, excerpt: str) -> None:
    assume(may_stand_in_a_marker(name + excerpt.replace("\n", "").replace("\r", "")))
    marker = render_span(name, 1, 2, 3, excerpt)
    (citation,) = parse(marker).citations
    assert (citation.text, citation.cited_text) == (marker, excerpt)


def test_a_plain_name_is_not_quoted() -> None:
    assert render_span("annual report.pdf", 3, 10, 20) == "[annual report.pdf:3:10-20]"
    assert render_span("annual report.pdf") == "[annual report.pdf]"


def test_a_target_made_from_another_is_rendered_by_its_place_and_not_by_the_old_key() -> None:
    (citation,) = parse("[a.pdf:1:2-3]").citations
    moved = SpanTarget("docs/b.pdf", 1, 2, 3, "a.pdf:1:2-3")
    assert replace_target(citation, 0, moved) == "[docs/b.pdf:1:2-3]"


def test_a_name_with_a_line_break_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="line break"):
        render_span("a\nb.pdf", 1, 2, 3)


def test_rendering_reads_the_targets_and_not_the_text() -> None:
    (citation,) = parse("[a.pdf:1:2-3]").citations
    moved = replace(citation, text="", targets=(SpanTarget("b.pdf", 4, 5, 6, "b.pdf:4:5-6"),))
    assert render(moved) == "[b.pdf:4:5-6]"


@pytest.mark.parametrize(
    ("marker", "index", "target", "expected"),
    [
        ("[a.pdf:1:2-3]", 0, span_target("a.pdf", 1, 5, 9), "[a.pdf:1:5-9]"),
        ("[a.pdf:p. 1:2–3]", 0, span_target("a.pdf", 2, 5, 9), "[a.pdf:p. 2:5–9]"),
        ("[a.pdf:1:2-3,7-9]", 1, span_target("a.pdf", 1, 70, 90), "[a.pdf:1:2-3,70-90]"),
        ("[a.pdf:1:2-3,7-9]", 1, span_target("a.pdf", 2, 70, 90), "[a.pdf:1:2-3][a.pdf:2:70-90]"),
        ("[a.pdf:1:2-3]", 0, span_target("b c.pdf", 1, 2, 3), "[b c.pdf:1:2-3]"),
        ("[a.pdf:1:2-3]", 0, span_target("b]c.pdf", 1, 2, 3), '["b]c.pdf":1:2-3]'),
        ("[a.pdf:2-3]", 0, span_target("a.pdf", 4, 2, 3), "[a.pdf:4:2-3]"),
        ('[a.pdf:1:2-3 | excerpt: "x"]', 0, span_target("a.pdf", 1, 8, 9), '[a.pdf:1:8-9 | excerpt: "x"]'),
        ("[1, 3]", 1, NumberTarget(4, "4"), "[1, 4]"),
        ("[1–3]", 1, NumberTarget(9, "9"), "[1, 9, 3]"),
        ("[a.b]", 0, PathTarget("a.c", "a.c"), "[a.c]"),
    ],
)
def test_one_target_can_be_exchanged(marker: str, index: int, target: SpanTarget, expected: str) -> None:
    (citation,) = parse(marker).citations
    changed = replace_target(citation, index, target)
    assert changed == expected
    assert target in [found for c in parse(changed).citations for found in c.targets]


# --- digits of other scripts -----------------------------------------------------------------------

ZEROS = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.decimal(chr(code), None) == 0]
WITH_NUMBERS = """\
[1] [12] [1, 3] [1,3] [2-4] [2–4] [1; 3] [ 1 ] [ 1 , 3 ] [1–3, 5] [1][2] [^1] [^12] [0] [007]
【3】 【3†source】 【4:0†source】 【1, 2】 word^1 word^1,2^ word^{1} word^[1] word¹
word<sup>3</sup> word<sup>[1, 3]</sup> [Source 1] [doc2] [cite: 3] [Source 1, 2] [Document 1, page 2]
[report.pdf:0-10] [report.pdf:3:0-10] [report.pdf:3:5-10,12-20] [report.pdf:p. 3:5-10] [report.pdf:007-010]
[report.pdf, p. 3] [report.pdf p.3] [report.pdf:3] [report.pdf, pp. 3-5] [report.pdf, pp. 3–5]
["Annual report":3:5-10] ["Annual report":5-10] [report.pdf:0-10 | excerpt: "12 men"]
[report2.pdf:1-2] [doc1.pdf; doc2.pdf]
[Smith 2020] (Smith, 2020) (Smith et al., 2020a, 2021) Smith (2020) (Smith, 2020, p. 12) [Smith 2020, p. 3]
[items[0].price] [$.a[1].b] [a.b[12]] https://example.com/1 [x](https://e.com/1) doi:10.1000/182
"""


def rewritten(text: str, zero: str, one_in: int) -> str:
    """The text with its digits, or every second or third of them, in the script that this zero is of."""
    count = 0
    made = []
    for character in text:
        if "0" <= character <= "9":
            count += 1
            if count % one_in == 0:
                character = chr(ord(zero) + int(character))
        made.append(character)
    return "".join(made)


@pytest.mark.parametrize("one_in", [1, 2, 3])
def test_digits_of_every_script_are_rendered_as_they_were_written(one_in: int) -> None:
    assert len(ZEROS) > 60
    for zero in ZEROS:
        text = rewritten(WITH_NUMBERS, zero, one_in)
        found = parse(text).citations
        assert len(found) > 10
        assert [render(one) for one in found] == [text[one.start : one.end] for one in found]


def test_a_number_in_another_script_can_be_exchanged() -> None:
    (citation,) = parse("So [1٣, ٤].").citations
    assert [target.number for target in citation.targets if isinstance(target, NumberTarget)] == [13, 4]
    assert replace_target(citation, 0, NumberTarget(7, "7")) == "[7, ٤]"


@pytest.mark.parametrize("marker", ["[a.pdf:٠-١٠]", "[a.pdf:007-010]", "[a.pdf:0-1٠]"])
def test_a_place_that_is_written_in_its_own_way_can_be_exchanged(marker: str) -> None:
    (citation,) = parse(marker).citations
    assert replace_target(citation, 0, span_target("a.pdf", None, 42, 84)) == "[a.pdf:42-84]"


def test_a_zero_of_any_script_is_no_number_of_a_source() -> None:
    assert parse("So [0] and [٠] and [٠٣] and [1, ٠].").citations == ()
