"""PDF: the text of every page, pages joined by one form feed.

The text is what pdfium extracts, with two changes, each made once: its line ends become `\\n`, and its mark
for a word divided at a line's end becomes the hyphen and line end that a reader sees. Offsets count in that
text.
"""

from __future__ import annotations

from typing import Any

from pincite.config import Limits
from pincite.records import Source
from pincite.sources.readers.common import Unreadable, make_source
from pincite.sources.readers.pdf_process import read_pages


def read_pdf(raw: bytes, name: str, limits: Limits) -> list[Source]:
    if b"%PDF-" not in raw[:1024]:
        raise Unreadable("not a PDF: it does not begin with %PDF-")
    pages, broken, title = read_pages(raw, limits)
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
