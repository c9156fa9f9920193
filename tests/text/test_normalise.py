from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Span
from pincite.text import normal_form, normalise

# The characters that the rules are about, mixed with plain ones, find the corners faster than all of Unicode.
AWKWARD = st.text(
    st.sampled_from(list("ab1 \n\r\f\t-—–.…'’\"“ﬁ²é\u0301\u00ad\u200b\x02İß\ud800\x00")), max_size=40
)
ANY = st.text(st.characters(codec=None), max_size=60)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("two  words\n here", "two words here"),
        ("page one\ftwo", "page one two"),
        ("line\r\nend", "line end"),
        ("“quoted” isn’t", '"quoted" isn\'t'),
        ("``latex''", '"latex"'),
        ("«mot»", '"mot"'),
        ("hyphen-\nation", "hyphenation"),
        ("hyphen-\r\n  ation", "hyphenation"),
        ("well-\nknown", "well-known"),
        ("soft\u00adhyphen", "softhyphen"),
        ("soft\u00ad\nhyphen", "softhyphen"),
        ("pdf\x02\nbreak", "pdfbreak"),
        ("zero\u200bwidth", "zerowidth"),
        ("COVID-\n19", "COVID-19"),
        ("pages 1–3", "pages 1-3"),
        ("a pause—here", "a pause — here"),
        ("a pause -- here", "a pause – here"),
        ("wait…", "wait. . ."),
        ("ﬁnd the oﬃce", "find the office"),
        ("Ａ１", "A1"),
        ("H₂O", "H2O"),
        ("cafe\u0301", "café"),
        ("−5 °C", "-5 °C"),
    ],
)
def test_texts_that_differ_in_setting_become_one(left: str, right: str) -> None:
    assert normalise(left).text == normalise(right).text


@pytest.mark.parametrize(
    ("left", "right"),
    [("1-3", "13"), ("10²", "102"), ("5½", "51/2"), ("-5", "5"), ("the rapist", "therapist"), ("A", "a")],
)
def test_texts_that_differ_in_meaning_stay_apart(left: str, right: str) -> None:
    assert normalise(left).text != normalise(right).text


def test_case_is_folded_on_request() -> None:
    assert normalise("İstanbul WAS", fold_case=True).text == "istanbul was"
    assert normalise("ΣΑΣ ΣΑΣΑ", fold_case=True).text == "σασ σασα"


def test_a_slice_maps_to_the_characters_it_was_made_from() -> None:
    text = "The oﬃce  was “re-\nopened”…"
    cleaned = normalise(text)
    at = cleaned.text.index("reopened")
    assert cleaned.to_original(at, at + 8).of(text) == "re-\nopened"
    at = cleaned.text.index("office was")
    assert cleaned.to_original(at, at + 10).of(text) == "oﬃce  was"


def test_a_slice_inside_a_ligature_gets_the_whole_ligature() -> None:
    assert normalise("oﬃce").to_original(2, 3) == Span(1, 2)


def test_dropped_characters_at_the_edge_are_left_out() -> None:
    assert normalise("\u200bab\u200b").to_original(0, 2) == Span(1, 3)


def test_an_empty_slice_is_an_empty_span_and_a_bad_one_is_refused() -> None:
    assert normalise("a  b").to_original(2, 2) == Span(3, 3)
    with pytest.raises(ValueError, match="not a slice"):
        normalise("ab").to_original(1, 3)


@given(AWKWARD | ANY, st.data())
def test_every_slice_covers_its_original_characters(text: str, data: st.DataObject) -> None:
    cleaned = normalise(text)
    size = len(cleaned.text)
    each = [cleaned.to_original(at, at + 1) for at in range(size)]
    # Characters keep their order, each is made from something, and only marks of setting go missing.
    assert all(0 <= span.start < span.end <= len(text) for span in each)
    for before, after in itertools.pairwise(each):
        assert before == after or before.end <= after.start
        assert all(_is_droppable(char) for char in text[before.end : after.start])
    start = data.draw(st.integers(0, size))
    end = data.draw(st.integers(start, size))
    if start < end:
        assert cleaned.to_original(start, end) == Span(each[start].start, each[end - 1].end)


def _is_droppable(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Pd", "Cf", "Mn", "Sm") or char in "\x02\ufffe⁃"


@given(st.text("abc XYZ,.9", max_size=60), st.data())
def test_plain_text_maps_one_to_one(text: str, data: st.DataObject) -> None:
    text = " ".join(text.split()).replace("..", ".")
    cleaned = normalise(text)
    assert cleaned.text == text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert cleaned.to_original(start, end) == Span(start, end)


@given(
    st.lists(st.text("abcdefgh", min_size=1), min_size=1),
    st.sampled_from(["  ", "\n", " \r\n ", "\f", "\u00a0"]),
)
def test_each_word_is_found_again_whatever_parts_them(words: list[str], gap: str) -> None:
    text = gap.join(words)
    cleaned = normalise(text)
    assert cleaned.text == " ".join(words)
    position = 0
    for word in words:
        assert cleaned.to_original(position, position + len(word)).of(text) == word
        position += len(word) + 1


@given(st.text("abc é-—'.\u0301 \nﬁ…İσ", max_size=200), st.booleans())
def test_a_long_text_cleaned_in_parts_is_the_same_as_cleaned_at_once(text: str, fold_case: bool) -> None:
    whole = normalise(text, fold_case)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normal_form, "_PART", 7)
        parts = normalise(text, fold_case)
    assert parts.text == whole.text
    ends = range(len(whole.text) + 1)
    assert [parts.to_original(0, end) for end in ends] == [whole.to_original(0, end) for end in ends]
