"""Texts cut into pieces at the edges of what is marked in them, and sources with their marks.

Marks may overlap in any way. The pieces, joined, are the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from pincite.config import Limits
from pincite.records import Source, Span
from pincite.sources import Library, PageBox, PagePicture, draw_marked_pages, shared_process

M = TypeVar("M")


class TextMark(Struct, Generic[M], frozen=True):
    """What `text[start:end]` is marked with."""

    start: int
    end: int
    value: M


class Piece(Struct, Generic[M], frozen=True):
    """A stretch of the text inside the same marks throughout, the outermost first."""

    start: int
    end: int
    text: str
    marks: tuple[M, ...] = ()
    begins: tuple[M, ...] = ()
    """Those of the marks that begin here, and empty ones that stand here."""
    ends: tuple[M, ...] = ()


class Gap(Struct, frozen=True):
    """A stretch that is not shown."""

    start: int
    end: int

    @property
    def characters(self) -> int:
        return self.end - self.start


def cut(text: str, marks: Iterable[TextMark[M]]) -> list[Piece[M]]:
    """The whole text in pieces. A mark that reaches beyond the text is cut off there."""
    inside = (TextMark(max(0, one.start), min(len(text), one.end), one.value) for one in marks)
    kept = sorted((one for one in inside if one.start <= one.end), key=lambda one: (one.start, -one.end))
    edges = sorted({0, len(text), *(one.start for one in kept), *(one.end for one in kept)})
    pieces: list[Piece[M]] = []
    active: list[TextMark[M]] = []
    place = 0
    for start, end in zip(edges, [*edges[1:], len(text)], strict=True):
        active = [one for one in active if one.end > start]
        begins = []
        while place < len(kept) and kept[place].start == start:
            begins.append(kept[place].value)
            if kept[place].end > start:
                active.append(kept[place])
            place += 1
        if start < end or begins:
            around = tuple(one.value for one in active)
            ends = tuple(one.value for one in active if one.end == end)
            pieces.append(Piece(start, end, text[start:end], around, tuple(begins), ends))
    return pieces


def keep_near(
    pieces: Sequence[Piece[M]], places: Iterable[tuple[int, int]], around: int
) -> list[Piece[M] | Gap]:
    """Only what lies within `around` characters of one of the places; the rest as gaps."""
    windows: list[tuple[int, int]] = []
    for start, end in sorted(places):
        low, high = max(0, start - around), end + around
        if windows and low <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(high, windows[-1][1]))
        else:
            windows.append((low, high))
    starts = [low for low, _ in windows]
    shown: list[Piece[M] | Gap] = []
    for piece in pieces:
        at = piece.start
        for low, high in windows[max(0, bisect_left(starts, piece.start) - 1) :]:
            if low > piece.end or at > piece.end:
                break
            first, last = max(at, low), min(piece.end, high)
            if first > last or (first == last and piece.start < piece.end):
                continue
            _skip(shown, at, first)
            whole = first == piece.start and last == piece.end
            shown.append(piece if whole else _part(piece, first, last))
            at = last
        _skip(shown, at, piece.end)
    return shown


def _part(piece: Piece[M], first: int, last: int) -> Piece[M]:
    text = piece.text[first - piece.start : last - piece.start]
    begins = piece.begins if first == piece.start else ()
    return Piece(first, last, text, piece.marks, begins, piece.ends if last == piece.end else ())


def _skip(shown: list[Piece[M] | Gap], start: int, end: int) -> None:
    if start >= end:
        return
    if shown and isinstance(shown[-1], Gap):
        shown[-1] = Gap(shown[-1].start, end)
    else:
        shown.append(Gap(start, end))


WHOLE = 40_000
"""A source up to this length is shown whole; of a longer one only what lies near a mark."""
AROUND = 1_500
"""Characters before and after a mark that are shown of a long source."""
PICTURES, PICTURES_OF_SOURCE = 30, 10
"""Pages of PDFs that a file shows as pictures, and those of one source. Each weighs up to 200 kB."""

MarkKind = Literal["cited", "located", "gold"]


class InSource(Struct, frozen=True):
    """What a stretch of a source is marked as."""

    kind: MarkKind | Literal["page"]
    anchor: str
    words: str = ""
    page: int = 0
    """Of a page's begin, its number."""


class PageView(Struct, frozen=True):
    """The picture of a page, with what is marked on it."""

    anchor: str
    picture: PagePicture
    boxes: list[tuple[InSource, PageBox]]


class SourceView(Struct, frozen=True):
    """A source in pieces, with the pictures of its pages."""

    anchor: str
    name: str
    title: str
    pieces: list[Piece[InSource] | Gap]
    characters: int
    pages: dict[int, PageView] = {}
    """The pictures of a PDF's pages, by page."""
    pages_note: str = ""
    """Why there are no pictures, or no more."""


class SourceMarks:
    """Places in sources, gathered one by one, and then the sources with all of them."""

    def __init__(
        self,
        library: Library,
        *,
        prefix: str = "",
        whole: int = WHOLE,
        around: int = AROUND,
        most: int | None = None,
        drawn_from: Library | None = None,
        limits: Limits | None = None,
    ) -> None:
        """`prefix` begins every anchor, and at most `most` sources are shown.

        Files are opened for pictures only of sources in `drawn_from`.
        """
        self._library, self._prefix = library, prefix
        self._whole, self._around, self._most = whole, around, most
        self._drawn_from, self._limits = drawn_from or Library(), limits or Limits()
        self._marks: dict[str, dict[tuple[str, int, int], TextMark[InSource]]] = {}
        self._anchors: dict[str, str] = {}

    def mark(self, document: str | None, kind: MarkKind, start: int, end: int) -> str:
        """Mark a place once, and give its anchor; nothing for a document that is not at hand."""
        source = self._shown(document)
        if source is None or not 0 <= start <= end or start > len(source.text):
            return ""
        key = (kind, start, end)
        anchor = f"{self._anchor(source.name)}-{kind[0]}{start}-{end}"
        self._marks[source.name].setdefault(key, TextMark(start, end, InSource(kind, anchor)))
        return anchor

    def top(self, document: str | None) -> str:
        """The anchor of the document itself."""
        source = self._shown(document)
        return "" if source is None else self._anchor(source.name)

    def source(self, document: str | None) -> Source | None:
        """The document, where it is at hand."""
        return None if document is None else self._library.get(document)

    def _shown(self, document: str | None) -> Source | None:
        source = self.source(document)
        is_full = self._most is not None and len(self._marks) >= self._most
        return None if source is None or (is_full and source.name not in self._marks) else source

    def _anchor(self, name: str) -> str:
        self._marks.setdefault(name, {})
        return self._anchors.setdefault(name, f"{self._prefix}s{len(self._anchors) + 1}")

    def render_views(self) -> list[SourceView]:
        """Every source of which something was asked, in that order."""
        left, made = PICTURES, []
        with shared_process():
            for name in self._marks:
                if (source := self._library.get(name)) is not None:
                    made.append(self._view(source, min(left, PICTURES_OF_SOURCE)))
                    left -= len(made[-1].pages)
        return made

    def _view(self, source: Source, most: int) -> SourceView:
        marks = list(self._marks[source.name].values())
        may_be_drawn = self._drawn_from.get(source.name) is source
        spans = [Span(one.start, one.end) for one in marks] if may_be_drawn else []
        drawn = draw_marked_pages(source, spans, self._limits, most)
        starts = source.page_starts or ()
        breaks = [
            TextMark(start, start, InSource("page", "", f"page {number}", number))
            for number, start in enumerate(starts, start=1)
        ]
        every = cut(source.text, [*breaks, *marks])
        pieces: list[Piece[InSource] | Gap] = [*every]
        if len(source.text) > self._whole:
            shown_pages = [starts[one.page - 1] for one in drawn.pictures]
            near = [*((one.start, one.end) for one in marks), *((start, start) for start in shown_pages)]
            pieces = keep_near(every, near or [(0, 0)], self._around)
        title = source.title if source.title and source.title != source.name else ""
        anchor, pages = self._anchor(source.name), {}
        for one in drawn.pictures:
            boxes = [(marks[box.mark].value, box) for box in one.boxes]
            pages[one.page] = PageView(f"{anchor}-p{one.page}", one, boxes)
        return SourceView(anchor, source.name, title, pieces, len(source.text), pages, drawn.note)
