"""Places chosen together: what a further one adds counts, not how good it is alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite import locate
from pincite.records import Source
from pincite.sources import best_passages, locate_claim, locate_together, open_sources

WEDDING = (
    "Posted on 4 June 2012.\n"
    "Maria Lopez and Tom Berg are a well known couple in the city of Bergen.\n"
    "Maria Lopez and Tom Berg married in Bergen.\n"
    "The wedding of Maria Lopez and Tom Berg was held in the old church of Bergen.\n"
    "Tickets are sold at the door.\n"
)
CLAIM = "Maria Lopez and Tom Berg married in Bergen in 2012."


def texts(claim: str, text: str, most: int = 3) -> list[str]:
    return [match.text for match in locate_together(claim, Source(name="page", text=text), most)]


def test_a_number_that_the_best_place_lacks_is_brought_in() -> None:
    first, second, _ = texts(CLAIM, WEDDING)
    assert first == "Maria Lopez and Tom Berg married in Bergen."
    assert second == "Posted on 4 June 2012."


def test_the_first_place_is_the_best_alone() -> None:
    source = Source(name="page", text=WEDDING)
    assert locate_together(CLAIM, source, 1) == locate_claim(CLAIM, source, 1)


def test_what_only_repeats_gives_way_to_what_is_new() -> None:
    text = (
        "Acme Motors builds electric vans in Turin.\n"
        "Acme Motors builds electric vans.\n"
        "Acme Motors of Turin builds vans.\n"
        "The firm has 300 workers at its northern plant.\n"
    )
    claim = "Acme Motors builds electric vans in Turin with 300 workers."
    lines = text.splitlines()
    assert set(texts(claim, text, 2)) == {lines[0], lines[3]}


def test_a_pronoun_brings_the_sentence_that_names_its_owner() -> None:
    text = (
        "Ada Park was born in Oslo.\n"
        "She won the Nordic chess championship in 1987 against strong opposition.\n"
        "The championship of that year was held in a hotel, and the chess world took note.\n"
        "Park later sold carpets.\n"
    )
    chosen = texts("Ada Park won the Nordic chess championship in 1987.", text, 2)
    assert set(chosen) == set(text.splitlines()[:2])


def test_all_sources_of_a_library_are_looked_at_together() -> None:
    library = open_sources({"a.txt": "Maria Lopez married in Bergen.", "b.txt": "The wedding was in 2012."})
    found = locate_together("Maria Lopez married in Bergen in 2012.", library)
    assert [match.document for match in found] == ["a.txt", "b.txt"]
    assert locate("Maria Lopez married happily in Bergen in 2012.", library)[0].document == "a.txt"


def test_nothing_in_common_gives_nothing() -> None:
    assert texts("Penguins waltz", WEDDING) == []
    assert texts("", WEDDING) == []


def test_a_judge_is_shown_every_part_of_a_claim_before_what_repeats_one() -> None:
    repeats = "".join(
        f"Harbour Lines carries passengers from Bergen to Lerwick by ferry, notice {number}.\n"
        for number in range(9)
    )
    rest = "Dogs are welcome on the upper deck in summer and in winter.\n"
    filler = "Weather at sea is rough in many months of the winter.\n" * 20
    source = Source(name="page", text=repeats + filler + rest + filler)
    claim = "Harbour Lines carries passengers from Bergen to Lerwick by ferry, dogs included."
    shown = best_passages(claim, source)
    assert any(rest.strip() in passage.text for passage in shown)
    assert all(source.text[passage.start : passage.end] == passage.text for passage in shown)


@given(st.text(max_size=60), st.text(max_size=300), st.integers(1, 15))
def test_places_are_true_and_none_comes_twice(claim: str, text: str, most: int) -> None:
    source = Source(name="page", text=text)
    found = locate_together(claim, source, most)
    assert len(found) <= most
    assert len({(match.start, match.end) for match in found}) == len(found)
    assert all(match.text == text[match.start : match.end] for match in found)
