"""One document under several names is one document, wherever a run counts by documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_system import RULES

from pincite.config import with_overrides
from pincite.records import Run
from pincite.runs import evaluate

NAMES = ("d1", "report.pdf", "docs/sub/report.pdf", "The yearly report")


def measured(folder: Path, names: tuple[str, ...]) -> Run:
    queries = [
        {"query_id": f"q{n}", "query_text": f"Question {n}?", "relevant_documents": [names[n % len(names)]]}
        for n in range(12)
    ]
    document = {
        "document_id": "d1",
        "title": "The yearly report",
        "file_path": "docs/sub/report.pdf",
        "content": "The tower is 47 m high.",
    }
    other = {"document_id": "d2", "title": "Other", "content": "Nothing else.", "file_path": "docs/other.pdf"}
    dataset: dict[str, Any] = {
        "dataset_id": "names",
        "version": "1.0.0",
        "queries": queries,
        "documents": [document, other],
    }
    folder.mkdir()
    (folder / "names_1.0.0.eval.json").write_text(json.dumps(dataset), encoding="utf-8")
    rows = [
        {
            "query_id": query["query_id"],
            "answer": "The tower is 47 m high.",
            "retrieval_results": {"retrieved_docs": ["d1" if n % 3 else "d2", "d1"]},
        }
        for n, query in enumerate(queries)
    ]
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = with_overrides(RULES, {"evaluation_resamples": 200})
    return evaluate(
        folder / "names_1.0.0.eval.json", answers=answers, settings=settings, metrics=["hit@1", "recall@5"]
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    folder = tmp_path_factory.mktemp("names")
    return measured(folder / "one", ("d1",)), measured(folder / "several", NAMES)


def test_scores_and_intervals_do_not_depend_on_the_spelling(runs: tuple[Run, Run]) -> None:
    one, several = runs
    assert one.scores == several.scores
    assert several.scores[0].value == pytest.approx(8 / 12)


def test_what_was_retrieved_under_another_name_is_no_failure(runs: tuple[Run, Run]) -> None:
    assert "not_retrieved" not in runs[1].document.failures.by_kind


def test_the_breakdown_lists_the_document_once(runs: tuple[Run, Run]) -> None:
    listed = [list(run.document.breakdown["document"]) for run in runs]
    assert listed[0] == listed[1]
    assert len(listed[1]) == 1
