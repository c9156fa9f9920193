from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite.records import Match, Source
from pincite.sources import locate_quote

REPORT = (
    "The company’s revenue rose by 12% to $10.5 million in the ﬁrst quarter of 2023.\n"
    "Costs fell, the board said, “because of well-\nknown savings” — and a new con-\ntract with O'Brien."
    "\fOn page two the report re-\r\npeats that costs fell. It ends here… or does it? The end, at last."
)


def find(quote: str, text: str = REPORT) -> list[Match]:
    return locate_quote(quote, Source(name="report", text=text))


def found_text(quote: str, text: str = REPORT) -> str | None:
    places = find(quote, text)
    return places[0].text if places else None


def test_an_exact_quote_is_found_at_its_place() -> None:
    (place,) = find("revenue rose by 12%")
    assert (place.method, place.score) == ("exact", 1.0)
    assert place.text == "revenue rose by 12%"


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("The company's revenue", "The company’s revenue"),
        ("in the first quarter", "in the ﬁrst quarter"),
        ("of 2023. Costs   fell", "of 2023.\nCosts fell"),
        ('"because of well-known savings" – and', "“because of well-\nknown savings” — and"),
        ("savings”—and a new contract with", "savings” — and a new con-\ntract with"),
        ("O'Brien. On page two", "O'Brien.\fOn page two"),
        ("report repeats that", "report re-\r\npeats that"),
        ("It ends here... or does it?", "It ends here… or does it?"),
        ("REVENUE ROSE", "revenue rose"),
        ("[T]he company’s revenue", "The company’s revenue"),
    ],
)
def test_a_quote_set_otherwise_is_found_at_its_true_place(quote: str, stands: str) -> None:
    (place,) = find(quote)
    assert place.text == stands
    assert (place.method, place.score) == ("normalised", 1.0)


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ('"revenue rose by 12%"', "revenue rose by 12%"),
        ("…to $10.5 million…", "to $10.5 million"),
        ("costs fell, the board said.", "Costs fell, the board said"),
    ],
)
def test_what_people_put_round_a_quote_is_no_part_of_it(quote: str, stands: str) -> None:
    assert found_text(quote) == stands


def test_words_left_out_at_an_ellipsis_may_be_missing() -> None:
    assert found_text("The company’s revenue … in the first quarter") == REPORT[: REPORT.index(" of 2023")]
    assert find("in the first quarter […] The company’s revenue") == []


def test_every_place_of_a_repeated_quote_is_found_in_order() -> None:
    text = "costs fell. Then Costs fell. And costs fell again."
    assert [(place.start, place.method) for place in find("costs fell", text)] == [
        (0, "exact"),
        (33, "exact"),
        (17, "normalised"),
    ]


def test_short_repeats_are_each_found_once() -> None:
    assert [place.start for place in find("a", "a b a b a")] == [0, 4, 8]


def test_whole_words_win_over_parts_of_words() -> None:
    assert [place.start for place in find("art", "part of art")] == [8]


@pytest.mark.parametrize(
    ("quote", "text"), [("5%", "a rise of 15%"), ("1.5", "it is 1.54"), ("234", "1,234")]
)
def test_a_number_is_never_cut_in_two(quote: str, text: str) -> None:
    assert find(quote, text) == []


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("companys revneue rose by 12% to $10.5 milion", "company’s revenue rose by 12% to $10.5 million"),
        ("he board said, because of well-known saving", "the board said, “because of well-\nknown savings"),
        ("xn page two the report repeats thad", "On page two the report re-\r\npeats that"),
    ],
)
def test_an_edited_quote_is_aligned_to_whole_words(quote: str, stands: str) -> None:
    place = find(quote)[0]
    assert place.text == stands
    assert place.method == "fuzzy"
    assert 0.8 <= place.score < 1.0


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "   ",
        "¿",
        "The committee rejected every proposal by a wide margin",
        "revenue fell in the last quarter of 2019, the company admitted",
        "x" * 10_000,
        "\x00",
        "\ud800",
        "12% 13%",
    ],
)
def test_an_absent_quote_is_not_found(quote: str) -> None:
    assert find(quote) == []


@pytest.mark.parametrize("text", ["", " ", "\f", "…", "-"])
def test_nothing_is_found_in_a_source_of_nothing(text: str) -> None:
    assert find("some words that are not there", text) == []


# --- any text ------------------------------------------------------------------------------------

WORDS = st.lists(
    st.sampled_from(
        ["alpha", "gamma-ray", "don’t", "“x”", "—", "7,000", "ﬁn", "é", "\ud800", "😀", "ا", "ب"]
    ),
    min_size=3,
    max_size=30,
)
GAPS = st.sampled_from([" ", "  ", "\n", "\r\n", "\f", "\u00a0"])


@given(st.text(st.characters(codec=None), min_size=1, max_size=80), st.data())
def test_a_slice_of_any_text_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end].strip()
    assume(quote and not any(char.isdigit() for char in quote))
    places = find(quote, text)
    assert places, "a slice stands in its text"
    if places[0].method == "exact":
        assert places[0].text == quote


@given(WORDS, st.data())
def test_a_slice_is_found_whatever_parts_its_words(words: list[str], data: st.DataObject) -> None:
    gaps = data.draw(st.lists(GAPS, min_size=len(words), max_size=len(words)))
    starts = []
    text = ""
    for word, gap in zip(words, gaps, strict=True):
        starts.append(len(text))
        text += word + gap
    first = data.draw(st.integers(0, len(words) - 2))
    last = data.draw(st.integers(first + 1, len(words) - 1))
    quote = " ".join(words[first : last + 1])
    assume(quote.strip("— "))
    spans = {(place.start, place.end) for place in find(quote, text)}
    texts = {text[start:end].split() == quote.split() for start, end in spans}
    assert (starts[first], starts[last] + len(words[last])) in spans or True in texts


@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None), max_size=60))
@settings(max_examples=200)
def test_no_quote_and_no_text_break_it(quote: str, text: str) -> None:
    for place in find(quote, text):
        assert 0 <= place.start < place.end <= len(text)
        assert 0.0 <= place.score <= 1.0


def _prose(count: int, seed: int) -> str:
    dice = random.Random(seed)
    words = ["".join(dice.choices("abcdefghijklmnoprstuvw", k=dice.randint(2, 9))) for _ in range(3_000)]
    return " ".join(dice.choices(words, k=count))


def test_a_long_text_is_searched_by_its_index_and_gives_the_same_places() -> None:
    text = _prose(60_000, seed=3)
    source = Source(name="long", text=text)
    dice = random.Random(4)
    for _ in range(30):
        start = text.index(" ", dice.randrange(len(text) - 300)) + 1
        end = text.index(" ", start + 120)
        quote = text[start:end]
        assert (locate_quote(quote, source)[0].start, locate_quote(quote, source)[0].end) == (start, end)
        edited = quote[:20] + "x" + quote[22:60] + "qq" + quote[60:90] + quote[93:]
        place = locate_quote(edited, source)[0]
        assert place.method == "fuzzy"
        assert abs(place.start - start) <= 1
        assert abs(place.end - end) <= 1
    assert locate_quote(_prose(20, seed=5), source) == []


@pytest.mark.parametrize(
    "unit", ["[", "a", "1", "a ", "- ", "\x00", "\ud800", "the same words again and again. "]
)
def test_repetitive_text_is_searched_like_any_other(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    source = Source(name="long", text=text)
    for quote in (unit * 30, unit * 5 + "zz" + unit * 25, text + "x", "x" * 100, text[:30_000]):
        assert all(match.text == text[match.start : match.end] for match in locate_quote(quote, source))


@pytest.mark.thorough
@pytest.mark.parametrize("letter", "abcdef")
def test_a_long_text_of_one_letter_takes_no_more_memory_than_prose(letter: str) -> None:
    said = "The board met in March and saw that revenue had grown by 12% in the north."
    edited = said[:20] + "x" + said[22:]

    def peak(filler: str) -> int:
        source = Source(name="long", text=f"{filler} {said} {filler}")
        tracemalloc.start()
        try:
            (match,) = locate_quote(edited, source)
            assert (match.method, match.start) == ("fuzzy", len(filler) + 1)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(letter * 1_500_000) < 1.2 * peak(_prose(250_000, seed=6)[:1_500_000])
