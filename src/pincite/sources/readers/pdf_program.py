"""The pages of a PDF as pdfium reads and draws them, and the program that does so apart from everything else.

pdfium is native code, which a file can make crash, hang or take all memory: `pdf` runs this module as a
program with limits. What it writes is not trusted by whoever started it.
"""

from __future__ import annotations

import json
import math
import os
import struct
import time
import zlib
from base64 import b64encode
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_int
from typing import Any

from pincite.base import OUT_OF_MEMORY, ParentPipe

REQUEST = struct.Struct("<Qd")
"""What is asked: the bytes of memory for a file, and the seconds. Two messages follow: an order in JSON,
which pages to draw, and the file. Without an order, the text is wanted."""
READY, COUNT, PAGE, BROKEN_PAGE = b"+", b"n", b"p", b"x"
PICTURE, INFO, REFUSED, DONE = b"i", b"s", b"r", b"."
"""What is answered, message by message: a kind, and then a text in UTF-8."""
KINDS = (READY, COUNT, PAGE, BROKEN_PAGE, PICTURE, INFO, REFUSED, DONE)
INFO_FIELDS = ("Author", "Subject")
"""What a PDF may say of itself beside its title, in the order in which it is sent."""

_OWN_MEMORY = 256 * 1024 * 1024
"""Address space of the program without any file: Python, pdfium, and what their threads reserve."""
_MOST_PAGES = 200_000
_LONGEST_INFORMATION = 4000
_ENCRYPTED = 4
_UNSUPPORTED_SECURITY = 5


WIDTH, HEIGHT = 800, 1200
"""Pixels that a picture has at most."""
MOST_BYTES = 150_000
"""Of one picture. A page with more in it is drawn in grey, then smaller, and if that does not help, not at
all."""
MOST_BOXES = 400
"""On one page."""
_FINE = 100_000
"""pdfium says where something is in whole pixels: of a page this large, to be exact enough."""
_WAYS = ((1.0, False, 0xF8), (1.0, True, 0xF0), (0.5, True, 0xF0), (0.5, True, 0xC0))
"""How a page is drawn until the picture is small enough: scale, whether in grey, and which bits are kept."""

Box = tuple[float, float, float, float]


class PdfRefused(Exception):
    """The file cannot be read; the message is a reason for a person."""


def extract(raw: bytes) -> Generator[tuple[bytes, str]]:
    """The number of pages, each page's text or that it cannot be read, and what the file says of itself."""
    import pypdfium2

    with _opened(raw) as document:
        count = len(document)
        yield COUNT, str(count)
        for index in range(count):
            try:
                with page_with_text(document, index) as (_, text):
                    found = tidy(text.get_text_range())
            except (pypdfium2.PdfiumError, ValueError, UnicodeError):
                yield BROKEN_PAGE, ""
            else:
                yield PAGE, found
        for field in INFO_FIELDS:
            yield INFO, _information(document, field)
        yield DONE, _information(document, "Title")


def draw(raw: bytes, order: bytes) -> Generator[tuple[bytes, str]]:
    """A picture of each page that was ordered, or that it cannot be drawn."""
    import pypdfium2

    with _opened(raw) as document:
        for page, spans in json.loads(order):
            try:
                with page_with_text(document, page - 1) as (opened, text):
                    found = draw_page(opened, text, spans)
            except (pypdfium2.PdfiumError, ValueError, UnicodeError):
                yield BROKEN_PAGE, ""
            else:
                yield PICTURE, json.dumps({"page": page, **found})
    yield DONE, ""


@contextmanager
def _opened(raw: bytes) -> Iterator[Any]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        raise PdfRefused(_why(error)) from None
    try:
        count = len(document)
        if not 1 <= count <= _MOST_PAGES:
            raise PdfRefused(f"a PDF of {count:,} pages is not read" if count > 0 else "a PDF without pages")
        yield document
    finally:
        document.close()


@contextmanager
def page_with_text(document: Any, index: int) -> Iterator[tuple[Any, Any]]:
    """A page of an open document, and its text page."""
    page = document[index]
    try:
        textpage = page.get_textpage()
        try:
            yield page, textpage
        finally:
            textpage.close()
    finally:
        page.close()


def tidy(text: str) -> str:
    """The text of a page as a source has it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    # pdfium writes U+FFFE (or U+0002) for a hyphen at a line's end, and joins the lines.
    return text.replace("\ufffe", "-\n").replace("\x02", "-\n")


def _information(document: Any, field: str) -> str:
    try:
        said = document.get_metadata_value(field)
    except Exception:  # a courtesy: whatever is wrong with it, the text can be read
        return ""
    return said[:_LONGEST_INFORMATION] if isinstance(said, str) else ""


def _why(error: Any) -> str:
    code = getattr(error, "err_code", None)
    if code == _ENCRYPTED:
        return "an encrypted PDF: it needs a password; save it without one and check again"
    if code == _UNSUPPORTED_SECURITY:
        return "an encrypted PDF with an unknown security scheme; save it without one and check again"
    return f"a broken PDF: {error}"


# --- pictures of pages -----------------------------------------------------------------------------


def draw_page(page: Any, text: Any, spans: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The picture in base64 (none where the page has too much in it), its size, and the text of the page.

    For each of the spans, which count in the text, there are its boxes: left, top, right and bottom as shares
    of the page's width and height.
    """
    width, height, png = _picture(page)
    whole = tidy(text.get_text_range())
    picture = {"width": width, "height": height, "png": b64encode(png).decode("ascii")}
    return {"text": whole, **picture, "boxes": boxes_of(page, text, whole, spans)}


def boxes_of(page: Any, text: Any, whole: str, spans: Sequence[tuple[int, int]]) -> list[list[Box]]:
    """The boxes of each span, about one per line. A span without visible characters has none."""
    places = character_places(text)
    if len(places) != len(whole):
        raise ValueError("the characters of the page do not make up its text")
    left, found = MOST_BOXES, []
    for start, end in spans:
        inside = range(start, min(end, len(whole)))
        inked = [places[at] for at in inside if places[at] >= 0 and not whole[at].isspace()]
        boxes = _boxes(page, text, inked)[:left]
        left -= len(boxes)
        found.append(boxes)
    return found


def character_places(text: Any) -> list[int]:
    """For each character of the tidied text, its number in pdfium's list; -1 where it has no place there.

    pdfium counts UTF-16 units. What `tidy` changes is changed here too: a line end of two characters is one,
    and the mark for a divided word is a hyphen and a line end.
    """
    import pypdfium2.raw as pdfium

    given = text.get_text_range(errors="surrogatepass")
    places: list[int] = []
    unit = 0
    for at, character in enumerate(given):
        here = pdfium.FPDFText_GetCharIndexFromTextIndex(text, unit)
        unit += 2 if character > "\uffff" else 1
        if "\ud800" <= character <= "\udfff" or (character == "\r" and given[at + 1 : at + 2] == "\n"):
            continue  # half a character is not in the text, and a line end counts once
        places.append(here)
        if character in "\ufffe\x02":
            places.append(-1)
    return places


def _boxes(page: Any, text: Any, places: Sequence[int]) -> list[Box]:
    if not places:
        return []
    first, last = min(places), max(places)
    boxes = []
    for index in range(min(text.count_rects(first, last - first + 1), MOST_BOXES)):
        left, bottom, right, top = text.get_rect(index)
        corners = (_on_page(page, left, bottom), _on_page(page, right, top))
        across, down = zip(*corners, strict=True)
        box = (min(across), min(down), max(across), max(down))
        if box[0] < box[2] and box[1] < box[3]:
            boxes.append(box)
    return boxes


def _on_page(page: Any, x: float, y: float) -> tuple[float, float]:
    """A place as shares of the page as it is shown: turned, and cut to what is visible of it."""
    import pypdfium2.raw as pdfium

    across, down = c_int(), c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, _FINE, _FINE, 0, x, y, across, down)
    return tuple(min(1.0, max(0.0, one.value / _FINE)) for one in (across, down))  # type: ignore[return-value]


def _picture(page: Any) -> tuple[int, int, bytes]:
    across, down = page.get_size()
    if not (across > 0 and down > 0 and math.isfinite(across) and math.isfinite(down)):
        raise ValueError("a page without a size")
    whole = min(WIDTH / across, HEIGHT / down)
    size = (max(1, round(across * whole)), max(1, round(down * whole)))
    for scale, grey, kept in _WAYS:
        png = _png(page.render(scale=whole * scale, grayscale=grey, rev_byteorder=not grey), kept)
        if len(png) <= MOST_BYTES:
            return *size, png
    return *size, b""


def _png(bitmap: Any, kept: int) -> bytes:
    """The picture with only the `kept` bits of each sample, which makes it a good deal smaller."""
    width, height, stride, samples = bitmap.width, bitmap.height, bitmap.stride, bitmap.n_channels
    if samples not in (1, 3):
        raise ValueError(f"a picture of {samples} samples")
    content = bytes(bitmap.buffer)
    bitmap.close()
    table = bytes((value & kept) * 255 // kept for value in range(256))
    rows = [content[at : at + width * samples].translate(table) for at in range(0, height * stride, stride)]
    if samples == 3 and all(row[0::3] == row[1::3] == row[2::3] for row in rows):
        samples, rows = 1, [row[0::3] for row in rows]
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    head = size + bytes((8, 0 if samples == 1 else 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")


# --- the program ---------------------------------------------------------------------------------


def serve(parent: ParentPipe) -> None:
    """Answer one request after another."""
    import pypdfium2  # noqa: F401 - loaded before anybody waits for it, and before there are limits

    _send(parent, READY, "")
    while True:
        memory, seconds = REQUEST.unpack(parent.receive())
        _limit(_OWN_MEMORY + memory, seconds)
        order, raw = parent.receive(), parent.receive()
        try:
            for kind, text in draw(raw, order) if order else extract(raw):
                _send(parent, kind, text)
        except PdfRefused as problem:
            _send(parent, REFUSED, str(problem))
        except MemoryError:  # pdfium aborts
            os._exit(OUT_OF_MEMORY)


def _limit(memory: int, seconds: float) -> None:
    """Limit this process where the platform can: Windows cannot, and macOS ignores the limit of memory."""
    try:
        import resource
    except ImportError:
        return
    used = time.process_time()
    for kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, int(used + seconds) + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        most = resource.getrlimit(kind)[1]
        try:
            resource.setrlimit(kind, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
        except (ValueError, OSError):
            pass  # the process that started this one still watches the clock


def _send(parent: ParentPipe, kind: bytes, text: str) -> None:
    parent.send(kind + text.encode("utf-8", "surrogatepass"))
