"""The evaluator in the real LangSmith, which sends to a server on this machine, and in openevals."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langsmith import Client, evaluate
from langsmith.schemas import Example
from openevals.simulators import run_multiturn_simulation
from recording import Received, Recorder, recording

from pages import run_page
from pincite.integrations.langsmith import citation_evaluator

FIRST = "Revenue grew by 21% in the first quarter."
SECOND = "The office in Lisbon opened in May."
RIGHT = "Revenue grew by 21% in the first quarter [1]. The Lisbon office opened in May [2]."
WRONG = "Revenue grew by 12% in the first quarter [1]. The Lisbon office opened in May [2]."
CHECK = citation_evaluator(judge="rules")
DATASET = str(uuid.UUID(int=1))
NOW = datetime(2026, 1, 1, tzinfo=UTC)

INGEST = {
    "use_multipart_endpoint": True,
    "size_limit": 100,
    "size_limit_bytes": 20_000_000,
    "scale_up_qsize_trigger": 1000,
    "scale_up_nthreads_limit": 2,
    "scale_down_nempty_trigger": 4,
}


def langsmith_says(received: Received) -> tuple[int, Any]:
    if received.path == "/info":
        return 200, {"version": "0.14", "batch_ingest_config": INGEST}
    if received.path.startswith("/sessions"):
        project = {"id": str(uuid.UUID(int=2)), "name": "project", "tenant_id": str(uuid.UUID(int=3))}
        return 200, {**project, "start_time": NOW.isoformat(), "reference_dataset_id": DATASET}
    return 200, {}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    with recording(langsmith_says) as recorder:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", recorder.url)
        monkeypatch.setenv("LANGSMITH_API_KEY", "a-key-of-no-worth")
        monkeypatch.setenv("LANGSMITH_TRACING", "true")
        yield recorder


def feedback(server: Recorder) -> list[dict[str, Any]]:
    sent = [one.parts for one in server.sent_to("/runs/multipart")]
    return [value for parts in sent for name, value in parts.items() if name.startswith("feedback.")]


def test_an_experiment_uploads_scores_reasons_and_a_row_for_each_citation(server: Recorder) -> None:
    client = Client()
    answers = {"a": RIGHT, "b": WRONG, "c": "Nothing is cited."}
    examples = [
        Example(id=uuid.uuid4(), dataset_id=DATASET, inputs={"question": name}, created_at=NOW)
        for name in answers
    ]
    done = evaluate(
        lambda inputs: {"answer": answers[inputs["question"]], "documents": [FIRST, SECOND]},
        data=examples,
        evaluators=[CHECK],
        client=client,
        max_concurrency=0,
    )
    local = {row["run"].outputs["answer"]: row["evaluation_results"]["results"][0] for row in list(done)}
    client.flush()
    assert [local[text].score for text in answers.values()] == [1.0, 0.5, None]
    sent = {one["comment"].partition("\n")[0]: one for one in feedback(server)}
    assert sorted(str(one["score"]) for one in sent.values()) == ["0.5", "1.0", "None"]
    unjudged = sent["nothing to judge: the answer has no citations"]
    assert (unjudged["key"], unjudged["score"], unjudged["value"]) == ("citations", None, "unjudged")
    (wrong,) = [one for one in sent.values() if one["score"] == 0.5]
    assert "12% in the claim, 21% in the source" in wrong["comment"]
    assert [one["verdict"] for one in wrong["extra"]["citations"]] == ["contradicted", "supported"]


def test_it_is_called_as_the_evaluators_of_openevals_are() -> None:
    result = CHECK(inputs="What happened?", outputs=WRONG, context=[FIRST, SECOND])
    assert {"key", "score", "comment", "metadata"} <= set(result)
    assert (result["key"], result["score"]) == ("citations", 0.5)


def test_a_simulated_conversation_is_checked_by_openevals() -> None:
    def app(message: Any, **kwargs: Any) -> dict[str, str]:
        return {"role": "assistant", "content": WRONG}

    def evaluator(**kwargs: Any) -> dict[str, Any]:
        return CHECK(**kwargs, context=[FIRST, SECOND])

    done = run_multiturn_simulation(
        app=app,
        user=[{"role": "user", "content": "What happened?"}],
        trajectory_evaluators=[evaluator],
        max_turns=1,
    )
    (result,) = done["evaluator_results"]
    assert (result["key"], result["score"]) == ("citations", 0.5)


@pytest.mark.parametrize(
    "outputs",
    [
        {"answer": WRONG, "documents": [Document(FIRST), Document(SECOND)]},
        {"messages": [HumanMessage("What happened?"), AIMessage(WRONG)], "contexts": [FIRST, SECOND]},
        {"output": AIMessage(WRONG), "contexts": [FIRST, SECOND]},
        {"messages": [{"role": "assistant", "content": WRONG}], "contexts": {"1": FIRST, "2": SECOND}},
    ],
)
def test_the_usual_shapes_of_outputs_are_read(outputs: dict[str, Any]) -> None:
    assert CHECK(inputs={"question": "What happened?"}, outputs=outputs)["score"] == 0.5


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        ({}, "the system returned nothing"),
        (None, "the system returned nothing"),
        ({"answer": RIGHT}, "there are no contexts"),
        ({"answer": RIGHT, "contexts": 3}, "give a list of texts"),
        ({"answer": RIGHT, "contexts": [3]}, "context 1"),
        ({"messages": [{"role": "user", "content": "?"}], "contexts": [FIRST]}, "none of the messages"),
    ],
)
def test_what_cannot_be_checked_has_a_reason_and_no_score(outputs: Any, reason: str) -> None:
    result = CHECK(inputs={}, outputs=outputs)
    assert (result["score"], result["value"]) == (None, "unjudged")
    assert reason in result["comment"]


def test_the_page_is_true(server: Recorder) -> None:
    run_page("langsmith", framework_prints=True)
    assert [one["score"] for one in feedback(server)] == [0.5]
