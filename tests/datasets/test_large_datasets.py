"""Datasets that are too large to be held: the same answers as from memory, in little of it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from data_samples import EXAMPLES, example
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.datasets import (
    Dataset,
    SourceDocument,
    convert_file,
    dataset_stats,
    library_of,
    open_dataset,
    save,
    to_plain,
    validate_file,
    write_json,
)
from pincite.errors import InputError

BLANKS = b" " * (16 * 1024 * 1024 + 1)
"""A JSON file that ends in these is too large to be held."""
LONG_DOCUMENT = {"document_id": "long", "content": "x " * (8 * 1024 * 1024 + 1)}
"""With this one, the documents of a dataset are too many characters to be held."""


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def write_large(path: Path, value: Any) -> Path:
    """A large file of a value, or of a text."""
    path.write_bytes((value.encode() if isinstance(value, str) else write_json(value)) + BLANKS)
    return path


def test_a_large_dataset_is_the_same_as_in_memory(tmp_path: Path) -> None:
    value = {**EXAMPLES["dataset"], "mine": {"a": [1]}}
    small = open_dataset(save(value, tmp_path / "small.eval.json"))
    assert small.in_memory and not small.streamed
    with open_dataset(write_large(tmp_path / "x.eval.json", value)) as large:
        assert large.streamed and large.in_memory
        assert [source.name for source in large.library().sources] == ["depths", "berths"]
        assert list(large.queries()) == list(small.queries()) == list(large.queries())
        assert list(large.documents()) == list(small.documents())
        assert large.count() == small.count() == 3
        assert (large.dataset_id, large.version, large.name) == (small.dataset_id, small.version, small.name)
        assert large.head.extra == small.head.extra == {"mine": {"a": [1]}}
        assert {**dataset_stats(large), "digest": ""} == {**dataset_stats(small), "digest": ""}
        found = large.library_for(["docs/depths.pdf", "nothing"])
        assert [source.name for source in found.sources] == ["depths"]


def test_documents_of_too_many_characters_are_found_by_name_alone(tmp_path: Path) -> None:
    value = example("dataset")
    value["documents"].append(LONG_DOCUMENT)
    path = save(value, tmp_path / "x.eval.json")
    with open_dataset(path) as large:
        assert large.streamed and not large.in_memory
        assert large.digest == hashlib.sha256(path.read_bytes()).hexdigest()
        assert [source.name for source in large.library_for(["docs/depths.pdf"]).sources] == ["depths"]
        with pytest.raises(InputError, match="library_for"):
            large.library()


@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_a_large_file_is_copied_and_validated(tmp_path: Path, packed: str) -> None:
    path, copy = tmp_path / f"x.eval.json{packed}", tmp_path / "y.eval.json.gz"
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[packed]
    path.write_bytes(pack(write_json(EXAMPLES["dataset"]) + BLANKS))
    assert list(validate_file(path)) == []
    convert_file(path, copy)
    with open_dataset(path) as one, open_dataset(copy) as other:
        assert list(one.queries()) == list(other.queries())
        assert list(one.documents()) == list(other.documents())
        assert dataset_stats(one) == {**dataset_stats(other), "digest": one.digest}


def test_a_large_file_of_nothing_but_lists_is_copied_as_json(tmp_path: Path) -> None:
    lists = {name: EXAMPLES["dataset"][name] for name in ("queries", "documents")}
    copy = tmp_path / "y.eval.json"
    convert_file(write_large(tmp_path / "x.eval.json", lists), copy)
    assert json.loads(copy.read_text(encoding="utf-8")) == lists


@pytest.mark.parametrize("kind", ["dataset", "ground_truth", "results", "benchmark"])
def test_large_and_small_files_have_the_same_problems(tmp_path: Path, kind: str) -> None:
    value = example(kind)
    name = {"dataset": "queries", "ground_truth": "annotations", "results": "query_results"}.get(
        kind, "entries"
    )
    value[name].append(value[name][0])
    value[name].append({"query_id": 3})
    value["schema_version"] = "x"
    path = tmp_path / "x.json"
    path.write_bytes(write_json(value))
    small = list(validate_file(path))
    large = list(validate_file(write_large(path, value)))
    assert len(large) >= 3
    assert sorted(map(str, large)) == sorted(map(str, small))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"dataset_id": "a", "queries": [{"query_id": "q"', "/queries/0"),
        (
            '{"dataset_id": "a", "queries": [{"query_id": "q", "query_id": "r"}]}',
            "/queries/0/query_id: the key",
        ),
        ('{"dataset_id": "a", "x": NaN, "queries": []}', "/x"),
        ('{"dataset_id": "a", "x": ' + "[" * 300 + "]" * 300 + "}", "nested more than 200"),
        ('{"dataset_id": "a", "queries": [{"query_id": [5], "query_text": "t"}]}', "/queries/0"),
        ('{"dataset_id": "a", "documents": [{"document_id": "d"}]}', "/documents/0"),
        ('["a", "b", "c"]', "expected an object"),
        ('{"dataset_id": "a", "queries": {"a": 1}}', "not an evaluation dataset"),
        ('{"dataset_id": "\\u00e', "not valid JSON"),
    ],
)
def test_a_broken_large_file_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = write_large(tmp_path / "x.eval.json", text)
    with pytest.raises(InputError, match=said):
        open_dataset(path)
    assert list(validate_file(path))


def test_bytes_that_are_no_utf8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.json"
    path.write_bytes(b'{"dataset_id": "a\xff", "queries": []}' + BLANKS)
    with pytest.raises(InputError, match="not valid JSON"):
        open_dataset(path)


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.json"
    path.write_bytes(b"\xef\xbb\xbf" + write_json(EXAMPLES["dataset"]) + BLANKS)
    with open_dataset(path) as dataset:
        assert dataset.count() == len(list(dataset.queries())) == 3


def test_half_a_character_harms_nobody(tmp_path: Path) -> None:
    value = example("dataset")
    value["documents"][0]["content"] = value["documents"][0]["title"] = "\ud800 half"
    with open_dataset(write_large(tmp_path / "x.eval.json", value)) as dataset:
        assert len(dataset.library_for(["depths"])) == 1
        assert len(dataset.library_for(["\ud800 half"])) <= 1
    assert open_dataset(value).digest
    with pytest.raises(InputError):
        open_dataset({**value, "metadata": {"a": {1, 2}}})
    with open_dataset({"\ud800": 1, **value}) as dataset:
        assert dataset.count() == len(value["queries"])


NAME = st.sampled_from(
    [
        "a",
        "A",
        "a.pdf",
        "A.PDF",
        "docs/a.pdf",
        "x/docs/a.pdf",
        "b.md",
        "b",
        "x/b.md",
        "a b",
        "A  B",
        "é",
        "é",
        "ß",
    ]
)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(NAME, NAME | st.none(), NAME | st.none()), max_size=6, unique_by=lambda one: one[0]),
    st.lists(NAME, min_size=1, max_size=6),
)
def test_the_index_finds_what_a_library_of_all_finds(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Any], cited: list[str]
) -> None:
    given_documents = [
        SourceDocument(document_id=name, content=str(i), file_path=path, title=title)
        for i, (name, path, title) in enumerate(documents)
    ]
    whole = library_of(given_documents)
    with large_dataset(tmp_path_factory.mktemp("large"), given_documents) as dataset:
        for name in cited:
            found = dataset.library_for([name]).find(name)
            assert [source.text for source in found] == [source.text for source in whole.find(name)]


def test_a_common_file_name_does_not_load_every_document(tmp_path: Path) -> None:
    documents = [
        SourceDocument(
            document_id=f"page {i}", content=str(i), file_path=f"site/{i}/index.html", title="Home"
        )
        for i in range(3000)
    ]
    with large_dataset(tmp_path, documents) as dataset:
        for name in ("page 7", "site/7/index.html", "/www/site/7/index.html", "7/INDEX.html"):
            library = dataset.library_for([name])
            assert [source.text for source in library.sources] == ["7"], name
            assert [source.text for source in library.find(name)] == ["7"]
        assert len(dataset.library_for(["Home"])) == 100
        assert len(dataset.library_for(["nothing"])) == 0


def large_dataset(folder: Path, documents: list[SourceDocument]) -> Dataset:
    value = {**EXAMPLES["dataset"], "queries": [], "documents": [to_plain(one) for one in documents]}
    return open_dataset(write_large(folder / "x.eval.json", value))


def test_threads_may_ask_at_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    path = write_large(tmp_path / "x.eval.json", EXAMPLES["dataset"])
    with open_dataset(path) as dataset, ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda name: len(dataset.library_for([name])), ["depths", "berths"] * 20)
        assert set(found) == {1}


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is open cannot be removed there")
def test_a_killed_process_leaves_no_file_behind(own_temporary_folder: Path, tmp_path: Path) -> None:
    path = write_large(tmp_path / "x.eval.json", {**EXAMPLES["dataset"], "documents": [LONG_DOCUMENT]})
    code = """
import sys, time
from pincite.datasets import open_dataset
dataset = open_dataset(sys.argv[1])
print(len(dataset.library_for(["long"])), flush=True)
time.sleep(60)
"""
    folder = {"TMPDIR": str(own_temporary_folder), "SQLITE_TMPDIR": str(own_temporary_folder)}
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, env={**os.environ, **folder}
    )
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"1"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert list(own_temporary_folder.iterdir()) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_million_queries_are_validated_and_read_in_little_memory(tmp_path: Path) -> None:
    from bench._large_dataset import write_answers, write_dataset
    from bench.datasets import measure

    path, answers = tmp_path / "large.eval.json", tmp_path / "answers.jsonl"
    write_dataset(path, 1_000_000, 650)
    write_answers(answers, 1_000_000)
    assert path.stat().st_size > 1e9
    for work, file, count in (("validate", path, 0), ("read", path, 10**6), ("answers", answers, 10**6)):
        _, megabytes, counted = measure(work, file)
        assert counted == count
        assert megabytes < 500
