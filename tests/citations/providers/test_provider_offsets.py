from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import Collector, Node, PayloadEntry, Unit
from pincite.records import Citation

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


def placed(text: str, span: tuple[object, object], unit: Unit, covered: str | None = None) -> Citation:
    """The citation that an entry with these offsets becomes."""
    collector = Collector("openai-chat", unit)
    collector.cite(collector.add_text(text), [PayloadEntry(Node({}), (), *span, covered)])
    (citation,) = collector.answer("answer").citations or ()
    return citation


@given(TEXTS, st.sampled_from(UNITS))
def test_an_offset_inside_a_character_is_told_from_one_between_two(text: str, unit: Unit) -> None:
    starts = in_unit(text, range(len(text) + 1), unit)
    boundaries = dict(zip(starts, range(len(text) + 1), strict=True))
    for offset in range(starts[-1] + 1):
        found = placed(text, (0, offset), unit)
        assert ("inside a character" in (found.problem or "")) == (offset not in boundaries)
        # What ends inside a character is widened to hold it.
        assert found.end == min(point for units, point in boundaries.items() if units >= offset)


@given(TEXTS, st.sampled_from(UNITS), st.integers(-5, 200), st.integers(-5, 200))
def test_every_span_is_placed_inside_the_text(text: str, unit: Unit, start: int, end: int) -> None:
    found = placed(text, (start, end), unit)
    assert 0 <= found.start <= found.end <= len(text)
    assert found.text == text[found.start : found.end]
    good = 0 <= start < end <= sum(width(char, unit) for char in text)
    if not good:
        assert found.problem


@given(TEXTS, st.sampled_from(UNITS), st.data())
def test_a_true_span_is_placed_without_a_problem(text: str, unit: Unit, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = in_unit(text, [start, end], unit)
    found = placed(text, (first, last), unit, text[start:end])
    assert (found.start, found.end) == (start, end)
    assert (found.problem is None) == (start < end)


@pytest.mark.parametrize("wrong", [None, "3", 3.0, float("nan"), True, [], {}, "", b"1"])
def test_what_is_no_number_is_a_problem_and_not_a_crash(wrong: object) -> None:
    for span in ((wrong, 3), (0, wrong), (wrong, wrong)):
        found = placed("abcdef", span, "utf8")
        assert found.problem is not None
        assert 0 <= found.start <= found.end <= 6


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
    problem = placed("a😀bc", span, "utf8").problem
    assert problem is not None
    assert words in problem


def test_offsets_in_another_unit_than_the_declared_one_are_found_and_told() -> None:
    text = "😀😀 Exports fell."
    found = placed(text, (5, 18), "code_point", "Exports fell.")
    assert found.text == "Exports fell."
    assert (
        found.problem == "the offsets fit UTF-16 code units, not the code points that the provider counts in"
    )


def test_a_text_that_stands_nowhere_near_is_told_with_both_texts() -> None:
    problem = placed("Exports fell.", (0, 7), "code_point", "Imports").problem
    assert problem == "the text at the offsets is 'Exports', the payload says 'Imports'"
