"""What `pincite answer` saves can be checked, shown and measured like any other answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from drafts import ASKED, SOURCES
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.answering import result_shape
from pincite.answers import read_record, to_answer
from pincite.cli import main
from pincite.config import Limits
from pincite.datasets import open_answers

QUESTIONS = ("What does a cubic metre of water cost?", "How many cars does the ferry carry?")


def saved(cite: str = "numbers") -> dict[str, Any]:
    shape: dict[str, Any] = json.loads(
        json.dumps(result_shape(pincite.answer(ASKED, SOURCES, judge="rules", cite=cite)))
    )
    return shape


@pytest.mark.parametrize("cite", ["numbers", "spans", "quotes"])
def test_a_saved_answer_is_checked_against_the_places_that_it_cites(cite: str) -> None:
    report = pincite.check(saved(cite), SOURCES, judge="rules")
    assert report.ok and report.summary.targets == len(saved(cite)["citations"]) > 0
    assert report.answer.query == ASKED


def test_a_saved_answer_that_was_changed_is_found_wrong() -> None:
    shape = saved()
    shape["text"] = shape["text"].replace("2.50", "9.99")
    assert not pincite.check(shape, SOURCES, judge="rules").ok
    shape = saved()
    shape["citations"][0]["document"] = "ferry.txt"
    assert pincite.check(shape, SOURCES, judge="rules").judged.citations[0].standing != "correct"
    shape = saved()
    shape["text"] += " It is free [9]."
    assert any("[9]" in one.text for one in to_answer(shape, Limits()).citations or ())


def test_a_citation_that_is_at_no_marker_is_told() -> None:
    shape = saved()
    shape["citations"][0]["start"] = 10**6
    assert "found 1 that are at none" in to_answer(shape, Limits()).problems[0]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["text", "question", "citations", "passages", "usage", "id", "status"]), json_values)
def test_whatever_a_saved_answer_holds_it_is_read_or_refused(field: str, value: Any) -> None:
    shape = {**SAVED, field: value}
    read_record(shape)
    try:
        to_answer(shape, Limits())
    except pincite.InputError:
        assert not isinstance(shape["text"], str)


SAVED = saved()


def test_a_file_of_answers_is_checked_verified_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_JUDGE", "rules")
    Path("pincite.toml").write_text("")
    Path("docs").mkdir()
    for name, text in SOURCES.items():
        Path("docs", name).write_text(text)
    asked = [{"id": f"q{n}", "question": one} for n, one in enumerate(QUESTIONS)]
    Path("asked.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in asked))
    assert main(["answer", "asked.jsonl", "-s", "docs", "-o", "answers.jsonl"]) == 0
    assert main(["check", "answers.jsonl", "-s", "docs"]) == 0
    assert main(["verify", "answers.jsonl", "-s", "docs", "-o", "verified.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "nothing wrong in 2 answers" in out and "q1: 1 of 1 citations verified" in out
    ours = [json.loads(line) for line in Path("verified.jsonl").read_text().splitlines()]
    assert [one["id"] for one in ours] == ["q0", "q1"] and all(one["key"] for one in ours)
    Path("answers.jsonl").write_text(Path("answers.jsonl").read_text().replace("48 cars", "84 cars"))
    assert main(["verify", "answers.jsonl", "-s", "docs"]) == 1
    assert main(["check", "answers.jsonl", "-s", "docs"]) == 1


def test_answers_are_measured_by_the_spans_that_they_cite(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"query_id": "q0", **saved()}) + "\n")
    with open_answers(path) as answers:
        assert answers.problems == ()
        read = answers.get("q0")
    assert read is not None and read.citations is not None and read.retrieved is not None
    first = saved()["citations"][0]
    assert [read.citations[0][name] for name in ("file_name", "start_char", "end_char")] == [
        first["document"],
        *first["source_span"],
    ]
    assert read.retrieved[0].document == "water.md"
