"""`pincite eval`: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cli_run import Runner

from pincite.config import StoreSettings

SAMPLE = ("eval", "sample", "--set", "evaluation.resamples=200")
FEW = ("-m", "hit@1", "-m", "span_f1", "-m", "citation_completeness")


def test_the_sample_is_measured_and_every_line_fits_eighty_columns(pincite: Runner) -> None:
    done = pincite(*SAMPLE, "--answers", "sample:b", "--store", "none")
    assert done.code == 0
    lines = done.out.splitlines()
    assert max(len(line) for line in lines[3:]) <= 80
    row = next(line for line in lines if line.startswith("citation_correctness"))
    assert "≥0.7" in row and row.endswith("pass")
    assert "by query type" in done.out and "by difficulty" in done.out and "by document" in done.out


def test_a_missed_threshold_ends_with_1_and_is_named(pincite: Runner) -> None:
    done = pincite(*SAMPLE, *FEW, "--answers", "sample:a", "--threshold", "hit@1=0.9", "--store", "none")
    assert done.code == 1
    assert "hit@1 is 0.316, below its threshold of 0.9" in done.err
    assert next(line for line in done.out.splitlines() if line.startswith("hit@1")).endswith("FAIL")


def test_a_threshold_with_nothing_to_measure_is_not_met(pincite: Runner) -> None:
    done = pincite(
        *SAMPLE,
        *("-m", "hit@1", "-m", "quote_fidelity", "--answers", "sample:b", "--store", "none"),
        *("--threshold", "quote_fidelity=0.5"),
    )
    assert done.code == 1
    assert "quote_fidelity has a threshold of 0.5 and no value" in done.err


def test_runs_are_kept_and_a_second_one_is_tested_against_the_first(pincite: Runner) -> None:
    assert pincite(*SAMPLE, *FEW, "--answers", "sample:a").code == 0
    assert (pincite.folder / "data/evaluation/runs.sqlite").exists()
    better = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "--baseline", "latest")
    assert better.code == 0
    assert "Better" in better.out
    worse = pincite(*SAMPLE, *FEW, "--answers", "sample:a", "--baseline", "latest")
    assert worse.code == 1
    assert "hit@1 is worse than the baseline" in worse.err


def test_a_baseline_that_breaks_meanwhile_ends_with_2_and_the_table_is_printed(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite(*SAMPLE, *FEW, "--answers", "sample:b", "--store", "none", "-o", "base.results.json")
    cut = "import os\ndef answer(text):\n    os.truncate('base.results.json', 3000)\n    return 'Yes.'\n"
    pincite.write("cutting.py", cut)
    monkeypatch.setattr(sys, "path", list(sys.path))
    done = pincite(
        *(*SAMPLE, *FEW, "--target", "cutting:answer", "--store", "none"), "--baseline", "base.results.json"
    )
    assert done.code == 2
    assert "cannot be compared with" in done.err
    assert "citation_completeness" in done.out


def test_json_and_markdown_say_the_same(pincite: Runner) -> None:
    given = (*SAMPLE, *FEW, "--answers", "sample:b", "--store", "none")
    document = json.loads(pincite(*given, "--output-format", "json").out)
    markdown = pincite(*given, "--output-format", "markdown").out
    value = document["retrieval_metrics"]["hit@1"]["value"]
    assert f"| hit@1 | {value:.3f} |" in markdown


def test_a_dry_run_asks_nobody_and_says_what_there_is_to_ask(pincite: Runner) -> None:
    done = pincite(*SAMPLE, "--answers", "sample:a", "--dry-run", "--limit", "5")
    assert done.code == 0
    assert done.out.startswith("5 queries, ")
    assert "pairs to judge" in done.out
    assert "no calls, no cost" in done.out
    assert "eval_run" not in pincite("runs", "list").out
    told = json.loads(pincite(*SAMPLE, "--answers", "sample:a", "--dry-run", "-f", "json").out)["dry_run"]
    assert told["queries"] == 40
    assert told["pairs"] > 40
    live = pincite(*SAMPLE, "--target", "http://127.0.0.1:9/", "--dry-run")
    assert "40 calls of the system" in live.out


def test_a_dry_run_refuses_the_baseline_and_the_labels_that_the_run_would_refuse(pincite: Runner) -> None:
    dry = (*SAMPLE, *FEW, "--answers", "sample:a", "--dry-run")
    nothing = pincite(*dry, "--baseline", "latest")
    assert nothing.code == 2 and "there are no runs" in nothing.err
    assert not (pincite.folder / "data").exists()
    assert pincite(*SAMPLE, *FEW, "--answers", "sample:b").code == 0
    unknown = pincite(*dry, "--baseline", "nosuch")
    assert unknown.code == 2 and "there is no run 'nosuch'" in unknown.err
    other = {"evaluation_id": "e", "query_results": [{"query_id": "zz", "individual_metrics": {}}]}
    path = pincite.write("other.results.json", json.dumps(other))
    unrelated = pincite(*dry, "--baseline", str(path))
    assert unrelated.code == 2 and "shares no query" in unrelated.err
    labels = pincite(*dry, "--labels", "missing.jsonl")
    assert labels.code == 2 and "missing.jsonl" in labels.err
    assert pincite(*dry, "--baseline", "latest").code == 0
    assert pincite("runs", "list").out.count("eval_run") == 1


def test_a_dry_run_with_a_language_model_estimates_its_cost_without_a_key(pincite: Runner) -> None:
    done = pincite(*SAMPLE, "--answers", "sample:a", "--dry-run", "--judge", "llm:gpt-4o-mini")
    assert done.code == 0
    assert "estimated at most" in done.out and "$" in done.out


def test_every_query_failing_ends_with_2_and_the_reason(pincite: Runner) -> None:
    done = pincite(
        *SAMPLE, *FEW, "--target", "http://127.0.0.1:9/", "--set", "errors.max_retries=0", "--store", "none"
    )
    assert done.code == 2
    assert "every query failed: cannot reach 127.0.0.1:9" in done.err


def test_answers_that_are_odd_are_told_and_the_rest_is_measured(pincite: Runner) -> None:
    from pincite.datasets import answers_path

    good = answers_path("b").read_text(encoding="utf-8").splitlines()
    twice = good[3]
    lines = [*good, "{broken", '{"query_id": "nobody", "answer": "x"}', twice]
    path = pincite.write("answers.jsonl", "\n".join(lines))
    done = pincite(*SAMPLE, *FEW, "--answers", str(path), "--store", "none")
    assert done.code == 0
    assert "line 41" in done.err
    assert "line 43: expected an id of its own; line 4 has it too, and that one counts" in done.err
    assert "1 recorded answer belongs to no query" in done.err


def test_recorded_answers_without_retrieval_results_leave_retrieval_unmeasured(pincite: Runner) -> None:
    from pincite.datasets import answers_path

    answers = [json.loads(line) for line in answers_path("b").read_text(encoding="utf-8").splitlines()]
    for answer in answers:
        del answer["retrieval_results"]
    path = pincite.write("answers.jsonl", "".join(json.dumps(answer) + "\n" for answer in answers))
    usual = pincite(*SAMPLE, "--answers", str(path), "--store", "none", "-f", "json")
    assert "retrieval_metrics" not in json.loads(usual.out)
    assert "retrieval is not measured: the recorded answers have no retrieval_results" in usual.err
    asked = pincite(*SAMPLE, *FEW, "--answers", str(path), "--store", "none", "-f", "json")
    assert json.loads(asked.out)["retrieval_metrics"]["hit@1"]["value"] == 0
    assert "no answer came with retrieval_results" in asked.err


def test_a_live_system_that_never_says_what_it_retrieved_leaves_retrieval_unmeasured(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite.write("silent.py", "def answer(text):\n    return 'Yes [doc_waterworks.txt:0-9].'\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    given = ("--target", "silent:answer", "--limit", "5", "-f", "json")
    usual = pincite(*SAMPLE, *given, "-o", "silent.results.json")
    document = json.loads(usual.out)
    assert "retrieval_metrics" not in document
    assert "hit@1" not in document["configuration"]["metrics"]
    assert not any(
        "hit@1" in scores for groups in document["breakdown"].values() for scores in groups.values()
    )
    assert "retrieval is not measured: no answer came with retrieval_results" in usual.err
    written = json.loads((pincite.folder / "silent.results.json").read_text())["query_results"]
    assert not any("hit@1" in one["individual_metrics"] for one in written)
    assert pincite("runs", "export", "latest", "--output", "again.results.json").code == 0
    again = json.loads((pincite.folder / "again.results.json").read_text())["query_results"]
    assert not any("hit@1" in one["individual_metrics"] for one in again)
    asked = json.loads(pincite(*SAMPLE, *FEW, *given).out)
    assert asked["retrieval_metrics"]["hit@1"]["value"] == 0
    held = json.loads(pincite(*SAMPLE, *given, "--threshold", "hit@1=0.5").out)
    assert list(held["retrieval_metrics"]) == ["hit@1"]


def test_the_usual_history_that_cannot_be_written_is_a_warning(pincite: Runner) -> None:
    usual = Path(StoreSettings().url)
    assert not usual.is_absolute()
    pincite.write(usual.parts[0], "a file where the folder should be")
    done = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "--output", "r.results.json")
    assert done.code == 0
    assert "run not saved" in done.err
    assert json.loads((pincite.folder / "r.results.json").read_text())["summary"]["total_queries"] == 40


def test_an_output_that_cannot_be_written_is_an_error_and_the_summary_is_printed(pincite: Runner) -> None:
    pincite.write("file", "x")
    done = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "--store", "none", "-o", "file/r.results.json")
    assert done.code == 2
    assert "cannot write" in done.err
    assert "hit@1" in done.out
    kept = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "-o", "file/r.results.json")
    assert kept.code == 0  # the history has it
    assert "cannot write" in kept.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--answers", "x", "--target", "answer"), "not both"),
        (("--target", "ftp://user:pass@x/y"), "use http or https"),
        ((), "one system"),
        (("--target", "nothing"), "names no system"),
        (("--target", "answer", "--header", "A=B"), "are for an address"),
        (("--answers", "sample:a", "--answer-path", "x"), "are for an address"),
        (("--answers", "sample:c"), "sample"),
        (("--answers", "missing.jsonl"), "missing.jsonl"),
        (("--answers", "sample:a", "-m", "nDGC@5"), "did you mean nDCG"),
        (("--answers", "sample:a", "--threshold", "hit@1"), "METRIC=VALUE"),
        (("--answers", "sample:a", "--threshold", "citation_relevance=0.5"), "not measured"),
        (("--answers", "sample:a", "--limit", "0"), "limit is 1 or more"),
        (("--answers", "sample:a", "-o", "out.txt"), "unknown format for"),
        (("--answers", "sample:a", "--baseline", "nothing-like-it"), "nothing-like-it"),
        (("--answers", "sample:a", "--set", "evaluation.max_in_flight=0"), "--set evaluation.max_in_flight"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    pincite: Runner, arguments: tuple[str, ...], message: str
) -> None:
    done = pincite(*SAMPLE, *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_name_with_terminal_codes_in_it_is_shown_harmlessly(pincite: Runner) -> None:
    from pincite.datasets import sample_path

    value = json.loads(sample_path().read_text(encoding="utf-8"))
    value["dataset_id"] = "\x1b[31mred"
    value["queries"] = value["queries"][:3]
    value["queries"][0]["query_type"] = "\x1b]0;title\x07|<b>"
    path = pincite.write("odd.eval.json", json.dumps(value))
    for form in ("text", "markdown"):
        done = pincite(
            *("eval", str(path), *FEW, "--answers", "sample:a", "--store", "none", "-f", form),
            *("--name", "\x1b[2J", "--set", "evaluation.resamples=200"),
        )
        assert "\x1b" not in done.out


def test_progress_is_told_in_plain_lines_where_nobody_watches(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.cli import progress

    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    done = pincite(*SAMPLE, *FEW, "--answers", "sample:a", "--store", "none")
    assert "40/40 done, 1 failed, 0 unjudged" in done.err
    quiet = pincite(*SAMPLE, *FEW, "--answers", "sample:a", "--store", "none", "-q")
    assert "done" not in quiet.err


def test_on_a_terminal_the_line_is_rewritten_and_taken_away(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    (tmp_path / "pincite.toml").write_text("")
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "pincite", *SAMPLE, *FEW, "--answers", "sample:a", "--store", "none"]
    with os.fdopen(follower, "wb") as terminal:
        subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PINCITE_JUDGE": "rules", "COLUMNS": "60"},
            stderr=terminal,
            stdout=subprocess.DEVNULL,
            check=False,
        )
    shown = os.read(leader, 65536).decode()
    os.close(leader)
    assert "/40 done" in shown
    last = shown.rstrip().rpartition("\r\x1b[2K")[2]
    assert "done," not in last


def test_what_a_function_under_test_prints_does_not_get_into_our_output(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite.write("chatty.py", "print('loading')\ndef answer(text):\n    print('asked')\n    return 'Yes.'\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    done = pincite(*SAMPLE, *FEW, "--target", "chatty:answer", "--store", "none", "-f", "json")
    assert json.loads(done.out)["summary"]["failed_queries"] == 0
    assert "asked" in done.err
    sys.modules.pop("chatty")
    assert "loading" not in pincite(*SAMPLE, "--target", "chatty:answer", "--dry-run").out


LOUD = """
import os, subprocess, sys
os.write(1, b"loading ")
def answer(text):
    os.write(1, b"raw ")
    subprocess.run([sys.executable, "-c", "print('child')"], check=True)
    return "Yes."
def interrupted(text):
    os.write(1, b"raw ")
    os.kill(os.getpid(), 2)
    return "Yes."
"""


@pytest.mark.thorough
@pytest.mark.parametrize(("system", "code"), [("answer", 0), ("interrupted", 130)])
def test_what_goes_past_python_to_standard_output_does_not_get_into_ours_either(
    tmp_path: Path, system: str, code: int
) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "loud.py").write_text(LOUD)
    command = [sys.executable, "-m", "pincite", *SAMPLE, "-m", "hit@1", "--limit", "2", "--store", "none"]
    command += [
        "--judge",
        "rules",
        "--target",
        f"loud:{system}",
        "-f",
        "json",
        "--set",
        "evaluation.max_in_flight=1",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["dataset_id"]
    assert "loading raw" in done.stderr
    assert ("child" in done.stderr) == (system == "answer")


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="the shell is another there")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm_and_nothing_gets_into_what_is_left(tmp_path: Path, closed: str) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "loud.py").write_text(LOUD)
    script = f"{sys.executable} -m pincite eval sample -m hit@1 --limit 2 --target loud:answer --judge rules"
    script += f" --store none -f json -o run.results.json {closed}"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "run.results.json").read_text())["summary"]["failed_queries"] == 0
    if closed == "2>&-":
        assert json.loads(done.stdout)["summary"]["failed_queries"] == 0


def test_the_store_stays_private(pincite: Runner) -> None:
    """Nothing of the settings that may hold a password stands in the results."""
    done = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "--output", "r.results.json")
    assert done.code == 0
    assert "runs.sqlite" not in (pincite.folder / "r.results.json").read_text()
    assert stat.S_ISREG((pincite.folder / "r.results.json").stat().st_mode)


def test_labels_are_read_before_anything_is_asked_and_idle_ones_are_told(pincite: Runner) -> None:
    gone = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "--labels", "gone.jsonl")
    assert gone.code == 2 and "gone.jsonl" in gone.err
    assert "eval_run" not in pincite("runs", "list").out
    pincite.write("labels.jsonl", '{"query_id": "zzz", "claim": "The moon is cheese.", "label": 0}\n')
    idle = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "--labels", "labels.jsonl", "--store", "none")
    assert idle.code == 0
    assert "warning: nothing is corrected: no query has labels" in idle.err


@pytest.mark.parametrize(("name", "extra"), [("x.parquet", "pyarrow"), ("x.json.zst", "zstandard")])
def test_an_output_that_needs_a_missing_extra_is_refused_before_anything_is_measured(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, extra, None)
    done = pincite(*SAMPLE, *FEW, "--answers", "sample:b", "-o", name)
    assert done.code == 2 and f"needs the {extra} library: pip install" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--set", "evaluation.timeout_seconds=-1"),
            "--set evaluation.timeout_seconds: expected a number above 0, found -1",
        ),
        (
            ("--set", "evaluation.timeout_seconds=soon"),
            "--set evaluation.timeout_seconds: expected a number above 0, found soon",
        ),
        (
            ("--set", "errors.max_retries=1.5"),
            "--set errors.max_retries: expected a whole number, 0 or more, found 1.5",
        ),
        (
            ("--set", "evaluation.max_in_flight=0"),
            "--set evaluation.max_in_flight: expected a whole number, 1 or more, found 0",
        ),
        (("--seed", "x"), "argument --seed: expected a whole number, 0 or more, found x"),
        (
            ("--set", "evaluation.resamples=5"),
            "--set evaluation.resamples: expected a whole number from 100 to 1,000,000",
        ),
        (("--max-cost", "-1"), "argument --max-cost: expected a number, 0 or more, found -1"),
        (("--limit", "x"), "argument --limit: expected a whole number, found x"),
        (("--store", "mysql://x"), "a history cannot be kept in mysql://"),
    ],
)
def test_a_wrong_option_is_refused_by_its_own_name(
    pincite: Runner, options: tuple[str, ...], said: str
) -> None:
    done = pincite(*SAMPLE, *FEW, "--answers", "sample:a", *options)
    assert done.code == 2
    assert done.out == "" and said in done.err
