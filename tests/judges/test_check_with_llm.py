"""`pincite check` with a language model on a real server: many answers at once, few calls, kept replies."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from llm_material import by_claim, verdict
from llm_server import LlmServer, fails
from pincite.cli import main

ANSWERS = 20
SOURCE = "Item 3 was sold in May. Item 4 was given away.\n"


class Counted:
    """A model that takes its time, and knows how many requests it had at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 0
        self.peak = 0
        self._answer = by_claim(lambda number, claim: verdict(number, 0.1 if "Item 7 " in claim else 0.9))

    def __call__(self, request: dict[str, Any], nth: int) -> str:
        with self._lock:
            self._now += 1
            self.peak = max(self.peak, self._now)
        time.sleep(0.05)
        with self._lock:
            self._now -= 1
        return self._answer(request, nth)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "kept"))
    for name in ("OPENAI_API_KEY", "OPENROUTER_API_KEY", "OPENAI_BASE_URL", "PINCITE_LLM_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "source.txt").write_text(SOURCE)
    for number in range(ANSWERS):
        (tmp_path / f"{number:02}.md").write_text(f"Item {number} was sold [source.txt:0-23].\n")
    return tmp_path


def checked(url: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, Any]:
    names = [f"{number:02}.md" for number in range(ANSWERS)]
    options = ["--sources", "source.txt", "--judge", "llm:small", "--base-url", url, "-f", "json", *more]
    code = main(["check", *names, *options])
    return code, json.loads(capsys.readouterr().out)


def test_answers_are_judged_at_once_with_few_calls_and_a_second_run_makes_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = Counted()
    with LlmServer(model) as server:
        code, shape = checked(server.url, capsys)
        asked = len(server.seen)
        again_code, again = checked(server.url, capsys)
        assert len(server.seen) == asked
    assert code == again_code == 1
    assert model.peak > 1
    assert asked / ANSWERS < 5
    assert [answer["file"] for answer in shape["answers"]] == [f"{number:02}.md" for number in range(ANSWERS)]
    assert [finding["file"] for finding in shape["findings"]] == ["07.md"]
    assert shape["findings"] == again["findings"]
    assert shape["summary"]["usage"]["requests"] == asked
    assert again["summary"]["usage"]["requests"] == 0
    assert again["summary"]["usage"]["cache_hits"] > 0


def test_one_at_a_time_when_the_settings_say_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pincite.toml").write_text("[performance]\nparallel_evaluation = false\n")
    model = Counted()
    with LlmServer(model) as server:
        checked(server.url, capsys)
    assert model.peak == 1


def test_a_dry_run_asks_nobody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with LlmServer(Counted()) as server:
        code, shape = checked(server.url, capsys, "--dry-run")
        assert server.seen == []
    assert code == 0
    assert shape["dry_run"]["answers"] == ANSWERS
    assert shape["dry_run"]["usage"]["requests"] >= ANSWERS


def test_a_fallback_score_is_no_verdict_in_a_check(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pincite.toml").write_text("[errors]\nfallback_scoring = 0.7\n[llm]\nretry_attempts = 0\n")
    with LlmServer(fails(401, "Incorrect key")) as server:
        code, shape = checked(server.url, capsys)
    told = shape["findings"]
    assert (code, len(told)) == (2, ANSWERS)  # nothing was judged
    assert {finding["code"] for finding in told} == {"PIN206"}
    assert all("errors.fallback_scoring" in finding["message"] for finding in told)
