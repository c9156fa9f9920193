"""The whole way from the command line to a real language model and back. It judges no better than chance:
what is tested is that nothing is lost, made up or asked twice on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from small_model_server import running

SOURCE = (
    "The city council opened the new bridge to traffic in May 1990. "
    "Building it had cost four million pounds in total."
)
ANSWERS = (
    "The bridge was opened in May 1990 [report.txt:0-62]. It cost four million pounds [report.txt:63-113].",
    "The council opened the bridge in 1990 [report.txt:0-62].",
    "The bridge cost nine million pounds [report.txt:63-113].",
    "The council closed the bridge in May 1990 [report.txt:0-62].",
    "Four million pounds were spent on building the bridge [report.txt:63-113].",
    "The new bridge was never opened to traffic [report.txt:0-62].",
    "Building the bridge took four years [report.txt:63-113].",
    "Since May 1990 there has been traffic on the new bridge [report.txt:0-62].",
)
"""Asked about one after the other until the model gave a reply that can be read for every claim."""

SECONDS = 1_500
"""The longest that the server may live, also on a machine that has other things to do."""


def check(folder: Path, answer: str, base_url: str) -> tuple[int, dict[str, Any]]:
    """Exit code and report of one check by the model."""
    (folder / "report.txt").write_text(SOURCE)
    (folder / "answer.md").write_text(answer)
    environment = {
        "PINCITE_LLM_TIMEOUT_SECONDS": "600",
        "PINCITE_LLM_RETRY_ATTEMPTS": "1",
        "PINCITE_LLM_MAX_TOKENS": "20",
        # At temperature 0 this model does nothing but repeat the example in the prompt.
        "PINCITE_LLM_TEMPERATURE": "1",
        "PINCITE_CACHE_FOLDER": str(folder / "cache"),
    }
    command = f"check answer.md -s report.txt -f json --judge llm:smollm2 --base-url {base_url}"
    done = subprocess.run(
        [sys.executable, "-m", "pincite", *command.split()],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2), done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, report


@pytest.mark.llm
@pytest.mark.timeout(2 * SECONDS)
def test_a_real_model_judges_or_its_reply_is_kept_and_a_second_run_asks_nothing(tmp_path: Path) -> None:
    with running(SECONDS) as base_url:
        for answer in ANSWERS:
            code, report = check(tmp_path, answer, base_url)
            summary, usage = report["summary"], report["summary"]["usage"]
            assert summary["targets"] == answer.count("[")
            assert report["run"]["judge"].startswith("llm:smollm2 ")
            assert report["run"]["judged"] + summary["unjudged"] >= summary["targets"]
            assert usage["requests"] >= 1
            assert usage["input_tokens"] > 500
            assert usage["output_tokens"] > 0
            unjudged = [finding for finding in report["findings"] if finding["code"] == "PIN206"]
            assert len(unjudged) == summary["unjudged"]
            assert all("it replied:" in finding["message"] for finding in unjudged), unjudged
            assert (code == 2) == (report["run"]["judged"] == 0)
            if not unjudged:
                break
    assert not unjudged, "the model gave not one reply that can be read"
    again, second = check(tmp_path, answer, base_url)  # where nobody listens any more
    taken = second["summary"].pop("usage")
    report["summary"].pop("usage")
    assert taken["requests"] == 0
    assert taken["cache_hits"] >= 1
    assert (again, second) == (code, report)
