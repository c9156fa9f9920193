"""Files of every form: read as they were written, and refused with a place when they are broken."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from data_samples import EXAMPLES, example
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple
from through_files import parse_csv, parse_yaml, write_csv, write_yaml

from pincite.datasets import (
    convert_file,
    file_kind,
    kind_of_value,
    open_bytes,
    open_dataset,
    parse_json,
    read_plain,
    save,
)
from pincite.errors import InputError, TooLargeError
from pincite.text import has_command

FORMS = [
    ("dataset", "eval.json"),
    ("dataset", "eval.yaml"),
    ("dataset", "eval.csv"),
    ("ground_truth", "gt.json"),
    ("ground_truth", "gt.yaml"),
    ("results", "results.json"),
    ("results", "results.yaml"),
    ("results", "results.csv"),
    ("benchmark", "benchmark.json"),
    ("benchmark", "benchmark.parquet"),
    ("benchmark", "benchmark.h5"),
    ("results", "results.parquet"),
    ("configuration", "config.yaml"),
    ("configuration", "config.json"),
]


@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
@pytest.mark.parametrize(("kind", "ending"), FORMS)
def test_a_file_reads_as_it_was_written(tmp_path: Path, kind: Any, ending: str, packed: str) -> None:
    path = tmp_path / f"x.{ending}{packed}"
    save(EXAMPLES[kind], path)
    value, found, _ = read_plain(path)
    assert (value, found) == (EXAMPLES[kind], kind)


def test_the_digest_is_of_the_bytes_without_compression(tmp_path: Path) -> None:
    save(EXAMPLES["dataset"], tmp_path / "x.eval.json")
    save(EXAMPLES["dataset"], tmp_path / "x.eval.json.gz")
    plain, packed = open_dataset(tmp_path / "x.eval.json"), open_dataset(tmp_path / "x.eval.json.gz")
    assert plain.digest == packed.digest
    assert len(plain.digest) == 64


@pytest.mark.parametrize("kind", ["dataset", "ground_truth", "results", "benchmark"])
def test_content_tells_what_a_file_is(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(EXAMPLES[kind]))
    assert read_plain(path)[1] == kind
    assert kind_of_value(EXAMPLES[kind]) == kind


def test_endings_tell_kind_form_and_compression() -> None:
    assert astuple(file_kind(Path("a_1.0.0.eval.json.gz"))) == ("dataset", "json", "gz")
    assert astuple(file_kind(Path("a.config.YML"))) == ("configuration", "yaml", None)
    assert astuple(file_kind(Path("a.parquet"))) == (None, "parquet", None)
    with pytest.raises(InputError, match="ending"):
        file_kind(Path("a.docx"))


def test_a_form_that_a_kind_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="written as json, yaml"):
        save(EXAMPLES["ground_truth"], tmp_path / "x.gt.csv")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"a": 1,\n "a": 2}', "line 2, column 2: the key 'a' comes twice"),
        (b'{"b": {"a": 1}, "c": [{"a": 1,\r\n"a": 1}]}', "line 2, column 1: the key 'a' comes twice"),
        (b'{"a":\n NaN}', "line 2, column 2: NaN"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1', "line 1, column 8.*cut off"),
        (b'{"a":\n "begun and', "line 2, column 2: the text that begins there never ends .*cut off"),
        (b'{"a": "x\ny"}', "line 1, column 9: Invalid control character$"),
        (b'{"a": "unfinished', "line 1"),
        (b"[" * 100_000, "nested more than 200 levels"),
        (b'{"a": "\xff"}', "byte 0xff at offset 7"),
        (b"", "empty"),
        (b"{} {}", "line 1, column 4"),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not valid JSON"),
    ],
)
def test_broken_json_is_refused_with_its_place(raw: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_json(raw, "x.json")


def test_a_byte_order_mark_and_crlf_are_no_problem() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a":\r\n1}', "x") == {"a": 1}
    assert parse_yaml(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n") == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"a: 1\na: 2\n", "line 2, column 1: the key 'a' comes twice"),
        (b"a: .nan", "/a: nan"),
        (b"a: [1, 2", "line 2"),
        (b"a: !!python/object/apply:os.system [ls]", "not valid YAML at line 1"),
        (b"a: !!binary aGk=", "/a: a bytes has no form"),
        (b"[" * 5000, "nested more than 200"),
        (b"a: *nowhere", "line 1"),
    ],
)
def test_broken_yaml_is_refused_with_its_place(raw: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_yaml(raw)


def test_aliases_that_grow_without_end_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    with pytest.raises(InputError, match="grow without end"):
        parse_yaml("\n".join(lines).encode())
    assert parse_yaml(b"a: &a {x: 1}\nb: *a\nc:\n  <<: *a\n")["c"] == {"x": 1}


def test_copies_of_a_long_text_are_refused_too() -> None:
    many = "\n".join(["- *a"] * 20_000)
    with pytest.raises(InputError, match="grow without end"):
        parse_yaml(f"- &a {'x' * 100_000}\n{many}".encode())
    assert parse_yaml(f"- &a {'x' * 100}\n{many}".encode())[-1] == "x" * 100


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]",
        "a: &a {b: *a}",
        "a: &a {? *a : b}",
        "a: &a {<<: *a}",
        "&a [[1, [2, {x: *a}]]]",
        "- &a [&a [*a]]",
        "queries: &q\n- query_id: q1\n  metadata: {loop: *q}\n",
    ],
)
def test_yaml_that_contains_itself_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InputError, match=r"x\.yaml: .*line \d+, column \d+: \*(a|q) is inside &\1 itself$"):
        parse_yaml(text.encode())


def test_an_anchor_after_its_end_may_be_used() -> None:
    assert parse_yaml(b"- &a [1]\n- [*a, *a]\n") == [[1], [[1], [1]]]
    assert parse_yaml(b"x: &b y\nz: *b\n") == {"x": "y", "z": "y"}


def test_yaml_dates_stay_texts_and_keys_become_texts() -> None:
    assert parse_yaml(b"a: 2025-08-30T12:00:00Z\n1: x\nfalse: y\n") == {
        "a": "2025-08-30T12:00:00Z",
        "1": "x",
        "false": "y",
    }


def test_yaml_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.yaml"
    with path.open("wb") as file:
        file.seek(100 * 1000 * 1000)
        file.write(b"\n")
    with pytest.raises(TooLargeError, match="100 MB"):
        open_dataset(path)


TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ['""', '"', '"a"', "5", "null", "[1]", "a\r\nb", "a\rb", "=1+1", ";", "\x00", " x ", "{", "\ufeff"]
)
VALUE = st.none() | st.integers(-(2**60), 2**60) | st.booleans() | TEXT | st.lists(TEXT, max_size=3)


@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT, st.lists(TEXT, max_size=3), VALUE, st.dictionaries(TEXT, VALUE, max_size=3))
def test_csv_loses_nothing(query: str, answer: str, ids: list[str], other: Any, metadata: Any) -> None:
    value = example("dataset")
    value["queries"][0].update(
        query_text=query, ground_truth_answer=answer, relevant_documents=ids, other=other, metadata=metadata
    )
    value["description"] = answer
    value["documents"][0]["content"] = query
    assert parse_csv(write_csv(value, "dataset"), "x.csv", "dataset") == value


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(TEXT, VALUE | st.dictionaries(TEXT, VALUE, max_size=2), max_size=4))
def test_yaml_loses_nothing(value: Any) -> None:
    assert parse_yaml(write_yaml(value)) == value


def test_csv_from_a_spreadsheet_is_read() -> None:
    raw = b"query_id,query_text,relevant_documents,difficulty\r\nq1,What?,doc_1; doc_2,easy\r\nq2,Why?,,\r\n"
    value = parse_csv(raw, "x.eval.csv", "dataset")
    assert value["queries"][0]["relevant_documents"] == ["doc_1", "doc_2"]
    assert value["queries"][1] == {"query_id": "q2", "query_text": "Why?"}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"query_id,query_text\nq,t,more\n", "line 2: 3 cells under 2 columns"),
        (b"query_id,query_text,query_id\n", "line 1: the column 'query_id' comes twice"),
        (b"a,b\n1,2\n", "line 1: expected columns"),
        (b"query_id,query_text,citations\nq,t,[1\n", "line 2, column 'citations'"),
        (b'query_id,query_text\nq,"unfinished', "not valid CSV"),
    ],
)
def test_broken_csv_is_refused_with_its_place(raw: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_csv(raw, "x.csv", None)


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_compressed_file_that_is_cut_off_is_refused(tmp_path: Path, cut: int) -> None:
    for ending in ("gz", "zst"):
        path = tmp_path / f"x.eval.json.{ending}"
        save(EXAMPLES["dataset"], path)
        path.write_bytes(path.read_bytes()[:-cut])
        with pytest.raises(InputError):
            open_dataset(path)
        path.write_bytes(b"not compressed at all")
        with pytest.raises(InputError, match=r"cut off or broken|unpacked"):
            open_dataset(path)


def test_a_file_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.json.gz"
    path.write_bytes(gzip.compress(b'{"a": "' + b" " * 10_000_000 + b'"}'))
    with open_bytes(path, harmless=1000) as stream, pytest.raises(TooLargeError, match="200 times"):
        stream.read()


def test_what_is_no_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        open_dataset(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        open_dataset(tmp_path / "none.eval.json")
    (tmp_path / "dir.eval.json").mkdir()
    with pytest.raises(InputError, match="folder"):
        open_dataset(tmp_path / "dir.eval.json")


def test_a_dataset_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.json"
    path.write_text(json.dumps({"queries": [{"query_id": [5], "query_text": "t"}]}))
    with pytest.raises(InputError, match="/queries/0/query_id: expected a text, found a list of 1"):
        open_dataset(path)


def test_results_are_no_dataset(tmp_path: Path) -> None:
    save(EXAMPLES["results"], tmp_path / "x.results.json")
    with pytest.raises(InputError, match="results file, not a dataset"):
        open_dataset(tmp_path / "x.results.json")


def test_nan_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no form in json"):
        save({**EXAMPLES["dataset"], "x": float("nan")}, tmp_path / "x.eval.json")
    assert list(tmp_path.iterdir()) == []


def test_a_lone_surrogate_survives_json(tmp_path: Path) -> None:
    value = {**EXAMPLES["dataset"], "name": "\ud800"}
    save(value, tmp_path / "x.eval.json")
    assert read_plain(tmp_path / "x.eval.json")[0] == value


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.json"
    save(EXAMPLES["dataset"], path)
    before = path.read_bytes()
    with pytest.raises(InputError):
        save({**EXAMPLES["dataset"], "x": object()}, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_not_converted_into_itself_or_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.json"
    save(EXAMPLES["dataset"], path)
    with pytest.raises(InputError, match="by itself"):
        convert_file(path, path)
    with pytest.raises(InputError, match="cannot become a results file"):
        convert_file(path, tmp_path / "x.results.json")


# --- what a spreadsheet or a CI log would obey ---------------------------------------------------

FORMULAS = (
    "=1+1",
    "+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "＝1",
    "－",
    "-",
    "=",
)
PIECES = (*FORMULAS, "'", "''", '"', '"=1"', "'=1", "-0.5", "a", " ", ",", ";", "::error::", "##[x]", "null")
ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=3)
CELLS = st.lists(st.sampled_from(PIECES) | ANY_TEXT, max_size=4).map("".join)


def csv_cells(content: bytes) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(content.decode(), newline="")) for cell in row]


def is_formula(cell: str) -> bool:
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?", cell):
        return False
    return cell[:1] in ("\t", "\r", "\n") or cell.strip()[:1] in tuple("=+-@＝＋－＠")


@given(st.dictionaries(CELLS.filter(bool), CELLS, max_size=3), CELLS, st.lists(CELLS, max_size=2))
def test_no_cell_is_a_formula_and_every_cell_is_read_back(
    extra: dict[str, str], text: str, more: list[str]
) -> None:
    row = {"query_id": f"q{text}", "query_text": text, "expected_answer": text or None, "tags": more}
    row = {key: held for key, held in row.items() if held is not None}
    unknown = {key: held for key, held in extra.items() if key not in row and not key.startswith("dataset.")}
    value = {"dataset_id": text, "queries": [{**row, **unknown, "deep": {"b": -0.5, "c": text}}]}
    written = write_csv(value, "dataset")
    assert not [cell for cell in csv_cells(written) if is_formula(cell)]
    assert not has_command(written.decode())
    assert parse_csv(written, "a.csv", "dataset") == value


def test_numbers_stay_numbers_in_a_table() -> None:
    scores = {"m": -0.5, "n": -3, "o": 1e-7}
    value = {"query_results": [{"query_id": "q", "query_text": "-0.5", "individual_metrics": scores}]}
    assert {"-0.5", "-3", "1e-07"} <= set(csv_cells(write_csv(value, "results")))


def test_a_cell_that_somebody_wrote_with_an_apostrophe_keeps_it() -> None:
    raw = b"query_id,query_text\nq1,'=1+1\nq2,'tis so\n"
    read = parse_csv(raw, "a.csv", None)["queries"]
    assert [row["query_text"] for row in read] == ["'=1+1", "'tis so"]


@given(st.dictionaries(CELLS, CELLS | st.lists(CELLS, max_size=3), max_size=3))
def test_yaml_holds_no_command_of_a_ci_log_and_is_read_back(value: dict[str, Any]) -> None:
    written = write_yaml(value)
    assert not has_command(written.decode())
    assert parse_yaml(written, "a.yaml") == value
