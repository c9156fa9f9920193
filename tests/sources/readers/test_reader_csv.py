"""CSV and TSV: cells with true spans, rows as data."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Source
from pincite.sources import open_sources


def csv_source(text: str, name: str = "t.csv") -> Source:
    (source,) = open_sources({name: text}).sources
    return source


plain_cells = st.text(alphabet='ab ,;"\n\t1.é', max_size=6).map(str.strip)
tables = st.lists(st.lists(plain_cells, min_size=2, max_size=4), min_size=1, max_size=6)


@given(tables, st.sampled_from(["\n", "\r\n"]))
def test_cells_are_what_the_standard_reader_reads_and_stand_where_they_say(
    rows: list[list[str]], line_end: str
) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter="\t", lineterminator=line_end).writerows(rows)
    source = csv_source(buffer.getvalue(), "t.tsv")
    (table,) = source.tables
    scanned = [row for row in (table.header, *table.rows) if row]
    said = [list(row.values()) for row in source.data["rows"]]
    assert said == (rows[1:] if table.header else rows)
    past = 0
    for row, written in zip(scanned, rows, strict=True):
        for cell, value in zip(row, written, strict=True):
            assert past <= cell.start <= cell.end <= len(source.text)
            assert cell.of(source.text).replace('""', '"') == value
            past = cell.end


def test_rows_are_data_and_every_value_has_its_span() -> None:
    text = 'Quarter,Revenue,"Net, total"\nQ1,"1,000","say ""hi"""\nQ2,5\n'
    source = csv_source(text, "t.csv")
    assert source.text == text and source.kind == "csv"
    assert source.data["rows"][0] == {"Quarter": "Q1", "Revenue": "1,000", "Net, total": 'say "hi"'}
    assert source.value_spans["rows[0].Revenue"].of(text) == "1,000"
    assert source.value_spans["rows[0]['Net, total']"].of(text) == 'say ""hi""'
    assert source.value_spans["rows[0]"].of(text) == 'Q1,"1,000","say ""hi"""'
    assert source.data["rows"][1] == {"Quarter": "Q2", "Revenue": "5"}
    (table,) = source.tables
    assert [cell.of(text) for cell in table.header] == ["Quarter", "Revenue", "Net, total"]


@pytest.mark.parametrize(
    ("sample", "header"),
    [
        ("a;b\n1,5;2,5\n3,1;4\n", ["a", "b"]),
        ("a\tb\n1\t2\n", ["a", "b"]),
        ("a|b\n1|2", ["a", "b"]),
        ("a,b\n1,2", ["a", "b"]),
        ("alone\n", ["alone"]),
    ],
)
def test_the_delimiter_is_the_one_that_splits_evenly(sample: str, header: list[str]) -> None:
    (table,) = csv_source(sample).tables
    assert [cell.of(sample) for cell in table.header] == header


def test_a_tsv_is_split_by_tabs_whatever_else_it_holds() -> None:
    assert csv_source("a,b\tc,d\n1,2\t3,4\n", "t.tsv").data["rows"] == [{"a,b": "1,2", "c,d": "3,4"}]


def test_columns_without_a_name_or_with_the_same_one_get_their_own() -> None:
    assert csv_source("a,,a\n1,2,3,4\n", "t.csv").data["rows"] == [
        {"a": "1", "column_2": "2", "a_2": "3", "column_4": "4"}
    ]


def test_a_table_of_numbers_alone_has_no_header() -> None:
    assert csv_source("1,2\n3,4\n", "t.csv").data["rows"][0] == {"column_1": "1", "column_2": "2"}


def test_an_empty_file_has_no_rows() -> None:
    assert csv_source("", "t.csv").data == {"rows": []}
    assert csv_source("\n\n", "t.csv").data == {"rows": []}


@given(st.text(alphabet='a,;"\n\r\t|\0\ud800', max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    source = csv_source(text, "t.csv")
    assert source.text == text
    assert all(0 <= span.start <= span.end <= len(text) for span in source.value_spans.values())


@pytest.mark.parametrize(
    "text", ['"' * 600_001, '"a' * 300_000, ",a" * 300_000, "a" * 3_000_000, 'x,"' + "y\n" * 900_000]
)
def test_huge_cells_and_quotes_without_end_take_linear_time(text: str) -> None:
    assert csv_source(text, "t.csv").text == text
