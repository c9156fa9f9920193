"""The Ragas metrics of both styles, run by Ragas."""

from __future__ import annotations

import asyncio
import math
import warnings

import pytest
from cases import CONTEXTS, QUESTION, RIGHT, UNCITED, UNJUDGED, WRONG
from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.metrics.result import MetricResult

from pages import run_page
from pincite.integrations.ragas import CitationSupport, SampleCitationSupport


def score(answer: str, contexts: list[str] | None = CONTEXTS) -> MetricResult:
    metric = CitationSupport(judge="rules")
    return metric.score(response=answer, retrieved_contexts=contexts, user_input=QUESTION)


def sample(answer: str) -> SingleTurnSample:
    return SingleTurnSample(user_input=QUESTION, response=answer, retrieved_contexts=CONTEXTS)


def test_the_value_is_the_share_of_supported_citations_and_the_reason_names_each() -> None:
    assert score(RIGHT).value == 1.0
    wrong = score(WRONG)
    assert wrong.value == 0.5
    assert "- [1]: PIN203 contradicted, 12% in the claim, 21% in the source" in wrong.reason
    rows = wrong.traces["output"]["citations"]
    assert [row["verdict"] for row in rows] == ["contradicted", "supported"]


@pytest.mark.parametrize("answer", [UNJUDGED, UNCITED])
def test_what_cannot_be_judged_is_nan_with_the_reason(answer: str) -> None:
    result = score(answer)
    assert math.isnan(result.value)
    assert "nothing" in result.reason


def test_citing_what_was_not_retrieved_is_wrong_and_no_contexts_at_all_are_unjudged() -> None:
    assert score(RIGHT, []).value == 0.0
    result = score(RIGHT, None)
    assert math.isnan(result.value)
    assert "there are no contexts" in result.reason


def test_a_batch_comes_to_the_same_as_one_by_one() -> None:
    inputs = [{"response": answer, "retrieved_contexts": CONTEXTS} for answer in (RIGHT, WRONG)]
    results = asyncio.run(CitationSupport(judge="rules").abatch_score(inputs))
    assert [result.value for result in results] == [1.0, 0.5]


def test_one_sample_is_scored_by_the_metric_for_evaluate() -> None:
    metric = SampleCitationSupport(judge="rules")
    assert metric.name == "citation_support"
    assert metric.single_turn_score(sample(WRONG)) == 0.5
    assert math.isnan(metric.single_turn_score(sample(UNJUDGED)))


def test_evaluate_keeps_an_unjudged_row_as_nan_and_averages_the_others() -> None:
    dataset = EvaluationDataset(samples=[sample(RIGHT), sample(WRONG), sample(UNJUDGED)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        result = evaluate(dataset, metrics=[SampleCitationSupport(judge="rules")], show_progress=False)
    values = [row["citation_support"] for row in result.scores]
    assert values[:2] == [1.0, 0.5]
    assert math.isnan(values[2])
    assert result._repr_dict["citation_support"] == 0.75


def test_the_page_shows_what_its_example_prints() -> None:
    run_page("ragas")
