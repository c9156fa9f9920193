from __future__ import annotations

import time
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import Unit
from pincite.citations.providers.offsets import place_spans, to_code_points, unit_length

UNITS: tuple[Unit, ...] = ("code_point", "utf16", "utf8")
# Every width in every unit, and lone surrogates, which a JSON string may hold.
TEXTS = st.text(st.sampled_from("aé€😀\ud83d\ude00\n\x00ش") | st.characters(), max_size=40)


def width(char: str, unit: Unit) -> int:
    """The plain definition, against which the fast one is held."""
    code = ord(char)
    if unit == "code_point":
        return 1
    if unit == "utf16":
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def in_unit(text: str, offsets: Iterable[int], unit: Unit) -> list[int]:
    return [sum(width(char, unit) for char in text[:offset]) for offset in offsets]


@given(TEXTS, st.sampled_from(UNITS), st.data())
def test_offsets_in_a_unit_are_found_in_code_points(text: str, unit: Unit, data: st.DataObject) -> None:
    offsets = data.draw(st.lists(st.integers(0, len(text)), max_size=10))
    there = in_unit(text, offsets, unit)
    assert to_code_points(text, there, unit) == [(offset, "") for offset in offsets]


@given(TEXTS, st.sampled_from(UNITS))
def test_an_offset_inside_a_character_is_told_from_one_between_two(text: str, unit: Unit) -> None:
    length = unit_length(text, unit)
    boundaries = dict(zip(in_unit(text, range(len(text) + 1), unit), range(len(text) + 1), strict=True))
    for offset, (found, flaw) in enumerate(to_code_points(text, range(length + 1), unit)):
        assert (flaw == "") == (offset in boundaries)
        assert found == max(point for units, point in boundaries.items() if units <= offset)


@given(TEXTS, st.sampled_from(UNITS), st.integers(-5, 200), st.integers(-5, 200))
def test_every_span_is_placed_inside_the_text(text: str, unit: Unit, start: int, end: int) -> None:
    placed = place_spans(text, [(start, end)], unit)[0]
    assert 0 <= placed.start <= placed.end <= len(text)
    good = 0 <= start < end <= unit_length(text, unit)
    if not good:
        assert placed.problem


@given(TEXTS, st.sampled_from(UNITS), st.data())
def test_a_true_span_is_placed_without_a_problem(text: str, unit: Unit, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = in_unit(text, [start, end], unit)
    placed = place_spans(text, [(first, last)], unit, [text[start:end]])[0]
    assert (placed.start, placed.end) == (start, end)
    assert (placed.problem is None) == (start < end)


@pytest.mark.parametrize("wrong", [None, "3", 3.0, float("nan"), True, [], {}, "", b"1"])
def test_what_is_no_number_is_a_problem_and_not_a_crash(wrong: object) -> None:
    for span in ((wrong, 3), (0, wrong), (wrong, wrong)):
        placed = place_spans("abcdef", [span], "utf8")[0]
        assert placed.problem is not None
        assert 0 <= placed.start <= placed.end <= 6


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ((6, 5), "before the start"),
        ((5, 5), "covers no text"),
        ((-1, 2), "negative"),
        ((0, 99), "past the end of the text (7 UTF-8 bytes)"),
        ((1, 3), "inside a character"),
    ],
)
def test_a_problem_says_what_is_wrong(span: tuple[int, int], words: str) -> None:
    problem = place_spans("a😀bc", [span], "utf8")[0].problem
    assert problem is not None
    assert words in problem


def test_a_span_that_ends_inside_a_character_is_widened_to_hold_it() -> None:
    placed = place_spans("a😀bc", [(0, 3)], "utf8")[0]
    assert (placed.start, placed.end) == (0, 2)


def test_offsets_in_another_unit_than_the_declared_one_are_found_and_told() -> None:
    text = "😀😀 Exports fell."
    placed = place_spans(text, [(5, 18)], "code_point", ["Exports fell."])[0]
    assert text[placed.start : placed.end] == "Exports fell."
    assert (
        placed.problem == "the offsets fit UTF-16 code units, not the code points that the provider counts in"
    )


def test_a_text_that_stands_nowhere_near_is_told_with_both_texts() -> None:
    problem = place_spans("Exports fell.", [(0, 7)], "code_point", ["Imports"])[0].problem
    assert problem == "the text at the offsets is 'Exports', the payload says 'Imports'"


def test_many_offsets_cost_one_walk_through_the_text() -> None:
    text = "é😀x" * 200_000
    spans: list[tuple[object, object]] = [(number * 70, number * 70 + 7) for number in range(20_000)]
    start = time.process_time()
    placed = place_spans(text, spans, "utf8")
    # A walk for each offset would take minutes.
    assert time.process_time() - start < 5
    assert len(placed) == 20_000
