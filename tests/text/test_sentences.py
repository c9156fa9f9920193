"""Sentences: where they end, and that every character keeps its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Span
from pincite.text import split_sentences


def sentences(text: str, language: str = "en") -> list[str]:
    return [span.of(text) for span in split_sentences(text, language)]


TRICKY = [
    ("It rose. It fell.", ["It rose.", "It fell."]),
    ("Dr. Smith left the U.S. in 1990. He is back.", ["Dr. Smith left the U.S. in 1990.", "He is back."]),
    (
        "J. K. Rowling wrote it. John F. Kennedy read it.",
        ["J. K. Rowling wrote it.", "John F. Kennedy read it."],
    ),
    ("Apple Inc. reported profits. It cost $3.5M.", ["Apple Inc. reported profits.", "It cost $3.5M."]),
    (
        "Some fruit, e.g. apples, is red. Lee et al. agree.",
        ["Some fruit, e.g. apples, is red.", "Lee et al. agree."],
    ),
    (
        "It cost approx. $5 to make. See fig. 3 for more.",
        ["It cost approx. $5 to make.", "See fig. 3 for more."],
    ),
    ("Vol. 2 is out. Eq. 4 holds.", ["Vol. 2 is out.", "Eq. 4 holds."]),
    ("Use v1.2.3 now. It is 3.5 GB.", ["Use v1.2.3 now.", "It is 3.5 GB."]),
    ("Visit example.com. Then return.", ["Visit example.com.", "Then return."]),
    ("Really?! Yes... But no.", ["Really?!", "Yes...", "But no."]),
    ("Dogs' tails wag. Cats' tails don't.", ["Dogs' tails wag.", "Cats' tails don't."]),
    ("“It rose.” She smiled.", ["“It rose.”", "She smiled."]),
    ('He said "Stop. Go away." Then he left.', ['He said "Stop. Go away."', "Then he left."]),
    ("(It rose.) Then it fell.", ["(It rose.) Then it fell."]),
    ("It rose (a lot.) Then it fell.", ["It rose (a lot.) Then it fell."]),
    ("It rose.) Then it fell.", ["It rose.)", "Then it fell."]),
    ("**It rose.** It fell. *It stood.* Yes.", ["**It rose.**", "It fell.", "*It stood.*", "Yes."]),
    ("它上升了。然后下降了。", ["它上升了。", "然后下降了。"]),
    ("1. First item\n2. Second item. More of it", ["1. First item", "2. Second item.", "More of it"]),
    ("1.\nFirst item", ["1.\nFirst item"]),
    ("- One\n- Two", ["- One", "- Two"]),
    ("a) One\nb) Two", ["a) One", "b) Two"]),
    ("# Title\nIt rose.", ["# Title", "It rose."]),
    ("Title\n\nIt rose.", ["Title", "It rose."]),
    ("It rose.\r\n\r\nIt fell.", ["It rose.", "It fell."]),
    ("", []),
    (" \n\t ", []),
]


MEASURED = [
    ("Add 3 g. Stir well.", ["Add 3 g.", "Stir well."]),
    ("Add 3g. Stir well.", ["Add 3g.", "Stir well."]),
    ("Keep it below 30 C. Do not freeze it.", ["Keep it below 30 C.", "Do not freeze it."]),
    ("Take it every 12 h. Stop after a week.", ["Take it every 12 h.", "Stop after a week."]),
    ("The way is 5 km. Rest then.", ["The way is 5 km.", "Rest then."]),
    ("Wait 20 min. Stir again.", ["Wait 20 min.", "Stir again."]),
    ("It took 0.5 s. Nobody saw it.", ["It took 0.5 s.", "Nobody saw it."]),
    ("It holds 2 l. Fill it. It is 3 m. High", ["It holds 2 l.", "Fill it.", "It is 3 m.", "High"]),
    ("It draws 100 W. The fuse holds.", ["It draws 100 W.", "The fuse holds."]),
    ("It weighs 5 lb. It is light.", ["It weighs 5 lb.", "It is light."]),
    ("Heat it to 350 F. Use a pan.", ["Heat it to 350 F.", "Use a pan."]),
    ("Add 3 g. [1] Stir well. [2]", ["Add 3 g. [1]", "Stir well. [2]"]),
    ("Add 3 g.\nStir well.", ["Add 3 g.", "Stir well."]),
    ("Add 3 g. “Stir,” he said.", ["Add 3 g.", "“Stir,” he said."]),
    ("Add 3 g. of salt.", ["Add 3 g. of salt."]),
    ("It lives at 100 W. Main Street.", ["It lives at 100 W. Main Street."]),
    ('He said "Add 3 g. Stir well." Then he left.', ['He said "Add 3 g. Stir well."', "Then he left."]),
    ("It works (add 3 g. Stir) at once.", ["It works (add 3 g. Stir) at once."]),
    ("Wait approx. 3 days.", ["Wait approx. 3 days."]),
    ("No. 5 is alive. See p. 4 of it.", ["No. 5 is alive.", "See p. 4 of it."]),
    ("Dr. A. Lee came at 5 p.m. Monday.", ["Dr. A. Lee came at 5 p.m. Monday."]),
    (
        "It shuts at 5 p.m. EST. It opens at 9 a.m. The rest waits.",
        ["It shuts at 5 p.m. EST.", "It opens at 9 a.m.", "The rest waits."],
    ),
    ("In 1990 A. Smith wrote to the U.S. Army.", ["In 1990 A. Smith wrote to the U.S. Army."]),
    ("Some units, e.g. 3 g, are SI.", ["Some units, e.g. 3 g, are SI."]),
    ("It is 5 ft. 3 in. tall.", ["It is 5 ft. 3 in. tall."]),
]


@pytest.mark.parametrize(("text", "expected"), MEASURED, ids=[text for text, _ in MEASURED])
def test_a_sentence_may_end_with_a_unit(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(("text", "expected"), TRICKY, ids=[text[:30] for text, _ in TRICKY])
def test_splits_what_is_tricky(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


MARKED = [
    ("It rose. [1] It fell.", ["It rose. [1]", "It fell."]),
    ("It rose.[1] It fell.", ["It rose.[1]", "It fell."]),
    ("It rose.[1][2] It fell.", ["It rose.[1][2]", "It fell."]),
    ("It rose. [1] [2, 3] It fell.", ["It rose. [1] [2, 3]", "It fell."]),
    ("It rose [1]. It fell.", ["It rose [1].", "It fell."]),
    ("It rose.【1†source】 It fell.", ["It rose.【1†source】", "It fell."]),
    ("It rose.【4:0†a.pdf】It fell.", ["It rose.【4:0†a.pdf】", "It fell."]),
    ("It rose.¹ It fell.²", ["It rose.¹", "It fell.²"]),
    ("It rose. (3) It fell.", ["It rose. (3)", "It fell."]),
    ("It rose.^1 It fell.^2", ["It rose.^1", "It fell.^2"]),
    ("It rose.[^1] It fell.[^2]", ["It rose.[^1]", "It fell.[^2]"]),
    ("“It rose.” [1] It fell.", ["“It rose.” [1]", "It fell."]),
    ("**It rose.** [1] It fell.", ["**It rose.** [1]", "It fell."]),
    ("It rose. [1] says that it fell.", ["It rose.", "[1] says that it fell."]),
    ("Acme Inc. [1] reported so. It fell.", ["Acme Inc. [1] reported so.", "It fell."]),
    ("[1] It rose. [2] It fell.", ["[1] It rose. [2]", "It fell."]),
    ("Two ways: (1) by land. (2) by sea.", ["Two ways: (1) by land.", "(2) by sea."]),
]


@pytest.mark.parametrize(("text", "expected"), MARKED, ids=[text for text, _ in MARKED])
def test_a_marker_after_the_full_stop_stays_with_the_sentence_before_it(
    text: str, expected: list[str]
) -> None:
    assert sentences(text) == expected


def test_known_markers_of_any_shape_are_never_split_and_stay_behind() -> None:
    text = "It rose. [my file v. 2. Final.pdf:3:1-9] It fell. Smith (2020) says so."
    marker, narrative = "[my file v. 2. Final.pdf:3:1-9]", "Smith (2020)"
    spans = [Span(text.index(m), text.index(m) + len(m)) for m in (marker, narrative)]
    assert [s.of(text) for s in split_sentences(text, "en", spans)] == [
        "It rose. " + marker,
        "It fell.",
        "Smith (2020) says so.",
    ]


def test_wrapped_lines_are_read_on() -> None:
    text = (
        "The company, which two brothers founded in the year 1990 in a\n"
        "garage, has grown to be the largest of its kind in the whole of\n"
        "Europe. It has 500 employees in 12 countries and they all like\n"
        "it there."
    )
    assert [s.replace("\n", " ") for s in sentences(text)] == [
        "The company, which two brothers founded in the year 1990 in a garage, "
        "has grown to be the largest of its kind in the whole of Europe.",
        "It has 500 employees in 12 countries and they all like it there.",
    ]


def test_a_short_title_line_is_not_read_on() -> None:
    text = (
        "Annual report\n"
        "The company, which two brothers founded in the year 1990 in a\n"
        "garage, has grown to be the largest of its kind."
    )
    assert sentences(text)[0] == "Annual report"


def test_lines_that_each_begin_with_a_capital_stand_for_themselves() -> None:
    text = (
        "Revenue grew by five percent in the first quarter of the year\n"
        "Profit fell by two percent in the second quarter of the year\n"
        "Costs stayed where they had been in the quarter before that"
    )
    assert len(sentences(text)) == 3


def test_a_sentence_that_crosses_a_page_break_is_one() -> None:
    text = "The board of directors decided at its last meeting of the\fyear to close the plant."
    assert sentences(text) == [text]


def test_language_is_passed_on() -> None:
    assert sentences("Er kam am 3. Mai. Dann ging er.", "de") == ["Er kam am 3. Mai.", "Dann ging er."]


def test_an_unknown_language_still_splits() -> None:
    assert sentences("It rose. It fell.", "xx") == ["It rose.", "It fell."]


def test_lone_surrogates_and_nuls_do_not_disturb() -> None:
    text = "It \ud800 rose. It\x00 fell \udfff."
    assert sentences(text) == ["It \ud800 rose.", "It\x00 fell \udfff."]


def test_a_line_longer_than_any_window_is_split_like_a_short_one() -> None:
    text = "The revenue of Acme Inc. rose by 3.5% in the year 2020. " * 2_000
    found = sentences(text)
    assert len(found) == 2_000
    assert set(found) == {"The revenue of Acme Inc. rose by 3.5% in the year 2020."}


def test_a_sentence_longer_than_the_window_is_one() -> None:
    long = "It rose in " + "very " * 800 + "many places."
    assert sentences(f"It fell. {long} It stood.") == ["It fell.", long, "It stood."]


_PIECES = st.one_of(
    st.sampled_from(
        [
            "It rose",
            "fell",
            ". ",
            ".",
            "! ",
            "? ",
            "e.g. ",
            "Dr. ",
            "max. ",
            "x",
            "é",
            "5",
            "3 g. ",
            "9 W. ",
            "中。",
        ]
    ),
    st.sampled_from(["[1]", "【2†s】", "¹", "(3)", "“", "”", '"', ")", "- ", "1. ", "**", "_", "😀", "،"]),
    st.sampled_from([" ", "\n", "\n\n", "\r\n", "\x00", "\ud800", "\f", "\u2028", " " * 40]),
)
_TEXTS = st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=60).map("".join))


def assert_covers(text: str, spans: list[Span]) -> None:
    position = 0
    for span in spans:
        assert position <= span.start < span.end <= len(text)
        assert not text[position : span.start].strip()
        assert span.of(text) == span.of(text).strip()
        position = span.end
    assert not text[position:].strip()


@given(_TEXTS)
def test_sentences_are_in_order_and_cover_every_character(text: str) -> None:
    assert_covers(text, split_sentences(text))


@given(_TEXTS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=5))
def test_sentences_cover_every_character_whatever_the_markers(
    text: str, places: list[tuple[int, int]]
) -> None:
    markers: list[Span] = []
    position = 0
    for gap, length in places:
        start, end = position + gap, position + gap + length
        if end <= len(text):
            markers.append(Span(start, end))
            position = end
    assert_covers(text, split_sentences(text, "en", markers))


def test_no_sentence_ends_inside_a_marker_however_long_it_is() -> None:
    text = "[1]" * 20_000
    markers = [Span(start, start + 3) for start in range(0, len(text), 3)]
    spans = split_sentences(text, markers=markers)
    assert all(span.start % 3 == 0 and span.end % 3 == 0 for span in spans)
    assert "".join(span.of(text) for span in spans) == text
