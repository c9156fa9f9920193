"""The DeepEval metric, measured and evaluated by DeepEval itself."""

from __future__ import annotations

import asyncio

import pytest
from cases import CONTEXTS, QUESTION, RIGHT, UNCITED, UNJUDGED, WRONG
from deepeval import assert_test, evaluate
from deepeval.errors import MissingTestCaseParamsError
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.test_case import LLMTestCase, RetrievedContextData

from pages import run_page
from pincite.integrations.deepeval import CitationMetric


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch) -> None:
    """DeepEval writes a hidden folder where it runs."""
    monkeypatch.chdir(tmp_path)


def case(answer: str | None, contexts: list | None = CONTEXTS) -> LLMTestCase:
    return LLMTestCase(input=QUESTION, actual_output=answer, retrieval_context=contexts)


def metric(threshold: float = 1.0) -> CitationMetric:
    return CitationMetric(threshold, judge="rules")


def run(cases: list[LLMTestCase], run_async: bool, threshold: float = 1.0, **errors: bool):
    result = evaluate(
        cases,
        metrics=[metric(threshold)],
        async_config=AsyncConfig(run_async=run_async),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
        error_config=ErrorConfig(**errors),
    )
    return sorted(result.test_results, key=lambda one: one.index)


def test_an_answer_whose_citations_hold_scores_one_and_passes() -> None:
    measured = metric()
    assert measured.measure(case(RIGHT)) == 1.0
    assert measured.is_successful()
    assert measured.error is None


def test_the_reason_and_the_breakdown_name_each_citation() -> None:
    measured = metric(0.5)
    assert measured.measure(case(WRONG)) == 0.5
    assert measured.success
    assert measured.score_breakdown == {"1 [1]": 0.0, "2 [2]": 1.0}
    assert "- [1]: PIN203 contradicted, 12% in the claim, 21% in the source" in measured.reason
    assert [row["verdict"] for row in measured.citations] == ["contradicted", "supported"]
    assert not metric(0.6).is_successful()


def test_the_asynchronous_way_comes_to_the_same() -> None:
    here, there = metric(), metric()
    here.measure(case(WRONG))
    asyncio.run(there.a_measure(case(WRONG)))
    assert (here.score, here.reason, here.citations) == (there.score, there.reason, there.citations)


@pytest.mark.parametrize("answer", [UNJUDGED, UNCITED])
def test_what_cannot_be_judged_is_an_error_and_no_score(answer: str) -> None:
    measured = metric()
    assert measured.measure(case(answer)) is None
    assert measured.score is None
    assert measured.error.startswith("unjudged: ")
    assert not measured.is_successful()


def test_a_metric_forgets_the_error_of_the_case_before() -> None:
    measured = metric()
    measured.measure(case(UNJUDGED))
    measured.measure(case(RIGHT))
    assert (measured.score, measured.error, measured.is_successful()) == (1.0, None, True)


@pytest.mark.parametrize("run_async", [True, False])
def test_evaluate_shows_every_case_and_gives_the_unjudged_one_no_score(run_async: bool) -> None:
    results = run([case(RIGHT), case(WRONG), case(UNJUDGED)], run_async)
    data = [result.metrics_data[0] for result in results]
    assert [one.score for one in data] == [1.0, 0.5, None]
    assert [one.success for one in data] == [True, False, False]
    assert [one.error is None for one in data] == [True, True, False]
    assert "unjudged: nothing was judged" in data[2].error
    assert "PIN203" in data[1].reason
    assert {one.evaluation_model for one in data} == {"rules"}


def test_a_case_without_contexts_is_skipped_where_deepeval_is_told_to_skip() -> None:
    with pytest.raises(MissingTestCaseParamsError, match="retrieval_context cannot be None"):
        metric().measure(case(RIGHT, None))
    assert not run([case(RIGHT, None)], False, skip_on_missing_params=True)[0].metrics_data


def test_a_context_with_its_source_can_be_cited_by_it() -> None:
    contexts = [
        RetrievedContextData(context=text, source=f"report-{n}.txt") for n, text in enumerate(CONTEXTS)
    ]
    measured = metric()
    measured.measure(case("Revenue grew by 21% in the first quarter of 2023 [report-0.txt].", contexts))
    assert measured.score == 1.0
    assert measured.citations[0]["document"] == "report-0.txt"


def test_assert_test_fails_with_the_citation_that_is_wrong() -> None:
    assert_test(case(RIGHT), [metric()])
    with pytest.raises(AssertionError, match="Citations"):
        assert_test(case(WRONG), [metric()])


def test_the_page_shows_what_its_example_prints() -> None:
    run_page("deepeval")
