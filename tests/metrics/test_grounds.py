"""What grounds a claim: one document, or several that do not speak against each other."""

from __future__ import annotations

import asyncio

import pytest

from pincite.measured import DatasetItem
from pincite.metrics.names import parse_metric

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
