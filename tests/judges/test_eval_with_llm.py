"""`pincite eval` with a language model on a real server: side by side, counted, kept, and failing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llm_material import by_claim, verdict
from llm_server import LlmServer, fails
from pincite.cli import main

COMMAND = (
    "eval",
    "sample",
    "--answers",
    "sample:b",
    "--limit",
    "8",
    "--set",
    "evaluation.resamples=100",
    "--store",
    "none",
)
METRICS = ("-m", "citation_correctness", "-m", "hallucination_rate")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key")
    for name in ("OPENROUTER_API_KEY", "OPENAI_BASE_URL", "PINCITE_LLM_BASE_URL", "PINCITE_JUDGE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "pincite.toml").write_text("")
    return tmp_path


def test_a_model_judges_every_answer_and_is_asked_nothing_twice(folder: Path) -> None:
    with LlmServer(by_claim(lambda number, claim: verdict(number, 0.9))) as server:
        given = (*COMMAND, *METRICS, "--judge", "llm:small", "--base-url", server.url)
        assert main((*given, "--output", "one.results.json")) == 0
        asked = len(server.bodies)
        assert main((*given, "--output", "two.results.json")) == 0
        assert len(server.bodies) == asked, "the replies are kept"
    one, two = (json.loads((folder / f"{name}.results.json").read_text()) for name in ("one", "two"))
    assert one["citation_metrics"] == two["citation_metrics"]
    assert one["citation_metrics"]["citation_correctness"]["value"] == 1.0
    assert 0 < asked <= 2 * 8, "one batch a question and answer"
    assert "sk-not" not in (folder / "one.results.json").read_text()


def test_a_model_that_fails_leaves_everything_unjudged_and_ends_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LlmServer(fails(400, "no such model")) as server:
        code = main((*COMMAND, *METRICS, "--judge", "llm:small", "--base-url", server.url))
    assert code == 2
    out, errors = capsys.readouterr()
    assert "no pair could be judged" in errors
    row = next(line for line in out.splitlines() if line.startswith("hallucination_rate"))
    assert row.split()[1] == "–"
