"""`pincite eval --traces`: answers from production, measured once or again and again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_run import Runner

import pincite as package

RECORDED = Path(__file__).parents[1] / "answers" / "traces" / "recorded"
GENAI = RECORDED / "genai.jsonl"
LINES = GENAI.read_bytes().splitlines(keepends=True)
IDS = [f"000000000000006a000000000000000{place}" for place in (1, 2, 3)]
TRACES = ("--traces", str(GENAI))
MEASURED = ("-m", "citation_correctness", "--set", "evaluation.resamples=100")


def events_in(path: Path) -> dict[str, list[dict[str, Any]]]:
    """What was said about each trace; a trace that comes twice, or half a line, fails."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_bytes().splitlines():
        records = json.loads(line)["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
        said = [
            {one["key"]: next(iter(one["value"].values())) for one in record["attributes"]}
            for record in records
        ]
        assert records[0]["traceId"] not in found
        found[records[0]["traceId"]] = said
    return found


def score_of(events: list[dict[str, Any]], metric: str) -> Any:
    (found,) = (one for one in events if one["gen_ai.evaluation.name"] == metric)
    return found.get("gen_ai.evaluation.score.value")


def test_a_file_of_traces_is_measured_and_the_results_are_written_back(pincite: Runner) -> None:
    done = pincite(
        "eval",
        "--traces",
        str(GENAI),
        *MEASURED,
        "--set",
        "alerts.max_failed=0.5",
        "--store",
        "none",
        "--events",
        "e.jsonl",
    )
    assert done.code == 1
    assert "citation_correctness is 0.333, below its threshold of 0.7" in done.err
    assert "events of 3 traces added to e.jsonl" in done.err
    found = events_in(pincite.folder / "e.jsonl")
    assert list(found) == IDS
    assert [score_of(found[one], "citation_correctness") for one in IDS[:2]] == [1.0, 0.0]
    assert (
        found[IDS[2]][0]["gen_ai.evaluation.explanation"]
        == "the trace has no answer: the model is overloaded"
    )
    assert {one["gen_ai.response.id"] for one in found[IDS[0]]} == {"chatcmpl-0"}


def test_the_run_is_kept_and_the_document_counts_the_trace_without_an_answer(pincite: Runner) -> None:
    done = pincite(
        "eval", "--traces", str(GENAI), *MEASURED, "--store", "runs.sqlite", "-o", "r.results.json"
    )
    assert done.code == 1
    assert "1 of 3 queries failed" in done.err
    document = json.loads((pincite.folder / "r.results.json").read_text())
    assert document["summary"]["failed_queries"] == 1
    assert [one["query_id"] for one in document["query_results"]] == IDS
    listed = pincite("runs", "list", "--store", "runs.sqlite")
    assert "genai" in listed.out


def test_traces_of_a_dataset_are_measured_by_what_it_knows(pincite: Runner) -> None:
    dataset = {
        "dataset_id": "pump",
        "name": "Pump",
        "version": "1.0.0",
        "queries": [
            {
                "query_id": "q1",
                "query_text": "How often must the pump be serviced?",
                "relevant_documents": ["manual#4"],
            },
            {"query_id": "q2", "query_text": "Who sells the pump?", "relevant_documents": ["news-12"]},
        ],
    }
    pincite.write("pump.eval.json", json.dumps(dataset))
    done = pincite(
        *("eval", "pump.eval.json", "--traces", str(GENAI), "-m", "hit@1", "--set", "alerts.max_failed=1"),
        *("--store", "none", "--events", "e.jsonl", "--output-format", "json"),
    )
    assert done.code == 0
    assert "2 recorded answers belong to no query of the dataset" in done.err
    found = events_in(pincite.folder / "e.jsonl")
    assert list(found) == IDS[:1]
    assert score_of(found[IDS[0]], "hit@1") == 1.0


def test_traces_are_measured_from_python_too(pincite: Runner) -> None:
    run = package.evaluate(traces=GENAI, metrics=["citation_correctness"], judge="rules")
    assert (run.total, run.failed) == (3, 1)
    assert run.scores[0].value == pytest.approx(1 / 3)


def test_each_answer_is_measured_against_its_own_documents_alone(pincite: Runner) -> None:
    """The answer of one trace is true by the documents of another, which its system never saw."""
    made = []
    for place, text in enumerate(("The plant opened in 2019.", "The filter is blue."), 1):
        attributes = {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.documents": [{"id": "doc", "content": text}],
            "input.value": "When did the plant open?",
        }
        context = {"trace_id": f"{place:032x}", "span_id": f"{place:016x}"}
        made.append({"context": context, "attributes": attributes, "start_time": place})
        answer = {"output.value": "The plant opened in 2019 [doc]."}
        made.append({"context": {**context, "span_id": f"{place + 8:016x}"}, "attributes": answer})
    pincite.write("traces.jsonl", "".join(json.dumps(one) + "\n" for one in made))
    pincite("eval", "--traces", "traces.jsonl", *MEASURED, "--store", "none", "--events", "e.jsonl")
    scores = [
        score_of(said, "citation_correctness") for said in events_in(pincite.folder / "e.jsonl").values()
    ]
    assert scores == [1.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "give one system to measure: recorded answers (--answers FILE), its traces (--traces PATH)"),
        (("--answers", "x.jsonl"), "give a dataset: its file, or `sample`"),
        (("sample", "--answers", "sample:a", "--events", "e"), "--events goes with --traces PATH"),
        ((*TRACES, "--answers", "x"), "give one system to measure: its traces, recorded"),
        ((*TRACES, "--model", "x"), "options of a target do not go with them"),
        (("sample", "--answers", str(GENAI)), "holds traces, not recorded answers: give it as --traces"),
    ],
)
def test_what_does_not_go_together_is_said(pincite: Runner, arguments: tuple[str, ...], told: str) -> None:
    done = pincite("eval", *arguments)
    assert done.code == 2
    assert told in done.err


# --- again and again, as cron does ---

AGAIN = ("eval", "--traces", "traces", *MEASURED, "--set", "alerts.max_failed=1", "--events", "e.jsonl")


def test_traces_that_the_events_have_are_skipped(pincite: Runner) -> None:
    (pincite.folder / "traces").mkdir()
    (pincite.folder / "traces" / "a.jsonl").write_bytes(b"".join(LINES[:3]))
    assert "events of 1 trace added to e.jsonl" in pincite(*AGAIN, "--store", "runs.sqlite").err
    (pincite.folder / "traces" / "b.jsonl").write_bytes(b"".join(LINES[3:]))
    done = pincite(*AGAIN, "--store", "runs.sqlite")
    assert "1 trace skipped: e.jsonl has them" in done.err
    assert "events of 2 traces added to e.jsonl" in done.err
    assert list(events_in(pincite.folder / "e.jsonl")) == IDS
    nothing_new = pincite(*AGAIN, "--store", "runs.sqlite")
    assert (nothing_new.code, nothing_new.out) == (0, "")
    assert "3 traces skipped" in nothing_new.err
    with package.open_store(str(pincite.folder / "runs.sqlite")) as store:
        assert [run.total for run in store.runs()] == [2, 1]


def test_a_trace_whose_line_was_cut_off_by_a_kill_is_measured_again(pincite: Runner) -> None:
    (pincite.folder / "traces").mkdir()
    (pincite.folder / "traces" / "a.jsonl").write_bytes(b"".join(LINES))
    pincite(*AGAIN, "--store", "none")
    events = pincite.folder / "e.jsonl"
    events.write_bytes(events.read_bytes()[:-50])
    done = pincite(*AGAIN, "--store", "none")
    assert "the last line was cut off" in done.err
    assert list(events_in(events)) == IDS


def test_a_file_that_holds_something_else_is_refused_before_anything_is_measured(pincite: Runner) -> None:
    pincite.write("notes.jsonl", "mine")
    done = pincite("eval", *TRACES, *MEASURED, "--store", "runs.sqlite", "--events", "notes.jsonl")
    assert done.code == 2
    assert "holds no events of `pincite eval`" in done.err
    assert not (pincite.folder / "runs.sqlite").exists()
