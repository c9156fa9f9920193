"""Faults that fuzzing found, each held by a test."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

import pincite
from pincite.config import load_settings
from pincite.datasets import (
    convert_file,
    import_answers,
    open_answers,
    read_bytes,
    validate_file,
    write_answers,
)
from pincite.errors import ConfigError, InputError, TooLargeError
from pincite.findings import load_baseline
from pincite.records import RecordedAnswer


@pytest.mark.parametrize(
    "answer",
    [
        'It rose [a.txt:1-2 | excerpt: "use `f(x)` here"].',
        'It rose [a.txt:1-2 | excerpt: "use <!-- that --> here"].',
        '[^1]: b\n> q `x` and\nmore! | excerpt: "x"] ',
        '[1] and then | excerpt: "x"].',
        "[a.txt:01]",
        "[a.txt, p. 05]",
        '["a.txt":01]',
    ],
)
def test_a_marker_is_told_in_the_answers_own_words(answer: str) -> None:
    parsed = pincite.parse(answer)
    for citation in parsed.citations:
        assert answer[citation.start : citation.end] == citation.text == pincite.render(citation)
    for bad in parsed.malformed:
        assert answer[bad.start : bad.end] == bad.text


def test_an_excerpt_may_hold_inline_code() -> None:
    (citation,) = pincite.parse('It rose [a.txt:1-2 | excerpt: "use `f(x)` here"].').citations
    assert citation.cited_text == "use `f(x)` here"


def test_an_excerpt_belongs_to_no_bracket_that_is_already_closed() -> None:
    citations = pincite.parse('It rose [1] and then | excerpt: "x"].').citations
    assert [citation.text for citation in citations] == ["[1]"]


def test_a_small_file_takes_little_memory_however_much_may_be_read(tmp_path: Path) -> None:
    path = tmp_path / "small.eval.json"
    path.write_bytes(b"{}")
    tracemalloc.start()
    try:
        assert read_bytes(path, 1024**3) == b"{}"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50 * 1024**2


@pytest.mark.parametrize("size", [0, 1, 5_000_000])
def test_a_file_is_read_whole_or_refused_when_it_is_longer(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"x" * size)
    assert read_bytes(path, size) == b"x" * size
    if size:
        with pytest.raises(TooLargeError):
            read_bytes(path, size - 1)


@pytest.mark.parametrize("content", [b'{"fingerprints": {"\xd9": 1}}', b'{"findings": [{"code": "\xff"}]}'])
def test_a_baseline_that_is_not_utf8_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"known\.json is not a baseline"):
        load_baseline(path)


def test_a_recorded_answer_nested_without_end_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    deep = "[" * 3_000 + "]" * 3_000
    path.write_text(
        f'[{{"query_id": "a", "answer": "x", "more": {deep}}}, {{"query_id": "b", "answer": "y"}}]'
    )
    with open_answers(path) as answers:
        assert list(answers.ids()) == ["b"]
        (problem,) = answers.problems
    assert (problem.file, problem.pointer) == (str(path), "/0")


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("deepeval", {"input": "a", "actual_output": "b", "completion_time": 1e308}),
        ("langsmith", {"id": "a", "inputs": {"q": "a"}, "outputs": {"answer": "b"}, "execution_time": 1e308}),
    ],
)
def test_seconds_that_are_no_number_of_milliseconds_are_left_out(
    kind: str, row: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n")
    (answer,) = import_answers(kind, path)
    assert answer.latency_ms is None
    assert write_answers([answer], tmp_path / "answers.jsonl") == 1


def test_an_answer_that_json_cannot_hold_is_refused_by_the_name_of_its_query(tmp_path: Path) -> None:
    answer = RecordedAnswer(query_id="q7", answer="a", latency_ms=float("inf"))
    with pytest.raises(InputError, match=r"answers\.jsonl: the answer to 'q7'"):
        write_answers([answer], tmp_path / "answers.jsonl")
    assert not (tmp_path / "answers.jsonl").exists()


@pytest.mark.parametrize(
    "name", ["PINCITE_STRICT", "PINCITE_FAIL_UNDER", "PINCITE_LLM_MAX_TOKENS", "PINCITE_OFFSETS"]
)
def test_a_variable_with_half_a_character_is_refused_by_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"{name}: expected"):
        load_settings(folder=tmp_path, environment={name: "a\udcff"})


def test_a_number_too_large_to_be_held_is_a_problem_of_the_dataset(tmp_path: Path) -> None:
    path = tmp_path / "a.eval.json"
    path.write_text('{"dataset_id": "a",\n "metadata": {"size": -1e999}}')
    (problem,) = validate_file(path)
    assert "line 2, column 23: -1e999 is larger than any number" in problem.found


@pytest.mark.parametrize("content", ['"a"', "[1]", "[[1, 2]]", "1", "null"])
@pytest.mark.parametrize("target", ["out.eval.json", "out.eval.csv"])
def test_converting_what_is_no_object_is_refused_by_name(content: str, target: str, tmp_path: Path) -> None:
    path = tmp_path / "a.eval.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"a\.eval\.json: expected an object"):
        convert_file(path, tmp_path / target)


@pytest.mark.parametrize("depth", [197, 198, 200])
def test_a_dataset_in_csv_that_is_valid_stays_so_as_json(depth: int, tmp_path: Path) -> None:
    path, written = tmp_path / "a.eval.csv", tmp_path / "b.eval.json"
    path.write_text(f'query_id,query_text,more\nq1,How?,"{"[" * depth}{"]" * depth}"\n')
    before = [problem.expected for problem in validate_file(path)]
    convert_file(path, written)
    assert [problem.expected for problem in validate_file(written)] == before
