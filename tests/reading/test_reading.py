"""An answer read against its sources: markers, claims, targets, quotes and what a judge is shown of them."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench._hostile_texts import TEXTS
from pincite.citations import span_target
from pincite.config import Settings
from pincite.reading import MOST_TOGETHER, Reading, asked_alone, asked_together, asked_without, read_answer
from pincite.records import Answer, Citation
from pincite.sources import open_sources

MILL = "The mill made 40 tons of flour in 1990. It closed in 1999. The owner was Ann Reed."
SOURCES = {"mill.txt": MILL, "oak.txt": "Oaks grow slowly.", "data.json": '{"mill": {"tons": 40}}'}
LIBRARY = open_sources(SOURCES)


def read(text: str, settings: Settings | None = None, **answer: object) -> Reading:
    return read_answer(Answer(text, **answer), LIBRARY, settings or Settings())  # type: ignore[arg-type]


def shown(reading: Reading) -> list[list[str]]:
    """What a judge is shown of each target of each claim."""
    return [[one.passages[0].text for one in cited.resolved] for cited in reading.cited_claims]


# --- claims and targets --------------------------------------------------------------------------


def test_each_target_knows_its_evidence_and_the_claims_that_it_is_cited_for() -> None:
    reading = read(
        "The mill made 40 tons [mill.txt:0-39]. It closed [mill.txt:40-58][lost.txt]. Nobody knows."
    )
    assert [claim.text for claim in reading.claims] == [
        "The mill made 40 tons.",
        "It closed.",
        "Nobody knows.",
    ]
    assert [(one.evidence.status, one.claims) for one in reading.targets] == [
        ("found", (0,)),
        ("found", (1,)),
        ("unknown_document", (1,)),
    ]
    assert [[one.ordinal for one in behind] for behind in reading.targets_of] == [[0], [1, 2], []]
    assert reading.uncited == (2,)


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("What closed [mill.txt]? Thanks!", ["question", "courtesy"]),
        ("# The mill\n\nIt closed [mill.txt].", ["heading"]),
        ("It closed [mill.txt].", []),
    ],
)
def test_what_claims_nothing_is_kept_beside_the_claims(text: str, roles: list[str]) -> None:
    reading = read(text)
    assert [one.role for one in reading.skipped] == roles
    assert all(text[one.start : one.end].strip() for one in reading.skipped)


def test_what_was_meant_as_a_marker_is_no_claim_without_one() -> None:
    reading = read("The mill closed [mill.txt:9-4-2].")
    assert reading.parsed.malformed or reading.targets
    assert reading.uncited == ()


def test_a_number_counts_in_the_list_that_came_with_the_answer_then_in_its_own_then_in_the_sources() -> None:
    own = "It closed [1].\n\nSources:\n[1] oak.txt"

    def document(text: str, **answer: object) -> str | None:
        return read(text, **answer).targets[0].evidence.document

    assert document("It closed [1].") == "mill.txt"
    assert document(own) == "oak.txt"
    assert document(own, references=("mill.txt",)) == "mill.txt"
    assert document("It closed [1].", retrieved=("oak.txt", "mill.txt")) == "oak.txt"


def test_a_citation_without_a_marker_belongs_to_the_claim_with_which_it_shares_most_words() -> None:
    loose = Citation("span", "", 0, 0, (span_target("mill.txt", None, 40, 58),))
    reading = read("The mill made flour. It closed in 1999.", citations=(loose,))
    assert [one.claims for one in reading.targets] == [(1,)]
    assert reading.uncited == (0,)


def test_a_citation_without_a_marker_or_a_shared_word_goes_to_the_first_claim() -> None:
    loose = Citation("span", "", 0, 0, (span_target("oak.txt"),))
    assert [one.claims for one in read("It closed. It fell.", citations=(loose,)).targets] == [(0,)]


def test_a_reading_is_data_that_can_be_compared_and_holds_no_function() -> None:
    text = "The mill closed [mill.txt]. “It closed” [mill.txt:0-39]."
    one, other = read(text), read(text)
    fields = [name for name in Reading.__struct_fields__ if name != "library"]
    assert all(getattr(one, name) == getattr(other, name) for name in fields)
    assert not any(callable(getattr(one, name)) for name in fields)
    with pytest.raises(AttributeError):
        one.claims = ()  # type: ignore[misc]


@given(st.sampled_from(sorted(TEXTS)), st.integers(1, 400))
def test_every_part_of_a_reading_is_where_it_says(name: str, size: int) -> None:
    text = TEXTS[name](size)
    reading = read(text)
    for citation in reading.citations:
        assert text[citation.start : citation.end] == citation.text
    for claim in reading.claims:
        assert 0 <= claim.start < claim.end <= len(text)
    assert [one.ordinal for one in reading.targets] == list(range(len(reading.targets)))
    for number, behind in enumerate(reading.targets_of):
        assert all(number in one.claims for one in behind)
    assert len(reading.cited_claims) == len(reading.claims) == len(reading.targets_of)
    for cited in reading.cited_claims:
        assert {one.cited.ordinal for one in cited.resolved} <= {one.ordinal for one in cited.targets}


# --- what a judge is shown -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marker", "passage"),
    [
        ("[mill.txt:40-58]", "It closed in 1999."),
        ("[mill.txt:2-37]", "The mill made 40 tons of flour in 1990"),  # both ends cut a word
        ("[mill.txt]", MILL),
        ("[mill.tons]", "40"),
    ],
)
def test_a_judge_is_shown_what_is_cited_with_its_words_made_whole(marker: str, passage: str) -> None:
    assert shown(read(f"The mill closed {marker}.")) == [[passage]]


def test_no_more_is_made_whole_than_the_tolerance() -> None:
    text = "The mill closed [mill.txt:2-37]."
    assert shown(read(text, msgspec.structs.replace(Settings(), tolerance_chars=0))) == [[MILL[2:37]]]


def test_where_a_claim_quotes_what_it_cites_the_judge_sees_the_whole_sentence() -> None:
    assert shown(read("They made “40 tons of flour” [mill.txt:14-30].")) == [[MILL[:39]]]
    assert shown(read("They made 40 tons of flour [mill.txt:14-30].")) == [["40 tons of flour"]]


def test_of_a_long_source_the_judge_is_shown_the_best_of_it() -> None:
    long = (
        " ".join(f"Paragraph {n} is about herons and reeds." for n in range(400))
        + " The mill closed in 1999."
    )
    reading = read_answer(
        Answer("The mill closed in 1999 [long.txt]."), open_sources({"long.txt": long}), Settings()
    )
    (target,) = reading.cited_claims[0].resolved
    assert any("The mill closed in 1999." in one.text for one in target.passages)
    assert sum(len(one.text) for one in target.passages) < len(long) / 4
    assert all(len(one.text) <= 1_201 for one in reading.targets[0].evidence.passages)


def test_a_claim_is_asked_about_alone_together_and_without_each() -> None:
    reading = read(
        "The mill made flour and closed [mill.txt:0-39][mill.txt:40-58][oak.txt]. It fell [oak.txt]."
    )
    alone, together, without = (ask(reading) for ask in (asked_alone, asked_together, asked_without))
    assert [len(pair.passages) for pair in alone] == [1, 1, 1, 1]
    assert [len(pair.passages) for pair in together] == [3, 1]
    assert [len(pair.passages) for pair in without] == [2, 2, 2]


def test_a_value_in_data_is_compared_and_no_judge_is_asked() -> None:
    for tons, outcome in ((40, "supported"), (41, "contradicted")):
        reading = read(f"The mill made {tons} tons [mill.tons].")
        (target,) = reading.cited_claims[0].resolved
        assert target.value is not None and target.value.outcome == outcome
        assert asked_alone(reading) == asked_together(reading) == asked_without(reading) == []


@pytest.mark.parametrize(("count", "together"), [(MOST_TOGETHER, True), (MOST_TOGETHER + 1, False)])
def test_too_many_targets_are_asked_about_one_by_one(count: int, together: bool) -> None:
    sources = {f"s{n}.txt": f"Paragraph {n} is about mills." for n in range(count)}
    text = "The mill closed" + "".join(f" [{name}]" for name in sources) + "."
    (cited,) = read_answer(Answer(text), open_sources(sources), Settings()).cited_claims
    assert len(cited.resolved) == count
    assert (cited.together is not None) is together
    assert (cited.without(cited.resolved[0]) is not None) is together


# --- quotes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("They say “it closed in 1999” [mill.txt].", "there"),
        ("They say “It  closed in 1999” [mill.txt:40-58].", "there"),
        ("They say “it closed in 1999” [mill.txt:0-39].", "elsewhere"),
        ("They say “it never closed at all” [mill.txt].", "nowhere"),
        ("They say “it closed in 1999” [lost.txt].", "unknown"),
        ('It closed [mill.txt:40-58 | excerpt: "It closed ... 1999"].', "there"),
        ('It closed [mill.txt:0-39 | excerpt: "It closed in 1999"].', "elsewhere"),
        ('It closed [mill.txt:0-39 | excerpt: "It burned in 1950"].', "nowhere"),
    ],
)
def test_a_quote_is_where_it_is_cited_or_elsewhere_or_nowhere(text: str, standing: str) -> None:
    reading = read(text)
    assert [one.standing for one in reading.quotes] == [standing]
    assert list(reading.misquoted) == ([0] if standing in ("elsewhere", "nowhere") else [])
    for one in reading.quotes:
        assert one.span is None or one.span.of(text) == one.text


def test_a_quote_held_by_one_of_several_targets_is_there() -> None:
    reading = read("They say “it closed in 1999” [oak.txt][mill.txt].")
    (one,) = reading.quotes
    assert (one.standing, [cited.ordinal for cited in one.held]) == ("there", [1])
    assert reading.misquoted == {}
