"""The pages of a PDF as pdfium reads them, and the program that reads them apart from everything else.

pdfium is native code, which a file can make crash, hang or take all memory: `pdf_process` runs this module as
a program with limits. What it writes is not trusted by whoever started it.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
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
    import json

    import pypdfium2

    from pincite.sources.readers import pdf_drawing

    with _opened(raw) as document:
        for page, spans in json.loads(order):
            try:
                with page_with_text(document, page - 1) as (opened, text):
                    found = pdf_drawing.draw_page(opened, text, spans, tidy)
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
