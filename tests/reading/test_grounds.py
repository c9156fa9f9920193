"""What grounds a claim: one document, or several that do not speak against each other."""

from __future__ import annotations

import asyncio

import pytest

from pincite.config import Settings
from pincite.metrics import parse_metric
from pincite.reading import read_answer, read_grounds
from pincite.records import Answer, DatasetItem
from pincite.sources import open_sources

TREES = ("Oak", "Elm", "Ash", "Fir", "Yew", "Bay")
BRIDGES = {
    f"{tree}.txt": f"The {tree} bridge was opened in {1900 + 7 * place}. It cost {3 + 2 * place} million."
    for place, tree in enumerate(TREES)
}


def hallucinated(answer: str, judge: str, sources: dict[str, str] = BRIDGES) -> float | None:
    item = DatasetItem(query="When?", actual_output=answer)
    return asyncio.run(parse_metric("hallucination_rate").execute(item, sources, judge=judge)).score


@pytest.mark.parametrize("judge", ["rules", "entailment"])
@pytest.mark.parametrize("cited", [True, False])
def test_a_year_from_one_document_and_a_name_from_another_are_no_ground(judge: str, cited: bool) -> None:
    for place, tree in enumerate(TREES):
        year = 1900 + 7 * ((place + 1) % len(TREES))
        marker = f" [{tree}.txt:0-33]" if cited else ""
        assert hallucinated(f"The {tree} bridge was opened in {year}{marker}.", judge) == 1.0


@pytest.mark.parametrize("judge", ["rules", "entailment"])
def test_what_one_document_states_is_grounded_whatever_others_are_like(judge: str) -> None:
    for place, tree in enumerate(TREES):
        assert hallucinated(f"The {tree} bridge was opened in {1900 + 7 * place}.", judge) == 0.0


def test_a_document_that_surely_states_a_claim_outweighs_one_that_denies_it() -> None:
    sources = {"old.txt": "The town has 4,100 inhabitants.", "new.txt": "The town has 4,300 inhabitants."}
    assert hallucinated("The town has 4,300 inhabitants [new.txt:0-31].", "rules", sources) == 0.0
    assert hallucinated("The town has 4,700 inhabitants [new.txt:0-31].", "rules", sources) == 1.0


def compound(first: int, second: int, first_year: int, second_year: int) -> str:
    years = [
        1900 + 7 * ((place + shift) % 6) for place, shift in ((first, first_year), (second, second_year))
    ]
    return (
        f"The {TREES[first]} bridge was opened in {years[0]}, "
        f"and the {TREES[second]} bridge was opened in {years[1]}."
    )


@pytest.mark.parametrize("judge", ["rules", "entailment"])
def test_two_documents_that_state_a_clause_each_ground_a_claim(judge: str) -> None:
    for place in range(5):
        assert hallucinated(compound(place, place + 1, 0, 0), judge) == 0.0


@pytest.mark.parametrize("judge", ["rules", "entailment"])
@pytest.mark.parametrize("wrong", [(1, 0), (0, 1), (1, -1), (1, 1)])
def test_a_claim_with_a_clause_that_no_document_states_has_no_ground(
    judge: str, wrong: tuple[int, int]
) -> None:
    """With the years swapped each year stands in one of the documents, beside the other name."""
    for place in range(5):
        assert hallucinated(compound(place, place + 1, *wrong), judge) == 1.0


def test_a_clause_about_it_cannot_be_borne_by_another_document() -> None:
    sources = {name: text for name, text in BRIDGES.items() if name in ("Oak.txt", "Elm.txt")}
    claim = "The Oak bridge was opened in 1900, and it cost 5 million."
    assert hallucinated(claim, "entailment", sources) == 1.0


def test_a_document_that_shares_a_year_and_speaks_of_something_else_denies_nothing() -> None:
    sources = {
        "school.txt": "Of the pupils in 2023, 91 per cent gained a certificate. In 2022 it was 89 per cent.",
        "water.txt": "Of the water that left the works in 2023, 17 per cent was lost.",
    }
    claim = "In 2023, 91 per cent of the pupils gained a certificate."
    assert hallucinated(claim, "entailment", sources) == 0.0


@pytest.mark.parametrize(
    ("claim", "clauses"),
    [
        ("Oak was opened in 1900, and Elm was opened in 1907.", 2),
        ("The Oak opened in 1900; the Elm followed in 1907; the Ash never opened.", 3),
        ("The Oak bridge opened in 1900 while the Elm bridge is closed.", 2),
        ("The Oak bridge opened in 1900, and it cost 3 million.", 0),
        ("The Oak bridge opened in 1900, and cost 3 million.", 0),
        ("Oak, Elm, and Ash were built in 1900.", 0),
        ("The bridge was opened in 1900, and the Elm school in 1907.", 0),
    ],
)
def test_a_clause_stands_alone_where_it_names_what_it_is_about(claim: str, clauses: int) -> None:
    (grounds,) = read_grounds(read_answer(Answer(claim), open_sources(BRIDGES), Settings()))
    assert len(grounds.apart) > 1
    assert len(grounds.clauses) == clauses
