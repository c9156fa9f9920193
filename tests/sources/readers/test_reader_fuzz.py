"""Every reader, with bytes that nobody wrote in good faith: sources or reasons, never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.config import Limits
from pincite.records import Source, UnreadSource
from pincite.sources import page_span, read_bytes

ENDINGS = ["txt", "md", "html", "pdf", "docx", "json", "jsonl", "csv", "tsv", "bin"]
HEADS = [
    b"",
    b"%PDF-1.7\n",
    b"PK\x03\x04",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"{",
    b'[{"text": "',
    b"<table><tr>",
]


@settings(max_examples=300)
@given(st.sampled_from(ENDINGS), st.sampled_from(HEADS), st.binary(max_size=200))
def test_any_bytes_give_sources_or_reasons(ending: str, head: bytes, tail: bytes) -> None:
    entries = read_bytes(head + tail, f"file.{ending}", Limits())
    for entry in entries:
        if isinstance(entry, UnreadSource):
            assert entry.reason
        else:
            assert_sound(entry)


@settings(max_examples=200)
@given(st.sampled_from(ENDINGS), st.text(alphabet="ab1,;|-\"'<>/{}[]:\\\n\r\f\0é\u202e🙂", max_size=80))
def test_any_text_gives_sound_sources(ending: str, text: str) -> None:
    for entry in read_bytes(text.encode(), f"file.{ending}", Limits()):
        if isinstance(entry, Source):
            assert_sound(entry)


def assert_sound(source: Source) -> None:
    length = len(source.text)
    assert len(source.sha256) == 64
    if source.page_starts is not None:
        pages = [page_span(source, page) for page in range(1, len(source.page_starts) + 1)]
        assert [span.of(source.text) for span in pages if span is not None] == source.text.split("\f")
    past = 0
    for table in source.tables:
        assert past <= table.start <= table.end <= length
        past = table.end
        for row in (table.header, *table.rows):
            assert all(table.start <= cell.start <= cell.end <= table.end for cell in row)
    assert all(0 <= span.start <= span.end <= length for span in source.value_spans.values())


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["txt", "md", "html", "json", "jsonl", "csv"])
@pytest.mark.parametrize(
    "unit", [b"[", b"{", b'"', b"|", b"\\", b"\f", b"\r", b"<", b"[a](", b"\xe2\x80\xae"]
)
def test_megabytes_of_one_thing_are_read_or_refused(ending: str, unit: bytes) -> None:
    for entry in read_bytes(unit * (1_000_000 // len(unit)), f"file.{ending}", Limits()):
        if isinstance(entry, Source):
            assert_sound(entry)
