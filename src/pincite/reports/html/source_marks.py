"""Sources with what is marked in them: cited, found by a judge, or right by the dataset."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pincite.config import Limits
from pincite.records import Source, Span
from pincite.reports.html.marking import Gap, Piece, TextMark, cut, keep_near
from pincite.sources import Library, PageBox, PagePicture, draw_marked_pages, shared_process

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

    def views(self) -> list[SourceView]:
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
