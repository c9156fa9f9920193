"""Plain text and Markdown: bytes to text without loss, pages by form feed, pipe tables with cell spans."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from pincite.config import Limits
from pincite.records import Source, Table, UnreadSource
from pincite.sources import open_sources, page_of, page_span, read_bytes


def read(raw: bytes, name: str = "notes.txt") -> Source:
    (entry,) = read_bytes(raw, name, Limits())
    assert isinstance(entry, Source), entry
    return entry


def refuse(raw: bytes, name: str = "notes.txt") -> str:
    (entry,) = read_bytes(raw, name, Limits())
    assert isinstance(entry, UnreadSource), entry
    return entry.reason


def test_a_byte_order_mark_is_dropped_and_crlf_is_kept() -> None:
    assert read(b"\xef\xbb\xbfone\r\ntwo").text == "one\r\ntwo"


def test_utf16_and_utf32_are_read_by_their_marks() -> None:
    for encoding, mark in (
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"),
    ):
        assert read(mark + "naïve 🙂".encode(encoding)).text == "naïve 🙂"


def test_a_wrong_encoding_names_the_byte_and_what_to_do() -> None:
    reason = refuse("Café".encode("latin-1"))
    assert "0xe9" in reason and "offset 3" in reason and "UTF-8" in reason
    assert "offset 6" in refuse(b"\xef\xbb\xbfabc\xff")


def test_utf16_without_a_mark_is_not_read_as_text_full_of_nuls() -> None:
    assert "UTF-16" in refuse("plain words".encode("utf-16-le"))


def test_a_text_with_some_nul_bytes_is_read_as_it_stands() -> None:
    assert read(b"a\0b and many more words").text == "a\0b and many more words"


def test_an_unknown_ending_is_text_when_it_decodes_and_otherwise_listed() -> None:
    assert read(b"hello", "notes.xyz").text == "hello"
    assert "NUL" in refuse(b"\x89PNG\0\0\0", "logo.xyz")
    assert "unpack" in refuse(b"\x1f\x8b", "notes.txt.gz")
    assert "docx" in refuse(b"x", "old.doc")


def test_the_hash_is_of_the_text_in_utf8() -> None:
    assert read(b"\xef\xbb\xbfabc").sha256 == hashlib.sha256(b"abc").hexdigest()


def test_an_empty_file_is_an_empty_source() -> None:
    assert read(b"").text == ""


def test_a_markdown_files_first_heading_is_its_title() -> None:
    source = read(b"# The Report #\n\nText.", "report.md")
    assert (source.kind, source.title) == ("markdown", "The Report")
    assert read(b"no heading", "report.md").title is None


@given(st.text(alphabet="ab\f \n", max_size=60))
def test_pages_are_what_form_feeds_divide(text: str) -> None:
    (source,) = open_sources({"a": text}).sources
    pages = text.split("\f")
    if len(pages) == 1:
        assert source.page_starts is None and page_of(source, 0) is None
        return
    assert source.page_starts is not None
    assert list(source.page_starts) == sorted(set(source.page_starts))
    spans = [page_span(source, i + 1) for i in range(len(source.page_starts))]
    assert [span.of(text) for span in spans if span is not None] == pages
    assert page_span(source, 0) is None and page_span(source, len(pages) + 1) is None
    for number, span in enumerate(spans, start=1):
        assert span is not None
        assert all(page_of(source, offset) == number for offset in range(span.start, span.end))


@given(st.text(max_size=80))
def test_a_given_text_is_kept_character_for_character(text: str) -> None:
    (source,) = open_sources({"a.txt": text}).sources
    assert source.text == text


def find_pipe_tables(text: str) -> tuple[Table, ...]:
    (source,) = open_sources({"a.md": text}).sources
    return source.tables


def cells(text: str) -> list[list[list[str]]]:
    return [[[c.of(text) for c in row] for row in (t.header, *t.rows)] for t in find_pipe_tables(text)]


def test_a_pipe_table_gives_every_cell_with_its_span() -> None:
    text = "Intro\n\n| Quarter | Revenue |\n|---|---:|\n| Q1 | $10M |\n| Q2 |  |\n\nEnd | not\n"
    assert cells(text) == [[["Quarter", "Revenue"], ["Q1", "$10M"], ["Q2", ""]]]


def test_pipe_tables_need_no_outer_bars_and_know_crlf_and_escapes() -> None:
    assert cells("a | b\r\n--|--\r\n1 \\| 2 | 3\r\n") == [[["a", "b"], ["1 \\| 2", "3"]]]


def test_what_stands_in_fenced_code_is_no_table() -> None:
    assert cells("```\na | b\n--|--\n1 | 2\n```\n") == []


def test_a_rule_and_a_lone_divider_are_no_tables() -> None:
    assert cells("text\n---\nmore\n") == []
    assert cells("|---|---|\n| a | b |\n") == []


@given(st.text(alphabet="|-: a\n\r\\`", max_size=80))
def test_table_spans_are_in_order_and_inside_the_text(text: str) -> None:
    past = 0
    for table in find_pipe_tables(text):
        assert past <= table.start <= table.end <= len(text)
        for row in (table.header, *table.rows):
            for cell in row:
                assert past <= cell.start <= cell.end <= table.end
                assert cell.of(text) == cell.of(text).strip()
                past = cell.end
        past = table.end


def test_dividers_without_end_take_linear_time() -> None:
    assert find_pipe_tables("|-" * 2_000_000) == ()
    assert find_pipe_tables("|-x\n" * 300_000) == ()
