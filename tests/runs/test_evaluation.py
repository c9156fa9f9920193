"""A system measured from end to end: with a history, with a baseline, killed and resumed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest
from small_system import RULES, dataset, write_answers, write_dataset

from pincite.config import Settings, with_overrides
from pincite.datasets import answers_path, validate_file, validate_value
from pincite.errors import ConfigError, InputError
from pincite.metrics import Metric, parse_metric
from pincite.records import Result, Run, Score
from pincite.runs import (
    EvalRequest,
    evaluate,
    plain_document,
    query_result,
    results_head,
    run_evaluation,
    write_results,
)
from pincite.store import open_store

METRICS = ("hit@1", "nDCG@5", "span_f1", "span_f1(average=micro)", "citation_correctness")


def settings(**more: Any) -> Settings:
    return with_overrides(RULES, {"evaluation_resamples": 200, **more})


def figures(run: Run) -> tuple[Score, ...]:
    return run.scores


def test_a_run_has_every_group_of_the_results_format_and_validates(tmp_path: Path) -> None:
    output = tmp_path / "run.results.json"
    run = evaluate("sample", answers=answers_path("a"), settings=settings(), output=output, name="first")
    document = json.loads(output.read_text(encoding="utf-8"))
    assert list(validate_file(output)) == []
    for group in (
        "evaluation_id",
        "timestamp",
        "system_version",
        "dataset_id",
        "configuration",
        "summary",
        "retrieval_metrics",
        "citation_metrics",
        "answer_quality_metrics",
        "performance_metrics",
        "query_results",
        "statistical_analysis",
        "metadata",
        "breakdown",
        "schema_version",
    ):
        assert group in document
    assert document["summary"]["total_queries"] == 40 == len(document["query_results"])
    assert document["summary"]["failed_queries"] == run.failed == 1
    ndcg = document["retrieval_metrics"]["ndcg@5"]
    assert ndcg["confidence_interval"][0] < ndcg["value"] < ndcg["confidence_interval"][1]
    assert ndcg["n"] + ndcg["not_scorable"] + ndcg["unjudged"] == 40
    spans = document["citation_metrics"]["span_accuracy"]
    for figure in ("mean_exact_jaccard", "mean_tolerance_jaccard", "micro_f1", "macro_f1"):
        assert 0 < spans[figure] < 1
        assert len(spans["confidence_intervals"][figure]) == 2
    assert spans["n"] + spans["not_scorable"] + spans["unjudged"] == 40
    assert document["performance_metrics"]["latency_stats"]["p95"] > 0
    assert document["metadata"]["evaluation_parameters"]["max_retries"] == 3
    assert document["metadata"]["quality_assurance"]["data_validation"] == "passed"
    assert document["metadata"]["evaluation_environment"]["cores"] == os.cpu_count()
    consistency = document["answer_quality_metrics"]["factual_consistency"]
    scores = consistency["consistency_scores"]
    assert len(scores) == consistency["n"]
    assert sum(scores) / len(scores) == pytest.approx(consistency["macro_consistency"])
    mean = consistency["consistency_sum"] / consistency["consistency_scored"]
    assert consistency["mean_consistency"] == pytest.approx(mean)
    assert 0 < consistency["mean_consistency"] < 1
    first = document["query_results"][0]
    assert first["individual_metrics"]["hit@1"] in (0.0, 1.0)
    assert set(document["breakdown"]) == {"query_type", "difficulty", "document"}


def test_the_same_command_writes_the_same_metrics_and_intervals(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.sqlite") as store:
        runs = [
            evaluate("sample", answers=answers_path("b"), metrics=METRICS, settings=settings(), store=store)
            for _ in range(2)
        ]
    assert runs[0].scores == runs[1].scores
    assert runs[0].run_id != runs[1].run_id
    assert runs[0].fingerprint == runs[1].fingerprint


def test_the_history_keeps_the_run_and_its_items(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.sqlite") as store:
        run = evaluate(
            dataset(), answers=write_answers(tmp_path), metrics=METRICS, settings=settings(), store=store
        )
        kept = store.find("latest")
        assert kept.scores == run.scores
        assert kept.document == run.document
        assert [item.query_id for item in store.items(run.run_id)] == [f"q{n}" for n in range(6)]


def test_a_baseline_is_tested_against(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.sqlite") as store:
        for system, baseline in (("a", None), ("b", "latest")):
            request = EvalRequest(
                dataset="sample",
                answers=answers_path(system),
                metrics=METRICS,
                settings=settings(),
                baseline=baseline,
            )
            with run_evaluation(request, store) as done:
                comparison = done.comparison
    assert comparison is not None
    tests = done.run.document.statistical_analysis.significance_tests
    assert tests["nDCG@5"].significant is True
    assert tests["nDCG@5"].current_mean > tests["nDCG@5"].baseline_mean
    assert not comparison.is_worse


def test_metrics_with_a_threshold_are_adjusted_for_their_own_number(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.sqlite") as store:
        for baseline in (None, "latest"):
            request = EvalRequest(
                dataset=dataset(), answers=write_answers(tmp_path), settings=settings(), baseline=baseline
            )
            with run_evaluation(request, store) as done:
                comparison = done.comparison
    assert comparison is not None
    decided = {score.metric for score in done.run.scores if score.threshold is not None}
    rows = [row for row in comparison.metrics if row.difference is not None]
    apart = [row for row in rows if row.name in decided]
    assert apart and len(apart) < len(rows)
    assert {row.among for row in apart} == {len(apart)}
    assert {row.among for row in rows if row.name not in decided} == {len(rows) - len(apart)}


def test_a_results_file_can_be_the_baseline(tmp_path: Path) -> None:
    output = tmp_path / "a.results.json"
    evaluate("sample", answers=answers_path("a"), metrics=METRICS, settings=settings(), output=output)
    run = evaluate(
        "sample", answers=answers_path("b"), metrics=METRICS, settings=settings(), baseline=str(output)
    )
    tests = run.document.statistical_analysis.significance_tests
    assert set(tests) == set(METRICS)
    assert tests["span_f1"].significant is True


@pytest.mark.parametrize("changed", ["query_id", "query_text"])
def test_a_baseline_that_shares_no_query_is_refused_before_anything_is_asked(
    tmp_path: Path, changed: str
) -> None:
    other = dataset(3)
    for one in other["queries"]:
        one[changed] = f"another {one[changed]}"
    output = tmp_path / "other.results.json"
    evaluate(other, target="answer", metrics=METRICS, settings=settings(), output=output)
    asked: list[str] = []
    with pytest.raises(InputError, match="shares no query with small"):
        evaluate(dataset(3), target=asked.append, settings=settings(), baseline=str(output))
    assert not asked


def test_a_comparison_that_fails_in_the_end_does_not_take_the_results_along(tmp_path: Path) -> None:
    output = tmp_path / "first.results.json"
    evaluate(dataset(3), target="answer", metrics=METRICS, settings=settings(), output=output)

    def cut_short(text: str) -> str:
        """Breaks the baseline while the run lasts."""
        output.write_bytes(output.read_bytes()[:2000])
        return "The ferry carries 84 cars [ferry.txt:0-26]."

    request = EvalRequest(
        dataset=dataset(3), target=cut_short, metrics=METRICS, settings=settings(), baseline=str(output)
    )
    with run_evaluation(request) as done:
        assert done.run.successful == 3
        assert done.comparison is None
        assert "cannot be compared with" in (done.not_compared or "")
        told = done.run.document.metadata.quality_assurance["statistical_tests"]
        assert told.startswith("not run: this run cannot be compared")


def test_the_reference_system_answers_with_spans_that_hold_what_it_says() -> None:
    request = EvalRequest(
        dataset="sample", target="answer", settings=settings(), metrics=("fabrication_rate",)
    )
    with run_evaluation(request) as done:
        items = list(done.items())
    assert done.run.failed == 0
    assert done.run.scores[0].value == 0.0
    assert all(item.cited_documents for item in items)
    assert all(item.latency_ms is not None for item in items)


def test_thresholds_are_held_against_values_and_unknown_ones_refused(tmp_path: Path) -> None:
    given = {"hit@1": 1.0, "span_f1": 0.2}
    run = evaluate(
        dataset(), answers=write_answers(tmp_path), metrics=METRICS, settings=settings(), thresholds=given
    )
    by_name = {score.metric: score for score in run.scores}
    assert by_name["hit@1"].passed is True
    assert by_name["span_f1"].threshold == 0.2
    with pytest.raises(ConfigError, match="not measured"):
        evaluate(
            dataset(),
            answers=write_answers(tmp_path),
            metrics=("hit@1",),
            settings=settings(),
            thresholds={"MRR": 0.5},
        )


def test_it_can_be_called_where_an_event_loop_runs_as_in_a_notebook() -> None:
    async def system(text: str) -> str:
        return "Yes [ferry.txt:0-26]."

    async def cell() -> Run:
        return evaluate(dataset(3), target=system, metrics=("hit@1", "span_f1"), settings=settings())

    assert asyncio.run(cell()).failed == 0


def test_a_history_must_be_opened_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="open_store"):
        evaluate(dataset(), target="answer", store=str(tmp_path / "runs.sqlite"))  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{}, {"target": "answer", "answers": "x"}])
def test_one_system_and_only_one_must_be_given(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"give one system to measure: [^-]*$"):
        evaluate(dataset(), settings=settings(), **given)


def test_a_dataset_without_queries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no queries"):
        evaluate(dataset(0), answers=write_answers(tmp_path), settings=settings())


def test_figures_of_one_name_at_one_place_do_not_overwrite_each_other(tmp_path: Path) -> None:
    names = ["span_f1(tolerance=5)", "span_f1(tolerance=9)"]
    run = evaluate(dataset(), answers=write_answers(tmp_path), metrics=names, settings=settings())
    node = run.document.citation_metrics["span_accuracy"]
    assert [value for value in node.values() if isinstance(value, float)] == [s.value for s in run.scores]


def test_a_metric_of_others_does_not_take_over_the_place_of_one_of_ours(tmp_path: Path) -> None:
    class Mine(Metric, frozen=True, kw_only=True):
        title: ClassVar[str] = "mine"

        @property
        def place(self) -> str:
            return "retrieval_metrics.hit@3"

        def score(self, case: object, verdicts: object) -> Result:
            return self.result(1, 10)

    run = evaluate(
        dataset(),
        answers=write_answers(tmp_path),
        metrics=[Mine(), parse_metric("hit@3")],
        settings=settings(),
    )
    mine, ours = run.scores
    node = run.document.retrieval_metrics["hit@3"]
    assert (node["value"], node["mine"]) == (ours.value, mine.value) == (1.0, pytest.approx(0.1))


@pytest.mark.parametrize(
    "ending", ["json", "yaml", "csv", "parquet", "json.gz", "csv.gz", "json.zst", "csv.zst"]
)
def test_results_are_written_in_every_format(tmp_path: Path, ending: str) -> None:
    request = EvalRequest(
        dataset=dataset(), answers=write_answers(tmp_path), settings=settings(), metrics=METRICS
    )
    path = tmp_path / f"run.results.{ending}"
    with run_evaluation(request) as done:
        write_results(done.run.document, done.items(), path)
        queries = [query_result(item) for item in done.items()]
        document = done.run.document
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    if "json" in ending or ending == "yaml":
        assert results_head(path) == document
    assert list(validate_value({**plain_document(document), "query_results": queries}, "results")) == []
    if ending == "parquet" or ending.startswith("csv"):
        from pincite.datasets import read_plain

        value, kind, _ = read_plain(path)
        assert kind == "results"
        assert [row["query_id"] for row in value["query_results"]] == [f"q{n}" for n in range(6)]
        assert value["summary"]["total_queries"] == 6
    else:
        assert list(validate_file(path)) == []


def test_an_output_of_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown format for"):
        write_results({}, [], tmp_path / "run.txt")


# --- killed --------------------------------------------------------------------------------------

SLOW = """
import time
from small_system import answer

def slow(text):
    time.sleep(0.03)
    return answer(int(text.rpartition(" ")[2].rstrip("?")))
"""


def command(folder: Path, path: Path, output: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "pincite", "eval", str(path), "--target", "slow_system:slow"),
        *("--judge", "rules", "--store", str(folder / "runs.sqlite"), "--output", str(output)),
        *(
            "--set",
            "evaluation.max_in_flight=2",
            "--set",
            "evaluation.resamples=200",
            "--system-version",
            "1",
        ),
        *(part for metric in METRICS for part in ("-m", metric)),
    ]


@pytest.mark.thorough
def test_killed_in_the_middle_and_resumed_gives_the_same_numbers(tmp_path: Path) -> None:
    (tmp_path / "slow_system.py").write_text(SLOW)
    (tmp_path / "pincite.toml").write_text("")
    path = write_dataset(tmp_path, 80)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}

    def start(output: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command(tmp_path, path, tmp_path / output),
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    killed = start("killed.results.json")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and kept(tmp_path) < 40:
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert not (tmp_path / "killed.results.json").exists()
    before = kept(tmp_path)
    assert 40 <= before < 80
    resumed = start("resumed.results.json")
    _, errors = resumed.communicate(timeout=60)
    assert resumed.returncode in (0, 1), errors
    whole = start("whole.results.json")
    whole.communicate(timeout=60)
    one, other = (
        json.loads((tmp_path / f"{name}.results.json").read_text()) for name in ("resumed", "whole")
    )
    assert one["summary"]["total_queries"] == other["summary"]["total_queries"] == 80
    for group in ("retrieval_metrics", "citation_metrics"):
        assert one[group] == other[group]
    with open_store(tmp_path / "runs.sqlite") as store:
        runs = store.runs()
        assert [run.status for run in runs] == ["finished", "finished"]
        assert runs[1].run_id == one["evaluation_id"]
        ids = [item.query_id for item in store.items(runs[1].run_id)]
    assert ids == [f"q{n}" for n in range(80)]
    told = re.search(rb"(\d+) of 80 queries resumed", errors)
    assert told and before <= int(told[1]) < 80
    # The time of both parts, in which together every query took its 30 ms, two at once.
    assert one["summary"]["total_evaluation_time_seconds"] > 1.1


def kept(folder: Path) -> int:
    """How many items the history of the running command has."""
    import sqlite3

    if not (folder / "runs.sqlite").exists():
        return 0
    try:
        connection = sqlite3.connect(f"file:{folder / 'runs.sqlite'}?mode=ro", uri=True)
        try:
            return int(connection.execute("select count(*) from pincite_items").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return 0


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="there are no signals to send")
@pytest.mark.parametrize("system", ["function", "recorded"])
def test_ctrl_c_ends_the_command_with_what_it_has_and_the_next_goes_on(tmp_path: Path, system: str) -> None:
    (tmp_path / "slow_system.py").write_text(SLOW)
    (tmp_path / "pincite.toml").write_text("")
    count = 150 if system == "function" else 1500
    path, answers = write_dataset(tmp_path, count), write_answers(tmp_path, range(count))
    given = command(tmp_path, path, tmp_path / "out.results.json")
    if system == "recorded":
        place = given.index("--target")
        given[place : place + 2] = ["--answers", str(answers)]
        given += ["-m", "factual_consistency", "-m", "hallucination_rate", "-m", "alce_f1"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "PINCITE_EVALUATION_WORKERS": "2"}

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            given, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    first = start()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and kept(tmp_path) < 10 and first.poll() is None:
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGINT)
    out, errors = first.communicate(timeout=60)
    assert first.returncode == 130, errors
    assert b"run the same command again to resume" in errors
    assert f" of {count} queries".encode() in out
    assert json.loads((tmp_path / "out.results.json").read_text())["status"] == "interrupted"
    second = start()
    out, errors = second.communicate(timeout=100)
    assert second.returncode in (0, 1), errors
    assert f" of {count:,} queries resumed".encode() in errors
    document = json.loads((tmp_path / "out.results.json").read_text())
    assert document["status"] == "finished"
    assert len(document["query_results"]) == count
    with open_store(tmp_path / "runs.sqlite") as store:
        assert len(store.runs()) == 1
