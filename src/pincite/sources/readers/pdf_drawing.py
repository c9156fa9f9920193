"""A page of a PDF as a small picture, and where on it stretches of its text are.

This runs in the process that reads PDFs (`pdf_pages`) and imports nothing of Pincite. Pictures are PNG and
written here, so that no library for pictures is needed.
"""

from __future__ import annotations

import math
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from ctypes import c_int
from typing import Any

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


def draw_page(
    page: Any, text: Any, spans: Sequence[tuple[int, int]], tidy: Callable[[str], str]
) -> dict[str, Any]:
    """The picture in base64 (none where the page has too much in it), its size, and the text of the page.

    For each of the spans, which count in the text, there are its boxes: left, top, right and bottom as shares
    of the page's width and height.
    """
    width, height, png = _picture(page)
    whole = tidy(text.get_text_range())
    picture = {"width": width, "height": height, "png": b64encode(png).decode("ascii")}
    return {"text": whole, **picture, "boxes": boxes_of(page, text, whole, spans)}


# --- boxes ---------------------------------------------------------------------------------------


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


# --- pictures ------------------------------------------------------------------------------------


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
