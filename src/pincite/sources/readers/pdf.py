"""PDF: the text of every page, pages joined by one form feed.

The text is what pdfium extracts, with two changes, each made once: its line ends become `\\n`, and its mark
for a word divided at a line's end becomes the hyphen and line end that a reader sees. Offsets count in that
text.
"""

from __future__ import annotations

import threading
from typing import Any

from pincite.records import Source
from pincite.sources.readers.common import Unreadable, make_source

_PDFIUM = threading.Lock()
"""pdfium is not safe to be used by two threads at once."""

_MOST_PAGES = 200_000
_ENCRYPTED = 4
_UNSUPPORTED_SECURITY = 5


def read_pdf(raw: bytes, name: str, most_characters: int = 1 << 40) -> list[Source]:
    if b"%PDF-" not in raw[:1024]:
        raise Unreadable("not a PDF: it does not begin with %PDF-")
    with _PDFIUM:
        pages, broken, title = _extract(raw, most_characters)
    if not any(page.strip() for page in pages):
        if len(broken) == len(pages):
            raise Unreadable("a broken PDF: none of its pages can be read")
        raise Unreadable(
            f"no text on any of its {len(pages)} page(s): it looks scanned; run text recognition (OCR) first"
        )
    starts = [0]
    for page in pages[:-1]:
        starts.append(starts[-1] + len(page) + 1)
    metadata: dict[str, Any] = {"unreadable_pages": broken} if broken else {}
    return [
        make_source(
            name, "\f".join(pages), kind="pdf", title=title, page_starts=tuple(starts), metadata=metadata
        )
    ]


def _extract(raw: bytes, most_characters: int) -> tuple[list[str], list[int], str | None]:
    """Each page's text, the numbers of the pages that cannot be read, and the title."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        raise Unreadable(_why(error)) from None
    try:
        count = len(document)
        if not 1 <= count <= _MOST_PAGES:
            raise Unreadable(f"a PDF of {count:,} pages is not read" if count > 0 else "a PDF without pages")
        pages: list[str] = []
        broken: list[int] = []
        total = 0
        for index in range(count):
            try:
                pages.append(_page_text(document, index))
            except (pypdfium2.PdfiumError, ValueError, UnicodeError):
                pages.append("")
                broken.append(index + 1)
            total += len(pages[-1]) + 1
            if total > most_characters:
                raise Unreadable(
                    f"its text is longer than {most_characters:,} characters; raise the limit to read it"
                )
        return pages, broken, _title(document)
    finally:
        document.close()


def _page_text(document: Any, index: int) -> str:
    page = document[index]
    try:
        textpage = page.get_textpage()
        try:
            return _tidy(textpage.get_text_range())
        finally:
            textpage.close()
    finally:
        page.close()


def _tidy(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    # pdfium writes U+FFFE (or U+0002) for a hyphen at a line's end, and joins the lines.
    return text.replace("\ufffe", "-\n").replace("\x02", "-\n")


def _title(document: Any) -> str | None:
    try:
        title = document.get_metadata_value("Title")
    except Exception:  # a title is a courtesy: whatever is wrong with it, the text can be read
        return None
    return title if isinstance(title, str) else None


def _why(error: Any) -> str:
    code = getattr(error, "err_code", None)
    if code == _ENCRYPTED:
        return "an encrypted PDF: it needs a password; save it without one and check again"
    if code == _UNSUPPORTED_SECURITY:
        return "an encrypted PDF with an unknown security scheme; save it without one and check again"
    return f"a broken PDF: {error}"
