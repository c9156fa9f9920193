"""`pincite eval --traces`: answers from production, measured once or as they come."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cli_run import Runner

import pincite as package

RECORDED = Path(__file__).parents[1] / "answers" / "traces" / "recorded"
GENAI = RECORDED / "genai.jsonl"
LINES = GENAI.read_bytes().splitlines(keepends=True)
IDS = [f"000000000000006a000000000000000{place}" for place in (1, 2, 3)]
TRACES = ("--traces", str(GENAI))
FOLLOW = (*TRACES, "--follow", "--events", "e.jsonl")
MEASURED = ("-m", "citation_correctness", "--resamples", "100")


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
        "--max-failed",
        "0.5",
        "--store",
        "none",
        "--events",
        "e.jsonl",
    )
    assert done.code == 1
    assert "citation_correctness is 0.333, below its threshold of 0.7" in done.err
    assert "events of 3 traces written to e.jsonl" in done.err
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
        *("eval", "pump.eval.json", "--traces", str(GENAI), "-m", "hit@1", "--max-failed", "1"),
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
        (("sample", "--answers", "sample:a", "--follow"), "--events and --follow go with --traces PATH"),
        ((*TRACES, "--answers", "x"), "give one system to measure: its traces, recorded"),
        ((*TRACES, "--model", "x"), "options of a target do not go with them"),
        ((*TRACES, "--follow"), "--follow needs --events FILE"),
        (("sample", *FOLLOW), "it takes no dataset"),
        ((*FOLLOW, "--batch", "0"), "--batch is 1 or more"),
        ((*FOLLOW, "--interval", "0"), "--interval is a number"),
        ((*FOLLOW, "--limit", "3"), "--limit does not go with --follow"),
        (("--traces", "none", "--follow", "--events", "e"), "there is nothing to follow"),
        (("sample", "--answers", str(GENAI)), "holds traces, not recorded answers: give it as --traces"),
    ],
)
def test_what_does_not_go_together_is_said(pincite: Runner, arguments: tuple[str, ...], told: str) -> None:
    done = pincite("eval", *arguments)
    assert done.code == 2
    assert told in done.err


# --- following, as a process of its own ---


class Hook(HTTPServer):
    """Takes alerts."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[dict[str, Any]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        self.server.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def hook() -> Iterator[Hook]:
    with Hook() as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


class Follower:
    """`pincite eval --follow` on the folder `traces`, with its results in `events.jsonl`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.traces = folder / "traces"
        self.events = folder / "events.jsonl"
        self.traces.mkdir(exist_ok=True)
        (folder / "pincite.toml").touch()
        self.process: subprocess.Popen[str] | None = None

    def start(self, *more: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
        command = [sys.executable, "-m", "pincite", "eval", "--traces", "traces", "--follow"]
        options = ("--judge", "rules", *MEASURED, "--interval", "0.05", "--max-wait", "0.05", *more)
        self.process = subprocess.Popen(
            [*command, "--events", "events.jsonl", *options],
            cwd=self.folder,
            env=kept,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for(self, reached: Callable[[], bool]) -> None:
        """Until it is so; a process that ends before, or ten minutes without it, fails."""
        assert self.process is not None
        end = time.monotonic() + 600
        while not reached():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end
            time.sleep(0.02)

    def done(self) -> int:
        return self.events.read_bytes().count(b"\n") if self.events.exists() else 0

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        assert self.process is not None
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=600)
        return self.process.returncode, out, err


@pytest.fixture
def follower(tmp_path: Path) -> Iterator[Follower]:
    made = Follower(tmp_path)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.kill()
        made.process.communicate()


@pytest.mark.thorough
def test_new_traces_are_measured_as_they_come_and_ctrl_c_leaves_whole_results(follower: Follower) -> None:
    follower.start("--store", "none")
    follower.wait_for(follower.events.exists)
    (follower.traces / "a.jsonl").write_bytes(b"".join(LINES[:3]))
    follower.wait_for(lambda: follower.done() == 1)
    with (follower.traces / "a.jsonl").open("ab") as file:
        file.write(b"".join(LINES[3:])[:-40])  # the last line is still being written
    follower.wait_for(lambda: follower.done() == 2)
    code, out, err = follower.end()
    assert code == 130
    assert list(events_in(follower.events)) == IDS[:2]
    assert "1 trace: citation_correctness 1.000" in out
    assert "Traceback" not in err


@pytest.mark.thorough
def test_a_killed_follower_resumes_and_no_trace_is_measured_twice(follower: Follower) -> None:
    (follower.traces / "a.jsonl").write_bytes(b"".join(LINES[:6]))
    follower.start("--store", "none", "--batch", "1")
    follower.wait_for(lambda: follower.done() >= 1)
    follower.end(signal.SIGKILL)
    with follower.events.open("ab") as file:
        file.write(b'{"resourceLogs":[{"resource":{"attr')  # what a kill may leave
    (follower.traces / "b.jsonl").write_bytes(b"".join(LINES[6:]))
    follower.start("--store", "none")
    follower.wait_for(lambda: follower.done() == 3)
    code, _, err = follower.end(signal.SIGTERM)
    assert code == 143, err
    assert sorted(events_in(follower.events)) == IDS
    assert "the last line was cut off" in err
    assert "done already" in err


def test_following_feeds_the_alerts_and_the_history(follower: Follower, hook: Hook) -> None:
    config = follower.folder / "alerts.toml"
    config.write_text(f'[alerts]\nwebhook = "http://127.0.0.1:{hook.server_port}/hook"\nmax_failed = 0.9\n')
    (follower.traces / "a.jsonl").write_bytes(b"".join(LINES))
    follower.start("--batch", "3", "--config", "alerts.toml", "--trust-config", "--store", "runs.sqlite")
    follower.wait_for(lambda: bool(hook.bodies))
    follower.wait_for(lambda: follower.done() == 3)
    code, out, err = follower.end()
    assert code == 130
    assert [alert["metric"] for alert in hook.bodies[0]["alerts"]] == ["citation_correctness"]
    assert "3 traces, 1 without an answer: citation_correctness 0.333; 1 alert" in out
    assert "error: citation_correctness is 0.333, below its threshold" in err
    with package.open_store(str(follower.folder / "runs.sqlite")) as store:
        (run,) = store.runs()
        assert (run.total, run.failed, len(run.alerts)) == (3, 1, 1)


def test_what_cannot_be_read_is_said_and_the_rest_goes_on(follower: Follower) -> None:
    (follower.traces / "a.jsonl").write_bytes(b"{broken}\n" + b"".join(LINES[:3]))
    follower.start("--store", "none")
    follower.wait_for(lambda: follower.done() == 1)
    _, _, err = follower.end()
    assert "warning: traces/a.jsonl: line 1: this is not JSON" in err
    assert err.count("a.jsonl: line 1") == 1
