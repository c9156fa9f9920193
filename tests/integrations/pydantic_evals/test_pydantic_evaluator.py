"""The evaluator, used by datasets of Pydantic Evals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cases import CONTEXTS, QUESTION, RIGHT, UNCITED, UNJUDGED, WRONG
from pydantic import BaseModel
from pydantic_evals import Case, Dataset

from pages import run_page
from pincite.integrations.pydantic_evals import PydanticCitationEvaluator


@dataclass
class Reply:
    answer: str
    contexts: list[str]


class ReplyModel(BaseModel):
    response: str
    documents: list[str]


def evaluate(cases: list[Case], task: Any, **arguments: Any):
    """The cases of a report by their names."""
    dataset = Dataset(
        name="tests", cases=cases, evaluators=[PydanticCitationEvaluator(judge="rules", **arguments)]
    )
    report = dataset.evaluate_sync(task, progress=False)
    assert not report.failures
    return {case.name: case for case in report.cases}, report


def by_metadata(answers: dict[str, str], **arguments: Any):
    cases = [Case(name=name, inputs=name, metadata={"contexts": CONTEXTS}) for name in answers]
    return evaluate(cases, lambda name: answers[name], **arguments)


def test_the_share_of_supported_citations_is_a_score_with_its_reason() -> None:
    cases, _ = by_metadata({"right": RIGHT, "wrong": WRONG})
    assert cases["right"].scores["citations"].value == 1.0
    assert cases["wrong"].scores["citations"].value == 0.5
    assert "[1] is contradicted" in cases["wrong"].scores["citations"].reason


def test_each_citation_gets_a_label_with_its_reason_unless_that_is_not_wanted() -> None:
    cases, _ = by_metadata({"wrong": WRONG})
    labels = cases["wrong"].labels
    assert {name: label.value for name, label in labels.items()} == {
        "citation 1": "contradicted",
        "citation 2": "supported",
    }
    assert labels["citation 1"].reason == "[1] PIN203: 12% in the claim, 21% in the source"
    assert not by_metadata({"wrong": WRONG}, each=False)[0]["wrong"].labels


@pytest.mark.parametrize("answer", [UNJUDGED, UNCITED])
def test_what_cannot_be_judged_is_a_failure_of_the_evaluator_and_in_no_average(answer: str) -> None:
    cases, report = by_metadata({"wrong": WRONG, "unjudged": answer})
    assert cases["unjudged"].scores == {}
    (failure,) = cases["unjudged"].evaluator_failures
    assert failure.error_type == "UnjudgedError"
    assert "nothing" in failure.error_message
    assert report.averages().scores["citations"] == 0.5


def test_an_unjudged_citation_beside_others_is_labelled_and_in_no_score() -> None:
    cases, _ = by_metadata({"mixed": f"{RIGHT} {UNJUDGED}"})
    assert cases["mixed"].scores["citations"].value == 1.0
    assert cases["mixed"].labels["citation 3"].value == "unjudged"


def test_contexts_may_be_in_what_the_task_returns_or_in_the_inputs() -> None:
    for reply in (
        {"answer": WRONG, "contexts": CONTEXTS},
        Reply(WRONG, CONTEXTS),
        ReplyModel(response=WRONG, documents=CONTEXTS),
    ):
        cases, _ = evaluate([Case(name="a", inputs=QUESTION)], lambda _, reply=reply: reply)
        assert cases["a"].scores["citations"].value == 0.5
    inputs = {"question": QUESTION, "contexts": CONTEXTS}
    cases, _ = evaluate([Case(name="a", inputs=inputs)], lambda _: WRONG)
    assert cases["a"].scores["citations"].value == 0.5


def test_a_case_without_contexts_has_no_score_and_says_why() -> None:
    cases, _ = evaluate([Case(name="a", inputs=QUESTION)], lambda _: RIGHT)
    assert not cases["a"].scores
    assert "there are no contexts" in cases["a"].evaluator_failures[0].error_message


def test_a_dataset_with_the_evaluator_can_be_saved_and_read_again(tmp_path: Path) -> None:
    case = Case(name="a", inputs=QUESTION, metadata={"contexts": CONTEXTS})
    saved = Dataset[str, str, Any](
        name="tests", cases=[case], evaluators=[PydanticCitationEvaluator(judge="rules")]
    )
    path = tmp_path / "cases.yaml"
    saved.to_file(path)
    loaded = Dataset[str, str, Any].from_file(path, custom_evaluator_types=[PydanticCitationEvaluator])
    assert loaded.evaluators == saved.evaluators
    report = loaded.evaluate_sync(lambda _: WRONG, progress=False)
    assert report.cases[0].scores["citations"].value == 0.5


def test_the_page_shows_what_its_example_prints() -> None:
    run_page("pydantic_evals")
