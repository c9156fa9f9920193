from __future__ import annotations

import math
import sys
from pathlib import Path

import h5py
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from through_files import parse, read_value, written

from pincite.datasets import BenchmarkData, BenchmarkEntry, from_plain, read_rows, save, to_plain
from pincite.errors import InputError, MissingExtraError

BENCHMARK = BenchmarkData(
    benchmark_id="b1",
    created_at="2025-08-30T12:00:00Z",
    entries=(
        BenchmarkEntry(metric="ndcg@5", value=0.78, unit="ratio", n=500, confidence_interval=(0.75, 0.81)),
        BenchmarkEntry(metric="mrr", value=None, extra={"note": {"why": ["nothing to score"]}}),
    ),
)
ENDINGS = ["b.benchmark.parquet", "b.benchmark.h5", "b.benchmark.parquet.gz", "b.benchmark.hdf5.zst"]


@pytest.mark.parametrize("name", ENDINGS)
def test_a_benchmark_comes_back_as_it_was(tmp_path, name):
    path = save(BENCHMARK, tmp_path / name)
    assert to_plain(from_plain(BenchmarkData, read_value(path))) == to_plain(BENCHMARK)


def test_results_come_back_with_their_queries(tmp_path):
    results = {
        "evaluation_id": "e1",
        "summary": {"total_queries": 2},
        "query_results": [
            {
                "query_id": "q1",
                "latency_ms": 12.5,
                "generated_answer": "Yes.",
                "individual_metrics": {"mrr": 1},
            },
            {"query_id": "q2", "latency_ms": None, "generated_answer": "", "citations": []},
        ],
    }
    path = tmp_path / "r.results.parquet"
    save(results, path)
    assert read_value(path) == results
    assert pyarrow.parquet.read_table(path).column("latency_ms").to_pylist() == [12.5, None]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
rows = st.lists(
    st.dictionaries(st.sampled_from(["metric", "value", "a/b", ".", "%2F", ""]), values), max_size=4
)


@given(rows=rows)
@settings(max_examples=60, deadline=None)
def test_whatever_a_row_holds_is_kept_in_parquet(rows):
    value = {"benchmark_id": "b", "kind": 1, "columns": 2, "entries": [row for row in rows if row]}
    assert parse(written(value, "b.benchmark.parquet"), "b.benchmark.parquet") == value


@given(rows=rows)
@settings(max_examples=8, deadline=None)
def test_whatever_a_row_holds_is_kept_in_hdf5(rows):
    value = {"benchmark_id": "b", "kind": 1, "columns": 2, "entries": [row for row in rows if row]}
    assert parse(written(value, "b.benchmark.h5"), "b.benchmark.h5") == value


def test_a_table_that_somebody_else_wrote_is_read_as_entries(tmp_path):
    path = tmp_path / "theirs.parquet"
    pyarrow.parquet.write_table(pa.table({"metric": ["a"], "value": [0.5]}), path)
    assert read_value(path) == {"benchmark_id": "theirs", "entries": [{"metric": "a", "value": 0.5}]}
    assert [row for _, row in read_rows(path)] == [{"metric": "a", "value": 0.5}]


@pytest.mark.parametrize("name", ["x.parquet", "x.h5"])
def test_a_broken_file_is_refused_by_name(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"no table at all")
    with pytest.raises(InputError, match="cannot be read as"):
        read_value(path)


@pytest.mark.parametrize("cut", [9, 600, 0.5, 0.99])
def test_an_hdf5_file_that_is_cut_off_is_refused_without_waiting(tmp_path, cut):
    raw = written(BENCHMARK, "b.benchmark.h5")
    path = tmp_path / "cut.h5"
    path.write_bytes(raw[: int(cut if cut > 1 else cut * len(raw))])
    with pytest.raises(InputError, match=r"cut\.h5: cannot be read as HDF5") as error:
        read_value(path)
    assert "too long" not in str(error.value)


def test_the_process_that_reads_hdf5_gets_little_of_the_environment(tmp_path, monkeypatch):
    path = save(BENCHMARK, tmp_path / "b.benchmark.h5")
    monkeypatch.setenv("PYTHONHASHSEED", "any Python that gets this ends at once")
    assert read_value(path)["benchmark_id"] == "b1"


def test_an_hdf5_file_that_claims_a_text_of_gigabytes_costs_no_memory(tmp_path):
    # The length stands before the text and beside its place; the library believes it.
    raw = written({"benchmark_id": "b", "entries": [{"metric": "x" * 1237}]}, "b.benchmark.h5")
    path = tmp_path / "long.h5"
    path.write_bytes(raw.replace((1237).to_bytes(4, "little"), (2_000_000_000).to_bytes(4, "little")))
    with pytest.raises(InputError, match=r"long\.h5: cannot be read as HDF5"):
        read_value(path)


def test_a_reader_that_crashes_is_an_error(tmp_path, monkeypatch):
    path = save(BENCHMARK, tmp_path / "b.benchmark.h5")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(InputError, match="the file is broken"):
        read_value(path)


def test_texts_that_are_not_utf_8_are_refused(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["metric"] = [b"\xff\xfe"]
    column = pa.array([b"\xff\xfe"]).view(pa.string())
    pyarrow.parquet.write_table(pa.table({"metric": column}), tmp_path / "x.parquet")
    for name in ("x.h5", "x.parquet"):
        with pytest.raises(InputError, match="a text in it is not UTF-8"):
            read_value(tmp_path / name)
    with pytest.raises(InputError, match="a text in it is not UTF-8"):
        list(read_rows(tmp_path / "x.parquet"))


def test_a_file_that_says_nonsense_about_itself_is_refused(tmp_path):
    for about in ("no JSON", "[]", '{"kind": []}', '{"kind": "benchmark", "value": 3}'):
        with h5py.File(tmp_path / "x.h5", "w") as file:
            file.attrs["pincite"] = about
        with pytest.raises(InputError, match=r"x\.h5: "):
            read_value(tmp_path / "x.h5")


def test_a_link_to_another_file_is_not_followed(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["secret"] = [1.0]
    path = tmp_path / "link.h5"
    with h5py.File(path, "w") as file:
        file["value"] = h5py.ExternalLink("other.h5", "secret")
    with pytest.raises(InputError, match="links are not followed"):
        read_value(path)


def test_what_has_no_form_in_json_is_refused():
    value = {"benchmark_id": "b", "entries": [{"metric": "a", "value": math.nan}]}
    with pytest.raises(InputError, match="cannot be kept"):
        written(value, "b.benchmark.parquet")


@pytest.mark.parametrize(("library", "name"), [("pyarrow", "x.parquet"), ("h5py", "x.h5")])
def test_a_missing_library_says_how_to_install_it(tmp_path, monkeypatch, library, name):
    (tmp_path / name).touch()
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[tables\]'"):
        read_value(tmp_path / name)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[tables\]'"):
        save(BENCHMARK, tmp_path / f"b.benchmark{Path(name).suffix}")
