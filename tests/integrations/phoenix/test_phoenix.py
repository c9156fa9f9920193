"""The evaluator in the real Phoenix, whose client sends to a server on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from phoenix.client import Client
from phoenix.evals import evaluate_dataframe
from recording import Received, Recorder, recording

import pincite
from pages import run_page
from pincite.integrations.phoenix import PhoenixCitationEvaluator, document_annotations, span_annotation

FIRST = "Revenue grew by 21% in the first quarter."
SECOND = "The office in Lisbon opened in May."
THIRD = "Nobody cites this."
RIGHT = "Revenue grew by 21% in the first quarter [1]. The Lisbon office opened in May [2]."
WRONG = "Revenue grew by 12% in the first quarter [1]. The Lisbon office opened in May [2]."
CONTEXTS = [FIRST, SECOND, THIRD]


def phoenix_says(received: Received) -> tuple[int, Any]:
    if received.path.endswith("_annotations"):
        return 200, {"data": [{"id": str(number)} for number, _ in enumerate(received.json["data"])]}
    return 200, {}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    with recording(phoenix_says) as recorder:
        monkeypatch.setenv("PHOENIX_BASE_URL", recorder.url)
        monkeypatch.setenv("PHOENIX_COLLECTOR_ENDPOINT", recorder.url)
        yield recorder


def test_a_frame_is_evaluated_and_what_is_unjudged_has_a_label_and_no_score() -> None:
    frame = pd.DataFrame({"output": [RIGHT, WRONG, "Nothing is cited."], "contexts": [CONTEXTS] * 3})
    done = evaluate_dataframe(
        dataframe=frame, evaluators=[PhoenixCitationEvaluator(judge="rules")], hide_tqdm_bar=True
    )
    scores = list(done["citations_score"])
    assert [one.get("score") for one in scores] == [1.0, 0.5, None]
    assert [one["label"] for one in scores] == ["ok", "problems", "unjudged"]
    assert "12% in the claim, 21% in the source" in scores[1]["explanation"]
    assert [one["verdict"] for one in scores[1]["metadata"]["citations"]] == ["contradicted", "supported"]
    assert scores[2]["explanation"] == "nothing to judge: the answer has no citations"


def test_other_columns_are_bound_by_the_frameworks_own_mapping() -> None:
    evaluator = PhoenixCitationEvaluator(judge="rules")
    row = {"reply": {"text": WRONG}, "retrieved": [{"document": {"content": FIRST}}]}
    mapping = {"output": "reply.text", "contexts": lambda row: [one["document"] for one in row["retrieved"]]}
    (score,) = evaluator.evaluate(row, input_mapping=mapping)
    assert score.score == 0.0
    assert [one["verdict"] for one in score.metadata["citations"]] == ["contradicted", "unsupported"]
    (later,) = asyncio.run(evaluator.async_evaluate(row, input_mapping=mapping))
    assert later.score == 0.0


def test_a_report_is_sent_as_an_annotation_of_its_span(server: Recorder) -> None:
    answers = {"span-1": WRONG, "span-2": "Nothing is cited."}
    annotations = [
        span_annotation(pincite.check_contexts(text, CONTEXTS, judge="rules"), span)
        for span, text in answers.items()
    ]
    Client().spans.log_span_annotations(span_annotations=annotations, sync=True)
    (received,) = server.sent_to("/v1/span_annotations")
    wrong, unjudged = received.json["data"]
    assert (wrong["span_id"], wrong["result"]["score"], wrong["result"]["label"]) == (
        "span-1",
        0.5,
        "problems",
    )
    assert wrong["annotator_kind"] == "CODE"
    assert len(wrong["metadata"]["citations"]) == 2
    assert unjudged["result"]["label"] == "unjudged"
    assert "score" not in unjudged["result"]


def test_what_was_found_is_sent_to_each_cited_document(server: Recorder) -> None:
    report = pincite.check_contexts(WRONG, CONTEXTS, judge="rules")
    annotations = document_annotations(report, CONTEXTS, "retriever-1")
    Client().spans.log_document_annotations(document_annotations=annotations, sync=True)
    (received,) = server.sent_to("/v1/document_annotations")
    assert [
        (one["document_position"], one["result"]["label"], one["result"]["score"])
        for one in received.json["data"]
    ] == [(0, "contradicted", 0.0), (1, "supported", 1.0)]


def test_documents_with_ids_are_found_by_them() -> None:
    ids = ["a", "b", "c"]
    report = pincite.check_contexts(
        "The office in Lisbon opened in May [b].", CONTEXTS, ids=ids, judge="rules"
    )
    (found,) = document_annotations(report, CONTEXTS, "retriever-1", ids=ids)
    assert (found["document_position"], found["result"]["label"]) == (1, "supported")


def test_the_page_is_true(server: Recorder) -> None:
    run_page("phoenix")
    (received,) = server.sent_to("/v1/span_annotations")
    assert [one["result"].get("score") for one in received.json["data"]] == [0.5]
