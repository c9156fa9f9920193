"""`pincite runs list|show|trend|export|prune` on a history with a few runs."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
import yaml
from cli_run import Runner

from pincite.records import (
    Failure,
    ItemResult,
    JudgedPair,
    Result,
    ResultsDocument,
    Run,
    RunSummary,
    Score,
)
from pincite.reports import trend_text, width
from pincite.store import TrendPoint, open_store

STORE = "data/evaluation/runs.sqlite"
DAYS = (120, 60, 5, 1)


def item(position: int, **fields: object) -> ItemResult:
    made = ItemResult(
        key=str(position),
        position=position,
        query_id=f"query_{position}",
        query_text="How large?",
        answer="It is \x1b[31mlarge [a.txt].",
        latency_ms=5.0,
        results=(Result(metric="nDCG@5", score=0.5, numerator=0.5, denominator=1),),
        verdicts=(
            JudgedPair("support", "It is large.", ("a.txt",), "supported", 0.9, "so it says", "rules"),
        ),
        failures=(Failure("not_retrieved", "a.txt", "it was not"),) if position == 1 else (),
    )
    return msgspec.structs.replace(made, **fields)


@pytest.fixture
def history(pincite: Runner) -> list[str]:
    """Four finished runs and one that was cut off; their ids, the oldest first."""
    ids = []
    with open_store(pincite.folder / STORE) as store:
        for number, days in enumerate(DAYS):
            began = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
            run = Run(
                run_id="",
                name="baseline" if number == 0 else None,
                started_at=began,
                dataset_id="sample",
                dataset_version="1.0.0",
                judge="rules",
            )
            run, journal = store.begin(run)
            for position in range(3):
                failed = {"failure": "timed out\x1b[0m", "answer": None} if position == 2 else {}
                journal.append(item(position, **failed))
            value = 0.4 + 0.1 * number
            score = Score(metric="nDCG@5", value=value, confidence_interval=(value - 0.1, value + 0.1), n=3)
            document = ResultsDocument(
                evaluation_id=run.run_id,
                timestamp=run.started_at,
                dataset_id="sample",
                summary=RunSummary(total_queries=3),
            )
            done = msgspec.structs.replace(
                run,
                status="finished",
                total=3,
                successful=2,
                failed=1,
                scores=(score, Score(metric="MRR", value=None, not_scorable=3)),
                document=document,
            )
            store.finish(done)
            ids.append(run.run_id)
        _, journal = store.begin(Run(run_id="", fingerprint="cut", dataset_id="other"))
        journal.append(item(0))
    return ids


def test_the_list_is_newest_first(pincite: Runner, history: list[str]) -> None:
    done = pincite("runs", "list")
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in lines[2:]] == history[::-1]
    assert "interrupted" in lines[1] and "baseline, sample 1.0.0" in lines[-1]


def test_the_list_takes_a_dataset_and_a_limit(pincite: Runner, history: list[str]) -> None:
    done = pincite("runs", "list", "--dataset", "sample", "--limit", "2")
    assert [line.split()[0] for line in done.out.splitlines()[1:]] == [history[3], history[2]]
    assert "--limit 4 shows more" in done.err
    assert len(pincite("runs", "list", "--limit", "0").out.splitlines()) == 6
    assert "no run is on the dataset nothing" in pincite("runs", "list", "--dataset", "nothing").err
    assert pincite("runs", "list", "--limit", "-1").code == 2


def test_the_list_as_json_has_the_scores(pincite: Runner, history: list[str]) -> None:
    listed = json.loads(pincite("runs", "list", "-f", "json").out)["runs"]
    assert [run["run_id"] for run in listed[1:]] == history[::-1]
    assert listed[1]["scores"]["nDCG@5"]["value"] == pytest.approx(0.7)
    assert (listed[1]["status"], listed[1]["failed_queries"]) == ("finished", 1)


@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["trend", "nDCG@5"],
        ["prune", "--older-than", "1d"],
    ],
)
def test_an_empty_history_gives_a_helpful_line_and_makes_no_file(pincite: Runner, command: list[str]) -> None:
    done = pincite("runs", *command)
    assert (done.code, done.out) == (0, "")
    assert f"there are no runs in {STORE} yet; `pincite eval" in done.err
    assert not (pincite.folder / "data").exists()


def test_an_empty_history_is_empty_json(pincite: Runner) -> None:
    assert json.loads(pincite("runs", "list", "-f", "json").out)["runs"] == []
    assert json.loads(pincite("runs", "trend", "nDCG@5", "-f", "json").out)["points"] == []


@pytest.mark.parametrize("command", [["show", "latest"], ["export", "latest", "--output", "x.results.json"]])
def test_a_run_that_is_not_there_exits_2(pincite: Runner, command: list[str]) -> None:
    done = pincite("runs", *command)
    assert done.code == 2 and "there are no runs in" in done.err
    with open_store(pincite.folder / STORE):
        pass
    assert "there is no finished run yet" in pincite("runs", *command).err


def test_show_has_the_table_the_verdicts_and_the_queries(pincite: Runner, history: list[str]) -> None:
    done = pincite("runs", "show", "latest")
    assert done.code == 0 and history[-1] in done.out
    assert "nDCG@5" in done.out and "0.600–0.800" in done.out
    assert "verdicts on support: 3 supported" in done.out
    listed = pincite("runs", "show", "latest", "--items").out
    assert "not_retrieved: It is ␛[31mlarge" in listed and "\x1b" not in listed
    assert listed.splitlines()[0].split() == ["query", "id", "what", "happened"]
    failed = pincite("runs", "show", "--failed").out
    assert "failed: timed out␛[0m" in failed and "query_0" not in failed


def test_a_run_that_was_cut_off_is_listed_with_how_far_it_came(pincite: Runner) -> None:
    with open_store(pincite.folder / STORE) as store:
        _, journal = store.begin(Run(run_id="", fingerprint="cut", dataset_id="other", total=1300))
        for position in range(3):
            journal.append(item(position, failure="timed out" if position == 2 else None))
    assert " 3/1,300       1  other" in pincite("runs", "list").out
    (told,) = json.loads(pincite("runs", "list", "-f", "json").out)["runs"]
    assert (told["successful_queries"], told["failed_queries"]) == (2, 1)


@pytest.mark.parametrize("command", ["list", "show", "report", "trend", "export", "prune"])
def test_every_command_of_the_history_may_be_told_to_use_no_colours(pincite: Runner, command: str) -> None:
    assert "--no-color" in pincite("runs", command, "--help").out


def test_metrics_without_an_interval_say_why(pincite: Runner, history: list[str]) -> None:
    with open_store(pincite.folder / STORE) as store:
        run, _ = store.begin(Run(run_id="", total=2))
        same = Score(metric="precision@5", value=0.2, method="none: every query has the same value", n=2)
        store.finish(msgspec.structs.replace(run, status="finished", scores=(same,)))
    assert "no interval where every query has the same value: precision@5" in pincite("runs", "show").out


def test_a_trend_over_several_datasets_proposes_no_comparison(pincite: Runner, history: list[str]) -> None:
    assert "pincite runs compare" in pincite("runs", "trend", "nDCG@5").out
    with open_store(pincite.folder / STORE) as store:
        run, _ = store.begin(Run(run_id="", dataset_id="elsewhere"))
        score = Score(metric="nDCG@5", value=0.9, n=3)
        store.finish(msgspec.structs.replace(run, status="finished", scores=(score,)))
    done = pincite("runs", "trend", "nDCG@5")
    assert "pincite runs compare" not in done.out and "these runs are on 2 datasets" in done.err


def test_show_finds_a_run_by_name_and_by_the_beginning_of_its_id(pincite: Runner, history: list[str]) -> None:
    assert history[0] in pincite("runs", "show", "baseline").out
    assert history[0] in pincite("runs", "show", history[0][:17]).out
    several = pincite("runs", "show", "eval_run")
    assert several.code == 2 and "fits several runs" in several.err


def test_show_of_a_run_that_was_cut_off_says_so(pincite: Runner, history: list[str]) -> None:
    cut = json.loads(pincite("runs", "list", "-f", "json", "--dataset", "other").out)["runs"][0]["run_id"]
    assert (
        "the run is not finished (interrupted): run the same command again to resume"
        in pincite("runs", "show", cut).out
    )
    done = pincite("runs", "export", cut, "--output", "cut.results.json")
    assert done.code == 0 and "was not finished" in done.err
    exported = json.loads((pincite.folder / "cut.results.json").read_text())
    assert exported["dataset_id"] == "other" and len(exported["query_results"]) == 1


def test_show_as_json_and_markdown(pincite: Runner, history: list[str]) -> None:
    shown = json.loads(pincite("runs", "show", "-f", "json").out)
    assert shown["evaluation_id"] == history[-1] and "query_results" not in shown
    assert shown["verdicts"] == {"support": {"supported": 3}}
    failed = json.loads(pincite("runs", "show", "--failed", "-f", "json").out)
    assert [query["query_id"] for query in failed["query_results"]] == ["query_2"]
    assert "| nDCG@5 |" in pincite("runs", "show", "-f", "markdown").out


def test_a_trend_is_a_table_with_a_chart(pincite: Runner, history: list[str]) -> None:
    done = pincite("runs", "trend", "ndcg@5")
    lines = done.out.splitlines()
    assert lines[0] == "nDCG@5, 4 runs, the oldest first"
    assert [line.split()[0] for line in lines[2:6]] == history
    places = [line.index("●") for line in lines[2:6]]
    assert places == sorted(set(places))
    assert f"pincite runs compare {history[0]} {history[-1]}" in lines[-1]


def test_a_trend_since_then_on_a_dataset(pincite: Runner, history: list[str]) -> None:
    recent = json.loads(pincite("runs", "trend", "nDCG@5", "--since", "30d", "-f", "json").out)
    assert [point["run_id"] for point in recent["points"]] == history[2:]
    assert recent["points"][0]["confidence_interval"] == pytest.approx([0.5, 0.7])
    assert "on that dataset" in pincite("runs", "trend", "nDCG@5", "--dataset", "none").err
    limited = pincite("runs", "trend", "nDCG@5", "--limit", "1")
    assert "3 earlier runs are not shown" in limited.err


def test_a_trend_of_a_metric_without_values_is_shown(pincite: Runner, history: list[str]) -> None:
    done = pincite("runs", "trend", "MRR")
    assert done.code == 0 and "●" not in done.out and "–" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["trend", "nDGC@5"], "no run has a metric 'nDGC@5'; there are nDCG@5"),
        (["trend", "nDCG@5", "--since", "soon"], "--since is a number and a unit"),
        (["trend", "nDCG@5", "--limit", "-2"], "--limit is a number"),
        (["prune"], "--older-than"),
        (["prune", "--older-than", "old"], "--older-than is a number and a unit"),
        (["prune", "--older-than", "90d", "--keep", "nothing"], "there is no run 'nothing'"),
        (["prune", "--older-than", "90d"], "1 run would be removed: add --yes"),
        (["export", "latest", "--output", "x.docx"], "unknown format for x.docx"),
        (["list", "--store", "none"], "there is no history in `none`"),
        (["list", "--store", "mysql://u:s3cret@h/x"], "cannot be kept in mysql"),
    ],
)
def test_what_cannot_be_done_is_said_and_exits_2(
    pincite: Runner, history: list[str], arguments: list[str], said: str
) -> None:
    done = pincite("runs", *arguments)
    assert done.code == 2 and said in done.err and "s3cret" not in done.err


@pytest.mark.parametrize("ending", ["results.json", "csv", "yaml", "parquet", "results.json.gz"])
def test_export_writes_every_query(pincite: Runner, history: list[str], ending: str) -> None:
    done = pincite("runs", "export", "latest~1", "--output", f"out/run.{ending}")
    path = pincite.folder / "out" / f"run.{ending}"
    assert done.code == 0 and history[-2] in done.err
    if ending == "csv":
        with path.open(newline="") as file:
            ids = [row["query_id"] for row in csv.DictReader(file)]
    elif ending == "parquet":
        from pyarrow import parquet

        ids = parquet.read_table(path)["query_id"].to_pylist()
    else:
        ids = [query["query_id"] for query in _document(path)["query_results"]]
        assert _document(path)["evaluation_id"] == history[-2]
    assert ids == ["query_0", "query_1", "query_2"]


def _document(path: Path) -> dict[str, list[dict[str, str]]]:
    import gzip

    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    loaded: dict[str, list[dict[str, str]]] = (
        yaml.safe_load(content) if path.suffix == ".yaml" else json.loads(content)
    )
    return loaded


def test_prune_lists_first_and_then_removes(pincite: Runner, history: list[str]) -> None:
    dry = pincite("runs", "prune", "--older-than", "30d", "--dry-run")
    assert dry.code == 0 and "2 runs would be removed" in dry.out and history[0] in dry.out
    assert (
        pincite("runs", "prune", "--older-than", "30d", "--keep", "baseline", "--yes").out
        == "removed 1 run\n"
    )
    assert pincite("runs", "prune", "--older-than", "30d", "--yes").out == "removed 1 run\n"
    assert pincite("runs", "prune", "--older-than", "30d", "--yes").out == "no runs are that old\n"
    assert len(pincite("runs", "list").out.splitlines()) == 4


def test_prune_asks_at_a_terminal(
    pincite: Runner, history: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.cli.commands.runs.prune.is_terminal", lambda stream: True)
    no = pincite("runs", "prune", "--older-than", "90d", stdin=b"\n")
    assert no.code == 0 and no.out.endswith("remove 1 run? [y/N] nothing was removed\n")
    yes = pincite("runs", "prune", "--older-than", "90d", stdin=b"y\n")
    assert yes.out.endswith("removed 1 run\n")


def test_another_store_can_be_named_by_option_or_settings(pincite: Runner, history: list[str]) -> None:
    assert "there are no runs in other.sqlite" in pincite("runs", "list", "--store", "other.sqlite").err
    pincite.write("here.toml", '[store]\nurl = "elsewhere.sqlite"\n')
    assert "there are no runs in elsewhere" in pincite("runs", "list", "--config", "here.toml").err


@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["show"],
        ["show", "--items"],
        ["trend", "nDCG@5"],
        ["prune", "--older-than", "1d", "--dry-run"],
    ],
)
@pytest.mark.parametrize("columns", [60, 80])
def test_everything_fits_the_terminal(
    pincite: Runner, history: list[str], monkeypatch: pytest.MonkeyPatch, command: list[str], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    long = "a very long name for a run \x1b[2J" * 5
    with open_store(pincite.folder / STORE) as store:
        run, journal = store.begin(
            Run(run_id="", name=long, dataset_id=long, started_at="2020-01-01T00:00:00Z")
        )
        journal.append(item(0, answer="words " * 100))
        store.finish(msgspec.structs.replace(run, status="finished", total=1))
    out = pincite("runs", *command).out
    assert out and "\x1b" not in out
    # A command to be copied stays on one line.
    printed = [line for line in out.splitlines() if not line.startswith("pincite runs compare ")]
    assert all(width(line) <= columns for line in printed)


def point(value: float | None, interval: tuple[float, float] | None) -> TrendPoint:
    return TrendPoint(
        run_id="eval_run_20260305_001",
        name=None,
        started=0.0,
        dataset_id="d",
        value=value,
        confidence_interval=interval,
        n=3,
        not_scorable=0,
        unjudged=0,
    )


@pytest.mark.parametrize(
    "points",
    [
        [point(None, None)],
        [point(0.5, None)],
        [point(0.0, (0.0, 0.0)), point(0.0, None)],
        [point(1e9, (-1e9, 1e9)), point(None, None), point(-5.0, (-6.0, 1.0))],
        [point(0.5, (0.6, 0.7)), point(0.2, (0.1, 0.3))],
    ],
)
@pytest.mark.parametrize("columns", [None, 40, 80, 200])
def test_a_chart_can_be_drawn_of_any_values(points: list[TrendPoint], columns: int | None) -> None:
    drawn = trend_text("nDCG@5", points, columns).splitlines()
    assert sum("●" in line for line in drawn) == sum(one.value is not None for one in points)


def test_the_report_of_a_run_names_what_is_cited_together_and_what_never_is(pincite: Runner) -> None:
    pincite("eval", "sample", "--answers", "sample:b", "-m", "hit@1", "--set", "evaluation.resamples=100")
    text = pincite("runs", "report", "--dataset", "sample").out
    assert "answers cite" in text and "cited together:" in text and "not in the dataset" not in text
    assert "never used" not in pincite("runs", "report").out
    graph = json.loads(pincite("runs", "report", "latest", "-f", "json").out)["citation_graph"]
    assert graph["answers"] == 40 and graph["never_used"] is None


def test_the_report_of_a_run_says_what_dominates_where_and_what_follows(pincite: Runner) -> None:
    pincite("eval", "sample", "--answers", "sample:a", "--set", "evaluation.resamples=100")
    text = pincite("runs", "report").out
    assert "failures in 40 queries; 1 query got no answer" in text and "what to do" in text
    assert all(width(line) <= 80 for line in text.splitlines())
    report = json.loads(pincite("runs", "report", "latest", "--output-format", "json").out)
    assert [*report] == ["summary", "visualizations", "analysis", "recommendations", "citation_graph"]
    assert report["analysis"]["dominant_failure"] == report["analysis"]["kinds"][0]["kind"]
    assert {alert["metric"] for alert in report["analysis"]["alerts"]} >= {"citation_correctness"}


def keep_scored(folder: Path, **fields: str) -> None:
    with open_store(folder / STORE) as store:
        run, _ = store.begin(Run(run_id="", dataset_id="sample", **fields))
        score = Score(metric="nDCG@5", value=0.9, n=3)
        store.finish(msgspec.structs.replace(run, status="finished", total=3, successful=3, scores=(score,)))


def test_a_trend_shows_names_and_says_when_it_mixes_them(pincite: Runner, history: list[str]) -> None:
    keep_scored(pincite.folder, name="夜 nightly")
    done = pincite("runs", "trend", "nDCG@5")
    assert "baseline" in done.out and "夜 nightly" in done.out
    assert "these runs have 2 names (baseline, 夜 nightly); --name shows one" in done.err
    assert "pincite runs compare" not in done.out
    lines = done.out.splitlines()[1:]
    values = [line.index(" 0.") + sum(width(one) - 1 for one in line[: line.index(" 0.")]) for line in lines]
    assert len(set(values[1:])) == 1
    alone = pincite("runs", "trend", "nDCG@5", "--name", "夜 nightly")
    assert alone.out.startswith("nDCG@5, 1 run") and not alone.err
    assert "of that name" in pincite("runs", "trend", "nDCG@5", "--name", "none").err


def test_a_mistyped_name_of_a_run_is_answered_with_the_right_one(pincite: Runner, history: list[str]) -> None:
    done = pincite("runs", "show", "basline")
    assert done.code == 2 and "there is no run 'basline'; did you mean baseline?" in done.err
    assert "the newest are eval_run_" in pincite("runs", "show", "quite_different").err


def test_a_run_in_which_no_query_failed_says_so(pincite: Runner, history: list[str]) -> None:
    keep_scored(pincite.folder, name="clean")
    assert pincite("runs", "show", "clean", "--failed").out == "no query failed\n"
