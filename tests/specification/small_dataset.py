"""A dataset of two short documents, and a run over it with answers that a test writes down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pincite.config import Settings, with_overrides
from pincite.records import Run, Score
from pincite.runs import evaluate

FERRY = "The ferry carries 84 cars. It leaves at nine and returns at noon. Dogs travel free of charge."
MUSEUM = "The museum opened in 1911. It shows 240 paintings. Entry costs four crowns."
DOCUMENTS = [
    {"document_id": "ferry", "title": "The ferry", "file_path": "docs/ferry.txt", "content": FERRY},
    {"document_id": "museum", "title": "The museum", "file_path": "docs/museum.txt", "content": MUSEUM},
]
QUICK = with_overrides(Settings(), {"evaluation_resamples": 100, "judge": "rules"})


def span(name: str, start: int, end: int, page: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"file_name": name, "start_char": start, "end_char": end}
    return found if page is None else {**found, "page_number": page}


def query(name: str, **fields: Any) -> dict[str, Any]:
    return {"query_id": name, "query_text": f"What of {name}?", "relevant_documents": [], **fields}


def dataset(*queries: dict[str, Any], **fields: Any) -> dict[str, Any]:
    head = {"dataset_id": "small_1.0.0", "name": "Small", "version": "1.0.0", "documents": DOCUMENTS}
    return {**head, **fields, "queries": list(queries)}


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_answers(folder: Path, answers: dict[str, dict[str, Any]]) -> Path:
    path = folder / "answers.jsonl"
    lines = [json.dumps({"query_id": name, "answer": "Yes.", **said}) for name, said in answers.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def measure(
    folder: Path, data: dict[str, Any], answers: dict[str, dict[str, Any]], *metrics: str, **options: Any
) -> Run:
    """Measure recorded answers on the dataset, both read from files as `pincite eval` reads them."""
    path = write(folder / "small_1.0.0.eval.json", data)
    given = {"settings": QUICK, **options}
    return evaluate(path, answers=write_answers(folder, answers), metrics=metrics, **given)


def scores(run: Run) -> dict[str, Score]:
    return {score.metric: score for score in run.scores}


def values(run: Run) -> dict[str, float | None]:
    return {score.metric: score.value for score in run.scores}
