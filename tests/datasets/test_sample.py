"""The sample dataset that is shipped: what its script writes, with spans that stand where they say."""

from __future__ import annotations

import json
import runpy
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pincite.datasets import annotations_path, answers_path, sample_path
from pincite.errors import InputError

BUILD = Path(__file__).parents[2] / "examples" / "sample" / "build.py"


@pytest.fixture(scope="module")
def dataset() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(sample_path().read_text(encoding="utf-8"))
    return loaded


def rows(system: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answers_path(system).read_text(encoding="utf-8").splitlines()]


def test_the_shipped_files_are_what_the_script_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BUILD.parent))
    written = runpy.run_path(str(BUILD))["files"]()
    sys.modules.pop("questions", None)
    for name, text in written.items():
        assert sample_path(name).read_text(encoding="utf-8") == text


def test_every_gold_span_quotes_its_document(dataset: dict[str, Any]) -> None:
    texts = {Path(one["file_path"]).name: one["content"] for one in dataset["documents"]}
    spans = [
        span
        for query in dataset["queries"]
        for group in (query.get("citations", []), *query.get("alternative_citations", []))
        for span in group
    ]
    assert len(spans) > 40
    for span in spans:
        text = texts[span["file_name"]]
        assert text[span["start_char"] : span["end_char"]] == span["context_text"]
        if "page_number" in span:
            assert text.count("\f", 0, span["start_char"]) + 1 == span["page_number"]


def test_it_holds_every_kind_of_query(dataset: dict[str, Any]) -> None:
    queries = dataset["queries"]
    assert len(queries) == dataset["metadata"]["size"] == 40
    assert set(Counter(query["query_type"] for query in queries)) == {
        "factual",
        "analytical",
        "comparative",
        "temporal",
    }
    assert {query["difficulty"] for query in queries} == {"easy", "medium", "hard"}
    assert sum(query.get("citations") == [] for query in queries) >= 2
    assert sum("citations" not in query for query in queries) >= 2
    assert sum("alternative_citations" in query for query in queries) >= 2
    assert sum(isinstance(query["relevant_documents"], dict) for query in queries) >= 2


def test_system_a_left_one_query_unanswered_and_b_none(dataset: dict[str, Any]) -> None:
    asked = {query["query_id"] for query in dataset["queries"]}
    assert len(asked - {row["query_id"] for row in rows("a")}) == 1
    assert asked == {row["query_id"] for row in rows("b")}


def test_it_stays_small() -> None:
    files = [path for path in sample_path().parent.rglob("*") if path.suffix in (".json", ".jsonl")]
    assert sum(path.stat().st_size for path in files) < 200_000


def test_a_name_cannot_lead_out_of_the_sample() -> None:
    for name in ("../__init__.py", "/etc/passwd", "nothing.json", "annotations/../../__init__.py"):
        with pytest.raises(InputError):
            sample_path(name)
    with pytest.raises(InputError):
        answers_path("c")
    assert annotations_path().is_dir()
