"""Pictures of the pages of a PDF: the boxes lie around the words that are marked."""

from __future__ import annotations

import base64
import io
import re
import struct
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_stand_in import stand_in
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from pincite.config import Limits
from pincite.records import Source, Span
from pincite.sources import PagePicture, draw_marked_pages, open_sources, shared_process

MOST_BYTES = 150_000
WORDS = st.sampled_from(["Water", "co-", "operate", "14,000", "fee", "(x)", "Zug", "naïve", "a", "€3"])
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=8)
TARIFF = "The tariff rose by 4.5 percent."


def make_pdf(pages: list[list[str]], turned: int = 0, origin: tuple[int, int] = (0, 0)) -> bytes:
    """Pages of lines, in letters that grow from line to line; turned, and cut from a larger sheet."""
    buffer = io.BytesIO()
    pdf = canvas.Canvas(buffer, pagesize=(400, 400))
    for lines in pages:
        pdf.setCropBox((origin[0], origin[1], 400, 400))
        pdf.setPageRotation(turned)
        for number, line in enumerate(lines):
            pdf.setFont("Helvetica", 9 + number)
            pdf.drawString(40 + origin[0], 370 - 25 * number, line)
        pdf.showPage()
    pdf.save()
    return buffer.getvalue()


def read(tmp_path: Path, raw: bytes) -> Source:
    (tmp_path / "report.pdf").write_bytes(raw)
    (source,) = open_sources([tmp_path / "report.pdf"]).sources
    return source


def drawn(source: Source, *words: str, most: int = 10) -> Any:
    spans = [Span(source.text.index(word), source.text.index(word) + len(word)) for word in words]
    return draw_marked_pages(source, spans, Limits(), most)


def letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


@settings(max_examples=25, deadline=None)
@given(
    LINES,
    st.sampled_from([0, 90, 180, 270]),
    st.sampled_from([(0, 0), (30, 10)]),
    st.integers(0, 200),
    st.integers(1, 80),
)
def test_boxes_lie_on_the_page_and_cover_the_words_of_the_span(
    lines: list[str], turned: int, origin: tuple[int, int], start: int, length: int
) -> None:
    raw = make_pdf([lines], turned, origin)
    with TemporaryDirectory() as folder, shared_process():
        source = read(Path(folder), raw)
        start = min(start, len(source.text) - 1)
        span = Span(start, min(start + length, len(source.text)))
        found = draw_marked_pages(source, [span], Limits(), 1)
    boxes = [box for picture in found.pictures for box in shares_of(picture)]
    document = pypdfium2.PdfDocument(raw)
    page = document[0]
    text = page.get_textpage()
    inside = "".join(text_within(page, text, box, turned, origin) for box in boxes)
    document.close()
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
    assert letters(inside) == letters(span.of(source.text))


def shares_of(picture: PagePicture) -> list[tuple[float, float, float, float]]:
    """The boxes as shares of the page's width and height."""
    return [
        (
            box.x / picture.width,
            box.y / picture.height,
            (box.x + box.width) / picture.width,
            (box.y + box.height) / picture.height,
        )
        for box in picture.boxes
    ]


def text_within(
    page: object, text: object, box: tuple[float, float, float, float], turned: int, origin: tuple[int, int]
) -> str:
    """What pdfium finds within a box, whose place on the sheet is worked out without pdfium's help."""
    corners = [(box[0], box[1]), (box[2], box[3])]
    back = {
        0: lambda x, y: (x, 1 - y),
        90: lambda x, y: (y, x),
        180: lambda x, y: (1 - x, y),
        270: lambda x, y: (1 - y, 1 - x),
    }[turned]
    shares = [back(x, y) for x, y in corners]
    width, height = 400 - origin[0], 400 - origin[1]
    across = sorted(origin[0] + x * width for x, _ in shares)
    up = sorted(origin[1] + y * height for _, y in shares)
    return text.get_text_bounded(across[0] - 0.1, up[0] - 0.1, across[1] + 0.1, up[1] + 0.1)  # type: ignore[attr-defined]


def test_characters_of_two_units_and_ligatures_shift_no_box(tmp_path: Path) -> None:
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"2 beginbfchar <41> <D83DDE00> <42> <00660069> endbfchar endcmap end end"
    )
    raw = handmade(b"BT /F 12 Tf 20 100 Td (xyAz B end tail) Tj ET", cmap)
    source = read(tmp_path, raw)
    assert source.text == "xy\U0001f600z fi end tail"
    (picture,) = drawn(source, "tail").pictures
    ((left, _, right, _),) = shares_of(picture)
    document = pypdfium2.PdfDocument(raw)
    found = document[0].get_textpage().get_text_bounded(left * 300, 0, right * 300 + 0.3, 200)
    document.close()
    assert found.strip() == "tail"


def handmade(content: bytes, cmap: bytes) -> bytes:
    """A page whose font says which characters its codes stand for."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(cmap), cmap),
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, one) for number, one in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Size 7/Root 1 0 R>>\n%%EOF"


def test_a_picture_is_a_png_of_the_size_that_it_says(tmp_path: Path) -> None:
    source = read(tmp_path, make_pdf([["Nothing here"], ["The fee is 30 euros.", TARIFF]]))
    found = drawn(source, "fee is 30", TARIFF)
    (picture,) = found.pictures
    raw = base64.b64decode(picture.png, validate=True)
    assert raw.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", raw[16:24])
    assert (picture.page, picture.width, picture.height) == (2, 800, 800)
    assert (abs(width - 800) <= 1, abs(height - 800) <= 1) == (True, True)
    assert [box.mark for box in picture.boxes] == [0, 1]
    assert found.note == ""
    pixels = zlib.decompress(raw[raw.index(b"IDAT") + 4 : raw.rindex(b"IEND") - 8])
    box = picture.boxes[1]
    row = pixels[int(box.y + box.height / 2) * (width + 1) + 1 :][:width]
    assert min(row[int(box.x) : int(box.x + box.width)]) < 128  # there is ink inside the box
    assert set(row[int(box.x + box.width) + 2 :]) == {255}  # and none to the right of it


def test_a_span_over_two_pages_is_boxed_on_both(tmp_path: Path) -> None:
    source = read(tmp_path, make_pdf([["First page ends"], ["second begins"]]))
    found = draw_marked_pages(source, [Span(0, len(source.text))], Limits(), 10)
    assert [(one.page, [box.mark for box in one.boxes]) for one in found.pictures] == [(1, [0]), (2, [0])]


def test_no_more_pages_are_drawn_than_asked_for_and_that_is_said(tmp_path: Path) -> None:
    source = read(tmp_path, make_pdf([[f"Page number {number} of many"] for number in range(5)]))
    found = drawn(source, "number 3", "number 0", "number 4", most=2)
    assert [one.page for one in found.pictures] == [1, 4]
    assert found.note == "2 of 3 pages with marked words are drawn; the text has them all."
    assert "0 of 3" in drawn(source, "number 3", "number 0", "number 4", most=0).note


def test_a_file_that_changed_is_not_drawn(tmp_path: Path) -> None:
    source = read(tmp_path, make_pdf([["The fee is 30 euros."]]))
    (tmp_path / "report.pdf").write_bytes(make_pdf([["The fee is 99 euros."]]))
    changed = drawn(source, "30 euros")
    assert changed.pictures == ()
    assert changed.note == "Pages that changed since the file was read are not drawn."
    (tmp_path / "report.pdf").unlink()
    assert "cannot be opened" in drawn(source, "30 euros").note
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.4 broken")
    assert "a broken PDF" in drawn(source, "30 euros").note


def test_content_without_a_file_and_other_kinds_have_no_picture() -> None:
    (source,) = open_sources({"report.pdf": make_pdf([["The fee is 30 euros."]])}).sources
    assert "only its content was given" in drawn(source, "fee").note
    (text,) = open_sources({"report.txt": "The fee is 30 euros."}).sources
    assert (drawn(text, "fee").pictures, drawn(text, "fee").note) == ((), "")


def test_a_page_full_of_noise_is_drawn_small_enough_or_not_at_all(tmp_path: Path) -> None:
    from random import Random

    from PIL import Image

    buffer = io.BytesIO()
    pdf = canvas.Canvas(buffer, pagesize=(400, 300))
    noise = Image.frombytes("RGB", (800, 600), Random(1).randbytes(800 * 600 * 3))
    pdf.drawImage(ImageReader(noise), 0, 0, 400, 280)
    pdf.drawString(40, 285, "The fee is 30 euros.")
    pdf.save()
    found = drawn(read(tmp_path, buffer.getvalue()), "fee")
    assert all(len(one.png) <= MOST_BYTES * 4 / 3 + 4 for one in found.pictures)
    assert found.pictures or "too much in them" in found.note


@pytest.mark.parametrize(
    "said",
    [
        '{"page": 1}',
        "no json",
        '{"page": 1, "text": "T", "width": 9, "height": 9, "png": "\\"><script>", "boxes": []}',
        '{"page": 1, "text": "T", "width": -9, "height": 9, "png": "AAAA", "boxes": []}',
        '{"page": 7, "text": "T", "width": 9, "height": 9, "png": "AAAA", "boxes": []}',
    ],
)
def test_a_reading_process_that_was_taken_over_gets_no_picture_into_the_page(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = read(tmp_path, make_pdf([["T"]]))
    stand_in(serving(said), tmp_path, monkeypatch)
    found = drawn(source, "T")
    assert found.pictures == ()
    assert "0 of 1 pages" in found.note


def test_boxes_beyond_the_page_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = read(tmp_path, make_pdf([["T"]]))
    boxes = "[[[0.5, 0.5, 7.0, 0.6], [0.1, 0.1, 0.2, 0.2]]]"
    said = f'{{"page": 1, "text": "T", "width": 10, "height": 10, "png": "AAAA", "boxes": {boxes}}}'
    stand_in(serving(said), tmp_path, monkeypatch)
    (picture,) = drawn(source, "T").pictures
    assert [(box.x, box.width) for box in picture.boxes] == [(1.0, 1.0)]


def serving(said: str) -> str:
    """A program that answers the order for a picture with this."""
    return (
        "def serve(parent):\n"
        "    parent.send(b'+')\n"
        "    parent.receive()\n"
        f"    parent.send({b'i' + said.encode()!r})\n"
        "    parent.send(b'.')\n"
    )
