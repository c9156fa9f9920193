"""Recorded answers: read from fields of many shapes, found by id without holding them all."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tracemalloc
from pathlib import Path
from typing import Any

import ijson
import pyarrow.parquet
import pytest
from data_samples import RESULTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.answers import read_record
from pincite.datasets import (
    Marked,
    RecordedAnswers,
    open_answers,
    open_dataset,
    sample_path,
    save,
    validate_file,
)
from pincite.errors import InputError
from pincite.records import HumanMessage, RecordedAnswer, RetrievedDocument


def write_lines(path: Path, *lines: Any) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def test_every_field_of_a_line_is_read() -> None:
    answer = read_record(
        {
            "query_id": "q1",
            "generated_answer": "Nine metres [depths.pdf:3:4-29].",
            "citations": [{"file_name": "depths.pdf", "start_char": 4, "end_char": 29}],
            "retrieval_results": {"retrieved_docs": ["a", "b"], "relevance_scores": [0.2, 0.9]},
            "latency_ms": 12.5,
            "usage": {"total_tokens": 7, "estimated_cost_usd": "0.5", "model": "m"},
            "references": ["one", {"number": 2, "source": "two"}],
            "sources": [{"document_id": "d", "content": "text"}],
            "conversation": [{"role": "user", "content": "Hello"}],
            "individual_metrics": {"hit@1": 1.0},
        }
    )
    assert answer.answer == "Nine metres [depths.pdf:3:4-29]."
    assert answer.citations == ({"file_name": "depths.pdf", "start_char": 4, "end_char": 29},)
    assert answer.retrieved == (RetrievedDocument("a", 0.2), RetrievedDocument("b", 0.9))
    assert answer.latency_ms == 12.5
    assert answer.usage == {"total_tokens": 7, "estimated_cost_usd": 0.5, "model": "m"}
    assert answer.references == ("one", {"number": 2, "source": "two"})
    assert [source.text for source in answer.sources] == ["text"]
    assert answer.conversation is not None
    assert answer.conversation.messages == (HumanMessage("Hello"),)
    assert answer.extra == {"individual_metrics": {"hit@1": 1.0}}


@pytest.mark.parametrize(
    ("record", "retrieved"),
    [
        ({"retrieved_docs": ["a"]}, (RetrievedDocument("a"),)),
        ({"retrieval_results": [{"id": 3, "score": "0.5"}]}, (RetrievedDocument("3", 0.5),)),
        (
            {"retrieval_results": {"retrieved_docs": ["a", "b"], "relevance_scores": ["0.5", None]}},
            (RetrievedDocument("a", 0.5), RetrievedDocument("b")),
        ),
        (
            {"retrieval_results": {"retrieved_docs": ["a", "b"], "relevance_scores": [1]}},
            (RetrievedDocument("a", 1.0), RetrievedDocument("b")),
        ),
        (
            {"retrieval_results": {"retrieved_docs": [{"file_name": "f"}, {}, None]}},
            (RetrievedDocument("f"),),
        ),
        ({"retrieval_results": {"retrieved_docs": []}}, ()),
        ({"retrieval_results": None}, None),
        ({}, None),
    ],
)
def test_retrieved_documents_come_in_many_shapes(record: Any, retrieved: Any) -> None:
    assert read_record(record).retrieved == retrieved


@pytest.mark.parametrize(
    ("given_latency", "latency"),
    [
        ("12", 12.0),
        (None, None),
        ("soon", None),
        (-1, None),
        (float("nan"), None),
        (True, None),
        (10**400, None),
    ],
)
def test_a_latency_that_is_none_is_left_out(given_latency: Any, latency: float | None) -> None:
    assert read_record({"latency_ms": given_latency}).latency_ms == latency


def test_no_citations_and_an_empty_list_stay_apart() -> None:
    assert read_record({}).citations is None
    assert read_record({"citations": None}).citations is None
    assert read_record({"citations": []}).citations == ()
    assert read_record({"citations": ["a.pdf", 5]}).citations == ({"file_name": "a.pdf"},)


def test_tokens_in_parts_are_added_up() -> None:
    usage = read_record({"usage": {"prompt_tokens": 5, "completion_tokens": 2}}).usage
    assert usage is not None and usage["total_tokens"] == 7
    assert read_record({"total_tokens": 3}).usage == {"total_tokens": 3}


def test_an_error_is_a_failure() -> None:
    assert read_record({"query_id": "q", "error": "time-out"}).failure == "time-out"


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "answer",
                "citations",
                "retrieval_results",
                "usage",
                "sources",
                "conversation",
                "latency_ms",
                "attempts",
            ]
        ),
        st.recursive(
            st.none() | st.text(max_size=3) | st.integers() | st.floats(),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(st.sampled_from(["content", "messages", "id", "score"]), inner, max_size=2)
            ),
            max_leaves=5,
        ),
    )
)
def test_any_object_is_read(record: dict[str, Any]) -> None:
    assert isinstance(read_record(record), RecordedAnswer)


def test_answers_are_found_by_id(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl", *({"query_id": f"q{i}", "answer": f"a{i}" * i} for i in range(3000))
    )
    with open_answers(path) as answers:
        assert len(answers) == 3000
        assert list(answers.ids()) == [f"q{i}" for i in range(3000)]
        found = answers.get("q2999")
        assert found is not None and found.answer == "a2999" * 2999
        assert answers.get("q3000") is None
        assert answers.problems == ()


def test_broken_lines_are_problems_with_their_numbers(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl",
        {"query_id": "a", "answer": "first"},
        "",
        "{broken",
        "[1, 2]",
        {"answer": "nobody's"},
        {"query_id": ["x"], "answer": "odd"},
        {"query_id": "a", "answer": "second"},
        {"query_id": 7, "answer": "seven"},
        "[" * 5000,
        {"query_id": "7", "answer": "seven again"},
    )
    with open_answers(path) as answers:
        told = {problem.pointer: problem.expected for problem in answers.problems}
        assert list(answers.ids()) == ["a", "7"]
        first, seven = answers.get("a"), answers.get("7")
    assert first is not None and first.answer == "first"
    assert seven is not None and seven.answer == "seven"
    assert set(told) == {"line 3", "line 4", "line 5", "line 6", "line 7", "line 9", "line 10"}
    assert "line 1 has it too" in told["line 7"]
    assert "line 8 has it too" in told["line 10"]


@pytest.mark.parametrize(
    ("field", "expected", "found"),
    [
        ({"retrieval_results": {"retrieved_docs": "a"}}, "retrieved_docs as a list", "the text 'a'"),
        ({"retrieval_results": "a"}, "retrieval_results as an object", "the text 'a'"),
        ({"retrieval_results": {"docs": ["a"]}}, "retrieved_docs in retrieval_results", "none"),
        ({"retrieved_docs": ["a", {}]}, "ids of documents", "an object; 1 of 2 left out"),
        (
            {"retrieved_docs": ["a"], "relevance_scores": ["high"]},
            "numbers in relevance_scores",
            "the text 'high'",
        ),
        ({"retrieved_docs": ["a"], "relevance_scores": 1}, "relevance_scores as a list", "the number 1"),
        ({"citations": "none"}, "citations as a list", "the text 'none'; it counts as not given"),
        ({"citations": [{"file": "x"}, "a.txt"]}, "citations that name", "an object; 1 of 2 left out"),
        ({"latency_ms": "fast"}, "latency_ms as a number, 0 or more", "the text 'fast'"),
        ({"latency_ms": -3}, "latency_ms as a number, 0 or more", "the number -3"),
        ({"usage": {"total_tokens": -5}}, "usage.total_tokens", "the number -5"),
        ({"usage": {"prompt_tokens": "many"}}, "usage.prompt_tokens", "the text 'many'"),
        ({"usage": 5}, "usage as an object", "the number 5"),
        ({"total_tokens": -5}, "total_tokens", "the number -5"),
    ],
)
def test_a_field_of_the_wrong_shape_is_told_and_counts_as_not_given(
    tmp_path: Path, field: dict[str, Any], expected: str, found: str
) -> None:
    path = write_lines(tmp_path / "a.jsonl", {"query_id": "a", "answer": "Yes."} | field)
    with open_answers(path) as answers:
        (problem,) = answers.problems
        answer = answers.get("a")
    assert problem.pointer == "line 1"
    assert expected in problem.expected and found in problem.found
    assert answer is not None and answer.answer == "Yes."
    assert answer.latency_ms is None and answer.usage in (None, {"prompt_tokens": "many"})
    assert list(validate_file(path)) == [problem]


def test_citations_that_all_name_nothing_are_read_from_the_answer_instead() -> None:
    assert read_record({"citations": [{"file": "x"}]}).citations is None
    assert read_record({"retrieved_docs": [{}]}).retrieved is None


@pytest.mark.parametrize(
    "field",
    [
        {"citations": [{"text": "[2]", "file_name": None}, {"number": 1}, {"url": "http://a.example"}]},
        {"retrieval_results": {"retrieved_docs": [1, "b"], "relevance_scores": [0, None]}},
        {"retrieval_results": None, "citations": None, "latency_ms": None, "usage": None},
        {"latency_ms": "12", "usage": {"total_tokens": "7", "model": "m"}, "retrieval_results": {}},
    ],
)
def test_what_can_be_understood_is_no_problem(tmp_path: Path, field: dict[str, Any]) -> None:
    with open_answers(write_lines(tmp_path / "a.jsonl", {"query_id": "a", "answer": "x"} | field)) as answers:
        assert answers.problems == ()


def test_ids_that_repeat_are_read_a_few_times_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 3000
    path = write_lines(tmp_path / "a.jsonl", *({"query_id": "a", "answer": str(n)} for n in range(count)))
    reads = 0
    read = RecordedAnswers._id_of

    def counted(self: RecordedAnswers, offset: int) -> str:
        nonlocal reads
        reads += 1
        return read(self, offset)

    monkeypatch.setattr(RecordedAnswers, "_id_of", counted)
    with open_answers(path) as answers:
        assert len(answers) == 1
        first = answers.get("a")
        assert first is not None and first.answer == "0"
        assert answers.problem_count == count - 1
        assert len(answers.problems) == 1000
        assert [problem.pointer for problem in answers.problems[:2]] == ["line 2", "line 3"]
    assert reads <= 2 * count


def test_numbers_that_are_none_cost_their_own_field_alone(tmp_path: Path) -> None:
    given = {"query_id": "a", "answer": 'NaN "is" no number', "latency_ms": float("nan")}
    given["retrieval_results"] = {"retrieved_docs": ["x"], "relevance_scores": [float("-inf")]}
    with open_answers(write_lines(tmp_path / "a.jsonl", given, '{"query_id": "b", "x": NaN')) as answers:
        odd, broken = answers.problems
        answer = answers.get("a")
        assert list(answers.ids()) == ["a"]
    assert (odd.pointer, odd.found) == ("line 1", "NaN or Infinity, or one too large; it counts as not given")
    assert broken.pointer == "line 2"
    assert answer is not None and answer.answer == 'NaN "is" no number'
    assert answer.latency_ms is None and answer.retrieved == (RetrievedDocument("x"),)


@pytest.mark.parametrize("form", ["list", "results"])
def test_numbers_that_are_none_cost_a_list_no_more_than_lines(tmp_path: Path, form: str) -> None:
    rows = [
        {"query_id": "a", "answer": "Nine."},
        {"query_id": "b", "answer": 'NaN, "Infinity"\\', "latency_ms": float("nan"), "x": [float("-inf")]},
        {"query_id": "b", "answer": "again"},
    ]
    path = tmp_path / "a.json"
    whole: Any = rows if form == "list" else {"query_results": rows, "score": float("nan")}
    path.write_text(json.dumps(whole, indent=1))
    with open_answers(path) as answers:
        odd, repeated = answers.problems
        answer = answers.get("b")
    inside = "" if form == "list" else "/query_results"
    assert (odd.pointer, odd.found) == (
        f"{inside}/1",
        "NaN or Infinity, or one too large; it counts as not given",
    )
    assert repeated.pointer == f"{inside}/2" and f"{inside}/1 has it too" in repeated.expected
    assert answer is not None and (answer.answer, answer.latency_ms) == ('NaN, "Infinity"\\', None)


def test_a_list_that_is_broken_otherwise_is_refused_for_what_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"query_id": "a", "latency_ms": 1}, {"query_id": nonsense}]')
    with pytest.raises(InputError, match="not valid JSON"):
        open_answers(path)


_JSON = st.recursive(
    st.none()
    | st.floats()
    | st.integers()
    | st.just(10**30)
    | st.text(st.sampled_from('aN"\\-Ifty é'))
    | st.just("NaN"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.thorough
@given(_JSON, st.integers(1, 12))
def test_marking_words_that_are_no_numbers_keeps_everything_else(value: Any, size: int) -> None:
    raw = json.dumps(value).encode()
    marked = Marked(io.BytesIO(raw))
    passed = b"".join(iter(lambda: marked.read(size), b""))
    json.loads(passed, parse_constant=pytest.fail)
    assert marked.unmarked(passed) == raw
    list(ijson.basic_parse(passed, use_float=True))


@pytest.mark.parametrize("before", [0, *range(45, 245, 25)])
def test_a_list_of_answers_may_hold_numbers_of_any_length(tmp_path: Path, before: int) -> None:
    # Files are read in pieces of a megabyte: each time another number is cut in two.
    blanks = " " * (1024 * 1024 - before if before else 0)
    path = tmp_path / "a.json"
    numbers = f"[{2**64}, -{2**70}, 0.{'123456789' * 5}, {2**63 - 1}, 12345678901234567890.5, 1E-400]"
    odd = '{"total_tokens": 18446744073709551616, "x": 1e400}'
    path.write_text(
        f'{blanks}[{{"query_id": "a", "answer": "{2**64} 1e400", "numbers": {numbers}}},\n'
        f' {{"query_id": "b", "answer": "B", "usage": {odd}}}, {{"query_id": "c", "answer": "C"}}]'
    )
    with open_answers(path) as answers:
        assert list(answers.ids()) == ["a", "b", "c"]
        first = answers.get("a")
        assert [(problem.pointer, problem.expected) for problem in answers.problems] == [
            ("/1", "numbers that JSON has"),
            ("/1", "usage.total_tokens as a count below 2^63"),
        ]
    assert first is not None and first.answer == "18446744073709551616 1e400"
    assert first.extra["numbers"] == json.loads(numbers)


def test_bytes_that_are_no_text_are_a_problem_of_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"query_id": "a", "answer": "\xff"}\n{"query_id": "b", "answer": "Yes."}\n')
    with open_answers(path) as answers:
        assert [problem.pointer for problem in answers.problems] == ["line 1"]
        assert list(answers.ids()) == ["b"]
        assert answers.get("a") is None


@pytest.mark.timeout(60)
def test_a_broken_line_full_of_quotes_is_a_problem(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", '{"query_id": NaN, "x": "' + '\\"' * 500_000)
    with open_answers(path) as answers:
        assert (len(answers), answers.problem_count) == (0, 1)


def test_problems_are_counted_beyond_those_that_are_told(tmp_path: Path) -> None:
    with open_answers(write_lines(tmp_path / "a.jsonl", *["broken"] * 1005)) as answers:
        assert (len(answers.problems), answers.problem_count) == (1000, 1005)


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path) -> None:
    long = {"query_id": "long", "answer": "x" * (64 * 1024 * 1024)}
    path = write_lines(tmp_path / "a.jsonl", {"query_id": "a", "answer": ""}, long, {"query_id": "b"})
    with open_answers(path) as answers:
        assert list(answers.ids()) == ["a", "b"]
        assert [problem.pointer for problem in answers.problems] == ["line 2"]


@pytest.mark.parametrize(
    "ending", ["jsonl", "jsonl.gz", "jsonl.zst", "json", "list.json", "results.json", "csv"]
)
def test_answers_come_in_many_forms(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    rows = RESULTS["query_results"]
    raw = "".join(json.dumps(row) + "\n" for row in rows).encode()
    if ending in ("results.json", "csv"):
        save(RESULTS, path, "results")
    elif ending == "list.json":
        path.write_text(json.dumps(rows, indent=1))
    elif ending == "jsonl.zst":
        import zstandard

        path.write_bytes(zstandard.ZstdCompressor().compress(raw))
    else:
        path.write_bytes(gzip.compress(raw) if ending.endswith("gz") else raw)
    with open_answers(path) as answers:
        assert list(answers.ids()) == ["q1", "q2"]
        first = answers.get("q1")
    assert first == read_record(rows[0])


def test_a_byte_order_mark_and_crlf_are_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"query_id": "a", "answer": "x"}\r\n{"query_id": "b", "answer": "y"}')
    with open_answers(path) as answers:
        assert [answers.get(i).answer for i in "ab"] == ["x", "y"]  # type: ignore[union-attr]
        assert answers.problems == ()


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl"):
        open_answers(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="folder"):
        open_answers(tmp_path)
    (tmp_path / "x.json").write_text('{"something": 1}')
    with pytest.raises(InputError, match="expected recorded answers"):
        open_answers(tmp_path / "x.json")


def test_an_empty_file_has_no_answers(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    with open_answers(tmp_path / "a.jsonl") as answers:
        assert (list(answers.ids()), answers.get("a"), len(answers)) == ([], None, 0)


# --- folders and tables ----------------------------------------------------------------------------


def write_part(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if name.endswith(".parquet"):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif name.endswith(".json"):
        path.write_text(json.dumps(rows))
    else:
        text = "\n".join(json.dumps(row) for row in rows)  # the last line has no end
        path.write_bytes(
            gzip.compress(text.encode()) if name.endswith(".gz") else b"\xef\xbb\xbf" + text.encode()
        )


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=6),
    forms=st.lists(st.sampled_from(["jsonl", "jsonl.gz", "json", "parquet"]), min_size=6, max_size=6),
)
def test_a_folder_of_parts_is_read_like_one_file(
    sizes: list[int], forms: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    rows = [
        {"query_id": f"q{number}", "generated_answer": f"Answer {number}."} for number in range(sum(sizes))
    ]
    left = list(rows)
    for number, (size, form) in enumerate(zip(sizes, forms, strict=False)):
        part, left = left[:size], left[size:]
        write_part(folder, f"day={number // 2}/part-{number}.{form}", part)
    (folder / "_SUCCESS").touch()
    (folder / "README.md").write_text("What this is.")
    write_part(folder, "mine.eval.json", [{"query_id": "no answer"}])
    with open_answers(folder) as found:
        assert list(found.ids()) == [row["query_id"] for row in rows]
        assert found.problems == ()
        assert [answer.answer for row in rows if (answer := found.get(row["query_id"]))] == [
            row["generated_answer"] for row in rows
        ]


def test_a_problem_in_a_folder_names_the_file_and_the_line(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        write_part(tmp_path, name, [{"query_id": f"{name} 1"}, {"query_id": "again"}])
    with open_answers(tmp_path) as found:
        (problem,) = found.problems
    assert "b.jsonl, line 2" in str(problem) and "a.jsonl, line 2" in str(problem)


def test_a_folder_without_answers_and_a_link_out_of_it_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    with pytest.raises(InputError, match="the folder has no recorded answers"):
        open_answers(folder)
    write_part(tmp_path, "secret.jsonl", [{"query_id": "q"}])
    (folder / "more.jsonl").symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(InputError, match="a link that leaves the folder"):
        open_answers(folder)


def test_the_rows_of_a_parquet_file_are_not_held_all_at_once(tmp_path: Path) -> None:
    rows = [{"query_id": f"q{number}", "answer": f"{number} " * 200} for number in range(25_000)]
    write_part(tmp_path, "a.parquet", rows)
    held = sum(len(row["answer"]) for row in rows)
    del rows
    tracemalloc.start()
    with open_answers(tmp_path / "a.parquet") as found:
        peak = tracemalloc.get_traced_memory()[1]
        assert len(found) == 25_000
    tracemalloc.stop()
    assert peak < held / 2


def test_a_folder_with_one_dataset_is_that_dataset(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder has no dataset"):
        open_dataset(tmp_path)
    shutil.copy(sample_path(), tmp_path)
    (tmp_path / "answers.jsonl").touch()
    with open_dataset(tmp_path) as dataset:
        assert dataset.path == tmp_path / sample_path().name
    shutil.copy(sample_path(), tmp_path / "other.eval.json")
    with pytest.raises(InputError, match=r"2 datasets \(other\.eval\.json, sample_1\.0\.0\.eval\.json\)"):
        open_dataset(tmp_path)
