from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Match, Source, Span
from pincite.sources import (
    Library,
    best_passages,
    claim_index,
    library_index,
    locate,
    locate_claim,
    locate_claims,
    locate_quote,
    open_sources,
)

FINANCE = (
    "Annual report.\nThe company reported $10M in Q1 revenue. Growth came from new markets in Asia.\f"
    "Staff numbers rose to 250 by the end of the year. The company reported $12M in Q2 revenue."
)
WEATHER = "Rain fell on forty days in spring. The company picnic was moved to June."


def library() -> object:
    return open_sources({"finance.txt": FINANCE, "weather.txt": WEATHER})


def test_a_quote_is_located_with_a_citation_that_points_to_it() -> None:
    matches = locate("The company reported $10M in Q1 revenue", library())  # type: ignore[arg-type]
    start = FINANCE.index("The company reported $10M")
    assert matches == [
        Match(
            document="finance.txt",
            page=1,
            start=start,
            end=start + 39,
            text="The company reported $10M in Q1 revenue",
            score=1.0,
            citation=f"[finance.txt:1:{start}-{start + 39}]",
            method="exact",
        )
    ]


def test_the_page_is_that_of_the_place() -> None:
    (match,) = locate_quote(
        "Staff numbers rose", Source(name="f", text=FINANCE, page_starts=(0, FINANCE.index("Staff")))
    )
    assert match.page == 2


def test_what_is_no_quote_is_located_as_a_claim_in_the_source_that_speaks_of_it() -> None:
    matches = locate("the firm's workforce grew to 250 staff at year end", library())  # type: ignore[arg-type]
    assert matches[0].method == "claim"
    assert matches[0].text == "Staff numbers rose to 250 by the end of the year."
    assert locate("it rained for forty spring days", library())[0].document == "weather.txt"  # type: ignore[arg-type]


def test_what_stands_nowhere_is_not_located() -> None:
    assert locate("Bacteria evolve resistance to antibiotics", library()) == []  # type: ignore[arg-type]
    assert locate("", library()) == []  # type: ignore[arg-type]


def test_a_fuzzy_place_is_only_told_when_no_source_has_the_words() -> None:
    exact = Source(name="b", text="It said that the committee approved the budget in May.")
    near = Source(name="a", text="It said that the committee approves the budgets in May.")
    assert [
        m.document for m in locate("the committee approved the budget in May", Library([near, exact]))
    ] == ["b"]
    assert [m.method for m in locate("the committee approved the budget in May", Library([near]))] == [
        "fuzzy"
    ]


def test_claims_are_ranked_over_all_sources_together() -> None:
    library = Library([Source(name="w", text=WEATHER), Source(name="f", text=FINANCE)])
    matches = locate_claims("Q2 revenue was $12M", library)
    assert (matches[0].document, matches[0].text) == ("f", "The company reported $12M in Q2 revenue.")
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)


def test_the_limit_holds() -> None:
    source = Source(name="s", text="A cat sat. " * 50)
    assert len(locate_quote("A cat sat", source, limit=4)) == 4
    assert len(locate_claim("the cat sat", source, limit=2)) == 2
    assert locate_claim("the cat sat", source, limit=0) == []
    assert locate_quote("A cat sat", source, limit=0) == []


def test_a_name_that_no_marker_can_hold_still_gives_a_place() -> None:
    (match,) = locate("Rain fell", [Source(name="two\nlines", text=WEATHER)])
    assert (match.start, match.citation) == (0, "")


def test_an_index_is_made_once_and_dies_with_its_source() -> None:
    source = Source(name="s", text=FINANCE)
    assert locate_quote("Rain", source) == []
    assert claim_index(source) is claim_index(source)
    left = [weakref.ref(source), weakref.ref(claim_index(source))]
    del source
    gc.collect()
    assert [one() for one in left] == [None, None]


def test_a_librarys_index_is_made_once_and_dies_with_the_library() -> None:
    opened = open_sources({"finance.txt": FINANCE, "weather.txt": WEATHER})
    assert library_index(opened) is library_index(opened)
    kept_index = weakref.ref(library_index(opened))
    kept_source = weakref.ref(opened.sources[0])
    del opened
    gc.collect()
    assert kept_index() is None
    assert kept_source() is None


def test_the_best_passages_come_in_text_order_with_neighbours_joined() -> None:
    filler = "Nothing of note happened on that day. " * 30
    program = "Ada wrote the first program. It computed Bernoulli numbers."
    text = f"{filler}{program} {filler}The program was never run."
    source = Source(name="ada", text=text)
    passages = best_passages(
        "The first program, which computed Bernoulli numbers, was never run", source, limit=3
    )
    assert [passage.text for passage in passages] == [
        program,
        "The program was never run.",
    ]
    assert all(text[passage.start : passage.end] == passage.text for passage in passages)


def test_a_sentence_that_opens_with_a_pronoun_brings_the_one_before() -> None:
    filler = "Nothing of note happened on that day. " * 5
    text = f"{filler}Ada Lovelace was a mathematician. She died of cancer in 1852. {filler}"
    (passage,) = best_passages("Lovelace died in 1852", Source(name="ada", text=text), limit=1)
    assert passage.text == "Ada Lovelace was a mathematician. She died of cancer in 1852."


def test_the_best_passages_stay_inside_the_cited_region() -> None:
    start, end = FINANCE.index("company reported $10M"), FINANCE.index(" from new")
    passages = best_passages(
        "The company reported revenue growth in Q2", Source(name="f", text=FINANCE), Span(start, end)
    )
    assert passages
    assert all(start <= passage.start < passage.end <= end for passage in passages)


def test_a_region_that_shares_nothing_with_the_claim_is_shown_by_its_beginning() -> None:
    (passage,) = best_passages("Zebras", Source(name="w", text=WEATHER), limit=1)
    assert passage.text == "Rain fell on forty days in spring."
    assert best_passages("Zebras", Source(name="e", text="")) == ()


@given(
    st.text(st.characters(codec=None), max_size=30),
    st.text(st.characters(codec=None), max_size=120),
    st.integers(0, 120),
    st.integers(0, 120),
)
def test_each_match_and_passage_is_the_text_at_its_offsets(
    wanted: str, text: str, left: int, right: int
) -> None:
    source = Source(name="any.txt", text=text)
    for match in [*locate_quote(wanted, source), *locate_claim(wanted, source)]:
        assert text[match.start : match.end] == match.text != ""
    within = Span(min(left, len(text)), min(max(left, right), len(text)))
    for passage in best_passages(wanted, source, within):
        assert within.start <= passage.start < passage.end <= within.end
        assert text[passage.start : passage.end] == passage.text


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "שלום עולם", "😀" * 50, "x" * 5_000])
def test_odd_sources_are_searched_without_complaint(text: str) -> None:
    source = Source(name="odd", text=text)
    locate_quote("some words that might be here", source)
    locate_claim("some words that might be here", source)
    best_passages("some words that might be here", source)


def test_locate_takes_whatever_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text("Costs were flat over the whole year.")
    (match,) = locate("Costs were flat", tmp_path)
    assert match.citation == "[report.txt:0-15]"
    assert locate("Costs were flat", {"report.txt": "Costs were flat."})[0].document == "report.txt"


DASHED = "The quick fox—jumps over the well-known dog. Pre-war prices – at 5–6% – stood."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("fox-jumps over the well-known", "fox—jumps over the well-known"),
        ("fox — jumps over the well—known dog", "fox—jumps over the well-known dog"),
        ("fox – jumps over", "fox—jumps over"),
        ("pre–war prices - at 5-6% - stood", "Pre-war prices – at 5–6% – stood"),
    ],
)
def test_a_quote_may_set_its_dashes_otherwise(quote: str, found: str) -> None:
    (match,) = locate(quote, {"a.txt": DASHED})
    assert (match.method, match.text) == ("normalised", found)


def test_two_words_are_not_one_word_with_a_dash() -> None:
    assert [match.method for match in locate("fox jumps over the well known", {"a.txt": DASHED})] != [
        "normalised"
    ]
