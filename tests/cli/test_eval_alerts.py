"""Whom `pincite eval` tells about a run that misses a threshold or got worse."""

from __future__ import annotations

import json
import os
import signal
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread

import pytest
from cli_run import Runner

WORSE = (
    "eval",
    "sample",
    "--set",
    "evaluation.resamples=200",
    "-m",
    "hit@1",
    "-m",
    "span_f1",
    "--answers",
    "sample:a",
)
BETTER = (*WORSE[:-1], "sample:b")
MISSED = (*WORSE, "--threshold", "hit@1=0.9", "--store", "none")


class Hook(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), HookHandler)
        self.bodies: list[dict[str, object]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?token=geheim"


class HookHandler(BaseHTTPRequestHandler):
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
        thread.join()


def configure(pincite: Runner, text: str) -> None:
    """Write a configuration and trust it."""
    pincite.write("pincite.toml", text)
    assert pincite("trust", "--yes").code == 0


def test_a_webhook_gets_a_missed_threshold_and_nothing_when_all_is_well(pincite: Runner, hook: Hook) -> None:
    configure(pincite, f'[alerts]\nwebhook = "{hook.address}"\n')
    assert pincite(*BETTER, "--store", "none").code == 0
    assert hook.bodies == []
    done = pincite(*MISSED)
    assert done.code == 1
    (body,) = hook.bodies
    (alert,) = body["alerts"]  # type: ignore[misc]
    assert (alert["kind"], alert["metric"], alert["threshold"]) == ("threshold", "hit@1", 0.9)
    assert alert["message"] in done.err


def test_a_command_gets_the_alerts_on_standard_input(pincite: Runner) -> None:
    keep = "import sys; open('told.json', 'w').write(sys.stdin.read())"
    configure(pincite, f"[alerts]\ncommand = {json.dumps([sys.executable, '-c', keep])}\n")
    assert pincite(*MISSED).code == 1
    told = json.loads((pincite.folder / "told.json").read_text(encoding="utf-8"))
    assert [alert["metric"] for alert in told["alerts"]] == ["hit@1"]


def unreachable(pincite: Runner) -> None:
    """A webhook that was there once."""
    with Hook() as gone:
        configure(pincite, f'[alerts]\nwebhook = "{gone.address}"\n')


@pytest.mark.thorough
def test_alerts_that_were_not_delivered_are_an_error_that_keeps_the_secret(pincite: Runner) -> None:
    unreachable(pincite)
    done = pincite(*MISSED, "--quiet", "--output", "run.results.json")
    assert done.code == 1
    said = "the webhook at 127.0.0.1 did not take the alerts: Connection refused"
    assert f"error: the alerts were not delivered: {said}\n" in done.err
    document = (pincite.folder / "run.results.json").read_text(encoding="utf-8")
    assert json.loads(document)["metadata"]["quality_assurance"]["alerts"] == f"not delivered: {said}"
    junit = pincite(*MISSED, "-f", "junit")
    assert "the run: undelivered" in junit.out
    github = pincite(*MISSED, "-f", "github")
    assert (
        f"::error title=pincite undelivered%3A the run::the alerts were not delivered: {said}" in github.out
    )
    assert "geheim" not in document + done.out + done.err + junit.out + junit.err + github.out + github.err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that only interrupts")
def test_who_stops_a_delivery_that_hangs_still_gets_the_results(pincite: Runner) -> None:
    over = Event()

    class Hanging(HookHandler):
        def do_POST(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            over.wait()

    with Hook() as hanging:
        hanging.RequestHandlerClass = Hanging
        thread = Thread(target=hanging.serve_forever, daemon=True)
        thread.start()
        configure(pincite, f'[alerts]\nwebhook = "{hanging.address}"\n')
        done = pincite(*MISSED[:-2], "--store", "runs.sqlite", "--output", "run.results.json")
        over.set()
        hanging.shutdown()
        thread.join()
    assert done.code == 1
    assert "the alerts were not delivered: the webhook was interrupted" in done.err
    assert "hit@1" in done.out
    assert (pincite.folder / "run.results.json").exists()


def test_delivered_alerts_are_said_to_be_in_the_results(pincite: Runner, hook: Hook) -> None:
    configure(pincite, f'[alerts]\nwebhook = "{hook.address}"\n')
    assert pincite(*MISSED, "--output", "run.results.json").code == 1
    document = json.loads((pincite.folder / "run.results.json").read_text(encoding="utf-8"))
    assert document["metadata"]["quality_assurance"]["alerts"] == "delivered"


def test_a_run_in_which_every_query_fails_is_told_too(pincite: Runner, hook: Hook) -> None:
    configure(pincite, f'[alerts]\nwebhook = "{hook.address}"\n')
    pincite.write("none.jsonl", "")
    done = pincite(*WORSE[:-1], "none.jsonl", "--store", "none")
    assert done.code == 2
    (body,) = hook.bodies
    (alert,) = body["alerts"]  # type: ignore[misc]
    assert alert["kind"] == "nothing_measured"
    assert "every query failed" in alert["message"] and alert["message"] in done.err


def test_a_metric_asked_for_by_name_with_a_usual_threshold_and_no_value_is_told(pincite: Runner) -> None:
    dataset = {
        "dataset_id": "tiny",
        "name": "Tiny",
        "version": "1.0.0",
        "documents": [{"document_id": "a.txt", "file_path": "a.txt", "content": "Tea is green."}],
        "queries": [{"query_id": "q1", "query_text": "What is tea?"}],
    }
    pincite.write("tiny.eval.json", json.dumps(dataset))
    pincite.write("shy.jsonl", json.dumps({"query_id": "q1", "answer": "I do not know."}))
    shy = ("eval", "tiny.eval.json", "--answers", "shy.jsonl", "--judge", "rules", "--store", "none")
    assert pincite(*shy).code == 0
    done = pincite(*shy, "-m", "Citation_Correctness")
    assert done.code == 1
    assert "error: citation_correctness has a threshold of 0.7 and no value" in done.err


def test_after_three_runs_alike_a_loss_beyond_chance_is_told_without_a_baseline(pincite: Runner) -> None:
    for _ in range(3):
        assert pincite(*BETTER).code == 0
    worse = pincite(*WORSE)
    assert worse.code == 1
    assert "hit@1 is 0.316; the mean of 3 earlier runs is 0.868" in worse.err
    assert pincite(*BETTER).code == 0


def test_the_second_bad_night_is_told_too(pincite: Runner) -> None:
    for _ in range(3):
        assert pincite(*BETTER).code == 0
    for _ in range(2):
        worse = pincite(*WORSE)
        assert worse.code == 1
        assert "hit@1 is 0.316; the mean of 3 earlier runs is 0.868" in worse.err


def test_a_window_of_0_compares_with_no_earlier_run(pincite: Runner) -> None:
    pincite.write("pincite.toml", "[alerts]\nwindow = 0\n")
    for _ in range(3):
        assert pincite(*BETTER).code == 0
    assert pincite(*WORSE).code == 0


@pytest.mark.parametrize("other", [("--name", "another"), ("--judge", "entailment"), ("--limit", "20")])
def test_runs_of_another_name_judge_or_size_are_no_window(pincite: Runner, other: tuple[str, ...]) -> None:
    for _ in range(3):
        assert pincite(*BETTER, *other).code == 0
    assert pincite(*WORSE).code == 0


def test_junit_has_a_failing_case_for_each_alert(pincite: Runner) -> None:
    for _ in range(3):
        pincite(*BETTER)
    done = pincite(*WORSE, "--threshold", "hit@1=0.9", "--output-format", "junit")
    assert done.code == 1
    suite = ET.fromstring(done.out).find("testsuite")
    assert suite is not None
    failing = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failing == ["hit@1", "hit@1: drift", "span_f1: drift"]
    assert suite.get("failures") == "3"


def test_github_gets_annotations_and_the_table_in_the_jobs_summary(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = pincite.folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    done = pincite(*MISSED, "--output-format", "github")
    assert done.code == 1
    assert done.out.startswith("::error title=pincite threshold%3A hit@1::hit@1 is 0.316, below")
    assert "| hit@1 |" in summary.read_text(encoding="utf-8")


# --- queries that fail ----------------------------------------------------------------------------

ONE_METRIC = ("-m", "citation_correctness", "--threshold", "citation_correctness=0.1", "--judge", "rules")


def some_answers(pincite: Runner, most: int) -> str:
    """A file with the first of the sample's answers."""
    from pincite.datasets import answers_path

    lines = answers_path("b").read_text(encoding="utf-8").splitlines()[:most]
    return str(pincite.write("some.jsonl", "\n".join(lines)))


def test_too_many_failed_queries_fail_though_the_threshold_is_met(pincite: Runner, hook: Hook) -> None:
    configure(pincite, f'[alerts]\nwebhook = "{hook.address}"\n')
    given = ("eval", "sample", "--answers", some_answers(pincite, 4), *ONE_METRIC, "--store", "none")
    done = pincite(*given)
    assert done.code == 1
    assert "error: 36 of 40 queries failed, 5% are allowed: " in done.err
    assert (
        "warning: citation_correctness meets its threshold on 4 queries only: 36 have no answer" in done.err
    )
    (body,) = hook.bodies
    assert [alert["kind"] for alert in body["alerts"]] == ["failed"]  # type: ignore[attr-defined]
    allowed = pincite(*given, "--set", "alerts.max_failed=0.9")
    assert allowed.code == 0
    assert "on 4 queries only" in allowed.err
    assert pincite(*given, "--set", "alerts.max_failed=2").code == 2


def test_a_few_failed_queries_are_allowed_and_none_where_that_is_said(pincite: Runner) -> None:
    given = ("eval", "sample", "--answers", some_answers(pincite, 38), *ONE_METRIC, "--store", "none")
    assert pincite(*given).code == 0
    strict = pincite(*given, "--set", "alerts.max_failed=0")
    assert strict.code == 1
    assert "error: 2 of 40 queries failed, 0% are allowed: " in strict.err


def test_junit_and_github_tell_failed_queries(pincite: Runner) -> None:
    given = ("eval", "sample", "--answers", some_answers(pincite, 4), *ONE_METRIC, "--store", "none")
    suite = ET.fromstring(pincite(*given, "-f", "junit").out).find("testsuite")
    assert suite is not None
    failing = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failing == ["the run: failed"]
    (passing,) = suite.findall("testcase/system-out")
    assert "36 have no answer" in (passing.text or "")
    told = pincite(*given, "-f", "github").out
    assert told.startswith("::error title=pincite failed%3A the run::36 of 40 queries failed")


# --- baselines that say nothing -------------------------------------------------------------------


def test_the_latest_run_as_a_baseline_is_the_latest_that_measured_anything(pincite: Runner) -> None:
    pincite.write("none.jsonl", "")
    assert pincite(*BETTER).code == 0
    for _ in range(2):
        assert pincite(*WORSE[:-1], "none.jsonl").code == 2
    done = pincite(*WORSE, "--baseline", "latest")
    assert done.code == 1
    assert "hit@1 is worse than the baseline" in done.err
    assert "_001: in 2 runs since nothing was measured" in done.err
    before = pincite(*WORSE, "--baseline", "latest~1")
    assert before.code == 1 and "_001: in 2 runs since" in before.err
    too_far = pincite(*WORSE, "--baseline", "latest~9")
    assert too_far.code == 2
    assert "error: there is no run latest~9 to compare with" in too_far.err


def test_a_baseline_in_which_nothing_was_measured_is_refused_before_anything_is_asked(
    pincite: Runner,
) -> None:
    pincite.write("none.jsonl", "")
    assert pincite(*WORSE[:-1], "none.jsonl", "--name", "dead").code == 2
    done = pincite(*BETTER, "--baseline", "dead")
    assert done.code == 2
    assert "measured nothing: no query has an answer and a value: nothing could be compared" in done.err
    assert pincite(*BETTER, "--name", "alive").code == 0
    others = (
        "eval",
        "sample",
        "--set",
        "evaluation.resamples=200",
        "-m",
        "citation_density",
        "--answers",
        "sample:b",
    )
    other = pincite(*others, "--baseline", "alive")
    assert other.code == 2
    assert "measured none of citation_density" in other.err


def test_a_comparison_without_a_value_in_both_runs_is_no_pass(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = ("-m", "citation_correctness", "--judge", "rules", "--threshold", "citation_correctness=0")
    assert pincite("eval", "sample", "--answers", "sample:b", *metric).code == 0
    pincite.write("uncited.py", "def answer(text):\n    return 'It is so.'\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    done = pincite("eval", "sample", "--target", "uncited:answer", *metric, "--baseline", "latest")
    assert done.code == 2
    assert "no metric has a value in both on any query" in done.err


def test_a_metric_that_the_baseline_does_not_have_is_named(pincite: Runner) -> None:
    assert pincite("eval", "sample", "--answers", "sample:b", "-m", "hit@1").code == 0
    done = pincite(*BETTER, "--baseline", "latest")
    assert done.code == 0
    assert "since eval_run" in done.out and "does not have it: span_f1" in " ".join(done.out.split())
