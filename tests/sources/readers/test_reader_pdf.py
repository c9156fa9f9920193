"""PDF: page texts and page starts, and the files that cannot be read."""

from __future__ import annotations

import io

import pytest
from reportlab.lib import pdfencrypt
from reportlab.pdfgen import canvas

from pincite.config import Limits
from pincite.records import Source, UnreadSource
from pincite.sources import open_sources, page_span, read_bytes, shared_process


def make_pdf(pages: list[list[str]], title: str | None = None, password: str | None = None) -> bytes:
    buffer = io.BytesIO()
    encrypt = pdfencrypt.StandardEncryption(password) if password else None
    pdf = canvas.Canvas(buffer, encrypt=encrypt)
    if title:
        pdf.setTitle(title)
    for lines in pages:
        for i, line in enumerate(lines):
            pdf.drawString(72, 780 - 14 * i, line)
        pdf.showPage()
    pdf.save()
    return buffer.getvalue()


def read(raw: bytes) -> Source:
    (source,) = open_sources({"report.pdf": raw}).sources
    return source


def refuse(raw: bytes) -> str:
    (entry,) = read_bytes(raw, "report.pdf", Limits())
    assert isinstance(entry, UnreadSource)
    return entry.reason


def test_pages_are_joined_by_one_form_feed_and_their_starts_known() -> None:
    source = read(make_pdf([["First page", "second line"], [], ["Third page"]]))
    assert source.text == "First page\nsecond line\f\fThird page"
    assert source.page_starts == (0, 23, 24)
    spans = [page_span(source, page) for page in (1, 2, 3)]
    assert [span.of(source.text) for span in spans if span is not None] == source.text.split("\f")


def test_a_word_divided_at_a_lines_end_keeps_its_hyphen() -> None:
    assert read(make_pdf([["They co-", "operate well"]])).text == "They co-\noperate well"


def test_the_title_is_known_unless_a_tool_made_it_up() -> None:
    assert read(make_pdf([["x"]], title="Annual Report")).title == "Annual Report"
    assert read(make_pdf([["x"]])).title is None


def test_an_encrypted_pdf_says_that_it_needs_a_password() -> None:
    assert "password" in refuse(make_pdf([["secret"]], password="open sesame"))


def test_a_scanned_pdf_says_that_it_has_no_text() -> None:
    assert "scanned" in refuse(make_pdf([[], []]))


@pytest.mark.parametrize(
    "raw", [b"", b"hello", b"%PDF-1.7\n", b"%PDF-1.4\n" + b"\0" * 500, b"%PDF-1.4 trailer<</Root 1 0 R>>"]
)
def test_a_broken_pdf_is_a_reason_and_not_a_crash(raw: bytes) -> None:
    assert "PDF" in refuse(raw)


def test_a_pdf_cut_short_or_with_flipped_bytes_never_crashes() -> None:
    raw = make_pdf([["Some text to be read"], ["and more"]])
    with shared_process():
        for cut in range(0, len(raw), 97):
            assert len(read_bytes(raw[:cut], "a.pdf", Limits())) == 1
            flipped = bytearray(raw)
            flipped[cut] ^= 0x5A
            assert len(read_bytes(bytes(flipped), "a.pdf", Limits())) == 1


def test_a_text_longer_than_the_limit_is_refused() -> None:
    raw = make_pdf([["word " * 10] * 40] * 3)
    (entry,) = read_bytes(raw, "a.pdf", Limits(source_bytes=1000))
    assert isinstance(entry, UnreadSource) and "1,000" in entry.reason
