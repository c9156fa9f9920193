from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.reports import ExcerptLines, cells, safe, width, wrap
from pincite.reports.findings.excerpt import CUT, Mark, find_words, show

texts = st.text(st.characters(codec=None), max_size=60)


def underlined(text: str, marker: str, columns: int = 80) -> tuple[str, str]:
    start = text.index(marker)
    shown = show(text, [Mark(start, start + len(marker))], columns)
    return shown.text, shown.underline


def test_a_marker_is_underlined_where_it_stands() -> None:
    assert underlined("It rose [1].", "[1]") == ("It rose [1].", "        ^^^")


def test_wide_characters_take_two_columns() -> None:
    assert underlined("本社 [1]", "[1]") == ("本社 [1]", "     ^^^")
    assert underlined("a 本社 b", "本社") == ("a 本社 b", "  ^^^^")


def test_combining_characters_take_no_column() -> None:
    assert underlined("cafe\u0301 [1]", "[1]") == ("cafe\u0301 [1]", "     ^^^")


def test_tabs_reach_to_the_next_stop() -> None:
    assert underlined("a\tb [1]", "[1]") == ("a   b [1]", "      ^^^")


def test_what_a_terminal_would_obey_is_shown_instead() -> None:
    assert safe("\x1b[31m\x00\u202e\x7f\x9b") == "␛[31m␀⟨U+202E⟩␡⟨U+009B⟩"
    assert underlined("\x1b[2J [1]", "[1]") == ("␛[2J [1]", "     ^^^")


def test_a_long_line_is_cropped_round_the_marker() -> None:
    text = "x" * 500 + " [1] " + "y" * 500
    shown, underline = underlined(text, "[1]", 40)
    assert len(shown) <= 40
    assert shown.startswith(CUT) and shown.endswith(CUT)
    assert shown.index("[1]") == underline.index("^^^")


def test_a_marker_longer_than_the_terminal_shows_its_beginning() -> None:
    shown, underline = underlined("see [" + "a" * 300 + "]", "[" + "a" * 300 + "]", 30)
    assert len(shown) <= 30
    assert shown.startswith(f"{CUT}[aaa")
    assert underline.strip() == "^" * 28


def test_two_marks_are_both_visible_when_they_fit() -> None:
    text = "z" * 200 + " rose 12% in the quarter [1] " + "y" * 200
    shown = show(text, [Mark(text.index("[1]"), text.index("[1]") + 3), Mark(206, 209, "~")], 40)
    assert "12%" in shown.text and "[1]" in shown.text
    assert "~~~" in shown.underline and "^^^" in shown.underline


def test_an_empty_place_gets_one_sign() -> None:
    assert show("abc", [Mark(1, 1)], 40).underline == " ^"
    assert show("abc", [Mark(3, 3)], 40).underline == "   ^"


def test_only_a_line_feed_ends_a_line() -> None:
    lines = ExcerptLines("a\r\nbc\u2028d\n")
    assert lines.place(0) == (1, 1)
    assert lines.place(3) == (2, 1)
    assert lines.place(6) == (2, 4)
    assert lines.place(8) == (3, 1)
    assert lines.text[lines.start(1) : lines.end(1)] == "a"
    assert lines.text[lines.start(2) : lines.end(2)] == "bc\u2028d"


def test_a_passage_is_wrapped_and_its_words_marked() -> None:
    text = "Revenue rose by 21% in the first quarter, the company said in its report."
    mark = find_words("21%", text)
    assert mark is not None
    shown = wrap(text, [mark], 30)
    assert [line.text for line in shown] == [
        "Revenue rose by 21% in the",
        "first quarter, the company",
        "said in its report.",
    ]
    assert shown[0].underline == " " * 16 + "~~~"


def test_a_long_passage_begins_near_its_mark_and_ends_with_a_sign() -> None:
    text = "lorem ipsum " * 100 + "exactly 21% here " + "dolor sit " * 100
    mark = find_words("21%", text)
    assert mark is not None
    shown = wrap(text, [mark], 40, most=3)
    assert len(shown) == 3
    assert shown[0].text.startswith(CUT)
    assert shown[-1].text.endswith(CUT)
    assert any("~~~" in line.underline for line in shown)


def test_numbers_are_found_as_whole_numbers() -> None:
    assert find_words("15", "In 2015 it was 15.") == Mark(15, 17, "~")
    assert find_words("15", "2015 150 1.15 15,000") is None
    assert find_words("12%", "12% then 12% [1]", before=12) == Mark(9, 12, "~")
    assert find_words("", "text") is None


@given(texts, st.integers(0, 60), st.integers(0, 60), st.integers(8, 90))
def test_no_line_is_wider_than_the_terminal_and_nothing_in_it_is_obeyed(
    text: str, start: int, length: int, columns: int
) -> None:
    line = text.replace("\n", " ")
    start = min(start, len(line))
    shown = show(line, [Mark(start, min(start + length, len(line)))], columns)
    assert sum(wide for _, wide in cells(shown.text)) <= max(columns, 10)
    assert len(shown.underline) <= columns + 1
    assert safe(shown.text) == shown.text


@given(texts, st.integers(8, 40), st.integers(1, 4))
def test_wrapping_stays_within_its_room(text: str, columns: int, most: int) -> None:
    shown = wrap(" ".join(text.split()), [], columns, most)
    assert len(shown) <= most
    assert all(width(line.text) <= max(columns, 10) for line in shown)


@given(st.text(max_size=80), st.integers(0, 80))
def test_line_and_column_lead_back_to_the_offset(text: str, offset: int) -> None:
    lines = ExcerptLines(text)
    offset = min(offset, len(text))
    line, column = lines.place(offset)
    assert lines.start(line) + column - 1 == offset
    assert line == text.count("\n", 0, offset) + 1
