"""DOCX: paragraphs, tables and pages, and packages built to hurt."""

from __future__ import annotations

import io
import zipfile
from xml.sax.saxutils import escape

from pincite.config import Limits
from pincite.records import Source, UnreadSource
from pincite.sources import read_bytes

NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def paragraph(text: str) -> str:
    return f'<w:p><w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def table(rows: list[list[str]]) -> str:
    body = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>" for row in rows
    )
    return f"<w:tbl>{body}</w:tbl>"


def make_docx(body: str, before: str = "", extra: dict[str, str] | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        document = f'{before}<w:document xmlns:w="{NAMESPACE}"><w:body>{body}</w:body></w:document>'
        package.writestr("word/document.xml", document)
        for name, content in (extra or {}).items():
            package.writestr(name, content)
    return buffer.getvalue()


def read(raw: bytes) -> Source:
    (entry,) = read_bytes(raw, "report.docx", Limits())
    assert isinstance(entry, Source), entry
    return entry


def refuse(raw: bytes, limits: Limits | None = None) -> str:
    (entry,) = read_bytes(raw, "report.docx", limits or Limits())
    assert isinstance(entry, UnreadSource), entry
    return entry.reason


def test_paragraphs_stand_on_lines_and_runs_are_joined() -> None:
    body = "<w:p><w:r><w:t>Reve</w:t></w:r><w:r><w:t>nue rose</w:t><w:tab/><w:t>5%</w:t></w:r></w:p>"
    assert read(make_docx(body + paragraph("Second & last"))).text == "Revenue rose 5%\nSecond & last"


def test_deleted_text_field_codes_and_fallbacks_are_left_out() -> None:
    body = (
        "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r>"
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        "<mc:Choice><w:r><w:t>once</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>twice</w:t></w:r></mc:Fallback>"
        "</mc:AlternateContent></w:p>"
    )
    assert read(make_docx(body)).text == "once"


def test_a_tables_first_row_is_its_header_and_cells_have_spans() -> None:
    source = read(
        make_docx(paragraph("Before") + table([["Quarter", "Revenue"], ["Q1", "$10M"]]) + paragraph("After"))
    )
    assert source.text == "Before\nQuarter | Revenue\nQ1 | $10M\nAfter"
    (found,) = source.tables
    assert [c.of(source.text) for c in found.header] == ["Quarter", "Revenue"]
    assert [[c.of(source.text) for c in row] for row in found.rows] == [["Q1", "$10M"]]


def test_page_breaks_make_pages_and_one_break_is_counted_once() -> None:
    page_break = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    printed = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>"
    assert read(make_docx(paragraph("one") + page_break + printed)).text == "one\ftwo"
    assert read(make_docx(paragraph("one") + page_break + paragraph("two"))).page_starts == (0, 4)


def test_long_text_with_few_set_breaks_has_no_pages_to_speak_of() -> None:
    page_break = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    source = read(make_docx(paragraph("word " * 3000) + page_break + paragraph("two")))
    assert source.page_starts is None and "\f" not in source.text


def test_footnotes_follow_the_text_and_the_title_is_read() -> None:
    notes = (
        f'<w:footnotes xmlns:w="{NAMESPACE}"><w:footnote>{paragraph("A note.")}</w:footnote></w:footnotes>'
    )
    core = '<c:p xmlns:c="c" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Plan</dc:title></c:p>'
    source = read(
        make_docx(paragraph("Text."), extra={"word/footnotes.xml": notes, "docProps/core.xml": core})
    )
    assert (source.text, source.title) == ("Text.\nA note.", "Plan")


def test_entities_are_refused_before_they_expand() -> None:
    laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    assert "document type" in refuse(make_docx(paragraph("x").replace("x", "&b;"), before=laughs))


def test_a_zip_bomb_is_refused() -> None:
    raw = make_docx("<w:p><w:r><w:t>" + " " * (80 * 1024 * 1024) + "</w:t></w:r></w:p>")
    assert len(raw) < 1_000_000
    assert "zip bomb" in refuse(raw)


def test_deep_nesting_is_read_without_recursion() -> None:
    assert read(make_docx("<w:x>" * 50_000 + paragraph("deep") + "</w:x>" * 50_000)).text == "deep"


def test_what_is_no_docx_is_said_to_be_none() -> None:
    assert "broken" in refuse(b"not a zip")
    assert "old .doc" in refuse(b"\xd0\xcf\x11\xe0" + b"\0" * 100)
    assert "broken" in refuse(make_docx("<w:p>"))
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as package:
        package.writestr("other.xml", "<x/>")
    assert "word/document.xml" in refuse(empty.getvalue())


def test_a_docx_cut_short_or_with_flipped_bytes_never_crashes() -> None:
    raw = make_docx(paragraph("Some text") + table([["a", "b"], ["1", "2"]]))
    for i in range(0, len(raw), 3):
        assert len(read_bytes(raw[:i], "a.docx", Limits())) == 1
        flipped = bytearray(raw)
        flipped[i] ^= 0xFF
        assert len(read_bytes(bytes(flipped), "a.docx", Limits())) == 1
