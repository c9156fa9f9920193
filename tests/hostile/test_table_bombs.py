"""Tables and packed files of some kilobytes that unpack to gigabytes: refused by name, before that."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import zstandard
from limited import PLENTY, run_limited

from pincite.datasets import read_plain, read_rows, save
from pincite.errors import InputError, TooLargeError

MOST = 600_000
"""Kilobytes that a refusal may take, of which the libraries are a fourth."""
WIDE = 4_000
LONG = 20_000_000


def empty_columns() -> pa.Table:
    """Thousands of columns with nothing in them."""
    ids = [f"q{place}" for place in range(WIDE)]
    return pa.table({"query_id": ids, **{f"c{place}": pa.nulls(WIDE, pa.string()) for place in range(WIDE)}})


def one_text_for_all() -> pa.Table:
    """One long text that every row has."""
    ids = [f"q{place}" for place in range(20_000)]
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(ids), "i4")), pa.array(["x" * 1_000_000]))
    return pa.table({"query_id": ids, "generated_answer": text})


def one_id_for_all() -> pa.Table:
    """A great many rows that are all the same."""
    return pa.table(
        {"query_id": pa.DictionaryArray.from_arrays(pa.array(np.zeros(LONG, "i1")), pa.array(["q"]))}
    )


def one_long_text() -> pa.Table:
    return pa.table({"query_id": ["q"], "generated_answer": ["x" * 200_000_000]})


def one_long_list() -> pa.Table:
    held = pa.ListArray.from_arrays(pa.array([0, LONG], pa.int32()), pa.nulls(LONG, pa.int8()))
    return pa.table({"query_id": ["q"], "generated_answer": held})


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [row for _, row in read_rows(path)]


BOMBS = [empty_columns, one_text_for_all, one_id_for_all, one_long_text, one_long_list]


@pytest.mark.thorough
@pytest.mark.parametrize("make", BOMBS)
def test_a_small_parquet_file_that_unpacks_to_much_is_refused(
    make: Callable[[], pa.Table], tmp_path: Path
) -> None:
    path = tmp_path / "bomb.results.parquet"
    pyarrow.parquet.write_table(make(), path, compression="zstd", use_dictionary=make is not one_long_text)
    assert path.stat().st_size < 1_500_000
    code, said, peak = run_limited("data", "check", path.name, cwd=tmp_path, space=PLENTY)
    assert code == 1
    assert "bomb.results.parquet: expected a file that can be read, found" in said
    assert peak < MOST
    with pytest.raises(InputError, match=r"bomb\.results\.parquet: "):
        list(read_rows(path))


def test_a_parquet_file_of_many_rows_is_read_whole(tmp_path: Path) -> None:
    count = 50_000
    table = pa.table({"query_id": [f"q{place}" for place in range(count)], "score": [0.5] * count})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=7_000)
    value, kind, _ = read_plain(tmp_path / "a.parquet")
    assert (value, kind) == ({"query_results": table.to_pylist()}, "results")
    assert rows_of(tmp_path / "a.parquet") == table.to_pylist()


def test_a_parquet_file_keeps_its_kinds_of_values(tmp_path: Path) -> None:
    row = {"query_id": "q", "docs": ["a", None], "usage": {"tokens": 1}, "raw": b"\xff", "none": None}
    table = pa.Table.from_pylist([row, {**row, "query_id": "r"}])
    times = pa.array([1_700_000_000_000_000, None], pa.timestamp("us", "UTC"))
    table = table.append_column("at", times)
    table = table.append_column("word", pa.array(["yes", "yes"]).dictionary_encode())
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    assert rows_of(tmp_path / "a.parquet") == table.to_pylist()


def test_a_date_that_no_calendar_has_is_refused_by_name(tmp_path: Path) -> None:
    table = pa.table({"query_id": ["q"], "at": pa.array([2**50], pa.timestamp("ms"))})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: cannot be read as Parquet: "):
        list(read_rows(tmp_path / "a.parquet"))


def test_an_empty_parquet_file_has_no_rows(tmp_path: Path) -> None:
    empty = {
        "query_id": pa.array([], pa.string()),
        "word": pa.array([], pa.dictionary(pa.int8(), pa.string())),
    }
    pyarrow.parquet.write_table(pa.table(empty), tmp_path / "a.parquet")
    assert rows_of(tmp_path / "a.parquet") == []


@pytest.mark.parametrize("columns", [1, 40])
def test_an_hdf5_file_that_says_it_has_millions_of_numbers_is_refused(columns: int, tmp_path: Path) -> None:
    path = tmp_path / "bomb.benchmark.h5"
    with h5py.File(path, "w") as file:
        for place in range(columns):
            size = 100_000_000 // columns
            file.create_dataset(f"c{place}", (size,), "i1", chunks=(100_000,), compression="gzip")
    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match=r"bomb\.benchmark\.h5: .* cells: refused"):
        read_plain(path)


@pytest.mark.parametrize("ending", ["eval.csv", "results.csv", "benchmark.parquet", "benchmark.h5"])
def test_rows_with_a_field_each_are_not_written_as_a_table(ending: str, tmp_path: Path) -> None:
    rows = [{"query_id": f"q{place}", "query_text": "?", f"k{place}": 1} for place in range(WIDE)]
    values = {
        "eval.csv": {"dataset_id": "d", "queries": rows},
        "results.csv": {"evaluation_id": "e", "query_results": rows},
        "benchmark.parquet": {"benchmark_id": "b", "entries": rows},
        "benchmark.h5": {"benchmark_id": "b", "entries": rows},
    }
    with pytest.raises(InputError, match=r"4,000 rows and .* columns, and only .* save it as JSON"):
        save(values[ending], tmp_path / f"a.{ending}")
    assert not list(tmp_path.iterdir())


def test_metrics_with_a_name_for_each_query_are_not_written_as_columns(tmp_path: Path) -> None:
    rows = [{"query_id": f"q{place}", "individual_metrics": {f"m{place}": 1}} for place in range(WIDE)]
    with pytest.raises(InputError, match="save it as JSON"):
        save({"evaluation_id": "e", "query_results": rows}, tmp_path / "a.results.csv")


# --- packed files ----------------------------------------------------------------------------------


def packed(path: Path, content: bytes) -> None:
    pack = gzip.compress if path.suffix == ".gz" else zstandard.ZstdCompressor().compress
    path.write_bytes(pack(content))


@pytest.mark.parametrize("compression", ["gz", "zst"])
@pytest.mark.parametrize("name", ["a.gt.json", "a.gt.yaml", "a.eval.csv", "a.parquet", "trace.json"])
def test_a_packed_file_that_unpacks_to_far_more_than_its_size_is_refused_whole(
    name: str, compression: str, tmp_path: Path
) -> None:
    from pincite.datasets import open_traces

    path = tmp_path / f"{name}.{compression}"
    packed(path, b"{\n" + b" " * 90_000_000 + b"}")
    assert path.stat().st_size < 400_000
    read = open_traces if name.startswith("trace") else read_plain
    with pytest.raises(InputError, match=r"unpacks to more than 200 times its size"):
        read(path)


def test_a_packed_file_of_usual_data_is_read(tmp_path: Path) -> None:
    rows = [{"query_id": f"q{place}", "query_text": f"What of {place}?"} for place in range(20_000)]
    packed(tmp_path / "a.eval.json.gz", json.dumps({"dataset_id": "d", "queries": rows}).encode())
    value, kind, _ = read_plain(tmp_path / "a.eval.json.gz")
    assert kind == "dataset"
    assert len(value["queries"]) == len(rows)


def test_data_that_unpacks_to_gigabytes_is_refused_by_the_older_names() -> None:
    from pincite.compat import DataCompressor

    with pytest.raises((InputError, TooLargeError)):
        DataCompressor.decompress_evaluation_data(gzip.compress(b"\0" * 10_000_000))
