from __future__ import annotations

import gzip
import json

import pytest
from cli_run import Runner
from compared_runs import STORE, items, keep_runs
from msgspec import structs

from pincite.records import ItemResult, Result, Run, Score
from pincite.reports import comparison_text
from pincite.runs import compare, query_result
from pincite.store import open_store

FIELDS = [
    "name",
    "a",
    "b",
    "difference",
    "confidence_interval",
    "p_value",
    "p_adjusted",
    "test",
    "effect_size",
    "n_needed",
]


def test_two_runs_of_the_history_are_compared_by_any_reference(pincite: Runner) -> None:
    a, b = keep_runs(pincite.folder)
    for first, second in ((a, b), ("before", "after"), ("latest~1", "latest")):
        done = pincite("runs", "compare", first, second, "--output-format", "json")
        assert done.code == 0
        told = json.loads(done.out)
        assert (told["a"], told["b"], told["n_paired"]) == (a, b, 40)
        assert list(told)[:5] == ["a", "b", "n_paired", "metrics", "changed"]
        assert list(told["metrics"][0])[:10] == FIELDS
        assert told["metrics"][0]["outcome"] == "better"
        assert list(told["changed"]) == ["better", "worse"]
        assert "\x1b" in told["changed"]["better"][0]["answer_a"]


def test_the_text_fits_eighty_columns_and_obeys_nothing(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    done = pincite("runs", "compare", "before", "after")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert max(len(line) for line in done.out.splitlines()) <= 80
    assert "Better" in done.out and "Not decisive" in done.out
    assert done.out.count("What does section") >= 10
    assert "by their mean change over the metrics" in done.out


def test_what_is_not_decisive_has_one_line_and_its_reason_only_when_asked_for(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    short = pincite("runs", "compare", "before", "after").out
    at = short.splitlines().index(
        next(line for line in short.splitlines() if line.startswith("Not decisive"))
    )
    assert short.splitlines()[at + 1].startswith("  hallucination_rate")
    assert "--verbose` says why" in short
    assert "needs about" not in short and "cannot distinguish" not in short
    told = pincite("runs", "compare", "before", "after", "--verbose").out
    assert "needs about" in told or "cannot distinguish" in told


def test_better_and_worse_have_colours_that_can_be_switched_off(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_runs(pincite.folder)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[32m  nDCG@5" in pincite("runs", "compare", "before", "after").out
    assert "\x1b[31m  nDCG@5" in pincite("runs", "compare", "after", "before").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in pincite("runs", "compare", "before", "after").out


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_text_fits_any_usual_width(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    keep_runs(pincite.folder)
    monkeypatch.setenv("COLUMNS", str(columns))
    done = pincite("runs", "compare", "before", "after")
    assert max(len(line) for line in done.out.splitlines()) <= columns


def test_the_names_of_the_runs_stand_beside_their_ids(pincite: Runner) -> None:
    a, b = keep_runs(pincite.folder)
    lines = pincite("runs", "compare", a, b).out.splitlines()
    assert lines[:2] == [f"A  {a} (before)", f"B  {b} (after)"]
    assert json.loads(pincite("runs", "compare", a, b, "-f", "json").out)["titles"] == ["before", "after"]


def test_what_differs_beside_the_system_is_said(pincite: Runner) -> None:
    body = {
        "evaluation_id": "one",
        "status": "finished",
        "dataset_id": "sample",
        "dataset_version": "1.0.0",
        "configuration": {"judge": "rules/1", "dataset_digest": "ab", "settings": {}},
        "query_results": [query_result(item) for item in items(0.0, 1)],
    }
    other = {
        **body,
        "evaluation_id": "other",
        "status": "interrupted",
        "configuration": {"judge": "llm/x", "dataset_digest": "cd", "settings": {"tolerance_chars": 3}},
        "query_results": [query_result(item) for item in items(0.1, 2)][:30],
    }
    pincite.write("one.results.json", json.dumps(body))
    pincite.write("other.results.json", json.dumps(other))
    done = pincite("runs", "compare", "one.results.json", "other.results.json", "-f", "json")
    assert json.loads(done.out)["notes"] == [
        "B is interrupted: queries it has not reached are missing",
        "the dataset sample 1.0.0 was changed between the runs",
        "other judges: A rules/1, B llm/x; judged metrics may differ for that reason alone",
        "other settings: tolerance_chars is 10 in A, 3 in B",
    ]
    assert "10 only in A, 0 only in B" in pincite(
        "runs", "compare", "one.results.json", "other.results.json"
    ).out.replace("\n", " ")
    same = json.loads(pincite("runs", "compare", "one.results.json", "one.results.json", "-f", "json").out)
    assert same["notes"] == ["A and B are the same run"]


def test_runs_that_share_no_query_cannot_be_compared(pincite: Runner) -> None:
    kept = [query_result(item) for item in items(0.0, 1)]
    elsewhere = [{**one, "query_id": f"other {one['query_id']}"} for one in kept]
    for name, queries in (("one", kept), ("other", elsewhere)):
        pincite.write(f"{name}.results.json", json.dumps({"evaluation_id": name, "query_results": queries}))
    done = pincite("runs", "compare", "one.results.json", "other.results.json")
    assert done.code == 2
    assert "one and other share no query: they have 40 and 40 queries" in done.err


def test_metrics_that_do_not_differ_are_listed_in_one_place(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    done = pincite("runs", "compare", "before", "before")
    assert "No difference over all queries\n  nDCG@5, hallucination_rate\n" in done.out
    assert "B compared with A: no difference over all queries in 2 metrics." in done.out


def test_a_metric_without_a_value_in_both_runs_is_not_compared() -> None:
    def answered(metric: str) -> Run:
        scored = Result(metric="hit@5", score=1.0, numerator=1.0, denominator=1.0)
        empty = Result(metric="quote_fidelity", score=None, not_scorable=1)
        results = (scored, empty) if metric == "both" else (empty,)
        item = ItemResult(key="k", position=0, query_id="q", query_text="?", answer="!", results=results)
        return Run(run_id="", status="finished", items=lambda: iter([item]))

    text = comparison_text(compare(answered("both"), answered("both")))
    assert "Not compared: no query has a value in both runs\n  quote_fidelity\n" in text
    assert "no difference over all queries in 1 metric; 1 not compared." in text
    assert "Nothing was compared" in comparison_text(compare(answered("one"), answered("one")))


def test_markdown_has_a_table_whose_cells_cannot_be_broken(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    done = pincite("runs", "compare", "before", "after", "-f", "markdown", "-m", "ndcg@5")
    rows = [line for line in done.out.splitlines() if line.startswith("| nDCG")]
    assert len(rows) == 1
    assert rows[0].endswith("| better |")
    assert "\x1b" not in done.out


def test_a_run_that_got_worse_fails_only_when_asked_to(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    assert pincite("runs", "compare", "after", "before").code == 0
    assert pincite("runs", "compare", "after", "before", "--fail-if-worse").code == 1
    assert pincite("runs", "compare", "before", "after", "--fail-if-worse").code == 0


def test_a_results_file_stands_in_for_a_run(pincite: Runner) -> None:
    a, b = keep_runs(pincite.folder)
    body = {
        "evaluation_id": "eval_run_elsewhere",
        "query_results": [query_result(item) for item in items(0.15, 2)],
    }
    text = json.dumps(body)
    pincite.write("b.results.json", text)
    pincite.write("b.results.json.gz", gzip.compress(text.encode()))
    whole = json.loads(pincite("runs", "compare", a, b, "-f", "json").out)
    for name in ("b.results.json", "b.results.json.gz"):
        told = json.loads(pincite("runs", "compare", a, name, "-f", "json").out)
        assert told["b"] == "eval_run_elsewhere"
        assert told["metrics"] == whole["metrics"]


@pytest.mark.parametrize("ending", ["yaml", "csv", "parquet", "csv.gz"])
def test_a_run_that_was_exported_in_any_form_can_be_compared(pincite: Runner, ending: str) -> None:
    keep_runs(pincite.folder)
    assert pincite("runs", "export", "after", "--output", f"kept.{ending}").code == 0
    done = pincite("runs", "compare", "before", f"kept.{ending}", "-f", "json")
    whole = json.loads(pincite("runs", "compare", "before", "after", "-f", "json").out)
    assert (done.code, json.loads(done.out)["metrics"]) == (0, whole["metrics"])


def test_what_cannot_be_compared_is_said_in_a_line(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    pincite.write("empty.results.json", "{}")
    pincite.write("dataset.csv", "query_text\n")
    pincite.write("broken.results.json", '{"query_results": [{"query_id": 3')
    pincite.write("nameless.results.json", '{"query_results": [{}]}')
    for second, said in (
        ("nothing", "nothing"),
        ("empty.results.json", "no `query_results`"),
        ("broken.results.json", "is not a results file"),
        ("nameless.results.json", "/query_results/0 has no query_id"),
        ("dataset.csv", "dataset.csv has no `query_results`"),
        ("missing.csv", "there is no run 'missing.csv'"),
        ("missing.results.json", "missing.results.json: cannot read the file"),
    ):
        done = pincite("runs", "compare", "before", second)
        assert done.code == 2, second
        assert said in done.err
        assert "Traceback" not in done.err
    unknown = pincite("runs", "compare", "before", "after", "--metric", "recall@7")
    assert unknown.code == 2
    assert "they share nDCG@5, hallucination_rate" in unknown.err


def test_a_run_is_exported_as_a_benchmark_and_later_runs_are_held_against_it(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    scores = {"before": (0.6, (0.58, 0.62)), "after": (0.75, (0.73, 0.77))}
    with open_store(pincite.folder / STORE) as store:
        for name, (value, interval) in scores.items():
            figure = Score(metric="nDCG@5", value=value, confidence_interval=interval, n=40)
            store.finish(structs.replace(store.find(name), scores=(figure,)))
    done = pincite("runs", "export", "before", "--output", "benchmark")
    assert done.code == 0
    (made,) = pincite.folder.glob("*.benchmark.json")
    assert pincite("data", "check", made.name).code == 0
    better = pincite("runs", "compare", "after", made.name, "--output-format", "json")
    (row,) = json.loads(better.out)["metrics"]
    assert (row["outcome"], row["benchmark"], row["value"]) == ("better", 0.6, 0.75)
    (same,) = json.loads(pincite("runs", "compare", "before", made.name, "-f", "json").out)["metrics"]
    assert same["outcome"] == "not_decisive"
    plain = made.rename(pincite.folder / "benchmark.json")
    assert pincite("runs", "export", "after", "--output", "later.benchmark.json").code == 0
    worse = pincite("runs", "compare", "before", "later.benchmark.json", "--fail-if-worse")
    assert worse.code == 1 and "worse" in worse.out
    assert "better" in pincite("runs", "compare", "after", plain.name).out
