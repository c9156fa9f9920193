"""The scorer in the real MLflow, with its own evaluation and a database of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import mlflow
import pytest
from mlflow.entities import Feedback, SpanType, Trace

import pincite
from pages import run_page
from pincite.integrations.mlflow import citation_scorer, feedback_of, retrieved_documents

# The first evaluation imports an SDK with thousands of classes, which takes a minute on a busy machine.
pytestmark = pytest.mark.timeout(600)

FIRST = "Revenue grew by 21% in the first quarter."
SECOND = "The office in Lisbon opened in May."
RIGHT = "Revenue grew by 21% in the first quarter [1]. The Lisbon office opened in May [2]."
WRONG = "Revenue grew by 12% in the first quarter [1]. The Lisbon office opened in May [2]."


@pytest.fixture(scope="module", autouse=True)
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("mlflow")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("MLFLOW_GENAI_EVAL_MAX_WORKERS", "1")
        mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
        mlflow.set_experiment("citations")
        yield


def last_trace() -> Trace:
    mlflow.flush_trace_async_logging()
    return mlflow.get_trace(mlflow.get_last_active_trace_id())


def test_an_evaluation_has_the_score_the_reasons_and_the_errors() -> None:
    rows = [
        {"inputs": {"question": "q"}, "outputs": {"answer": text, "contexts": [FIRST, SECOND]}}
        for text in (RIGHT, WRONG, "Nothing is cited.")
    ]
    done = mlflow.genai.evaluate(data=rows, scorers=[citation_scorer(judge="rules")])
    assert done.metrics["citations/mean"] == 0.75  # of two: nothing could be judged in the third
    found = {json.dumps(row["response"]): row for row in done.result_df.to_dict("records")}
    by_text = {text: next(row for said, row in found.items() if text[:20] in said) for text in (RIGHT, WRONG)}
    assert by_text[RIGHT]["citations/value"] == 1.0
    wrong = by_text[WRONG]
    assert wrong["citations/value"] == 0.5
    assert "12% in the claim, 21% in the source" in wrong["citations/rationale"]
    (assessment,) = wrong["assessments"]
    rows_of_wrong = json.loads(assessment["metadata"]["citations"])
    assert [one["verdict"] for one in rows_of_wrong] == ["contradicted", "supported"]
    (none,) = [row for said, row in found.items() if "Nothing is cited" in said]
    assert none["citations/error_message"] == "nothing to judge: the answer has no citations"
    (assessment,) = none["assessments"]
    assert assessment["feedback"]["value"] is None
    assert assessment["feedback"]["error"]["error_code"] == "NOT_JUDGED"


def test_the_contexts_are_those_that_the_retrievers_of_the_trace_returned() -> None:
    @mlflow.trace(span_type=SpanType.RETRIEVER)
    def search(question: str) -> list[dict[str, Any]]:
        return rank(
            [{"page_content": FIRST, "metadata": {"doc_uri": "report.txt"}}, {"page_content": SECOND}]
        )

    @mlflow.trace(span_type=SpanType.RETRIEVER)
    def rank(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return found

    @mlflow.trace
    def answer(question: str) -> str:
        search(question)
        return "Revenue grew by 12% in the first quarter [report.txt]. The Lisbon office opened in May [2]."

    answer("What happened?")
    trace = last_trace()
    assert [one["page_content"] for one in retrieved_documents(trace) or []] == [FIRST, SECOND]
    done = mlflow.genai.evaluate(data=[{"trace": trace}], scorers=[citation_scorer(judge="rules")])
    assert done.metrics["citations/mean"] == 0.5


def test_without_contexts_nothing_is_scored() -> None:
    check = citation_scorer(judge="rules")
    feedback = check(inputs={}, outputs=RIGHT)
    assert feedback.value is None
    assert "there are no contexts" in feedback.error.error_message
    assert check(inputs={}, outputs=None).error.error_message == "not checked: the system returned nothing"


def test_a_report_is_logged_on_a_trace_that_is_already_there() -> None:
    @mlflow.trace
    def answer(question: str) -> str:
        return WRONG

    answer("What happened?")
    trace_id = last_trace().info.trace_id
    report = pincite.check_contexts(WRONG, [FIRST, SECOND], judge="rules")
    mlflow.log_assessment(trace_id=trace_id, assessment=feedback_of(report))
    (logged,) = mlflow.get_trace(trace_id).info.assessments
    assert isinstance(logged, Feedback)
    assert (logged.name, logged.value, logged.source.source_type) == ("citations", 0.5, "CODE")


def test_a_setting_that_does_not_exist_is_refused() -> None:
    with pytest.raises(pincite.ConfigError):
        citation_scorer(judge="rules", no_such_setting=1)(inputs={"contexts": [FIRST]}, outputs=RIGHT)


def test_the_page_is_true() -> None:
    run_page("mlflow", framework_prints=True)
