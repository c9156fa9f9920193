"""`pincite judge` with a language model on loopback, from the command line to the wire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llm_material import by_claim, verdict
from llm_server import Behaviour, LlmServer
from pincite.cli import main

ROWS = [
    {
        "id": f"r{number}",
        "claim": f"Lamp {number} is {'on' if number % 2 else 'off'}.",
        "evidence": f"Lamp {number} is on.",
    }
    for number in range(12)
]


MODEL = by_claim(lambda item, claim: verdict(item, 0.9 if "is on" in claim else 0.1, passage=1))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-key-0123456789")
    (tmp_path / "pincite.toml").write_text("[llm]\nretry_attempts = 0\n")
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


def score(server: LlmServer, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, list[Any], str]:
    code = main(
        ["judge", "score", "rows.jsonl", "--judge", "llm:tiny", "--base-url", server.url, "-f", "json", *more]
    )
    out, err = capsys.readouterr()
    assert "very-secret" not in out + err
    return code, [json.loads(line) for line in out.splitlines()], err


def test_all_rows_go_in_few_calls_and_a_second_run_makes_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LlmServer(MODEL) as server:
        code, scored, said = score(server, capsys)
        assert code == 0
        assert [one["id"] for one in scored] == [row["id"] for row in ROWS]
        assert [one["verdict"] for one in scored] == ["not_enough", "supported"] * 6
        assert scored[0]["evidence_span"] == {"index": 0, "start": 0, "end": len("Lamp 0 is on.")}
        assert len(server.seen) <= 2
        assert "judged by llm:tiny" in said and "request" in said
        before = len(server.seen)
        assert score(server, capsys)[1] == scored
        assert len(server.seen) == before


def test_a_server_that_fails_leaves_rows_unjudged_with_the_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LlmServer(lambda request, nth: Behaviour(status=500, body="down")) as server:
        code, scored, said = score(server, capsys)
    assert code == 2
    assert {one["verdict"] for one in scored} == {"unjudged"}
    assert all(one["score"] is None and one["reason"] for one in scored)
    assert "no row could be judged" in said


def test_a_language_model_is_calibrated_and_the_calibration_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled = [{**row, "label": number % 2 if number else 1} for number, row in enumerate(ROWS)]
    (folder / "labelled.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labelled))
    with LlmServer(MODEL) as server:
        options = ["--judge", "llm:tiny", "--base-url", server.url]
        assert (
            main(["judge", "calibrate", "labelled.jsonl", *options, "--save", "cal.json", "-f", "json"]) == 0
        )
        shape = json.loads(capsys.readouterr().out)
        assert shape["judge"].startswith("llm:tiny support/")
        assert shape["agreement"]["accuracy"]["value"] == pytest.approx(11 / 12)
        code, scored, said = score(server, capsys, "--set", "calibration=cal.json")
    assert code == 0
    assert "+cal:cal-" in said
    assert 0.1 < scored[0]["score"] < 0.5
