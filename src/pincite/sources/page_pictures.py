"""Pictures of the pages of a PDF on which something is marked, with the boxes of what is marked.

Pages are drawn by the process that reads PDFs, within the same limits; what it says is checked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from pincite.config import Limits
from pincite.records import Source, Span
from pincite.sources.folder import file_content
from pincite.sources.passages import page_of, page_span
from pincite.sources.readers import pdf_program as program
from pincite.sources.readers.common import Unreadable
from pincite.sources.readers.pdf import ask

_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_MOST_PIXELS = 10_000


class PageBox(Struct, frozen=True):
    """Part of a marked span, in pixels of the picture."""

    mark: int
    """The number of the span among those that were given."""
    x: float
    y: float
    width: float
    height: float


class PagePicture(Struct, frozen=True):
    """A page as a reader sees it."""

    page: int
    width: int
    height: int
    png: str
    """In base64, as an address of data takes it."""
    boxes: tuple[PageBox, ...]


class PagePictures(Struct, frozen=True):
    """The pictures of a source, in the order of its pages, and why there are no more."""

    pictures: tuple[PagePicture, ...] = ()
    note: str = ""


class _Drawn(Struct):
    page: int
    text: str
    width: int
    height: int
    png: str
    boxes: list[list[tuple[float, float, float, float]]]


def draw_marked_pages(source: Source, spans: Sequence[Span], limits: Limits, most: int) -> PagePictures:
    """At most so many pages, taken in the order of the spans; nothing for a source of another kind.

    The file is read again. A page whose text is no longer what it was when the source was read is not drawn.
    """
    if source.kind != "pdf" or not spans:
        return PagePictures()
    if source.file_path is None:
        return _none("only its content was given, not its file")
    wanted = _by_page(source, spans)
    chosen = dict(list(wanted.items())[:most])
    if not chosen:
        return PagePictures(note=_too_many(0, len(wanted)))
    raw = file_content(Path(source.file_path), limits)
    if isinstance(raw, str):
        return _none(f"the file {raw}")
    order = [(page, [(start, end) for _, start, end in parts]) for page, parts in chosen.items()]
    try:
        drawn = ask(raw, msgspec.json.encode(order), limits, _collect)
    except Unreadable as problem:
        return _none(problem)
    made, changed, heavy = [], False, False
    for page, parts in chosen.items():
        found = drawn.get(page)
        begin = page_span(source, page)
        if found is None or begin is None:
            continue
        if found.text != begin.of(source.text):
            changed = True
        elif not found.png:
            heavy = True
        else:
            made.append(_picture(found, [number for number, _, _ in parts]))
    made.sort(key=lambda one: one.page)
    return PagePictures(tuple(made), _note(changed, heavy, len(made), len(wanted)))


def _none(why: object) -> PagePictures:
    return PagePictures(note=f"There is no picture of its pages: {why}.")


def _by_page(source: Source, spans: Sequence[Span]) -> dict[int, list[tuple[int, int, int]]]:
    """For each page the parts of spans on it: the number of the span, and its offsets in the page."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for number, span in enumerate(spans):
        first, last = page_of(source, span.start), page_of(source, max(span.start, span.end - 1))
        for page in range(first or 1, (last or 0) + 1):
            place = page_span(source, page)
            if place is None:
                continue
            start, end = max(span.start, place.start), min(span.end, place.end)
            if start < end:
                found.setdefault(page, []).append((number, start - place.start, end - place.start))
    return found


def _collect(frames: Iterable[tuple[bytes, str]], most: int) -> dict[int, _Drawn]:
    found: dict[int, _Drawn] = {}
    for kind, text in frames:
        if kind == program.REFUSED:
            raise program.PdfRefused(text)
        if kind == program.DONE:
            break
        if kind == program.PICTURE:
            try:
                drawn = msgspec.json.decode(text, type=_Drawn)
            except (msgspec.MsgspecError, UnicodeError):
                continue
            fits = all(0 < side <= _MOST_PIXELS for side in (drawn.width, drawn.height))
            if fits and _BASE64.fullmatch(drawn.png):
                found[drawn.page] = drawn
    return found


def _picture(drawn: _Drawn, marks: Sequence[int]) -> PagePicture:
    boxes = [
        PageBox(
            mark,
            round(left * drawn.width, 1),
            round(top * drawn.height, 1),
            round((right - left) * drawn.width, 1),
            round((bottom - top) * drawn.height, 1),
        )
        for mark, of_span in zip(marks, drawn.boxes, strict=False)
        for left, top, right, bottom in of_span
        if 0 <= left <= right <= 1 and 0 <= top <= bottom <= 1
    ]
    return PagePicture(drawn.page, drawn.width, drawn.height, drawn.png, tuple(boxes))


def _note(changed: bool, heavy: bool, drawn: int, wanted: int) -> str:
    if drawn == wanted:
        return ""
    if changed:
        return "Pages that changed since the file was read are not drawn."
    if heavy:
        return "Pages with too much in them for a small picture are not drawn."
    return _too_many(drawn, wanted)


def _too_many(drawn: int, wanted: int) -> str:
    return f"{drawn} of {wanted} pages with marked words are drawn; the text has them all."
