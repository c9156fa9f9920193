from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Source, Span, Table
from pincite.sources import ClaimIndex, claim_index, claim_terms, library_index

TEXT = (
    "Marie Curie was born in Warsaw in 1867. She moved to Paris at 24. In 1903 she shared a Nobel Prize in "
    "physics with her husband. A second prize, in chemistry, followed in 1911. The city of Warsaw has about "
    "1.8 million inhabitants. Paris is the capital of France."
)


def rank(claim: str, source: Source, limit: int = 3, within: Span | None = None) -> list[Any]:
    ranked = library_index(source).rank(claim_terms(claim), limit, within)
    return [scored for _, scored in ranked]


def best(claim: str, text: str = TEXT) -> str:
    return rank(claim, Source(name="curie", text=text))[0].span.of(text)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Curie was born in the Polish city of Warsaw.", "Marie Curie was born in Warsaw in 1867."),
        ("At the age of 24, Curie moved to the French capital.", "She moved to Paris at 24."),
        ("Curie's second Nobel Prize was for chemistry.", "A second prize, in chemistry, followed in 1911."),
        (
            "Warsaw is inhabited by 1.8 million people.",
            "The city of Warsaw has about 1.8 million inhabitants.",
        ),
        ("She won a prize in 1911.", "A second prize, in chemistry, followed in 1911."),
    ],
)
def test_the_sentence_that_speaks_of_the_claim_comes_first(claim: str, sentence: str) -> None:
    assert best(claim) == sentence


def test_a_place_that_carries_the_whole_claim_scores_near_one_and_a_stray_word_near_nothing() -> None:
    whole = rank("In 1903 she shared a Nobel Prize in physics with her husband", Source(name="c", text=TEXT))
    stray = rank("Interest rates in Paris fell by 40 basis points on Tuesday", Source(name="c", text=TEXT))
    assert whole[0].score > 0.9
    assert stray[0].score < 0.35


@pytest.mark.parametrize("amount", ["$10.5M", "10.5 million dollars", "10,500,000 dollars", "$10.5mn"])
@pytest.mark.parametrize("said", ["$10.5M", "10.5 million dollars", "10,500,000 dollars"])
def test_one_amount_written_two_ways_is_one_term(amount: str, said: str) -> None:
    text = f"The firm paid 10 people. Its owner sold it for {said} in the end. A million people asked why."
    assert best(f"The price was {amount}", text) == f"Its owner sold it for {said} in the end."


def test_a_source_without_a_common_term_gives_nothing() -> None:
    assert rank("Quantum chromodynamics", Source(name="c", text=TEXT)) == []
    assert rank("", Source(name="c", text=TEXT)) == []
    assert rank("Curie", Source(name="c", text="")) == []


def test_scores_never_rise_down_the_list() -> None:
    scores = [
        scored.score for scored in rank("Marie Curie moved from Warsaw to Paris", Source(name="c", text=TEXT))
    ]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3


def test_a_table_row_is_found_by_its_header_and_its_cells() -> None:
    text = "Results by quarter.\nQuarter\tRevenue\tCosts\nQ1\t$10M\t$7M\nQ2\t$12M\t$8M\nAll in US dollars."
    rows = [line for line in text.split("\n") if "\t" in line]
    cells = []
    for row in rows:
        at = text.index(row)
        spans = []
        for cell in row.split("\t"):
            spans.append(Span(at, at + len(cell)))
            at += len(cell) + 1
        cells.append(tuple(spans))
    table = Table(cells[0][0].start, cells[-1][-1].end, cells[0], tuple(cells[1:]))
    source = Source(name="t", text=text, tables=(table,))
    assert rank("Revenue in Q2 was $12M", source)[0].span.of(text) == "Q2\t$12M\t$8M"
    assert rank("The results are in dollars", source)[0].span.of(text) == "All in US dollars."


def test_a_region_keeps_the_rest_out() -> None:
    region = Span(TEXT.index("The city"), len(TEXT))
    found = rank("Curie was born in Warsaw", Source(name="c", text=TEXT), within=region)
    assert found
    assert all(scored.span.start >= region.start for scored in found)


def test_text_without_sentence_ends_is_cut_into_units_of_a_fair_length() -> None:
    text = "word " * 2_000 + "needle " + "word " * 2_000
    index = ClaimIndex(Source(name="c", text=text))
    assert all(len(unit) <= 1_200 for unit in index.units)
    found = rank("needle", Source(name="c", text=text))
    assert "needle" in found[0].span.of(text)


@given(st.text(st.characters(codec=None), max_size=40), st.text(st.characters(codec=None), max_size=200))
def test_any_claim_and_any_text_give_places_in_the_text(claim: str, text: str) -> None:
    for scored in rank(claim, Source(name="any", text=text)):
        assert 0 <= scored.span.start < scored.span.end <= len(text)
        assert 0.0 <= scored.score <= 1.0


@pytest.mark.parametrize("unit", ["[", "a ", "a. ", "1,", "\n", "same words. "])
def test_repetitive_text_is_cut_and_ranked_like_any_other(unit: str) -> None:
    source = Source(name="long", text=unit * (300_000 // len(unit)))
    assert len(rank("the same words a 1", source)) <= 3
    assert all(len(span) <= 1_200 for span in claim_index(source).units)


def test_a_claim_without_end_is_looked_for_by_its_beginning() -> None:
    endless = "needle " + " ".join(f"word{number}" for number in range(50_000))
    assert len(claim_terms(endless).counts) == 1_000
    assert best(endless, "Some hay. A needle in it. More hay.") == "A needle in it."


def paragraphs(count: int) -> str:
    """Paragraphs of wrapped and of single lines, with markers, lists, quotations and numbers."""
    kinds = (
        "The river rose by {n} metres in 19{n:02}. Its bridge\nheld, as Dr. Smith said [{n}]. “Nobody” slept",
        "- A first point {n}\n- a second one. [2]\n- Third",
        "> Quoted words {n}\n> go on here.",
        "[{n}] opens this one. It cites e.g. no. 5 of them.",
        "One line {n}\r\nand a break.",
    )
    return "\n\n".join(kinds[n % len(kinds)].format(n=n % 97) for n in range(count))


@pytest.mark.thorough
def test_a_source_of_megabytes_has_the_units_that_its_parts_have() -> None:
    block = paragraphs(400)
    part = ClaimIndex(Source(name="s", text=block))
    count = 2_500_000 // len(block)
    whole = ClaimIndex(Source(name="s", text="\n\n".join([block] * count)))
    starts = [number * (len(block) + 2) for number in range(count)]
    assert [(unit.start, unit.end) for unit in whole.units] == [
        (at + unit.start, at + unit.end) for at in starts for unit in part.units
    ]
    assert whole.stems_of(len(whole.units) - 1) == part.stems_of(len(part.units) - 1)


def test_the_index_of_a_source_is_smaller_than_its_text_and_has_no_object_for_each_unit() -> None:
    text = f"{TEXT} " * 200
    index = ClaimIndex(Source(name="s", text=text))
    assert len(index.units) == 6 * 200
    assert index.nbytes < 0.8 * len(text)
    assert not any(isinstance(held, list | dict) and len(held) > 100 for held in vars(index).values())
