"""A cascade of the rules and a language model on loopback, from the command line, with its cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llm_server import LlmServer
from pincite.cli import main

SOURCE = "The board approved the budget in March. Revenue grew by 21% in the first quarter."
ANSWER = (
    "The board gave the budget its go-ahead in March [r.txt:0-39]. "
    "Revenue grew by 12% in the first quarter [r.txt:40-81].\n"
)
KEY = "sk-never-to-be-seen-anywhere-1234"
REPLY = {
    "item": 1,
    "outcome": "supported",
    "score": 0.9,
    "reason": "a go-ahead is an approval",
    "passage": 1,
    "quote": None,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("openai")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", "kept")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "r.txt").write_text(SOURCE)
    (tmp_path / "answer.md").write_text(ANSWER)
    return tmp_path


def check(server: LlmServer, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    judge = ("--judge", "panel:cascade:rules,llm:tiny", "--base-url", server.url)
    assert main(["check", "answer.md", "--sources", "docs", *judge, "-f", "json", *more]) == 1
    shape: dict[str, Any] = json.loads(capsys.readouterr().out)
    return shape


def test_the_model_is_asked_once_about_the_one_pair_that_the_rules_are_not_sure_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LlmServer(lambda request, nth: json.dumps({"verdicts": [REPLY]})) as server:
        first = check(server, capsys)
        assert len(server.seen) == 1
        assert "go-ahead" in json.dumps(server.seen[0].body)
        assert "Revenue" not in json.dumps(server.seen[0].body)
        second = check(server, capsys)
        assert len(server.seen) == 1
        assert second["findings"] == first["findings"]
        check(server, capsys, "--no-cache")
        assert len(server.seen) == 2
    assert [finding["code"] for finding in first["findings"]] == ["PIN203"]
    assert first["run"]["judge"].startswith("panel:cascade(rules/1 > llm:tiny ")
    for shape, requests, hits in ((first, 1, 0), (second, 0, 1)):
        usage = shape["summary"]["usage"]
        assert (usage["requests"], usage["cache_hits"]) == (requests, hits)
        # Two claims, and the one with the source's number.
        assert (usage["asked"], usage["asked_further"]) == (3, 1)


def test_no_key_reaches_the_cache(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leaking = {**REPLY, "reason": f"your key is {KEY}"}
    with LlmServer(lambda request, nth: json.dumps({"verdicts": [leaking]})) as server:
        check(server, capsys)
    files = list((folder / "kept").iterdir())
    assert files
    assert all(KEY.encode() not in file.read_bytes() for file in files)
