"""How `pincite eval` begins and ends at its edges: a wrong history, a termination, a pipe."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_run import Runner

from pincite.store import open_store

SAMPLE = ("eval", "sample", "--judge", "rules", "-m", "hit@1", "--set", "evaluation.resamples=200")
SLOW = """
import time

def answer(text):
    time.sleep(0.1)
    return "It is so."
"""


@pytest.mark.parametrize("form", ["folder", "notes", "another program", "below a file"])
def test_a_named_history_that_can_be_none_is_refused_before_anything_is_asked(
    pincite: Runner, form: str
) -> None:
    pincite.write("notes.jsonl", '{"query_id": "q"}\n' * 40)
    with sqlite3.connect(pincite.folder / "other.sqlite") as other:
        other.execute("CREATE TABLE birds (name TEXT)")
    other.close()
    named = {
        "folder": ".",
        "notes": "notes.jsonl",
        "another program": "other.sqlite",
        "below a file": "notes.jsonl/runs.sqlite",
    }[form]
    done = pincite(*SAMPLE, "--answers", "sample:a", "--store", named)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ") and "--store" in done.err and done.err.count("\n") == 1


@pytest.mark.thorough
@pytest.mark.parametrize("ignored", [False, True])
def test_a_termination_ends_as_ctrl_c_does_and_the_same_command_goes_on(
    tmp_path: Path, ignored: bool
) -> None:
    (tmp_path / "slow_system.py").write_text(SLOW)
    (tmp_path / "pincite.toml").touch()
    command = [
        sys.executable,
        "-m",
        "pincite",
        *SAMPLE,
        "--target",
        "slow_system:answer",
        "--set",
        "evaluation.max_in_flight=1",
    ]
    command += ["--system-version", "1"]
    process = subprocess.Popen(
        [*command, "--store", "runs.sqlite"],
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # As a shell starts what goes on in the background.
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignored else None,
    )
    history = tmp_path / "runs.sqlite"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None and _kept(history) < 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 143, err
    assert (
        "interrupted after" in err
        and "run the same command again to resume" in err
        and "Traceback" not in err
    )
    assert "hit@1" in out
    with open_store(history) as store:
        (run,) = store.runs()
        assert run.status == "interrupted" and 3 <= len(list(store.items(run.run_id))) < 40


def _kept(history: Path) -> int:
    if not history.exists():
        return 0
    with open_store(history) as store:
        return sum(run.successful + run.failed for run in store.runs())


def test_output_to_a_pipe_is_the_whole_results_document_and_nothing_else(pincite: Runner) -> None:
    done = pincite(*SAMPLE, "--answers", "sample:b", "--store", "none", "-o", "-")
    document = json.loads(done.out)
    assert done.code == 0 and len(document["query_results"]) == 40
    refused = pincite(*SAMPLE, "--answers", "sample:b", "--store", "none", "-o", "-", "-f", "markdown")
    assert refused.code == 2 and "standard output" in refused.err


def test_a_run_is_exported_to_a_pipe_in_the_form_asked_for(pincite: Runner) -> None:
    assert pincite(*SAMPLE, "--answers", "sample:b", "-q").code == 0
    assert len(json.loads(pincite("runs", "export", "latest", "--output", "-").out)["query_results"]) == 40
    rows = list(
        csv.reader(io.StringIO(pincite("runs", "export", "latest", "--output", "-", "-f", "csv").out))
    )
    assert len(rows) == 41
    assert "query_results:" in pincite("runs", "export", "latest", "--output", "-", "-f", "yaml").out
    quiet = pincite("runs", "export", "latest", "--output", "run.results.json", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def make_read_only(history: Path) -> None:
    """As SQLite itself says it: a file whose format is too new to be written. It binds root too."""
    content = bytearray(history.read_bytes())
    content[18] = 9
    history.write_bytes(content)


@pytest.mark.parametrize("named", ["kept.sqlite", "data/evaluation/runs.sqlite"])
def test_a_named_history_that_can_only_be_read_is_refused_before_anything_is_asked(
    pincite: Runner, named: str
) -> None:
    command = (*SAMPLE, "-m", "hit@1", "--limit", "2", "--store", named)
    assert pincite(*command, "--answers", "sample:a").code in (0, 1)
    make_read_only(pincite.folder / named)
    pincite.write("asked.py", "def answer(text):\n    open('asked.txt', 'a').write(text)\n    return text\n")
    done = pincite(*command, "--target", "asked:answer")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1 and "may not write to it" in done.err and "--store" in done.err
    assert not (pincite.folder / "asked.txt").exists()
    assert pincite("runs", "show", "latest", "--store", named).code == 0


def test_the_usual_history_that_can_only_be_read_is_done_without(pincite: Runner) -> None:
    command = (*SAMPLE, "-m", "hit@1", "--limit", "2", "--answers", "sample:a")
    assert pincite(*command).code in (0, 1)
    make_read_only(pincite.folder / "data/evaluation/runs.sqlite")
    done = pincite(*command)
    assert done.code in (0, 1) and "hit@1" in done.out
    assert "run not saved" in done.err
