"""What `data check` calls valid can be measured, and what cannot be read is not valid, field by field."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.cli import main
from pincite.datasets import first_problem, open_dataset, validate_file
from pincite.errors import InputError

SPAN = {
    "file_name": "r.txt",
    "document_id": "r.txt",
    "file_path": "r.txt",
    "title": "t",
    "page_number": 1,
    "start_char": 0,
    "end_char": 5,
    "confidence_score": 0.5,
    "context_text": "x",
}
WHOLE: dict[str, Any] = {
    "schema_version": 1,
    "dataset_id": "d",
    "version": "1.0.0",
    "name": "n",
    "description": "x",
    "created_at": "2025-08-30T12:00:00Z",
    "offsets": "document",
    "metadata": {"domain": "a", "size": 1},
    "queries": [
        {
            "query_id": "q1",
            "query_text": "How much?",
            "query_type": "factual",
            "difficulty": "easy",
            "relevant_documents": ["r.txt"],
            "ground_truth_answer": "21%",
            "citations": [SPAN],
            "alternative_citations": [[SPAN]],
            "conversation": [{"role": "user", "content": "Hello"}],
            "conversation_id": "c",
            "references": ["21%"],
            "expected_output": "21%",
            "metadata": {},
        }
    ],
    "documents": [
        {
            "document_id": "r.txt",
            "content": "Revenue grew by 21%.",
            "title": "r",
            "file_path": "r.txt",
            "metadata": {},
        }
    ],
}
MISSING = object()
ODD: list[Any] = [
    MISSING, None, "", "yesterday", 5, -1, 0, 1.5, 1.0, 1e308, True, [], {}, ["a"], {"a": 1}, {"a": None},
    [None], [[]], [{}], "\ud800", "\0", "2025-08-30", "2025-02-30", "2025-08-30T25:00:00Z",
    "20250830T120000Z", "2025-W35-6", "２０２５-08-30", "x" * 10_000,
]  # fmt: skip


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    held = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in held:
        yield (*at, key)
        yield from places(one, (*at, key))


def changed(at: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    made: Any = copy.deepcopy(WHOLE)
    node = made
    for key in at[:-1]:
        node = node[key]
    if value is MISSING:
        del node[at[-1]]
    else:
        node[at[-1]] = value
    return made  # type: ignore[no-any-return]


BLANKS = " " * (16 * 1024 * 1024)
"""With these at its end, a file is read in pieces."""


def is_read(path: Path, how: Any) -> bool:
    try:
        with how(path) as dataset:
            list(dataset.queries())
            list(dataset.documents())
        return True
    except InputError:
        return False


@pytest.mark.parametrize("at", list(places(WHOLE)), ids=lambda at: "/".join(map(str, at)))
def test_a_valid_dataset_is_read_and_one_that_is_not_read_is_not_valid(
    tmp_path: Path, at: tuple[str | int, ...]
) -> None:
    path = tmp_path / "x.eval.json"
    outcomes = set()
    for value in ODD:
        path.write_text(json.dumps(changed(at, value)))
        valid = not list(validate_file(path))
        read = is_read(path, open_dataset)
        assert read or not valid, (at, value)
        assert (first_problem(path) is None) == valid, (at, value)
        with path.open("a") as large:
            large.write(BLANKS)
        assert is_read(path, open_dataset) == read, (at, value)
        outcomes.add((valid, read))
    assert outcomes <= {(True, True), (False, True), (False, False)}


@pytest.mark.parametrize(
    ("at", "value", "told"),
    [
        (("created_at",), "yesterday", "/created_at: expected a date and time"),
        (("version",), "one", "/version: expected a semantic version"),
        (("metadata", "size"), -1, "/metadata/size: expected 0 or more"),
        (("queries", 0, "query_id"), 5, "/queries/0/query_id: expected a text"),
        (("queries", 0, "difficulty"), "odd", "/queries/0/difficulty: expected one of easy, medium, hard"),
        (("queries", 0, "citations", 0, "end_char"), 0, "/queries/0/citations/0/end_char: expected an end"),
    ],
)
def test_eval_says_of_a_dataset_what_validate_says(
    tmp_path: Path, at: tuple[str | int, ...], value: Any, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, answers = tmp_path / "x.eval.json", tmp_path / "a.jsonl"
    path.write_text(json.dumps(changed(at, value)))
    recorded = [{"query_id": name, "answer": "21% [r.txt:0-20]."} for name in ("q1", "5")]
    answers.write_text("".join(f"{json.dumps(one)}\n" for one in recorded))
    assert main(["data", "check", str(path)]) == 1
    assert told in capsys.readouterr().out
    command = ["eval", str(path), "--answers", str(answers), "--judge", "rules", "--store", "none"]
    command += ["-m", "citation_correctness", "--threshold", "citation_correctness=0"]
    assert main(command) == 0
    _, err = capsys.readouterr()
    assert f"note: the dataset was read, but is not valid: {path}:{told}" in err
    assert f"`pincite data check {path}` lists every problem" in err


def test_eval_says_nothing_of_a_valid_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "sample", "--answers", "sample:b", "--store", "none", "-m", "hit@1"]) == 0
    assert "not valid" not in capsys.readouterr().err
