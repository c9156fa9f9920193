"""Pages from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.cli import main


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        main(
            [
                "eval",
                "sample",
                "--target",
                "answer",
                "--judge",
                "rules",
                "--limit",
                "4",
                "--name",
                name,
                "-q",
            ]
        )
    return tmp_path


def test_a_check_is_written_as_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.txt").write_text("Revenue grew by 21%.", encoding="utf-8")
    (tmp_path / "answer.md").write_text("Revenue grew by 12% [report.txt].", encoding="utf-8")
    page = tmp_path / "page.html"
    command = [
        "check",
        str(tmp_path / "answer.md"),
        "--sources",
        str(tmp_path / "report.txt"),
        "--judge",
        "rules",
    ]
    assert main([*command, "--output-format", "html", "--output", str(page)]) == 1
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "Revenue grew by <mark>21%</mark>" in page.read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""
    main([*command, "--output-format", "html"])
    assert capsys.readouterr().out.strip() == page.read_text(encoding="utf-8").strip()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["show", "latest"], "<h2>Metrics</h2>"),
        (["show", "latest", "--dataset", "sample"], "gold: right by the dataset"),
        (["compare", "a", "b"], "no difference over all queries"),
        (["trend", "citation_correctness"], "<h2>citation_correctness</h2>"),
    ],
)
def test_runs_are_written_as_pages(history: Path, command: list[str], said: str) -> None:
    assert main(["runs", *command, "-f", "html", "-o", "page.html"]) == 0
    assert said in (history / "page.html").read_text(encoding="utf-8")


def test_several_metrics_share_a_page(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["runs", "trend", "citation_correctness", "span_recall"]
    assert main([*command, "-f", "html", "-o", "page.html"]) == 0
    page = (history / "page.html").read_text(encoding="utf-8")
    assert "<h2>citation_correctness</h2>" in page and "<h2>span_recall</h2>" in page
    assert main(command) == 0
    assert capsys.readouterr().out.count(", 2 runs, the oldest first") == 2
    assert main([*command, "-f", "json"]) == 2
    assert "several metrics go with text or html" in capsys.readouterr().err


def test_labels_add_the_curve_of_the_judge(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label = '{"query_id": "query_001", "claim": "Nobody says this.", "label": true}\n'
    (history / "labels.jsonl").write_text(label, encoding="utf-8")
    command = ["runs", "show", "latest", "--labels", "labels.jsonl"]
    assert main([*command, "-f", "html", "-o", "page.html"]) == 0
    assert "No label is about a claim" in (history / "page.html").read_text(encoding="utf-8")
    assert main(command) == 2
    assert "--labels goes with --output-format html" in capsys.readouterr().err


def test_only_a_page_goes_to_a_file(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "show", "latest", "-o", "run.txt"]) == 2
    assert "--output goes with --output-format html" in capsys.readouterr().err
    assert main(["runs", "show", "latest", "--dataset", "sample"]) == 2
    assert "--dataset goes with --output-format html" in capsys.readouterr().err
