"""The evaluator in the real Langfuse, which sends to a server on this machine."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from langfuse import Langfuse
from recording import Received, Recorder, recording

import pincite
from pages import run_page
from pincite.integrations.langfuse import citation_evaluator, score_trace

FIRST = "Revenue grew by 21% in the first quarter."
SECOND = "The office in Lisbon opened in May."
RIGHT = "Revenue grew by 21% in the first quarter [1]. The Lisbon office opened in May [2]."
WRONG = "Revenue grew by 12% in the first quarter [1]. The Lisbon office opened in May [2]."
TRACE = "0" * 31 + "1"


def langfuse_says(received: Received) -> tuple[int, Any]:
    if received.path == "/api/public/projects":
        project = {"id": "p", "name": "p", "organization": {"id": "o", "name": "o"}, "metadata": {}}
        return 200, {"data": [project]}
    return 200, {}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    with recording(langfuse_says) as recorder:
        monkeypatch.setenv("LANGFUSE_BASE_URL", recorder.url)
        # There is one client for each key, and one that was shut down stays so.
        monkeypatch.setenv("LANGFUSE_PUBLIC_KEY", f"pk-{uuid.uuid4()}")
        monkeypatch.setenv("LANGFUSE_SECRET_KEY", "sk-of-no-worth")
        yield recorder


@pytest.fixture
def client(server: Recorder) -> Iterator[Langfuse]:
    client = Langfuse()
    yield client
    client.shutdown()


def scores(server: Recorder) -> list[dict[str, Any]]:
    sent = [one.json for one in server.sent_to("/api/public/scores")]
    return [score for batch in sent for score in (batch if isinstance(batch, list) else [batch])]


def test_an_experiment_sends_a_number_only_where_there_is_one(server: Recorder, client: Langfuse) -> None:
    answers = {"a": RIGHT, "b": WRONG, "c": "Nothing is cited."}
    done = client.run_experiment(
        name="citations",
        data=[{"input": name, "metadata": {"contexts": [FIRST, SECOND]}} for name in answers],
        task=lambda *, item, **kwargs: answers[item["input"]],
        evaluators=[citation_evaluator(judge="rules")],
    )
    client.flush()
    assert "citations: 0.750" in done.format()
    sent = scores(server)
    numbers = [one["value"] for one in sent if one["name"] == "citations"]
    labels = [one["value"] for one in sent if one["name"] == "citations_label"]
    assert sorted(numbers) == [0.5, 1.0]
    assert sorted(labels) == ["ok", "problems", "unjudged"]
    (unjudged,) = [one for one in sent if one["value"] == "unjudged"]
    assert unjudged["comment"] == "nothing to judge: the answer has no citations"
    assert unjudged["dataType"] == "CATEGORICAL"
    (wrong,) = [one for one in sent if one["value"] == 0.5]
    assert "12% in the claim, 21% in the source" in wrong["comment"]
    assert [one["verdict"] for one in wrong["metadata"]["citations"]] == ["contradicted", "supported"]


def test_a_trace_that_is_already_there_is_scored(server: Recorder, client: Langfuse) -> None:
    report = pincite.check_contexts(WRONG, [FIRST, SECOND], judge="rules")
    for _ in range(2):
        score_trace(client, report, trace_id=TRACE)
    client.flush()
    sent = scores(server)
    assert {one["traceId"] for one in sent} == {TRACE}
    assert [(one["name"], one["value"]) for one in sent] == [
        ("citations_label", "problems"),
        ("citations", 0.5),
    ] * 2
    assert len({one["id"] for one in sent}) == 2  # the second time replaces the first


def test_an_unjudged_report_sends_no_number(server: Recorder, client: Langfuse) -> None:
    report = pincite.check_contexts("Nothing is cited.", [FIRST], judge="rules")
    score_trace(client, report, trace_id=TRACE)
    client.flush()
    assert [one["value"] for one in scores(server)] == ["unjudged"]


def test_an_output_that_cannot_be_checked_is_labelled_and_not_lost() -> None:
    (label,) = citation_evaluator(judge="rules")(input="q", output=RIGHT)
    assert (label.name, label.value) == ("citations_label", "unjudged")
    assert "there are no contexts" in label.comment


def test_the_page_is_true(server: Recorder) -> None:
    run_page("langfuse")
    assert [one["value"] for one in scores(server)] == ["problems", 0.5] * 2
